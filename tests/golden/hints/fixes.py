#!/usr/bin/env python3
"""fixes.py PROGRAM [DIR ...]: the corrections of check --fix, on the slips of cases.jsonl and on the files of the
directories.

A second --fix changes nothing; the objects differ in expressions alone; no object has a finding that it did not have;
and each corrected expression can be both true and false, as far as `check` knows: it has no finding at all, or fewer.
With LIST=1 in the environment each correction is printed.
"""

import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from hints import compare as hints

LEAST = 150  # of the slips that are corrected


def check(*args):
    return subprocess.run([sys.argv[1], "check", *args], capture_output=True, text=True)


def findings(directory):
    """Counts the issues of each (file, document, identifier, field)."""
    done = json.loads(check("-o", "json", "-f", directory).stdout)
    counts = collections.Counter()
    for r in done["results"]:
        for f in (f for f in r["findings"] if f["severity"] in ("error", "warning")):
            counts[r["file"], r["document"], f["id"], f["field"]] += max(1, f["message"].count("ERROR: "))
    return counts


def contents(directory):
    return {path: path.read_text() for path in sorted(pathlib.Path(directory).rglob("*")) if path.is_file()}


def differing(before, after):
    """The lines that differ, without those that are equal."""
    old, new = before.split("\n"), after.split("\n")
    if len(old) != len(new):
        return [(before, after)]
    return [(a, b) for a, b in zip(old, new) if a != b]


def prove(directory):
    """(how many files changed, what is wrong)"""
    before, old = contents(directory), findings(directory)
    check("--fix", "-f", directory)
    after, new = contents(directory), findings(directory)
    wrong = [f"{key}: {new[key]} issues, not {old[key]}" for key in new if new[key] > old[key]]
    changed = [path for path in before if before[path] != after[path]]
    for path in changed:
        if os.environ.get("LIST"):
            for a, b in differing(before[path], after[path]):
                print(f"{path.relative_to(directory)}\n  - {a.strip()}\n  + {b.strip()}")
        name = str(path)
        if sum(n for key, n in new.items() if key[0] == name) >= sum(n for key, n in old.items() if key[0] == name):
            wrong.append(f"{path}: changed, and nothing is better")
    check("--fix", "-f", directory)
    wrong += [f"{path}: changed again" for path, text in contents(directory).items() if text != after[path]]
    return len(changed), wrong


rows = [json.loads(line) for line in hints.ROWS.read_text().splitlines()]
wrong = []
with tempfile.TemporaryDirectory() as directory:
    pathlib.Path(directory, "crd.json").write_text(json.dumps(hints.definition()))
    for i, row in enumerate(rows):
        is_rule = row[0] in ("rule", "root")
        made = hints.definition(row[1], row[0] == "root") if is_rule else hints.policy(*row[:2])
        if not is_rule:
            pathlib.Path(directory, f"{i:03}.json").write_text(json.dumps(made))
    count, found = prove(directory)
    wrong += found
    if count < LEAST:
        wrong.append(f"only {count} slips are corrected")
    print(f"{count} of {len(rows)} slips are corrected")
for source in sys.argv[2:]:
    with tempfile.TemporaryDirectory() as directory:
        shutil.copytree(source, directory, dirs_exist_ok=True)
        count, found = prove(directory)
        wrong += found
        print(f"{source}: {count} files corrected")
print("\n".join(wrong))
sys.exit(bool(wrong))
