#!/usr/bin/env python3
"""Attackers and a victim on a real API server: policies that it accepts and that once stopped the daemon for everybody.

The short form of tests/flow/daemon/attackers_test.py: what the API server makes of such policies is not what the
embedded one makes of them.
"""

import json
import sys
import time
import urllib.request

import harness

sys.path[:0] = [str(harness.SOURCE / "tests/flow"), str(harness.SOURCE / "tests/fuzz")]
import attacks
import stage

POLICIES = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies"
DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
COPIES = 10
VICTIM_S = 1
SLOW = 20  # times, under sanitizers
END_S = 120
FAMILIES = (
    ("doubling", dict(depth=40, use=10)),
    ("doubling", dict(depth=14, kind=1)),  # of more the API server itself never ends
    ("doubling", dict(depth=24, use=1, uses=20)),
    ("strings", dict(doublings=3, start=81_919, uses=300, needle=5, wide=1)),
    ("names", dict(count=2000, wide=1)),
    ("plain", dict(count=1000)),
)


class AttackersTest(harness.Case):
    def setUp(self):
        super().setUp()
        self.server = self.proxy()

    def post(self, policy, path=POLICIES):
        request = urllib.request.Request(
            self.server + path, json.dumps(policy).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def conditions(self, name):
        with urllib.request.urlopen(f"{self.server}{POLICIES}/{name}", timeout=60) as answer:
            found = json.load(answer)
        return {c["type"]: c for c in found.get("status", {}).get("conditions", [])}, found

    def test_the_victim_is_served(self):
        process = self.controller("--leader-elect", "--leader-elect-resource-namespace=default")
        self.post(harness.policy("first", "object.replicas > 1"))
        harness.wait_for("the first status", lambda: self.conditions("first")[0])
        names = []
        for f, (family, numbers) in enumerate(FAMILIES):
            made = attacks.make(family, **numbers).objects[0]
            for i in range(COPIES):
                names.append(f"attacker-{f}-{i}")
                self.post({**made, "metadata": {"name": names[-1]}})
        limit = VICTIM_S * (1 if "release" in harness.CONTROLLER else SLOW)
        for i in range(3):
            cpu = process_cpu(process)
            began = time.monotonic()
            self.post(harness.policy(f"victim-{i}", "object.replicas > 1"))
            harness.wait_for("the victim's status", lambda: self.conditions(f"victim-{i}")[0], timeout=60, period=0.02)
            took = min(time.monotonic() - began, process_cpu(process) - cpu)
            print(f"  victim-{i}: {took:.2f} s", file=sys.stderr)
            self.assertLess(took, limit)
        self.assertEqual(stage.ask(process, "/livez"), (200, "ok"))
        self.assertEqual(stage.ask(process, "/readyz"), (200, "ok"))
        for name in names[::COPIES]:
            found, policy = harness.wait_for(
                f"the status of {name}", lambda: self.conditions(name)[0] and self.conditions(name), END_S
            )
            said = str(policy["status"].get("typeChecking", {}))
            self.assertTrue(
                attacks.WRONG_NAME in said or found["TypeChecked"]["reason"] == "LimitReached", (name, found)
            )
        self.assertTrue(process.running())
        self.assertEqual(stage.Metrics(process).read()['leader_election_master_status{name="vapcheck-controller"}'], 1)

    def test_one_object_is_nobody_elses(self):
        """A policy six times as long in lists, and a definition of categories without an end; then a restart."""
        process = self.controller("--watch-crds")
        long = harness.policy("long", "object.nope > 1")
        long["spec"]["validations"] += [{"expression": "true", "message": "<" * 50_000}] * 28
        self.post(long)
        names = {"plural": "things", "singular": "thing", "kind": "Thing"}
        names["categories"] = [f"c{i:04}" for i in range(40_000)]
        schema = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
        versions = [{"name": f"v{i}", "served": True, "storage": i == 1, "schema": schema} for i in range(1, 9)]
        definition = {
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": "things.example.com"},
            "spec": {"group": "example.com", "scope": "Namespaced", "names": names, "versions": versions},
        }
        self.post(definition, DEFINITIONS)
        for name in ("victim-of-a-running-one", "victim-of-a-restarted-one"):
            things = {"group": "example.com", "version": "v8", "resource": "things"}
            self.post(harness.policy(f"served-{name}", "object.spec.x > 1", **things))
            self.post(harness.policy(name, "object.replicas > 1"))
            for policy in (name, "long", f"served-{name}"):
                # of a definition that is new the server serves nothing for a moment
                conditions = harness.wait_for(
                    f"the check of {policy}",
                    lambda: (
                        (found := self.conditions(policy)[0])
                        and found["TypeChecked"]["reason"] not in ("ResourceNotFound", "LimitReached")
                        and found
                    ),
                    timeout=END_S,
                )
                self.assertNotEqual(conditions["TypeChecked"]["reason"], "ClusterUnavailable")
            self.assertEqual(self.conditions("long")[0]["ExpressionsValid"]["reason"], "WarningsFound")
            if name != "victim-of-a-restarted-one":
                process.stop()
                process = self.controller("--watch-crds")


def process_cpu(process):
    return stage.Process.cpu_seconds(process)


harness.main()
