#!/usr/bin/env python3
"""crdrules PROGRAM 1.N: what kubectl-vapcheck says of the rules of CustomResourceDefinitions is what a real API
server answered.

crdrules-1.N.json holds the answers of a server of that version, case by case; tests/e2e/crdrules_test.py
asks a server again, and writes them with UPDATE_GOLDENS=1 (another version: VAPCHECK_KUBERNETES=1.N).
"""

import pathlib
import re
import sys

import answers
import crdrules_cases

HERE = pathlib.Path(__file__).resolve().parent


def golden(version):
    return HERE / f"crdrules-{version}.json"


def plain(answer):
    """[field, message] in an order of its own: the server visits properties in any order, numbers its types, and shows
    addresses."""

    def stable(message):
        message = re.sub(r"(already exists for expression: ).*?\(\d+\) (old:)", r"\1\2", message, flags=re.DOTALL)
        return re.sub(r"\(0x[0-9a-f]+\)", "(0x...)", re.sub(r"selfType\d+", "selfType", message))

    return sorted([field, stable(message)] for field, message in answer)


def say(program, cases, version):
    """PROGRAM's refusals of each definition, in order: [field, message]."""
    results = answers.read(program, cases, version)
    return [plain([o["field"], o["message"]] for o in results[n]["refusals"]) for n in range(len(cases))]


def differences(cases, ours, theirs):
    """theirs: None where the server has no answer."""
    for (name, _), mine, answer in zip(cases, ours, theirs, strict=True):
        if answer is not None and mine != answer:
            yield f"{name}:\n  theirs {answer}\n  ours   {mine}"


def main():
    program, version = sys.argv[1:]
    cases = list(crdrules_cases.cases())
    answers.compare(golden(version), cases, say(program, cases, version), differences, "tests/e2e/crdrules_test.py")


if __name__ == "__main__":
    main()
