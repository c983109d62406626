#!/usr/bin/env python3
"""kubectl-vapcheck check: flags, inputs, schemas and output formats, with no cluster."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import stage

PROGRAM = stage.BIN / "kubectl-vapcheck"
EXAMPLES = stage.SOURCE / "manifests/examples"
WRONG = "object.replicas > 1"
RIGHT = "object.spec.replicas > 1"


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


class SchemasTest(Case):
    def test_bundled(self):
        """No schemas are named: those in the program, which are those of the file."""
        bundled = self.read("-f", EXAMPLES / "replicas.yaml", status=1)
        self.assertIn("undefined field 'replicas'", bundled["results"][0]["expressionWarnings"][0]["warning"])
        self.assertEqual(bundled, self.read("--schemas", stage.SCHEMAS, "-f", EXAMPLES / "replicas.yaml", status=1))

    def test_kube_version(self):
        path = self.write("p.json", stage.policy("p", RIGHT))
        for version in ("1.36", "v1.36"):
            self.read("--kube-version", version, "-f", path)
        status, out, err = self.check("--kube-version", "1.5", "-f", path)
        self.assertEqual((status, out), (2, ""))
        self.assertRegex(err, r'no schemas of "1\.5" are bundled; there are:.* 1\.36\n')
        status, out, err = self.check("--kube-version", "1.36", "--schemas", stage.SCHEMAS, "-f", path)
        self.assertEqual((status, out), (2, ""))
        self.assertIn("exclude each other", err)


class InputsTest(Case):
    def setUp(self):
        super().setUp()
        for name in ("d/b.yaml", "d/a.json", "d/c.yml", "d/below/e.yaml"):
            self.write(name, stage.policy("p-" + pathlib.Path(name).stem, RIGHT))
        self.write("d/other.txt", "no: [yaml")

    def test_directory(self):
        here = [("d/a.json", "p-a"), ("d/b.yaml", "p-b"), ("d/c.yml", "p-c")]
        self.assertEqual(self.names("-f", "d"), here)
        self.assertEqual(self.names("-f", "d/", "-f", "d/a.json"), here + here[:1])
        (self.directory / "d/below/loop").symlink_to("..")
        self.assertEqual(self.names("-R", "-f", "d"), here[:2] + [("d/below/e.yaml", "p-e")] + here[2:])

    def test_nothing_to_check(self):
        (self.directory / "empty").mkdir()
        error = self.read("-f", "empty", status=2)["errors"]
        self.assertEqual(error, [{"file": "empty", "message": "no file in this directory ends in .yaml, .yml or .json"}])
        status, out, err = self.check()
        self.assertEqual((status, out), (2, ""))
        self.assertIn("-f is required", err)
        self.assertEqual(self.check("d/a.json")[0], 2)

    def test_stdin(self):
        result = self.read("-f", "-", status=1, input=json.dumps(stage.policy("p", WRONG)))
        self.assertEqual([(r["file"], r["name"]) for r in result["results"]], [("-", "p")])
        self.assertEqual(self.read("-f", "-", input="")["results"], [])

    def test_errors(self):
        """What cannot be read is told, and the others are still checked."""
        self.write("d/broken.yaml", "a: b\nc: [\n")
        (self.directory / "d/nowhere.yaml").symlink_to("not-there")
        answer = self.read("-f", "missing.yaml", "-f", "d", status=2)
        self.assertEqual([r["name"] for r in answer["results"]], ["p-a", "p-b", "p-c"])
        errors = {e["file"]: e for e in answer["errors"]}
        self.assertEqual(sorted(errors), ["d/broken.yaml", "d/nowhere.yaml", "missing.yaml"])
        self.assertEqual(errors["missing.yaml"]["message"], "No such file or directory")
        self.assertEqual(errors["d/broken.yaml"]["line"], 3)
        _, _, err = self.check("-f", "missing.yaml")
        self.assertEqual(err, "missing.yaml: No such file or directory\n")

    def test_no_control_characters(self):
        """Neither a policy nor a file's name reaches the terminal with an escape sequence."""
        self.write("e\x1b[31m.json", stage.policy("p\x1b]0;title\x07\u009b", WRONG, WRONG + " // \u009b31m"))
        self.write("f\x1b[31m.yaml", "[")
        status, out, err = self.check("-f", ".")
        self.assertEqual(status, 2)
        self.assertIn("p\\x1b]0;title\\x07\\x9b", out)
        self.assertIn("f\\x1b[31m.yaml:", err)
        for character in out + err:
            self.assertTrue(character == "\n" or character.isprintable(), repr(character))


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C.UTF-8")
    unittest.main()
