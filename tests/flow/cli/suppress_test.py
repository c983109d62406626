#!/usr/bin/env python3
"""kubectl-vapcheck check: what of the findings is not reported, and how that is counted."""

import json
import pathlib
import sys
import unittest
import xml.etree.ElementTree

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import offline

# A policy with an undefined field (line 8, or 10 in a block) and a comparison of what is never equal.
WRONG = (
    offline.HEAD
    + "  validations:\n  - expression: object.spec.replica < 5\n  - expression: object.spec.replicas == '5'\n"
)
BLOCK = offline.HEAD + "  validations:\n@  - expression: |-\n      true &&\n      object.spec.replica < 5\n"
REFUSED = offline.HEAD + "  validations:\n  - expression: 1 +\n"


def annotated(text, **annotations):
    pairs = ", ".join(f'vapcheck/{name}: "{value}"' for name, value in annotations.items())
    return text.replace("{name: p}", "{name: p, annotations: {" + pairs + "}}")


class Case(offline.Case):
    def ids(self, *args, status, suppressed=0, objects=0):
        """The identifiers that are reported."""
        answer = self.read(*args, status=status)
        expected = (
            {"findings": suppressed, "objects": objects, "paths": 0, "stale": []} if suppressed + objects else None
        )
        self.assertEqual(answer.get("suppressed"), expected)
        return [f["id"] for r in answer["results"] for f in r["findings"]] + [f["id"] for f in answer["findings"]]


class FlagsTest(Case):
    def test_ignore(self):
        self.write("p.yaml", WRONG)
        self.assertEqual(self.ids("p.yaml", status=1), ["undefined-field", "never-equal"])
        self.assertEqual(self.ids("p.yaml", "--ignore", "never-equal", status=1, suppressed=1), ["undefined-field"])
        self.assertEqual(self.ids("p.yaml", "--ignore", "never-equal, undefined-field", status=0, suppressed=2), [])
        self.assertEqual(
            self.ids("p.yaml", "--ignore=never-equal", "--ignore=undefined-field", status=0, suppressed=2), []
        )

    def test_select(self):
        self.write("p.yaml", WRONG)
        self.assertEqual(self.ids("p.yaml", "--select", "never-equal", status=1, suppressed=1), ["never-equal"])
        self.assertEqual(self.ids("p.yaml", "--select", "no-fields", status=0, suppressed=2), [])
        self.assertEqual(self.ids("p.yaml", "--select", "default", status=1), ["undefined-field", "never-equal"])
        self.assertEqual(self.ids("p.yaml", "--select", "default", "--ignore", "never-equal", status=1, suppressed=1),
                         ["undefined-field"])  # fmt: skip

    def test_what_hides_nothing(self):
        """What is refused, cannot be read or was not checked is reported whatever is selected."""
        self.write("refused.yaml", REFUSED)
        self.write("broken.yaml", "a: [\n")
        self.write("foreign.yaml", WRONG.replace("[apps]", "[example.com]"))
        select = ("--select", "never-equal")
        self.assertEqual(self.ids("refused.yaml", *select, status=1), ["refused"])
        self.assertEqual(self.ids("broken.yaml", *select, status=1), ["unreadable-file"])
        self.assertEqual(self.ids("foreign.yaml", *select, status=0), ["not-fully-checked"])
        self.write("none.yaml", "kind: ConfigMap\n")
        self.assertEqual(self.ids("none.yaml", *select, status=0), ["nothing-checked"])
        for name in ("refused", "unreadable-file", "limit-reached", "unknown-identifier"):
            status, _, err = self.check("refused.yaml", "--ignore", name)
            self.assertEqual((status, err), (2, f"kubectl-vapcheck check: --ignore: {name} cannot be ignored: it is "
                                                "always reported\n"))  # fmt: skip

    def test_what_was_not_checked_is_never_clean(self):
        self.write("foreign.yaml", WRONG.replace("[apps]", "[example.com]"))
        _, out, _ = self.check("foreign.yaml", "--ignore", "not-fully-checked")
        self.assertEqual(
            out,
            "nothing found in 1 policy: 1 policy is not fully checked (Kubernetes 1.37, built-in schemas). "
            "1 finding suppressed.\n",
        )
        self.assertEqual(self.check("foreign.yaml", "--fail-on=unchecked")[0], 1)
        self.assertEqual(self.check("foreign.yaml", "--fail-on=unchecked", "--ignore=not-fully-checked")[0], 0)

    def test_unknown_identifiers(self):
        self.write("p.yaml", WRONG)
        for flag in ("--select", "--ignore"):
            status, _, err = self.check("p.yaml", flag, "never-equals")
            self.assertEqual(
                (status, err),
                (2, f'kubectl-vapcheck check: {flag}: "never-equals" is no finding, did you mean never-equal?\n'),
            )

    def test_other_findings_than_of_expressions(self):
        self.write("p.yaml", WRONG.replace("object.spec.replica ", "object.spec.replicas ").replace("== '5'", "== 5")
                   .replace("[deployments]", "[deployment]"))  # fmt: skip
        self.assertEqual(self.ids("p.yaml", status=1), ["resource-not-served"])
        self.assertEqual(self.ids("p.yaml", "--ignore=resource-not-served", status=0, suppressed=1), [])

    def test_versions(self):
        """In a table of versions the same is left out."""
        self.write("p.yaml", WRONG)
        args = ("p.yaml", "--kube-version=1.35,1.36", "--matrix")
        self.assertIn("warnings", self.check(*args)[1])
        status, out, _ = self.check(*args, "--ignore=never-equal,undefined-field")
        self.assertEqual((status, out.splitlines()[1].split()[-4:]), (0, ["clean", "clean", "-", "1.35"]))
        self.assertEqual(out.splitlines()[2:], ["1 object on 2 versions; 2 findings suppressed"])
        answer = self.read(*args, "--ignore=never-equal", status=1)
        self.assertEqual(answer["suppressed"]["findings"], 1)
        self.assertEqual([w["id"] for w in answer["results"][0]["versions"][0]["warnings"]], ["undefined-field"])


class AnnotationsTest(Case):
    def test_ignore(self):
        self.write("p.yaml", annotated(WRONG, ignore="undefined-field"))
        answer = self.read("p.yaml", status=1)
        result = answer["results"][0]
        self.assertEqual([f["id"] for f in result["findings"]], ["never-equal"])
        self.assertEqual([w["fieldRef"] for w in result["expressionWarnings"]], ["spec.validations[1].expression"])
        self.assertEqual(answer["suppressed"]["findings"], 1)
        self.write("p.yaml", annotated(WRONG, ignore="undefined-field,never-equal"))
        valid = [c for c in self.read("p.yaml")["results"][0]["conditions"] if c["type"] == "ExpressionsValid"][0]
        self.assertEqual(
            (valid["status"], valid["message"]), ("True", "no warnings besides those that vapcheck/ignore names")
        )

    def test_flags_do_not_change_what_the_controller_writes(self):
        self.write("p.yaml", annotated(WRONG, ignore="undefined-field"))
        result = self.read("p.yaml", "--ignore=never-equal")["results"][0]
        self.assertEqual(result["findings"], [])
        self.assertEqual([w["fieldRef"] for w in result["expressionWarnings"]], ["spec.validations[1].expression"])
        self.assertIn(("ExpressionsValid", "False"), [(c["type"], c["status"]) for c in result["conditions"]])

    def test_one_of_two_in_an_expression(self):
        self.write(
            "p.yaml",
            offline.HEAD + "  validations:\n  - expression: object.spec.replica < 5 && object.spec.replicas == '5'\n",
        )
        _, out, _ = self.check("p.yaml", "--ignore=undefined-field")
        self.assertNotIn("undefined field", out)
        self.assertIn("warning[never-equal]: ", out)
        self.assertIn("1 finding suppressed", out)

    def test_unknown(self):
        self.write("p.yaml", annotated(WRONG, ignore="undefined-field,never-equals"))
        found = self.read("p.yaml", status=1)["results"][0]["findings"]
        wrong = [f for f in found if f["id"] == "unknown-identifier"][0]
        self.assertEqual((wrong["message"], wrong["line"], wrong["severity"]),
                         ('"never-equals" is no finding, did you mean never-equal?', 3, "error"))  # fmt: skip
        self.assertEqual([f["id"] for f in found if f != wrong], ["never-equal"])

    def test_skip(self):
        self.write("p.yaml", annotated(REFUSED, skip="true"))
        self.assertEqual(self.ids("p.yaml", status=0, objects=1), [])
        self.write("p.yaml", annotated(REFUSED, skip="yes"))
        self.assertEqual(self.ids("p.yaml", status=1), ["refused"])

    def test_a_binding_of_a_skipped_policy_has_its_policy(self):
        self.write("p.yaml", annotated(REFUSED, skip="true") +
                   "---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\n"
                   "metadata: {name: b}\nspec: {policyName: p, validationActions: [Deny]}\n")  # fmt: skip
        self.assertEqual(self.ids("p.yaml", status=0, objects=1), [])


class CommentsTest(Case):
    def comment(self, comment, line="  - expression: object.spec.replica < 5\n", text=WRONG):
        self.assertIn(line, text)
        self.write("p.yaml", text.replace(line, comment + line))

    def test_the_line_below(self):
        self.comment("  # vapcheck: ignore undefined-field\n")
        self.assertEqual(self.ids("p.yaml", status=1, suppressed=1), ["never-equal"])
        self.comment("#vapcheck:ignore never-equal, undefined-field   the CRD is not ours\n  # more about it\n")
        self.assertEqual(self.ids("p.yaml", status=1, suppressed=1), ["never-equal", "unused-ignore"])

    def test_other_places(self):
        """Another finding and another line are not meant, which is said of the comment."""
        for comment in ("  # vapcheck: ignore never-equal\n", "  # vapcheck: ignore undefined-field\n\n"):
            self.comment(comment)
            self.assertEqual(self.ids("p.yaml", status=1), ["undefined-field", "never-equal", "unused-ignore"])

    def test_at_the_end_of_a_line(self):
        rows = (
            WRONG.replace("< 5\n", "< 5 # vapcheck: ignore undefined-field\n"),
            WRONG.replace("< 5\n", "< 5\t#vapcheck:ignore undefined-field  because of this and that\n"),
            WRONG.replace("object.spec.replica < 5\n",
                          "'object.spec.replica < 5' # vapcheck: ignore undefined-field\n"),
            WRONG.replace("- expression: object.spec.replica < 5\n",
                          "- {expression: object.spec.replica < 5} # why # vapcheck: ignore undefined-field\n"),
            WRONG.replace("object.spec.replica < 5\n",
                          "|- # vapcheck: ignore undefined-field\n      true &&\n      object.spec.replica < 5\n"),
        )  # fmt: skip
        for text in rows:
            self.write("p.yaml", text)
            self.assertEqual(self.ids("p.yaml", status=1, suppressed=1), ["never-equal"], text)
        rows = (
            WRONG.replace("object.spec.replica < 5\n",
                          "\"object.spec.replica < 5 && '# vapcheck: ignore undefined-field' != ''\"\n"),
            WRONG.replace("< 5\n", "< 5#vapcheck: ignore undefined-field\n").replace("replica <", "replicas <"),
        )  # fmt: skip
        for text in rows:
            self.write("p.yaml", text)
            self.assertNotIn("suppressed", self.read("p.yaml", status=1))

    def test_inside_a_block(self):
        """There it is a part of the expression, which the API server refuses; a hint says where to write it."""
        self.write(
            "p.yaml", BLOCK.replace("@", "").replace("true &&", "# vapcheck: ignore undefined-field\n      true &&")
        )
        _, out, _ = self.check("p.yaml")
        self.assertIn("= a # inside a text of several lines begins no comment: write the comment above the field", out)

    def test_one_that_suppresses_nothing(self):
        good = WRONG.replace("replica <", "replicas <").replace("'5'", "5")
        line = "  - expression: object.spec.replicas < 5"
        self.write("p.yaml", good.replace(line, line + " # vapcheck: ignore never-equal, undefined-field"))
        [found] = self.read("p.yaml")["results"][0]["findings"]
        self.assertEqual((found["id"], found["severity"], found["line"], found["column"], found["message"]),
                         ("unused-ignore", "advice", 9, 42, "the comment suppresses nothing: line 9 has no finding "
                          "undefined-field, never-equal"))  # fmt: skip
        self.assertEqual(self.check("p.yaml", "--fail-on=advice")[0], 1)
        # one of two is used
        self.write("p.yaml", WRONG.replace("< 5\n", "< 5 # vapcheck: ignore never-equal, undefined-field\n"))
        found = self.read("p.yaml", status=1)["results"][0]["findings"]
        self.assertEqual([f["message"].split()[-1] for f in found if f["id"] == "unused-ignore"], ["never-equal"])
        # what nobody looked for, or could not look for, is not known
        for text, args in (
            (good.replace(line, line + " # vapcheck: ignore optional-field"), ["--select=default"]),
            (good.replace(line, line + " # vapcheck: ignore undefined-field"), ["--ignore", "unused-ignore"]),
            (good.replace(line, line + " # vapcheck: ignore undefined-field"), ["--select", "never-equal"]),
            (good.replace(line, line + " # vapcheck: ignore undefined-field"), ["--warnings-scope", "upstream"]),
            (WRONG.replace("< 5\n", "< 5 # vapcheck: ignore undefined-field\n"), ["--ignore", "undefined-field"]),
        ):
            self.write("p.yaml", text)
            status, out, _ = self.check("p.yaml", *args)
            self.assertNotIn("unused-ignore", out, (text, args))
        self.write("p.yaml", good.replace(line, "  - expression: 1 + # vapcheck: ignore undefined-field"))
        self.assertEqual(self.ids("p.yaml", status=1), ["refused"])

    def test_the_whole_expression(self):
        self.write("p.yaml", BLOCK.replace("@", "  # vapcheck: ignore undefined-field\n"))
        self.assertEqual(self.ids("p.yaml", status=0, suppressed=1), [])

    def test_text_is_no_comment(self):
        for name in ("undefined-feild", "undefined-field"):
            note = f"metadata:\n  annotations:\n    note: |\n      # vapcheck: ignore {name}\n  name: p\n"
            self.write("p.yaml", BLOCK.replace("@", "").replace("metadata: {name: p}\n", note))
            self.assertEqual(self.ids("p.yaml", status=1), ["undefined-field"])
            text = BLOCK.replace("@", "").replace("true &&", f"# vapcheck: ignore {name}")
            self.write("p.yaml", text)
            self.assertEqual(self.ids("p.yaml", status=1), ["refused"])

    def test_what_is_no_expression(self):
        rules = "    - {apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE]}\n"
        self.comment("    # vapcheck: ignore resource-not-served\n", rules.replace("deployments", "deployment"),
                     WRONG.replace("deployments", "deployment"))  # fmt: skip
        self.assertEqual(self.ids("p.yaml", status=0, suppressed=1), [])

    def test_unknown(self):
        rows = (
            ("ignore undefined-feild", '"undefined-feild" is no finding, did you mean undefined-field?'),
            ("ignore", "no finding is named: write identifiers, as in undefined-field,never-equal"),
            ("ignore refused", "refused cannot be ignored: it is always reported"),
            ("ingore undefined-field", '"ingore" means nothing, did you mean ignore?'),
        )
        for text, message in rows:
            self.comment(f"  # vapcheck: {text}\n")
            found = self.read("p.yaml", status=1)["results"][0]["findings"]
            wrong = [(f["line"], f["column"], f["message"]) for f in found if f["id"] == "unknown-identifier"]
            self.assertEqual(wrong, [(9, 3, message)])
        self.comment("  # vapcheck: this one is checked by hand\n")
        self.assertEqual(self.ids("p.yaml", status=1), ["undefined-field", "never-equal"])

    def test_of_several_objects(self):
        """What is wrong with a comment is said with the object that it is about, once."""
        bad = "# vapcheck: ignore nothing-such\n"
        self.write("p.yaml", WRONG + "---\n" + bad + WRONG.replace("name: p", "name: q"))
        results = self.read("p.yaml", status=1)["results"]
        self.assertEqual([[f["id"] for f in r["findings"]].count("unknown-identifier") for r in results], [0, 1])


class SummaryTest(Case):
    def test_each_format_counts(self):
        self.write("p.yaml", WRONG)
        self.write("q.yaml", annotated(WRONG, skip="true"))
        said = "2 findings suppressed, 1 object skipped by its annotation"
        args = ("p.yaml", "q.yaml", "--ignore=never-equal,undefined-field", "-o")
        self.assertEqual(
            self.check(*args, "text"), (
            0, f"nothing found in 1 policy: 1 policy is clean (Kubernetes 1.37, built-in schemas). {said}.\n", "",
        ))  # fmt: skip
        self.assertEqual(self.check(*args, "github"), (0, f"::notice title=suppressed::{said}\n", ""))
        sarif = json.loads(self.check(*args, "sarif")[1])["runs"][0]
        notes = [n["message"]["text"] for n in sarif["invocations"][0]["toolExecutionNotifications"]]
        self.assertEqual((notes, sarif["results"]), ([said], []))
        suites = xml.etree.ElementTree.fromstring(self.check(*args, "junit")[1])
        self.assertEqual([s.get("message") for s in suites.iter("skipped")], [said])

    def test_nothing_is_said_of_nothing(self):
        self.write("p.yaml", WRONG)
        for form in ("text", "json", "sarif", "junit", "github"):
            self.assertNotIn("suppressed", self.check("p.yaml", "-o", form)[1])


if __name__ == "__main__":
    unittest.main()
