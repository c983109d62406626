#!/usr/bin/env python3
"""The main job on a real API server: policies in, status out."""

import threading

import harness
import upstream


class MainJobTest(harness.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.plane.apply(upstream.CRD)
        harness.wait_for(
            "the CRD's schema", lambda: "shop.example.com" in cls.plane.kubectl("get", "--raw", "/openapi/v3")
        )
        cls.documents = upstream.documents()
        cls.golden = upstream.golden()

    def is_golden(self, names):
        """Returns true if each of these has exactly upstream's warnings, for its newest generation."""
        policies = {p["metadata"]["name"]: p for p in self.plane.list("validatingadmissionpolicies")}
        for name in names:
            self.assertEqual(harness.expression_warnings(policies[name]), self.golden[name], name)
        return True

    def expect_golden(self, names, timeout=30):
        harness.wait_for("upstream's warnings", lambda: self.is_golden(names), timeout=timeout)

    def test_created_changed_and_deleted(self):
        """All policies; half of them existed before we did."""
        names = sorted(self.documents)
        first, second = names[::2], names[1::2]
        self.plane.apply("---\n".join(self.documents[n] for n in first))
        self.controller("--warnings-scope=upstream")
        self.expect_golden(first)
        self.plane.apply("---\n".join(self.documents[n] for n in second))
        self.expect_golden(names)

        # fifteen get the expressions of fifteen others
        for name, other in zip(names[:15], names[15:30]):
            renamed = self.documents[other].replace(f"  name: {other}\n", f"  name: {name}\n", 1)
            self.plane.kubectl("replace", "-f", "-", input=renamed)
        changed = {name: self.golden[other] for name, other in zip(names[:15], names[15:30])}

        def are_changed():
            for name, want in changed.items():
                policy = self.plane.get("validatingadmissionpolicy", name)
                self.assertEqual(harness.expression_warnings(policy), want, name)
            return True

        harness.wait_for("the warnings of the others", are_changed)
        self.plane.delete("validatingadmissionpolicies", *names[:20])
        self.expect_golden(names[30:])

    def test_conditions(self):
        self.controller()
        self.plane.apply(
            [
                harness.policy("wrong", "object.replicas > 1"),
                harness.policy("right", "object.spec.replicas > 1"),
                harness.policy("nowhere", "object.spec.replicas > 1", resource="deploymnets"),
            ]
        )
        for name, kind, status, reason in (
            ("wrong", "TypeChecked", "True", "AllTypesChecked"),
            ("wrong", "ExpressionsValid", "False", "WarningsFound"),
            ("right", "TypeChecked", "True", "AllTypesChecked"),
            ("right", "ExpressionsValid", "True", "NoWarnings"),
            ("nowhere", "TypeChecked", "False", "ResourceNotFound"),
            ("nowhere", "ExpressionsValid", "Unknown", "PartlyChecked"),
        ):
            found = harness.wait_for(f"{name}: {kind}", lambda: self.plane.condition(name, kind))
            self.assertEqual((found["status"], found["reason"]), (status, reason), f"{name}: {kind}")
            self.assertEqual(found["observedGeneration"], 1)
        self.assertIn("did you mean deployments?", self.plane.condition("nowhere", "TypeChecked")["message"])
        self.plane.kubectl(
            "wait", "--for=condition=ExpressionsValid", "validatingadmissionpolicy/right", "--timeout=5s"
        )

    def test_the_api_server_restarts(self):
        daemon = self.controller("--warnings-scope=upstream")
        names = sorted(self.documents)[:15]
        self.plane.apply("---\n".join(self.documents[n] for n in names[:8]))
        self.expect_golden(names[:8])
        self.plane.restart()
        self.plane.apply("---\n".join(self.documents[n] for n in names[8:]))
        self.expect_golden(names, timeout=harness.AFTER_OUTAGES_S)
        self.assertTrue(daemon.running())

    def test_deleted_while_checked(self):
        """Policies come and go while they are being checked: no status write of ours may revive or break one."""
        self.controller("--warnings-scope=upstream")
        names = sorted(self.documents)[:20]
        text = "---\n".join(self.documents[n] for n in names)
        for _ in range(3):
            applying = threading.Thread(
                target=self.plane.run_kubectl, args=("apply", "-f", "-"), kwargs={"input": text}
            )
            applying.start()
            # not waiting: a name that is deleted may be created again meanwhile
            self.plane.delete("validatingadmissionpolicies", "--wait=false", *names)
            applying.join()
            self.plane.delete("validatingadmissionpolicies", "--wait=false", *names)
        harness.wait_for("none is left", lambda: not self.plane.list("validatingadmissionpolicies"))
        self.plane.apply(text)
        self.expect_golden(names)
        # 504: a write that was given up under way, since its policy was deleted
        codes = {e["responseStatus"]["code"] for e in self.plane.writes() if "responseStatus" in e}
        self.assertLessEqual(codes, {200, 404, 409, 504})

    def test_a_second_run_writes_nothing(self):
        self.plane.apply("---\n".join(self.documents.values()))
        first = self.controller("--warnings-scope=upstream")
        self.expect_golden(sorted(self.documents))
        harness.wait_for("quiet", self.is_quiet(), period=2)
        first.stop()
        before = len(self.plane.writes())
        second = self.controller("--warnings-scope=upstream")
        harness.wait_for("it has read the policies", lambda: self.has_listed_since_start(second))
        harness.hold("no write", lambda: len(self.plane.writes()) == before, 8)

    def is_quiet(self):
        last = [None]

        def probe():
            count = len(self.plane.writes())
            same, last[0] = count == last[0], count
            return same

        return probe

    def has_listed_since_start(self, process):
        return process.running() and any(
            e["verb"] == "watch" and e["objectRef"]["resource"] == "validatingadmissionpolicies"
            for e in self.plane.requests()
        )


harness.main()
