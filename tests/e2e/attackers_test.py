#!/usr/bin/env python3
"""Attackers and a victim on a real API server: policies that it accepts and that once stopped the daemon for everybody.

The short form of tests/flow/attackers_test.py: what the API server makes of such policies is not what the
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

    def post(self, policy):
        request = urllib.request.Request(
            self.server + POLICIES, json.dumps(policy).encode(), {"Content-Type": "application/json"}
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


def process_cpu(process):
    return stage.Process.cpu_seconds(process)


harness.main()
