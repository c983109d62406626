#!/usr/bin/env python3
"""kubectl-vapcheck test: suites in the formats of kaptest and kat, and of neither."""

import json
import pathlib
import resource
import subprocess
import sys
import unittest
import xml.etree.ElementTree

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import stage
from many_tests import POLICY, write_suite
from offline import PROGRAM, Case

BINDING = """\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: %s}
spec:
  policyName: replicas
  validationActions: [%s]
"""
MANIFEST = """\
version: v1alpha1
policies: [policy.yaml]
resources: [resources.yaml]
vapTestSuites:
- policy: replicas
  tests:
"""


WEBHOOKS = """\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: hooks}
webhooks:
- name: all.example.com
  clientConfig: {url: https://example.com/}
  admissionReviewVersions: [v1]
  sideEffects: None
  rules:
  - {apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE]}
- name: some.example.com
  clientConfig: {url: https://example.com/}
  admissionReviewVersions: [v1]
  sideEffects: None
  failurePolicy: Fail
  objectSelector: {matchExpressions: [{key: free, operator: DoesNotExist}]}
  rules:
  - {apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE]}
  matchConditions:
  - {name: large, expression: object.spec.replicas > 5}
  - {name: not-admin, expression: "!authorizer.group('apps').resource('deployments').check('admin').allowed()"}
"""
WEBHOOK_MANIFEST = """\
webhooks: [webhooks.yaml]
resources: [resources.yaml]
webhookTestSuites:
- configuration: hooks
  webhook: some.example.com
  tests:
"""


# The server sets replicas where they are missing, and not minReadySeconds.
def failing(text):
    return text.replace("object.spec.replicas", "object.spec.minReadySeconds")


def deployment(name, replicas=3, namespace=None, **spec):
    metadata = {"name": name} | ({"namespace": namespace} if namespace else {})
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": {"replicas": replicas, **spec}}


def waiting(name, replicas=3, namespace=None):
    """A Deployment with as many minReadySeconds."""
    return deployment(name, replicas, namespace, **({} if replicas is None else {"minReadySeconds": replicas}))


def case(name, expect, **more):
    return "  - " + json.dumps({"object": {"kind": "Deployment", "name": name}, "expect": expect, **more}) + "\n"


class SuiteCase(Case):
    def run_tests(self, *args, timeout=60):
        """(status, stdout, stderr)"""
        done = subprocess.run([PROGRAM, "test", *map(str, args)], capture_output=True, text=True, timeout=timeout,
                              cwd=self.directory)  # fmt: skip
        return done.returncode, done.stdout, done.stderr

    def read_tests(self, *args, status=0):
        answer, out, err = self.run_tests("-o", "json", *args)
        self.assertEqual(answer, status, out + err)
        return json.loads(out)

    def results(self, *args, status=0):
        return {t["name"]: t["result"] for t in self.read_tests(*args, status=status)["tests"]}

    def objects(self, name, *objects):
        self.write(name, "\n---\n".join(json.dumps(o) for o in objects))


class KaptestTest(SuiteCase):
    def setUp(self):
        super().setUp()
        self.write("policy.yaml", POLICY)
        self.objects("resources.yaml", waiting("ok"), waiting("many", 6), waiting("bad-name"),
                     waiting("both", 6, "a"), waiting("both", 3, "b"), waiting("none", None))  # fmt: skip

    def suite(self, *cases, head=MANIFEST):
        self.write("kaptest.yaml", head + "".join(cases))

    def only(self, *cases, status=0, head=MANIFEST):
        """The one test, on the newest version."""
        self.suite(*cases, head=head)
        [test] = self.read_tests(status=status)["tests"]
        return test

    def test_verdicts(self):
        self.write("policy.yaml", failing(POLICY))
        self.suite(case("ok", "admit"), case("many", "deny"), case("bad-name", "deny"), case("none", "error"))
        status, out, err = self.run_tests()
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(
            out.splitlines()[-1],
            "1 suite, 4 tests: 4 passed, 0 failed, 0 errors; 2 of 2 expressions were both true and false",
        )

    def test_each_verdict_is_compared(self):
        self.write("policy.yaml", failing(POLICY))
        real = {"ok": "admit", "many": "deny", "none": "error"}
        for name, actual in real.items():
            for expect in ("admit", "deny", "skip", "error"):
                test = self.only(case(name, expect), status=int(actual != expect))
                self.assertEqual((test["result"], test["actual"]), ("passed" if actual == expect else "failed", actual))

    def test_a_failure_says_what_and_where(self):
        self.suite(case("many", "admit"))
        status, out, _ = self.run_tests("kaptest.yaml")
        self.assertEqual(status, 1)
        self.assertEqual(out.splitlines(), [
            "kaptest.yaml:7:5: replicas: CREATE Deployment many: failed: expected admit, got deny",
            "policy.yaml:10:17: replicas: spec.validations[0].expression is false: at most 5, not 6",
            "   |",
            "10 |   - expression: object.spec.replicas <= 5",
            "   |                 ^",
            "value: object.spec.replicas is 6",
            "1 suite, 1 test: 0 passed, 1 failed, 0 errors; 0 of 2 expressions were both true and false"])  # fmt: skip
        self.suite(case("ok", "deny"))
        _, out, _ = self.run_tests("kaptest.yaml")
        self.assertIn("expected deny, got admit", out)
        self.assertIn("policy.yaml:10:17: replicas: spec.validations[0].expression is true", out)
        self.assertIn("policy.yaml:12:17: replicas: spec.validations[1].expression is true", out)

    def test_a_budget_that_ends(self):
        """Named is the expression at which it ended: each of these costs a tenth of what a policy may cost."""
        dear = "lists.range(999999).size() > 0"
        places = {
            "spec.validations[11].expression": f"  - expression: {dear}\n" * 12,
            "spec.auditAnnotations[9].valueExpression": "  auditAnnotations:\n"
            + "".join(f"  - {{key: k{i}, valueExpression: \"{dear} ? 'a' : ''\"}}\n" for i in range(12)),
            "spec.matchConditions[2].expression": "  matchConditions:\n"
            + "".join(f"  - {{name: c{i}, expression: {dear}}}\n" for i in range(3)),
        }
        self.suite(case("ok", "admit"))
        for place, more in places.items():
            self.write("policy.yaml", POLICY + more)
            [part] = self.read_tests("kaptest.yaml", status=1)["tests"][0]["expressions"]
            self.assertIn("running out of cost budget", part["error"])
            self.assertEqual(part["field"], place)

    def test_values_and_branches(self):
        """The values of a failed expression's parts, and the branches that no test reaches."""
        self.write(
            "policy.yaml",
            POLICY
            + """\
  - expression: >-
      object.spec.replicas < 3 || (has(object.spec.paused)
      ? object.spec.paused : object.metadata.name in ['a', "b"])
  variables:
  - {name: v, expression: "object.metadata.name == 'x' && object.spec.replicas == 1"}
""",
        )
        self.suite(case("ok", "admit"))
        status, out, _ = self.run_tests("--coverage", "kaptest.yaml")
        self.assertEqual(status, 1)
        self.assertEqual([line for line in out.splitlines() if line.startswith("value: ")], [
            "value: object.spec.replicas < 3 is false", "value: object.spec.replicas is 3",
            "value: has(object.spec.paused) ? object.spec.paused : object.metadata.name in ['a', \"b\"] is false",
            "value: has(object.spec.paused) is false", "value: object.metadata.name in ['a', \"b\"] is false",
            'value: object.metadata.name is "ok"'])  # fmt: skip
        self.assertIn(
            "policy.yaml:17:9: replicas: spec.validations[2].expression: no test reaches object.spec.paused\n", out
        )
        self.assertIn("; 3 of 4 branches were reached\n", out)
        report = self.read_tests("kaptest.yaml", status=1)
        self.assertEqual([gap["branch"] for gap in report["notCovered"] if "branch" in gap], ["object.spec.paused"])
        self.assertEqual((report["summary"]["branchesReached"], report["summary"]["branchesNotReached"]), (3, 1))
        [part] = report["tests"][0]["expressions"]
        self.assertEqual(
            (part["values"][1], part["valuesOmitted"]), ({"expression": "object.spec.replicas", "value": "3"}, 0)
        )
        self.objects("resources.yaml", deployment("x" * 300, 9), deployment("none", None))
        self.write("policy.yaml", POLICY.replace("object.metadata.name != 'bad-name'", "object.metadata.name == ''"))
        self.suite(case("x" * 300, "admit"))
        values = [part["values"] for part in self.read_tests("kaptest.yaml", status=1)["tests"][0]["expressions"]]
        self.assertEqual(values[1], [{"expression": "object.metadata.name", "value": '"' + "x" * 199 + "..."}])
        self.write("policy.yaml", failing(POLICY))
        self.suite(case("none", "admit"))
        values = self.read_tests("kaptest.yaml", status=1)["tests"][0]["expressions"][0]["values"]
        self.assertEqual(
            values[0], {"expression": "object.spec.minReadySeconds", "error": "no such key: minReadySeconds"}
        )
        self.assertEqual((len(values), values[1]["expression"]), (2, "object.spec"), "what has no such key")

    def test_the_older_format(self):
        head = (
            MANIFEST.replace("version: v1alpha1\n", "")
            .replace("policies:", "validatingAdmissionPolicies:")
            .replace("vapTestSuites", "testSuites")
        )
        self.suite(case("ok", "admit"), case("many", "deny"), head=head)
        self.assertEqual(set(self.results().values()), {"passed"})

    def test_message_and_reason(self):
        self.assertEqual(self.only(case("many", "deny", deniedMessage="at most 5, not 6"))["result"], "passed")
        failed = self.only(case("many", "deny", deniedMessage="at most 6"), status=1)
        self.assertEqual(failed["message"], 'expected the message "at most 6", got "at most 5, not 6"')
        self.assertEqual(self.only(case("bad-name", "deny", reason="Forbidden"))["result"], "passed")
        failed = self.only(case("bad-name", "deny", reason="Invalid"), status=1)
        self.assertEqual(failed["message"], 'expected the reason "Invalid", got "Forbidden"')

    def test_operations(self):
        """By what the test names; the objects of a DELETE and a CREATE are null where the server has none."""
        self.write(
            "policy.yaml",
            POLICY.replace("UPDATE]", "UPDATE, DELETE]")
            .replace(
                "object.spec.replicas <= 5",
                (
                    "\"request.operation == 'DELETE' ? object == null && oldObject.spec.replicas <= 5 : "
                    "object.spec.replicas <= 5 && (request.operation == 'CREATE') == (oldObject == null)\""
                ),
            )
            .replace("object.metadata.name != 'bad-name'", "request.name != 'bad-name'")
            .replace("'at most 5, not ' + string(object.spec.replicas)", "'no'"),
        )
        old = {"oldObject": {"kind": "Deployment", "name": "ok"}}
        gone = "  - {oldObject: {kind: Deployment, name: %s}, expect: %s}\n"
        self.suite(
            case("ok", "admit"),
            case("ok", "admit", **old),
            gone % ("ok", "admit"),
            gone % ("many", "deny"),
            gone % ("bad-name", "deny"),
        )
        self.assertEqual({t["result"] for t in self.read_tests()["tests"]}, {"passed"})

    def test_request(self):
        """As the server makes it: the namespace, the user, the resource and the options are there."""
        checks = [
            "request.namespace == 'default'",
            "object.metadata.namespace == 'default'",
            "request.resource.resource == 'deployments'",
            "request.requestKind.kind == 'Deployment'",
            "request.dryRun == false",
            "request.userInfo.username != ''",
            "'system:authenticated' in request.userInfo.groups",
            "!has(request.subResource)",
            "request.options.kind == 'CreateOptions'",
            "namespaceObject.metadata.name == 'default'",
            "namespaceObject.metadata.labels['kubernetes.io/metadata.name'] == 'default'",
            "oldObject == null",
        ]
        self.write("policy.yaml", POLICY + "".join(f'  - expression: "{c}"\n' for c in checks))
        self.suite(case("ok", "admit"), case("many", "deny"))
        self.assertEqual(set(self.results().values()), {"passed"})

    def test_user_namespace_and_params(self):
        self.write(
            "policy.yaml",
            POLICY.replace("spec:\n", "spec:\n  paramKind: {apiVersion: v1, kind: ConfigMap}\n", 1)
            + "  - expression: request.userInfo.username == params.data.user && 'g' in request.userInfo.groups\n"
            "  - expression: namespaceObject.metadata.labels.team == 'x'\n",
        )
        self.objects(
            "resources.yaml",
            deployment("ok", 1, "shop"),
            {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "p"}, "data": {"user": "anna"}},
            {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop", "labels": {"team": "x"}}},
        )
        param = {"param": {"name": "p"}}
        for key in ("name", "user", "username"):
            self.assertEqual(
                self.only(case("ok", "admit", userInfo={key: "anna", "groups": ["g"]}, **param))["result"], "passed"
            )
        self.assertEqual(
            self.only(case("ok", "deny", userInfo={"name": "eve", "groups": ["g"]}, **param))["result"], "passed"
        )
        for user, message in (
            ({"username": 3}, "userInfo.username must be a string"),
            ({"uid": []}, "userInfo.uid must be a string"),
            ({"groups": [1]}, "userInfo.groups must be a list of strings"),
            ({"extra": {"a": "b"}}, "userInfo.extra must be a mapping of lists of strings"),
        ):
            test = self.only(case("ok", "admit", userInfo=user, **param), status=1)
            self.assertEqual((test["result"], test["message"]), ("error", message))
        self.assertIn("names no param", self.only(case("ok", "admit"), status=1)["message"])
        self.assertIn(
            "no resource is a ConfigMap named q",
            self.only(case("ok", "admit", param={"name": "q"}), status=1)["message"],
        )

    def test_what_a_request_costs(self):
        """Of two validations four units each, of a message six; a match condition that is false ends it."""
        condition = "  matchConditions:\n  - {name: small, expression: object.spec.replicas < 6}\n"
        cost = {"matchConditionsLimit": 2500000, "expressionsLimit": 10000000, "auditAnnotations": 0}
        test = self.only(case("many", "deny"))
        self.assertEqual(test["cost"], {"matchConditions": 0, "expressions": 14, **cost})
        self.write("policy.yaml", POLICY.replace("  validations:\n", condition + "  validations:\n"))
        test = self.only(case("many", "skip"))
        self.assertEqual(test["cost"], {"matchConditions": 4, "expressions": 0, **cost})

    def test_a_binding_that_a_test_names(self):
        self.write(
            "policy.yaml",
            POLICY + "---\n" + BINDING % ("warns", "Warn, Audit") + "---\n" + BINDING % ("denies", "Deny"),
        )
        warns = MANIFEST.replace("  tests:", "  binding: warns\n  tests:")
        test = self.only(case("many", "deny", warnings=["at most 5, not 6"]), head=warns)
        self.assertEqual((test["result"], test["isRefusedByServer"]), ("passed", False))
        failed = self.only(case("many", "deny", warnings=[]), head=warns, status=1)
        self.assertEqual(failed["message"], "expected 0 warnings, got 1")
        self.assertTrue(self.only(case("many", "deny"), head=warns.replace("warns", "denies"))["isRefusedByServer"])
        failed = self.only(case("many", "deny"), head=warns.replace("warns", "nope"), status=1)
        self.assertEqual(
            (failed["result"], failed["message"]), ("error", "there is no binding named nope in the suite's files")
        )

    def test_match_conditions_and_annotations(self):
        self.write(
            "policy.yaml",
            POLICY + "  matchConditions:\n  - {name: not-ok, expression: \"object.metadata.name != 'ok'\"}\n"
            '  auditAnnotations:\n  - {key: size, valueExpression: "string(object.spec.replicas)"}\n',
        )
        self.assertEqual(self.only(case("ok", "skip"))["result"], "passed")
        failed = self.only(case("ok", "admit"), status=1)
        self.assertEqual(
            [(e["field"], e["value"], e["message"]) for e in failed["expressions"]],
            [("spec.matchConditions[0].expression", False, "not-ok")],
        )
        self.assertEqual(self.only(case("many", "deny", auditAnnotations={"size": "6"}))["result"], "passed")
        failed = self.only(case("many", "deny", auditAnnotations={"size": "7"}), status=1)
        self.assertEqual(failed["message"], 'expected the audit annotation size to be "7", got "6"')

    def test_an_error_is_explained(self):
        """kaptest's verdict stands; what a cluster does with it depends on failurePolicy."""
        self.write("policy.yaml", failing(POLICY))
        self.assertEqual(
            self.only(case("none", "error"))["notes"], ["in a cluster the request is denied (failurePolicy: Fail)"]
        )
        self.write("policy.yaml", failing(POLICY.replace("Fail", "Ignore")))
        self.assertEqual(
            self.only(case("none", "error"))["notes"], ["in a cluster the request is admitted (failurePolicy: Ignore)"]
        )

    def test_policies_are_checked(self):
        self.write("policy.yaml", POLICY + "  - expression: object.spec.nope == 1\n")
        self.suite(case("ok", "error"))
        status, out, _ = self.run_tests()
        self.assertEqual(status, 0)
        self.assertIn("  --> policy.yaml:15:29   policy replicas, spec.validations[2].expression\n", out)
        self.write("policy.yaml", POLICY + "  - expression: object.spec.replicas +\n")
        self.suite(case("ok", "admit"))
        status, out, _ = self.run_tests()
        self.assertEqual(status, 1)
        self.assertIn("   policy replicas, spec.validations[2].expression\n", out)
        self.assertIn("CREATE Deployment ok: error: the API server refuses the policy", out)

    def test_objects_are_checked(self):
        for spec, message in (
            ({"replica": 1}, 'unknown field "spec.replica"'),
            ({"paused": "no"}, "spec.paused is a string, and must be a boolean"),
            ({"minReadySeconds": "3"}, "spec.minReadySeconds is a string, and must be an integer"),
            ({"selector": []}, "spec.selector is a list, and must be an object"),
            (
                {"template": {"spec": {"containers": [{"name": "a", "ports": [{"containerPort": "80"}]}]}}},
                "spec.template.spec.containers[0].ports[0].containerPort is a string, and must be an integer",
            ),
        ):
            self.objects("resources.yaml", deployment("ok", **spec))
            test = self.only(case("ok", "admit"), status=1)
            self.assertEqual(
                (test["result"], test["message"], test["where"]["file"]),
                ("error", "no server takes the object: " + message, "resources.yaml"),
            )
            head = MANIFEST.replace("policies:", "skipSchemaValidation: true\npolicies:", 1)
            self.assertEqual(self.only(case("ok", "admit"), head=head)["result"], "passed")
        container = {
            "name": "a",
            "resources": {"limits": {"cpu": 1, "memory": "1Gi"}},
            "readinessProbe": {"httpGet": {"port": 80}},
            "livenessProbe": {"httpGet": {"port": "web"}},
        }
        self.objects(
            "resources.yaml",
            deployment(
                "ok",
                template={
                    "metadata": {"labels": {"a": "b"}, "creationTimestamp": None},
                    "spec": {"containers": [container]},
                },
            ),
        )
        self.assertEqual(self.only(case("ok", "admit"))["result"], "passed")

    def test_objects_are_completed(self):
        """Policies see what the API server writes: what Go never leaves out, nothing empty, quantities in canonical
        form, defaults of schemas."""
        rules = (
            "has(object.spec.template.spec.containers[0].resources) && has(object.spec.strategy)",
            "!has(object.spec.template.spec.volumes)",
            "object.spec.template.spec.containers[0].ports[0].protocol == 'TCP'",
            "object.spec.template.spec.containers[0].resources.limits.cpu == '1500m'",
        )
        policy = (
            POLICY.split("  validations:")[0]
            + "  validations:\n"
            + "".join(f'  - expression: "{rule}"\n' for rule in rules)
        )
        self.write("policy.yaml", policy)
        container = {"name": "a", "image": "b", "ports": [{"containerPort": 80}]}
        spec = {"containers": [container | {"resources": {"limits": {"cpu": "1.5"}}}], "volumes": []}
        self.objects("resources.yaml", deployment("ok", template={"metadata": {"labels": {"a": "b"}}, "spec": spec}))
        self.write("kaptest.yaml", MANIFEST + case("ok", "admit"))
        report = self.read_tests("--kube-version", "1.30,1.36,1.37")
        self.assertEqual([test["result"] for test in report["tests"]], ["passed"] * 3)
        self.assertEqual(self.read_tests()["tests"][0]["kubeVersion"], "1.37")

    def test_custom_resources(self):
        crd = {
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": "foos.example.com"},
            "spec": {
                "group": "example.com",
                "scope": "Namespaced",
                "names": {"kind": "Foo", "plural": "foos", "singular": "foo", "listKind": "FooList"},
                "versions": [
                    {
                        "name": "v1",
                        "served": True,
                        "storage": True,
                        "schema": {
                            "openAPIV3Schema": {
                                "type": "object",
                                "properties": {"spec": {"type": "object", "properties": {"size": {"type": "integer"}}}},
                            }
                        },
                    }
                ],
            },
        }
        foo = {"apiVersion": "example.com/v1", "kind": "Foo", "metadata": {"name": "f"}, "spec": {"size": 3}}
        self.write(
            "policy.yaml",
            POLICY.replace("apps", "example.com")
            .replace("deployments", "foos")
            .replace("replicas <=", "size <=")
            .replace("string(object.spec.replicas)", "string(object.spec.size)"),
        )
        self.write("crd.yaml", crd)
        self.objects("resources.yaml", foo, foo | {"metadata": {"name": "wrong"}, "spec": {"size": "3"}})
        tests = (
            "  - {object: {kind: Foo, name: f}, expect: admit}\n",
            "  - {object: {kind: Foo, name: wrong}, expect: admit}\n",
        )
        head = MANIFEST.replace("resources:", "crds: [crd.yaml]\nresources:", 1)
        self.assertEqual(self.only(tests[0], head=head)["notes"], [])
        self.assertIn("spec.size is a string", self.only(tests[1], head=head, status=1)["message"])
        [note] = self.only(tests[0])["notes"]
        self.assertIn("the server has no kind Foo in example.com/v1", note)

    def test_what_is_missing_is_no_pass(self):
        self.write(
            "policy.yaml",
            POLICY + "  - expression: authorizer.group('apps').resource('deployments').check('get').allowed()\n",
        )
        for expect in ("admit", "deny", "error"):
            test = self.only(case("ok", expect), status=1)
            self.assertEqual(test["result"], "error")
            self.assertIn("spec.validations[2].expression: ", test["message"])
            self.assertIn("does not evaluate", test["message"])
        head = MANIFEST.replace("vapTestSuites", "mapTestSuites")
        self.assertIn(
            "no MutatingAdmissionPolicy named replicas", self.only(case("ok", "skip"), head=head, status=1)["message"]
        )

    def test_versions(self):
        self.suite(case("ok", "admit"), case("many", "admit"))
        report = self.read_tests("--kube-version", "1.35,1.36", status=1)
        self.assertEqual(
            [(t["kubeVersion"], t["result"]) for t in report["tests"]],
            [("1.35", "passed"), ("1.35", "failed"), ("1.36", "passed"), ("1.36", "failed")],
        )
        _, out, _ = self.run_tests("--kube-version", "1.35-1.36")
        self.assertIn("expected admit, got deny (Kubernetes 1.35)", out)
        self.assertIn("expected admit, got deny (Kubernetes 1.36)", out)

    def test_coverage(self):
        self.suite(case("ok", "admit"), case("many", "deny"))
        report = self.read_tests()
        self.assertEqual([(g["policy"], g["field"], g["line"], g["message"]) for g in report["notCovered"]],
                         [("replicas", "spec.validations[1].expression", 12, "no test makes it false")])  # fmt: skip
        self.assertNotIn("no test", self.run_tests()[1])
        self.assertIn(
            "policy.yaml:12:17: replicas: spec.validations[1].expression: no test makes it false",
            self.run_tests("--coverage")[1],
        )

    def test_formats(self):
        self.suite(case("ok", "admit"), case("many", "admit"), case("nope", "admit"))
        status, out, _ = self.run_tests("-o", "junit")
        self.assertEqual(status, 1)
        [suite] = xml.etree.ElementTree.fromstring(out)
        self.assertEqual(
            {k: suite.get(k) for k in ("name", "tests", "failures", "errors")},
            {"name": "kaptest.yaml", "tests": "3", "failures": "1", "errors": "1"},
        )
        self.assertEqual([[child.tag for child in test] for test in suite], [[], ["failure"], ["error"]])
        self.assertIn("policy.yaml:10:17: spec.validations[0].expression is false: at most 5, not 6", suite[1][0].text)
        _, out, _ = self.run_tests("-o", "github")
        self.assertEqual(
            [line.split(",title=")[0] for line in out.splitlines()],
            ["::error file=kaptest.yaml,line=8,col=5", "::error file=kaptest.yaml,line=9,col=16"],
        )

    def test_formats_with_places(self):
        """The same remarks in each: the tests that failed, and with --coverage what no test reached."""
        self.suite(case("ok", "admit"), case("many", "admit"), case("nope", "admit"))
        status, out, _ = self.run_tests("-o", "sarif", "--coverage")
        self.assertEqual(status, 1)
        results = json.loads(out)["runs"][0]["results"]
        regions = [r["locations"][0]["physicalLocation"] for r in results]
        self.assertEqual(
            [(r["ruleId"], r["level"], p["artifactLocation"]["uri"], p["region"]["startLine"])
             for r, p in zip(results, regions)],
            [("test-failed", "error", "kaptest.yaml", 8), ("test-failed", "error", "kaptest.yaml", 9),
             ("test-missing", "note", "policy.yaml", 12)],
        )  # fmt: skip
        self.assertIn("at most 5, not 6", results[0]["message"]["text"])
        _, out, _ = self.run_tests("-o", "gitlab", "--coverage")
        issues = json.loads(out)
        self.assertEqual(
            [(i["check_name"], i["severity"], i["location"]["path"], i["location"]["lines"]["begin"]) for i in issues],
            [("test-failed", "major", "kaptest.yaml", 8), ("test-failed", "major", "kaptest.yaml", 9),
             ("test-missing", "info", "policy.yaml", 12)],
        )  # fmt: skip
        self.assertEqual(len({i["fingerprint"] for i in issues}), 3)
        # The place is known again when lines move and when the message is another one.
        self.suite("# moved\n", case("many", "admit"))
        moved = json.loads(self.run_tests("-o", "gitlab")[1])
        self.assertEqual([i["fingerprint"] for i in moved], [issues[0]["fingerprint"]])
        # A suite that cannot be read is in them, too.
        self.write("kaptest.yaml", "vapTestSuites: 5\n")
        status, out, _ = self.run_tests("-o", "sarif")
        self.assertEqual(status, 1)
        self.assertEqual([r["ruleId"] for r in json.loads(out)["runs"][0]["results"]], ["test-suite"])

    def test_matching(self):
        """What the rules do not match the server does not ask the policy about; kaptest does."""
        note = "the API server does not ask the policy, and admits the request; kaptest evaluates it"
        why = "spec.matchConstraints of the policy does not match the CREATE of deployments in apps/v1"
        for old, new in (
            ("[apps]", "['']"),
            ("[v1]", "[v2]"),
            ("[deployments]", "[statefulsets]"),
            ("[deployments]", "[deployments/status]"),
            ("[CREATE, UPDATE]", "[UPDATE]"),
            ("    resourceRules:", "    objectSelector: {matchLabels: {a: b}}\n    resourceRules:"),
            ("    resourceRules:", "    namespaceSelector: {matchLabels: {a: b}}\n    resourceRules:"),
            (
                "  validations:",
                (
                    "    excludeResourceRules: [{apiGroups: [apps], apiVersions: ['*'], operations: ['*'], "
                    "resources: ['*']}]\n  validations:"
                ),
            ),
            ("operations: [CREATE, UPDATE]", "operations: [CREATE, UPDATE], scope: Cluster"),
            ("operations: [CREATE, UPDATE]", "operations: [CREATE, UPDATE], resourceNames: [other]"),
        ):
            self.write("policy.yaml", POLICY.replace(old, new, 1))
            failed = self.only(case("many", "deny"), status=1)
            self.assertEqual(
                (failed["actual"], failed["message"]),
                ("skip", "expected deny, got skip (the policy does not match the request)"),
                new,
            )
            self.assertEqual((failed["notes"][0], failed["otherTools"]), (why, [note]))
            self.assertEqual(self.only(case("many", "skip"))["result"], "passed")
            admitted = self.only(case("many", "admit"))
            self.assertEqual((admitted["result"], admitted["otherTools"]), ("passed", [note]))
            self.assertEqual(len(self.read_tests()["notCovered"]), 2)

    def test_matching_by_labels(self):
        self.write(
            "policy.yaml",
            POLICY.replace(
                "    resourceRules:",
                (
                    "    namespaceSelector: {matchExpressions: [{key: env, operator: In, values: [prod]}]}\n   "
                    " objectSelector: {matchLabels: {app: web}}\n    resourceRules:"
                ),
            ),
        )
        labelled = deployment("many", 6, "shop")
        labelled["metadata"]["labels"] = {"app": "web"}
        for env, actual in (("prod", "deny"), ("test", "skip")):
            self.objects(
                "resources.yaml",
                labelled,
                {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop", "labels": {"env": env}}},
            )
            self.assertEqual(self.only(case("many", actual))["result"], "passed")

    def test_what_no_server_has(self):
        self.objects(
            "resources.yaml",
            deployment("old") | {"apiVersion": "apps/v1beta1"},
            {
                "apiVersion": "admissionregistration.k8s.io/v1",
                "kind": "ValidatingAdmissionPolicy",
                "metadata": {"name": "p"},
                "spec": {},
            },
        )
        self.assertEqual(
            self.only(case("old", "admit"), status=1)["message"],
            "no server of this version has a kind Deployment in apps/v1beta1",
        )
        test = "  - {object: {kind: ValidatingAdmissionPolicy, name: p}, expect: skip}\n"
        self.assertEqual(self.only(test)["notes"], ["no policy is asked about validatingadmissionpolicies"])

    def test_one_of_several_objects(self):
        self.assertIn(
            "several resources are a Deployment named both", self.only(case("both", "admit"), status=1)["message"]
        )
        tests = [
            case("both", e).replace('"name"', f'"namespace": "{n}", "name"') for e, n in (("deny", "a"), ("admit", "b"))
        ]
        self.suite(*tests)
        self.assertEqual(list(self.results().values()), ["passed", "passed"])

    def test_bad_manifests(self):
        """Each says file, line and reason, and the other suites go on."""
        good = MANIFEST + case("ok", "admit")
        for text, line, reason in (
            (good.replace("version: v1alpha1", "version: v9"), 1, "version v9 is not known"),
            (good.replace("[policy.yaml]", "[nope.yaml]"), 0, "nope.yaml"),
            (good.replace("[policy.yaml]", "['https://example.com/p.yaml']"), 2, "addresses are not read"),
            (good.replace("[policy.yaml]", "[{a: b}]"), 2, "has no path here"),
            (
                good.replace("  tests:\n", "").replace("  - {", "  - {").split("  - ")[0],
                5,
                "needs the name of a policy",
            ),
            (good + "x: [\n", 9, "a value is expected here"),
            ("vapTestSuites: [[policy]]\n", 1, "an item of vapTestSuites needs the name of a policy"),
            ("vapTestSuites: {a: policy}\n", 1, "an item of vapTestSuites needs the name of a policy"),
            ("crdTestSuites: [null]\n", 1, "an item of crdTestSuites needs the name of a CustomResourceDefinition"),
            ("vapTestSuites: []\n", 1, "the manifest has no tests"),
            ("- vapTestSuites\n", 0, "this is no test manifest"),
        ):
            self.write("bad.yaml", text)
            self.write("kaptest.yaml", good)
            status, out, err = self.run_tests("-o", "json", "bad.yaml", "kaptest.yaml")
            self.assertEqual((status, err), (1, ""), text)
            report = json.loads(out)
            [problem] = [e for e in report["errors"] if e["severity"] == "error"]
            self.assertEqual(problem["line"], line, problem)
            self.assertIn(reason, problem["file"] + problem["message"])
            self.assertIn("passed", [t["result"] for t in report["tests"] if t["suite"] == "kaptest.yaml"])

    def test_bad_tests(self):
        for test, reason in (
            (case("ok", "nope"), "expect is none of admit"),
            ("  - {object: {kind: Deployment, name: ok}}\n", "expect is missing"),
            ("  - {object: {name: ok}, expect: admit}\n", "object needs a kind and a name"),
            ("  - {expect: admit}\n", "needs an object or an oldObject"),
            ("  - 3\n", "a test is a mapping"),
            ("  - {object: [], expect: admit}\n", "object is no mapping"),
            (case("gone", "admit"), "no resource is a Deployment named gone"),
            (case("ok", "admit", operation="PATCH"), "is none of CREATE"),
            (case("ok", "admit", operation="DELETE"), "has no object and an oldObject"),
        ):
            result = self.only(test, status=1)
            self.assertEqual((result["result"], result["line"]), ("error", 7))
            self.assertIn(reason, result["message"])
        self.suite(case("ok", "admit", expct="deny"))
        _, out, _ = self.run_tests()
        self.assertIn("warning: a test has no key expct: it is ignored, did you mean expect?", out)

    def test_paths(self):
        status, out, _ = self.run_tests("nowhere")
        self.assertEqual(status, 2)
        self.assertIn("nowhere: error: No such file or directory", out)
        self.write("empty/a.yaml", "a: 1\n")
        status, _, err = self.run_tests("empty")
        self.assertEqual((status, err), (1, "kubectl-vapcheck test: no test suite of kaptest or kat was found\n"))
        self.assertEqual(self.run_tests("empty", "--allow-empty")[0], 0)
        self.assertEqual(self.run_tests("--kube-version", "1.2")[0], 2)
        self.assertEqual(self.run_tests("")[0], 2)


class MutatingTest(SuiteCase):
    """Of a policy with both kinds of patches, whose second mutation sees what the first one made."""

    POLICY = """\
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: limits}
spec:
  failurePolicy: Fail
  reinvocationPolicy: IfNeeded
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: ['*']}
  matchConditions:
  - {name: many, expression: object == null || object.spec.replicas > 5}
  variables:
  - {name: most, expression: "5"}
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration:
      expression: "Object{spec: Object.spec{replicas: variables.most + (oldObject == null ? 0 : 1)}}"
  - patchType: JSONPatch
    jsonPatch:
      expression: "[JSONPatch{op: 'add', path: '/metadata/annotations', value: {'n': string(object.spec.replicas)}}]"
"""
    HEAD = MANIFEST.replace("vapTestSuites", "mapTestSuites").replace("replicas", "limits")

    def setUp(self):
        super().setUp()
        self.write("policy.yaml", self.POLICY)
        made = deployment("made", 5)
        made["metadata"]["annotations"] = {"n": "5"}
        other = json.loads(json.dumps(made).replace('"5"', '"6"'))
        self.objects(
            "resources.yaml",
            deployment("ok"),
            deployment("many", 6),
            made,
            other | {"metadata": other["metadata"] | {"name": "other"}},
        )

    def only(self, *cases, status=0):
        self.write("kaptest.yaml", self.HEAD + "".join(cases))
        [test] = self.read_tests("--kube-version", "1.36", status=status)["tests"]
        return test

    def mutate(self, made, name="many", **more):
        return case(name, "mutate", expectObject={"kind": "Deployment", "name": made}, **more)

    def test_the_object_that_is_made(self):
        self.assertEqual(self.only(self.mutate("made"))["result"], "passed")
        failed = self.only(self.mutate("other"), status=1)
        self.assertEqual(
            (failed["actual"], failed["message"]),
            ("mutate", "the object after the mutations differs in 1 place from what is expected"),
        )
        self.assertEqual(failed["notes"], ['metadata.annotations.n: expected "6", got "5"'])
        failed = self.only(self.mutate("made", oldObject={"kind": "Deployment", "name": "ok"}), status=1)
        self.assertEqual(
            failed["notes"], ['metadata.annotations.n: expected "5", got "6"', "spec.replicas: expected 5, got 6"]
        )
        failed = self.only(self.mutate("ok"), status=1)
        self.assertEqual(
            failed["notes"],
            ['metadata.annotations: expected nothing, got {"n":"5"}', "spec.replicas: expected 3, got 5"],
        )

    def test_names(self):
        failed = self.only(self.mutate("made", disableNameOverwrite=True), status=1)
        self.assertEqual(failed["notes"], ['metadata.name: expected "made", got "many"'])

    def test_other_verdicts(self):
        self.assertEqual(self.only(case("ok", "skip"))["result"], "passed")
        self.assertEqual(self.only(self.mutate("ok", "ok"), status=1)["actual"], "skip")
        [note] = self.only("  - {oldObject: {kind: Deployment, name: many}, expect: skip}\n")["notes"]
        self.assertIn("there is no object to change", note)
        self.assertIn("needs an expectObject", self.only(case("many", "mutate"), status=1)["message"])
        self.assertIn("expect is none of mutate, skip and error", self.only(case("many", "admit"), status=1)["message"])
        self.write("policy.yaml", self.POLICY.replace("variables.most +", "[0][9] +"))
        failed = self.only(self.mutate("made"), status=1)
        self.assertEqual((failed["actual"], failed["isRefusedByServer"]), ("error", True))
        self.assertEqual(
            [(e["field"], e["value"]) for e in failed["expressions"]],
            [("spec.mutations[0].applyConfiguration.expression", None)],
        )
        self.assertEqual(self.only(case("many", "error"))["result"], "passed")

    def test_coverage(self):
        self.write("kaptest.yaml", self.HEAD + case("ok", "skip"))
        gaps = {g["field"]: g["message"] for g in self.read_tests()["notCovered"]}
        self.assertEqual(gaps["spec.mutations[1].jsonPatch.expression"], "no test reaches it")
        self.write("kaptest.yaml", self.HEAD + case("ok", "skip") + self.mutate("made"))
        self.assertEqual(self.read_tests()["notCovered"], [])

    def test_folders_of_kat(self):
        self.write("kat/policy.yaml", self.POLICY)
        self.write(
            "kat/binding.yaml",
            {
                "apiVersion": "admissionregistration.k8s.io/v1",
                "kind": "MutatingAdmissionPolicyBinding",
                "metadata": {"name": "b"},
                "spec": {
                    "policyName": "limits",
                    "matchResources": {
                        "objectSelector": {"matchExpressions": [{"key": "free", "operator": "DoesNotExist"}]}
                    },
                },
            },
        )
        made = deployment("many", 5)
        made["metadata"]["annotations"] = {"n": "5"}
        free = deployment("many", 6)
        free["metadata"]["labels"] = {"free": "yes"}
        for name, sent, gold in (
            ("good", deployment("many", 6), made),
            ("bad", deployment("many", 6), deployment("many", 6)),
            ("few", deployment("ok"), deployment("ok")),
            ("unbound", free, free),
            ("unbound-bad", free, made),
        ):
            self.write(f"kat/tests/limits.{name}.object.yaml", sent)
            self.write(f"kat/tests/limits.{name}.gold.yaml", gold)
        self.assertEqual(
            self.results("kat", status=1),
            {
                "limits.bad": "failed",
                "limits.few": "passed",
                "limits.good": "passed",
                "limits.unbound": "passed",
                "limits.unbound-bad": "failed",
            },
        )


class KatTest(SuiteCase):
    def setUp(self):
        super().setUp()
        self.write("limits/policy.yaml", POLICY)
        self.write("limits/binding.yaml", BINDING % ("b", "Deny"))

    def put(self, name, content):
        return self.write(f"limits/tests/{name}", content)

    def test_names_decide(self):
        self.put("replicas.few.allow.object.yaml", deployment("few"))
        self.put("replicas.many.deny.object.yaml", deployment("many", 6))
        self.put("replicas.many.deny.message.txt", "at most 5, not 6\n")
        self.put("other.deny.object.yaml", deployment("many", 6))  # the folder has one policy
        self.assertEqual(
            self.results(), {"replicas.few.allow": "passed", "replicas.many.deny": "passed", "other.deny": "passed"}
        )
        self.assertEqual(self.results("limits/tests"), self.results())
        self.assertEqual(self.results("limits/tests/replicas.many.deny.object.yaml"), {"replicas.many.deny": "passed"})
        self.put("replicas.many.deny.message.txt", "at most 6\n")
        self.put("replicas.wrong.allow.object.yaml", deployment("many", 6))
        status, out, _ = self.run_tests()
        self.assertEqual(status, 1)
        self.assertIn('replicas.many.deny: failed: expected the message "at most 6", got "at most 5, not 6"', out)
        self.assertIn("replicas.wrong.allow: failed: expected allow, got deny", out)

    def test_which_policy(self):
        self.write("limits/policy.yaml", POLICY + "---\n" + POLICY.replace("name: replicas}", "name: other}"))
        self.put("replicas.few.allow.object.yaml", deployment("few"))
        self.put("other.few.allow.object.yaml", deployment("few"))
        self.put("few.allow.object.yaml", deployment("few"))
        report = self.read_tests(status=1)
        self.assertEqual(
            [(t["policy"], t["result"]) for t in report["tests"]],
            [("", "error"), ("other", "passed"), ("replicas", "passed")],
        )
        self.assertEqual(report["tests"][0]["message"], "no policy's name begins the name of this file")

    def test_requests(self):
        safe = (
            POLICY.replace("UPDATE]", "UPDATE, DELETE]")
            .replace("object.spec.replicas <= 5", "object == null || object.spec.replicas <= 5")
            .replace("object.metadata.name !=", "request.name !=")
            .replace("string(object.spec.replicas)", "'?'")
        )
        self.write(
            "limits/policy.yaml",
            safe + "  - expression: request.operation != 'DELETE' || request.userInfo.username == 'root'\n"
            "  - expression: namespaceObject.metadata.labels.?team.orValue('') != 'locked'\n",
        )
        self.put("replicas.gone.deny.oldObject.yaml", deployment("x"))
        self.put("replicas.root.allow.oldObject.yaml", deployment("x"))
        self.put("replicas.root.allow.request.yaml", "operation: DELETE\nuserInfo: {username: root}\n")
        self.put("replicas.update.allow.object.yaml", deployment("x"))
        self.put("replicas.update.allow.oldObject.yaml", deployment("x"))
        self.put("replicas.locked.deny.object.yaml", deployment("x"))
        self.put(
            "replicas.locked.deny.request.yaml",
            {
                "namespace": "n",
                "namespaceObject": {
                    "apiVersion": "v1",
                    "kind": "Namespace",
                    "metadata": {"name": "n", "labels": {"team": "locked"}},
                },
            },
        )
        self.put("replicas.elsewhere.deny.object.yaml", deployment("x", namespace="a"))
        self.put("replicas.elsewhere.deny.request.yaml", "namespace: b\n")
        report = self.read_tests(status=1)
        self.assertEqual(
            {t["name"]: t["result"] for t in report["tests"]},
            {
                "replicas.elsewhere.deny": "error",
                "replicas.gone.deny": "passed",
                "replicas.locked.deny": "passed",
                "replicas.root.allow": "passed",
                "replicas.update.allow": "passed",
            },
        )
        self.assertIn("no server takes that", report["tests"][0]["message"])

    def test_an_expression_that_fails(self):
        """The server denies the request, or lets it pass; kat does neither."""
        self.write("limits/policy.yaml", failing(POLICY))
        self.put("replicas.none.deny.object.yaml", deployment("none", None))
        [test] = self.read_tests()["tests"]
        self.assertEqual(
            test["notes"],
            ["the evaluation ends in an error, and the API server then denies the request (failurePolicy: Fail)"],
        )
        self.assertEqual(test["otherTools"], ["kat reports an error, and no decision"])
        self.write("limits/policy.yaml", failing(POLICY.replace("Fail", "Ignore")))
        [test] = self.read_tests(status=1)["tests"]
        self.assertEqual((test["actual"], test["isRefusedByServer"]), ("allow", False))

    def test_namespace_object_in_match_conditions(self):
        """The server shows them none: what kat shows makes the difference."""
        self.write(
            "limits/policy.yaml",
            POLICY + "  matchConditions:\n  - {name: c, expression: \"namespaceObject.metadata.name == 'default'\"}\n",
        )
        self.put("replicas.few.allow.object.yaml", deployment("few"))
        status, out, _ = self.run_tests()
        self.assertEqual(status, 1)
        self.assertIn("expected allow, got deny", out)
        self.assertIn("no such key: metadata", out)

    def test_actions(self):
        self.write("limits/binding.yaml", BINDING % ("b", "Warn"))
        self.put("replicas.many.warn.object.yaml", deployment("bad-name", 6))
        self.put("replicas.many.warn.warnings.txt", "at most 5, not 6\nthe name is bad\n")
        self.assertEqual(self.results(), {"replicas.many.warn": "passed"})
        self.put("replicas.many.warn.warnings.txt", "at most 5, not 6\n")
        [test] = self.read_tests(status=1)["tests"]
        self.assertEqual(test["message"], "expected 1 warning, got 2")
        self.write("limits/bindings.yaml", BINDING % ("c", "Warn, Audit"))  # a second one, which warns, too
        [test] = self.read_tests(status=1)["tests"]
        self.assertEqual(test["message"], "expected 1 warning, got 4")
        self.put("replicas.many.warn.warnings.txt", "at most 5, not 6\nthe name is bad\n" * 2)
        self.assertEqual(self.results(), {"replicas.many.warn": "passed"})
        self.put("replicas.many.warn.warnings.txt", "at most 5, not 6\nthe name is bad\nat most 5, not 6\nno\n")
        [test] = self.read_tests(status=1)["tests"]
        self.assertEqual(test["message"], 'expected the warning "no", got "the name is bad"')
        self.write("limits/bindings.yaml", BINDING % ("c", "Deny"))
        [test] = self.read_tests(status=1)["tests"]
        self.assertEqual((test["message"], test["isRefusedByServer"]), ("expected allow, got deny", True))

    def test_selectors_of_bindings(self):
        selector = "  matchResources:\n    namespaceSelector: {matchLabels: {env: prod}}\n"
        self.write("limits/binding.yaml", BINDING % ("b", "Deny") + selector)
        for env, expect in (("prod", "deny"), ("test", "allow")):
            self.put(f"replicas.{env}.{expect}.object.yaml", deployment("many", 6))
            self.put(
                f"replicas.{env}.{expect}.request.yaml",
                {
                    "namespace": "n",
                    "namespaceObject": {
                        "apiVersion": "v1",
                        "kind": "Namespace",
                        "metadata": {"name": "n", "labels": {"env": env}},
                    },
                },
            )
        self.assertEqual(set(self.results().values()), {"passed"})
        self.put("replicas.unknown.deny.object.yaml", deployment("many", 6))
        failed = self.read_tests(status=1)["tests"][-1]
        self.assertEqual(
            failed["notes"][:2],
            [
                "spec.matchResources of no binding matches the request",
                "no Namespace is given: default was taken to have no labels but its name",
            ],
        )
        self.write("limits/bindings.yaml", BINDING % ("c", "Deny"))  # a second one, of everything
        self.assertEqual([t["actual"] for t in self.read_tests(status=1)["tests"]], ["deny"] * 3)

    def test_connect(self):
        self.write(
            "limits/policy.yaml",
            POLICY.split("  matchConstraints")[0]
            + """\
  matchConstraints:
    resourceRules:
    - {apiGroups: [''], apiVersions: [v1], resources: [pods/exec], operations: [CONNECT]}
  validations:
  - expression: request.subResource == 'exec' && object.container == 'app' && request.name == 'web' && request.resource.resource == 'pods'
  - expression: namespaceObject.metadata.labels.env != 'prod' || 'admins' in request.userInfo.groups
""",  # noqa: E501
        )
        for group, expect in (("admins", "allow"), ("devs", "deny")):
            self.put(
                f"replicas.{group}.{expect}.request.yaml",
                {
                    "operation": "CONNECT",
                    "subResource": "exec",
                    "name": "web",
                    "namespace": "n",
                    "options": {"container": "app", "command": ["sh"]},
                    "namespaceObject": {
                        "apiVersion": "v1",
                        "kind": "Namespace",
                        "metadata": {"name": "n", "labels": {"env": "prod"}},
                    },
                    "userInfo": {"username": "u", "groups": [group]},
                },
            )
        self.assertEqual(self.results(), {"replicas.admins.allow": "passed", "replicas.devs.deny": "passed"})

    def test_params(self):
        self.write(
            "limits/policy.yaml",
            POLICY.replace("spec:\n", "spec:\n  paramKind: {apiVersion: v1, kind: ConfigMap}\n", 1)
            + "  - expression: params == null || params.data.max == '5'\n",
        )
        self.put("replicas.x.allow.object.yaml", deployment("x"))
        self.put(
            "replicas.x.allow.params.yaml",
            {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "p"}, "data": {"max": "5"}},
        )
        self.put("replicas.none.allow.object.yaml", deployment("x"))
        self.assertEqual(set(self.results().values()), {"passed"})
        for action, expect in (("Allow", "allow"), ("Deny", "deny")):
            self.write(
                "limits/binding.yaml",
                BINDING % ("b", "Deny")
                + f"  paramRef: {{name: p, namespace: default, parameterNotFoundAction: {action}}}\n",
            )
            found = {t["name"]: t["actual"] for t in self.read_tests(status=int(expect == "deny"))["tests"]}
            self.assertEqual(found, {"replicas.none.allow": expect, "replicas.x.allow": "allow"})

    def test_bad_files(self):
        self.put("replicas.a.allow.object.yaml", "a: [\n")
        self.put("replicas.b.allow.object.yaml", "a: 1\n")
        self.put("replicas.c.allow.request.yaml", "{}\n")
        self.put("replicas.d.allow.object.yaml", deployment("d"))
        report = self.read_tests(status=1)
        self.assertEqual([t["result"] for t in report["tests"]], ["error", "error", "error", "passed"])
        for test, reason in zip(
            report["tests"],
            ("a value is expected here", "needs apiVersion and kind", "neither an object nor an operation"),
        ):
            self.assertIn(reason, test["message"])
        self.write("limits/policy.yaml", "a: [\n")
        report = self.read_tests(status=1)
        self.assertEqual([e["file"] for e in report["errors"]], ["limits/policy.yaml"])


class WebhookTest(SuiteCase):
    """The rules that decide if a webhook is called: its rules, its selectors and its match conditions."""

    RIGHTS = {"authorizer": [{"verb": "admin", "user": "anna", "decision": "allow"}]}

    def setUp(self):
        super().setUp()
        self.write("webhooks.yaml", WEBHOOKS)
        free = waiting("free", 6)
        free["metadata"]["labels"] = {"free": "yes"}
        self.objects("resources.yaml", waiting("ok"), waiting("many", 6), waiting("none", None), free)

    def only(self, *cases, head=WEBHOOK_MANIFEST, status=0):
        self.write("kaptest.yaml", head + "".join(cases))
        [test] = self.read_tests(status=status)["tests"]
        return test

    def test_verdicts(self):
        self.write("webhooks.yaml", failing(WEBHOOKS))
        anna = {"userInfo": {"name": "anna"}}
        for name, more, actual in (
            ("ok", {}, "skip"),
            ("many", {}, "call"),
            ("many", anna, "skip"),
            ("none", {}, "error"),
            ("free", {}, "skip"),
        ):
            for expect in ("call", "skip", "error"):
                test = self.only(case(name, expect, **self.RIGHTS, **more), status=int(actual != expect))
                self.assertEqual((test["result"], test["actual"]), ("passed" if actual == expect else "failed", actual))
        self.assertEqual(
            self.only(case("ok", "call", **self.RIGHTS), head=WEBHOOK_MANIFEST.replace("some.", "all."))["policy"],
            "hooks/all.example.com",
        )

    def test_the_false_condition_is_shown(self):
        self.write("kaptest.yaml", WEBHOOK_MANIFEST + case("ok", "call", **self.RIGHTS))
        status, out, _ = self.run_tests()
        self.assertEqual(
            (status, out.splitlines()[:2]),
            (
                1,
                [
                    "kaptest.yaml:7:5: hooks/some.example.com: CREATE Deployment ok: failed: expected call, got skip",
                    (
                        "webhooks.yaml:20:31: hooks/some.example.com: "
                        "webhooks[1].matchConditions[0].expression is false: large"
                    ),
                ],
            ),
        )
        self.assertEqual(
            out.splitlines()[-1],
            "1 suite, 1 test: 0 passed, 1 failed, 0 errors; 0 of 2 expressions were both true and false",
        )

    def test_a_failing_condition(self):
        self.write("webhooks.yaml", failing(WEBHOOKS))
        failed = self.only(case("none", "error", deniedMessage="x", **self.RIGHTS), status=1)
        self.assertIn(
            "expression 'object.spec.minReadySeconds > 5' resulted in error: no such key: minReadySeconds",
            failed["message"],
        )
        self.assertTrue(self.only(case("none", "error", **self.RIGHTS))["isRefusedByServer"])
        self.write("webhooks.yaml", failing(WEBHOOKS.replace("failurePolicy: Fail", "failurePolicy: Ignore")))
        self.assertFalse(self.only(case("none", "skip", **self.RIGHTS))["isRefusedByServer"])

    def test_wrong_suites(self):
        wrong = self.only(case("ok", "call"), head=WEBHOOK_MANIFEST.replace("some.", "no."), status=1)
        self.assertEqual(wrong["message"], "there is no webhook named hooks/no.example.com in the suite's files")
        wrong = self.only(case("ok", "admit"), status=1)
        self.assertEqual(wrong["message"], "expect is none of call, skip and error")
        self.write("kaptest.yaml", WEBHOOK_MANIFEST.replace("  webhook:", "  policy:") + case("ok", "call"))
        self.assertIn(
            "needs the name of a configuration and of a webhook", self.read_tests(status=1)["errors"][-1]["message"]
        )
        self.write("webhooks.yaml", WEBHOOKS.replace("all.example", "some.example"))
        self.write("kaptest.yaml", WEBHOOK_MANIFEST + case("ok", "call"))
        self.assertIn(
            "another webhook is named hooks/some.example.com, too",
            [e["message"] for e in self.read_tests(status=1)["errors"]],
        )
        self.write("webhooks.yaml", WEBHOOKS.replace("object.spec.replicas > 5", "object.spec.replicas >"))
        self.assertEqual(self.only(case("ok", "call"), status=1)["message"], "the API server refuses the configuration")

    def test_reviews(self):
        """Webhooks are asked about reviews of rights before 1.37; policies never are."""
        self.write(
            "webhooks.yaml", WEBHOOKS.replace("apiGroups: [apps]", "apiGroups: ['*']").replace("[deployments]", "['*']")
        )
        self.objects(
            "resources.yaml",
            {
                "apiVersion": "authentication.k8s.io/v1",
                "kind": "TokenReview",
                "metadata": {"name": "ok"},
                "spec": {"token": "x"},
            },
        )
        head = WEBHOOK_MANIFEST.replace("some.", "all.")
        self.write("kaptest.yaml", head + case("ok", "call").replace("Deployment", "TokenReview"))
        actual = {
            v: self.read_tests("--kube-version", v, status=status)["tests"][0]["actual"]
            for v, status in (("1.36", 0), ("1.37", 1))
        }
        self.assertEqual(actual, {"1.36": "call", "1.37": "skip"})


class AuthorizerTest(SuiteCase):
    def setUp(self):
        super().setUp()
        self.write(
            "policy.yaml",
            POLICY.replace(
                "object.spec.replicas <= 5",
                (
                    "authorizer.group('apps').resource('deployments').namespace(object.metadata.namespace)"
                    ".check('own').allowed() || authorizer.path('/reason').check('get').reason() == 'fine'"
                ),
            ).replace("'at most 5, not ' + string(object.spec.replicas)", "'no'"),
        )
        self.objects("resources.yaml", deployment("ok"))

    def only(self, rows, expect, status=0, **more):
        self.write("kaptest.yaml", MANIFEST + case("ok", expect, authorizer=rows, **more))
        [test] = self.read_tests(status=status)["tests"]
        return test

    def test_rows(self):
        row = {
            "group": "apps",
            "resource": "deployments",
            "subresource": "",
            "namespace": "default",
            "name": "",
            "path": "",
            "verb": "own",
            "decision": "allow",
        }
        for rows, expect in (
            ([row], "admit"),
            ([{"decision": "allow"}], "admit"),
            ([], "deny"),
            ([row | {"namespace": "shop"}], "deny"),
            ([row | {"user": "eve"}], "deny"),
            ([row | {"user": "eve"}, {"verb": "own", "decision": "allow"}], "admit"),
            ([{"verb": "own", "decision": "deny"}, row], "deny"),
        ):
            self.assertEqual(self.only(rows, expect)["result"], "passed")
        self.assertEqual(self.only([row | {"user": "eve"}], "admit", userInfo={"name": "eve"})["result"], "passed")
        self.only([{"path": "/reason", "decision": "deny", "reason": "fine"}], "admit")

    def test_errors_and_accounts(self):
        self.write(
            "policy.yaml",
            POLICY.replace(
                "object.spec.replicas <= 5",
                (
                    "authorizer.path('/a').check('get').errored() && authorizer.serviceAccount('n', "
                    "'s').group('').resource('pods').check('get').allowed()"
                ),
            ).replace("'at most 5, not ' + string(object.spec.replicas)", "'no'"),
        )
        rows = [
            {"path": "/a", "decision": "deny", "error": "down"},
            {"user": "system:serviceaccount:n:s", "resource": "pods", "decision": "allow"},
        ]
        self.assertEqual(self.only(rows, "admit")["result"], "passed")
        self.assertEqual(self.only(rows[:1], "deny")["result"], "passed")

    def test_wrong_rows(self):
        for rows, message in (
            ("x", "what the authorizer answers is a list of rows"),
            ([1], "a row of the authorizer is a mapping"),
            ([{"verb": "own"}], "a row of the authorizer needs a decision: allow or deny"),
            ([{"decision": "yes"}], "decision is neither allow nor deny"),
            ([{"decision": "deny", "verbs": "a"}], "a row of the authorizer has no key verbs, did you mean verb?"),
            ([{"decision": "deny", "name": 1}], "name is no text"),
        ):
            test = self.only(rows, "admit", status=1)
            self.assertEqual((test["result"], test["message"]), ("error", message))

    def test_without_rows(self):
        self.write("kaptest.yaml", MANIFEST + case("ok", "admit"))
        [test] = self.read_tests(status=1)["tests"]
        self.assertEqual((test["result"], "without its answer" in test["message"]), ("error", True))

    def test_kat(self):
        """kat's rows: what one leaves out is empty."""
        self.write("own/policy.yaml", (self.directory / "policy.yaml").read_text())
        self.objects("own/tests/replicas.a.allow.object.yaml", deployment("ok"))
        row = {"group": "apps", "resource": "deployments", "namespace": "default", "verb": "own", "decision": "allow"}
        for rows, actual in (
            ([row], "allow"),
            ([], "deny"),
            ([{k: v for k, v in row.items() if k != "namespace"}], "deny"),
        ):
            self.write("own/tests/replicas.a.allow.authorizer.yaml", rows)
            self.assertEqual(
                [t["actual"] for t in self.read_tests("own", status=int(actual == "deny"))["tests"]], [actual]
            )


class SpeedTest(SuiteCase):
    def test_many_tests(self):
        """10,000 tests of one policy with objects of 1 KB take a second, which tests/bench/suites measures; here is
        room for slow machines and for sanitizers."""
        count = 10000
        self.assertGreater(write_suite(self.directory, count), 900)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        status, out, err = self.run_tests("kaptest.yaml", timeout=150)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertEqual((status, err), (0, ""))
        self.assertIn(f"{count} tests: {count} passed", out)
        self.assertLess(after.ru_utime - before.ru_utime, 40 if stage.is_sanitized(PROGRAM) else 4)


if __name__ == "__main__":
    unittest.main()
