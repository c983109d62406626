"""Rules of a CustomResourceDefinition, and objects that are created or updated, for evaluation_test.py."""

KIND, PLURAL, GROUP = "Probe", "probes", "rules.example.com"


def rule(text, **more):
    return {"rule": text, **more}


def ruled(schema, *rules):
    return {**schema, "x-kubernetes-validations": [rule(r) if isinstance(r, str) else r for r in rules]}


TEXT, SHORT = {"type": "string", "maxLength": 40}, {"type": "string", "maxLength": 10}
INTEGER, NUMBER, BOOLEAN = {"type": "integer"}, {"type": "number"}, {"type": "boolean"}


def items(of, **more):
    return {"type": "array", "maxItems": 8, "items": of, **more}


def entries(of, **more):
    return {"type": "object", "maxProperties": 8, "additionalProperties": of, **more}


def fields(of, **more):
    return {"type": "object", "properties": of, **more}


SET = {"x-kubernetes-list-type": "set"}
BY_NAME = {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]}
PORT = fields(
    {"name": SHORT, "port": INTEGER, "protocol": {"type": "string", "default": "TCP", "maxLength": 4}},
    required=["name"],
)

SPEC = {
    "size": ruled(
        INTEGER,
        rule("self > 0", message=" must be positive "),
        rule("self >= oldSelf", message="cannot shrink", reason="FieldValueForbidden"),
    ),
    "ratio": ruled(NUMBER, "self < 2.5"),
    "on": ruled(BOOLEAN, "self"),
    "name": ruled(
        TEXT,
        rule("!self.startsWith('x')", messageExpression="'no x: ' + self"),
        rule("self != 'a\"b'", reason="FieldValueDuplicate"),
        rule("self != 'gone'", reason="FieldValueRequired"),
        "self == oldSelf || self != 'fixed'",
    ),
    "message": ruled(
        TEXT,
        rule("self != 'spaces'", messageExpression="'  '"),
        rule("self != 'lines'", messageExpression="'a\\nb'", message="plain"),
        rule("self != 'fails'", messageExpression="self.charAt(99)"),
        rule("self != 'trimmed'", messageExpression="' t '"),
    ),
    "optional": ruled(
        INTEGER,
        rule("!oldSelf.hasValue() || self > oldSelf.value()", optionalOldSelf=True),
        rule(
            "oldSelf.hasValue() || self != 3",
            optionalOldSelf=True,
            messageExpression="'new ' + (self > 2 ? 'big' : 'small')",
        ),
    ),
    "names": ruled(
        items(SHORT, **SET), "self.size() < 4", "self == oldSelf || 'free' in self", "(self + ['a', 'b']).size() < 6"
    ),
    "ports": ruled(
        items(
            ruled(
                PORT, "self.port < 100", rule("self.port == oldSelf.port", message="port is fixed", fieldPath=".port")
            ),
            **BY_NAME,
        ),
        rule("self.all(p, p.protocol != 'SCTP')", message="no SCTP"),
        "oldSelf.size() <= self.size()",
        "(self + oldSelf).size() == self.size() || self.exists(p, p.name == 'new')",
        "self != oldSelf || self.size() != 2",
    ),
    "plain": items(ruled(fields({"a": INTEGER, "b": SHORT}), "self.a != 1", rule("has(self.b)", fieldPath=".b"))),
    "labels": entries(ruled(SHORT, "self != 'bad'", "self == oldSelf || self != 'new'")),
    "nested": entries(
        ruled(
            fields({"x": INTEGER, "y": entries(INTEGER)}), rule("self.x > 0", fieldPath=".y['a.b']"), "!('z' in self.y)"
        )
    ),
    "intOrText": ruled(
        {"x-kubernetes-int-or-string": True}, "type(self) == int ? self < 5 : self != 'no'", "self != oldSelf"
    ),
    "when": ruled(
        {"type": "string", "format": "date-time", "maxLength": 30},
        "self > timestamp('2020-01-01T00:00:00Z')",
        "self.getHours() < 12",
    ),
    "day": ruled({"type": "string", "format": "date", "maxLength": 12}, "self.getFullYear() == 2026"),
    "wait": ruled(
        {"type": "string", "format": "duration", "maxLength": 20}, "self <= duration('1h')", "self >= oldSelf"
    ),
    "data": ruled({"type": "string", "format": "byte", "maxLength": 20}, "self.size() == 3", "self != b'abc'"),
    "maybe": {**INTEGER, "nullable": True},
    "missing": ruled(
        fields({"a": INTEGER, "b": items(INTEGER), "if": INTEGER, "x-y": INTEGER, "n": {**INTEGER, "nullable": True}}),
        "self.a / (self.a - 1) > 0",
        "self.b[1] > 0",
        "self.__if__ != 2",
        "!has(self.x__dash__y) || self.x__dash__y > 0",
        "!has(self.n) || self.n > 0",
    ),
    "dear": ruled(
        entries(items(SHORT)), "self.all(a, self.all(b, self[a].all(c, self[b].all(d, c.contains(d) || c != d + 'x'))))"
    ),
    "raw": ruled(
        {"type": "object", "x-kubernetes-preserve-unknown-fields": True, "properties": {"known": INTEGER}},
        "self == oldSelf || self.known != 7",
    ),
    "made": ruled(
        fields({"a": {**INTEGER, "default": 5}, "b": {**SHORT, "default": "x"}}),
        "self.a == 5",
        rule("self.b == 'x'", fieldPath=".b"),
    ),
    "atomicMap": {**entries(ruled(INTEGER, "self >= oldSelf")), "x-kubernetes-map-type": "atomic"},
    "whole": {
        "x-kubernetes-embedded-resource": True,
        "x-kubernetes-preserve-unknown-fields": True,
        "type": "object",
        "x-kubernetes-validations": [rule("self.metadata.name != 'bad'"), rule("self.kind == oldSelf.kind")],
    },
}
ROOT = [
    rule("self.metadata.name.size() < 12", message="name too long"),
    rule("!has(self.spec.maybe) || self.spec.maybe > 0", fieldPath=".spec.maybe"),
    rule("!has(self.status) || self.status.phase != 'Bad'"),
    rule("self.spec == oldSelf.spec || !has(self.spec.on) || self.spec.on", message="turned off"),
    rule(
        "!has(self.spec.made) || self.metadata.name == oldSelf.metadata.name",
        messageExpression="'was ' + oldSelf.metadata.name",
    ),
]

DEFINITION = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": f"{PLURAL}.{GROUP}"},
    "spec": {
        "group": GROUP,
        "scope": "Namespaced",
        "names": {"plural": PLURAL, "singular": "probe", "kind": KIND},
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "subresources": {"status": {}},
                "schema": {
                    "openAPIV3Schema": {
                        "type": "object",
                        "required": ["spec"],
                        "x-kubernetes-validations": ROOT,
                        "properties": {
                            "spec": fields(SPEC),
                            "status": fields({"phase": ruled(SHORT, "self != 'Worse'")}),
                        },
                    }
                },
            }
        ],
    },
}

PORTS = [{"name": "a", "port": 1}, {"name": "b", "port": 2}]
MANY = {k: [f"{k}{i}" for i in range(8)] for k in "abcdefgh"}
# Specs before (None: the object is created) and after.
CHANGES = [
    (None, {"size": 0}),
    (None, {"size": 5}),
    ({"size": 5}, {"size": 4}),
    ({"size": 5}, {"size": 6}),
    ({"size": 5}, {"size": 0}),
    ({"ratio": 1}, {"size": 0}),
    (None, {"ratio": 2.5}),
    (None, {"ratio": 3}),
    (None, {"ratio": 1e21}),
    (None, {"on": False}),
    (None, {"on": True}),
    (None, {"size": 0, "ratio": 3, "on": False}),
    (None, {"name": "xyz"}),
    (None, {"name": 'a"b'}),
    (None, {"name": "gone"}),
    (None, {"name": "fixed"}),
    ({"name": "a"}, {"name": "fixed"}),
    *((None, {"message": m}) for m in ("spaces", "lines", "fails", "trimmed", "fine")),
    (None, {"optional": 1}),
    (None, {"optional": 3}),
    ({"optional": 3}, {"optional": 3}),
    ({"optional": 3}, {"optional": 4}),
    ({}, {"optional": 3}),
    (None, {"names": ["a", "b", "c", "d"]}),
    ({"names": ["a", "b"]}, {"names": ["b", "a"]}),
    ({"names": ["a", "b"]}, {"names": ["b"]}),
    ({"names": ["a"]}, {"names": ["free", "b"]}),
    (None, {"names": ["c", "d", "e", "f"]}),
    (None, {"ports": PORTS}),
    ({"ports": PORTS}, {"ports": PORTS[::-1]}),
    ({"ports": PORTS}, {"ports": [PORTS[1], {"name": "a", "port": 3}]}),
    ({"ports": PORTS}, {"ports": PORTS[:1]}),
    ({"ports": PORTS}, {"ports": [*PORTS, {"name": "new", "port": 7}]}),
    (None, {"ports": [{"name": "a", "port": 100}, {"name": "b", "port": 1, "protocol": "SCTP"}]}),
    (None, {"ports": [{"name": "a"}]}),
    (None, {"plain": [{"a": 1, "b": "x"}, {"a": 2}, {"b": "x"}]}),
    ({"plain": [{"a": 2, "b": "x"}]}, {"plain": [{"a": 2, "b": "x"}, {"a": 1, "b": "y"}]}),
    (None, {"labels": {"one": "bad", "two": "ok"}}),
    ({"labels": {"one": "a"}}, {"labels": {"one": "new", "two": "new"}}),
    (None, {"nested": {"k.1": {"x": 0}}}),
    (None, {"nested": {"k": {"x": 1, "y": {"z": 1}}}}),
    (None, {"nested": {"k": {"y": {"a": 1}}}}),
    *((None, {"intOrText": v}) for v in (5, 4, "no", "yes")),
    ({"intOrText": 3}, {"intOrText": 3}),
    ({"intOrText": 3}, {"intOrText": "3"}),
    *((None, {"when": v}) for v in ("2019-01-01T00:00:00Z", "2026-01-01T13:00:00Z", "2026-01-01T11:00:00.5+01:00")),
    (None, {"day": "2025-12-31"}),
    (None, {"day": "2026-12-31"}),
    *((None, {"wait": v}) for v in ("2h", "30m", "1h0m0s")),
    ({"wait": "30m"}, {"wait": "1800s"}),
    ({"wait": "30m"}, {"wait": "29m"}),
    *((None, {"data": v}) for v in ("YWJj", "YWJk", "YQ==")),
    (None, {"maybe": None}),
    (None, {"maybe": 0}),
    (None, {"maybe": 1}),
    *(
        (None, {"missing": v})
        for v in (
            {},
            {"a": 1, "b": [1]},
            {"a": 2, "b": [1, 0]},
            {"a": 2, "b": [1, 2], "if": 2},
            {"a": 2, "b": [1, 2], "if": 1, "x-y": 0},
            {"a": 3, "b": [1, 2], "if": 1, "n": None},
            {"a": 3, "b": [1, 2], "if": 1, "n": 0},
        )
    ),
    (None, {"dear": {"a": ["x"], "b": ["y"]}}),
    (None, {"dear": MANY}),
    ({"raw": {"known": 1, "other": [1]}}, {"raw": {"known": 7, "other": [1]}}),
    ({"raw": {"known": 7, "other": [1]}}, {"raw": {"known": 7, "other": [1]}}),
    ({"raw": {"known": 7, "other": [1]}}, {"raw": {"known": 7, "other": [2]}}),
    (None, {"raw": {"known": 7, "x": 1}}),
    (None, {"made": {}}),
    (None, {"made": {"a": 4}}),
    (None, {"made": {"b": "y", "a": 4}}),
    ({"made": {}}, {"made": {"b": "x"}}),
    ({"atomicMap": {"a": 2, "b": 2}}, {"atomicMap": {"a": 1, "b": 3, "c": 1}}),
    (None, {"whole": {"apiVersion": "v1", "kind": "A", "metadata": {"name": "bad"}}}),
    (
        {"whole": {"apiVersion": "v1", "kind": "A", "metadata": {"name": "b"}}},
        {"whole": {"apiVersion": "v1", "kind": "B", "metadata": {"name": "b"}, "more": 1}},
    ),
    ({"on": True}, {"on": False}),
    ({"on": True, "size": 3}, {"on": False, "size": 2, "ratio": 5}),
]
# What was stored before the definition had its rules, some of which it breaks: specs before and after.
UNCHANGED = [
    ({"ratio": 5, "size": 1}, {"ratio": 5, "size": 2}),
    ({"ratio": 5, "size": 1}, {"ratio": 6, "size": 1}),
    ({"plain": [{"a": 1}]}, {"plain": [{"a": 1}], "size": 1}),
    ({"plain": [{"a": 1}]}, {"plain": [{"a": 1}, {"a": 3}]}),
    ({"ports": [{"name": "a", "port": 500}]}, {"ports": [{"name": "a", "port": 500}], "size": 1}),
    ({"ports": [{"name": "a", "port": 500}]}, {"ports": [{"name": "a", "port": 500}, {"name": "b", "port": 501}]}),
    ({"labels": {"a": "bad"}}, {"labels": {"a": "bad", "b": "bad"}}),
    ({"nested": {"k": {"x": 0}}}, {"nested": {"k": {"x": 0}}, "size": 3}),
]


def without_rules(schema):
    """The schema as it was when there were no rules."""
    if isinstance(schema, dict):
        return {k: without_rules(v) for k, v in schema.items() if k != "x-kubernetes-validations"}
    return [without_rules(v) for v in schema] if isinstance(schema, list) else schema


def named(name, spec):
    return {"apiVersion": f"{GROUP}/v1", "kind": KIND, "metadata": {"name": name, "namespace": "default"}, "spec": spec}


def cases():
    """(name, old object or None, object)"""
    for i, (before, after) in enumerate([*CHANGES, *UNCHANGED]):
        name = f"c{i}" if i % 20 else f"c{i}-long-name"
        yield name, before and named(name, before) if before != {} else named(name, {}), named(name, after)
