#!/usr/bin/env python3
"""What is wrong with bindings: told by Events and metrics, never written."""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import stage

KIND = "ValidatingAdmissionPolicyBinding"
LOST, FOUND = ("Warning", "PolicyNotFound"), ("Normal", "PolicyFound")
UNFIT, FIT = ("Warning", "ParamRefInvalid"), ("Normal", "ParamRefValid")
NO_PARAMS, PARAMS = ("Warning", "ParamsNotFound"), ("Normal", "ParamsFound")
LIMITS = "/api/v1/namespaces/default/configmaps/limits"
SPEED = 20  # of time: what settles in ten seconds is waited for


def with_params(name, kind="ConfigMap"):
    made = stage.policy(name, "has(params.data)")
    made["spec"]["paramKind"] = {"apiVersion": "v1", "kind": kind}
    return made


REF = {"name": "limits", "namespace": "default", "parameterNotFoundAction": "Deny"}


class BindingsTest(stage.Case):
    def setUp(self):
        super().setUp()
        self.on = self.server()
        proxy = self.proxy(self.on.port)
        self.events = proxy.faults[stage.Events.PATH] = stage.Events()
        self.requests = proxy.requests
        proxy.faults[LIMITS] = stage.status(404, "no")
        self.faults = proxy.faults
        self.process = self.controller(self.kubeconfig(proxy.url), "--find-params", factor=SPEED)
        stage.wait_for("readiness", lambda: stage.ask(self.process, "/readyz")[0] == 200)

    def told(self, name, *wanted):
        stage.wait_for(f"Events of {name}: {wanted}", lambda: self.events.told(name) == list(wanted))

    def note(self, name):
        return [e for e in self.events.events if e["regarding"]["name"] == name][-1]["note"]

    def count(self, line):
        return stage.Metrics(self.process).read().get(line.replace("KIND", f'kind="{KIND}"'), 0)

    def await_count(self, line, wanted):
        stage.wait_for(f"{line} {wanted}", lambda: self.count(line) == wanted)

    def test_a_policy_that_is_missing(self):
        self.on.create(stage.policy("replicas", "object.spec.replicas > 1"))
        self.on.create(stage.binding("right", "replicas"), stage.BINDINGS)
        self.on.create(stage.binding("wrong", "replica"), stage.BINDINGS)
        self.told("wrong", LOST)
        self.assertEqual(
            self.note("wrong"),
            "[binding-without-policy] no ValidatingAdmissionPolicy is called replica (did you mean replicas?): "
            "the binding has no effect",
        )
        event = self.events.events[0]
        self.assertEqual(
            (event["regarding"]["kind"], event["regarding"]["apiVersion"]), (KIND, "admissionregistration.k8s.io/v1")
        )
        self.await_count('vapcheck_objects{KIND,result="warnings"}', 1)
        self.await_count('vapcheck_objects{KIND,result="valid"}', 1)
        self.await_count('vapcheck_object_warnings{KIND,name="wrong"}', 1)
        self.await_count('vapcheck_findings{KIND,id="binding-without-policy"}', 1)
        self.on.create(stage.policy("replica", "object.spec.replicas > 1"))
        self.told("wrong", LOST, FOUND)
        self.await_count('vapcheck_findings{KIND,id="binding-without-policy"}', 0)
        self.on.request("DELETE", f"{stage.POLICIES}/replicas")
        self.told("right", LOST)
        self.on.request("DELETE", f"{stage.BINDINGS}/right")
        self.await_count('vapcheck_objects{KIND,result="warnings"}', 0)
        self.assertFalse([r for r in self.requests if r.startswith(("PATCH", "PUT")) and "bindings" in r])

    def test_one_after_the_other(self):
        """A binding may be applied before its policy, and the policy deleted before its binding: no Event complains."""
        self.on.create(stage.binding("b", "late"), stage.BINDINGS)
        self.on.create(stage.policy("late", "true"))
        self.await_count('vapcheck_objects{KIND,result="valid"}', 1)
        self.on.request("DELETE", f"{stage.POLICIES}/late")
        self.on.request("DELETE", f"{stage.BINDINGS}/b")
        self.await_count('vapcheck_objects{KIND,result="valid"}', 0)
        self.on.create(stage.binding("lost", "nowhere"), stage.BINDINGS)
        self.told("lost", LOST)
        self.assertEqual(self.events.told("b"), [])

    def test_parameters_that_do_not_fit(self):
        self.on.create(with_params("p"))
        self.on.create(stage.binding("b", "p"), stage.BINDINGS)
        self.told("b", UNFIT)
        self.assertEqual(
            self.note("b"),
            "[binding-params] spec.paramRef: it is missing: policy p has paramKind v1 ConfigMap, "
            "and params is null without it",
        )
        self.await_count('vapcheck_findings{KIND,id="binding-params"}', 1)
        self.faults[LIMITS] = stage.reply(200, b"{}")
        self.on.replace(stage.binding("b", "p", paramRef=REF), stage.BINDINGS)
        self.told("b", UNFIT, FIT)
        self.on.replace(with_params("p", "Namespace"))
        self.told("b", UNFIT, FIT, UNFIT)
        self.assertIn("must not be provided for a cluster-scoped paramKind", self.note("b"))

    def test_parameters_that_do_not_exist(self):
        self.on.create(with_params("p"))
        self.on.create(stage.binding("b", "p", paramRef=REF), stage.BINDINGS)
        self.told("b", NO_PARAMS)
        self.assertEqual(
            self.note("b"),
            "[binding-params] there is no ConfigMap limits in namespace default; parameterNotFoundAction "
            "is Deny, so that each request is answered as failurePolicy says",
        )
        self.await_count('vapcheck_findings{KIND,id="binding-params"}', 1)
        self.faults[LIMITS] = stage.reply(200, b"{}")
        self.on.replace(stage.binding("b", "p", paramRef=REF, validationActions=["Warn"]), stage.BINDINGS)
        self.told("b", NO_PARAMS, PARAMS)
        self.faults[LIMITS] = stage.status(403, "no")
        self.on.replace(with_params("p", "Namespace"))
        self.told("b", NO_PARAMS, PARAMS, UNFIT)
        self.on.replace(with_params("p"))
        self.told("b", NO_PARAMS, PARAMS, UNFIT, FIT)
        stage.wait_for("the missing right", lambda: self.process.says("rights to get and list configmaps"))

    def test_left_alone(self):
        skipped = stage.binding("skipped", "nowhere")
        skipped["metadata"]["annotations"] = {"vapcheck/skip": "true"}
        self.on.create(skipped, stage.BINDINGS)
        self.on.create(stage.binding("seen", "nowhere"), stage.BINDINGS)
        self.told("seen", LOST)
        self.await_count('vapcheck_objects{KIND,result="skipped"}', 1)
        self.assertEqual(self.events.told("skipped"), [])


stage.main()
