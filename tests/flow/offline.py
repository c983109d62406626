"""What the tests of kubectl-vapcheck check stand on: a directory of files, and the program's answers."""

import contextlib
import gzip
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import stage

PROGRAM = stage.BIN / "kubectl-vapcheck"

# A policy of seven lines, up to its rules; what it checks follows.
HEAD = """\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE]}
"""


def read_terminal(terminal):
    """All that programs have written to a terminal whose other end is closed here; closes it. A read gives a part."""
    shown = b""
    with contextlib.suppress(OSError):  # no program has it open any more
        while chunk := os.read(terminal, 65536):
            shown += chunk
    os.close(terminal)
    return shown.decode()


class Case(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="vapcheck-"))
        self.addCleanup(shutil.rmtree, self.directory)

    def write(self, name, content):
        """A file of the test's directory; objects become JSON."""
        path = self.directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    def check(self, *args, input=None):
        """(status, stdout, stderr)"""
        done = subprocess.run(
            [PROGRAM, "check", *map(str, args)], input=input, capture_output=True, text=True, timeout=60,
            cwd=self.directory,
        )  # fmt: skip
        return done.returncode, done.stdout, done.stderr

    def read(self, *args, status=0, input=None):
        """The object of -o json."""
        answer, out, err = self.check("-o", "json", *args, input=input)
        self.assertEqual(answer, status, out + err)
        return json.loads(out)

    def names(self, *args, status=0):
        return [(r["file"], r["name"]) for r in self.read(*args, status=status)["results"]]

    def unpacked(self):
        """The bundled schemas as a dump."""
        rest = gzip.decompress(stage.SCHEMAS.read_bytes())
        while rest:
            head, _, rest = rest.partition(b"\n")
            path, length = head.decode().split()
            file = self.directory / f"dump{path}.json"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(rest[: int(length)])
            rest = rest[int(length) + 1 :]
        return self.directory / "dump"
