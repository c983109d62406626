#!/usr/bin/env python3
"""Where the daemon cannot start it says why, and ends with status 1."""

import pathlib
import sys
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import stage


class ConfigurationTest(stage.Case):
    def refused(self, kubeconfig, *wanted, args=()):
        process = self.controller(kubeconfig, *args)
        self.assertEqual(process.wait(20), 1, process.log())
        for text in wanted:
            self.assertIn(text, process.log())

    def test_missing(self):
        self.refused(self.directory / "nowhere", "nowhere: No such file or directory")

    def test_malformed(self):
        path = self.file("kubeconfig", "clusters:\n- name: a\n  cluster: {server: [}\n")
        self.refused(path, f"kubeconfig {path}: line 3, column ")

    def test_not_a_kubeconfig(self):
        for text in ("", "[]", "just text", "\0\1\2", "apiVersion: v1\nkind: Config\n"):
            with self.subTest(text):
                self.refused(self.file("kubeconfig", text), "kubeconfig")

    def test_unknown_context(self):
        self.refused(self.kubeconfig("https://127.0.0.1:1"), "context", "nope", args=("--context", "nope"))

    def test_bad_server(self):
        for url in ("ftp://127.0.0.1", "https://", "127.0.0.1:6443", "https://u:p@127.0.0.1", "http://127.0.0.1:x"):
            with self.subTest(url):
                self.refused(self.kubeconfig(url), "server")

    def test_credentials_without_tls(self):
        """They are not sent, whatever the server is told or not."""
        server = self.server()
        proxy = self.proxy(server.port)
        secret = "tell-nobody"
        process = self.controller(self.kubeconfig(proxy.url, user={"token": secret}))
        stage.wait_for("the daemon's end, or that it is ready", lambda: process.popen.poll() or process.says("ready"))
        self.assertNotIn(secret, process.log())
        self.assertEqual([], [value for value in proxy.authorizations if value])

    def test_bad_ca(self):
        path = self.file("ca.crt", "no certificate")
        self.refused(self.kubeconfig("https://127.0.0.1:1", {"certificate-authority": str(path)}), "ca.crt")


class ServerTest(stage.Case):
    """All at once, since some take their time."""

    def case(self, name, url, wanted, proxy=None, most=0):
        self.cases.append((name, self.controller(self.kubeconfig(url)), wanted, proxy, most))

    def fault(self, name, path, fault, wanted, most):
        proxy = self.proxy()
        proxy.faults[path] = fault
        self.case(name, proxy.url, wanted, proxy, most)

    def test_servers(self):
        self.cases = []
        self.case("unreachable", "http://127.0.0.1:1", "Failed to connect to 127.0.0.1 port 1")
        self.case("unresolvable", "http://nowhere.invalid", "nowhere.invalid")
        self.fault("silent", "/", stage.hang, "/version", most=5)
        for code in (401, 403, 404):
            self.fault(code, "/", stage.status(code, "we say no"), f"HTTP {code}: we say no", most=4)
        self.fault("unavailable", "/", stage.status(503, "later"), "HTTP 503: later", most=15)
        self.fault("cut short", "/", stage.reply(200, b'{"major":', length=1000), "/version", most=15)
        bodies = {
            "cut": b'{"major":"1","minor":',
            "html": b"<html>Please log in</html>",
            "empty": b"",
            "array": b"[]",
            "nul": b'{"major":"1\0"}',
            "deep": b"[" * 100000,
        }
        for name, body in bodies.items():
            self.fault(name, "/", stage.reply(200, body), "/version", most=15)
        for name, process, wanted, proxy, most in self.cases:
            with self.subTest(name):
                self.assertEqual(process.wait(100), 1, process.log())
                lines = process.log().splitlines()
                self.assertIn(" error ", lines[-1])
                self.assertIn(wanted, lines[-1])
                self.assertLess(len(lines), 20)
                self.assertLessEqual(len(proxy.requests) if proxy else 0, most)


class RightsTest(stage.Case):
    def test_a_right_is_missing(self):
        """The last line says which request, what came, and which right it needs."""
        server = self.server()
        cases = []
        for path, wanted in (
            (
                "/version",
                "the account needs the right to get /version (ClusterRole system:public-info-viewer): GET /version",
            ),
            ("/api", "the account needs the right to get /api and /apis (ClusterRole system:discovery): GET /api"),
            (stage.POLICIES, "the account needs the rights to get, list and watch validatingadmissionpolicies"),
            (stage.BINDINGS, "the account needs the rights to get, list and watch validatingadmissionpolicybindings"),
        ):
            proxy = self.proxy(server.port)
            proxy.faults[path] = stage.status(403, "we say no")
            cases.append((path, wanted, self.controller(self.kubeconfig(proxy.url))))
        for path, wanted, process in cases:
            with self.subTest(path):
                self.assertEqual(process.wait(60), 1, process.log())
                self.assertIn(wanted, process.log())
                self.assertIn("HTTP 403: we say no", process.log().splitlines()[-1])
                self.assertNotIn("no answer", process.log())

    def test_a_first_list_that_fails_late(self):
        """The time until a list fails does not count: the list is asked for again."""
        server = self.server()
        server.create(stage.policy("p", "object.replicas > 1"))
        proxy = self.proxy(server.port)

        def fault(handler):
            time.sleep(2)  # 20 s of the daemon's time
            proxy.faults.clear()
            stage.status(403, "not yet")(handler)

        proxy.faults[f"{stage.POLICIES}?watch"] = stage.status(422, "no streaming lists")
        proxy.faults[stage.POLICIES] = fault
        process = self.controller(self.kubeconfig(proxy.url), factor=10)
        stage.wait_for("the list fails", lambda: process.says("HTTP 403: not yet"))
        self.assertIn("undefined field 'replicas'", server.warnings("p")["spec.validations[0].expression"])

    def test_the_right_to_read_schemas_is_missing(self):
        """They are unknown; what needs none is decided, what is served is followed. Given later, it counts."""
        server = self.server()
        server.create(stage.policy("p", "object.replicas > 1"))
        server.create(stage.policy("nowhere", "true", resource="deploymnets"))
        proxy = self.proxy(server.port)
        proxy.faults["/openapi/v3"] = stage.status(403, "we say no")
        process = self.controller(self.kubeconfig(proxy.url), factor=10)
        stage.wait_for("it is ready", lambda: process.says("ready: 2 policies"))
        self.assertIn("the account needs the right to get /openapi/v3 (ClusterRole system:discovery)", process.log())
        self.assertEqual(server.condition("nowhere", "TypeChecked")["reason"], "ResourceNotFound")
        condition = server.condition("p", "TypeChecked")
        self.assertEqual((condition["status"], condition["reason"]), ("Unknown", "ClusterUnavailable"), condition)
        self.assertEqual(server.warnings("p"), {})
        for path in ("/version", "/apis"):
            stage.wait_for(f"{path} is read again", lambda path=path: proxy.count(f"GET {path}") > 1)
        proxy.faults.clear()
        stage.wait_for("the schema's warning", lambda: server.warnings("p"))
        self.assertIn("undefined field 'replicas'", server.warnings("p")["spec.validations[0].expression"])


class TlsTest(stage.Case):
    def test_wrong_ca(self):
        proxy = self.proxy(certificate=stage.certificate(self.directory, "server"))
        other = stage.certificate(self.directory, "other")[0]
        process = self.controller(self.kubeconfig(proxy.url, {"certificate-authority": str(other)}))
        self.assertEqual(process.wait(60), 1, process.log())
        self.assertIn("certificate", process.log().splitlines()[-1])
        self.assertEqual(proxy.requests, [])

    def test_right_ca(self):
        server, certificate = self.server(), stage.certificate(self.directory, "server")
        server.create(stage.policy("p", "object.replicas > 1"))
        proxy = self.proxy(server.port, certificate=certificate)
        self.controller(self.kubeconfig(proxy.url, {"certificate-authority": str(certificate[0])}))
        self.assertIn("undefined field 'replicas'", server.warnings("p")["spec.validations[0].expression"])


stage.main()
