"""Policies that come, change and go by the ten thousands, on whatever API server, and who looks on.

Program makes the events, from a seed; Churn has four workers do them; Eyes watch the policies and know
of each event whether its policy was checked or overtaken by a later one, and whether what was written
is right. The target says how an API server is spoken to: see soak_test.py and e2e/churn_long.py.
"""

import concurrent.futures
import contextlib
import http.client
import json
import queue
import random
import threading
import time

POLICIES = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies"
CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
LIVE, MOST = 500, 560
KINDS, VARIANTS = 5, 4  # CRDs, and the forms that each has
WORKERS = 4
FAULTS = ("500", "502", "503", "504", "cut", "cut", "cut", "409")
RESOURCES = (("apps", "v1", "deployments"), ("apps", "v1", "statefulsets"), ("", "v1", "pods"), ("batch", "v1", "jobs"))


def group(kind):
    return f"soak{kind}.example.com"


def crd(kind, variant):
    """Its spec has one field, whose name tells the variant."""
    spec = {"type": "object", "properties": {f"v{variant}": {"type": "string"}}}
    schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}
    names = {"plural": "things", "singular": "thing", "kind": "Thing", "listKind": "ThingList"}
    version = {"name": "v1", "served": True, "storage": True, "schema": schema}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"things.{group(kind)}"},
        "spec": {"group": group(kind), "scope": "Namespaced", "names": names, "versions": [version]},
    }


def policy(name, form):
    """form: ("clean" | "wrong", number), or ("crd", number, kind, variant)."""
    kind, number = form[0], form[1]
    api, version, resource = RESOURCES[number % len(RESOURCES)]
    expressions = [
        "has(object.metadata.labels) && 'team' in object.metadata.labels",
        f"object.metadata.name != 'n{number}'",
    ]
    if kind == "wrong":
        expressions.insert(number % 3, f"object.nope{number} > 1")
    if kind == "crd":
        api, version, resource = group(form[2]), "v1", "things"
        expressions.append(f"object.spec.v{form[3]} == 'n{number}'")
    rule = {"apiGroups": [api], "apiVersions": [version], "operations": ["CREATE", "UPDATE"], "resources": [resource]}
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingAdmissionPolicy",
        "metadata": {"name": name},
        "spec": {
            "failurePolicy": "Fail",
            "matchConstraints": {"resourceRules": [rule]},
            "variables": [{"name": "who", "expression": "request.userInfo.username"}],
            "validations": [{"expression": e, "message": f"no. {number}", "reason": "Invalid"} for e in expressions],
        },
    }


class Program:
    """The events, in their order; the same for the same seed."""

    def __init__(self, seed, has_faults):
        self.random = random.Random(seed)
        self.has_faults = has_faults
        self.live, self.free = {}, [f"p{n}" for n in range(MOST)]
        self.variants = [0] * KINDS
        self.number = 0
        self.counts = {}

    def _form(self):
        self.number += 1
        kind = self.random.choices(("clean", "wrong", "crd"), (45, 45, 10))[0]
        if kind == "crd":
            return kind, self.number, self.random.randrange(KINDS), self.random.randrange(VARIANTS)
        return kind, self.number

    def _create(self):
        name = self.free.pop(self.random.randrange(len(self.free)))
        self.live[name] = self._form()
        return "create", name, self.live[name]

    def _delete(self):
        name = self.random.choice(list(self.live))
        del self.live[name]
        self.free.append(name)
        return "delete", name

    def _change(self):
        name = self.random.choice(list(self.live))
        self.live[name] = self._form()
        return "change", name, self.live[name]

    def _crd(self):
        kind = self.random.randrange(KINDS)
        self.variants[kind] = (self.variants[kind] + 1) % VARIANTS
        return "crd", kind, self.variants[kind]

    def _fault(self):
        # a wait of a second for everything is dearer than the other faults
        return "fault", "429" if self.random.random() < 0.03 else self.random.choice(FAULTS)

    def step(self):
        draw = self.random.random()
        if self.has_faults and draw < 0.01:
            event = self._fault()
        elif draw < 0.012:
            event = self._crd()
        elif len(self.live) < LIVE + 10:
            event = self._create()
        elif not self.free:
            event = self._delete()
        else:
            event = self.random.choices((self._create, self._change, self._delete), (2, 6, 2))[0]()
        self.counts[event[0]] = self.counts.get(event[0], 0) + 1
        return event

    def level(self):
        """The events after which exactly LIVE policies are there."""
        while len(self.live) > LIVE:
            yield self._delete()
        while len(self.live) < LIVE:
            yield self._create()

    def has_warning(self, form):
        return form[0] == "wrong" or (form[0] == "crd" and self.variants[form[2]] != form[3])


class Wire:
    """One connection, opened again as often as need be."""

    def __init__(self, port):
        self.port, self.connection = port, None

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None

    def ask(self, method, path, body=None, content_type="application/json", patience=120):
        """(status, the answer's JSON). What the server did before a connection broke is done twice."""
        deadline = time.monotonic() + patience
        while True:
            try:
                self.connection = self.connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
                self.connection.request(method, path, body and json.dumps(body), {"Content-Type": content_type})
                answer = self.connection.getresponse()
                text = answer.read()
                if answer.status < 500 and answer.status != 429:
                    return answer.status, json.loads(text or b"null")
            except (OSError, http.client.HTTPException, ValueError):
                self.close()
            if time.monotonic() > deadline:
                raise AssertionError(f"{method} {path}: no answer within {patience} s")
            time.sleep(0.05)


class Eyes(threading.Thread):
    """Watch every policy. pending: those whose newest generation has no status yet."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.port, self.lock = port, threading.Lock()
        self.live, self.pending = {}, {}
        self.seen = self.checked = self.overtaken = self.longest_s = 0
        self.wrong, self.is_stopped = [], False

    def run(self):
        while not self.is_stopped:
            with contextlib.suppress(OSError, http.client.HTTPException, ValueError, KeyError):
                self._list_and_watch()
            time.sleep(0.05)

    def _list_and_watch(self):
        with contextlib.closing(Wire(self.port)) as wire:
            code, listed = wire.ask("GET", POLICIES)
        if code != 200:
            return
        with self.lock:
            names = {item["metadata"]["name"] for item in listed["items"]}
            for name in [n for n in self.live if n not in names]:
                self._gone(name)
            for item in listed["items"]:
                self._see(item)
        path = f"{POLICIES}?watch=1&resourceVersion={listed['metadata']['resourceVersion']}"
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)) as connection:
            connection.request("GET", path + "&allowWatchBookmarks=true")
            answer = connection.getresponse()
            while line := answer.readline():
                event = json.loads(line)
                if event["type"] == "ERROR":
                    return
                with self.lock:
                    if event["type"] == "DELETED":
                        self._gone(event["object"]["metadata"]["name"])
                    elif event["type"] != "BOOKMARK":
                        self._see(event["object"])

    def _gone(self, name):
        self.live.pop(name, None)
        if self.pending.pop(name, None):
            self.overtaken += 1

    def _see(self, item):
        name, now = item["metadata"]["name"], time.monotonic()
        what = item["metadata"]["uid"], item["metadata"]["generation"]
        known = self.live.get(name)
        if known is None or (known["metadata"]["uid"], known["metadata"]["generation"]) != what:
            self.seen += 1
            if name in self.pending:
                self.overtaken += 1
            self.pending[name] = now
        self.live[name] = item
        if item.get("status", {}).get("observedGeneration") != what[1]:
            return
        if name in self.pending:
            self.checked += 1
            self.longest_s = max(self.longest_s, now - self.pending.pop(name))
        self._judge(name, item)

    def _judge(self, name, item):
        """Of what depends on no CRD: the warnings are those of this very generation."""
        text = json.dumps(item["status"].get("typeChecking", {}))
        validations = item["spec"]["validations"]
        nopes = [v["expression"].split()[0].removeprefix("object.") for v in validations if "nope" in v["expression"]]
        is_about_crd = any("object.spec.v" in v["expression"] for v in validations)
        if not is_about_crd and (
            bool(nopes) != ("expressionWarnings" in text) or any(f"'{n}'" not in text for n in nopes)
        ):
            self.wrong.append((name, item["spec"], item["status"]))


class Churn:
    """target: port, restart(), change(wire, path, object), has_faults."""

    def __init__(self, target, seed):
        self.target = target
        self.program = Program(seed, target.has_faults)
        self.queues = [queue.Queue(maxsize=8) for _ in range(WORKERS)]
        self.pool = concurrent.futures.ThreadPoolExecutor(WORKERS)
        self.workers = [self.pool.submit(self._work, q) for q in self.queues]
        with contextlib.closing(Wire(target.port)) as wire:
            for kind in range(KINDS):
                code, answer = wire.ask("POST", CRDS, crd(kind, 0))
                assert code == 201, answer
        self.eyes = Eyes(target.port)
        self.eyes.start()

    def stop(self):
        for q in self.queues:
            q.put(None)
        self.pool.shutdown()
        self.eyes.is_stopped = True

    def _work(self, mine):
        with contextlib.closing(Wire(self.target.port)) as wire:
            while event := mine.get():
                try:
                    self._do(wire, event)
                finally:
                    mine.task_done()

    def _do(self, wire, event):
        what, name, *more = event
        if what == "create":
            code, answer = wire.ask("POST", POLICIES, policy(name, *more))
            assert code == 201 or answer["reason"] == "AlreadyExists", answer
        elif what == "change":
            self.target.change(wire, f"{POLICIES}/{name}", policy(name, *more))
        elif what == "delete":
            code, answer = wire.ask("DELETE", f"{POLICIES}/{name}")
            assert code in (200, 404), answer
        elif what == "crd":
            self.target.change(wire, f"{CRDS}/things.{group(name)}", crd(name, *more))
        else:
            wire.ask("PUT", f"/fault/{name}")

    def _order(self, event):
        """Events of one policy stay in their order: each name has its worker."""
        worker = sum(map(ord, str(event[1]))) % WORKERS
        while True:
            for each in self.workers:
                if each.done():
                    each.result()  # raises what ended it
            with contextlib.suppress(queue.Full):
                self.queues[worker].put(event, timeout=1)
                return

    def run(self, events, seconds, restarts):
        """Makes so many events, spread over at least that time, and that many restarts of the server between them."""
        start = time.monotonic()
        every = events // (restarts + 1) or 1
        for n in range(1, events + 1):
            self._order(self.program.step())
            if n % every == 0 and n < events:
                self.target.restart()
            ahead = n * seconds / events - (time.monotonic() - start)
            if ahead > 0.01:
                time.sleep(ahead)
        return time.monotonic() - start

    def settle(self, timeout):
        """Exactly LIVE policies are left, and every one has the status of its newest generation."""
        for event in self.program.level():
            self._order(event)
        for q in self.queues:
            q.join()
        deadline = time.monotonic() + timeout
        while problem := self._unsettled():
            assert time.monotonic() < deadline, f"not within {timeout} s: {problem}"
            time.sleep(0.1)

    def _unsettled(self):
        with self.eyes.lock:
            if self.eyes.live.keys() != self.program.live.keys():
                return f"{len(self.eyes.live)} policies seen of {len(self.program.live)}"
            if self.eyes.pending:
                return f"{len(self.eyes.pending)} have no status yet, such as {next(iter(self.eyes.pending))}"
            for name, form in self.program.live.items():
                status = self.eyes.live[name]["status"]
                if self.program.has_warning(form) != bool(status.get("typeChecking")):
                    return f"{name}, {form}: {status}"
        return None
