#!/usr/bin/env python3
"""compare.py KUBECTL_VAPCHECK 1.V: check --witness prints 1.V.txt for witnesses.yaml.

And each issue of ../policies/*.yaml and of ../../upstream/truth/found.jsonl has a witness, or no request can reach its
place, or it is listed in WITHOUT. UPDATE_GOLDENS=1 writes 1.V.txt; ../../upstream/truth/witnesses asks the API server's
libraries.
"""

import difflib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
REASON = "evaluation fails before it reaches this place"
HIDDEN = "no request gets here before another mistake is corrected"
NEVER = "no request passes the match conditions"
WITHOUT = {
    # never told: what is set is compared with the schema before, which always fails
    ("what-is-made-is-judged-by-the-schema", "may not mutate atomic arrays, maps or structs: 'tolerations' is one"),
    # only a value that the schema does not allow would lead there
    ("guards-that-values-decide", "undefined field 'nam'"),
    # the first test is always false, so that the second is not evaluated
    ("address-of-nothing", "undefined field 'Kind'"),
}


def check(program, version, *arguments):
    command = os.environ.get("MEMCHECK", "").split() + [
        program,
        "check",
        "--witness",
        "--no-config",
        "--select=default",
        "--kube-version",
        version,
    ]
    done = subprocess.run(command + list(arguments), stdout=subprocess.PIPE, text=True, cwd=HERE)
    if done.returncode != 1:
        sys.exit(f"exit status {done.returncode}")
    return done.stdout


def is_golden(program, version):
    golden, got = HERE / f"{version}.txt", check(program, version, "-f", "witnesses.yaml")
    if os.environ.get("UPDATE_GOLDENS"):
        golden.write_text(got)
    want = golden.read_text()
    sys.stdout.writelines(difflib.unified_diff(want.splitlines(True), got.splitlines(True), str(golden), "answer", n=0))
    return want == got


def find(program, version):
    with tempfile.TemporaryDirectory() as folder:
        for line in open(HERE.parents[1] / "upstream/truth/found.jsonl"):
            case = json.loads(line)
            pathlib.Path(folder, f"{case['name']}.json").write_text(json.dumps(case["policy"]))
        for result in json.loads(check(program, version, "-o", "json", "-f", "../policies", "-f", folder))["results"]:
            for finding in result["findings"]:
                for witness in finding.get("witnesses", []):
                    yield result["name"], finding["field"], witness


def main():
    program, version = os.path.abspath(sys.argv[1]), sys.argv[2]
    good, found = is_golden(program, version), list(find(program, version))
    without = [
        f"{name} {field}: {w['issue']}: {w['reason']}"
        for name, field, w in found
        if w.get("reason") not in (REASON, NEVER, HIDDEN, None) and (name, w["issue"]) not in WITHOUT
    ]
    print(f"{len(found)} issues, {sum('reason' in w for _, _, w in found)} without a witness", *without, sep="\n")
    sys.exit(not good or bool(without) or len(found) < 50)


main()
