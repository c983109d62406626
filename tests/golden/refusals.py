#!/usr/bin/env python3
"""refusals SET PROGRAM 1.N: what kubectl-vapcheck says of broken objects is what a real API server answered.

SET is one of SETS. SET-1.N.json holds the answers of a server of that version, case by case;
tests/e2e/refusals_test.py asks a server again, and writes them with
UPDATE_GOLDENS=1 (another version: VAPCHECK_KUBERNETES=1.N).
"""

import pathlib
import sys

import answers
import refusals_cases
import refusals_mutating_cases
import refusals_releases_cases
import refusals_webhooks_cases

HERE = pathlib.Path(__file__).resolve().parent


# The cases of each.
SETS = {
    "refusals": refusals_cases.cases,
    "refusals_webhooks": refusals_webhooks_cases.cases,
    "refusals_mutating": refusals_mutating_cases.cases,
    "refusals_releases": refusals_releases_cases.cases,
}


def golden(name, version):
    return HERE / f"{name}-{version}.json"


def say(program, cases, version):
    """PROGRAM's refusals of each object, in order: [field, message]."""
    results = answers.read(program, cases, version)
    return [[[o["field"], o["message"]] for o in results[n]["refusals"]] for n in range(len(cases))]


def through_files(theirs):
    """The server's answer without its last error where that is the name: a static one, of an object that we take for a
    file.

    None where the server has nothing else against it: static.py compares what the loader of files has.
    """
    reserved = theirs and "are reserved for static manifest-based configurations" in theirs[-1][1]
    return (theirs[:-1] or None) if reserved else theirs


def is_same(ours, theirs):
    """A server that cannot take an object names no field."""
    shown = [
        [None if i < len(theirs) and theirs[i][0] is None else field, message]
        for i, (field, message) in enumerate(ours)
    ]
    return shown == theirs


def differences(cases, ours, theirs):
    """theirs: None where the server has no answer."""
    for (name, _), mine, answer in zip(cases, ours, theirs, strict=True):
        answer = through_files(answer)
        if answer is not None and not is_same(mine, answer):
            yield f"{name}:\n  theirs {answer}\n  ours   {mine}"


def main():
    name, program, version = sys.argv[1:]
    cases = list(SETS[name]())
    answers.compare(
        golden(name, version), cases, say(program, cases, version), differences, "tests/e2e/refusals_test.py"
    )


if __name__ == "__main__":
    main()
