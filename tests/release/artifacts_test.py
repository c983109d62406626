#!/usr/bin/env python3
"""What manifests/release/make made, tried as a user would: archives, images, install.yaml, chart, bills of
materials."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/flow"), str(ROOT / "manifests/release")]
import dist
import pins
import pypi
from dist import COMMAND_MAX_BYTES, DIST, SOURCE, VERSION

pypi.require("sbom", "cyclonedx-python-lib[json-validation]==9.1.0", "spdx-tools==0.8.3")

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from spdx_tools.spdx.parser.parse_anything import parse_file
from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document

EXAMPLES = SOURCE / "manifests/examples"
PROGRAMS = ("kubectl-vapcheck", "vapcheck-controller")


def run(*argv, **more):
    return subprocess.run(list(map(str, argv)), capture_output=True, text=True, check=False, **more)


class Case(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="vapcheck-")
        self.addCleanup(directory.cleanup)
        self.directory = pathlib.Path(directory.name)

    def unpacked(self):
        dist.unpack_archive(self.directory)
        return self.directory

    def image(self, name):
        return dist.unpack_image(name, self.directory)


class ArchiveTest(Case):
    def test_sums(self):
        done = run("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=DIST)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        named = {line.split()[1] for line in (DIST / "SHA256SUMS").read_text().splitlines()}
        self.assertEqual(named | {"SHA256SUMS"}, {path.name for path in DIST.iterdir()})

    def test_it_runs_where_nothing_else_is(self):
        root = self.unpacked()
        self.assertEqual(
            {p.name for p in root.iterdir()},
            {"kubectl-vapcheck", "LICENSE", "NOTICE", "kubectl-vapcheck.1", "completions"},
        )
        self.assertLess((root / "kubectl-vapcheck").stat().st_size, COMMAND_MAX_BYTES)
        built = pathlib.Path(os.environ["VAPCHECK_BIN"], "kubectl-vapcheck")
        for path in sorted(EXAMPLES.glob("*.yaml")):
            (root / path.name).write_bytes(path.read_bytes())
            found = run("chroot", root, "/kubectl-vapcheck", "check", "-o", "json", "-f", path.name, cwd="/")
            wanted = run(built, "check", "-o", "json", "-f", path.name, cwd=EXAMPLES)
            self.assertEqual(
                (found.returncode, found.stdout, found.stderr),
                (wanted.returncode, wanted.stdout, wanted.stderr),
                path.name,
            )

    def test_it_does_all_that_it_is_for(self):
        """What the workflow runs on macOS, too."""
        done = run(SOURCE / "tests/release/smoke", self.unpacked() / "kubectl-vapcheck")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_the_program_is_hardened(self):
        for program in (
            self.unpacked() / "kubectl-vapcheck",
            self.image("vapcheck-controller")[0] / "usr/bin/vapcheck-controller",
        ):
            segments = run("readelf", "-lW", program).stdout
            self.assertRegex(segments, "Elf file type is DYN ", program)
            self.assertNotIn("INTERP", segments)
            self.assertIn("GNU_RELRO", segments)
            self.assertRegex(segments, r"GNU_STACK .* RW +0")
            self.assertNotIn("RWE", segments)
            # A function with a stack protector reads its canary there.
            self.assertGreater(
                run("objdump", "-d", "--no-show-raw-insn", program).stdout.count("%fs:0x28"), 1000, program
            )
            paths = [
                t
                for t in re.findall(rb"[ -~]*/(?:tmp|home|root|work)/[ -~]*", program.read_bytes())
                if b"release" in t or b"/src" in t
            ]
            self.assertEqual(paths, [], "what it was built from leaves paths in it")

    def test_notices_name_every_library(self):
        text = (self.unpacked() / "NOTICE").read_text()
        for row in pins.read():
            self.assertRegex(text, rf"(?m)^{re.escape(row.name)} \S+ \(source package of Debian\)$")
        self.assertRegex(text, "(?m)^musl ")


class ImageTest(Case):
    def test_it_runs_as_a_cluster_runs_it(self):
        for name, said in (
            ("vapcheck-controller", f"vapcheck-controller {VERSION}"),
            ("kubectl-vapcheck", f"kubectl-vapcheck {VERSION}"),
        ):
            root, config, _ = self.image(name)
            self.assertEqual(config["User"], "65532:65532")
            self.assertEqual(config["Labels"]["org.opencontainers.image.version"], VERSION)
            # A registry shows the image on the page of this repository.
            self.assertEqual(
                config["Labels"]["org.opencontainers.image.source"], "https://github.com/vapcheck/vapcheck"
            )
            argument = "--version" if name == "vapcheck-controller" else "version"
            done = run("chroot", "--userspec=65532:65532", root, *config["Entrypoint"], argument)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, said + "\n", ""))
            files = {str(p.relative_to(root)) for p in root.rglob("*") if p.is_file()}
            self.assertEqual(files, {"etc/passwd", "etc/group", f"usr/bin/{name}"})
            subprocess.run(["rm", "-rf", root, self.directory / "layout"], check=True)

    def test_manifests_name_its_digest(self):
        _, _, digest = self.image("vapcheck-controller")
        for name in ("install.yaml", "uninstall.yaml"):
            images = re.findall(r"^ +image: (.*)$", (DIST / name).read_text(), re.M)
            self.assertEqual(images, [f"ghcr.io/vapcheck/vapcheck-controller:{VERSION}@{digest}"])
        with tarfile.open(DIST / f"vapcheck-{VERSION}.tgz") as archive:
            values = archive.extractfile("vapcheck/values.yaml").read().decode()
        self.assertIn("  repository: ghcr.io/vapcheck/vapcheck-controller\n", values)
        self.assertIn(f"  digest: {digest}\n", values)


class ChartTest(Case):
    def helm(self, *args):
        done = run(SOURCE / "tests/support/helm", *args)
        if done.returncode == 77:
            self.skipTest(done.stderr)
        return done

    def test_helm_takes_it(self):
        """For the versions of Kubernetes that are supported, and newer ones."""
        chart = DIST / f"vapcheck-{VERSION}.tgz"
        bundles = sorted(path.name[1:-3] for path in (SOURCE / "manifests/schemas").glob("v1.*.gz"))
        for version in (*bundles, "1.99"):
            done = self.helm("template", "vapcheck", chart, f"--kube-version={version}.0")
            self.assertEqual((done.returncode, done.stderr), (0, ""), version)
        self.assertIn(
            "incompatible with Kubernetes v1.29.0",
            self.helm("template", "vapcheck", chart, "--kube-version=1.29.0").stderr,
        )
        self.assertEqual(self.helm("lint", "--strict", chart).returncode, 0)

    def test_what_is_in_it(self):
        with tarfile.open(DIST / f"vapcheck-{VERSION}.tgz") as archive:
            found = {m.name for m in archive if m.isfile()}
            self.assertEqual([m.name for m in archive if m.isfile() and m.mode & 0o111], [], "a chart has no script")
            described = archive.extractfile("vapcheck/Chart.yaml").read().decode()
        chart = SOURCE / "manifests/chart"
        self.assertEqual(found, {f"vapcheck/{p.relative_to(chart)}" for p in chart.rglob("*") if p.is_file()})
        for key in ("category: security", "license: Apache-2.0", 'operator: "false"', "images: |"):
            self.assertIn(f"  artifacthub.io/{key}\n", described)
        self.assertIn(f"      image: ghcr.io/vapcheck/vapcheck-controller:{VERSION}\n", described)


class BillTest(Case):
    def test_both_formats_are_valid_and_name_what_is_linked(self):
        linked = {row.name: row.version for row in pins.read() if row.name != "libmicrohttpd"}
        for name in PROGRAMS:
            text = (DIST / f"{name}-{VERSION}.cdx.json").read_text()
            self.assertIsNone(JsonStrictValidator(SchemaVersion.V1_5).validate_str(text))
            names = {c["name"] for c in json.loads(text)["components"]}
            wanted = {*linked, "musl", *(["libmicrohttpd"] if name == "vapcheck-controller" else [])}
            self.assertEqual(names, wanted)
            document = parse_file(str(DIST / f"{name}-{VERSION}.spdx.json"))
            self.assertEqual([m.validation_message for m in validate_full_spdx_document(document)], [])
            self.assertEqual({p.name for p in document.packages}, wanted | {name})


if __name__ == "__main__":
    unittest.main()
