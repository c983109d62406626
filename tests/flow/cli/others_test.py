#!/usr/bin/env python3
"""kubectl-vapcheck check: CompositeResourceDefinitions of Crossplane, files that configure an API server, selectors of
devices, templates of Gatekeeper."""

import json
import pathlib
import subprocess
import sys
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from offline import PROGRAM, Case

COMPOSITE = """\
apiVersion: apiextensions.crossplane.io/%s
kind: CompositeResourceDefinition
metadata: {name: networks.example.org}
spec:
  group: example.org
  names: {kind: Network, plural: networks}
%s  versions:
  - name: v1
    served: true
    referenceable: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer}
            x-kubernetes-validations:
            - {rule: '%s'}
"""
POLICY = """\
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [example.org], apiVersions: [v1], resources: [%s], operations: [CREATE]}
  validations: [{expression: '%s'}]
"""
AUTHENTICATION = """\
apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: {url: 'https://example.com', audiences: [a]}
  claimMappings:
    username: {expression: 'claims.sub'}
  claimValidationRules:
  - expression: %s
"""
AUTHORIZATION = """\
apiVersion: apiserver.config.k8s.io/v1
kind: AuthorizationConfiguration
authorizers:
- type: Webhook
  name: hook
  webhook:
    timeout: 3s
    subjectAccessReviewVersion: v1
    matchConditionSubjectAccessReviewVersion: v1
    failurePolicy: Deny
    connectionInfo: {type: InClusterConfig}
    matchConditions:
    - expression: %s
"""
CLAIM = """\
apiVersion: resource.k8s.io/%s
kind: ResourceClaim
metadata: {name: gpu}
spec:
  devices:
    requests:
    - name: one
%s
"""
EXACTLY = CLAIM % (
    "v1",
    """\
      exactly:
        deviceClassName: gpu.example.com
        selectors:
        - cel: {expression: "%s"}""",
)
FLAT = CLAIM % (
    "v1beta1",
    """\
      deviceClassName: gpu.example.com
      selectors:
      - cel: {expression: "%s"}""",
)


class OthersTest(Case):
    def check(self, text, *args, status=0):
        done = subprocess.run(
            [PROGRAM, "check", "-f", "-", "--allow-empty", *args],
            input=text,
            capture_output=True,
            text=True,
            timeout=60,
            cwd=self.directory,
        )
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout

    def refusals(self, text, *args, status=1):
        found = json.loads(self.check(text, "-o", "json", *args, status=status))
        return [(r["field"], r["line"], r["column"]) for result in found["results"] for r in result["refusals"]]


class CompositeTest(OthersTest):
    def test_a_rule_is_refused_at_its_place(self):
        found = self.refusals(COMPOSITE % ("v2", "", "self.sise > 1"))
        self.assertEqual(
            found, [("spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule", 20, 23)]
        )

    def test_crossplanes_fields_depend_on_the_scope(self):
        nested, plain = "has(self.crossplane.compositionRef)", "has(self.compositionRef)"
        for version, scope, good, bad in (
            ("v2", "", nested, plain),
            ("v2", "  scope: Cluster\n", nested, plain),
            ("v1", "", plain, nested),
            ("v1", "  scope: Namespaced\n", nested, plain),
        ):
            self.check(COMPOSITE % (version, scope, good))
            self.assertEqual(len(self.refusals(COMPOSITE % (version, scope, bad))), 1)

    def test_a_claim_is_checked_too(self):
        claim = "  claimNames: {kind: Net, plural: nets}\n"
        self.assertEqual(len(self.refusals(COMPOSITE % ("v1", claim, "self.sise > 1"))), 1)
        self.assertEqual(len(self.refusals(COMPOSITE % ("v1", claim, "has(self.claimRef)"))), 1)
        self.check(COMPOSITE % ("v1", "", "has(self.claimRef)"))
        self.check(COMPOSITE % ("v1", claim, "has(self.compositionRef)"))

    def test_policies_have_its_types(self):
        claim = "  claimNames: {kind: Net, plural: nets}\n"
        composite = COMPOSITE % ("v1", claim, "true")
        self.check(composite + POLICY % ("networks", "has(object.spec.claimRef) || object.spec.size > 1"))
        self.check(composite + POLICY % ("nets", "object.spec.size > 1"))
        self.check(composite + POLICY % ("nets", 'object.spec.claimRef.name != ""'), status=1)
        text = self.check(composite + POLICY % ("networks", "object.spec.sise > 1"), status=1)
        self.assertIn("no field 'sise'", text)
        self.assertIn("1 error in 1 policy, 1 XRD: 1 object is clean, 1 has errors or warnings ", text)

    def test_one_without_rules_is_a_type(self):
        text = self.check(
            (COMPOSITE % ("v2", "", "true")).split("            x-kubernetes")[0]
            + POLICY % ("networks", "object.spec.size > 1")
        )
        self.assertIn(" 1 XRD was read for its type.", text)

    def test_cost(self):
        done = subprocess.run(
            [PROGRAM, "crd", "--cost", "-f", "-"],
            input=COMPOSITE % ("v2", "", "self.size > 1"),
            capture_output=True,
            text=True,
            timeout=60,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("stdin:20:23: CRD networks.example.org, spec.validation", done.stdout)

    def test_odd_ones(self):
        for old, new, status in (
            ("versions:", "version:", 1),
            ("schema:", "schemas:", 0),
            ("names:", "name:", 1),
            ("  group:", "  groups:", 1),
            ("type: object\n        properties", "type: [1]\n        properties", 1),
            ("metadata: {name: networks.example.org}", "metadata: []", 1),
            ("crossplane.io/v2", "crossplane.io/v9", 0),
        ):
            made = (COMPOSITE % ("v2", "", "self.sise > 1")).replace(old, new)
            self.assertNotEqual(made, COMPOSITE % ("v2", "", "self.sise > 1"))
            self.check(made, status=status)


class ConfigurationTest(OthersTest):
    def test_expressions_are_refused_at_their_place(self):
        self.check(AUTHENTICATION % "claims.hd == 'x'")
        self.check(AUTHORIZATION % "request.user != 'x'")
        self.assertEqual(
            self.refusals(AUTHENTICATION % "claim.hd == 'x'"), [("jwt[0].claimValidationRules[0].expression", 8, 17)]
        )
        self.assertEqual(
            self.refusals(AUTHORIZATION % "request.name == 'x'"),
            [("authorizers[0].matchConditions[0].expression", 13, 19)],
        )

    def test_hints(self):
        self.assertIn(
            "^^^^^^^^^^ fix: startsWith\n", self.check(AUTHENTICATION % "claims.hd.startswith('x')", status=1)
        )
        self.assertIn(
            "^^^ fix: &&\n",
            self.check(AUTHORIZATION % "request.user == 'a' and request.uid == 'b'", status=1),
        )
        self.assertNotIn("fix: ", self.check(AUTHORIZATION % "object.user == 'a'", status=1))

    def test_versions(self):
        selector = AUTHORIZATION % "request.resourceAttributes.labelSelector.rawSelector == 'x'"
        self.check(selector, "--kube-version", "1.32")
        beta = selector.replace("k8s.io/v1", "k8s.io/v1beta1")
        self.assertEqual(
            [field for field, _, _ in self.refusals(beta, "--kube-version", "1.31")],
            ["authorizers[0].matchConditions[0].expression"],
        )
        self.assertEqual(self.refusals(selector, "--kube-version", "1.31"), [("apiVersion", 1, 13)])
        self.assertEqual(
            self.refusals(AUTHENTICATION % "claims.hd == 'x'", "--kube-version", "1.33"), [("apiVersion", 1, 13)]
        )

    def test_they_are_counted(self):
        text = self.check(AUTHENTICATION % "claims.hd == 'x'" + "---\n" + AUTHORIZATION % "request.user", status=1)
        self.assertIn(
            (
                "1 error in 1 authentication configuration, 1 authorization configuration: 1 object is clean, "
                "1 is refused "
            ),
            text,
        )
        self.assertIn(
            "  --> stdin:22:19   authorization configuration AuthorizationConfiguration, "
            "authorizers[0].matchConditions[0].expression\n",
            text,
        )

    def test_two_files_have_no_name_in_common(self):
        self.check(AUTHENTICATION % "claims.hd == 'x'" + "---\n" + AUTHENTICATION % "claims.hd == 'y'")


class DevicesTest(OthersTest):
    def test_selectors_are_refused_at_their_place(self):
        self.check(EXACTLY % "device.driver == 'x'")
        self.assertEqual(
            self.refusals(EXACTLY % "device.name == 'x'"),
            [("spec.devices.requests[0].exactly.selectors[0].cel.expression", 11, 30)],
        )
        self.assertEqual(
            self.refusals(FLAT % "device.name == 'x'"),
            [("spec.devices.requests[0].exactly.selectors[0].cel.expression", 10, 28)],
        )
        cheap, dear = "device.attributes.all(a, true)", "device.attributes.x.y.matches('a+')"
        self.check(EXACTLY % cheap)
        self.assertIn("Forbidden: too complex, exceeds cost limit", self.check(EXACTLY % dear, status=1))

    def test_hints(self):
        self.assertIn("^^^^^^^^^^ fix: startsWith\n", self.check(EXACTLY % "device.driver.startswith('x')", status=1))
        self.assertIn("^^^ fix: &&\n", self.check(FLAT % "device.driver == 'x' and true", status=1))
        self.assertNotIn("fix: ", self.check(EXACTLY % "object.driver == 'x'", status=1))

    def test_versions(self):
        claim = EXACTLY % "device.allowMultipleAllocations"
        self.check(claim, "--kube-version", "1.36")
        self.assertEqual(len(self.refusals(claim, "--kube-version", "1.35")), 1)
        # before 1.34 there is no v1, and nothing is said of its objects
        self.assertIn("1 other object was skipped", self.check(claim, "--kube-version", "1.33"))
        self.assertIn("--runtime-config=resource.k8s.io/v1beta1=true", self.check(FLAT % "true"))
        self.assertEqual(self.refusals(EXACTLY.replace("io/v1", "io/v3") % "1"), [("apiVersion", 1, 13)])

    def test_they_are_counted(self):
        text = self.check(
            EXACTLY % "true" + "---\n" + EXACTLY.replace("Claim", "ClaimTemplate").replace("one", "two") % "true",
            status=0,
        )
        self.assertIn("1 resource claim, 1 resource claim template: 2 objects are clean", text)


TEMPLATE = """\
apiVersion: templates.gatekeeper.sh/v1
kind: ConstraintTemplate
metadata: {name: k8sreplicas}
spec:
  crd: {spec: {names: {kind: K8sReplicas}}}
  targets:
  - target: admission.k8s.gatekeeper.sh
    code:
    - engine: Rego
      source: {rego: package x}
    - engine: K8sNativeValidation
      source:
        failurePolicy: Fail
        matchCondition: [{name: m, expression: %s}]
        variables: [{name: v, expression: 'variables.params.a + 1'}, {name: %s, expression: '1'}]
        validations:
        - expression: %s
          messageExpression: %s
"""


class TemplateTest(OthersTest):
    def found(
        self,
        condition="variables.v > 0",
        name="w",
        validation="variables.v == object.x",
        message="\"'a'\"",
        edit=("", ""),
        status=1,
    ):
        text = (
            (TEMPLATE % (condition, name, validation, message)).replace(*edit)
            if edit[0]
            else TEMPLATE % (condition, name, validation, message)
        )
        answer = json.loads(self.check(text, "-o", "json", status=status))
        return [(f["id"], f["line"], f["column"], f["message"]) for r in answer["results"] for f in r["findings"]]

    def test_what_gatekeeper_declares(self):
        self.assertEqual(self.found(status=0), [])
        for text in (
            "variables.anyObject.metadata.name == 'a'",
            "has(variables.params) || request.operation == 'CREATE'",
            "namespaceObject.metadata.name == oldObject.x",
        ):
            self.assertEqual(self.found(validation=text, status=0), [])
        missing = "compilation failed: ERROR: <input>:1:1: undeclared reference to '%s' (in container '')"
        for name in ("params", "authorizer"):
            self.assertEqual(self.found(validation=f"{name}.x == 1"), [("template-error", 17, 23, missing % name)])

    def test_results(self):
        self.assertEqual(
            self.found(validation="'1'"), [("template-error", 17, 24, "must evaluate to bool but got int")]
        )
        self.assertEqual(
            self.found(message="object.x == 1"), [("template-error", 18, 30, "must evaluate to string but got bool")]
        )
        self.assertEqual(
            self.found(validation="1"),
            [("template-error", 17, 23, "Gatekeeper refuses the template: the expression is no string")],
        )
        self.assertEqual([f[1:3] for f in self.found(condition="object.x +")], [(14, 58)])

    def test_what_gatekeeper_refuses(self):
        said = "Gatekeeper refuses the template: %s is a reserved name"
        for name in ("params", "anyObject", "gatekeeper_internal_x"):
            self.assertEqual(self.found(name=name), [("template-error", 15, 77, said % name)])
        self.assertEqual(
            [f[3] for f in self.found(edit=("failurePolicy: Fail", "failurePolicy: Deny"))],
            ["Gatekeeper refuses the template: Deny is not Fail or Ignore"],
        )
        [fault] = self.found(edit=("matchCondition:", "matchConditions:"))
        self.assertEqual(fault[3], "Gatekeeper does not read matchConditions: the field is matchCondition")

    def test_what_is_not_checked(self):
        rego = (TEMPLATE % ("1", "w", "1", "1")).replace("K8sNativeValidation", "Other")
        self.assertIn("1 other object was skipped", self.check(rego))

    def test_it_can_be_ignored_and_is_counted(self):
        text = TEMPLATE % ("object.x == 1", "w", "params.x == 1", "\"'a'\"")
        self.assertIn("1 constraint template: 1 constraint template has errors or warnings", self.check(text, status=1))
        self.assertIn(
            "1 finding suppressed",
            self.check(
                text.replace("        - expression", "        # vapcheck: ignore template-error\n        - expression")
            ),
        )


if __name__ == "__main__":
    unittest.main()
