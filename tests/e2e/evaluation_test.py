#!/usr/bin/env python3
"""Evaluation as the API server does it: the truth tool answers some 400 dry-run requests in the same way, and
kubectl vapcheck test says what policies answer, which webhooks are called, and what the rules of a
CustomResourceDefinition refuse. Policies
find the fields that typecheck/cel/schema/given_fields.def names, in each object that is accepted."""

import json
import pathlib
import subprocess
import sys
import urllib.error
import urllib.request

import customrules
import givenfields
import harness
import suitecases

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "upstream/truth"))
import truth

CONTAINER = {"name": "c", "image": "nginx:1.27"}
LIMITED = {**CONTAINER, "resources": {"limits": {"cpu": "0.5", "memory": "2000Ki"}}}

DEPLOYMENTS = [  # specs of the pod, and of the deployment around it
    ({"containers": [CONTAINER]}, {}),
    ({"containers": [LIMITED]}, {"replicas": 3}),
    ({"containers": [CONTAINER, {**LIMITED, "name": "d"}]}, {"paused": True}),
    ({"containers": [CONTAINER], "initContainers": [{**CONTAINER, "name": "i"}]}, {"replicas": 0}),
    ({"containers": [CONTAINER], "securityContext": {"runAsNonRoot": True}}, {"strategy": {"type": "Recreate"}}),
    ({"containers": [CONTAINER], "volumes": [{"name": "v", "emptyDir": {}}]}, {"minReadySeconds": 5}),
    ({"containers": [CONTAINER], "nodeSelector": {"zone": "a"}}, {}),
    ({"containers": [CONTAINER], "serviceAccountName": "web"}, {"revisionHistoryLimit": 1}),
]
NOT_GIVEN = ("Deployment", "spec.paused")  # in an object that has nothing optional
ROLES = [{}, {"rules": []}, {"rules": [{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}]}]

EXPRESSIONS = [
    # what the schema does not have
    "object.replicas > 1",
    "object.spec.replica == 1",
    "has(object.spec.nope)",
    "has(object.nope.deeper)",
    "object.nope == null",
    "object.?nope.orValue(null) == null",
    "has(object.metadata.name.a)",
    # guards
    "object.kind != 'Pod' || object.spec.containers.all(c, c.image != '')",
    "object.nope == 1 || true",
    "object.nope == 1 || false",
    "object.nope == 1 ? true : true",
    "has(object.spec) && has(object.spec.paused) && object.spec.paused",
    # types at run time
    "object.spec.replicas == '3'",
    "object.spec.replicas > 0.5",
    "object.spec.replicas < '3'",
    "object.rules == null",
    "size(object.rules) > 0",
    "object.rules.all(r, has(r.resources))",
    "object.metadata.creationTimestamp == null",
    "type(object.metadata.creationTimestamp) == string",
    "object.metadata.creationTimestamp > timestamp('2020-01-01T00:00:00Z')",
    "object.spec.template.spec.containers.orValue([]).size() > 1",
    "object.spec.template.spec.containers + object.spec.template.spec.initContainers == []",
    "object.spec.template.spec.containers.exists(c, has(c.resources.limits) && c.resources.limits.cpu == '500m')",
    "object.spec.template.spec.containers.all(c, !has(c.resources.limits) || c.resources.limits.cpu < 1)",
    "object.spec.template.spec.securityContext.?runAsNonRoot.orValue(false) == true",
    "'name' in object.metadata && size(object.metadata) > 1",
    "string(object.metadata.labels) == ''",
    # the request
    "request.subResource == ''",
    "has(request.subResource)",
    "request.namespace == 'default'",
    "oldObject == null",
    "oldObject.metadata.name == 'a'",
    "has(oldObject.nope)",
    "namespaceObject.metadata.name == 'default'",
    "request.operation == 'CREATE' && request.kind.kind == object.kind",
    "variables.broken == 1",
    "object.kind == 'Nope' && variables.broken == 1",
    "variables.broken == 1 || true",
    # where typed values (since 1.37) and maps differ
    "object.metadata.name.orValue('x') == 'a'",
    "object.spec.replicas.orValue(3) == 3",
    "object.spec.template.spec.containers[0u].name == 'c'",
    "object.spec.template.spec.containers[0.0].name == 'c'",
    "1 in object.metadata.labels",
    "object.metadata.labels[?1].orValue('a') == 'a'",
    "object.spec == 'a'",
    "object.spec == 5",
    "object.spec.template.spec.containers == 'a'",
    "object.metadata.labels == ['a']",
    "object.spec.template.spec.containers == object.spec",
    "object.spec.template.spec.containers[0] == 'a'",
    "object.spec.template.spec.containers.exists(c, c == 'c')",
    "dyn(namespaceObject) == 'a'",
    "dyn(namespaceObject.metadata) == 5",
    "dyn(request) == 5",
    "dyn(request.userInfo) == 'a'",
    "object.spec.template.spec.containers[dyn(0u)].name == 'c'",
    "object.spec.template.spec.containers[0].ports[0u].name == 'a'",
    "object[?1].hasValue()",
    "1 in object.spec",
    "true in object.metadata.labels",
    "object.spec.template.spec.containers != 'a'",
    "object.spec.template.spec.containers.filter(c, c.name == 'c')[dyn(0u)].name == 'c'",
    "(object.spec.template.spec.containers + [])[dyn(0u)].name == 'c'",
    "object.spec.template.spec.?containers.orValue([])[dyn(0u)].name == 'c'",
    "object.spec.template.spec.or(optional.of(1)).hasValue()",
    # where they do not
    "'c' in object.spec.template.spec.containers",
    "{'a': 1} in object.spec.template.spec.containers",
    "[object.spec] == [object.metadata]",
    "object.spec.template.spec.containers in [1]",
    "object.spec.template.spec.containers == [1]",
    "object.spec.template.spec.containers[0] == {'name': 'c'}",
    "object.spec == object.metadata",
    "object.metadata.labels == null",
    "object.spec.replicas == 1.0",
    "object.spec.replicas in [1.0]",
    "object.spec.strategy.rollingUpdate.maxSurge == '25%'",
    "type(object.spec.template.spec.containers) == list",
    "type(object) == map",
    "size(object.spec.selector) == 1",
    "object.metadata.all(k, k != '')",
    "object.spec.template.spec.containers[?'a'].orValue(1) == 1",
    "size(object.spec.replicas) == 1",
    "sets.contains(object.spec.template.spec.containers, ['a'])",
    "sets.intersects(object.spec.template.spec.containers, [object.spec])",
    "object.metadata.creationTimestamp == timestamp('2026-01-01T00:00:00Z')",
    "object.metadata.labels.map(k, k) == ['case']",
    "quantity('1') == object.spec.replicas",
    "object.metadata.labels.exists(k, object.metadata.labels[k] == 1)",
]


# Policies ask the authorizer if the first one may read pods; (match conditions, more of the webhook, what happens).
MAY = (
    "authorizer.serviceAccount('default', '%s').group('').resource('pods').namespace('default').check('get').allowed()"
)
READER = {
    "user": "system:serviceaccount:default:reader",
    "group": "",
    "resource": "pods",
    "verb": "get",
    "decision": "allow",
}
FAILS = "object.data.nope == 'a'"
WEBHOOKS = [
    (["true"], {}, "call"),
    ([], {}, "call"),
    (["object.data.n == 'a'"], {}, "call"),
    (["object.data.n == 'b'"], {}, "skip"),
    ([FAILS], {}, "error"),
    ([FAILS], {"failurePolicy": "Ignore"}, "skip"),
    ([FAILS, "false"], {}, "skip"),
    ([FAILS, "true"], {}, "error"),
    ([FAILS, "object.data.other == 'a'"], {}, "error"),
    (
        ["request.namespace == 'default' && request.name == object.metadata.name", "!has(request.subResource)"],
        {},
        "call",
    ),
    (["oldObject == null && request.operation == 'CREATE' && request.dryRun"], {}, "call"),
    ([MAY % "reader"], {}, "call"),
    ([MAY % "stranger"], {}, "skip"),
    (["!" + MAY % "reader"], {}, "skip"),
    (["true"], {"namespaceSelector": {"matchLabels": {"nope": "x"}}}, "skip"),
    (["true"], {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "default"}}}, "call"),
    (
        ["true"],
        {"rules": [{"apiGroups": [""], "apiVersions": ["v1"], "operations": ["DELETE"], "resources": ["configmaps"]}]},
        "skip",
    ),
]


def objects():
    for pod, around in DEPLOYMENTS:
        template = {"metadata": {"labels": {"app": "a"}}, "spec": pod}
        spec = {"selector": {"matchLabels": {"app": "a"}}, "template": template, **around}
        yield {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {}, "spec": spec}
    for role in ROLES:
        yield {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "metadata": {}, **role}


def policy(name, expression):
    """One that only objects with its label reach, for each says by itself what it denies."""
    made = harness.policy(name, expression, variables=[{"name": "broken", "expression": "object.nope"}])
    constraints = made["spec"]["matchConstraints"]
    constraints["resourceRules"].append({
        "apiGroups": ["rbac.authorization.k8s.io"], "apiVersions": ["v1"],
        "operations": ["CREATE"], "resources": ["roles"],
    })  # fmt: skip
    constraints["objectSelector"] = {"matchLabels": {"case": name}}
    return made


def named(template, case, number):
    made = json.loads(json.dumps(template))
    made["metadata"] = {"name": f"{case}-{number}", "namespace": "default", "labels": {"case": case}}
    return made


def webhook(number, conditions, more):
    """One whose call fails, of the objects with its label."""
    rules = [{"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["configmaps"]}]
    return {
        "name": f"w{number}.example.com",
        "clientConfig": {"url": "https://127.0.0.1:1/"},
        "admissionReviewVersions": ["v1"],
        "sideEffects": "None",
        "timeoutSeconds": 1,
        "rules": rules,
        "objectSelector": {"matchLabels": {"case": f"w{number}"}},
        "matchConditions": [{"name": f"c{i}", "expression": c} for i, c in enumerate(conditions)],
        **more,
    }


class EvaluationTest(harness.Case):
    def dump(self):
        dump = self.plane.directory / "dump"
        if not dump.exists():
            argv = [harness.KUBECTL_VAPCHECK, "dump", dump, "--kubeconfig", self.plane.kubeconfig]
            done = subprocess.run(argv, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
        return dump

    def answers(self, requests):
        """{name: what the API server says against creating it}, in dry runs."""
        listed = {"apiVersion": "v1", "kind": "List", "items": requests}
        done = self.plane.run_kubectl("create", "--dry-run=server", "-f", "-", input=json.dumps(listed), timeout=300)
        said = {}
        for line in done.stderr.splitlines():
            for request in requests:
                name = request["metadata"]["name"]
                if f'"{name}" is forbidden' in line or f'"{name}" is invalid' in line:
                    said[name] = line
        created = done.stdout.count("(server dry run)") + done.stdout.count("(dry run)")
        self.assertEqual(created + len(said), len(requests), done.stderr[-2000:])
        return said

    def test_same_answers(self):
        tool = truth.tool(self.plane.version)
        dump = self.dump()
        cases = {f"e{i}": e for i, e in enumerate(EXPRESSIONS)}
        policies = {name: policy(name, e) for name, e in cases.items()}
        policies["ready"] = policy("ready", "false")
        self.plane.apply([*policies.values(), *(harness.binding(name, name) for name in policies)])
        probe = named(next(objects()), "ready", 0)
        harness.wait_for("the policies are active", lambda: self.answers([probe]))

        sent, lines = {}, []
        every = truth.endpoints(dump)
        for name in cases:
            requests = [named(o, name, i) for i, o in enumerate(objects())]
            sent.update({r["metadata"]["name"]: r for r in requests})
            task = truth.task(truth.Policy(name, policies[name]), every)
            for kind in task["types"]:
                mine = [r for r in requests if r["kind"] == kind["kind"]]
                asked = json.loads(json.dumps([{"operation": "CREATE", "object": r} for r in mine]))
                for request in asked:  # what the API server adds before admission
                    request["object"]["metadata"]["creationTimestamp"] = "2026-01-01T00:00:00Z"
                    request["object"]["metadata"]["uid"] = "b6c0a8b4-6c1d-4a8e-9d55-1b2b7f1f8f10"
                lines.append(({**task, "types": [kind], "id": f"{name}/{kind['kind']}", "requests": asked}, mine))
        outcomes = {}
        answers = {a["id"]: a for a in truth.run_tool(tool, dump, [line for line, _ in lines])}
        for line, mine in lines:
            for request, outcome in zip(mine, answers[line["id"]]["outcomes"]):
                outcomes[request["metadata"]["name"]] = outcome

        said = self.answers(list(sent.values()))
        self.assertGreater(len(sent), 200)
        wrong = []
        for name in sent:
            outcome = outcomes[name][0]
            theirs = said.get(name, "")
            if outcome.get("error"):
                same = "resulted in error: " + outcome["error"] in theirs
            elif outcome["value"] == "true":
                same = theirs == ""
            else:
                same = "failed expression" in theirs
            if not same:
                wrong.append(f"{name} {cases[name.split('-')[0]]}: tool {outcome}, API server {theirs!r}")
        self.assertEqual(wrong, [])
        kinds = {bool(o[0].get("error")) for o in outcomes.values()}
        self.assertEqual(kinds, {True, False}, "some fail, some do not")

    def test_given_fields(self):
        """Each object has them that a policy is asked about; one that is sent without is refused, or gets them."""
        wanted = {}
        for kind, field in [*givenfields.fields(), NOT_GIVEN]:
            wanted.setdefault(kind, []).append(field)
        validations = [{"expression": "object.metadata.name != 'probe'"}]
        for kind, fields in wanted.items():
            has = [f"has(object.{field})" for field in fields]
            lacks = ", ".join(f"{h} ? '' : '{field}'" for h, field in zip(has, fields))
            validations.append({"expression": f"object.kind != '{kind}' || ({' && '.join(has)})",
                                "messageExpression": f"'lacks ' + [{lacks}].filter(f, f != '').join(' ')"})  # fmt: skip
        every = {"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["CREATE"], "resources": ["*"]}
        constraints = {"resourceRules": [every], "objectSelector": {"matchLabels": {"case": "given"}}}
        made = harness.policy("given", matchConstraints=constraints, validations=validations)
        account = {
            "apiVersion": "v1",
            "kind": "ServiceAccount",
            "metadata": {"name": "default", "namespace": "default"},
        }
        self.plane.apply([account, made, harness.binding("given", "given")])
        probe = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "probe", "labels": {"case": "given"}}}
        harness.wait_for("the policy is active", lambda: self.answers([probe]))
        sent = dict(givenfields.objects({"case": "given"}))
        self.assertEqual(set(wanted), set(sent))
        answers = self.answers(list(sent.values()))
        refused = answers.pop("given-deployment")
        self.assertTrue(refused.endswith("denied request: lacks " + NOT_GIVEN[1]), refused)
        self.assertEqual(answers, {})
        tried = 0
        for kind, fields in wanted.items():
            for field in fields:
                less = givenfields.without(sent[kind], field)
                if less is None or field.startswith("metadata"):
                    continue
                tried += 1
                said = "".join(self.answers([less]).values())
                lacks = said.endswith(NOT_GIVEN[1]) if kind == NOT_GIVEN[0] else said == ""
                self.assertTrue(lacks or " is invalid: " in said, f"{kind} {field}: {said}")
        self.assertGreater(tried, 10)

    def suite(self, configuration, requests):
        """{webhook: what kubectl vapcheck test says of it, and why}"""
        directory = self.plane.directory / "suite"
        directory.mkdir()
        (directory / "webhooks.json").write_text(json.dumps(configuration))
        (directory / "objects.yaml").write_text("\n---\n".join(map(json.dumps, requests)))
        tests = [
            {
                "object": {"kind": "ConfigMap", "name": r["metadata"]["name"]},
                "expect": "call",
                "dryRun": True,
                "authorizer": [READER],
            }
            for r in requests
        ]
        suites = [
            {"configuration": "evaluation", "webhook": w["name"], "tests": [t]}
            for w, t in zip(configuration["webhooks"], tests)
        ]
        manifest = {"webhooks": ["webhooks.json"], "resources": ["objects.yaml"], "webhookTestSuites": suites}
        (directory / "suite.json").write_text(json.dumps(manifest))
        done = subprocess.run(
            [harness.KUBECTL_VAPCHECK, "test", "-o", "json", "--schemas", self.dump(), directory / "suite.json"],
            capture_output=True,
            text=True,
        )
        report = json.loads(done.stdout)
        self.assertEqual(report["errors"], [], done.stderr)
        return {t["policy"].split("/")[1]: (t["actual"], t["expressions"]) for t in report["tests"]}

    def test_webhooks(self):
        account = {
            "apiVersion": "rbac.authorization.k8s.io/v1",
            "kind": "ClusterRole",
            "metadata": {"name": "reads-pods"},
            "rules": [{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}],
        }
        bound = {
            "apiVersion": "rbac.authorization.k8s.io/v1",
            "kind": "RoleBinding",
            "metadata": {"name": "reads-pods", "namespace": "default"},
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "reads-pods"},
            "subjects": [{"kind": "ServiceAccount", "name": "reader", "namespace": "default"}],
        }
        hooks = [webhook(i, conditions, more) for i, (conditions, more, _) in enumerate(WEBHOOKS)]
        configuration = {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
                         "metadata": {"name": "evaluation"}, "webhooks": hooks}  # fmt: skip
        requests = [
            named({"apiVersion": "v1", "kind": "ConfigMap", "data": {"n": "a"}}, f"w{i}", 0)
            for i in range(len(WEBHOOKS))
        ]
        self.plane.apply([account, bound, configuration])
        self.addCleanup(self.plane.delete, "validatingwebhookconfigurations", "evaluation")

        def said():
            done = {}
            for hook, request in zip(hooks, requests):
                answer = self.plane.run_kubectl(
                    "create", "--dry-run=server", "-f", "-", input=json.dumps(request)
                ).stderr
                called = "failed calling webhook" in answer
                done[hook["name"]] = "call" if called else "error" if answer else "skip", answer
            return done

        first = requests[0]
        harness.wait_for("the webhooks are active", lambda: "failed calling" in self.plane.run_kubectl(
            "create", "--dry-run=server", "-f", "-", input=json.dumps(first)).stderr)  # fmt: skip
        theirs, ours = said(), self.suite(configuration, requests)
        for hook, (conditions, _, expected) in zip(hooks, WEBHOOKS):
            name = hook["name"]
            with self.subTest(name, conditions=conditions):
                self.assertEqual((theirs[name][0], ours[name][0]), (expected, expected), theirs[name][1])
                if expected == "error":
                    self.assertIn(ours[name][1][0]["error"], theirs[name][1])

    def rules_suite(self, cases):
        """{name: the report's test} of what kubectl vapcheck test says."""
        directory = self.plane.directory / "rules"
        directory.mkdir()
        (directory / "crd.json").write_text(json.dumps(customrules.DEFINITION))
        manifest = {
            "crds": ["crd.json"],
            "resources": [],
            "crdTestSuites": [{"crd": customrules.DEFINITION["metadata"]["name"], "tests": []}],
        }
        for name, before, after in cases:
            test = {"name": name, "object": {"kind": customrules.KIND, "name": name}, "expect": "admit"}
            if before is not None:
                before = {**before, "metadata": {**before["metadata"], "namespace": "before"}}
                test["object"]["namespace"] = "default"
                test["oldObject"] = {"kind": customrules.KIND, "name": name, "namespace": "before"}
            for made in filter(None, (before, after)):
                file = f"{name}-{made['metadata']['namespace']}.json"
                (directory / file).write_text(json.dumps(made))
                manifest["resources"].append(file)
            manifest["crdTestSuites"][0]["tests"].append(test)
        (directory / "suite.json").write_text(json.dumps(manifest))
        done = subprocess.run(
            [harness.KUBECTL_VAPCHECK, "test", "-o", "json", "--schemas", self.dump(), directory / "suite.json"],
            capture_output=True,
            text=True,
        )
        report = json.loads(done.stdout)
        self.assertEqual(report["errors"], [], done.stderr)
        return {t["name"]: t for t in report["tests"]}

    def ask(self, method, path, made):
        """(status, answer, warnings)"""
        request = urllib.request.Request(
            self.server + path, json.dumps(made).encode(), {"Content-Type": "application/json"}, method=method
        )
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, json.load(answer), answer.headers.get_all("Warning") or []
        except urllib.error.HTTPError as error:
            return error.code, json.load(error), error.headers.get_all("Warning") or []

    def test_rules_of_definitions(self):
        self.server = self.proxy()
        definition, cases = customrules.DEFINITION, list(customrules.cases())
        path = f"/apis/{customrules.GROUP}/v1/namespaces/default/{customrules.PLURAL}"
        self.plane.apply([customrules.without_rules(definition)])
        self.addCleanup(self.plane.delete, "crd", definition["metadata"]["name"])
        self.plane.kubectl("wait", "--for=condition=Established", f"crd/{definition['metadata']['name']}")
        stored = {}
        for name, before, _ in cases:
            if before is not None:
                status, stored[name], _ = self.ask("POST", path, before)
                self.assertEqual(status, 201, stored[name])
        self.plane.apply([definition])
        probe = customrules.named("probe", {"size": 0})
        harness.wait_for("the rules are active", lambda: self.ask("POST", path + "?dryRun=All", probe)[0] == 422)

        ours, wrong, counts = self.rules_suite(cases), [], {"admit": 0, "deny": 0, "error": 0, "warned": 0}
        for name, before, after in cases:
            if before is not None:
                after = {
                    **after,
                    "metadata": {**after["metadata"], "resourceVersion": stored[name]["metadata"]["resourceVersion"]},
                }
            method, where = ("POST", path) if before is None else ("PUT", f"{path}/{name}")
            status, answer, warnings = self.ask(method, where + "?dryRun=All", after)
            mine = ours[name]
            said = sorted(e.get("message", e.get("error")) for e in mine["expressions"])
            causes = (
                sorted(f"{c.get('field', '')}: {c['message']}" for c in answer.get("details", {}).get("causes", []))
                if status == 422
                else []
            )
            message = (
                f'{customrules.KIND}.{customrules.GROUP} "{name}" is invalid: {said[0]}' if len(said) == 1 else None
            )
            warned = sorted(json.loads(w.split(" ", 2)[2]) for w in warnings)
            noted = sorted(n.partition("the API server only warns: ")[2] for n in mine["notes"])
            if (
                mine["result"] == "error"
                or said != causes
                or noted != warned
                or (message and answer["message"] != message)
            ):
                wrong.append(
                    f"{name} {before and before['spec']} -> {after['spec']}:\n  server {status} "
                    f"{causes or answer.get('message')} {warned}\n  we {mine.get('message')} {said} {noted}"
                )
            counts[mine["actual"] or "error"] += 1
            counts["warned"] += bool(warned)
        print(f"\n{len(cases)} objects: {counts}", flush=True)
        self.assertEqual(wrong, [], "\n".join(wrong))
        self.assertTrue(all(n > 4 for n in counts.values()), counts)

    def published(self, name):
        """The audit annotations of the requests in this namespace, by key."""
        events = [e for e in self.plane.requests("Python-urllib") if e.get("objectRef", {}).get("namespace") == name]
        found = {k: v for e in events for k, v in e.get("annotations", {}).items()}
        return {k.split("/")[1]: v for k, v in found.items() if k.split("/")[0] == name}

    def test_suites(self):
        """Folders of kat that expect what the API server answered pass."""
        self.server, cases, folder = self.proxy(), suitecases.cases(self.plane.version), self.plane.directory / "suites"
        account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "default"}}
        made = [("/api/v1/namespaces", suitecases.namespace(n, c)) for n, c in cases.items()]
        for name, case in cases.items():
            made.append((suitecases.path(case, name, "serviceaccounts"), account))
            made += [(suitecases.path(case, name, to), o) for to, o in suitecases.stored(case)]
        for name, case in {
            **cases,
            "ready": {"to": "secrets", "spec": suitecases.deny("false"), "binding": {}},
        }.items():
            made.append((f"/apis/{suitecases.ADMISSION}/validatingadmissionpolicies", suitecases.policy(name, case)))
            made += [
                (f"/apis/{suitecases.ADMISSION}/validatingadmissionpolicybindings", b)
                for b in suitecases.bindings(name, case)
            ]
        self.plane.apply(suitecases.namespace("ready", {}))
        for path, body in made:
            status, answer, _ = self.ask("POST", path, body)
            self.assertEqual(status, 201, answer)
        probe = "/api/v1/namespaces/ready/secrets?dryRun=All"
        harness.wait_for(
            "the policies are active", lambda: self.ask("POST", probe, suitecases.core("Secret"))[0] == 422
        )
        answers = {name: self.ask(*suitecases.request(name, case)) for name, case in cases.items()}
        harness.wait_for("the audit log", lambda: self.published("annotations"))
        for name, (status, answer, warnings) in answers.items():
            denied = answer.get("message", "").partition(" denied request: ")[2]
            self.assertEqual(status >= 400, bool(denied), answer)
            texts = [json.loads(w.split(" ", 2)[2]).partition("': ")[2] for w in warnings]
            for path, content in suitecases.files(
                name, cases[name], bool(denied), denied, texts, self.published(name)
            ).items():
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_text(content if isinstance(content, str) else json.dumps(content))
        done = subprocess.run(
            [harness.KUBECTL_VAPCHECK, "test", "--schemas", self.dump(), folder], capture_output=True, text=True
        )
        self.assertIn(f"{len(cases)} tests: {len(cases)} passed, 0 failed, 0 errors", done.stdout, done.stderr)
        counts = [sum(s >= 400 for s, _, _ in answers.values()), sum(bool(w) for _, _, w in answers.values())]
        print(f"\n{len(cases)} requests: {counts[0]} refused, {counts[1]} with warnings", flush=True)
        self.assertGreater(counts[0], 30)
        self.assertGreater(len(cases) - counts[0], 10)


harness.main()
