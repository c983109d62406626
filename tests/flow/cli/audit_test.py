#!/usr/bin/env python3
"""kubectl-vapcheck audit on files; tests/e2e/audit_test.py is about clusters."""

import json
import os
import pathlib
import pty
import re
import subprocess
import sys
import unittest
import xml.etree.ElementTree

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import stage
from offline import PROGRAM, Case, read_terminal

ADMISSION = "admissionregistration.k8s.io/v1"


def rule(group="", resource="configmaps", version="v1", **more):
    return {
        "apiGroups": [group],
        "apiVersions": [version],
        "operations": ["CREATE", "UPDATE"],
        "resources": [resource],
        **more,
    }


def policy(name, *expressions, rules=None, constraints=None, **spec):
    matches = {"resourceRules": rules or [rule()], **(constraints or {})}
    return stage.policy(name, *expressions, matchConstraints=matches, **{"failurePolicy": "Fail", **spec})


def mutating(name, *mutations, rules=None, constraints=None, **spec):
    """Of each mutation the expression; a list is a JSON patch."""

    def mutation(e):
        member = "jsonPatch" if e.startswith("[") else "applyConfiguration"
        return {
            "patchType": member[0].upper() + member[1:] if member[0] == "a" else "JSONPatch",
            member: {"expression": e},
        }

    matches = {"resourceRules": rules or [rule()], **(constraints or {})}
    spec = {
        "matchConstraints": matches,
        "mutations": [mutation(e) for e in mutations],
        "failurePolicy": "Fail",
        "reinvocationPolicy": "Never",
        **spec,
    }
    return {"apiVersion": ADMISSION, "kind": "MutatingAdmissionPolicy", "metadata": {"name": name}, "spec": spec}


def mutating_binding(name, policy, **spec):
    spec = {"policyName": policy, **spec}
    return {"apiVersion": ADMISSION, "kind": "MutatingAdmissionPolicyBinding", "metadata": {"name": name}, "spec": spec}


def labelled(**labels):
    return "Object{metadata: Object.metadata{labels: {%s}}}" % ", ".join(f"'{k}': '{v}'" for k, v in labels.items())


def config_map(name, namespace="web", labels=None, **data):
    metadata = {"name": name, "namespace": namespace, "labels": labels or {}}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}


class AuditTest(Case):
    def audit(self, *args, version="1.36", input=None):
        """(status, stdout, stderr)"""
        command = [PROGRAM, "audit", *(["--kube-version", version] if version else []), *map(str, args)]
        done = subprocess.run(command, input=input, capture_output=True, text=True, timeout=60, cwd=self.directory)
        return done.returncode, done.stdout, done.stderr

    def results(self, *objects, status=1, version="1.36"):
        """The object of -o json about these objects in one file."""
        self.write("objects.json", {"apiVersion": "v1", "kind": "List", "items": list(objects)})
        answer, out, err = self.audit("-f", "objects.json", "-o", "json", version=version)
        self.assertEqual(answer, status, out + err)
        return json.loads(out)

    def effects(self, *objects, **more):
        """[(object, policy, binding, effect, message)]"""
        return [
            (r["object"]["name"], r["policy"], r.get("binding"), r["effect"], r["message"])
            for r in self.results(*objects, **more)["results"]
        ]

    def test_actions_of_bindings(self):
        bindings = [
            stage.binding("deny", "p"),
            stage.binding("warn", "p", "Warn"),
            stage.binding("audit", "p", "Audit"),
        ]
        found = self.effects(policy("p", "object.metadata.name != 'a'"), *bindings, config_map("a"), config_map("b"))
        message = "failed expression: object.metadata.name != 'a'"
        self.assertEqual(
            found,
            [
                ("a", "p", "deny", "refused", message),
                ("a", "p", "warn", "warned", message),
                ("a", "p", "audit", "audited", message),
            ],
        )

    def test_nothing_to_say(self):
        report = self.results(policy("p", "true"), stage.binding("b", "p"), config_map("a"), status=0)
        self.assertEqual(report["results"], [])
        self.assertEqual(report["policies"][0]["matched"], 1)
        self.assertEqual(report["summary"]["objects"], 1)

    def test_no_binding(self):
        report = self.results(policy("p", "false"), config_map("a"))
        self.assertEqual(
            [(r["bound"], r.get("binding"), r["effect"]) for r in report["results"]], [(False, None, "refused")]
        )
        _, out, _ = self.audit("-f", "objects.json")
        self.assertEqual(
            out,
            "policy p (no binding: audited as if it were bound to everything)\n"
            "  DENY    ConfigMap web/a: failed expression: false  objects.json:1\n"
            "  1 object matches: 1 refused\n\n"
            "1 namespace in no file, taken to have no labels of its own\n"
            "1 object of 1 kind, 1 policy: 1 refused\n",
        )

    def test_text_by_policy(self):
        """A line an object and effect, below its policy; what only one operation or one binding does is said."""
        created = policy("created", "request.operation != 'CREATE'", "object.metadata.name != 'a'")
        fails = policy("fails", "object.data.nope == ''", failurePolicy="Ignore")
        quiet = policy("quiet", "true")
        elsewhere = policy("elsewhere", "false", rules=[rule(resource="secrets")])
        self.results(
            *(created, fails, quiet, elsewhere, mutating("m", labelled(team="web"))),
            *(stage.binding("b", "created"), stage.binding("w", "created", "Warn"), stage.binding("f", "fails")),
            *(config_map("a", n=""), config_map("c", n="")),
        )
        changed = 'metadata.labels: nothing becomes {"team":"web"}'
        _, out, _ = self.audit("-f", "objects.json")
        blocks = out.split("\n\n")
        named = "failed expression: object.metadata.name != 'a' (binding {}, as mutating policies change it)"
        on_create = (
            "failed expression: request.operation != 'CREATE' "
            "(binding {}, on CREATE alone, as mutating policies change it)"
        )
        self.assertEqual(
            blocks[0].splitlines(),
            [
                "policy created (bindings b, w)",
                f"  DENY    ConfigMap web/a: {named.format('b')}; {on_create.format('b')}  objects.json:1",
                f"  WARN    ConfigMap web/a: {named.format('w')}; {on_create.format('w')}  objects.json:1",
                f"  DENY    ConfigMap web/c: {on_create.format('b')}  objects.json:1",
                f"  WARN    ConfigMap web/c: {on_create.format('w')}  objects.json:1",
                "  2 objects match: 2 refused, 2 warned",
            ],
        )
        self.assertEqual(blocks[1].splitlines()[0], "policy fails (binding f)")
        self.assertRegex(blocks[1], r"  ERROR   ConfigMap web/a: expression .*no such key: nope \(as mutating policies "
                                    r"change it, admitted by failurePolicy: Ignore\)  objects.json:1\n")  # fmt: skip
        unbound = "(no binding: audited as if it were bound to everything)"
        self.assertEqual(
            blocks[2].splitlines(),
            [
                f"policy quiet {unbound}: 2 objects match, and pass",
                f"policy elsewhere {unbound}: no object matches",
                f"mutating policy m {unbound}",
                f"  CHANGE  ConfigMap web/a: {changed}  objects.json:1",
                f"  CHANGE  ConfigMap web/c: {changed}  objects.json:1",
                "  2 objects match: 2 changed",
            ],
        )
        self.assertEqual(
            blocks[3].splitlines()[-1], "2 objects of 1 kind, 5 policies: 2 refused, 2 warned, 2 ignored, 2 changed"
        )
        _, coloured, _ = self.audit("-f", "objects.json", "--color", "always")
        self.assertIn("  \x1b[31mDENY   \x1b[0m ConfigMap web/a", coloured)
        self.assertEqual(re.sub(r"\x1b\[\d*m", "", coloured), out)

    def test_a_binding_elsewhere_is_one(self):
        selected = stage.binding("b", "p", matchResources={"objectSelector": {"matchLabels": {"app": "x"}}})
        found = self.effects(policy("p", "false"), selected, config_map("a"), config_map("b", labels={"app": "x"}))
        self.assertEqual([f[0] for f in found], ["b"])

    def test_namespaces(self):
        namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "web", "labels": {"team": "a"}}}
        by_team = policy(
            "p",
            "namespaceObject.metadata.labels.team == 'b'",
            constraints={"namespaceSelector": {"matchExpressions": [{"key": "team", "operator": "Exists"}]}},
        )
        report = self.results(by_team, stage.binding("b", "p"), config_map("b", "other"), config_map("a"), namespace)
        self.assertEqual([r["object"]["name"] for r in report["results"]], ["a"])
        self.assertEqual(report["summary"]["assumedNamespaces"], 1)

    def test_what_the_server_makes_of_objects(self):
        """A name from generateName, data from stringData, the label of a Namespace; and a Node begins with its
        status."""
        check = policy(
            "p",
            (
                "object.kind != 'ConfigMap' || object.metadata.name == request.name && "
                "object.metadata.name.startsWith('run-')"
            ),
            constraints={
                "resourceRules": [{"apiGroups": [""], "apiVersions": ["v1"], "operations": ["*"], "resources": ["*"]}],
                "namespaceSelector": {
                    "matchExpressions": [
                        {"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": ["system"]}
                    ]
                },
            },
        )
        check["spec"]["validations"] += [
            {"expression": "object.kind != 'Secret' || has(object.data.a) && !has(object.stringData)"},
            {"expression": "object.kind != 'Node' || has(object.status.phase)"},
            {"expression": "object.kind != 'Namespace'"},
        ]
        made = [
            ("ConfigMap", {"generateName": "run-"}, {}),
            ("Secret", {"name": "s"}, {"stringData": {"a": "b"}}),
            ("Node", {"name": "node"}, {"status": {"phase": "Running"}}),
            ("Namespace", {"name": "system"}, {}),
        ]
        objects = [{"apiVersion": "v1", "kind": kind, "metadata": metadata, **more} for kind, metadata, more in made]
        report = self.results(check, stage.binding("b", "p"), *objects, status=0)
        self.assertEqual((report["results"], report["policies"][0]["matched"]), ([], 3))

    def test_params(self):
        limits = policy(
            "p",
            "object.data.n in params.data",
            paramKind={"apiVersion": "v1", "kind": "ConfigMap"},
            matchConditions=[
                {"name": "other", "expression": "!has(object.metadata.labels) || !has(object.metadata.labels.params)"}
            ],
        )
        bound = [
            stage.binding(
                "by-name", "p", paramRef={"name": "one", "namespace": "web", "parameterNotFoundAction": "Deny"}
            ),
            stage.binding(
                "here",
                "p",
                paramRef={"selector": {"matchLabels": {"params": "yes"}}, "parameterNotFoundAction": "Allow"},
            ),
            stage.binding("gone", "p", "Warn", paramRef={"name": "nope", "parameterNotFoundAction": "Deny"}),
        ]
        params = [config_map("one", labels={"params": "yes"}, x=""), config_map("two", labels={"params": "yes"}, y="")]
        found = [f for f in self.effects(limits, *bound, *params, config_map("a", n="x")) if f[0] == "a"]
        failed = "failed expression: object.data.n in params.data"
        gone = "failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction"
        self.assertEqual(found, [("a", "p", "here", "refused", failed), ("a", "p", "gone", "failed", gone)])

    def test_a_failure_and_who_ignores_it(self):
        expression = "object.data.nope == ''"
        found = self.effects(
            policy("fail", expression),
            policy("ignore", expression, failurePolicy="Ignore"),
            stage.binding("f", "fail"),
            stage.binding("i", "ignore"),
            config_map("a", n=""),
        )
        self.assertEqual([f[1:4] for f in found], [("fail", "f", "failed"), ("ignore", None, "ignored")])
        self.assertIn("no such key: nope", found[0][4])

    def test_what_only_the_cluster_knows(self):
        service = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "s"}, "spec": {"ports": [{"port": 80}]}}
        address = policy(
            "p", "object.spec.clusterIP != '' && object.spec.ports[0].targetPort == 80", rules=[rule("", "services")]
        )
        found = self.effects(address, stage.binding("b", "p"), service)
        self.assertIn("no such key: clusterIP", found[0][4])
        _, out, _ = self.audit("-f", "objects.json")
        self.assertIn(
            "(of such an object the cluster also sets spec.clusterIP, spec.clusterIPs, spec.ipFamilies, ", out
        )

    def test_objects_are_those_of_the_server(self):
        """What each dry run of a server shows, though no file says it."""
        container = {"name": "c", "image": "nginx", "resources": {"limits": {"cpu": 1}}, "nope": 1}
        template = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [container]}}
        spec = {"selector": {"matchLabels": {"a": "b"}}, "template": template}
        deployment = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "d"}, "spec": spec}
        checked = policy(
            "p",
            "object.spec.replicas == 1 && object.spec.strategy.rollingUpdate.maxSurge == '25%'",
            "object.spec.template.spec.containers.all(c, c.imagePullPolicy == 'Always')",
            "object.spec.template.spec.containers.all(c, c.resources.limits.cpu == '1' )",
            "object.metadata.generation == 1 && has(object.metadata.uid) && object.metadata.namespace == 'default'",
        )
        checked["spec"]["matchConstraints"]["resourceRules"] = [
            {"apiGroups": ["apps"], "apiVersions": ["v1"], "resources": ["deployments"], "operations": ["*"]}
        ]
        self.assertEqual(self.effects(checked, stage.binding("b", "p"), deployment, status=0), [])

    def test_params_are_those_of_the_server(self):
        """A param of a custom kind has the default values of its definition."""
        schema = {
            "type": "object",
            "properties": {
                "spec": {"type": "object", "default": {}, "properties": {"most": {"type": "integer", "default": 3}}}
            },
        }
        crd = {
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": "limits.example.com"},
            "spec": {
                "group": "example.com",
                "scope": "Namespaced",
                "names": {"plural": "limits", "kind": "Limit"},
                "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}],
            },
        }
        limit = {"apiVersion": "example.com/v1", "kind": "Limit", "metadata": {"name": "l", "namespace": "web"}}
        checked = policy("p", "params.spec.most == 3", paramKind={"apiVersion": "example.com/v1", "kind": "Limit"})
        bound = stage.binding("b", "p", paramRef={"name": "l", "namespace": "web", "parameterNotFoundAction": "Deny"})
        self.assertEqual(self.effects(crd, limit, checked, bound, config_map("a", n="x"), status=0), [])

    def test_an_object_that_no_server_reads(self):
        """It is said with the field and the value, and the other objects have their answers."""
        wrong = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "w"}, "spec": {"ports": [{"port": "80"}]}}
        items = [policy("p", "false"), stage.binding("b", "p"), wrong, config_map("a", n="x")]
        self.write("objects.json", {"apiVersion": "v1", "kind": "List", "items": items})
        status, out, err = self.audit("-f", "objects.json")
        self.assertIn(
            'no API server can read Service default/w: spec.ports[0].port is "80", and must be an integer', err
        )
        self.assertIn("ConfigMap web/a", out)
        self.assertEqual(status, 1)

    def test_operations_and_users(self):
        only_update = policy("p", "request.operation == 'CREATE' || oldObject != object")
        as_user = policy(
            "q", "request.userInfo.username == 'kubernetes-admin' && 'system:authenticated' in request.userInfo.groups"
        )
        report = self.results(only_update, as_user, config_map("a"))
        self.assertEqual([(r["policy"], r["operations"]) for r in report["results"]], [("p", ["UPDATE"])])
        _, out, _ = self.audit("-f", "objects.json", "--as", "me", "--as-group", "g")
        self.assertIn("policy q (no binding: audited as if it were bound to everything)\n  DENY ", out)

    def test_a_version_that_no_file_has(self):
        old = policy("p", "false", rules=[rule("autoscaling", "horizontalpodautoscalers")])
        spec = {"scaleTargetRef": {"kind": "Deployment", "name": "d"}, "maxReplicas": 2}
        hpa = {
            "apiVersion": "autoscaling/v2",
            "kind": "HorizontalPodAutoscaler",
            "metadata": {"name": "h"},
            "spec": spec,
        }
        report = self.results(old, hpa)
        self.assertEqual(report["results"], [])
        self.assertIn("autoscaling/v1", report["policies"][0]["notEvaluated"])

    def test_policies_that_no_server_takes(self):
        report = self.results(
            policy("broken", "object.+"), policy("p", "false"), stage.binding("b", "p", "Shout"), config_map("a")
        )
        problems = {p["name"]: p.get("notEvaluated", "") for p in report["policies"]}
        self.assertIn("the API server refuses it: spec.validations[0].expression", problems["broken"])
        self.assertIn("binding b: the API server refuses it: spec.validationActions[0]", problems["p"])
        self.assertEqual(report["results"], [])

    def test_params_without_a_binding(self):
        report = self.results(
            policy("p", "params.data.x == ''", paramKind={"apiVersion": "v1", "kind": "ConfigMap"}), config_map("a")
        )
        self.assertIn("no binding says which parameters", report["policies"][0]["notEvaluated"])

    def test_versions_differ(self):
        """Built-in kinds are typed values from 1.37 on."""
        typed = policy("p", "object.metadata.name.orValue('x') == 'a'")
        self.assertEqual(self.effects(typed, config_map("a"), status=0), [])
        found = self.effects(typed, config_map("a"), version="1.37")
        self.assertEqual([f[3] for f in found], ["failed"])
        self.assertIn("no such overload", found[0][4])

    def test_what_is_not_evaluated(self):
        report = self.results(
            policy("p", "authorizer.group('').resource('pods').check('get').allowed()"), config_map("a")
        )
        self.assertIn(
            "ConfigMap web/a: spec.validations[0].expression: vapcheck", report["policies"][0]["notEvaluated"]
        )
        self.assertEqual(report["results"], [])

    def test_an_object_that_is_not_evaluated_hides_no_other(self):
        asks = "object.metadata.name == 'c' && authorizer.group('').resource('pods').check('get').allowed()"
        report = self.results(policy("p", asks), config_map("a"), config_map("c"), config_map("c", "other"))
        self.assertEqual([(r["object"]["name"], r["effect"]) for r in report["results"]], [("a", "refused")])
        problem = report["policies"][0]["notEvaluated"]
        self.assertRegex(problem, r"^ConfigMap web/c: spec.validations\[0\].expression: .* \(and 1 more object\)$")
        _, out, _ = self.audit("-f", "objects.json")
        self.assertIn(f"  not evaluated completely: {problem}\n  1 object matches: 1 refused\n", out)
        self.assertIn("1 refused; 1 policy not evaluated completely\n", out)

    def test_definitions_of_the_files(self):
        schema = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
        names = {"plural": "foos", "singular": "foo", "kind": "Foo", "listKind": "FooList"}
        crd = {
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": "foos.example.com"},
            "spec": {
                "group": "example.com",
                "names": names,
                "scope": "Cluster",
                "versions": [{"name": "v1", "served": True, "storage": True, "schema": schema}],
            },
        }
        foo = {"apiVersion": "example.com/v1", "kind": "Foo", "metadata": {"name": "f"}}
        found = self.effects(
            policy("p", "namespaceObject != null", rules=[rule("example.com", "foos", scope="Cluster")]), foo, crd
        )
        self.assertEqual([f[0] for f in found], ["f"])

    def test_bad_files(self):
        self.write("bad.yaml", "kind: ConfigMap\n\tmetadata: x\n")
        self.write("good.json", {"apiVersion": "v1", "kind": "List", "items": [policy("p", "false"), config_map("a")]})
        self.write(
            "odd.yaml", "apiVersion: example.com/v1\nkind: Nope\nmetadata: {name: x}\n---\napiVersion: v1\nkind: Pods\n"
        )
        self.write("text.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: a name\n")
        status, out, err = self.audit("-f", ".")
        self.assertEqual(status, 1)
        self.assertIn("  DENY    ConfigMap web/a: failed expression: false", out)
        self.assertRegex(err, r"bad.yaml:2:1: .*tab")
        self.assertIn("odd.yaml:1:1: the server has no kind Nope in example.com/v1: it is not evaluated", err)
        self.assertIn("odd.yaml:5:1: the server has no kind Pods in v1: it is not evaluated", err)
        self.assertIn("text.yaml:1:1: metadata is no mapping: the object is not evaluated", err)
        status, out, err = self.audit("-f", "good.json", "-f", "missing.yaml")
        self.assertEqual(status, 2)
        self.assertIn("missing.yaml", err)
        self.assertIn("  DENY    ConfigMap web/a", out)

    def test_two_of_one_name(self):
        report = self.results(policy("p", "false"), policy("p", "true"), config_map("a"))
        self.assertEqual(len(report["results"]), 1)
        self.assertIn("another object of this kind has the same name", report["errors"][0]["message"])

    def test_flags(self):
        self.write("p.json", policy("p", "true"))
        self.write("o.json", config_map("a"))
        for args, message in (
            ([], "a file is required"),
            (["-f", "p.json", "-o", "wide"], '--output: "wide" is not one of its values'),
            (["-f", "p.json", "--as-group", "g"], "--as-group needs --as"),
            (["-f", "p.json", "--as", ""], "--as"),
            (["-f", "p.json", "--kube-version", "1.36,1.37"], "--kube-version must be one version"),
            (["-f", "p.json", "--context", "c"], "--kubeconfig and --context need --cluster"),
        ):
            with self.subTest(args):
                status, _, err = self.audit(*args, version=None)
                self.assertEqual(status, 2)
                self.assertIn(message, err)
        self.assertEqual(self.audit("-f", "p.json", "-f", "o.json")[0], 0)
        status, _, err = self.audit("-f", "o.json", version=None)
        self.assertEqual(status, 1)
        self.assertIn("there is no ValidatingAdmissionPolicy", err)
        self.assertEqual(self.audit("-f", "o.json", "--allow-empty")[0], 0)

    def test_what_mutating_policies_change(self):
        report = self.results(
            mutating("m", labelled(team="web")),
            mutating_binding("b", "m"),
            config_map("a", labels={"app": "x"}),
            config_map("b", labels={"team": "web"}),
            status=0,
        )
        patch = [{"op": "add", "path": "/metadata/labels/team", "value": "web"}]
        shown = 'metadata.labels.team: nothing becomes "web"'
        self.assertEqual(
            [
                (
                    r["object"]["name"],
                    r["policy"],
                    r["mutating"],
                    r["binding"],
                    r["effect"],
                    r["operations"],
                    r["message"],
                    r["patch"],
                )
                for r in report["results"]
            ],
            [("a", "m", True, "b", "changed", ["CREATE", "UPDATE"], shown, patch)],
        )
        self.assertEqual(
            [report["policies"][0][k] for k in ("mutating", "matched", "changed", "failed", "unknown")],
            [True, 2, 1, 0, 0],
        )
        self.assertEqual(report["summary"]["changed"], 1)
        status, out, _ = self.audit("-f", "objects.json")
        self.assertEqual(status, 0)
        self.assertIn(
            "mutating policy m (binding b)\n"
            f"  CHANGE  ConfigMap web/a: {shown}  objects.json:1\n"
            "  2 objects match: 1 changed\n",
            out,
        )
        self.assertIn("\n2 objects of 1 kind, 1 policy: 1 changed\n", out)

    def test_validating_policies_come_behind(self):
        needs = policy("v", "has(object.metadata.labels.team) && object.metadata.labels.team == 'web'")
        found = self.effects(
            mutating("m", labelled(team="web")), needs, stage.binding("b", "v"), config_map("a"), status=0
        )
        self.assertEqual([f[3] for f in found], ["changed"])
        forbids = policy("v", "!has(object.metadata.labels.team)")
        report = self.results(mutating("v", labelled(team="web")), forbids, stage.binding("b", "v"), config_map("a"))
        self.assertEqual(
            [(r["policy"], r.get("mutating"), r["effect"], r.get("afterChange")) for r in report["results"]],
            [("v", True, "changed", None), ("v", None, "refused", True)],
        )
        _, out, _ = self.audit("-f", "objects.json")
        self.assertIn(
            "  DENY    ConfigMap web/a: failed expression: !has(object.metadata.labels.team) (as mutating policies "
            "change it)  objects.json:1\n",
            out,
        )

    def test_each_patch_gets_default_values(self):
        """Of a container that a mutation adds, the next mutation and the validating policies see the pull policy."""
        template = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "c:1"}]}}
        made = {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {"name": "d", "namespace": "web"},
            "spec": {"selector": {"matchLabels": {"a": "b"}}, "template": template},
        }
        rules = [rule("apps", "deployments")]
        path = "/spec/template/spec/containers/-"
        containers = "object.spec.template.spec.containers"
        adds = mutating(
            "adds",
            f"[JSONPatch{{op: 'add', path: '{path}', value: {{'name': 'x', 'image': 'x'}}}}]",
            f"[JSONPatch{{op: 'add', path: '/metadata/labels', value: {{'pull': {containers}[1].imagePullPolicy}}}}]",
            rules=rules,
        )
        checks = policy(
            "checks",
            "object.metadata.labels.pull == 'Always'",
            f"{containers}[1].terminationMessagePath == '/dev/termination-log'",
            rules=rules,
        )
        found = self.effects(adds, checks, mutating_binding("m", "adds"), stage.binding("b", "checks"), made, status=0)
        self.assertEqual([f[3] for f in found], ["changed"] * len(found), found)
        self.assertIn("metadata.labels", "".join(f[4] for f in found))

    def test_selectors_conditions_and_params_of_mutating_policies(self):
        chosen = mutating_binding(
            "b",
            "m",
            matchResources={"objectSelector": {"matchLabels": {"app": "x"}}},
            paramRef={"name": "p", "namespace": "web", "parameterNotFoundAction": "Deny"},
        )
        by_param = mutating("m", "[JSONPatch{op: 'add', path: '/data/n', value: params.data.n}]",
                            matchConditions=[{"name": "c", "expression": "request.operation == 'CREATE'"}],
                            paramKind={"apiVersion": "v1", "kind": "ConfigMap"})  # fmt: skip
        objects = [config_map("p", n="1"), config_map("a", labels={"app": "x"}, k="v"), config_map("b", k="v")]
        report = self.results(by_param, chosen, *objects, status=0)
        patch = [{"op": "add", "path": "/data/n", "value": "1"}]
        self.assertEqual(
            [(r["object"]["name"], r["operations"], r["patch"]) for r in report["results"]], [("a", ["CREATE"], patch)]
        )
        report = self.results(by_param, chosen, *objects[1:])
        self.assertEqual([(r["object"]["name"], r["effect"]) for r in report["results"]], [("a", "failed")])
        self.assertIn("failed to configure binding: no params found", report["results"][0]["message"])

    def test_reinvocation(self):
        counts = mutating(
            "counts",
            "[JSONPatch{op: 'add', path: '/data/n', value: string(size(object.data))}]",
            reinvocationPolicy="IfNeeded",
        )
        adds = mutating("adds", "[JSONPatch{op: 'add', path: '/data/x', value: 'y'}]")
        report = self.results(counts, adds, config_map("a", k="v"), status=0)
        self.assertEqual(
            [(r["step"], r["policy"], r["effect"], r["message"]) for r in report["results"]],
            [
                (1, "counts", "changed", 'data.n: nothing becomes "1"'),
                (3, "counts", "changed", 'data.n: "1" becomes "3"'),
                (2, "adds", "changed", 'data.x: nothing becomes "y"'),
            ],
        )

    def test_reinvocation_with_each_param(self):
        """What was invoked is invoked again with the same params, of whichever binding."""
        by_param = mutating(
            "by-param",
            "[JSONPatch{op: 'add', path: '/data/' + params.metadata.name, value: string(size(object.data))}]",
            paramKind={"apiVersion": "v1", "kind": "ConfigMap"},
            constraints={"resourceRules": [{**rule(), "resourceNames": ["a"]}]},
            reinvocationPolicy="IfNeeded",
        )
        bindings = [
            mutating_binding(
                f"b{i}",
                "by-param",
                paramRef={"selector": {"matchLabels": {"of": f"b{i}"}}, "parameterNotFoundAction": "Deny"},
            )
            for i in (1, 2)
        ]
        params = [config_map(name, labels={"of": of}) for name, of in (("p3", "b1"), ("p1", "b2"), ("p2", "b1"))]
        report = self.results(by_param, *bindings, *params, config_map("a", k="v"), status=0)
        changes = [
            (r["binding"], r["message"])
            for r in report["results"]
            if r["effect"] == "changed" and r["operations"] == ["CREATE", "UPDATE"]
        ]
        self.assertEqual(
            sorted(changes),
            [
                ("b1", 'data.p2: "2" becomes "4"'),
                ("b1", 'data.p2: nothing becomes "2"'),
                ("b1", 'data.p3: "1" becomes "4"'),
                ("b1", 'data.p3: nothing becomes "1"'),
                ("b2", 'data.p1: "3" becomes "4"'),
                ("b2", 'data.p1: nothing becomes "3"'),
            ],
        )

    def test_failures_of_mutating_policies(self):
        """Validating policies are not asked about a request that is refused before."""
        fails = "[JSONPatch{op: 'add', path: '/data/n', value: object.data.nope}]"
        no = policy("v", "false")
        found = self.effects(mutating("m", fails), no, config_map("a", k="v"))
        self.assertEqual([f[1:4] for f in found], [("m", None, "failed")])
        self.assertIn("no such key: nope", found[0][4])
        found = self.effects(mutating("m", fails, failurePolicy="Ignore"), no, config_map("a", k="v"))
        self.assertEqual([f[1:4] for f in found], [("m", None, "ignored"), ("v", None, "refused")])

    def test_what_is_not_known_of_mutating_policies(self):
        asks = mutating(
            "m",
            (
                "[JSONPatch{op: 'add', path: '/data/n', value: "
                "string(authorizer.group('').resource('x').check('get').allowed())}]"
            ),
        )
        here = {"objectSelector": {"matchLabels": {"app": "x"}}}
        asks["spec"]["matchConstraints"].update(here)
        report = self.results(asks, policy("v", "false"), config_map("a", labels={"app": "x"}, k="v"), config_map("b"))
        self.assertEqual([(r["object"]["name"], r["policy"], r["effect"]) for r in report["results"]],
                         [("a", "m", "unknown"), ("b", "v", "refused")])  # fmt: skip
        self.assertIn("the authorizer", report["results"][0]["message"])
        self.assertIn("what mutating policies make of some is not known", report["policies"][1]["notEvaluated"])

    def test_the_order_of_mutating_policies(self):
        one, two = mutating("one", labelled(team="a")), mutating("two", labelled(team="b"))
        report = self.results(one, two, config_map("a"))
        self.assertEqual(
            [(r["policy"], r["effect"]) for r in report["results"]],
            [("one", "changed"), ("one", "unknown"), ("two", "changed")],
        )
        self.assertIn('metadata.labels.team becomes "b", and "a" in the reverse order', report["results"][1]["message"])

    def test_formats_of_changes(self):
        self.results(mutating("m", labelled(team="web")), config_map("a"), status=0)
        run = json.loads(self.audit("-f", "objects.json", "-o", "sarif")[1])["runs"][0]
        result = run["results"][0]
        self.assertEqual((result["ruleId"], result["level"]), ("audit-changed", "note"))
        self.assertEqual(run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"], "audit-changed")
        report = json.loads(self.audit("-f", "objects.json", "-o", "openreports-json")[1])["items"][0]
        self.assertEqual(report["summary"], {"pass": 1, "fail": 0, "warn": 0, "error": 0, "skip": 0})
        self.assertEqual([report["results"][0][k] for k in ("result", "severity", "scored")], ["pass", "info", False])

    def test_standard_input(self):
        lines = "\n---\n".join(json.dumps(o) for o in (policy("p", "false"), config_map("a")))
        status, out, _ = self.audit("-f", "-", input=lines)
        self.assertEqual(status, 1)
        self.assertIn("  DENY    ConfigMap web/a: failed expression: false", out)
        self.assertEqual(self.audit("-f", "-", "--fail-on", "never", input=lines)[0], 0)

    def test_progress(self):
        """On a terminal alone: a line on stderr, which is gone at the end."""
        expression = "object.data.a.split('').all(x, object.data.a.split('').all(y, x == y))"
        self.write("policy.json", policy("slow", expression))
        (self.directory / "objects").mkdir()
        for i in range(8):  # each takes a million of CEL's cost, twice
            self.write(f"objects/{i}.json", config_map(f"m{i}", a="x" * 1100))
        argv = [PROGRAM, "audit", "-f", "policy.json", "-f", "objects", "--kube-version", "1.36"]
        terminal, line = pty.openpty()
        done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=line, cwd=self.directory, timeout=120)
        os.close(line)
        shown = read_terminal(terminal)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(shown, r"\d+ of 18 files")
        self.assertTrue(shown.endswith("\r\x1b[K"), shown)
        piped = subprocess.run(argv, capture_output=True, cwd=self.directory, timeout=120)
        self.assertEqual((piped.stdout, piped.stderr), (done.stdout, b""))

    def test_sarif(self):
        self.results(policy("p", "false"), config_map("a"))
        _, out, _ = self.audit("-f", "objects.json", "-o", "sarif")
        run = json.loads(out)["runs"][0]
        rules = run["tool"]["driver"]["rules"]
        result = run["results"][0]
        self.assertEqual(rules[result["ruleIndex"]]["id"], result["ruleId"])
        self.assertEqual(result["ruleId"], "audit-refused")
        place = result["locations"][0]["physicalLocation"]
        self.assertEqual(place["artifactLocation"]["uri"], "objects.json")
        self.assertEqual(result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"], "ConfigMap web/a")

    def test_formats_for_ci(self):
        """Each has the same findings, and what could not be read."""
        wrong = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "w"}, "spec": {"ports": [{"port": "80"}]}}
        report = self.results(
            *(
                policy("p", "false"),
                stage.binding("b", "p"),
                stage.binding("w", "p", "Warn"),
                mutating("m", labelled(team="web")),
            ),
            *(config_map("a"), config_map("c"), wrong),
        )
        unread = 'no API server can read Service default/w: spec.ports[0].port is "80", and must be an integer'
        found = [(r["effect"], r["object"]["name"]) for r in report["results"]]
        self.assertEqual(len(found), 6)
        lines = self.audit("-f", "objects.json", "-o", "github")[1].splitlines()
        self.assertEqual(
            [line.split("::")[1] for line in lines],
            [
                f"{level} file=objects.json,line=1,col=1,title=ConfigMap web/{name}"
                for name in ("a", "c")
                for level in ("notice", "error", "warning")
            ]
            + [lines[-1].split("::")[1]],
        )
        self.assertRegex(lines[-1], "^::error file=objects.json,line=1,col=[0-9]+,title=audit::")
        self.assertEqual(lines[-1].split("::")[2], unread)
        issues = json.loads(self.audit("-f", "objects.json", "-o", "gitlab")[1])
        self.assertEqual(
            [(i["check_name"], i["severity"]) for i in issues],
            [("audit-changed", "info"), ("audit-refused", "major"), ("audit-warned", "minor")] * 2
            + [("audit-incomplete", "major")],
        )
        self.assertEqual(len({i["fingerprint"] for i in issues}), 7)
        self.assertEqual(issues[0]["location"], {"path": "objects.json", "lines": {"begin": 1, "end": 1}})
        suites = xml.etree.ElementTree.fromstring(self.audit("-f", "objects.json", "-o", "junit")[1])
        cases = [
            (suite.get("name"), case.get("name"), [child.tag for child in case]) for suite in suites for case in suite
        ]
        self.assertEqual(
            cases,
            [
                ("p", "evaluated", ["system-out"]),
                *(("p", f"ConfigMap web/{name}", ["failure"]) for name in ("a", "a", "c", "c")),
                ("m", "evaluated", ["system-out"]),
                *(("m", f"ConfigMap web/{name}", ["system-out"]) for name in ("a", "c")),
                ("kubectl-vapcheck", "objects.json", ["error"]),
            ],
        )
        self.assertIn(unread, suites[-1][0][0].get("message"))

    def test_openreports(self):
        node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}}
        self.results(
            policy("p", "false"),
            policy("q", "false", rules=[rule(resource="nodes")]),
            stage.binding("b", "p"),
            config_map("a"),
            node,
        )
        _, out, _ = self.audit("-f", "objects.json", "-o", "openreports-json")
        first, second = json.loads(out)["items"]
        self.assertEqual(
            (first["apiVersion"], first["kind"], first["metadata"]["namespace"]),
            ("openreports.io/v1alpha1", "Report", "web"),
        )
        self.assertEqual(first["scope"], {"apiVersion": "v1", "kind": "ConfigMap", "name": "a", "namespace": "web"})
        self.assertEqual(first["summary"], {"pass": 0, "fail": 1, "warn": 0, "error": 0, "skip": 0})
        self.assertEqual((first["results"][0]["policy"], first["results"][0]["result"]), ("p", "fail"))
        self.assertEqual(first["results"][0]["properties"]["binding"], "b")
        self.assertEqual((second["kind"], "namespace" in second["metadata"]), ("ClusterReport", False))
        again = json.loads(self.audit("-f", "objects.json", "-o", "openreports-json")[1])["items"]
        self.assertEqual(
            [i["metadata"]["name"] for i in again], [first["metadata"]["name"], second["metadata"]["name"]]
        )
        _, text, _ = self.audit("-f", "objects.json", "-o", "openreports")
        self.assertEqual(text.count("\n---\n"), 1)
        self.assertTrue(text.startswith("apiVersion: openreports.io/v1alpha1\nkind: Report\n"))

    def test_no_control_characters(self):
        found = policy("p", "false", constraints=None)
        found["spec"]["validations"][0]["message"] = "red \x1b[31m\u202e"
        self.results(found, config_map("a"))
        for form in ("text", "json", "sarif", "junit", "github", "gitlab", "openreports", "openreports-json"):
            out = self.audit("-f", "objects.json", "-o", form)[1]
            self.assertNotIn("\x1b", out)
            self.assertNotIn("\u202e", out)


if __name__ == "__main__":
    unittest.main()
