#!/usr/bin/env python3
"""configuration PROGRAM 1.N [RELEASE]: what kubectl-vapcheck says of files that configure an API server is what the
server's own loader and validation say.

configuration-1.N.json holds their answers, case by case; UPDATE_GOLDENS=1 asks them (configuration/tool, built with
Go from the libraries of that version, or of RELEASE) and writes the answers.
"""

import json
import os
import pathlib
import re
import subprocess
import sys

import answers
import configuration_cases

HERE = pathlib.Path(__file__).resolve().parent
BUILD = HERE.parent / "support/build-kubernetes-tool"


def ask(cases, version):
    tool = subprocess.run(
        [BUILD, HERE / "configuration/tool", version], check=True, capture_output=True, text=True
    ).stdout.strip()
    lines = "".join(json.dumps(json.dumps(made)) + "\n" for _, made in cases)
    done = subprocess.run([tool], input=lines, check=True, capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def plain(field, message):
    """Without the place in the server's source that has the scheme, and without the list of versions of the file."""
    return field, re.sub(r' in scheme ".*"$', "", message)


def differences(cases, ours, theirs):
    for n, ((name, _), answer) in enumerate(zip(cases, theirs, strict=True)):
        mine = [(r["field"], r["message"]) for r in ours[n]["refusals"]]
        if len(answer) == 1 and answer[0][0] is None:
            mine = [(None, message) for _, message in mine[:1]]
        if mine != [plain(*error) for error in answer]:
            yield f"{name}:\n  theirs {answer}\n  ours   {mine}"


def main():
    program, version, *release = sys.argv[1:]
    cases = list(configuration_cases.cases())
    golden = HERE / f"configuration-{version}.json"
    if os.environ.get("UPDATE_GOLDENS"):
        lines = (
            json.dumps([name, answer])
            for (name, _), answer in zip(cases, ask(cases, (release or [version])[0]), strict=True)
        )
        golden.write_text("[\n" + ",\n".join(lines) + "\n]\n")
    answers.compare(golden, cases, answers.read(program, cases, version), differences, "tests/golden/configuration.py")


if __name__ == "__main__":
    main()
