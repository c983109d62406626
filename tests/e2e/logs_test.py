#!/usr/bin/env python3
"""No log of ours holds a token or a Secret's value, at the level that says most.

harness.Case looks for the credentials in every log of every test; here Secrets are planted where
the daemon comes near them, and the API server refuses it this and that.
"""

import harness

VALUES = "planted-value-1", "cGxhbnRlZC12YWx1ZS0y"


class LogsTest(harness.Case):
    def run_with(self, *args):
        self.plane.secrets.update((*VALUES, "planted-value-2"))
        account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "reader", "namespace": "default"}}
        secret = {
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {"name": "s", "namespace": "default"},
            "stringData": {"a": VALUES[0]},
            "data": {"b": VALUES[1]},
        }
        binding = {
            "apiVersion": "rbac.authorization.k8s.io/v1",
            "kind": "ClusterRoleBinding",
            "metadata": {"name": "reader"},
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "reader"},
            "subjects": [{"kind": "ServiceAccount", "namespace": "default", "name": "reader"}],
        }
        # reads everything, Secrets too, and writes nothing
        role = {
            "apiVersion": "rbac.authorization.k8s.io/v1",
            "kind": "ClusterRole",
            "metadata": {"name": "reader"},
            "rules": [{"apiGroups": ["*"], "verbs": ["get", "list", "watch"], "resources": ["*"]}],
        }
        param_kind = {"apiVersion": "v1", "kind": "Secret"}
        about = harness.policy(
            "about-secrets",
            "object.data.a != params.data.a",
            "object.nope == 1",
            group="",
            resource="secrets",
            paramKind=param_kind,
        )
        bound = {
            "apiVersion": "admissionregistration.k8s.io/v1",
            "kind": "ValidatingAdmissionPolicyBinding",
            "metadata": {"name": "about-secrets"},
            "spec": {
                "policyName": "about-secrets",
                "validationActions": ["Audit"],
                "paramRef": {"name": "s", "namespace": "default", "parameterNotFoundAction": "Allow"},
            },
        }
        self.plane.apply([account, secret, role, binding, about, bound])
        process = self.controller("-v", "debug", *args, kubeconfig=self.plane.service_account("reader"))
        harness.wait_for("it is refused", lambda: "may not apply the status" in process.log())
        self.assertTrue(any(s.startswith("ey") for s in self.plane.secrets), "a service account's token is looked for")

    def test_text(self):
        self.run_with()

    def test_json(self):
        self.run_with("--logging-format=json")


harness.main()
