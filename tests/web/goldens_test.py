#!/usr/bin/env python3
"""goldens_test.py BUILD PACKAGE: each golden of kubectl-vapcheck in BUILD, answered by the npm PACKAGE under Node: the
same bytes. What the module imports is WASI's alone.

The goldens are ctest's own list, with the package in the place of the program. One is left out: README's commands name
the native program by its path.
"""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

PROGRAM = "kubectl-vapcheck"
# 77: its inputs are not on this machine, which ctest shows as skipped, too.
ANSWERS = {0: "passed", 77: "skipped"}
IMPORTS = """
const module = new WebAssembly.Module(require("fs").readFileSync(process.argv[1]));
console.log(JSON.stringify(WebAssembly.Module.imports(module).map((one) => one.module)));
"""


def goldens(build):
    """[(name, command)] of those that run kubectl-vapcheck, once each."""
    show = ["ctest", "--test-dir", build, "-R", "^golden/", "-LE", "full|long", "--show-only=json-v1"]
    listed = json.loads(subprocess.run(show, check=True, capture_output=True).stdout)["tests"]
    return [
        (one["name"], one["command"])
        for one in listed
        if any(pathlib.Path(argument).name == PROGRAM for argument in one["command"]) and one["name"] != "golden/readme"
    ]


def run(command, program):
    command = [program if pathlib.Path(argument).name == PROGRAM else argument for argument in command]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def main():
    build, package = sys.argv[1:]
    failed = []
    imports = subprocess.run(
        ["node", "-e", IMPORTS, f"{package}/vapcheck.wasm"], check=True, capture_output=True
    ).stdout
    if set(json.loads(imports)) != {"wasi_snapshot_preview1"}:
        failed.append(f"imports: {set(json.loads(imports))}")
    found = goldens(build)
    assert len(found) > 50, f"only {len(found)} goldens of {PROGRAM} in {build}"
    with (
        tempfile.TemporaryDirectory() as directory,
        concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool,
    ):
        # Some goldens look for the program by its name.
        program = os.path.join(directory, PROGRAM)
        os.symlink(os.path.realpath(f"{package}/{PROGRAM}.mjs"), program)
        for (name, _), (status, output) in zip(found, pool.map(lambda one: run(one[1], program), found), strict=True):
            print(f"{name}: {ANSWERS.get(status, 'FAILED')}", flush=True)
            if status not in ANSWERS:
                failed.append(name)
                print(output[:4000])
    print(f"{len(found)} goldens, failed: {failed}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
