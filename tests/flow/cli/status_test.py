#!/usr/bin/env python3
"""kubectl-vapcheck status: the policies of a live cluster, with our controller and without."""

import json
import pathlib
import subprocess
import sys
import urllib.parse

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import stage

PROGRAM = stage.BIN / "kubectl-vapcheck"
WRONG = "object.replicas > 1"
RIGHT = "object.spec.replicas > 1"


class StatusTest(stage.Case):
    def setUp(self):
        super().setUp()
        self.on = self.server()

    def command(self, *args):
        return [PROGRAM, "status", "--kubeconfig", self.on.kubeconfig, *args]

    def status(self, *args, expect=0):
        """(stdout, stderr)"""
        done = subprocess.run(self.command(*args), capture_output=True, text=True, timeout=30)
        self.assertEqual(done.returncode, expect, done.stderr)
        return done.stdout, done.stderr

    def rows(self, *args):
        """The cells of each row by the policy's name; the heads under NAME."""
        lines = self.status(*args)[0].splitlines()
        return {cells[0]: cells[1:] for cells in (line.split() for line in lines)}

    def bind(self, policy):
        spec = {"policyName": policy, "validationActions": ["Deny"]}
        made = {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicyBinding",
                "metadata": {"name": f"{policy}-binding"}, "spec": spec}  # fmt: skip
        self.on.create(made, stage.BINDINGS)

    def test_without_a_controller(self):
        self.assertEqual(self.status(), ("", "there is no ValidatingAdmissionPolicy in this cluster\n"))
        self.on.create(stage.policy("a", RIGHT))
        self.on.create(stage.policy("b", WRONG))
        self.bind("b")
        rows = self.rows()
        self.assertEqual(rows["NAME"], ["TYPES", "WARNINGS", "VALID", "CHECKED", "BOUND", "PARAMS", "AGE"])
        self.assertEqual(rows["a"][:6], ["1", "-", "-", "-", "False", "-"])
        self.assertEqual(rows["b"][:6], ["1", "-", "-", "-", "True", "-"])

    def test_with_our_controller(self):
        self.on.create(stage.policy("a", RIGHT))
        self.on.create(stage.policy("b", WRONG))
        self.controller(self.on.kubeconfig)
        stage.wait_for(
            "both statuses", lambda: self.on.condition("a", "TypeChecked") and self.on.condition("b", "TypeChecked")
        )
        rows = self.rows()
        self.assertEqual(rows["a"][:5], ["1", "0", "True", "True", "False"])
        self.assertEqual(rows["b"][:5], ["1", "1", "False", "True", "False"])
        self.assertIn("undefined field 'replicas'", self.status("-o", "wide")[0])
        self.assertEqual(set(self.rows("b")), {"NAME", "b"})
        answer = json.loads(self.status("-o", "json")[0])
        self.assertEqual([p["name"] for p in answer["policies"]], ["a", "b"])
        b = answer["policies"][1]
        self.assertEqual(
            (b["types"], len(b["expressionWarnings"]), b["bindings"]), (["apps/v1, Kind=Deployment"], 1, [])
        )
        self.assertRegex(self.status("-o", "yaml")[0], r"(?m)^  name: b$")

    def test_parameters(self):
        """A paramKind that is not served has a cell of its own: the expressions alone have no fault."""
        for name, kind in (("a", "ConfigMap"), ("b", "ConfigMaps")):
            made = stage.policy(name, RIGHT)
            made["spec"]["paramKind"] = {"apiVersion": "v1", "kind": kind}
            self.on.create(made)
        self.controller(self.on.kubeconfig)
        stage.wait_for(
            "both statuses", lambda: self.on.condition("a", "TypeChecked") and self.on.condition("b", "TypeChecked")
        )
        rows = self.rows()
        self.assertEqual(rows["a"][2:6], ["True", "True", "False", "True"])
        self.assertEqual(rows["b"][2:6], ["True", "True", "False", "False"])
        self.assertIn("the cluster serves no kind ConfigMaps of v1", self.status("-o", "wide")[0])

    def bindings(self, kubeconfig, *args):
        """Each binding's cells but its age, what is wrong as one."""
        done = subprocess.run(
            [PROGRAM, "status", "--bindings", "--kubeconfig", kubeconfig, *args], capture_output=True, text=True
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rows = [line.split(None, 5) for line in done.stdout.splitlines()]
        return {r[0]: (*r[1:4], "".join(r[5:])) for r in rows}

    def make_binding(self, binding, policy, **ref):
        spec = {"policyName": policy, "validationActions": ["Deny"]}
        if ref:
            spec["paramRef"] = {"parameterNotFoundAction": "Deny"} | ref
        made = {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicyBinding",
                "metadata": {"name": binding}, "spec": spec}  # fmt: skip
        self.on.create(made, stage.BINDINGS)

    def make_policy(self, name, kind):
        made = stage.policy(name, "has(params.data)")
        made["spec"]["paramKind"] = {"apiVersion": "v1", "kind": kind}
        self.on.create(made)

    def test_bindings(self):
        """A policy that is missing, parameters that do not fit."""
        self.on.create(stage.policy("plain", RIGHT))
        self.make_policy("limited", "ConfigMap")
        self.make_policy("unserved", "ConfigMaps")
        self.make_binding("right", "plain")
        self.make_binding("lost", "plan")
        self.make_binding("useless", "plain", name="limits", namespace="default")
        self.make_binding("lacking", "limited")
        self.make_binding("nothing", "unserved", name="limits", namespace="default")
        rows = self.bindings(self.on.kubeconfig)
        self.assertEqual(rows.pop("NAME"), ("POLICY", "FOUND", "PARAMS", "PROBLEM"))
        self.assertEqual(
            rows,
            {
                "right": ("plain", "True", "-", ""),
                "lost": (
                    "plan",
                    "False",
                    "-",
                    "no ValidatingAdmissionPolicy is called plan (did you mean plain?): the binding has no effect",
                ),
                "useless": ("plain", "True", "False", "spec.paramRef: it is ignored: policy plain has no paramKind"),
                "lacking": (
                    "limited",
                    "True",
                    "False",
                    (
                        "spec.paramRef: it is missing: policy limited has paramKind v1 ConfigMap, and params "
                        "is null without it"
                    ),
                ),
                "nothing": (
                    "unserved",
                    "True",
                    "False",
                    "the cluster serves no kind ConfigMaps of v1, the paramKind of policy unserved",
                ),
            },
        )
        self.assertEqual(set(self.bindings(self.on.kubeconfig, "lost")), {"NAME", "lost"})
        answer = json.loads(self.status("--bindings", "-o", "json")[0])
        lost = next(b for b in answer["bindings"] if b["name"] == "lost")
        self.assertEqual(
            [(c["type"], c["status"], c["reason"]) for c in lost["conditions"]], [("PolicyFound", "False", "NotFound")]
        )
        self.assertEqual(self.status("--bindings", "nope", expect=2)[1],
                         'kubectl-vapcheck status: there is no ValidatingAdmissionPolicyBinding "nope"\n')  # fmt: skip

    def test_parameters_of_bindings(self):
        """The status names params that are missing, as far as the user may read them."""
        self.make_policy("p", "ConfigMap")
        labels = {
            "matchLabels": {"a": "b"},
            "matchExpressions": [
                {"key": "c", "operator": "NotIn", "values": ["d", "e"]},
                {"key": "f", "operator": "DoesNotExist"},
            ],
        }
        self.make_binding("named", "p", name="limits", namespace="default")
        self.make_binding("anywhere", "p", name="limits")
        self.make_binding("chosen", "p", namespace="default", selector=labels, parameterNotFoundAction="Allow")
        core = "/api/v1"
        one, some, default = (
            core + "/namespaces/default/configmaps/limits",
            core + "/configmaps",
            core + "/namespaces/default/configmaps",
        )
        there, none = stage.reply(200, b'{"items":[{}]}'), stage.reply(200, b'{"items":[]}')
        proxy = self.proxy(self.on.port)
        kubeconfig = self.kubeconfig(proxy.url)
        for missing, found in ((False, there), (True, none)):
            proxy.faults = {one: stage.status(404, "no") if missing else there, some: found, default: found}
            rows = self.bindings(kubeconfig)
            for name, problem in (
                (
                    "named",
                    (
                        "there is no ConfigMap limits in namespace default; parameterNotFoundAction is Deny, "
                        "so that each request is answered as failurePolicy says"
                    ),
                ),
                (
                    "anywhere",
                    (
                        "there is no ConfigMap limits in any namespace; parameterNotFoundAction is Deny, so "
                        "that each request is answered as failurePolicy says"
                    ),
                ),
                (
                    "chosen",
                    (
                        "there is no ConfigMap with the labels a=b,c notin (d,e),!f in namespace default; "
                        "parameterNotFoundAction is Allow, so that the binding has no effect"
                    ),
                ),
            ):
                wanted = ("p", "True", "False", problem) if missing else ("p", "True", "True", "")
                self.assertEqual(rows[name], wanted)
        asked = [urllib.parse.unquote(r) for r in proxy.requests]
        self.assertTrue(
            [r for r in asked if r.endswith("/api/v1/configmaps?limit=1&fieldSelector=metadata.name=limits")], asked
        )
        self.assertTrue([r for r in asked if r.endswith("?limit=1&labelSelector=a=b,c notin (d,e),!f")], asked)
        proxy.faults = {path: stage.status(403, "forbidden: no") for path in (one, some, default)}
        for name, cells in self.bindings(kubeconfig).items():
            if name != "NAME":
                self.assertEqual(cells[:3], ("p", "True", "Unknown"))
                self.assertRegex(
                    cells[3], "^it cannot be seen whether there is a ConfigMap .*: HTTP 403: forbidden: no$"
                )

    def apply_status(self, manager, **status):
        made = {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicy",
                "metadata": {"name": "a"}, "status": {"observedGeneration": 1} | status}  # fmt: skip
        path = f"{stage.POLICIES}/a/status?fieldManager={manager}&force=true"
        self.on.request("PATCH", path, made, **{"Content-Type": "application/apply-patch+yaml"})

    def test_the_builtin_controller(self):
        """It writes no condition, but which generation it has checked; 1.37 shows nothing else if all is well."""
        self.on.create(stage.policy("a", WRONG))
        for checking in ({}, {"typeChecking": {}}):
            self.apply_status("validatingadmissionpolicy-status", **checking)
            self.assertEqual(self.rows()["a"][1:4], ["0", "-", "builtin"], checking)

    def test_a_limit(self):
        """Where a bound ended the check, nothing looks clean."""
        self.on.create(stage.policy("a", RIGHT))
        shared = {"observedGeneration": 1, "lastTransitionTime": "2026-01-01T00:00:00Z"}
        self.apply_status(
            "vapcheck-controller",
            conditions=[
                {"type": "TypeChecked", "status": "False", "reason": "LimitReached", "message": "too much"} | shared,
                {
                    "type": "ExpressionsValid",
                    "status": "Unknown",
                    "reason": "PartlyChecked",
                    "message": "because: too much",
                }
                | shared,
            ],
        )
        self.assertEqual(self.rows()["a"][1:4], ["0", "Unknown", "limit"])
        self.assertIn("because: too much", self.status("-o", "wide")[0])
        [policy] = json.loads(self.status("-o", "json")[0])["policies"]
        self.assertEqual((policy["checked"], policy["conditions"][0]["reason"]), ("limit", "LimitReached"))

    def test_width(self):
        """The table fits 100 columns, whatever the names."""
        self.on.create(stage.policy("n" * 200, RIGHT))
        lines = self.status()[0].splitlines()
        self.assertLessEqual(max(map(len, lines)), 100)
        self.assertEqual(lines[1].split()[0], "n" * 33 + "~")
        self.assertIn("n" * 200, self.status("-o", "wide")[0])

    def test_watch(self):
        """A row comes again when it changes, and not before."""
        self.on.create(stage.policy("a", RIGHT))
        watch = subprocess.Popen(self.command("--watch"), stdout=subprocess.PIPE, text=True)
        try:
            head, first = watch.stdout.readline().split(), watch.stdout.readline().split()
            self.assertEqual((head[0], first[0], first[5]), ("NAME", "a", "False"))
            self.bind("a")
            again = watch.stdout.readline().split()
            self.assertEqual((again[0], again[5]), ("a", "True"))
        finally:
            watch.kill()
            watch.communicate()

    def test_a_watch_outlives_failures(self):
        """A server that does not answer for a while is asked again; it says so once."""
        self.on.create(stage.policy("a", RIGHT))
        proxy = self.proxy(self.on.port)
        command = [PROGRAM, "status", "--watch", "--kubeconfig", self.kubeconfig(proxy.url)]
        watch = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            head, first = watch.stdout.readline().split(), watch.stdout.readline().split()
            self.assertEqual((head[0], first[0], first[5]), ("NAME", "a", "False"))
            proxy.faults[stage.POLICIES] = stage.status(503, "we start")
            self.assertRegex(watch.stderr.readline(), "HTTP 503: we start; trying again$")
            failed = len(proxy.requests)
            stage.wait_for("another try", lambda: len(proxy.requests) > failed)
            self.bind("a")
            del proxy.faults[stage.POLICIES]
            again = watch.stdout.readline().split()
            self.assertEqual((again[0], again[5]), ("a", "True"))
        finally:
            watch.kill()
            _, errors = watch.communicate()
        self.assertEqual(errors, "")

    def test_servers_that_fail(self):
        """One line says what was asked and what came."""
        proxy = self.proxy(self.on.port)
        kubeconfig = self.kubeconfig(proxy.url)
        asked = f"GET {stage.POLICIES}: "
        rows = [
            (stage.reply(404, b"404 page not found\n"),
             "this server has no admissionregistration.k8s.io/v1 policies, as Kubernetes 1.30 and later have"),
            (stage.status(403, "forbidden: no"), asked + "HTTP 403: forbidden: no"),
            (stage.status(401, "Unauthorized"), asked + "HTTP 401: Unauthorized"),
            (stage.reply(200, b"<html>"), asked + "malformed JSON at byte 0: unexpected character"),
            (stage.reply(200, b""), asked + "JSON ends in the middle, after 0 bytes"),
        ]  # fmt: skip
        for fault, said in rows:
            proxy.faults = {stage.POLICIES: fault}
            done = subprocess.run(
                [PROGRAM, "status", "--kubeconfig", kubeconfig], capture_output=True, text=True, timeout=30
            )
            self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", f"kubectl-vapcheck status: {said}\n"))

    def test_no_white_space_at_the_end(self):
        self.on.create(stage.policy("a", RIGHT))
        for form in ("table", "wide"):
            self.assertNotRegex(self.status("-o", form)[0], "(?m) $")

    def test_errors(self):
        self.on.create(stage.policy("a", RIGHT))
        out, err = self.status("a", "nope", expect=2)
        self.assertIn("\na ", out)
        self.assertEqual(err, 'kubectl-vapcheck status: there is no ValidatingAdmissionPolicy "nope"\n')
        self.assertEqual(self.status("-o", "sarif", expect=2)[0], "")
        self.assertEqual(self.status("-o", "json", "--watch", expect=2)[0], "")


stage.main()
