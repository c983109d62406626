#!/usr/bin/env python3
"""compare.py KUBECTL_VAPCHECK: each slip of cases.py is told, once and where it stands; its neighbours are not.

A slip is an expression that never fails, but whose value no object changes, so that its author cannot have meant it.
What its value decides is checked as if the value were not known: a slip that hides other mistakes has a list of them.
"""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import answers
from slips import cases as data


def rule(text):
    """'CREATE,UPDATE apps/v1/deployments' as a resource rule."""
    operations, resource = text.split(" ")
    group, version, name = resource.split("/", 2)
    return {
        "apiGroups": [group],
        "apiVersions": [version],
        "resources": [name],
        "operations": operations.split(","),
    }


def policy(name, case):
    """The object of a case: an expression, or a dict with parts of a spec."""
    kind, rules, what = case[:3]
    spec = {"matchConstraints": {"resourceRules": [rule(r) for r in rules]}, "failurePolicy": "Fail"}
    spec.update(what if isinstance(what, dict) else {"validations": [{"expression": what}]})
    return {"apiVersion": "admissionregistration.k8s.io/v1", "kind": kind, "metadata": {"name": name}, "spec": spec}


def findings(program, version, policies):
    """{name: [(identifier, severity, first line of the message, hint, title)]}"""
    flags = ["--no-config", "--fail-on=never", "--select=default", "--kube-version", version]
    found = {}
    for result in answers.results(program, [*data.CRDS, *policies], *flags):
        found[result["name"]] = [
            (f["id"], f["severity"], f["message"].splitlines()[0], f.get("hint", ""), f["title"])
            for f in result["findings"]
        ]
    return found


def is_told(said, want):
    """Returns true if the finding says what it must, and its title names the same field."""
    if said[:2] != want[:2] or not all(w in " ".join(said[2:4]) for w in want[2:]):
        return False
    return want[0] != "undefined-field" or want[2].removeprefix("undefined ") in said[4]


def main():
    cases = [*data.SLIPS, *data.NEIGHBOURS]
    policies = [policy(f"c{i}", case) for i, case in enumerate(cases)]
    versions, bad, found = [case[4] if len(case) > 4 else data.VERSION for case in cases], [], {}
    for version in sorted(set(versions)):
        found |= findings(sys.argv[1], version, [p for p, v in zip(policies, versions) if v == version])
    for i, case in enumerate(cases):
        said = found[f"c{i}"]
        if i >= len(data.SLIPS):
            if said:
                bad.append(f"a neighbour is reported: {case[1]} {case[2]}: {said}")
            continue
        want = case[3] if isinstance(case[3], list) else [case[3]]
        if len(said) != len(want) or not all(map(is_told, said, want)):
            bad.append(f"{case[1]} {case[2]}: {said}, not {want}")
    print(*bad, f"{len(data.SLIPS)} slips, {len(data.NEIGHBOURS)} neighbours, {len(bad)} wrong", sep="\n")
    sys.exit(bool(bad) or min(len(data.SLIPS), len(data.NEIGHBOURS)) < 40)


if __name__ == "__main__":
    main()
