"""Hostile input for the evaluation of policies: policies, and an object of which `kubectl-vapcheck audit` asks them.

Each policy refuses the object in the end, so that an evaluation that ends early without saying so is noticed. What
an expression may cost is bounded by the API server's limits on costs; these families look for what is cheap there and
takes long here.
"""

import json

import attacks

REFUSES = "object.metadata.name == ''"


def read(text):
    """What audit says of the policy and the object."""
    report = json.loads(text)
    if report["errors"] or report["notRead"]:
        return "partly"
    if any("notEvaluated" in policy for policy in report["policies"]):
        return "limit"
    return "found" if report["summary"]["refused"] + report["summary"]["failed"] else "silent"


class Evaluated(attacks.Attack):
    command = "audit"

    def __init__(self, expressions, variables=(), data=None, conditions=()):
        spec = {
            "matchConstraints": {
                "resourceRules": [
                    {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["configmaps"]}
                ]
            },
            "matchConditions": [{"name": f"c{i}", "expression": e} for i, e in enumerate(conditions)],
            "variables": attacks.variables(variables),
            "validations": [{"expression": e} for e in [*expressions, REFUSES]],
        }
        policy = {
            "apiVersion": attacks.API,
            "kind": "ValidatingAdmissionPolicy",
            "metadata": {"name": "hostile"},
            "spec": spec,
        }
        config = {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": "c", "namespace": "default"},
            "data": data or {"a": "b"},
        }
        super().__init__(policy, config)


def doubled(step, depth, first):
    return [first] + [step.format(v=f"variables.v{i - 1}") for i in range(1, depth + 1)]


GROWN = [  # (the first, what the next one is made of the one before)
    ("object.data['a']", "{v} + {v}"),
    ("object.data['a']", "[{v}, {v}].join()"),
    ("object.data['a']", "{v}.replace('b', 'bb')"),
    ("object.data['a']", "'%s%s'.format([{v}, {v}])"),
    ("object.data['a']", "{v}.split('').join('b')"),
    ("[object.data['a']]", "{v} + {v}"),
    ("[object.data['a']]", "[{v}, {v}]"),
    ("{'a': object.data['a']}", "{{'a': {v}, 'b': {v}}}"),
    ("object.data.map(k, k)", "{v}.map(x, {v})"),
    ("1", "[1, 2, 3].map(x, {v}).size() + {v}"),
]
READ = [
    "size({v}) >= 0",
    "string({v}) != 'x'",
    "{v} == {v}",
    "{v} in [{v}, {v}]",
    "'%s'.format([{v}]) != ''",
    "{v}.contains('c')",
    "{v}.matches('(b*)*c')",
    "[{v}].exists(x, x != {v})",
    "{v}.lowerAscii() != ''",
    "{v}.split('').size() > 0",
    "{v}.reverse() != {v}",
    "{v}.distinct().size() > 0",
    "{v}.findAll('b').size() > 0",
    "{v}.map(x, x) == {v}",
    "{v}.isSorted()",
    "sets.equivalent({v}, {v})",
    "{v}.substring(1) < {v}",
    "bytes({v}) == bytes({v})",
]


@attacks.family(
    "audit",
    depth=(1, 60, 10),
    kind=(0, len(GROWN) - 1, 0),
    read=(0, len(READ) - 1, 0),
    uses=(1, 500, 1),
    start=(1, 900_000, 1),
)
def eval_grown(depth, kind, read, uses, start):
    """A value that is made of itself, again and again, and then read."""
    first, step = GROWN[kind]
    return Evaluated(
        [READ[read].format(v=f"dyn(variables.v{depth})")] * uses, doubled(step, depth, first), {"a": "b" * start}
    )


LOOPS = [
    "all({x}, {b})",
    "exists({x}, !({b}))",
    "map({x}, {b}).size() > 0",
    "filter({x}, {b}).size() > 0",
    "exists_one({x}, {b}) || true",
    "transformList(i{x}, {x}, {b}).size() > 0",
    "sortBy({x}, {b} ? 1 : 2).size() > 0",
]
BODIES = [
    "true",
    "a0 >= 0",
    "object.data['a'] != ''",
    "string(a0) + object.data['a'] != ''",
    "size(object.data) > 0",
    "object.data['a'].matches('b+c?')",
    "[a0, a0] != []",
    "{{'a': a0}}.a == a0",
    "variables.v0 != []",
    "quantity('1') != quantity('2')",
]


@attacks.family(
    "audit",
    depth=(1, 8, 2),
    items=(1, 3000, 10),
    loop=(0, len(LOOPS) - 1, 0),
    body=(0, len(BODIES) - 1, 0),
    uses=(1, 200, 1),
    condition=(0, 1, 0),
)
def eval_nested(depth, items, loop, body, uses, condition):
    """Comprehensions within comprehensions."""
    text = BODIES[body].replace("{{", "{").replace("}}", "}")
    for level in range(depth):
        text = "variables.v0." + LOOPS[loop].format(x=f"a{depth - 1 - level}", b=text)
    made = f"[{', '.join(map(str, range(items)))}]"
    if condition:
        text = text.replace("variables.v0", f"[{', '.join(map(str, range(min(items, 30))))}]")
    return Evaluated(
        [] if condition else [text] * uses,
        [] if condition else [made],
        conditions=[text] * min(uses, 64) if condition else (),
    )


@attacks.family("audit", depth=(1, 250, 10), width=(1, 1000, 2), read=(0, 5, 0), uses=(1, 500, 1))
def eval_deep(depth, width, read, uses):
    """Maps and lists deep in one another, made by one expression."""
    text = "[" + ", ".join(str(i) for i in range(width)) + "]"
    for level in range(depth):
        text = f"{{'a{level}': {text}}}" if level % 2 else f"[{text}]"
    reads = [
        "{v} == {v}",
        "string({v}) != 'x' || true",
        "[{v}] == [{v}, {v}]",
        "{v} in [{v}]",
        "size({v}) > 0",
        "'%s'.format([{v}]) != ''",
    ]
    return Evaluated([reads[read].format(v="dyn(variables.v0)")] * uses, [text])


@attacks.family(
    "audit", width=(0, 100_000, 10), verb=(0, 8, 0), count=(1, 2000, 1), uses=(1, 300, 1), items=(1, 20_000, 1)
)
def eval_format(width, verb, count, uses, items):
    """format() with many clauses, and with a precision that asks for as much as may be."""
    verbs = [
        ("%s", "object.data['a']"),
        (f"%.{width}f", "1.5"),
        (f"%.{width}e", "1e300"),
        ("%x", "object.data['a']"),
        ("%b", "9223372036854775807"),
        ("%s", "variables.v0"),
        ("%X", "bytes(object.data['a'])"),
        ("%o", "123"),
        ("%d", "1"),
    ]
    clause, value = verbs[verb]
    text = f"'{clause * count}'.format([{', '.join([value] * count)}]) != ''"
    return Evaluated(
        [text] * uses,
        [f"object.data.map(k, k) + [{', '.join(repr(str(i)) for i in range(items))}]"],
        {"a": "b" * items},
    )


PATTERNS = [
    "(b*)*c",
    "(b|b)*c",
    "(b|bb)+$",
    "(b{{1,{n}}}){{1,9}}c",
    "^(b?){{{n}}}b{{{n}}}$",
    "(.*)(.*)(.*)(.*)c",
    "([a-y]*[b-z]*)*c",
    "(?i)(B+)+c",
    "b.{{0,{n}}}c",
    r"(\\pL+)+\\d",
]


@attacks.family(
    "audit", pattern=(0, len(PATTERNS) - 1, 0), n=(1, 999, 10), size=(1, 900_000, 100), uses=(1, 2000, 1), way=(0, 3, 0)
)
def eval_regexps(pattern, n, size, uses, way):
    """Patterns that take exponential time where matching goes back."""
    made = PATTERNS[pattern].replace("{{", "{").replace("}}", "}").replace("{n}", str(n))
    ways = [
        "object.data['a'].matches('{p}') || true",
        "object.data['a'].find('{p}') != 'x'",
        "object.data['a'].findAll('{p}').size() >= 0",
        "object.data['a'].matches(object.data['p']) || true",
    ]
    return Evaluated([ways[way].replace("{p}", made)] * uses, data={"a": "b" * size, "p": made.replace("\\\\", "\\")})


@attacks.family("audit", keys=(1, 60_000, 10), size=(0, 1000, 5), read=(0, 6, 0), uses=(1, 300, 1))
def eval_large(keys, size, read, uses):
    """An object that is as large as objects are."""
    reads = [
        "object.data.all(k, object.data[k] != 'x')",
        "object.data == object.data",
        "'x' in object.data",
        "object.data.map(k, k).isSorted() || true",
        "object.data.map(k, object.data[k]).distinct().size() > 0",
        "object.data.exists(k, k in object.data && false) || true",
        "object.data.transformMap(k, v, v + k).size() > 0",
    ]
    return Evaluated([reads[read]] * uses, data={f"k{i}": "v" * size for i in range(keys)})


# ---------------------------------------------------------------- the worst that are known

KNOWN = [
    ("a text split and joined again", "eval_grown", dict(depth=20, kind=4, read=11, start=100)),
    ("exists_one() five deep", "eval_nested", dict(depth=5, items=10, loop=4, body=3, uses=11)),
    ("a repetition of 200 places", "eval_regexps", dict(pattern=8, n=206, size=40_032, uses=4)),
    ("repetitions of repetitions", "eval_regexps", dict(pattern=3, n=20, size=4004, uses=30, way=1)),
    ("deep lists as a text", "eval_deep", dict(depth=100, width=1000, read=5, uses=30)),
    ("format() of octal numbers", "eval_format", dict(width=169, verb=7, count=681, uses=300, items=101)),
    ("a large object as another map", "eval_large", dict(keys=1651, size=651, read=6)),
]
