#!/usr/bin/env python3
"""Three candidates for a Lease, each its own user, and every way for a leader to go.

The ways are tried side by side, each with a Lease of its own, on policies that change all the time.
What is claimed is read off the API server's audit log. VAPCHECK_LEADER_ROUNDS=N tries each N times.
"""

import datetime
import json
import os
import pathlib
import signal
import socket
import statistics
import tempfile
import threading
import time
import urllib.request

import harness

ROUNDS = int(os.environ.get("VAPCHECK_LEADER_ROUNDS", "1"))
DEADLINE_S, TAKEOVER_S, MEDIAN_S, HANDOVER_S, PAUSE_S = 10, 25, 20, 5, 30
CANDIDATES = 3
POLICIES = 4

AUDIT = {"apiVersion": "audit.k8s.io/v1", "kind": "Policy", "rules": [{"level": "Metadata"}]}


# As manifests/base/rbac.yaml has it, but for its namespaces and names.
def rule(group, resources, *verbs):
    return {"apiGroups": [group], "resources": resources, "verbs": list(verbs)}


RULES = [
    rule(
        "admissionregistration.k8s.io",
        ["validatingadmissionpolicies", "validatingadmissionpolicybindings"],
        "list",
        "watch",
    ),
    rule("admissionregistration.k8s.io", ["validatingadmissionpolicies/status"], "patch"),
    rule("apiextensions.k8s.io", ["customresourcedefinitions"], "list", "watch"),
    rule("apiregistration.k8s.io", ["apiservices"], "list", "watch"),
    rule("events.k8s.io", ["events"], "create"),
    rule("coordination.k8s.io", ["leases"], "get", "create", "update"),
]


class Wire:
    """Forwards TCP connections to the API server until it is cut; then it is silent."""

    def __init__(self, port):
        self.upstream, self.is_cut = port, False
        self.dead = set()  # connections that are silent
        self.open = set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            client, _ = self._listener.accept()
            server = socket.create_connection(("127.0.0.1", self.upstream))
            self.open |= {client, server}
            for pair in ((client, server), (server, client)):
                threading.Thread(target=self._forward, args=pair, daemon=True).start()

    def kill_connections(self):
        """Those of now are silent from now on; new ones work."""
        self.dead |= self.open

    def _forward(self, source, target):
        try:
            while piece := source.recv(65536):
                while self.is_cut or not self.dead.isdisjoint((source, target)):
                    time.sleep(3600)
                target.sendall(piece)
            target.shutdown(socket.SHUT_WR)
        except OSError:  # one of the two ended
            pass


class Candidate:
    """A daemon that is its own user and has its own wire."""

    ways, lock = {}, threading.Lock()  # ways: of every user

    def __init__(self, test, way):
        with Candidate.lock:
            self.user = f"candidate-{len(Candidate.ways) + 1}"
            Candidate.ways[self.user] = way
        plane = test.plane
        plane.kubectl("create", "serviceaccount", self.user)
        config = json.loads(plane.service_account(self.user).read_text())
        cluster = config["clusters"][0]["cluster"]
        self.wire = Wire(int(cluster["server"].rsplit(":", 1)[1]))
        cluster["server"] = f"https://127.0.0.1:{self.wire.port}"
        kubeconfig = plane.directory / f"kubeconfig-{self.user}"
        kubeconfig.write_text(json.dumps(config))
        argv = [harness.CONTROLLER, f"--kubeconfig={kubeconfig}", "--leader-elect", "-v", "debug"]
        argv += ["--metrics-bind-address=127.0.0.1:0", f"--leader-elect-resource-name={way}"]
        self.process = harness.Process(f"{way}-{self.user}", argv, plane.directory)
        test.addCleanup(self.end)

    def end(self):
        if self.process.running():
            self.process.kill()

    def says(self, text):
        return text in self.process.log()

    def leads(self):
        return self.process.running() and self.says("leading as ")


class LeaderTest(harness.Case):
    @classmethod
    def setUpClass(cls):
        with tempfile.NamedTemporaryFile("w", suffix=".yaml", delete=False) as policy:
            json.dump(AUDIT, policy)
        cls.addClassCleanup(os.unlink, policy.name)
        cls.plane_flags = (f"--apiserver-arg=--audit-policy-file={policy.name}",)
        super().setUpClass()
        role = {
            "apiVersion": "rbac.authorization.k8s.io/v1",
            "kind": "ClusterRole",
            "metadata": {"name": "vapcheck"},
            "rules": RULES,
        }
        cls.plane.apply(role)
        cls.plane.kubectl(
            "create", "clusterrolebinding", "vapcheck", "--clusterrole=vapcheck", "--group=system:serviceaccounts"
        )

    # The ways to go: each returns when the leader was told, once it has ended as it should.

    def kill(self, leader):
        at = time.time()
        leader.process.kill()
        return at

    def pause(self, leader):
        at = time.time()
        leader.process.signal(signal.SIGSTOP)
        time.sleep(PAUSE_S)
        leader.process.signal(signal.SIGCONT)
        self.assertEqual(leader.process.wait(5), 1, leader.process.tail())
        self.assertTrue(leader.says("was lost"))
        return at

    def cut(self, leader):
        at = time.time()
        leader.wire.is_cut = True
        self.assertEqual(leader.process.wait(DEADLINE_S + 2), 1, leader.process.tail())
        self.assertTrue(leader.says("was lost"))
        return at

    def terminate(self, leader):
        at = time.time()
        leader.process.stop()
        return at

    def run_way(self, way, results):
        """[(name of the way, when, who)] of its rounds; what fails is raised by the test."""
        try:
            candidates = [Candidate(self, way.__name__) for _ in range(CANDIDATES)]
            for _ in range(ROUNDS):
                leader = harness.wait_for(
                    "a leader", lambda: next((c for c in candidates if c.leads()), None), timeout=60
                )
                followers = [c for c in candidates if c is not leader]
                for c in followers:
                    harness.wait_for("a standby", lambda: c.says("standing by: "), timeout=60)
                time.sleep(3)
                results.append((way.__name__, way(leader), leader.user))
                harness.wait_for("the next leader", lambda: any(c.leads() for c in followers), timeout=40)
                candidates = [*followers, Candidate(self, way.__name__)]
            time.sleep(3)
            for c in candidates:
                c.process.stop()
        except BaseException as error:
            results.append((way.__name__, error, None))

    def run_dead_connections(self, results):
        """Connections that died without a word do not cost the lease."""
        try:
            candidates = [Candidate(self, "survive") for _ in range(CANDIDATES)]
            leader = harness.wait_for("a leader", lambda: next((c for c in candidates if c.leads()), None), timeout=60)
            for c in candidates:
                c.wire.kill_connections()
            at = time.time()
            harness.hold("it leads", leader.leads, PAUSE_S)
            results.append(("survive", at, leader.user))
            for c in candidates:
                c.process.stop()
        except BaseException as error:
            results.append(("survive", error, None))

    def churn(self, url):
        """Changes policies again and again, so that every leader always has something to write."""
        count = 0
        while not self.is_over:
            count += 1
            body = json.dumps({"spec": {"validations": [{"expression": f"object.replicas > {count}"}]}})
            path = f"/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/changing-{count % POLICIES}"
            request = urllib.request.Request(
                url + path, body.encode(), {"Content-Type": "application/merge-patch+json"}, method="PATCH"
            )
            urllib.request.urlopen(request, timeout=30).read()
            time.sleep(0.2)

    def test_every_way_to_go(self):
        ways = [self.kill, self.pause, self.cut, self.terminate]
        self.plane.apply([harness.policy(f"changing-{i}", "object.replicas > 0") for i in range(POLICIES)])
        self.is_over, results = False, []
        churning = threading.Thread(target=self.churn, args=(self.proxy(),))
        running = [threading.Thread(target=self.run_way, args=(way, results)) for way in ways]
        running.append(threading.Thread(target=self.run_dead_connections, args=(results,)))
        for thread in (churning, *running):
            thread.start()
        for thread in running:
            thread.join()
        self.is_over = True
        churning.join()
        for way, at, _ in results:
            if isinstance(at, BaseException):
                raise AssertionError(f"{way}: {at}") from at
        self.assertEqual(len(results), len(ways) * ROUNDS + 1)
        audit = Audit(self.plane)
        self.check_survivor(audit, *next(r for r in results if r[0] == "survive"))
        self.check(audit, [r for r in results if r[0] != "survive"])

    def check_survivor(self, audit, way, at, user):
        """It goes on writing, on new connections, within the deadline."""
        writes = [r.at - at for r in audit.users[user] if r.is_status_write and r.at > at]
        silence = max(b - a for a, b in zip([0, *writes], writes))
        print(f"{way}: no write for {silence:.1f} s")
        self.assertLess(silence, DEADLINE_S)
        self.assertEqual({r.user for r in audit.of_way(way) if r.is_hold and r.at < at + PAUSE_S}, {user})
        self.check_writers(audit, way)

    def check(self, audit, results):
        takeovers = []
        for way, at, user in results:
            took = audit.next_hold(way, at, user) - at
            print(f"{way}: the next leader after {took:.1f} s")
            self.assertLess(took, HANDOVER_S if way == "terminate" else TAKEOVER_S, way)
            if way != "terminate":
                takeovers.append(took)
        median = statistics.median(takeovers)
        print(f"median of {len(takeovers)}: {median:.1f} s")
        self.assertLess(median, MEDIAN_S)
        for user, requests in audit.users.items():
            self.check_user(user, requests)
        for way in {way for way, _, _ in results}:
            self.check_writers(audit, way)

    def check_user(self, user, requests):
        """Nothing begins later than the deadline after the last successful renewal; a standby writes nothing."""
        renewed, latest = None, 0
        for r in requests:
            if renewed is not None:
                latest = max(latest, r.at - renewed)
                self.assertLessEqual(r.at - renewed, DEADLINE_S, f"{user}: {r}")
            elif r.is_status_write:
                self.fail(f"{user}, a standby: {r}")
            if r.is_hold:
                renewed = r.at
        print(
            f"{user}: {len(requests)} requests, {sum(r.is_status_write for r in requests)} writes, latest "
            f"{latest:.1f} s after a renewal"
        )

    def check_writers(self, audit, way):
        """Every status is written by the holder of that moment."""
        holder, count = None, 0
        for r in audit.of_way(way):
            if r.is_hold:
                holder = r.user
            elif r.is_status_write:
                count += 1
                self.assertEqual(r.user, holder, r)
        self.assertGreater(count, 20, way)


class Request:
    """One request, from when the API server received it."""

    def __init__(self, event):
        reference = event.get("objectRef", {})
        self.at = datetime.datetime.fromisoformat(event["requestReceivedTimestamp"].replace("Z", "+00:00")).timestamp()
        self.user = event["user"]["username"].rsplit(":", 1)[1]
        self.verb, self.uri, self.code = event["verb"], event["requestURI"], None
        self.is_lease = reference.get("resource") == "leases"
        self.is_status_write = event["verb"] == "patch" and reference.get("subresource") == "status"

    @property
    def is_hold(self):
        """It wrote the lease. (The last of one that ended by itself gave it up, behind every write.)"""
        return self.is_lease and self.verb in ("create", "update") and self.code in (200, 201)

    def __repr__(self):
        return f"{self.at:.3f} {self.user} {self.verb} {self.uri} {self.code}"


class Audit:
    """users: the requests of each candidate, as received."""

    def __init__(self, plane):
        requests, codes = {}, {}
        for line in pathlib.Path(plane.directory / "audit.log").read_text().splitlines():
            event = json.loads(line)
            if not event["user"]["username"].startswith("system:serviceaccount:default:candidate-"):
                continue
            if event["stage"] == "RequestReceived":
                requests[event["auditID"]] = Request(event)
            elif "responseStatus" in event:
                codes[event["auditID"]] = event["responseStatus"]["code"]
        for key, code in codes.items():
            requests[key].code = code
        self.all = sorted(requests.values(), key=lambda r: r.at)
        self.users = {r.user: [] for r in self.all}
        for r in self.all:
            self.users[r.user].append(r)

    def of_way(self, way):
        return [r for r in self.all if Candidate.ways[r.user] == way]

    def next_hold(self, way, after, user):
        return next(r.at for r in self.of_way(way) if r.is_hold and r.at > after and r.user != user)


harness.main()
