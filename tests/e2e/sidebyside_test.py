#!/usr/bin/env python3
"""kube-controller-manager's controller and ours, on one API server: the same words, and no quarrel."""

import collections
import json
import os

import harness
import upstream


class SideBySideTest(harness.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.plane.apply(upstream.CRD)
        harness.wait_for(
            "the CRD's schema", lambda: "shop.example.com" in cls.plane.kubectl("get", "--raw", "/openapi/v3")
        )

    def apply_all(self):
        self.plane.apply("---\n".join(upstream.documents().values()))

    def all_warnings(self):
        """expressionWarnings by policy, once every generation was checked."""
        found = {}
        for policy in self.plane.list("validatingadmissionpolicies"):
            warnings = harness.expression_warnings(policy)
            if warnings is None:
                return None
            found[policy["metadata"]["name"]] = warnings
        return found

    def test_equal_to_the_byte(self):
        """Upstream checks first; then the same policies, created anew, are ours alone."""
        kcm = self.kcm()
        self.apply_all()
        theirs = harness.wait_for("upstream's warnings", self.all_warnings, timeout=120)
        theirs = {name: upstream.without_nanoseconds(w) for name, w in theirs.items()}
        kcm.kill()
        if os.environ.get("UPDATE_GOLDENS"):
            upstream.GOLDEN.write_text(json.dumps(theirs, indent=1, ensure_ascii=False, sort_keys=True) + "\n")
        self.assertEqual(theirs, upstream.golden())
        self.assertGreaterEqual(len(theirs), 40)
        self.assertGreaterEqual(sum(bool(w) for w in theirs.values()), 30)
        self.assertGreaterEqual(len(upstream.messages(theirs)), 12)

        self.plane.delete("validatingadmissionpolicies", "--all")
        self.controller("--warnings-scope=upstream")
        self.apply_all()
        ours = harness.wait_for("our warnings", self.all_warnings, timeout=60)
        self.maxDiff = None
        self.assertEqual(ours, theirs)

    def status_writes(self):
        """Counts the status writes of both controllers, by policy."""
        writes = self.plane.writes() + self.plane.writes("kube-controller-manager")
        return collections.Counter(
            e["objectRef"]["name"]
            for e in writes
            if e["objectRef"].get("subresource") == "status" and e.get("responseStatus", {}).get("code") == 200
        )

    def test_together_they_settle(self):
        """At most three writes a generation, then none."""
        before = self.status_writes()
        self.controller("--warnings-scope=upstream")
        self.kcm()
        self.apply_all()
        harness.wait_for("all are checked", self.all_warnings, timeout=120)
        self.settled()
        for name, count in (self.status_writes() - before).items():
            self.assertLessEqual(count, 3, name)

    def settled(self):
        """Waits for ten seconds without a write."""
        state = {"writes": None, "same": 0}

        def quiet():
            writes = self.status_writes()
            state["same"] = state["same"] + 1 if writes == state["writes"] else 0
            state["writes"] = writes
            return state["same"] >= 10

        harness.wait_for("ten seconds without a write", quiet, timeout=90, period=1)

    def managers(self, name):
        policy = self.plane.get("validatingadmissionpolicy", name, "--show-managed-fields")
        return {field["manager"] for field in policy["metadata"]["managedFields"]}

    def test_a_fixed_policy_has_no_stale_warning(self):
        """Both own the same warning; when the policy is fixed it is gone, whoever writes last."""
        self.kcm()
        self.plane.apply(harness.policy("p", "object.replicas > 1"))
        harness.wait_for("upstream's warning", lambda: self.plane.warnings("p"))
        self.controller("--warnings-scope=upstream")
        both = {"vapcheck-controller", "validatingadmissionpolicy-status"}
        harness.wait_for("both own it", lambda: both <= self.managers("p"))
        self.plane.apply(harness.policy("p", "object.spec.replicas > 1"))

        def is_fixed():
            return self.plane.status("p").get("observedGeneration") == 2 and self.plane.warnings("p") == []

        harness.wait_for("no warning under the new generation", is_fixed)
        self.settled()
        self.assertTrue(is_fixed())
        self.assertEqual(self.plane.condition("p", "ExpressionsValid")["status"], "True")


harness.main()
