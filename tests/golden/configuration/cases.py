"""Files that configure an API server's authentication and authorization, good and broken: what is wrong with each is in
its name."""

import copy

GROUP = "apiserver.config.k8s.io/"
GONE = object()


def put(made, path, value):
    """A copy with the value at "jwt.0.issuer"; GONE removes it."""
    made = copy.deepcopy(made)
    *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    at = made
    for step in way:
        at = at[step]
    if value is GONE:
        del at[last]
    elif isinstance(at, list) and last == len(at):
        at.append(value)
    else:
        at[last] = value
    return made


AUTHENTICATION = {
    "apiVersion": GROUP + "v1beta1",
    "kind": "AuthenticationConfiguration",
    "jwt": [
        {
            "issuer": {"url": "https://a.example.com", "audiences": ["me"]},
            "claimValidationRules": [
                {"expression": "claims.exp - claims.nbf <= 86400", "message": "too long"},
                {"claim": "hd", "requiredValue": "x"},
            ],
            "claimMappings": {
                "username": {"expression": "'a:' + claims.sub"},
                "groups": {"claim": "groups", "prefix": "g:"},
                "uid": {"expression": "claims.uid"},
                "extra": [{"key": "example.com/team", "valueExpression": "claims.team"}],
            },
            "userValidationRules": [{"expression": "!user.username.startsWith('system:')", "message": "reserved"}],
        }
    ],
}
JWT = AUTHENTICATION["jwt"][0]
WEBHOOK = {
    "timeout": "3s",
    "subjectAccessReviewVersion": "v1",
    "matchConditionSubjectAccessReviewVersion": "v1",
    "failurePolicy": "Deny",
    "connectionInfo": {"type": "InClusterConfig"},
    "matchConditions": [
        {"expression": "has(request.resourceAttributes)"},
        {"expression": "request.resourceAttributes.namespace == 'kube-system'"},
    ],
}
AUTHORIZATION = {
    "apiVersion": GROUP + "v1beta1",
    "kind": "AuthorizationConfiguration",
    "authorizers": [
        {"type": "Webhook", "name": "hook", "webhook": WEBHOOK},
        {"type": "Node", "name": "node"},
        {"type": "RBAC", "name": "rbac"},
    ],
}

# Of `claims`, in a rule that must be bool.
CLAIMS = [
    "true", "claims.x", "claims.x == 'a'", "claims['x'] == 1", "'a' in claims.groups", "has(claims.x)", "claims.?x.orValue(true)", "claims.?x.hasValue()",
    "claims.x.y.z == 'a'", "claims.all(k, k != 'x')", "claims.groups.exists(g, g.startsWith('a'))", "claims", "size(claims) > 2", "claims == {}",
    "claims == {'a': 1}", "claims.x +", "", " ", "claim.x == 1", "user.username == 'a'", "object.x == 1", "claims.x.startsWith('a')", "claims.x.matches('[')",
    "claims.x.matches('[a]')", "claims[1] == 2", "claims.x in ['a']", "claims.x + 1 == 2", "!claims.x", "claims.x && true", "claims.x ? true : false",
    "dyn(true)", "google.protobuf.BoolValue{value: true}", "[true][0]", "[claims.x][0]", "type(claims.x) == string", "type(claims) == map", "map{}",
    "cel.bind(e, claims.e, e == 'x')", "claims.exp < timestamp('2020-01-01T00:00:00Z')", "authorizer.path('/').check('get').allowed()", "ip(claims.x).family() == 4",
    "quantity(claims.x).isGreaterThan(quantity('1'))", "semver('1.2.3').major() == 1", "claims.x.isSorted()", "url(claims.x).getHost() == 'x'", "kubernetes.UserInfo{}",
    "claims.transformList(k, v, v) == []", "sets.contains([1], [1])", "format.named('dns1123Label').hasValue()", "math.greatest(1, 2) == 2", "claims.in == 1",
    "claims.namespace == 'x'", "claims.x__dash__y == 1", "1", "'a'", "null", "claims.x == null", "optional.of(true)", "claims.email", "string(claims.x) == 'x'",
]  # fmt: skip

USERS = [
    "user.username == 'a'", "user.uid != ''", "user.groups.all(g, !g.startsWith('system:'))", "user.extra['a'].exists(e, e == 'x')", "user.name == 'x'",
    "user.username", "user.groups == 'x'", "has(user.extra)", "has(user.nope)", "user.extra.a == ['b']", "'a' in user.extra", "claims.sub == 'x'", "user == 'x'",
    "user == kubernetes.UserInfo{username: 'a'}", "kubernetes.UserInfo{nope: 'a'} == user", "kubernetes.AdmissionRequest{}", "user.?username.hasValue()", "", "user.username.size() > 'a'",
    "user.username == 1", "user.groups[0] == 1", "size(user.groups) < 5", "user.extra.all(k, v, v == ['x'])", "google.protobuf.BoolValue{value: true}", "request.user == 'x'",
]  # fmt: skip

REVIEWS = [
    "true", "request.user == 'a'", "request.groups.exists(g, g == 'x')", "request.resourceAttributes.verb in ['get', 'list']", "request.resourceAttributes.nope == 'x'",
    "request.nonResourceAttributes.path.startsWith('/healthz')", "has(request.resourceAttributes) && request.resourceAttributes.group == 'apps'", "request.username == 'a'",
    "request.extra['a'] == ['b']", "request.uid == 1", "request.resourceAttributes.labelSelector.requirements.exists(r, r.key == 'a' && r.operator == 'In' && r.values == ['x'])",
    "request.resourceAttributes.fieldSelector.rawSelector == 'x'", "request.resourceAttributes.?fieldSelector.?requirements.orValue([]).size() == 0", "request.user", "request",
    "object.kind == 'Pod'", "request.operation == 'CREATE'", "request.resourceAttributes == kubernetes.ResourceAttributes{verb: 'get'}", "kubernetes.SelectorRequirement{} == null",
    "request.resourceAttributes.namespace == 'a' ||", "request.resourceAttributes.labelSelector.nope == 1", "google.protobuf.BoolValue{value: true}", "dyn(true)", "authorizer != null",
]  # fmt: skip

MAPPINGS = [
    "claims.sub",
    "1",
    "",
    "claims.nope.x +",
    "user.x",
    "claims",
    "['a']",
    "claims.?x",
    "{'a': claims.x}",
    "string(claims.n) + ':x'",
    "claims.groups.map(g, 'a:' + g)",
]

NEEDS_VERIFIED = [
    ("claims.email", []), ("claims.email", ["claims.email_verified"]), ("claims.email", ["claims.?email_verified.orValue(true)"]), ("claims.?email.orValue('x')", []),
    ("claims['email']", []), ("has(claims.email) ? 'a' : 'b'", []), ("claims.email_verified ? claims.email : 'x'", []), ("[claims].map(c, c.email)[0]", []),
    ("[1].map(claims, claims.email)[0]", []), ("claims.email.x", []), ("claims.x.email", []), ("claims.email", ["claims['email_verified'] == true"]),
    ("{'a': claims.email}.a", ["has(claims.email_verified)"]), ("claims.email", ["claims.email_verified +"]), ("claims.email +", []),
]  # fmt: skip


def of_authentication():
    base = AUTHENTICATION
    yield "authentication: good", base
    for version in ("v1alpha1", "v1", "v2"):
        yield f"authentication: {version}", put(base, "apiVersion", GROUP + version)
    yield "no authenticator", put(base, "jwt", [])
    yield "null authenticators", put(base, "jwt", None)
    yield "an authenticator of nothing", put(base, "jwt.0", {})
    yield "65 authenticators", put(base, "jwt", [JWT] * 65)
    yield "the same issuer twice", put(base, "jwt.1", JWT)
    yield "an unknown field", put(base, "jwt.0.nope", 1)
    yield "two unknown fields", put(put(base, "jwt.0.nope", 1), "nope", 1)
    yield "metadata", put(base, "metadata", {"name": "x"})
    for path, value in (
        ("jwt", {}), ("jwt.0.issuer", "x"), ("jwt.0.issuer.url", 1), ("jwt.0.issuer.audiences", "me"), ("jwt.0.claimValidationRules.0.expression", True),
        ("jwt.0.claimMappings.username.prefix", 1), ("jwt.0.claimMappings.extra", {}), ("jwt.0.issuer.audienceMatchPolicy", 1),
    ):  # fmt: skip
        yield f"wrong type: {path}", put(base, path, value)
    for url in (
        "",
        "http://a.example.com",
        "https://u:p@a.example.com",
        "https://a.example.com?x=y",
        "https://a.example.com#f",
        "https://a b.example.com",
        ":",
        "a.example.com",
        "https://%zz",
    ):
        yield f"issuer {url}", put(base, "jwt.0.issuer.url", url)
    for url in ("https://a.example.com/", "https://b.example.com", "http://b", "%", ""):
        yield f"discovery at {url}", put(base, "jwt.0.issuer.discoveryURL", url)
    discovered = put(base, "jwt.0.issuer.discoveryURL", "https://b.example.com")
    yield (
        "the same discovery twice",
        put(discovered, "jwt.1", put(discovered["jwt"][0], "issuer.url", "https://c.example.com")),
    )
    for audiences in ([], ["a", "b"], ["a", "a"], ["a", ""], [""]):
        for policy in (None, "MatchAny", "MatchAll"):
            made = put(base, "jwt.0.issuer.audiences", audiences)
            yield (
                f"audiences {audiences} {policy}",
                made if policy is None else put(made, "jwt.0.issuer.audienceMatchPolicy", policy),
            )
    yield "no audiences", put(base, "jwt.0.issuer.audiences", GONE)
    for egress in ("controlplane", "cluster", "x"):
        yield f"egress {egress}", put(base, "jwt.0.issuer.egressSelectorType", egress)
    for rule in (
        {}, {"claim": "a", "expression": "true"}, {"claim": "a", "message": "m"}, {"expression": "true", "requiredValue": "x"}, {"claim": "hd"}, {"message": "m"},
        {"expression": "claims.exp - claims.nbf <= 86400"}, {"expression": "1", "requiredValue": "x"},
    ):  # fmt: skip
        yield f"claim rule {rule}", put(base, "jwt.0.claimValidationRules.2", rule)
    for text in CLAIMS:
        yield f"claims: {text}", put(base, "jwt.0.claimValidationRules.2", {"expression": text})
    for text in USERS:
        yield f"user: {text}", put(base, "jwt.0.userValidationRules.1", {"expression": text})
    yield "user: twice the same", put(base, "jwt.0.userValidationRules.1", JWT["userValidationRules"][0])
    for text in MAPPINGS:
        for field in ("username", "groups", "uid"):
            yield f"{field} is {text}", put(base, f"jwt.0.claimMappings.{field}", {"expression": text})
        yield (
            f"extra is {text}",
            put(base, "jwt.0.claimMappings.extra.1", {"key": "a.example.com/b", "valueExpression": text}),
        )
    for mapping in (
        {},
        {"claim": "a"},
        {"claim": "a", "prefix": ""},
        {"claim": "a", "expression": "claims.b"},
        {"expression": "claims.b", "prefix": "x"},
        {"prefix": "x"},
    ):
        for field in ("username", "groups"):
            yield f"{field} {mapping}", put(base, f"jwt.0.claimMappings.{field}", mapping)
    yield "uid by both", put(base, "jwt.0.claimMappings.uid", {"claim": "a", "expression": "claims.b"})
    yield "uid by a claim", put(base, "jwt.0.claimMappings.uid", {"claim": "a"})
    for key in (
        "",
        "a",
        "/a",
        "a/",
        "a.b/c",
        "A.b/c",
        "a.b/C",
        "a_b/c",
        "a.b/c d",
        "k8s.io/a",
        "x.k8s.io/a",
        "kubernetes.io/a",
        "xk8s.io/a",
        "example.com/team",
        "a.b/c/d",
        "-a/b",
        "a/b[]",
    ):
        yield f"extra key {key}", put(base, "jwt.0.claimMappings.extra.1", {"key": key, "valueExpression": "claims.x"})
    for username, rules in NEEDS_VERIFIED:
        made = put(base, "jwt.0.claimMappings.username", {"expression": username})
        yield (
            f"email: {username} {rules}",
            put(made, "jwt.0.claimValidationRules", [{"expression": rule} for rule in rules]),
        )
        verified = put(made, "jwt.0.claimMappings.extra", [{"key": "a.b/c", "valueExpression": rule} for rule in rules])
        yield f"email: {username} {rules} in extra", verified
    prefixed = put(base, "jwt.0.claimMappings.username", {"expression": "claims.email", "prefix": "x"})
    yield "email: beside a prefix", prefixed
    for anonymous in (
        {"enabled": True},
        {"enabled": False, "conditions": [{"path": "/livez"}]},
        {"enabled": False, "conditions": []},
        {"enabled": True, "conditions": [{"path": "/livez"}]},
    ):
        yield f"anonymous {anonymous}", put(base, "anonymous", anonymous)


def of_authorization():
    base = AUTHORIZATION
    yield "authorization: good", base
    for version in ("v1alpha1", "v1", "v2"):
        yield f"authorization: {version}", put(base, "apiVersion", GROUP + version)
    yield "no authorizer", put(base, "authorizers", [])
    yield "an authorizer of nothing", put(base, "authorizers.0", {})
    for authorizer in (
        {"type": "X", "name": "x"}, {"type": "RBAC", "name": "again"}, {"type": "ABAC"}, {"type": "ABAC", "name": "node"}, {"type": "ABAC", "name": "A b"}, {"type": "ABAC", "name": "a", "webhook": WEBHOOK},
        {"type": "Webhook", "name": "b"}, {"type": "Webhook", "name": "hook", "webhook": WEBHOOK}, {"type": "AlwaysAllow", "name": "a"},
    ):  # fmt: skip
        yield f"authorizer {str(authorizer)[:60]}", put(base, "authorizers.3", authorizer)
    for member, values in {
        "subjectAccessReviewVersion": ("", "v1beta1", "v2"), "matchConditionSubjectAccessReviewVersion": ("", "v1beta1"), "failurePolicy": ("", "NoOpinion", "Fail"),
        "connectionInfo": ({}, {"type": "InClusterConfig", "kubeConfigFile": "/x"}, {"type": "KubeConfigFile"}, {"type": "KubeConfigFile", "kubeConfigFile": ""}, {"type": "KubeConfigFile", "kubeConfigFile": "x"}),
        "matchConditions": ([], [{}], [{"expression": "true"}] * 2, [{"expression": " "}], [{"expression": "request.user == 'x'"}] * 65), "nope": (1,), "cacheAuthorizedRequests": (True,),
    }.items():  # fmt: skip
        for value in values:
            yield f"{member} {str(value)[:60]}", put(base, f"authorizers.0.webhook.{member}", value)
    yield (
        "no conditions and no version",
        put(
            put(base, "authorizers.0.webhook.matchConditions", GONE),
            "authorizers.0.webhook.matchConditionSubjectAccessReviewVersion",
            GONE,
        ),
    )
    yield "wrong type: authorizers", put(base, "authorizers", "x")
    yield "wrong type: expression", put(base, "authorizers.0.webhook.matchConditions.0.expression", 1)
    for text in REVIEWS:
        yield f"review: {text}", put(base, "authorizers.0.webhook.matchConditions.2", {"expression": text})


def cases():
    """(name, file)"""
    yield from of_authentication()
    yield from of_authorization()
