#!/usr/bin/env python3
"""kubectl-vapcheck check: flags, inputs, schemas and output formats, with no cluster."""

import gzip
import hashlib
import json
import os
import pathlib
import pty
import re
import shutil
import subprocess
import sys
import time
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import stage
from offline import HEAD, PROGRAM, Case, read_terminal

EXAMPLES = stage.SOURCE / "manifests/examples"
WRONG = "object.replicas > 1"
RIGHT = "object.spec.replicas > 1"


def said(output, schemas):
    """What the JSON says but for the schemas, which it must name."""
    output = json.loads(output) if isinstance(output, (bytes, str)) else dict(output)
    del output["kubeVersion"]
    if output.pop("schemas") != schemas:
        raise AssertionError(f"the schemas are not those of a {schemas}")
    return output


class SchemasTest(Case):
    def test_bundled(self):
        """No schemas are named: those in the program, which are those of the file."""
        bundled = self.read("-f", EXAMPLES / "replicas.yaml", status=1)
        self.assertIn("undefined field 'replicas'", bundled["results"][0]["expressionWarnings"][0]["warning"])
        read = self.read("--schemas", stage.SCHEMAS, "-f", EXAMPLES / "replicas.yaml", status=1)
        self.assertEqual(said(bundled, "bundle"), said(read, "directory"))

    def test_kube_version(self):
        path = self.write("p.json", stage.policy("p", RIGHT))
        for version in ("1.37", "v1.36"):
            self.read("--kube-version", version, "-f", path)
        status, out, err = self.check("--kube-version", "1.5", "-f", path)
        self.assertEqual((status, out), (2, ""))
        self.assertRegex(err, r'the program has no schemas of "1\.5"; it has those of:.* 1\.37 1\.38\n')
        status, out, err = self.check("--kube-version", "1.36", "--schemas", stage.SCHEMAS, "-f", path)
        self.assertEqual((status, out), (2, ""))
        self.assertIn("cannot be used together", err)

    def test_beta(self):
        """What is said of a version that is not released has a note, and no command takes it by itself."""
        path = self.write("p.json", stage.policy("p", "objct.spec.replicas > 1"))
        near = "undeclared reference to 'objct' (did you mean 'object'?)"
        for arguments, is_beta in (
            ([], False),
            (["--kube-version", "1.37"], False),
            (["--kube-version", "1.38"], True),
            (["--kube-version", "1.37,1.38"], True),
        ):
            _, out, err = self.check(*arguments, "-f", path)
            self.assertEqual("Kubernetes 1.38 is a beta" in err, is_beta, arguments)
            self.assertEqual(near in out, is_beta, arguments)
        _, out, _ = self.check("--kube-version", "1.38", "-f", path)
        self.assertNotIn("^ did you mean", out)  # what the server suggests already
        _, out, _ = self.check("--kube-version", "1.37", "-f", path)
        self.assertIn("^ fix: object\n", out)

    def test_checksums(self):
        """Each bundle is the one that was made of a real server of that version."""
        folder = stage.SOURCE / "manifests/schemas"
        sums = dict(reversed(line.split()) for line in (folder / "SHA256SUMS").read_text().splitlines())
        self.assertEqual(sorted(sums), sorted(p.name for p in folder.glob("*.gz")))
        for name, wanted in sums.items():
            packed = (folder / name).read_bytes()
            self.assertEqual(hashlib.sha256(packed).hexdigest(), wanted, name)
            self.assertLess(len(packed), 60000)
            text = gzip.decompress(packed)
            start = text.index(b"/version ")
            version = json.loads(text[text.index(b"\n", start) : text.index(b"}", start) + 1])
            self.assertEqual(f"v{version['major']}.{version['minor']}.gz", name)

    def test_versions_differ(self):
        """A function is for policies of the version after the one that evaluates it first."""
        functions = {
            33: ("semver('1.0.0').isGreaterThan(semver('0.1.0'))", ""),
            37: ("[1, 2].includes(1)", "; did you mean '1 in [1, 2]'?"),
        }
        bundled = sorted(p.stem for p in (stage.SOURCE / "manifests/schemas").glob("v*.gz"))
        self.assertEqual(bundled, [f"v1.{minor}" for minor in range(30, 39)])
        for since, (expression, repair) in functions.items():
            path = self.write("p.json", stage.policy("p", expression))
            for version in (v[1:] for v in bundled):
                minor = int(version.split(".")[1])
                result = self.read("--kube-version", version, "-f", path, status=int(minor <= since))["results"][0]
                self.assertEqual(len(result["expressionWarnings"]), int(minor < since), version)
                self.assertEqual(
                    [r["hint"] for r in result["refusals"]],
                    [f"Kubernetes {version} refuses this at create: needs 1.{since + 1}{repair}"] * (minor <= since),
                )

    def test_fields_differ(self):
        """A field that another version has is a note; a misspelt one is a mistake, also in a part of such versions."""
        pod = "object.spec.template.spec"
        for test, is_note in (
            (f"has({pod}.workloadRef)", True),
            (f"has({pod}.schedulingGroup.nme)", False),
            (f"has({pod}.nme)", False),
            ("has(dyn(request).oldObject)", True),
        ):
            path = self.write("p.json", stage.policy("p", f"!{test} || object.spec.paused"))
            status, out, _ = self.check("--select", "default", "-f", path)
            self.assertEqual((status, out.split("[")[0]), (int(not is_note), "note" if is_note else "warning"), test)

    def test_language_differs(self):
        """Fields in backquotes are for every expression of 1.37, and for none before."""
        path = self.write("p.json", stage.policy("p", "object.metadata.labels.`a/b` == 'c'"))
        for minor in (30, 36, 37):
            result = self.read("--kube-version", f"1.{minor}", "-f", path, status=int(minor < 37))["results"][0]
            self.assertEqual(bool(result["refusals"]), minor < 37, minor)

    def test_types_by_their_names(self):
        """Before 1.32 nothing of Kubernetes' own types can be made: their names are not those of types."""
        path = self.write("p.json", stage.policy("p", "request == kubernetes.AdmissionRequest{name: 'a'}"))
        for minor in (30, 31, 32, 37):
            result = self.read("--kube-version", f"1.{minor}", "-f", path, status=int(minor < 32))["results"][0]
            self.assertEqual(
                ["'kubernetes.AdmissionRequest' is not a type" in r["message"] for r in result["refusals"]],
                [True] * (minor < 32),
            )

    def test_vendors_cel_go(self):
        """The language is that of the cel-go in the server, the functions are those of its Kubernetes."""
        backquotes = self.write("p.json", stage.policy("p", "object.metadata.labels.`a/b` == 'c'"))
        function = self.write("q.json", stage.policy("q", "[1, 2].includes(1)"))
        for release, status in (("0.26", 1), ("0.27.1", 1), ("v0.28.0", 0), ("0.29", 0)):
            self.read("--kube-version", "1.33", "--cel-go-version", release, "-f", backquotes, status=status)
            self.read("--kube-version", "1.33", "--cel-go-version", release, "-f", function, status=1)
        self.read("--kube-version", "1.37", "--cel-go-version", "0.26", "-f", backquotes, status=1)
        unknown = f"0.{stage.NEWEST_CEL_GO + 1}"
        status, out, err = self.check("--cel-go-version", unknown, "-f", backquotes)
        self.assertEqual((status, out), (2, ""))
        self.assertIn(f'--cel-go-version: "{unknown}" is none of 0.17 to 0.{stage.NEWEST_CEL_GO}', err)


def crd(kind, group, **versions):
    """Each version's argument is the schema of spec.size; the first one is stored."""
    plural = kind.lower() + "s"
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{group}"},
        "spec": {
            "group": group,
            "scope": "Namespaced",
            "names": {"kind": kind, "plural": plural},
            "versions": [
                {
                    "name": name,
                    "served": True,
                    "storage": n == 0,
                    "schema": {
                        "openAPIV3Schema": {
                            "type": "object",
                            "properties": {"spec": {"type": "object", "properties": {"size": size}}},
                        }
                    },
                }
                for n, (name, size) in enumerate(versions.items())
            ],
        },
    }


def policy_about(plural, group, version, expression):
    policy = stage.policy("p", expression)
    policy["spec"]["matchConstraints"]["resourceRules"] = [
        {"apiGroups": [group], "apiVersions": [version], "resources": [plural], "operations": ["CREATE"]}
    ]
    return policy


class CrdsTest(Case):
    """CustomResourceDefinitions among the files count."""

    def warnings(self, *args, status=1):
        answer = self.read(*args, status=status)
        return [w["warning"].split("\n")[0] for r in answer["results"] for w in r["expressionWarnings"]]

    def test_any_order_and_versions(self):
        """The policy stands before its CRD, in another file; each version has its own schema."""
        self.write("z.json", crd("Bird", "e.example.com", v1={"type": "integer"}, v1beta1={"type": "string"}))
        for version, wrong in (("v1", "string"), ("v1beta1", "int")):
            literal = "'x'" if wrong == "string" else "1"
            self.write("a.json", policy_about("birds", "e.example.com", version, f"object.spec.size == {literal}"))
            [warning] = self.warnings("-f", ".")
            self.assertIn(f"e.example.com/{version}, Kind=Bird: ERROR:", warning)
        self.write("a.json", policy_about("birds", "e.example.com", "*", "object.metadata.name == object.spec.syze"))
        text = self.read("-f", ".", status=1)["results"][0]["expressionWarnings"][0]["warning"]
        self.assertEqual(text.count("undefined field 'syze'"), 2, text)

    def test_without_the_crd(self):
        self.write("a.json", policy_about("birds", "e.example.com", "v1", "object.spec.size == 'x'"))
        [condition] = [c for c in self.read("-f", "a.json")["results"][0]["conditions"] if c["type"] == "TypeChecked"]
        self.assertEqual(condition["reason"], "ResourceNotFound")

    def test_in_a_list_and_from_stdin(self):
        both = [policy_about("birds", "e.example.com", "v1", "object.spec.syze == 1"),
                crd("Bird", "e.example.com", v1={"type": "integer"})]  # fmt: skip
        answer = self.read("-f", "-", status=1, input=json.dumps({"apiVersion": "v1", "kind": "List", "items": both}))
        self.assertIn("undefined field 'syze'", answer["results"][0]["expressionWarnings"][0]["warning"])
        self.assertEqual(answer["skipped"], [{"file": "stdin", "document": 0, "kind": "CustomResourceDefinition"}])

    def test_a_broken_crd(self):
        broken = crd("Bird", "e.example.com", v1={"type": "integer"})
        del broken["spec"]["names"]["kind"]
        self.write("a.json", policy_about("birds", "e.example.com", "v1", "true"))
        self.write("b.json", broken)
        answer = self.read("-f", ".", status=1)
        self.assertEqual([e["message"] for e in answer["errors"]], ["spec.names.kind is missing"])
        self.assertEqual(len(answer["results"]), 1)


class CrdRulesTest(Case):
    """Rules of CustomResourceDefinitions; tests/golden/crdrules has the API server's words."""

    CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: birds.example.com}
spec:
  group: example.com
  names: {kind: Bird, plural: birds}
  scope: Cluster
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          dotted.name:
            type: array
            items: {type: string}
            x-kubernetes-validations:
            - rule: >-
                self.all(x, x.contains('a'))
            - rule: |
                true &&
                self == 5
              message: m
"""

    def test_places_and_hints(self):
        self.write("c.yaml", self.CRD)
        [result] = self.read("-f", "c.yaml", status=1)["results"]
        self.assertEqual(
            (result["kind"], result["name"], result["line"]), ("CustomResourceDefinition", "birds.example.com", 1)
        )
        cost, problem, *total = result["refusals"]
        self.assertEqual((cost["line"], cost["column"]), (21, 17))
        self.assertEqual(
            cost["hint"],
            "maxItems: 31 at .dotted.name, or maxLength: 12 at .dotted.name[*], or "
            "maxItems: 4995 at .dotted.name and maxLength: 4995 at .dotted.name[*] is enough",
        )
        self.assertEqual(["hint" in o for o in total], [False, False])
        self.assertRegex(cost["message"], "^Forbidden: estimated rule cost exceeds budget by factor of")
        self.assertRegex(problem["message"], "found no matching overload for '_==_'")
        valid = "4 findings in 2 rules: "
        self.assertEqual(result["conditions"][1].pop("message")[: len(valid)], valid)
        self.assertEqual(
            result["conditions"],
            [
                {
                    "type": "RulesChecked",
                    "status": "True",
                    "reason": "AllRulesChecked",
                    "message": "every rule was checked",
                },
                {"type": "RulesValid", "status": "False", "reason": "WarningsFound"},
            ],
        )
        status, out, _ = self.check("-f", "c.yaml")
        self.assertEqual(status, 1)
        self.assertIn(
            "  --> c.yaml:24:22   CRD birds.example.com, spec.validation.openAPIV3Schema.properties[dotted.name]"
            ".x-kubernetes-validations[1].rule\n",
            out,
        )

    def test_no_rules(self):
        self.write("c.json", crd("Bird", "e.example.com", v1={"type": "integer"}))
        answer = self.read("-f", "c.json")
        self.assertEqual((answer["results"], len(answer["skipped"])), ([], 1))


class RefusalsTest(Case):
    """What the API server would not take is found; tests/golden/refusals has its words."""

    def test_text_and_status(self):
        self.write("p.json", stage.policy("p", RIGHT, "object.spec.replicas"))
        status, out, err = self.check("-f", "p.json")
        self.assertEqual((status, err), (1, ""))
        self.assertIn("   policy p, spec.validations[1].expression\n", out)
        self.assertIn("must evaluate to bool but got dyn\n", out)
        self.assertTrue(
            out.endswith("1 error in 1 policy: 1 policy is refused (Kubernetes 1.37, built-in schemas).\n"), out
        )
        self.assertEqual(self.check("-f", "p.json", "--fail-on", "never")[0], 0)

    def test_place(self):
        """Of a field that is there its value; of a missing one the field around it."""
        self.write(
            "p.yaml",
            HEAD.replace("CREATE", "create")
            + """\
  validations:
  - message: none
  failurPolicy: Fail
""",
        )
        [refusal] = self.read("-f", "p.yaml", status=1)["results"][0]["refusals"]
        self.assertEqual((refusal["field"], refusal["line"], refusal["column"]), ("spec.failurPolicy", 10, 17))
        text = (self.directory / "p.yaml").read_text().replace("failurPolicy", "failurePolicy")
        self.write("p.yaml", text)
        refusals = self.read("-f", "p.yaml", status=1)["results"][0]["refusals"]
        self.assertEqual([(r["field"], r["line"], r["column"]) for r in refusals], [
            ("spec.matchConstraints.resourceRules[0].operations[0]", 7, 85), ("spec.validations[0].expression", 9, 5),
        ])  # fmt: skip

    def test_a_name_is_required(self):
        made = stage.policy("p", RIGHT)
        del made["metadata"]["name"]
        result = self.read("-f", "-", status=1, input=json.dumps(made))["results"][0]
        self.assertEqual(result["name"], "")
        self.assertEqual(
            [r["message"] for r in result["refusals"]], ["Required value: name or generateName is required"]
        )

    def test_bindings(self):
        binding = {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicyBinding",
                   "metadata": {"name": "b"}, "spec": {"policyName": "p", "validationActions": ["deny"]}}  # fmt: skip
        result = self.read("-f", "-", status=1, input=json.dumps(binding))["results"][0]
        self.assertEqual((result["kind"], result["types"]), (binding["kind"], []))
        self.assertEqual([r["field"] for r in result["refusals"]], ["spec.validationActions[0]"])
        self.assertIn(
            "1 binding: 1 binding is refused ",
            self.check("-f", "-", input=json.dumps(binding))[1],
        )

    def test_a_misspelt_field(self):
        """Servers before 1.32 call matchResources matchResouces; its place is that of the file's field."""
        self.write(
            "b.yaml",
            """\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: b}
spec:
  policyName: p
  validationActions: [Deny]
  matchResources:
    matchPolicy: x
""",
        )
        for version, field in (("1.30", "matchResouces"), ("1.36", "matchResources")):
            [refusal] = self.read("-f", "b.yaml", "--kube-version", version, status=1)["results"][0]["refusals"]
            self.assertEqual((refusal["field"], refusal["line"]), (f"spec.{field}.matchPolicy", 8))

    def test_a_function_that_comes_later(self):
        """A server of 1.33 evaluates semver() but lets nobody create a policy with it."""
        schemas = self.directory / "v1.33"
        (schemas / "openapi/v3/apis/apps").mkdir(parents=True)
        self.write("v1.33/version.json", {"major": "1", "minor": "33", "gitVersion": "v1.33.0"})
        for name in ("api", "apis"):
            self.write(f"v1.33/{name}.json", {"kind": "APIGroupDiscoveryList", "items": []})
        self.write("p.json", stage.policy("p", "semver('1.0.0').isGreaterThan(semver('0.1.0'))"))
        [refusal] = self.read("--schemas", schemas, "-f", "p.json", status=1)["results"][0]["refusals"]
        self.assertIn("undeclared reference to 'semver'", refusal["message"])
        self.assertEqual(refusal["hint"], "Kubernetes 1.33 refuses this at create: needs 1.34")
        self.assertIn("Kubernetes 1.33 refuses this", self.check("--schemas", schemas, "-f", "p.json")[1])
        self.assertEqual(self.read("-f", "p.json")["results"][0]["refusals"], [])


class CaretTest(Case):
    """The caret points into the YAML's own line, however the expression is written there."""

    STYLES = [
        "object.spec.x == 1",
        "'object.spec.x == ''a'''",
        '"object.spec\\u002ex == \\"a\\""',
        "|\n      true &&\n      object.spec.x == 1",
        ">-\n      true &&\n      object.spec.x == 1\n",
        ">\n      true\n\n      && object.spec.x == 1",
        "\"'é' != object.spec.x\"",
    ]

    def pointed_at(self, text):
        """What stands at each place that a head names, which is that of the caret below it."""
        lines = (HEAD + text).split("\n")
        self.write("p.yaml", HEAD + text)
        shown = self.check("-f", "p.yaml")[1].split("\n")
        found = []
        for n, line in enumerate(shown):
            if match := re.match(r"  --> p\.yaml:(\d+):(\d+)   policy p, ", line):
                row, column = int(match[1]), int(match[2])
                self.assertEqual(shown[n + 2], f"{row} | {lines[row - 1]}")
                self.assertEqual(shown[n + 3].index("^"), len(f"{row} | ") + column - 1)
                found.append(lines[row - 1][column - 1 :])
        return found

    def test_styles(self):
        for style in self.STYLES:
            [found] = self.pointed_at(f"  validations:\n  - expression: {style}\n")
            self.assertRegex(found, r"^x\b")

    def test_refused(self):
        """The server takes white space off some expressions before it counts."""
        self.assertEqual(self.pointed_at("  validations:\n  - expression: |\n      true &&\n      nope\n"), ["nope"])
        text = "  matchConditions:\n  - {name: a, expression: '  nope'}\n  validations: [{expression: 'true'}]\n"
        self.assertEqual(self.pointed_at(text), ["nope'}"])
        text = "  auditAnnotations:\n  - key: a\n    valueExpression: |2\n\n        1 + nope\n"
        self.assertEqual(self.pointed_at(text)[0], "nope")
        text = (
            "  matchConditions:\n  - name: a\n    expression: |2\n\n      \u00a0\u2003nope\n  validations: "
            "[{expression: 'true'}]\n"
        )
        self.assertEqual(self.pointed_at(text), ["nope"])

    def test_refused_of_other_kinds(self):
        """Match conditions of webhooks and mutations lose white space, too."""
        for member, kind in (("applyConfiguration", "ApplyConfiguration"), ("jsonPatch", "JSONPatch")):
            policy = stage.mutating_policy("p", "true")
            policy["spec"]["mutations"] = [{"patchType": kind, member: {"expression": "\n  nope"}}]
            self.assertEqual(self.refused_at(policy), ["nope"], member)
        self.assertEqual(self.refused_at(stage.mutating_policy("p", " \n nope")), ["nope"])
        self.assertEqual(self.refused_at(stage.webhooks("w", "\n\u2003nope", "nope")), ["nope", "nope"])

    def refused_at(self, made):
        """The words at the places where compiling failed."""
        text = self.write("p.json", made).read_text()
        results = json.loads(self.check("-f", "p.json", "-o", "sarif")[1])["runs"][0]["results"]
        columns = [
            r["locations"][0]["physicalLocation"]["region"]["startColumn"]
            for r in results
            if r["ruleId"] == "refused" and "compilation failed" in r["message"]["text"]
        ]
        return [re.match(r"\w*", text[c - 1 :])[0] for c in columns]

    def on_terminal(self, *args, **environment):
        """What check prints on a terminal of 80 columns."""
        terminal, stdout = pty.openpty()
        without = ("NO_COLOR", "CI", "COLUMNS", "TERM")
        plain = {k: v for k, v in os.environ.items() if k not in without} | {"TERM": "xterm"} | environment
        child = subprocess.Popen(
            [PROGRAM, "check", *args, "-f", "p.json"], stdout=stdout, cwd=self.directory, env=plain
        )  # fmt: skip
        os.close(stdout)
        shown = read_terminal(terminal)
        child.wait(timeout=60)
        return shown.replace("\r\n", "\n")

    def test_a_long_line(self):
        """On a terminal it is cut around the place; wide characters count twice."""
        text = " && ".join(["true"] * 30 + ["'\u65e5\u672c' != object.spec.x"] + ["true"] * 30)
        self.write("p.json", json.dumps(stage.policy("p", text), ensure_ascii=False))
        self.assertIn(text, self.check("-f", "p.json")[1])
        for columns, environment in ((80, {}), (120, {"COLUMNS": "120"})):
            lines = self.on_terminal("--color=never", **environment).split("\n")
            shown = next(line for line in lines if line.startswith("1 | "))
            carets = lines[lines.index(shown) + 1]
            self.assertLessEqual(len(shown) + shown.count("\u65e5") + shown.count("\u672c"), columns)
            self.assertRegex(shown, r"^1 \| \.\.\..*\.\.\.$")
            before = carets.index("^") - shown.count("\u65e5") - shown.count("\u672c")
            self.assertEqual(shown[before:][:2], "x ", shown)

    def test_a_tab(self):
        path = self.write("t.yaml", HEAD + '  validations:\n  - expression: "true &&\tobject.spec.x == 1"\n')
        lines = self.check("-f", path)[1].split("\n")
        shown = next(line for line in lines if line.startswith("9 | "))
        self.assertNotIn("\t", shown)
        self.assertEqual(shown[lines[lines.index(shown) + 1].index("^") :][:2], "x ")

    def test_colour(self):
        """Only on a terminal, and a link to the page of the identifier where nothing says that there is none."""
        self.write("p.json", stage.policy("p", "nope"))
        self.assertNotIn("\x1b", self.check("-f", "p.json")[1])
        red, link = "\x1b[1;31merror[", "\x1b]8;;https://"
        for args, environment, has_colour, has_link in (
            ([], {}, True, True),
            ([], {"CI": "true"}, True, False),
            ([], {"TERM": "dumb"}, False, False),
            ([], {"NO_COLOR": "1"}, False, False),
            (["--color=never"], {}, False, False),
        ):
            shown = self.on_terminal(*args, **environment)
            self.assertEqual((red in shown, link in shown), (has_colour, has_link), shown)
        shown = self.check("--color=always", "-f", "p.json")[1]
        self.assertEqual((red in shown, link in shown), (True, False))

    def test_what_is_asked_for(self):
        """The text of kube-controller-manager, all types, and how often each identifier occurs."""
        rules = {"apiGroups": ["apps"], "apiVersions": ["v1"], "resources": ["*"], "operations": ["CREATE"]}
        made = stage.policy("p", "object.metadata.nme == 'x'", "object.metadata.nam == 'x'")
        made["spec"]["matchConstraints"]["resourceRules"] = [rules]
        self.write("p.json", made)
        out = self.check("-f", "p.json")[1]
        self.assertIn("no field 'nme' in ControllerRevision, DaemonSet, Deployment (apps/v1) and 2 more\n", out)
        self.assertNotIn("ERROR: <input>", out)
        self.assertNotRegex(out, r"(?m)^ +\d+  undefined-field")
        out = self.check("-f", "p.json", "-v", "--all-types", "--statistics")[1]
        self.assertIn("Deployment, ReplicaSet, StatefulSet (apps/v1)\n", out)
        self.assertIn("apps/v1, Kind=StatefulSet: ERROR: <input>:1:16: undefined field 'nme'\n", out)
        self.assertRegex(out, r"(?m)^ +2  undefined-field \(2 can be fixed with --fix\)$")


class BindingsTest(Case):
    """Bindings among the files: whom they name, and how paramRef goes with paramKind."""

    def binding(self, name="b", policy="p", **spec):
        return {
            "apiVersion": "admissionregistration.k8s.io/v1",
            "kind": "ValidatingAdmissionPolicyBinding",
            "metadata": {"name": name},
            "spec": {"policyName": policy, "validationActions": ["Deny"], **spec},
        }

    def results(self, *objects, status):
        text = json.dumps({"apiVersion": "v1", "kind": "List", "items": objects})
        return {r["name"]: r for r in self.read("-f", "-", status=status, input=text)["results"]}

    def condition(self, result):
        return {c["type"]: c for c in result["conditions"]}

    def test_bound(self):
        """The condition Bound is there where a binding is among the files."""
        alone = self.results(stage.policy("p", RIGHT), status=0)
        self.assertNotIn("Bound", self.condition(alone["p"]))
        both = self.results(self.binding(), stage.policy("p", RIGHT), stage.policy("q", RIGHT), status=0)
        self.assertEqual(self.condition(both["p"])["Bound"]["status"], "True")
        self.assertEqual(self.condition(both["q"])["Bound"]["reason"], "NoBinding")
        self.assertEqual(self.condition(both["b"])["PolicyFound"]["status"], "True")

    def test_another_name(self):
        found = self.results(stage.policy("my-policy", RIGHT), self.binding(policy="my-polciy"), status=1)["b"]
        self.assertEqual(self.condition(found)["PolicyFound"]["message"],
                         "policy my-polciy is not among the files, did you mean my-policy?")  # fmt: skip
        out = self.check("-f", "-", input=json.dumps(self.binding()))[1]
        self.assertRegex(
            out,
            r"(?m)^note\[policy-not-among-files\]: policy p is not among the files\n  --> stdin:1:\d+   binding b, ",
        )

    def test_what_yaml_reads_otherwise(self):
        text = """apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: b}
spec:
  policyName: p
  validationActions: [Deny]
  paramRef:
    name: limits
    namespace: y
    parameterNotFoundAction: Deny
"""
        [refusal] = self.read("-f", "-", status=1, input=text)["results"][0]["refusals"]
        self.assertEqual((refusal["line"], refusal["hint"]), (9, "quote it: YAML does not read this as a string"))

    def test_params(self):
        config = {"apiVersion": "v1", "kind": "ConfigMap"}
        whole = {"apiVersion": "v1", "kind": "Node"}
        ref = {"name": "x", "parameterNotFoundAction": "Deny"}
        uses = "params.data.x == object.metadata.name"
        nodes = [{"apiGroups": [""], "apiVersions": ["v1"], "resources": ["nodes"], "operations": ["CREATE"]}]
        rows = [
            (None, ref, {}, "it is ignored: policy p has no paramKind"),
            (config, None, {}, "it is missing: policy p has paramKind v1 ConfigMap, and params is null without it"),
            (config, {**ref, "namespace": "n"}, {}, None),
            (config, ref, {}, None),
            (whole, {**ref, "namespace": "n"}, {}, "every request fails: paramRef.namespace must not be provided"),
            (whole, ref, {}, None),
            (config, ref, {"resourceRules": nodes}, "every request about a cluster-scoped resource (v1 nodes) fails"),
            (config, {**ref, "namespace": "n"}, {"resourceRules": nodes}, None),
        ]
        for kind, given, constraints, warning in rows:
            made = stage.policy("p", uses if kind == config else "true", **({"paramKind": kind} if kind else {}))
            made["spec"]["matchConstraints"].update(constraints)
            binding = self.binding(**({"paramRef": given} if given else {}))
            text = json.dumps({"apiVersion": "v1", "kind": "List", "items": [made, binding]})
            [result] = [r for r in json.loads(self.check("-f", "-", "-o", "json", input=text)[1])["results"]
                        if r["name"] == "b"]  # fmt: skip
            self.assertEqual(result["refusals"], [])
            found = [w["warning"] for w in result["expressionWarnings"]]
            self.assertEqual(len(found), int(warning is not None), (kind, given, found))
            if warning:
                self.assertTrue(found[0].startswith(warning), found)
                self.assertEqual(result["expressionWarnings"][0]["source"], "vapcheck")
                status, out, _ = self.check("-f", "-", input=text)
                self.assertEqual(status, 1)
                self.assertIn(" in 1 policy, 1 binding: 1 object is clean, 1 has errors or warnings ", out)


class InputsTest(Case):
    def setUp(self):
        super().setUp()
        for name in ("d/b.yaml", "d/a.json", "d/c.yml", "d/below/e.yaml"):
            self.write(name, stage.policy("p-" + pathlib.Path(name).stem, RIGHT))
        self.write("d/other.txt", "no: [yaml")

    def test_directory(self):
        here = [("d/a.json", "p-a"), ("d/b.yaml", "p-b"), ("d/below/e.yaml", "p-e"), ("d/c.yml", "p-c")]
        (self.directory / "d/below/loop").symlink_to("..")
        self.assertEqual(self.names("-f", "d"), here)
        self.assertEqual(self.names("-R", "-f", "d"), here)
        self.assertEqual(self.names("-f", "d/", "-f", "d/a.json"), here + here[:1])

    def test_no_file_is_named(self):
        here = [("d/a.json", "p-a"), ("d/b.yaml", "p-b"), ("d/below/e.yaml", "p-e"), ("d/c.yml", "p-c")]
        self.assertEqual(self.names(), here)
        self.assertEqual(self.names("."), here)
        self.assertEqual(self.names("--exclude", "below", "-R"), here[:2] + here[3:])

    def test_what_nobody_means_is_left_out(self):
        """Of directories below the one that is named; each is counted."""
        template = "apiVersion: v1\nkind: {{ .Values.kind }}\n"
        below = ("d/.git/x", "d/node_modules/m", "d/below/vendor", "d/chart/templates", "d/plain/templates")
        for name in below:
            self.write(name + "/p.yaml", stage.policy("p", RIGHT) if name == below[-1] else template)
        self.write("d/chart/Chart.yaml", "name: chart\n")
        output = self.read("-R", "-f", "d")
        self.assertEqual(output["leftOut"], ["d/.git", "d/below/vendor", "d/chart/templates", "d/node_modules"])
        self.assertIn("d/plain/templates/p.yaml", [r["file"] for r in output["results"]])
        status, out, _ = self.check("-R", "-f", "d")
        self.assertEqual((status, out.rsplit("; ", 1)[1]), (0, "4 directories were left out.\n"))
        self.assertEqual(self.read("-f", "d"), output)
        self.assertEqual(len(self.read("-f", "d/chart/templates", status=1)["notRead"]), 1)
        self.assertEqual(self.check("-f", "d/below/vendor", "-f", "d/chart")[0], 1)
        shutil.rmtree(self.directory / "d/below")
        self.assertEqual(self.check("-f", "d/chart", "--allow-empty")[0], 0)

    def test_nothing_to_check(self):
        (self.directory / "empty").mkdir()
        error = self.read("-f", "empty", status=1)["errors"]
        self.assertEqual(
            error,
            [{"file": "empty", "message": "no file in this directory, or below it, ends in .yaml, .yml or .json"}],
        )
        self.assertEqual(self.check("d/a.json"), self.check("-f", "d/a.json"))

    def test_nothing_to_check_is_no_success(self):
        """The output of a program that failed, a wrong directory: what somebody meant to check is not there."""
        self.write("other/c.yaml", "kind: ConfigMap\n")
        self.write("bad.yaml", "a: [\n")
        other = ("-f", "other/c.yaml")
        rows = (
            (("other",), 1, "error"), (("-f", "-"), 1, "error"), (("-k", "other"), 2, None), (other, 0, "note"),
            (("other", *other), 1, "error"), (("-f", "bad.yaml"), 1, None), (("-f", "bad.yaml", *other), 1, None),
            (("other", "--fail-on", "error"), 1, "error"), (("other", "--fail-on", "never"), 0, "error"),
        )  # fmt: skip
        for args, status, severity in rows:
            with self.subTest(args):
                found = self.read(*args, status=status, input="Error: chart not found\n")["findings"]
                said = [f["severity"] for f in found if f["id"] == "nothing-checked"]
                self.assertEqual(said, [severity] if severity else [])
        for args in (("other",), ("-f", "-")):
            found = self.read(*args, "--allow-empty", input="Error: chart not found\n")["findings"]
            self.assertEqual([(f["id"], f["severity"]) for f in found], [("nothing-checked", "note")])
        (self.directory / "empty").mkdir()
        self.assertEqual(self.check("empty")[0], 1)
        self.assertEqual(self.check("empty", "--allow-empty")[0], 0)
        self.assertEqual(self.check("other")[1].splitlines()[0][:45], "error[nothing-checked]: no file has a policy,")

    def test_what_nobody_can_read(self):
        """Templates and encrypted files are no mistakes, but are not checked either; each is counted."""
        self.write("chart/Chart.yaml", "name: chart\n")
        self.write("chart/templates/sub/cm.yaml", "a: {{ .Values.a }}\n")
        self.write("chart/templates/quoted.yaml", "kind: '{{ .Values.kind }}'\n")
        self.write("chart/templates/plain.json", stage.policy("plain", WRONG))
        self.write("templates/cm.yaml", "a: {{ .Values.a }}\n")
        self.write("sops.yaml", "kind: ENC[AES256_GCM,data:Zm9v,type:str]\nsops:\n  lastmodified: '2024-01-01'\n"
                                "  mac: ENC[AES256_GCM,data:eA==,type:str]\n")  # fmt: skip
        (self.directory / "crypt.yaml").write_bytes(b"\0GITCRYPT\0\x93\xff\0\1")
        self.write("ours.json", {"kind": "A", "sops": {"mac": 1}})
        template, sops, crypt = "a template of a Helm chart", "encrypted by SOPS", "encrypted by git-crypt"
        expected = {"chart/templates/sub/cm.yaml": template, "chart/templates/quoted.yaml": template,
                    "sops.yaml": sops, "crypt.yaml": crypt}  # fmt: skip
        answer = self.read(*expected, "d/a.json", "ours.json")
        self.assertEqual({f["file"]: f["reason"] for f in answer["notRead"]}, expected)
        [note] = answer["findings"]
        self.assertEqual((note["id"], note["severity"]), ("not-fully-checked", "note"))
        self.assertEqual(note["message"][:62], "4 files were not read: chart/templates/sub/cm.yaml (a template")
        for name in expected:
            self.assertEqual(self.check("d/a.json", name)[0], 0)
            self.assertEqual(self.check("d/a.json", name, "--fail-on", "unchecked")[0], 1)
            self.assertEqual(self.check("d/a.json", name, "--fail-on=unchecked", "--ignore=not-fully-checked")[0], 0)
            for form in ("text", "sarif", "junit", "github"):
                self.assertIn("1 file was not read: ", self.check("d/a.json", name, "-o", form)[1])
        self.assertEqual(self.check("chart/templates/plain.json")[0], 1)
        self.assertEqual(self.check("templates/cm.yaml")[0], 1)
        self.assertIn("2 files were not read", self.check("chart/templates", "--allow-empty")[1])

    def test_policies_without_a_binding_are_counted(self):
        binding = {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicyBinding",
                   "metadata": {"name": "b"}, "spec": {"policyName": "p-a", "validationActions": ["Deny"]}}  # fmt: skip
        self.write("d/z.json", binding)
        note = "3 policies have no binding in these files: p-b, p-e, p-c"
        status, out, _ = self.check("d")
        self.assertEqual((status, out.splitlines()[0]), (0, f"note[policy-not-bound]: {note}"))
        self.assertEqual(len(out.splitlines()), 3)
        for form in ("sarif", "junit", "github"):
            self.assertEqual(self.check("d", "-o", form)[1].count("3 policies have no binding"), 1 + (form == "junit"))
            self.assertNotIn("names this policy", self.check("d", "-o", form)[1])
        answer = self.read("d")
        self.assertEqual([f["message"] for f in answer["findings"]], [note])
        self.assertEqual([[f["id"] for f in r["findings"]] for r in answer["results"]],
                         [[]] + [["policy-not-bound"]] * 3 + [[]])  # fmt: skip
        self.assertEqual(self.read("d", "--ignore", "policy-not-bound")["findings"], [])
        for n in range(7):
            self.write(f"d/more{n}.json", stage.policy(f"more-{n}", RIGHT))
        self.assertIn("10 policies have no binding in these files: p-b, p-e, p-c, more-0, more-1 and more\n",
                      self.check("d")[1])  # fmt: skip

    def test_stdin(self):
        result = self.read("-f", "-", status=1, input=json.dumps(stage.policy("p", WRONG)))
        self.assertEqual([(r["file"], r["name"]) for r in result["results"]], [("stdin", "p")])
        self.assertEqual(self.read("-f", "-", "--allow-empty", input="")["results"], [])

    def test_errors(self):
        """What cannot be read is told, and the others are still checked."""
        self.write("d/broken.yaml", "a: b\nc: [\n")
        (self.directory / "d/nowhere.yaml").symlink_to("not-there")
        answer = self.read("-f", "missing.yaml", "-f", "d", status=2)
        self.assertEqual([r["name"] for r in answer["results"]], ["p-a", "p-b", "p-e", "p-c"])
        errors = {e["file"]: e for e in answer["errors"]}
        self.assertEqual(sorted(errors), ["d/broken.yaml", "d/nowhere.yaml", "missing.yaml"])
        self.assertEqual(errors["missing.yaml"]["message"], "No such file or directory")
        self.assertEqual(errors["d/broken.yaml"]["line"], 3)
        _, _, err = self.check("-f", "missing.yaml")
        self.assertEqual(err, "error[unreadable-file]: No such file or directory\n  --> missing.yaml\n\n")

    def test_no_control_characters(self):
        """Neither a policy nor a file's name reaches the terminal with an escape sequence."""
        self.write("e\x1b[31m.json", stage.policy("p\x1b]0;title\x07\u009b", WRONG, WRONG + " // \u009b31m"))
        self.write("f\x1b[31m.yaml", "[")
        status, out, err = self.check("-f", ".")
        self.assertEqual(status, 1)
        self.assertIn("p\\x1b]0;title\\x07\\x9b", out)
        self.assertIn("f\\x1b[31m.yaml:", err)
        for character in out + err:
            self.assertTrue(character == "\n" or character.isprintable(), repr(character))


class SizeTest(Case):
    def policy_file(self, n):
        self.write(f"d/{n % 100}/{n}.json", stage.policy(f"p{n}", RIGHT, f"object.spec.replicas < {n}", WRONG))

    def run_watched(self, *args):
        """(status, stdout, what the terminal shows on stderr)"""
        terminal, stderr = pty.openpty()
        started = time.monotonic()
        child = subprocess.Popen([PROGRAM, "check", *map(str, args)], stdout=subprocess.PIPE, stderr=stderr,
                                 cwd=self.directory)  # fmt: skip
        os.close(stderr)
        out = child.communicate(timeout=120)[0].decode()
        self.elapsed = time.monotonic() - started
        return child.returncode, out, read_terminal(terminal)

    def test_a_thousand_policies(self):
        for n in range(1000):
            self.policy_file(n)
        status, out, _ = self.run_watched("-R", "-f", "d")
        self.assertEqual(status, 1)
        self.assertTrue(out.endswith(" 1000 can be fixed with --fix.\n"))

    def test_thousands_in_one_line(self):
        policies = [stage.policy(f"p{n}", WRONG) for n in range(3000)]
        bindings = [{**stage.policy(f"b{n}"), "kind": "ValidatingAdmissionPolicyBinding",
                     "spec": {"policyName": f"p{n}", "validationActions": ["Deny"]}} for n in range(2999)]  # fmt: skip
        self.write("l.json", {"apiVersion": "v1", "kind": "List", "items": policies + bindings})
        status, out, _ = self.run_watched("-f", "l.json")
        self.assertEqual((status, out.count("note[")), (1, 1))
        self.assertTrue("3000 policies, 2999 bindings: 2999 objects are clean, 3000 have errors or warnings " in out)

    def test_ten_thousand_files(self):
        """A tree is walked, and who waits at a terminal sees how far."""
        for n in range(10000):
            if n % 100 == 0:
                self.policy_file(n)
            else:
                self.write(f"d/{n % 100}/{n}.yaml", f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: c{n}}}\n")
        status, out, shown = self.run_watched("-R", "-f", "d")
        self.assertEqual(status, 1)
        self.assertIn("100 policies: 100 policies have errors or warnings", out)
        self.assertIn("9900 other objects were skipped", out)
        if self.elapsed > 2:
            self.assertRegex(shown, r"\r\d+ of 10000 files")
        self.assertRegex(shown, r"^(\r\d+ of 10000 files)*(\r\x1b\[K)?$")


class DamagedSchemasTest(Case):
    def test_documents(self):
        """A schema that is there but cannot be read is no schema that the cluster does not publish."""
        dump = self.unpacked()
        self.write("p.json", stage.policy("p", "true"))
        self.write("crd.json", stage.crd("things", "Thing", {}))
        apps = dump / "openapi/v3/apis/apps/v1.json"
        os.truncate(apps, 1000)
        unread = "note[not-fully-checked]: the schema of apps/v1 Deployment could not be read yet"
        for files in (["p.json"], ["p.json", "crd.json"]):
            status, out, err = self.check("--schemas", dump, "-f", *files)
            self.assertEqual(status, 2)
            self.assertIn(unread, out)
            self.assertIn("apis/apps/v1: malformed JSON at byte 1000", err)
        self.assertEqual(self.check("--schemas", dump, "-f", "crd.json")[0], 2)
        apps.unlink()
        self.assertIn("publishes no schema for apps/v1 Deployment", self.check("--schemas", dump, "-f", "p.json")[1])
        apps.mkdir()
        status, out, err = self.check("--schemas", dump, "-f", "p.json")
        self.assertEqual((status, err), (2, f"kubectl-vapcheck: {apps}: Is a directory\n"))
        self.assertIn(unread, out)


class ClusterTest(stage.Case):
    def test_live(self):
        """--cluster reads what --schemas has in files."""
        server = self.server()
        path = self.directory / "p.json"
        path.write_text(json.dumps(stage.policy("p", WRONG)))
        command = [PROGRAM, "check", "-o", "json", "-f", path]
        live = subprocess.run([*command, "--cluster", "--kubeconfig", server.kubeconfig], capture_output=True)
        self.assertEqual((live.returncode, live.stderr), (1, b""))
        offline = subprocess.run([*command, "--schemas", stage.SCHEMAS], capture_output=True)
        self.assertEqual(said(live.stdout, "cluster"), said(offline.stdout, "directory"))

    def test_what_is_in_the_cluster(self):
        """Without a file, --cluster checks the policies of the cluster; nothing in the working directory counts."""
        server = self.server()
        (self.directory / "wrong.json").write_text(json.dumps(stage.policy("file", WRONG)))
        server.create(stage.policy("right", RIGHT))

        def check(*args):
            done = subprocess.run([PROGRAM, "check", "--cluster", "--kubeconfig", server.kubeconfig, *args],
                                  capture_output=True, text=True, cwd=self.directory)  # fmt: skip
            self.assertEqual(done.stderr, "")
            return done

        self.assertEqual(check().returncode, 0)
        server.create(stage.policy("wrong", WRONG))
        done = check("-o", "json")
        self.assertEqual(done.returncode, 1)
        results = {r["name"]: (r["file"], [f["id"] for f in r["findings"]]) for r in json.loads(done.stdout)["results"]}
        self.assertEqual(results, {"right": ("validatingadmissionpolicies/right", []),
                                   "wrong": ("validatingadmissionpolicies/wrong", ["undefined-field"])})  # fmt: skip
        self.assertEqual(list(r["name"] for r in json.loads(check("-o", "json", ".").stdout)["results"]), ["file"])

    def test_a_document_fails(self):
        """What half a cluster says is an error, and half a dump is none."""
        proxy = self.proxy(self.server().port)
        proxy.faults["/openapi/v3/apis/apps/v1"] = stage.status(500, "boom")
        path, dump = self.directory / "p.json", self.directory / "dump"
        path.write_text(json.dumps(stage.policy("p", WRONG)))
        live = ["--kubeconfig", self.kubeconfig(proxy.url)]
        for arguments, said in (
            (["check", "-f", path, "--cluster", *live], b"HTTP 500: boom"),
            (["dump", dump, *live], b"HTTP 500: boom"),
            (["check", "-f", path, "--schemas", dump], b"version.json: No such file"),
        ):
            done = subprocess.run([PROGRAM, *arguments], capture_output=True)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(said, done.stderr)
        proxy.faults.clear()
        subprocess.run([PROGRAM, "dump", dump, *live], check=True, capture_output=True)
        self.assertEqual(
            subprocess.run([PROGRAM, "check", "-f", path, "--schemas", dump], capture_output=True).returncode, 1
        )

    def test_a_document_changes(self):
        """Between the index and the document: the server redirects from the old hash."""
        proxy, path = self.proxy(self.server().port), "/openapi/v3/apis/apps/v1"

        def moved(handler):
            proxy.faults.clear()
            stage.status(301, "moved")(handler)

        proxy.faults[path] = moved
        done = subprocess.run(
            [PROGRAM, "dump", self.directory / "dump", "--kubeconfig", self.kubeconfig(proxy.url)], capture_output=True
        )
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual([r for r in proxy.requests if path in r][-1], f"GET {path}")
        self.assertEqual(proxy.count(f"GET {path}"), 2)
        self.assertTrue((self.directory / "dump/openapi/v3/apis/apps/v1.json").is_file())

    def test_a_document_is_too_large(self):
        """One past its bound leaves a kind unchecked, a matched one or paramKind; the answer says so."""
        dump = self.directory / "dump"
        live = ["--kubeconfig", self.server().kubeconfig]
        subprocess.run([PROGRAM, "dump", dump, *live], check=True, capture_output=True)
        large = dump / "openapi/v3/apis/apps/v1.json"
        self.assertTrue(large.is_file())
        params = {"apiVersion": "apps/v1", "kind": "DaemonSet"}
        path = self.directory / "p.json"
        made = stage.policy("p", "params.nope == object.nope", paramKind=params)
        [rule] = made["spec"]["matchConstraints"]["resourceRules"]
        rule["apiGroups"], rule["resources"] = ["apps", ""], ["deployments", "pods"]
        path.write_text(json.dumps(made))
        command = [PROGRAM, "check", "-o", "json", "-f", path, "--schemas", dump]
        found = json.loads(subprocess.run(command, capture_output=True).stdout)["results"][0]
        self.assertEqual(found["conditions"][0]["reason"], "AllTypesChecked", found)
        large.write_bytes(large.read_bytes() + b" " * (16 * 1024 * 1024))
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("16777216", done.stderr)
        [result] = json.loads(done.stdout)["results"]
        self.assertEqual(result["types"], ["/v1, Kind=Pod"])
        [condition] = [c for c in result["conditions"] if c["type"] == "TypeChecked"]
        self.assertEqual((condition["status"], condition["reason"]), ("False", "LimitReached"), condition)
        said = "was not kept: its OpenAPI document is too large"
        self.assertEqual(
            condition["message"], f"the schema of apps/v1 Deployment {said}; the schema of paramKind {said}"
        )

    def test_without_aggregated_discovery(self):
        """A server that has discovery in the older form only is the same cluster."""
        server = self.server()
        proxy = self.proxy(server.port)
        proxy.faults["/api"] = stage.OlderDiscovery(server)
        path, definition, dump = self.directory / "p.json", self.directory / "crd.json", self.directory / "dump"
        path.write_text(json.dumps(stage.policy("p", WRONG, resource="*")))
        definition.write_text(json.dumps(stage.crd("things", "Thing", {}, group="apps")))
        older = ["--kubeconfig", self.kubeconfig(proxy.url)]
        subprocess.run([PROGRAM, "dump", dump, *older], check=True, capture_output=True)
        for files in (["-f", path], ["-f", path, "-f", definition]):
            command = [PROGRAM, "check", "-o", "json", *files]
            live, again, bundled = (
                subprocess.run([*command, *schemas], capture_output=True)
                for schemas in (["--cluster", *older], ["--schemas", dump], ["--schemas", stage.SCHEMAS])
            )
            self.assertEqual((live.returncode, live.stderr), (bundled.returncode, b""))
            self.assertEqual(said(live.stdout, "cluster"), said(bundled.stdout, "directory"))
            self.assertEqual(said(again.stdout, "directory"), said(bundled.stdout, "directory"))
            self.assertIn("Deployment", bundled.stdout.decode())

    def test_no_cluster(self):
        path = self.directory / "kubeconfig"
        path.write_text(json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "c",
            "clusters": [{"name": "c", "cluster": {"server": "http://127.0.0.1:1"}}],
            "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}], "users": [{"name": "u", "user": {}}],
        }))  # fmt: skip
        done = subprocess.run([PROGRAM, "check", "--cluster", "--kubeconfig", path, "-f", path], capture_output=True)
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertIn(b"/api", done.stderr)

    def test_flags(self):
        for flags, word in (
            (["--cluster", "--schemas", "x"], b"cannot be used with"),
            (["--context", "x"], b"need --cluster"),
        ):
            done = subprocess.run([PROGRAM, "check", "-f", "x", *flags], capture_output=True)
            self.assertEqual((done.returncode, done.stdout), (2, b""))
            self.assertIn(word, done.stderr)


class ManualTest(Case):
    def say(self, *args):
        return subprocess.run([PROGRAM, *args], capture_output=True, text=True, check=True).stdout

    def test_help(self):
        commands = re.findall(r"^  (\w+) +\S", self.say("--help"), re.M)
        self.assertIn("check", commands)
        for command in commands:
            text = self.say(command, "--help")
            self.assertIn(f"Usage: kubectl vapcheck {command}", text)
            self.assertLessEqual(max(map(len, text.splitlines())), 100)
            self.assertIn("\n.SS " + command, self.say("man"))

    def test_man_page(self):
        """Each command's section has the flags of its --help, and no other."""
        sections = re.findall(r"(?ms)^\.SS (\w+)(.*?)(?=^\.S[SH] |\Z)", self.say("man"))
        self.assertEqual([name for name, _ in sections], re.findall(r"^  (\w+) +\S", self.say("--help"), re.M))
        for command, section in sections:
            flags = [line.replace("\\-", "-") for line in re.findall(r"(?m)^\\fB.*$", section)]
            listed = re.findall(r"(?m)^  +(?:-\w, )?(--[a-z-]+)", self.say(command, "--help"))
            self.assertEqual([re.search(r"--[a-z-]+", line)[0] for line in flags if "--" in line], listed, command)

    def complete(self, *words):
        """What bash offers for the last word."""
        script = ('source <("$0" completion bash); COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _kubectl_vapcheck; '
                  'printf "%s\\n" "${COMPREPLY[@]}"')  # fmt: skip
        done = subprocess.run(["bash", "-c", script, PROGRAM, "kubectl-vapcheck", *words], capture_output=True,
                              text=True, check=True, cwd=self.directory)  # fmt: skip
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def test_completion(self):
        self.write("policy.yaml", "")
        self.assertEqual(self.complete("ch"), ["check"])
        self.assertEqual(self.complete("check", "--kube"), ["--kube-version", "--kubeconfig"])
        self.assertEqual(self.complete("check", "-o", ""), ["text", "json", "sarif", "junit", "github", "gitlab"])
        self.assertEqual(self.complete("check", "--fail-on", "n"), ["never"])
        self.assertEqual(self.complete("check", "-f", "pol"), ["policy.yaml"])
        self.assertEqual(self.complete("dump", "--c"), ["--context"])
        self.assertEqual(self.complete("status", "-o", ""), ["table", "wide", "json", "yaml"])


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C.UTF-8")
    unittest.main()
