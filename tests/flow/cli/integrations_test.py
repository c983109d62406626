#!/usr/bin/env python3
"""The pre-commit hook, run by pre-commit, and the GitHub Action's steps, run as a runner would."""

import hashlib
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import pypi
import stage

PACKAGES = pypi.require("integrations", "pre-commit==4.0.1", "PyYAML==6.0.2")

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[3]
WRONG = "object.replicas > 1"
RIGHT = "object.spec.replicas > 1"


class Case(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="vapcheck-"))
        self.addCleanup(shutil.rmtree, self.directory)
        self.project = self.directory / "project"
        self.project.mkdir()
        self.page = self.directory / "page"
        self.page.mkdir()
        arch = {"x86_64": "amd64", "aarch64": "arm64"}[platform.machine()]
        self.archive = self.page / f"kubectl-vapcheck-linux-{arch}.tar.gz"
        with tarfile.open(self.archive, "w:gz", compresslevel=1) as archive:
            archive.add(stage.BIN / "kubectl-vapcheck", "./kubectl-vapcheck")
        self.write_sums()
        self.downloads = {"VAPCHECK_DOWNLOADS": self.page.as_uri(), "XDG_CACHE_HOME": str(self.directory / "cache")}

    def write_sums(self):
        digest = hashlib.sha256(self.archive.read_bytes()).hexdigest()
        (self.page / "SHA256SUMS").write_text(f"{digest}  {self.archive.name}\n")

    def write_policy(self, expression):
        (self.project / "policy.json").write_text(json.dumps(stage.policy("p", expression)))


class PreCommitTest(Case):
    def git(self, directory, *args):
        environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
        identity = ["-c", "user.name=t", "-c", "user.email=t@localhost"]
        done = subprocess.run(
            ["git", *identity, *args], cwd=directory, env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    def setUp(self):
        super().setUp()
        hooks = self.directory / "hooks"
        hooks.mkdir()
        (hooks / "manifests/release").mkdir(parents=True)
        for name in (
            ".pre-commit-hooks.yaml",
            "CMakeLists.txt",
            "manifests/release/install",
            "manifests/release/pre-commit",
        ):
            shutil.copy(ROOT / name, hooks / name)
        for directory in hooks, self.project:
            self.git(directory, "init", "-q")
        self.git(hooks, "add", "-A")
        self.git(hooks, "commit", "-qm", "hooks")
        config = {
            "repos": [{"repo": str(hooks), "rev": self.git(hooks, "rev-parse", "HEAD"), "hooks": [{"id": "vapcheck"}]}]
        }
        (self.project / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))

    def run_hook(self, expression, hook="vapcheck"):
        config = self.project / ".pre-commit-config.yaml"
        config.write_text(config.read_text().replace("id: vapcheck\n", f"id: {hook}\n"))
        self.write_policy(expression)
        self.git(self.project, "add", "-A")
        environment = {
            **os.environ,
            **self.downloads,
            "PYTHONPATH": str(PACKAGES),
            "PRE_COMMIT_HOME": str(self.directory / "home"),
            "PATH": f"{stage.BIN}:{os.environ['PATH']}",
            "GIT_CONFIG_GLOBAL": "/dev/null",
        }
        return subprocess.run(
            [sys.executable, "-m", "pre_commit", "run", "--all-files", "--color=never"],
            cwd=self.project,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
        )

    def test_a_wrong_policy_is_not_committed(self):
        done = self.run_hook(WRONG)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("no field 'replicas'", done.stdout)

    def test_the_program_on_the_path(self):
        shutil.rmtree(self.page)
        self.assertEqual(self.run_hook(WRONG, "vapcheck-system").returncode, 1)

    def test_a_right_one_is(self):
        done = self.run_hook(RIGHT)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("Passed", done.stdout)


class ActionTest(Case):
    def setUp(self):
        super().setUp()
        self.action = yaml.safe_load((ROOT / "action.yml").read_text())
        self.inputs = {name: value["default"] for name, value in self.action["inputs"].items()}

    def expand(self, text):
        """What ${{ }} stands for."""
        for name, value in self.inputs.items():
            text = text.replace("${{ inputs.%s }}" % name, value)
        self.assertNotIn("${{", text)
        return text

    def run_check(self, **inputs):
        self.inputs.update({name.replace("_", "-"): value for name, value in inputs.items()})
        for step in self.action["runs"]["steps"]:
            done = self.run_step(step)
            if done.returncode != 0:
                break
        return done

    def run_step(self, step):
        environment = {**os.environ, **self.downloads, "GITHUB_ACTION_PATH": str(ROOT)}
        environment |= {name: self.expand(value) for name, value in step.get("env", {}).items()}
        self.assertNotIn("${{", step["run"])  # what a pull request brings is no part of a script
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.project,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
        )

    def test_annotations(self):
        self.write_policy(WRONG)
        done = self.run_check()
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stdout, r"(?m)^::error file=.*policy\.json,line=\d+")
        self.assertEqual(self.run_check(fail_on="never").returncode, 0)

    def test_clean(self):
        self.write_policy(RIGHT)
        self.assertEqual(self.run_check().returncode, 0)
        self.assertEqual(self.run_check(kube_version="1.34", path="policy.json").returncode, 0)
        self.assertEqual(self.run_check(kube_version="0.9").returncode, 2)

    def test_a_system_without_a_program(self):
        """Windows: the npm package, which Node runs. Here the Node is a script that runs the program."""
        self.write_policy(WRONG)
        tools = self.directory / "tools"
        tools.mkdir()
        for name, script in (
            ("uname", '[ "$1" = -m ] && echo x86_64 || echo MINGW64_NT-10.0'),
            ("node", f'[ "$(cat "$1")" = module ] && shift && exec {stage.BIN}/kubectl-vapcheck "$@"'),
        ):
            (tools / name).write_text(f"#!/bin/sh\n{script}\n")
            (tools / name).chmod(0o755)
        version = re.search(r"project\(vapcheck VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
        module = self.directory / "kubectl-vapcheck.mjs"
        module.write_text("module")
        self.archive = self.page / f"kubectl-vapcheck-{version}.tgz"
        with tarfile.open(self.archive, "w:gz") as archive:
            archive.add(module, "package/kubectl-vapcheck.mjs")
        self.write_sums()
        self.downloads["PATH"] = f"{tools}:{os.environ['PATH']}"
        for _ in range(2):  # the second time from the cache
            done = self.run_check()
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertRegex(done.stdout, r"(?m)^::error file=.*policy\.json,line=\d+")
        (tools / "node").unlink()
        self.downloads["PATH"] = f"{tools}:/usr/bin:/bin"
        if not shutil.which("node", path=self.downloads["PATH"]):
            self.assertIn("the npm package needs Node", self.run_check().stderr)

    def test_what_is_not_the_release_is_not_run(self):
        self.write_policy(RIGHT)
        self.archive.write_bytes(self.archive.read_bytes() + b"\0")
        done = self.run_check()
        self.assertEqual(done.returncode, 1)
        self.assertIn("is not what its SHA256SUMS says", done.stderr)
        self.archive.unlink()
        done = self.run_check()
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot be downloaded", done.stderr)


if __name__ == "__main__":
    unittest.main()
