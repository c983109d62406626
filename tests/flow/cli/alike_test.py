#!/usr/bin/env python3
"""kubectl-vapcheck test and audit make the same decision about the same request."""

import json
import pathlib
import subprocess
import sys
import unittest

from audit_test import config_map, mutating, mutating_binding, policy, rule

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from offline import PROGRAM, Case
from stage import binding

CONFIG_MAP = {"apiVersion": "v1", "kind": "ConfigMap"}


def definition(kind, plural, scope, *versions):
    """Of a custom resource of example.com; the first version is stored."""
    spec = {
        "group": "example.com",
        "names": {"kind": kind, "plural": plural},
        "scope": scope,
        "versions": [
            {"name": n, "served": True, "storage": n == versions[0], "schema": {"openAPIV3Schema": {"type": "object"}}}
            for n in versions
        ],
    }
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.example.com"},
        "spec": spec,
    }


class AlikeTest(Case):
    def run_json(self, *args):
        done = subprocess.run(
            [PROGRAM, *args, "-o", "json"], capture_output=True, text=True, timeout=60, cwd=self.directory
        )
        return json.loads(done.stdout)

    def decide(self, policy, bindings, new=None, old=None, gold=None, params=None, request=None, annotations=None):
        """What `test` reports of a test of kat."""
        self.write("policy.yaml", json.dumps(policy))
        self.write("bindings.yaml", "\n---\n".join(map(json.dumps, bindings)))
        contents = {"object": new, "oldObject": old, "gold": gold, "params": params, "request": request}
        for ending, content in {**contents, "annotations": annotations}.items():
            if content is not None:
                self.write(f"tests/p.x.allow.{ending}.yaml", json.dumps(content))
        [test] = self.run_json("test", ".", "--kube-version", "1.36")["tests"]
        for file in (self.directory / "tests").iterdir():
            file.unlink()
        return test

    def audit_of(self, *objects):
        self.write("objects.json", json.dumps({"apiVersion": "v1", "kind": "List", "items": list(objects)}))
        return self.run_json("audit", "-f", "objects.json", "--kube-version", "1.36")

    def messages_of_audit(self, *objects):
        return sorted({result["message"] for result in self.audit_of(*objects)["results"]})

    def messages_of_test(self, *args, **more):
        test = self.decide(*args, **more)
        return sorted({e.get("error") or e["message"] for e in test["expressions"]})

    def test_mutations_of_each_binding(self):
        """A mutating policy is applied once for each binding that matches."""
        more = '[JSONPatch{op: "replace", path: "/data/n", value: string(int(object.data.n) + 1)}]'
        p, bindings = mutating("p", more), [mutating_binding(b, "p") for b in ("a", "b")]
        [one, two] = [config_map("o", n=n) for n in ("1", "3")]
        changes = [r for r in self.audit_of(p, *bindings, one)["results"] if r["effect"] == "changed"]
        self.assertIn('"3"', changes[-1]["message"])
        self.assertEqual(self.decide(p, bindings, one, gold=two)["result"], "passed")
        test = self.decide(p, bindings[:1], one, gold=two)
        self.assertEqual((test["result"], test["notes"]), ("failed", ['data.n: expected "3", got "2"']))

    def test_the_order_of_bindings(self):
        """What depends on an order that no server promises is said."""
        more = '[JSONPatch{op: "replace", path: "/data/n", value: object.data.n + (params == null ? "x" : "y")}]'
        p = mutating("p", more, paramKind=CONFIG_MAP)
        found = {"parameterNotFoundAction": "Allow", "name": "q"}
        bindings = [mutating_binding("a", "p", paramRef=found), mutating_binding("b", "p")]
        one, two = config_map("o", n="1"), config_map("o", n="1yx")
        test = self.decide(p, bindings, one, gold=two, params=config_map("q"))
        self.assertEqual(test["result"], "passed", test)
        self.assertTrue(any("depends on the order of the bindings" in note for note in test["notes"]), test)

    def test_params_of_each_binding(self):
        """A policy is evaluated with the params of one binding, and without params for another one."""
        p = policy("p", "params != null", "params == null", paramKind=CONFIG_MAP)
        found = {"parameterNotFoundAction": "Deny", "name": "q"}
        bindings = [binding("a", "p", paramRef=found), binding("b", "p")]
        objects = config_map("o", n="1"), config_map("q", n="2")
        expected = ["failed expression: params != null", "failed expression: params == null"]
        self.assertEqual(self.messages_of_audit(p, *bindings, *objects), expected)
        self.assertEqual(self.messages_of_test(p, bindings, objects[0], params=objects[1]), expected)

    def test_a_failing_binding_and_another_one(self):
        """A binding that cannot be configured does not hide what the other one says."""
        p = policy("p", "params != null", paramKind=CONFIG_MAP)
        found = {"parameterNotFoundAction": "Deny", "name": "q"}
        bindings = [binding("a", "p", paramRef=found), binding("b", "p")]
        expected = [
            "failed expression: params != null",
            "failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction",
        ]
        self.assertEqual(self.messages_of_audit(p, *bindings, config_map("o")), expected)
        self.assertEqual(self.messages_of_test(p, bindings, config_map("o")), expected)

    def test_reason_of_a_failure(self):
        """An expression that fails is answered with the reason Invalid."""
        p = policy("p", "object.data.nope == ''")
        test = {"object": {"kind": "ConfigMap", "name": "o", "namespace": "web"}, "expect": "error"}
        self.write("p.yaml", json.dumps(p))
        self.write("o.yaml", json.dumps(config_map("o", n="1")))
        for reason, result in (("Invalid", "passed"), ("Forbidden", "failed")):
            tests = [{**test, "reason": reason}]
            suite = {
                "policies": ["p.yaml"],
                "resources": ["o.yaml"],
                "vapTestSuites": [{"policy": "p", "tests": tests}],
            }
            self.write("suite.json", json.dumps(suite))
            [found] = self.run_json("test", "suite.json")["tests"]
            self.assertEqual(found["result"], result, found)

    def test_a_long_annotation(self):
        """The audit log has the first 10 KiB of a value."""
        p = policy("p", "true", auditAnnotations=[{"key": "k", "valueExpression": "string(object.data.v)"}])
        test = self.decide(p, [binding("b", "p")], config_map("o", v="x" * 11000), annotations={"k": "x" * 10240})
        self.assertEqual(test["result"], "passed", test)

    def test_a_version_that_no_object_has(self):
        """Objects that the policy sees in another version are converted only if a binding matches them."""
        self.write("crd.yaml", json.dumps(definition("Thing", "things", "Namespaced", "v1", "v2")))
        p = policy("p", "true", rules=[rule("example.com", "things", "v2")])
        thing = {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "o", "namespace": "web"}}
        elsewhere = {"matchResources": {"namespaceSelector": {"matchLabels": {"no": "where"}}}}
        test = self.decide(p, [binding("b", "p")], thing)
        self.assertEqual(test["result"], "error")
        self.assertIn("as version v2, to which vapcheck does not convert objects", test["message"])
        test = self.decide(p, [binding("b", "p", **elsewhere)], thing)
        self.assertEqual((test["result"], test["actual"]), ("passed", "allow"), test)

    def test_namespaces(self):
        """Each Namespace has a spec and a status; a mutating policy sees its owners."""
        p = policy("p", "namespaceObject.spec != null && namespaceObject.status != null")
        self.assertEqual(self.messages_of_audit(p, binding("b", "p"), config_map("o")), [])
        self.assertEqual(self.decide(p, [binding("b", "p")], config_map("o"))["result"], "passed")
        space = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "web"}}
        self.assertEqual(self.messages_of_audit(p, binding("b", "p"), config_map("o"), space), [])
        space["metadata"]["ownerReferences"] = [{"apiVersion": "v1", "kind": "Node", "name": "n", "uid": "u"}]
        name = "dyn(namespaceObject).metadata.ownerReferences[0].name"
        owner = f'JSONPatch{{op: "replace", path: "/data/n", value: {name}}}'
        p, b = mutating("p", f"[{owner}]"), mutating_binding("b", "p")
        changes = self.messages_of_audit(p, b, config_map("o", n="1"), space)
        self.assertEqual(changes, ['data.n: "1" becomes "n"'])
        test = self.decide(
            p, [b], config_map("o", n="1"), gold=config_map("o", n="n"), request={"namespaceObject": space}
        )
        self.assertEqual(test["result"], "passed", test)

    def test_what_cannot_be_selected(self):
        """A resource named namespaces has no namespace by which a request to delete one could be selected."""
        self.write("crd.yaml", json.dumps(definition("Space", "namespaces", "Cluster", "v1")))
        selector = {"namespaceSelector": {"matchLabels": {"a": "b"}}}
        rules = [{**rule("example.com", "namespaces"), "operations": ["DELETE"]}]
        space = {"apiVersion": "example.com/v1", "kind": "Space", "metadata": {"name": "o"}}
        for where, constraints, resources in (("policy", selector, {}), ("binding", {}, {"matchResources": selector})):
            p, b = policy("p", "true", rules=rules, constraints=constraints), binding("b", "p", **resources)
            found = self.messages_of_test(p, [b], old=space)
            self.assertEqual(found, [f'failed to configure {where}: namespaces "" not found'])


if __name__ == "__main__":
    unittest.main()
