#!/usr/bin/env python3
"""The log: one line an event, as text or JSON, by level, and never a secret.

That every line of every daemon is well-formed, and holds no secret of its test's, is looked
after by stage.Case; here the secrets go every way that there is, at the level that says most.
"""

import base64
import json
import os
import pathlib
import stat
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import stage

LEVELS = ["error", "warn", "info", "debug"]


class FormatTest(stage.Case):
    def lines_of(self, *args):
        server = self.server()
        proxy = self.proxy(server.port)
        proxy.faults[f"{stage.POLICIES}/refused/status"] = stage.status(403, 'we say "no"\nand\x1b[31m no')
        server.create(stage.policy("p", "object.nope > 1"))
        server.create(stage.policy("refused", "object.nope > 1"))
        process = self.controller(self.kubeconfig(proxy.url), *args)
        server.settled("p")
        stage.wait_for("the refusal", lambda: process.says("may not apply"))
        process.stop()
        return process.log().splitlines()

    def test_levels(self):
        """Each says what the ones before it say, and more."""
        found = {}
        for level in LEVELS:
            lines = self.lines_of("-v", level)
            self.assertLessEqual({line.split()[1] for line in lines}, set(LEVELS[: LEVELS.index(level) + 1]))
            found[level] = len(lines)
        self.assertEqual(found["error"], 1, found)
        self.assertLess(found["error"], found["info"])
        self.assertLess(found["info"], found["debug"])

    def test_json(self):
        lines = [json.loads(line) for line in self.lines_of("--logging-format=json")]
        (refusal,) = [line for line in lines if line["level"] == "error"]
        self.assertEqual(refusal["key"], "refused")
        self.assertIn('we say "no"\nand\x1b[31m no', refusal["msg"])
        self.assertRegex(refusal["ts"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
        self.assertIn({"info"}, [{line["level"]} for line in lines if line.get("key") == "p"])


class SecretsTest(stage.Case):
    """A server that asks for credentials; every kind of them is refused, renewed and used."""

    def setUp(self):
        super().setUp()
        self.certificate = stage.certificate(self.directory, "server")

    def run_with(self, user, *secrets):
        self.secrets.update(secrets)
        server = self.server()
        proxy = self.proxy(server.port, certificate=self.certificate)
        server.create(stage.policy("p", "object.nope > 1"))
        cluster = {"certificate-authority": str(self.certificate[0])}
        process = self.controller(self.kubeconfig(proxy.url, cluster, user), "-v", "debug")
        server.settled("p")
        proxy.faults[f"{stage.POLICIES}/p/status"] = stage.status(401, "Unauthorized")
        server.replace(stage.policy("p", "object.nada > 1"))
        stage.wait_for("a refused write", lambda: process.says("401") or process.says("Unauthorized"))
        used = [value for value in proxy.authorizations if value]
        process.stop()
        return process, used

    def test_token(self):
        process, used = self.run_with({"token": "planted-token-1"})
        self.assertIn("Bearer planted-token-1", used)

    def test_token_file(self):
        path = self.file("token", "planted-token-2\n")
        _, used = self.run_with({"tokenFile": str(path)}, "planted-token-2")
        self.assertIn("Bearer planted-token-2", used)

    def test_password(self):
        _, used = self.run_with(
            {"username": "somebody", "password": "planted-password"}, "c29tZWJvZHk6cGxhbnRlZC1wYXNzd29yZA"
        )
        self.assertIn("Basic c29tZWJvZHk6cGxhbnRlZC1wYXNzd29yZA==", used)

    def test_plugin(self):
        credential = {
            "apiVersion": "client.authentication.k8s.io/v1",
            "kind": "ExecCredential",
            "status": {"token": "planted-token-3"},
        }
        path = self.file("plugin", f"#!/bin/sh\ncat <<'END'\n{json.dumps(credential)}\nEND\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        plugin = {
            "apiVersion": "client.authentication.k8s.io/v1",
            "command": str(path),
            "interactiveMode": "Never",
            "env": [{"name": "PLUGIN_SECRET", "value": "planted-env"}],
            "args": ["planted-arg"],
        }
        _, used = self.run_with({"exec": plugin}, "planted-token-3", "planted-env", "planted-arg")
        self.assertIn("Bearer planted-token-3", used)

    def test_the_plugins_output_is_no_token(self):
        """What cannot be read may be a secret all the same."""
        self.secrets.add("planted-token-4")
        path = self.file("plugin", '#!/bin/sh\necho \'{"status": {"token": "planted-token-4"\'\n')
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        plugin = {"apiVersion": "client.authentication.k8s.io/v1", "command": str(path), "interactiveMode": "Never"}
        cluster = {"certificate-authority": str(self.certificate[0])}
        proxy = self.proxy(1, certificate=self.certificate)
        process = self.controller(self.kubeconfig(proxy.url, cluster, {"exec": plugin}), "-v", "debug")
        self.assertEqual(process.wait(60), 1)

    def test_malformed_kubeconfigs(self):
        """The message says where, not what."""
        self.secrets.add("planted-token-5")
        for text in (
            "users: [{name: u, user: {token: planted-token-5",
            '{"users": [{"name": "u", "user": {"token": ["planted-token-5"]}}]}',
            "apiVersion: v1\nkind: Config\ncurrent-context: c\nusers:\n"
            "- name: u\n  user: {token: planted-token-5, tokenFile: [}\n",
            "users:\n- name: u\n  user:\n    password: *planted-token-5\n",
            "users:\n- name: u\n  user:\n    password: !!int planted-token-5\n",
            "users:\n- planted-token-5: 1\n  planted-token-5: 2\n",
            "clusters: [{name: c, cluster: {server: 'https//u:planted-token-5@host'}}]\n"
            "contexts: [{name: c, context: {cluster: c}}]\n"
            "current-context: c\n",
            "clusters: [{name: c, cluster: {server: 'https://u:p/planted-token-5@host'}}]\n"
            "contexts: [{name: c, context: {cluster: c}}]\n"
            "current-context: c\n",
        ):
            with self.subTest(text):
                process = self.controller(self.file("bad-kubeconfig", text), "-v", "debug")
                self.assertEqual(process.wait(20), 1)

    def test_secret_values(self):
        """A policy may hold one, in an expression; of what is read nothing but names goes to the log."""
        self.secrets.add("planted-value")
        server = self.server()
        server.create(stage.policy("p", "object.nope == 'planted-value'", "object.spec.replicas > 'planted-value'"))
        process = self.controller(server.kubeconfig, "-v", "debug")
        self.assertEqual(len(server.warnings("p")), 2)
        process.stop()


def encodings(secret):
    """What somebody may make of it who repeats it."""
    raw = secret.encode()
    yield secret
    yield "".join(f"%{b:02X}" for b in raw)
    yield "".join(f"\\u{b:04x}" for b in raw)
    for before in (b"", b"a", b"ab"):
        yield base64.b64encode(before + raw).decode()
        yield base64.urlsafe_b64encode(before + raw).decode().rstrip("=")


class RepeatedTest(stage.Case):
    """A server or a proxy repeats what was sent in its errors: nobody gets to see it."""

    def setUp(self):
        super().setUp()
        self.certificate = stage.certificate(self.directory, "server")

    def look_for(self, secret):
        """In each coding, without the characters at its ends that belong to its neighbours, too."""
        self.secrets.update(text[4:-4] for text in encodings(secret))

    def everywhere(self, config, *more, environment=()):
        """What each command and the daemon say about a cluster that answers nothing."""
        name = self.file("p.json", json.dumps(stage.policy("p", "true")))
        env = {**os.environ, **dict(environment)}
        for args in (["status"], ["dump", self.directory / "out"], ["check", "-f", name, "--cluster"]):
            done = subprocess.run([stage.BIN / "kubectl-vapcheck", *args, "--kubeconfig", config], capture_output=True,
                                  text=True, timeout=60, env=env)  # fmt: skip
            self.assertEqual(done.returncode, 2, args)
            yield done.stdout + done.stderr

    def answers(self, secret, scheme):
        """A Status, and the page of a proxy, that hold all of it; and the request's own header."""
        everything = " ".join(encodings(secret))
        for quoted in (everything, f"Authorization: {scheme}", f'<pre>"authorization": ["{scheme}"]</pre>'):
            yield stage.status(500, quoted)
            yield stage.reply(502, quoted.encode())

    def repeat(self, user, secret, scheme):
        self.look_for(secret)
        proxy = self.proxy(1, certificate=self.certificate)
        config = self.kubeconfig(proxy.url, {"certificate-authority": str(self.certificate[0])}, user)
        for answer in self.answers(secret, scheme):
            proxy.faults["/"] = answer
            for text in self.everywhere(config):
                self.assertIn("[redact", text)
                for form in self.secrets:
                    self.assertNotIn(form, text)
        self.assertIn(scheme, proxy.authorizations)

    def test_token(self):
        self.repeat({"token": "planted-token/6+x~y"}, "planted-token/6+x~y", "Bearer planted-token/6+x~y")

    def test_password(self):
        secret = "planted:pass?word>7"
        pair = base64.b64encode(f"somebody:{secret}".encode()).decode()
        self.repeat({"username": "somebody", "password": secret}, secret, f"Basic {pair}")

    def test_a_proxy_that_cannot_be_used(self):
        """curl quotes its URL, and so does nobody behind it."""
        self.look_for("planted-proxy-8")
        user = "joe:planted-proxy-8"
        for url in (
            f"http://{user}@127.0.0.1:1",
            f"ftp://{user}@127.0.0.1:1",
            f"http://{user}@nowhere.invalid:1",
            f"http://{user} x@127.0.0.1:1",
            f"http://{user}@127.0.0.1:99999",
            f"{user}@[::1",
            f"http://{user}/@x y",
            f"http://{user}@",
        ):
            config = self.kubeconfig("https://192.0.2.1:6443", {"proxy-url": url})
            direct = self.kubeconfig("https://192.0.2.1:6443")
            for text in (*self.everywhere(config), *self.everywhere(direct, environment={"HTTPS_PROXY": url}.items())):
                self.assertNotIn("planted", text)

    def test_the_daemon(self):
        """Its log and its Events, while writes fail and a watch ends with an error."""
        token = "planted-token/9+x~y"
        self.look_for(token)
        server = self.server()
        proxy = self.proxy(server.port, certificate=self.certificate)
        server.create(stage.policy("p", "object.nope > 1"))
        config = self.kubeconfig(proxy.url, {"certificate-authority": str(self.certificate[0])}, {"token": token})
        process = self.controller(config, "-v", "debug")
        server.settled("p")
        everything = " ".join(encodings(token))
        proxy.faults[f"{stage.POLICIES}/p/status"] = stage.status(403, everything)
        bodies = []
        proxy.faults["/apis/events.k8s.io/"] = lambda handler: (
            bodies.append(handler.body.decode()),
            proxy.forward(handler),
        )
        server.replace(stage.policy("p", "object.nada > 1"))
        stage.wait_for("a refused write", lambda: process.says("[redacted]"))
        stage.wait_for("an Event about it", lambda: any("redacted" in body for body in bodies))
        for body in bodies:
            for form in self.secrets:
                self.assertNotIn(form, body)
        process.stop()


stage.main()
