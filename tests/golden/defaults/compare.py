#!/usr/bin/env python3
"""compare.py PROGRAM 1.N: the object that we make of one that a client sends is the one that the API server makes.

1.N.json holds what the servers made of each case of cases.py (../../e2e/defaults_test.py writes it): "mutating", what
the server changed before it asked mutating policies, by path; "validating", what it changed after that, before it asked
validating policies; or "answer", all changes of an object about which it asks no policies; or "refused", why it refused
the object. The newest release has all cases, each other version what is another in it than in the next one that was
asked, towards the newest release; of the cases more-... a version has its own answers, or none. PROGRAM is
completeobject (../../support/completeobject).
"""

import json
import pathlib
import re
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from defaults import cases as data

HERE = pathlib.Path(__file__).resolve().parent
NEWEST = "1.37"

# What is another in each answer, and what stands for it.
UID = "00000000-0000-4000-8000-000000000000"
TIME = "2000-01-01T00:00:00Z"
SUFFIX = "x7x7x"
UIDS = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
TIMES = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")

# What the server takes from the cluster's state, or from who asks: it is named, not made.
OF_CLUSTER = {
    "Service": ("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy", "healthCheckNodePort"),
    "CertificateSigningRequest": ("username", "uid", "groups", "extra"),
}


def golden(version):
    return HERE / f"{version}.json"


def stripped(answer, sent):
    """The answer of a server without what differs from run to run, and without what it takes from the cluster."""
    metadata = answer["metadata"]
    metadata.pop("managedFields", None)
    metadata.pop("resourceVersion", None)
    if "uid" in metadata:
        metadata["uid"] = UID
    if metadata.get("creationTimestamp"):
        metadata["creationTimestamp"] = TIME
    if "generateName" in metadata and "name" in metadata and "name" not in sent["metadata"]:
        metadata["name"] = metadata["generateName"] + SUFFIX
    for field in OF_CLUSTER.get(answer["kind"], ()):
        if not sent["spec"].get(field):
            answer["spec"].pop(field, None)
    known = json.dumps(sent)
    # Labels of a Job have its uid, and parts of a status the time.
    text = json.dumps(answer)
    for pattern, stands in (UIDS, UID), (TIMES, TIME):
        text = pattern.sub(lambda found, stands=stands: found[0] if found[0] in known else stands, text)
    return json.loads(text)


def changes(sent, answer, path=""):
    """(path, value) of each change; of what was removed ("-" + path, None)."""
    if isinstance(sent, dict) and isinstance(answer, dict):
        for key in [*answer, *(k for k in sent if k not in answer)]:
            name = key.replace("~", "~0").replace("/", "~1")
            at = f"{path}/{name}"
            if key not in answer:
                yield "-" + at, None
            elif key not in sent:
                yield at, answer[key]
            else:
                yield from changes(sent[key], answer[key], at)
    elif isinstance(sent, list) and isinstance(answer, list) and len(sent) == len(answer):
        for i, (one, other) in enumerate(zip(sent, answer, strict=True)):
            yield from changes(one, other, f"{path}/{i}")
    elif type(sent) is not type(answer) or sent != answer:
        yield path, answer


def described(sent, seen):
    """The answer as the golden has it. seen: objects by stage."""
    if "answer" in seen:
        return {"answer": dict(changes(sent, seen["answer"]))}
    return {
        "mutating": dict(changes(sent, seen["mutating"])),
        "validating": dict(changes(seen["mutating"], seen["validating"])),
    }


def minor(version):
    return int(version.rpartition(".")[2])


def inherited(answers):
    """Those that a neighbour's golden has for other versions, too."""
    return {name: answer for name, answer in answers.items() if not name.startswith("more-")}


def next_to(version):
    """The version with whose golden this one's begins, towards the newest release; None: it is that one."""
    measured = {minor(path.stem) for path in HERE.glob("1.*.json")}
    own, newest = minor(version), minor(NEWEST)
    if own == newest:
        return None
    between = [m for m in measured | {newest} if own < m <= newest or newest <= m < own]
    return f"1.{min(between, key=lambda m: abs(m - own))}"


def read(version):
    """{name: answer} of all cases."""
    written = json.loads(golden(version).read_text())
    base = next_to(version)
    if base is None:
        return written
    answers = inherited(read(base))
    return {**answers, **{name: merged(answers.get(name), d) for name, d in written.items()}}


def merged(answer, difference):
    """The answer of a version by that of its neighbour."""
    if difference is None or "whole" in difference:
        return difference and difference["whole"]
    return {
        stage: {
            **{path: value for path, value in changed.items() if path not in difference.get("without " + stage, ())},
            **difference.get(stage, {}),
        }
        for stage, changed in answer.items()
    }


def difference(answer, other):
    """What merged() reads; None: the version does not have the kind."""
    if answer is None or other is None or answer.keys() != other.keys() or "refused" in answer:
        return answer and {"whole": answer}
    out = {}
    for stage, changed in answer.items():
        more = {p: value for p, value in changed.items() if p not in other[stage] or other[stage][p] != value}
        less = [p for p in other[stage] if p not in changed]
        out |= {stage: more} if more else {}
        out |= {"without " + stage: less} if less else {}
    return out


def write(version, answers):
    """Writes the answers {name: answer}. Only the newest release has them whole."""
    base = next_to(version)
    others = inherited(read(base)) if base else {}
    lines = []
    for name in {**others, **answers}:
        one, other = answers.get(name), others.get(name)
        if base is None or one != other:
            lines.append(f"{json.dumps(name)}: {json.dumps(one if base is None else difference(one, other))}")
    golden(version).write_text("{\n" + ",\n".join(lines) + "\n}\n")


def without_account(pod, sent):
    """The pod as a server makes it that lacks the admission plugin ServiceAccount, as those of the e2e tests do."""
    for field in ("serviceAccountName", "serviceAccount"):
        if pod["kind"] == "Pod" and not any(sent["spec"].get(f) for f in ("serviceAccountName", "serviceAccount")):
            del pod["spec"][field]
    return pod


def differences(program, version, cases, theirs):
    """A text for each change that we make otherwise."""
    taken = [(name, made) for name, made in cases if theirs.get(name) and "refused" not in theirs[name]]
    lines = "".join(json.dumps(made) + "\n" for _, made in taken)
    done = subprocess.run([program, version], input=lines, capture_output=True, text=True, check=True)
    for (name, made), line in zip(taken, done.stdout.splitlines(), strict=True):
        seen = json.loads(line)
        if "problem" in seen:
            yield f"{name}: {seen['problem']}"
            continue
        seen = {stage: without_account(o, made) for stage, o in seen.items()}
        ours = described(made, {"answer": seen["validating"]} if "answer" in theirs[name] else seen)
        for stage, expected in theirs[name].items():
            yield from compared(f"{name}, {stage}", ours[stage], expected)


def compared(name, ours, theirs):
    for path in sorted(ours.keys() | theirs.keys()):
        missing = "(nothing)"
        one, other = ours.get(path, missing), theirs.get(path, missing)
        if json.dumps(one, sort_keys=True) != json.dumps(other, sort_keys=True):
            yield f"{name}: {path}\n  theirs {json.dumps(other)}\n  ours   {json.dumps(one)}"


def main():
    program, version = sys.argv[1:]
    theirs = read(version)
    found = list(differences(program, version, data.cases(), theirs))
    count = sum(bool(answer) and "refused" not in answer for answer in theirs.values())
    print(*found, f"{count} objects compared", sep="\n")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
