"""The types that generated expressions are about, and variables of them.

A type is a name ('int') or a tuple: ('list', T), ('map', K, V), ('optional', T),
('wrapper', T), ('type', T), ('object', NAME), ('opaque', NAME), ('param', NAME).
"""

import re

SCALARS = ["bool", "int", "uint", "double", "string", "bytes"]
PLAIN = SCALARS + ["dyn", "any", "null", "duration", "timestamp"]
OPAQUES = ["net.IP", "net.CIDR"]
AUTHORIZER = "kubernetes.authorization.Authorizer"
OBJECTS = ["kubernetes.Quantity", "kubernetes.URL", "kubernetes.Semver", "kubernetes.NamedFormat"] + [
    "kubernetes.authorization." + name
    for name in ("Authorizer", "PathCheck", "GroupCheck", "ResourceCheck", "Decision")
]
PARAMETERS = "ABKTV"


def parse(text):
    """A type as the lists of declarations spell it."""
    name, _, rest = text.partition("(")
    if not rest:
        if name in PARAMETERS:
            return ("param", name)
        if name in OPAQUES:
            return ("opaque", name)
        return ("object", name) if "." in name else name
    args = tuple(parse(arg) for arg in split_arguments(rest[:-1]))
    return ({"optional_type": "optional"}.get(name, name),) + args


def split_arguments(text):
    depth = start = 0
    for i, ch in enumerate(text):
        if ch == "(":
            depth += 1
        elif ch == ")":
            depth -= 1
        elif ch == "," and depth == 0:
            yield text[start:i].strip()
            start = i + 1
    if text.strip():
        yield text[start:].strip()


def parse_signature(line):
    """(name, receiver type or None, argument types, result type) of a line of a list."""
    name, _, rest = line.partition(" ")
    signature, result = rest.split(" ", 1)[1].rsplit(" -> ", 1)
    receiver, args = re.fullmatch(r"(?:(.*)\.)?\((.*)\)", signature).groups()
    if receiver is not None and receiver.count("(") != receiver.count(")"):
        raise ValueError(line)
    return name, receiver and parse(receiver), [parse(arg) for arg in split_arguments(args)], parse(result)


def unify(declared, wanted, bindings):
    """Returns true if `wanted`, which has no parameters, can be `declared`; binds its parameters."""
    if declared == wanted:
        return True
    if isinstance(declared, str) or isinstance(wanted, str):
        return declared[0] == "param" and bindings.setdefault(declared[1], wanted) == wanted
    if declared[0] == "param":
        return bindings.setdefault(declared[1], wanted) == wanted
    if declared[0] != wanted[0] or len(declared) != len(wanted) or declared[0] in ("object", "opaque"):
        return False
    return all(unify(d, w, bindings) for d, w in zip(declared[1:], wanted[1:]))


def substitute(t, bindings, otherwise):
    """`t` with its parameters replaced; one that is not bound yet becomes otherwise()."""
    if isinstance(t, str) or t[0] in ("object", "opaque"):
        return t
    if t[0] == "param":
        if t[1] not in bindings:
            bindings[t[1]] = otherwise()
        return bindings[t[1]]
    return (t[0],) + tuple(substitute(x, bindings, otherwise) for x in t[1:])


def declaration(t, schemas):
    """`t` in the language of celcheck's "vars"."""
    if isinstance(t, str):
        return t
    head = t[0]
    if head in ("list", "optional", "type"):
        return {head: declaration(t[1], schemas)}
    if head == "wrapper":
        return {"nullable": t[1]}
    if head == "map":
        return {"map": [declaration(t[1], schemas), declaration(t[2], schemas)]}
    if head == "object":
        if t[1] == AUTHORIZER:
            return "authorizer"
        return schemas.get(t[1]) or {"object": t[1]}
    return {head: t[1]}


def schema_fields(schema, name, fields):
    """The type of a schema, roughly as upstream makes it; the fields of its objects go into `fields`."""
    kind = schema.get("type")
    if schema.get("x-kubernetes-int-or-string") or schema.get("format") == "int-or-string":
        return "dyn"
    if kind == "array" and "items" in schema:
        inner = schema_fields(schema["items"], name + ".@idx", fields)
        return inner and ("list", inner)
    if kind == "object":
        values = schema.get("additionalProperties")
        if isinstance(values, dict):
            inner = schema_fields(values, name + ".@elem", fields)
            return inner and ("map", "string", inner)
        mine = fields.setdefault(name, {})
        for key, value in (schema.get("properties") or {}).items():
            inner = schema_fields(value, f"{name}.{key}", fields)
            if inner:
                mine[escape(key)] = inner
        return ("object", name)
    if kind == "string":
        return {
            "byte": "bytes",
            "binary": "bytes",
            "date": "timestamp",
            "date-time": "timestamp",
            "duration": "duration",
        }.get(schema.get("format"), "string")
    return {"integer": "int", "number": "double", "boolean": "bool"}.get(kind)


def escape(name):
    for what, by in (("__", "__underscores__"), (".", "__dot__"), ("-", "__dash__"), ("/", "__slash__")):
        name = name.replace(what, by)
    return name
