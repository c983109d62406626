#!/usr/bin/env python3
"""refusals SET PROGRAM 1.N: what kubectl-vapcheck says of broken objects is what a real API server answered.

SET is one of SETS. SET-1.N.json holds the answers of a server of that version, case by case;
tests/e2e/refusals_test.py asks a server again, and writes them with
UPDATE_GOLDENS=1 (another version: VAPCHECK_KUBERNETES=1.N).
"""

import sys

import answers
import refusals_cases
import refusals_mutating_cases
import refusals_releases_cases
import refusals_webhooks_cases


def through_files(theirs):
    """The server's answer without its last error where that is the name: a static one, of an object that we take for a
    file.

    None where the server has nothing else against it: static.py compares what the loader of files has.
    """
    reserved = theirs and "are reserved for static manifest-based configurations" in theirs[-1][1]
    return (theirs[:-1] or None) if reserved else theirs


def is_same(ours, theirs):
    """A server that cannot take an object names no field. theirs: None where the server has no answer."""
    theirs = through_files(theirs)
    if theirs is None:
        return True
    shown = [
        [None if i < len(theirs) and theirs[i][0] is None else field, message]
        for i, (field, message) in enumerate(ours)
    ]
    return shown == theirs


def family(name, cases):
    return answers.Family(
        name, lambda _: cases.cases(), answers.refusals, is_same=is_same, written_by="tests/e2e/refusals_test.py"
    )


SETS = {
    name: family(name, cases)
    for name, cases in (
        ("refusals", refusals_cases),
        ("refusals_webhooks", refusals_webhooks_cases),
        ("refusals_mutating", refusals_mutating_cases),
        ("refusals_releases", refusals_releases_cases),
    )
}

if __name__ == "__main__":
    SETS[sys.argv[1]].main(*sys.argv[2:])
