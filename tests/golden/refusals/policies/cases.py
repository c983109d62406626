"""Broken policies and bindings, generated from tables: what is wrong with each is in its name."""

import copy

RULE = {"apiGroups": ["apps"], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["deployments"]}
POLICY = {
    "apiVersion": "admissionregistration.k8s.io/v1",
    "kind": "ValidatingAdmissionPolicy",
    "metadata": {"name": "p"},
    "spec": {"matchConstraints": {"resourceRules": [RULE]}, "validations": [{"expression": "true"}]},
}
BINDING = {
    "apiVersion": "admissionregistration.k8s.io/v1",
    "kind": "ValidatingAdmissionPolicyBinding",
    "metadata": {"name": "b"},
    "spec": {"policyName": "p", "validationActions": ["Deny"]},
}
GONE = object()
LONG = "a" * 64
LONGER = "a" * 254

# Values of one field of the good policy; GONE takes it away. Paths have dots, numbers are indices.
FIELDS = {
    "metadata.name": [GONE, "", "P", "p_q", "-p", "p-", "p..q", ".p", LONGER, "p/q", "p%", "é", "p\n"],
    "metadata.generateName": ["Q-", "p--", "q."],
    "metadata.labels": [{"a b": "c"}, {"a": "b c"}, {"": ""}, {"/a": ""}, {"a/": ""}, {"A.com/a": "x"}, {"a": LONG},
                        {LONG: "a"}, {"a/b/c": "d"}, {"-a": "-"}],
    "metadata.annotations": [{"a b": "c"}, {"A.com/x": "y"}, {"/": ""}, {"a": "b" * 262144}, {LONG: ""}],
    "metadata.finalizers": [["a b"], ["orphan", "foregroundDeletion"], ["e.com/x", "/"]],
    "metadata.ownerReferences": [[{}], [{"apiVersion": "v1", "kind": "K", "name": "", "uid": "u"}],
                                 [{"apiVersion": "g/", "kind": "", "name": "n", "uid": ""}]],
    "spec": [GONE, {}],
    "spec.failurePolicy": ["", "fail", "Maybe", "<a&b>"],
    "spec.matchConstraints": [GONE, {}, {"resourceRules": []}, {"excludeResourceRules": [RULE]}],
    "spec.matchConstraints.matchPolicy": ["", "exact", "Both"],
    "spec.matchConstraints.namespaceSelector": [
        {"matchLabels": {"a b": "c d"}},
        {"matchExpressions": [{"key": "a", "operator": "In"}]},
        {"matchExpressions": [{"key": "a", "operator": "NotIn", "values": []}]},
        {"matchExpressions": [{"key": "a", "operator": "Exists", "values": ["x"]}]},
        {"matchExpressions": [{"key": "a", "operator": "DoesNotExist", "values": ["x y"]}]},
        {"matchExpressions": [{"key": "a", "operator": "Eq", "values": ["x"]}]},
        {"matchExpressions": [{"key": "", "operator": ""}]},
        {"matchExpressions": [{"operator": "In", "values": ["ok", "not ok", LONG]}]},
    ],
    "spec.matchConstraints.objectSelector": [{"matchExpressions": [{"key": "a/b/c", "operator": "exists"}]}],
    "spec.matchConstraints.resourceRules.0": [{}],
    "spec.matchConstraints.resourceRules.0.apiGroups": [GONE, [], ["*", "apps"]],
    "spec.matchConstraints.resourceRules.0.apiVersions": [GONE, [], ["*", "v1"], [""], ["v1", ""]],
    "spec.matchConstraints.resourceRules.0.operations": [GONE, [], ["*", "CREATE"], ["create"], ["CREATE", "GET", ""],
                                                         ["LIST", "*"]],
    "spec.matchConstraints.resourceRules.0.resources": [
        GONE, [], [""], ["*", "pods"], ["*/*", "pods"], ["*/*", "pods/x"], ["pods/*", "pods/log"], ["*/x", "pods/x"],
        ["pods", "*"], ["*", "pods", "*"], ["*", "*/x"], ["pods/*", "*/*", "a/b"], ["a/b/c", "a/*", "a/b/c"],
    ],
    "spec.matchConstraints.resourceRules.0.scope": ["", "cluster", "All"],
    "spec.matchConstraints.resourceRules.0.resourceNames": [["a", "a"], ["."], [".."], ["a/b%"], ["a/b", "a%", "a/b"]],
    "spec.matchConstraints.excludeResourceRules": [[{}], [{**RULE, "operations": ["X"]}]],
    "spec.paramKind": [
        {}, {"apiVersion": "v1"}, {"kind": "ConfigMap"}, {"apiVersion": "a/b/c", "kind": "K"},
        {"apiVersion": "/", "kind": "K"}, {"apiVersion": "g/", "kind": "K"}, {"apiVersion": "G/v1", "kind": "K"},
        {"apiVersion": "g/V1", "kind": "K"}, {"apiVersion": "g_h/1v", "kind": "K k"}, {"apiVersion": "v1.2", "kind": "-"},
        {"apiVersion": "/v1", "kind": LONG}, {"apiVersion": f"{LONGER}/{LONG}", "kind": "9"}, {"apiVersion": "v1", "kind": "É"},
    ],
    "spec.matchConditions": [
        [{}], [{"name": "a"}], [{"expression": "true"}], [{"name": "a b", "expression": "true"}],
        [{"name": "a", "expression": "  "}], [{"name": "a", "expression": "true"}] * 2,
        [{"name": f"a{n}", "expression": "true"} for n in range(65)], [{"name": "a/b/c", "expression": "1"}],
        [{"name": "a", "expression": "  1 +\n"}], [{"name": "a", "expression": "variables.x"}],
        [{"name": "a", "expression": "params.x == 1"}], [{"name": "a", "expression": "authorizer.requestResource"}],
        [{"name": "", "expression": "true"}, {"name": "", "expression": "true"}],
    ],
    "spec.variables": [
        [{}], [{"name": "a"}], [{"expression": "1"}], [{"name": " ", "expression": " "}],
        [{"name": "a-b", "expression": "1"}], [{"name": "1a", "expression": "1"}], [{"name": "in", "expression": "1"}],
        [{"name": "namespace", "expression": "1"}], [{"name": "a", "expression": "variables.b"}],
        [{"name": "a", "expression": "variables.a"}], [{"name": "a", "expression": "1 +"}],
        [{"name": "a", "expression": "object.x"}, {"name": "b", "expression": "variables.a + variables.c"}],
        [{"name": "a", "expression": "1"}, {"name": "a", "expression": "'x'"}, {"name": "b", "expression": "variables.a + 1"}],
        [{"name": "a", "expression": "nope"}, {"name": "b", "expression": "variables.a + 1"}],
        [{"name": "é", "expression": "1"}],
    ],
    "spec.validations": [
        GONE, [], [{}], [{"expression": ""}], [{"expression": " \n\t "}], [{"message": "x"}],
        [{"expression": "true", "message": " "}], [{"expression": "true", "message": "a\nb"}],
        [{"expression": "true", "message": "a\r"}], [{"expression": "true", "message": "a\rb"}],
        [{"expression": "true", "messageExpression": " "}], [{"expression": "true", "messageExpression": "1"}],
        [{"expression": "true", "messageExpression": "object.x"}],
        [{"expression": "true", "messageExpression": "authorizer"}],
        [{"expression": "true", "messageExpression": "'a' +"}],
        [{"expression": "true", "messageExpression": "params.x"}],
        [{"expression": "true", "reason": ""}], [{"expression": "true", "reason": "Unauthorized"}],
        [{"expression": "true", "reason": "NotFound"}], [{"expression": "true", "reason": "invalid"}],
        [{"expression": "true"}, {"expression": "1", "message": "\t", "messageExpression": "2", "reason": "x"}],
    ],
    "spec.auditAnnotations": [
        [{}], [{"key": "a"}], [{"valueExpression": "'a'"}], [{"key": "a b", "valueExpression": "'a'"}],
        [{"key": "a", "valueExpression": " "}], [{"key": "a", "valueExpression": " 1 "}],
        [{"key": "a", "valueExpression": "object.x"}], [{"key": "a", "valueExpression": " null +"}],
        [{"key": "a", "valueExpression": "'a'"}] * 2, [{"key": "a/b", "valueExpression": "'a'"}],
        [{"key": LONG, "valueExpression": "'a'"}], [{"key": "a", "valueExpression": f"'{'a' * 5119}'"}],
        [{"key": f"a{n}", "valueExpression": "'<a>'"} for n in range(21)],
    ],
}  # fmt: skip

# Validations that are no good. What they say, an API server says of them.
EXPRESSIONS = [
    "1", "'a'", "null", "dyn(1)", "object", "object.x", "[1]", "{'a': 1}", "timestamp('2020-01-01T00:00:00Z')",
    "duration('1h')", "type(1)", "request", "request.kind", "request.options", "authorizer", "namespaceObject.metadata",
    "optional.of(1)", "b'a'", "1u", "1.0", "object.?a", "quantity('1')", "url('http://a')", "ip('1.1.1.1')",
    "authorizer.path('/').check('get')", "[1].map(x, 'a')", "{'a': [true]}", "request.userInfo.extra", "[]", "{}",
    "1 +", "(", ")", "'a", '"\\q"', "a b", "?", "object.", "1 == 'a'", "1 + true", "!1", "-'a'", "nope", "nope.a.b",
    "nope(1)", "object.nope(1)", "size()", "size(1)", "'a'.size(1)", "request.nope", "request.kind.nope == 'a'",
    "namespaceObject.nope", "namespaceObject.metadata.uid == ''", "variables.x", "params.x", "oldObject == ",
    "has(object)", "has(object.a.b()) ", "[1].all(x)", "[1].all(x, x)", "[1].all(1, true)", "[1].map(x, y, z, w)",
    "[1, 'a'] == []", "{'a': 1, 'b': 'c'} == {}", "'a'.matches('(')", "duration('1x') == duration('1h')",
    "timestamp('x') == timestamp('y')", "object.a in 1", "1 in ['a']", "true ? 1 : 'a'", "true ? 'a' : 1 == 1",
    "1 < 'a'", "'a' < 1.0", "b'a' == 'a'", "request.operation == CREATE", "Object{}", "google.protobuf.Int64Value{x: 1}",
    "object.spec.replicas > 5\n&& nope", "\n\n  nope", "'é' + nope", "'\t' + nope", "cel.bind(x, 1, y)",
    "cel.bind(1, 1, 1)", "sets.contains([1], ['a'])", "quantity(1)", "isQuantity(1)", "url(1)", "ip.isCanonical(1)",
    "cidr('x')", "format.named(1)", "semver(1)", "'a'.format([1])", "'%d'.format(1)", "'a'.join()", "[1].join()",
    "[1].sum() == 'a'", "['a'].sum() == 1", "['a', 1].isSorted()", "math.greatest('a')", "math.abs(1)", "'a'.charAt('b')",
    "'a'.substring('b')", "strings.quote('a')", "base64.encode('a')", "authorizer.group(1)", "authorizer.path(1)",
    "authorizer.requestResource.check(1)", "authorizer.serviceAccount('a')", "jsonpatch.escape('a')", "optional.none()",
    "object.?a.orValue(1)", "[?object.a]", "object[?'a']", "1 > 2 > 3", "true && 1", "1 || false", "!'a'", "~1", "a.b.c{}",
    "x.y", ".x", "'\\u00'", "0x", "1e", "9999999999999999999", "-9999999999999999999", "18446744073709551616u", "1 / 0 == 1u",
    "as", "import", "var", "package", "true.x", "false()", "null.x", "'a'.b", "1.x", "[].x", "{}.x()", "in", "a in", "for",
    "namespaceObject.metadata.labels.x == 1", "request.namespace == 1", "request.dryRun == 'a'", "request.name.x == ''",
    "has(request.x)", "request.userInfo.groups == ['a', 1]", "request.resource.resource", "oldObject", "__x__", "x@y",
    "// only a comment", "true // fine\n1", "'''a", "r'\\' == r'", "\"\"\"\"", "$x", "#", "a = 1", "a == 1;", "{1: 2}.a", "{a: 1}",
    "[1,2", "[1,,2]", "f(,)", "f(1,)", "a..b", "a?.b", "a.?b.c == 1 ? : 2", "<", "\u00a0true", "\ufefftrue",
    "<script> && 'a&b'", "'\\x01' + 1", "string(1) + 1", "type(1) == 'int'", "'" + "a" * 300 + "' + 1",
    "[[1, 2], ['a']]", "object.all(x, x.y)", "object.map(x, x)", "dyn(object) + 1", "1 + dyn(2)", "int('1') + 1u",
    # What the interpreter computes before it runs.
    "int('abc') == 1", "int(1e99) == 1", "uint(-1) == 1u", "uint('-1') == 1u", "double('x') == 1.0", "bool('maybe')",
    "int(18446744073709551615u) == 1", "string(b'\\xff') == ''", "'a'.find('(') == ''", "'a'.findAll('(') == []",
    "int('9223372036854775808') == 1", "bool('1')", "double('1e999') == 1.0", "int(dyn('a')) == 1", "int(1.5) == 1",
    "timestamp(99999999999999) == timestamp(1)", "duration(1) == duration(2)", "1 in [int('x')]", "uint(1.5) == 1u",
    "int(true) == 1", "dyn('a') == int('x')", "['a'].exists(x, int('x') == 1)", "true || int('x') == 1", "uint('1.5') == 1u",
    "int(-1e19) == 1", "uint(1e20) == 1u", "int('') == 1", "int(' 1') == 1", "int('0x1') == 1", "int('+1') == 1", "int('1_0') == 1",
    "uint('+1') == 1u", "bool('TRUE')", "bool('yes')", "double('') == 1.0", "double('0x1p') == 1.0", "double('inf') == 1.0",
    "int('" + "1" * 40 + "') == 1", "int('\\n') == 1", "uint('é') == 1u", "double('1_0') == 1.0", "bool('é')", "bool('')",
    "int(timestamp('2020-01-01T00:00:00Z')) == 1", "string(1) == '1'", "bytes('a') == b'a'", "double(1) == 1.0",
    "type(int('x')) == int", "has({'a': int('x')}.a)", "[int('x')].size() == 1", "cel.bind(x, int('x'), x == 1)",
]  # fmt: skip

# What a wrongly typed or unknown field is worth.
SHAPES = {
    "spec": [[], "a", 1, True],
    "spec.nope": [1],
    "spec.Validations": [[]],
    "nope": [{}],
    "metadata.nope": ["x"],
    "metadata": [[], "x"],
    "metadata.name": [1, True, [], {}],
    "metadata.labels": [[], {"a": 1}, {"a": True}, {"a": {}}],
    "metadata.generation": ["1", 1.5],
    "metadata.finalizers": ["a", [1]],
    "spec.failurePolicy": [1, [], {}],
    "spec.validations": [{}, "a", 1, [1], ["a"], [[]], [{"nope": 1}], [{"expression": 1}], [{"expression": True}],
                         [{"expression": ["a"]}], [{"expression": "true", "reason": 1}],
                         [{"expression": "true", "messge": "a"}, {"mesage": "b", "x": {"y": 1}}],
                         [{"expression": 1, "nope": 1}]],
    "spec.matchConstraints": [[], "a"],
    "spec.matchConstraints.nope": [1],
    "spec.matchConstraints.resourceRules": [{}, "a", [1]],
    "spec.matchConstraints.resourceRules.0.apiGroups": ["apps", [1], [None, {}]],
    "spec.matchConstraints.resourceRules.0.nope": [1],
    "spec.matchConstraints.resourceRules.0.scope": [1],
    "spec.matchConstraints.resourceRules.0.operations": ["CREATE", [1]],
    "spec.matchConstraints.namespaceSelector": [[], {"a": "b"}, {"matchLabels": []}, {"matchExpressions": [1]},
                                                {"matchExpressions": [{"operator": 1}]}],
    "spec.matchConstraints.matchPolicy": [1],
    "spec.paramKind": ["a", {"version": "v1"}, {"kind": 1}],
    "spec.variables": [{"a": "1"}, [{"name": 1}], [{"name": "a", "expression": "1", "type": "int"}]],
    "spec.matchConditions": ["a", [{"name": "a", "expression": 1}]],
    "spec.auditAnnotations": [{}, [{"key": 1}], [{"name": "a"}]],
    "status": [{"nope": 1}, {"conditions": {}}, {"typeChecking": {"expressionWarnings": [{"fieldRef": 1}]}}],
}  # fmt: skip

BINDING_FIELDS = {
    "metadata.name": [GONE, "B"],
    "spec": [GONE, {}, []],
    "spec.nope": [1],
    "spec.policyName": [GONE, "", "P", "a_b", LONGER, 1],
    "spec.paramRef": [
        {}, {"name": "a"}, {"name": "a", "selector": {}, "parameterNotFoundAction": "Deny"},
        {"selector": {}, "parameterNotFoundAction": "deny"}, {"name": "a/b%", "parameterNotFoundAction": "Deny"},
        {"name": "..", "parameterNotFoundAction": ""}, {"namespace": "x", "parameterNotFoundAction": "Allow"},
        {"selector": {"matchLabels": {"a b": "c"}}, "parameterNotFoundAction": "Allow"}, "a", {"nme": "a"},
        {"name": "a", "parameterNotFoundAction": 1},
    ],
    "spec.matchResources": [{"matchPolicy": "x"}, {"resourceRules": [{}]}, {"objectSelector": {"matchLabels": {"": ""}}}],
    "spec.validationActions": [GONE, [], ["deny"], ["Deny", "Deny"], ["Deny", "Warn"], ["Audit", "Warn", "Deny", "Deny"],
                               ["Deny", ""], "Deny", [1], [None]],
}  # fmt: skip


def put(base, path, value):
    """A copy with another value there, or without it."""
    made = copy.deepcopy(base)
    at, parts = made, path.split(".")
    for part in parts[:-1]:
        at = at[int(part) if isinstance(at, list) else part]
    last = int(parts[-1]) if isinstance(at, list) else parts[-1]
    if value is GONE:
        del at[last]
    else:
        at[last] = value
    return made


def of_table(base, table):
    for path, values in table.items():
        for value in values:
            yield f"{path} = {'nothing' if value is GONE else repr(value)[:100]}", put(base, path, value)


def cases():
    """(name, object)"""
    yield from of_table(POLICY, FIELDS)
    yield from of_table(POLICY, SHAPES)
    yield from of_table(BINDING, BINDING_FIELDS)
    for expression in EXPRESSIONS:
        yield expression[:100], put(POLICY, "spec.validations.0.expression", expression)
    with_params = put(POLICY, "spec.paramKind", {"apiVersion": "v1", "kind": "ConfigMap"})
    for expression in ("params.x", "params", "params.data.x == 1 && nope"):
        for path in ("validations.0.expression", "validations.0.messageExpression"):
            yield f"params: {path} {expression}", put(with_params, f"spec.{path}", expression)
        conditions = [{"name": "c", "expression": expression}]
        yield f"params: condition {expression}", put(with_params, "spec.matchConditions", conditions)
        annotations = [{"key": "k", "valueExpression": expression}]
        yield f"params: annotation {expression}", put(with_params, "spec.auditAnnotations", annotations)
    # The types of variables, as expressions see them.
    for text in (
        "1",
        "'a'",
        "[1]",
        "{'a': 1}",
        "object.x",
        "timestamp('2020-01-01T00:00:00Z')",
        "optional.of(1)",
        "request",
        "request.kind",
        "[request]",
        "{'a': ['b']}",
        "quantity('1')",
        "null",
        "type(1)",
        "nope",
        "dyn([1])",
    ):
        for use in ("variables.v", "variables.v + 1 == 'a'", "variables.v.x.y == true"):
            made = put(POLICY, "spec.variables", [{"name": "v", "expression": text}])
            yield f"variable {text}: {use}", put(made, "spec.validations.0.expression", use)
