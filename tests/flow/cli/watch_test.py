#!/usr/bin/env python3
"""kubectl-vapcheck check --watch: checks again when a file changes, for as long as somebody looks."""

import os
import pathlib
import pty
import select
import signal
import subprocess
import sys
import time
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import offline

WRONG = offline.HEAD + "  validations:\n  - expression: object.spec.replica < 5\n"
RIGHT = WRONG.replace("replica ", "replicas ")
CLEAR = "\x1b[H\x1b[2J\x1b[3J"
# Far more than a check takes: on a machine that does other things, a test must not fail for that.
PATIENCE = 20


class WatchTest(offline.Case):
    def setUp(self):
        super().setUp()
        self.write("d/a.yaml", RIGHT.replace("name: p", "name: a"))
        self.write("d/below/b.yaml", RIGHT.replace("name: p", "name: b"))

    def begin(self, *args, is_terminal=False):
        """The command, running; `self.text` is what it prints from now on."""
        reader, writer = pty.openpty() if is_terminal else os.pipe()
        self.child = subprocess.Popen([offline.PROGRAM, "check", "--watch", *args], cwd=self.directory, stdout=writer,
                                      stderr=writer, stdin=subprocess.DEVNULL)  # fmt: skip
        os.close(writer)
        self.reader, self.text = reader, ""
        self.addCleanup(os.close, reader)
        self.addCleanup(self.child.wait)
        self.addCleanup(self.child.kill)

    def answer(self, end):
        """What is printed up to a line that begins so."""
        until = time.monotonic() + PATIENCE
        while not any(line.startswith(end) for line in self.text.splitlines()):
            if not select.select([self.reader], [], [], max(0, until - time.monotonic()))[0]:
                self.fail(f"no {end!r} in {self.text!r}")
            self.text += os.read(self.reader, 65536).decode()
        text, self.text = self.text, ""
        return text

    def is_quiet(self):
        return not select.select([self.reader], [], [], 0.3)[0]

    def test_changes(self):
        """Of a file, of its name, of directories; an editor may replace a file."""
        self.begin("d")
        self.assertIn("2 policies are clean", self.answer("Watching 2 files"))
        self.write("d/a.yaml", WRONG)
        self.assertIn("no field 'replica'", self.answer("Watching 2 files"))
        self.write("d/new", RIGHT)
        (self.directory / "d/new").rename(self.directory / "d/a.yaml")
        self.assertIn("2 policies are clean", self.answer("Watching 2 files"))
        self.write("d/more/deep/c.yaml", WRONG.replace("name: p", "name: c"))
        while "no field" not in self.answer("Watching "):
            pass
        self.write("d/more/deep/c.yaml", RIGHT.replace("name: p", "name: c"))
        self.assertIn("3 policies are clean", self.answer("Watching 3 files"))
        (self.directory / "d/a.yaml").unlink()
        self.assertIn("2 policies are clean", self.answer("Watching 2 files"))
        self.write("d/a.yaml", "a: [\n")
        self.assertIn("a.yaml:2:1\n", self.answer("Watching 3 files"))
        self.assertIsNone(self.child.poll())

    def test_files_that_stay(self):
        """A file that did not change is not parsed again; one of the same size and name is another."""
        time.sleep(2.1)  # files that are younger are read again
        self.begin("d")
        self.answer("Watching 2 files")
        self.write("d/below/b.yaml", WRONG.replace("name: p", "name: b"))
        self.assertIn(
            "no field 'replica' in Deployment (apps/v1)\n  --> d/below/b.yaml", self.answer("Watching 2 files")
        )
        time.sleep(2.1)
        same = WRONG.replace("name: p", "name: a")
        self.write("d/a.yaml", same)
        self.assertIn("2 errors in 2 policies", self.answer("Watching 2 files"))
        self.write("d/a.yaml", same.replace("replica <", "replicb <"))
        self.assertIn("no field 'replicb'", self.answer("Watching 2 files"))
        self.write("d/new", same)
        (self.directory / "d/new").rename(self.directory / "d/a.yaml")
        self.assertIn("no field 'replica'", self.answer("Watching 2 files"))

    def test_proofs_that_stay(self):
        """Advice is proved again only where the policy changed, or where a definition may have."""
        advised = RIGHT.replace("object.spec.replicas < 5", "object.spec.minReadySeconds < 5")
        example = "for example: CREATE of apps/v1 deployments"
        self.write("d/a.yaml", advised.replace("name: p", "name: a"))
        self.begin("d")
        first = self.answer("Watching 2 files")
        self.assertIn(example, first)
        self.write("d/below/b.yaml", advised.replace("name: p", "name: b").replace("< 5", "< 6"))
        self.assertEqual(self.answer("Watching 2 files").count(example), 2)
        self.write("d/below/b.yaml", RIGHT.replace("name: p", "name: b"))
        self.assertEqual(self.answer("Watching 2 files"), first)
        tested = advised.replace("name: p", "name: a")
        self.write("d/a.yaml", tested.replace(": object", ": has(object.spec.minReadySeconds) && object"))
        self.assertNotIn(example, self.answer("Watching 2 files"))

    def test_what_is_no_change(self):
        """Its own output in the directory, for one."""
        self.begin("d")
        self.answer("Watching 2 files")
        self.write("d/output.txt", "a")
        (self.directory / "d/a.yaml").read_text()
        self.assertTrue(self.is_quiet())

    def test_named_files(self):
        self.begin("d/a.yaml", "-q")
        self.write("d/a.yaml", WRONG)
        self.assertIn("no field", self.answer("  --> d/a.yaml:9:"))

    def test_the_screen(self):
        """It is cleared at once with the new answer, not before."""
        self.begin("d", is_terminal=True)
        text = self.answer("Watching 2 files")
        self.assertEqual((text[: len(CLEAR)], text.count(CLEAR)), (CLEAR, 1))
        self.write("d/a.yaml", "a: [\n")
        text = self.answer("Watching 2 files")
        self.assertEqual((text[: len(CLEAR)], text.count(CLEAR)), (CLEAR, 1))
        self.assertIn("a.yaml:2:1\r\n", text)

    def test_several_versions(self):
        self.begin("d", "--kube-version=1.36,1.37")
        self.answer("Watching 2 files")
        self.write("d/a.yaml", WRONG)
        self.assertIn("warnings", self.answer("Watching 2 files"))

    def test_a_baseline(self):
        """What is stale is found anew in each run."""
        self.write("d/a.yaml", WRONG)
        self.check("--write-baseline=old.txt", "d")
        self.begin("d", "--baseline=old.txt")
        self.assertNotIn("does not occur", self.answer("Watching "))
        self.write("d/a.yaml", RIGHT)
        self.assertIn("does not occur", self.answer("Watching "))
        self.write("d/a.yaml", WRONG)
        self.assertNotIn("does not occur", self.answer("Watching "))

    def test_the_end(self):
        self.begin("d")
        self.answer("Watching 2 files")
        self.child.send_signal(signal.SIGINT)
        self.assertEqual(self.child.wait(PATIENCE), -signal.SIGINT)

    def test_usage(self):
        for args, message in (
            (["-f", "-"], "--watch needs files or directories"),
            (["d", "-o", "json"], "--watch works only with -o text"),
            (["d", "--write-baseline=x"], "--watch and --write-baseline cannot be used together"),
        ):
            self.assertEqual(self.check("-w", *args), (2, "", f"kubectl-vapcheck check: {message}\n"))

    def test_how_soon(self):
        """The median of five changes, printed; the time of a loaded machine is no mistake of the program."""
        self.begin("d")
        self.answer("Watching ")
        times = []
        for n in range(5):
            began = time.monotonic()
            self.write("d/a.yaml", (WRONG, RIGHT)[n % 2])
            self.answer("Watching ")
            times.append(time.monotonic() - began)
        print(f"an answer after {1000 * sorted(times)[2]:.0f} ms")
        self.assertLess(sorted(times)[2], 5)


if __name__ == "__main__":
    unittest.main()
