#!/usr/bin/env python3
"""kubectl-vapcheck check --select advice: what is no mistake for certain, and hardly meant."""

import unittest

import offline

LIMIT = (
    "there may be more of this advice: the search for requests that make the expressions fail was not "
    "finished, since it takes too much work"
)
LINE = len(offline.HEAD.splitlines()) + 1


def policy(*validations, variables=(), head=offline.HEAD):
    lines = [head]
    if variables:
        lines += ["  variables:\n", *(f'  - {{name: v{i}, expression: "{v}"}}\n' for i, v in enumerate(variables))]
    return "".join([*lines, "  validations:\n", *(f'  - expression: "{v}"\n' for v in validations)])


class AdviceTest(offline.Case):
    def advice(self, text, *args, status=0):
        """(identifier, line, message) of each advice."""
        self.write("p.yaml", text)
        found = self.read("p.yaml", "--select=default,advice", *args, status=status)["results"][0]["findings"]
        return [(f["id"], f["line"], f["message"]) for f in found if f["severity"] == "advice"]

    def test_it_is_not_reported_unless_selected(self):
        self.write("p.yaml", policy("true", variables=["1"]))
        answer = self.read("p.yaml")
        self.assertEqual((answer["results"][0]["findings"], answer.get("suppressed")), ([], None))
        for flags in (["--select=advice"], ["--select=unused-variable"], ["--select=default,advice"]):
            answer = self.read("p.yaml", *flags)
            self.assertEqual([f["id"] for f in answer["results"][0]["findings"]], ["unused-variable"])
        self.assertEqual(self.read("p.yaml", "--select=undefined-field")["results"][0]["findings"], [])
        self.write(".vapcheck.yaml", "select: [default, advice]\n")
        self.assertEqual(len(self.read("p.yaml")["results"][0]["findings"]), 1)

    def test_places(self):
        self.write("p.yaml", policy("variables.v1", variables=["1", "true"]))
        _, out, _ = self.check("p.yaml", "--select=advice")
        self.assertEqual(
            out.splitlines()[0],
            f"p.yaml:{LINE + 1}:29: p: advice: no expression uses the variable 'v0' [unused-variable]",
        )

    def test_each(self):
        self.assertEqual(
            self.advice(policy("variables.v1", variables=["1", "true"])),
            [("unused-variable", LINE + 1, "no expression uses the variable 'v0'")],
        )
        self.assertEqual(self.advice(policy("variables.v0 > 0", variables=["1"])), [])

    def fields(self, *validations, variables=()):
        """The names of the fields that advice says may be missing."""
        found = self.advice(policy(*validations, variables=variables))
        return [message.split("'")[1] for identifier, _, message in found if identifier == "optional-field"]

    def test_optional_fields(self):
        spec = "object.spec.template.spec"
        self.assertEqual(
            self.fields(f"{spec}.containers.all(c, c.securityContext.privileged == false)"),
            ["privileged", "securityContext"],
        )
        self.assertEqual(self.fields(f"{spec}.hostNetwork == false"), ["hostNetwork"])
        self.assertEqual(self.fields("object.metadata.labels['a'] == 'x'"), ["a", "labels"])
        self.assertEqual(self.fields("size(variables.v0) < 3", variables=[f"{spec}.volumes"]), ["volumes"])

    def test_fields_that_are_asked_for(self):
        self.assertEqual(self.fields("!has(object.metadata.labels) || size(object.metadata.labels) < 3"), [])
        self.assertEqual(self.fields("size(object.metadata.?labels.orValue({})) < 3"), [])
        self.assertEqual(self.fields("size(object.metadata.labels) < 3", "has(object.metadata.labels)"), [])

    def test_fields_that_are_always_there(self):
        self.assertEqual(
            self.fields("object.spec.replicas < 5 && object.metadata.name != 'x' && object.kind == 'Deployment'"), []
        )
        self.assertEqual(
            self.fields("object.spec.template.spec.containers.all(c, c.image != 'x' && c.imagePullPolicy != 'Always')"),
            [],
        )
        self.assertEqual(self.fields("size(object.spec.template.metadata.labels) < 9"), [])

    def test_fields_that_no_request_lacks_when_they_are_read(self):
        """Another operand, or a match condition, keeps evaluation from an object without the field."""
        self.assertEqual(self.fields("object.spec.paused || true"), [])
        self.assertEqual(self.fields("false && object.spec.paused"), [])

    def test_a_search_that_is_too_much_work(self):
        """Each request that is tried pays for the nested macros; then the search ends, and says so."""
        numbers = str(list(range(1, 31)))
        costly = f"{numbers}.all(a, {numbers}.all(b, {numbers}.all(c, a + b + c > 0)))"
        text = policy(costly, *["object.spec.paused == true"] * 300)
        *found, last = self.advice(text)
        self.assertEqual(last, ("optional-field", 1, LIMIT))
        self.assertTrue(0 < len(found) < 300, len(found))
        self.assertEqual(self.advice(text, "--ignore=optional-field"), [])

    def test_types_that_are_not_known(self):
        foreign = (
            offline.HEAD
            + offline.HEAD.splitlines()[-1].replace("apps", "example.com").replace("deployments", "birds")
            + "\n"
        )
        self.assertIn("example.com", foreign)
        self.assertEqual(
            [a[0] for a in self.advice(policy("true", variables=["1"], head=foreign))], ["unused-variable"]
        )

    def test_what_is_refused_is_not_advised_about(self):
        self.assertEqual(self.advice(policy("true", variables=["1 +"]), status=1), [])

    def test_it_can_be_ignored(self):
        text = policy("true", variables=["1"])
        annotated = text.replace("{name: p}", "{name: p, annotations: {vapcheck/ignore: unused-variable}}")
        self.assertEqual(self.advice(annotated), [])
        self.assertEqual(self.advice(text, "--ignore=unused-variable"), [])
        self.assertEqual(self.advice(text.replace("  - {name", "  # vapcheck: ignore unused-variable\n  - {name")), [])


if __name__ == "__main__":
    unittest.main()
