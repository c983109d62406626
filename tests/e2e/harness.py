"""What the e2e tests stand on: a control plane, kubectl, our daemon, waiting.

A test file NAME_test.py is the ctest e2e/NAME and looks like this:

    import harness

    class WarningsTest(harness.Case):              # one control plane a class
        def test_undefined_field(self):
            self.plane.apply(harness.policy("p", "object.replicas > 1"))
            self.controller("--warnings-scope=upstream")
            warnings = harness.wait_for("a warning", lambda: self.plane.warnings("p"))
            self.assertIn("undefined field", warnings[0]["warning"])

    harness.main()

Nothing outlives the test: what a test starts ends with it, what a class starts
with the class, everything with main(), and by the kernel's hand should this
process be killed.
"""

import base64
import contextlib
import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
sys.path.append(str(SOURCE / "tests/support"))
from objects import binding as binding
from objects import policy as policy

SKIP = 77
AGENT = "vapcheck-controller"
TAIL_LINES = 60

# A watch that was refused again and again is opened anew after 30 s and up to as much again; a server that has
# just started may refuse it once more.
AFTER_OUTAGES_S = 2 * (30 + 30) + 10

# A kubectl that hangs is found; one that is slow, on a machine with other work, is not wrong.
KUBECTL_S = 240

# ctest names the programs of its build; by hand the release build's are taken.
CONTROLLER = os.environ.get("VAPCHECK_CONTROLLER") or str(SOURCE / "build/release/bin/vapcheck-controller")
KUBECTL_VAPCHECK = os.environ.get("VAPCHECK_KUBECTL") or str(SOURCE / "build/release/bin/kubectl-vapcheck")
PUBLISHED = os.environ.get("VAPCHECK_PUBLISHED") or str(SOURCE / "build/release/bin/published")

# A server that is newer than what we know is compared with what we say of this version: tests/versions/keep-up.
CHECK_AS = os.environ.get("VAPCHECK_CHECK_AS")

_programs = None  # the directory that build-controlplane printed
_root = None  # the temporary directory of this run


def wait_for(what, probe, timeout=30, period=0.1):
    """Returns the first true value of probe(); an AssertionError in it counts as not yet."""
    deadline = time.monotonic() + timeout
    while True:
        try:
            last = probe()
            if last:
                return last
        except AssertionError as error:
            last = error
        if time.monotonic() >= deadline:
            raise AssertionError(f"{what}: not within {timeout} s; last seen: {last!r}")
        time.sleep(period)


def hold(what, probe, seconds, period=0.2):
    """Fails unless probe() is true throughout the given time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        value = probe()
        if not value:
            raise AssertionError(f"{what}: no longer; last seen: {value!r}")
        time.sleep(period)


def webhooks(name, *expressions, kind="ValidatingWebhookConfiguration"):
    """A webhook configuration with one webhook, about deployments, and its match conditions."""
    rule = {"apiGroups": ["apps"], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["deployments"]}
    webhook = {
        "name": f"{name}.example.com",
        "rules": [rule],
        "matchConditions": [{"name": f"c{i}", "expression": e} for i, e in enumerate(expressions)],
        "clientConfig": {"url": "https://127.0.0.1:1/"},
        "failurePolicy": "Ignore",
        "sideEffects": "None",
        "admissionReviewVersions": ["v1"],
    }
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": kind,
        "metadata": {"name": name},
        "webhooks": [webhook],
    }


def mutating_policy(name, expression):
    """A MutatingAdmissionPolicy with this match condition, and a mutation that is right."""
    made = policy(name, matchConditions=[{"name": "c", "expression": expression}])
    del made["spec"]["validations"]
    apply = {"expression": "Object{metadata: Object.metadata{labels: {'a': 'b'}}}"}
    made["kind"] = "MutatingAdmissionPolicy"
    made["spec"]["mutations"] = [{"patchType": "ApplyConfiguration", "applyConfiguration": apply}]
    made["spec"]["reinvocationPolicy"] = "Never"
    return made


def expression_warnings(policy):
    """Its expressionWarnings; None before its newest generation was checked.

    An empty list reads back as typeChecking: {}, and on some releases now and then not at all.
    """
    status = policy.get("status", {})
    if status.get("observedGeneration") != policy["metadata"]["generation"]:
        return None
    return status.get("typeChecking", {}).get("expressionWarnings", [])


class Process:
    """A program in the background, its output in the file log_path."""

    started = []

    def __init__(self, name, argv, directory):
        self.name = name
        self.killed = False
        self.log_path = _unused(pathlib.Path(directory), name)
        with open(self.log_path, "wb") as log:
            self.popen = subprocess.Popen(
                # The kernel ends it when this process ends, however that happens.
                ["setpriv", "--pdeathsig", "KILL", "--", *map(str, argv)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=_environment(directory),
                start_new_session=True,
            )
        Process.started.append(self)

    def running(self):
        return self.popen.poll() is None

    def log(self):
        return self.log_path.read_text(errors="replace")

    def says(self, text):
        return text in self.log()

    def tail(self):
        return "".join(self.log().splitlines(keepends=True)[-TAIL_LINES:])

    def signal(self, number):
        self.popen.send_signal(number)

    def wait(self, timeout=30):
        """The exit status; negative where a signal ended it, as subprocess has it."""
        try:
            return self.popen.wait(timeout)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{self.name} still runs after {timeout} s:\n{self.tail()}") from None

    def stop(self, timeout=30):
        """SIGTERM; it must end with status 0."""
        self.signal(signal.SIGTERM)
        status = self.wait(timeout)
        if status != 0:
            raise AssertionError(f"{self.name} ended with status {status}:\n{self.tail()}")

    def kill(self):
        """SIGKILL, as a crash: its status is nobody's concern any more."""
        self.killed = True
        self.popen.kill()
        self.popen.wait()

    def finish(self):
        """What a test's cleanup does: stops it, or objects if it ended by itself and in failure."""
        if self.running():
            self.stop()
        elif not self.killed and self.popen.returncode != 0:
            raise AssertionError(f"{self.name} ended with status {self.popen.returncode}:\n{self.tail()}")


class Plane:
    """A control plane, ready; every request to it is in its audit log."""

    def __init__(self, directory, flags=()):
        self.directory = pathlib.Path(directory)
        self.directory.mkdir(parents=True)
        self.kubeconfig = self.directory / "kubeconfig"
        self.audit_log = self.directory / "audit.log"
        argv = [_programs / "controlplane", "--dir", self.directory, "--audit-log", self.audit_log, *flags]
        self.process = Process("controlplane", argv, self.directory)
        self._await("ready", 1)
        said = json.loads(self.kubectl("get", "--raw", "/version"))
        self.version = f"{said['major']}.{said['minor']}"  # 1.36
        users = json.loads(self.kubectl("config", "view", "--raw", "-o", "json"))["users"]
        # what no log may hold; service_account() adds to it, and tests may
        self.secrets = {v for u in users for k, v in u["user"].items() if k in ("token", "client-key-data", "password")}

    def stop(self):
        self.process.finish()

    # The API server, and the controller manager beside it.

    def restart(self):
        """Kills the API server and returns when it is ready again."""
        self._command(signal.SIGUSR1, "ready")

    def down(self):
        """Kills the API server; up() ends the outage."""
        self._command(signal.SIGUSR2, "down")

    up = restart

    def kcm(self):
        """Starts kube-controller-manager with upstream's status controller alone. Stop it with kill()."""
        _need_kcm()
        return Process("kcm", [_programs / "controlplane", "kcm", "--dir", self.directory], self.directory)

    def _said(self, word):
        return self.process.log().splitlines().count(word)

    def _command(self, number, word):
        before = self._said(word)
        self.process.signal(number)
        self._await(word, before + 1)

    def _await(self, word, count):
        def said():
            if not self.process.running():
                raise RuntimeError("the control plane ended:\n" + self.process.tail())
            return self._said(word) >= count

        wait_for(f"the control plane says {word}", said, timeout=120, period=0.02)

    # What kubectl does.

    def run_kubectl(self, *args, input=None, timeout=KUBECTL_S):
        """The finished process: returncode, stdout, stderr."""
        return subprocess.run(
            [_programs / "kubectl", "--kubeconfig", self.kubeconfig, *map(str, args)],
            input=input,
            stdin=None if input is not None else subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout,
            env=_environment(self.directory),
        )

    def kubectl(self, *args, input=None):
        """Its standard output; it must succeed."""
        done = self.run_kubectl(*args, input=input)
        if done.returncode != 0:
            raise AssertionError(f"kubectl {' '.join(map(str, args))}: {done.stderr.strip()}")
        return done.stdout

    def apply(self, what):
        """what: a path, YAML text, an object, or a list of objects."""
        if isinstance(what, pathlib.Path):
            return self.kubectl("apply", "-f", what)
        if isinstance(what, list):
            what = {"apiVersion": "v1", "kind": "List", "items": what}
        return self.kubectl("apply", "-f", "-", input=what if isinstance(what, str) else json.dumps(what))

    def get(self, kind, name, *args):
        """The object, or None if there is none of that name."""
        text = self.kubectl("get", kind, name, "--ignore-not-found", "-o", "json", *args)
        return json.loads(text) if text else None

    def list(self, kind, *args):
        return json.loads(self.kubectl("get", kind, "-o", "json", *args))["items"]

    def delete(self, kind, *names):
        return self.kubectl("delete", kind, "--ignore-not-found", *names)

    def port(self):
        """Where the API server listens, on 127.0.0.1."""
        config = json.loads(self.kubectl("config", "view", "-o", "json"))
        return int(config["clusters"][0]["cluster"]["server"].rsplit(":", 1)[1])

    def service_account(self, name, namespace="default"):
        """The path of a kubeconfig with a new token of this service account, which must exist."""
        config = json.loads(self.kubectl("config", "view", "--raw", "-o", "json"))
        token = self.kubectl("create", "token", name, "-n", namespace).strip()
        self.secrets.add(token)
        config["users"] = [{"name": name, "user": {"token": token}}]
        config["contexts"] = [{"name": name, "context": {"cluster": config["clusters"][0]["name"], "user": name}}]
        config["current-context"] = name
        path = self.directory / f"kubeconfig-{namespace}-{name}"
        path.write_text(json.dumps(config))
        return path

    def store(self, key, obj):
        """Puts the object where the API server keeps it, unasked: as one that an older server took."""
        connection = http.client.HTTPConnection("etcd")
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.connect(str(self.directory / "etcd.sock:0"))
        with contextlib.closing(connection):
            words = {"key": key, "value": json.dumps(obj)}
            connection.request(
                "POST", "/v3/kv/put", json.dumps({k: base64.b64encode(v.encode()).decode() for k, v in words.items()})
            )
            answer = connection.getresponse()
            assert answer.status == 200, answer.read()
            answer.read()

    # A policy's status.

    def status(self, name):
        """The status of a ValidatingAdmissionPolicy; empty if it has none, or is not there."""
        found = self.get("validatingadmissionpolicy", name)
        return (found or {}).get("status", {})

    def warnings(self, name):
        """Its expressionWarnings; None before anyone has checked it, or if it is not there."""
        found = self.get("validatingadmissionpolicy", name)
        return expression_warnings(found) if found else None

    def condition(self, name, kind):
        """Its condition of this type, or None."""
        conditions = self.status(name).get("conditions", [])
        return next((c for c in conditions if c["type"] == kind), None)

    # The requests to the API server, and their users.

    def requests(self, agent=AGENT):
        """The audit events (audit.k8s.io/v1) so far of the clients whose user agent begins with agent."""
        lines = self.audit_log.read_text().splitlines(keepends=True)
        events = [json.loads(line) for line in lines if line.endswith("\n")]
        return [e for e in events if e.get("userAgent", "").startswith(agent)]

    def writes(self, agent=AGENT):
        """The requests that change something, leases and events aside; bodies are in requestObject."""
        verbs = ("create", "update", "patch", "delete", "deletecollection")
        return [
            e
            for e in self.requests(agent)
            if e["verb"] in verbs and e.get("objectRef", {}).get("resource") not in ("leases", "events")
        ]


class Case(unittest.TestCase):
    """A class of tests with a control plane of its own, and no policy left from test to test."""

    plane_flags = ()  # more flags for controlplane, such as --kcm

    @classmethod
    def setUpClass(cls):
        if "--kcm" in cls.plane_flags:
            _need_kcm()
        cls.plane = Plane(_root / cls.__name__, cls.plane_flags)
        cls.addClassCleanup(cls.plane.stop)

    def setUp(self):
        self.addCleanup(self.plane.delete, "validatingadmissionpolicies,validatingadmissionpolicybindings", "--all")

    def start(self, name, argv):
        """Starts a program that ends, in success, with this test at the latest."""
        process = Process(name, argv, self.plane.directory)
        self.addCleanup(self.check_log, process)
        self.addCleanup(process.finish)
        return process

    def check_log(self, process):
        """No log of ours holds a credential that the plane knows of."""
        for secret in self.plane.secrets:
            self.assertNotIn(secret, process.log(), "a secret in the log")

    def controller(self, *args, kubeconfig=None, environment=()):
        """Starts our daemon, as administrator or with the given kubeconfig, and more environment."""
        argv = ["env", *(f"{k}={v}" for k, v in dict(environment).items())] if environment else []
        argv += [
            CONTROLLER,
            f"--kubeconfig={kubeconfig or self.plane.kubeconfig}",
            "--metrics-bind-address=127.0.0.1:0",
        ]
        return self.start(AGENT, [*argv, *args])

    def kcm(self):
        """Starts kube-controller-manager; it ends with this test at the latest."""
        process = self.plane.kcm()
        self.addCleanup(process.kill)
        return process

    def proxy(self):
        """Starts kubectl proxy and returns its URL, for what must be asked without a process each time."""
        argv = [_programs / "kubectl", "--kubeconfig", self.plane.kubeconfig, "proxy", "--port=0"]
        process = Process("proxy", argv, self.plane.directory)
        self.addCleanup(process.kill)
        return "http://" + wait_for("the proxy's address", lambda: process.log().split())[-1]


def main():
    """Runs the tests of the calling script and exits: 0, 1, or 77 if nothing could be tested."""
    global _programs, _root
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    build = subprocess.run([HERE / "build-controlplane"], stdout=subprocess.PIPE, text=True)
    if build.returncode != 0:
        sys.exit(build.returncode)
    _programs = pathlib.Path(build.stdout.strip())
    _root = pathlib.Path(tempfile.mkdtemp(prefix="vapcheck-e2e-"))
    succeeded = False
    try:
        result = unittest.main(exit=False, verbosity=2).result
        succeeded = result.wasSuccessful()
    finally:
        _clean(succeeded)
    if not succeeded:
        sys.exit(1)
    # A class that is skipped counts no test as run.
    if result.testsRun == len([test for test, _ in result.skipped if isinstance(test, unittest.TestCase)]):
        sys.exit(1 if os.environ.get("VAPCHECK_REQUIRE_E2E") else SKIP)


def _clean(succeeded):
    for process in Process.started:
        if process.running():
            process.kill()
        if not succeeded:
            print(f"--- {process.log_path.name}, its end:\n{process.tail()}", file=sys.stderr)
    if os.environ.get("VAPCHECK_E2E_KEEP"):
        print("kept:", _root, file=sys.stderr)
    else:
        shutil.rmtree(_root, ignore_errors=True)


def _need_kcm():
    if not (_programs / "kube-controller-manager").exists():
        raise unittest.SkipTest("KUBEBUILDER_ASSETS has no kube-controller-manager")


def _environment(home):
    """Nothing of the user's own: neither kubeconfig nor kubectl's cache, which goes by host and port."""
    kept = {k: v for k, v in os.environ.items() if k != "KUBECONFIG" and not k.startswith("KUBERNETES_")}
    return {**kept, "HOME": str(home)}


def _unused(directory, name):
    path, n = directory / f"{name}.log", 1
    while path.exists():
        n += 1
        path = directory / f"{name}-{n}.log"
    return path
