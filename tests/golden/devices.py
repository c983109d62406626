#!/usr/bin/env python3
"""devices PROGRAM 1.N [RELEASE]: what kubectl-vapcheck says of selectors of devices is what the server's own validation
says.

devices-1.N.json holds their answers, case by case; UPDATE_GOLDENS=1 asks them (devices/tool, built with
Go from the libraries of that version, or of RELEASE) and writes the answers.
"""

import sys

import answers
import devices_cases

FAMILY = answers.Family(
    "devices",
    lambda version: devices_cases.cases(int(version.split(".")[1])),
    answers.refusals,
    sent=lambda made: made,
)

if __name__ == "__main__":
    FAMILY.main(*sys.argv[1:])
