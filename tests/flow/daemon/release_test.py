#!/usr/bin/env python3
"""vapcheck-controller --release-status: what is ours goes away, and the process ends."""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import stage

MANAGER = "vapcheck-controller"


class ReleaseTest(stage.Case):
    def setUp(self):
        super().setUp()
        self.api = self.server()
        for name, expression in (("good", "object.spec.replicas > 1"), ("bad", "object.nope > 1")):
            self.api.create(stage.policy(name, expression))

    def checked(self):
        """A daemon has written the statuses, and ended."""
        daemon = self.controller(self.api.kubeconfig)
        for name in ("good", "bad"):
            self.api.settled(name)
        stage.wait_for("it reads what it wrote", lambda: all(self.own(n) for n in ("good", "bad")))
        daemon.stop()

    def release(self, kubeconfig=None, status=0):
        process = self.controller(kubeconfig or self.api.kubeconfig, "--release-status")
        self.assertEqual(process.wait(30), status, process.log())
        return process

    def own(self, name):
        """The entries of ours in managedFields."""
        return [m for m in self.api.get(name)["metadata"].get("managedFields", []) if m["manager"] == MANAGER]

    def versions(self):
        return [self.api.get(name)["metadata"]["resourceVersion"] for name in ("good", "bad")]

    def test_nothing_of_ours_is_left(self):
        self.checked()
        self.assertEqual(self.api.condition("bad", "ExpressionsValid")["status"], "False")
        process = self.release()
        for name in ("good", "bad"):
            self.assertEqual((self.own(name), self.api.get(name).get("status", {})), ([], {}), name)
            self.assertTrue(process.says(f"[{name}] status released"), process.log())

    def test_what_is_released_is_left_alone(self):
        self.checked()
        self.release()
        before = self.versions()
        process = self.release()
        self.assertEqual(self.versions(), before)
        self.assertFalse(process.says("status released"))

    def test_nothing_to_release(self):
        """No status was ever written, or there is no policy at all."""
        before = self.versions()
        self.release()
        self.assertEqual(self.versions(), before)
        for name in ("good", "bad"):
            self.api.request("DELETE", f"{stage.POLICIES}/{name}")
        self.release()

    def test_forbidden(self):
        """It says so, and ends all the same."""
        self.checked()
        proxy = self.proxy(self.api.port)
        proxy.faults[f"{stage.POLICIES}/bad/status"] = stage.status(403, "no right")
        process = self.release(self.kubeconfig(proxy.url), status=1)
        self.assertTrue(process.says("may not apply the status: "), process.log())
        self.assertEqual((self.own("good"), len(self.own("bad"))), ([], 1))


stage.main()
