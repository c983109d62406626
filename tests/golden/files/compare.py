#!/usr/bin/env python3
"""compare.py KUBECTL_VAPCHECK: each slip that only files show (cases.py) is told, once and where it stands; its
neighbours are not.
"""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import answers
from files import cases as data


def findings(program, text):
    """[(identifier, line, field, message and hint)] of a file."""
    return [
        (f["id"], f["line"], f["field"], f"{f['message']} {f.get('hint', '')}")
        for result in answers.results_of(program, "-", "--no-config", "--fail-on=never", text=text)
        for f in result["findings"]
    ]


def main():
    bad, slips = [], 0
    for text, *wanted in data.CASES:
        slips += bool(wanted)
        found = findings(sys.argv[1], text)
        is_right = len(found) == len(wanted) and all(
            f[:3] == w[:3] and all(part in f[3] for part in w[3:]) for f, w in zip(found, wanted)
        )
        if not is_right:
            bad.append(f"{text}\nfound  {found}\nwanted {wanted}")
    neighbours = len(data.CASES) - slips
    print(*bad, f"{slips} slips, {neighbours} neighbours, {len(bad)} wrong", sep="\n")
    sys.exit(bool(bad) or slips < 20 or neighbours < 20)


main()
