#!/usr/bin/env python3
"""bounds.py PROGRAM: the bounds in hints for rules that cost too much are enough, and the largest that are."""

import copy
import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import answers
from crdrules import cases as data

# No bound beyond what a request can hold is tried.
MOST = 3 * 1024 * 1024


def say(program, definitions):
    results = {r["document"]: r["refusals"] for r in answers.results(program, definitions)}
    return [results[n] for n in range(len(definitions))]


def is_too_expensive(refusal):
    return refusal["message"].startswith("Forbidden: estimated rule cost")


def node(schema, path):
    for part in re.findall(r"\.[^.\[]+|\[\*\]", path):
        schema = (
            schema["properties"][part[1:]] if part[0] == "." else schema.get("items") or schema["additionalProperties"]
        )
    return schema


def bounded(definition, alternative, more):
    """The definition with an alternative's bounds: "maxItems: 5 at .spec.list and maxLength: 5 at .spec.s"."""
    made = copy.deepcopy(definition)
    schema = made["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    for keyword, number, path in re.findall(r"(\w+): (\d+) at (\S+)", alternative):
        node(schema, path)[keyword] = int(number) + more
    return made


def trials(program):
    """(field, alternative, more, definition)"""
    definitions = [made for _, made in data.random_cases(30, 5)]
    for made, refusals in zip(definitions, say(program, definitions), strict=True):
        for refusal in filter(is_too_expensive, refusals):
            for alternative in filter(None, refusal.get("hint", "").removesuffix(" is enough").split(", or ")):
                for more in (0, 1):
                    yield refusal["field"], alternative, more, bounded(made, alternative, more)


def main():
    tried, wrong = list(trials(sys.argv[1])), 0
    for (field, alternative, more, _), refusals in zip(tried, say(sys.argv[1], [t[3] for t in tried]), strict=True):
        is_refused = any(r["field"] == field and is_too_expensive(r) for r in refusals)
        if is_refused != bool(more) and f": {MOST} " not in alternative:
            wrong += 1
            print(f"{field}: {alternative}, and {more} more: refused: {is_refused}")
    print(f"{len(tried) // 2} hints tried")
    sys.exit(bool(wrong) or len(tried) < 50)


if __name__ == "__main__":
    main()
