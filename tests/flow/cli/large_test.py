#!/usr/bin/env python3
"""Definitions in large files, whose trees are not kept: the answers are those about the same ones in small files."""

import json
import pathlib
import subprocess
import sys
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from offline import HEAD, PROGRAM, Case

SMALL, LARGE = 10, 300_000  # bytes of a description: with the second, no tree is kept
POLICY = HEAD[: HEAD.index("  matchConstraints")] + (
    "  matchConstraints: {resourceRules: [{apiGroups: [clean.example.com, plain.example.com],"
    " apiVersions: [v1], operations: [CREATE], resources: [xs]}]}\n"
    "  validations:\n  - expression: object.spec.k > 1\n"
)


def definition(group, rule=None, annotations="", name=None, schema="", description=SMALL):
    """A definition as a block of YAML, each as many lines whatever the description is."""
    rules = f"            x-kubernetes-validations:\n            - rule: {rule}\n" if rule else ""
    return (
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n"
        f"  name: {name or f'xs.{group}.example.com'}\n{annotations}"
        f"spec:\n  group: {group}.example.com\n  scope: Namespaced\n"
        "  names: {plural: xs, singular: x, kind: X, listKind: XList}\n"
        "  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n"
        f"        type: object\n        description: {'x' * description}\n        properties:\n          spec:\n"
        f"            type: object\n            properties:\n              a: {{type: integer{schema}}}\n"
        f"              b: {{type: integer}}\n{rules}"
    )


def definitions(description):
    """Every sort of definition: what is to be reported about it, and what of the text that needs."""

    def made(group, *args, **kwargs):
        return definition(group, *args, description=description, **kwargs)

    ignore = "  annotations: {vapcheck/ignore: optional-field}\n"
    return {
        "a-plain": made("aplain") + f"# {'x' * 14 * description}\n",
        "plain": made("plain"),
        "clean": made("clean", "'!has(self.a) || self.a > 1'"),
        "refused": made("refused", "self.m > 1"),
        "advised": made("advised", "self.a > self.b"),
        "ignored": made("ignored", "self.a > self.b", annotations=ignore),
        "unknown": made("unknown", "has(self.a)", annotations="  annotations: {vapcheck/ignore: no-such-finding}\n"),
        "skipped": made("skipped", "self.m > 1", annotations="  annotations: {vapcheck/skip: 'true'}\n"),
        "plainskipped": made("plainskipped", annotations="  annotations: {vapcheck/skip: 'true'}\n"),
        "warned": made("warned", schema=", format: nothing"),
        "comment": made("comment", "self.a > self.b  # vapcheck: ignore optional-field"),
        "unused": made("unused", "has(self.a)  # vapcheck: ignore optional-field"),
        "hidden": made("hidden", ">-\n                has(self.a) // why\n                && has(self.b)"),
        "static": made("static", "has(self.a)", name="xs.static.static.k8s.io"),
        "first": made("twice", "has(self.a)"),
        "second": made("twice", "has(self.b)"),
        "incomplete": made("incomplete", "has(self.a)").replace("plural: xs", "plural: ''"),
        "encrypted": made("encrypted", "self.m > 1") + "sops:\n  mac: a\n  lastmodified: b\n",
        "other": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
        "policy": POLICY,
    }


def listed(documents):
    """The documents as items of a list."""
    items = ("- " + text.replace("\n", "\n  ").rstrip() + "\n" for text in documents)
    return "apiVersion: v1\nkind: List\nitems:\n" + "".join(items)


class LargeTest(Case):
    def run_in(self, directory, *args, stdin=None):
        argv = [PROGRAM, "check", "--no-config", *args]
        done = subprocess.run(argv, capture_output=True, text=True, cwd=self.directory / directory, input=stdin)
        return done.returncode, done.stdout, done.stderr

    def assert_same(self, *args, **kwargs):
        """In both directories; returns the answer."""
        small, large = (self.run_in(directory, *args, **kwargs) for directory in ("small", "large"))
        self.assertEqual(small, large)
        return small

    def put(self, name, make):
        """make(documents): the text of the file."""
        for directory, description in (("small", SMALL), ("large", LARGE)):
            (self.directory / directory).mkdir(exist_ok=True)
            self.write(f"{directory}/{name}", make(definitions(description)))

    def test_one_file_each(self):
        for name in definitions(SMALL):
            self.put(f"{name}.yaml", lambda documents, name=name: documents[name])
        for args in (
            ["-o", "json"],
            ["-o", "text"],
            ["-o", "sarif"],
            ["--select", "default"],
            ["--kube-version", "1.31"],
        ):
            status, out, _ = self.assert_same(".", *args)
            self.assertEqual(status, 1)
        answer = json.loads(self.run_in("large", ".", "-o", "json")[1])
        found = {result["file"]: [finding["id"] for finding in result["findings"]] for result in answer["results"]}
        self.assertEqual(found["clean.yaml"], [])
        self.assertEqual(found["refused.yaml"], ["refused"])
        self.assertEqual(found["advised.yaml"], ["optional-field"])
        self.assertEqual(found["first.yaml"], [])
        self.assertEqual(found["second.yaml"], ["duplicate-object"])
        self.assertEqual(found["hidden.yaml"], ["hidden-by-comment"])
        self.assertIn("undefined-field", found["policy.yaml"])

    def test_one_file(self):
        """Comments for us, and a document that is encrypted, are of the whole file."""
        without = {"comment", "unused", "encrypted"}
        for name in ("all", "clean"):
            self.put(
                f"{name}.yaml",
                lambda documents, name=name: "---\n".join(
                    text for key, text in documents.items() if name == "all" or key not in without
                ),
            )
        for file in ("all.yaml", "clean.yaml"):
            for args in (["-o", "json"], ["-o", "text"]):
                self.assert_same(file, *args)
        self.assertNotIn("notRead", json.loads(self.run_in("large", "clean.yaml", "-o", "json")[1]))

    def test_a_list(self):
        keep = ("plain", "clean", "refused", "advised", "first", "second", "other", "policy")
        self.put("list.yaml", lambda documents: listed(documents[name] for name in keep))
        self.assertEqual(self.assert_same("list.yaml", "-o", "json")[0], 1)
        # items of what is no list are no objects, whatever stands before and behind them
        self.put(
            "odd.yaml",
            lambda documents: (
                listed([documents["clean"], documents["plain"]]).replace("kind: List", "kind: Odd")
                + "---\n"
                + documents["plain"]
                + "---\n"
                + documents["clean"]
                + "---\n"
                + POLICY
            ),
        )
        self.assertIn("undefined field 'k'", self.assert_same("odd.yaml", "-o", "json")[1])

    def test_standard_input(self):
        """It cannot be read again."""
        keep = ("plain", "clean", "refused", "first", "second", "policy")
        answers = []
        for description in (SMALL, LARGE):
            documents = definitions(description)
            text = "---\n".join(documents[name] for name in keep)
            answers.append(self.run_in(".", "-", "-o", "json", stdin=text))
        self.assertEqual(*answers)
        self.assertIn("duplicate-object", answers[0][1])

    def test_watched(self):
        """Files that are as new as these are not kept, and read as without --watch."""
        for name in ("clean", "refused", "advised", "first", "second", "policy"):
            self.put(f"{name}.yaml", lambda documents, name=name: f"{documents[name]}# {'x' * 5_000_000}\n")
        wanted = self.assert_same(".", "-o", "text")[1]
        child = subprocess.Popen(
            [PROGRAM, "check", "--no-config", "--watch", "."], cwd=self.directory / "large", stdout=subprocess.PIPE
        )
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        self.addCleanup(child.stdout.close)
        lines = iter(child.stdout.readline, b"Watching 6 files. Ctrl-C ends.\n")
        self.assertEqual(b"".join(lines).decode(), wanted)

    def test_corrections(self):
        """What --fix writes differs by the descriptions alone."""
        self.put("p.yaml", lambda documents: "---\n".join(documents.values()))
        for directory in ("small", "large"):
            text = (self.directory / directory / "p.yaml").read_text().replace("object.spec.k", "object.spek.a")
            text = text.replace("sops:", "other:").replace("vapcheck: ignore", "ignore")
            self.write(f"{directory}/p.yaml", text)
        self.assert_same("--diff", "p.yaml")
        self.assert_same("--fix", "p.yaml", "-o", "json")
        small, large = ((self.directory / d / "p.yaml").read_text() for d in ("small", "large"))
        self.assertEqual(small, large.replace("x" * LARGE, "x" * SMALL))
        self.assertTrue(small.endswith("object.spec.a > 1\n"), small[-100:])


if __name__ == "__main__":
    unittest.main()
