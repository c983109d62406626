#!/usr/bin/env python3
"""kubectl-vapcheck check: --exclude, and what .vapcheck.yaml says for a directory of manifests."""

import os
import pathlib
import subprocess
import unittest

import offline

WRONG = offline.HEAD + "  validations:\n  - expression: object.spec.replica < 5\n"
RIGHT = offline.HEAD + "  validations:\n  - expression: object.spec.replicas < 5\n"


class Case(offline.Case):
    def setUp(self):
        super().setUp()
        for name in ("a.yaml", "sub/b.yaml", "sub/testdata/c.yaml", "other/d.yaml"):
            self.write(name, RIGHT.replace("name: p", "name: " + pathlib.Path(name).stem))

    def run_in(self, directory, *args):
        """(status, stdout, stderr) of check in a directory of the test's."""
        done = subprocess.run([offline.PROGRAM, "check", *args], capture_output=True, text=True, timeout=60,
                              cwd=self.directory / directory)  # fmt: skip
        return done.returncode, done.stdout, done.stderr

    def names_in(self, directory, *args):
        status, out, err = self.run_in(directory, "-o", "json", *args)
        self.assertEqual((status, err), (0, ""))
        return sorted(r["name"] for r in offline.json.loads(out)["results"])


class ExcludeTest(Case):
    def test_patterns(self):
        rows = (
            (["testdata"], "abd"), (["testdata/"], "abd"), (["c.yaml"], "abd"), (["*.yaml"], ""), (["sub"], "ad"),
            (["sub/*.yaml"], "acd"), (["sub/**"], "ad"), (["**/testdata"], "abd"), (["**/c.yaml"], "abd"),
            (["sub/**/c.yaml"], "abd"), (["/sub"], "ad"), (["/b.yaml"], "abcd"), (["./sub/b.yaml"], "acd"),
            (["sub/testdata/c.yaml"], "abd"), (["estdata"], "abcd"), (["[ab].yaml"], "cd"), (["?.yaml"], ""),
            (["sub", "other"], "a"), (["sub/../other"], "abcd"), (["**"], ""), (["nowhere/**/x"], "abcd"),
        )  # fmt: skip
        for patterns, left in rows:
            with self.subTest(patterns):
                flags = [f"--exclude={p}" for p in patterns]
                self.assertEqual(self.names_in(".", "-R", ".", *flags), list(left))

    def test_named_files(self):
        """pre-commit names each file."""
        self.assertEqual(self.names_in(".", "a.yaml", "sub/testdata/c.yaml", "--exclude=testdata"), ["a"])
        self.assertEqual(self.names_in("sub", "../a.yaml", "testdata/c.yaml", "--exclude=testdata/c.yaml"), ["a"])
        self.assertEqual(
            self.names_in(".", str(self.directory / "sub/b.yaml"), "a.yaml", "--exclude=sub/b.yaml"), ["a"]
        )

    def test_summary(self):
        _, out, _ = self.check("-R", ".", "--exclude=testdata", "--exclude=a.yaml")
        self.assertEqual(out, "2 policies: 0 with warnings, 2 clean, 0 not fully checked; 2 paths excluded\n")
        self.assertEqual(
            self.read("-R", ".", "--exclude=testdata")["suppressed"],
            {"findings": 0, "objects": 0, "paths": 1, "stale": []},
        )

    def test_all_is_excluded(self):
        status, out, err = self.check("-R", ".", "--exclude=*.yaml")
        self.assertEqual((status, err), (0, ""))
        self.assertIn("[nothing-checked]", out)
        self.assertIn("; 4 paths excluded", out)


class FilesTest(Case):
    def test_commas(self):
        self.assertEqual(self.names_in(".", "-f", "a.yaml,other/d.yaml"), ["a", "d"])
        self.write("x,y.yaml", RIGHT.replace("name: p", "name: xy"))
        self.assertEqual(self.names_in(".", "-f", "x,y.yaml"), ["xy"])
        status, _, err = self.check("-f", "a.yaml,,other/d.yaml")
        self.assertEqual((status, err), (2, "kubectl-vapcheck check: the name of a file is empty\n"))


class ConfigTest(Case):
    def config(self, text, name=".vapcheck.yaml"):
        self.write(name, text)

    def test_files(self):
        self.config("files: [sub, other/d.yaml]\n")
        self.assertEqual(self.names_in("."), ["b", "c", "d"])
        self.assertEqual(self.names_in("sub/testdata"), ["b", "c", "d"])
        self.assertEqual(self.names_in(".", "a.yaml"), ["a"])
        self.config("files: sub\n")
        self.assertEqual(self.names_in("."), ["b", "c"])
        self.assertEqual(self.run_in("other", "--no-config")[0], 2)

    def test_places_are_of_the_working_directory(self):
        self.config("files: [sub]\n")
        self.write("sub/b.yaml", WRONG)
        self.assertIn("../sub/b.yaml:9:28: p: ", self.run_in("other")[1])

    def test_excludes(self):
        self.config("excludes: [testdata, sub/b.yaml]\n")
        self.assertEqual(self.names_in(".", "-R", "."), ["a", "d"])
        self.assertEqual(self.names_in("sub", "-R", "..", "b.yaml"), ["a", "d"])
        self.assertEqual(self.names_in(".", "-R", ".", "--exclude=d.yaml"), ["a", "b", "c"])
        self.assertEqual(self.names_in(".", "-R", ".", "--no-config"), ["a", "b", "c", "d"])

    def test_the_nearest_one(self):
        self.config("ignore: [undefined-field]\n")
        self.config("{}\n", "sub/.vapcheck.yaml")
        self.write("sub/b.yaml", WRONG)
        self.assertEqual(self.run_in(".", "sub/b.yaml")[0], 0)
        self.assertEqual(self.run_in("sub", "b.yaml")[0], 1)

    def test_ignore_and_select(self):
        self.write("a.yaml", WRONG)
        self.config("ignore: undefined-field, never-equal\n")
        self.assertEqual(self.check("a.yaml")[0], 0)
        self.assertEqual(self.check("a.yaml", "--ignore=never-equal")[0], 1)
        self.config("select:\n- never-equal\n- null-object\n")
        self.assertEqual(self.check("a.yaml")[0], 0)
        self.assertEqual(self.check("a.yaml", "--select=undefined-field")[0], 1)

    def test_versions(self):
        # a number is read as it is written: 1.30 is no 1.3
        for value in ("1.30", "[1.30]", "'1.30'", "[1.30, 1.36]", "1.30-1.31"):
            self.config(f"kube-versions: {value}\n")
            status, out, err = self.check("a.yaml", "-o", "json")
            self.assertEqual((status, err), (0, ""), value)
            versions = offline.json.loads(out).get("kubeVersions")
            self.assertEqual(
                versions, {"[1.30, 1.36]": ["1.30", "1.36"], "1.30-1.31": ["1.30", "1.31"]}.get(value), value
            )
            self.assertEqual(self.check("a.yaml", "--kube-version=1.36")[0], 0)

    def test_schemas(self):
        self.config("schemas: nowhere\n")
        status, _, err = self.run_in("sub", "b.yaml")
        self.assertEqual(status, 2)
        self.assertIn("../nowhere", err)
        self.assertEqual(self.run_in("sub", "b.yaml", "--kube-version=1.36")[0], 0)

    def test_errors(self):
        rows = (
            ("exclude: [a]\n", '1:1: unknown key "exclude", did you mean excludes?'),
            ("files: [a.yaml]\nwhatever: 1\n",
             '2:1: unknown key "whatever"; the keys are files, excludes, kube-versions, schemas, select, ignore'),
            ("ignore:\n- never-equals\n", '2:3: "never-equals" is no finding, did you mean never-equal?'),
            ("ignore: refused\n", "1:9: refused cannot be ignored: it is always reported"),
            ("select: defaults\n", '1:9: "defaults" is no finding, did you mean default?'),
            ("files: {a: b}\n", "1:8: files must be a text or a list of texts"),
            ("files: [[a]]\n", "1:9: files must be a text or a list of texts"),
            ("ignore:\n", "1:8: ignore must be a text or a list of texts"),
            ("- a\n", "1:1: the file must be one mapping"),
            ("kube-versions: 2.0\n", "1:16: the program has no schemas of \"2.0\"; it has those of: 1.30"),
            ("files: [\n", "2:1: did not find expected node content"),
            ("ignore: never-equal\nignore: never-equal\n", "2:1: "),
        )  # fmt: skip
        for text, message in rows:
            with self.subTest(text):
                self.config(text)
                status, out, err = self.run_in("sub", "b.yaml")
                self.assertEqual((status, out), (2, ""))
                self.assertIn(f"kubectl-vapcheck check: ../.vapcheck.yaml:{message}", err)
        self.assertEqual(self.run_in("sub", "b.yaml", "--no-config")[0], 0)

    def test_what_is_no_file(self):
        os.mkdir(self.directory / ".vapcheck.yaml")
        self.assertEqual(self.check("a.yaml")[0], 2)
        os.rmdir(self.directory / ".vapcheck.yaml")
        self.config("")
        self.assertEqual(self.check("a.yaml")[0], 0)


if __name__ == "__main__":
    unittest.main()
