"""Where the releases differ that the other sets were not made for: names, owners, expressions; generated from tables."""

import copy

from refusals.mutating.cases import MUTATING_BINDING, PATCH
from refusals.mutating.cases import POLICY as MUTATING_POLICY
from refusals.policies.cases import BINDING, POLICY, of_table, put
from refusals.webhooks.cases import MUTATING, VALIDATING

KINDS = [POLICY, BINDING, MUTATING_POLICY, MUTATING_BINDING, VALIDATING, MUTATING]
OWNER = {"apiVersion": "v1", "kind": "K", "name": "n", "uid": "u"}
CONTROLLER = {**OWNER, "controller": True}
EVENT = {**OWNER, "kind": "Event"}
ENTRY = {"apiVersion": "v1", "fieldsType": "FieldsV1", "fieldsV1": {}, "manager": "m", "operation": "Update"}
MANAGED = [
    [],
    [ENTRY],
    [{}],
    [ENTRY, {}],
    [{**ENTRY, "operation": ""}],
    [{**ENTRY, "operation": "update"}],
    [{**ENTRY, "fieldsType": "FieldsV2"}],
    [{**ENTRY, "fieldsType": ""}],
    [{**ENTRY, "manager": "m" * 128}],
    [{**ENTRY, "manager": "m" * 129}],
    [{**ENTRY, "manager": "a\tb"}],
    [{**ENTRY, "manager": "é\u200b\u00a0"}],
    [{**ENTRY, "manager": "\u0301" * 65}],
    [{**ENTRY, "subresource": "s" * 257}],
    [{**ENTRY, "subresource": "s" * 256}],
    [{**ENTRY, "time": "2026-01-02T03:04:05Z"}],
    [{**ENTRY, "nope": 1}],
    [1],
    1,
    [{"operation": "x", "fieldsType": "x", "manager": "\n" + "m" * 128, "subresource": "s" * 257}],
    [{**ENTRY, "manager": 1}],
]

NAMES = {
    "metadata.name": ["a.static.k8s.io", "static.k8s.io", ".static.k8s.io", "A.static.k8s.io", "a.static.k8s.io.x", "a-static.k8s.io",
                      "a.STATIC.k8s.io"],
    "metadata": [{"generateName": "a.static.k8s.io"}, {"generateName": "a.static.k8s.io-"}],
    "metadata.ownerReferences": [[{**OWNER, "apiVersion": version}] for version in
                                 ("", "/", "g/", "/v1", "a/b/c", "a//b", "g/v1", " ", "v1 x")] + [
        [OWNER, {**OWNER, "kind": ""}], [{**OWNER, "uid": ""}, {}],
        [CONTROLLER, CONTROLLER], [CONTROLLER, OWNER], [CONTROLLER, {**OWNER, "controller": False}],
        [OWNER, CONTROLLER, {**CONTROLLER, "name": "o", "blockOwnerDeletion": True}, {**CONTROLLER, "kind": "L"}],
        [CONTROLLER, {"controller": True}], [{"controller": True}, CONTROLLER], [EVENT], [EVENT, OWNER, {**EVENT, "name": ""}],
        [{**EVENT, "controller": True}, CONTROLLER], [{**EVENT, "apiVersion": "events.k8s.io/v1"}],
        [{**EVENT, "name": "<a&b>", "blockOwnerDeletion": False}], [{**EVENT, "uid": ""}, CONTROLLER, CONTROLLER],
    ],
    "metadata.managedFields": MANAGED,
}  # fmt: skip

EXPRESSIONS = [
    "object.spec.`a-b` == 1", "has(object.spec.`a/b`)", "object.spec.?`a.b`.hasValue()", "object.`metadata`.`labels`.`a b` == 'x'",
    "`object` == 1", "object.``", "object.`a", "object.`é` == 1", "object.`size`() == 1", "[1, 2].includes(1)", "object.includes('a')",
    "'a'.includes('a')", "duration(1) > duration('1s')", "duration(dyn(1)) == duration('1s')", "duration(1u) == duration('1s')",
    "[1].all(object, object == 1)", "[1].all(x, .x == 1)", "[1].all(object, .object == null)", "[1].all(request, .request.name == 'a')",
    "['a'].all(net, net.IP == type(net))", "['a'].all(a, .a.b == 1)", "type(optional.of(1)) == optional_type", "optional_type.x == 1",
    "list.x == 1", "list{} == []", "object{} == null", "request{kind: 1} == null", "[int].all(x, x{} == 1)",
    "['a'].exists(object, object{a: 1} == 1)", "variables.v{} == 1", "google.`protobuf`.Int64Value{value: 1} == 1",
    "request.`kind`.`group` == ''", "request.`userInfo`.nope == ''", "namespaceObject.metadata.`labels`.`a/b` == 'c'",
    "bool(dyn(1))", "bytes(dyn({})) == b''", "int(dyn([1])) == 1", "string(dyn(null)) == ''", "timestamp(dyn(1.5)) == null",
    "uint(dyn(timestamp('2020-01-01T00:00:00Z'))) == 1u", "int(dyn(duration('1h'))) == 1", "string(dyn(type(1))) == ''",
    "double(dyn(b'1')) == 1.0", "int(dyn(true)) == 1", "string(dyn(dyn({'a': object}))) == ''", "duration(dyn(1.5)) == null",
    "'a'.matches(dyn('['))", "'a'.matches(string('('))", "matches('a', object.metadata.name)", "type(dyn([1])) == list",
    "matches(object.metadata.name, '[')", "'%.200f'.format([1.0]) == ''", "lists.range(-1) == []", "lists.range(2000000).size() == 1",
]  # fmt: skip


def cases():
    """(name, object)"""
    for base in KINDS:
        for name, made in of_table(base, NAMES):
            yield f"{base['kind']}: {name}", made
    for base, field, value in (
        (POLICY, "spec.failurePolicy", "x"),
        (MUTATING_POLICY, "spec.failurePolicy", "x"),
        (BINDING, "spec.paramRef", {}),
        (MUTATING_BINDING, "spec.paramRef", {}),
        (VALIDATING, "webhooks.0.failurePolicy", "x"),
        (MUTATING, "webhooks.0.failurePolicy", "x"),
    ):
        owned = put(base, "metadata.ownerReferences", [{**OWNER, "kind": ""}])
        yield f"{base['kind']}: an owner without a kind, and {field}", put(owned, field, value)
    for base in (BINDING, MUTATING_BINDING):
        unnamed = put(put(base, "spec.policyName", ""), "spec.paramRef", {})
        yield f"{base['kind']}: no policy, and a wrong paramRef", unnamed
        yield f"{base['kind']}: the same with an owner", put(unnamed, "metadata.ownerReferences", [{}])
    yield "no policy and no action", put(put(BINDING, "spec.policyName", ""), "spec.validationActions", [])
    static = put(copy.deepcopy(POLICY), "metadata.name", "b.static.k8s.io")
    yield "a static name and more that is wrong", put(static, "spec.failurePolicy", "x")
    yield "a static name with parameters", put(static, "spec.paramKind", {"apiVersion": "v1", "kind": "ConfigMap"})
    for expression in EXPRESSIONS:
        yield f"validation: {expression}", put(POLICY, "spec.validations.0.expression", expression)
        yield f"webhook: {expression}", put(VALIDATING, "webhooks.0.matchConditions.0.expression", expression)
    for expression in (
        "Object{spec: Object.spec{`a-b`: 1}}",
        "Object{spec: Object.`spec`{a: 1}}",
        "Object{`spec`: Object.spec{}}",
    ):
        yield (
            f"applyConfiguration: {expression}",
            put(MUTATING_POLICY, "spec.mutations.0.applyConfiguration.expression", expression),
        )
    for expression in (
        "[JSONPatch{`op`: 'add', path: '/a', value: 1}]",
        "[JSONPatch{op: 'test', path: '/a', value: Object{a: [[1]]}}]",
    ):
        made = put(MUTATING_POLICY, "spec.mutations", [PATCH])
        yield f"jsonPatch: {expression}", put(made, "spec.mutations.0.jsonPatch.expression", expression)
