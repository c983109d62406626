"""The calls of kubectl-vapcheck in the flow tests: command lines with the files that they are about.

Each test runs up to its first call, which is noted and not made; a test with subTest() gives one call of each part.
Nothing of a call depends on the machine or the time: paths are relative to the test's directory.
"""

import importlib
import os
import pathlib
import subprocess
import sys
import unittest
import unittest.mock

FLOW = pathlib.Path(__file__).resolve().parents[1] / "flow"
sys.path[:0] = [str(FLOW), str(FLOW / "cli")]
# odd has FIFOs and files that nobody may read; the others are no checks of files
LEFT_OUT = {"odd", "complete", "status", "formats", "integrations", "kubectl", "options", "terminal"}
COMMANDS = {"check", "test", "audit", "crd", "upgrade"}
MOST_BYTES = 200_000  # of one file or all of them: larger ones are dumps of schemas, and tests of size


class Call:
    def __init__(self, flow, argv, files, input):
        self.flow, self.argv, self.files, self.input = flow, argv, files, input


class Noted(Exception):
    """Ends a test at its first call."""


def calls():
    """All of them, by the name of their flow test: {'audit': [Call]}."""
    made = {}
    for path in sorted((FLOW / "cli").glob("*_test.py")):
        flow = path.stem.removesuffix("_test")
        if flow not in LEFT_OUT:
            made[flow] = calls_of(flow, path.stem)
    return made


def calls_of(flow, module):
    import offline

    made = []

    def noted(function):
        def note(argv, **more):
            if argv[0] != offline.PROGRAM:
                return function(argv, **more)
            call = call_of(flow, [str(a) for a in argv[1:]], more.get("cwd"), more.get("input"))
            if call:
                made.append(call)
            raise Noted

        return note

    tests = (
        t for suite in unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module(module)) for t in suite
    )
    with (
        unittest.mock.patch("subprocess.run", noted(subprocess.run)),
        unittest.mock.patch("subprocess.Popen", noted(subprocess.Popen)),
    ):
        unittest.TestSuite(t for t in tests if isinstance(t, offline.Case)).run(unittest.TestResult())
    return made


def call_of(flow, argv, directory, input):
    """None: not one to be changed, for it asks a cluster, does not end of itself, reads much, or reads no file."""
    if argv[0] not in COMMANDS or directory is None or not {"--watch", "-w"}.isdisjoint(argv):
        return None
    if any(a.startswith(("--cluster", "--kubeconfig")) for a in argv):
        return None
    files = {str(p.relative_to(directory)): p for p in sorted(pathlib.Path(directory).rglob("*")) if p.is_file()}
    if sum(p.stat().st_size for p in files.values()) > MOST_BYTES or not files and not input:
        return None
    input = input.encode() if isinstance(input, str) else input
    return Call(
        flow,
        [a.replace(str(directory), os.curdir) for a in argv],
        {name: p.read_bytes() for name, p in files.items()},
        input,
    )
