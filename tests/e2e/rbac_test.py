#!/usr/bin/env python3
"""The rights that the manifests give are enough, and none is too much.

The daemon runs as the manifests' service account and does all its work without one refusal. Then it runs
again and again, each time without one verb on one resource, and the check that BREAKS names must fail.

What lacks a watch still learns of things now and then, from lists and polls: so each check is made in
rounds, and one that is missed is a failure.
"""

import json
import re
import time
import urllib.error
import urllib.request

import harness

MANIFESTS = harness.SOURCE / "manifests"
NAMESPACE = "vapcheck-system"
ROUNDS, MOST_ROUNDS = 3, 12  # with all rights; without one of them, until a round fails
IN_TIME_S = 30  # what it does with all rights takes a second or two, where nothing else runs
MISSED_S = 6  # what it has not done by then, without one of the rights, it is not waiting for
KEPT_S = 13  # longer than a lease is held without a renewal

# (resource, verb): the check that fails without it
BREAKS = {
    ("validatingadmissionpolicies", "list"): "new policy",
    ("validatingadmissionpolicies", "watch"): "new policy",
    ("validatingadmissionpolicybindings", "list"): "bound",
    ("validatingadmissionpolicybindings", "watch"): "bound",
    ("validatingadmissionpolicies/status", "patch"): "new policy",
    ("customresourcedefinitions", "list"): "changed CRD",
    ("customresourcedefinitions", "watch"): "changed CRD",
    ("customresourcedefinitions", "get"): "reviewed CRD",
    ("validatingwebhookconfigurations", "list"): "reviewed validating webhook",
    ("validatingwebhookconfigurations", "watch"): "reviewed validating webhook",
    ("mutatingwebhookconfigurations", "list"): "reviewed mutating webhook",
    ("mutatingwebhookconfigurations", "watch"): "reviewed mutating webhook",
    ("mutatingadmissionpolicies", "list"): "reviewed mutating policy",
    ("mutatingadmissionpolicies", "watch"): "reviewed mutating policy",
    ("apiservices", "list"): "new API",
    ("apiservices", "watch"): "new API",
    ("events", "create"): "event",
    ("leases", "create"): "lease",
    ("leases", "get"): "lease",
    ("leases", "update"): "lease",
}

PATHS = {
    "ValidatingAdmissionPolicy": "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies",
    "ValidatingAdmissionPolicyBinding": "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings",
    "CustomResourceDefinition": "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    "ValidatingWebhookConfiguration": "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
    "MutatingWebhookConfiguration": "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
    "MutatingAdmissionPolicy": "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies",
    "APIService": "/apis/apiregistration.k8s.io/v1/apiservices",
}


def crd(field):
    """Widgets, with one field."""
    schema = {"type": "object", "properties": {"spec": {"type": "object", "properties": {field: {"type": "integer"}}}}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.rbac.example.com"},
        "spec": {
            "group": "rbac.example.com",
            "scope": "Namespaced",
            "names": {"plural": "widgets", "singular": "widget", "kind": "Widget", "listKind": "WidgetList"},
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}],
        },
    }


def without(objects, namespace, right):
    """The accounts and roles among the objects, in a namespace of their own, without this right if any."""
    resource, verb = right or ("", "")
    text = json.dumps([o for o in objects if o["kind"].endswith(("Role", "RoleBinding", "ServiceAccount"))])
    variant = json.loads(text.replace(f'"{NAMESPACE}"', f'"{namespace}"'))
    for obj in variant:
        if obj["metadata"].get("namespace") != namespace:
            obj["metadata"]["name"] += f"-{namespace}"
            if "roleRef" in obj:
                obj["roleRef"]["name"] += f"-{namespace}"
        for rule in obj.get("rules", []):
            if resource in rule["resources"]:
                rule["verbs"] = [v for v in rule["verbs"] if v != verb]
        if "rules" in obj:
            obj["rules"] = [rule for rule in obj["rules"] if rule["verbs"]]
    return [{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}}, *variant]


class Server:
    """The API server, as the administrator; by HTTP alone, since a kubectl each time takes longer than all else."""

    def __init__(self, url):
        self.url = url

    def request(self, method, path, obj=None, kind="application/json"):
        """The answer, or None where there is no such object."""
        body = None if obj is None else json.dumps(obj).encode()
        request = urllib.request.Request(self.url + path, body, {"Content-Type": kind}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return None
            raise AssertionError(f"{method} {path}: {error.read().decode()}") from None

    def apply(self, obj):
        path = f"{PATHS[obj['kind']]}/{obj['metadata']['name']}"
        self.request("PATCH", path + "?fieldManager=test&force=true", obj, "application/apply-patch+yaml")

    def status(self, name):
        return (self.request("GET", f"{PATHS['ValidatingAdmissionPolicy']}/{name}") or {}).get("status", {})

    def warnings(self, name):
        return self.status(name).get("typeChecking", {}).get("expressionWarnings", [])

    def is_checked(self, name):
        return "observedGeneration" in self.status(name)

    def is_bound(self, name):
        return any((c["type"], c["status"]) == ("Bound", "True") for c in self.status(name).get("conditions", []))

    def is_told(self, name):
        events = self.request("GET", "/apis/events.k8s.io/v1/namespaces/default/events")["items"]
        return any(e["regarding"].get("name") == name for e in events)

    def token(self, namespace):
        path = f"/api/v1/namespaces/{namespace}/serviceaccounts/vapcheck-controller/token"
        obj = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}}
        return self.request("POST", path, obj)["status"]["token"]


class Daemon:
    """One with the rights of the account in this namespace."""

    def __init__(self, test, server, namespace):
        self.server, self.limit_s = server, IN_TIME_S
        kubeconfig = test.kubeconfig(namespace, server.token(namespace))
        argv = [harness.CONTROLLER, f"--kubeconfig={kubeconfig}", "--metrics-bind-address=127.0.0.1:0"]
        argv += ["--leader-elect", f"--leader-elect-resource-namespace={namespace}"]
        argv += ["--watch-webhooks", "--watch-mutating-policies", "--watch-crds"]
        self.process = harness.Process(namespace, argv, test.plane.directory)

    def leads(self):
        return "leading as " in self.process.log()

    def leads_or_ended(self):
        """What the daemon cannot start without ends it."""
        return self.leads() or not self.process.running()

    def in_time(self, probe):
        """Returns true if the probe becomes true soon enough."""
        end = time.monotonic() + self.limit_s
        while not probe():
            if time.monotonic() > end:
                return False
            time.sleep(0.1)
        return True

    def metrics(self):
        address = re.search(r"serving .*metrics.* on (\S+)", self.process.log())[1]
        with urllib.request.urlopen(f"http://{address}/metrics", timeout=60) as answer:
            return answer.read().decode()

    # The checks: one round of each.

    def new_policy(self, i):
        name = f"new-{i}"
        self.server.apply(harness.policy(name, "object.replicas > 1"))
        return self.in_time(lambda: self.server.warnings(name))

    def bound(self, i):
        name = f"bound-{i}"
        self.server.apply(harness.policy(name, "true"))
        self.in_time(lambda: self.server.is_checked(name))
        self.server.apply(
            {
                "apiVersion": "admissionregistration.k8s.io/v1",
                "kind": "ValidatingAdmissionPolicyBinding",
                "metadata": {"name": name},
                "spec": {"policyName": name, "validationActions": ["Audit"]},
            }
        )
        return self.in_time(lambda: self.server.is_bound(name))

    def changed_crd(self, i):
        name, fields = f"typed-{i}", ("size", "extent")
        self.server.apply(
            harness.policy(name, f"object.spec.{fields[i % 2]} > 1", group="rbac.example.com", resource="widgets")
        )
        self.in_time(lambda: self.server.is_checked(name))
        self.server.apply(crd(fields[(i + 1) % 2]))
        return self.in_time(lambda: self.server.warnings(name))

    def event(self, i):
        name = f"told-{i}"
        self.server.apply(harness.policy(name, "object.replicas > 1"))
        self.in_time(lambda: self.server.warnings(name))
        return self.in_time(lambda: self.server.is_told(name))

    def reviewed(self, name, made):
        self.server.apply(made)
        return self.in_time(lambda: self.server.is_told(name))

    def reviewed_validating_webhook(self, i):
        return self.reviewed(f"validating-{i}", harness.webhooks(f"validating-{i}", "object.nope > 1"))

    def reviewed_mutating_webhook(self, i):
        return self.reviewed(
            f"mutating-{i}", harness.webhooks(f"mutating-{i}", "object.nope > 1", kind="MutatingWebhookConfiguration")
        )

    def reviewed_mutating_policy(self, i):
        return self.reviewed(f"mutation-{i}", harness.mutating_policy(f"mutation-{i}", "object.nope > 1"))

    def reviewed_crd(self, i):
        """Checked again: nothing of it can be wrong, as the server would not take it."""
        before = self.crd_checks()
        self.server.apply(crd(f"round{i}"))
        return self.in_time(lambda: self.crd_checks() > before)

    def crd_checks(self):
        found = re.findall(
            r'^vapcheck_object_checks_total\{kind="CustomResourceDefinition".*\} (\S+)', self.metrics(), re.M
        )
        return sum(map(float, found))

    def apis(self):
        return int(
            float(re.search(r'^vapcheck_store_objects\{resource="apiservices"\} (\S+)', self.metrics(), re.M)[1])
        )

    def new_api(self, i):
        group, before = f"round{i}.example.com", self.apis()
        self.server.apply(
            {
                "apiVersion": "apiregistration.k8s.io/v1",
                "kind": "APIService",
                "metadata": {"name": f"v1.{group}"},
                "spec": {"group": group, "version": "v1", "groupPriorityMinimum": 1000, "versionPriority": 15},
            }
        )
        return self.in_time(lambda: self.apis() > before)

    def lease(self, i):
        leads = self.in_time(self.leads)
        if leads and i == 0:
            time.sleep(KEPT_S)
        return leads and self.process.running()

    def passes(self, check, rounds):
        probe = getattr(self, check.replace(" ", "_").lower())
        return all(probe(i) for i in range(rounds))


class RbacCase(harness.Case):
    def setUp(self):
        super().setUp()
        text = self.plane.kubectl("kustomize", MANIFESTS / "overlays/watch")
        rest = self.plane.kubectl("create", "--dry-run=client", "-o", "json", "-f", "-", input=text)
        self.objects = []
        while rest := rest.lstrip():
            obj, end = json.JSONDecoder().raw_decode(rest)
            self.objects.append(obj)
            rest = rest[end:]
        self.server = Server(self.proxy())

    def rights(self):
        return [
            (resource, verb)
            for obj in self.objects
            for rule in obj.get("rules", [])
            for resource in rule["resources"]
            for verb in rule["verbs"]
        ]

    def kubeconfig(self, name, token):
        self.plane.secrets.add(token)
        config = {
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "c",
            "clusters": [
                {
                    "name": "c",
                    "cluster": {
                        "server": f"https://127.0.0.1:{self.port}",
                        "certificate-authority": str(self.plane.directory / "ca.crt"),
                    },
                }
            ],
            "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
            "users": [{"name": "u", "user": {"token": token}}],
        }
        path = self.plane.directory / f"kubeconfig-{name}"
        path.write_text(json.dumps(config))
        return path

    def daemon(self, namespace):
        """On a cluster with neither policies nor what an earlier one's checks left."""
        for kind in PATHS.keys() - {"CustomResourceDefinition", "APIService"}:
            self.server.request("DELETE", PATHS[kind])
        for i in range(MOST_ROUNDS):
            self.server.request("DELETE", f"{PATHS['APIService']}/v1.round{i}.example.com")
        self.server.apply(crd("size"))
        daemon = Daemon(self, self.server, namespace)
        self.addCleanup(self.check_log, daemon.process)
        self.addCleanup(daemon.process.kill)
        return daemon

    def try_rights(self, rights):
        self.port = self.plane.port()
        self.plane.apply([o for o in self.objects if o["kind"] != "Deployment"])
        variants = {right: re.sub("[^a-z]", "-", f"no-{right[1]}-{right[0]}") for right in rights}
        self.plane.apply([o for right, namespace in variants.items() for o in without(self.objects, namespace, right)])
        self.plane.apply(crd("size"))
        self.plane.kubectl("wait", "--for=condition=Established", "crd/widgets.rbac.example.com")
        self.check_all_rights(sorted({BREAKS[right] for right in rights}))
        for right, namespace in variants.items():
            daemon = self.daemon(namespace)
            if BREAKS[right] != "lease":
                self.assertTrue(
                    daemon.in_time(daemon.leads_or_ended), f"without {right[1]} on {right[0]}:\n{daemon.process.tail()}"
                )
            daemon.limit_s = MISSED_S
            self.assertFalse(
                daemon.passes(BREAKS[right], MOST_ROUNDS), f"{BREAKS[right]} works without {right[1]} on {right[0]}"
            )
            daemon.process.kill()

    def check_all_rights(self, checks):
        """As the manifests have them. Nothing is refused."""
        full = self.daemon(NAMESPACE)
        self.assertTrue(full.in_time(full.leads), full.process.tail())
        for check in checks:
            self.assertTrue(full.passes(check, ROUNDS), f"{check}:\n{full.process.tail()}")
        metrics = full.metrics()
        self.assertIn('rest_client_requests_total{code="200"', metrics)
        self.assertNotIn('code="403"', metrics)
        full.process.stop()
        user = f"system:serviceaccount:{NAMESPACE}:vapcheck-controller"
        mine = [e for e in self.plane.requests() if e["user"]["username"] == user]
        self.assertGreater(len(mine), 10)
        self.assertEqual([e for e in mine if e["responseStatus"]["code"] == 403], [])


class RbacTest(RbacCase):
    def test_every_right_has_its_check(self):
        self.assertEqual(sorted(self.rights()), sorted(BREAKS))

    def test_watches_and_writes(self):
        self.try_rights([right for right in BREAKS if right[1] != "list"])


class RbacWithoutStreamsTest(RbacCase):
    """An API server that streams no lists: there the right to list is needed."""

    plane_flags = ("--apiserver-arg=--feature-gates=WatchList=false",)

    def test_lists(self):
        self.try_rights([right for right in BREAKS if right[1] == "list"])


harness.main()
