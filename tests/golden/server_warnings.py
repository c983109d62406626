#!/usr/bin/env python3
"""server_warnings PROGRAM 1.N: what kubectl-vapcheck says that the API server warns about is what a real one did.

server_warnings-1.N.json holds the texts of a server of that version, case by case; tests/e2e/refusals_test.py asks a
server again, and writes them with UPDATE_GOLDENS=1.
"""

import json
import pathlib
import subprocess
import sys

import server_warnings_cases

HERE = pathlib.Path(__file__).resolve().parent


def golden(version):
    return HERE / f"server_warnings-{version}.json"


def say(program, cases, version):
    """Of each object the texts that PROGRAM gives as the API server's, sorted: the server's own order is random."""
    command = [program, "check", "-f", "-", "-o", "json", "--kube-version", version]
    text = "".join(f"--- {json.dumps(made)}\n" for _, made in cases)
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr)
    results = {r["document"]: r["expressionWarnings"] for r in json.loads(done.stdout)["results"]}
    return [sorted(w["warning"].removesuffix("\n") for w in results.get(n, []) if w["source"] == "apiserver") for n in range(len(cases))]


def differences(cases, ours, theirs):
    for (name, _), mine, answer in zip(cases, ours, theirs, strict=True):
        if mine != answer:
            yield f"{name}:\n  theirs {answer}\n  ours   {mine}"


def main():
    program, version = sys.argv[1:]
    cases = list(server_warnings_cases.cases())
    answers = json.loads(golden(version).read_text())
    if [name for name, _ in answers] != [name for name, _ in cases]:
        sys.exit(f"{golden(version)} is of other cases: run tests/e2e/refusals_test.py with UPDATE_GOLDENS=1")
    found = list(differences(cases, say(program, cases, version), [answer for _, answer in answers]))
    print(*found, f"{len(cases)} objects compared", sep="\n")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
