"""CustomResourceDefinitions with rules, good and broken: what is special about each is in its name."""

import copy
import pathlib
import random
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "upstream/costs"))
import generate

STRING, INTEGER, BOOLEAN = {"type": "string"}, {"type": "integer"}, {"type": "boolean"}
SHORT = {"type": "string", "maxLength": 10}


def array(items, **more):
    return {"type": "array", "items": items, **more}


def mapping(values, **more):
    return {"type": "object", "additionalProperties": values, **more}


def fields(**properties):
    return {"type": "object", "properties": properties}


def ruled(schema, *rules):
    """The schema with rules; a text is a rule without anything else."""
    made = copy.deepcopy(schema)
    made["x-kubernetes-validations"] = [{"rule": r} if isinstance(r, str) else r for r in rules]
    return made


def crd(*schemas):
    versions = [
        {"name": f"v{n}", "served": True, "storage": n == 1, "schema": {"openAPIV3Schema": schema}}
        for n, schema in enumerate(schemas, 1)
    ]
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "versions": versions,
            "names": {"kind": "Widget", "listKind": "WidgetList", "plural": "widgets", "singular": "widget"},
        },
    }


SPEC = fields(
    s=STRING,
    short=SHORT,
    n=INTEGER,
    d={"type": "number"},
    b=BOOLEAN,
    byte={"type": "string", "format": "byte"},
    date={"type": "string", "format": "date"},
    time={"type": "string", "format": "date-time"},
    duration={"type": "string", "format": "duration"},
    either={"x-kubernetes-int-or-string": True},
    any={"type": "object", "x-kubernetes-preserve-unknown-fields": True},
    list=array(STRING),
    few=array(SHORT, maxItems=5),
    map=mapping(STRING),
    fewmap=mapping(SHORT, maxProperties=5),
    objects=array(fields(name=SHORT, size=INTEGER), maxItems=9),
    bare={"x-kubernetes-preserve-unknown-fields": True},
    uri={"type": "string", "format": "uri"},
    **{"dashed-name": STRING, "dotted.name": STRING, "namespace": STRING, "under__score": STRING, "$dollar": STRING},
)

# Rules of self above, alone.
RULES = [
    "self.n > 1",
    "self.n == 1.5",
    "self.d == 1.5",
    "self.nope == 1",
    "self.n",
    "self.n +",
    "",
    " ",
    "true",
    "'a'",
    "self.time > timestamp('2020-01-01T00:00:00Z')",
    "self.date.getFullYear() > 2020",
    "self.duration > duration('1h')",
    "self.byte == b'abc'",
    "self.byte == 'abc'",
    "self.time == 'x'",
    "self.duration.startsWith('x')",
    "self.either == 5 || self.either == 'x'",
    "self.either.startsWith('x')",
    "self.any.x == 1",
    "has(self.any)",
    "self.bare == 1",
    "self.uri.startsWith('x')",
    "self.dashed__dash__name == ''",
    "self.dotted__dot__name == ''",
    "self.namespace == ''",
    "self.__namespace__ == ''",
    "self.under__underscores__score == ''",
    "self.under__score == ''",
    "self.dollar == ''",
    "has(self.s) && self.s.size() < 5",
    "has(self.nope)",
    "self.metadata.name == ''",
    "self.kind == ''",
    "self.n > oldSelf.n",
    "oldSelf.nope",
    "oldSelf == self",
    "self.short.matches('(')",
    "self.s.find('[') == ''",
    "int('x') == self.n",
    "timestamp('x') == self.time",
    "[1, 'a'].size() == 2",
    "self.few.all(x, x == self.short)",
    "self.objects.all(o, o.name == o.size)",
    "self.objects.all(o, o.name.size() == o.size)",
    "self.few == [1]",
    "self.list.all(x, x == self.s)",
    "self.list.all(x, self.list.all(y, x == y))",
    "self.map.all(k, self.map[k] == self.s)",
    "self.list.exists(x, self.map.exists(y, x == y && x.contains(y)))",
    "self.few.all(x, self.few.all(y, x == y))",
    "self.s.contains(self.s)",
    "self.s.matches(self.s)",
    "self.fewmap.all(k, v, k == v)",
    "self.fewmap.size() < 3",
    "quantity(self.s).isGreaterThan(quantity('1'))",
    "isIP(self.s) && ip(self.s).family() == 4",
    "cidr(self.short).containsIP('1.2.3.4')",
    "authorizer.path('/').check('get').allowed()",
    "object.n == 1",
    "request.name == ''",
    "variables.x == 1",
    "self['n'] == 1",
    "self.list.isSorted() && self.list.sum() == 3",
    "self.list.map(x, x + 'a').join(',').size() < 10",
    "self.few.sort() == self.few",
    "lists.range(3).all(x, x > self.n)",
    "self.?short.orValue('') == ''",
    "optional.of(self.n).hasValue()",
    "self.b ? true : self.n",
    "semver(self.short).major() > 1",
    "self.list.distinct() == self.list",
    "dyn(self.n) == 'a'",
    "type(self.either) == int",
    "self.few.all(x, x ==\n 'a')",
    "self == self",
    "self.few == self.list",
    "1 == 1 && ",
    "self.list[0].x == 1",
    "a.b.c",
    "self.n > 'a'",
]

# What else a rule can have, beside {"rule": "self.n > 1"}.
MEMBERS = [
    {"message": "m"},
    {"message": " "},
    {"message": "a\nb"},
    {"message": "\na\n"},
    {"rule": "self.n >\n1"},
    {"rule": "self.n >\n1", "message": "m"},
    {"rule": "self.n >\n1", "message": "a\rb"},
    {"messageExpression": "'a'"},
    {"messageExpression": " "},
    {"messageExpression": "1"},
    {"messageExpression": "self.nope"},
    {"messageExpression": "self.s"},
    {"messageExpression": "'a' +"},
    {"messageExpression": "string(int('x'))"},
    {"rule": "self.nope", "messageExpression": "1"},
    {"messageExpression": "self.list.map(x, self.list.join(x)).join('')"},
    {"reason": "FieldValueInvalid"},
    {"reason": "FieldValueForbidden"},
    {"reason": "Invalid"},
    {"reason": ""},
    {"reason": "<x>"},
    {"fieldPath": ".n"},
    {"fieldPath": "n"},
    {"fieldPath": ".nope"},
    {"fieldPath": " "},
    {"fieldPath": ".n\n"},
    {"fieldPath": "."},
    {"fieldPath": ".['n']"},
    {"fieldPath": "['n']"},
    {"fieldPath": "['dotted.name']"},
    {"fieldPath": ".dotted.name"},
    {"fieldPath": ".fewmap['a']"},
    {"fieldPath": ".fewmap.a"},
    {"fieldPath": ".fewmap.a.b"},
    {"fieldPath": ".objects.name"},
    {"fieldPath": ".objects[0]"},
    {"fieldPath": "['n'"},
    {"fieldPath": "[n]"},
    {"fieldPath": "['\\\\x']"},
    {"fieldPath": ".dashed-name"},
    {"fieldPath": "['it\\'s']"},
    {"optionalOldSelf": True},
    {"optionalOldSelf": False},
    {"optionalOldSelf": True, "rule": "oldSelf.hasValue() && oldSelf.value().n > 1"},
    {"optionalOldSelf": True, "rule": "oldSelf.n > 1"},
    {"optionalOldSelf": False, "rule": "oldSelf.n > 1"},
    {"optionalOldSelf": True, "rule": "self.nope"},
    {"rule": "self.nope && '<a>' == \"b\"", "message": "&", "reason": "FieldValueRequired", "fieldPath": ".n"},
]

KEYED = {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]}
ITEM = {**fields(name=SHORT, size=INTEGER), "required": ["name"]}

# Whole schemas.
SCHEMAS = {
    "rule at the root": ruled(fields(spec=SPEC), "self.spec.n > 1 && self.metadata.name != ''"),
    "labels at the root": ruled(fields(spec=SPEC), "self.metadata.labels.size() > 1"),
    "kind at the root": ruled(fields(spec=SPEC), "self.kind == self.apiVersion && self.metadata.generateName == ''"),
    "status at the root": ruled(fields(spec=SPEC), "self.status.n == 1"),
    "transition in a list": fields(spec=fields(list=array(ruled(STRING, "self == oldSelf"), maxItems=3))),
    "transition in a set": fields(
        spec=fields(list=array(ruled(SHORT, "self == oldSelf"), maxItems=3, **{"x-kubernetes-list-type": "set"}))
    ),
    "transition in a keyed list": fields(spec=fields(list=array(ruled(ITEM, "self.size == oldSelf.size"), **KEYED))),
    "transition in a keyed list's field": fields(
        spec=fields(
            list=array(
                {**fields(name=SHORT, size=ruled(INTEGER, "self >= oldSelf")), "required": ["name"]},
                maxItems=5,
                **KEYED,
            )
        )
    ),
    "transition in a list in a keyed list": fields(
        spec=fields(
            list=array(
                {
                    **fields(name=SHORT, sizes=array(ruled(INTEGER, "self >= oldSelf"), maxItems=5)),
                    "required": ["name"],
                },
                maxItems=5,
                **KEYED,
            )
        )
    ),
    "transition in a keyed list in a list": fields(
        spec=fields(list=array(fields(inner=array(ruled(ITEM, "self == oldSelf"), maxItems=5, **KEYED)), maxItems=5))
    ),
    "transition on a list": fields(spec=fields(list=ruled(array(STRING, maxItems=3), "self == oldSelf"))),
    "transition in a map": fields(spec=fields(map=mapping(ruled(SHORT, "self == oldSelf"), maxProperties=3))),
    "transition in an atomic map": fields(
        spec={**fields(n=ruled(INTEGER, "self == oldSelf")), "x-kubernetes-map-type": "atomic"}
    ),
    "transition in a granular map": fields(
        spec={**fields(n=ruled(INTEGER, "self == oldSelf")), "x-kubernetes-map-type": "granular"}
    ),
    "transition in messageExpression": fields(
        spec=fields(list=array(ruled(SHORT, {"rule": "self != ''", "messageExpression": "oldSelf"}), maxItems=3))
    ),
    "transition by an optional in a list": fields(
        spec=fields(list=array(ruled(SHORT, {"rule": "oldSelf.hasValue()", "optionalOldSelf": True}), maxItems=3))
    ),
    "self is a string": fields(spec=fields(s=ruled(SHORT, "self.startsWith('a')", "self.x"))),
    "self is an int": fields(spec=fields(n=ruled(INTEGER, "self > 1", "self == 'a'"))),
    "self is a list": fields(spec=fields(list=ruled(array(SHORT, maxItems=3), "self.all(x, x == 'a')", "self.a"))),
    "self is a map": fields(
        spec=fields(map=ruled(mapping(SHORT, maxProperties=3), "self.all(k, self[k] == k)", "self.a == 1"))
    ),
    "self is a time": fields(
        spec=fields(
            time=ruled(
                {"type": "string", "format": "date-time"}, "self > timestamp('2020-01-01T00:00:00Z')", "self == ''"
            )
        )
    ),
    "self is an int or a string": fields(
        spec=fields(e=ruled({"x-kubernetes-int-or-string": True}, "self == 1 || self == 'a'", "self.contains('a')"))
    ),
    "self has unknown fields": fields(
        spec=ruled({"type": "object", "x-kubernetes-preserve-unknown-fields": True}, "self.a == 1", "has(self.b)")
    ),
    "self has no type": fields(spec=ruled({"x-kubernetes-preserve-unknown-fields": True}, "self == 1")),
    "items have no type": fields(
        spec=fields(list=ruled(array({"x-kubernetes-preserve-unknown-fields": True}), "self.size() > 1"))
    ),
    "rule in items without type": ruled(
        fields(spec=fields(list=array(ruled({"x-kubernetes-preserve-unknown-fields": True}, "self == 1")))),
        "has(self.spec)",
    ),
    "field has no type": fields(
        spec=ruled(fields(a={"x-kubernetes-preserve-unknown-fields": True}, b=INTEGER), "self.a == 1", "self.b == 1")
    ),
    "rule in a field of no CEL name": fields(spec=fields(**{"a b": ruled(SHORT, "self == 'a'", "self.x")})),
    "rule below a rule": ruled(fields(spec=ruled(SPEC, "self.nope", "self.n == 1")), "self.spec.n == 1", "self.nope"),
    "embedded resource": fields(
        spec=fields(
            pod=ruled(
                {
                    "type": "object",
                    "x-kubernetes-embedded-resource": True,
                    "x-kubernetes-preserve-unknown-fields": True,
                },
                "self.metadata.name == '' && self.kind == ''",
                "self.metadata.labels.size() == 1",
                "self.spec.x == 1",
            )
        )
    ),
    "nullable": fields(spec=ruled(fields(n={"type": "integer", "nullable": True}), "self.n == null", "self.n > 1")),
    "enum": fields(spec=ruled(fields(e={"type": "string", "enum": ["a", "bb"]}), "self.e == 'a'", "self.e == 1")),
    "cost of unbounded items": fields(spec=fields(list=array(ruled(STRING, "self.matches('^[a-z]+$')")))),
    "cost of bounded items": fields(spec=fields(list=array(ruled(SHORT, "self.matches('^[a-z]+$')"), maxItems=100))),
    "cost of items bounded above": fields(
        spec=fields(list=array(array(ruled(STRING, "self.contains('a')")), maxItems=10))
    ),
    "cost in a map in a list": fields(
        spec=fields(list=array(mapping(ruled(SHORT, "self.contains('abc')"), maxProperties=1000), maxItems=1000))
    ),
    "cost just above": fields(spec=fields(list=array(ruled(SHORT, "self.contains('abc')"), maxItems=2000000))),
    "cost of maxItems 0": fields(spec=fields(list=array(ruled(STRING, "self.contains(self)"), maxItems=0))),
    "cost of a set": fields(
        spec=fields(list=ruled(array(STRING, **{"x-kubernetes-list-type": "set"}), "self.all(x, x in self)"))
    ),
    "cost in total": fields(
        spec=fields(
            **{
                f"l{n}": array(
                    ruled(SHORT, "self.contains('abc')", "self == 'x' || self.matches('a+')"), maxItems=500000 + n
                )
                for n in range(12)
            }
        )
    ),
    "cost in total of two": fields(
        spec=fields(
            a=ruled(array(STRING), "self.all(x, self.all(y, x == y))"),
            b=ruled(array(STRING), "self.all(x, x.contains('a'))"),
        )
    ),
    "cost of a message": fields(
        spec=ruled(
            fields(list=array(STRING)),
            {"rule": "self.list.size() > 3", "messageExpression": "self.list.map(x, self.list.join(x)).join('')"},
        )
    ),
    "rule in allOf": fields(spec={**fields(n=INTEGER), "allOf": [ruled({}, "self.n > 1")]}),
    "rule in not, in properties": fields(
        spec={**fields(n=INTEGER), "not": {"properties": {"n": ruled({}, "self > 1")}}}
    ),
    "reason wrong below": ruled(fields(spec=ruled(SPEC, {"rule": "self.nope", "reason": "x"})), "self.nope"),
    "reason wrong above": ruled(fields(spec=ruled(SPEC, "self.nope")), {"rule": "self.nope", "reason": "x"}),
    "reason wrong beside": fields(
        a=ruled(fields(n=INTEGER), {"rule": "self.nope", "reason": "x"}), b=ruled(fields(n=INTEGER), "self.nope")
    ),
    "metadata in the schema": ruled(
        fields(metadata=fields(name={"type": "string", "maxLength": 10}), spec=SPEC),
        "self.metadata.name == self.spec.short",
        "self.metadata.generateName == ''",
    ),
    "required with and without default": fields(
        spec=fields(
            list=array(
                ruled(
                    {
                        **fields(alpha=INTEGER, beta=STRING, gamma={"type": "integer", "default": 5}),
                        "required": ["alpha", "beta", "gamma"],
                    },
                    "self.beta.contains('abc')",
                    "self.alpha == 1",
                )
            )
        )
    ),
}

NOT_STRUCTURAL = {
    "field without type": fields(a={}, b=array({}), c=mapping({})),
    "array without items": fields(a={"type": "array"}),
    "root without type": {"properties": {"a": STRING}},
    "root is a map": mapping(STRING),
    "root is a string": STRING,
    "embedded without type": fields(
        a={"x-kubernetes-embedded-resource": True, "x-kubernetes-preserve-unknown-fields": True}
    ),
    "embedded string": fields(a={"x-kubernetes-embedded-resource": True, "type": "string"}),
    "embedded without properties": fields(a={"x-kubernetes-embedded-resource": True, "type": "object"}),
    "embedded map": fields(a={"x-kubernetes-embedded-resource": True, **mapping(STRING)}),
    "embedded, its fields": fields(
        a={"x-kubernetes-embedded-resource": True, **fields(kind=INTEGER, apiVersion=INTEGER, metadata=STRING)}
    ),
    "int or string with unknown fields": fields(
        a={"x-kubernetes-int-or-string": True, "x-kubernetes-preserve-unknown-fields": True}
    ),
    "kind is an int": fields(kind=INTEGER, apiVersion=BOOLEAN),
    "metadata has labels": fields(metadata=fields(labels=mapping(STRING), name=STRING)),
    "metadata has a description": fields(metadata={"type": "object", "description": "x"}),
    "metadata is a string": fields(metadata=STRING),
    "metadata has rules": fields(metadata=ruled({"type": "object"}, "self.name == ''")),
    "metadata's name has rules": fields(metadata=fields(name=ruled(STRING, "self == 'a'", "self.x"))),
    "logic of everything": fields(
        a={
            **fields(b=STRING),
            "anyOf": [
                {
                    "type": "string",
                    "default": 1,
                    "title": "t",
                    "description": "d",
                    "nullable": True,
                    "x-kubernetes-map-type": "atomic",
                    "x-kubernetes-preserve-unknown-fields": True,
                    "x-kubernetes-embedded-resource": True,
                    "x-kubernetes-int-or-string": True,
                    "x-kubernetes-list-type": "set",
                    "x-kubernetes-list-map-keys": ["a"],
                    "additionalProperties": True,
                }
            ],
        }
    ),
    "logic of metadata": fields(a={**fields(b=STRING), "oneOf": [{"properties": {"metadata": {"minLength": 1}}}]}),
    "logic of no such field": {
        **fields(b=STRING),
        "allOf": [
            {"properties": {"c": {"minLength": 1}, "b": {"items": {"minLength": 1}}}},
            {"anyOf": [{"not": {"properties": {"d": {}}}}]},
        ],
    },
    "int or string": fields(
        a={"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}, {"type": "string"}]},
        b={
            "x-kubernetes-int-or-string": True,
            "allOf": [{"anyOf": [{"type": "integer"}, {"type": "string"}]}, {"pattern": "a"}],
        },
    ),
    "int or string, otherwise": fields(
        a={"x-kubernetes-int-or-string": True, "anyOf": [{"type": "string"}, {"type": "integer"}]},
        b={
            "x-kubernetes-int-or-string": True,
            "allOf": [{"pattern": "a"}, {"anyOf": [{"type": "integer"}, {"type": "string"}]}],
        },
    ),
}

# Schemas of a property beside the rules.
NODES = {
    "type unknown": {"type": "strin"},
    "type null": {"type": "null"},
    "unique items": array(STRING, uniqueItems=True),
    "id": {**STRING, "id": "x"},
    "additional items": array(STRING, additionalItems=True),
    "ref": {**STRING, "$ref": "x"},
    "definitions": {**STRING, "definitions": {"a": STRING}},
    "dependencies": {**STRING, "dependencies": {}},
    "pattern properties": {"type": "object", "patternProperties": {"a": STRING}},
    "items are many": {"type": "array", "items": [STRING]},
    "unknown fields false": {**STRING, "x-kubernetes-preserve-unknown-fields": False},
    "properties and more": {**fields(a=STRING), "additionalProperties": STRING},
    "properties and no more": {**fields(a=STRING), "additionalProperties": False},
    "properties and anything": {**fields(a=STRING), "additionalProperties": True},
    "map type of a string": {**STRING, "x-kubernetes-map-type": "atomic"},
    "map type unknown": {**fields(a=STRING), "x-kubernetes-map-type": "x"},
    "map type without type": {"x-kubernetes-preserve-unknown-fields": True, "x-kubernetes-map-type": "atomic"},
    "list type of a string": {**STRING, "x-kubernetes-list-type": "set"},
    "list type unknown": array(STRING, **{"x-kubernetes-list-type": "x"}),
    "set of lists": array(array(STRING, **{"x-kubernetes-list-type": "set"}), **{"x-kubernetes-list-type": "set"}),
    "set of atomic lists": array(array(STRING), **{"x-kubernetes-list-type": "set"}),
    "set of maps": array(mapping(STRING), **{"x-kubernetes-list-type": "set"}),
    "set of nullable": array({**STRING, "nullable": True}, **{"x-kubernetes-list-type": "set"}),
    "keys without map": array(ITEM, **{"x-kubernetes-list-map-keys": ["name"]}),
    "keys of a set": array(STRING, **{"x-kubernetes-list-type": "set", "x-kubernetes-list-map-keys": ["name"]}),
    "map without keys": array(ITEM, **{"x-kubernetes-list-type": "map"}),
    "map of strings": array(STRING, **KEYED),
    "map of no items": {"type": "array", **KEYED},
    "keys that are none": array(fields(a=STRING), **KEYED),
    "keys twice": array(ITEM, **{**KEYED, "x-kubernetes-list-map-keys": ["name", "name"]}),
    "keys not required": array(fields(name=SHORT), **KEYED),
    "keys that are lists": array({**fields(name=array(STRING)), "required": ["name"]}, **KEYED),
    "keys nullable": array({**fields(name={**STRING, "nullable": True}), "required": ["name"]}, **KEYED),
    "default in embedded metadata": fields(
        e={
            "x-kubernetes-embedded-resource": True,
            **fields(metadata=fields(labels=mapping({**STRING, "default": "x"}))),
        }
    ),
    "embedded in metadata": fields(
        e={
            "x-kubernetes-embedded-resource": True,
            **fields(metadata=fields(x={"x-kubernetes-embedded-resource": True, **fields(a=STRING)})),
        }
    ),
}


def cases():
    """(name, CRD)"""
    for name, schema in NODES.items():
        yield name, crd(fields(node=schema, spec=ruled(fields(n=INTEGER), "self.n > 'a'")))
    yield (
        "default in top-level metadata",
        crd(
            fields(
                spec=ruled(fields(n=INTEGER), "self.n > 'a'"),
                metadata={"type": "object", "default": {}},
                kind={**STRING, "default": "x"},
            )
        ),
    )
    for name, schema in NOT_STRUCTURAL.items():
        made = copy.deepcopy(schema)
        made.setdefault("properties", {})["spec"] = ruled(fields(n=INTEGER), "self.n > 'a'", {"rule": " "})
        yield (
            name,
            crd(
                made
                if "additionalProperties" not in schema
                else {**schema, "x-kubernetes-validations": [{"rule": "self == 1"}]}
            ),
        )
    for rule in RULES:
        yield f"rule {rule!r}", crd(fields(spec=ruled(SPEC, rule)))
    for more in MEMBERS:
        yield f"member {more}", crd(fields(spec=ruled(SPEC, {"rule": "self.n > 1", **more})))
    for name, schema in SCHEMAS.items():
        yield name, crd(schema)
    good, bad = fields(spec=ruled(SPEC, "self.n > 1")), fields(spec=ruled(SPEC, "self.n > 'a'"))
    yield "two versions, the same", crd(bad, bad)
    yield "two versions, the second wrong", crd(good, bad)
    yield "three versions, two wrong", crd(bad, good, bad)


def random_cases(count, seed):
    """(name, CRD) with random rules at places of all kinds."""
    source = random.Random(seed)
    ways = {
        "root": lambda s: s,
        "spec": lambda s: fields(spec=s),
        "list": lambda s: fields(spec=fields(l=array(s))),
        "map": lambda s: fields(spec=fields(m=mapping(s))),
        "lists": lambda s: fields(spec=fields(l=array(array(s), maxItems=10))),
        "bounded": lambda s: fields(spec=fields(l=array(s, maxItems=source.choice([1, 7, 50])))),
    }
    for n, case in enumerate(generate.cases(count, seed)):
        way = source.choice(list(ways))
        yield f"{n}, {way}", crd(ways[way](case["schema"]))
