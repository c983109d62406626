#!/usr/bin/env python3
"""hardening_test.py PROGRAM...: the programs of a release are hardened, as readelf and nm see it, and small."""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAMS = [pathlib.Path(path) for path in sys.argv[1:]]
SHIPPED = ("vapcheck-controller", "kubectl-vapcheck")
SHIPPED_MAX_BYTES = 6 * 1024 * 1024
SOFT = ["-no-pie", "-fno-pie", "-fno-stack-protector", "-fcf-protection=none", "-Wl,-z,norelro,-z,lazy,-z,execstack"]
SOFT_SOURCE = (
    '#include <stdio.h>\nint main(int n, char **v) { char b[64]; sprintf(b, "%s", v[n - 1]); return puts(b); }\n'
)


def output(*argv):
    return subprocess.run(list(map(str, argv)), capture_output=True, text=True, check=True).stdout


class Program:
    def __init__(self, path):
        self.header = output("readelf", "-hW", path)
        self.segments = output("readelf", "-lW", path)
        self.dynamic = output("readelf", "-dW", path)
        self.notes = output("readelf", "-nW", path)
        self.imports = set(re.findall(r" U (\w+)", output("nm", "-D", "--undefined-only", path)))
        self.is_x86 = "X86-64" in self.header

    def has_flags(self, kind):
        """Returns true if a segment of this kind has these permissions."""
        return re.findall(rf"^ +{kind} .* ([R ][W ][E ]) +0x", self.segments, re.M)


# What a program is, and whether it is.
PROPERTIES = {
    "position independent": lambda p: "PIE" in p.dynamic and " DYN " in p.header,
    "RELRO": lambda p: bool(p.has_flags("GNU_RELRO")),
    "BIND_NOW": lambda p: "BIND_NOW" in p.dynamic,
    "no executable stack": lambda p: p.has_flags("GNU_STACK") == ["RW "],
    "no memory to write and run": lambda p: "RWE" not in p.has_flags("LOAD") and len(p.has_flags("LOAD")) > 1,
    "no search path": lambda p: "RPATH" not in p.dynamic and "RUNPATH" not in p.dynamic,
    "stack protector": lambda p: "__stack_chk_fail" in p.imports,
    "FORTIFY": lambda p: any(name.startswith("__") and name.endswith("_chk") for name in p.imports),
    "shadow stack": lambda p: not p.is_x86 or re.search("x86 feature:.*SHSTK", p.notes) is not None,
}


class HardeningTest(unittest.TestCase):
    def test_programs(self):
        self.assertGreater(len(PROGRAMS), 2)
        for path in PROGRAMS:
            program = Program(path)
            self.assertEqual([name for name, holds in PROPERTIES.items() if not holds(program)], [], path.name)

    def test_size(self):
        """Stripped, with the bundled schemas of all versions."""
        with tempfile.TemporaryDirectory() as directory:
            for path in PROGRAMS:
                if path.name in SHIPPED:
                    output("strip", "-o", pathlib.Path(directory, path.name), path)
            sizes = [path.stat().st_size for path in pathlib.Path(directory).iterdir()]
        self.assertEqual(len(sizes), len(SHIPPED))
        self.assertLess(sum(sizes), SHIPPED_MAX_BYTES)

    def test_branches_land_on_marks(self):
        """main begins with the mark that indirect branches need."""
        for path in PROGRAMS:
            if not Program(path).is_x86:
                self.skipTest("x86-64's")
            code = output("objdump", "-d", "--no-show-raw-insn", "--disassemble=main", path)
            self.assertRegex(code, r"<main>:\n +[0-9a-f]+:\t(endbr64)", path.name)

    def test_a_soft_program_is_noticed(self):
        with tempfile.TemporaryDirectory() as directory:
            source, program = pathlib.Path(directory, "soft.c"), pathlib.Path(directory, "soft")
            source.write_text(SOFT_SOURCE)
            output("cc", *SOFT, "-U_FORTIFY_SOURCE", "-o", program, source)
            soft = Program(program)
            missing = {name for name, holds in PROPERTIES.items() if not holds(soft)}
        self.assertEqual(
            set(PROPERTIES) - missing - {"no memory to write and run", "no search path", "shadow stack"}, set()
        )


sys.argv[1:] = []
unittest.main(verbosity=2)
