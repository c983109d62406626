#!/usr/bin/env python3
"""When a policy is checked again, which are, and whose status is whose; on a real API server.

Created and changed CRDs are crds_test.py's.
"""

import http.server
import json
import ssl
import sys
import threading
import time
import urllib.request

import harness

sys.path.insert(0, str(harness.SOURCE / "tests/flow"))
import stage

POLICIES = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies"
MANAGER = "vapcheck-controller"
UPSTREAM = "validatingadmissionpolicy-status"
FOLLOWS_WITHIN_S = 2
BYSTANDERS = 20
WARP = 8
OLD_VERSION = {"major": "1", "minor": "29", "gitVersion": "v1.29.9"}
GROUP = "aggregated.e2e.example.com"


class Recheck(harness.Case):
    def setUp(self):
        super().setUp()
        self.server = self.proxy()

    def get(self, path):
        with urllib.request.urlopen(self.server + path, timeout=60) as answer:
            return json.load(answer)

    def policy(self, name):
        return self.get(f"{POLICIES}/{name}")

    def status(self, name):
        return self.policy(name).get("status", {})

    def condition(self, name, kind):
        """(status, reason); None before there is one."""
        found = [c for c in self.status(name).get("conditions", []) if c["type"] == kind]
        return (found[0]["status"], found[0]["reason"]) if found else None

    def await_condition(self, name, kind, *wanted, timeout=30):
        """Seconds until it is (status, reason)."""
        start = time.monotonic()

        def probe():
            found = self.condition(name, kind)
            assert found == wanted, f"{kind}: {found}"
            return True

        harness.wait_for(f"{name}: {kind} {wanted}", probe, timeout, period=0.01)
        return time.monotonic() - start

    def owned(self, name, manager=MANAGER):
        """What managedFields list for the manager: "typeChecking", "conditions", ..."""
        entries = [m for m in self.policy(name)["metadata"]["managedFields"] if m["manager"] == manager]
        return {f.removeprefix("f:") for m in entries for f in m["fieldsV1"].get("f:status", {})}

    def checks(self, daemon):
        """Checks by trigger."""
        begin, end = 'vapcheck_checks_total{trigger="', '"}'
        found = stage.Metrics(daemon).read()
        return {k.removeprefix(begin).removesuffix(end): v for k, v in found.items() if k.startswith(begin)}

    def quiet(self, daemon):
        """Checks by trigger, once there were none for a second."""
        return harness.wait_for("no more checks", lambda: self.still(daemon), timeout=60)

    def still(self, daemon):
        before = self.checks(daemon)
        time.sleep(1)
        return before if self.checks(daemon) == before else None

    def since(self, daemon, before):
        """The checks by trigger since then, once there are no more; those that were none are left out."""
        now = self.quiet(daemon)
        return {k: now[k] - before[k] for k in now if now[k] != before[k]}


class TriggersTest(Recheck):
    def start_with(self, *policies, environment=(), kubeconfig=None):
        """A daemon that has checked these and the bystanders; and its checks so far."""
        bystanders = [harness.policy(f"bystander{n}", "object.spec.replicas > 1") for n in range(BYSTANDERS)]
        self.plane.apply([*policies, *bystanders])
        daemon = self.controller(kubeconfig=kubeconfig, environment=environment)
        for p in (*policies, *bystanders):
            name = p["metadata"]["name"]
            harness.wait_for(f"the check of {name}", lambda: self.condition(name, "TypeChecked"))
        return daemon, self.quiet(daemon)

    def test_a_crd_goes_and_returns(self):
        """Its own policies are checked again, once or twice, and nobody else's."""
        # two, so that the group stays when one goes
        self.plane.apply([crd("birds"), crd("fish")])
        for plural in ("birds", "fish"):
            harness.wait_for("its schema", lambda: self.published(crd_kind(plural)))
        ours = [self.about("bird", "birds"), self.about("bird2", "birds")]
        daemon, before = self.start_with(*ours)
        self.assertEqual(self.condition("bird", "ExpressionsValid"), ("False", "OnlyWarnings"))

        self.plane.delete("crd", "birds.recheck.e2e.example.com")
        harness.wait_for("the schema is gone", lambda: not self.published("Bird"), period=0.01)
        gone = [self.await_condition(n, "TypeChecked", "False", "ResourceNotFound") for n in ("bird", "bird2")]
        self.dependents_only(self.since(daemon, before), 2)

        before = self.quiet(daemon)
        self.plane.apply(crd("birds"))
        harness.wait_for("the schema returns", lambda: self.published("Bird"), period=0.01)
        back = [self.await_condition(n, "ExpressionsValid", "False", "OnlyWarnings") for n in ("bird", "bird2")]
        self.dependents_only(self.since(daemon, before), 2)
        print(f"\nthe status followed within {max(gone):.2f} s, and within {max(back):.2f} s", flush=True)
        self.assertLess(max(gone + back), FOLLOWS_WITHIN_S)

    def about(self, name, plural):
        return harness.policy(name, "object.spec.size == 'x'", group="recheck.e2e.example.com", resource=plural)

    def published(self, kind):
        entry = self.get("/openapi/v3")["paths"].get("apis/recheck.e2e.example.com/v1")
        return entry and f'"{kind}"' in json.dumps(self.get(entry["serverRelativeURL"]))

    def dependents_only(self, checks, count):
        """What is served and its schema each check the dependents again."""
        self.assertLessEqual(set(checks), {"resources", "schema", "policy", "retry"})
        self.assertGreaterEqual(checks.get("resources", 0) + checks.get("schema", 0), count)
        self.assertLessEqual(sum(checks.values()), 6 * count)
        self.assertLess(sum(checks.values()), BYSTANDERS)

    def test_an_apiservice_comes_and_goes(self):
        """An aggregated API server, of our own making."""
        gizmo = harness.policy("gizmo", "object.spec.size == 'x'", group=GROUP, resource="gizmos")
        daemon, before = self.start_with(gizmo)
        self.assertEqual(self.condition("gizmo", "TypeChecked"), ("False", "ResourceNotFound"))
        self.assertEqual(before["resources"], 0)

        backend = Aggregated(self.plane.directory)
        self.addCleanup(backend.stop)
        self.addCleanup(self.plane.delete, "apiservice", f"v1.{GROUP}")
        self.plane.apply(backend.objects())
        self.await_condition("gizmo", "ExpressionsValid", "False", "OnlyWarnings")
        self.dependents_only(self.since(daemon, before), 1)

        before = self.quiet(daemon)
        self.plane.delete("apiservice", f"v1.{GROUP}")
        self.await_condition("gizmo", "TypeChecked", "False", "ResourceNotFound")
        self.dependents_only(self.since(daemon, before), 1)

    def test_bindings(self):
        daemon, before = self.start_with(harness.policy("bound", "object.spec.replicas > 1"))
        self.assertEqual(self.condition("bound", "Bound"), ("False", "NoBinding"))
        binding = {
            "apiVersion": "admissionregistration.k8s.io/v1",
            "kind": "ValidatingAdmissionPolicyBinding",
            "metadata": {"name": "b"},
            "spec": {"policyName": "bound", "validationActions": ["Warn"]},
        }
        self.plane.apply(binding)
        self.await_condition("bound", "Bound", "True", "BindingFound")
        # the status that we write is no reason for another
        self.assertEqual(self.since(daemon, before), {"binding": 1})

        self.plane.apply({**binding, "spec": {**binding["spec"], "policyName": "bystander0"}})
        self.await_condition("bound", "Bound", "False", "NoBinding")
        self.await_condition("bystander0", "Bound", "True", "BindingFound")
        self.assertEqual(self.since(daemon, before), {"binding": 3})
        self.plane.delete("validatingadmissionpolicybinding", "b")
        self.await_condition("bystander0", "Bound", "False", "NoBinding")
        self.assertEqual(self.since(daemon, before), {"binding": 4})

    def test_foreign_writes(self):
        """What others change is set right, five times in a minute; then they are left alone."""
        daemon, before = self.start_with(harness.policy("contested", "object.replicas > 1"))
        want = self.status("contested")
        for n in range(5):
            self.meddle("contested", f"round {n}")
            harness.wait_for("it is set right", lambda: self.status("contested") == want)
        self.meddle("contested", "the last word")
        harness.wait_for("it is given up", lambda: "once an hour" in daemon.log())
        self.assertEqual(self.status("contested")["typeChecking"]["expressionWarnings"][0]["warning"], "the last word")
        # six changes of others; what our own five writes made is not checked
        self.assertEqual(self.since(daemon, before), {"policy": 6})
        metrics = stage.Metrics(daemon).read()
        self.assertEqual(metrics['vapcheck_status_reasserts_total{result="set_right"}'], 5)
        self.assertEqual(metrics['vapcheck_status_reasserts_total{result="given_up"}'], 1)

    def meddle(self, name, text):
        status = {"typeChecking": {"expressionWarnings": [{"fieldRef": "spec", "warning": text}]}}
        self.plane.kubectl(
            "patch",
            "validatingadmissionpolicy",
            name,
            "--subresource=status",
            "--type=merge",
            "-p",
            json.dumps({"status": status}),
        )

    def test_the_server_is_upgraded(self):
        """All policies, twice: to an older version and back; a single odd answer is nothing."""
        proxy = stage.Proxy(int(self.server.rsplit(":", 1)[1]))
        self.addCleanup(proxy.stop)
        config = {
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "c",
            "clusters": [{"name": "c", "cluster": {"server": proxy.url}}],
            "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
            "users": [{"name": "u", "user": {}}],
        }
        path = self.plane.directory / "kubeconfig-proxied"
        path.write_text(json.dumps(config))
        daemon, before = self.start_with(
            harness.policy("versioned", "isIP('1.2.3.4')"),
            environment=stage.warped(WARP, harness.CONTROLLER),
            kubeconfig=path,
        )
        self.assertEqual(before["version"], 0)
        self.assertEqual(self.condition("versioned", "ExpressionsValid"), ("True", "NoWarnings"))

        odd = stage.reply(200, json.dumps(OLD_VERSION).encode())
        asked = proxy.count("GET /version")
        proxy.faults["/version"] = lambda handler: (odd(handler), proxy.faults.pop("/version"))
        harness.wait_for(
            "one odd answer, one that is not", lambda: proxy.count("GET /version") >= asked + 2, timeout=60
        )
        self.assertEqual(self.quiet(daemon)["version"], 0)

        proxy.faults["/version"] = odd
        self.await_condition("versioned", "ExpressionsValid", "False", "WarningsFound", timeout=60)
        warning = self.status("versioned")["typeChecking"]["expressionWarnings"][0]["warning"]
        self.assertIn("undeclared reference to 'isIP'", warning)
        self.assertEqual(self.quiet(daemon)["version"], BYSTANDERS + 1)
        del proxy.faults["/version"]
        self.await_condition("versioned", "ExpressionsValid", "True", "NoWarnings", timeout=60)
        self.assertEqual(self.quiet(daemon)["version"], 2 * (BYSTANDERS + 1))


class LeavingTest(Recheck):
    """Beside kube-controller-manager's own controller."""

    plane_flags = ("--kcm",)
    WRONG = "object.replicas > 1"

    def both_wrote(self, name, theirs=True):
        """Asserts that the status is of the newest generation, and returns whose it is."""
        policy = self.policy(name)
        assert policy.get("status", {}).get("observedGeneration") == policy["metadata"]["generation"], policy.get(
            "status"
        )
        return bool(self.owned(name)) and bool(self.owned(name, UPSTREAM)) == theirs

    def create(self, *names, **labels):
        policies = [harness.policy(name, self.WRONG) for name in names]
        for p in policies:
            p["metadata"]["labels"] = labels
        self.plane.apply(policies)
        for name in names:
            harness.wait_for("upstream's status", lambda: self.owned(name, UPSTREAM))

    def theirs_alone(self, name):
        """Nothing of ours is left, and their warning stays."""
        status = self.status(name)
        warnings = status.get("typeChecking", {}).get("expressionWarnings", [])
        return not self.owned(name) and "conditions" not in status and len(warnings) == 1

    def test_release_status(self):
        self.create("a", "b")
        daemon = self.controller()
        for name in ("a", "b"):
            harness.wait_for("both own it", lambda: self.both_wrote(name))
        daemon.stop()
        release = self.controller("--release-status")
        self.assertEqual(release.wait(), 0, release.tail())
        self.assertTrue(self.theirs_alone("a") and self.theirs_alone("b"), (self.policy("a"), self.policy("b")))
        before = len(self.plane.writes())
        again = self.controller("--release-status")
        self.assertEqual(again.wait(), 0, again.tail())
        self.assertEqual(len(self.plane.writes()), before, "there was nothing left to release")

    def test_own_conditions_only(self):
        self.create("a")
        daemon = self.controller("--own-status=conditions")
        self.await_condition("a", "ExpressionsValid", "False", "WarningsFound")
        self.assertEqual(self.owned("a"), {"conditions"})
        self.assertIn("typeChecking", self.owned("a", UPSTREAM))
        # their word on the new generation is not ours to change
        self.plane.apply(harness.policy("a", "object.spec.replicas > 1"))
        self.await_condition("a", "ExpressionsValid", "True", "NoWarnings")
        harness.wait_for("upstream's word, too", lambda: harness.expression_warnings(self.policy("a")) == [])
        self.assertEqual(self.owned("a"), {"conditions"})
        daemon.stop()

    def test_skipped(self):
        self.create("skipped", "other")
        self.controller()
        for name in ("skipped", "other"):
            harness.wait_for("both own it", lambda: self.both_wrote(name))
        self.plane.kubectl("annotate", "validatingadmissionpolicy", "skipped", "vapcheck/skip=true")
        harness.wait_for("it is released", lambda: self.theirs_alone("skipped"))
        before = len(self.writes_to("skipped"))
        self.plane.kubectl(
            "patch", "validatingadmissionpolicy", "skipped", "--type=merge", "-p", '{"spec":{"failurePolicy":"Ignore"}}'
        )
        harness.wait_for("upstream's word on it", lambda: self.status("skipped").get("observedGeneration") == 2)
        time.sleep(1)
        self.assertEqual(len(self.writes_to("skipped")), before)
        self.plane.kubectl("annotate", "validatingadmissionpolicy", "skipped", "vapcheck/skip-")
        harness.wait_for("it is ours, too", lambda: self.both_wrote("skipped"))
        self.assertTrue(self.both_wrote("other"))

    def writes_to(self, name):
        return [e for e in self.plane.writes() if e["objectRef"].get("name") == name]

    def test_policy_selector(self):
        self.create("in1", "in2", team="a")
        self.create("out", team="b")
        self.controller("--policy-selector=team=a")
        for name in ("in1", "in2"):
            harness.wait_for("both own it", lambda: self.both_wrote(name))
        self.assertTrue(self.theirs_alone("out"))
        self.assertEqual(self.writes_to("out"), [])
        self.plane.kubectl("label", "validatingadmissionpolicy", "in2", "team=b", "--overwrite")
        self.plane.kubectl("label", "validatingadmissionpolicy", "out", "team=a", "--overwrite")
        harness.wait_for("in2 is left", lambda: self.theirs_alone("in2"))
        harness.wait_for("out is taken", lambda: self.both_wrote("out"))


class Aggregated:
    """An aggregated API server on the loopback with one resource, gizmos."""

    DOCUMENT = {
        "openapi": "3.0.0",
        "info": {"title": "gizmos", "version": "v1"},
        "paths": {},
        "components": {
            "schemas": {
                "Gizmo": {
                    "type": "object",
                    "x-kubernetes-group-version-kind": [{"group": GROUP, "version": "v1", "kind": "Gizmo"}],
                    "properties": {
                        "apiVersion": {"type": "string"},
                        "kind": {"type": "string"},
                        "spec": {"type": "object", "properties": {"size": {"type": "integer", "format": "int64"}}},
                    },
                }
            }
        },
    }
    VERSION = {"groupVersion": f"{GROUP}/v1", "version": "v1"}
    RESOURCE = {
        "name": "gizmos",
        "singularName": "gizmo",
        "namespaced": True,
        "kind": "Gizmo",
        "verbs": ["create", "delete", "get", "list", "update"],
    }
    ANSWERS = {
        "/apis": {
            "kind": "APIGroupList",
            "apiVersion": "v1",
            "groups": [{"name": GROUP, "versions": [VERSION], "preferredVersion": VERSION}],
        },
        f"/apis/{GROUP}": {
            "kind": "APIGroup",
            "apiVersion": "v1",
            "name": GROUP,
            "versions": [VERSION],
            "preferredVersion": VERSION,
        },
        f"/apis/{GROUP}/v1": {
            "kind": "APIResourceList",
            "apiVersion": "v1",
            "groupVersion": f"{GROUP}/v1",
            "resources": [RESOURCE],
        },
        "/openapi/v3": {"paths": {f"apis/{GROUP}/v1": {"serverRelativeURL": f"/openapi/v3/apis/{GROUP}/v1?hash=1"}}},
        f"/openapi/v3/apis/{GROUP}/v1": DOCUMENT,
    }

    def __init__(self, directory):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                found = Aggregated.ANSWERS.get(self.path.split("?")[0])
                text = json.dumps(
                    found or {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 404}
                ).encode()
                self.send_response(200 if found else 404)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *args):
                pass

        self._http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*stage.certificate(directory, "aggregated"))
        self._http.socket = context.wrap_socket(self._http.socket, server_side=True)
        threading.Thread(target=self._http.serve_forever, daemon=True).start()

    def stop(self):
        self._http.shutdown()
        self._http.server_close()

    def objects(self):
        port = self._http.server_port
        service = {
            "apiVersion": "v1",
            "kind": "Service",
            "metadata": {"name": "aggregated", "namespace": "default"},
            "spec": {"type": "ExternalName", "externalName": "localhost", "ports": [{"port": port}]},
        }
        registration = {
            "apiVersion": "apiregistration.k8s.io/v1",
            "kind": "APIService",
            "metadata": {"name": f"v1.{GROUP}"},
            "spec": {
                "group": GROUP,
                "version": "v1",
                "groupPriorityMinimum": 100,
                "versionPriority": 10,
                "insecureSkipTLSVerify": True,
                "service": {"name": "aggregated", "namespace": "default", "port": port},
            },
        }
        return [service, registration]


def crd_kind(plural):
    return plural.removesuffix("s").capitalize()


def crd(plural):
    """Of group recheck.e2e.example.com, in the shape that flow tests have."""
    spec = {"type": "object", "properties": {"size": {"type": "integer"}}}
    return stage.crd(plural, crd_kind(plural), {"spec": spec}, group="recheck.e2e.example.com")


harness.main()
