#!/usr/bin/env python3
"""witnesses.py KUBECTL_VAPCHECK 1.V: the witnesses that check --witness finds for policies/*.yaml and ../truth/found.jsonl.

They must be those of witnesses-1.V.jsonl, a line each; UPDATE_GOLDENS=1 writes that file. An issue without one is
listed there with the reason. ../truth/witnesses asks the API server's libraries about them.
"""
import difflib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def find(program, version, policies):
    """The files and, as files of their own, the policies that once divided two programs."""
    with tempfile.TemporaryDirectory() as folder:
        for line in open(policies):
            case = json.loads(line)
            pathlib.Path(folder, f'{case["name"]}.json').write_text(json.dumps(case['policy']))
        command = os.environ.get('MEMCHECK', '').split() + [program, 'check', '--witness', '--no-config', '--kube-version', version, '-o', 'json']
        done = subprocess.run(command + ['-f', HERE / 'policies', '-f', folder], stdout=subprocess.PIPE)
        if done.returncode != 1:
            sys.exit(f'exit status {done.returncode}')
        for result in json.loads(done.stdout)['results']:
            for finding in result['findings']:
                for witness in finding.get('witnesses', []):
                    yield {'policy': result['name'], 'field': finding['field']} | witness


def main():
    program, version = sys.argv[1:]
    golden = HERE / f'witnesses-{version}.jsonl'
    got = [json.dumps(w, ensure_ascii=False) + '\n' for w in find(program, version, HERE.parent / 'truth/found.jsonl')]
    if os.environ.get('UPDATE_GOLDENS'):
        golden.write_text(''.join(got))
    want = golden.read_text().splitlines(True)
    sys.stdout.writelines(difflib.unified_diff(want, got, str(golden), 'answer', n=0))
    sys.exit(not got or want != got)


main()
