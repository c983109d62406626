#!/usr/bin/env python3
"""Attackers and a victim: hostile objects by the hundred, and somebody's new policy among them.

Whatever they are, the victim has its status within a second, probes are answered, the lease is kept, no turn of
the loop is long and memory fits the pod's limit; each attacker is checked or is LimitReached. Hostile objects are
those of tests/fuzz/attacks.py. Time and memory are measured as released; under sanitizers only what is true
at any speed is asserted. Other work on the machine is allowed for: of the time until the victim has its status
the CPU time of the daemon counts where that is less, and turns may take longer where the daemon waited for a core.
"""

import copy
import json
import os
import pathlib
import socket
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "fuzz"))
import attacks

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import stage

sys.path.append(str(stage.SOURCE / "tests/support"))
import objects

IS_RELEASE = "release" in str(stage.BIN)
ATTACKERS = 100 if IS_RELEASE else 10
FEW_ATTACKERS = 40  # of those that are larger than this
LARGE_BYTES = 500_000
VICTIM_S = 1 if IS_RELEASE else 60
STORM_VICTIM_S = 2 if IS_RELEASE else 60
TURN_S = 0.1
DOCUMENT_TURN_S = 0.04  # a slice of a document takes some 3 ms, the properties of its largest object together some 10
PROBE_S = 1 if IS_RELEASE else 30
LATER_S = 2 if IS_RELEASE else 0.5
MEMORY_MB = 256
IDLE_SHARE = 0.1  # of its time that the daemon waits for a core: more is a busy machine
BURST = 3  # on which that is not spread evenly
END_S = 60  # until the first attackers have a status
LEASE = 5
TIMES = [
    f"--leader-elect-lease-duration={LEASE}s",
    "--leader-elect-renew-deadline=3s",
    "--leader-elect-retry-period=500ms",
    "--leader-elect-resource-namespace=kube-system",
]

# (family, numbers): one test each
POLICIES = {
    "lists_through_variables": ("doubling", dict(depth=40, use=10)),
    "maps_through_variables": ("doubling", dict(depth=40, kind=1)),
    "shared_lists_compared": ("doubling", dict(depth=24, use=1, uses=100)),
    "strings_doubled": ("doubling", dict(depth=24, kind=3, use=1)),
    "contains_on_all_types": ("strings", dict(doublings=3, start=81_919, uses=300, needle=5, wide=1)),
    "unknown_names_on_all_types": ("names", dict(count=3000, wide=1)),
    "plain_validations_on_all_types": ("plain", dict(count=3000, wide=1)),
    "nested_macros": ("nested", dict(validations=50, size=120, depth=3)),
    "alternatives": ("alternatives", dict(branches=96, uses=50)),
    "ternaries": ("ternaries", dict(depth=200, validations=20, wide=1)),
    "patterns": ("regexps", dict(count=500, n=1000)),
    "errors_on_all_types": ("issues", dict(count=2000, validations=3, wide=1)),
    "large_policies": ("plain", dict(count=25_000)),
    "large_policies_of_names": ("names", dict(count=20_000, length=50)),
    "rules_that_say_the_same": ("resource_rules", dict(rules=1000, shape=2, crds=0)),
}


class Probes(threading.Thread):
    """Asks for /livez and /readyz all the time."""

    def __init__(self, process):
        super().__init__(daemon=True)
        self.address, self.longest, self.failures, self.is_over = stage.address(process), 0, [], threading.Event()
        self.start()

    def run(self):
        while not self.is_over.wait(0.05):
            for path in ("/livez", "/readyz"):
                began = time.monotonic()
                try:
                    status, text = stage.ask_at(self.address, path, timeout=10)
                except OSError as error:
                    status, text = 0, repr(error)
                self.longest = max(self.longest, time.monotonic() - began)
                if status != 200:
                    self.failures.append((path, status, text))

    def stop(self):
        self.is_over.set()
        self.join(20)


def named(attack, name):
    made = copy.copy(attack.objects[0])
    made["metadata"] = {"name": name}
    return made


class AttackersCase(stage.Case):
    rewrite = None  # of what the server answers

    def begin(self, *flags):
        """A daemon that leads and has settled; who watches over it."""
        self.on, self.late = self.server(), []
        proxy = self.proxy(self.on.port)
        proxy.faults[stage.Leases.PATH] = stage.Leases()
        self.events = proxy.faults[stage.Events.PATH] = stage.Events()
        self.proxied = proxy
        proxy.rewrite = self.rewrite
        self.process = self.controller(self.kubeconfig(proxy.url), "--leader-elect", *TIMES, *flags)
        self.on.create(stage.policy("first", "object.replicas > 1"))
        stage.wait_for("the first status", lambda: self.on.status("first"), timeout=60)
        self.probes = Probes(self.process)
        self.addCleanup(self.probes.stop)

    def victim(self, name, limit_s=VICTIM_S):
        began, cpu = time.monotonic(), self.process.cpu_seconds()
        self.on.create(stage.policy(name, "object.replicas > 1"))
        try:
            stage.wait_for(f"the status of {name}", lambda: self.on.status(name), timeout=max(60, limit_s), period=0.02)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.process.log()[-3000:]}") from None
        took = min(time.monotonic() - began, self.process.cpu_seconds() - cpu)
        print(f"  {name}: {took:.2f} s", file=sys.stderr)
        if took >= limit_s:
            self.late.append(f"{name}: {took:.2f} s")
        self.assertIn("undefined field", self.on.warnings(name)["spec.validations[0].expression"])

    def busy(self):
        """1 where a core was free whenever the daemon's loop wanted one; else how much longer its turns may take."""
        ran, waited = map(int, pathlib.Path(f"/proc/{self.process.popen.pid}/schedstat").read_text().split()[:2])
        share = waited / max(1, ran + waited)
        return 1 if share < IDLE_SHARE else BURST / (1 - share)

    def memory_mb(self):
        status = pathlib.Path(f"/proc/{self.process.popen.pid}/status").read_text()
        return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM:"))

    def assert_well(self):
        self.assertIsNone(self.process.popen.poll(), self.process.log())
        self.probes.stop()
        found = stage.Metrics(self.process).read()
        longest, memory = found["vapcheck_loop_longest_turn_seconds"], self.memory_mb()
        print(
            (
                f"  longest turn {longest * 1000:.0f} ms, memory {memory:.0f} MB, probes "
                f"{self.probes.longest * 1000:.0f} ms, busy {self.busy():.1f}"
            ),
            file=sys.stderr,
        )
        self.assertEqual(self.late, [])
        self.assertEqual(self.probes.failures, [])
        busy = self.busy()
        self.assertLess(self.probes.longest, PROBE_S * busy)
        self.assertEqual(found['leader_election_master_status{name="vapcheck-controller"}'], 1)
        self.assertFalse(self.process.says("lost"), self.process.log())
        if IS_RELEASE:
            self.assertLess(longest, TURN_S * busy)
            self.assertLess(memory, MEMORY_MB)

    def attack(self, make, path=stage.POLICIES, count=ATTACKERS):
        """All at once, and victims among them and behind them; fewer where they are large."""
        if len(json.dumps(make("size"))) > LARGE_BYTES:
            count = min(count, FEW_ATTACKERS)
        for i in range(count // 2):
            self.on.create(make(f"attacker-{i}"), path)
        self.victim("victim-among")
        for i in range(count // 2, count):
            self.on.create(make(f"attacker-{i}"), path)
        self.victim("victim-behind")
        time.sleep(LATER_S)
        self.victim("victim-later")

    def end_of(self, name):
        """Its own error is said, or the bound that was reached."""
        status = stage.wait_for(
            f"the status of {name}", lambda: self.on.status(name), timeout=END_S if IS_RELEASE else 170
        )
        conditions = {c["type"]: c for c in status["conditions"]}
        warnings = str(status.get("typeChecking", {}))
        is_limit = conditions["TypeChecked"]["reason"] == "LimitReached"
        is_left_out = "left out" in conditions["ExpressionsValid"]["message"]  # no room for all warnings
        self.assertTrue(is_limit or is_left_out or attacks.WRONG_NAME in warnings, conditions)
        if is_limit:
            self.assertEqual(conditions["TypeChecked"]["status"], "False")


def document(megabytes, properties):
    """An OpenAPI document of apps/v1 with Deployments, and objects of so many properties beside."""
    metadata = {"type": "object", "properties": {"name": {"type": "string"}, "generateName": {"type": "string"}}}
    members = {
        "apiVersion": {"type": "string"},
        "kind": {"type": "string"},
        "metadata": metadata,
        "spec": {"type": "object", "properties": {"replicas": {"type": "integer"}}},
    }
    kind = {"group": "apps", "version": "v1", "kind": "Deployment"}
    schemas, size, n = (
        {"Deployment": {"type": "object", "properties": members, "x-kubernetes-group-version-kind": [kind]}},
        0,
        0,
    )
    while size < megabytes * 1_000_000:
        made = {f"p{i * 2654435761 % 2**32:x}": {"type": "string"} for i in range(n * properties, (n + 1) * properties)}
        schemas[f"O{n}"] = {"type": "object", "properties": made}
        size += len(json.dumps(schemas[f"O{n}"], separators=(",", ":")))
        n += 1
    return json.dumps({"openapi": "3.0.0", "components": {"schemas": schemas}}, separators=(",", ":")).encode()


class Pipeline(threading.Thread):
    """A peer of the metrics port that asks without waiting for answers, and connects anew where it is hung up on."""

    def __init__(self, address, source, path, is_read=True):
        super().__init__(daemon=True)
        host, port = address.rsplit(":", 1)
        self.address, self.source, self.is_read, self.is_over = (
            (host, int(port)),
            (source, 0),
            is_read,
            threading.Event(),
        )
        self.block = f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode() * 100
        self.answered = 0
        self.start()

    def ask(self, peer):
        rest = memoryview(b"")
        while not self.is_over.is_set():
            try:
                rest = rest or memoryview(self.block)
                rest = rest[peer.send(rest) :]
            except BlockingIOError:
                time.sleep(0.001)
            try:
                while self.is_read and (piece := peer.recv(1 << 18)):
                    self.answered += piece.count(b"HTTP/1.1 ")
            except BlockingIOError:
                pass

    def run(self):
        while not self.is_over.is_set():
            try:
                with socket.create_connection(self.address, timeout=5, source_address=self.source) as peer:
                    peer.setblocking(False)
                    self.ask(peer)
            except OSError:
                time.sleep(0.01)


class PeersTest(AttackersCase):
    """Clients of the metrics port, which need no right at all."""

    def besiege(self, *peers):
        """peers: (path, whether it reads, how many), each of other hosts."""
        self.begin()
        where = stage.address(self.process)
        self.peers = [
            Pipeline(where, f"127.0.{i + 1}.{n // 10 + 1}", path, is_read)
            for i, (path, is_read, count) in enumerate(peers)
            for n in range(count)
        ]
        began = time.monotonic()
        for name in ("victim-among", "victim-behind", "victim-later"):
            time.sleep(LEASE)  # it is renewed meanwhile, or lost
            self.victim(name)
        print(
            f"  {sum(p.answered for p in self.peers) / (time.monotonic() - began):.0f} answers a second",
            file=sys.stderr,
        )
        self.assert_well()
        self.process.stop()
        for peer in self.peers:
            peer.is_over.set()

    def test_one_that_pipelines(self):
        self.besiege(("/nothing", True, 1))
        self.assertGreater(self.peers[0].answered, 1000)

    def test_many_that_pipeline(self):
        """Each of what the daemon serves, by as many connections as it takes."""
        self.besiege(("/nothing", True, 10), ("/metrics", True, 30), ("/readyz?verbose", True, 10))

    def test_many_that_do_not_read(self):
        self.besiege(("/metrics", False, 40))

    def test_answers_that_are_refusals(self):
        self.besiege(
            ("/" + "x" * 20_000, True, 10),
            ("/\x00", True, 10),
            ("/metrics HTTP/1.1\r\nContent-Length: 9\r\nA: ", True, 10),
        )


def escaped(piece):
    """As Go's JSON escapes: each of these bytes becomes six. The tilde stands for what would be longer still."""
    for byte in b"<>&":
        piece = piece.replace(bytes([byte]), b"\\u%04x" % byte)
    return piece.replace(b"~", b"=" * 16)


LONG_BYTES = 1_450_000  # the API server takes 1.5 MiB


def long_policy(name, fill="<"):
    made = stage.policy(name, "object.nope > 1")
    made["spec"]["validations"] += [{"expression": "true", "message": fill * 50_000}] * (LONG_BYTES // 50_000)
    return made


def longer(made, fill):
    made["padding"] = fill * LONG_BYTES
    return made


class EscapedTest(AttackersCase):
    """What a server takes is six times as long in lists and watches, and may be longer than anything is read."""

    rewrite = staticmethod(escaped)
    COUNT = 8 if IS_RELEASE else 2

    def again(self, *flags):
        """Another daemon, which lists all of that."""
        self.probes.stop()
        self.process.stop()
        self.process = self.controller(self.kubeconfig(self.proxied.url), "--leader-elect", *TIMES, *flags)
        stage.wait_for("readiness", lambda: stage.ask(self.process, "/readyz")[0] == 200, timeout=60)
        self.probes = Probes(self.process)
        self.addCleanup(self.probes.stop)
        self.victim("victim-of-a-list")
        self.assert_well()

    def test_policies(self):
        self.begin()
        self.attack(long_policy, count=self.COUNT)
        self.assertIn("undefined field", self.on.warnings("attacker-0")["spec.validations[0].expression"])
        self.assert_well()
        self.again()

    def test_policies_that_are_too_long(self):
        """Of them alone it is said, once, and nobody is told that somebody else changed a status."""
        self.begin()
        self.attack(lambda name: long_policy(name, "~"), count=self.COUNT)
        for name in ("attacker-0", f"attacker-{self.COUNT - 1}"):
            condition = stage.wait_for("the condition", lambda: self.on.condition(name, "TypeChecked"), timeout=60)
            self.assertEqual(condition["reason"], "LimitReached")
            self.assertIn("its JSON text is too long", condition["message"])
        self.again()
        time.sleep(LATER_S)
        writes = [r for r in self.proxied.requests if r.startswith(f"PATCH {stage.POLICIES}/attacker-0/")]
        self.assertLessEqual(len(writes), 2)  # of each daemon one
        self.assertFalse(self.process.says("somebody else"), self.process.log())
        found = stage.Metrics(self.process).read()
        self.assertEqual(found['vapcheck_store_objects_left_out{resource="policies"}'], self.COUNT)
        self.assertEqual(found['vapcheck_store_objects_unreadable_total{resource="policies"}'], 0)

    def test_objects_of_the_other_kinds(self):
        self.begin("--watch-webhooks", "--watch-crds")
        for fill in "<~":
            name = "long" if fill == "<" else "longer"
            binding = {
                "apiVersion": "admissionregistration.k8s.io/v1",
                "kind": "ValidatingAdmissionPolicyBinding",
                "metadata": {"name": name},
                "spec": {"policyName": "first", "validationActions": ["Deny"]},
            }
            self.on.create(longer(binding, fill), stage.BINDINGS)
            self.on.create(longer(stage.webhooks(name, "object.nope > 1"), fill), stage.VALIDATING_WEBHOOKS)
            text = {"type": "object", "description": fill * LONG_BYTES}
            self.on.create(stage.crd(name + "s", name.title(), {"spec": text}), stage.CRDS)
            self.victim(f"victim-among-{name}")
        for kind in ("bindings", "validatingwebhookconfigurations"):
            label = f'vapcheck_store_objects_left_out{{resource="{kind}"}}'
            stage.wait_for(label, lambda: stage.Metrics(self.process).read()[label] == 1)
        stage.wait_for(
            "the events",
            lambda: (
                ("Warning", "LimitReached") in self.events.told("longer")
                and ("Warning", "LimitReached") in self.events.told("longers.shop.example.com")
            ),
        )
        self.assert_well()
        self.again("--watch-webhooks", "--watch-crds")


class PartsTest(AttackersCase):
    """A text of a megabyte whose tree would be some hundred."""

    def test_labels(self):
        self.begin("--watch-webhooks")
        labels = {f"l{i}": "" for i in range(90_000)}
        binding = {
            "apiVersion": "admissionregistration.k8s.io/v1",
            "kind": "ValidatingAdmissionPolicyBinding",
            "metadata": {"name": "b"},
            "spec": {"policyName": "first", "validationActions": ["Deny"]},
        }
        for made, path in (
            (binding, stage.BINDINGS),
            (stage.policy("p", "object.nope > 1"), stage.POLICIES),
            (stage.webhooks("w", "object.nope > 1"), stage.VALIDATING_WEBHOOKS),
        ):
            made["metadata"]["labels"] = labels
            self.on.create(made, path)
            self.victim(f"victim-of-{made['metadata']['name']}")
        self.assertIn("undefined field", self.on.warnings("p")["spec.validations[0].expression"])
        stage.wait_for("the binding", lambda: (self.on.condition("first", "Bound") or {}).get("status") == "True")
        self.assert_well()

    def test_selectors(self):
        self.begin("--watch-webhooks")
        selector = {"matchLabels": {f"l{i}": "" for i in range(90_000)}}
        binding = {
            "apiVersion": "admissionregistration.k8s.io/v1",
            "kind": "ValidatingAdmissionPolicyBinding",
            "metadata": {"name": "b"},
            "spec": {
                "policyName": "first",
                "validationActions": ["Deny"],
                "matchResources": {"objectSelector": selector},
            },
        }
        policy, webhook = stage.policy("p", "object.nope > 1"), stage.webhooks("w", "object.nope > 1")
        policy["spec"]["matchConstraints"]["objectSelector"] = webhook["webhooks"][0]["objectSelector"] = selector
        for made, path in ((binding, stage.BINDINGS), (policy, stage.POLICIES), (webhook, stage.VALIDATING_WEBHOOKS)):
            self.on.create(made, path)
            self.victim(f"victim-of-{made['metadata']['name']}")
        self.assertIn(
            "too many fields", stage.wait_for("the condition", lambda: self.on.condition("p", "TypeChecked"))["message"]
        )
        stage.wait_for("the binding", lambda: (self.on.condition("first", "Bound") or {}).get("status") == "True")
        self.assert_well()

    def test_validations(self):
        self.begin()
        self.attack(lambda name: stage.policy(name, *["1"] * 75_000), count=6)
        self.assertEqual(self.on.condition("attacker-0", "TypeChecked")["reason"], "LimitReached")
        self.assert_well()


class DocumentTest(AttackersCase):
    """As large as documents may be: read in slices, between which other work goes on."""

    def read(self, megabytes, properties):
        text = document(megabytes, properties)
        self.on = self.server()
        proxy = self.proxy(self.on.port)
        proxy.faults["/openapi/v3/apis/apps/v1"] = stage.reply(200, text)
        self.late = []
        self.process = self.controller(self.kubeconfig(proxy.url))
        stage.wait_for("readiness", lambda: stage.ask(self.process, "/readyz")[0] == 200)
        self.probes = Probes(self.process)
        self.addCleanup(self.probes.stop)
        self.on.create(stage.policy("p", "object.replicas > 1"))
        stage.wait_for("the status", lambda: self.on.status("p"), timeout=120)
        self.assertIn("undefined field", self.on.warnings("p")["spec.validations[0].expression"])
        self.probes.stop()
        self.assertEqual(self.probes.failures, [])
        longest = stage.Metrics(self.process).read()["vapcheck_loop_longest_turn_seconds"]
        print(
            (
                f"  {len(text) / 1e6:.0f} MB: longest turn {longest * 1000:.0f} ms, memory "
                f"{self.memory_mb():.0f} MB, busy {self.busy():.1f}"
            ),
            file=sys.stderr,
        )
        if IS_RELEASE:
            self.assertLess(longest, DOCUMENT_TURN_S * self.busy())
            self.assertLess(self.memory_mb(), MEMORY_MB)

    def test_large_objects(self):
        self.read(15, 60_000)

    def test_many_objects(self):
        self.read(15, 100)

    def test_one_large_object(self):
        self.read(1.5, 50_000)


def kind_of(plural, group, categories=()):
    made = objects.discovered(plural, group, shortNames=[plural[:2]], categories=list(categories))
    status = {"subresource": "status", "responseKind": made["responseKind"], "verbs": objects.VERBS[-3:]}
    return {**made, "subresources": [status]}


def group_of(name, numbers):
    """A group of the kinds k1, k2 and so on, with these numbers."""
    return name, [kind_of(f"k{number}", name) for number in numbers]


class DiscoveryTest(AttackersCase):
    """What the server serves, by definitions of anybody's."""

    def answer(self, path, text):
        """This is what the path says; what is below it is the server's."""

        def fault(handler):
            if handler.path == path:
                stage.reply(200, text)(handler)
            else:
                self.proxied.forward(handler)

        self.text = text
        self.proxied.faults[path] = fault

    def serve(self, *groups):
        """A proxy whose /apis has these groups, too: (name, resources)."""
        aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
        answer = json.loads(self.on.text("/apis", Accept=aggregated))
        for name, resources in groups:
            version = {"version": "v1", "resources": resources, "freshness": "Current"}
            answer["items"].append({"metadata": {"name": name}, "versions": [version]})
        self.answer("/apis", json.dumps(answer, separators=(",", ":")).encode())

    def begin_with(self, *groups):
        self.on, self.late = self.server(), []
        self.proxied = self.proxy(self.on.port)
        self.serve(*groups)
        self.process = self.controller(self.kubeconfig(self.proxied.url))
        stage.wait_for("readiness", lambda: stage.ask(self.process, "/readyz")[0] == 200)
        self.probes = Probes(self.process)
        self.addCleanup(self.probes.stop)
        self.victim("victim-at-start")

    def assert_well(self):
        self.probes.stop()
        found = stage.Metrics(self.process).read()
        longest = found["vapcheck_loop_longest_turn_seconds"]
        print(
            f"  an answer of {len(self.text) / 1e6:.0f} MB: longest turn {longest * 1000:.0f} ms, "
            f"memory {self.memory_mb():.0f} MB, busy {self.busy():.1f}",
            file=sys.stderr,
        )
        self.assertEqual(self.probes.failures, [])
        self.assertEqual(self.late, [])
        if IS_RELEASE:
            self.assertLess(longest, TURN_S * self.busy())
            self.assertLess(self.memory_mb(), MEMORY_MB)
        return found

    def reason(self, plural, group):
        name = f"{plural}-{group.split('.')[0]}"
        policy = stage.policy(name, "object.metadata.name != ''", resource=plural)
        policy["spec"]["matchConstraints"]["resourceRules"][0]["apiGroups"] = [group]
        self.on.create(policy)
        return stage.wait_for("the condition", lambda: self.on.condition(name, "TypeChecked"), timeout=60)

    def test_categories_without_an_end(self):
        """441 KB of a definition, repeated by each of its versions, and many such definitions."""
        categories = [f"c{i}" for i in range(40_000)]
        things = [kind_of(f"things{i}", "attack.example.com", categories) for i in range(40)]
        self.begin_with(("attack.example.com", things), ("zz.example.com", [kind_of("widgets", "zz.example.com")]))
        self.assertNotEqual(self.reason("widgets", "zz.example.com")["reason"], "ResourceNotFound")
        self.assertEqual(self.reason("gadgets", "zz.example.com")["reason"], "ResourceNotFound")
        self.assertEqual(self.assert_well()["vapcheck_discovery_complete"], 1)

    def test_ten_thousand_kinds(self):
        """In many groups, and as many in one."""
        for size in (100, 10_000):
            with self.subTest(size):
                self.begin_with(*(group_of(f"g{i}.example.com", range(i, i + size)) for i in range(0, 10_000, size)))
                last = 10_000 - size
                found = self.reason(f"k{last + size - 1}", f"g{last}.example.com")
                self.assertNotEqual(found["reason"], "ResourceNotFound")
                self.assertEqual(self.assert_well()["vapcheck_discovery_complete"], 1)
                self.process.stop()

    def test_too_many_kinds(self):
        """What is known is used, and of nothing else is said that it is not there."""
        self.begin_with(*(group_of(f"g{i}.example.com", range(500)) for i in range(100)))
        self.assertNotEqual(self.reason("k7", "g3.example.com")["reason"], "ResourceNotFound")
        for plural, group in (("k7", "g99.example.com"), ("gadgets", "apps")):
            condition = self.reason(plural, group)
            self.assertEqual(condition["reason"], "LimitReached")
            self.assertIn("/apis has more than", condition["message"])
        self.assertTrue(self.process.says("known only in part: /apis has more than"))
        self.assertEqual(self.assert_well()["vapcheck_discovery_complete"], 0)

    def test_no_json(self):
        """At the start, and of a running daemon."""
        self.on, self.late = self.server(), []
        self.proxied = self.proxy(self.on.port)
        self.answer("/apis", b"nonsense")
        self.process = self.controller(self.kubeconfig(self.proxied.url))
        stage.wait_for("readiness", lambda: stage.ask(self.process, "/readyz")[0] == 200)
        self.probes = Probes(self.process)
        self.addCleanup(self.probes.stop)
        condition = self.reason("deployments", "apps")
        self.assertEqual(condition["reason"], "LimitReached")
        self.assertIn("/apis cannot be read", condition["message"])
        self.assertEqual(self.assert_well()["vapcheck_discovery_complete"], 0)

    def test_many_openapi_documents(self):
        """The index of more versions of groups than any cluster has."""
        self.on, self.late = self.server(), []
        self.proxied = self.proxy(self.on.port)
        self.serve()
        index = json.loads(self.on.text("/openapi/v3"))
        for count in (10_000, 60_000):
            with self.subTest(count):
                for i in range(count):
                    path = f"apis/group-with-a-long-name-{i}.example.com/v1"
                    index["paths"][path] = {"serverRelativeURL": f"/openapi/v3/{path}?hash={'A' * 128}"}
                self.answer("/openapi/v3", json.dumps(index).encode())
                self.process = self.controller(self.kubeconfig(self.proxied.url))
                stage.wait_for("readiness", lambda: stage.ask(self.process, "/readyz")[0] == 200)
                self.probes = Probes(self.process)
                self.addCleanup(self.probes.stop)
                name = f"p{count}"
                self.on.create(stage.policy(name, "object.nope > 1"))
                stage.wait_for("the status", lambda: self.on.status(name), timeout=60)
                if count == 10_000:
                    self.assertIn("undefined field", self.on.warnings(name)["spec.validations[0].expression"])
                else:
                    self.assertEqual(self.on.condition(name, "TypeChecked")["reason"], "LimitReached")
                self.assert_well()
                self.process.stop()


class PoliciesTest(AttackersCase):
    """test_NAME for each of POLICIES, in scope full; maps and names in scope upstream, too."""

    def run_one(self, family, numbers, *flags):
        attack = attacks.make(family, **numbers)
        self.assertTrue(attack.fits())
        self.begin(*flags)
        self.attack(lambda name: named(attack, name))
        self.assert_well()
        self.end_of("attacker-0")

    def test_upstream_maps_through_variables(self):
        self.run_one(*POLICIES["maps_through_variables"], "--warnings-scope=upstream")

    def test_upstream_unknown_names(self):
        self.run_one("names", dict(count=9000), "--warnings-scope=upstream")


for _name, _row in POLICIES.items():
    setattr(PoliciesTest, f"test_{_name}", lambda self, row=_row: self.run_one(*row))


class BesideTest(AttackersCase):
    def test_webhook_configurations(self):
        attack = attacks.make("webhooks", count=500, conditions=5, shape=1, wide=1)
        self.begin("--watch-webhooks")
        self.attack(lambda name: named(attack, name), stage.VALIDATING_WEBHOOKS, count=20)
        self.assert_well()

    def test_large_webhook_configurations(self):
        attack = attacks.make("webhooks", count=250, conditions=5, shape=3, wide=1)
        self.begin("--watch-webhooks")
        self.attack(lambda name: named(attack, name), stage.VALIDATING_WEBHOOKS, count=20)
        self.assert_well()

    def test_definitions(self):
        # few nodes: the embedded server makes its schemas anew each time
        attack = attacks.make("crd_rules", rules=3000, nodes=500, shape=1)

        def make(name):
            made = copy.deepcopy(attack.objects[0])
            plural = name.replace("-", "")
            made["metadata"]["name"], made["spec"]["names"]["plural"] = f"{plural}.example.com", plural
            return made

        self.begin("--watch-crds")
        self.attack(make, stage.CRDS, count=10)
        self.assert_well()

    def test_a_storm_of_definitions(self):
        """Each announces that schemas change."""
        self.begin("--watch-crds")
        self.on.create(
            stage.policy("wide", "object.metadata.name != ''", matchConstraints={"resourceRules": attacks.ALL_TYPES})
        )
        is_over = threading.Event()

        def storm():
            n = 0
            while not is_over.wait(0.02):
                definition = stage.crd(
                    f"storms{n}", f"Storm{n}", {"spec": {"type": "object", "properties": {"a": {"type": "string"}}}}
                )
                self.on.create(definition, stage.CRDS)
                self.on.request("DELETE", f"{stage.CRDS}/{definition['metadata']['name']}")
                n += 1

        thread = threading.Thread(target=storm, daemon=True)
        thread.start()
        for i in range(5):
            time.sleep(1)
            self.victim(f"victim-{i}", STORM_VICTIM_S)
        is_over.set()
        thread.join(20)
        self.assert_well()


if os.environ.get("VAPCHECK_ATTACKERS"):
    ATTACKERS = int(os.environ["VAPCHECK_ATTACKERS"])
stage.main()
