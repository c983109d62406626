#!/usr/bin/env python3
"""What scripts keep in the user's cache is good for every checkout, whatever was interrupted, and for two at once.

The scripts are the real ones, in checkouts at two paths. Go and pip are stand-ins that write what they were called
for, byte by byte where a test wants to interrupt them.
"""

import contextlib
import dataclasses
import importlib.machinery
import importlib.util
import io
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
COPIED = (
    "tests/support",
    "tests/e2e/build-controlplane",
    "tests/e2e/controlplane",
    "tests/upstream",
    "tests/flow/pypi.py",
)
PINNED = "v1.37.2 go1.26.8 h1:sum=\nv1.36.2 go1.26.8 h1:sum=\n"
OLD_S = 15 * 24 * 3600

# It answers what the scripts ask, and builds: half, then, where the file `hold` does not name it, the rest.
GO = r"""#!/usr/bin/env python3
import json, os, pathlib, sys, time
here = pathlib.Path(__file__).resolve().parent
args = sys.argv[1:]
if args[0] == "env":
    print("linux amd64 go1.26.8")
elif args[0] == "list":
    refusals = here / "refusals"
    left = int(refusals.read_text()) if refusals.exists() else 0
    refusals.write_text(str(left - 1))
    sys.exit("net/http: TLS handshake timeout" if left > 0 else 0)
elif args[0] == "mod":
    module = here / "module"
    print(json.dumps({"Sum": "h1:sum=", "GoModSum": "h1:x=", "Dir": str(module), "GoMod": str(module / "go.mod")}))
else:
    target = pathlib.Path(args[args.index("-o") + 1]) if "-o" in args else pathlib.Path(os.environ["GOBIN"], "helm")
    with open(here / "built", "a") as log:
        log.write(f"{target.name}\n")
    with open(target, "w") as program:
        program.write("#!/bin/sh\n")
        program.flush()
        os.chmod(target, 0o755)
        time.sleep(0.2)
        while (here / "hold").exists() and target.name.startswith((here / "hold").read_text()):
            time.sleep(0.02)
        program.write("echo whole\n")
"""
# pip as pypi.py calls it. Like pip's own, it leaves alone what is there already.
PIP = r"""
import os, pathlib, sys, time
here = pathlib.Path(__file__).resolve().parent.parent
target = pathlib.Path(sys.argv[sys.argv.index("--target") + 1])
fresh = not target.exists()
target.mkdir(parents=True, exist_ok=True)
with open(here / "built", "a") as log:
    log.write("packages\n")
if fresh:
    (target / "package.py").write_text("")
    while (here / "hold").exists():
        time.sleep(0.02)
    (target / "package.py").write_text("whole = True\n")
"""


class Case(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="vapcheck-")
        self.addCleanup(directory.cleanup)
        self.directory = pathlib.Path(directory.name)
        self.bin, self.cache = self.directory / "bin", self.directory / "cache/vapcheck"
        self.bin.mkdir()
        (self.bin / "go").write_text(GO)
        (self.bin / "go").chmod(0o755)
        (self.bin / "pip").mkdir()
        (self.bin / "pip/__init__.py").touch()
        (self.bin / "pip/__main__.py").write_text(PIP)
        (self.bin / "module").mkdir()
        for name, text in (
            ("go.mod", "module k8s.io/kubernetes\ngo 1.26\n"),
            ("go.sum", ""),
            (".go-version", "1.26.8\n"),
        ):
            (self.bin / "module" / name).write_text(text)
        self.checkouts = [self.checkout("first"), self.checkout("another/and-longer")]
        (self.directory / "versions").write_text(PINNED)
        self.environment = {
            **os.environ,
            "PATH": f"{self.bin}:/usr/bin:/bin",
            "XDG_CACHE_HOME": str(self.cache.parent),
            "VAPCHECK_KUBERNETES_VERSIONS": str(self.directory / "versions"),
            "PYTHONPATH": str(self.bin),
        }
        self.environment.pop("KUBEBUILDER_ASSETS", None)

    def checkout(self, name):
        root = self.directory / name
        for path in COPIED:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            copy = shutil.copytree if (SOURCE / path).is_dir() else shutil.copy
            copy(SOURCE / path, root / path)
        return root

    def start(self, checkout, command, **environment):
        return subprocess.Popen(
            [checkout / command[0], *command[1:]],
            env={**self.environment, **environment},
            text=True,
            cwd=checkout,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def finish(self, process):
        out, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0, err)
        return out.strip()

    def run_script(self, checkout, command, **environment):
        return self.finish(self.start(checkout, command, **environment))

    def built(self):
        log = self.bin / "built"
        return log.read_text().split() if log.exists() else []

    def interrupt(self, command, building):
        """Starts it, and ends it and all its children at once while it builds this."""
        (self.bin / "hold").write_text(building)
        before = len(self.built())
        process = self.start(self.checkouts[0], command)
        deadline = time.monotonic() + 60
        while not any(name.startswith(building) for name in self.built()[before:]):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)
        time.sleep(0.1)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        (self.bin / "hold").unlink()


class ProgramsTest(Case):
    # the script, how many programs it builds, the last of them, and where that is below the path that is printed
    SCRIPTS = (
        (["tests/e2e/build-controlplane", "1.37"], 2, "kubectl", "kubectl"),
        (["tests/upstream/build", "truth", "1.37"], 1, "truth", ""),
        (["tests/support/helm", "version"], 1, "helm", None),  # it runs what it built
    )

    def check_whole(self, printed, program):
        if program is None:
            self.assertEqual(printed, "whole")
        else:
            done = subprocess.run([pathlib.Path(printed, program)], capture_output=True, text=True, check=True)
            self.assertEqual(done.stdout, "whole\n")

    def test_two_checkouts_share_it(self):
        for command, count, _, program in self.SCRIPTS:
            before = len(self.built())
            printed = {self.run_script(checkout, command) for checkout in self.checkouts}
            self.assertEqual(len(printed), 1, command)
            self.assertEqual(len(self.built()) - before, count, command)
            shutil.rmtree(self.checkouts[0])
            self.check_whole(printed.pop(), program)
            self.checkouts[0] = self.checkout("first")

    def test_two_at_once_build_it_once(self):
        for command, count, _, program in self.SCRIPTS:
            before = len(self.built())
            processes = [self.start(checkout, command) for checkout in self.checkouts * 2]
            [printed] = {self.finish(p) for p in processes}
            self.assertEqual(len(self.built()) - before, count, command)
            self.check_whole(printed, program)

    def test_a_registry_that_does_not_answer(self):
        """It is asked again, before anything is built; where it does not answer at all, nothing is."""
        (self.bin / "sleep").write_text("#!/bin/sh\n")
        (self.bin / "sleep").chmod(0o755)
        command, count, _, program = self.SCRIPTS[0]
        (self.bin / "refusals").write_text("3")
        process = self.start(self.checkouts[0], command)
        _, err = process.communicate(timeout=120)
        self.assertEqual((process.returncode, self.built()), (1, []))
        self.assertIn("not all modules could be fetched", err)
        (self.bin / "refusals").write_text("2")
        self.check_whole(self.run_script(self.checkouts[0], command), program)
        self.assertEqual(len(self.built()), count)

    def test_what_was_interrupted_is_not_taken(self):
        for command, _, building, program in self.SCRIPTS:
            self.interrupt(command, building)
            for path in self.cache.glob("controlplane-*/kubectl"):  # as flow/cli/kubectl finds one
                self.check_whole(path.parent, path.name)
            self.check_whole(self.run_script(self.checkouts[1], command), program)

    def test_what_is_left_of_it_goes(self):
        for command, _, building, _ in self.SCRIPTS:
            for _ in range(2):
                self.interrupt(command, building)
            self.run_script(self.checkouts[1], command)
        self.assertEqual(
            [
                p.name
                for p in self.cache.iterdir()
                if "unfinished" in p.name or p.is_dir() and p.name.startswith("helm")
            ],
            [],
        )

    def test_what_is_used_stays(self):
        """Another release's build removes what nobody has asked for in two weeks; when it was built does not count."""
        for command, _, _, _ in self.SCRIPTS[:2]:
            older = [*command[:-1], "1.36"]
            for is_used in (True, False):
                path = pathlib.Path(self.run_script(self.checkouts[0], older))
                then = time.time() - OLD_S
                os.utime(path, (then, then))
                if is_used:
                    self.assertEqual(self.run_script(self.checkouts[1], older), str(path))
                for built in self.cache.glob("*-v1.37*"):
                    if built.is_dir() or os.access(built, os.X_OK):
                        subprocess.run(["rm", "-r", built], check=True)
                self.run_script(self.checkouts[0], command)
                self.assertEqual(path.exists(), is_used, command)

    def test_assets_by_a_relative_path(self):
        """The same words in two directories are two control planes."""
        command = ["tests/e2e/build-controlplane"]
        for checkout in self.checkouts:
            (checkout / "bin").mkdir()
            (checkout / "bin/kubectl").write_text("#!/bin/sh\n")
            (checkout / "bin/kubectl").chmod(0o755)
            printed = self.run_script(checkout, command, KUBEBUILDER_ASSETS="bin")
            self.assertEqual((pathlib.Path(printed) / "kubectl").resolve(), checkout / "bin/kubectl")


class MakeTest(Case):
    """manifests/release/make, with stand-ins for what it fetches and compiles."""

    STANDINS = {
        "cmd/install-packages": "",
        "manifests/release/fetch": """\
libc=$1/key/ziglang/lib/libc && mkdir -p "$libc/musl" "$libc/wasi" &&
touch "$1/key/used" "$libc/musl/COPYRIGHT" "$libc/wasi/LICENSE" && echo "$1/key"
""",
        "cmd/wasm/node": 'if [[ $1 == npm ]]; then cp "${@: -1}/package.tgz" .; else "$@"; fi\n',
        "cmd/npm/build": 'mkdir -p "$1" && cp "$2" "$1/package.tgz"\n',
        "cmd/playground/build": 'mkdir -p "$1" && cp "$2" "$(dirname "$2")/NOTICE" "$1"\n',
        "cmd/vscode/build": 'mkdir -p "$1" && cp "$2" "$1/vapcheck.vsix"\n',
        # One that finds the other at work fails.
        "manifests/release/libraries": """\
echo "$1" >> "$BUILT" && mkdir "$1/busy.$2" &&
while [ -e "$HOLD" ]; do sleep 0.02; done && sleep 0.3 && rmdir "$1/busy.$2"
""",
        "manifests/release/programs": """\
mkdir -p "$4" && for name in "${@:5}"; do
printf '#!/bin/sh\\necho %s of %s\\n' "$2" "$(realpath "$0")" > "$4/$name" && chmod +x "$4/$name"; done
""",
    }

    TARGETS = {
        "amd64": "x86_64-linux-musl",
        "arm64": "aarch64-linux-musl",
        "darwin-amd64": "x86_64-macos.13.0",
        "darwin-arm64": "aarch64-macos.13.0",
    }

    def setUp(self):
        super().setUp()
        self.environment |= {"BUILT": str(self.bin / "built"), "HOLD": str(self.bin / "hold")}
        version = subprocess.run(
            ["sed", "-n", r"s/^project(vapcheck VERSION \([0-9.]*\).*/\1/p", SOURCE / "CMakeLists.txt"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        self.command = ["manifests/release/make", version, "--out", "dist", "--arch"]

    def checkout(self, name):
        root = self.directory / name
        shutil.copytree(SOURCE / "manifests", root / "manifests", ignore=shutil.ignore_patterns("*.gz"))
        for path in (SOURCE / "manifests/schemas").glob("*.gz"):
            shutil.copy(path, root / "manifests/schemas")  # they say whether their server is a beta
        (root / "cmd/kubectl-vapcheck").mkdir(parents=True)
        manual = "cmd/kubectl-vapcheck/MANUAL.md"
        for path in ("CMakeLists.txt", "LICENSE", "NOTICE", "README.md", "CHANGELOG.md", manual):
            shutil.copy(SOURCE / path, root / path)
        for path, text in self.STANDINS.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text("#!/bin/bash\nset -e\n" + text)
            (root / path).chmod(0o755)
        for command in (
            ["init", "-q"],
            ["-c", "user.name=t", "-c", "user.email=t@t", "commit", "-q", "--allow-empty", "-m", "c"],
        ):
            subprocess.run(["git", "-C", root, *command], check=True)
        return root

    def check(self, checkout, arch):
        """The program and the man page are of this checkout."""
        said = f"{{}} of {checkout}/manifests/release/programs\n"
        platform = arch if arch.startswith("darwin-") else f"linux-{arch}"
        with tarfile.open(checkout / f"dist/kubectl-vapcheck-{platform}.tar.gz") as archive:
            page = archive.extractfile("./kubectl-vapcheck.1").read().decode()
            program = archive.extractfile("./kubectl-vapcheck").read().decode()
        self.assertEqual(page, said.format("x86_64-linux-musl"))
        self.assertIn(said.format(self.TARGETS[arch]).strip(), program)

    def test_two_at_once_take_turns(self):
        processes = [self.start(checkout, [*self.command, "amd64,arm64"]) for checkout in self.checkouts]
        for checkout, process in zip(self.checkouts, processes):
            self.finish(process)
            for arch in ("amd64", "arm64"):
                self.check(checkout, arch)
        self.assertEqual(len(set(self.built())), 1)

    def test_one_architecture_alone(self):
        """The other checkout's programs are not taken for what both have."""
        for checkout in self.checkouts:
            self.run_script(checkout, [*self.command, "arm64"])
            self.check(checkout, "arm64")

    def test_all_platforms(self):
        """Those of macOS have no controller, and a bill of their own; WebAssembly has three forms."""
        checkout = self.checkouts[0]
        self.run_script(checkout, self.command[:-1])
        for arch in self.TARGETS:
            self.check(checkout, arch)
        version = self.command[1]
        bills = {
            f"{name}-{version}.{kind}.json"
            for name in ("kubectl-vapcheck", "kubectl-vapcheck-darwin", "vapcheck-controller", "vapcheck-wasm")
            for kind in ("spdx", "cdx")
        }
        schemas = {f"{command}.schema.json" for command in ("audit", "check", "test")}
        self.assertEqual({p.name for p in (checkout / "dist").glob("*.json")}, bills | schemas)
        self.assertEqual((checkout / "dist/vapcheck.yaml").read_text().count("os: darwin"), 2)
        # The forms of the program in WebAssembly have what was built for it.
        wasm = f"wasm32-wasi of {checkout}/manifests/release/programs"
        for name in ("package.tgz", "vapcheck.vsix"):
            self.assertIn(wasm, (checkout / "dist" / name).read_text())
        with tarfile.open(checkout / "dist/vapcheck-playground.tar.gz") as archive:
            self.assertIn(wasm, archive.extractfile("./vapcheck.wasm").read().decode())

    def rebuild(self, updates):
        """(the checkout, the version before) after manifests/release/rebuild, where Debian has these."""
        checkout, version = self.checkouts[0], self.command[1]
        (checkout / "manifests/release/pin").write_text(f"#!/bin/sh\nprintf '{updates}'\n")
        self.run_script(checkout, ["manifests/release/rebuild", "--arch", "amd64"])
        return checkout, version

    def test_a_security_update(self):
        checkout, old = self.rebuild("curl: 1.0-1 -> 1.0-2\\n")
        new = old.rsplit(".", 1)[0] + "." + str(int(old.rsplit(".", 1)[1]) + 1)
        self.assertTrue((checkout / f"dist/vapcheck-{new}.tgz").exists())
        self.assertRegex(
            (checkout / "CHANGELOG.md").read_text(),
            (
                rf"^# Changelog\n\n## {new} \([\d-]+\)\n\n### Security\n- The programs of a release contain "
                rf"curl 1.0-2 \(before: 1.0-1\).\n\n## {old} "
            ),
        )
        for path in (
            "CMakeLists.txt",
            "README.md",
            "cmd/kubectl-vapcheck/MANUAL.md",
            *(
                f"manifests/{name}"
                for name in (
                    "OPERATING.md",
                    "base/kustomization.yaml",
                    "uninstall/kustomization.yaml",
                    "chart/Chart.yaml",
                    "chart/README.md",
                )
            ),
        ):
            text = (checkout / path).read_text()
            self.assertIn(new, text, path)
            self.assertNotIn(old, text, path)

    def test_no_security_update(self):
        checkout, old = self.rebuild("")
        self.assertFalse((checkout / "dist").exists())
        self.assertIn(f"VERSION {old} ", (checkout / "CMakeLists.txt").read_text())

    def test_interrupted(self):
        self.interrupt([*self.command, "amd64"], "/")
        (self.cache / "release/key/busy.x86_64-linux-musl").rmdir()  # the stand-in's own
        self.run_script(self.checkouts[1], [*self.command, "amd64"])
        self.check(self.checkouts[1], "amd64")


class FetchTest(unittest.TestCase):
    """manifests/release/fetch, where Debian replaces what is pinned, twice."""

    def test_what_was_taken_before_is_not_taken_for_a_newer_version(self):
        sys.path.insert(0, str(SOURCE / "manifests/release"))
        loader = importlib.machinery.SourceFileLoader("fetch", str(SOURCE / "manifests/release/fetch"))
        fetch = importlib.util.module_from_spec(importlib.util.spec_from_loader("fetch", loader))
        loader.exec_module(fetch)
        pinned = fetch.pins.Pin("curl", "1.0-1", "a" * 64, "curl", "haxx:libcurl")
        fetch.pins.read = lambda: [pinned]
        fetch.fetch_wheel, fetch.unpack_zig = lambda downloads: None, lambda wheel, directory: None

        def unpack(dsc, directory):
            if not directory.exists():
                directory.mkdir()
                (directory / "VERSION").write_text(str(dsc))

        fetch.unpack, os.environ["VAPCHECK_NEWEST"] = unpack, "1"
        self.addCleanup(os.environ.pop, "VAPCHECK_NEWEST")
        with tempfile.TemporaryDirectory() as base:
            for version in ("1.0-1", "1.0-2", "1.0-3"):
                fetch.fetch_source = lambda row, downloads: row.version if row.version == version else None
                fetch.pins.served = lambda row: [dataclasses.replace(row, version=version)]
                printed = io.StringIO()
                sys.argv = ["fetch", base]
                with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
                    fetch.main()
                made = pathlib.Path(printed.getvalue().strip())
                self.assertEqual((made / "sources/curl/VERSION").read_text(), version)
                self.assertIn(f"curl {version} ", (made / "used").read_text())


class PackagesTest(Case):
    """In a container each process has the number that one of the last run had."""

    COMMAND = [
        shutil.which("unshare"),
        "--pid",
        "--fork",
        "--kill-child",
        *([] if os.geteuid() == 0 else ["--user", "--map-root-user"]),
        sys.executable,
        "-c",
        (
            "import sys; sys.path[:0] = ['tests/flow']; import pypi; pypi.require('p', 'package==1'); import "
            "package; print(package.whole)"
        ),
    ]

    def test_interrupted(self):
        self.interrupt(self.COMMAND, "packages")
        self.assertEqual(self.run_script(self.checkouts[1], self.COMMAND), "True")

    def test_two_at_once(self):
        processes = [self.start(checkout, self.COMMAND) for checkout in self.checkouts * 2]
        self.assertEqual({self.finish(p) for p in processes}, {"True"})


if __name__ == "__main__":
    unittest.main()
