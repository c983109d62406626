"""Hostile input for the evaluation of mutations: mutating policies, and objects of which `kubectl-vapcheck audit` asks
them.

A validating policy behind them refuses each object in the end, so that an audit that ends early without saying so
is noticed, as in attacks_evaluate.py, whose reader is used. The families of `kubectl-vapcheck test` have the same
policies. A change costs the API server next to nothing by its budgets; the families look for much work in the changes
and for many evaluations.
"""

import json

import attacks
from attacks_evaluate import REFUSES

CONFIG_MAPS = {
    "apiGroups": [""],
    "apiVersions": ["v1"],
    "operations": ["CREATE"],
    "resources": ["configmaps"],
    "resourceNames": ["c"],
}
DEPLOYMENTS = {"apiGroups": ["apps"], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["deployments"]}
DEFINITIONS = {
    "apiGroups": ["apiextensions.k8s.io"],
    "apiVersions": ["v1"],
    "operations": ["CREATE"],
    "resources": ["customresourcedefinitions"],
}
KNOWN_NAME = "object.metadata.name != ''"


def config_map(data, name="c", labels=None):
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": name, "namespace": "default", "labels": labels or {}},
        "data": data,
    }


class Mutated(attacks.Attack):
    command = "audit"

    def __init__(self, mutations, target, rule=CONFIG_MAPS, policies=1, is_again=0, bindings=(), params=(), **spec):
        """mutations: expressions; a list is a JSON patch. Each of the policies has them all. bindings: specs, for each
        policy."""

        def of(i):
            made = {
                "matchConstraints": {"resourceRules": [rule]},
                "mutations": [mutation(e.replace("{policy}", str(i))) for e in mutations],
                "failurePolicy": "Fail",
                "reinvocationPolicy": "IfNeeded" if is_again else "Never",
                **spec,
            }
            return {
                "apiVersion": attacks.API,
                "kind": "MutatingAdmissionPolicy",
                "metadata": {"name": f"m{i}"},
                "spec": made,
            }

        refusing = {
            "apiVersion": attacks.API,
            "kind": "ValidatingAdmissionPolicy",
            "metadata": {"name": "refuses"},
            "spec": {"matchConstraints": {"resourceRules": [rule]}, "validations": [{"expression": REFUSES}]},
        }
        bound = [
            {
                "apiVersion": attacks.API,
                "kind": "MutatingAdmissionPolicyBinding",
                "metadata": {"name": f"b{i}-{j}"},
                "spec": {"policyName": f"m{i}", **b},
            }
            for i in range(policies)
            for j, b in enumerate(bindings)
        ]
        super().__init__(*(of(i) for i in range(policies)), *bound, refusing, target, *params)


def mutation(expression):
    is_patch = expression.startswith("[")
    return {
        "patchType": "JSONPatch" if is_patch else "ApplyConfiguration",
        "jsonPatch" if is_patch else "applyConfiguration": {"expression": expression},
    }


GROWING = [
    "[JSONPatch{op: 'replace', path: '/data/a', value: object.data['a'] + object.data['a']}]",
    "[JSONPatch{op: 'copy', from: '/data/a', path: '/data/b{i}-{policy}'}]",
    "Object{data: object.data.transformMapEntry(k, v, {k + 'x': v, k + 'y': v})}",
    "Object{data: {'a': object.data['a'] + object.data['a']}}",
    (
        "[JSONPatch{op: 'add', path: '/metadata/annotations', value: {'a': object.data['a'], 'b': "
        "object.data['a'] + object.data['a']}}]"
    ),
    "[object.data.map(k, JSONPatch{op: 'copy', from: '/data/' + k, path: '/data/' + k + 'x{i}'})][0]",
    "[JSONPatch{op: 'replace', path: '/data/a', value: object.data['a'].replace('b', 'bb')}]",
    (
        "[JSONPatch{op: 'test', path: '/data', value: object.data}, JSONPatch{op: 'add', path: '/data/n', "
        "value: string(size(object.data))}]"
    ),
]


@attacks.family(
    "audit",
    mutations=(1, 500, 8),
    kind=(0, len(GROWING) - 1, 0),
    policies=(1, 300, 1),
    keys=(0, 20_000, 0),
    start=(1, 1_400_000, 100),
    again=(0, 1, 0),
)
def mutate_grown(mutations, kind, policies, keys, start, again):
    """Each mutation makes the object larger, or reads all of it."""
    texts = [GROWING[kind].replace("{i}", str(i)) for i in range(mutations)]
    return Mutated(
        texts, config_map({"a": "b" * start, **{f"k{i}": "v" for i in range(keys)}}), policies=policies, is_again=again
    )


def patch(operations):
    """As many of them as an expression has room for."""
    return f"[{attacks.pieces((f'JSONPatch{{{o}}}' for o in operations), ', ')[0]}]"


FINALIZERS = "/metadata/finalizers"
OPERATIONS = [
    "op: 'add', path: '/data/{i}', value: 'x'",
    f"op: 'add', path: '{FINALIZERS}/0', value: 'a/{{i}}'",
    "op: 'test', path: '/data/a', value: object.data['a']",
    "op: 'copy', from: '/data/a', path: '/data/{i}'",
    "op: 'move', from: '/data/a', path: '/data/a'",
    f"op: 'add', path: '{FINALIZERS}/-', value: 'a/{{i}}'",
    "op: 'replace', path: '/data', value: object.data",
    f"op: 'remove', path: '{FINALIZERS}/0'",
    "op: 'add', path: '/data/{long}', value: 'x'",
    "op: 'test', path: '', value: object",
]


@attacks.family(
    "audit",
    mutations=(1, 300, 1),
    count=(1, 1500, 10),
    shape=(0, len(OPERATIONS) - 1, 0),
    length=(1, 40_000, 1),
    finalizers=(0, 20_000, 2000),
    size=(1, 1_000_000, 10),
    keys=(0, 20_000, 1),
    policies=(1, 300, 1),
    again=(0, 1, 0),
)
def mutate_patches(mutations, count, shape, length, finalizers, size, keys, policies, again):
    """Long patches, and long pointers in them."""
    operations = (
        OPERATIONS[shape].replace("{i}", str(i)).replace("{long}", "~1" * length + str(i)) for i in range(count)
    )
    target = config_map({"a": "b" * size, **{f"k{i}": "v" for i in range(keys)}})
    target["metadata"]["finalizers"] = [f"f/{i}" for i in range(finalizers)]
    return Mutated([patch(operations)] * mutations, target, policies=policies, is_again=again)


MADE = [
    f"op: 'add', path: '{FINALIZERS}/0', value: x",
    "op: 'test', path: '/data', value: object.data",
    "op: 'add', path: '/data/' + jsonpatch.escapeKey(x), value: object.data['a']",
    f"op: 'copy', from: '{FINALIZERS}', path: '{FINALIZERS}'",
    f"op: 'move', from: '{FINALIZERS}/0', path: '{FINALIZERS}/-'",
]


@attacks.family(
    "audit",
    mutations=(1, 500, 1),
    finalizers=(1, 20_000, 10),
    shape=(0, len(MADE) - 1, 0),
    size=(1, 1_000_000, 10),
    policies=(1, 300, 1),
)
def mutate_loops(mutations, finalizers, shape, size, policies):
    """Patches that a comprehension makes."""
    target = config_map({"a": "b" * size})
    target["metadata"]["finalizers"] = [f"f/{i}" for i in range(finalizers)]
    return Mutated(
        [f"[object.metadata.finalizers.map(x, JSONPatch{{{MADE[shape]}}})][0]"] * mutations, target, policies=policies
    )


WITH_PARAMS = [
    "[JSONPatch{op: 'add', path: '/data/n', value: params.data.n}]",
    "[JSONPatch{op: 'test', path: '/data/n', value: 'x'}]",
    "Object{metadata: Object.metadata{labels: {params.metadata.name: 'x'}}}",
    "[JSONPatch{op: 'add', path: '/data/n', value: 'x'}]",
    "[JSONPatch{op: 'copy', from: '/data/n', path: '/data/' + params.metadata.name}]",
]


@attacks.family(
    "audit",
    params=(1, 8000, 10),
    policies=(1, 100, 1),
    bindings=(1, 300, 1),
    size=(1, 1_400_000, 10),
    shape=(0, len(WITH_PARAMS) - 1, 0),
    conditions=(0, 64, 0),
    again=(0, 1, 0),
)
def mutate_params(params, policies, bindings, size, shape, conditions, again):
    """Params by selector: a policy is evaluated with each of them, for each of its bindings."""
    found = [config_map({"n": f"{i}"}, name=f"p{i}", labels={"a": "b"}) for i in range(params)]
    spec = {"paramRef": {"selector": {"matchLabels": {"a": "b"}}, "parameterNotFoundAction": "Deny"}}
    return Mutated(
        [WITH_PARAMS[shape]],
        config_map({"a": "b" * size, "n": "x"}),
        policies=policies,
        bindings=[spec] * bindings,
        is_again=again,
        params=found,
        paramKind={"apiVersion": "v1", "kind": "ConfigMap"},
        matchConditions=[{"name": f"c{i}", "expression": KNOWN_NAME} for i in range(conditions)],
    )


ANYTHING = "/spec/versions/0/schema/openAPIV3Schema/default"  # where a definition has any JSON
DEEP = [
    "op: 'add', path: '{long}', value: '{i}'",
    "op: 'add', path: '{long}/c{i}', value: {'a': 1}",
    f"op: 'copy', from: '{ANYTHING}/a', path: '{ANYTHING}/c{{i}}'",
    f"op: 'test', path: '{ANYTHING}', value: object.spec.versions[0].schema.openAPIV3Schema.default",
    f"op: 'move', from: '{ANYTHING}/a', path: '{ANYTHING}/b/c'",
    f"op: 'copy', from: '{ANYTHING}', path: '{ANYTHING}/c{{i}}'",
]


@attacks.family(
    "audit",
    depth=(1, 90, 10),
    width=(0, 1000, 0),
    shape=(0, len(DEEP), 0),
    mutations=(1, 500, 1),
    count=(1, 2000, 1),
    policies=(1, 300, 1),
    again=(0, 1, 0),
)
def mutate_deep(depth, width, shape, mutations, count, policies, again):
    """An object whose values are deep in one another, and pointers to the deepest."""
    deep = {"z": 1}
    for i in range(depth):
        deep = {"a": deep, **{f"b{j}": i for j in range(width)}}
    target = attacks.definition({"type": "object", "x-kubernetes-preserve-unknown-fields": True, "default": deep})
    text = "Object{metadata: Object.metadata{annotations: {'a': 'b{policy}'}}}"
    if shape < len(DEEP):
        text = patch(
            DEEP[shape].replace("{long}", ANYTHING + "/a" * depth).replace("{i}", str(i)) for i in range(count)
        )
    return Mutated([text] * mutations, target, rule=DEFINITIONS, policies=policies, is_again=again)


POD = "Object.spec.template.spec"


def applied_pod(containers):
    return f"Object{{spec: Object.spec{{template: Object.spec.template{{spec: {POD}{{containers: {containers}}}}}}}}}"


def applied_expression(shape, count, first):
    numbers = range(1, count + 1)
    if shape == 0:
        return applied_pod(
            "[" + ", ".join(f"{POD}.containers{{name: '{first}{i}', image: 'x'}}" for i in numbers) + "]"
        )
    if shape == 1:
        ports = ", ".join(f"{POD}.containers.ports{{containerPort: {i}, protocol: 'TCP'}}" for i in numbers)
        return applied_pod(f"[{POD}.containers{{name: '{first}1', ports: [{ports}]}}]")
    if shape == 2:
        return "Object{metadata: Object.metadata{labels: {" + ", ".join(f"'l{i}': 'x'" for i in numbers) + "}}}"
    if shape == 3:
        return "Object{metadata: Object.metadata{finalizers: [" + ", ".join(f"'{first}/{i}'" for i in numbers) + "]}}"
    return applied_pod(
        f"object.spec.template.spec.containers.map(c, {POD}.containers{{name: c.name + 'x', image: 'x'}})"
    )


@attacks.family(
    "audit",
    containers=(1, 12_000, 10),
    applied=(1, 1200, 10),
    is_new=(0, 1, 0),
    env=(0, 300, 0),
    mutations=(1, 300, 1),
    policies=(1, 300, 1),
    shape=(0, 4, 0),
    again=(0, 1, 0),
)
def mutate_applied(containers, applied, is_new, env, mutations, policies, shape, again):
    """Apply configurations that are merged with lists by key, with sets and with maps."""
    pod = {
        "containers": [
            {"name": f"c{i}", "image": "i", "env": [{"name": f"e{j}", "value": "v"} for j in range(env)]}
            for i in range(containers)
        ]
    }
    target = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {
            "name": "c",
            "namespace": "default",
            "finalizers": [f"c/{i}" for i in range(min(containers, 5000))],
        },
        "spec": {
            "selector": {"matchLabels": {"a": "b"}},
            "template": {"metadata": {"labels": {"a": "b"}}, "spec": pod},
        },
    }
    return Mutated(
        [applied_expression(shape, applied, "d" if is_new else "c")] * mutations,
        target,
        rule=DEPLOYMENTS,
        policies=policies,
        is_again=again,
    )


# ---------------------------------------------------------------- kubectl-vapcheck test


class Tested(attacks.Attack):
    """Tests of the first policy, each of which expects an object that no mutation makes."""

    command = "test"

    def __init__(self, mutated, tests):
        policy, target = mutated.objects[0], mutated.objects[-1]
        policy["spec"]["matchConstraints"]["resourceRules"] = [{**CONFIG_MAPS, "resourceNames": []}]
        of = {"kind": target["kind"], "name": target["metadata"]["name"]}
        case = attacks.compact(
            {"object": of, "expect": "mutate", "expectObject": {"kind": "ConfigMap", "name": "never"}}
        )
        head = (
            "version: v1alpha1\npolicies: [policy.json]\nresources: [object.json, never.json]\nmapTestSuites:\n"
            "- policy: m0\n  tests:\n"
        )
        super().__init__(policy, target)
        self.files = {
            "policy.json": attacks.compact(policy),
            "object.json": attacks.compact(target),
            "never.json": attacks.compact(config_map({}, "never")),
            "kaptest.yaml": head + f"  - {case}\n" * tests,
        }


def read_tests(text):
    """What test says of them."""
    tests = json.loads(text)["tests"]
    if any("work" in test.get("message", "") for test in tests):
        return "limit"
    return "silent" if all(test["result"] == "passed" for test in tests) else "found"


@attacks.family(
    "test",
    tests=(1, 5000, 3),
    mutations=(1, 500, 8),
    kind=(0, len(GROWING) - 1, 0),
    keys=(0, 20_000, 0),
    start=(1, 1_400_000, 100),
    again=(0, 1, 0),
)
def test_grown(tests, mutations, kind, keys, start, again):
    return Tested(mutate_grown(mutations, kind, 1, keys, start, again), tests)


@attacks.family(
    "test",
    tests=(1, 5000, 3),
    mutations=(1, 300, 1),
    count=(1, 1500, 10),
    shape=(0, len(OPERATIONS) - 1, 0),
    finalizers=(0, 20_000, 2000),
    size=(1, 1_000_000, 10),
    again=(0, 1, 0),
)
def test_patches(tests, mutations, count, shape, finalizers, size, again):
    return Tested(mutate_patches(mutations, count, shape, 1, finalizers, size, 1, 1, again), tests)


# ---------------------------------------------------------------- the worst that are known

KNOWN = [
    ("thousands of params, invoked again", "mutate_params", dict(params=1000, bindings=4, shape=1, again=1)),
    ("params and a large object", "mutate_params", dict(params=200, size=100_000, shape=3)),
    ("values copied", "mutate_grown", dict(kind=1, mutations=300, policies=2, start=3000)),
    ("keys doubled", "mutate_grown", dict(kind=2, mutations=7, keys=30)),
    ("a long list grown at its front", "mutate_patches", dict(count=700, shape=1, finalizers=20_000)),
    ("containers merged", "mutate_applied", dict(containers=5000, applied=1200, mutations=3)),
]
KNOWN_TESTS = [
    ("tests of keys doubled", "test_grown", dict(tests=24, kind=2, mutations=11, keys=30)),
]
