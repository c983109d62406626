#!/usr/bin/env python3
"""static PROGRAM 1.N [RELEASE]: what kubectl-vapcheck says of directories of static manifests is what the API server's
loader says.

static-1.N.json holds the loader's answers, case by case; UPDATE_GOLDENS=1 asks it (static/tool, built with Go from
the libraries of that version, or of RELEASE) and writes them.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import static_cases

HERE = pathlib.Path(__file__).resolve().parent
BUILD = HERE.parent / "support/build-kubernetes-tool"


def ask(cases, version):
    """The loader's error for each directory, None where it has none."""
    tool = subprocess.run(
        [BUILD, HERE / "static/tool", version], check=True, capture_output=True, text=True
    ).stdout.strip()
    lines = "".join(json.dumps({"kind": kind, "files": files}) + "\n" for _, kind, files in cases)
    done = subprocess.run([tool], input=lines, check=True, capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


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


def differences(program, version, cases, answers):
    for (name, _, files), answer in zip(cases, answers, strict=True):
        with tempfile.TemporaryDirectory() as folder:
            for file, text in files.items():
                (pathlib.Path(folder) / file).write_text(text)
            done = subprocess.run([program, "check", "-f", folder, "-o", "json", "--kube-version", version],
                                  capture_output=True, text=True)  # fmt: skip
        refused = [r for r in json.loads(done.stdout)["results"] if r["refusals"]]
        ours = spoken(refused[0]) if refused else []
        if plain(answer) not in ours if answer else refused:
            yield f"{name}:\n  theirs {answer and plain(answer)}\n  ours   {ours}"


def main():
    program, version, *release = sys.argv[1:]
    cases = list(static_cases.cases())
    golden = HERE / f"static-{version}.json"
    if os.environ.get("UPDATE_GOLDENS"):
        lines = (
            json.dumps([name, answer])
            for (name, _, _), answer in zip(cases, ask(cases, (release or [version])[0]), strict=True)
        )
        golden.write_text("[\n" + ",\n".join(lines) + "\n]\n")
    answers = json.loads(golden.read_text())
    if [name for name, _ in answers] != [name for name, _, _ in cases]:
        sys.exit(f"{golden} is of other cases: write it anew with UPDATE_GOLDENS=1")
    found = list(differences(program, version, cases, [answer for _, answer in answers]))
    print(*found, f"{len(cases)} directories compared", sep="\n")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
