#!/usr/bin/env python3
"""What the shells offer while a command line of kubectl-vapcheck is typed, each asked itself; and check -k."""

import os
import pathlib
import pty
import select
import shutil
import subprocess
import sys
import time
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import offline

WRONG = offline.HEAD + "  validations:\n  - expression: object.spec.replica < 5\n"


class Case(offline.Case):
    def setUp(self):
        super().setUp()
        self.bin = self.directory / "bin"
        self.bin.mkdir()
        (self.bin / "kubectl-vapcheck").symlink_to(offline.PROGRAM)
        self.environment = os.environ | {"PATH": f"{self.bin}:{os.environ['PATH']}", "HOME": str(self.directory),
                                         "LC_ALL": "C.UTF-8", "TERM": "dumb"}  # fmt: skip

    def run_program(self, *args, **more):
        return subprocess.run(args, capture_output=True, text=True, timeout=60, cwd=self.directory,
                              env=self.environment, **more)  # fmt: skip

    def script(self, shell):
        done = self.run_program("kubectl-vapcheck", "completion", shell)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout


class AnswerTest(Case):
    def answer(self, *words):
        """(candidates, number)"""
        lines = self.run_program("kubectl-vapcheck", "__complete", *words).stdout.splitlines()
        self.assertNotIn("", lines)
        return [line.split("\t")[0] for line in lines[:-1]], lines[-1]

    def test_commands(self):
        self.assertIn("check", self.answer()[0])
        self.assertEqual(self.answer("up"), (["upgrade"], ":4"))
        self.assertEqual(self.answer("no-such", "x"), ([], ":4"))

    def test_flags(self):
        self.assertEqual(self.answer("check", "--kub"), (["--kube-version", "--kubeconfig"], ":4"))
        self.assertEqual(self.answer("upgrade", "--fro"), (["--from"], ":4"))
        self.assertEqual(self.answer("version", "--"), (["--help"], ":4"))

    def test_values(self):
        self.assertEqual(self.answer("check", "-o", "s"), (["sarif"], ":4"))
        self.assertEqual(self.answer("check", "--output", "s"), (["sarif"], ":4"))
        self.assertEqual(self.answer("check", "--output=s"), (["--output=sarif"], ":4"))
        self.assertEqual(self.answer("status", "-o", ""), (["table", "wide", "json", "yaml"], ":4"))
        self.assertEqual(self.answer("check", "--ignore", "never-equal,nu"), (["never-equal,null-object"], ":4"))
        self.assertEqual(self.answer("check", "--kube-version", "1.36,1.35"), (["1.36,1.35"], ":4"))
        self.assertEqual(self.answer("upgrade", "--to=1.36"), (["--to=1.36"], ":4"))
        self.assertEqual(self.answer("explain", "null"), (["null-object"], ":4"))
        self.assertEqual(self.answer("completion", ""), (["bash", "fish", "kubectl", "zsh"], ":4"))
        # a flag without a value, and what follows a value
        self.assertEqual(self.answer("check", "-R", ""), ([], ":0"))
        self.assertEqual(self.answer("check", "-o", "text", ""), ([], ":0"))

    def test_files(self):
        for words in (("check", "-f", ""), ("check", "p"), ("upgrade", "--filename=x"), ("check", "--baseline", "")):
            self.assertEqual(self.answer(*words), ([], ":0"))
        for words in (("dump", ""), ("check", "--schemas", ""), ("check", "-k", "")):
            self.assertEqual(self.answer(*words), ([], ":16"))
        self.assertEqual(self.answer("status", ""), ([], ":4"))


class ShellTest(Case):
    def need(self, program):
        if shutil.which(program) is None:
            self.skipTest(f"there is no {program}")

    def test_fish(self):
        self.need("fish")
        self.write("script.fish", self.script("fish"))
        self.write("policies/p.yaml", "")

        def offers(line):
            done = self.run_program("fish", "--no-config", "-c", f"source script.fish; complete -C '{line}'")
            self.assertEqual(done.stderr, "")
            return [text.split("\t")[0] for text in done.stdout.splitlines()]

        self.assertEqual(offers("kubectl-vapcheck upg"), ["upgrade"])
        self.assertEqual(offers("kubectl-vapcheck check --ignore never-equal,nu"), ["never-equal,null-object"])
        self.assertEqual(offers("kubectl-vapcheck check -o "), ["github", "gitlab", "json", "junit", "sarif", "text"])
        self.assertEqual(offers("kubectl-vapcheck check -f pol"), ["policies/"])
        self.assertEqual(offers("kubectl-vapcheck dump pol"), ["policies/"])
        self.assertEqual(offers("kubectl-vapcheck status pol"), [])

    def zsh(self, line, expected):
        """Types the line and a tab into a zsh, until it shows what is expected."""
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.directory)
            os.execvpe("zsh", ["zsh", "-f", "-i"], self.environment)
        setup = "PS1='> '; fpath=($PWD/fpath $fpath); autoload -U compinit && compinit -u -D; echo rea''dy\n"
        seen, is_typed, end = b"", False, time.monotonic() + 30
        os.write(terminal, setup.encode())
        while expected not in seen and time.monotonic() < end:
            if select.select([terminal], [], [], 0.2)[0]:
                seen += os.read(terminal, 4096)
            elif b"ready" in seen and not is_typed:
                os.write(terminal, line.encode() + b"\t")
                is_typed, seen = True, b""
        os.close(terminal)
        os.waitpid(pid, 0)
        return seen

    def test_zsh(self):
        self.need("zsh")
        self.write("fpath/_kubectl-vapcheck", self.script("zsh"))
        self.write("policies/p.yaml", "")
        rows = (
            ("kubectl-vapcheck upg", b"upgrade"), ("kubectl-vapcheck check --warn", b"--warnings-scope"),
            ("kubectl-vapcheck check --ignore never-equal,nu", b"never-equal,null-object"),
            ("kubectl-vapcheck check -f pol", b"policies/"), ("kubectl-vapcheck dump pol", b"policies/"),
            ("kubectl-vapcheck check -o ", b"sarif"),
        )  # fmt: skip
        for line, expected in rows:
            self.assertIn(expected, self.zsh(line, expected), line)

    def test_kubectl(self):
        self.need("kubectl")
        program = self.write("bin/kubectl_complete-vapcheck", self.script("kubectl"))
        program.chmod(0o755)
        done = self.run_program("kubectl", "__complete", "vapcheck", "check", "--ignore", "nu")
        self.assertEqual(done.stdout.splitlines()[:1], ["null-object\tThe expression reads a field of null."])
        self.assertEqual(done.stdout.splitlines()[-1], ":4")


def unreadable(message):
    return f"error[unreadable-file]: {message}\n  --> overlay\n\n"


class KustomizeTest(Case):
    """Stand-ins: the real programs are not part of a test's machine."""

    def program(self, name, text):
        path = self.write(f"stand-in/{name}", "#!/bin/sh\n" + text)
        path.chmod(0o755)
        self.environment["PATH"] = str(path.parent)

    def kustomize(self, *args):
        done = self.run_program(offline.PROGRAM, "check", *(args or ["-k", "overlay"]))
        return done.returncode, done.stdout, done.stderr

    def test_kubectl_comes_first(self):
        self.write("made.yaml", WRONG)
        self.program("kustomize", "exit 9\n")
        self.program("kubectl", '[ "$*" = "kustomize overlay" ] && exec /bin/cat made.yaml\n')
        status, out, err = self.kustomize()
        self.assertEqual((status, err), (1, ""))
        self.assertIn("  --> overlay:9:29   policy p, spec.validations[0].expression\n", out)

    def test_kustomize(self):
        self.write("made.yaml", WRONG)
        self.program("kustomize", '[ "$*" = "build overlay" ] && exec /bin/cat made.yaml\n')
        self.assertEqual(self.kustomize()[0], 1)
        status, out, _ = self.kustomize(
            "-k", "overlay", "--kustomize=overlay", "--ignore=undefined-field,duplicate-object"
        )
        self.assertEqual((status, out.split(":")[0]), (0, "nothing found in 2 policies"))

    def test_failures(self):
        self.program("kubectl", "echo 'no kustomization\x1b[31m here' >&2; exit 1\n")
        status, _, err = self.kustomize()
        self.assertEqual((status, err), (2, unreadable("kubectl kustomize: no kustomization\\x1b[31m here")))
        self.program("kubectl", "exit 3\n")
        self.assertEqual(self.kustomize()[2], unreadable("kubectl kustomize: failed without a message"))
        (self.directory / "stand-in/kubectl").unlink()
        self.assertEqual(
            self.kustomize()[::2],
            (2, unreadable("to build a kustomization, kubectl or kustomize must be on the PATH")),
        )

    def test_the_real_one(self):
        if shutil.which("kubectl") is None:
            self.skipTest("there is no kubectl")
        self.write("overlay/p.yaml", WRONG)
        self.write("overlay/kustomization.yaml", "resources: [p.yaml]\nnamePrefix: my-\n")
        status, out, err = self.kustomize()
        self.assertEqual((status, err), (1, ""))
        self.assertIn("   policy my-p, spec.validations[0].expression\n", out)


if __name__ == "__main__":
    unittest.main()
