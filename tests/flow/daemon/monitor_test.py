#!/usr/bin/env python3
"""What others see of the daemon: metrics, health, and a server that nobody can take from them."""

import contextlib
import http.client
import pathlib
import select
import signal
import socket
import subprocess
import sys
import threading
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import stage

PROMTOOL = stage.SOURCE / "tests/support/promtool"


class MetricsTest(stage.Case):
    def test_values(self):
        server = self.server()
        server.create(stage.policy("a-wrong", "object.nope > 1", "object.nada > 1", "true"))
        server.create(stage.policy("b-wrong", "object.replicas > 1"))
        server.create(stage.policy("right", "object.spec.replicas > 1"))
        server.create(stage.policy("nowhere", "true", resource="deploymnets"))
        skipped = stage.policy("skipped", "object.nope")
        skipped["metadata"]["annotations"] = {"vapcheck/skip": "true"}
        server.create(skipped)
        unserved = stage.policy("unserved", "true")
        unserved["spec"]["paramKind"] = {"apiVersion": "v1", "kind": "ConfigMaps"}
        server.create(unserved)
        process = self.controller(server.kubeconfig)
        for name in ("a-wrong", "b-wrong", "right", "nowhere", "unserved"):
            server.settled(name)
        metrics = stage.Metrics(process)
        stage.wait_for(
            "the queue is empty", lambda: metrics.read()['workqueue_work_duration_seconds_count{name="policies"}'] >= 6
        )
        found = metrics.read()
        for line, value in {
            'vapcheck_policies{result="valid"}': 1,
            'vapcheck_policies{result="warnings"}': 2,
            'vapcheck_policies{result="partly_checked"}': 1,
            'vapcheck_policies{result="skipped"}': 1,
            'vapcheck_policies{result="param_kind_not_found"}': 1,
            'vapcheck_policy_conditions{condition="ParamKindFound",status="False"}': 1,
            'vapcheck_policy_conditions{condition="ParamKindFound",status="True"}': 0,
            'vapcheck_policy_conditions{condition="ExpressionsValid",status="False"}': 2,
            'vapcheck_policy_conditions{condition="Bound",status="False"}': 5,
            'vapcheck_policy_conditions{condition="ValidOnNextVersion",status="Unknown"}': 0,
            'vapcheck_findings{kind="ValidatingAdmissionPolicy",id="undefined-field"}': 3,
            'vapcheck_findings{kind="ValidatingAdmissionPolicy",id="resource-not-served"}': 1,
            'vapcheck_findings{kind="ValidatingAdmissionPolicy",id="param-kind-not-served"}': 1,
            'vapcheck_findings{kind="ValidatingAdmissionPolicy",id="never-equal"}': 0,
            'vapcheck_policy_warnings{policy="a-wrong"}': 2,
            'vapcheck_policy_warnings{policy="b-wrong"}': 1,
            "vapcheck_types_checked": 4,
            'vapcheck_types_skipped{reason="ResourceNotFound"}': 1,
            'vapcheck_types_skipped{reason="TooManyTypes"}': 0,
            'vapcheck_status_writes_total{result="applied"}': 5,
            'vapcheck_status_writes_total{result="conflict"}': 0,
            'vapcheck_store_synced{resource="policies"}': 1,
            'vapcheck_store_objects{resource="policies"}': 6,
            "vapcheck_status_forbidden": 0,
            'workqueue_depth{name="policies"}': 0,
            'workqueue_unfinished_work_seconds{name="policies"}': 0,
            f'rest_client_requests_total{{code="200",method="PATCH",host="127.0.0.1:{server.port}"}}': 5,
            f'rest_client_request_duration_seconds_count{{verb="WATCH",host="127.0.0.1:{server.port}"}}': 4,
        }.items():
            self.assertEqual(found.get(line), value, line)
        self.assertNotIn('vapcheck_policy_warnings{policy="right"}', found)
        # none once more after its own write
        self.assertEqual(found['vapcheck_checks_total{trigger="policy"}'], 5)
        self.assertEqual(
            found["vapcheck_check_duration_seconds_count"], found['vapcheck_checks_total{trigger="policy"}']
        )
        self.assertLess(found["vapcheck_schema_age_seconds"], 61)
        self.assertLess(abs(found["process_start_time_seconds"] - time.time()), 30)
        self.assertGreater(found["process_resident_memory_bytes"], 1e6)

    def test_what_goes_away_is_no_longer_counted(self):
        server = self.server()
        server.create(stage.policy("p", "object.nope > 1"))
        metrics = stage.Metrics(self.controller(server.kubeconfig))
        stage.wait_for("its warning", lambda: metrics.read().get('vapcheck_policy_warnings{policy="p"}') == 1)
        server.request("DELETE", f"{stage.POLICIES}/p")
        stage.wait_for("none", lambda: metrics.read()['vapcheck_policies{result="warnings"}'] == 0)
        self.assertNotIn('vapcheck_policy_warnings{policy="p"}', metrics.read())
        self.assertEqual(metrics.read()['vapcheck_findings{kind="ValidatingAdmissionPolicy",id="undefined-field"}'], 0)

    def test_a_schema_is_checked_again_by_its_dependents_only(self):
        """A new CRD is no news for policies that name other groups."""
        server = self.server()
        for i in range(5):
            server.create(stage.policy(f"apps-{i}", "object.spec.replicas > 1"))
        typed = stage.policy("typed", "object.spec.nope == 1")
        rule = {
            "apiGroups": ["shop.example.com"],
            "apiVersions": ["v1"],
            "operations": ["CREATE"],
            "resources": ["cakes"],
        }
        typed["spec"]["matchConstraints"]["resourceRules"] = [rule]
        server.create(typed)
        metrics = stage.Metrics(self.controller(server.kubeconfig))
        server.settled("typed")
        before = stage.wait_for("the checks", lambda: metrics.quiet())
        server.create(
            stage.crd("cakes", "Cake", {"spec": {"type": "object", "properties": {"size": {"type": "integer"}}}}),
            stage.CRDS,
        )
        stage.wait_for("a warning", lambda: server.warnings("typed"))
        after = stage.wait_for("the checks", lambda: metrics.quiet())
        checks = {k: after[k] - before[k] for k in after if k.startswith("vapcheck_checks_total")}
        self.assertEqual(checks['vapcheck_checks_total{trigger="version"}'], 0, checks)
        self.assertGreaterEqual(checks['vapcheck_checks_total{trigger="resources"}'], 1, checks)
        self.assertLess(sum(checks.values()), 10, checks)  # five more would be of the others

    def test_promtool(self):
        text = self.all_metrics()
        done = subprocess.run([PROMTOOL, "check", "metrics"], input=text, text=True, capture_output=True)
        if done.returncode == 77:
            self.skipTest(done.stderr)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))


class HealthTest(stage.Case):
    def probe(self, process, path, timeout=5):
        """(status, text)."""
        return stage.ask(process, path, timeout)

    def until(self, process, path, status, *wanted):
        def probe():
            got, text = self.probe(process, path)
            return (got == status and all(w in text for w in wanted)) and text

        return stage.wait_for(f"{path} says {status} {wanted}", probe)

    def test_all_is_well(self):
        process = self.controller(self.server().kubeconfig)
        self.until(process, "/readyz", 200)
        for path in ("/healthz", "/livez", "/readyz"):
            self.assertEqual(self.probe(process, path), (200, "ok"))
        self.assertEqual(
            self.probe(process, "/readyz?verbose"),
            (200, "".join(f"[+]{n} ok\n" for n in self.names) + "readyz check passed\n"),
        )
        self.assertEqual(self.probe(process, "/livez?verbose")[1], "[+]ping ok\n[+]loop ok\nlivez check passed\n")
        self.assertEqual(self.probe(process, "/readyz/stores"), (200, "ok"))
        self.assertEqual(self.probe(process, "/readyz/nothing")[0], 404)

    names = ["ping", "loop", "cluster", "stores", "writes", "shutdown"]

    def test_stores_not_synced(self):
        server = self.server()
        proxy = self.proxy(server.port)
        proxy.faults[stage.BINDINGS] = stage.status(503, "later")
        process = self.controller(self.kubeconfig(proxy.url))
        self.until(process, "/readyz", 500, "[+]cluster ok\n[-]stores failed: bindings: not listed yet\n")
        self.assertEqual(self.probe(process, "/livez"), (200, "ok"))
        self.assertEqual(self.probe(process, "/readyz?exclude=stores"), (200, "ok"))
        self.assertEqual(stage.Metrics(process).read()['vapcheck_store_synced{resource="bindings"}'], 0)
        proxy.faults.clear()
        self.until(process, "/readyz", 200)

    def test_a_right_is_withdrawn(self):
        """While the daemon runs: not ready, and one line that says what to do."""
        server = self.server()
        proxy = self.proxy(server.port)
        handlers = []

        def note(handler):
            handlers.append(handler)
            proxy.forward(handler)

        proxy.faults[stage.POLICIES] = note
        process = self.controller(self.kubeconfig(proxy.url))
        self.until(process, "/readyz", 200)
        proxy.faults[stage.POLICIES] = stage.status(403, "withdrawn")
        for handler in handlers:
            with contextlib.suppress(OSError):
                handler.connection.shutdown(socket.SHUT_RDWR)
        self.until(process, "/readyz", 500, "[-]stores failed: policies: ", "HTTP 403: withdrawn")
        self.assertEqual(self.probe(process, "/livez"), (200, "ok"))
        refused = len(proxy.requests)
        stage.wait_for("more tries", lambda: len(proxy.requests) > refused + 1)
        remedy = (
            "the account needs the rights to get, list and watch validatingadmissionpolicies of "
            "admissionregistration.k8s.io"
        )
        self.assertEqual(process.log().count(remedy), 1, process.log())
        self.assertLessEqual(process.log().count("HTTP 403: withdrawn"), 3, process.log())
        silent = stage.Metrics(process).read()['vapcheck_watch_silent_seconds{resource="policies"}']
        self.assertTrue(0 < silent < 60, silent)
        proxy.faults.clear()
        self.until(process, "/readyz", 200)

    def test_watches_are_refused(self):
        """Lists succeed all the time, so the store is never old: it is said all the same, within ten seconds."""
        server = self.server()
        proxy = self.proxy(server.port)
        handlers, is_refusing = [], False

        def note(handler):
            if is_refusing and "watch=" in handler.path:
                stage.status(503, "no watches")(handler)
                return
            handlers.append(handler)
            proxy.forward(handler)

        proxy.faults[stage.POLICIES] = note
        process = self.controller(self.kubeconfig(proxy.url))
        self.until(process, "/readyz", 200)
        self.assertEqual(stage.Metrics(process).read()['vapcheck_watch_failing_seconds{resource="policies"}'], 0)
        is_refusing, began = True, time.monotonic()
        for handler in handlers:
            with contextlib.suppress(OSError):
                handler.connection.shutdown(socket.SHUT_RDWR)
        self.until(process, "/readyz", 500, "[-]stores failed: policies: ", "HTTP 503: no watches")
        self.assertLess(time.monotonic() - began, 10)
        failing = stage.Metrics(process).read()['vapcheck_watch_failing_seconds{resource="policies"}']
        self.assertTrue(4 < failing < 10, failing)
        is_refusing = False
        self.until(process, "/readyz", 200)
        self.assertEqual(stage.Metrics(process).read()['vapcheck_watch_failing_seconds{resource="policies"}'], 0)

    def test_the_cluster_was_not_read(self):
        server = self.server()
        proxy = self.proxy(server.port)
        proxy.faults["/version"] = stage.status(503, "later")
        process = self.controller(self.kubeconfig(proxy.url))
        self.until(process, "/readyz", 500, "[-]cluster failed", "[-]stores failed: policies: not listed yet\n")
        self.assertEqual(self.probe(process, "/livez"), (200, "ok"))
        self.assertEqual(stage.Metrics(process).read()["vapcheck_schema_age_seconds"], -1)
        proxy.faults.clear()
        self.until(process, "/readyz", 200)

    def test_writes_are_forbidden(self):
        server = self.server()
        proxy = self.proxy(server.port)
        server.create(stage.policy("p", "object.nope > 1"))
        proxy.faults[f"{stage.POLICIES}/p/status"] = stage.status(403, "we say no")
        process = self.controller(self.kubeconfig(proxy.url))
        self.until(process, "/readyz", 500, "[-]writes failed: the API server forbids the status of 1 policy")
        self.assertEqual(self.probe(process, "/livez"), (200, "ok"))
        found = stage.Metrics(process).read()
        self.assertEqual(found["vapcheck_status_forbidden"], 1)
        self.assertEqual(found['vapcheck_status_writes_total{result="forbidden"}'], 1)
        server.request("DELETE", f"{stage.POLICIES}/p")
        self.until(process, "/readyz", 200)

    def test_the_loop_is_stuck(self):
        """Nobody answers: that is what the probe's own timeout is for. Afterwards all is well again."""
        process = self.controller(self.server().kubeconfig)
        self.until(process, "/readyz", 200)
        process.popen.send_signal(signal.SIGSTOP)
        try:
            with self.assertRaises(TimeoutError):
                self.probe(process, "/livez", timeout=1)
        finally:
            process.popen.send_signal(signal.SIGCONT)
        self.until(process, "/livez", 200)

    def test_the_lease_is_lost(self):
        """Alive while it may still be renewed; then no probe is told that all is well: the process ends."""
        server, leases = self.server(), stage.Leases()
        proxy = self.proxy(server.port)
        proxy.faults[stage.Leases.PATH] = leases
        times = [
            "--leader-elect-lease-duration=3s",
            "--leader-elect-renew-deadline=2s",
            "--leader-elect-retry-period=400ms",
        ]
        process = self.controller(self.kubeconfig(proxy.url), "--leader-elect", *times)
        self.until(process, "/readyz?verbose", 200, "[+]leaderElection ok\n")
        stage.wait_for("the Lease", leases.holder)
        leases.code, lost = 500, time.monotonic()
        last_ok, text = lost, None
        while process.popen.poll() is None and time.monotonic() < lost + 10:
            try:
                status, text = self.probe(process, "/livez", timeout=1)
                last_ok = time.monotonic() if status == 200 else last_ok
            except OSError:  # it no longer answers
                text = None
            time.sleep(0.05)
        self.assertEqual(process.wait(5), 1, process.log())
        self.assertTrue(
            text in (None, "ok") or "[-]leaderElection failed: the lease was not renewed in time\n" in text, text
        )
        self.assertTrue(0 < last_ok - lost < 4, last_ok - lost)

    def test_asked_to_the_end(self):
        """Requests that wait while all is closed are answered from what is still there, or not at all."""
        request = b"GET %s HTTP/1.1\r\nHost: x\r\n\r\n"
        server = self.server()
        server.create(stage.policy("p", "object.nope > 1"))
        process = self.controller(server.kubeconfig)
        server.settled("p")
        host, port = stage.address(process).rsplit(":", 1)
        with socket.create_connection((host, int(port)), timeout=5) as peer:
            process.popen.send_signal(signal.SIGSTOP)
            peer.sendall(request % b"/readyz?verbose" * 100 + request % b"/metrics" * 100)
            process.popen.send_signal(signal.SIGTERM)
            process.popen.send_signal(signal.SIGCONT)
            self.assertEqual(process.wait(20), 0, process.log())
            self.assertTrue(peer.recv(100).startswith(b"HTTP/1.1 "))

    def test_shutdown(self):
        """While the last write ends the probes tell, and stay alive."""
        server = self.server()
        proxy = self.proxy(server.port)
        server.create(stage.policy("p", "object.nope > 1"))
        proxy.faults[f"{stage.POLICIES}/p/status"] = stage.hang
        process = self.controller(self.kubeconfig(proxy.url))
        stage.wait_for("the write", lambda: proxy.count(f"PATCH {stage.POLICIES}/p/status"))
        process.popen.send_signal(signal.SIGTERM)
        self.until(process, "/readyz", 500, "[-]shutdown failed: the process is ending\n")
        self.assertEqual(self.probe(process, "/livez"), (200, "ok"))
        self.assertEqual(process.wait(20), 0)


class AddressTest(stage.Case):
    def test_one_each(self):
        process = self.controller(self.server().kubeconfig, "--health-probe-bind-address=127.0.0.2:0")
        stage.wait_for("it serves", lambda: process.says("serving health on") and process.says("serving metrics on"))
        metrics, health = (stage.address(process, what) for what in ("metrics", "health"))
        for where, path, status in (
            (metrics, "/metrics", 200),
            (metrics, "/livez", 404),
            (health, "/metrics", 404),
            (health, "/livez", 200),
        ):
            self.assertEqual(stage.ask_at(where, path)[0], status, path)

    def test_of_nobody_else_outside_of_a_pod(self):
        """Without the flag, and with a kubeconfig: the loopback, at the port of the documents, free or not."""
        argv = [stage.BIN / "vapcheck-controller", "--kubeconfig", self.server().kubeconfig]
        process = stage.Process("controller", argv, self.directory)
        self.addCleanup(process.stop)
        stage.wait_for("it listens", lambda: process.says(" 127.0.0.1:8080"))
        self.assertFalse(process.says("[::]:8080"))

    def test_nowhere(self):
        process = self.controller(self.server().kubeconfig, "--metrics-bind-address=0")
        stage.wait_for("it is ready", lambda: process.says("ready: 0 policies"))
        self.assertFalse(process.says("serving"))

    def test_taken(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            address = f"127.0.0.1:{taken.getsockname()[1]}"
            process = self.controller(self.server().kubeconfig, f"--metrics-bind-address={address}")
            self.assertEqual(process.wait(20), 1)
            self.assertIn(f"error cannot listen on {address}: Address already in use", process.log())


class SlowPeerTest(stage.Case):
    def seconds_until_closed(self, where, drip):
        host, port = where.rsplit(":", 1)
        with socket.create_connection((host, int(port))) as peer:
            began = time.monotonic()
            peer.setblocking(False)
            while time.monotonic() - began < 40:
                try:
                    if drip:
                        peer.send(drip)
                    if peer.recv(100) == b"":
                        break
                except BlockingIOError:
                    pass
                except OSError:
                    break
                time.sleep(0.5)
            return time.monotonic() - began

    def test_slow_peers(self):
        """A client that says nothing is hung up on, and so is one whose request never ends."""
        process = self.controller(self.server().kubeconfig)
        stage.wait_for("it serves", lambda: process.says("serving"))
        where = stage.address(process, "metrics and health")
        for drip, least, most in ((b"", 9, 14), (b"G", 18, 25)):
            with self.subTest(drip):
                seconds = self.seconds_until_closed(where, drip)
                self.assertTrue(least <= seconds <= most, seconds)

    def test_many_peers(self):
        """One host's connections do not take the probes of another."""
        process = self.controller(self.server().kubeconfig)
        stage.wait_for("it serves", lambda: process.says("serving"))
        where = stage.address(process, "metrics and health")
        host, port = where.rsplit(":", 1)
        peers = [socket.create_connection((host, int(port))) for _ in range(100)]
        time.sleep(0.5)
        other = http.client.HTTPConnection(host, int(port), timeout=5, source_address=("127.0.0.2", 0))
        other.request("GET", "/livez")
        self.assertEqual(other.getresponse().status, 200)
        for peer in (other, *peers):
            peer.close()

    def hold(self, address, source, said, is_over):
        """Connections of one host, 16 at once, each opened anew as soon as it is closed."""
        held = {}
        while not is_over.is_set():
            while len(held) < 16:
                try:
                    peer = socket.create_connection(address, timeout=5, source_address=(source, 0))
                    peer.setblocking(False)
                    peer.send(said)
                    held[peer.fileno()] = peer
                except OSError:
                    break
            for peer in select.select(held.values(), [], [], 0.05)[0]:
                try:
                    is_closed = peer.recv(65536) == b""
                except OSError:
                    is_closed = True
                if is_closed:
                    held.pop(peer.fileno()).close()
        for peer in held.values():
            peer.close()

    def test_peers_that_come_again(self):
        """Eight hosts that hold whatever they get, and say nothing, or not all, or do not read: each probe is
        answered."""
        process = self.controller(self.server().kubeconfig)
        stage.wait_for("it serves", lambda: process.says("serving"))
        host, port = stage.address(process, "metrics and health").rsplit(":", 1)
        for said in (b"", b"GET /livez HTTP/1.1\r\nHo", b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n"):
            is_over = threading.Event()
            peers = [threading.Thread(target=self.hold, args=((host, int(port)), f"127.0.0.{n}", said, is_over))
                     for n in range(11, 19)]  # fmt: skip
            for peer in peers:
                peer.start()
            try:
                time.sleep(1)
                for _ in range(30):
                    # kubelet allows a second
                    probe = http.client.HTTPConnection(host, int(port), timeout=1, source_address=("127.0.0.2", 0))
                    probe.request("GET", "/livez")
                    self.assertEqual(probe.getresponse().status, 200)
                    probe.close()
                    time.sleep(0.05)
            finally:
                is_over.set()
                for peer in peers:
                    peer.join()


stage.main()
