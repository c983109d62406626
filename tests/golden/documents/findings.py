#!/usr/bin/env python3
"""findings.py PROGRAM: the document of findings is what PROGRAM prints, and its examples have what they say.

UPDATE_GOLDENS=1 writes the document instead of comparing it.
"""

import json
import os
import pathlib
import re
import subprocess
import sys

DOCUMENT = pathlib.Path(__file__).resolve().parents[3] / "cmd/kubectl-vapcheck/FINDINGS.md"


def run(*args):
    """(status, standard output, standard error)"""
    done = subprocess.run([program, *args], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def compare_document():
    """Returns true if the document is as it is printed."""
    _, printed, _ = run("explain", "--markdown")
    if os.environ.get("UPDATE_GOLDENS"):
        DOCUMENT.write_text(printed)
    elif DOCUMENT.read_text() != printed:
        print(f"{DOCUMENT.name} is not what explain --markdown prints: UPDATE_GOLDENS=1 tests/golden/findings.py")
        return False
    return True


def explain_each():
    """Returns true if each identifier that is listed is explained, and no other one is."""
    listed = [line.split()[0] for line in run("explain")[1].splitlines()]
    status, printed, _ = run("explain", *listed)
    titles = [
        line.split()[0]
        for line in printed.splitlines()
        if line.endswith(("(error)", "(warning)", "(note)", "(advice)"))
    ]
    unknown = run("explain", "no-such-finding")
    is_fine = (
        len(listed) > 20 and status == 0 and titles == listed and unknown[0] == 2 and "no-such-finding" in unknown[2]
    )
    if not is_fine:
        print(f"explain: {status}, {titles} for {listed}; {unknown}")
    return is_fine


def found(example):
    """The identifiers of what is found in an example: a file, or an expression."""
    if not example.startswith("apiVersion"):
        rule = {
            "apiGroups": ["apps"],
            "apiVersions": ["v1"],
            "resources": ["deployments"],
            "operations": ["CREATE", "UPDATE"],
        }
        example = json.dumps({"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicy",
                              "metadata": {"name": "p"}, "spec": {"matchConstraints": {"resourceRules": [rule]},
                              "validations": [{"expression": example.strip()}]}})  # fmt: skip
    done = subprocess.run(
        [program, "check", "-f", "-", "-o", "json", "--select=default,advice"],
        input=example,
        capture_output=True,
        text=True,
        timeout=60,
    )
    answer = json.loads(done.stdout)
    places = [f for r in answer["results"] for f in r["findings"]]
    return {f["id"] for f in places + answer["findings"]}


def try_examples():
    """Returns true if each wrong example has its finding, and each right one has none but notes."""
    tried, is_fine = 0, True
    notes = {line.split()[0] for line in run("explain")[1].splitlines() if line.split()[1] in ("note", "advice")}
    for page in DOCUMENT.read_text().split("\n## ")[1:]:
        name = page.split("\n")[0]
        for title, example in re.findall(r"\n(Wrong|Right):\n```\w+\n(.*?)```\n", page, re.S):
            ids = found(example)
            tried += 1
            if name not in ids if title == "Wrong" else name in ids or ids - notes:
                print(f"{name}, {title}: {ids}")
                is_fine = False
    return is_fine and tried > 30


program = pathlib.Path(sys.argv[1]).resolve()
results = [compare_document(), explain_each(), try_examples()]
sys.exit(not all(results))
