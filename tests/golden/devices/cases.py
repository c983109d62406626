"""DeviceClasses, ResourceClaims and ResourceClaimTemplates with selectors, good and broken."""

GROUP = "resource.k8s.io/"
# Each version, and the release that serves it no longer, even on demand (k8s.io/api: APILifecycleRemoved).
VERSIONS = {"v1": None, "v1beta2": 39, "v1beta1": 38}

# Of `device`.
SELECTORS = [
    "true", "false", "1", "'a'", "null", "device", "device.driver", "device.driver == 'gpu.example.com'", "device.nope", "devices.driver == 'x'", "driver == 'x'", "self.driver == 'x'",
    "device.attributes", "device.attributes['gpu.example.com']", "device.attributes['gpu.example.com'].model", "device.attributes['gpu.example.com'].model == 'a'",
    "device.attributes['gpu.example.com'].memory > 5", "device.attributes['gpu.example.com']['model'] == 'a'", "device.attributes['gpu.example.com'].model.lowerAscii() == 'a'",
    "device.attributes['gpu.example.com'].model.startsWith('a')", "device.attributes['gpu.example.com'].model.matches('^a.*')", "device.attributes['gpu.example.com'].model.matches('[')",
    "has(device.attributes['gpu.example.com'].model)", "'gpu.example.com' in device.attributes", "'model' in device.attributes['gpu.example.com']", "device.attributes.gpu.model == 'a'",
    "device.attributes['gpu.example.com'].version.isGreaterThan(semver('1.0.0'))", "device.attributes['gpu.example.com'].version.compareTo(semver('10.1.0')) >= 0", "semver('1.0.0')",
    "semver('a')", "semver('v1.2', true).major() == 1", "isSemver('1.0.0')", "device.capacity['gpu.example.com'].memory.compareTo(quantity('10Gi')) >= 0",
    "device.capacity['gpu.example.com'].memory == quantity('10Gi')", "device.capacity['gpu.example.com'].memory > '1Gi'", "device.capacity['gpu.example.com'].memory", "device.capacity",
    "device.capacity['gpu.example.com']['memory'].isGreaterThan(quantity('1Gi'))", "quantity('a').isInteger()", "quantity('1Gi')", "device.capacity['x'].y.asInteger() > 10", "device.capacity['x'].y == 5",
    "device.allowMultipleAllocations", "device.allowMultipleAllocations == true", "!device.allowMultipleAllocations && device.driver == 'x'", "device.allowMultipleAllocations == 'x'",
    "cel.bind(d, device.attributes['gpu.example.com'], d.model == 'a' && d.memory > 5)", "cel.bind(d, device.attributes['gpu.example.com'], d)", "cel.bind(1, 2, true)", "cel.bind(a, 1, a + b == 2)",
    "cel.bind(a, 'x', cel.bind(b, a + 'y', a + b == device.driver))", "cel.bind(a, true)", "bind(a, true, a)", "cel.bind(a, [1, 2], a.all(x, x > 0))", "x.bind(a, true, a)", "cel.bind(device, true, device)",
    "cel.bind(a, device.attributes, a['x'].all(k, k != ''))", "cel.bind(a, device.attributes['x'].y, a.contains('z'))",
    "device.attributes.all(k, k != 'x')", "device.attributes.all(d, device.attributes[d].all(k, k != 'x'))", "device.attributes['x'].all(k, device.attributes['x'][k] == 'y')",
    "device.attributes.exists(d, d.startsWith('a'))", "device.attributes.exists(d, device.attributes[d].exists(k, k.matches('a.*b')))", "device.attributes.map(d, d).size() > 1",
    "device.attributes.all(d, device.attributes.all(e, device.attributes.all(f, d != e && e != f)))", "device.attributes.all(a, device.attributes.all(b, device.attributes.all(c, device.attributes.all(d, a + b == c + d))))",
    "device.attributes.all(a, device.attributes.all(b, device.attributes.all(c, device.attributes.all(d, device.driver.matches(a)))))", "device.capacity.all(d, device.capacity[d].all(k, device.capacity[d][k].isInteger()))",
    "device.attributes['x'].y.matches(device.attributes['x'].z)", "device.driver.matches(device.driver)", "device.driver.replace('a', 'b').contains('c')", "device.driver.split('.').all(p, p.size() > 1)",
    "device.attributes['x'].y.z == 'a'", "device.attributes['x'].y[0] == 'a'", "device.attributes['x'].y.exists(e, e == 'a')", "device.attributes['x'].y.includes('a')", "'a' in device.attributes['x'].y",
    "dyn(true)", "dyn(device.driver)", "[true][0]", "[device.attributes['x'].y][0]", "optional.of(true)", "device.attributes[?'x'].hasValue()", "device.attributes.?x.orValue({}) == {}", "device.?attributes['x'].y.orValue(true)",
    "google.protobuf.BoolValue{value: true}", "kubernetes.DRADevice{}", "kubernetes.DRADevice{driver: 'x'} == device", "type(device) == kubernetes.DRADevice", "type(device.driver) == string", "type(device.attributes['x'].y) == string",
    "device == device", "device.driver + 1 == 'x'", "device.driver.startswith('x')", "device.driver = 'x'", "device.driver == 'x' and true", "device.attributes['x'", "", " ", "// a", "\u00e4", "device.driver == '\u00e4'", "has(device.driver)",
    "has(device.nope)", "has(device.attributes)", "has(device.attributes.x)", "has(device.allowMultipleAllocations)", "size(device.driver) > 1", "size(device.attributes) > 1", "device.driver.size()", "object.metadata.name == 'x'",
    "authorizer.path('/').check('get').allowed()", "ip('1.2.3.4').family() == 4", "cidr('10.0.0.0/8').containsIP('10.1.1.1')", "url(device.driver).getHost() == 'x'", "format.named('dns1123Label').hasValue()", "device.driver.isSorted()",
    "device.attributes['x'].transformList(k, v, k).isSorted()", "device.attributes['x'].exists(k, v, k == 'a' && v == 'b')", "device.capacity['x'].exists(k, v, v.isGreaterThan(quantity('1')))", "sets.contains([1], [1])", "math.greatest(1, 2) == 2",
    "lists.range(5).all(i, i < 5)", "[1, 2].sortBy(x, x)[0] == 1", "base64.encode(b'a') == 'x'", "timestamp('2020-01-01T00:00:00Z') < timestamp('2021-01-01T00:00:00Z')", "timestamp('2020-01-01T00:00:00Z')", "duration('1h')", "[1]", "{'a': 1}",
    "device.attributes['gpu.example.com'].model.upperAscii().lowerAscii().trim().size() > 3", "device.attributes['x'].y == device.attributes['x'].z", "device.attributes['x'] == device.attributes['y']", "device.attributes == {}", "device.capacity == device.capacity",
    "device.attributes['a'].b && device.attributes['a'].c", "device.attributes['a'].b ? true : false", "device.attributes['a'].b ? 'x' : 'y'", "!device.attributes['a'].b", "-device.attributes['a'].b == 1", "device.attributes['a'].b + device.attributes['a'].c == 3",
    "string(device.attributes['a'].b) == 'x'", "string(device.capacity['a'].b) == 'x'", "device.driver.format(['a']) == 'x'", "'%s'.format([device.driver]) == 'x'", "'%s %d'.format([device.driver, device.attributes['a'].b]) == 'x'", "jsonpatch.escapeKey('a') == 'a'",
    "device.attributes['in'].x == 'a'", "device.attributes['a'].in == 'b'", "device.attributes['a'].`b-c` == 'd'", "device.attributes['a'].b__dash__c == 'd'", "device.attributes['a']['b-c'] == 'd'", "device.attributes['a'].namespace == 'd'",
    "[device.driver].all(x, x == 'a')", "[device.attributes['a'].b].all(x, x.contains('a'))", "[int].all(t, t == int)", "[int, string].exists(t, type(device.driver) == t)", "type(device) == type(device)", "cel.bind(t, type(device.driver), t == string)", "[type(1)].map(int, int) == [int]",
    "type(device.capacity['a'].b) == kubernetes.Quantity", "type(1) == .int", "google.protobuf.Int64Value == type(1)", "type(quantity('1')) == kubernetes.Quantity", "device.driver in ['a', 'b']", "device.attributes['a'].b in ['a', 'b']", "device.attributes['a'].b in [1, 'b']", "device.driver.find('[a-z]+') == 'x'",
    "[device.attributes, device.attributes].all(m, m['a'].b == 'x')", "cel.bind(m, [device.attributes['a']], m[0].b.contains('x'))", "(device.driver + device.driver + device.driver).matches('a+')", "device.attributes.map(d, device.attributes[d]).all(m, m.all(k, m[k].contains('a')))",
]  # fmt: skip

# An expression, how many loops it stands in, how often, and how often a cheap one stands beside it, without a loop and
# in one to three: together just within the limit of costs, and with one more of the cheap ones beyond it.
BOUNDARIES = [
    ("device.attributes.all(a, device.attributes.all(b, a + b == 'x'))", 1, 1, [62, 16, 26, 1]),
    ("device.attributes['a'].b.matches('c+d*')", 3, 2, [29, 0, 11, 0]),
    ("device.attributes.exists(d, device.attributes[d].exists(k, k.matches('a.*b')))", 1, 3, [46, 23, 13, 0]),
    (
        "device.capacity.all(d, device.capacity[d].all(k, device.capacity[d][k].isGreaterThan(quantity('1'))))",
        1,
        2,
        [62, 11, 9, 1],
    ),
    ("cel.bind(m, device.attributes['a'], m.all(e, string(m[e]).contains('a')))", 2, 1, [30, 13, 19, 1]),
    ("device.attributes['x'].y == device.attributes['x'].z", 3, 1, [30, 22, 31, 1]),
    ("device.driver.matches(device.driver)", 2, 8, [30, 23, 3, 0]),
    (
        "device.attributes.map(d, device.attributes[d].map(k, k)).all(l, l.all(k, k.startsWith('a')))",
        1,
        1,
        [10, 14, 27, 1],
    ),
    (
        "device.attributes['x'].y.version.compareTo(semver('1.0.0')) > 0 && device.capacity['a'].b.add(quantity('1')).isInteger()",
        3,
        1,
        [30, 27, 4, 2],
    ),
]


def device_class(*selectors, version="v1"):
    listed = [{"cel": {"expression": text}} for text in selectors]
    return {
        "apiVersion": GROUP + version,
        "kind": "DeviceClass",
        "metadata": {"name": "a"},
        "spec": {"selectors": listed},
    }


def in_loops(text, depth):
    return "".join(f"device.attributes.all(z{i}, " for i in reversed(range(depth))) + text + ")" * depth


def costly(text, depth, times, cheap):
    parts = [in_loops(text, depth)] * times + [
        in_loops("device.driver == 'x'", i) for i, count in enumerate(cheap) for _ in range(count)
    ]
    return device_class(" && ".join(parts))


def exactly(*selectors, version="v1", **others):
    fields = {
        "deviceClassName": "c",
        "selectors": [{"cel": {"expression": text}} for text in selectors],
        "allocationMode": "All",
        **others,
    }
    return {"name": "r", **fields} if version == "v1beta1" else {"name": "r", "exactly": fields}


def choice(name, *selectors):
    return {
        "name": name,
        "deviceClassName": "c",
        "selectors": [{"cel": {"expression": text}} for text in selectors],
        "allocationMode": "All",
    }


def claim(*requests, version="v1"):
    return {
        "apiVersion": GROUP + version,
        "kind": "ResourceClaim",
        "metadata": {"name": "a", "namespace": "n"},
        "spec": {"devices": {"requests": list(requests)}},
    }


def template(*requests, version="v1"):
    made = claim(*requests, version=version)
    return {**made, "kind": "ResourceClaimTemplate", "spec": {"spec": made["spec"]}}


def cases(minor):
    """Pairs of a name and an object, of the versions that a server of 1.minor can serve."""
    for text in SELECTORS:
        yield f"selector: {text}", device_class(text)
    for version in [version for version, removed in VERSIONS.items() if not removed or minor < removed]:
        yield f"{version}: class", device_class("device.nope == 1", "true", version=version)
        yield f"{version}: claim", claim(exactly("device.nope == 1", "true", version=version), version=version)
        yield f"{version}: template", template(exactly("true", "device.nope == 1", version=version), version=version)
        yield (
            f"{version}: first available",
            claim(
                {"name": "r", "firstAvailable": [choice("x", "true"), choice("y", "1", "device.driver")]},
                version=version,
            ),
        )
        yield (
            f"{version}: template, first available",
            template(
                {"name": "r", "firstAvailable": [choice("x", "true"), choice("y", "1", "device.driver")]},
                version=version,
            ),
        )
        yield (
            f"{version}: both",
            claim({**exactly("1", version=version), "firstAvailable": [choice("x", "1")]}, version=version),
        )
        yield f"{version}: neither", claim({"name": "r"}, version=version)
        yield f"{version}: no selector", claim(exactly(version=version), version=version)
    yield "no cel", {**device_class(), "spec": {"selectors": [{}, {"cel": {"expression": "1"}}]}}
    yield "no expression", {**device_class(), "spec": {"selectors": [{"cel": {}}]}}
    yield "no spec", {"apiVersion": GROUP + "v1", "kind": "DeviceClass", "metadata": {"name": "a"}, "spec": {}}
    yield "32 selectors", device_class(*["1"] * 2, *["true"] * 30)
    yield "33 selectors", device_class(*["1"] * 33)
    yield "33 selectors of a claim", claim(exactly(*["1"] * 33))
    yield "9 choices", claim({"name": "r", "firstAvailable": [choice(f"c{i}", "1") for i in range(9)]})
    yield "33 requests", claim(*[{**exactly("1"), "name": f"r{i}"} for i in range(33)])
    yield "a long one", device_class(" || ".join(["true"] * 1000))
    yield "one that is too long", device_class(" || ".join(["true"] * 1300))
    yield "the longest", device_class("device.driver == '" + "x" * (10 * 1024 - 19) + "'")
    yield "one byte more", device_class("device.driver == '" + "x" * (10 * 1024 - 18) + "'")
    for n in 30, 31, 32, 200, 400:
        yield f"{n} times matches", device_class(" || ".join(["device.attributes['a'].b.matches('c+')"] * n))
        yield f"{n} times each attribute", device_class(" || ".join(["device.attributes.all(k, k != 'x')"] * n))
    for n in range(1, 6):
        yield f"{n} loops", device_class("".join(f"device.attributes.all(k{i}, " for i in range(n)) + "true" + ")" * n)
        yield (
            f"{n} loops over values",
            device_class(
                "".join(
                    f"device.attributes['a'].all(k{i}, device.attributes['a'][k{i}].contains('x') && " for i in range(n)
                )
                + "true"
                + ")" * n
            ),
        )
    for text, depth, times, cheap in BOUNDARIES:
        yield f"just within the limit: {text}", costly(text, depth, times, cheap)
        yield f"just beyond the limit: {text}", costly(text, depth, times, [cheap[0] + 1, *cheap[1:]])
