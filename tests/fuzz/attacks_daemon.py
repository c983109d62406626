#!/usr/bin/env python3
"""Searches for what a daemon cannot bear: frames and lists by escaping and by shape, discovery and OpenAPI documents,
and peers of the metrics port.

  tests/fuzz/attacks_daemon.py [--seconds N] [--seed N] [--family NAME]... [--known] [--bin FOLDER]

Each attack meets a daemon of its own, with the embedded API server and a proxy between the two that answers what a
real API server could answer. A family is a function of a few numbers, which are drawn at random within their ranges.
What is found is printed, with its family and numbers, and makes the exit status 1: a victim's policy without its
status, a turn of the loop or memory above the limit, a daemon that is not ready or has ended, a probe without an
answer, a ResourceNotFound of what is served. KNOWN are the attacks that were found once.
"""

import argparse
import contextlib
import json
import os
import pathlib
import random
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/flow"))
sys.path.append(str(ROOT / "tests/support"))
import objects

OBJECT_BYTES = 1_450_000  # an API server takes 1.5 MiB
VICTIM_S, READY_S, TURN_S, MEMORY_MB = 30, 30, 0.1, 256
BURST = 4  # how much longer a turn may take on a machine that is busy, beside the share of time that is lost
FAMILIES = {}
KNOWN = [
    ("peers", dict(connections=1, path=0, reads=1, burst=100)),
    ("peers", dict(connections=60, path=1, reads=1, burst=100)),
    ("long_objects", dict(kind=0, count=2, byte=0, factor=2)),
    ("long_objects", dict(kind=0, count=2, byte=0, factor=3)),
    ("lists", dict(kind=1, count=3000, size=95_000)),
    ("parts", dict(kind=1, shape=0, count=90_000)),
    ("parts", dict(kind=0, shape=2, count=75_000)),
    ("categories", dict(kinds=8, count=50_000, size=9)),
    ("kinds", dict(groups=1, kinds=10_000)),
    ("kinds", dict(groups=100, kinds=500)),
    ("index", dict(count=6_000, length=200)),
    ("nonsense", dict(path=0, cut=50)),
]


def family(**ranges):
    """Of a function that arms the stage: the range of each of its numbers."""

    def add(function):
        FAMILIES[function.__name__] = (function, ranges)
        return function

    return add


class Scene:
    """The server, the proxy, and what is done before and after the daemon starts."""

    def __init__(self, stage, folder):
        self.stage, self.folder = stage, folder
        self.server = stage.Server(folder)
        self.proxy = stage.Proxy(self.server.port)
        self.proxy.rewrite = None
        self.later = []  # to be done once the daemon is ready
        self.flags = ["--watch-webhooks", "--watch-crds"]
        self.peers = []
        self.served = []  # (plural, group): of these no ResourceNotFound is true

    def answer(self, path, text):
        def fault(handler):
            if handler.path == path:
                self.stage.reply(200, text)(handler)
            else:
                self.proxy.forward(handler)

        self.proxy.faults[path] = fault

    def object(self, kind, name):
        """An object of one of the watched kinds, and its path."""
        stage = self.stage
        binding = {
            "apiVersion": "admissionregistration.k8s.io/v1",
            "kind": "ValidatingAdmissionPolicyBinding",
            "metadata": {"name": name},
            "spec": {"policyName": "victim", "validationActions": ["Deny"]},
        }
        made = (
            (stage.policy(name, "object.nope > 1"), stage.POLICIES),
            (binding, stage.BINDINGS),
            (stage.webhooks(name, "object.nope > 1"), stage.VALIDATING_WEBHOOKS),
            (stage.crd(name.replace("-", "") + "s", name.replace("-", "").title(), {}), stage.CRDS),
        )
        return made[kind]


@family(kind=(0, 3), count=(1, 6), byte=(0, 2), factor=(1, 3))
def long_objects(scene, kind, count, byte, factor):
    """Objects of which each byte becomes six, or of which the text is longer than anything is read."""
    fill = "<>&"[byte]
    scene.proxy.rewrite = lambda piece: piece.replace(fill.encode(), b"\\u%04x" % ord(fill) * (1 if factor < 3 else 2))
    for i in range(count):
        made, path = scene.object(kind, f"long-{i}")
        made["padding"] = fill * (OBJECT_BYTES // (1 if factor > 1 else 4))
        scene.later.append((made, path))


@family(kind=(0, 2), count=(1, 3000), size=(500, 100_000))
def lists(scene, kind, count, size):
    """A list that is long when the daemon starts."""
    made, path = scene.object(kind, "of-a-list")
    made["metadata"].update(uid="u", resourceVersion="7", generation=1)
    made["padding"] = "x" * size

    def fault(handler):
        if "watch=" in handler.path:
            code = 400 if "sendInitialEvents" in handler.path else None
            return scene.stage.status(code, "no")(handler) if code else scene.proxy.forward(handler)
        handler.send_response(200)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()

        def put(text):
            handler.wfile.write(b"%x\r\n%s\r\n" % (len(text), text))

        put(b'{"kind":"List","metadata":{"resourceVersion":"1"},"items":[')
        text = json.dumps(made)
        for i in range(count):
            put((("," if i else "") + text.replace("of-a-list", f"of-a-list-{i}")).encode())
        put(b"]}")
        handler.wfile.write(b"0\r\n\r\n")

    if path != scene.stage.POLICIES:  # where the victim is
        scene.proxy.faults[path] = fault
    else:
        for i in range(min(count, 300)):
            scene.later.append((json.loads(json.dumps(made).replace("of-a-list", f"of-a-list-{i}")), path))


@family(kind=(0, 2), shape=(0, 4), count=(1000, 200_000))
def parts(scene, kind, shape, count):
    """Objects whose tree is much larger than their text."""
    made, path = scene.object(kind, "parts")
    names = {f"l{i}": "" for i in range(count)}
    if shape == 0:
        made["metadata"]["labels"] = names
    elif shape == 1:
        made["metadata"]["annotations"] = names
    elif shape == 2:
        made["padding"] = [{"expression": "1"}] * count
    elif shape == 3:
        made["padding"] = [{}] * count
    else:
        made["metadata"]["finalizers"] = list(names)
    text = json.dumps(made, separators=(",", ":"))
    if len(text) <= 4 * OBJECT_BYTES:  # as protobuf it may be a quarter of that
        scene.later.append((made, path))


def discovery(scene, groups):
    aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
    answer = json.loads(scene.server.text("/apis", Accept=aggregated))
    answer["items"] += [
        {"metadata": {"name": name}, "versions": [{"version": "v1", "resources": kinds, "freshness": "Current"}]}
        for name, kinds in groups
    ]
    scene.answer("/apis", json.dumps(answer, separators=(",", ":")).encode())


@family(kinds=(1, 30), count=(1, 60_000), size=(1, 60))
def categories(scene, kinds, count, size):
    """What nobody reads, without an end."""
    names = [f"{i:0{size}x}" for i in range(min(count, OBJECT_BYTES // (size + 3)))]
    group = "attack.example.com"
    listed = [objects.discovered(f"k{i}", group, shortNames=names, categories=names) for i in range(kinds)]
    discovery(scene, [(group, listed)])
    scene.served.append((f"k{kinds - 1}", "attack.example.com"))


@family(groups=(1, 300), kinds=(1, 10_000))
def kinds(scene, groups, kinds):
    """Many kinds, in few groups or many."""
    kinds = min(kinds, 60_000 // groups)
    names = [f"g{g}.example.com" for g in range(groups)]
    discovery(scene, [(name, [objects.discovered(f"k{k}", name) for k in range(kinds)]) for name in names])
    scene.served += [("k0", "g0.example.com"), (f"k{kinds - 1}", f"g{groups - 1}.example.com")]


@family(count=(1, 60_000), length=(1, 240))
def index(scene, count, length):
    """The index of many OpenAPI documents."""
    text = json.loads(scene.server.text("/openapi/v3"))
    for i in range(count):
        path = f"apis/{i:0{length}x}.example.com/v1"
        text["paths"][path] = {"serverRelativeURL": f"/openapi/v3/{path}?hash={'A' * 128}"}
    scene.answer("/openapi/v3", json.dumps(text).encode())


@family(path=(0, 1), cut=(0, 99))
def nonsense(scene, path, cut):
    """Documents that end early. The core group, and what was read before, are known all the same."""
    where = ("/apis", "/openapi/v3")[path]
    accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json"
    text = scene.server.exchange("GET", where, Accept=accept)[1]
    if path == 0:  # at the start nothing else would be known of the victim's group
        scene.later.append((lambda: scene.answer(where, text[: len(text) * cut // 100]), None))


@family(connections=(1, 80), path=(0, 4), reads=(0, 1), burst=(1, 500))
def peers(scene, connections, path, reads, burst):
    """Peers of the metrics port that do not wait for an answer."""
    paths = ("/nothing", "/metrics", "/readyz?verbose", "/" + "x" * 5000, "/livez/loop")
    scene.peers = [(connections, paths[path], reads, burst)]


def besiege(address, index, path, reads, burst, is_over):
    """One connection, opened again where it is closed."""
    import socket

    host, port = address.rsplit(":", 1)
    block = f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode() * burst
    while not is_over.is_set():
        with contextlib.suppress(OSError):
            source = (f"127.1.0.{index // 10 + 1}", 0)
            with socket.create_connection((host, int(port)), timeout=5, source_address=source) as peer:
                peer.setblocking(False)
                rest = memoryview(block)
                while not is_over.is_set():
                    rest = rest or memoryview(block)
                    try:
                        rest = rest[peer.send(rest) :]
                    except BlockingIOError:
                        time.sleep(0.001)
                    with contextlib.suppress(BlockingIOError):
                        while reads and peer.recv(1 << 16):
                            pass


class Run:
    """One attack, and what was found."""

    def __init__(self, stage, name, numbers):
        self.stage, self.name, self.numbers, self.finds = stage, name, numbers, []

    def find(self, text):
        self.finds.append(text)

    def busy(self, process):
        ran, waited = map(int, pathlib.Path(f"/proc/{process.popen.pid}/schedstat").read_text().split()[:2])
        share = waited / max(1, ran + waited)
        return 1 if share < 0.1 else BURST / (1 - share)

    def wait(self, what, probe, seconds):
        try:
            return self.stage.wait_for(what, probe, timeout=seconds)
        except (AssertionError, OSError) as error:
            self.find(str(error)[:200])
            return None

    def condition(self, scene, name, kind):
        return self.wait(f"{kind} of {name}", lambda: scene.server.condition(name, kind), VICTIM_S)

    def attack(self, scene, process):
        for made, path in scene.later:
            if callable(made):
                made()
            else:
                scene.server.create(made, path)
        began = time.monotonic()
        scene.server.create(self.stage.policy("victim", "object.replicas > 1"))
        self.wait("the victim's status", lambda: scene.server.status("victim"), VICTIM_S)
        took = time.monotonic() - began
        if took > self.busy(process) * 2:
            self.find(f"the victim waited {took:.1f} s")
        for i, (plural, group) in enumerate(scene.served):
            policy = self.stage.policy(f"served-{i}", "object.metadata.name != ''", resource=plural)
            policy["spec"]["matchConstraints"]["resourceRules"][0]["apiGroups"] = [group]
            scene.server.create(policy)
            found = self.condition(scene, f"served-{i}", "TypeChecked")
            if found and found["reason"] == "ResourceNotFound":
                self.find(f"ResourceNotFound of {plural}, which is served")

    def look(self, process):
        if process.popen.poll() is not None:
            self.find(f"the daemon ended with {process.popen.returncode}: {process.log()[-300:]}")
            return
        status = pathlib.Path(f"/proc/{process.popen.pid}/status").read_text()
        memory = next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM:"))
        longest = self.stage.Metrics(process).read()["vapcheck_loop_longest_turn_seconds"]
        measured = f"turn {longest * 1000:.0f} ms, memory {memory:.0f} MB, busy {self.busy(process):.1f}"
        print(f"  {self.name} {self.numbers}: {measured}")
        if longest > TURN_S * self.busy(process):
            self.find(f"a turn of {longest * 1000:.0f} ms")
        if memory > MEMORY_MB:
            self.find(f"{memory:.0f} MB")

    def play(self, scene):
        kubeconfig = scene.folder / "kubeconfig-of-attack"
        kubeconfig.write_text(scene.server.kubeconfig.read_text().replace(scene.server.url, scene.proxy.url))
        flags = ["--kubeconfig", kubeconfig, "--metrics-bind-address=127.0.0.1:0", *scene.flags]
        program = self.stage.BIN / "vapcheck-controller"
        process = self.stage.Process("controller", [program, *flags], scene.folder)
        is_over = threading.Event()
        try:
            self.wait(
                "readiness",
                lambda: process.popen.poll() is not None or self.stage.ask(process, "/readyz")[0] == 200,
                READY_S,
            )
            for connections, *how in scene.peers:
                for i in range(connections):
                    peer = (self.stage.address(process), i, *how, is_over)
                    threading.Thread(target=besiege, args=peer, daemon=True).start()
            self.attack(scene, process)
            time.sleep(1)
            self.look(process)
        except (OSError, AssertionError) as error:
            self.find(repr(error)[:300])
        finally:
            try:
                process.stop()
            except AssertionError as error:
                self.find(str(error)[:300])
            is_over.set()
            process.popen.kill()

    def run(self):
        function, _ = FAMILIES[self.name]
        with tempfile.TemporaryDirectory() as folder:
            scene = Scene(self.stage, pathlib.Path(folder))
            try:
                function(scene, **self.numbers)
                self.play(scene)
            finally:
                scene.proxy.stop()
                scene.server.popen.kill()
                scene.server.popen.wait()
        for find in self.finds:
            print(f"FOUND {self.name} {self.numbers}: {find}", flush=True)
        return not self.finds


def draw(chance, low, high):
    """By orders of magnitude where the range has several."""
    return chance.randint(low, high) if high < 100 or low < 1 else round(low * (high / low) ** chance.random())


def attacks(options):
    chance = random.Random(options.seed)
    names = options.family or sorted(FAMILIES)
    if options.known:
        yield from ((name, numbers) for name, numbers in KNOWN if name in names)
    until = time.monotonic() + options.seconds
    while time.monotonic() < until:
        name = chance.choice(names)
        yield name, {key: draw(chance, *span) for key, span in FAMILIES[name][1].items()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--family", action="append", choices=sorted(FAMILIES))
    parser.add_argument("--known", action="store_true")
    parser.add_argument("--bin", help="the folder of the programs; as released, since time and memory count")
    options = parser.parse_args()
    if options.bin:
        os.environ["VAPCHECK_BIN"] = options.bin
    import stage

    results = [Run(stage, name, numbers).run() for name, numbers in attacks(options)]
    print(f"{len(results)} attacks, {results.count(False)} with finds")
    sys.exit(not all(results))


main()
