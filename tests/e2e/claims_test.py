#!/usr/bin/env python3
"""What is so for every request, on a real API server: told, corrected, withdrawn by a type that comes, told again."""

import contextlib
import http.client
import re

import harness

GROUP = "claims.e2e.example.com"
FIELD = "spec.validations[0].expression"
SLIP = "!has(object.spec.hostNetwrk)"


def crd(plural, kind, *fields):
    schema = {
        "type": "object",
        "properties": {"spec": {"type": "object", "properties": {f: {"type": "integer"} for f in fields}}},
    }
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{GROUP}"},
        "spec": {
            "group": GROUP,
            "scope": "Namespaced",
            "names": {"plural": plural, "singular": kind.lower(), "kind": kind, "listKind": f"{kind}List"},
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}],
        },
    }


class ClaimsTest(harness.Case):
    def valid(self, name):
        found = self.plane.condition(name, "ExpressionsValid") or {}
        return found.get("status"), found.get("reason")

    def events(self, name):
        """The reasons of the Events about the policy, each with the beginning of its note."""
        listed = self.plane.list("events.events.k8s.io", "-n", "default")
        ours = [e for e in listed if e["regarding"]["name"] == name]
        return {(e["reason"], e["note"].split(" ")[0]) for e in ours}

    def metric(self, daemon, identifier):
        address = re.search(r"metrics and health[^\n]*?(\d+\.\d+\.\d+\.\d+:\d+)", daemon.log())[1]
        with contextlib.closing(http.client.HTTPConnection(address, timeout=10)) as connection:
            connection.request("GET", "/metrics")
            text = connection.getresponse().read().decode()
        wanted = f'vapcheck_findings{{kind="ValidatingAdmissionPolicy",id="{identifier}"}} '
        return next((float(line[len(wanted) :]) for line in text.splitlines() if line.startswith(wanted)), 0)

    def test_told_and_corrected(self):
        daemon = self.controller()
        pods = {"group": "", "resource": "pods"}
        self.plane.apply(
            [
                harness.policy("typo", SLIP, **pods),
                harness.policy("operation", "request.operation != 'create' || object.spec.hostPID", **pods),
                harness.policy("innocent", "!has(object.spec.hostNetwork)", **pods),
            ]
        )
        for name, text, identifier in (
            ("typo", "undefined field 'hostNetwrk'", "undefined-field"),
            ("operation", "no operation is 'create'", "never-equal"),
        ):
            harness.wait_for(f"{name} is told", lambda: self.valid(name) == ("False", "OnlyWarnings"))
            [warning] = self.plane.warnings(name)
            self.assertEqual(warning["fieldRef"], FIELD)
            self.assertIn(text, warning["warning"])
            harness.wait_for("its event", lambda: ("WarningsFound", f"[{identifier}]") in self.events(name))
            harness.wait_for("its metric", lambda: self.metric(daemon, identifier) == 1)
        harness.wait_for("the neighbour", lambda: self.valid("innocent") == ("True", "NoWarnings"))
        self.plane.apply(harness.policy("typo", "!has(object.spec.hostNetwork)", **pods))
        harness.wait_for("it is corrected", lambda: self.valid("typo") == ("True", "NoWarnings"))
        harness.wait_for("its event", lambda: "WarningsResolved" in {reason for reason, _ in self.events("typo")})
        harness.wait_for("its metric", lambda: self.metric(daemon, "undefined-field") == 0)

    def test_a_type_withdraws_it(self):
        self.plane.apply(crd("birds", "Bird", "size"))
        self.controller()
        self.plane.apply(harness.policy("bird", "!has(object.spec.sise)", group=GROUP, resource="*"))
        harness.wait_for("it is told", lambda: self.valid("bird") == ("False", "OnlyWarnings"))
        self.plane.apply(crd("fish", "Fish", "sise"))
        harness.wait_for("it is withdrawn", lambda: self.valid("bird") == ("True", "NoWarnings"))
        self.plane.delete("crd", f"fish.{GROUP}")
        harness.wait_for("it is back", lambda: self.valid("bird") == ("False", "OnlyWarnings"))

    def test_upstream_has_none(self):
        self.controller("--warnings-scope=upstream")
        pods = {"group": "", "resource": "pods"}
        self.plane.apply(harness.policy("upstream", "request.operation != 'create' || object.spec.hostPID", **pods))
        harness.wait_for("its status", lambda: self.plane.condition("upstream", "TypeChecked"))
        self.assertEqual((self.plane.warnings("upstream"), self.valid("upstream")), ([], ("True", "NoWarnings")))


harness.main()
