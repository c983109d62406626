#!/usr/bin/env python3
"""What manifests/release/make makes for macOS, read, since it cannot be run here: the processor, the oldest macOS, the
libraries, and the signature without which an arm64 Mac runs nothing."""

import json
import pathlib
import re
import tempfile
import unittest

import dist
import macho
from dist import COMMAND_MAX_BYTES, DIST, VERSION

ARCHS = ("amd64", "arm64")


class DarwinTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="vapcheck-")
        self.addCleanup(directory.cleanup)
        self.directory = pathlib.Path(directory.name)

    def unpacked(self, arch):
        dist.unpack_archive(self.directory / arch, f"darwin-{arch}")
        return self.directory / arch

    def test_the_program(self):
        for arch in ARCHS:
            path = self.unpacked(arch) / "kubectl-vapcheck"
            content = path.read_bytes()
            self.assertLess(len(content), COMMAND_MAX_BYTES)
            program = macho.Program(content)
            self.assertEqual(program.arch, arch)
            self.assertEqual(program.min_version(), (13, 0))
            self.assertEqual(program.libraries(), ["/usr/lib/libSystem.B.dylib"])
            self.assertTrue(program.flags & macho.PIE)
            # macOS runs no unsigned program on Apple silicon; on Intel it asks for no signature, and the linker makes
            # none.
            self.assertEqual(
                program.is_signed(), arch == "arm64", "whoever strips it after the linker breaks its signature"
            )
            at = content.index(b"undefined field")
            self.assertFalse(macho.Program(content[:at] + b"U" + content[at + 1 :]).is_signed())
            self.assertIn(VERSION.encode(), content)
            self.assertIsNone(re.search(rb"[ -~]*/(tmp|home|root|work)/[ -~]*(release|/src)", content))

    def test_what_is_beside_it(self):
        for arch in ARCHS:
            root = self.unpacked(arch)
            self.assertEqual(
                {p.name for p in root.iterdir()},
                {"kubectl-vapcheck", "LICENSE", "NOTICE", "kubectl-vapcheck.1", "completions"},
            )
            notice = (root / "NOTICE").read_text()
            self.assertRegex(notice, r"(?m)^openssl \S+ \(source package of Debian\)$")
            self.assertNotRegex(notice, "(?m)^musl ")

    def test_the_bill(self):
        names = {
            c["name"]
            for c in json.loads((DIST / f"kubectl-vapcheck-darwin-{VERSION}.cdx.json").read_text())["components"]
        }
        of_linux = {
            c["name"] for c in json.loads((DIST / f"kubectl-vapcheck-{VERSION}.cdx.json").read_text())["components"]
        }
        self.assertEqual(names, of_linux - {"musl"})

    def test_krew_has_the_platforms_that_were_made(self):
        found = set(re.findall(r"(?m)^        os: (\w+)\n        arch: (\w+)$", (DIST / "vapcheck.yaml").read_text()))
        archives = (re.fullmatch(r"kubectl-vapcheck-(\w+)-(\w+)\.tar\.gz", path.name) for path in DIST.iterdir())
        made = {archive.groups() for archive in archives if archive}
        self.assertLessEqual({("darwin", arch) for arch in ARCHS}, made)
        self.assertEqual(found, made)


if __name__ == "__main__":
    unittest.main()
