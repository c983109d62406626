#!/usr/bin/env python3
"""compare.py PROGRAM 1.N [RELEASE]: what kubectl-vapcheck says of selectors of devices is what the server's own
validation says.

1.N.json holds their answers, case by case; UPDATE_GOLDENS=1 asks them (tool, built with Go from the libraries of that
version, or of RELEASE) and writes the answers.
"""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import answers
from devices import cases as data

FAMILY = answers.Family(
    "devices",
    lambda version: data.cases(int(version.split(".")[1])),
    answers.refusals,
    sent=lambda made: made,
)

if __name__ == "__main__":
    FAMILY.main(*sys.argv[1:])
