"""Mutating policies and bindings, good and broken, generated from tables."""

from refusals.policies.cases import BINDING, BINDING_FIELDS, EXPRESSIONS, FIELDS, GONE, SHAPES, of_table, put

RULE = {"apiGroups": ["apps"], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["deployments"]}
APPLY = {"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": "Object{}"}}
PATCH = {"patchType": "JSONPatch", "jsonPatch": {"expression": "[]"}}
POLICY = {
    "apiVersion": "admissionregistration.k8s.io/v1",
    "kind": "MutatingAdmissionPolicy",
    "metadata": {"name": "p"},
    "spec": {"matchConstraints": {"resourceRules": [RULE]}, "mutations": [APPLY], "reinvocationPolicy": "Never"},
}
MUTATING_BINDING = put({**BINDING, "kind": "MutatingAdmissionPolicyBinding"}, "spec.validationActions", GONE)

MUTATING_FIELDS = {
    "spec.reinvocationPolicy": [GONE, "", "never", "IfNeeded", 1],
    "spec.matchConstraints.resourceRules.0.operations": [["DELETE"], ["CREATE", "DELETE"], ["*"], ["CONNECT", "UPDATE"],
                                                         ["create"], ["*", "DELETE"], ["DELETE", "x", ""]],
    "spec.matchConstraints.excludeResourceRules": [[{**RULE, "operations": ["DELETE"]}]],
    "spec.validations": [[{"expression": "true"}]],
    "spec.mutations": [
        GONE, [], {}, "a", [1], [{}], [{"patchType": ""}], [{"patchType": "x"}], [{"patchType": 1}], [APPLY, PATCH],
        [{"patchType": "JSONPatch"}], [{"patchType": "ApplyConfiguration"}], [{**APPLY, "jsonPatch": {"expression": "nope"}}],
        [{**PATCH, "applyConfiguration": {}}], [{"patchType": "JSONPatch", "jsonPatch": {}}],
        [{"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": " \n"}}], [{**APPLY, "jsonPatch": {}}],
        [{"patchType": "JSONPatch", "applyConfiguration": {"expression": "Object{}"}}], [{**APPLY, "nope": 1}],
        [{**APPLY, "patchType": "applyConfiguration"}], [{**PATCH, "jsonPatch": {"expression": 1}}],
        [{**PATCH, "jsonPatch": "a"}], [{**PATCH, "jsonPatch": {"nope": 1}}],
    ],
}  # fmt: skip

APPLICATIONS = [
    "Object{spec: Object.spec{replicas: 1}}", "Object.spec{}", "Object{}.spec", "object", "dyn(Object{})", "[Object{}]", "null", "{}",
    "Object", "Object{spec: Object.spec{nope: 'a'}}", "Object{spec: Object.wrong{}}", "Object{spec: 1}", "Object{a: JSONPatch{}}",
    "has(object.spec) ? Object{} : Object{metadata: Object.metadata{}}", "true ? Object{} : Object.spec{}", "true ? Object{} : null",
    "Object{metadata: Object.metadata{labels: {'a': 'b'}}}", "Object{metadata: Object.metadata{labels: {'a': 1, 'b': 'c'}}}",
    "Object{spec: Object.spec{containers: object.spec.containers.map(c, Object.spec.containers{name: c.name})}}",
    "Object{spec: Object.spec{containers: [Object.spec.containers{name: 'a'}, 1]}}", "Object {", "Object{a}", "Object{1: 2}",
    "Object{'a': 2}", "object.spec{}", "Objects{}", "Object.{}", ".Object{}", "Object{?a: object.?b}", "Object{?a: 1}",
    "  Object{} +", "Object{} + Object{}", "Object{} == Object{} ? Object{} : Object{}", "Object{a: nope}", "Object{a: variables.x}",
    "params.x", "Object{a: params}", "Object{a: authorizer.group('').resource('pods').check('get').allowed()}",
    "Object{a: authorizer.requestResource.check('get').allowed()}", "Object{a: namespaceObject.nope}", "Object{a: request.nope}",
    "Object{a: request.userInfo.username}", "Object{a: int('x')}", "Object{a: [1, 'a']}", "type(Object{})", "Object{}.a.b.c",
    "Object.spec.template.spec.containers{}", "Object{in: 1}", "Object{__namespace__: 1}", "Object{namespace: 1}", "Object{`a-b`: 1}",
    "Object{a: 1, a: 2}", "JSONPatch{}", "[JSONPatch{}]", "Object{a: jsonpatch.escapeKey('a/b')}", "Object{a: jsonpatch.escapeKey(1)}",
    "Object{a: jsonpatch.nope('a')}", "Object{a: cel.bind(x, 1, x)}", "[Object{}][0]", "{'a': Object{}}.a", "[Object{}, Object.spec{}][0]",
    "[1].map(x, Object{})[0]", "optional.of(Object{}).value()", "optional.none().orValue(Object{})", "Object.a", "Object.a.b", "Objecta.b{}",
    "Object{}.nope == 1 ? Object{} : Object{}", "has(Object{a: 1}.a) ? Object{} : Object{}", "kubernetes.AdmissionRequest{}",
    "Object{spec: kubernetes.AdmissionRequest{}}", "Object{spec: google.protobuf.Struct{}}", "true", "1", "'a'", "",
]  # fmt: skip

PATCHES = [
    "[]", "[JSONPatch{}]", "[JSONPatch{op: 'add', path: '/a', value: 1}]", "[JSONPatch{op: 'nope'}]", "[JSONPatch{op: 1}]",
    "[JSONPatch{path: 1}]", "[JSONPatch{from: 1}]", "[JSONPatch{op: 'add'}, 1]", "JSONPatch{}", "[Object{}]", "[[JSONPatch{}]]",
    "[JSONPatch{op: 'move', from: '/a', path: '/b'}]", "dyn([JSONPatch{}])", "[dyn(JSONPatch{})]", "null", "{}", "['a']", "[1]",
    "[JSONPatch{value: Object.spec{a: 1}}]", "[JSONPatch{value: Object.spec{a: 1}, path: '/spec'}]", "[JSONPatch{value: object}]",
    "[JSONPatch{path: '/a/' + jsonpatch.escapeKey('b/c')}]", "[JSONPatch{path: jsonpatch.escapeKey(1)}]", "[JSONPatch{path: object.x}]",
    "object.a.map(x, JSONPatch{op: 'remove', path: x})", "has(object.a) ? [JSONPatch{}] : []", "true ? [] : []", "[] + [JSONPatch{}]",
    "[JSONPatch{}] + []", "[JSONPatch{}].filter(p, p.op == 'a')", "[JSONPatch{}].map(p, p.path)", "[JSONPatch{}.op]", "JSONPatch",
    "[JSONPatch]", "[JSONPatch.x{}]", "[jsonPatch{}]", "[JSONPatch{op: variables.x}]", "[JSONPatch{op: params.x}]",
    "[JSONPatch{value: nope}]", "[JSONPatch{?op: optional.of('a')}]", "[JSONPatch{?op: 'a'}]", "[?optional.of(JSONPatch{})]",
    "[JSONPatch{op: 'a', op: 'b'}]", "[JSONPatch{op: string(1)}]", "[JSONPatch{op: int('x') == 1 ? 'a' : 'b'}]", " [ ", "[JSONPatch{",
    "[JSONPatch{value: [1, 'a']}]", "[JSONPatch{value: {'a': 1}}]", "[JSONPatch{op: has(object.x) ? 'add' : 'replace'}]",
    "[JSONPatch{op: null}]", "[JSONPatch{op: dyn(1)}]", "[JSONPatch{path: '/a' + 1}]", "jsonpatch.escapeKey('a')", "jsonpatch",
    "[JSONPatch{value: authorizer}]", "[JSONPatch{value: timestamp('2020-01-01T00:00:00Z')}]", "[JSONPatch{}, Object{}]", "'a'",
]  # fmt: skip


def shared(table, gone):
    return {path: values for path, values in table.items() if not any(part in path for part in gone)}


def expressions():
    """(path, expression) of each place"""
    yield from (("spec.mutations.0.applyConfiguration.expression", e) for e in APPLICATIONS + EXPRESSIONS)
    yield from (("spec.mutations.0.jsonPatch.expression", e) for e in PATCHES)


def cases():
    """(name, object)"""
    gone = ("validations", "auditAnnotations", "status")
    yield "good", POLICY
    yield from of_table(POLICY, shared(FIELDS, gone))
    yield from of_table(POLICY, shared(SHAPES, gone))
    yield from of_table(POLICY, MUTATING_FIELDS)
    yield "good binding", MUTATING_BINDING
    for name, made in of_table(
        MUTATING_BINDING, {**shared(BINDING_FIELDS, ("validationActions",)), "spec.validationActions": [["Deny"]]}
    ):
        yield f"binding: {name}", made
    deletes = [
        {"resourceRules": [{**RULE, "operations": operations}]} for operations in (["DELETE"], ["*"], ["CREATE", "x"])
    ]
    for name, made in of_table(MUTATING_BINDING, {"spec.matchResources": deletes}):
        yield f"binding: {name}", made
    for path, expression in expressions():
        base = put(POLICY, "spec.mutations", [PATCH]) if "jsonPatch" in path else POLICY
        yield f"{path.split('.')[3]}: {expression[:100]}", put(base, path, expression)
    with_params = put(POLICY, "spec.paramKind", {"apiVersion": "v1", "kind": "ConfigMap"})
    for expression in ("params.x", "Object{a: params.x}", "Object{a: params.data.x == 1 && nope}"):
        yield f"params: {expression}", put(with_params, "spec.mutations.0.applyConfiguration.expression", expression)
        yield (
            f"params: condition {expression}",
            put(with_params, "spec.matchConditions", [{"name": "c", "expression": expression}]),
        )
    for text in (
        "1",
        "[1]",
        "{'a': 1}",
        "object.x",
        "request",
        "optional.of(1)",
        "nope",
        "Object{}",
        "jsonpatch.escapeKey('a')",
    ):
        for use in ("Object{a: variables.v}", "Object{a: variables.v + 1 == 'a'}", "variables.v"):
            made = put(POLICY, "spec.variables", [{"name": "v", "expression": text}])
            yield f"variable {text}: {use}", put(made, "spec.mutations.0.applyConfiguration.expression", use)
