#!/usr/bin/env python3
"""crdrules PROGRAM 1.N: what kubectl-vapcheck says of the rules of CustomResourceDefinitions is what a real API
server answered.

crdrules-1.N.json holds the answers of a server of that version, case by case; tests/e2e/crdrules_test.py
asks a server again, and writes them with UPDATE_GOLDENS=1 (another version: VAPCHECK_KUBERNETES=1.N).
"""
import json
import pathlib
import re
import subprocess
import sys

import crdrules_cases

HERE = pathlib.Path(__file__).resolve().parent


def golden(version):
    return HERE / f'crdrules-{version}.json'


def plain(answer):
    """[field, message] in an order of its own: the server visits properties in any order, numbers its types, and shows addresses."""
    def stable(message):
        return re.sub(r'\(0x[0-9a-f]+\)', '(0x...)', re.sub(r'selfType\d+', 'selfType', message))
    return sorted([field, stable(message)] for field, message in answer)


def say(program, cases, version):
    """PROGRAM's refusals of each definition, in order: [field, message]."""
    text = ''.join(f'--- {json.dumps(made)}\n' for _, made in cases)
    done = subprocess.run([program, 'check', '-f', '-', '-o', 'json', '--kube-version', version], input=text, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr)
    results = {r['document']: r['refusals'] for r in json.loads(done.stdout)['results']}
    return [plain([o['field'], o['message']] for o in results[n]) for n in range(len(cases))]


def differences(cases, ours, theirs):
    """theirs: None where the server has no answer."""
    for (name, _), mine, answer in zip(cases, ours, theirs, strict=True):
        if answer is not None and mine != answer:
            yield f'{name}:\n  theirs {answer}\n  ours   {mine}'


def main():
    program, version = sys.argv[1:]
    cases = list(crdrules_cases.cases())
    answers = json.loads(golden(version).read_text())
    if [name for name, _ in answers] != [name for name, _ in cases]:
        sys.exit(f'{golden(version)} is of other cases: run tests/e2e/crdrules_test.py with UPDATE_GOLDENS=1')
    found = list(differences(cases, say(program, cases, version), [answer for _, answer in answers]))
    print(*found, f'{len(cases)} definitions compared', sep='\n')
    sys.exit(bool(found))


if __name__ == '__main__':
    main()
