#!/usr/bin/env python3
"""Events on transitions; whatever becomes of them, the main job goes on."""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import stage


class EventsTest(stage.Case):
    def run_beside(self, fault, *policies):
        server = self.server()
        for each in policies:
            server.create(each)
        proxy = self.proxy(server.port)
        proxy.faults[stage.Events.PATH] = fault
        return server, proxy, self.controller(self.kubeconfig(proxy.url))

    def test_transitions(self):
        recorder = stage.Events()
        server, _, process = self.run_beside(recorder, stage.policy("p", "object.spec.replicas > 1"))
        self.assertEqual(server.warnings("p"), {})
        steps = (
            ("object.nope > 1", ("Warning", "WarningsFound")),
            ("object.nada > 1", ("Warning", "WarningsChanged")),
            ("object.spec.replicas > 2", ("Normal", "WarningsResolved")),
        )
        for expression, _ in steps:
            server.replace(stage.policy("p", expression))
            server.settled("p")
        wanted = [news for _, news in steps]
        stage.wait_for("the events", lambda: recorder.told("p") == wanted)
        server.create(stage.policy("nowhere", "true", resource="deploymnets"))
        stage.wait_for("its event", lambda: recorder.told("nowhere") == [("Warning", "ResourceNotFound")])
        server.create(stage.policy("fine", "true"))
        server.settled("fine")
        event = recorder.events[0]
        self.assertEqual(event["regarding"]["uid"], server.get("p")["metadata"]["uid"])
        self.assertEqual(
            event["note"],
            (
                "[undefined-field] 1 of 1 expression: spec.validations[0].expression (apps/v1 Deployment): "
                "undefined field 'nope'"
            ),
        )
        self.assertEqual(recorder.told("fine"), [])
        stage.wait_for(
            "the metrics", lambda: stage.Metrics(process).read()['vapcheck_events_total{result="sent"}'] == 4
        )

    def test_a_restart_tells_nothing_again(self):
        recorder = stage.Events()
        server, proxy, first = self.run_beside(recorder, stage.policy("p", "object.nope > 1"))
        stage.wait_for("its event", lambda: recorder.told("p") == [("Warning", "WarningsFound")])
        first.stop()
        second = self.controller(self.kubeconfig(proxy.url))
        stage.wait_for(
            "it checks", lambda: stage.Metrics(second).read().get('vapcheck_checks_total{trigger="policy"}', 0) > 0
        )
        stage.wait_for("it rests", lambda: stage.Metrics(second).quiet())
        self.assertEqual(len(recorder.events), 1)

    def test_no_storm(self):
        """A policy that changes all the time tells of it 25 times, and goes on being checked."""
        recorder = stage.Events()
        server, _, process = self.run_beside(recorder)
        server.create(stage.policy("p", "object.no0 > 1"))
        for i in range(1, 41):
            server.settled("p")
            server.replace(stage.policy("p", f"object.no{i} > 1"))
        self.assertIn("undefined field 'no40'", server.warnings("p")["spec.validations[0].expression"])
        stage.wait_for(
            "the metrics", lambda: stage.Metrics(process).read()['vapcheck_events_total{result="limited"}'] == 16
        )
        self.assertEqual(len(recorder.events), 25)

    def test_failures_change_nothing(self):
        bad = [stage.policy(f"p{i}", "object.nope > 1") for i in range(10)]
        for name, fault, result in (
            ("forbidden", stage.status(403, "we say no"), "forbidden"),
            ("broken", stage.reply(500, b"\0"), "failed"),
            ("silent", stage.hang, None),
        ):
            with self.subTest(name):
                server, proxy, process = self.run_beside(fault, *bad)
                for each in bad:
                    self.assertIn(
                        "undefined field 'nope'",
                        server.warnings(each["metadata"]["name"])["spec.validations[0].expression"],
                    )
                if result:
                    line = f'vapcheck_events_total{{result="{result}"}}'
                    stage.wait_for("all failed", lambda: stage.Metrics(process).read()[line] == 10)
                self.assertEqual(stage.ask(process, "/readyz"), (200, "ok"))
                self.assertEqual(process.log().count("may not create events"), 1 if name == "forbidden" else 0)
                process.stop(timeout=5)


stage.main()
