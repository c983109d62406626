"""Webhook configurations, good and broken, generated from tables: what is wrong with each is in its name."""

from refusals.policies.cases import EXPRESSIONS, GONE, LONG, LONGER, of_table, put

RULE = {"apiGroups": ["apps"], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["deployments"]}
HOOK = {
    "name": "a.example.com",
    "clientConfig": {"url": "https://a.example.com/path"},
    "rules": [RULE],
    "sideEffects": "None",
    "admissionReviewVersions": ["v1"],
    "matchConditions": [{"name": "c", "expression": "object.spec.replicas > 1"}],
}
VALIDATING = {
    "apiVersion": "admissionregistration.k8s.io/v1",
    "kind": "ValidatingWebhookConfiguration",
    "metadata": {"name": "w"},
    "webhooks": [HOOK],
}
MUTATING = {**VALIDATING, "kind": "MutatingWebhookConfiguration"}
SERVICE = {"name": "s", "namespace": "n"}

URLS = [
    "", "https://a", "http://a", "HTTPS://a", "a", "a/b", "//a/b", "///a", "https:", "https:/a", "https:a", "https:///a",
    "https://", "https://a:b", "ftp://a:1:2", "https://a:", "https://a:443/x", "https://u@a", "https://u:p@a",
    "https://u%40:p é@a", "https://u:p w@a", "https://u%zz@a", "https://a/b#c", "https://a/b#", "https://a#%zz", "https://a#%41",
    "https://a?b", "https://a?", "https://a?b?c", "https://a/%zz", "https://a/%", "https://a%zz", "https://a%41", "https://a%25",
    "https://a b", "https://a|b", "https://[::1]", "https://[::1]:80", "https://[::1]x", "https://[::1", "https://a[::1]",
    "https://[1.2.3.4]", "https://[zz]", "https://[fe80::1%25en0]", ":a", "1:a", "a:b", "a-b+c.d://x", "*", "https://a\n",
    "https://é", "http://u:p@a?b#c", "https://a/\u00e9", "https://<a>", "https://a\\b", "https://@a", "https://:@a", "a:1/b",
]  # fmt: skip

HOOK_FIELDS = {
    "webhooks.0.name": [GONE, "", "a", "a.b", "a.b.c", "A.b.c", "a..b", "a_b.c.d", LONGER, f"{LONG}.b.c", ".a.b", 1],
    "webhooks.0.clientConfig": [
        GONE, {}, {"url": "https://a", "service": SERVICE}, {"service": {}}, {"service": {"name": "s"}},
        {"service": {"namespace": "n"}}, {"service": SERVICE}, {"caBundle": "AAAA"}, {"url": 1}, {"service": "a"}, [],
        {"url": "https://a", "nope": 1},
        *({"service": {**SERVICE, "port": port}} for port in (0, -1, 1, 65535, 65536, "1", 1.5)),
        *({"service": {**SERVICE, "path": path}} for path in (
            "", "/", "//", "a", "/a", "/a/", "/a//b", "/A", "a/b", "/a b/c_d", "///", "/a/b/c", "/a.b/c-", f"/{LONGER}", 1)),
        {"service": {**SERVICE, "port": 0, "path": "x//"}}, {"service": {"name": "", "namespace": "", "port": 70000}},
    ],
    "webhooks.0.clientConfig.url": URLS,
    "webhooks.0.rules": [
        GONE, [], [{}], "a", [1], [{**RULE, "resourceNames": ["a"]}], [{**RULE, "operations": []}],
        [{**RULE, "operations": ["*", "CREATE"]}], [{**RULE, "operations": ["create", ""]}], [{**RULE, "apiGroups": []}],
        [{**RULE, "apiGroups": ["*", "a"]}], [{**RULE, "apiVersions": []}], [{**RULE, "apiVersions": ["*", "v1"]}],
        [{**RULE, "apiVersions": [""]}], [{**RULE, "resources": []}], [{**RULE, "resources": ["*", "pods"]}],
        [{**RULE, "resources": ["*/*", "pods"]}], [{**RULE, "resources": ["pods/*", "pods/log"]}],
        [{**RULE, "resources": ["*/x", "a/x"]}], [{**RULE, "resources": [""]}], [{**RULE, "scope": "cluster"}],
        [{**RULE, "scope": ""}], [{**RULE, "scope": 1}], [RULE, {}, RULE], [{**RULE, "operations": "CREATE"}],
        [{**RULE, "operations": ["DELETE", "CONNECT"], "scope": "Namespaced"}],
    ],
    "webhooks.0.failurePolicy": ["", "fail", "Ignore", 1],
    "webhooks.0.matchPolicy": ["", "exact", "Exact", []],
    "webhooks.0.sideEffects": [GONE, "", "Some", "Unknown", "NoneOnDryRun", "none", 1],
    "webhooks.0.timeoutSeconds": [0, 1, 30, 31, -1, "1", 1.5, None],
    "webhooks.0.namespaceSelector": [
        {"matchLabels": {"a b": "c d"}}, {"matchExpressions": [{"key": "a", "operator": "In"}]},
        {"matchExpressions": [{"key": "", "operator": "Eq"}]}, "a", {"nope": 1},
    ],
    "webhooks.0.objectSelector": [{"matchExpressions": [{"key": "a", "operator": "Exists", "values": ["b"]}]}, {}],
    "webhooks.0.admissionReviewVersions": [GONE, [], ["v2"], ["v1", "v1"], ["v1beta1"], ["V1"], ["v2", "v1"], [""], ["v1", ""],
                                           ["v2", "v2", "1"], "v1", [1]],
    "webhooks.0.reinvocationPolicy": ["Never", "IfNeeded", "", "never", 1],
    "webhooks.0.matchConditions": [
        GONE, [], [{}], [{"name": "a"}], [{"expression": "true"}], [{"name": "a b", "expression": "true"}],
        [{"name": "a", "expression": "  "}], [{"name": "a", "expression": "true"}] * 2,
        [{"name": f"a{n}", "expression": "true"} for n in range(65)], [{"name": f"a{n}", "expression": "true"} for n in range(64)],
        [{"name": "a/b/c", "expression": "1"}], [{"name": "a", "expression": "  1 +\n"}],
        [{"name": "a", "expression": "variables.x"}], [{"name": "a", "expression": "params.x == 1"}],
        [{"name": "a", "expression": "namespaceObject.metadata.name == ''"}],
        [{"name": "a", "expression": "authorizer.requestResource"}], [{"name": "a", "expression": "oldObject"}],
        [{"name": "a", "expression": "jsonpatch.escapeKey('a') == ''"}], [{"name": "a", "expression": "Object{}"}],
        [{"name": "", "expression": "true"}, {"name": "", "expression": "true"}],
        [{"name": "exclude-leases", "expression": "!(request.resource.group == 'coordination.k8s.io' && request.resource.resource == 'leases')"}],
        [{"name": "rbac", "expression": "authorizer.group('admissionregistration.k8s.io').resource('x').check('y').allowed()"}],
        {}, "a", [1], [{"name": 1}], [{"name": "a", "expression": "true", "nope": 1}],
    ],
    "webhooks.0.nope": [1],
}  # fmt: skip

FIELDS = {
    "metadata.name": [GONE, "", "W", "a.static.k8s.io"],
    "metadata.labels": [{"a b": "c"}],
    "webhooks": [GONE, [], [{}], "a", [1], [HOOK, HOOK], [HOOK, {**HOOK, "name": "b.example.com"}],
                 [HOOK, {**HOOK, "matchConditions": [{"name": "c", "expression": "nope"}]}]],
    "spec": [{}],
}  # fmt: skip


def cases():
    """(name, object)"""
    for kind, base in (("validating", VALIDATING), ("mutating", MUTATING)):
        yield kind, base
        for table in (FIELDS, HOOK_FIELDS):
            yield from ((f"{kind}: {name}", made) for name, made in of_table(base, table))
    for expression in EXPRESSIONS:
        yield expression[:100], put(VALIDATING, "webhooks.0.matchConditions.0.expression", expression)
