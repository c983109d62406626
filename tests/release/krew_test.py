#!/usr/bin/env python3
"""What manifests/release/krew says of the archives of a release: a manifest that krew and krew-index take."""

import copy
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "flow"))
import pypi
import stage

pypi.require("integrations", "pre-commit==4.0.1", "PyYAML==6.0.2")

import yaml

KREW = stage.SOURCE / "manifests/release/krew"
DIST = pathlib.Path(os.environ["VAPCHECK_DIST"])
ARCHIVE = "kubectl-vapcheck-{}.tar.gz"
VERSION = re.search(r"^project\(vapcheck VERSION (\S+)", (stage.SOURCE / "CMakeLists.txt").read_text(), re.M)[1]
REPOSITORY = "https://github.com/someone/vapcheck"
SHORT_DESCRIPTION_MAX, LINE_MAX = 50, 80
PLATFORMS = {(system, arch) for system in ("linux", "darwin") for arch in ("amd64", "arm64")}


def problems(name, plugin):
    """What krew's own check of a manifest objects to, and what krew-index asks for beyond."""
    spec = plugin.get("spec") or {}
    short, platforms = spec.get("shortDescription") or "", spec.get("platforms") or []
    rules = {
        "apiVersion": plugin.get("apiVersion") == "krew.googlecontainertools.github.com/v1alpha2",
        "kind": plugin.get("kind") == "Plugin",
        "fields": plugin.keys() == {"apiVersion", "kind", "metadata", "spec"}
        and spec.keys() <= {"version", "homepage", "shortDescription", "description", "caveats", "platforms"},
        "name": plugin.get("metadata") == {"name": name} and re.fullmatch(r"[a-z][a-z-]*", name),
        "version": re.fullmatch(
            r"v(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?", spec.get("version") or ""
        ),
        "homepage": (spec.get("homepage") or "").startswith("https://"),
        "short description": 0 < len(short) <= SHORT_DESCRIPTION_MAX and "\n" not in short and not short.endswith("."),
        "line length": all(
            len(line) <= LINE_MAX for key in ("description", "caveats") for line in spec.get(key, "").splitlines()
        ),
        "platforms": 0 < len({json.dumps(p["selector"], sort_keys=True) for p in platforms}) == len(platforms),
    }
    for p in platforms:
        labels = p["selector"].get("matchLabels", {})
        rules |= {
            "platform's fields": p.keys() == {"selector", "uri", "sha256", "bin", "files"},
            "selector": p["selector"].keys() == {"matchLabels"} and labels.keys() == {"os", "arch"},
            "os and arch": (labels.get("os"), labels.get("arch")) in PLATFORMS,
            "uri": p["uri"].startswith("https://") and spec["version"] in p["uri"],
            "sha256": re.fullmatch("[a-f0-9]{64}", str(p["sha256"])),
            "files": p["files"] and all(f.get("from") and f.get("to") and len(f) == 2 for f in p["files"]),
            "bin": p["bin"] and not pathlib.PurePath(p["bin"]).is_absolute() and ".." not in p["bin"],
        }
    return [rule for rule, holds in rules.items() if not holds]


class KrewTest(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="vapcheck-"))
        self.addCleanup(shutil.rmtree, self.directory)

    def release(self):
        """(a directory with the release's archive, the manifest)"""
        dist = self.directory / "dist"
        dist.mkdir(exist_ok=True)
        shutil.copy(DIST / ARCHIVE.format("linux-amd64"), dist)
        return dist, self.manifest(dist)

    def manifest(self, dist):
        done = subprocess.run([KREW, REPOSITORY + "/", f"v{VERSION}", dist], capture_output=True, text=True, check=True)
        self.assertEqual(done.stderr, "")
        return yaml.safe_load(done.stdout)

    def install(self, dist, platform):
        """What krew does: it compares the sum, unpacks, copies what `files` names and links `bin`."""
        archive = dist / platform["uri"].rsplit("/", 1)[1]
        self.assertEqual(hashlib.sha256(archive.read_bytes()).hexdigest(), platform["sha256"])
        unpacked, installed = self.directory / "unpacked", self.directory / "store"
        with tarfile.open(archive) as tar:
            self.assertTrue(all((m.isreg() or m.isdir()) and m.uid == m.gid == 0 for m in tar), tar.getmembers())
            tar.extractall(unpacked)
        for file in platform["files"]:
            target = installed / file["to"]
            target.mkdir(parents=True, exist_ok=True)
            shutil.copy(unpacked / file["from"], target)
        return installed

    def test_manifest(self):
        _, plugin = self.release()
        self.assertEqual(problems("vapcheck", plugin), [])
        version = plugin["spec"]["version"]
        self.assertEqual(version[1:], VERSION)
        self.assertEqual(plugin["spec"]["homepage"], REPOSITORY)
        for p in plugin["spec"]["platforms"]:
            self.assertTrue(p["uri"].startswith(f"{REPOSITORY}/releases/download/{version}/"), p["uri"])

    def test_installed(self):
        dist, plugin = self.release()
        [platform] = plugin["spec"]["platforms"]
        installed = self.install(dist, platform)
        self.assertEqual((installed / "LICENSE").read_bytes(), (stage.SOURCE / "LICENSE").read_bytes())
        program = installed / platform["bin"]
        said = subprocess.run([program, "version"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(said, f"kubectl-vapcheck {plugin['spec']['version'][1:]}\n")
        done = subprocess.run([program, "check", "-f", stage.SOURCE / "manifests/examples"], capture_output=True)
        self.assertEqual((done.returncode, done.stderr), (1, b""))

    def test_archives_of_other_machines(self):
        """Each is a platform."""
        dist, _ = self.release()
        others = {(system, arch) for system, arch in PLATFORMS if (system, arch) != ("linux", "amd64")}
        for system, arch in others:
            (dist / ARCHIVE.format(f"{system}-{arch}")).write_bytes(f"{system} {arch}".encode())
        plugin = self.manifest(dist)
        self.assertEqual(problems("vapcheck", plugin), [])
        found = {
            (p["selector"]["matchLabels"]["os"], p["selector"]["matchLabels"]["arch"]): p
            for p in plugin["spec"]["platforms"]
        }
        self.assertEqual(set(found), PLATFORMS)
        for system, arch in others:
            self.assertEqual(found[system, arch]["sha256"], hashlib.sha256(f"{system} {arch}".encode()).hexdigest())
            self.assertTrue(found[system, arch]["uri"].endswith(ARCHIVE.format(f"{system}-{arch}")))

    def test_broken_manifests_are_noticed(self):
        changes = {
            "apiVersion": lambda m: m.update(apiVersion="v1"),
            "name": lambda m: m["metadata"].update(name="kubectl vapcheck"),
            "fields": lambda m: m["spec"].update(licence="x"),
            "version": lambda m: m["spec"].update(version="0.1"),
            "short description": lambda m: m["spec"].update(shortDescription="x" * 51),
            "line length": lambda m: m["spec"].update(caveats="x" * 81),
            "platforms": lambda m: m["spec"].update(platforms=[]),
            "selector": lambda m: m["spec"]["platforms"][0]["selector"]["matchLabels"].update(libc="musl"),
            "os and arch": lambda m: m["spec"]["platforms"][0]["selector"]["matchLabels"].update(os="plan9"),
            "sha256": lambda m: m["spec"]["platforms"][0].update(sha256="0" * 63),
            "bin": lambda m: m["spec"]["platforms"][0].update(bin="../x"),
            "files": lambda m: m["spec"]["platforms"][0].update(files=[]),
        }
        _, plugin = self.release()
        for rule, change in changes.items():
            broken = copy.deepcopy(plugin)
            change(broken)
            self.assertIn(rule, problems("vapcheck", broken))

    def test_usage(self):
        for args in ([], [REPOSITORY], ["http://x", "v0.1.0", "dist"]):
            done = subprocess.run([KREW, *args], capture_output=True, cwd=self.directory)
            self.assertEqual((done.returncode, done.stdout), (2, b""))


if __name__ == "__main__":
    unittest.main()
