#!/usr/bin/env python3
"""kubectl-vapcheck crd --cost."""

import json
import pathlib
import subprocess
import sys
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from offline import PROGRAM, Case

STRUCTURE = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: foos.example.com}
spec:
  group: example.com
  names: {kind: Foo, plural: foos, singular: foo, listKind: FooList}
  scope: Namespaced
  versions:
"""
VERSION = """\
  - name: %s
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
"""
LIST = VERSION % "v1" + """\
              names:
                type: array
                allOf:
                - maxItems: 20
                - maxItems: 10
                items:
                  type: string
                  allOf: [{maxLength: 63}, {minLength: 1}]
                  x-kubernetes-validations:
                  - {rule: "self.matches('^[a-z]+$')", messageExpression: "'wrong: ' + self"}
"""  # fmt: skip
PLAIN = (
    VERSION
    + """\
              size:
                type: integer
                x-kubernetes-validations:
                - {rule: 'self > 1'}
"""
)
BEFORE = "spec.validation.openAPIV3Schema.properties[spec].properties[%s]"


class CostTest(Case):
    def crd(self, *args, input=None):
        done = subprocess.run([PROGRAM, "crd", *map(str, args)], input=input, capture_output=True, text=True,
                              timeout=60, cwd=self.directory)  # fmt: skip
        return done.returncode, done.stdout, done.stderr

    def read(self, *args, status=0):
        answer, out, err = self.crd("--cost", "-o", "json", *args)
        self.assertEqual(answer, status, out + err)
        return json.loads(out)

    def test_plain(self):
        self.write("c.yaml", STRUCTURE + PLAIN % "v1")
        status, out, _ = self.crd("--cost", "--kube-version", "1.30-1.37", "c.yaml")
        self.assertEqual((status, out.splitlines()), (0, [
            f"c.yaml:22:27: CRD foos.example.com, {BEFORE % 'size'}.x-kubernetes-validations[0].rule",
            "  1.30-1.37: 2, 0.0 % of a rule's budget, 0.0 % of the schema's",
            "c.yaml:14:9: CRD foos.example.com, spec.validation.openAPIV3Schema: all rules",
            "  1.30-1.37: 2, 0.0 % of the schema's",
            "1 CRD, 1 expression: 0 over a rule's budget, 0 schemas over a schema's"]))  # fmt: skip

    def test_bounds_in_all_of(self):
        self.write("c.yaml", STRUCTURE + LIST)
        [entry] = self.read("c.yaml", status=1)["results"]
        rule, message = entry["rules"]
        self.assertEqual(rule["field"], BEFORE % "names" + ".items.x-kubernetes-validations[0].rule")
        self.assertTrue(rule["isOverBudget"])
        self.assertFalse(message["isOverBudget"])
        [cost] = rule["costs"]
        self.assertEqual(cost["cost"], 659708444672)
        self.assertAlmostEqual(cost["shareOfRuleBudget"], 65970.8444672)
        self.assertAlmostEqual(cost["shareOfSchemaBudget"], 6597.08444672)
        self.assertEqual(entry["boundsInAllOf"], [
            {"field": "spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[names].items",
             "line": 25, "column": 19, "keyword": "maxLength", "bound": 63},
            {"field": "spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[names]",
             "line": 20, "column": 17, "keyword": "maxItems", "bound": 10}])  # fmt: skip
        # the bounds, put where it says
        beside = LIST.replace("allOf: [", "maxLength: 63\n                  allOf: [")
        beside = beside.replace("                allOf:\n", "                maxItems: 10\n                allOf:\n")
        self.write("c.yaml", STRUCTURE + beside)
        [moved] = self.read("c.yaml")["results"]
        self.assertEqual([m["costs"][0]["cost"] for m in moved["rules"] + moved["schemas"]],
                         [m["costs"][0]["costWithBoundsMoved"] for m in entry["rules"] + entry["schemas"]])  # fmt: skip
        self.assertEqual(moved["boundsInAllOf"], [])

    def test_bounds_that_nothing_depends_on(self):
        self.write(
            "c.yaml",
            STRUCTURE
            + LIST.replace("self.matches('^[a-z]+$')", "true")
            .replace(", messageExpression: \"'wrong: ' + self\"", "")
            .replace(
                "                allOf:\n                - maxItems: 20\n                - maxItems: 10\n",
                "                maxItems: 3\n",
            ),
        )
        [entry] = self.read("c.yaml")["results"]
        self.assertEqual(entry["boundsInAllOf"], [])

    def test_versions_that_differ(self):
        """The global matches has a price since 1.37."""
        rule = PLAIN.replace("integer", "string").replace("self > 1", 'matches(self, "^[a-z]+$")')
        self.write("c.yaml", STRUCTURE + rule % "v1")
        _, out, _ = self.crd("--cost", "--kube-version", "1.35-1.37", "c.yaml")
        rows = out.splitlines()
        self.assertTrue(rows[1].startswith("  1.35-1.36: 2, "), out)
        self.assertTrue(rows[2].startswith("  1.37: "), out)
        [entry] = self.read("--kube-version", "1.36,1.37", "c.yaml")["results"]
        self.assertEqual([c["kubeVersion"] for c in entry["rules"][0]["costs"]], ["1.36", "1.37"])

    def test_schemas_of_several_versions(self):
        """Each is counted by itself, unless they are one."""
        self.write("c.yaml", STRUCTURE + PLAIN % "v1" + PLAIN % "v2")
        self.assertEqual(
            [s["field"] for s in self.read("c.yaml")["results"][0]["schemas"]], ["spec.validation.openAPIV3Schema"]
        )
        self.write("c.yaml", STRUCTURE + PLAIN % "v1" + PLAIN.replace("self > 1", "self > 2 && self < 9") % "v2")
        [entry] = self.read("c.yaml")["results"]
        self.assertEqual(
            [(s["field"], s["costs"][0]["cost"]) for s in entry["schemas"]],
            [("spec.versions[0].schema.openAPIV3Schema", 2), ("spec.versions[1].schema.openAPIV3Schema", 4)],
        )

    def test_what_is_not_estimated(self):
        """A rule that does not compile, and those of a schema that is not structural."""
        self.write("c.yaml", STRUCTURE + (PLAIN % "v1").replace("self > 1", "self.nope"))
        [entry] = self.read("c.yaml")["results"]
        self.assertEqual([entry["rules"][0]["costs"][0]["cost"], entry["schemas"][0]["costs"][0]["cost"]], [None, 0])
        self.write(
            "c.yaml",
            STRUCTURE
            + (PLAIN % "v1").replace("type: integer", "type: integer\n                allOf: [{type: integer}]"),
        )
        [entry] = self.read("c.yaml")["results"]
        self.assertEqual([line["costs"][0]["cost"] for line in entry["rules"] + entry["schemas"]], [None, None])
        self.assertIn('not estimated: "kubectl vapcheck check" says why', self.crd("--cost", "c.yaml")[1])

    def test_too_many_bounds_to_look_for(self):
        """Where the search for bounds in allOf ends early, that is said."""
        bounded = {"type": "string", "allOf": [{"maxLength": 5}]}
        for count, complete in ((10, True), (3000, False)):
            inner = {"type": "object", "properties": {f"p{i}": bounded for i in range(count)}}
            inner = {"type": "object", "properties": {"x" * 900: inner}}
            schema = {"type": "object", "x-kubernetes-validations": [{"rule": "has(self.a)"}],
                      "properties": {"a": {"type": "string"}, "x" * 900: inner}}  # fmt: skip
            version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
            self.write(
                "c.json",
                {
                    "apiVersion": "apiextensions.k8s.io/v1",
                    "kind": "CustomResourceDefinition",
                    "metadata": {"name": "foos.example.com"},
                    "spec": {"group": "example.com", "versions": [version]},
                },
            )
            [entry] = self.read("c.json")["results"]
            self.assertEqual(entry["isComplete"], complete)
        self.assertIn("not estimated to its end", self.crd("--cost", "c.json")[1])

    def test_other_inputs(self):
        self.write(
            "c.yaml",
            STRUCTURE.replace("metadata: {", "metadata: {annotations: {vapcheck/skip: 'true'}, ") + PLAIN % "v1",
        )
        self.write("o.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n")
        self.write("bad.yaml", "a: [")
        status, out, err = self.crd("--cost", "-f", "c.yaml", "-f", "o.yaml", "-f", "bad.yaml")
        self.assertEqual(
            out,
            "0 CRDs, 0 expressions: 0 over a rule's budget, 0 schemas over a schema's; 1 other object skipped; "
            "1 object skipped by its annotation; 1 error\n",
        )
        self.assertEqual(status, 1)
        self.assertRegex(err, r"^error\[unreadable-file\]: .*\n  --> bad.yaml:2:1\n")
        self.assertEqual(len(self.read("bad.yaml", status=1)["errors"]), 1)
        self.assertEqual(self.crd("--cost", "--fail-on", "never", "bad.yaml")[0], 0)
        self.assertEqual(self.crd("--cost", "nothing.yaml")[0], 2)

    def test_flags_that_nobody_needs(self):
        self.write("below/c.yaml", STRUCTURE + PLAIN % "v1")
        report = self.crd("--cost", "-R", "-f", ".")
        self.assertIn("foos.example.com", report[1])
        for args in ([], ["."], ["--cost"]):
            self.assertEqual(self.crd(*args), report)

    def test_usage(self):
        self.write("c.yaml", STRUCTURE + PLAIN % "v1")
        for args, message in (
            (["--cost", "-f", ""], "the name of a file is empty"),
            (["--cost", "-o", "sarif", "c.yaml"], "not one of its values"),
        ):
            status, out, err = self.crd(*args)
            self.assertEqual((status, out), (2, ""))
            self.assertIn(message, err)


if __name__ == "__main__":
    unittest.main()
