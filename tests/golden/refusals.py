#!/usr/bin/env python3
"""refusals SET PROGRAM 1.N: what kubectl-vapcheck says of broken objects is what a real API server answered.

SET is one of SETS. SET-1.N.json holds the answers of a server of that version, case by case;
tests/e2e/refusals_test.py asks a server again, and writes them with
UPDATE_GOLDENS=1 (another version: VAPCHECK_KUBERNETES=1.N).
"""
import json
import pathlib
import subprocess
import sys

import refusals_cases
import refusals_mutating_cases
import refusals_releases_cases
import refusals_webhooks_cases

HERE = pathlib.Path(__file__).resolve().parent


# The cases of each.
SETS = {
    'refusals': refusals_cases.cases,
    'refusals_webhooks': refusals_webhooks_cases.cases,
    'refusals_mutating': refusals_mutating_cases.cases,
    'refusals_releases': refusals_releases_cases.cases,
}


def golden(name, version):
    return HERE / f'{name}-{version}.json'


def say(program, cases, version):
    """PROGRAM's refusals of each object, in order: [field, message]."""
    command = [program, 'check', '-f', '-', '-o', 'json', '--kube-version', version]
    text = ''.join(f'--- {json.dumps(made)}\n' for _, made in cases)
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr)
    results = {r['document']: r['refusals'] for r in json.loads(done.stdout)['results']}
    return [[[o['field'], o['message']] for o in results[n]] for n in range(len(cases))]


def through_files(theirs):
    """The server's answer without its last error where that is the name: a static one, of an object that we take for a file.

    None where the server has nothing else against it: static.py compares what the loader of files has.
    """
    reserved = theirs and "are reserved for static manifest-based configurations" in theirs[-1][1]
    return (theirs[:-1] or None) if reserved else theirs


def is_same(ours, theirs):
    """A server that cannot take an object names no field."""
    shown = [[None if i < len(theirs) and theirs[i][0] is None else field, message]
             for i, (field, message) in enumerate(ours)]
    return shown == theirs


def differences(cases, ours, theirs):
    """theirs: None where the server has no answer."""
    for (name, _), mine, answer in zip(cases, ours, theirs, strict=True):
        answer = through_files(answer)
        if answer is not None and not is_same(mine, answer):
            yield f'{name}:\n  theirs {answer}\n  ours   {mine}'


def main():
    name, program, version = sys.argv[1:]
    cases = list(SETS[name]())
    answers = json.loads(golden(name, version).read_text())
    if [name for name, _ in answers] != [name for name, _ in cases]:
        sys.exit(f'{golden(name, version)} is of other cases: run tests/e2e/refusals_test.py with UPDATE_GOLDENS=1')
    found = list(differences(cases, say(program, cases, version), [answer for _, answer in answers]))
    print(*found, f'{len(cases)} objects compared', sep='\n')
    sys.exit(bool(found))


if __name__ == '__main__':
    main()
