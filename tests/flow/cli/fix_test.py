#!/usr/bin/env python3
"""kubectl-vapcheck check --fix and --diff: only the bytes of proved corrections change, in every form of YAML."""

import json
import os
import pathlib
import subprocess
import sys
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import stage
from offline import HEAD, Case

FINE = "  - expression: object.metadata.name != 'a' # kept\n"
# A validation with a mistake, and the same corrected: each form in which YAML writes a string.
FORMS = {
    "plain": ("  - expression: object.replicas > 1 # one\n", "  - expression: object.spec.replicas > 1 # one\n"),
    "single": (
        "  - expression: 'object.metadata.nme == ''b'' and true'\n",
        "  - expression: 'object.metadata.name == ''b'' && true'\n",
    ),
    "double": (
        '  - expression: "object.metadata.name.startswith(\\"a\\") \\n  || object.replicas > 1"\n',
        '  - expression: "object.metadata.name.startsWith(\\"a\\") \\n  || object.spec.replicas > 1"\n',
    ),
    "literal": (
        "  - expression: |\n      object.metadata.name == 'a' or\n\n        object.replicas > 1\n    message: m\n",
        "  - expression: |\n      object.metadata.name == 'a' ||\n\n        object.spec.replicas > 1\n    message: m\n",
    ),
    "folded": (
        "  - expression: >-\n      object.metadata.name == 'a'\n      or object.replicas > 1\n",
        "  - expression: >-\n      object.metadata.name == 'a'\n      || object.spec.replicas > 1\n",
    ),
    "lines": (
        "  - expression: object.metadata.name == 'a'\n      || object.replicas > 1\n",
        "  - expression: object.metadata.name == 'a'\n      || object.spec.replicas > 1\n",
    ),
    "flow": (
        "  - {expression: 'object.replicas > 1', message: m}\n",
        "  - {expression: 'object.spec.replicas > 1', message: m}\n",
    ),
    "anchor": (
        "  - expression: &x object.replicas > 1\n  - expression: *x\n",
        "  - expression: &x object.spec.replicas > 1\n  - expression: *x\n",
    ),
    "end": (
        "  - expression: |\n      (object.spec.replicas > 1\n",
        "  - expression: |\n      (object.spec.replicas > 1)\n",
    ),
}


def policy(*validations):
    return HEAD + "  validations:\n" + "".join(validations)


class FixTest(Case):
    def test_a_hint_stands_at_what_it_corrects(self):
        """Of two mistakes in an expression, the one that nobody can correct has none of it."""
        path = self.write(
            "p.yaml", policy("  - expression: object.spec.nothing == 'a' || object.metadata.nme == 'b'\n")
        )
        found = self.read("-f", path, status=1)["results"][0]["findings"]
        self.assertEqual([(f["column"], f.get("hint")) for f in found], [(29, None), (63, "did you mean 'name'?")])

    def fix(self, *args, status=0):
        answer, out, err = self.check("--fix", *args)
        self.assertEqual(answer, status, out + err)
        return err

    def test_forms(self):
        for name, (wrong, right) in FORMS.items():
            path = self.write(f"{name}.yaml", policy(FINE, wrong).replace("{name: p}", f"{{name: {name}}}"))
            self.fix(path)
            wanted = policy(FINE, right).replace("{name: p}", f"{{name: {name}}}")
            self.assertEqual(path.read_text(), wanted, name)
        before = {path: path.stat().st_mtime_ns for path in self.directory.iterdir()}
        self.assertEqual(self.fix("."), "")
        self.assertEqual(before, {path: path.stat().st_mtime_ns for path in self.directory.iterdir()})

    def test_other_bytes_stay(self):
        text = "# begin\r\n" + policy(FORMS["plain"][0]).replace("\n", "\r\n") + "---\r\n# \u00e9nd"
        path = self.write("p.yaml", "")
        path.write_bytes(b"\xef\xbb\xbf" + text.encode())
        path.chmod(0o640)
        link = self.directory / "link.yaml"
        link.symlink_to("p.yaml")
        self.fix("link.yaml")
        self.assertEqual(path.read_bytes(), b"\xef\xbb\xbf" + text.replace("object.rep", "object.spec.rep").encode())
        self.assertEqual(path.stat().st_mode & 0o777, 0o640)
        self.assertTrue(link.is_symlink())
        self.assertEqual(sorted(os.listdir(self.directory)), ["link.yaml", "p.yaml"])

    def test_a_guess_is_no_fix(self):
        """Nobody knows whether the author means to let such requests pass: it is shown, and written only if asked."""
        text = policy("  - expression: object.metadata.name != 'x'\n").replace("[CREATE]", "[CREATE, DELETE]")
        self.assertIn("DELETE", text)
        path = self.write("p.yaml", text)
        [found] = self.read("-f", path, status=1)["results"][0]["findings"]
        self.assertEqual(
            (found["hint"], "fixes" in found), ("did you mean \"request.operation == 'DELETE' || ...\"?", False)
        )
        self.assertEqual(self.fix(path, status=1), "")
        self.assertEqual(path.read_text(), text)
        self.assertIn("1 finding fixed in 1 file", self.fix(path, "--fix=unsafe"))
        guarded = text.replace("object.metadata", "request.operation == 'DELETE' || object.metadata")
        self.assertEqual(path.read_text(), guarded)
        self.assertEqual(self.check("--fix=unsave", path)[0], 2)

    def test_fixes_of_advice(self):
        wrong = "  - expression: object.metadata.annotations.team == '\u00e9' && object.metadata.name.startswith('a')\n"
        right = (
            "  - expression: (has(object.metadata.annotations) && has(object.metadata.annotations.team) && "
            "object.metadata.annotations.team == '\u00e9') && object.metadata.name.startsWith('a')\n"
        )
        path = self.write("p.yaml", policy(wrong))
        self.fix(path)
        self.assertEqual(path.read_text(), policy(wrong.replace("startswith", "startsWith")))
        path.write_text(policy(wrong))
        self.assertIn("fixed in 1 file", self.fix(path, "--fix=unsafe"))
        self.assertEqual(path.read_text(), policy(right))
        self.assertEqual(self.fix(path, "--fix=unsafe"), "")
        path.write_text(policy(wrong.replace("startswith", "startsWith")))
        self.assertEqual(self.fix(path, "--fix=unsafe", "--ignore", "optional-field"), "")
        self.assertEqual(self.fix(path, "--fix=unsafe", "--select", "default"), "")
        self.assertNotEqual(self.check("--diff=unsafe", path)[1], "")

    def test_fixes_of_each_advice(self):
        """In a block scalar, whose last line end stays where it is."""
        surge = "object.spec.strategy.rollingUpdate.maxSurge"
        patch = '[JSONPatch{op: "add", path: "/metadata/labels/team", value: "a"}]'
        parent = '[JSONPatch{op: "add", path: "/metadata/labels", value: {}}]'
        mutation = (
            policy("")
            .replace("Validating", "Mutating")
            .replace(
                "  validations:\n",
                "  reinvocationPolicy: Never\n  mutations:\n  - patchType: JSONPatch\n    jsonPatch:\n",
            )
        )
        for text, wrong, right in (
            (
                policy("  - expression: |\n      EXPRESSION\n"),
                f"{surge}.endsWith('%')",
                f"has(object.spec.strategy.rollingUpdate) && string({surge}).endsWith('%')",
            ),
            (
                mutation + "      expression: |\n        EXPRESSION\n",
                patch,
                f"(has(object.metadata.labels) ? [] : {parent}) + ({patch})",
            ),
        ):
            path = self.write("p.yaml", text.replace("EXPRESSION", wrong))
            self.assertIn("fixed in 1 file", self.fix(path, "--fix=unsafe"))
            self.assertEqual(path.read_text(), text.replace("EXPRESSION", right))
            self.assertEqual(self.fix(path, "--fix=unsafe"), "")

    def test_what_is_suppressed_stays(self):
        """A correction is of a whole expression: with a part of it suppressed, nothing of it is written."""
        text = policy("  - expression: object.metadata.nme != 'b'\n").replace("[CREATE]", "[CREATE, DELETE]")
        path = self.write("p.yaml", text)
        for ignored in ("undefined-field", "null-object"):
            self.assertEqual(self.fix(path, "--fix=unsafe", "--ignore", ignored, status=1), "")
            self.assertEqual(path.read_text(), text)
        self.fix(path, status=1)
        self.assertEqual(path.read_text(), text.replace("nme", "name"))
        path.write_text(text)
        self.fix(path, "--fix=unsafe")
        guarded = text.replace("object.metadata.nme", "request.operation == 'DELETE' || object.metadata.name")
        self.assertEqual(path.read_text(), guarded)

    def test_no_new_advice(self):
        """An error hides the advice about its own expression, which is not new; advice about another one is."""
        variable = "object.metadata.nme != '' ? object.metadata.labels : object.metadata.annotations"
        text = policy("  - expression: variables.m.team == 'a'\n").replace(
            "  validations:", f'  variables:\n  - {{name: m, expression: "{variable}"}}\n  validations:'
        )
        path = self.write("p.yaml", text)
        self.assertEqual(self.fix(path, status=1), "")
        self.assertEqual(path.read_text(), text)
        self.fix(path, "--select", "default")
        self.assertEqual(path.read_text(), text.replace(".nme", ".name"))
        own = policy("  - expression: object.metadata.nme != '' && object.metadata.labels.team == 'a'\n")
        path.write_text(own)
        self.fix(path)
        self.assertEqual(path.read_text(), own.replace(".nme", ".name"))

    def test_json(self):
        object_ = self.object_of(policy(FORMS["plain"][0]))
        object_["metadata"]["annotations"] = {"k": "\u00e9\\"}
        made = json.dumps(object_)
        path = self.write("p.json", made)
        self.fix(path)
        self.assertEqual(path.read_text(), made.replace("object.replicas", "object.spec.replicas"))

    def object_of(self, text):
        """The object of a file, as JSON has it."""
        rules = [{"apiGroups": ["apps"], "apiVersions": ["v1"], "resources": ["deployments"], "operations": ["CREATE"]}]
        expression = text.split("expression: ")[1].split(" #")[0]
        return {
            "apiVersion": "admissionregistration.k8s.io/v1",
            "kind": "ValidatingAdmissionPolicy",
            "metadata": {"name": "p"},
            "spec": {"matchConstraints": {"resourceRules": rules}, "validations": [{"expression": expression}]},
        }

    def test_only_what_is_certain(self):
        # two corrections are as good; nothing helps; what is suppressed is left alone
        kept = [
            "  - expression: object.spec.template.spec.containers.image == 'a'\n",
            "  - expression: object.spec.nonsense > 1\n",
            "  # vapcheck: ignore undefined-field\n  - expression: object.replicas > 3\n",
        ]
        path = self.write("p.yaml", policy(*kept))
        self.fix(path, status=1)
        self.assertEqual(path.read_text(), policy(*kept))

    def test_several_versions(self):
        # isSorted() is in all of them, semver() in the newest alone
        wrong = "  - expression: isSemver(object.metadata.nme)\n"
        path = self.write("p.yaml", policy(wrong))
        self.fix("--kube-version", "1.30,1.37", path, status=1)
        self.assertEqual(path.read_text(), policy(wrong.replace("nme", "name")))
        self.fix("--kube-version", "1.37", path)

    def test_definition(self):
        rule = "self.replcas > 1 and self.replicas < 5"
        spec = {"type": "object", "properties": {"replicas": {"type": "integer"}}}
        spec["x-kubernetes-validations"] = [{"rule": rule}]
        definition = stage.crd("widgets", "Widget", {"spec": spec}, group="example.com")
        path = self.write("d.json", definition)
        wanted = path.read_text().replace("replcas", "replicas").replace(" and ", " && ")
        self.fix(path)
        self.assertEqual(path.read_text(), wanted)

    def test_diff(self):
        path = self.write("p.yaml", policy(FINE, *(FORMS[name][0] for name in ("plain", "folded", "literal"))))
        before = path.read_text()
        status, out, _ = self.check("--diff", "p.yaml")
        self.assertEqual(status, 1)
        self.assertEqual(path.read_text(), before)
        subprocess.run(["patch", "-p1", "-s"], input=out, text=True, check=True, cwd=self.directory)
        patched = path.read_text()
        path.write_text(before)
        self.fix(path)
        self.assertEqual(path.read_text(), patched)
        self.assertEqual(self.check("--diff", "p.yaml")[:2], (0, ""))

    def test_refused(self):
        text = policy(FORMS["plain"][0])
        for args, words in (
            (["--fix", "-f", "-"], "no file that can be written"),
            (["--fix", "--diff", "p.yaml"], "cannot be used together"),
            (["--fix", "--write-baseline", "b", "p.yaml"], "--write-baseline"),
        ):
            status, _, err = self.check(*args, input=text)
            self.assertEqual(status, 2, err)
            self.assertIn(words, err)
        status, out, err = self.check("--diff", "-f", "-", input=text)
        self.assertEqual((status, "object.spec.replicas" in out), (1, True), err)
        path = self.write("p.yaml", text)
        os.link(path, pathlib.Path(self.directory, "q.yaml"))
        status, _, err = self.check("--fix", "p.yaml")
        self.assertEqual((status, "hard links" in err, path.read_text()), (2, True, text))

    def test_fixes_are_data(self):
        path = self.write("p.yaml", policy(FINE, FORMS["double"][0]))
        [result] = self.read(path, status=1)["results"]
        [finding] = [f for f in result["findings"] if "fixes" in f]
        lines = path.read_text().split("\n")
        for fix in finding["fixes"]:
            self.assertEqual(fix["line"], fix["endLine"])
            self.assertIn(
                lines[fix["line"] - 1][fix["column"] - 1 : fix["endColumn"] - 1], ("startswith", "replicas", "w", "")
            )
        self.assertEqual([fix["text"] for fix in finding["fixes"]], ["startsWith", "spec.replicas"])


if __name__ == "__main__":
    unittest.main()
