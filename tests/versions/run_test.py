#!/usr/bin/env python3
"""`tests/run versions` says what passed on each release; what could not be built or run is a failure, never a skip."""

import datetime
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
COPIED = ("tests/run", "tests/versions/table", "tests/support/kubernetes")
VERSIONS = "v1.37.2 go1.26.8 h1:a=\nv1.36.2 go1.26.8 h1:b=\n"
TESTS = ("mainjob", "sidebyside", "watches", "refusals", "evaluation", "crdrules")
# Stand-ins: 1.37 does not build, one test is skipped with 77, as where nothing could be tested, and one fails.
NOTHING, SKIPPED, FAILS = "#!/bin/sh\n", "#!/bin/sh\nexit 77\n", "#!/bin/sh\nexit 1\n"
BUILD = (
    '#!/bin/sh\n[ "${1#v}" != 1.37.2 ] || exit 77\n[ "$VAPCHECK_REQUIRE_E2E" = 1 ] && [ -z "$KUBEBUILDER_ASSETS" ]\n'
)


class RunTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="vapcheck-")
        self.addCleanup(directory.cleanup)
        self.root = pathlib.Path(directory.name)
        for path in COPIED:
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(SOURCE / path, self.root / path)
        (self.root / "tests/support/kubernetes-versions").write_text(VERSIONS)
        (self.root / "tests/versions/results").write_text("v1.36.2 mainjob FAILED 2026-01-01\n")
        scripts = {"bin/cmake": NOTHING, "cmd/install-packages": NOTHING, "tests/e2e/build-controlplane": BUILD}
        scripts |= {f"tests/e2e/{name}_test.py": NOTHING for name in TESTS}
        scripts |= {"tests/e2e/watches_test.py": SKIPPED, "tests/e2e/crdrules_test.py": FAILS}
        for path, text in scripts.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(text)
            (self.root / path).chmod(0o755)

    def run_versions(self, *versions):
        environment = {
            **os.environ,
            "PATH": f"{self.root}/bin:{os.environ['PATH']}",
            "KUBEBUILDER_ASSETS": "/elsewhere",
        }
        done = subprocess.run(
            [self.root / "tests/run", "versions", *versions], env=environment, capture_output=True, text=True
        )
        return done.returncode, done.stdout.splitlines()

    def test_every_release(self):
        status, lines = self.run_versions()
        self.assertEqual(status, 1)
        failed = ("watches", "crdrules")
        self.assertEqual(lines, [
            "v1.37.2: FAILED: its control plane was not built",
            *(f"v1.36.2: {name} {'FAILED' if name in failed else 'passed'}" for name in TESTS),
        ])  # fmt: skip
        today = datetime.date.today()
        noted = (self.root / "tests/versions/results").read_text().splitlines()
        self.assertEqual([line.rsplit(" ", 1)[0] for line in noted], [line.replace(":", "") for line in lines[1:]])
        for line in noted:
            self.assertLessEqual((today - datetime.date.fromisoformat(line.split()[-1])).days, 1)

    def test_one_release(self):
        for name in ("watches", "crdrules"):
            (self.root / f"tests/e2e/{name}_test.py").write_text(NOTHING)
        self.assertEqual(self.run_versions("1.36.2"), (0, [f"1.36.2: {name} passed" for name in TESTS]))
        self.assertEqual(self.run_versions("1.29"), (2, []))


if __name__ == "__main__":
    unittest.main()
