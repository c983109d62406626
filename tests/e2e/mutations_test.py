#!/usr/bin/env python3
"""Mutations on a real API server: what is warned about fails for every object, and nothing else is warned about."""

import json
import subprocess
import time

import harness

APPLY = [
    "Object{spec: Object.spec{replicas: 3}}",
    "Object{spec: Object.spec{replica: 3}}",
    "Object{spec: Object.spec{replicas: '3'}}",
    "Object{spec: Object.spec{replicas: null}}",
    "Object{spec: object.spec}",
    "Object{spec: 1}",
    "Object{spec: Object.metadata{}}",
    (
        "Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: "
        "object.spec.template.spec.containers.map(c, Object.spec.template.spec.containers{name: c.name, "
        "imagePullPolicy: 'Always'})}}}}"
    ),
    (
        "Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: "
        "object.spec.template.spec.containers.map(c, Object.spec.template.spec.containers{name: c.name, args: "
        "['x']})}}}}"
    ),
    (
        "Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: "
        "[Object.spec.template.spec.containers{name: 'a', env: [Object.spec.template.spec.containers.env{name: "
        "'x', valu: 'y'}]}]}}}}"
    ),
    (
        "Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: "
        "[Object.spec.template.spec.container{name: 'a'}]}}}}"
    ),
    (
        "Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{nodeSelector: "
        "{'a': 'b'}}}}}"
    ),
    "Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{tolerations: []}}}}",
    "Object{spec: Object.spec{selector: Object.spec.selector{matchLabels: {'a': 'b'}}}}",
    "Object{metadata: Object.metadata{labels: {'a': 'b'}}}",
    "Object{metadata: Object.metadata{labels: Object.metadata.labels{a: 'b'}}}",
    "Object{metadata: Object.metadata{labels: ['a']}}",
    "Object{metadata: Object.metadata{labels: {'a': 1}}}",
    "Object{metadata: Object.metadata{finalizers: ['example.com/x']}}",
    "Object{metadata: Object.metadata{creationTimestamp: 'x'}}",
    "Object{spec: Object.spec{paused: 1}}",
    "Object{spec: Object.spec{paused: 'true' == 'true'}}",
    "Object{spec: Object.spec{minReadySeconds: 3.5}}",
    "Object{spec: Object.spec{minReadySeconds: 3u}}",
    "object.spec.replicas > 100 ? Object{spec: Object.spec{replica: 3}} : Object{}",
    "Object{?spec: optional.of(Object.spec{replicas: 1})}",
    (
        "Object{spec: Object.spec{strategy: Object.spec.strategy{rollingUpdate: "
        "Object.spec.strategy.rollingUpdate{maxSurge: 1, maxUnavailable: '25%'}}}}"
    ),
    (
        "Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: "
        "[Object.spec.template.spec.containers{name: 'c', resources: "
        "Object.spec.template.spec.containers.resources{limits: {'cpu': '1'}}}]}}}}"
    ),
    "Object{spec: Object.spec{replicas: [Object.nope{}].size()}}",
    "Object{spec: Object.spec{progressDeadlineSeconds: object.metadata.name}}",
    (
        "Object{spec: Object.spec{template: Object.spec.template{metadata: "
        "Object.spec.template.metadata{annotations: {'a': 'b'}}}}}"
    ),
    (
        "Object{spec: Object.spec{template: Object.spec.template{spec: "
        "Object.spec.template.spec{imagePullSecrets: [Object.spec.template.spec.imagePullSecrets{name: "
        "'a'}]}}}}"
    ),
    "Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{imagePullSecrets: []}}}}",
    (
        "Object{metadata: Object.metadata{ownerReferences: [Object.metadata.ownerReferences{apiVersion: 'v1', "
        "kind: 'Pod', name: 'a', uid: 'b'}]}}"
    ),
    "Object{apiVersion: 'apps/v1', kind: 'Deployment'}",
    "Object{status: Object.status{replicas: 1}}",
    "Object{spec: {'replicas': 3}}",
    "Object{spec: {'replica': 3}}",
    "Object{spec: {'replicas': '3'}}",
    "Object{spec: {'template': {'metadata': {'labels': {'a': 1}}}}}",
    "Object{spec: {'template': {'metadata': {'labels': {'a': 'b'}}}}}",
    "Object{spec: Object.spec{template: Object.spec.template{spec: {'containers': []}}}}",
    (
        "Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: "
        "[{'name': 'c'}]}}}}"
    ),
    "Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: []}}}}",
    "Object{spec: {'template': object.spec.template.metadata}}",
    "Object{spec: null}",
    "Object{metadata: Object.metadata{labels: null}}",
    "Object{metadata: Object.metadata{labels: {object.metadata.name: 'b'}}}",
    "Object{spec: Object.spec{replicas: object.spec.replicas + 1}}",
    "Object{spec: Object.spec{replicas: has(object.spec.paused) ? 1 : 2}}",
    "Object{spec: Object.spec{revisionHistoryLimit: size(object.metadata.name)}}",
    "Object{spec: Object.spec{strategy: Object.spec.strategy{type: object.spec.replicas}}}",
    "object.kind == 'Pod' ? Object{nope: 1} : Object{}",
    "[Object{nope: 1}].size() == 1 ? Object{} : Object{}",
]

PATCH = [
    "[JSONPatch{op: 'add', path: '/metadata/labels', value: {'a': 'b'}}]",
    "[JSONPatch{op: 'set', path: '/metadata/labels', value: {'a': 'b'}}]",
    "[JSONPatch{path: '/metadata/labels', value: {'a': 'b'}}]",
    "[JSONPatch{op: 'add', path: 'metadata', value: 1}]",
    "[JSONPatch{op: 'add', path: 'x/spec/replicas', value: 1}]",
    "[JSONPatch{op: 'replace', path: '/spec/replicas', value: 2}]",
    (
        "[JSONPatch{op: 'replace', path: '/spec/template/spec', value: Object.spec.template.spec{containers: "
        "[Object.spec.wrong{name: 'c', image: 'd'}]}}]"
    ),
    (
        "[JSONPatch{op: 'replace', path: '/spec/template/spec/containers', value: "
        "[Object.spec.template.spec.containers{name: 'c', image: 'd'}]}]"
    ),
    "false ? [JSONPatch{op: 'nope'}] : []",
    "[JSONPatch{op: 'test', path: '/spec/replicas', value: 77}, JSONPatch{op: 'remove', path: '/spec'}]",
]

# Objects within a list: servers before 1.37 panic, later ones make JSON of them.
NESTED = [
    "[JSONPatch{op: 'add', path: '/spec/template/spec/tolerations', value: "
    "[Object.spec.template.spec.tolerations{key: 'a', operator: 'Exists'}]}]",
    "[JSONPatch{op: 'add', path: '/spec/template/spec/volumes', value: "
    "[Object.spec.template.spec.volumes{name: 'a', emptyDir: Object.spec.template.spec.volumes.emptyDir{}}]}]",
]
NESTED_SINCE = 37

# Of a ConfigMap, (mutation, what it fails with): since 1.37, if the policy has match conditions. They ask for typed
# values, mutations do not: without conditions they find JSON. EMPTY: a list without items would pass.
INDEX, NO_JSON = "unsupported index type", "could not marshal to JSON"
EMPTY = "error from struct type v1.OwnerReference"
TYPED_SINCE = 37
LABEL = "[JSONPatch{op: 'add', path: '/metadata/labels/x', value: %s}]"
OWNERS = "[JSONPatch{op: 'add', path: '/metadata/ownerReferences', value: %s}]"
FINALIZERS = "[JSONPatch{op: 'add', path: '/metadata/finalizers', value: %s}]"
TYPED = [
    (LABEL % "object.metadata.finalizers[0u].split('/')[1]", INDEX),
    (LABEL % "object.metadata.finalizers[0].split('/')[1]", ""),
    ("Object{metadata: Object.metadata{labels: {'x': object.metadata.finalizers[0.0].split('/')[1]}}}", INDEX),
    ("Object{metadata: Object.metadata{finalizers: object.metadata.finalizers}}", ""),
    (FINALIZERS % "object.metadata.finalizers", NO_JSON),
    (FINALIZERS % "dyn(object.metadata.finalizers)", NO_JSON),
    (FINALIZERS % "has(object.immutable) ? object.metadata.finalizers : object.metadata.finalizers", NO_JSON),
    (FINALIZERS % "object.metadata.finalizers + ['example.com/b']", ""),
    (FINALIZERS % "object.metadata.finalizers.filter(f, f != 'x')", ""),
    (OWNERS % "object.metadata.ownerReferences", NO_JSON),
    (OWNERS % "[object.metadata.ownerReferences[0]]", NO_JSON),
    (OWNERS % "object.metadata.ownerReferences + object.metadata.ownerReferences", EMPTY),
    (OWNERS % "object.metadata.ownerReferences.map(r, r)", EMPTY),
    (
        OWNERS
        % (
            "object.metadata.ownerReferences.map(r, {'apiVersion': r.apiVersion, 'kind': r.kind, 'name': "
            "r.name, 'uid': r.uid})"
        ),
        "",
    ),
    ("[JSONPatch{op: 'add', path: '/data', value: object.data}]", NO_JSON),
    ("[JSONPatch{op: 'test', path: '/data', value: object.data}]", NO_JSON),
    ("[JSONPatch{op: 'add', path: '/metadata/annotations', value: object.metadata.labels}]", NO_JSON),
    ("[JSONPatch{op: 'add', path: '/metadata', value: object.metadata}]", NO_JSON),
]

# What fails for what these objects are, or for what Go makes of it, and is not foreseen.
SILENT = {
    "Object{spec: object.spec}",
    "Object{spec: {'template': object.spec.template.metadata}}",
    "Object{metadata: Object.metadata{creationTimestamp: 'x'}}",
    "Object{spec: Object.spec{minReadySeconds: 3.5}}",
}


# A custom resource is pruned, and validated behind the mutations: (expression, spec that is sent, whether it is taken).
TEXT, WHOLE = {"type": "string"}, {"type": "integer"}
THING = {
    "s": TEXT,
    "n": WHOLE,
    "l": {"type": "array", "items": TEXT},
    "o": {"type": "object", "properties": {"x": TEXT}},
    "inner": {"type": "object", "x-kubernetes-embedded-resource": True, "x-kubernetes-preserve-unknown-fields": True},
}
UNVALIDATED = [
    ("[JSONPatch{op: 'move', from: '/spec/s/0', path: '/spec/s'}]", {"s": ["a"]}, True),
    ("[JSONPatch{op: 'replace', path: '/spec/n', value: size(object.spec.n + 'a')}]", {"n": "b"}, True),
    ("[JSONPatch{op: 'replace', path: '/spec/o', value: {'x': object.spec.o[0]}}]", {"o": ["a"]}, True),
    ("[JSONPatch{op: 'replace', path: '/spec/l', value: object.spec.l.split(',')}]", {"l": "a,b"}, True),
    ("object.spec == 'a' ? [JSONPatch{op: 'replace', path: '/spec', value: {'s': 'a'}}] : []", "a", True),
    ("[JSONPatch{op: 'remove', path: '/spec/s/x'}]", {"s": {"x": "y"}}, False),
    ("[JSONPatch{op: 'remove', path: '/spec/nope'}]", {"nope": 1}, False),
    ("[JSONPatch{op: 'remove', path: '/spec/l/0/x'}]", {"l": [{"x": "y"}]}, False),
    ("[JSONPatch{op: 'remove', path: '/metadata/name/x'}]", {}, False),
]

# Its metadata, and that of a resource within it, is decoded before: policies never find such.
UNDECODED = [
    {"labels": {"x": 1}},
    {"annotations": {"x": []}},
    {"labels": []},
    {"finalizers": [1]},
    {"ownerReferences": [{"apiVersion": 1}]},
    {"managedFields": ["a"]},
    {"generation": "a"},
]


def crd():
    schema = {"type": "object", "properties": {"spec": {"type": "object", "properties": THING}}}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"plural": "things", "kind": "Thing"},
            "versions": [version],
        },
    }


def policy(number, member, expression, group="apps", resource="deployments"):
    """One that only the object of its own name gets to."""
    patch_type = {"applyConfiguration": "ApplyConfiguration", "jsonPatch": "JSONPatch"}[member]
    rule = {"apiGroups": [group], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": [resource]}
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "MutatingAdmissionPolicy",
        "metadata": {"name": f"m{number}"},
        "spec": {
            "reinvocationPolicy": "Never",
            "matchConstraints": {"resourceRules": [rule]},
            "matchConditions": [{"name": "own", "expression": f"request.name == 'm{number}'"}],
            "mutations": [{"patchType": patch_type, member: {"expression": expression}}],
        },
    }


def binding(number):
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "MutatingAdmissionPolicyBinding",
        "metadata": {"name": f"m{number}"},
        "spec": {"policyName": f"m{number}"},
    }


def deployment(number):
    labels = {"app": "x"}
    pod = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "c", "image": "d"}]}}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": f"m{number}", "namespace": "default"},
        "spec": {"replicas": 101, "selector": {"matchLabels": labels}, "template": pod},
    }


def text_of(objects):
    return "".join(f"---\n{json.dumps(made)}\n" for made in objects)


class MutationsTest(harness.Case):
    def tearDown(self):
        self.plane.delete("mutatingadmissionpolicies,mutatingadmissionpolicybindings", "--all")

    def warnings(self, policies):
        """Ours, the first line of each."""
        command = [harness.KUBECTL_VAPCHECK, "check", "-f", "-", "-o", "json", "--fail-on", "never",
                   "--kube-version", harness.CHECK_AS or self.plane.version]  # fmt: skip
        done = subprocess.run(command, input=text_of(policies), capture_output=True, text=True, check=True)
        results = json.loads(done.stdout)["results"]
        return [[w["warning"].split("\n")[0] for w in r["expressionWarnings"]] for r in results]

    def answer(self, number, made=None):
        """What the server says of the Deployment of that number, or of what is made; empty: it is fine."""
        made = json.dumps(made or deployment(number))
        done = self.plane.run_kubectl("create", "--dry-run=server", "--validate=ignore", "-f", "-", input=made)
        return "" if done.returncode == 0 else done.stderr

    def test_every_mutation(self):
        cases = [("applyConfiguration", e) for e in APPLY] + [("jsonPatch", e) for e in PATCH + NESTED]
        policies = [policy(n, *case) for n, case in enumerate(cases)]
        last = len(cases)
        self.plane.kubectl("create", "-f", "-", input=text_of(policies))
        self.plane.kubectl("create", "-f", "-", input=text_of(binding(n) for n in range(last + 1)))
        # the last one, which fails for certain, tells when the server has seen them all
        self.plane.kubectl("create", "-f", "-", input=json.dumps(policy(last, "applyConfiguration", "Object{spec: 1}")))
        deadline = time.monotonic() + 60
        while not self.answer(last):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.2)
        time.sleep(1)
        warned, wrong = self.warnings(policies), []
        for n, (_, expression) in enumerate(cases):
            said = self.answer(n)
            if expression in NESTED:
                fails = int(self.plane.version.split(".")[1]) < NESTED_SINCE
                self.assertEqual((bool(said), bool(warned[n])), (fails, fails), f"{expression}: {said}")
            elif bool(said) != bool(warned[n]) and expression not in SILENT:
                wrong.append(f"{expression}\n  ours   {warned[n]}\n  theirs {said}")
        self.assertFalse(wrong, "\n".join(wrong))
        self.assertGreaterEqual(sum(map(bool, warned)), 25)
        print(f"\n{len(cases)} mutations, {sum(map(bool, warned))} of them warned about", flush=True)

    def test_custom_resource_before_its_validation(self):
        self.plane.apply(crd())
        self.plane.kubectl("wait", "--for=condition=Established", "crd/things.example.com")
        policies = [policy(n, "jsonPatch", e, "example.com", "things") for n, (e, *_) in enumerate(UNVALIDATED)]
        self.plane.kubectl("create", "-f", "-", input=text_of([*policies, *(binding(n) for n in range(len(policies)))]))

        def said(number):
            made = {
                "apiVersion": "example.com/v1",
                "kind": "Thing",
                "metadata": {"name": f"m{number}", "namespace": "default"},
            }
            return self.answer(number, {**made, "spec": UNVALIDATED[number][1]})

        def taken():
            return [not said(n) for n in range(len(policies))]

        expected = [is_taken for *_, is_taken in UNVALIDATED]
        harness.wait_for("the mutations", lambda: taken() == expected, timeout=60, period=0.5)
        warned = self.warnings([crd(), *policies])[-len(policies) :]
        self.assertEqual([not w for w in warned], expected, warned)

        def sent(metadata, **spec):
            made = {
                "apiVersion": "example.com/v1",
                "kind": "Thing",
                "metadata": {"name": "new", "namespace": "default", **metadata},
                "spec": spec,
            }
            path = "/apis/example.com/v1/namespaces/default/things?dryRun=All"
            done = self.plane.run_kubectl("create", "--raw", path, "-f", "-", input=json.dumps(made))
            return "" if done.returncode == 0 else done.stderr

        self.assertEqual((sent({}), sent({"labels": {"x": "1"}})), ("", ""))
        inner = {"apiVersion": "v1", "kind": "Pod"}
        self.assertEqual(sent({}, inner={**inner, "metadata": {"name": "a"}}), "")
        for metadata in UNDECODED:
            self.assertIn("cannot unmarshal", sent(metadata))
            self.assertIn("cannot unmarshal", sent({}, inner={**inner, "metadata": metadata}))

    def test_typed_objects(self):
        def typed(number, expression, conditions):
            member = "jsonPatch" if expression.startswith("[") else "applyConfiguration"
            made = policy(number, member, expression, "", "configmaps")
            made["spec"]["matchConstraints"]["objectSelector"] = {"matchLabels": {"policy": f"m{number}"}}
            made["spec"]["matchConditions"] = conditions
            return made

        count = len(TYPED)
        policies = [typed(n, e, [{"name": "all", "expression": "true"}]) for n, (e, _) in enumerate(TYPED)]
        policies += [typed(count + n, e, []) for n, (e, _) in enumerate(TYPED)]
        self.plane.kubectl("create", "-f", "-", input=text_of([*policies, *map(binding, range(2 * count + 1))]))
        self.plane.kubectl("create", "-f", "-", input=json.dumps(typed(2 * count, LABEL % "object.metadata.nope", [])))

        def said(number):
            owner = {"apiVersion": "v1", "kind": "Pod", "name": "a", "uid": "b"}
            metadata = {"name": f"m{number}", "namespace": "default", "labels": {"policy": f"m{number}"},
                        "finalizers": ["example.com/a"], "ownerReferences": [owner]}  # fmt: skip
            return self.answer(
                number, {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"k": "v"}}
            )

        harness.wait_for("the policies", lambda: said(2 * count), timeout=60)
        time.sleep(1)
        is_typed = int(self.plane.version.split(".")[1]) >= TYPED_SINCE
        warned, wrong = self.warnings(policies), []
        for n, (expression, error) in enumerate(TYPED):
            answer, plain = said(n), said(count + n)
            fails, is_foreseen = is_typed and error != "", is_typed and error not in ("", EMPTY)
            is_so = bool(answer) == fails and (not fails or error in answer) and not plain
            if not is_so or bool(warned[n]) != is_foreseen or warned[count + n]:
                wrong.append(f"{expression}\n  ours   {warned[n]}, {warned[count + n]}\n  theirs {answer}, {plain}")
        self.assertFalse(wrong, "\n".join(wrong))

    def test_kinds_of_subresources(self):
        rule = {
            "apiGroups": [""],
            "apiVersions": ["v1"],
            "operations": ["CREATE"],
            "resources": ["pods/eviction", "pods/binding"],
        }
        test = "[JSONPatch{op: 'test', path: '/kind', value: 'x'}]"
        policies = [policy(0, "applyConfiguration", "Object{}"), policy(1, "jsonPatch", test)]
        for made in policies:
            made["spec"]["matchConstraints"]["resourceRules"] = [rule]
        pod = deployment(0)["spec"]["template"]["spec"] | {"automountServiceAccountToken": False}
        self.plane.apply(
            [
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": f"m{n}", "namespace": "default"}, "spec": pod}
                for n in range(2)
            ]
        )
        self.plane.kubectl("create", "-f", "-", input=text_of([*policies, *map(binding, range(2))]))

        def said(number, subresource, **fields):
            made = {"metadata": {"name": f"m{number}", "namespace": "default"}, **fields}
            path = f"/api/v1/namespaces/default/pods/m{number}/{subresource}?dryRun=All"
            done = self.plane.run_kubectl("create", "--raw", path, "-f", "-", input=json.dumps(made))
            return "" if done.returncode == 0 else done.stderr

        def evict(number):
            return said(number, "eviction", apiVersion="policy/v1", kind="Eviction")

        harness.wait_for(
            "the policy", lambda: "no corresponding type for policy/v1, Kind=Eviction" in evict(0), timeout=60
        )
        self.assertEqual(evict(1), "")
        for number in range(2):
            self.assertEqual(
                said(number, "binding", apiVersion="v1", kind="Binding", target={"kind": "Node", "name": "n"}), ""
            )
        warned = self.warnings(policies)
        self.assertIn(
            "policy/v1, Kind=Eviction: ERROR: <input>:1:7: an apply configuration cannot be applied", warned[0][0]
        )
        self.assertEqual((len(warned[0]), warned[1]), (1, []))


harness.main()
