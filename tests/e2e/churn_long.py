#!/usr/bin/env python3
"""Ten minutes of churn (tests/flow/daemon/soak/) on a real API server that is killed now and then.

VAPCHECK_SOAK_SECONDS=N makes it shorter.
"""

import os
import sys

import harness

sys.path[:0] = [str(harness.SOURCE / "tests/flow"), str(harness.SOURCE / "tests/flow/daemon")]
import stage
from soak import scenario

SECONDS = int(os.environ.get("VAPCHECK_SOAK_SECONDS", 600))
EVENTS_A_SECOND, RESTART_EVERY_S = 20, 120
WARP = 8


class Real:
    """A control plane as a target; through kubectl proxy, which lets us speak plain HTTP."""

    has_faults = False

    def __init__(self, plane, url):
        self.plane, self.port = plane, int(url.rsplit(":", 1)[1])

    def restart(self):
        self.plane.restart()

    def change(self, wire, path, what):
        code, answer = wire.ask("PATCH", path, {"spec": what["spec"]}, "application/merge-patch+json")
        assert code == 200, answer


class SoakTest(harness.Case):
    def setUp(self):
        pass  # hundreds of policies, which go with the plane

    def test_churn(self):
        def start(name):
            return self.controller(environment=stage.warped(WARP, harness.CONTROLLER))

        target = Real(self.plane, self.proxy())
        scenario.run(
            self, target, start, SECONDS * EVENTS_A_SECOND, SECONDS, max(2, SECONDS // RESTART_EVERY_S), SECONDS >= 600
        )


harness.main()
