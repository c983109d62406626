#!/usr/bin/env python3
"""tests/run says what passed and what did not: of each release of Kubernetes, and of each part of a tier. What could
not be built or run is a failure, never a skip."""

import datetime
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
COPIED = ("tests/run", "tests/versions/table", "tests/support/kubernetes", "tests/support/parts", ".ci/run")
VERSIONS = "v1.38.0-beta.0 go1.27.3 h1:c=\nv1.37.2 go1.26.8 h1:a=\nv1.36.2 go1.26.8 h1:b=\n"
TESTS = ("mainjob", "sidebyside", "watches", "refusals", "evaluation", "crdrules")
NEIGHBOURS_TESTS = ("upgrade", "audit")
# Stand-ins: 1.37 does not build, one test is skipped with 77, as where nothing could be tested, and one fails.
NOTHING, SKIPPED, FAILS = "#!/bin/sh\n", "#!/bin/sh\nexit 77\n", "#!/bin/sh\nexit 1\n"
BUILD = (
    '#!/bin/sh\n[ "${1#v}" != 1.37.2 ] || exit 77\n[ "$VAPCHECK_REQUIRE_E2E" = 1 ] && [ -z "$KUBEBUILDER_ASSETS" ]\n'
)
# Notes what is built, and fails to build what the file "broken" names.
CMAKE = """#!/bin/sh
echo "$@" >> "$ROOT/build/log"
echo "[1/1] $3"
[ "$1" != --build ] || [ "$3" != "$(cat "$ROOT/broken")" ]
"""
# Lists the tests of the file "listed", and answers as their command says.
CTEST = r"""#!/usr/bin/env python3
import json, os, pathlib, sys
root = pathlib.Path(os.environ["ROOT"])
tests = json.loads((root / "listed").read_text())
if sys.argv[3] == "--show-only=json-v1":
    labels = [[{"name": "LABELS", "value": labels}] for _, labels, _ in tests]
    listed = [{"name": name, "properties": one} for (name, _, _), one in zip(tests, labels)]
    print(json.dumps({"tests": listed}))
    sys.exit()
first, _, _, *numbers = pathlib.Path(sys.argv[4]).read_text().strip().split(",")
cases = ""
for number in [first, *numbers]:
    name, _, answer = tests[int(number) - 1]
    with open(root / "build/log", "a") as log:
        print(sys.argv[2], name, file=log)
    print(f"1/1 Test #{number}: {name} ... {answer}")
    skipped = '<skipped message="SKIP_RETURN_CODE=77"/>'
    cases += f'<testcase name="{name}" time="{number}.0" status="{answer}">{skipped if answer == "notrun" else ""}'
    cases += "<system-out>first\nthe reason\n</system-out></testcase>"
pathlib.Path(sys.argv[-1]).write_text(f"<testsuite>{cases}</testsuite>")
print("100% tests passed\nnobody sees this")
"""


class Case(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="vapcheck-")
        self.addCleanup(directory.cleanup)
        self.root = pathlib.Path(directory.name)
        for path in COPIED:
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(SOURCE / path, self.root / path)
        self.scripts({"bin/cmake": NOTHING, "cmd/install-packages": NOTHING, "tests/support/build-tools": NOTHING})

    def scripts(self, scripts):
        for path, text in scripts.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(text)
            (self.root / path).chmod(0o755)

    def run_script(self, path, *arguments):
        environment = {
            **os.environ,
            "PATH": f"{self.root}/bin:{os.environ['PATH']}",
            "ROOT": str(self.root),
            "KUBEBUILDER_ASSETS": "/elsewhere",
        }
        environment.pop("VAPCHECK_PARTS", None)  # where the run that this test is a part of counts
        command = [self.root / path, *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        return done.returncode, done.stdout.splitlines()


class VersionsTest(Case):
    def setUp(self):
        super().setUp()
        (self.root / "tests/support/kubernetes-versions").write_text(VERSIONS)
        (self.root / "tests/versions/results").write_text("v1.36.2 mainjob FAILED 2026-01-01\n")
        self.scripts({"tests/e2e/build-controlplane": BUILD})
        self.scripts({f"tests/e2e/{name}_test.py": NOTHING for name in TESTS + NEIGHBOURS_TESTS})
        self.scripts({"tests/e2e/watches_test.py": SKIPPED, "tests/e2e/crdrules_test.py": FAILS})

    def test_every_release(self):
        status, lines = self.run_script("tests/run", "versions")
        self.assertEqual(status, 1)
        failed = ("watches", "crdrules")
        every = [f"v1.36.2: {name} {'FAILED' if name in failed else 'passed'}" for name in TESTS]
        before = [f"v1.36.2: {name} passed" for name in NEIGHBOURS_TESTS]
        self.assertEqual(lines, ["v1.37.2: FAILED: its control plane was not built", *every, *before])
        today = datetime.date.today()
        noted = (self.root / "tests/versions/results").read_text().splitlines()
        self.assertEqual([line.rsplit(" ", 1)[0] for line in noted], [line.replace(":", "") for line in every])
        for line in noted:
            self.assertLessEqual((today - datetime.date.fromisoformat(line.split()[-1])).days, 1)

    def test_one_release(self):
        self.scripts({f"tests/e2e/{name}_test.py": NOTHING for name in ("watches", "crdrules")})
        passed = [f"1.36.2: {name} passed" for name in TESTS + NEIGHBOURS_TESTS]
        self.assertEqual(self.run_script("tests/run", "versions", "1.36.2"), (0, passed))
        self.assertEqual(self.run_script("tests/run", "versions", "1.29"), (2, []))

    def test_a_beta(self):
        """Only where it is asked for; its results come first."""
        passed = [line for line in self.run_script("tests/run", "versions", "1.38")[1] if "passed" in line]
        self.assertEqual(len(passed), len(TESTS + NEIGHBOURS_TESTS) - 2)
        noted = (self.root / "tests/versions/results").read_text().splitlines()
        self.assertEqual([line.split()[0] for line in noted], ["v1.38.0-beta.0"] * len(TESTS) + ["v1.36.2"])


class TiersTest(Case):
    LISTED = (
        ("flow/a", ["flow"], "run"),
        ("flow/large", ["flow", "full"], "run"),
        ("unit/a", ["unit"], "run"),
        ("e2e/a", ["e2e"], "run"),
        ("long/a", ["long"], "fail"),
        ("release/a", ["release"], "run"),
        ("lint/a", ["lint"], "run"),
        ("golden/a", ["golden"], "notrun"),
    )

    def setUp(self):
        super().setUp()
        self.scripts({"bin/cmake": CMAKE, "bin/ctest": CTEST})
        (self.root / ".gitignore").write_text("build/\n")
        (self.root / "build").mkdir()
        self.list()
        git = ["git", "-C", self.root, "-c", "user.name=n", "-c", "user.email=e"]
        for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "first"]):
            subprocess.run([*git, *command], check=True)

    def list(self, broken="nothing", **answers):
        """The file of the tests; some of them may answer in another way, and a variant may not compile."""
        tests = [(name, labels, answers.get(name.replace("/", "_"), answer)) for name, labels, answer in self.LISTED]
        (self.root / "listed").write_text(json.dumps(tests))
        (self.root / "broken").write_text(f"{broken}\n")

    def run_tier(self, *arguments, script="tests/run"):
        """(status, the lines, what was built and run)"""
        log = self.root / "build/log"
        log.write_text("")
        status, lines = self.run_script(script, *arguments)
        ran = [line for line in log.read_text().splitlines() if not line.startswith("--preset")]
        return status, lines, [line.removeprefix("--build --preset ").removesuffix(" -- -k 0") for line in ran]

    def test_what_takes_long_comes_last_or_not_at_all(self):
        status, lines, ran = self.run_tier()
        self.assertEqual(ran, ["asan lint/a", "asan", "asan unit/a", "asan golden/a", "asan flow/a"])
        self.assertEqual((status, lines[-1]), (0, "4 passed, 0 failed"))
        self.assertIn("golden/a (asan): the reason", lines)
        self.assertIn("1/1 Test #3: unit/a ... run", lines)
        self.assertNotIn("nobody sees this", lines)
        slowest = lines.index("== the 10 slowest tests")
        self.assertEqual(lines[slowest + 1 : slowest + 3], ["     8 s  golden/a (asan)", "     7 s  lint/a (asan)"])

    def test_full_repeats_nothing(self):
        self.run_tier()
        new = ["asan flow/large", "asan e2e/a", "asan golden/a"]
        release = ["release unit/a", "release golden/a"]
        _, _, ran = self.run_tier("full")
        self.assertEqual(ran, ["asan", "release", *release, *new, "release release/a"])
        # of another tree, nothing is known
        every = ["asan flow/a", *new[:1], "asan unit/a", new[1], "asan lint/a", new[2]]
        (self.root / "new").touch()
        self.assertEqual(self.run_tier("full")[2], ["asan", "release", *release, *every, "release release/a"])

    def test_a_failure_hides_nothing(self):
        for change, failed in (
            ({"lint_a": "fail"}, ["lint/a (asan)"]),
            ({"flow_a": "fail", "unit_a": "fail"}, ["unit/a (asan)", "flow/a (asan)"]),
            ({"broken": "asan"}, ["build/asan (asan)"]),
        ):
            with self.subTest(change):
                self.list(**change)
                status, lines, ran = self.run_tier()
                self.assertEqual((status, len(ran)), (1, 5))
                self.assertEqual(lines[-1], f"{4 - len(failed)} passed, {len(failed)} failed")
                self.assertLess(-1, lines.index("== failed"))
                at = lines.index("== failed") + 1
                self.assertEqual(lines[at : at + len(failed)], failed)

    def test_one_kind(self):
        self.assertEqual(self.run_tier("flow")[2], ["asan", "asan flow/a", "asan flow/large"])
        self.assertEqual(self.run_tier("nope")[0], 2)

    def test_ci(self):
        status, lines, _ = self.run_tier(script=".ci/run")
        parts = [re.sub("^ *[0-9]+ s  ", "", line) for line in lines[lines.index("== all parts of CI") + 1 :]]
        self.assertEqual(parts[0], "run: lints (1 passed, 0 failed)")
        self.assertEqual(parts[-2], "full: release (1 passed, 0 failed)")
        self.assertEqual((status, parts[-1]), (0, "10 passed, 0 failed"))
        self.list(e2e_a="fail")
        status, lines, _ = self.run_tier(script=".ci/run")
        self.assertEqual((status, lines[-1]), (1, "9 passed, 1 failed"))


if __name__ == "__main__":
    unittest.main()
