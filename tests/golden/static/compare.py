#!/usr/bin/env python3
"""compare.py PROGRAM 1.N [RELEASE]: what kubectl-vapcheck says of directories of static manifests is what the API
server's loader says.

1.N.json holds the loader's answers, case by case; UPDATE_GOLDENS=1 asks it (tool, built with Go from the libraries of
that version, or of RELEASE) and writes them.
"""

import pathlib
import re
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import answers
from static import cases as data


def plain(answer):
    """The loader's error without the names of files, which a refusal's place says."""
    answer = re.sub(r"^error loading \S+: ", "", answer)
    answer = re.sub(r' \(file "[^"]*"\)', "", answer)
    return re.sub(r'found in file "[^"]*" \(previously seen in "[^"]*"\)', "found", answer)


def aggregate(refusals):
    """As Go joins errors, each once."""
    texts = list(dict.fromkeys(f"{r['field']}: {r['message']}" for r in refusals))
    return texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"


def spoken(result):
    """What the loader would say for our refusals of one object: fields and messages, or a message that says it all."""
    refusals = result["refusals"]
    of_fields = f'{result["kind"]} "{result["name"]}": {aggregate(refusals)}'
    return [of_fields, *(plain(r["message"]) for r in refusals)]


def is_same(ours, theirs):
    """theirs: None where the loader takes the directory."""
    return plain(theirs) in ours if theirs else not ours


class Directories(answers.Family):
    """Each case is a directory of files, which is read on its own."""

    def ours(self, program, cases, version):
        for _, made in cases:
            with tempfile.TemporaryDirectory() as folder:
                for file, text in made["files"].items():
                    (pathlib.Path(folder) / file).write_text(text)
                found = answers.results_of(program, folder, "--kube-version", version)
            refused = [r for r in found if r["refusals"]]
            yield spoken(refused[0]) if refused else []


def cases(_):
    return [(name, {"kind": kind, "files": files}) for name, kind, files in data.cases()]


FAMILY = Directories("static", cases, None, is_same=is_same, sent=lambda made: made)

if __name__ == "__main__":
    FAMILY.main(*sys.argv[1:])
