"""Custom objects of each feature of a schema that changes them when a server reads them: default values, pruning, null,
numbers, embedded resources, statuses of their own and without, for defaults_test.py."""

import copy

GROUP = "o.example.com"
TEXT = {"type": "string"}
WHOLE = {"type": "integer"}
PLURALS = {"A": "as", "B": "bs", "C": "cs", "D": "ds"}


def struct(**properties):
    return {"type": "object", "properties": properties}


def definition(kind, schema, scope="Namespaced", has_status=True):
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    if has_status:
        version["subresources"] = {"status": {}}
    names = {"plural": PLURALS[kind], "kind": kind, "singular": kind.lower(), "listKind": kind + "List"}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{PLURALS[kind]}.{GROUP}"},
        "spec": {"group": GROUP, "scope": scope, "names": names, "versions": [version]},
    }


ITEM = struct(p={**TEXT, "default": "TCP"}, n=WHOLE)
KEEPING = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
EMBEDDED = {"x-kubernetes-embedded-resource": True}
SPEC = struct(
    replicas={**WHOLE, "default": 1},
    name={**TEXT, "default": "x", "nullable": True},
    mode={**TEXT, "default": "", "enum": ["", "a"]},
    sub={**struct(a={**WHOLE, "default": 5}, b=struct(c={"type": "boolean", "default": False})), "default": {}},
    nodef=struct(a={**WHOLE, "default": 5}),
    list={"type": "array", "items": ITEM},
    map={"type": "object", "additionalProperties": ITEM},
    any={"x-kubernetes-preserve-unknown-fields": True},
    ios={"x-kubernetes-int-or-string": True, "default": "50%"},
    ios2={"anyOf": [WHOLE, TEXT], "x-kubernetes-int-or-string": True},
    num={"type": "number", "default": 1},
    nul={**struct(a=WHOLE), "nullable": True},
    none={**TEXT, "nullable": True},
    arr={"type": "array", "items": TEXT, "default": ["a", "b"]},
    emb={**KEEPING, **EMBEDDED},
    emb2={**struct(spec=struct(a=WHOLE)), **EMBEDDED},
    pres={**KEEPING, **struct(a={**WHOLE, "default": 7}, o=struct(z=WHOLE))},
    t={**TEXT, "format": "date-time"},
    by={**TEXT, "format": "byte"},
)
STATUS = {**struct(phase={**TEXT, "default": "Pending"}), "default": {}}
EXTRA = {**struct(k=TEXT), "default": {"k": "v"}}
DATA = {"type": "object", "additionalProperties": TEXT, "default": {"d": "e"}}


def definitions():
    yield definition("A", {**struct(spec=SPEC, status=STATUS), "required": ["spec"]})
    spec = struct(a=WHOLE, r={**WHOLE, "default": 2})
    yield definition("B", struct(spec=spec, status=struct(x=WHOLE), extra=EXTRA), has_status=False)
    yield definition("C", KEEPING, scope="Cluster")
    keeping_list = {"type": "array", "x-kubernetes-preserve-unknown-fields": True, "items": KEEPING}
    yield definition("D", struct(data=DATA, list=keeping_list))


POD = {"apiVersion": "v1", "kind": "Pod"}
NULLS = ("replicas", "name", "mode", "sub", "list", "map", "any", "ios", "nul", "arr")
SPECS = {
    "empty": {},
    "nulls": {key: None for key in NULLS},
    "sub": {"sub": {"b": {}}},
    "subnull": {"sub": {"a": None, "b": {"c": None}}},
    "nodef": {"nodef": {}},
    "nodefnull": {"nodef": {"a": None, "z": 1}},
    "list": {"list": [{}, {"n": 1}, {"p": None}, {"p": "UDP", "x": 1}]},
    "map": {"map": {"a": {}, "b": {"p": None}, "c": {"q": 1}}},
    "unknown": {"foo": 1, "sub": {"foo": 1}, "list": [{"foo": {"bar": 1}}]},
    "any": {"any": {"a": None, "b": [None, 1.5], "c": {}}},
    "anylist": {"any": [1, "a"]},
    "ios": {"ios": 5, "ios2": "7"},
    "num": {"num": 1.5},
    "emb": {"emb": {**POD, "metadata": {"name": "x", "creationTimestamp": None, "foo": "bar"}, "spec": {"a": []}}},
    "emb2": {"emb2": {**POD, "metadata": {"name": "x", "labels": {}, "annotations": None, "unknown": 1},
                      "spec": {"a": 1, "b": 2}, "foo": 1}},
    "pres": {"pres": {"x": 1, "o": {"z": 1, "y": 2}}},
    "presa": {"pres": {"a": None}},
    "times": {"t": "2024-01-01T00:00:00Z", "by": "Zm9v"},
    "lists": {"arr": [], "list": []},
    "nullitem": {"none": None, "nul": {"a": None}},
}  # fmt: skip


def made(kind, name, **body):
    return {"apiVersion": GROUP + "/v1", "kind": kind, "metadata": {"name": name}, **body}


def objects():
    for name, spec in SPECS.items():
        yield made("A", name, spec=spec)
    yield made("A", "status", spec={}, status={"phase": "Running", "foo": 1})
    named = {
        "name": "meta",
        "labels": {},
        "annotations": None,
        "generation": 7,
        "creationTimestamp": None,
        "foo": "bar",
    }
    yield {**made("A", "meta", spec={}), "metadata": {**named, "finalizers": []}}
    yield made("A", "top", spec={}, other={"x": 1})
    yield made("B", "b", spec={"a": 1})
    yield made("B", "b-status", spec={}, status={"x": 1, "y": 2})
    yield made("B", "b-extra", spec={}, extra={})
    yield made("C", "c", spec={"a": None, "b": 1.5}, status={"x": 1}, foo=[1])
    yield made("C", "c-min")
    yield made("D", "d")
    yield made("D", "d-data", data={"x": "y"}, list=[{"a": 1, "b": None}], status={"a": 1})


def path(sent):
    namespace = "" if sent["kind"] == "C" else "namespaces/default/"
    return f"/apis/{GROUP}/v1/{namespace}{PLURALS[sent['kind']]}"


def changes(sent):
    """The object with other labels, another status, another spec or data, and another field beside them."""
    for fields in (
        {"metadata": {**sent["metadata"], "labels": {"x": "y"}}},
        {"metadata": {**sent["metadata"], "annotations": {"x": "y"}}, "status": {"phase": "New", "x": 9}},
        {"spec": {**sent.get("spec", {}), "replicas": 9, "a": 9}, "data": {"q": "r"}},
        {"extra": {"k": "w"}, "foo": 8},
    ):
        yield copy.deepcopy({**sent, **fields})


def written(seen):
    """Without what is another in each run, and who wrote which field."""
    for key in ("managedFields", "uid", "creationTimestamp", "resourceVersion"):
        seen["metadata"].pop(key, None)
    return seen
