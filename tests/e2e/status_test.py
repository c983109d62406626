#!/usr/bin/env python3
"""What is applied reads back as it was meant: at rest nothing is written, whatever the server shows of it."""

import json

import harness

OURS = "vapcheck-controller"
# Every status and reason that a condition has here; the server validates each.
EXPECTED = {
    "clean": {"TypeChecked": "AllTypesChecked", "ExpressionsValid": "NoWarnings", "Bound": "BindingFound"},
    "warned": {"TypeChecked": "AllTypesChecked", "ExpressionsValid": "WarningsFound", "Bound": "NoBinding"},
    "nowhere": {"TypeChecked": "ResourceNotFound", "ExpressionsValid": "PartlyChecked", "Bound": "NoBinding"},
    "params": {
        "TypeChecked": "AllTypesChecked",
        "ExpressionsValid": "NoWarnings",
        "ParamKindFound": "Found",
        "Bound": "NoBinding",
    },  # fmt: skip
    "no-params": {
        "TypeChecked": "AllTypesChecked",
        "ExpressionsValid": "NoWarnings",
        "ParamKindFound": "NotFound",
        "Bound": "NoBinding",
    },  # fmt: skip
    "many": {"TypeChecked": "ResourceNotFound", "ExpressionsValid": "WarningsFound", "Bound": "NoBinding"},
}


def kind(api_version, name):
    return {"paramKind": {"apiVersion": api_version, "kind": name}}


def policies():
    """One for each line of EXPECTED; the last fills each message to its bound."""
    many = harness.policy("many", *[f"object.nothing{n} > {n}" for n in range(30)])
    many["spec"]["matchConstraints"]["resourceRules"][0]["resources"] += ["x" * 200 + str(n) for n in range(8)]
    return [
        harness.policy("clean", "object.spec.replicas > 1"),
        harness.policy("warned", "object.replicas > 1"),
        harness.policy("nowhere", "true", resource="deploymnets"),
        harness.policy("params", "object.spec.replicas > 1", **kind("v1", "ConfigMap")),
        harness.policy("no-params", "object.spec.replicas > 1", **kind("nobody.example.com/v1", "Nothing")),
        many,
    ]


BINDING = {
    "apiVersion": "admissionregistration.k8s.io/v1",
    "kind": "ValidatingAdmissionPolicyBinding",
    "metadata": {"name": "clean-binding"},
    "spec": {"policyName": "clean", "validationActions": ["Audit"]},
}


class StatusTest(harness.Case):
    def reasons(self, name):
        return {c["type"]: c["reason"] for c in self.plane.status(name).get("conditions", [])}

    def settled(self):
        harness.wait_for("every condition", lambda: {n: self.reasons(n) for n in EXPECTED} == EXPECTED)

    def own(self, name):
        """The entries of managedFields under status that are ours."""
        found = self.plane.get("validatingadmissionpolicy", name, "--show-managed-fields")
        return [f["fieldsV1"] for f in found["metadata"]["managedFields"] if f["manager"] == OURS]

    def expect_rest(self, what):
        """Each policy is looked at again, and none is written."""
        before = len(self.plane.writes())
        for name in EXPECTED:
            self.plane.kubectl("annotate", "--overwrite", "validatingadmissionpolicy", name, f"looked-at={what}")
        # a policy that is made last is checked last
        last = f"after-{what}"
        self.plane.apply([harness.policy(last, "object.spec.replicas > 1")])
        harness.wait_for("a later policy's status", lambda: self.plane.condition(last, "TypeChecked"))
        writes = [w for w in self.plane.writes()[before:] if last not in json.dumps(w, default=str)]
        self.assertEqual(writes, [], what)

    def test_at_rest_nothing_is_written(self):
        self.plane.apply([*policies(), BINDING])
        daemon = self.controller()
        self.settled()
        self.expect_rest("once")
        daemon.stop()
        self.controller()
        self.expect_rest("after-a-restart")
        for name in ("clean", "warned"):
            [fields] = self.own(name)
            self.assertEqual(set(fields["f:status"]), {"f:conditions", "f:observedGeneration", "f:typeChecking"}, name)

    def test_warnings_come_and_go(self):
        """No warnings is an empty list, which a server of 1.37 shows as nothing at all."""
        self.controller()
        for turn, expression in enumerate(("object.spec.replicas > 1", "object.replicas > 1") * 2, 1):
            self.plane.apply([harness.policy("turns", expression)])
            wanted = "NoWarnings" if turn % 2 else "WarningsFound"
            harness.wait_for(f"turn {turn}", lambda: self.reasons("turns").get("ExpressionsValid") == wanted)
            self.assertEqual(len(self.plane.warnings("turns") or []), turn % 2 == 0)

    def test_beside_the_builtin_controller(self):
        """Each of the two writes what it has to say, and then both are quiet."""
        self.kcm()
        self.controller("--own-status=conditions")
        self.plane.apply([*policies(), BINDING])
        self.settled()
        harness.wait_for("the other's warnings", lambda: self.plane.warnings("warned"))
        self.expect_rest("beside-another")

    def test_a_release_leaves_nothing(self):
        self.plane.apply([*policies(), BINDING])
        daemon = self.controller()
        self.settled()
        daemon.stop()
        release = self.controller("--release-status")
        self.assertEqual(release.wait(60), 0)
        for name in EXPECTED:
            self.assertEqual((self.own(name), self.reasons(name)), ([], {}), name)
            self.assertFalse(self.plane.warnings(name), name)


harness.main()
