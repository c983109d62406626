"""idioms: what published policies write and a grammar of single comparisons does not.

A mixin of policies.Maker, whose paths and literals fill the slots: nested loops, loops with two variables, guards in
one operand for another, branches between the places of a pod template, conversions, optionals all the way, the
libraries of Kubernetes, parameters, the request, the authorizer.
"""

from_json = {"array": "list", "integer": "int", "boolean": "bool", "object": "map"}  # what type() says

TESTS = {
    "string": [
        "{0}.startsWith('a')",
        "{0}.matches('^[a-z]+$')",
        "{0} in ['a', 'web']",
        "{0}.contains(object.metadata.name)",
        "{0}.replace('a', 'b') == 'b'",
        "{0}.substring(0, 1) == 'a'",
        "{0}.trim().size() > 0",
        "{0}.indexOf('a') == -1",
        "{0}.charAt(0) == 'a'",
        "{0}.find('[0-9]+') != ''",
        "{0}.findAll('[0-9]+').size() == 0",
        "{0}.upperAscii() == 'A'",
        "{0}.split('/')[0] == 'a'",
        "{0}.split(':').exists(part, part == 'latest')",
        "int({0}) > 1",
        "double({0}) > 1.5",
        "duration({0}) > duration('1h')",
        "duration({0}).getHours() > 1",
        "timestamp({0}).getFullYear() > 2000",
        "timestamp({0}) + duration('1h') > timestamp('2024-01-01T00:00:00Z')",
        "bytes({0}).size() > 1",
        "{0} == b'a'",
        "bool({0})",
        "isURL({0}) && url({0}).getHostname() == 'a'",
        "url({0}).getQuery()['a'] == ['b']",
        "isIP({0})",
        "ip({0}).isLoopback()",
        "ip({0}).family() == 4",
        "cidr('10.0.0.0/8').containsIP({0})",
        "cidr({0}).prefixLength() > 8",
        "isCIDR({0}) && cidr({0}).ip() == ip('10.0.0.1')",
        "isQuantity({0}) && quantity({0}).isLessThan(quantity('1Gi'))",
        "quantity({0}).compareTo(quantity('1')) > 0",
        "quantity({0}) < quantity('1')",
        "quantity({0}) == quantity('1')",
        "quantity({0}).asInteger() > 1",
        "quantity({0}).asApproximateFloat() > 1.0",
        "sign(quantity({0})) == 1",
        "!format.dns1123Label().validate({0}).hasValue()",
        "format.named('uuid').value().validate({0}) == optional.none()",
        "isSemver({0}) && semver({0}).major() > 1",
        "'%s'.format([{0}]) == 'a'",
        "type({0}) == string",
        "{0} < 'b'",
        "{0} + 'x' == 'ax'",
        "{0} == {0}.lowerAscii()",
        "[{0}].join(',') == 'a'",
        "{0} in object.metadata.labels",
        "object.metadata.labels[{0}] == 'a'",
        "string({0}) == 'a'",
        "{0} >= 1",
        "{0} == ip('10.0.0.1')",
        "{0} + 1 > 1",
    ],
    "integer": [
        "{0} > 1",
        "{0} == 1",
        "{0} == 1u",
        "{0} < 1.5",
        "{0} >= 2u",
        "{0} == 2.0",
        "{0} + 1 > 2",
        "{0} % 2 == 0",
        "{0} / 2 > 1",
        "{0} * 2 <= 10",
        "{0} + 1.0 > 2.0",
        "{0} / 0 > 1",
        "uint({0}) > 1u",
        "double({0}) > 1.5",
        "double({0}) / 2.0 > 1.0",
        "string({0}) == '1'",
        "{0} in [1, 2]",
        "{0} in ['1', 2]",
        "{0} in [1u, 2.5]",
        "{0} in ['1', '2']",
        "-{0} < 0",
        "'%d'.format([{0}]) == '1'",
        "type({0}) == int",
        "{0} == '1'",
        "{0} > '1'",
        "duration({0}) > duration('1s')",
        "lists.range({0}).size() > 1",
        "{0}.startsWith('a')",
        "int({0}) > 1",
        "{0} != null",
        "timestamp({0}) > timestamp(0)",
        "(type({0}) == int ? {0} > 1 : {0}.endsWith('%'))",
        "(type({0}) == string && {0}.endsWith('%'))",
        "quantity({0}) == 1",
        "string({0}).endsWith('%')",
        "dyn({0}) == '1'",
        "{0} == true",
        "quantity(string({0})).isGreaterThan(quantity('1'))",
    ],
    "boolean": [
        "{0}",
        "!{0}",
        "{0} == true",
        "{0} != false",
        "{0} in [true]",
        "string({0}) == 'true'",
        "{0} ? true : false",
        "{0} == 'true'",
        "{0} && true",
        "{0} == 1",
        "{0} > false",
        "bool(string({0}))",
        "{0} in ['true', 'false']",
    ],
    "array": [
        "size({0}) > 0",
        "{0}.size() == 1",
        "{0} != []",
        "{0}[0] == {0}[0]",
        "{0}[?0].hasValue()",
        "{0} == null",
        "{0}.isSorted()",
        "sets.contains({0}, ['a'])",
        "sets.intersects({0}, [1])",
        "sets.equivalent({0}, {0})",
        "{0}.indexOf('a') == 0",
        "{0}.lastIndexOf('a') > 0",
        "{0}.distinct().size() == {0}.size()",
        "{0}.sort() == {0}",
        "{0}.reverse()[0] == 'a'",
        "{0}.slice(0, 1).size() == 1",
        "{0}.flatten().size() > 1",
        "{0}.first().hasValue()",
        "{0}.last().value() == 'a'",
        "{0}.min() == 1",
        "{0}.max() == 'a'",
        "{0}.sum() > 0",
        "{0}.join(',') == 'a'",
        "'a' in {0}",
        "1 in {0}",
        "{0} + ['a'] != {0}",
        "({0} + []).size() > 0",
        "{0}.map(i, i).size() > 0",
        "{0}.map(i, i != null, i).size() > 0",
        "type({0}) == list",
        "{0}.all(i, v, i >= 0 && v != null)",
        "{0}.exists(i, v, i == 'a' && v != null)",
        "{0}.transformList(i, v, v).size() > 0",
        "{0}.transformMap(i, v, v).size() > 0",
        "{0}.existsOne(i, v, v == 1)",
        "{0}.transformMapEntry(i, v, {string(i): v}).a == 1",
        "{0}.exists_one(i, i == 'a')",
        "{0} == {}",
        "{0} in [['a']]",
        "{0}.name == 'a'",
        "has({0}.name)",
        "{0}['a'] == 1",
        "{0} > 1",
        "{0}.all(i, has(i.name))",
        "{0}.all(i, i.?name.orValue('a') == 'a')",
        "{0} == ['a']",
        "!({0}.exists(i, i in ['a', 'b']))",
        "{0}.sortBy(i, i.name)[0].name == 'a'",
        "{0}.filter(i, has(i.name)).all(i, i.name == 'a')",
        "{0} == 'a'",
    ],
    "map": [
        "{0}.all(k, k.startsWith('a'))",
        "{0}.exists(k, {0}[k] == 'a')",
        "{0}.all(k, {0}[k].startsWith('a'))",
        "{0}.all(k, {0}[k] > 1)",
        "{0}.all(k, v, k != v)",
        "{0}.exists(k, v, k == 'app' && v == 'web')",
        "{0}.all(k, v, v.startsWith('a'))",
        "'app' in {0}",
        "'app' in {0} && {0}['app'] == 'web'",
        "'app' in {0} ? {0}.app == 'web' : true",
        "{0}.map(k, {0}[k]).size() > 1",
        "{0}.transformList(k, v, k + '=' + v).join(',') == ''",
        "{0}.transformMap(k, v, v == 'a').size() > 0",
        "{0} == {}",
        "{0}.transformMap(k, v, k == 'a', v).a == 'b'",
        "{0}.transformMapEntry(k, v, {v: k}).size() > 0",
        "{0}[?'app'].orValue('') == 'a'",
        "{0}.?app.orValue('') in ['a']",
        "{0}.?app == optional.of('a')",
        "{0}[?'app'].optMap(v, v + 'x').orValue('') == 'ax'",
        "{0}.exists(k, k == 1)",
        "has({0}.app)",
        "!has({0}.app) || {0}.app == 'web'",
        "!('app' in {0}) || {0}['app'] != ''",
        "{0}.size() > 0",
        "['app', 'team'].all(k, k in {0})",
        "['app', 'team'].all(k, has({0}.app) && {0}[k] != '')",
        "{0} == {'app': 'web'}",
        "{0}[1] == 'a'",
        "{0}.all(k, quantity({0}[k]).isGreaterThan(quantity('1')))",
        "{0}.filter(k, k.endsWith('x')).size() == 0",
        "0 in {0}",
        "{0} == null",
        "type({0}) == map",
        "{0}.app.endsWith('x')",
        "{0}['app'] == 1",
        "{0}.exists_one(k, k == 'app')",
        "{0}.all(k, v, v == 1)",
        "{0} == []",
    ],
    "object": [
        "{0} == null",
        "{0} != null",
        "{0} == {}",
        "size({0}) > 0",
        "'name' in {0}",
        "{0}.all(k, k != 'name')",
        "{0}.exists(k, k == 'name')",
        "{0} == {0}",
        "type({0}) == map",
        "{0}.name == 'a'",
        "{0}['name'] == 'a'",
        "{0}.?name.hasValue()",
        "{0} == 'a'",
        "1 in {0}",
        "{0}.exists(k, v, k == 'name' && v == 'a')",
        "{0}.all(k, v, k != 1)",
        "string({0}) == ''",
        "{0}[?'name'].orValue('') == 'a'",
        "{'a': {0}}.a == {0}",
        "[{0}][0] == {0}",
        "{0} in [{}]",
        "{0} > 1",
    ],
}
TESTS["number"] = TESTS["integer"]
TESTS["quantity"] = TESTS["string"] + ["{0} > 1", "{0} == 1", "{0}.isGreaterThan(quantity('1'))", "{0} in [1, '1']"]
TESTS["open"] = TESTS["string"][:12] + TESTS["map"][:8] + TESTS["array"][:8] + TESTS["integer"][:8]

DEFAULTS = {
    "string": "''",
    "integer": "0",
    "boolean": "false",
    "array": "[]",
    "map": "{}",
    "object": "{}",
    "number": "0",
    "quantity": "'0'",
    "open": "null",
}

POD_SPECS = ["object.spec", "object.spec.template.spec", "object.spec.jobTemplate.spec.template.spec"]

REQUESTS = [
    "request.userInfo.username.startsWith('system:serviceaccount:')",
    "request.userInfo.groups.exists(g, g == 'system:masters')",
    "request.userInfo.extra['a'].exists(v, v == 'b')",
    "'a' in request.userInfo.extra && request.userInfo.extra['a'][0] == 'b'",
    "request.userInfo.?extra[?'a'].orValue(['b'])[0] == 'b'",
    "request.userInfo.name == 'a'",
    "request.object.metadata.name == 'a'",
    "request.oldObject == null",
    "request.options.dryRun == ['All']",
    "has(request.options.fieldManager)",
    "request.namespaceObject == null",
    "request.kind.group == '' && request.kind.version == 'v1'",
    "request.resource.resource in ['pods', 'deployments']",
    "request.kind == {'group': 'apps', 'version': 'v1', 'kind': 'Deployment'}",
    "request.resource == 'pods'",
    "request.operation == 1",
    "request.?namespace.orValue('') == 'default'",
    "request.?subResource.orValue('') == ''",
    "request['namespace'] == 'a'",
    "request.name.size() > 0",
    "request.dryRun == 'true'",
    "request.requestResource.resource + '/' + request.requestSubResource == 'a/b'",
    "'namespace' in request",
    "request.uid != ''",
    "request.operation in ['CREATE', 'UPDATE'] && request.dryRun",
    "request.user == 'a'",
    "(has(request.subResource) ? request.subResource == 'scale' : true)",
    "request.groups.exists(g, g == 'a')",
    "request.all(k, k != 'a')",
    "(has(request.namespace) ? request.namespace : '') != 'kube-system'",
    "!(request.?subResource.hasValue())",
    "request.namespace == object.metadata.namespace",
    "request.name == object.metadata.name",
    "request.operation.lowerAscii() == 'create'",
    "namespaceObject.metadata.labels['team'] == 'a'",
    "namespaceObject.metadata.?labels.?team.orValue('') == 'a'",
    "namespaceObject.spec.finalizers.size() > 0",
    "namespaceObject.status.phase == 'Active'",
    "namespaceObject.metadata.labels.exists(k, k == 'a')",
    "'a' in namespaceObject.metadata.annotations",
    "namespaceObject.metadata.uid != ''",
    "namespaceObject == null",
    "namespaceObject.?metadata.?labels.hasValue()",
    "has(namespaceObject.metadata.foo)",
    "authorizer.group('apps').resource('deployments').subresource('scale').namespace('a').name('b').check('update').allowed()",
    "authorizer.path('/healthz').check('get').allowed()",
    "authorizer.serviceAccount('a', 'b').requestResource.check('get').reason() == ''",
    "authorizer.serviceAccount(object.metadata.namespace, 'b').group('').resource('pods').check('get').errored()",
    "authorizer.group('').resource('pods').labelSelector('a=b').fieldSelector('c=d').check('list').error() == ''",
    "authorizer.requestResource.check('custom').allowed() == 'true'",
    "authorizer.group('').check('get').allowed()",
    "authorizer.group('').resource('pods').check('get')",
    "authorizer.requestResource.check(request.operation).allowed()",
]

PARAMS = [
    "params.data.max == '1'",
    "int(params.data.max) > 1",
    "params == null",
    "params != null && params.data['a'] == 'b'",
    "'a' in params.data",
    "has(params.data) && has(params.data.a)",
    "params.?data.?a.orValue('') == 'b'",
    "params.spec.max > 1",
    "has(params.spec)",
    "params.data.max > 1",
    "params.data.all(k, k in object.metadata.labels)",
    "params.data.a.split(',').exists(v, v == object.metadata.name)",
    "params.kind == 'ConfigMap'",
    "params.metadata.name == object.metadata.name",
    "object.metadata.labels.all(k, !(k in params.data))",
    "params.data == {}",
    "params.dat.x == 'a'",
    "params.binaryData.a == b'x'",
    "params.immutable == 'true'",
    "params.data['max'] == 1",
    "(params == null || params.data.a == 'b')",
]


# Sorts of variables that policies keep beside plain ones.
VARIABLES = ["pod spec", "containers", "object", "map", "names"]


class Idioms:
    def variable_text(self, sort):
        known = [f"variables.{name}" for name in self.variables if self.variables[name] == sort]
        if sort == "pod spec":
            return self.rng.choice(
                [
                    "object.kind == 'Pod' ? object.spec : object.spec.template.spec",
                    "has(object.spec.template) ? object.spec.template.spec : object.spec",
                    (
                        "object.kind == 'CronJob' ? object.spec.jobTemplate.spec.template.spec : object.kind "
                        "== 'Pod' ? object.spec : object.spec.template.spec"
                    ),
                    self.rng.choice(POD_SPECS),
                    "object.?spec.?template.?spec.orValue(object.spec)",
                ]
            )
        if sort == "containers":
            specs = [f"variables.{name}" for name in self.variables if self.variables[name] == "pod spec"] or POD_SPECS
            spec = self.rng.choice(specs)
            return self.rng.choice(
                [
                    f"{spec}.containers",
                    f"{spec}.containers + {spec}.?initContainers.orValue([])",
                    f"has({spec}.containers) ? {spec}.containers : []",
                    (
                        f"{spec}.containers + (has({spec}.initContainers) ? {spec}.initContainers : []) + "
                        f"(has({spec}.ephemeralContainers) ? {spec}.ephemeralContainers : [])"
                    ),
                    f"{spec}.containers.filter(c, has(c.image))",
                    f"{spec}.containers.map(c, c.image)",
                ]
            )
        if sort == "object":
            return self.rng.choice(
                [
                    "object == null ? oldObject : object",
                    "object != null ? object : oldObject",
                    "object",
                    "oldObject",
                    "request.operation == 'DELETE' ? oldObject : object",
                    *known,
                ]
            )
        if sort == "map":
            return self.rng.choice(
                [
                    "has(object.metadata.labels) ? object.metadata.labels : {}",
                    "object.metadata.?annotations.orValue({})",
                    "object.metadata.labels",
                    "{'a': 1, 'b': 2}",
                    "namespaceObject.metadata.labels",
                    *known,
                ]
            )
        return self.rng.choice(
            [
                "['a', 'b']",
                "object.metadata.?finalizers.orValue([])",
                "object.metadata.labels.map(k, k)",
                "params.data.a.split(',')" if self.params else "'a,b'.split(',')",
                "[1, 2]",
            ]
        )

    def variable_idiom(self, text, sort):
        if sort == "pod spec":
            return self.rng.choice(
                [
                    f"{text}.containers.all(c, c.image.startsWith('a'))",
                    f"(has({text}.hostNetwork) && {text}.hostNetwork)",
                    f"{text}.hostNetwork == 'true'",
                    f"!{text}.?hostPID.orValue(false)",
                    f"{text}.securityContext.runAsNonRoot",
                    f"{text}.volumes.all(v, !has(v.hostPath))",
                    f"{text}.containrs.size() > 0",
                    f"{text}.containers.all(c, c.nam == 'a')",
                    f"{text}.replicas > 1",
                    f"(object.kind == 'Pod' && {text}.nodeName == 'a')",
                    f"(object.kind != 'Deployment' || {text}.serviceAccountName == 1)",
                ]
            )
        if sort == "containers":
            return (
                f"{text}.{self.rng.choice(['all', 'exists', 'filter', 'map'])}"
                + self.rng.choice(
                    [
                        "(c, c.image == 'a')",
                        "(c, has(c.resources.limits))",
                        "(c, c.imag == 'a')",
                        "(c, c.ports.size() > 0)",
                        "(c, c == 'a')",
                        "(c, c.image > 1)",
                    ]
                )
                + self.rng.choice(["", "", " == []"])
            )
        if sort == "object":
            path, end, _ = self.path("object")
            return self.filled(text + path[len("object") :], self.kind_at(end))
        return self.filled(text, "map" if sort == "map" else "array")

    def idioms(self):
        return [
            self.test,
            self.test,
            self.test,
            self.test_of_item,
            self.test_of_item,
            self.nested_loop,
            self.nested_loop,
            self.defaulted,
            self.guarded_elsewhere,
            self.mismatched_guard,
            self.pod_spec,
            self.containers,
            self.request_idiom,
            self.request_idiom,
            self.params_idiom,
            self.either_object,
            self.unchanged,
            self.chain_of_kinds,
            self.optional_chain,
            self.optional_chain,
            self.constant_loop,
            self.heterogeneous,
            self.typed_branch,
            self.literal_map,
            self.not_boolean,
        ]

    def kind_at(self, schema):
        raise NotImplementedError

    def filled(self, text, kind):
        """A test of what stands at a path: mostly of its own kind."""
        if self.chance(self.wrong):
            kind = self.rng.choice(sorted(TESTS))
        return "(" + self.rng.choice(TESTS.get(kind, TESTS["open"])).replace("{0}", text) + ")"

    def test(self, root="object", schema=None):
        kind = self.rng.choice(
            ["string", "string", "integer", "boolean", "array", "array", "map", "object", "number", "quantity", None]
        )
        text, end, _ = self.path(root, schema, kind)
        return self.filled(text, self.kind_at(end))

    def loop(self, root="object", schema=None):
        """(range, loop variable, schema of its elements)"""
        text, end, _ = self.path(root, schema, "array")
        return text, self.name("y"), end.get("items", {})

    def over_item(self, name, item, make):
        kind = self.kind_at(item)
        if kind in ("object", "map", "array"):
            return make(name, item)
        return self.filled(name, kind)

    def test_of_item(self):
        text, name, item = self.loop()
        macro = self.rng.choice(["all", "all", "exists", "exists_one"])
        return f"{text}.{macro}({name}, {self.over_item(name, item, self.test)})"

    def nested_loop(self):
        text, name, item = self.loop()
        inner, inner_name, inner_item = self.loop(name, item)
        body = self.over_item(inner_name, inner_item, self.test)
        outer = self.over_item(name, item, self.test)
        return self.rng.choice(
            [
                f"{text}.all({name}, {inner}.all({inner_name}, {body}))",
                f"{text}.all({name}, {inner}.exists({inner_name}, {body} && {outer}))",
                f"{text}.exists({name}, {outer} && {inner}.all({inner_name}, {body}))",
                f"{text}.map({name}, {inner}).size() > 0",
                f"{text}.all({name}, {inner}.filter({inner_name}, {body}).size() > 0 || {outer})",
                f"{text}.filter({name}, {outer}).all({name}, {outer})",
                f"{text}.all({name}, i{name}, {inner}.all({inner_name}, {body}))",
                f"{text}.filter({name}, {outer}).map({name}, {inner}).all(l, l.all({inner_name}, {body}))",
            ]
        )

    def defaulted(self):
        """(has(x) ? x : y) and x.?y.orValue(z), tested."""
        text, end, prefixes = self.path()
        kind = self.kind_at(end)
        default = (
            DEFAULTS.get(kind, "''") if not self.chance(self.wrong) else self.rng.choice(sorted(DEFAULTS.values()))
        )
        if text.rsplit(".", 1)[-1].isidentifier() and "." in text:
            return self.filled(f"(has({text}) ? {text} : {default})", kind)
        return self.filled(text, kind)

    def guarded_elsewhere(self):
        """A guard in one operand, its use in another, with something between."""
        text, end, prefixes = self.path()
        if not text.rsplit(".", 1)[-1].isidentifier() or text.count(".") < 1:
            return self.filled(text, self.kind_at(end))
        use, other = self.filled(text, self.kind_at(end)), self.bool()
        return self.rng.choice(
            [
                f"(has({text}) && {other} && {use})",
                f"(!has({text}) || {other} || {use})",
                f"(has({text}) ? {other} && {use} : {other})",
                f"((has({text}) && {other}) ? {use} : true)",
                f"(!(has({text}) && {use}) || {other})",
                f"({use} || !has({text}))",
                f"({use} && has({text}))",
                f"(has({text}) == true && {use})",
                f"([has({text})].all(h, h) && {use})",
                f"(has({text}) ? {use} : {use})",
                f"(({other} || has({text})) && {use})",
            ]
        )

    def mismatched_guard(self):
        """has() of one field, use of another."""
        one, _, _ = self.path()
        two, end, _ = self.path()
        if not one.rsplit(".", 1)[-1].isidentifier() or "." not in one:
            return self.filled(two, self.kind_at(end))
        return self.rng.choice(
            [
                f"(has({one}) && {self.filled(two, self.kind_at(end))})",
                f"(!has({one}) || {self.filled(two, self.kind_at(end))})",
            ]
        )

    def pod_spec(self):
        one, two = self.rng.sample(POD_SPECS, 2)
        kind = self.rng.choice(["Pod", "Deployment", "CronJob"])
        tail = self.rng.choice(
            [
                ".containers.size() > 0",
                ".containers.all(c, c.image.startsWith('a'))",
                ".hostNetwork == true",
                ".containers.all(c, has(c.securityContext) && c.securityContext.privileged == false)",
                ".?hostPID.orValue(false) == false",
                ".containers[0].nam == 'a'",
            ]
        )
        return self.rng.choice(
            [
                f"(object.kind == '{kind}' ? {one} : {two}){tail}",
                f"(has({one}) ? {one} : {two}){tail}",
                f"(object.kind == '{kind}' ? {one}{tail} : {two}{tail})",
                f"(object.kind != '{kind}' || {one}{tail})",
                f"(has(object.spec.template) ? {POD_SPECS[1]} : object.spec){tail}",
                (
                    f"(object.kind == 'Pod' ? object.spec : object.kind == 'CronJob' ? {POD_SPECS[2]} : "
                    f"{POD_SPECS[1]}){tail}"
                ),
                f"object.?spec.?template.?spec.orValue(object.spec){tail}",
                f"(has(object.spec.jobTemplate) ? [{POD_SPECS[2]}] : [{one}]).all(s, s{tail})",
            ]
        )

    def containers(self):
        spec = self.rng.choice(POD_SPECS)
        extra = self.rng.choice(["initContainers", "ephemeralContainers", "volumes", "initContainer"])
        lists = self.rng.choice(
            [
                f"({spec}.containers + (has({spec}.{extra}) ? {spec}.{extra} : []))",
                f"({spec}.containers + {spec}.?{extra}.orValue([]))",
                f"{spec}.containers",
                f"[{spec}.containers, {spec}.?{extra}.orValue([])].flatten()",
                f"({spec}.containers.filter(c, has(c.ports)) + {spec}.containers)",
            ]
        )
        test = self.rng.choice(
            [
                "has(c.resources) && has(c.resources.limits) && 'cpu' in c.resources.limits",
                "c.?securityContext.?runAsNonRoot.orValue(false)",
                "c.image.contains(':')",
                "!has(c.env) || c.env.all(e, !has(e.value) || e.value != '')",
                "has(c.ports) && c.ports.all(p, p.containerPort > 1024 && p.protocol in ['TCP'])",
                "c.resources.limits['cpu'].matches('^[0-9]+m?$')",
                "quantity(c.resources.limits.memory).isLessThan(quantity('1Gi'))",
                "c.resources.?limits.?cpu.orValue('0') != '0'",
                "c.livenessProbe != c.readinessProbe",
                "c.securityContext.capabilities.drop.exists(d, d == 'ALL')",
                "c.livenessProbe.httpGet.port > 1",
                "c.ports.exists(p, p.port == 80)",
                "c.image.split(':').size() == 2 && c.imagePullPolicy == 'Always'",
                "c.resources.limits.cpu > 1",
                "c.image in ['a', 'b']",
                "c.command == 'a'",
                "c.securtyContext.privileged",
                "!('privileged' in c.securityContext)",
                "c.volumeMounts.all(v, v.mountPath.startsWith('/a') && v.readOnly)",
                "c.name.matches(object.metadata.name)",
            ]
        )
        return f"{lists}.{self.rng.choice(['all', 'exists', 'all'])}(c, {test})"

    def request_idiom(self):
        text = self.rng.choice(REQUESTS)
        return self.rng.choice([text, f"({text})", f"({text} || {self.bool()})", f"({text} && {self.bool()})"])

    def params_idiom(self):
        return self.rng.choice(PARAMS) if self.params else self.request_idiom()

    def either_object(self):
        """object where there is one, else oldObject."""
        text, end, _ = self.path("object")
        tail = text[len("object") :]
        chosen = self.rng.choice(
            [
                "(object != null ? object : oldObject)",
                "(object == null ? oldObject : object)",
                "(request.operation == 'DELETE' ? oldObject : object)",
                "[object, oldObject].filter(o, o != null)[0]",
                "(oldObject != null ? oldObject : object)",
                "(has(object.metadata) ? object : oldObject)",
                "dyn(object)",
            ]
        )
        return self.filled(chosen + tail, self.kind_at(end))

    def unchanged(self):
        text, end, _ = self.path()
        old = "oldObject" + text[len("object") :]
        return self.rng.choice(
            [
                f"(request.operation != 'UPDATE' || {text} == {old})",
                f"(oldObject == null || !has(oldObject.spec) || {text} == {old})",
                f"{text} == {old}",
                f"(oldObject != null && {text} != {old})",
                f"(request.operation == 'CREATE' || {text} == {old})",
                f"(oldObject == null ? true : {text} == {old})",
                "object == oldObject",
                "object.spec == oldObject.spec",
                "(object == null || object.metadata.name == oldObject.metadata.name)",
                "oldObject.metadata == null",
                f"(request.operation == 'DELETE' && {self.filled(old, self.kind_at(end))})",
                f"(request.operation == 'CREATE' && {self.filled(old, self.kind_at(end))})",
                (
                    f"(request.operation in ['CREATE', 'UPDATE'] ? {self.filled(text, self.kind_at(end))} : "
                    f"{self.filled(old, self.kind_at(end))})"
                ),
                f"(oldObject == null ? {self.filled(old, self.kind_at(end))} : true)",
                f"(object == null || {self.filled(text, self.kind_at(end))})",
            ]
        )

    def chain_of_kinds(self):
        bodies = [self.bool() for _ in range(3)]
        return self.rng.choice(
            [
                f"(object.kind == 'Pod' ? {bodies[0]} : object.kind == 'Deployment' ? {bodies[1]} : {bodies[2]})",
                f"(object.kind in ['Pod', 'Job'] && {bodies[0]} || object.kind == 'Deployment' && {bodies[1]})",
                f"(object.apiVersion.startsWith('apps/') ? {bodies[0]} : {bodies[1]})",
                f"(request.kind.group == 'apps' && request.kind.kind == 'Deployment' ? {bodies[0]} : {bodies[1]})",
                f"({{'Pod': true, 'Deployment': false}}[object.kind] || {bodies[0]})",
                f"(object.kind.endsWith('Set') || {bodies[0]})",
                f"(object.kind.matches('^D') || {bodies[0]})",
                f"(object.apiVersion.split('/')[0] == 'apps' && {bodies[0]})",
                f"(['Pod'].exists(k, object.kind == k) ? {bodies[0]} : {bodies[1]})",
                f"(object.kind.size() > 4 && {bodies[0]})",
            ]
        )

    def optional_chain(self):
        text, end, _ = self.path()
        kind, literal = self.kind_at(end), self.literal(self.kind_at(end))
        if "." not in text:  # {?'a': object} makes cel-go's validator of literals panic
            return self.filled(text, kind)
        chain = text.replace(".", ".?").replace("[0]", "[?0]").replace("['", "[?'")
        return self.rng.choice(
            [
                self.filled(f"{chain}.orValue({literal})", kind),
                f"{chain}.hasValue()",
                f"({chain}.hasValue() ? {self.filled(chain + '.value()', kind)} : true)",
                f"{chain}.optMap(v, {self.filled('v', kind)}).orValue({self.rng.choice(['true', 'false', '1'])})",
                f"{chain}.or(optional.of({literal})).value() == {literal}",
                f"{chain} == optional.of({literal})",
                f"[?{chain}].size() > 0",
                f"[?{chain}].all(v, {self.filled('v', kind)})",
                f"{{?'a': {chain}}}.?a.orValue({literal}) == {literal}",
                f"{chain}.optFlatMap(v, v.?name).orValue('a') == 'a'",
                self.filled(chain, kind),
                f"optional.of({text}).orValue({literal}) == {literal}",
                f"{chain} != null",
                f"!({chain}.hasValue()) || {self.filled(text, kind)}",
                f"optional.ofNonZeroValue({text}).hasValue()",
                f"({chain} == optional.none() || {self.filled(text, kind)})",
                f"optional.none().orValue({literal}) == {literal}",
                f"{text}.?name.orValue('a') == 'a'",
                f"{chain}.name == optional.of('a')",
                f"{chain}[0] == optional.of('a')",
            ]
        )

    def constant_loop(self):
        text, end, _ = self.path(want="string")
        return self.rng.choice(
            [
                f"['a', 'b'].exists(p, {text}.startsWith(p))",
                f"[1, 2].all(n, {self.filled(text, self.kind_at(end))} && n > 0)",
                f"['a', 1].exists(p, p == {text})",
                "['a', 'b'].all(p, p in object.metadata.labels && object.metadata.labels[p] != '')",
                "['a', 'b'].all(p, has(object.metadata.labels.p))",
                "['spec', 'metadata'].all(f, f in object)",
                "['spec', 'nope'].all(f, object[f] != null)",
                "['a', 'b'].map(p, p + 'x').exists(p, object.metadata.name == p)",
                f"[object.metadata.name, {text}].all(s, s.startsWith('a'))",
                f"{{'a': 1, 'b': 2}}.all(k, v, k in {text})",
                f"[[1, 2], ['a']].all(l, {text} in l)",
                "[1, 'a'].all(p, p + 1 > 0)",
                "['Pod', 'Job'].exists(k, k == object.kind && object.spec.nope == k)",
                f"[{text}].exists(s, s == 'a' || s == 1)",
                "[].all(x, x.nope)",
                "[1, 2].filter(n, n > 1).all(n, n == 'a')",
            ]
        )

    def heterogeneous(self):
        text, end, _ = self.path()
        one, two = self.literal("string"), self.literal("integer")
        return self.rng.choice(
            [
                f"{text} in [{one}, {two}]",
                f"{text} in [{one}, {two}, null]",
                f"{text} in {{{one}: {two}}}",
                f"[{text}, {one}].all(v, v == {one})",
                f"{text} in [[{one}]]",
                f"{text} in [{text}]",
                f"[{one}, {text}] == [{one}, {two}]",
                f"{{'a': {text}}} == {{'a': {two}}}",
                f"{one} in [{text}, {text}]",
                f"[{one}, {two}].indexOf({text}) >= 0",
                f"{text} in ({text} == null ? [] : [{one}])",
            ]
        )

    def typed_branch(self):
        text, end, _ = self.path()
        kind = self.kind_at(end)
        name = self.rng.choice(
            ["string", "int", "map", "list", "bool", "double", "null_type", from_json.get(kind, "string")]
        )
        return self.rng.choice(
            [
                f"(type({text}) == {name} ? {self.filled(text, kind)} : true)",
                f"(type({text}) != {name} || {self.filled(text, kind)})",
                f"type({text}) in [{name}, int]",
                f"(type({text}) == {name} && {self.filled(text, self.rng.choice(sorted(TESTS)))})",
                f"type({text}) == type({self.literal(kind)})",
                f"type({text}) == '{name}'",
            ]
        )

    def literal_map(self):
        text, end, _ = self.path()
        return self.rng.choice(
            [
                f"{{'Pod': 1, 'Deployment': 2}}[object.kind] == {self.literal('integer')}",
                f"{{'a': {text}}}.b == {text}",
                f"{{'a': {text}, 'b': 1}}.exists(k, v, v == 'a')",
                f"{{1: {text}}}[1] == {self.literal('string')}",
                f"{{'a': {text}}}['a'] == {text}",
                f"has({{'a': {text}}}.b)",
                f"{{'a': {{'b': {text}}}}}.a.b == {self.literal(self.kind_at(end))}",
                f"{{'a': {text}}}.?c.orValue(1) == 1",
                f"{{object.kind: {text}}}.Pod == {text}",
                f"{{true: {text}}}[true] == {text}",
                f"{{'x': [{text}]}}.x.all(v, {self.filled('v', self.kind_at(end))})",
            ]
        )

    def not_boolean(self):
        """A condition that is no bool."""
        text, end, _ = self.path()
        return self.rng.choice(
            [
                f"({text} ? true : false)",
                f"!{text}",
                f"({text} || {self.bool()})",
                f"({self.bool()} && {text})",
                f"[1].all(n, {text})",
                f"({text} == true || {self.bool()})",
                f"(has(object.metadata) ? {text} : {text}) == {self.literal(self.kind_at(end))}",
                f"[{text}].exists(v, v)",
                f"({text} != null && {text})",
            ]
        )
