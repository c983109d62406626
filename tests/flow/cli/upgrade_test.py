#!/usr/bin/env python3
"""kubectl-vapcheck upgrade, and the table of check for several versions."""

import json
import pathlib
import subprocess
import sys
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import stage
from offline import HEAD, PROGRAM, Case

BINDING = """\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: b}
spec: {policyName: p, validationActions: [Deny]}
"""


def two_types(*expressions):
    """A policy about Deployments and StatefulSets."""
    made = stage.policy("p", *expressions)
    made["spec"]["matchConstraints"]["resourceRules"][0]["resources"] = ["deployments", "statefulsets"]
    return made


class VersionsTest(Case):
    VERSIONS = ("--kube-version", "1.35,1.36", "--matrix")

    def results(self, *files):
        """By name: the results on both versions, and the identifiers and lines of the warnings on the newer one."""
        out = self.read(*self.VERSIONS, *(a for f in files for a in ("-f", f)), status=1)
        return {o["name"]: ([v["result"] for v in o["versions"]],
                            [(w["id"], w["line"]) for w in o["versions"][1]["warnings"]])
                for o in out["results"]}  # fmt: skip

    def test_what_is_wrong_besides_the_expressions(self):
        """An error of any sort makes an object no clean one."""
        self.write("p.yaml", HEAD.replace("deployments", "deploymets") + "  validations: [{expression: 'true'}]\n")
        self.write("b.yaml", BINDING + "---\n" + BINDING)
        found = self.results("p.yaml", "b.yaml")
        self.assertEqual(found["p"], (["warnings", "warnings"], [("resource-not-served", 7)]))
        self.assertEqual(found["b"], (["warnings", "warnings"], [("duplicate-object", 8)]))
        table = self.check(*self.VERSIONS, "-f", "p.yaml", "-f", "b.yaml")[1]
        self.assertEqual(table.count("warnings"), 4)

    def test_its_warnings_are_those_of_one_version(self):
        self.write("p.json", two_types("object.spec.replcas > 1", "object.spec.replicas > 1"))
        [alone] = self.read("--kube-version", "1.36", "-f", "p.json", status=1)["results"]
        [one] = self.read(*self.VERSIONS, "-f", "p.json", status=1)["results"]
        self.assertEqual(one["versions"][1]["warnings"], alone["findings"])
        self.assertEqual(len(alone["findings"]), 1)

    def test_errors(self):
        """A file that cannot be read is counted below the table."""
        self.write("p.yaml", HEAD + "  validations: [{expression: 'true'}]\n")
        self.write("bad.yaml", "a: [")
        status, out, _ = self.check(*self.VERSIONS, "-f", "p.yaml", "-f", "bad.yaml")
        self.assertEqual((status, out.splitlines()[-1]), (1, "1 object on 2 versions; 1 error"))


class UpgradeTest(Case):
    def upgrade(self, *args, form="text"):
        done = subprocess.run([PROGRAM, "upgrade", "--from", "1.36", "--to", "1.37", "-o", form, *map(str, args)],
                              capture_output=True, text=True, timeout=60, cwd=self.directory)  # fmt: skip
        return done.returncode, done.stdout

    def spellings(self, *expressions):
        """By field."""
        self.write("p.json", two_types(*expressions))
        [result] = json.loads(self.upgrade("-f", "p.json", form="json")[1])["results"]
        return {c["field"]: c.get("spelling") for c in result["changes"]}

    def test_one_place_on_two_types(self):
        """Its spelling is made once, and says nothing about that of others."""
        self.assertEqual(
            self.spellings("object.spec.template.spec.containers.orValue([]).size() > 0",
                           "object.metadata.name.orValue('') != ''"),
            {"spec.validations[0].expression": "object.spec.template.spec.?containers.orValue([]).size() > 0",
             "spec.validations[1].expression": "object.metadata.?name.orValue('') != ''"})  # fmt: skip

    def test_one_that_stays_wrong(self):
        """A proposal that fails on either version is none; the others stand."""
        self.assertEqual(
            self.spellings(
                "object.spec.template.spec.containers[0u].orValue(1) != 1", "object.metadata.name.orValue('') != ''"
            ),
            {
                "spec.validations[0].expression": None,
                "spec.validations[1].expression": "object.metadata.?name.orValue('') != ''",
            },
        )

    def test_suppressed(self):
        """What is left out is counted, in either form."""
        skipped = two_types("object.spec.replcas > 1")
        skipped["metadata"]["annotations"] = {"vapcheck/skip": "true"}
        ignored = two_types("object.metadata.name.orValue('') != ''", "object.spec.replcas > 1")
        ignored["metadata"] = {"name": "q", "annotations": {"vapcheck/ignore": "no-such-overload,undefined-field"}}
        self.write("p.json", skipped)
        self.write("q.json", ignored)
        answer = json.loads(self.upgrade("-f", "p.json", "-f", "q.json", form="json")[1])
        self.assertEqual([r["changes"] for r in answer["results"]], [[]])
        self.assertEqual(answer["suppressed"], {"findings": 2, "objects": 1, "paths": 0, "stale": []})
        text = self.upgrade("-f", "p.json", "-f", "q.json")[1]
        self.assertIn("; 2 findings suppressed, 1 object skipped by its annotation\n", text)
        self.write("p.json", two_types("object.spec.replicas > 1"))
        self.assertNotIn("suppressed", json.loads(self.upgrade("-f", "p.json", form="json")[1]))

    def test_errors(self):
        """As check has them: a file that cannot be read is a finding, one that is not there is no work done."""
        self.write("p.yaml", HEAD + "  validations: [{expression: 'true'}]\n")
        self.write("bad.yaml", "a: [")
        status, out = self.upgrade("-f", "p.yaml", "-f", "bad.yaml")
        self.assertEqual(status, 1)
        self.assertTrue(out.endswith(" without a change; 1 error\n"), out)
        self.assertEqual(self.upgrade("-f", "bad.yaml", "--fail-on", "never")[0], 0)
        self.assertEqual(self.upgrade("-f", "missing.yaml")[0], 2)


if __name__ == "__main__":
    unittest.main()
