#!/usr/bin/env python3
"""The workflows: the one that publishes a release as far as it can be tried without the publisher's account."""

import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/flow"))
import pypi

pypi.require("integrations", "pre-commit==4.0.1", "PyYAML==6.0.2")

import yaml

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
WORKFLOW = ROOT / ".github/workflows/release.yml"
CHANGELOG = """# Changelog

## 0.2.0 (2027-01-01)
- Two.

## 0.1.0 (2026-12-01)
- One.

## 0.1.0-rc (2026-11-01)
- None.
"""


def jobs():
    return yaml.safe_load(WORKFLOW.read_text())["jobs"]


def steps():
    return [step for job in jobs().values() for step in job["steps"]]


class WorkflowTest(unittest.TestCase):
    def test_actionlint_has_no_objection(self):
        """It reads expressions, contexts and the inputs of actions; what it cannot run (shellcheck) is left out."""
        command = [ROOT / "tests/support/actionlint", "-shellcheck=", "-pyflakes=", *WORKFLOWS]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode == 77:
            self.skipTest(done.stderr)
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_actions_are_pinned_by_commit(self):
        used = {use for path in WORKFLOWS for use in re.findall(r"^ *(?:- )?uses: (\S+)", path.read_text(), re.M)}
        self.assertEqual(len(used), 7)
        for action in used:
            self.assertRegex(action, r"^[\w-]+/[\w-]+@[0-9a-f]{40}$")

    def test_nothing_is_published_before_it_ran(self):
        """And only the job that publishes may write anything."""
        found = jobs()
        self.assertEqual({name: job.get("needs", []) for name, job in found.items()},
                         {"make": [], "macos": "make", "publish": ["make", "macos"], "pages": "publish"})  # fmt: skip
        rights = {
            name: {right for right, access in job["permissions"].items() if access == "write"}
            for name, job in found.items()
        }
        publish = {"contents", "packages", "id-token", "attestations"}
        pages = {"pages", "id-token"}
        self.assertEqual(rights, {"make": set(), "macos": set(), "publish": publish, "pages": pages})

    def test_the_page_is_the_one_that_was_made(self):
        [script] = [step["run"] for step in jobs()["pages"]["steps"] if step.get("name") == "The playground"]
        with tempfile.TemporaryDirectory() as name:
            directory = pathlib.Path(name)
            (directory / "dist").mkdir()
            (directory / "index.html").write_text("the page")
            archive = directory / "dist/vapcheck-playground.tar.gz"
            with tarfile.open(archive, "w:gz") as tar:
                tar.add(directory / "index.html", "./index.html")
            digest = hashlib.sha256(archive.read_bytes()).hexdigest()
            for sums, is_taken in ((digest, True), ("0" * 64, False)):
                shutil.rmtree(directory / "page", ignore_errors=True)
                (directory / "dist/SHA256SUMS").write_text(f"{sums}  {archive.name}\n")
                done = subprocess.run(["bash", "-eo", "pipefail", "-c", script], cwd=directory, capture_output=True)
                self.assertEqual((done.returncode == 0, (directory / "page/index.html").exists()), (is_taken, is_taken))

    def test_the_program_of_a_machine_works(self):
        """The step for macOS, on this machine: a release page of files, and the program that runs here."""
        [script] = [step["run"] for step in jobs()["macos"]["steps"] if step.get("name") == "The program works"]
        with tempfile.TemporaryDirectory() as name:
            directory = pathlib.Path(name)
            (directory / "dist").mkdir()
            (directory / "uname").write_text('#!/bin/sh\n[ "$1" = -m ] && echo arm64 || echo Darwin\n')
            (directory / "uname").chmod(0o755)
            archive = directory / "dist/kubectl-vapcheck-darwin-arm64.tar.gz"
            with tarfile.open(archive, "w:gz", compresslevel=1) as tar:
                tar.add(pathlib.Path(os.environ["VAPCHECK_BIN"], "kubectl-vapcheck"), "./kubectl-vapcheck")
            digest = hashlib.sha256(archive.read_bytes()).hexdigest()
            (directory / "dist/SHA256SUMS").write_text(f"{digest}  {archive.name}\n")
            for path in ("manifests", "tests", "CMakeLists.txt"):
                (directory / path).symlink_to(ROOT / path)
            environment = {**os.environ, "XDG_CACHE_HOME": name, "PATH": f"{name}:{os.environ['PATH']}"}
            for arch, status, said in (("arm64", 0, "works on Darwin arm64"), ("amd64", 1, "")):
                done = subprocess.run(
                    ["bash", "-eo", "pipefail", "-c", script],
                    cwd=directory,
                    check=False,
                    capture_output=True,
                    text=True,
                    env={**environment, "ARCH": arch},
                )
                self.assertEqual((done.returncode, done.stderr), (status, ""))
                self.assertIn(said, done.stdout)

    def test_scripts_have_no_mistake_of_syntax(self):
        for script in (step["run"] for step in steps() if "run" in step):
            done = subprocess.run(
                ["bash", "-n"], input=re.sub(r"\$\{\{.*?\}\}", "x", script), capture_output=True, text=True, check=False
            )
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
