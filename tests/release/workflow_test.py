#!/usr/bin/env python3
"""The workflow that publishes a release, as far as it can be tried without the publisher's account."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/flow"))
import pypi  # noqa: E402

pypi.require("integrations", "pre-commit==4.0.1", "PyYAML==6.0.2")

import yaml  # noqa: E402

WORKFLOW = ROOT / ".github/workflows/release.yml"
CHANGELOG = """# Changelog

## 0.2.0 (2027-01-01)
- Two.

## 0.1.0 (2026-12-01)
- One.

## 0.1.0-rc (2026-11-01)
- None.
"""


def steps():
    return yaml.safe_load(WORKFLOW.read_text())["jobs"]["release"]["steps"]


class WorkflowTest(unittest.TestCase):
    def test_actionlint_has_no_objection(self):
        """It reads expressions, contexts and the inputs of actions; what it cannot run (shellcheck) is left out."""
        done = subprocess.run([ROOT / "tests/support/actionlint", "-shellcheck=", "-pyflakes=", WORKFLOW],
                              capture_output=True, text=True, check=False)  # fmt: skip
        if done.returncode == 77:
            self.skipTest(done.stderr)
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_actions_are_pinned_by_commit(self):
        used = [step["uses"] for step in steps() if "uses" in step]
        self.assertEqual(len(used), 3)
        for action in used:
            self.assertRegex(action, r"^[\w-]+/[\w-]+@[0-9a-f]{40}$")

    def test_scripts_have_no_mistake_of_syntax(self):
        for script in (step["run"] for step in steps() if "run" in step):
            done = subprocess.run(["bash", "-n"], input=re.sub(r"\$\{\{.*?\}\}", "x", script), capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""), script)

    def test_the_release_page_has_the_changes_of_its_version(self):
        [script] = [step["run"] for step in steps() if step.get("name") == "The release page"]
        for changelog, wanted in ((CHANGELOG, "- One.\n"), (CHANGELOG.replace("## 0.1.0 ", "## 0.1.1 "), None)):
            with tempfile.TemporaryDirectory() as name:
                directory = pathlib.Path(name)
                (directory / "CHANGELOG.md").write_text(changelog)
                (directory / "gh").write_text("#!/bin/sh\ncat notes.md > said\n")
                (directory / "gh").chmod(0o755)
                done = subprocess.run(["bash", "-eo", "pipefail", "-c", script], cwd=directory, check=False,
                                      env={"PATH": f"{name}:{os.environ['PATH']}", "VERSION": "v0.1.0"})  # fmt: skip
                said = directory / "said"
                self.assertEqual((done.returncode == 0, said.read_text().strip() + "\n" if said.exists() else None),
                                 (wanted is not None, wanted))  # fmt: skip


if __name__ == "__main__":
    unittest.main()
