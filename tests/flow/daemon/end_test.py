#!/usr/bin/env python3
"""The daemon's end comes at any moment, in the midst of requests, probes and changes: never a crash, and
nothing that is used after it went, or left behind (the sanitizers say so in its log).

    VAPCHECK_ENDS=2000   how many (default: 40)
    VAPCHECK_SEED=7      of the moments
"""

import contextlib
import os
import pathlib
import random
import signal
import socket
import sys
import threading
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import stage

ENDS = int(os.environ.get("VAPCHECK_ENDS", 40))
SEED = int(os.environ.get("VAPCHECK_SEED", 1))
LATEST_S = 0.6  # a sanitized daemon is ready after a third of it
ELECT = [
    "--leader-elect",
    "--leader-elect-lease-duration=300ms",
    "--leader-elect-renew-deadline=200ms",
    "--leader-elect-retry-period=40ms",
]
WATCHES = ["--watch-webhooks", "--watch-mutating-policies", "--watch-crds"]
PROBES = b"".join(b"GET /%s HTTP/1.1\r\nHost: x\r\n\r\n" % path for path in (b"readyz?verbose", b"livez", b"metrics"))


class Repeated(threading.Thread):
    """step() again and again until the block ends; what it raises is raised there."""

    def __init__(self, step):
        super().__init__(daemon=True)
        self.step, self.is_over, self.failure = step, threading.Event(), None

    def run(self):
        try:
            while not self.is_over.is_set():
                self.step()
        except Exception as failure:
            self.failure = failure

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        self.join(30)
        if self.failure:
            raise self.failure


class EndTest(stage.Case):
    def setUp(self):
        super().setUp()
        self.random = random.Random(SEED)
        self.api = self.server()
        for i in range(30):
            self.api.create(stage.policy(f"p{i}", "object.spec.replicas > 1", "object.nope > 1"))
        self.api.create(stage.webhooks("w", "object.nope > 1"), stage.VALIDATING_WEBHOOKS)

    def change(self):
        """A policy and a CRD come, and go."""
        made = stage.crd("things", "Thing", {"spec": {"type": "object"}})
        paths = (stage.POLICIES, stage.policy("changing", "object.nada")), (stage.CRDS, made)
        for path, what in paths:
            self.api.create(what, path)
        time.sleep(0.05)
        for path, what in paths:
            self.api.request("DELETE", f"{path}/{what['metadata']['name']}")

    def probe(self, process):
        where = [
            line.rsplit(" ", 1)[1] for line in process.log().splitlines() if "serving metrics and health on" in line
        ]
        if not where:
            return
        host, port = where[0].rsplit(":", 1)
        with contextlib.suppress(OSError), socket.create_connection((host, int(port)), timeout=1) as peer:
            peer.sendall(PROBES * 20)
            while peer.recv(65536):
                pass

    def end(self, process, leases):
        """Its exit status. leases: those that it may lose."""
        if leases and self.random.random() < 0.3:
            leases.code = 500
            stage.wait_for("the end", lambda: process.popen.poll() is not None or process.says("serving"))
            time.sleep(0.4)
        for _ in range(self.random.choice((1, 1, 2))):
            process.popen.send_signal(self.random.choice((signal.SIGTERM, signal.SIGINT)))
            time.sleep(self.random.choice((0, 0.01)))
        return process.wait(20)

    def test_at_any_moment(self):
        proxy = self.proxy(self.api.port)
        with Repeated(self.change):
            for i in range(ENDS):
                leases = proxy.faults[stage.Leases.PATH] = stage.Leases()
                is_elected = self.random.random() < 0.5
                args = (ELECT if is_elected else []) + self.random.sample(WATCHES, self.random.randint(0, 3))
                process = self.controller(self.kubeconfig(proxy.url), *args)
                with self.subTest(end=i, seed=SEED, args=args), Repeated(lambda process=process: self.probe(process)):
                    time.sleep(self.random.uniform(0, LATEST_S))
                    self.assertIn(
                        self.end(process, leases if is_elected else None),
                        (0, 1, -signal.SIGTERM, -signal.SIGINT),
                        process.log(),
                    )
                    self.assertNotRegex(process.log(), "Sanitizer|runtime error|Assertion")


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs inherit that it is ignored
    stage.main()
