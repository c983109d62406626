#!/usr/bin/env python3
"""kubectl-vapcheck test: the rules of CustomResourceDefinitions. e2e/evaluation compares them with the API server."""

import json
import pathlib
import subprocess
import sys
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from offline import PROGRAM, Case

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "e2e"))
import customrules

NAME = customrules.DEFINITION["metadata"]["name"]


class RulesTest(Case):
    def run_tests(self, *tests, definition=customrules.DEFINITION, args=(), **manifest):
        """(status, standard output). tests: (spec, spec before or None, more of the test)"""
        suite = {"crds": ["crd.json"], "resources": [], "crdTestSuites": [{"crd": NAME, "tests": []}], **manifest}
        self.write("crd.json", json.dumps(definition))
        for i, (spec, before, more) in enumerate(tests):
            test = {"object": {"kind": customrules.KIND, "name": f"a{i}"}, **more}
            objects = [customrules.named(f"a{i}", spec)]
            if before is not None:
                test["oldObject"] = {"kind": customrules.KIND, "name": f"b{i}"}
                objects.append(customrules.named(f"b{i}", before))
            for made in objects:
                self.write(f"{made['metadata']['name']}.json", json.dumps(made))
                suite["resources"].append(f"{made['metadata']['name']}.json")
            suite["crdTestSuites"][0]["tests"].append(test)
        self.write("suite.json", json.dumps(suite))
        done = subprocess.run(
            [PROGRAM, "test", "suite.json", *args], cwd=self.directory, capture_output=True, text=True, timeout=60
        )
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout

    def one(self, spec, before=None, status=0, version="1.37", **more):
        got, out = self.run_tests((spec, before, more), args=["-o", "json", "--kube-version", version])
        report = json.loads(out)
        self.assertEqual((got, report["errors"]), (status, []))
        return report["tests"][0]

    def test_verdicts(self):
        for spec, before, actual in (
            ({"size": 5}, None, "admit"),
            ({"size": 0}, None, "deny"),
            ({"missing": {"a": 1, "b": [1]}}, None, "error"),
            ({"size": 4}, {"size": 5}, "deny"),
            ({"size": 4}, {}, "admit"),
            ({"ratio": 9, "size": 2}, {"ratio": 9}, "admit"),
        ):
            for expect in ("admit", "deny", "error"):
                test = self.one(spec, before, int(expect != actual), expect=expect)
                self.assertEqual(
                    (test["actual"], test["isRefusedByServer"]), (actual, actual != "admit"), (spec, expect)
                )

    def test_messages(self):
        for message in ("must be positive", "spec.size: Invalid value: 0: must be positive"):
            self.assertEqual(self.one({"size": 0}, expect="deny", message=message)["result"], "passed")
        wrong = self.one({"size": 0}, status=1, expect="deny", message="other")
        self.assertEqual(
            wrong["message"], 'expected the message "other", got "spec.size: Invalid value: 0: must be positive"'
        )
        old = self.one({"size": 0}, expect="deny", version="1.34")
        self.assertEqual(old["expressions"][0]["message"], 'spec.size: Invalid value: "integer": must be positive')

    def test_output(self):
        status, out = self.run_tests(
            ({"size": 4}, {"size": 5}, {"expect": "admit"}),
            ({"ratio": 9, "size": 2}, {"ratio": 9}, {"expect": "admit"}),
        )
        lines = out.splitlines()
        field = (
            "spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[size].x-kubernetes-validations[1].rule"
        )
        self.assertEqual(status, 1)
        self.assertIn(f"{NAME}: UPDATE Probe a0: failed: expected admit, got deny", lines[0])
        self.assertIn(f"{NAME}: {field} is false: spec.size: Forbidden: cannot shrink", out)
        self.assertIn(
            (
                "note: a value that did not change: the API server only warns: spec.ratio: Invalid value: 9: "
                "failed rule: self < 2.5"
            ),
            lines,
        )
        self.assertIn("2 tests: 1 passed, 1 failed", lines[-1])

    def test_coverage(self):
        rules = {"size": customrules.SPEC["size"]}
        definition = json.loads(json.dumps(customrules.DEFINITION))
        schema = definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
        schema["properties"] = {"spec": customrules.fields(rules)}
        schema["x-kubernetes-validations"] = []
        _, out = self.run_tests(
            ({"size": 0}, None, {"expect": "deny"}),
            ({"size": 1}, None, {"expect": "admit"}),
            definition=definition,
            args=["--coverage"],
        )
        self.assertEqual([line.rpartition(": ")[2] for line in out.splitlines()[:-1]], ["no test reaches it"])

    def test_what_cannot_run(self):
        self.assertIn("is required", self.one({"ports": [{"port": 1}]}, status=1, expect="admit")["message"])
        self.assertIn("spec.names[0] is too long", self.one({"names": ["a" * 11]}, status=1, expect="admit")["message"])
        self.assertIn("unknown field", self.one({"nope": 1}, status=1, expect="admit")["message"])
        self.assertEqual(self.one({}, status=1, expect="skip")["message"], "expect is none of admit, deny and error")
        self.assertIn(
            "rules are tested with an object that is created",
            self.one({}, status=1, operation="DELETE", expect="admit")["message"],
        )
        broken = json.loads(json.dumps(customrules.DEFINITION).replace("self > 0", "self > nope"))
        _, out = self.run_tests(({}, None, {"expect": "admit"}), definition=broken)
        self.assertIn("error: the API server refuses the CustomResourceDefinition", out)
        _, out = self.run_tests(
            ({}, None, {"expect": "admit"}),
            crdTestSuites=[
                {"crd": "no.example.com", "tests": [{"object": {"kind": "Probe", "name": "a0"}, "expect": "admit"}]}
            ],
        )
        self.assertIn("there is no CustomResourceDefinition named no.example.com", out)
        _, out = self.run_tests(crdTestSuites=[{"tests": []}])
        self.assertIn("an item of crdTestSuites needs the name of a CustomResourceDefinition, and a list of tests", out)


if __name__ == "__main__":
    unittest.main()
