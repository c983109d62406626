#!/usr/bin/env python3
"""kubectl-vapcheck test: the request that a policy sees is the one that the API server makes of the test's objects."""

import json
import pathlib
import subprocess
import sys
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from offline import PROGRAM, Case

CORE = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["*"]}
APPS = {"apiGroups": ["apps"], "apiVersions": ["v1"], "operations": ["*"]}
SPEC = {"replicas": 2, "selector": {"matchLabels": {"a": "b"}}, "template": {"metadata": {"labels": {"a": "b"}}}}
DEPLOYMENT = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": SPEC}
MAP = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "web"}, "data": {"a": "1"}}
PARAMS = {
    "apiVersion": "v1",
    "kind": "ConfigMap",
    "metadata": {"name": "p", "labels": {"p": "x"}},
    "data": {"max": "5"},
}
SCALE = {"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"name": "web"}, "spec": {"replicas": 9}}
ADMISSION = "admissionregistration.k8s.io/v1"
MISSING = "failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction"


class RequestTest(Case):
    def run_test(
        self,
        expression,
        to,
        new=None,
        old=None,
        says=None,
        message=None,
        rule=CORE,
        binding=None,
        spec=None,
        params=None,
        annotations=None,
        warnings=None,
        constraints=None,
        **request,
    ):
        """The one test of the report. says: an expression of what the policy answers, if `expression` is false."""
        validation = (
            {"expression": expression, "messageExpression": f"string({says})"} if says else {"expression": expression}
        )
        rules = {"resourceRules": [{**rule, "resources": [to]}], **(constraints or {})}
        spec = {"matchConstraints": rules, "validations": [validation], **(spec or {})}
        bound = {"policyName": "p", "validationActions": ["Deny"], **(binding or {})}
        for file, kind, body in (
            ("policy", "ValidatingAdmissionPolicy", spec),
            ("binding", "ValidatingAdmissionPolicyBinding", bound),
        ):
            self.write(
                f"{file}.yaml",
                json.dumps({"apiVersion": ADMISSION, "kind": kind, "metadata": {"name": "p"}, "spec": body}),
            )
        for ending, content in (
            ("object", new),
            ("oldObject", old),
            ("params", params),
            ("request", request or None),
            ("annotations", annotations),
        ):
            if content is not None:
                self.write(f"tests/p.x.deny.{ending}.yaml", json.dumps(content))
        self.write("tests/p.x.deny.warnings.txt", warnings or "")
        if message is not None:
            self.write("tests/p.x.deny.message.txt", message)
        done = subprocess.run(
            [PROGRAM, "test", "-o", "json", "."], capture_output=True, text=True, timeout=60, cwd=self.directory
        )
        report = json.loads(done.stdout)
        self.assertEqual(report["errors"], [], done.stderr)
        [test] = report["tests"]
        for file in (self.directory / "tests").iterdir():
            file.unlink()
        return test

    def says(self, text, *args, **more):
        """The policy denies the request and says the text."""
        test = self.run_test(*args, message=text, **more)
        self.assertEqual((test["result"], test.get("message")), ("passed", None), test)

    def test_metadata(self):
        generated = {**MAP, "metadata": {"generateName": "web-"}}
        self.says(
            "true 9 true",
            "false",
            "configmaps",
            generated,
            says=(
                "string(object.metadata.name.startsWith('web-')) + ' ' + string(request.name.size()) + ' ' + "
                "string(request.name == object.metadata.name)"
            ),
        )
        has = "[has(%s.metadata.uid), has(%s.metadata.creationTimestamp)].map(b, string(b)).join(',')"
        self.says("true,true", "false", "configmaps", MAP, says=has.replace("%s", "object"))
        self.says("true,true", "false", "configmaps", None, MAP, says=has.replace("%s", "oldObject"))
        self.says(
            "true",
            "false",
            "configmaps",
            MAP,
            MAP,
            says=(
                "string(object.metadata.uid == oldObject.metadata.uid && object.metadata.creationTimestamp == "
                "oldObject.metadata.creationTimestamp)"
            ),
        )
        stored = {**MAP, "metadata": {"name": "web", "uid": "u", "creationTimestamp": "2020-01-01T00:00:00Z"}}
        self.says(
            "u 2020",
            "false",
            "configmaps",
            MAP,
            stored,
            says="object.metadata.uid + ' ' + string(object.metadata.creationTimestamp).substring(0, 4)",
        )
        later = {**MAP, "metadata": {"name": "web", "creationTimestamp": "2021-01-01T00:00:00Z"}}
        years = "[object, oldObject].map(o, string(o.metadata.creationTimestamp).substring(0, 4)).join(' ')"
        self.says("2021 2021", "false", "configmaps", later, MAP, says=years)
        self.says("2020 2020", "false", "configmaps", later, stored, says=years)
        self.says(
            "u 2020",
            "false",
            "configmaps",
            stored,
            says="object.metadata.uid + ' ' + string(object.metadata.creationTimestamp).substring(0, 4)",
        )

    def test_metadata_for_webhooks(self):
        """Validating ones are asked after uid and time are set, mutating ones before."""
        expression = "has(object.metadata.uid) && has(object.metadata.creationTimestamp)"
        webhook = {
            "name": "w.example.com",
            "admissionReviewVersions": ["v1"],
            "sideEffects": "None",
            "clientConfig": {"url": "https://x"},
            "rules": [{**CORE, "operations": ["CREATE"], "resources": ["configmaps"]}],
            "matchConditions": [{"name": "made", "expression": expression}],
        }
        self.write("resources.yaml", json.dumps(MAP))
        for kind, expect in (("Validating", "call"), ("Mutating", "skip")):
            self.write(
                "webhooks.yaml",
                json.dumps(
                    {
                        "apiVersion": ADMISSION,
                        "kind": f"{kind}WebhookConfiguration",
                        "metadata": {"name": "c"},
                        "webhooks": [webhook],
                    }
                ),
            )
            tests = [{"object": {"kind": "ConfigMap", "name": "web"}, "expect": expect}]
            suites = [{"configuration": "c", "webhook": "w.example.com", "tests": tests}]
            self.write(
                "kaptest.yaml",
                json.dumps(
                    {
                        "version": "v1alpha1",
                        "webhooks": ["webhooks.yaml"],
                        "resources": ["resources.yaml"],
                        "webhookTestSuites": suites,
                    }
                ),
            )
            done = subprocess.run(
                [PROGRAM, "test", "kaptest.yaml"], capture_output=True, text=True, timeout=60, cwd=self.directory
            )
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)

    def test_status(self):
        """It is changed by its subresource, and by nothing else."""
        four, five = (
            {**DEPLOYMENT, "status": {"replicas": 4}},
            {**DEPLOYMENT, "status": {"replicas": 5}, "spec": {**SPEC, "replicas": 7}},
        )
        says = (
            "(has(object.status.replicas) ? string(object.status.replicas) : 'none') + ' ' + "
            "string(object.spec.replicas)"
        )
        self.says("none 2", "false", "deployments", four, rule=APPS, says=says)
        self.says("none 7", "false", "deployments", five, DEPLOYMENT, rule=APPS, says=says)
        self.says("4 7", "false", "deployments", five, four, rule=APPS, says=says)
        self.says("5 2", "false", "deployments/status", five, four, rule=APPS, says=says, subResource="status")
        node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}, "status": {"phase": "Running"}}
        self.says("Running", "false", "nodes", node, says="object.status.phase")

    def test_core_kinds(self):
        secret = {
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {"name": "web"},
            "stringData": {"k": "hello", "l": "x"},
            "data": {"k": "", "m": "eQ=="},
        }
        self.says(
            "false aGVsbG8=,eA==,eQ==",
            "false",
            "secrets",
            secret,
            says="string(has(object.stringData)) + ' ' + ['k', 'l', 'm'].map(k, string(object.data[k])).join(',')",
        )
        namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "fresh", "labels": {"a": "b"}}}
        label = {"kubernetes.io/metadata.name": "fresh"}
        for selector in ("objectSelector", "namespaceSelector"):
            self.says(
                "a,kubernetes.io/metadata.name",
                "false",
                "namespaces",
                namespace,
                constraints={selector: {"matchLabels": label}},
                says="object.metadata.labels.map(k, k).sort().join(',')",
            )

    def test_subresources(self):
        about = (
            "[request.kind.group, request.kind.kind, request.resource.group, request.resource.resource, "
            "request.subResource, request.name].join(' ')"
        )
        old = {**SCALE, "spec": {"replicas": 2}}
        for resource in ("deployments", "deployments.apps"):
            self.says(
                "autoscaling Scale apps deployments scale web",
                "object.spec.replicas <= 5",
                "deployments/scale",
                SCALE,
                old,
                rule=APPS,
                says=about,
                subResource="scale",
                resource=resource,
            )
        test = self.run_test("false", "deployments/scale", SCALE, old, rule=APPS, subResource="scale")
        self.assertEqual(
            (test["result"], test["message"]),
            (
                "error",
                (
                    "4 resources have the subresource scale of kind Scale: the key resource says which is "
                    "meant, such as deployments"
                ),
            ),
        )
        test = self.run_test("false", "deployments/scale", SCALE, old, rule=APPS, subResource="scale", resource="pods")
        self.assertEqual(
            test["message"],
            (
                "no resource named pods of this version has the subresource scale with objects of kind Scale "
                "in autoscaling/v1"
            ),
        )
        for kind, version, subresource, resource in (
            ("Eviction", "policy/v1", "eviction", "pods"),
            ("Binding", "v1", "binding", "pods"),
            ("TokenRequest", "authentication.k8s.io/v1", "token", "serviceaccounts"),
        ):
            made = {"apiVersion": version, "kind": kind, "metadata": {"name": "web"}}
            group = version.rpartition("/")[0]
            self.says(
                f"{group} {kind}  {resource} {subresource} web",
                "false",
                f"{resource}/{subresource}",
                made,
                says=about,
                subResource=subresource,
            )

    def test_params(self):
        """A binding gives a policy the params that its paramRef means, and no others."""
        spec = {"paramKind": {"apiVersion": "v1", "kind": "ConfigMap"}}
        for ref, says in (
            ({"name": "p"}, "5"),
            ({"selector": {"matchLabels": {"p": "x"}}}, "5"),
            ({"name": "q"}, MISSING),
            ({"selector": {"matchLabels": {"p": "y"}}}, MISSING),
            ({"name": "p", "namespace": "default"}, "5"),
        ):
            binding = {"paramRef": {**ref, "parameterNotFoundAction": "Deny"}}
            self.says(
                says,
                "params.data.max == '6'",
                "configmaps",
                MAP,
                params=PARAMS,
                spec=spec,
                binding=binding,
                says="params.data.max",
            )
        elsewhere = {**PARAMS, "metadata": {"name": "p", "namespace": "other"}}
        self.says(
            MISSING,
            "false",
            "configmaps",
            MAP,
            params=elsewhere,
            spec=spec,
            binding={"paramRef": {"name": "p", "parameterNotFoundAction": "Deny"}},
        )
        self.says(
            "null",
            "params != null",
            "configmaps",
            MAP,
            params=PARAMS,
            spec=spec,
            says="params == null ? 'null' : 'some'",
        )
        test = self.run_test(
            "false",
            "configmaps",
            MAP,
            params=PARAMS,
            spec=spec,
            binding={"paramRef": {"name": "q", "parameterNotFoundAction": "Allow"}},
        )
        self.assertEqual((test["actual"], test["isRefusedByServer"]), ("allow", False))
        self.assertIn("does not mean the params of the test", test["notes"][0])

    def test_kaptest(self):
        """A test that names no param has none, if it or its suite names a binding."""
        spec = {"paramKind": {"apiVersion": "v1", "kind": "ConfigMap"}}
        self.run_test(
            "true", "configmaps", MAP, spec=spec, binding={"paramRef": {"name": "p", "parameterNotFoundAction": "Deny"}}
        )
        self.write("objects.yaml", json.dumps(MAP))
        tests = [{"object": {"kind": "ConfigMap", "name": "web"}, "expect": "error", "message": MISSING}]
        own = [{**tests[0], "binding": "p"}]
        for cases, of_suite, result in (
            (own, {}, "passed"),
            (tests, {"binding": "p"}, "passed"),
            (own, {"binding": "nope"}, "passed"),
            (tests, {}, "error"),
        ):
            suite = {"resources": ["objects.yaml"], "vapTestSuites": [{"policy": "p", **of_suite, "tests": cases}]}
            self.assertEqual(self.run_suite(suite), ([result], []))

    def test_connect(self):
        more = {"operation": "CONNECT", "name": "web"}
        for subresource, kind in (("exec", "PodExecOptions"), ("portforward", "PodPortForwardOptions")):
            self.says(
                f"{kind} pods web",
                "false",
                f"pods/{subresource}",
                says="request.kind.kind + ' ' + request.resource.resource + ' ' + request.name",
                subResource=subresource,
                **more,
            )
        for of, why in (
            ({"subResource": "proxy", **more}, "exec, attach and portforward"),
            ({"subResource": "exec", "operation": "CONNECT"}, "needs the name of what is connected to"),
        ):
            self.assertIn(why, self.run_test("false", "pods/exec", **of)["message"])
        tests = [
            {
                "object": {"kind": "Pod", "name": "web", "namespace": "shop"},
                "operation": "CONNECT",
                "subResource": "exec",
                "expect": "deny",
                "message": "web shop x",
            }
        ]
        self.write(
            "namespace.yaml",
            json.dumps({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop", "labels": {"l": "x"}}}),
        )
        self.run_test(
            "false",
            "pods/exec",
            says="request.name + ' ' + request.namespace + ' ' + namespaceObject.metadata.labels.l",
            subResource="exec",
            **more,
        )
        self.assertEqual(
            self.run_suite({"resources": ["namespace.yaml"], "vapTestSuites": [{"policy": "p", "tests": tests}]}),
            (["passed"], []),
        )

    def run_suite(self, suite):
        """(results, errors) of a manifest of kaptest about the policy and the binding of the last test."""
        self.write("suite.json", json.dumps({"policies": ["policy.yaml", "binding.yaml"], **suite}))
        done = subprocess.run(
            [PROGRAM, "test", "-o", "json", "suite.json"],
            capture_output=True,
            text=True,
            timeout=60,
            cwd=self.directory,
        )
        report = json.loads(done.stdout)
        return [t["result"] for t in report["tests"]], report["errors"]

    def test_failures(self):
        """Their messages can be expected."""
        fails = "string(object.data.nope)"
        text = f"expression '{fails}' resulted in error: no such key: nope"
        self.says(text, "true", "configmaps", MAP, spec={"auditAnnotations": [{"key": "k", "valueExpression": fails}]})
        self.says(
            text,
            "true",
            "configmaps",
            MAP,
            spec={"auditAnnotations": [{"key": "k", "valueExpression": fails}]},
            binding={"validationActions": ["Warn"]},
        )
        self.says(
            "failed expression: false",
            "false",
            "configmaps",
            MAP,
            spec={"auditAnnotations": [{"key": "k", "valueExpression": fails}]},
        )
        twice = {
            "validations": [{"expression": "false", "message": "m"}] * 2 + [{"expression": "false", "message": "n"}]
        }
        self.says(
            "m",
            "false",
            "configmaps",
            MAP,
            spec=twice,
            binding={"validationActions": ["Deny", "Warn"]} if False else None,
        )
        test = self.run_test(
            "false", "configmaps", MAP, spec=twice, binding={"validationActions": ["Warn"]}, warnings="m\nn\n"
        )
        self.assertEqual(test["message"], "expected deny, got allow")


if __name__ == "__main__":
    unittest.main()
