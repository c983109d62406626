#!/usr/bin/env python3
"""compare.py PROGRAM 1.N [RELEASE]: what kubectl-vapcheck says of files that configure an API server is what the
server's own loader and validation say.

1.N.json holds their answers, case by case; UPDATE_GOLDENS=1 asks them (tool, built with Go from the libraries of that
version, or of RELEASE) and writes the answers.
"""

import json
import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import answers
from configuration import cases as data


def is_same(ours, theirs):
    """Without the place in the server's source that has the scheme, and without the list of versions of the file. The
    loader names no field, and gives up at its first error."""
    if len(theirs) == 1 and theirs[0][0] is None:
        ours = [[None, message] for _, message in ours[:1]]
    return ours == [[field, re.sub(r' in scheme ".*"$', "", message)] for field, message in theirs]


FAMILY = answers.Family("configuration", lambda _: data.cases(), answers.refusals, is_same=is_same, sent=json.dumps)

if __name__ == "__main__":
    FAMILY.main(*sys.argv[1:])
