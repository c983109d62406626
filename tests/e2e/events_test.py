#!/usr/bin/env python3
"""Events on a real API server, as kubectl describe shows them."""

import re

import harness


class EventsTest(harness.Case):
    def told(self, name):
        """[(type, reason, from, message)] of kubectl describe."""
        text = self.plane.kubectl("describe", "validatingadmissionpolicy", name)
        table = text.split("\nEvents:", 1)[1]
        if "<none>" in table.split("\n", 1)[0]:
            return []
        lines = table.strip().splitlines()
        self.assertEqual(lines[0].split(), ["Type", "Reason", "Age", "From", "Message"])
        cells = (re.split(r"  +", line.strip(), maxsplit=4) for line in lines[2:])
        return [(kind, reason, source, message) for kind, reason, _, source, message in cells]

    def test_describe(self):
        self.controller()
        self.plane.apply(
            [
                harness.policy("wrong", "object.nope > 1"),
                harness.policy("right", "object.spec.replicas > 1"),
                harness.policy("nowhere", "object.spec.replicas > 1", resource="deploymnets"),
            ]
        )
        found = (
            "Warning",
            "WarningsFound",
            "vapcheck-controller",
            (
                "[undefined-field] 1 of 1 expression: spec.validations[0].expression (apps/v1 Deployment): "
                "undefined field 'nope'"
            ),
        )
        harness.wait_for("its event", lambda: self.told("wrong") == [found])
        harness.wait_for(
            "its event", lambda: [e[:2] for e in self.told("nowhere")] == [("Warning", "ResourceNotFound")]
        )
        harness.wait_for("its status", lambda: self.plane.condition("right", "ExpressionsValid"))
        self.plane.apply(harness.policy("wrong", "object.spec.replicas > 1"))
        resolved = ("Normal", "WarningsResolved", "vapcheck-controller", "no warnings")
        harness.wait_for("the second event", lambda: self.told("wrong") == [found, resolved])
        self.assertEqual(self.told("right"), [])
        for event in self.plane.list("events.events.k8s.io", "-n", "default"):
            if event["reportingController"] == "vapcheck-controller":
                self.assertEqual(event["regarding"]["kind"], "ValidatingAdmissionPolicy")
                self.assertEqual(event["action"], "TypeCheck")
                self.assertLessEqual(len(event["note"]), 1024)

    def test_without_the_right_to(self):
        """An account that may do all but create events does all but that, and says so once."""
        rules = [
            {
                "apiGroups": ["admissionregistration.k8s.io"],
                "verbs": ["get", "list", "watch", "patch"],
                "resources": [
                    "validatingadmissionpolicies",
                    "validatingadmissionpolicybindings",
                    "validatingadmissionpolicies/status",
                ],
            },
            {
                "apiGroups": ["apiextensions.k8s.io", "apiregistration.k8s.io"],
                "verbs": ["get", "list", "watch"],
                "resources": ["customresourcedefinitions", "apiservices"],
            },
        ]
        role = {
            "apiVersion": "rbac.authorization.k8s.io/v1",
            "kind": "ClusterRole",
            "metadata": {"name": "no-events"},
            "rules": rules,
        }
        binding = {
            "apiVersion": "rbac.authorization.k8s.io/v1",
            "kind": "ClusterRoleBinding",
            "metadata": {"name": "no-events"},
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "no-events"},
            "subjects": [{"kind": "ServiceAccount", "namespace": "default", "name": "no-events"}],
        }
        account = {
            "apiVersion": "v1",
            "kind": "ServiceAccount",
            "metadata": {"name": "no-events", "namespace": "default"},
        }
        self.plane.apply([account, role, binding])
        daemon = self.controller(kubeconfig=self.plane.service_account("no-events"))
        self.plane.apply([harness.policy(f"bad-{i}", "object.replicas > 1") for i in range(5)])
        for i in range(5):
            harness.wait_for("a warning", lambda: self.plane.warnings(f"bad-{i}"))
        refused = lambda: daemon.log().count("may not create events")
        harness.wait_for("it says so", refused)
        harness.hold("it says so once", lambda: refused() == 1, 2)


harness.main()
