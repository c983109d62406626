#!/usr/bin/env python3
"""server_warnings PROGRAM 1.N: what kubectl-vapcheck says that the API server warns about is what a real one did.

server_warnings-1.N.json holds the texts of a server of that version, case by case; tests/e2e/refusals_test.py asks a
server again, and writes them with UPDATE_GOLDENS=1.
"""

import pathlib
import sys

import answers
import server_warnings_cases

HERE = pathlib.Path(__file__).resolve().parent
MUTATING_SINCE = 36  # before, an API server does not serve them unless it is told to


def cases(version):
    """[(name, object)], of the kinds that an API server of this version serves."""
    serves_all = int(version.split(".")[1]) >= MUTATING_SINCE
    return [(name, made) for name, made in server_warnings_cases.cases()
            if serves_all or not made["kind"].startswith("MutatingAdmissionPolicy")]  # fmt: skip


def golden(version):
    return HERE / f"server_warnings-{version}.json"


def say(program, cases, version):
    """Of each object the texts that PROGRAM gives as the API server's, sorted: the server's own order is random."""
    results = answers.read(program, cases, version)
    findings = [results[n]["findings"] if n in results else [] for n in range(len(cases))]
    return [
        sorted(f["message"].removesuffix("\n") for f in found if f["id"] == "api-server-warning") for found in findings
    ]


def differences(cases, ours, theirs):
    for (name, _), mine, answer in zip(cases, ours, theirs, strict=True):
        if mine != answer:
            yield f"{name}:\n  theirs {answer}\n  ours   {mine}"


def main():
    program, version = sys.argv[1:]
    known = cases(version)
    answers.compare(golden(version), known, say(program, known, version), differences, "tests/e2e/refusals_test.py")


if __name__ == "__main__":
    main()
