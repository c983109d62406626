#!/usr/bin/env python3
"""No text of a stranger reaches a terminal or a log as anything but visible characters.

Files, names, flags, a kubeconfig, a plugin's hint, a dump and a server each try; both programs, every format.
"""

import http.server
import json
import pathlib
import re
import sys
import threading
import unicodedata

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import stage
from offline import HEAD, PROGRAM, Case

DAEMON = stage.BIN / "vapcheck-controller"
# a terminal's title, a colour, C1, marks of direction, what is not seen, an end of the line
NASTY = "x\x1b]0;t\x07\x1b[31m\x9b1m\x7f\u202e\u2066\u200e\u061c\u200b\u2060\ufeff\U000e0041\u2028y"
INVISIBLE = {"Cc", "Cf", "Zl", "Zp", "Cs"}
HINT_SEEN = "x\\x1b]0;t"


def hidden(text):
    """The characters of it that must not be there."""
    return {f"U+{ord(c):04X}" for c in text if c != "\n" and unicodedata.category(c) in INVISIBLE}


class Server(http.server.BaseHTTPRequestHandler):
    """Answers everything with what the test says: (status, object) by path, or by ''."""

    answers = {}

    def do_GET(self):
        status, body = self.answers.get(self.path.split("?")[0], self.answers[""])
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_POST = do_PATCH = do_PUT = do_GET

    def log_message(self, *_):
        pass


class TerminalTest(Case):
    def run_program(self, *args, program=PROGRAM, **more):
        """Its status, and all that it printed, of which nothing is hidden."""
        done = stage.subprocess.run([program, *args], capture_output=True, cwd=self.directory, timeout=60, **more)
        text = (done.stdout + done.stderr).decode(errors="strict")
        self.assertEqual(hidden(text), set(), args)
        return done.returncode, text

    def fails(self, *args, **more):
        status, text = self.run_program(*args, **more)
        self.assertIn("\\x1b", text, args)
        self.assertNotEqual(status, 0, args)
        return text

    def test_flags(self):
        name = self.write("p.yaml", HEAD + "  validations: []\n").name
        for args in (
            [NASTY], ["help", NASTY], ["version", NASTY], ["dump", "d", f"--{NASTY}"], ["status", f"--{NASTY}"],
            ["check", f"--{NASTY}"], ["check", f"-{NASTY[1:]}"], ["check", "-f", NASTY],
            ["check", "-f", name, "-o", NASTY], ["check", "-f", name, "--kube-version", NASTY],
            ["check", "-f", name, "--schemas", NASTY], ["check", "-f", name, "--fail-on", NASTY],
            ["check", "-f", name, "--warnings-scope", NASTY], ["check", "-f", name, "--max-types-per-policy", NASTY],
            ["status", "-o", NASTY], ["status", "--kubeconfig", NASTY], ["dump", "d", "--kubeconfig", NASTY],
        ):  # fmt: skip
            self.fails(*args)
        for args in ([f"--{NASTY}"], [NASTY], ["--v", NASTY], ["--kubeconfig", NASTY], ["--leader-elect=" + NASTY]):
            for form in ("text", "json"):
                _, text = self.run_program("--logging-format", form, *args, program=DAEMON)
                self.assertRegex(text, r"\\x1b|\\u001b")

    def test_files(self):
        self.write(f"{NASTY}.json", stage.policy(NASTY, f"object.replicas > 1 // {NASTY}"))
        self.write(f"refused {NASTY}.json", stage.policy(NASTY, f"1 + {NASTY}"))
        other = stage.policy(NASTY, "true")
        other["spec"]["matchConstraints"]["resourceRules"][0]["resources"] = [NASTY]
        self.write("other.json", other)
        self.write("binding.json", {"apiVersion": "admissionregistration.k8s.io/v1",
                                    "kind": "ValidatingAdmissionPolicyBinding", "metadata": {"name": NASTY},
                                    "spec": {"policyName": NASTY + "z", "validationActions": [NASTY]}})  # fmt: skip
        self.write(f"broken {NASTY}.yaml", f"a: [{{\n{NASTY}: b")
        for form in ("text", "json", "sarif", "junit", "github"):
            self.fails("check", "-f", ".", "-o", form)

    def test_a_dump(self):
        for version in ({"major": NASTY, "minor": NASTY, "gitVersion": NASTY}, NASTY, {"gitVersion": f"v1.36{NASTY}"}):
            self.write("d/version.json", version if isinstance(version, dict) else json.dumps(version))
            self.run_program("check", "-f", ".", "--schemas", "d")

    def kubeconfig(self, context=None, user=None, server="http://127.0.0.1:1"):
        cluster = {"server": server}
        return str(
            self.write(
                "config",
                {
                    "current-context": NASTY,
                    "contexts": [{"name": NASTY, "context": context or {"cluster": "c", "user": "u"}}],
                    "clusters": [{"name": "c", "cluster": cluster}],
                    "users": [{"name": "u", "user": user or {}}],
                },
            )
        )

    def everywhere(self, config):
        """Each command that asks a cluster, and the daemon. What they printed."""
        name = self.write("p.json", stage.policy("p", "true")).name
        for args in (["status"], ["dump", "out"], ["check", "-f", name, "--cluster"]):
            yield self.run_program(*args, "--kubeconfig", config)[1]

    def test_a_kubeconfig(self):
        exec_ = {"apiVersion": "client.authentication.k8s.io/v1", "command": f"none{NASTY}", "installHint": NASTY,
                 "interactiveMode": "Never"}  # fmt: skip
        tls = "https://127.0.0.1:1"
        rows = (  # of the last one the daemon tries again and again
            {"context": {"cluster": NASTY, "user": "u"}},
            {"server": f"https://{NASTY}/"},
            {"user": {"client-certificate": NASTY, "client-key": NASTY}, "server": tls},
            {"user": {"exec": exec_}, "server": tls},
        )
        for row in rows:
            config = self.kubeconfig(**row)
            for text in self.everywhere(config):
                self.assertIn("\\x1b]0;t", text, row)
            for form in ("text", "json") if row != rows[-1] else ():
                args = ("--kubeconfig", config, "--logging-format", form)
                self.assertRegex(self.run_program(*args, program=DAEMON)[1], r"\\x1b|\\u001b")

    def serve(self, answers):
        handler = type("Answers", (Server,), {"answers": answers})
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return self.kubeconfig(server=f"http://127.0.0.1:{server.server_port}")

    def test_a_server_that_refuses(self):
        status = {
            "kind": "Status",
            "apiVersion": "v1",
            "status": "Failure",
            "reason": NASTY,
            "message": NASTY,
            "code": 403,
            "details": {"causes": [{"field": NASTY, "message": NASTY, "reason": NASTY}]},
        }
        config = self.serve({"": (403, status)})
        for text in self.everywhere(config):
            self.assertIn(HINT_SEEN, text)

    def test_a_server_with_such_names(self):
        condition = {"type": "ExpressionsValid", "status": "False", "reason": NASTY, "message": NASTY}
        policy = stage.policy(NASTY, f"object.a{NASTY}")
        policy["status"] = {
            "conditions": [condition],
            "typeChecking": {"expressionWarnings": [{"fieldRef": NASTY, "warning": NASTY}]},
        }
        groups = {"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "items": []}
        config = self.serve({
            stage.POLICIES: (200, {"kind": "L", "items": [policy]}), stage.BINDINGS: (200, {"kind": "L", "items": []}),
            "/version": (200, {"gitVersion": NASTY, "major": NASTY, "minor": NASTY}), "": (200, groups)})  # fmt: skip
        for form in ("table", "wide", "json", "yaml"):
            _, text = self.run_program("status", "--kubeconfig", config, "-o", form)
            self.assertRegex(text, r"x\\(x|u00)1b\]0;t", form)
        _, text = self.run_program("status", "--kubeconfig", config, "-o", "json")
        self.assertEqual(json.loads(text)["policies"][0]["name"], NASTY)


class CiTest(Case):
    """No text of a stranger is a command of the CI system that prints it."""

    NAMES = ("::stop-commands::t", " ::add-mask::t", "a ##[add-mask]t", "##vso[task.complete result=Succeeded]t")
    OURS = re.compile(r"::(error|warning|notice) (file|title)=")

    def run_program(self, *args, form="text"):
        """All that it printed, in which a line begins no command but those of -o github, and has none within."""
        done = stage.subprocess.run([PROGRAM, *args], capture_output=True, text=True, cwd=self.directory, timeout=60)
        self.assertIn(done.returncode, (0, 1, 2), args)
        for line in (done.stdout + done.stderr).splitlines():
            if not (form == "github" and self.OURS.match(line)):
                self.assertFalse(line.strip().startswith("::"), (args, line))
            self.assertNotRegex(line, r"##(vso|teamcity)?\[", args)
        return done.stdout + done.stderr

    def write_all(self, name):
        """Objects and a suite that have the name wherever a text may stand."""
        wrong = stage.policy(name, f"object.replicas > 1 // {name}")
        wrong["spec"]["validations"][0]["message"] = name
        unserved = stage.policy(name, "true", resource=name)
        binding = {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicyBinding",
                   "metadata": {"name": name}, "spec": {"policyName": name, "validationActions": [name]}}  # fmt: skip
        definition = stage.crd("cis", "Ci", {"a": {"type": "string", "x-kubernetes-validations": [
            {"rule": f"self == 1 // {name}", "message": name}]}})  # fmt: skip
        object_ = {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {"name": name, "annotations": {"a": name}},
            "spec": {},
        }
        refused = stage.policy("refused", "false")
        refused["spec"]["validations"][0]["messageExpression"] = json.dumps(name)
        for number, one in enumerate((wrong, unserved, binding, definition, object_, refused)):
            self.write(f"{name}-{number}.json", one)
        self.write(f"{name}.yaml", f"a: [{{\n{name}: b")
        case = {"object": {"kind": name}, "expect": name}
        suite = {
            "version": "v1alpha1",
            "policies": [name],
            "resources": [],
            "vapTestSuites": [{"policy": name, "tests": [case]}],
        }
        self.write(f"tests/{name}.yaml", suite)

    def test_every_command(self):
        for name in self.NAMES:
            self.write_all(name)
            files = [n.name for n in sorted(self.directory.iterdir()) if n.is_file()]
            given = [a for n in files for a in ("-f", n)]
            for form in ("text", "json", "sarif", "junit", "github"):
                said = self.run_program("check", *given, "-o", form, form=form)
                self.assertIn(name.split("::")[-1].split("[")[-1].split(" ")[0], said)
                self.run_program("check", "--witness", "--kube-version", "1.36,1.37", *given, "-o", form, form=form)
            for form in ("text", "json", "sarif", "junit", "github", "gitlab", "openreports"):
                self.run_program("audit", *given, "-o", form, form=form)
            for form in ("text", "json", "junit", "github"):
                self.run_program("test", "tests", "-o", form, form=form)
                self.run_program("test", f"tests/{name}.yaml", "-o", form, form=form)
            for form in ("text", "json"):
                self.run_program("upgrade", "--to", "1.37", *given, "-o", form)
                self.run_program("crd", "--cost", *given, "-o", form)
            for args in (["check", "-f", name], ["check", f"--{name}"], [name], ["explain", name],
                         ["check", "-k", name], ["check", "--config", name, "-f", "."],
                         ["test", name], ["crd", "--cost", "-f", name],
                         ["status", "-o", name], ["check", "-f", files[0], "-o", name]):  # fmt: skip
                self.run_program(*args)

    def test_a_status(self):
        for name in self.NAMES:
            policy = stage.policy("p", "true")
            policy["metadata"]["name"] = name
            condition = {"type": "ExpressionsValid", "status": "False", "reason": name, "message": f"a\n{name}\nb"}
            warning = {"fieldRef": name, "warning": f"{name}\n{name}"}
            policy["status"] = {"conditions": [condition], "typeChecking": {"expressionWarnings": [warning]}}
            groups = {"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "items": []}
            lists = {
                path: (200, {"kind": "L", "items": items})
                for path, items in ((stage.POLICIES, [policy]), (stage.BINDINGS, []))
            }
            config = TerminalTest.serve(self, {**lists, "": (200, groups)})
            for form in ("table", "wide", "json", "yaml"):
                self.run_program("status", "--kubeconfig", config, "-o", form)

    kubeconfig = TerminalTest.kubeconfig


if __name__ == "__main__":
    stage.unittest.main()
