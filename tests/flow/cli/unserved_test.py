#!/usr/bin/env python3
"""kubectl-vapcheck check: kinds and versions that the server does not have."""

import json
import pathlib
import sys
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import stage
from offline import Case

GROUP = "admissionregistration.k8s.io"
RIGHT = "object.spec.replicas > 1"
MUTATION = {"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": "Object{}"}}


def named(api_version, kind, **rest):
    """An object of admission, whatever it claims to be."""
    made = stage.policy("p", RIGHT)
    made.update(apiVersion=api_version, kind=kind, **rest)
    if kind.startswith("Mutating"):
        made["spec"].update(mutations=[MUTATION], reinvocationPolicy="Never")
        del made["spec"]["validations"]
    return made


class UnservedTest(Case):
    def refusals(self, made, version="1.36", status=1):
        results = self.read(
            "--kube-version", version, "-f", "-", "--allow-empty", status=status, input=json.dumps(made)
        )["results"]
        return [(r["field"], r["message"], r.get("hint")) for o in results for r in o["refusals"]]

    def assert_missing(self, made, hint, version="1.36", field="apiVersion"):
        said = f'no matches for kind "{made["kind"]}" in version "{made["apiVersion"]}"'
        self.assertEqual(self.refusals(made, version), [(field, said, hint)])

    def test_versions(self):
        """Each server has its own; kubectl's words."""
        for version in ("v1beta1", "v1alpha1", "v2"):
            self.assert_missing(named(f"{GROUP}/{version}", "ValidatingAdmissionPolicy"),
                                f"Kubernetes 1.36 has it in {GROUP}/v1")  # fmt: skip
        for kind in ("MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding"):
            self.assert_missing(named(f"{GROUP}/v1", kind), "Kubernetes 1.33 does not have it: needs 1.36", "1.33")
            self.assert_missing(named(f"{GROUP}/v1alpha1", kind),
                                f"Kubernetes 1.31 does not have it: needs 1.36 and {GROUP}/v1", "1.31")  # fmt: skip
        self.assertEqual(self.refusals(named(f"{GROUP}/v1", "MutatingAdmissionPolicy"), status=0), [])

    def test_on_demand(self):
        """What a server serves if it is asked to is checked, with a note; never refused."""
        gate = " and --feature-gates=MutatingAdmissionPolicy=true"
        for version, api, gates in (
            ("1.32", "v1alpha1", gate),
            ("1.34", "v1alpha1", gate),
            ("1.34", "v1beta1", gate),
            ("1.36", "v1alpha1", ""),
            ("1.36", "v1beta1", ""),
            ("1.37", "v1beta1", ""),
        ):
            with self.subTest(version=version, api=api):
                made = named(f"{GROUP}/{api}", "MutatingAdmissionPolicy")
                made["spec"]["mutations"] = [{**MUTATION, "applyConfiguration": {"expression": "Object{nope: 1}"}}]
                [result] = self.read(
                    "--kube-version", version, "-f", "-", "--allow-empty", status=1, input=json.dumps(made)
                )["results"]
                self.assertEqual((result["refusals"], len(result["expressionWarnings"])), ([], 1))
                [note] = result["notes"]
                self.assertEqual((note["field"], note["message"]), ("apiVersion", (
                    f"Kubernetes {version} serves MutatingAdmissionPolicy in {GROUP}/{api} only if it is started with"
                    f" --runtime-config={GROUP}/{api}=true{gates}")))  # fmt: skip
                self.assertEqual([f["severity"] for f in result["findings"] if f["id"] == "served-on-demand"], ["note"])

    def test_its_expressions_are_checked_all_the_same(self):
        made = named(f"{GROUP}/v1beta1", "ValidatingAdmissionPolicy")
        made["spec"]["validations"] = [{"expression": "object.replicas > 1"}]
        [result] = self.read("-f", "-", status=1, input=json.dumps(made))["results"]
        self.assertEqual(len(result["expressionWarnings"]), 1)
        self.assertEqual(len(result["refusals"]), 1)
        out = self.check("-f", "-", input=json.dumps(made))[1]
        self.assertIn("  --> stdin:1:17   policy p, apiVersion\n", out)

    def test_slips(self):
        """A name that is nearly one of ours is not silently another's."""
        self.assert_missing(
            named(f"{GROUP}/v1", "ValidatingAdmisionPolicy"), "did you mean ValidatingAdmissionPolicy?", field="kind"
        )
        for version in ("v1", "apps/v1", "admisionregistration.k8s.io/v1"):
            self.assert_missing(named(version, "ValidatingAdmissionPolicy"), f"Kubernetes 1.36 has it in {GROUP}/v1")
        made = named("", "ValidatingWebhookConfiguration")
        del made["apiVersion"]
        self.assertEqual(self.refusals(made), [
            ("apiVersion", "apiVersion not set", f"Kubernetes 1.36 has it in {GROUP}/v1")])  # fmt: skip

    def test_kinds_of_parameters(self):
        for kind, hint in (("Configmap", " (did you mean ConfigMap?)"), ("Limits", "")):
            made = stage.policy("p", "has(params.data)", paramKind={"apiVersion": "v1", "kind": kind})
            out = self.check("-f", "-", input=json.dumps(made))[1]
            self.assertIn(
                f"error[param-kind-not-served]: neither Kubernetes nor a file has kind {kind} of v1{hint}\n", out
            )

    def test_what_is_not_ours(self):
        """The same kind in a group that the server does not have may be somebody's own."""
        for made in (named("policies.example.com/v1", "ValidatingAdmissionPolicy"), named("v1", "ConfigMap"),
                     named(f"{GROUP}/v1", "")):  # fmt: skip
            answer = self.read("-f", "-", "--allow-empty", input=json.dumps(made))
            self.assertEqual((answer["results"], len(answer["skipped"])), ([], 1))

    def test_one_s_own_kind(self):
        """A CustomResourceDefinition among the files counts as served."""
        crd = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
               "metadata": {"name": "validatingadmissionpolicies.example.com"},
               "spec": {"group": "example.com", "scope": "Cluster",
                        "names": {"kind": "ValidatingAdmissionPolicy", "plural": "validatingadmissionpolicies"},
                        "versions": [{"name": "v1", "served": True, "storage": True,
                                      "schema": {"openAPIV3Schema": {"type": "object"}}}]}}  # fmt: skip
        both = {
            "apiVersion": "v1",
            "kind": "List",
            "items": [named("example.com/v1", "ValidatingAdmissionPolicy"), crd],
        }
        self.assertEqual(self.refusals(both, status=0), [])
        both["items"][0]["apiVersion"] = "example.com/v2"
        [(_, message, _)] = self.refusals(both)
        self.assertIn("no matches for kind", message)


class SummaryTest(Case):
    """The last line names what was checked."""

    def last(self, *objects):
        text = json.dumps({"apiVersion": "v1", "kind": "List", "items": objects})
        return self.check("-f", "-", input=text)[1].splitlines()[-1]

    def binding(self, policy="p"):
        return named(f"{GROUP}/v1", "ValidatingAdmissionPolicyBinding",
                     spec={"policyName": policy, "validationActions": ["Deny"]})  # fmt: skip

    def test_kinds(self):
        policy = named(f"{GROUP}/v1", "ValidatingAdmissionPolicy")
        webhooks = {"apiVersion": f"{GROUP}/v1", "kind": "MutatingWebhookConfiguration", "metadata": {"name": "w"}}
        other = named("v1", "ConfigMap")
        end = "(Kubernetes 1.37, built-in schemas)."
        self.assertEqual(self.last(), f"1 error in 0 policies {end}")
        self.assertEqual(self.last(policy), f"nothing found in 1 policy: 1 policy is clean {end}")
        self.assertEqual(
            self.last(webhooks), f"nothing found in 1 webhook configuration: 1 webhook configuration is clean {end}"
        )
        self.assertEqual(self.last(other, policy, webhooks, policy, self.binding(), other),
                         "nothing found in 2 policies, 1 webhook configuration, 1 binding: 4 objects are clean "
                         f"{end} 2 other objects were skipped.")  # fmt: skip
        self.assertEqual(
            self.last(named(f"{GROUP}/v1", "Nothing")),
            f"1 error in 1 object: 1 object is refused {end}",
        )

    def test_bindings_alone(self):
        """What was not checked together with its policy is not clean."""
        self.assertEqual(
            self.last(self.binding("elsewhere")),
            "1 note in 1 binding: 1 binding is without its policy (Kubernetes 1.37, built-in schemas).",
        )


class EveryFormatTest(Case):
    """What a server takes and what has no effect: an error in each format, at its place, and the exit status 1."""

    def binding(self, name="clean", **spec):
        return {"apiVersion": f"{GROUP}/v1", "kind": "ValidatingAdmissionPolicyBinding", "metadata": {"name": "b"},
                "spec": {"policyName": name, "validationActions": ["Deny"], **spec}}  # fmt: skip

    def test_each(self):
        clean = stage.policy("clean", RIGHT)
        rule = {"apiGroups": ["apps"], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["deployment"]}
        for identifier, line, objects in (
            ("param-kind-not-served", 1, [stage.policy("p", RIGHT, paramKind={"apiVersion": "v1", "kind": "Nothing"})]),
            ("resource-not-served", 1, [stage.policy("p", RIGHT, resource="deployment")]),
            ("resource-not-served", 3, [clean, self.binding(matchResources={"resourceRules": [rule]})]),
            ("binding-without-policy", 3, [clean, self.binding("claen")]),
            ("duplicate-object", 3, [clean, clean]),
        ):
            self.write("o.yaml", "\n---\n".join(json.dumps(made) for made in objects))
            for form in ("text", "json", "sarif", "junit", "github"):
                status, out, _ = self.check("-o", form, "-f", "o.yaml")
                self.assertEqual(status, 1, (identifier, form))
                self.assertIn(identifier, out, form)
            found = [
                f
                for r in self.read("-f", "o.yaml", status=1)["results"]
                for f in r["findings"]
                if f["id"] == identifier
            ]
            self.assertEqual(
                [(f["severity"], f["line"], f["column"] > 1) for f in found], [("error", line, True)], identifier
            )


if __name__ == "__main__":
    unittest.main()
