"""Objects that an API server takes and warns about, or nearly: what is special about each is in its name."""

from refusals.mutating.cases import MUTATING_BINDING
from refusals.mutating.cases import POLICY as MUTATING_POLICY
from refusals.policies.cases import BINDING, POLICY, put
from refusals.releases.cases import CONTROLLER, OWNER
from refusals.webhooks.cases import HOOK, MUTATING, VALIDATING

KINDS = [POLICY, BINDING, MUTATING_POLICY, MUTATING_BINDING, VALIDATING, MUTATING]
OWNERS = {
    "owners that repeat": [OWNER, OWNER], "owners that differ": [OWNER, {**OWNER, "controller": False}],
    "owners that repeat, twice": [OWNER, CONTROLLER, CONTROLLER, OWNER, {**OWNER, "uid": "v"}, {**OWNER, "uid": "v"}],
}  # fmt: skip

AUTHENTICATION, AUTHORIZATION = "authentication.k8s.io", "authorization.k8s.io"
# apiGroups, resources
RULES = [
    ([AUTHENTICATION], ["tokenreviews"]), ([AUTHENTICATION], ["tokenreviews", "selfsubjectreviews", "tokenreviews"]),
    ([AUTHORIZATION], ["subjectaccessreviews", "localsubjectaccessreviews", "selfsubjectaccessreviews", "selfsubjectrulesreviews"]),
    ([AUTHORIZATION, AUTHENTICATION], ["subjectaccessreviews", "tokenreviews"]), ([AUTHORIZATION], ["tokenreviews"]),
    (["*"], ["tokenreviews"]), ([AUTHENTICATION], ["*"]), ([AUTHENTICATION], ["*/*"]), ([AUTHENTICATION], ["tokenreviews/*"]),
    ([AUTHENTICATION], ["tokenreviews/status"]), (["apps"], ["deployments"]), ([""], ["tokenreviews"]),
    ([AUTHENTICATION, "apps"], ["deployments", "tokenreviews"]),
]  # fmt: skip

STRING_FORMATS = [
    "bsonobjectid", "uri", "email", "hostname", "ipv4", "ipv6", "cidr", "mac", "uuid", "uuid3", "uuid4", "uuid5", "isbn", "isbn10",
    "isbn13", "creditcard", "ssn", "hexcolor", "rgbcolor", "byte", "password", "date", "duration", "date-time", "datetime", "d-a-t-e",
    "k8s-short-name", "k8s-long-name", "int32", "nope", "Date", "no pe\n", "é\u200b",
]  # fmt: skip
SCHEMAS = [
    {"type": "integer", "format": "int32"}, {"type": "integer", "format": "int64"}, {"type": "integer", "format": "int16"},
    {"type": "integer", "format": "date"}, {"type": "number", "format": "float"}, {"type": "number", "format": "double"},
    {"type": "number", "format": "int32"}, {"type": "boolean", "format": "date"}, {"type": "object", "format": "byte"},
    {"type": "array", "items": {"type": "string", "format": "a"}}, {"x-kubernetes-int-or-string": True, "format": "int-or-string"},
    {"x-kubernetes-preserve-unknown-fields": True, "format": "date"}, {"type": "object", "additionalProperties": {"type": "string", "format": "b"}},
    {"type": "string", "anyOf": [{"format": "c"}], "allOf": [{"format": "d"}], "oneOf": [{"format": "e"}], "not": {"format": "f"}},
    {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}},
    {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "object", "x-kubernetes-map-type": "atomic"}},
    {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "array", "x-kubernetes-list-type": "atomic", "items": {"type": "string"}}},
    {"type": "array", "x-kubernetes-list-type": "atomic", "items": {"type": "object"}},
    {"type": "object", "properties": {"a": {"type": "array", "x-kubernetes-list-type": "set", "items": {
        "type": "object", "x-kubernetes-map-type": "atomic", "properties": {"b": {"type": "string", "format": "g"}}}}}},
    {"type": "object", "properties": {"a": {"type": "string", "format": "h"}, "b": {"type": "string", "format": "h"}}},
]  # fmt: skip


def definition(*schemas):
    """A CustomResourceDefinition with a version for each schema of spec.a."""
    versions = [
        {
            "name": f"v{i + 1}",
            "served": True,
            "storage": i == 0,
            "schema": {
                "openAPIV3Schema": {
                    "type": "object",
                    "properties": {"spec": {"type": "object", "properties": {"a": schema}}},
                }
            },
        }
        for i, schema in enumerate(schemas)
    ]
    return {
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "as.example.com"},
        "spec": {"group": "example.com", "scope": "Namespaced", "names": {"plural": "as", "singular": "a", "kind": "A", "listKind": "AList"},
                 "versions": versions},
    }  # fmt: skip


def cases():
    """(name, object)"""
    for base in KINDS:
        kind = base["kind"]
        yield f"{kind}: a static name", put(base, "metadata.name", "a.static.k8s.io")
        for name, owners in OWNERS.items():
            yield f"{kind}: {name}", put(base, "metadata.ownerReferences", owners)
        yield (
            f"{kind}: what is refused, and owners",
            put(put(base, "metadata.ownerReferences", [OWNER, OWNER]), "metadata.labels", {"a b": "c"}),
        )
    for base in (VALIDATING, MUTATING):
        for groups, resources in RULES:
            rule = {"apiGroups": groups, "apiVersions": ["*"], "operations": ["CREATE"], "resources": resources}
            yield f"{base['kind']}: {groups} {resources}", put(base, "webhooks.0.rules", [rule])
        rule = {
            "apiGroups": [AUTHENTICATION],
            "apiVersions": ["v1"],
            "operations": ["CREATE"],
            "resources": ["tokenreviews"],
        }
        hooks = [{**HOOK, "rules": [HOOK["rules"][0], rule, rule]}, {**HOOK, "name": "b.example.com", "rules": [rule]}]
        yield f"{base['kind']}: two webhooks", put(base, "webhooks", hooks)
    for form in STRING_FORMATS:
        yield f"format: {form}", definition({"type": "string", "format": form})
    for schema in SCHEMAS:
        yield f"schema: {schema}", definition(schema)
    yield "two versions", definition({"type": "string", "format": "i"}, {"type": "string", "format": "j"})
