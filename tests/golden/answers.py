"""Goldens that hold the answers of an API server, or of a part of one: a family is a folder with one Family
(compare.py), and its cases (cases.py).

NAME/1.N.json has a line a case: its name, and the answer of that version. A family whose answers are a library's has a
tool in Go, NAME/tool, which UPDATE_GOLDENS=1 asks; the answers of the others are written by a test of e2e.

    FAMILY = answers.Family("devices", cases.cases, answers.refusals, sent=lambda made: made)
    if __name__ == "__main__":
        FAMILY.main(*sys.argv[1:])  # PROGRAM 1.N [RELEASE]
"""

import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
BUILD = HERE.parent / "support/build-kubernetes-tool"


def results_of(program, file, *flags, text=""):
    """What PROGRAM says of each object of a file or directory; "-": of the text."""
    command = [program, "check", "-f", file, "-o", "json", *flags]
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{command}: {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)["results"]


def results(program, objects, *flags):
    """The same of objects."""
    return results_of(program, "-", *flags, text="".join(f"--- {json.dumps(made)}\n" for made in objects))


def refusals(result):
    """[field, message] of each refusal of an object, in order."""
    return [[o["field"], o["message"]] for o in result["refusals"]]


def is_equal(ours, theirs):
    """theirs: None where the server has no answer."""
    return theirs is None or ours == theirs


class Family:
    """cases(version): [(name, object)]. said(result): our answer, by PROGRAM's result of an object; None: it has none.

    is_same(ours, theirs): whether both say the same. sent(object): what the tool reads, as JSON; None: the answers are
    a server's. written_by: what writes the golden with UPDATE_GOLDENS=1.
    """

    def __init__(self, name, cases, said, is_same=is_equal, sent=None, written_by=None):
        self.name, self.cases, self.said, self.is_same, self.sent = name, cases, said, is_same, sent
        self.written_by = written_by or f"tests/golden/{name}/compare.py"

    def golden(self, version):
        return HERE / self.name / f"{version}.json"

    def write(self, version, cases, theirs):
        lines = (json.dumps([name, answer]) for (name, _), answer in zip(cases, theirs, strict=True))
        self.golden(version).write_text("[\n" + ",\n".join(lines) + "\n]\n")

    def read(self, version, cases):
        """The golden's answers to these cases."""
        written = json.loads(self.golden(version).read_text())
        if [name for name, _ in written] != [name for name, _ in cases]:
            sys.exit(f"{self.golden(version)} is of other cases: run {self.written_by} with UPDATE_GOLDENS=1")
        return [answer for _, answer in written]

    def ask(self, cases, release):
        """The tool's answers, built from the libraries of that release."""
        command = [BUILD, HERE / self.name / "tool", release]
        tool = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
        lines = "".join(json.dumps(self.sent(made)) + "\n" for _, made in cases)
        done = subprocess.run([tool], input=lines, check=True, capture_output=True, text=True)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def ours(self, program, cases, version):
        """Our answer to each case."""
        found = results(program, [made for _, made in cases], "--kube-version", version)
        by_document = {result["document"]: result for result in found}
        return [self.said(by_document.get(n)) for n in range(len(cases))]

    def differences(self, program, version, cases, theirs):
        """A text for each case that we answer otherwise."""
        mine = self.ours(program, cases, version)
        return [
            f"{name}:\n  theirs {answer}\n  ours   {one}"
            for (name, _), one, answer in zip(cases, mine, theirs, strict=True)
            if not self.is_same(one, answer)
        ]

    def main(self, program, version, release=None):
        """Compares, and ends. release: whose libraries the tool is built from, where it is not that version."""
        cases = list(self.cases(version))
        if self.sent and os.environ.get("UPDATE_GOLDENS"):
            self.write(version, cases, self.ask(cases, release or version))
        found = self.differences(program, version, cases, self.read(version, cases))
        print(*found, f"{len(cases)} cases compared", sep="\n")
        sys.exit(bool(found))
