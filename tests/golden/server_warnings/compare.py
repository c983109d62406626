#!/usr/bin/env python3
"""compare.py PROGRAM 1.N: what kubectl-vapcheck says that the API server warns about is what a real one did.

1.N.json holds the texts of a server of that version, case by case; tests/e2e/refusals_test.py asks a server again, and
writes them with UPDATE_GOLDENS=1.
"""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import answers
from server_warnings import cases as data

MUTATING_SINCE = 36  # before, an API server does not serve them unless it is told to


def cases(version):
    """[(name, object)], of the kinds that an API server of this version serves."""
    serves_all = int(version.split(".")[1]) >= MUTATING_SINCE
    return [(name, made) for name, made in data.cases()
            if serves_all or not made["kind"].startswith("MutatingAdmissionPolicy")]  # fmt: skip


def said(result):
    """The texts that are given as the API server's, sorted: the server's own order is random."""
    found = result["findings"] if result else []
    return sorted(f["message"].removesuffix("\n") for f in found if f["id"] == "api-server-warning")


FAMILY = answers.Family("server_warnings", cases, said, written_by="tests/e2e/refusals_test.py")

if __name__ == "__main__":
    FAMILY.main(*sys.argv[1:])
