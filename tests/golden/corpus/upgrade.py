#!/usr/bin/env python3
"""upgrade.py CORPUS PROGRAM OLD NEW: the policies of which "upgrade" prints a change from OLD to NEW are those of
which the libraries of the two releases report other issues.

The libraries' answers lie in the corpus. That a message names what is near to an undeclared name, or the whole of a
qualified one, is no other issue.
"""

import json
import pathlib
import re
import subprocess
import sys

SKIPPED = 77
FOLDERS = ("policies", "realworld")
UNDECLARED = re.compile(r"\d+:\d+: undeclared reference to '(\w+)[^']*'.*")


def issues(answer):
    """[(field, text of each issue)]"""
    found = []
    for warning in answer["expressionWarnings"] or []:
        lines = [line for line in warning["warning"].split("\n") if "ERROR: " in line]
        found.append((warning["fieldRef"], [UNDECLARED.sub(r"undeclared \1", line) for line in lines]))
    return found


def answers(folder, version):
    path = folder / f"golden-{version}.jsonl"
    if not path.exists():
        print(f"skipped: there is no {path}")
        sys.exit(SKIPPED)
    return {(o["file"], o["name"]): issues(o) for o in map(json.loads, path.read_text().splitlines())}


def main():
    corpus, program, old, new = pathlib.Path(sys.argv[1]), *sys.argv[2:]
    count, wrong = 0, []
    for folder in (corpus / name for name in FOLDERS):
        before, after = answers(folder, old), answers(folder, new)
        theirs = {key for key in before if before[key] != after[key]}
        said = subprocess.run([program, "upgrade", "--from", old, "--to", new, "-o", "json", folder],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)  # fmt: skip
        results = json.loads(said.stdout)["results"]
        named = {(pathlib.Path(r["file"]).name, r["name"]): r["changes"] for r in results}
        missing = before.keys() - named.keys()
        ours = {key for key, changes in named.items() if changes and key in before}
        wrong += [f"{key}: {'the libraries' if key in theirs else 'upgrade'} alone" for key in sorted(theirs ^ ours)]
        wrong += [f"{key}: upgrade has not read it" for key in sorted(missing)]
        count += len(before)
    print(*wrong, f"{count} policies from {old} to {new}", sep="\n")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
