#!/usr/bin/env python3
"""What manifests/release/make makes for arm64 works under qemu, and the images of both architectures are one index."""

import json
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import dist
from dist import COMMAND_MAX_BYTES, DIST, SOURCE, VERSION

EXAMPLES = SOURCE / "manifests/examples"
ARCHS = ("amd64", "arm64")
IMAGES = {"vapcheck-controller": ["--version"], "kubectl-vapcheck": ["version"]}


def run(*argv, cwd=None):
    done = subprocess.run(list(map(str, argv)), capture_output=True, text=True, check=False, cwd=cwd)
    return done.returncode, done.stdout, done.stderr


class Arm64Test(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="vapcheck-")
        self.addCleanup(directory.cleanup)
        self.directory = pathlib.Path(directory.name)

    def assert_is_arm64(self, program):
        header = run("readelf", "-hlW", program)[1]
        self.assertRegex(header, r"Machine: +AArch64")
        self.assertNotIn("INTERP", header)

    def test_the_program_says_what_that_for_amd64_says(self):
        programs = {}
        for arch in ARCHS:
            dist.unpack_archive(self.directory / arch, f"linux-{arch}")
            programs[arch] = self.directory / arch / "kubectl-vapcheck"
            self.assertLess(programs[arch].stat().st_size, COMMAND_MAX_BYTES)
        self.assert_is_arm64(programs["arm64"])
        examples = sorted(path.name for path in EXAMPLES.glob("*.yaml"))
        for arguments in [["check", "-o", "json", "-f", name] for name in examples] + [
            ["upgrade", "--to", "1.37", "-f", "."],
            ["explain"],
        ]:
            wanted = run(programs["amd64"], *arguments, cwd=EXAMPLES)
            self.assertEqual(run("qemu-aarch64-static", programs["arm64"], *arguments, cwd=EXAMPLES), wanted, arguments)
            self.assertIn(wanted[0], (0, 1), arguments)
        for name in ("LICENSE", "NOTICE", "kubectl-vapcheck.1"):
            self.assertEqual(
                (self.directory / "amd64" / name).read_bytes(), (self.directory / "arm64" / name).read_bytes()
            )

    def test_the_images(self):
        for name, arguments in IMAGES.items():
            root, _, _ = dist.unpack_image(name, self.directory / name, "arm64")
            program = root / "usr/bin" / name
            self.assert_is_arm64(program)
            self.assertEqual(run("qemu-aarch64-static", program, *arguments), (0, f"{name} {VERSION}\n", ""))

    def test_one_index_that_skopeo_takes(self):
        """As the workflow gives it to skopeo: all architectures, and the digest stays that of the manifests."""
        for name in IMAGES:
            _, _, digest = dist.unpack_image(name, self.directory / f"unpacked-{name}")
            copied = self.directory / f"copied-{name}"
            archive = DIST / f"{name}-{VERSION}.oci.tar"
            done = run(
                "skopeo", "copy", "--all", "--preserve-digests", f"oci-archive:{archive}", f"oci:{copied}:{VERSION}"
            )
            self.assertEqual(done[0], 0, done)
            [described] = json.loads((copied / "index.json").read_text())["manifests"]
            self.assertEqual(described["digest"], digest)
            index = json.loads((copied / "blobs" / digest.replace(":", "/")).read_text())
            self.assertEqual(
                [m["platform"] for m in index["manifests"]], [{"architecture": arch, "os": "linux"} for arch in ARCHS]
            )
            shutil.rmtree(copied)


if __name__ == "__main__":
    unittest.main()
