#!/usr/bin/env python3
"""compare.py SET PROGRAM 1.N: what kubectl-vapcheck says of broken objects is what a real API server answered.

SET is one of SETS, and a folder. SET/1.N.json holds the answers of a server of that version, case by case;
tests/e2e/refusals_test.py asks a server again, and writes them with UPDATE_GOLDENS=1 (another version:
VAPCHECK_KUBERNETES=1.N).
"""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import answers
from refusals.mutating import cases as mutating
from refusals.policies import cases as policies
from refusals.releases import cases as releases
from refusals.webhooks import cases as webhooks


def through_files(theirs):
    """The server's answer without its last error where that is the name: a static one, of an object that we take for a
    file.

    None where the server has nothing else against it: static/compare.py compares what the loader of files has.
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
        ("refusals/policies", policies),
        ("refusals/webhooks", webhooks),
        ("refusals/mutating", mutating),
        ("refusals/releases", releases),
    )
}

if __name__ == "__main__":
    SETS[sys.argv[1]].main(*sys.argv[2:])
