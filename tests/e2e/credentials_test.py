#!/usr/bin/env python3
"""Every way to reach an API server and to be somebody there, against a real one."""

import base64
import copy
import datetime
import json
import os
import shutil
import socket
import sys

import harness

TINYPROXY = shutil.which("tinyproxy", path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/bin")

# A credential plugin: prints what lies beside it, and adds a line to a file each time it runs.
PLUGIN = (
    """#!%s
import json, os, sys, time
here = os.path.dirname(os.path.realpath(__file__))
info = json.loads(os.environ["KUBERNETES_EXEC_INFO"])
with open(here + "/runs", "a") as runs:
    runs.write(json.dumps([sys.argv[1:], os.environ["GREETING"], info["apiVersion"], info["spec"]]) + "\\n")
status = json.load(open(here + "/status"))
expiry = time.strftime("%%Y-%%m-%%dT%%H:%%M:%%SZ", time.gmtime(time.time() + 4))
status["expirationTimestamp"] = expiry
print(json.dumps({"kind": "ExecCredential", "apiVersion": info["apiVersion"], "status": status}))
"""
    % sys.executable
)


class Case(harness.Case):
    def setUp(self):
        super().setUp()
        self.config = json.loads(self.plane.kubectl("config", "view", "--raw", "-o", "json"))
        self.server = self.config["clusters"][0]["cluster"]["server"]
        self.port = int(self.server.rsplit(":", 1)[1])
        self.admin = next(u["user"] for u in self.config["users"] if "client-certificate-data" in u["user"])
        self.directory = self.plane.directory / self.id().rsplit(".", 1)[1]
        self.directory.mkdir()

    def kubeconfig(self, user, cluster=None):
        config = copy.deepcopy(self.config)
        config["clusters"][0]["cluster"].update(cluster or {})
        config["users"] = [{"name": "u", "user": user}]
        config["contexts"] = [{"name": "c", "context": {"cluster": config["clusters"][0]["name"], "user": "u"}}]
        config["current-context"] = "c"
        return self.file("kubeconfig", json.dumps(config))

    def file(self, name, text, mode=0o600):
        path = self.directory / name
        path.write_text(text)
        path.chmod(mode)
        return path

    def token(self):
        """Of a service account that may do what the daemon does, and more."""
        self.plane.apply(
            {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "checker", "namespace": "default"}}
        )
        binding = {
            "apiVersion": "rbac.authorization.k8s.io/v1",
            "kind": "ClusterRoleBinding",
            "metadata": {"name": "checker"},
        }
        binding["roleRef"] = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin"}
        binding["subjects"] = [{"kind": "ServiceAccount", "name": "checker", "namespace": "default"}]
        self.plane.apply(binding)
        return self.plane.kubectl("create", "token", "checker").strip()

    def works(self, name, timeout=60):
        """A new policy gets its status."""
        self.plane.apply(harness.policy(name, "object.replicas > 1"))
        warnings = harness.wait_for(f"a warning of {name}", lambda: self.plane.warnings(name), timeout)
        self.assertIn("undefined field 'replicas'", warnings[0]["warning"])

    def writer(self, name):
        """The audit event of the write to this policy's status."""
        found = [e for e in self.plane.writes() if e.get("objectRef", {}).get("name") == name]
        return found[-1]

    def refused(self, kubeconfig, *wanted):
        process = harness.Process(
            "refused", [harness.CONTROLLER, "--kubeconfig", kubeconfig, "--metrics-bind-address=0"], self.directory
        )
        self.assertEqual(process.wait(60), 1, process.tail())
        for text in wanted:
            self.assertIn(text, process.log())


class CredentialsTest(Case):
    def test_client_certificate_in_files(self):
        for kind in ("certificate", "key"):
            self.file(f"client.{kind}", base64.b64decode(self.admin[f"client-{kind}-data"]).decode())
        self.controller(
            kubeconfig=self.kubeconfig({"client-certificate": "client.certificate", "client-key": "client.key"})
        )
        self.works("by-certificate")
        self.assertIn("system:masters", self.writer("by-certificate")["user"]["groups"])

    def test_no_client_certificate(self):
        self.refused(self.kubeconfig({}), "HTTP 40")

    def test_token_file_is_rotated(self):
        """The old token is a stranger's; the daemon has read the file again once the server said 401."""
        path = self.file("token", self.token() + "\n")
        self.controller(kubeconfig=self.kubeconfig({"tokenFile": str(path)}))
        self.works("by-first-token")
        self.plane.delete("serviceaccount", "checker")
        path.write_text(self.token() + "\n")
        self.works("by-second-token")
        self.assertEqual(self.writer("by-second-token")["user"]["username"], "system:serviceaccount:default:checker")

    def plugin(self, version, status):
        self.file("status", json.dumps(status))
        self.file("plugin", PLUGIN, 0o700)
        exec_config = {
            "apiVersion": f"client.authentication.k8s.io/{version}",
            "command": "./plugin",
            "args": ["a b", "$HOME"],
            "env": [{"name": "GREETING", "value": "hello; true"}],
            "interactiveMode": "IfAvailable",
            "provideClusterInfo": True,
        }
        self.controller(kubeconfig=self.kubeconfig({"exec": exec_config}))
        self.works("by-plugin")
        # What it gave is good for four seconds: then it is asked again, and only then.
        before = len(self.runs())
        harness.wait_for("the credentials' end", lambda: self.age() > 4, timeout=10)
        self.works("by-plugin-again")
        self.assertGreater(len(self.runs()), before)
        self.assertLess(len(self.runs()), before + 10)
        arguments, greeting, api_version, spec = self.runs()[0]
        self.assertEqual((arguments, greeting), (["a b", "$HOME"], "hello; true"))
        self.assertEqual(api_version, f"client.authentication.k8s.io/{version}")
        self.assertEqual((spec["interactive"], spec["cluster"]["server"]), (False, self.server))
        self.assertIn("certificate-authority-data", spec["cluster"])

    def runs(self):
        return [json.loads(line) for line in (self.directory / "runs").read_text().splitlines()]

    def age(self):
        return datetime.datetime.now().timestamp() - (self.directory / "runs").stat().st_mtime

    def test_plugin_with_a_token(self):
        self.plugin("v1", {"token": self.token()})
        self.assertEqual(self.writer("by-plugin-again")["user"]["username"], "system:serviceaccount:default:checker")

    def test_plugin_with_a_certificate(self):
        decoded = {k: base64.b64decode(self.admin[f"client-{k}-data"]).decode() for k in ("certificate", "key")}
        self.plugin("v1beta1", {"clientCertificateData": decoded["certificate"], "clientKeyData": decoded["key"]})

    def test_plugin_that_is_missing(self):
        exec_config = {
            "apiVersion": "client.authentication.k8s.io/v1",
            "command": "no-such-plugin",
            "installHint": "Ask Jane for it.",
        }
        self.refused(self.kubeconfig({"exec": exec_config}), "no-such-plugin", "Ask Jane for it.")

    def test_impersonation(self):
        user = {
            **self.admin,
            "as": "jane",
            "as-uid": "42",
            "as-groups": ["system:masters", "testers"],
            "as-user-extra": {"why": ["a test", "100%"]},
        }
        self.controller(kubeconfig=self.kubeconfig(user))
        self.works("impersonated")
        jane = self.writer("impersonated")["impersonatedUser"]
        self.assertEqual((jane["username"], jane["uid"], jane["extra"]["why"]), ("jane", "42", ["a test", "100%"]))
        self.assertLessEqual({"system:masters", "testers"}, set(jane["groups"]))

    def test_server_name(self):
        """The certificate's, other than the URL's host; a wrong one is refused."""
        self.controller(kubeconfig=self.kubeconfig(self.admin, {"tls-server-name": "kubernetes.default.svc"}))
        self.works("by-name")
        self.refused(self.kubeconfig(self.admin, {"tls-server-name": "nobody.example"}), "nobody.example")


class ProxyTest(Case):
    """HTTP CONNECT through tinyproxy, which wants a password."""

    def tinyproxy(self, port):
        config = f"Port {port}\nListen 127.0.0.1\nAllow 127.0.0.1\nConnectPort {self.port}\nLogLevel Connect\n"
        path = self.file("tinyproxy.conf", config + "BasicAuth porter opensesame\nTimeout 600\n")
        process = harness.Process("tinyproxy", [TINYPROXY, "-d", "-c", path], self.directory)
        self.addCleanup(lambda: process.running() and process.kill())
        harness.wait_for("tinyproxy", lambda: self.listens(port))
        return process

    def listens(self, port):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    def setUp(self):
        if not TINYPROXY:
            self.skipTest("there is no tinyproxy")
        super().setUp()
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.proxy_port = probe.getsockname()[1]

    def test_connect(self):
        proxy = self.tinyproxy(self.proxy_port)
        url = f"http://porter:opensesame@127.0.0.1:{self.proxy_port}"
        process = self.controller(kubeconfig=self.kubeconfig(self.admin, {"proxy-url": url}))
        self.works("through")
        self.assertIn(f"CONNECT 127.0.0.1:{self.port}", proxy.log())
        proxy.kill()
        self.tinyproxy(self.proxy_port)
        self.works("through-again")
        self.assertNotIn("opensesame", process.log())

    def test_wrong_password(self):
        self.tinyproxy(self.proxy_port)
        self.refused(
            self.kubeconfig(self.admin, {"proxy-url": f"http://porter:nope@127.0.0.1:{self.proxy_port}"}),
            "CONNECT tunnel failed",
        )


class Http1Test(Case):
    """An API server, or what stands before it, that has no HTTP/2: each watch has a connection of its own."""

    plane_flags = ("--apiserver-arg", "--disable-http2-serving=true")

    def test_watches(self):
        self.controller(kubeconfig=self.kubeconfig(self.admin))
        self.works("old")
        for i in range(3):
            self.plane.restart()
            self.works(f"old-{i}", harness.AFTER_OUTAGES_S)
        self.plane.apply(harness.policy("old-0", "object.nope > 1"))
        harness.wait_for("the change", lambda: "nope" in self.plane.warnings("old-0")[0]["warning"])
        # A real server has streaming lists, and then nobody asks for plain ones.
        reads = [
            e for e in self.plane.requests() if e.get("objectRef", {}).get("resource", "").startswith("validating")
        ]
        self.assertTrue([e for e in reads if "sendInitialEvents=true" in e["requestURI"]])
        self.assertEqual([e["requestURI"] for e in reads if e["verb"] == "list"], [])


harness.main()
