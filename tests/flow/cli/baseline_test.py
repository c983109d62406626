#!/usr/bin/env python3
"""kubectl-vapcheck check --write-baseline and --baseline: what was there before is not reported."""

import json
import pathlib
import sys
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import offline

BAD, WORSE = "object.spec.replica < 5", "object.spec.replica < 5 && object.spec.replicas == '5'"


def policy(*expressions, name="p"):
    lines = "".join(f"  - expression: {e}\n" for e in expressions)
    return offline.HEAD.replace("{name: p}", "{name: " + name + "}") + "  validations:\n" + lines


class BaselineTest(offline.Case):
    def write_baseline(self, *args, status=0):
        done = self.check("--write-baseline=old.json", *args)
        self.assertEqual(done[0], status, done)
        return json.loads((self.directory / "old.json").read_text())

    def ids(self, *args, status, suppressed, stale=0):
        answer = self.read("--baseline=old.json", *args, status=status)
        said = answer.get("suppressed", {"findings": 0, "stale": []})
        self.assertEqual((said["findings"], len(said["stale"])), (suppressed, stale))
        return [f["id"] for r in answer["results"] for f in r["findings"]]

    def test_what_is_written(self):
        self.write("p.yaml", policy(WORSE, BAD))
        first = {"object": "ValidatingAdmissionPolicy/p", "field": "spec.validations[0].expression"}
        undefined = {"id": "undefined-field", "subject": "replica", "message": "undefined field 'replica'"}
        self.assertEqual(
            self.write_baseline("p.yaml"),
            {
                "version": 2,
                "findings": [
                    {
                        "id": "never-equal",
                        "subject": "_==_ (int, string)",
                        "message": "found no matching overload for '_==_' applied to '(int, string)'",
                    }
                    | first,
                    undefined | first,
                    undefined | first | {"field": "spec.validations[1].expression"},
                ],
            },
        )
        text = (self.directory / "old.json").read_text()
        self.assertEqual(len(text.splitlines()), 5)
        self.write_baseline("p.yaml")
        self.assertEqual((self.directory / "old.json").read_text(), text)

    def test_what_was_there_is_not_reported(self):
        self.write("p.yaml", policy(BAD))
        self.write_baseline("p.yaml")
        self.assertEqual(self.ids("p.yaml", status=0, suppressed=1), [])
        # lines and files may change
        self.write("q.yaml", "# a comment\n\n" + policy(f"\n      {BAD}"))
        self.assertEqual(self.ids("q.yaml", status=0, suppressed=1), [])

    def test_a_reworded_message_changes_nothing(self):
        """The words are for readers: what is known again is the object, the field and what is wrong there."""
        self.write("p.yaml", policy(WORSE, "1 +").replace("[deployments]", "[deployments, deployment]"))
        written = self.write_baseline("p.yaml")
        self.assertEqual(
            {f["id"] for f in written["findings"]},
            {"never-equal", "undefined-field", "refused", "resource-not-served"},
        )
        for finding in written["findings"]:
            finding["message"] = "in other words"
        self.write("old.json", json.dumps(written))
        self.assertEqual(self.ids("p.yaml", status=0, suppressed=4), [])
        # another resource that nobody serves is new
        self.write("p.yaml", policy("1 < 2").replace("[deployments]", "[deployment]"))
        self.write_baseline("p.yaml")
        self.write("p.yaml", policy("1 < 2").replace("[deployments]", "[replicaset]"))
        self.assertEqual(self.ids("p.yaml", status=1, suppressed=0, stale=1), ["resource-not-served"])

    def test_what_is_new_is_reported(self):
        self.write("p.yaml", policy(BAD))
        self.write_baseline("p.yaml")
        self.write("p.yaml", policy(WORSE))
        self.assertEqual(self.ids("p.yaml", status=1, suppressed=1), ["never-equal"])
        self.write("q.yaml", policy(BAD, name="q"))
        self.assertEqual(self.ids("q.yaml", status=1, suppressed=0), ["undefined-field"])

    def test_what_no_longer_occurs_is_named(self):
        self.write("p.yaml", policy(BAD))
        self.write("q.yaml", policy(BAD, name="q"))
        self.write_baseline("p.yaml", "q.yaml")
        self.write("p.yaml", policy("object.spec.replicas < 5"))
        status, out, _ = self.check("p.yaml", "--baseline=old.json")
        self.assertEqual(
            (status, out),
            (
                0,
                "nothing found in 1 policy: 1 policy is clean (Kubernetes 1.37, built-in schemas). 1 entry of the "
                "baseline does not occur: undefined-field of ValidatingAdmissionPolicy/p in "
                "spec.validations[0].expression.\n",
            ),
        )
        # of q nothing is known
        self.assertEqual(self.ids("p.yaml", status=0, suppressed=0, stale=1), [])
        self.assertEqual(self.ids("p.yaml", "q.yaml", status=0, suppressed=1, stale=1), [])
        for form in ("github", "sarif", "junit"):
            self.assertIn(
                "1 entry of the baseline does not occur", self.check("p.yaml", "--baseline=old.json", "-o", form)[1]
            )

    def test_many_stale_entries(self):
        self.write("p.yaml", policy(*[BAD] * 7))
        self.write_baseline("p.yaml")
        self.write("p.yaml", policy("1 < 2"))
        _, out, _ = self.check("p.yaml", "--baseline=old.json")
        self.assertIn(" 7 entries of the baseline do not occur: ", out)
        self.assertTrue(out.endswith("spec.validations[4].expression; and more.\n"), out)

    def test_refusals(self):
        """A repository with one old object must be able to begin; a new refusal is reported."""
        self.write("p.yaml", policy("1 +", BAD))
        found = self.write_baseline("p.yaml")["findings"]
        self.assertEqual([f["id"] for f in found], ["refused", "undefined-field"])
        self.assertEqual(self.ids("p.yaml", status=0, suppressed=2), [])
        self.write("p.yaml", policy("1 + 2 +", BAD))
        self.assertEqual(self.ids("p.yaml", status=1, suppressed=1, stale=1), ["refused"])

    def test_how_many_are_written(self):
        self.write("p.yaml", policy("1 +", BAD))
        self.write("q.yaml", policy(BAD, name="q"))
        for args, said in (
            (["p.yaml", "q.yaml"], "3 findings were written to old.json\n"),
            (["q.yaml", "-o", "json"], "1 finding was written to old.json\n"),
            (["q.yaml", "-q"], ""),
        ):
            self.assertEqual(self.check("--write-baseline=old.json", *args)[2], said)

    def test_other_findings(self):
        """A rule that matches nothing; notes are not part of it."""
        self.write("p.yaml", policy("1 < 2").replace("[deployments]", "[deployment]"))
        self.write(
            "b.yaml",
            "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\n"
            "metadata: {name: b}\nspec: {policyName: elsewhere, validationActions: [Deny]}\n",
        )
        self.assertEqual(
            [f["id"] for f in self.write_baseline("p.yaml", "b.yaml")["findings"]], ["resource-not-served"]
        )
        self.assertEqual(
            self.ids("p.yaml", "b.yaml", status=0, suppressed=1), ["policy-not-bound", "policy-not-among-files"]
        )

    def test_ignored_findings_are_no_part_of_it(self):
        self.write("p.yaml", policy(WORSE))
        found = self.write_baseline("p.yaml", "--ignore=never-equal")["findings"]
        self.assertEqual([f["id"] for f in found], ["undefined-field"])

    def test_versions(self):
        self.write("p.yaml", policy(BAD))
        args = ("p.yaml", "--kube-version=1.35-1.36", "--matrix")
        self.write_baseline(*args)
        status, out, _ = self.check(*args, "--baseline=old.json")
        self.assertEqual((status, out.splitlines()[1].split()[-4:-2]), (0, ["clean", "clean"]))
        self.assertEqual(self.check(*args)[0], 1)

    def test_errors(self):
        self.write("p.yaml", policy(BAD))
        rows = (
            ("{", "old.json: "), ("[]", "old.json: this is no baseline of version 2"),
            ('{"version": 1, "findings": []}', "old.json: this is no baseline of version 2; --write-"),
            ('{"version": 2, "findings": [{"id": "no-such"}]}', 'old.json: findings[0]: "no-such" is no finding'),
        )  # fmt: skip
        for text, message in rows:
            self.write("old.json", text)
            status, out, err = self.check("p.yaml", "--baseline=old.json")
            self.assertEqual((status, out), (2, ""))
            self.assertIn(f"kubectl-vapcheck check: {message}", err)
        self.assertEqual(self.check("p.yaml", "--baseline=nowhere.json")[0], 2)
        self.assertEqual(self.check("p.yaml", "--write-baseline=nowhere/x.json")[0], 2)
        status, _, err = self.check("p.yaml", "--baseline=old.json", "--write-baseline=x.json")
        self.assertEqual(
            (status, err), (2, "kubectl-vapcheck check: --baseline and --write-baseline cannot be used together\n")
        )


if __name__ == "__main__":
    unittest.main()
