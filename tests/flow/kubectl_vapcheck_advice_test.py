#!/usr/bin/env python3
"""kubectl-vapcheck check --select advice: what is no mistake for certain, and hardly meant."""

import unittest

import offline

LINE = len(offline.HEAD.splitlines()) + 1


def policy(*validations, variables=(), head=offline.HEAD):
    lines = [head]
    if variables:
        lines += ["  variables:\n", *(f"  - {{name: v{i}, expression: \"{v}\"}}\n" for i, v in enumerate(variables))]
    return "".join([*lines, "  validations:\n", *(f"  - expression: \"{v}\"\n" for v in validations)])


class AdviceTest(offline.Case):
    def advice(self, text, *args, status=0):
        """(identifier, line, message) of each advice."""
        self.write("p.yaml", text)
        found = self.read("p.yaml", "--select=default,advice", *args, status=status)["results"][0]["findings"]
        return [(f["id"], f["line"], f["message"]) for f in found if f["severity"] == "advice"]

    def test_it_is_not_reported_unless_selected(self):
        self.write("p.yaml", policy("has(object.spec.replica)"))
        answer = self.read("p.yaml")
        self.assertEqual((answer["results"][0]["findings"], answer.get("suppressed")), ([], None))
        for flags in (["--select=advice"], ["--select=absent-field"], ["--select=default,advice"]):
            answer = self.read("p.yaml", *flags)
            self.assertEqual([f["id"] for f in answer["results"][0]["findings"]], ["absent-field"])
        self.assertEqual(self.read("p.yaml", "--select=unused-variable")["results"][0]["findings"], [])
        self.write(".vapcheck.yaml", "select: [default, advice]\n")
        self.assertEqual(len(self.read("p.yaml")["results"][0]["findings"]), 1)

    def test_places(self):
        self.write("p.yaml", policy("true &&\n      has(object.spec.replica)").replace('"', "").replace(
            "expression: true", "expression: |-\n      true"))  # fmt: skip
        _, out, _ = self.check("p.yaml", "--select=advice")
        self.assertEqual(out.splitlines()[0], f"p.yaml:{LINE + 3}:10: p: advice: has() is always false: there is no field "
                                              "'replica' [absent-field]")  # fmt: skip

    def test_each(self):
        rows = (
            (policy("variables.v1", variables=["1", "true"]), [("unused-variable", LINE + 1, "no expression uses the variable 'v0'")]),
            (policy("!has(object.spec.replica)"), [("absent-field", LINE + 1, "has() is always false: there is no field 'replica'")]),
            (policy("!has(object.spec.replicas) && !has(object.metadata.labels.x)"), []),
        )  # fmt: skip
        for text, expected in rows:
            self.assertEqual(self.advice(text), expected)

    def test_fields_that_some_type_has(self):
        both = offline.HEAD.replace("[deployments]", "[deployments, statefulsets]")
        self.assertEqual(self.advice(policy("!has(object.spec.podManagementPolicy)", head=both)), [])
        self.assertEqual(len(self.advice(policy("!has(object.spec.podManagementPolicy)"))), 1)

    def test_types_that_are_not_known(self):
        """Nothing is said of fields where a type was not checked; of variables it is."""
        foreign = offline.HEAD + offline.HEAD.splitlines()[-1].replace("apps", "example.com").replace("deployments", "birds") + "\n"
        self.assertIn("example.com", foreign)
        text = policy("!has(object.spec.wings)", variables=["1"], head=foreign)
        self.assertEqual([a[0] for a in self.advice(text)], ["unused-variable"])

    def test_what_is_refused_is_not_advised_about(self):
        self.assertEqual(self.advice(policy("has(variables.a)"), status=1), [])

    def test_failures_that_are_ignored(self):
        ignore = offline.HEAD.replace("spec:\n", "spec:\n  failurePolicy: Ignore\n")
        said = [("failure-ignored", 5, "an expression fails, and Ignore lets the requests through")]
        self.assertEqual(self.advice(policy("object.replicas < 5", head=ignore), status=1), said)
        self.assertEqual(self.advice(policy("object.spec.replicas < 5", head=ignore)), [])
        self.assertEqual(self.advice(policy("object.replicas < 5"), status=1), [])
        # a comparison that is never true does not fail
        self.assertEqual(self.advice(policy("object.spec.replicas == '5'", head=ignore), status=1), [])

    def test_it_can_be_ignored(self):
        text = policy("has(object.spec.replica)")
        annotated = text.replace("{name: p}", "{name: p, annotations: {vapcheck/ignore: absent-field}}")
        self.assertEqual(self.advice(annotated), [])
        self.assertEqual(self.advice(text, "--ignore=absent-field"), [])
        self.assertEqual(self.advice(text.replace("  - expr", "  # vapcheck: ignore absent-field\n  - expr")), [])


if __name__ == "__main__":
    unittest.main()
