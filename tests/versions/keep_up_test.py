#!/usr/bin/env python3
"""keep-up runs every step, whatever another one meets; says why a step has no answer; and lists each difference."""

import contextlib
import importlib.machinery
import importlib.util
import io
import pathlib
import shutil
import tempfile
import time
import unittest
from unittest import mock

HERE = pathlib.Path(__file__).resolve().parent

PAIRS = """echo 'made: 3 cases'
printf 'case one:\\n  theirs a\\nb\\n  ours   c\\n-- case two 0 \\n   want []\\n   got  None\\n'
exit 1"""
FAILED_TESTS = """printf '======================================================================\\nFAIL: test_status (Main.test_status)\\n'
printf -- '----------------------------------------------------------------------\\nTraceback (most recent call last):\\nAssertionError: 1 != 2\\n\\n'
printf -- '----------------------------------------------------------------------\\nRan 3 tests in 1s\\n\\nFAILED (failures=1)\\n'
exit 1"""  # noqa: E501
BROKEN = """printf 'ERROR: setUpClass\\nTraceback (most recent call last):\\nharness.Error: etcd has ended\\n\\nFAILED (errors=1)\\n'
exit 1"""  # noqa: E501


def load():
    loader = importlib.machinery.SourceFileLoader("keep_up", str(HERE / "keep-up"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("keep_up", loader))
    loader.exec_module(module)
    return module


keep_up = load()


def step(name, script=None, raised=None):
    """A step that runs a script as a comparison, or stumbles on an error; without both it finds nothing."""

    def run_it(run):
        if raised:
            raise raised
        return run.compare(name, "bash", "-c", script) if script else []

    run_it.__name__, run_it.__doc__ = name, f"what {name} says"
    return run_it


class KeepUpTest(unittest.TestCase):
    def keep_up(self, steps, *wanted):
        """(exit status, lines, the directory of the run)"""
        said, argv = io.StringIO(), ["keep-up", "v1.37.2", *wanted]
        with mock.patch.object(keep_up, "STEPS", steps), mock.patch("sys.argv", argv), contextlib.redirect_stdout(said):
            with self.assertRaises(SystemExit) as end:
                keep_up.main()
        if not said.getvalue():
            return end.exception.code, [], None
        *lines, last = said.getvalue().splitlines()
        directory = pathlib.Path(last.removeprefix("the logs, and the list of differences: "))
        self.addCleanup(shutil.rmtree, directory)
        return end.exception.code, [line.split(" (what")[0] for line in lines], directory

    def test_every_step_has_its_line(self):
        steps = [
            step("unread", raised=keep_up.Unread("the release has no loader")),
            step("missing", raised=FileNotFoundError(2, "No such file", "dump")),
            step("pairs", PAIRS), step("failed", FAILED_TESTS), step("broken", BROKEN), step("silent", "exit 1"),
            step("builder", "echo 'a.go:3: undefined: x'; exit 1"), step("good", "echo 3 compared, 0 differ"),
        ]  # fmt: skip
        status, lines, directory = self.keep_up(steps)
        self.assertEqual(status, 2)
        self.assertEqual(lines, [
            "unread         not read: the release has no loader",
            "missing        not read: FileNotFoundError: [Errno 2] No such file: 'dump'",
            "pairs          2 differences", "failed         1 differences",
            "broken         not read: harness.Error: etcd has ended", "silent         not read: it said nothing",
            "builder        not read: a.go:3: undefined: x", "good           same",
        ])  # fmt: skip
        listed = (directory / "differences").read_text()
        self.assertRegex(
            listed,
            r"^== pairs: what pairs says\ncase one:\n  theirs a\nb\n  ours   c\n-- case two 0 \n"
            r"   want \[\]\n   got  None\n"
            r"== failed: what failed says\nFAIL: test_status (?s:.*)AssertionError: 1 != 2\n*$",
        )

    def test_the_exit_status(self):
        status, lines, directory = self.keep_up([step("good", "true")])
        self.assertEqual((status, lines, (directory / "differences").read_text()), (0, ["good           same"], ""))
        self.assertEqual(self.keep_up([step("pairs", PAIRS), step("good", "true")])[0], 1)

    def test_steps_that_are_asked_for(self):
        steps = [step("good", "true"), step("pairs", PAIRS)]
        self.assertEqual(self.keep_up(steps, "pairs")[:2], (1, ["pairs          2 differences"]))
        self.assertEqual(self.keep_up(steps, "nope")[0], "keep-up: no step nope; there are good pairs")

    def test_what_does_not_end(self):
        """It is ended, with what it has started, and the next step runs."""
        for seconds in (1.2, 60):  # on a busy machine the script has not begun when the first limit is over
            with tempfile.TemporaryDirectory() as folder, mock.patch.object(keep_up, "COMMAND_S", seconds):
                child = pathlib.Path(folder) / "child"
                status, lines, _ = self.keep_up(
                    [step("hangs", f"sleep 600 & echo $! > {child}; wait"), step("nothing")]
                )
                self.assertEqual((status, lines[1]), (2, "nothing        same"))
                self.assertRegex(lines[0], r"^hangs          not read: bash has not ended within [\d.]+ minutes$")
                started = child.exists() and child.read_text().strip()
            if started:
                break
        process = pathlib.Path("/proc", started, "cmdline")
        deadline = time.monotonic() + 60
        while process.exists() and process.read_bytes() and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertFalse(process.exists() and process.read_bytes())

    def test_a_control_plane_that_does_not_build(self):
        """Every step that needs it says so; it is tried once."""
        with tempfile.TemporaryDirectory() as folder:
            tests = pathlib.Path(folder)
            (tests / "e2e").mkdir()
            build = tests / "e2e/build-controlplane"
            build.write_text(
                f"#!/bin/sh\necho tried >> {tests}/tried\necho 'verifying module: checksum mismatch'\nexit 1\n"
            )
            build.chmod(0o755)
            steps = [
                keep_up.control_plane,
                keep_up.bundle,
                keep_up.e2e("refusals", "what they say"),
                step("good", "true"),
            ]
            with mock.patch.object(keep_up, "TESTS", tests):
                status, lines, _ = self.keep_up(steps)
            self.assertEqual((status, lines[3]), (2, "good           same"))
            for line, name in zip(lines, ("control_plane", "bundle", "refusals")):
                self.assertRegex(line, rf"^{name} +not read: no control plane: verifying module: checksum mismatch\b")
            self.assertEqual((tests / "tried").read_text(), "tried\n")

    def test_a_corpus(self):
        """Its answers of the release count, with the schemas of the newest cluster that is not newer."""
        with tempfile.TemporaryDirectory() as folder:
            shared = pathlib.Path(folder)
            for made in ("corpus/cel-1.37", "cluster/v1.36", "cluster/v1.38"):
                (shared / made).mkdir(parents=True)
            compare = shared / "corpus/compare"
            compare.write_text(f'#!/bin/sh\necho "$@" > {shared}/asked\n')
            compare.chmod(0o755)
            steps = [
                keep_up.corpus("cel", "celcheck", "cel"),
                keep_up.corpus("policies", "kubectl-vapcheck", "policies/golden.jsonl"),
            ]
            with mock.patch.object(keep_up, "SHARED", shared):
                status, lines, _ = self.keep_up(steps)
            self.assertIn(
                f"--kube-version 1.37 --schemas {shared}/corpus/../cluster/v1.36 ", (shared / "asked").read_text()
            )
            self.assertEqual((status, [line.split(" (the corpus")[0] for line in lines]), (2, [
                "corpus_cel     same",
                "corpus_policies not read: there are no answers of 1.37: no "
                f"{shared}/corpus/policies/golden-1.37.jsonl",
            ]))  # fmt: skip

    def test_changed_bundles(self):
        """Each place once, by the names of kinds and fields."""
        older, newer = (keep_up.BUNDLES / f"v1.{minor}.gz" for minor in (36, 37))
        self.assertEqual(keep_up.bundle_differences(newer, newer), [])
        found = keep_up.bundle_differences(newer, older)
        self.assertIn('/openapi/v3/api/v1 info version\n  theirs "1.37"\n  ours   "1.36"', found)
        places = [text.split("\n")[0] for text in found]
        self.assertEqual(len(places), len(set(places)))
        self.assertEqual(len(found), len(keep_up.bundle_differences(older, newer)))
        self.assertTrue(all("\n  theirs " in text and "\n  ours   " in text for text in found))

    def test_changed_functions(self):
        """A function that a level of golden/decls adds is a difference for the release before."""
        known = keep_up.known_functions(37)
        self.assertIn("list_includes", " ".join(keep_up.levels.changes(keep_up.known_functions(36), known)))
        self.assertEqual(keep_up.levels.changes(known, known), [])


if __name__ == "__main__":
    unittest.main()
