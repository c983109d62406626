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
for its end. Whatever it does, it may not use much of a processor or many requests.
"""

import contextlib
import http.client
import http.server
import json
import os
import pathlib
import shutil
import signal
import ssl
import subprocess
import tempfile
import threading
import time
import unittest

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
BIN = pathlib.Path(os.environ.get("VAPCHECK_BIN") or SOURCE / "build/release/bin")
SCHEMAS = SOURCE / "manifests/schemas/v1.36.gz"
GROUP = "/apis/admissionregistration.k8s.io/v1"
POLICIES = GROUP + "/validatingadmissionpolicies"
BINDINGS = GROUP + "/validatingadmissionpolicybindings"
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


def unused(directory, name):
    """directory/name, or the same with a number before it."""
    path, n = directory / name, 1
    while path.exists():
        n += 1
        path = directory / f"{n}-{name}"
    return path


def policy(name, *expressions, resource="deployments", **spec):
    """A policy about resources of apps/v1, with a validation for each expression."""
    rule = {"apiGroups": ["apps"], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": [resource]}
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingAdmissionPolicy",
        "metadata": {"name": name},
        "spec": {
            "matchConstraints": {"resourceRules": [rule]},
            "validations": [{"expression": e} for e in expressions],
            **spec,
        },
    }


class Process:
    """A program in the background; its output is the file log_path."""

    def __init__(self, name, argv, directory):
        self.name = name
        self.log_path = unused(pathlib.Path(directory), f"{name}.log")
        environment = {k: v for k, v in os.environ.items() if not k.startswith("KUBE")}
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


class Proxy:
    """Forwards to a server, but for what faults says.

    faults maps the beginning of a path (with its query) to what is done instead: a callable that
    takes the request's handler, as reply() and hang() make them. requests lists "METHOD PATH",
    authorizations the header of that name.
    """

    def __init__(self, port=None, certificate=None):
        self.port, self.faults, self.requests, self.authorizations = port, {}, [], []
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

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
        body = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
        for beginning, fault in list(self.faults.items()):
            if handler.path.startswith(beginning):
                return fault(handler)
        try:
            self._forward(handler, body)
        except (OSError, http.client.HTTPException, ValueError):  # one of the two ended
            handler.close_connection = True

    def _forward(self, handler, body):
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port)) as connection:
            connection.request(handler.command, handler.path, body, dict(handler.headers))
            answer = connection.getresponse()
            handler.send_response(answer.status)
            for name in ("Content-Type", "ETag"):
                if answer.getheader(name):
                    handler.send_header(name, answer.getheader(name))
            if answer.status != 304:
                handler.send_header("Transfer-Encoding", "chunked")
            handler.end_headers()
            while answer.status != 304:
                piece = answer.read1(65536)
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


def hang(handler):
    """A fault: no answer, ever."""
    time.sleep(3600)


class Case(unittest.TestCase):
    """Each test has a directory of its own; what it starts ends with it."""

    def setUp(self):
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

    def controller(self, kubeconfig, *args):
        argv = [BIN / "vapcheck-controller", "--kubeconfig", kubeconfig, *args]
        process = Process("controller", argv, self.directory)
        self.addCleanup(process.stop)
        return process

    def assert_quiet(self, process, proxy, seconds=3, requests=20):
        """It stays up, and neither spins nor hammers."""
        cpu, count = process.cpu_seconds(), len(proxy.requests)
        time.sleep(seconds)
        self.assertIsNone(process.popen.poll(), process.log())
        self.assertLess(process.cpu_seconds() - cpu, seconds / 2, process.log())
        self.assertLess(len(proxy.requests) - count, requests, proxy.requests[count:])


def main():
    unittest.main(verbosity=2)
