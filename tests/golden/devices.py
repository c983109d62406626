#!/usr/bin/env python3
"""devices PROGRAM 1.N [RELEASE]: what kubectl-vapcheck says of selectors of devices is what the server's own validation
says.

devices-1.N.json holds their answers, case by case; UPDATE_GOLDENS=1 asks them (devices/tool, built with
Go from the libraries of that version, or of RELEASE) and writes the answers.
"""

import json
import os
import pathlib
import subprocess
import sys

import answers
import devices_cases

HERE = pathlib.Path(__file__).resolve().parent
BUILD = HERE.parent / "support/build-kubernetes-tool"


def ask(cases, version):
    tool = subprocess.run(
        [BUILD, HERE / "devices/tool", version], check=True, capture_output=True, text=True
    ).stdout.strip()
    lines = "".join(json.dumps(made) + "\n" for _, made in cases)
    done = subprocess.run([tool], input=lines, check=True, capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def differences(cases, ours, theirs):
    for n, ((name, _), answer) in enumerate(zip(cases, theirs, strict=True)):
        mine = [[r["field"], r["message"]] for r in ours[n]["refusals"]]
        if mine != answer:
            yield f"{name}:\n  theirs {answer}\n  ours   {mine}"


def main():
    program, version, *release = sys.argv[1:]
    cases = list(devices_cases.cases(int(version.split(".")[1])))
    golden = HERE / f"devices-{version}.json"
    if os.environ.get("UPDATE_GOLDENS"):
        lines = (
            json.dumps([name, answer])
            for (name, _), answer in zip(cases, ask(cases, (release or [version])[0]), strict=True)
        )
        golden.write_text("[\n" + ",\n".join(lines) + "\n]\n")
    answers.compare(golden, cases, answers.read(program, cases, version), differences, "tests/golden/devices.py")


if __name__ == "__main__":
    main()
