"""What the flow tests stand on: the embedded API server, the daemon, and a proxy with faults.

A test file NAME_test.py is the ctest flow/NAME and looks like this:

    import stage

    class ReplicasTest(stage.Case):
        def test_warning(self):
            server = self.server()
            server.create(stage.policy("p", "object.replicas > 1"))
            self.controller(server.kubeconfig)
            stage.wait_for("a warning", lambda: server.warnings("p"))

    stage.main()

The daemon must end with status 0 when its test ends, unless the test has waited
for its end. Whatever it does, it may not use much of a processor or many requests,
and its log is one line an event, with no secret of the test's in it.
"""

import contextlib
import http.client
import http.server
import json
import os
import pathlib
import re
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import unittest

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.append(str(SOURCE / "tests/support"))
from objects import binding as binding
from objects import policy as policy

BIN = pathlib.Path(os.environ.get("VAPCHECK_BIN") or SOURCE / "build/release/bin")
FEATURES = (SOURCE / "typecheck/cel/types/features.def").read_text()
# The newest releases that are known: Kubernetes 1.N and cel-go 0.N.
NEWEST, NEWEST_CEL_GO = (
    int(re.search(rf"#define FEATURES_NEWEST_{of} +(\d+)", FEATURES)[1]) for of in ("KUBERNETES", "CEL_GO")
)
SCHEMAS = SOURCE / "manifests/schemas/v1.36.gz"
GROUP = "/apis/admissionregistration.k8s.io/v1"
POLICIES = GROUP + "/validatingadmissionpolicies"
BINDINGS = GROUP + "/validatingadmissionpolicybindings"
MUTATING_POLICIES = GROUP + "/mutatingadmissionpolicies"
MUTATING_WEBHOOKS = GROUP + "/mutatingwebhookconfigurations"
VALIDATING_WEBHOOKS = GROUP + "/validatingwebhookconfigurations"
LOG_LINE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (error|warn|info|debug) [^\x00-\x1f\x7f]+")
CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"


def wait_for(what, probe, timeout=30, period=0.05):
    """Returns the first true value of probe()."""
    deadline = time.monotonic() + timeout
    while True:
        value = probe()
        if value:
            return value
        if time.monotonic() >= deadline:
            raise AssertionError(f"{what}: not within {timeout} s; last seen: {value!r}")
        time.sleep(period)


def is_sanitized(program):
    """Returns true if the program has ASan, which holds memory back: its size says nothing."""
    return "libasan" in subprocess.run(["ldd", program], capture_output=True, text=True).stdout


def unused(directory, name):
    """directory/name, or the same with a number before it."""
    path, n = directory / name, 1
    while path.exists():
        n += 1
        path = directory / f"{n}-{name}"
    return path


def webhooks(name, *expressions, kind="ValidatingWebhookConfiguration", resource="deployments"):
    """A webhook configuration with one webhook about resources of apps/v1, and its match conditions."""
    rule = {"apiGroups": ["apps"], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": [resource]}
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": kind,
        "metadata": {"name": name},
        "webhooks": [
            {
                "name": f"{name}.example.com",
                "rules": [rule],
                "matchConditions": [{"name": f"c{i}", "expression": e} for i, e in enumerate(expressions)],
            }
        ],
    }


def mutating_policy(name, expression, resource="deployments"):
    """A MutatingAdmissionPolicy with this match condition, and a mutation that is right."""
    made = policy(name, resource=resource, matchConditions=[{"name": "c", "expression": expression}])
    del made["spec"]["validations"]
    made["kind"] = "MutatingAdmissionPolicy"
    apply = {"expression": "Object{metadata: Object.metadata{labels: {'a': 'b'}}}"}
    made["spec"]["mutations"] = [{"patchType": "ApplyConfiguration", "applyConfiguration": apply}]
    made["spec"]["reinvocationPolicy"] = "Never"
    return made


def certificate(directory, name):
    """(certificate, key), files of an authority of its own for 127.0.0.1."""
    files = pathlib.Path(directory) / f"{name}.crt", pathlib.Path(directory) / f"{name}.key"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    command += ["-days", "2", "-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run([*command, "-out", files[0], "-keyout", files[1]], check=True, capture_output=True)
    return files


def crd(plural, kind, properties, group="shop.example.com"):
    """A namespaced CustomResourceDefinition with these properties in its one version, v1."""
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{group}"},
        "spec": {
            "group": group,
            "scope": "Namespaced",
            "names": {"plural": plural, "singular": kind.lower(), "kind": kind, "listKind": kind + "List"},
            "versions": [
                {
                    "name": "v1",
                    "served": True,
                    "storage": True,
                    "schema": {"openAPIV3Schema": {"type": "object", "properties": properties}},
                }
            ],
        },
    }


def warped(factor, program, control=None):
    """The environment in which the program's time runs faster (daemon/faults/warp.c)."""
    linked = subprocess.run(["ldd", program], capture_output=True, text=True).stdout
    libraries = [word for word in linked.split() if word.startswith("/") and "libasan" in word]
    return {
        "LD_PRELOAD": ":".join([*libraries, str(BIN / "warp.so")]),
        "WARP_FACTOR": str(factor),
        **({"WARP_CONTROL": str(control)} if control else {}),
    }


class Process:
    """A program in the background; its output is the file log_path."""

    def __init__(self, name, argv, directory, more_environment=(), log_path=None):
        self.name = name
        self.log_path = log_path or unused(pathlib.Path(directory), f"{name}.log")
        environment = {k: v for k, v in os.environ.items() if not k.startswith("KUBE")}
        environment.update(more_environment)
        with open(self.log_path, "wb") as log:
            self.popen = subprocess.Popen(
                list(map(str, argv)),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**environment, "HOME": str(directory)},
            )

    def log(self):
        return self.log_path.read_text(errors="replace")

    def says(self, text):
        return text in self.log()

    def wait(self, timeout):
        """The exit status."""
        try:
            return self.popen.wait(timeout)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{self.name} still runs after {timeout} s:\n{self.log()}") from None

    def stop(self, timeout=20):
        """SIGTERM, if it runs; then it must end with status 0."""
        if self.popen.poll() is None:
            self.popen.send_signal(signal.SIGTERM)
            try:
                status = self.wait(timeout)
            finally:
                self.popen.kill()
            if status != 0:
                raise AssertionError(f"{self.name} ended with status {status}:\n{self.log()}")

    def cpu_seconds(self):
        fields = pathlib.Path(f"/proc/{self.popen.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Server(Process):
    """The embedded API server."""

    def __init__(self, directory):
        self.kubeconfig = pathlib.Path(directory) / "kubeconfig"
        super().__init__("testserver", [BIN / "testserver", SCHEMAS, self.kubeconfig], directory)
        self.url = wait_for("the server's URL", self._url)
        self.port = int(self.url.rsplit(":", 1)[1])

    def _url(self):
        if self.popen.poll() is not None:
            raise AssertionError(f"testserver ended:\n{self.log()}")
        found = [line for line in self.log().splitlines() if line.startswith("http://")]
        return found[0] if found else None

    def exchange(self, method, path, body=None, **headers):
        """(status, the answer's bytes)."""
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)) as connection:
            text = json.dumps(body) if isinstance(body, dict) else body
            connection.request(method, path, text, {k.replace("_", "-"): v for k, v in headers.items()})
            answer = connection.getresponse()
            return answer.status, answer.read()

    def request(self, *args, **headers):
        """(status, the answer's JSON)."""
        status, answer = self.exchange(*args, **headers)
        return status, json.loads(answer or b"null")

    def text(self, path, **headers):
        return self.exchange("GET", path, **headers)[1].decode()

    def create(self, what, path=POLICIES):
        status, answer = self.request("POST", path, what)
        assert status == 201, answer
        return answer

    def replace(self, what, path=POLICIES):
        status, answer = self.request("PUT", f"{path}/{what['metadata']['name']}", what)
        assert status == 200, answer
        return answer

    def get(self, name, path=POLICIES):
        status, answer = self.request("GET", f"{path}/{name}")
        assert status == 200, answer
        return answer

    def status(self, name):
        """A policy's status once it is of the policy's newest generation; None before."""
        found = self.get(name)
        status = found.get("status", {})
        return status if status.get("observedGeneration") == found["metadata"]["generation"] else None

    def settled(self, name):
        return wait_for(f"the status of {name}", lambda: self.status(name))

    def warnings(self, name):
        """{fieldRef: warning} of the settled status."""
        listed = self.settled(name).get("typeChecking", {}).get("expressionWarnings", [])
        return {w["fieldRef"]: w["warning"] for w in listed}

    def condition(self, name, kind):
        found = [c for c in self.settled(name).get("conditions", []) if c["type"] == kind]
        return found[0] if found else None


def address(process, what="metrics and health"):
    """Where a daemon serves "metrics", "health" or both, as its log has it."""
    said = f"serving {what} on "
    return wait_for(
        said, lambda: process.says(said) and process.log().split(said, 1)[1].split("\n", 1)[0].split('"')[0]
    )


def ask_at(where, path, timeout=5):
    """(status, text) of a GET."""
    with contextlib.closing(http.client.HTTPConnection(where, timeout=timeout)) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


def ask(process, path, timeout=5):
    return ask_at(address(process), path, timeout)


class Metrics:
    """A daemon's metrics, as Prometheus reads them."""

    def __init__(self, process):
        self.process = process

    def text(self):
        status, text = ask(self.process, "/metrics")
        assert status == 200, text
        return text

    def read(self):
        """{'name{label="value"}': number}."""
        lines = (line.rsplit(" ", 1) for line in self.text().splitlines() if not line.startswith("#"))
        return {name: float(value) for name, value in lines}

    def quiet(self, seconds=1):
        """The metrics, if no policy was checked for this long; else None. For wait_for."""

        def checks(found):
            return [v for k, v in found.items() if k.startswith("vapcheck_checks_total")]

        before = self.read()
        time.sleep(seconds)
        after = self.read()
        return after if checks(before) == checks(after) else None


class Proxy:
    """Forwards to a server, but for what faults says.

    faults maps the beginning of a path (with its query) to what is done instead: a callable that
    takes the request's handler, as reply() and hang() make them. requests lists "METHOD PATH",
    authorizations the header of that name. Where rewrite is set it makes bytes of answers into others,
    each byte by itself.
    """

    def __init__(self, port=None, certificate=None):
        self.port, self.faults, self.requests, self.authorizations = port, {}, [], []
        self.rewrite = None
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle(self):
                with contextlib.suppress(ConnectionError):  # a client that ended
                    super().handle()

            def do_GET(self):
                proxy._handle(self)

            do_PATCH = do_POST = do_PUT = do_GET

            def log_message(self, *args):
                pass

        self._http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self._http.block_on_close = False
        scheme = "http"
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            self._http.socket = context.wrap_socket(self._http.socket, server_side=True)
            self._http.handle_error = lambda *args: None  # a client that trusts us not
            scheme = "https"
        self.url = f"{scheme}://127.0.0.1:{self._http.server_port}"
        threading.Thread(target=self._http.serve_forever, daemon=True).start()

    def stop(self):
        self._http.shutdown()
        self._http.server_close()

    def count(self, beginning):
        return len([r for r in self.requests if r.startswith(beginning)])

    def _handle(self, handler):
        self.requests.append(f"{handler.command} {handler.path}")
        self.authorizations.append(handler.headers.get("Authorization"))
        handler.body = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
        for beginning, fault in list(self.faults.items()):
            if handler.path.startswith(beginning):
                return fault(handler)
        self.forward(handler)

    def forward(self, handler):
        """What is done without a fault."""
        try:
            self._forward(handler, handler.body)
        except (OSError, http.client.HTTPException, ValueError):  # one of the two ended
            handler.close_connection = True

    def _forward(self, handler, body):
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port)) as connection:
            headers = dict(handler.headers)
            if self.rewrite:
                headers.pop("Accept-Encoding", None)
            connection.request(handler.command, handler.path, body, headers)
            answer = connection.getresponse()
            handler.send_response(answer.status)
            for name in ("Content-Type", "Content-Encoding", "ETag"):
                if answer.getheader(name):
                    handler.send_header(name, answer.getheader(name))
            if answer.status != 304:
                handler.send_header("Transfer-Encoding", "chunked")
            handler.end_headers()
            while answer.status != 304:
                piece = answer.read1(65536)
                piece = self.rewrite(piece) if self.rewrite and piece else piece
                handler.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                if not piece:
                    break


def reply(code, body, length=None):
    """A fault: this answer; with a length, that is what it claims to have, and the end comes early."""

    def fault(handler):
        handler.send_response(code)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(body) if length is None else length))
        handler.end_headers()
        handler.wfile.write(body)
        handler.close_connection = length is not None

    return fault


def status(code, message):
    """A fault: a metav1.Status."""
    value = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "message": message, "code": code}
    return reply(code, json.dumps(value).encode())


def _older_resources(resource):
    """A resource of the aggregated form, and its subresources, as an APIResourceList has them."""
    plain = {"singularName": resource["singularResource"], "namespaced": resource["scope"] == "Namespaced"}
    for name, each in [("", resource)] + [("/" + s["subresource"], s) for s in resource.get("subresources", [])]:
        more = plain if not name else {**plain, "singularName": ""}
        shorts = {"shortNames": each["shortNames"]} if "shortNames" in each else {}
        yield {"name": resource["resource"] + name, "verbs": each["verbs"], **each["responseKind"], **more, **shorts}


class OlderDiscovery:
    """A fault for /api: this server answers as one that has no aggregated discovery."""

    def __init__(self, server):
        core, groups = (server.request("GET", path)[1]["items"] for path in ("/api", "/apis"))
        self._documents = {"/api": {"kind": "APIVersions", "versions": [v["version"] for v in core[0]["versions"]]}}
        named = []
        for group in core + groups:
            name = group["metadata"].get("name", "")
            versions = [{"version": v["version"]} for v in group["versions"]]
            named += [{"name": name, "versions": versions, "preferredVersion": versions[0]}] if name else []
            for version in group["versions"]:
                path = f"/apis/{name}/{version['version']}" if name else f"/api/{version['version']}"
                found = [r for resource in version["resources"] for r in _older_resources(resource)]
                self._documents[path] = {"kind": "APIResourceList", "resources": found}
        self._documents["/apis"] = {"kind": "APIGroupList", "groups": named}

    def __call__(self, handler):
        reply(200, json.dumps(self._documents[handler.path]).encode())(handler)


class Leases:
    """A fault that keeps Leases, as an API server does; several proxies may share it.

    leases maps paths to objects, writes lists (time, holder) of those that were taken. Where code is
    set it is answered instead of everything; answers come delay seconds late.
    """

    PATH = "/apis/coordination.k8s.io/"

    def __init__(self):
        self.leases, self.writes, self.code, self.delay, self._version = {}, [], None, 0, 0
        self._lock = threading.Lock()

    def holder(self):
        with self._lock:
            return "".join(lease["spec"]["holderIdentity"] for lease in self.leases.values())

    def put(self, path, lease):
        """Stores what someone else writes."""
        self._version += 1
        lease["metadata"]["resourceVersion"] = str(self._version)
        self.leases[path] = lease
        self.writes.append((time.monotonic(), lease["spec"]["holderIdentity"]))

    def __call__(self, handler):
        with self._lock:
            code, answer = self._answer(handler.command, handler.path, handler.body)
        time.sleep(self.delay)
        with contextlib.suppress(OSError):  # it waits for the answer no longer
            (reply(code, json.dumps(answer).encode()) if code < 300 else status(code, "no"))(handler)

    def _answer(self, method, path, body):
        lease = json.loads(body) if body else None
        if self.code:
            return self.code, None
        if method == "POST":
            path += "/" + lease["metadata"]["name"]
            if path in self.leases:
                return 409, None
        elif path not in self.leases:
            return 404, None
        elif (
            method == "PUT" and lease["metadata"]["resourceVersion"] != self.leases[path]["metadata"]["resourceVersion"]
        ):
            return 409, None
        if lease:
            self.put(path, lease)
        return 200, self.leases[path]


class Events:
    """A fault that takes Events as an API server does, and keeps them."""

    PATH = "/apis/events.k8s.io/v1/namespaces/default/events"

    def __init__(self):
        self.events, self._lock = [], threading.Lock()

    def __call__(self, handler):
        event = json.loads(handler.body)
        with self._lock:
            is_there = any(e["metadata"]["name"] == event["metadata"]["name"] for e in self.events)
            if not is_there:
                self.events.append(event)
        (status(409, "it already exists") if is_there else reply(201, handler.body))(handler)

    def told(self, name):
        """[(type, reason)] of the object so far."""
        with self._lock:
            return [(e["type"], e["reason"]) for e in self.events if e["regarding"]["name"] == name]


def hang(handler):
    """A fault: no answer, ever."""
    time.sleep(3600)


class Case(unittest.TestCase):
    """Each test has a directory of its own; what it starts ends with it."""

    def setUp(self):
        self.secrets = set()  # what no log may hold; kubeconfig() adds to it
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="vapcheck-flow-"))
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)

    def server(self):
        server = Server(self.directory)
        self.addCleanup(server.stop)
        return server

    def proxy(self, *args, **kwargs):
        proxy = Proxy(*args, **kwargs)
        self.addCleanup(proxy.stop)
        return proxy

    def kubeconfig(self, url, cluster=None, user=None):
        """The path of a kubeconfig; JSON is YAML."""
        self.secrets.update(v for k, v in (user or {}).items() if k in ("token", "password"))
        config = {
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "c",
            "clusters": [{"name": "c", "cluster": {"server": url, **(cluster or {})}}],
            "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
            "users": [{"name": "u", "user": user or {}}],
        }
        return self.file(unused(self.directory, "kubeconfig-of-test").name, json.dumps(config))

    def file(self, name, text):
        path = self.directory / name
        path.write_text(text)
        return path

    def controller(self, kubeconfig, *args, factor=1):
        """The daemon; with a factor, its time runs faster."""
        program = BIN / "vapcheck-controller"
        argv = [program, "--kubeconfig", kubeconfig, "--metrics-bind-address=127.0.0.1:0", *args]
        process = Process("controller", argv, self.directory, warped(factor, program) if factor > 1 else ())
        self.addCleanup(self.check_log, process)
        self.addCleanup(process.stop)
        return process

    def all_metrics(self):
        """The text of /metrics where every metric has a value: a leader, and what has a warning."""
        server = self.server()
        server.create(policy("p", "object.nope > 1"))
        server.create(webhooks("w", "object.nope > 1"), VALIDATING_WEBHOOKS)
        proxy = self.proxy(server.port)
        proxy.faults[Leases.PATH] = Leases()
        metrics = Metrics(self.controller(self.kubeconfig(proxy.url), "--leader-elect", "--watch-webhooks"))
        last = (
            'vapcheck_object_warnings{kind="ValidatingWebhookConfiguration",name="w"}',
            'vapcheck_policy_warnings{policy="p"}',
            'workqueue_work_duration_seconds_count{name="policies"}',
        )
        wait_for("all metrics", lambda: all(name in metrics.read() for name in last))
        return metrics.text()

    def check_log(self, process):
        for secret in self.secrets:
            self.assertNotIn(secret, process.log(), "a secret in the log")
        if process.popen.returncode not in (0, 1):
            return  # a wrong flag is said before there is a log
        for line in process.log().splitlines():
            if line.startswith("{"):
                self.assertLessEqual({"ts", "level", "msg"}, json.loads(line).keys(), line)
            else:
                self.assertRegex(line, LOG_LINE, process.log())

    def assert_quiet(self, process, proxy, seconds=3, requests=20):
        """It stays up, and neither spins nor hammers."""
        cpu, count = process.cpu_seconds(), len(proxy.requests)
        time.sleep(seconds)
        self.assertIsNone(process.popen.poll(), process.log())
        self.assertLess(process.cpu_seconds() - cpu, seconds / 2, process.log())
        self.assertLess(len(proxy.requests) - count, requests, proxy.requests[count:])


def main():
    unittest.main(verbosity=2)
