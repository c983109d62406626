#!/usr/bin/env python3
"""What the API server makes of the statuses that we write: it takes each, finds nothing in them, and then nobody
writes."""

import json
import re

import harness
import upstream

QUIET_S = 6
CONDITION = {
    "type": "TypeChecked",
    "status": "True",
    "reason": "AllTypesChecked",
    "message": "",
    "lastTransitionTime": "2026-01-01T00:00:00Z",
    "observedGeneration": 1,
}


def odd():
    """Policies whose conditions have long messages, other reasons, and much to quote."""
    many = {f"v{n}": f"object.nope{n}" for n in range(60)}
    return [
        harness.policy("warned", *[f"object.{'x' * n} > {n}" for n in range(1, 90)]),
        harness.policy("variables", "true", variables=[{"name": k, "expression": v} for k, v in many.items()]),
        harness.policy("nowhere", "object.x > 1", resource="deploymnets"),
        harness.policy("everywhere", "object.spec.replicas > 1", group="*", version="*", resource="*"),
        harness.policy("quoted", "object.spec.paused == '\\u0007\\\\ \\u202e é 漢字 \\U0001F600'", "object.c == '%s'"),
        harness.policy("multiline", "object.replicas >\n  1 &&\n\tobject.paused"),
        harness.policy("params", "params.data.x == object.nope", paramKind={"apiVersion": "v1", "kind": "ConfigMap"}),
        harness.policy(
            "paramless", "params.spec.x == 1", paramKind={"apiVersion": "nobody.example.com/v1", "kind": "Nothing"}
        ),
    ]


class ValidationTest(harness.Case):
    def written(self):
        return [e for e in self.plane.writes() if e["objectRef"].get("subresource") == "status"]

    def names(self):
        return {p["metadata"]["name"] for p in self.plane.list("validatingadmissionpolicies")}

    def checked(self):
        for policy in self.plane.list("validatingadmissionpolicies"):
            conditions = {c["type"]: c["observedGeneration"] for c in policy.get("status", {}).get("conditions", [])}
            assert harness.expression_warnings(policy) is not None, policy["metadata"]["name"]
            assert conditions.get("ExpressionsValid") == policy["metadata"]["generation"], policy["metadata"]["name"]
        return True

    def metrics(self, name):
        """Sum of the API server's counters whose name ends so, and their lines."""
        text = self.plane.kubectl("get", "--raw", "/metrics")
        lines = re.findall(rf"^[a-z_]*{name}(?:{{.*}})? .*$", text, re.M)
        return sum(float(line.rsplit(" ", 1)[1]) for line in lines), lines

    def put(self, name, condition):
        status = {"conditions": [condition]}
        made = {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicy",
                "metadata": {"name": name}, "status": status}  # fmt: skip
        flags = ("--server-side", "--force-conflicts", "--subresource=status", "--field-manager=test", "-f", "-")
        return self.plane.run_kubectl("apply", *flags, input=json.dumps(made))

    def test_conditions_are_validated(self):
        """The server does look at conditions; the next tests mean something."""
        self.plane.apply(harness.policy("p", "true"))
        self.assertEqual(self.put("p", CONDITION).returncode, 0)
        for wrong in (
            {"reason": "no good"},
            {"status": "Maybe"},
            {"observedGeneration": -1},
            {"reason": ""},
            {"message": "m" * 32769},
        ):
            refused = self.put("p", {**CONDITION, **wrong})
            self.assertNotEqual(refused.returncode, 0, wrong)
            self.assertIn("status.conditions[0]", refused.stderr, wrong)

    def check_all(self, scope):
        """Every status is taken; the server's declarative validation finds what its handwritten one does: nothing."""
        shadows = ("declarative_validation_mismatch_total", "declarative_validation_panic_total")
        before = {name: self.metrics(name) for name in shadows}
        seen = len(self.written())
        self.plane.apply(upstream.CRD)
        harness.wait_for(
            "the CRD's schema", lambda: "shop.example.com" in self.plane.kubectl("get", "--raw", "/openapi/v3")
        )
        self.plane.apply("---\n".join(upstream.documents().values()))
        self.plane.apply(odd())
        self.controller(f"--warnings-scope={scope}")
        harness.wait_for("all are checked", self.checked, timeout=90)
        self.at_rest()
        # warnings that come and go: a list that becomes empty, by whoever owns it
        self.plane.apply(
            [
                harness.policy("warned", "object.spec.replicas > 1"),
                harness.policy("multiline", "object.spec.paused == true"),
            ]
        )
        harness.wait_for("all are checked again", self.checked, timeout=90)
        self.at_rest()
        self.assertFalse(self.plane.warnings("warned"))
        codes = {(e["objectRef"]["name"], e["responseStatus"]["code"]) for e in self.written()[seen:]}
        self.assertEqual({n for n, _ in codes}, self.names())
        self.assertEqual({c for _, c in codes} - {409}, {200}, codes)
        for name in shadows:
            self.assertEqual(self.metrics(name), before[name])

    def at_rest(self):
        """Nobody writes any more."""
        last = [-1]

        def quiet():
            count = len(self.written()) + len(self.plane.writes("kube-controller-manager"))
            same, last[0] = count == last[0], count
            return same

        harness.wait_for("quiet", quiet, timeout=60, period=2)
        before = last[0]
        harness.hold("no write", lambda: quiet() and last[0] == before, QUIET_S)

    def test_alone(self):
        self.check_all("full")

    def test_alone_scope_upstream(self):
        self.check_all("upstream")

    def test_beside_kube_controller_manager(self):
        self.kcm()
        self.check_all("upstream")


harness.main()
