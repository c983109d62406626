#!/usr/bin/env python3
"""text.py PROGRAM: what check prints about each file of the folder text/ is NAME.txt, exactly.

Each file has one mistake. Whoever changes a text asks of it: do I know what to do now? UPDATE_GOLDENS=1 writes the
texts instead of comparing them.
"""

import difflib
import os
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent


def main(program):
    inputs = sorted(FOLDER.glob("*.yaml"))
    are_equal = len(inputs) >= 60
    for path in inputs:
        done = subprocess.run([program, "check", "--no-config", path.name], cwd=FOLDER, capture_output=True, text=True)
        got = f"{done.stderr}{done.stdout}exit status {done.returncode}\n"
        golden = path.with_suffix(".txt")
        if os.environ.get("UPDATE_GOLDENS"):
            golden.write_text(got)
        want = golden.read_text() if golden.exists() else ""
        sys.stdout.writelines(difflib.unified_diff(want.splitlines(True), got.splitlines(True), golden.name, "printed"))
        are_equal = are_equal and got == want
    sys.exit(not are_equal)


main(os.path.abspath(sys.argv[1]))
