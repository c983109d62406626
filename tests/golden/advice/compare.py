#!/usr/bin/env python3
"""compare.py PROGRAM: the optional fields that advice names in policies about built-in kinds, and those that it does
not.

A row of cases.jsonl is [group, resource, expression, fields]: the fields that may be missing in an object that the API
server takes. The rows were written by what its validation and its default values say, not by what the program answers;
../../e2e/defaults_test.py asks a server about the conditions (../../../typecheck/cel/schema/given_when.def).
"""

import json
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import answers

sys.path.append(str(answers.HERE.parent / "support"))
import objects

ROWS = pathlib.Path(__file__).parent / "cases.jsonl"


def policy(name, group, resource, expression):
    version = "v2" if group == "autoscaling" else "v1"
    operation = "UPDATE" if "oldObject" in expression else "CREATE"
    return objects.policy(name, expression, rules=[objects.rule(group, version, resource, [operation])])


def main():
    (program,) = sys.argv[1:]
    rows = [json.loads(line) for line in ROWS.read_text().splitlines()]
    policies = [policy(f"p{i}", *row[:3]) for i, row in enumerate(rows)]
    results = answers.results(program, policies, "--no-config", "--select", "optional-field")
    found = {r["name"]: [f["message"].split("'")[1] for f in r["findings"]] for r in results}
    wrong = [
        f"{row[2]}\n  expected {row[3]}\n  advised  {found[f'p{i}']}"
        for i, row in enumerate(rows)
        if found[f"p{i}"] != row[3]
    ]
    print(*wrong, f"{len(rows)} expressions, {sum(bool(row[3]) for row in rows)} with advice", sep="\n")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
