#!/usr/bin/env python3
"""The health checks for Argo CD and Flux, on statuses as the daemon writes them: Argo CD's in Lua 5.1, as its own
interpreter is, and Flux's in CEL, asked in the order in which Flux asks: inProgress, failed, current."""

import copy
import pathlib
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tests/flow"))
import pypi
import stage

pypi.require("gitops", "lupa==2.6", "cel-python==0.5.0", "PyYAML==6.0.2")

import celpy
import celpy.adapter
import lupa.lua51
import yaml

GITOPS = SOURCE / "manifests/gitops"
EXAMPLES = SOURCE / "manifests/examples"
KEY = "resource.customizations.health.admissionregistration.k8s.io_ValidatingAdmissionPolicy"
FLUX = {"Progressing": "InProgress", "Degraded": "Failed", "Healthy": "Current"}


def argo(policy):
    """{status, message}"""
    script = yaml.safe_load((GITOPS / "argocd-cm.yaml").read_text())["data"][KEY]
    lua = lupa.lua51.LuaRuntime(unpack_returned_tuples=True)

    def table(value):
        if isinstance(value, dict):
            return lua.table_from({k: table(v) for k, v in value.items()})
        return lua.table_from([table(v) for v in value]) if isinstance(value, list) else value

    return dict(lua.eval(f"function(obj) {script} end")(table(policy)))


def flux(policy):
    [check] = yaml.safe_load((GITOPS / "flux-kustomization.yaml").read_text())["spec"]["healthCheckExprs"]
    assert (check["apiVersion"], check["kind"]) == (policy["apiVersion"], policy["kind"])
    fields = {name: celpy.adapter.json_to_cel(value) for name, value in policy.items()}
    for name in ("inProgress", "failed", "current"):
        environment = celpy.Environment()
        if environment.program(environment.compile(check[name])).evaluate(fields):
            return name[0].upper() + name[1:]
    return "InProgress"


class HealthTest(stage.Case):
    def check(self, policy, status, message):
        found = argo(policy)
        self.assertEqual((found["status"], flux(policy)), (status, FLUX[status]), policy)
        self.assertIn(message, found["message"])

    def checked(self, *names):
        """Policies with their statuses, as the daemon wrote them: the examples, and one that only has a warning."""
        server = self.server()
        for name in names:
            example = EXAMPLES / f"{name}.yaml"
            warned = stage.policy(name, "!has(object.spec.replicass)")
            server.create(yaml.safe_load(example.read_text()) if example.exists() else warned)
        self.controller(server.kubeconfig)
        for name in names:
            server.settled(name)
        return [server.get(name) for name in names]

    def test_what_the_daemon_writes(self):
        clean, wrong, param, untyped, warned = self.checked(
            "clean", "replicas", "params", "typed-by-crd", "only-warnings"
        )
        self.check(clean, "Healthy", "")
        self.check(wrong, "Degraded", "undefined field 'replicas'")
        self.check(param, "Degraded", "")
        self.check(untyped, "Healthy", "backups")
        self.assertEqual(
            [c["reason"] for c in warned["status"]["conditions"] if c["type"] == "ExpressionsValid"], ["OnlyWarnings"]
        )
        self.check(warned, "Healthy", "every type")
        for policy in (clean, wrong):
            newer = copy.deepcopy(policy)
            newer["metadata"]["generation"] += 1
            self.check(newer, "Progressing", "not checked yet")

    def test_other_conditions(self):
        """(type, status, reason) in the place of the condition of this type that a policy without a warning has."""
        [clean] = self.checked("clean")
        for kind, status, reason, health in (
            ("TypeChecked", "Unknown", "ClusterUnavailable", "Progressing"),
            ("TypeChecked", "False", "LimitReached", "Degraded"),
            ("TypeChecked", "False", "SchemaNotFound", "Healthy"),
            ("ParamKindFound", "False", "NotFound", "Degraded"),
            ("ExpressionsValid", "False", "WarningsFound", "Degraded"),
        ):
            policy = copy.deepcopy(clean)
            condition = {
                "type": kind,
                "status": status,
                "reason": reason,
                "message": "why",
                "observedGeneration": policy["metadata"]["generation"],
            }
            policy["status"]["conditions"] = [c for c in policy["status"]["conditions"] if c["type"] != kind] + [
                condition
            ]
            self.check(policy, health, "why")

    def test_nobody_has_checked_it(self):
        [clean] = self.checked("clean")
        for status in ({}, {"conditions": []}, {"observedGeneration": 1, "typeChecking": {}}):
            self.check({**clean, "status": status}, "Progressing", "not checked yet")


stage.main()
