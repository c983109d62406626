"""What the goldens of a real API server's answers share: our side is read, and both are compared case by case."""

import json
import subprocess
import sys


def read(program, cases, version):
    """PROGRAM's result of each object that has one, by the number of its case."""
    command = [program, "check", "-f", "-", "-o", "json", "--kube-version", version]
    text = "".join(f"--- {json.dumps(made)}\n" for _, made in cases)
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr)
    return {result["document"]: result for result in json.loads(done.stdout)["results"]}


def compare(golden, cases, ours, differences, test):
    """Prints what differs from the golden, and exits. test: the one that writes the golden."""
    answers = json.loads(golden.read_text())
    if [name for name, _ in answers] != [name for name, _ in cases]:
        sys.exit(f"{golden} is of other cases: run {test} with UPDATE_GOLDENS=1")
    found = list(differences(cases, ours, [answer for _, answer in answers]))
    print(*found, f"{len(cases)} objects compared", sep="\n")
    sys.exit(bool(found))
