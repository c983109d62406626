#!/usr/bin/env python3
"""What is so for every request: told in status, Events and metrics; corrected; withdrawn by a type, and told again."""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import stage

WIDGETS = [{"apiGroups": ["shop.example.com"], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["*"]}]
FIELD = "spec.validations[0].expression"
SIZE = {"size": {"type": "integer"}}
COLOR = {"color": {"type": "string"}}

# An expression, what is said of it, the identifier, the same without the slip.
SLIPS = (
    ("!has(object.spec.pausedd)", "undefined field 'pausedd'", "undefined-field", "!has(object.spec.paused)"),
    ("!('pausedd' in object.spec)", "undefined field 'pausedd'", "undefined-field", "'paused' in object.spec"),
    (
        "request.operation != 'create' || object.spec.replicas > 1",
        "no operation is 'create'",
        "never-equal",
        "request.operation != 'CREATE' || object.spec.replicas > 1",
    ),
)


class ClaimsTest(stage.Case):
    def begin(self, *policies, scope="full"):
        """(server, events, process)"""
        server, events = self.server(), stage.Events()
        for each in policies:
            server.create(each)
        proxy = self.proxy(server.port)
        proxy.faults[stage.Events.PATH] = events
        process = self.controller(self.kubeconfig(proxy.url), f"--warnings-scope={scope}")
        for each in policies:
            server.settled(each["metadata"]["name"])
        return server, events, process

    def findings(self, process, identifier):
        metrics = stage.Metrics(process).read()
        return metrics.get(f'vapcheck_findings{{kind="ValidatingAdmissionPolicy",id="{identifier}"}}', 0)

    def valid(self, server, name):
        found = server.condition(name, "ExpressionsValid")
        return found["status"], found["reason"]

    def test_told_and_corrected(self):
        for expression, message, identifier, corrected in SLIPS:
            with self.subTest(expression):
                server, events, process = self.begin(stage.policy("p", expression))
                self.assertIn(message, server.warnings("p")[FIELD])
                self.assertEqual(self.valid(server, "p"), ("False", "OnlyWarnings"))
                self.assertIn(message, server.condition("p", "ExpressionsValid")["message"])
                stage.wait_for("its metric", lambda: self.findings(process, identifier) == 1)
                stage.wait_for("its event", lambda: events.told("p") == [("Warning", "WarningsFound")])
                self.assertTrue(events.events[0]["note"].startswith(f"[{identifier}] 1 of 1 expression: {FIELD}"))
                server.replace(stage.policy("p", corrected))
                server.settled("p")
                self.assertEqual(server.warnings("p"), {})
                self.assertEqual(self.valid(server, "p"), ("True", "NoWarnings"))
                stage.wait_for("its metric", lambda: self.findings(process, identifier) == 0)
                news = [("Warning", "WarningsFound"), ("Normal", "WarningsResolved")]
                stage.wait_for("its event", lambda: events.told("p") == news)

    def test_an_error_beside_it(self):
        server, _, _ = self.begin(stage.policy("p", SLIPS[0][0], "object.nope > 1"))
        self.assertEqual(len(server.warnings("p")), 2)
        self.assertEqual(self.valid(server, "p"), ("False", "WarningsFound"))

    def test_a_type_withdraws_it(self):
        """A new type that has the field withdraws it; when the type goes, it is back."""
        server, events, process = self.begin()
        server.create(stage.crd("widgets", "Widget", {"spec": {"type": "object", "properties": SIZE}}), stage.CRDS)
        slip = stage.policy("p", "!has(object.spec.sise)", matchConstraints={"resourceRules": WIDGETS})
        server.create(slip)
        stage.wait_for("a warning", lambda: "undefined field 'sise'" in server.warnings("p").get(FIELD, ""))
        other = {"spec": {"type": "object", "properties": {"sise": {"type": "integer"}}}}
        server.create(stage.crd("gizmos", "Gizmo", other), stage.CRDS)
        stage.wait_for("no warning", lambda: server.warnings("p") == {})
        self.assertEqual(self.valid(server, "p"), ("True", "NoWarnings"))
        stage.wait_for("its metric", lambda: self.findings(process, "undefined-field") == 0)
        server.request("DELETE", f"{stage.CRDS}/gizmos.shop.example.com")
        stage.wait_for("the warning again", lambda: "undefined field 'sise'" in server.warnings("p").get(FIELD, ""))
        told = [("Warning", "WarningsFound"), ("Normal", "WarningsResolved"), ("Warning", "WarningsFound")]
        stage.wait_for("the events", lambda: events.told("p") == told)

    def test_another_type_changes_nothing(self):
        server, _, process = self.begin()
        server.create(stage.crd("widgets", "Widget", {"spec": {"type": "object", "properties": SIZE}}), stage.CRDS)
        slip = stage.policy("p", "!has(object.spec.sise)", matchConstraints={"resourceRules": WIDGETS})
        server.create(slip)
        stage.wait_for("a warning", lambda: server.warnings("p"))
        server.create(
            stage.crd("gizmos", "Gizmo", {"spec": {"type": "object", "properties": {**SIZE, **COLOR}}}), stage.CRDS
        )
        stage.wait_for("both types", lambda: "Kind=Gizmo" in server.warnings("p")[FIELD])
        self.assertEqual(self.valid(server, "p"), ("False", "OnlyWarnings"))

    def test_upstream_has_none(self):
        """kube-controller-manager tells the first kind alone."""
        policies = [stage.policy(f"p{i}", slip[0]) for i, slip in enumerate(SLIPS)]
        server, _, _ = self.begin(*policies, scope="upstream")
        said = [server.warnings(f"p{i}").get(FIELD, "") for i in range(len(SLIPS))]
        self.assertEqual([slip[1] in text for slip, text in zip(SLIPS, said)], [True, False, False])


stage.main()
