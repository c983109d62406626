#!/usr/bin/env python3
"""What the next version of Kubernetes changes: the daemon with --also-check, and upgrade --cluster."""

import json
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import stage

NEXT = "ValidOnNextVersion"
RIGHT = "object.spec.replicas > 1"
BREAKS = "object.metadata.name.orValue('') != ''"  # 1.37 takes no orValue of what is no optional


class NextVersionTest(stage.Case):
    def setUp(self):
        super().setUp()
        self.on = self.server()
        self.on.create(stage.policy("right", RIGHT))
        self.on.create(stage.policy("breaks", RIGHT, BREAKS))

    def daemon(self, *flags):
        return self.controller(self.on.kubeconfig, *flags)

    def answers(self):
        """By policy: the condition's status and reason."""
        found = {name: self.on.condition(name, NEXT) for name in ("right", "breaks")}
        return {name: c and (c["status"], c["reason"]) for name, c in found.items()}

    def await_answers(self, **wanted):
        stage.wait_for(f"{wanted}", lambda: self.answers() == wanted)

    def test_what_breaks(self):
        """Said once, with the first place; the other conditions are those of the server's own version."""
        process = self.daemon("--also-check=1.37")
        self.await_answers(right=("True", "NoChange"), breaks=("False", "ChangesFound"))
        message = self.on.condition("breaks", NEXT)["message"]
        self.assertIn("1.37", message)
        self.assertIn("spec.validations[1].expression", message)
        self.assertEqual(self.on.condition("breaks", "ExpressionsValid")["status"], "True")
        metrics = stage.Metrics(process)
        found = metrics.read()
        for status, count in (("True", 1), ("False", 1), ("Unknown", 0)):
            self.assertEqual(found[f'vapcheck_policy_conditions{{condition="{NEXT}",status="{status}"}}'], count)
        # at rest there are no more writes
        stage.wait_for("it rests", metrics.quiet)
        self.assertEqual(metrics.read()['vapcheck_status_writes_total{result="applied"}'], 2)

    def test_repaired(self):
        self.daemon("--also-check=1.37")
        self.await_answers(right=("True", "NoChange"), breaks=("False", "ChangesFound"))
        self.on.replace(stage.policy("breaks", RIGHT, "object.metadata.?name.orValue('') != ''"))
        self.await_answers(right=("True", "NoChange"), breaks=("True", "NoChange"))

    def test_without_the_flag_it_goes(self):
        first = self.daemon("--also-check=1.37")
        self.await_answers(right=("True", "NoChange"), breaks=("False", "ChangesFound"))
        first.stop()
        self.daemon()
        self.await_answers(right=None, breaks=None)
        self.assertEqual(self.on.condition("breaks", "ExpressionsValid")["status"], "True")

    def test_a_server_that_is_no_older(self):
        self.daemon("--also-check=1.36")
        self.await_answers(right=("Unknown", "NotChecked"), breaks=("Unknown", "NotChecked"))

    def upgrade(self, *args):
        argv = [stage.BIN / "kubectl-vapcheck", "upgrade", "--to", "1.37", "-o", "json", *args]
        done = subprocess.run(argv, capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        return {r["name"]: r["changes"] for r in json.loads(done.stdout)["results"]}

    def test_the_objects_of_a_cluster(self):
        """Those that are stored, against what it serves; what a file has of them is the same."""
        binding = {
            "apiVersion": "admissionregistration.k8s.io/v1",
            "kind": "ValidatingAdmissionPolicyBinding",
            "metadata": {"name": "bound"},
            "spec": {"policyName": "breaks", "validationActions": ["Deny"]},
        }
        self.on.create(binding, stage.BINDINGS)
        self.on.create(stage.webhooks("hook", BREAKS), stage.VALIDATING_WEBHOOKS)
        cluster = ("--cluster", "--kubeconfig", self.on.kubeconfig)
        stored = self.upgrade(*cluster)
        self.assertEqual(set(stored), {"right", "breaks", "bound", "hook"})
        self.assertEqual((stored["right"], stored["bound"]), ([], []))
        [change] = stored["breaks"]
        self.assertEqual((change["field"], change["spelling"]),
                         ("spec.validations[1].expression", "object.metadata.?name.orValue('') != ''"))  # fmt: skip
        self.assertEqual(len(stored["hook"]), 1)
        file = self.file("breaks.json", json.dumps(stage.policy("breaks", RIGHT, BREAKS)))
        places = lambda changes: [{k: v for k, v in c.items() if k not in ("line", "column")} for c in changes]
        self.assertEqual(places(self.upgrade(*cluster, "-f", file)["breaks"]), places(stored["breaks"]))

    def test_objects_of_another_shape(self):
        """A server, or a proxy before it, may answer anything: a command never ends with a signal."""
        proxy = self.proxy(self.on.port)
        kubeconfig = self.kubeconfig(proxy.url)
        good, path = stage.policy("odd", RIGHT), stage.POLICIES
        odd = [{**good, field: value} for field in ("metadata", "spec", "status", "kind")
               for value in (None, 1, "x", [], [1], {}, True)]  # fmt: skip
        odd += [{**good, "metadata": {"name": value, "managedFields": 1}} for value in (None, 1, [], {})]
        for items in (odd, [None, 1, "x", []], None, "x", {}):
            proxy.faults[path] = stage.reply(200, json.dumps({"kind": "List", "metadata": {}, "items": items}).encode())
            for command in (
                ["upgrade", "--to=1.37", "--cluster"],
                ["status"],
                ["audit", "--cluster"],
                ["check", "--cluster", "-f", "-"],
            ):
                done = subprocess.run([stage.BIN / "kubectl-vapcheck", *command, "--kubeconfig", kubeconfig],
                                      input=json.dumps(good), capture_output=True, text=True, timeout=60)  # fmt: skip
                self.assertIn(done.returncode, (0, 1, 2), (command, str(items)[:80], done.stderr))


stage.main()
