"""Sets of variables for generated expressions: every sort of type that a variable can have."""

import json

import celtypes

WIDGET = {
    "type": "object",
    "required": ["spec"],
    "properties": {
        "spec": {
            "type": "object",
            "properties": {
                "title": {"type": "string"},
                "count": {"type": "integer", "format": "int64"},
                "share": {"type": "number"},
                "on": {"type": "boolean"},
                "blob": {"type": "string", "format": "byte"},
                "at": {"type": "string", "format": "date-time"},
                "on-day": {"type": "string", "format": "date"},
                "every": {"type": "string", "format": "duration"},
                "port": {"x-kubernetes-int-or-string": True},
                "percent": {"format": "int-or-string", "type": "string"},
                "names": {"type": "array", "items": {"type": "string"}},
                "grid": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
                "parts": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "key": {"type": "string"},
                            "weight": {"type": "integer"},
                            "inner": {"type": "object", "properties": {"leaf": {"type": "boolean"}}},
                        },
                    },
                },
                "by.key": {
                    "type": "object",
                    "additionalProperties": {"type": "object", "properties": {"v": {"type": "integer"}}},
                },
                "labels": {"type": "object", "additionalProperties": {"type": "string"}},
                "loose": {"type": "object", "additionalProperties": {"x-kubernetes-int-or-string": True}},
                "anything": {"x-kubernetes-preserve-unknown-fields": True},
                "open": {"type": "object", "additionalProperties": True},
                "kept": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
                "embedded": {
                    "type": "object",
                    "x-kubernetes-embedded-resource": True,
                    "properties": {"own": {"type": "string"}},
                },
                "maybe": {"type": "string", "nullable": True},
                "kind": {"type": "string", "enum": ["A", "B"]},
                "maybe_object": {"type": "object", "nullable": True, "properties": {"x": {"type": "integer"}}},
                "namespace": {"type": "string"},
                "in": {"type": "integer"},
                "if": {"type": "string"},
                "true": {"type": "boolean"},
                "a__b": {"type": "string"},
                "a/b": {"type": "integer"},
                "7up": {"type": "string"},
                "with space": {"type": "string"},
                "bare": {"type": "array"},
                "none": {},
            },
        },
        "status": {"type": "object", "properties": {"phase": {"type": "string"}}},
    },
}
GADGET = {
    "type": "object",
    "properties": {
        "size": {"type": "integer"},
        "map": {"type": "string"},
        "next": {"type": "object", "properties": {"size": {"type": "string"}}},
    },
}
SCHEMAS = {
    "Widget": {"schema": WIDGET, "name": "Widget", "root": True},
    "Gadget": {"schema": GADGET, "name": "Gadget", "root": False},
    "kubernetes.AdmissionRequest": {"decl": "request"},
    "kubernetes.Namespace": {"decl": "namespace"},
}

FIELDS = {
    "kubernetes.AdmissionRequest": {
        "kind": ("object", "kubernetes.GroupVersionKind"),
        "resource": ("object", "kubernetes.GroupVersionResource"),
        "requestKind": ("object", "kubernetes.GroupVersionKind"),
        "subResource": "string",
        "name": "string",
        "namespace": "string",
        "operation": "string",
        "userInfo": ("object", "kubernetes.UserInfo"),
        "dryRun": "bool",
        "options": "dyn",
        "uid": "string",
    },
    "kubernetes.GroupVersionKind": {"group": "string", "version": "string", "kind": "string"},
    "kubernetes.GroupVersionResource": {"group": "string", "version": "string", "resource": "string"},
    "kubernetes.UserInfo": {
        "username": "string",
        "uid": "string",
        "groups": ("list", "string"),
        "extra": ("map", "string", ("list", "string")),
    },
    "kubernetes.Namespace": {
        "metadata": ("object", "kubernetes.NamespaceMetadata"),
        "status": ("object", "kubernetes.NamespaceStatus"),
    },
    "kubernetes.NamespaceMetadata": {
        "name": "string",
        "labels": ("map", "string", "string"),
        "creationTimestamp": "timestamp",
        "generation": "int",
    },
    "kubernetes.NamespaceStatus": {"phase": "string"},
}
for _name in ("Widget", "Gadget"):
    celtypes.schema_fields(SCHEMAS[_name]["schema"], _name, FIELDS)
FIELDS["Widget"].update(apiVersion="string", kind="string", metadata=("object", "Widget.metadata"))
FIELDS["Widget.metadata"] = {"name": "string", "generateName": "string"}


def obj(name):
    return ("object", name)


COMMON = {
    "b": "bool",
    "i": "int",
    "u": "uint",
    "f": "double",
    "s": "string",
    "y": "bytes",
    "d": "dyn",
    "a": "any",
    "n": "null",
    "dur": "duration",
    "ts": "timestamp",
    "li": ("list", "int"),
    "ls": ("list", "string"),
    "ld": ("list", "dyn"),
    "lli": ("list", ("list", "int")),
    "mi": ("map", "string", "int"),
    "ms": ("map", "string", "string"),
    "mii": ("map", "int", "int"),
    "md": ("map", "string", "dyn"),
    "mdd": ("map", "dyn", "dyn"),
    "oi": ("optional", "int"),
    "os": ("optional", "string"),
    "od": ("optional", "dyn"),
    "oli": ("optional", ("list", "int")),
    "omi": ("optional", ("map", "string", "int")),
    "oo": ("optional", ("optional", "int")),
    "lo": ("list", ("optional", "int")),
    "wi": ("wrapper", "int"),
    "ws": ("wrapper", "string"),
    "wb": ("wrapper", "bool"),
    "wf": ("wrapper", "double"),
    "lw": ("list", ("wrapper", "int")),
    "ti": ("type", "int"),
    "td": ("type", "dyn"),
    "ip": ("opaque", "net.IP"),
    "cidr": ("opaque", "net.CIDR"),
    "q": obj("kubernetes.Quantity"),
    "url": obj("kubernetes.URL"),
    "sv": obj("kubernetes.Semver"),
    "fmt": obj("kubernetes.NamedFormat"),
    "authorizer": obj(celtypes.AUTHORIZER),
    "rc": obj("kubernetes.authorization.ResourceCheck"),
    "dec": obj("kubernetes.authorization.Decision"),
    "ldur": ("list", "duration"),
    "lf": ("list", "double"),
    "lip": ("list", ("opaque", "net.IP")),
    "pa": ("param", "A"),
    "lpa": ("list", ("param", "A")),
    "pb": ("param", "B"),
    "stranger": obj("not.Known"),
}
RICH = {
    "o": obj("Widget"),
    "object": obj("Widget"),
    "oldObject": obj("Widget"),
    "params": obj("Gadget"),
    "lo2": ("list", obj("Widget")),
    "mo": ("map", "string", obj("Gadget")),
    "oobj": ("optional", obj("Widget")),
    "request": obj("kubernetes.AdmissionRequest"),
    "namespaceObject": obj("kubernetes.Namespace"),
}
ODD_NAMES = [
    "x",
    "k",
    "v",
    "size",
    "type",
    "int",
    "optional",
    "a.b",
    "google",
    "__result__",
    "has",
    "_",
    "o.spec",
    "net",
]


PROPERTY_NAMES = [
    "a",
    "b",
    "c",
    "spec",
    "size",
    "name",
    "x-y",
    "x.y",
    "x/y",
    "x__y",
    "__x",
    "__if__",
    "_",
    "__",
    "-",
    "a.b-c/d__e",
    "in",
    "if",
    "for",
    "true",
    "null",
    "namespace",
    "x y",
    "1a",
    "\u00e9",
    "apiVersion",
    "kind",
    "metadata",
    "map",
    "type",
    "int",
    "$ref",
    "a$b",
    "__dash__",
    "X",
    "package",
    "has",
    "all",
]
FORMATS = [
    "date",
    "date-time",
    "duration",
    "byte",
    "binary",
    "int32",
    "int64",
    "float",
    "double",
    "uint64",
    "int-or-string",
    "uuid",
    "password",
    "quantity",
    "cidr",
    "",
]


def random_schema(rng, depth=3):
    """A schema that need not make sense."""
    schema = {}
    kind = rng.choice(["string", "integer", "number", "boolean", "array", "object", "object", "object", None])
    if depth == 0 and kind in ("array", "object"):
        kind = "string"
    if kind:
        schema["type"] = kind
    if rng.random() < 0.2:
        schema["format"] = rng.choice(FORMATS)
    if kind == "array" and rng.random() < 0.95:
        schema["items"] = random_schema(rng, depth - 1)
    if kind == "object" and rng.random() < 0.7 or rng.random() < 0.03:
        names = rng.sample(PROPERTY_NAMES, rng.randrange(5))
        schema["properties"] = {name: random_schema(rng, max(depth - 1, 0)) for name in names}
    if kind == "object" and rng.random() < 0.25 or rng.random() < 0.02:
        schema["additionalProperties"] = rng.choice([True, False, random_schema(rng, max(depth - 1, 0))])
    for key, value, often in (
        ("nullable", True, 0.1),
        ("x-kubernetes-int-or-string", True, 0.06),
        ("x-kubernetes-preserve-unknown-fields", True, 0.08),
        ("x-kubernetes-embedded-resource", True, 0.06),
        ("enum", ["a", "b"], 0.05),
        ("maxLength", 5, 0.05),
        ("maxItems", 3, 0.05),
        ("oneOf", [{"type": "string"}, {"type": "integer"}], 0.04),
        ("allOf", [{"type": "object"}], 0.03),
        ("default", "x", 0.03),
        ("required", ["a"], 0.05),
        ("description", "text", 0.03),
    ):
        if rng.random() < often:
            schema[key] = value
    return schema


def random_object(rng):
    """A variable's type that a random schema makes; 'dyn' when it makes none."""
    name = f"Made{rng.randrange(1000)}"
    schema = random_schema(rng)
    if rng.random() < 0.8:
        schema.update(type="object")
        schema.setdefault("properties", {}).update({f: random_schema(rng) for f in rng.sample(PROPERTY_NAMES, 5)})
    # the generator's idea of the fields is rough, which upstream corrects
    for known in [known for known in FIELDS if known == name or known.startswith(name + ".")]:
        del FIELDS[known]
    t = celtypes.schema_fields(schema, name, FIELDS)
    SCHEMAS[name] = {"schema": schema, "name": name, "root": rng.random() < 0.7}
    return t and obj(name)


class Variables:
    """One set: the names with their types, and the declarations as JSON text."""

    def __init__(self, types):
        self.types = types
        self.json = json.dumps({name: celtypes.declaration(t, SCHEMAS) for name, t in types.items()})


def random_type(rng, depth=2):
    pick = rng.random()
    if depth == 0 or pick < 0.5:
        return rng.choice(celtypes.PLAIN)
    if pick < 0.65:
        return ("list", random_type(rng, depth - 1))
    if pick < 0.78:
        return ("map", rng.choice(["string", "string", "int", "bool", "dyn", "uint"]), random_type(rng, depth - 1))
    if pick < 0.88:
        return ("optional", random_type(rng, depth - 1))
    if pick < 0.92:
        return ("wrapper", rng.choice(celtypes.SCALARS))
    if pick < 0.94:
        return ("type", random_type(rng, depth - 1))
    return rng.choice([obj(rng.choice(celtypes.OBJECTS)), ("opaque", rng.choice(celtypes.OPAQUES))])


def random_variables(rng):
    types = {}
    pool = list(COMMON)
    for name in rng.sample(pool, rng.randrange(5, 22)):
        types[name] = COMMON[name]
    if rng.random() < 0.45:
        for name in rng.sample(list(RICH), rng.randrange(1, 4)):
            types[name] = RICH[name]
    if rng.random() < 0.35:
        types["made"] = random_object(rng) or "dyn"
    for i in range(rng.randrange(0, 3)):
        types[f"r{i}"] = random_type(rng, 3)
    if rng.random() < 0.15:
        types[rng.choice(ODD_NAMES)] = random_type(rng, 2)
    return Variables(types)
