#!/usr/bin/env python3
"""The faults as data: each line of LINES is a fault, where it is, how long it lasts, how soon after it
all must be right, and how many writes that takes.

One driver runs every line: a daemon of its own with its own constants (in warped time, see
faults/warp.c), a server of its own, and the fault between them while policies come, change and go.
It asserts the same four things each time: nothing lost, nothing wrong written, recovered in time, no
leak and no spin. Times are the daemon's seconds.

    faults_test.py [NAME...]      only the lines with these names
    VAPCHECK_WARP=1               in real time (default 8: eight times as fast)
    VAPCHECK_FAULT_WORKERS=N      lines at once (default: four a processor)
"""

import concurrent.futures
import contextlib
import itertools
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import ssl
import struct
import subprocess
import sys
import tempfile
import time
import traceback

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import stage
from faults import mischief

WARP = int(os.environ.get("VAPCHECK_WARP", 8))
WORKERS = int(os.environ.get("VAPCHECK_FAULT_WORKERS", 4 * len(os.sched_getaffinity(0))))
SLACK_S = 4  # real seconds, for a machine that has other things to do
CHURN_WRITES = 5  # three policies at first, one that comes, one that changes
LATE_REQUESTS = 4  # a second, and the most a backoff with jitter makes of all kinds together


class World:
    """A server, a proxy, a daemon, and what the statuses must be in the end."""

    def __init__(self, line, directory):
        self.line, self.directory = line, pathlib.Path(directory)
        self.stack = contextlib.ExitStack()
        self.server = stage.Server(self.directory)
        self.stack.callback(self.server.stop)
        self.proxy = mischief.Proxy(self.server.port)
        self.stack.callback(self.proxy.stop)
        self.control = self.directory / "control"
        self.control.write_bytes(bytes(16))
        self.front = self.proxy.port
        self.user, self.cluster, self.stderr = {}, {}, None
        self.expected = {}  # name -> expression
        self.history = {}  # (name, generation) -> expression
        self.daemon = None

    # The policies: those whose expression says "nope" get a warning that quotes it.

    def put(self, name, expression, resource_name="deployments"):
        policy = stage.policy(name, expression, resource=resource_name)
        if resource_name != "deployments":
            policy["spec"]["matchConstraints"]["resourceRules"][0]["apiGroups"] = ["batch"]
        made = (self.server.replace if name in self.expected else self.server.create)(policy)
        self.expected[name] = expression
        self.history[name, made["metadata"]["generation"]] = expression

    def delete(self, name):
        self.server.request("DELETE", f"{stage.POLICIES}/{name}")
        del self.expected[name]

    def churn(self):
        self.put("comes", "object.nope3 > 1", self.line.resource)
        self.put("changes", "object.nope4 > 1")
        self.delete("goes")
        if self.line.has_news:
            self.server.create(stage.crd("widgets", "Widget", {"spec": {"type": "object"}}), stage.CRDS)

    def is_right(self):
        """None, or what is not."""
        for name, expression in list(self.expected.items()):
            status = self.server.status(name)
            if status is None:
                return f"{name} has no status"
            if fault := wrong(status, expression, is_complete=True):
                return f"{name}: {fault}"
        return None

    # The daemon.

    def scheme(self):
        return "https" if self.proxy.tls or self.line.front_is_tls else "http"

    def start(self):
        config = {
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "c",
            "clusters": [
                {"name": "c", "cluster": {"server": f"{self.scheme()}://{self.line.host}:{self.front}", **self.cluster}}
            ],
            "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
            "users": [{"name": "u", "user": self.user}],
        }
        path = self.directory / "client-kubeconfig"
        path.write_text(json.dumps(config))
        program = stage.BIN / "vapcheck-controller"
        environment = {**stage.warped(WARP, program, self.control), "ASAN_OPTIONS": "quarantine_size_mb=8"}
        argv = [program, "--kubeconfig", path, "--metrics-bind-address=0"]
        self.daemon = stage.Process("daemon", argv, self.directory, environment, self.stderr)
        self.stack.callback(self.daemon.popen.kill)

    def terminate(self):
        """SIGTERM: a clean end within 20 s. Before it said anything it is as any program."""
        self.daemon.popen.send_signal(signal.SIGTERM)
        status = self.daemon.wait(20 + SLACK_S)
        is_early = status == -signal.SIGTERM and not self.stderr and not self.log()
        check(status == 0 or is_early, f"ended with status {status}")

    def jump(self, seconds):
        self._set_control(0, 1000 * seconds)

    def hide_names(self, is_hidden):
        self._set_control(8, int(is_hidden))

    def _set_control(self, offset, value):
        with open(self.control, "r+b") as control:
            control.seek(offset)
            control.write(struct.pack("<q", value))

    def log(self):
        return self.daemon.log() if self.daemon and not self.stderr else ""

    def fds(self):
        return len(os.listdir(f"/proc/{self.daemon.popen.pid}/fd"))

    def resident_kib(self):
        text = pathlib.Path(f"/proc/{self.daemon.popen.pid}/status").read_text()
        return int(text.split("VmRSS:")[1].split()[0])


def check(condition, what):
    if not condition:
        raise AssertionError(what)


def wrong(status, expression, is_complete):
    """None, or what is wrong with a status for this expression. What is not known yet is missing, never false."""
    listed = (status.get("typeChecking") or {}).get("expressionWarnings") or []
    named = [word for word in expression.replace(".", " ").split() if word.startswith("nope")]
    for warning in listed:
        if not named or f"undefined field '{named[0]}'" not in warning["warning"]:
            return f"a false warning: {warning}"
    return f"no warning: {status}" if named and is_complete and not listed else None


def sleep(seconds):
    """Of the daemon's."""
    time.sleep(seconds / WARP)


# ---- the faults: each a context manager that begins, lasts as long as its line says, and ends ----


def is_watch(request):
    return "watch=true" in request.path and request.path.startswith(stage.POLICIES + "?")


def is_stream(request):
    return "sendInitialEvents" in request.path


def is_list(request):
    return request.command == "GET" and request.path.startswith(stage.POLICIES) and "watch=true" not in request.path


WATCHED = (
    "validatingadmissionpolicies",
    "validatingadmissionpolicybindings",
    "customresourcedefinitions",
    "apiservices",
)
WHERE = {
    "everything": lambda request: True,
    "watch": is_watch,
    "list": is_list,
    "status": lambda request: request.command == "PATCH",
    "discovery": lambda request: request.path in ("/api", "/apis"),
    "index": lambda request: request.path == "/openapi/v3",
    "document": lambda request: request.path.startswith("/openapi/v3/apis/batch/v1"),
    "events": lambda request: request.command == "POST" and "/events?" in request.path,
}


@contextlib.contextmanager
def rule(world, where, answer):
    """answer(request) instead of the server's, at the place; what is open now is closed. A list is
    what a server without streams is asked for when a watch is too old."""

    hits = []

    def act(request):
        if where == "list" and is_watch(request):
            code, reason = (422, "Invalid") if is_stream(request) else (410, "Expired")
            request.reply(code, status_of(code, reason))
            return True
        if not WHERE[where](request):
            return False
        hits.append(request.path)
        answer(request)
        return True

    world.proxy.rules.insert(0, act)
    world.proxy.drop()
    yield
    stage.wait_for(f"the {where} is asked for", lambda: hits, timeout=SLACK_S)
    world.proxy.rules.remove(act)


def status_of(code, reason="", message="we say so"):
    return {
        "kind": "Status",
        "apiVersion": "v1",
        "status": "Failure",
        "code": code,
        "reason": reason,
        "message": message,
    }


def answers(where, code, retry_after=None, reason="", message="we say so"):
    headers = {"Retry_After": str(retry_after)} if retry_after is not None else {}
    return lambda world: rule(world, where, lambda r: r.reply(code, status_of(code, reason, message), **headers))


def says(where, text):
    return lambda world: rule(world, where, lambda r: r.reply(200, text))


def nothing(world):
    return contextlib.nullcontext()


def watch_says(*lines, ends=True):
    """A watch of these bytes; then its end, or silence."""

    def answer(request):
        request.begin()
        for line in lines:
            request.chunk(line)
        if ends:
            request.chunk(b"")
        else:
            time.sleep(3600)

    return lambda world: rule(world, "watch", answer)


def error_event(code, reason=""):
    event = {"type": "ERROR", "object": status_of(code, reason)}
    return watch_says(json.dumps(event).encode() + b"\n")


@contextlib.contextmanager
def bookmarks_only(world):
    """Nothing happens, but the version goes on. Watches begin there."""
    version = json.loads(world.server.text(stage.POLICIES))["metadata"]["resourceVersion"]
    mark = {"kind": "ValidatingAdmissionPolicy", "apiVersion": "admissionregistration.k8s.io/v1"}
    mark["metadata"] = {"resourceVersion": version}
    line = json.dumps({"type": "BOOKMARK", "object": mark}).encode() + b"\n"

    def answer(request):
        request.begin()
        while True:
            request.chunk(line)
            sleep(1)

    with rule(world, "watch", answer):
        yield
    world.proxy.drop()
    stage.wait_for(
        "a watch from the bookmark", lambda: any(f"resourceVersion={version}&" in r for r in world.proxy.requests)
    )


@contextlib.contextmanager
def drops(world):
    """Every connection ends, again and again; each time each watch comes back, whoever is first."""
    for i in range(6):
        before = len(world.proxy.requests)
        world.proxy.drop()
        world.put("always", f"object.spec.replicas > {i}")
        for path in WATCHED:
            stage.wait_for(
                f"a watch of {path}",
                lambda: any(path + "?watch" in r for r in world.proxy.requests[before:]),
                timeout=60 / WARP + SLACK_S,
            )
        sleep(1)
    yield


def cut_watches(how):
    """Each watch of policies is cut after so many bytes, more each time."""

    @contextlib.contextmanager
    def fault(world):
        sizes = itertools.chain([0, 40, 1100], itertools.repeat(1 << 30))

        def shape(request, pieces):
            return cut(request, pieces, next(sizes)) if is_watch(request) else pieces

        def cut(request, pieces, left):
            for piece in pieces:
                yield piece[:left] if left < len(piece) else piece
                left -= len(piece)
                if left <= 0:
                    if how == "reset":
                        request.reset()
                    return

        world.proxy.shape = shape
        world.proxy.drop()
        yield

    return fault


def wire_of_watches(change):
    """Each watch of policies comes as change(request, a gzip member) -> pieces makes it."""

    @contextlib.contextmanager
    def fault(world):
        hits = []

        def wire(request, member):
            if not is_watch(request):
                return [member]
            hits.append(1)
            return change(request, member)

        world.proxy.wire = wire
        world.proxy.drop()
        yield
        check(hits, "no watch was compressed")
        world.proxy.wire = None

    return fault


def byte_by_byte(request, member):
    return (member[i : i + 1] for i in range(len(member)))


def cut_short(request, member):
    """In the middle, where the answer then ends as if that was all."""
    request.close_connection = True
    yield member[: len(member) // 2]
    yield b""
    raise OSError("that was all")


def one_bit_off(request, member):
    at = len(member) // 2
    return [member[:at] + bytes([member[at] ^ 1]) + member[at + 1 :]]


def with_garbage(request, member):
    return [member + b"garbage"]


@contextlib.contextmanager
def slow(world):
    """One byte a second, of everything."""

    def drip(request, pieces):
        for piece in pieces:
            for byte in piece:
                if world.proxy.shape is not shape:
                    request.reset()
                    return
                yield bytes([byte])
                sleep(1)

    def shape(request, pieces):
        return drip(request, pieces)

    world.proxy.shape = shape
    world.proxy.drop()
    yield
    world.proxy.shape = None


@contextlib.contextmanager
def silent_peer(world):
    world.proxy.freeze()
    yield
    world.proxy.thaw()


def hangs(request):
    time.sleep(3600)


def handshake_fails(how):
    def greet(connection):
        if how == "garbage":
            connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        elif how == "silence":
            time.sleep(3600)

    @contextlib.contextmanager
    def fault(world):
        world.proxy.greeting = greet
        world.proxy.drop()
        yield
        world.proxy.greeting = None

    return fault


@contextlib.contextmanager
def names_vanish(world):
    world.hide_names(True)
    world.proxy.drop()
    yield
    world.hide_names(False)


def clock_jumps(seconds):
    @contextlib.contextmanager
    def fault(world):
        world.jump(seconds)
        yield

    return fault


@contextlib.contextmanager
def certificate_expires(world):
    """For the daemon's clock, which is two years ahead for a while."""
    world.jump(2 * 365 * 86400)
    world.proxy.drop()
    yield
    world.jump(0)


@contextlib.contextmanager
def authority_changes(world):
    """The server has another authority's certificate now; ours arrives later."""
    files = certificate(world.directory, "other")
    world.proxy.tls = context_of(files)
    world.proxy.drop()
    yield
    shutil.copy(files[0], world.directory / "ca.crt")


@contextlib.contextmanager
def token_rotates(world):
    token = {"now": "second"}

    def answer(request):
        request.reply(401, status_of(401, "Unauthorized", "Unauthorized"))

    def guard(request):
        if request.headers.get("Authorization") == f"Bearer {token['now']}":
            return False
        answer(request)
        return True

    world.proxy.rules.insert(0, guard)
    world.proxy.drop()
    yield
    (world.directory / "token").write_text("second\n")


def discovery_says(change):
    """apps/v1 is not what it was, in the aggregated discovery."""

    @contextlib.contextmanager
    def fault(world):
        def shape(request, pieces):
            if request.path != "/apis":
                return pieces
            found = json.loads(b"".join(pieces))
            for group in found.get("items", []):
                if group["metadata"]["name"] == "batch":
                    change(group)
            return [json.dumps(found).encode()]

        def refetch(request):
            del request.headers["If-None-Match"]
            return False

        world.proxy.shape = shape
        world.proxy.rules.append(refetch)
        yield
        world.proxy.shape = None

    return fault


def make_stale(group):
    for version in group["versions"]:
        version["freshness"] = "Stale"
        version["resources"] = []


@contextlib.contextmanager
def document_vanishes(world):
    """From the index: apps/v1 is gone, and comes back."""
    readings = []

    def shape(request, pieces):
        if request.path != "/openapi/v3":
            return pieces
        readings.append(1)
        index = json.loads(b"".join(pieces))
        index["paths"].pop("apis/apps/v1", None)
        return [json.dumps(index).encode()]

    world.proxy.shape = shape
    yield
    world.proxy.shape = None
    check(len(readings) > 1, "the index was not read")


@contextlib.contextmanager
def goodbyes(world):
    """A real proxy that speaks HTTP/2 is told to go while answers are on their way."""

    def late(request):
        if request.command == "PATCH":
            time.sleep(0.3)
        return False

    world.proxy.rules.append(late)
    for _ in range(3):
        time.sleep(0.4)
        world.nghttpx.send_signal(signal.SIGQUIT)
        world.nghttpx = start_nghttpx(world, world.front)
        world.put("always", f"object.spec.replicas > {random.randrange(1000)}")
    yield


@contextlib.contextmanager
def no_descriptors(world):
    pid = world.daemon.popen.pid
    hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)[1]
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (3, hard))
    world.proxy.drop()
    yield
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (hard, hard))


def killed(number):
    @contextlib.contextmanager
    def fault(world):
        for i in range(4):
            time.sleep(random.uniform(0, 0.8))
            world.put("always", f"object.spec.replicas > {i}")
            time.sleep(random.uniform(0, 0.05))
            if number == signal.SIGTERM:
                world.terminate()
            else:
                world.daemon.popen.kill()
                world.daemon.popen.wait()
            world.start()
        yield

    return fault


# ---- what a line needs before the daemon starts ----


def certificate(directory, name):
    files = directory / f"{name}.crt", directory / f"{name}.key"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    command += ["-days", "400", "-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run([*command, "-out", files[0], "-keyout", files[1]], check=True, capture_output=True)
    return files


def context_of(files):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*files)
    return context


def with_tls(world):
    files = certificate(world.directory, "server")
    shutil.copy(files[0], world.directory / "ca.crt")
    world.proxy.tls = context_of(files)
    world.cluster = {"certificate-authority": str(world.directory / "ca.crt")}


def with_token(world):
    with_tls(world)
    (world.directory / "token").write_text("first\n")
    world.user = {"tokenFile": str(world.directory / "token")}


def with_full_disk(world):
    world.stderr = pathlib.Path("/dev/full")


def is_open(port):
    with contextlib.closing(mischief.socket.socket()) as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def start_nghttpx(world, port):
    """When the one before it has given up the port."""
    stage.wait_for("a free port", lambda: not is_open(port))
    process = spawn_nghttpx(world, port)
    stage.wait_for("nghttpx", lambda: is_open(port))
    return process


def spawn_nghttpx(world, port):
    log = open(world.directory / "nghttpx.log", "ab")
    argv = ["/usr/sbin/nghttpx", f"-f127.0.0.1,{port}", f"-b127.0.0.1,{world.proxy.port}", "--workers=1", "--no-ocsp"]
    argv += [
        "--conf=/dev/null",
        "--frontend-read-timeout=1h",
        "--backend-read-timeout=1h",
        "--accesslog-file=/dev/null",
    ]
    process = subprocess.Popen(
        [*argv, world.directory / "server.key", world.directory / "server.crt"], stdout=log, stderr=log
    )
    world.stack.callback(process.wait)
    world.stack.callback(process.kill)
    return process


def with_http2(world):
    files = certificate(world.directory, "server")
    world.cluster = {"certificate-authority": str(files[0])}
    with contextlib.closing(mischief.socket.create_server(("127.0.0.1", 0))) as probe:
        world.front = probe.getsockname()[1]
    world.nghttpx = start_nghttpx(world, world.front)


# ---- the table ----


class Line:
    """name: fault and place. lasts: of the fault, recovers: after it at most, both in the daemon's seconds.
    writes: statuses that the server takes in all; most: up to so many, where an answer may be lost."""

    def __init__(self, name, fault, lasts=20, recovers=45, writes=CHURN_WRITES, most=None, **more):
        self.name, self.fault, self.lasts, self.recovers = name, fault, lasts, recovers
        self.writes, self.most = writes, most or writes
        self.prepare = more.pop("prepare", lambda world: None)
        self.is_quiet = more.pop("is_quiet", False)  # no churn while it lasts
        self.has_news = more.pop("has_news", False)  # a CRD comes, too
        self.is_touched = more.pop("is_touched", False)  # policies change once more after it
        self.host = more.pop("host", "127.0.0.1")
        self.front_is_tls = more.pop("front_is_tls", False)
        self.resource = more.pop("resource", "deployments")
        assert not more, more


# What servers answer, and where. A list that fails waits for its backoff, a refused write for a minute;
# 404 says that the policy is gone and 422 that the body is at fault: only a change tries again.
CODES = {
    "403": {"code": 403, "reason": "Forbidden"},
    "404": {"code": 404, "reason": "NotFound"},
    "409": {"code": 409, "reason": "Conflict"},
    "413": {"code": 413, "reason": "RequestEntityTooLarge"},
    "422": {"code": 422, "reason": "Invalid"},
    "429": {"code": 429, "reason": "TooManyRequests"},
    "429 in 3 s": {"code": 429, "reason": "TooManyRequests", "retry_after": 3},
    "500": {"code": 500, "reason": "InternalError"},
    "503": {"code": 503, "reason": "ServiceUnavailable"},
    "503 in 3 s": {"code": 503, "reason": "ServiceUnavailable", "retry_after": 3},
}
PLACES = {
    "watch": {},
    "list": {},
    "status": {"recovers": 75},
    "discovery": {"has_news": True, "recovers": 75},
    "index": {"has_news": True, "recovers": 75},
    "document": {"resource": "jobs", "recovers": 75, "most": CHURN_WRITES + 2},
    "events": {"recovers": 1},
}
TOUCHED = {("404", "status"), ("422", "status")}


def refusals():
    """Each code at each place; and, where something is read, an answer that is none."""
    for (what, answer), (place, more) in itertools.product(CODES.items(), PLACES.items()):
        more = dict(more)
        if (what, place) in TOUCHED:
            more.update(is_touched=True, recovers=5)
        yield Line(f"{what}, {place}", answers(place, **answer), **more)
    for place in ("list", "discovery", "index", "document"):
        yield Line(
            f"malformed JSON, {place}",
            says(place, b'{"metadata":{"resourceVersion":"1"},"items":[{"a":'),
            **PLACES[place],
        )
    huge = b'{"metadata":{"resourceVersion":"1"},"items":[{"a":"' + b"x" * (9 << 20) + b'"}]}'
    yield Line("an item of 9 MiB, list", says("list", huge), **PLACES["list"])


LINES = [
    Line("nothing", nothing, lasts=5, recovers=1),
    Line("everything anew, quiet", nothing, lasts=100, recovers=1, is_quiet=True),
    Line("reset within a frame, watch", cut_watches("reset"), lasts=40),
    Line("end within a frame, watch", cut_watches("end"), lasts=40),
    Line("connections lost, HTTP/1.1", drops, most=CHURN_WRITES + 6),
    Line("connections lost, HTTP/1.1 over TLS", drops, prepare=with_tls, most=CHURN_WRITES + 6),
    Line("connections lost, HTTP/2", drops, prepare=with_http2, front_is_tls=True, most=CHURN_WRITES + 6),
    Line("gzip, a byte a chunk, watch", wire_of_watches(byte_by_byte), recovers=10),
    Line("gzip, cut within a member, watch", wire_of_watches(cut_short)),
    Line("gzip, a wrong bit, watch", wire_of_watches(one_bit_off)),
    Line("gzip, garbage behind a member, watch", wire_of_watches(with_garbage)),
    Line("gzip, a bomb of one frame, watch", watch_says(b'{"type":"ADDED","object":{"a":"' + b"x" * (256 << 20))),
    Line("410, watch", answers("watch", 410, reason="Expired")),
    Line("too large a version, list", answers("list", 504, reason="Timeout", message="Too large resource version: 9")),
    *(
        Line(f"ERROR event {code}", error_event(code, reason))
        for code, reason in (
            (410, "Expired"),
            (429, "TooManyRequests"),
            (500, "InternalError"),
            (503, "ServiceUnavailable"),
            (403, "Forbidden"),
            (0, ""),
        )
    ),
    Line("ERROR event without a Status", watch_says(b'{"type":"ERROR","object":{"kind":"Pod"}}\n')),
    Line("bookmarks only, watch", bookmarks_only, is_quiet=True, recovers=45),
    Line("a frame of 9 MiB, watch", watch_says(b'{"type":"ADDED","object":{"a":"' + b"x" * (9 << 20))),
    Line("malformed JSON, watch", watch_says(b'{"type":"ADDED","object":{"a":\n{]\n')),
    Line("an unknown type, watch", watch_says(b'{"type":"RENAMED","object":{"metadata":{"resourceVersion":"1"}}}\n')),
    Line("no resourceVersion, watch", watch_says(b'{"type":"ADDED","object":{"metadata":{"name":"x"}}}\n')),
    Line(
        "not UTF-8, watch",
        watch_says(b'{"type":"ADDED","object":{"metadata":{"name":"\xff\xfe","resourceVersion":"1"}}}\n'),
    ),
    Line("a byte a second, everything", slow, lasts=60, recovers=75),
    Line(
        "no answer, everything",
        lambda world: rule(world, "everything", hangs),
        lasts=40,
        recovers=120,
        most=CHURN_WRITES + 2,
    ),
    Line("no answer, status", lambda world: rule(world, "status", hangs), lasts=40, recovers=75),
    Line("no answer, watch", lambda world: rule(world, "watch", hangs), lasts=40, recovers=120),
    Line("a peer that stops forwarding", silent_peer, lasts=130, recovers=75),
    Line("401, and a rotated token", token_rotates, prepare=with_token),
    Line("no handshake", handshake_fails("end"), prepare=with_tls),
    Line("garbage for a handshake", handshake_fails("garbage"), prepare=with_tls),
    Line("silence for a handshake", handshake_fails("silence"), prepare=with_tls, lasts=40, recovers=60),
    Line("an expired certificate", certificate_expires, prepare=with_tls),
    Line("a changed authority", authority_changes, prepare=with_tls, recovers=370),
    Line(
        "a failing group, discovery",
        discovery_says(make_stale),
        has_news=True,
        resource="jobs",
        recovers=100,
        most=CHURN_WRITES + 1,
    ),
    Line("a document that vanishes", document_vanishes, has_news=True, lasts=90, recovers=100, most=CHURN_WRITES + 6),
    Line("GOAWAY", goodbyes, prepare=with_http2, front_is_tls=True, writes=CHURN_WRITES + 1, most=CHURN_WRITES + 4),
    Line("no name resolves", names_vanish, host="api.test"),
    Line("the clock, a day ahead", clock_jumps(86400), recovers=1),
    Line("the clock, a day back", clock_jumps(-86400), recovers=1),
    Line("no file descriptors", no_descriptors),
    Line("a full disk for the log", nothing, prepare=with_full_disk, recovers=1),
    Line("SIGTERM", killed(signal.SIGTERM), lasts=1, recovers=15, writes=CHURN_WRITES + 1, most=CHURN_WRITES + 8),
    Line("SIGKILL", killed(signal.SIGKILL), lasts=1, recovers=15, writes=CHURN_WRITES + 1, most=CHURN_WRITES + 8),
    *refusals(),
]


# ---- the driver ----


class Gauge:
    """What a daemon uses: of processor, descriptors and memory, and of the server's patience."""

    def __init__(self, world):
        self.world, self.pid = world, world.daemon.popen.pid
        self.began = time.monotonic()
        self.cpu, self.fds, self.kib = world.daemon.cpu_seconds(), world.fds(), world.resident_kib()
        self.requests = len(world.proxy.requests)

    def assert_modest(self):
        world, passed = self.world, time.monotonic() - self.began
        if world.daemon.popen.pid == self.pid:
            cpu = world.daemon.cpu_seconds() - self.cpu
            check(cpu < 1 + passed / 2, f"{cpu:.1f} s of processor in {passed:.1f} s")
        requests = len(world.proxy.requests) - self.requests
        check(requests < 60 + LATE_REQUESTS * passed * WARP, f"{requests} requests in {passed * WARP:.0f} s")
        check(world.fds() <= self.fds + 8, f"{world.fds()} descriptors, {self.fds} before")
        check(world.resident_kib() < self.kib + 64 * 1024, f"{world.resident_kib()} KiB, {self.kib} before")


def await_right(world, seconds):
    """Real seconds that it took; at most so many of the daemon's."""
    began = time.monotonic()
    while problem := world.is_right():
        check(world.daemon.popen.poll() is None, "it ended by itself")
        passed = time.monotonic() - began
        check(passed < seconds / WARP + SLACK_S, f"after {passed * WARP:.0f} s: {problem}")
        time.sleep(0.05)
    return time.monotonic() - began


def assert_nothing_wrong(world):
    for name, status in world.proxy.applied:
        generation = status.get("observedGeneration")
        expression = world.history.get((name, generation))
        check(expression is not None, f"{name}: a status of generation {generation}: {status}")
        fault = wrong(status, expression, is_complete=False)
        check(not fault, f"{name}, written at some time: {fault}")
    names = {f"{name}@{status['observedGeneration']}" for name, status in world.proxy.applied}
    check(len(names) <= world.line.most, f"unexpected writes: {sorted(names)}")
    count = len(world.proxy.applied)
    check(world.line.writes <= count <= world.line.most, f"{count} writes")


def assert_clean_end(world):
    world.terminate()
    log = world.log()
    for sign in ("AddressSanitizer", "LeakSanitizer", "runtime error:", "left open"):
        check(sign not in log, sign)


def play(world):
    line = world.line
    for name in ("always", "goes"):
        world.put(name, "object.spec.replicas > 1")
    world.put("changes", "object.nope1 > 1")
    line.prepare(world)
    world.start()
    await_right(world, 30)
    gauge = Gauge(world)
    with line.fault(world):
        if not line.is_quiet:
            world.churn()
        sleep(line.lasts)
    if line.is_touched:
        world.put("comes", "object.nope5 > 1")
        world.put("changes", "object.nope6 > 1")
    if line.is_quiet:
        world.churn()
    took = await_right(world, line.recovers)
    time.sleep(0.3)
    assert_nothing_wrong(world)
    gauge.assert_modest()
    assert_clean_end(world)
    return took * WARP


def run(line):
    """(line, seconds it took, None or what went wrong)."""
    directory = tempfile.mkdtemp(prefix="vapcheck-faults-")
    world = None
    try:
        world = World(line, directory)
        with world.stack:
            return line, play(world), None
    except Exception:  # whatever it is, the other lines are to be run
        log = world.log()[-3000:] if world else ""
        asked = "\n".join(world.proxy.requests[-25:]) if world else ""
        return line, 0, f"{traceback.format_exc()}\n--- the daemon's log:\n{log}\n--- requests:\n{asked}"
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def main():
    wanted = [line for line in LINES if not sys.argv[1:] or line.name in sys.argv[1:]]
    began, failures = time.monotonic(), 0
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        for line, took, problem in pool.map(run, wanted):
            print(
                (
                    f"{'FAIL' if problem else 'ok  '} {line.name:34} lasts {line.lasts:3} s, recovers in "
                    f"{took:5.1f} of {line.recovers} s"
                ),
                flush=True,
            )
            if problem:
                failures += 1
                print(problem, flush=True)
    print(f"{len(wanted)} lines, {failures} failed, {time.monotonic() - began:.0f} s")
    sys.exit(failures > 0 or not wanted)


if __name__ == "__main__":
    main()
