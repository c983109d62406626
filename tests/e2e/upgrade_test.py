#!/usr/bin/env python3
"""What kubectl vapcheck upgrade says from 1.36 to 1.37 is so on a real API server of either: e2e/upgrade runs on 1.37,
e2e/1.36/upgrade on 1.36. What will fail there fails on the newer alone, what would be refused is refused by the newer
alone, and an offered spelling works on both."""

import json
import subprocess

import harness

OLD, NEW = "1.36", "1.37"

CONTAINERS = "object.spec.template.spec.containers"
FAILING = [
    f"{CONTAINERS}.orValue([]).size() > 0", "object.metadata.name.orValue('x') != ''", "object.spec.replicas.orValue(3) == 1",
    "object.metadata.labels.orValue({}).size() > 0", "object.metadata.labels['case'].orValue('') != ''",
    f"{CONTAINERS}[0u].name == 'c'", f"{CONTAINERS}[0.0].name == 'c'", "!(1 in object.metadata.labels)",
    f"!({CONTAINERS} == 'a')", "!(object.spec == 5)", f"!({CONTAINERS}[0] == 'a')", f"!{CONTAINERS}.exists(c, c == 'c')",
]  # fmt: skip
WORKING = ["object.spec.replicas == 1", f"{CONTAINERS} != 'a'", f"{CONTAINERS}.all(c, c.name == 'c')", "!('a' == object.spec)"]
REFUSED = ["duration(1 + 4) < duration('1m')"]


def deployment(case):
    template = {"metadata": {"labels": {"app": "a"}}, "spec": {"containers": [{"name": "c", "image": "nginx"}]}}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": case, "namespace": "default", "labels": {"case": case}},
        "spec": {"replicas": 1, "selector": {"matchLabels": {"app": "a"}}, "template": template},
    }


def policy(case, expression):
    """One that only the deployment of its name reaches."""
    made = harness.policy(case, expression, failurePolicy="Fail")
    made["spec"]["matchConstraints"]["objectSelector"] = {"matchLabels": {"case": case}}
    return made


def binding(case):
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingAdmissionPolicyBinding",
        "metadata": {"name": case},
        "spec": {"policyName": case, "validationActions": ["Deny"]},
    }


def changes(policies):
    """{policy: {"fails" or "refused": its spelling or None}}, as upgrade says it."""
    listed = json.dumps({"apiVersion": "v1", "kind": "List", "items": policies})
    command = [harness.KUBECTL_VAPCHECK, "upgrade", "--from", OLD, "--to", NEW, "-o", "json", "-f", "-"]
    done = subprocess.run(command, input=listed, capture_output=True, text=True)
    return {
        result["name"]: {c["change"]: c.get("spelling") for c in result["changes"] if not c["isGone"]}
        for result in json.loads(done.stdout)["results"]
    }


class UpgradeTest(harness.Case):
    def setUp(self):
        self.is_new = self.plane.version != OLD

    def answers(self, cases):
        """{case: what the API server says against creating its deployment}, in dry runs."""
        listed = {"apiVersion": "v1", "kind": "List", "items": [deployment(case) for case in cases]}
        done = self.plane.run_kubectl("create", "--dry-run=server", "-f", "-", input=json.dumps(listed), timeout=120)
        return {case: next((line for line in done.stderr.splitlines() if f'"{case}" is' in line), "") for case in cases}

    def test_evaluation(self):
        expressions = {f"e{i}": e for i, e in enumerate(FAILING + WORKING)}
        said = changes([policy(case, e) for case, e in expressions.items()])
        failing = {case for case in said if "fails" in said[case]}
        self.assertEqual(failing, {f"e{i}" for i in range(len(FAILING))})
        spelt = {"s" + case: said[case]["fails"] for case in failing if said[case]["fails"]}
        self.assertEqual(len(spelt), 7, "orValue and indexes")

        cases = {**expressions, **spelt, "ready": "false"}
        self.plane.apply([*(policy(case, e) for case, e in cases.items()), *map(binding, cases)])
        harness.wait_for("the policies are active", lambda: self.answers(["ready"])["ready"])
        found = harness.wait_for("each is active", lambda: self.settled(sorted(cases)), timeout=60)
        for case, expression in cases.items():
            with self.subTest(expression=expression):
                if case == "ready":
                    self.assertIn("failed expression", found[case])
                elif case in failing and self.is_new:
                    self.assertIn("resulted in error", found[case])
                else:
                    self.assertEqual(found[case], "")

    def settled(self, cases):
        """The answers, once they stay the same for a while: an API server learns of policies one by one."""
        before = self.answers(cases)
        harness.time.sleep(2)
        return before if self.answers(cases) == before else None

    def test_refusals(self):
        for i, expression in enumerate(REFUSED):
            made = policy(f"r{i}", expression)
            self.assertIn("refused", changes([made])[f"r{i}"])
            done = self.plane.run_kubectl("create", "--dry-run=server", "-f", "-", input=json.dumps(made))
            self.assertEqual("is invalid" in done.stderr, self.is_new, done.stderr)


harness.main()
