#!/usr/bin/env python3
"""What flags ask for beside policies, on a real API server, with the rights of the manifests and no more."""

import json
import re
import time

import harness

NAMESPACE = "vapcheck-system"
FLAGS = ("--watch-webhooks", "--watch-mutating-policies", "--watch-crds")
OVERLAY = harness.SOURCE / "manifests/overlays/watch"


def definition(plural, *rules, **properties):
    spec = {"type": "object", "properties": properties or {"size": {"type": "integer"}}}
    spec["x-kubernetes-validations"] = [{"rule": rule} for rule in rules]
    kind = plural.capitalize()
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.review.example.com"},
        "spec": {
            "group": "review.example.com",
            "scope": "Namespaced",
            "names": {"plural": plural, "singular": plural, "kind": kind, "listKind": kind + "List"},
            "versions": [
                {
                    "name": "v1",
                    "served": True,
                    "storage": True,
                    "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}},
                }
            ],
        },
    }


class ReviewTest(harness.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        text = cls.plane.kubectl("kustomize", OVERLAY)
        rest, objects = cls.plane.kubectl("create", "--dry-run=client", "-o", "json", "-f", "-", input=text), []
        while rest := rest.lstrip():
            obj, end = json.JSONDecoder().raw_decode(rest)
            objects.append(obj)
            rest = rest[end:]
        cls.plane.apply([o for o in objects if o["kind"] != "Deployment"])
        container = next(o for o in objects if o["kind"] == "Deployment")["spec"]["template"]["spec"]["containers"][0]
        assert all(flag in container["args"] for flag in FLAGS), container["args"]
        token = cls.plane.kubectl("create", "token", "vapcheck-controller", "-n", NAMESPACE).strip()
        cls.plane.secrets.add(token)
        config = json.loads(cls.plane.kubectl("config", "view", "--raw", "-o", "json"))
        config["users"] = [{"name": "account", "user": {"token": token}}]
        config["contexts"] = [{"name": "c", "context": {"cluster": config["clusters"][0]["name"], "user": "account"}}]
        config["current-context"] = "c"
        cls.account = cls.plane.directory / "kubeconfig-account"
        cls.account.write_text(json.dumps(config))

    def daemon(self):
        self.before = len(self.plane.writes())
        return self.controller(*FLAGS, kubeconfig=self.account)

    def told(self, kind, name):
        """[(type, reason, message)] of kubectl describe."""
        table = self.plane.kubectl("describe", kind, name).rsplit("\nEvents:", 1)[1]
        if "<none>" in table.split("\n", 1)[0]:
            return []
        cells = (re.split(r"  +", line.strip(), maxsplit=4) for line in table.strip().splitlines()[2:])
        return [(type_, reason, message) for type_, reason, _, _, message in cells]

    def expect(self, kind, name, *wanted):
        """Each (type, reason, a piece of the message)."""

        def is_told():
            told = self.told(kind, name)
            fits = [t[:2] == w[:2] and w[2] in t[2] for t, w in zip(told, wanted)]
            return len(told) == len(wanted) and all(fits)

        harness.wait_for(f"Events of {kind} {name}: {wanted}", is_told)

    def test_webhooks_and_mutating_policies(self):
        daemon = self.daemon()
        made = {
            "validatingwebhookconfiguration": lambda e: harness.webhooks("hook", e),
            "mutatingwebhookconfiguration": lambda e: harness.webhooks("hook", e, kind="MutatingWebhookConfiguration"),
            "mutatingadmissionpolicy": lambda e: harness.mutating_policy("hook", e),
        }
        self.plane.apply([make("object.nope > 1") for make in made.values()])
        for kind in made:
            self.expect(kind, "hook", ("Warning", "WarningsFound", "(apps/v1 Deployment): undefined field 'nope'"))
        self.plane.apply([make("object.spec.replicas > 1") for make in made.values()])
        for kind in made:
            self.expect(
                kind, "hook", ("Warning", "WarningsFound", "'nope'"), ("Normal", "WarningsResolved", "no warnings")
            )
        self.check_rights(daemon)

    def test_a_definition_that_an_older_server_took(self):
        """A rule that compiles no more, and one that costs too much: nothing that a server takes today."""
        daemon = self.daemon()
        fine = definition("fine", "self.size > 1")
        self.plane.apply([fine])
        harness.wait_for(
            "it is served",
            lambda: self.plane.kubectl("wait", "--for=condition=Established", "crd/fine.review.example.com"),
        )
        stored = self.plane.get("crd", "fine.review.example.com")
        rule = stored["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]
        rule["x-kubernetes-validations"][0]["rule"] = "self.extent > 1"
        refused = self.plane.run_kubectl(
            "create",
            "--dry-run=server",
            "-f",
            "-",
            input=json.dumps({**stored, "metadata": {"name": stored["metadata"]["name"]}}),
        )
        self.assertIn("undefined field 'extent'", refused.stderr)
        stored["metadata"]["generation"] += 1
        del stored["metadata"]["resourceVersion"]
        self.plane.store("/registry/apiextensions.k8s.io/customresourcedefinitions/fine.review.example.com", stored)
        self.expect(
            "crd",
            "fine.review.example.com",
            ("Warning", "WarningsFound", "x-kubernetes-validations[0].rule: undefined field 'extent'"),
        )
        self.plane.apply([fine])
        self.expect(
            "crd",
            "fine.review.example.com",
            ("Warning", "WarningsFound", ""),
            ("Normal", "WarningsResolved", "no warnings"),
        )
        self.check_rights(daemon)

    def test_a_restart_tells_nothing_again(self):
        self.plane.apply([harness.webhooks("again", "object.nope > 1")])
        first = self.daemon()
        found = ("Warning", "WarningsFound", "'nope'")
        self.expect("validatingwebhookconfiguration", "again", found)
        first.stop()
        second = self.daemon()
        harness.wait_for("it saw them", lambda: second.says("[validatingwebhookconfigurations/again] WarningsFound"))
        time.sleep(2)
        self.expect("validatingwebhookconfiguration", "again", found)

    def test_parameters_of_bindings(self):
        """A selector that finds nothing, and then something."""
        self.plane.apply(harness.SOURCE / "manifests/components/find-params/find-params.yaml")
        daemon = self.controller("--find-params", kubeconfig=self.account)
        limited = harness.policy("limited", "has(params.data)")
        limited["spec"]["paramKind"] = {"apiVersion": "v1", "kind": "ConfigMap"}
        bound = {
            "apiVersion": "admissionregistration.k8s.io/v1",
            "kind": "ValidatingAdmissionPolicyBinding",
            "metadata": {"name": "limited"},
            "spec": {
                "policyName": "limited",
                "validationActions": ["Warn"],
                "paramRef": {"selector": {"matchLabels": {"for": "limited"}}, "parameterNotFoundAction": "Deny"},
            },
        }
        limits = {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": "limits", "namespace": "default", "labels": {"for": "limited"}},
        }
        self.plane.apply([limited, bound])
        missing = "there is no ConfigMap with the labels for=limited in any namespace"
        self.expect(bound["kind"], "limited", ("Warning", "ParamsNotFound", missing))
        self.plane.apply([limits])
        bound["spec"]["validationActions"] = ["Audit"]  # nobody waits for ten minutes
        self.plane.apply([bound])
        self.expect(
            bound["kind"],
            "limited",
            ("Warning", "ParamsNotFound", missing),
            ("Normal", "ParamsFound", "the cluster has a ConfigMap"),
        )
        self.check_requests()
        daemon.stop()

    def check_requests(self):
        """Nothing was refused."""
        user = f"system:serviceaccount:{NAMESPACE}:vapcheck-controller"
        mine = [e for e in self.plane.requests() if e["user"]["username"] == user]
        self.assertGreater(len(mine), 10)
        self.assertEqual([e["requestURI"] for e in mine if e.get("responseStatus", {}).get("code") == 403], [])

    def check_rights(self, daemon):
        """Nothing was refused, and nothing written but Events."""
        self.check_requests()
        self.assertEqual(self.plane.writes()[self.before :], [])
        daemon.stop()


harness.main()
