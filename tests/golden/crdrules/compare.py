#!/usr/bin/env python3
"""compare.py PROGRAM 1.N: what kubectl-vapcheck says of the rules of CustomResourceDefinitions is what a real API
server answered.

1.N.json holds the answers of a server of that version, case by case; tests/e2e/crdrules_test.py asks a server again,
and writes them with UPDATE_GOLDENS=1 (another version: VAPCHECK_KUBERNETES=1.N).
"""

import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import answers
from crdrules import cases as data


def plain(answer):
    """[field, message] in an order of its own: the server visits properties in any order, numbers its types, and shows
    addresses."""

    def stable(message):
        message = re.sub(r"(already exists for expression: ).*?\(\d+\) (old:)", r"\1\2", message, flags=re.DOTALL)
        return re.sub(r"\(0x[0-9a-f]+\)", "(0x...)", re.sub(r"selfType\d+", "selfType", message))

    return sorted([field, stable(message)] for field, message in answer)


FAMILY = answers.Family(
    "crdrules",
    lambda _: data.cases(),
    lambda result: plain(answers.refusals(result)),
    written_by="tests/e2e/crdrules_test.py",
)

if __name__ == "__main__":
    FAMILY.main(*sys.argv[1:])
