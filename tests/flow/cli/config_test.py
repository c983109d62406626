#!/usr/bin/env python3
"""kubectl-vapcheck check: --exclude, and what .vapcheck.yaml says for a directory of manifests."""

import os
import pathlib
import re
import subprocess
import sys
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
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
                self.assertEqual(self.names_in(".", ".", "--allow-empty", *flags), list(left))

    def test_named_files(self):
        """pre-commit names each file."""
        self.assertEqual(self.names_in(".", "a.yaml", "sub/testdata/c.yaml", "--exclude=testdata"), ["a"])
        self.assertEqual(self.names_in("sub", "../a.yaml", "testdata/c.yaml", "--exclude=testdata/c.yaml"), ["a"])
        self.assertEqual(
            self.names_in(".", str(self.directory / "sub/b.yaml"), "a.yaml", "--exclude=sub/b.yaml"), ["a"]
        )

    def test_summary(self):
        _, out, _ = self.check("-R", ".", "--exclude=testdata", "--exclude=a.yaml")
        self.assertEqual(
            out,
            "nothing found in 2 policies: 2 policies are clean (Kubernetes 1.37, built-in schemas). "
            "2 paths excluded.\n",
        )
        self.assertEqual(
            self.read("-R", ".", "--exclude=testdata")["suppressed"],
            {"findings": 0, "objects": 0, "paths": 1, "stale": []},
        )

    def test_all_is_excluded(self):
        status, out, err = self.check("-R", ".", "--exclude=*.yaml")
        self.assertEqual((status, err), (1, ""))
        self.assertIn("[nothing-checked]", out)
        self.assertIn(" 4 paths excluded.", out)


class FilesTest(Case):
    def test_commas(self):
        self.assertEqual(self.names_in(".", "-f", "a.yaml,other/d.yaml"), ["a", "d"])
        self.write("x,y.yaml", RIGHT.replace("name: p", "name: xy"))
        self.assertEqual(self.names_in(".", "-f", "x,y.yaml"), ["xy"])
        status, _, err = self.check("-f", "a.yaml,,other/d.yaml")
        self.assertEqual((status, err), (2, "kubectl-vapcheck check: the name of a file is empty\n"))


class ChangedTest(Case):
    """--changed: only what git says was changed is checked; the rest is read for its types and bindings."""

    def git(self, *args):
        identity = ("-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *identity, *args], cwd=self.directory, check=True, capture_output=True)

    def setUp(self):
        super().setUp()
        self.git("init", "-q", "-b", "main")
        self.git("add", "-A")
        self.git("commit", "-qm", "one")

    def changed(self, directory=".", *args, flag="--changed", status=0):
        answer, out, err = self.run_in(directory, "-o", "json", flag, *args)
        self.assertEqual((answer, err), (status, ""))
        return sorted(r["name"] for r in offline.json.loads(out)["results"])

    def test_the_working_tree(self):
        self.assertEqual(self.changed(), [])
        self.assertIn("note[nothing-checked]: no file that was changed has an object", self.run_in(".", "--changed")[1])
        self.write("sub/b.yaml", WRONG)
        self.write("a.yaml", RIGHT.replace("name: p", "name: a") + "# more\n")
        self.git("add", "a.yaml")
        self.write("new/f \u00e9.yaml", RIGHT.replace("name: p", "name: f"))
        self.assertEqual(self.changed(status=1), ["a", "f", "p"])
        self.assertEqual(self.changed("other"), [])
        self.assertEqual(self.changed("sub", "..", status=1), ["a", "f", "p"])
        self.assertEqual(self.changed(".", "a.yaml", "other"), ["a"])
        self.write(".gitignore", "new/\n")
        self.assertEqual(self.changed(status=1), ["a", "p"])
        (self.directory / "a.yaml").unlink()
        self.assertEqual(self.changed(status=1), ["p"])

    def test_since_a_revision(self):
        """What the other branch changed meanwhile is not ours."""
        self.git("switch", "-qc", "ours")
        self.write("a.yaml", RIGHT.replace("name: p", "name: a2"))
        self.git("commit", "-qam", "two")
        self.git("switch", "-q", "main")
        self.write("other/d.yaml", RIGHT.replace("name: p", "name: d2"))
        self.git("commit", "-qam", "three")
        self.git("switch", "-q", "ours")
        self.assertEqual(self.changed(), [])
        self.assertEqual(self.changed(flag="--changed=main"), ["a2"])
        self.assertEqual(self.changed(flag="--changed=HEAD~1"), ["a2"])

    def test_the_others_count_as_context(self):
        """A definition gives its types, a policy its name; what is wrong with either is not reported."""
        binding = {
            "apiVersion": "admissionregistration.k8s.io/v1",
            "kind": "ValidatingAdmissionPolicyBinding",
            "metadata": {"name": "bind"},
            "spec": {"policyName": "a", "validationActions": ["Warn"]},
        }
        self.write("sub/b.yaml", WRONG)
        self.write("broken.yaml", "a: [\n")
        self.git("add", "-A")
        self.git("commit", "-qm", "wrong")
        self.write("new.json", binding)
        self.assertEqual(self.changed(), ["bind"])
        self.assertEqual(self.run_in(".", "--changed", "--kube-version=1.36,1.37")[0], 0)

    def test_errors(self):
        rows = (
            ("--changed=nowhere", "kubectl-vapcheck check: git diff: fatal: "),
            ("--changed=-x", 'kubectl-vapcheck check: --changed: "-x" is no revision'),
            ("--changed=", 'kubectl-vapcheck check: --changed: "" is no revision'),
        )
        for flag, message in rows:
            status, out, err = self.run_in(".", flag)
            self.assertEqual((status, out), (2, ""))
            self.assertTrue(err.startswith(message), err)
        (self.directory / ".git").rename(self.directory / "git")
        status, _, err = self.run_in(".", "--changed")
        self.assertEqual(status, 2)
        self.assertIn("git rev-parse: fatal: not a git repository", err)


class InitTest(Case):
    """What it prints is what the other commands read."""

    def init(self, *args, status=0):
        done = subprocess.run([offline.PROGRAM, "init", *args], capture_output=True, text=True, timeout=60,
                              cwd=self.directory)  # fmt: skip
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout, done.stderr

    def test_what_is_found(self):
        self.write("sub/x.yaml", "kind: ConfigMap\n")
        self.write("docs/a/b/one.yaml", RIGHT.replace("name: p", "name: one"))
        self.write("docs/a/c/two.yaml", RIGHT.replace("name: p", "name: two"))
        self.write("docs/broken.yaml", "a: [\n")
        self.write("config/only.yaml", "kind: ConfigMap\n")
        before = sorted(self.directory.rglob("*"))
        out, err = self.init("config")
        self.assertEqual(err, "")
        self.assertIn("# .vapcheck.yaml: 6 objects to check\n", out)
        self.assertIn('files: ["a.yaml","docs/a/","other/","sub/"]\n', out)
        self.assertIn('excludes: ["docs/broken.yaml"]\n', out)
        self.assertEqual(sorted(self.directory.rglob("*")), before)
        self.write(".vapcheck.yaml", out)
        self.assertEqual(self.names_in("."), ["a", "b", "c", "d", "one", "two"])
        self.assertEqual(self.init("config"), (out, "note: there is a file .vapcheck.yaml already\n"))

    def test_all(self):
        out, _ = self.init()
        documents = out.split("---\n")
        names = ["# .vapcheck.yaml", "# .pre-commit-config.yaml", "# .github/workflows/vapcheck.yaml"]
        self.assertEqual([re.split("[:,]", d)[0] for d in documents], names)
        self.assertEqual(self.init("pre-commit", "github")[0], "---\n".join(documents[1:]))
        for name in ("a.yaml", "sub/b.yaml", "sub/testdata/c.yaml", "other/d.yaml"):
            (self.directory / name).unlink()
        out, err = self.init("config")
        self.assertIn("files: [.]\n", out)
        self.assertEqual(err, "note: no file here has an object that vapcheck checks\n")

    def test_usage(self):
        _, err = self.init("githb", status=2)
        self.assertEqual(
            err, 'kubectl-vapcheck init: "githb" is none of config, github, pre-commit (did you mean github?)\n'
        )


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
        self.assertEqual(self.names_in("other", "--no-config"), ["d"])

    def test_places_are_of_the_working_directory(self):
        self.config("files: [sub]\n")
        self.write("sub/b.yaml", WRONG)
        self.assertIn("  --> ../sub/b.yaml:9:29   policy p, ", self.run_in("other")[1])

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

    def test_fail_on(self):
        self.write("a.yaml", WRONG)
        advised = RIGHT.replace("  validations", "  variables: [{name: unused, expression: '1'}]\n  validations")
        self.write("advised.yaml", advised)
        unchecked = RIGHT.replace("apiGroups: [apps]", "apiGroups: [example.com]")
        self.assertNotEqual(unchecked, RIGHT)
        self.write("unchecked.yaml", unchecked)
        for value, statuses in (("never", (0, 0, 0)), ("error", (1, 0, 0)), ("advice", (1, 1, 0)),
                                ("unchecked", (1, 0, 1)), ("[error, unchecked]", (1, 0, 1)),
                                ("[unchecked, never]", (0, 0, 1)), ("never,unchecked", (0, 0, 1))):  # fmt: skip
            self.config(f"fail-on: {value}\n")
            names = ("a.yaml", "advised.yaml", "unchecked.yaml")
            self.assertEqual(tuple(self.check(name)[0] for name in names), statuses, value)
        self.assertEqual(self.check("a.yaml", "--fail-on=warning")[0], 1)
        self.config("fail-on: eror\n")
        status, _, err = self.check("a.yaml")
        self.assertEqual(status, 2)
        self.assertIn(
            '1:10: "eror" is not one of its values: error, warning, advice, never, unchecked (did you mean error?)', err
        )

    def test_baseline(self):
        """Its path is that of the file; --write-baseline makes it anew."""
        self.config("baseline: known.json\n")
        self.assertEqual(self.check("a.yaml")[0], 2)
        self.write("a.yaml", WRONG)
        self.assertEqual(self.check("a.yaml", "--write-baseline", "known.json")[0], 0)
        self.assertEqual(self.check("a.yaml")[0], 0)
        self.assertEqual(self.run_in("sub", "../a.yaml")[0], 0)
        self.assertEqual(self.check("a.yaml", "--no-config")[0], 1)
        self.write("sub/b.yaml", WRONG.replace("name: p", "name: q"))
        self.assertEqual(self.run_in("sub", ".")[0], 1)
        self.config("baseline: [known.json, other.json]\n")
        self.assertIn("baseline names one file", self.check("a.yaml")[2])

    def test_errors(self):
        rows = (
            ("exclude: [a]\n", '1:1: unknown key "exclude", did you mean excludes?'),
            ("files: [a.yaml]\nwhatever: 1\n",
             '2:1: unknown key "whatever"; the keys are files, excludes, kube-versions, schemas, select, '
             'ignore, fail-on, baseline'),
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
