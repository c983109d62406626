#!/usr/bin/env python3
"""Months in minutes: 500 policies and more, of which some come, change or go all the time; CRDs change,
requests fail, the server restarts, in warped time. In the end every status is what a fresh daemon would
write, and nothing has grown.

    soak_test.py                 the short form, within a minute
    VAPCHECK_SOAK_EVENTS=200000  the long form, of at least ten minutes, for a release build: memory is
                                 compared, too, at minute 2 and at the end
"""

import os
import pathlib
import signal
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import stage
from soak import scenario

EVENTS = int(os.environ.get("VAPCHECK_SOAK_EVENTS", 3000))
IS_LONG = "VAPCHECK_SOAK_EVENTS" in os.environ
SECONDS, RESTARTS = (600, 30) if IS_LONG else (10, 2)
WARP = 8


class Embedded:
    """The test server as a target."""

    has_faults = True

    def __init__(self, server):
        self.server, self.port = server, server.port

    def restart(self):
        with open(self.server.log_path) as log:
            log.seek(0, os.SEEK_END)
            self.server.popen.send_signal(signal.SIGUSR1)
            stage.wait_for("the server again", lambda: self.server.url in log.read())

    def change(self, wire, path, what):
        code, answer = wire.ask("PUT", path, what)
        assert code == 200, answer


class SoakTest(stage.Case):
    def test_churn(self):
        server = self.server()

        def start(name):
            program = stage.BIN / "vapcheck-controller"
            argv = [program, "--kubeconfig", server.kubeconfig, "--metrics-bind-address=127.0.0.1:0"]
            process = stage.Process(name, argv, self.directory, stage.warped(WARP, program))
            self.addCleanup(process.stop)
            return process

        scenario.run(self, Embedded(server), start, EVENTS, SECONDS, RESTARTS, IS_LONG)


stage.main()
