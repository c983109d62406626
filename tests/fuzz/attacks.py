"""Hostile input, by family: policies, webhook configurations, definitions and YAML that cost as much as they can.

A family is a function of a few numbers that makes an Attack; each number has its range and a value to begin with.
The last validation of every policy here is certainly wrong (WRONG), so that a check that ends early without saying
so is noticed. KNOWN are the worst inputs that were ever found: (name, family, numbers).

    attack = attacks.make('doubling', depth=27, uses=1)
    attack.text          what kubectl-vapcheck check -f - reads
    attack.crds          how many CustomResourceDefinitions the cluster has
"""

import json

API = "admissionregistration.k8s.io/v1"
OBJECT_BYTES = 1_500_000  # what an API server takes
EXPRESSION_CHARACTERS = 100_000
WRONG = "object.spec.replicaz > 1"
WRONG_NAME = "replicaz"

ONE_TYPE = [{"apiGroups": ["apps"], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["deployments"]}]
ALL_TYPES = [{"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["*"], "resources": ["*"]}]


def compact(value):
    return json.dumps(value, separators=(",", ":"))


class Attack:
    command = "check"
    files = {}  # those of a folder that the command is given; else it reads the text

    def __init__(self, *objects, text=None, crds=0, is_full_only=False):
        self.objects = list(objects)
        self.text = text if text is not None else "".join(f"---\n{compact(o)}\n" for o in objects)
        self.crds = crds
        self.is_full_only = is_full_only  # scope upstream does not look where it is wrong
        self.is_policy = bool(objects) and objects[0]["kind"] == "ValidatingAdmissionPolicy"

    def fits(self):
        """Returns true if an API server would take each of its objects, or, of what is none, a text of this size."""
        if len(self.text) > OBJECT_BYTES * max(1, len(self.objects)):
            return False
        return all(len(compact(o)) <= OBJECT_BYTES for o in self.objects)


FAMILIES = {}


class Family:
    def __init__(self, make, numbers, command):
        self.make, self.numbers, self.command = make, numbers, command
        self.name = make.__name__

    def start(self):
        return {name: first for name, (_, _, first) in self.numbers.items()}


def family(command="check", **numbers):
    """numbers: name=(least, most, first)."""

    def add(make):
        FAMILIES[make.__name__] = Family(make, numbers, command)
        return make

    return add


def make(name, **numbers):
    f = FAMILIES[name]
    return f.make(**{**f.start(), **numbers})


# ---------------------------------------------------------------- objects


def policy(expressions=(), wide=0, crds=0, rules=None, is_wrong_inside=0, **spec):
    """One of these expressions, and the wrong one behind them unless it is in them. wide: about everything that is
    served."""
    validations = [{"expression": e} for e in expressions] + [{"expression": WRONG}] * (1 - is_wrong_inside)
    rules = rules or (ALL_TYPES if wide else ONE_TYPE)
    spec = {"matchConstraints": {"resourceRules": rules}, "validations": validations, **spec}
    return Attack(
        {"apiVersion": API, "kind": "ValidatingAdmissionPolicy", "metadata": {"name": "hostile"}, "spec": spec},
        crds=crds,
    )


def variables(expressions, first="v"):
    return [{"name": f"{first}{i}", "expression": e} for i, e in enumerate(expressions)]


def pieces(parts, joint, room=EXPRESSION_CHARACTERS - 1000):
    """The parts joined to expressions that are as long as expressions may be."""
    made, size = [[]], 0
    for part in parts:
        if made[-1] and size + len(part) + len(joint) > room:
            made.append([])
            size = 0
        made[-1].append(part)
        size += len(part) + len(joint)
    return [joint.join(some) for some in made if some]


# ---------------------------------------------------------------- values that variables share

DOUBLED = [  # (what v0 is, what each next one is of the one before)
    ("1", "[{v}, {v}]"),
    ("'a'", "{{{v}: {v}}}"),
    ("'a'", "{{'a': {v}, 'b': {v}}}"),
    ("'abcdefghij'", "{v} + {v}"),
    ("[1, 2]", "{v} + {v}"),
    ("'a'", "object.metadata.name == '{i}' ? {v} + 'x' : {v} + 'y'"),
    ("1", "object.metadata.name == '{i}' ? [{v}] : [{v}, {v}]"),
    ("1", "object.spec.replicas == {i} ? {v} + 1 : {v} * 2"),
    ("'abcdefghij'", "[{v}, {v}].join()"),
    ("[object.metadata.name]", "[{v}, {v}]"),
    ("{{object.metadata.name: 1}}", "{{'a': {v}, 'b': {v}, 'c': [{v}]}}"),
    ("[optional.of(1)]", "[{v}, {v}, optional.of({v})]"),
]
USES = [
    "size({v}) > 0",
    "{v} == {v}",
    "{v} in [{v}]",
    "[{v}, {w}] == [{w}, {v}]",
    'string({v}) == "a"',
    "{v} != null",
    "[{v}].exists(x, x == {v})",
    "{v} == {w} || {w} == {v}",
    "[1, 2].map(x, {v}) == [{v}, {v}]",
    "true || {v} == 1",
    "{v} + {v} != []",
    "sets.contains({v}, {v})",
    "{v}.map(x, x) == {v}",
    "dyn({v}) == 1",
    "type({v}) == list",
    "{v}.isSorted()",
    "sets.intersects([{v}], [{w}])",
    "{v}.flatten(3) == []",
    "{v}.distinct() == {v}",
    "object.metadata.name in {v}",
]


@family(depth=(1, 490, 8), kind=(0, len(DOUBLED) - 1, 0), uses=(1, 4000, 1), use=(0, len(USES) - 1, 0), wide=(0, 1, 0))
def doubling(depth, kind, uses, use, wide):
    """Each variable is made of the one before it, twice."""
    first, step = DOUBLED[kind]
    made = [first.replace("{{", "{").replace("}}", "}")]
    made += [step.format(v=f"variables.v{i - 1}", i=i) for i in range(1, depth + 1)]
    last = {"v": f"variables.v{depth}", "w": f"variables.v{depth - 1}"}
    return policy([USES[use].format(**last)] * uses, wide=wide, variables=variables(made))


READS = [
    "contains('{i}')",
    "matches('b{i}+c')",
    "startsWith('b{i}')",
    "indexOf('b{i}') > 0",
    "split('b{i}') == []",
    "replace('b{i}', 'cc') == ''",
    "lowerAscii() == 'b{i}'",
    "lastIndexOf('b{i}') > 1",
    "endsWith('b{i}')",
    "substring({n}) == ''",
    "find('b{i}') == ''",
    "findAll('b{i}') == []",
    "trim() == 'b{i}'",
    "charAt({n}) == ''",
    "reverse() == 'b{i}'",
]


@family(
    doublings=(1, 24, 6),
    start=(1, 80_000, 10),
    uses=(1, 20_000, 10),
    read=(0, len(READS) - 1, 0),
    needle=(0, 5000, 1),
    apart=(0, 1, 0),
    wide=(0, 1, 0),
)
def strings(doublings, start, uses, read, needle, apart, wide):
    """A long constant string that is read again and again."""
    made = [f"'{'a' * start}'"] + [f"variables.v{i} + variables.v{i}" for i in range(doublings)]
    calls = (f"variables.v{doublings}." + READS[read].format(i="a" * needle + f"b{i}", n=i) for i in range(uses))
    return policy(calls if apart else pieces(calls, " || ", 20_000), wide=wide, variables=variables(made))


# ---------------------------------------------------------------- many of the same

NAMED = [
    "object.a{i} == 1",
    "has(object.spec.a{i})",
    "object.spec.template.a{i} == 1",
    "variables.a{i} == 1",
    "a{i} == 1",
    'object.metadata.labels.a{i} == "x"',
    "request.a{i} == 1",
    "params.a{i} == 1",
    "object.?a{i}.orValue(1) == 1",
    "!has(object.spec.a{i}) || object.spec.a{i} == 1",
]


@family(
    count=(1, 20_000, 100),
    shape=(0, len(NAMED) - 1, 0),
    length=(1, 90_000, 8),
    room=(100, 99_000, 1000),
    wide=(0, 1, 0),
    crds=(0, 700, 0),
)
def names(count, shape, length, room, wide, crds):
    """Distinct names, most of which no type has."""
    made = (NAMED[shape].format(i=f"{i:x}".rjust(length, "n")) for i in range(count))
    return policy(pieces(made, " || ", room), wide=wide, crds=crds)


PLAIN = [
    "object.metadata.name != 'x{i}'",
    "object.spec.replicas < {i}",
    "!object.metadata.name.startsWith('x{i}')",
    "object.metadata.name.matches('^x{i}[a-z]+$')",
    "size(object.spec.template.spec.containers) != {i}",
    "object.spec.template.spec.containers.all(c, c.image != 'x{i}')",
    "has(object.metadata.labels) && 'x{i}' in object.metadata.labels",
    "!('x{i}' in object.metadata.?labels.orValue({{}}))",
    "quantity('{i}Mi').isGreaterThan(quantity('1Gi'))",
    "true",
    "variables.v0 == '{i}'",
]


@family(count=(1, 30_000, 100), shape=(0, len(PLAIN) - 1, 0), wide=(0, 1, 0), crds=(0, 700, 0))
def plain(count, shape, wide, crds):
    """Ordinary validations, thousands of them."""
    return policy(
        (PLAIN[shape].format(i=i) for i in range(count)),
        wide=wide,
        crds=crds,
        variables=variables(["object.metadata.name"]),
    )


@family(
    validations=(1, 200, 1), size=(1, 5000, 10), depth=(1, 12, 2), macro=(0, 5, 0), shared=(0, 1, 0), wide=(0, 1, 0)
)
def nested(validations, size, depth, macro, shared, wide):
    """Macros in macros over lists of literals."""
    word = ["all", "exists", "exists_one", "map", "filter", "all"][macro]
    values = f"[{', '.join(map(str, range(size)))}]"
    body = f"object.metadata.name != 'x'{''.join(f' && x{d} >= 0' for d in range(depth))}"
    for d in reversed(range(depth)):
        of = "variables.v0" if shared else values
        body = f"{of}.{word}(x{d}, {body})" + (" == []" if word in ("map", "filter") and d > 0 else "")
    body += " == []" if word in ("map", "filter") else ""
    return policy([body] * validations, wide=wide, variables=variables([values]))


TERMS = [
    ("object.metadata.name == 'x{i}'", " || "),
    ("object.metadata.name != 'x{i}'", " && "),
    ("{i}", " + "),
    ("'x{i}'", " + "),
    ("object.spec.replicas", " + "),
    ("[{i}]", " + "),
    ("has(object.spec.a{i})", " && "),
    ("!!object.spec.paused", " || "),
    ("object.spec.replicas == {i} ? {i}", " : "),
]


@family(terms=(1, 20_000, 50), shape=(0, len(TERMS) - 1, 0), validations=(1, 30, 1), inside=(0, 1, 0), wide=(0, 1, 0))
def long_expression(terms, shape, validations, inside, wide):
    """One operator, thousands of operands."""
    term, joint = TERMS[shape]
    text = joint.join(term.format(i=i) for i in range(terms)) + (" : 0" if joint == " : " else "")
    text = text if joint in (" || ", " && ") else f"({text}) != null"
    text = f"({text}) && {WRONG}" if inside and joint != " || " else f"{text} || {WRONG}" if inside else text
    return policy([text] * validations, wide=wide, is_wrong_inside=inside)


@family(count=(1, 5000, 50), uses=(1, 500, 1), shape=(0, 4, 0), inside=(0, 1, 0), wide=(0, 1, 0))
def many_variables(count, uses, shape, inside, wide):
    """Variables that use one another without growing."""
    step = [
        "{v} + 'x'",
        "object.metadata.name == 'x{i}' ? {v} : 'y{i}'",
        "{v}",
        "{v}.startsWith('a') ? {v} : {w}",
        "[{v}, 'a'].filter(x, x != 'b')[0]",
    ][shape]
    made = [f"object.metadata.name + string({WRONG})" if inside else "object.metadata.name"]
    made += [step.format(v=f"variables.v{i - 1}", w=f"variables.v{max(0, i - 2)}", i=i) for i in range(1, count + 1)]
    made = policy(
        [f"variables.v{max(0, count - i)} != 'x'" for i in range(uses)],
        wide=wide,
        is_wrong_inside=inside,
        variables=variables(made),
    )
    made.is_full_only = bool(inside)
    return made


@family(
    depth=(1, 240, 10), wide_of=(1, 5, 1), validations=(1, 400, 1), shape=(0, 3, 0), inside=(0, 1, 0), wide=(0, 1, 0)
)
def ternaries(depth, wide_of, validations, shape, inside, wide):
    """Nests of ?:, whose branches know more and more."""
    text = f"({WRONG} ? 1 : 2)" if inside else "1"
    for i in range(depth):
        guard = [
            "object.metadata.name == 'x{i}'",
            "has(object.spec.a{i})",
            "object.spec.replicas > {i}",
            "object.kind == 'K{i}'",
        ][shape].format(i=i)
        text = f"({guard} ? {text} : {i})"
        if len(text) > EXPRESSION_CHARACTERS / 2:
            break
    copies = min(wide_of, (EXPRESSION_CHARACTERS - 100) // len(text))
    return policy([" + ".join([text] * copies) + " > 0"] * validations, wide=wide, is_wrong_inside=inside)


@family(count=(1, 12_000, 100), size=(1, 500, 1), shape=(0, 4, 0), uses=(1, 200, 1), wide=(0, 1, 0))
def literals(count, size, shape, uses, wide):
    """A long list or map of constants, searched or compared."""
    values = [f"'{i:x}{'y' * size}'" for i in range(count)]
    listed = f"[{', '.join(values)}]"[: EXPRESSION_CHARACTERS - 1].rsplit(",", 1)[0] + ("]" if count > 1 else "")
    mapped = "{" + ", ".join(f"{v}: {v}" for v in values)[: EXPRESSION_CHARACTERS - 10].rsplit(", ", 1)[0] + "}"
    use = [
        "object.metadata.name in variables.v0",
        "variables.v0.exists(x, x == object.metadata.name)",
        "variables.v0 == variables.v0 && true",
        "variables.v0.all(x, variables.v0.exists(y, y == x))",
        "'z' in variables.v1 && variables.v1 == variables.v1",
    ][shape]
    return policy([use] * uses, wide=wide, variables=variables([listed, mapped]))


@family(branches=(1, 96, 4), uses=(1, 2000, 1), shape=(0, 4, 0), wide=(0, 1, 0))
def alternatives(branches, uses, shape, wide):
    """Values of which each can be one of several, put together."""
    made = [f"object.metadata.name == 'n{i}' ? {i} : {i + 1000}" for i in range(branches)]
    every = [f"variables.v{i}" for i in range(branches)]
    joined = [
        f"[{', '.join(every)}]",
        " + ".join(every),
        "{" + ", ".join(f"{v}: {v}" for v in every) + "}",
        " + ".join(f"string({v})" for v in every),
        f"[{', '.join(every)}].map(x, [{', '.join(every)}])",
    ][shape]
    return policy([f"{joined} == {joined} || {i} == 0" for i in range(uses)], wide=wide, variables=variables(made))


# ---------------------------------------------------------------- constants

REGEXPS = [
    "(a{{{n}}}){{{n}}}",
    "((a|b){{{n}}}c){{{m}}}",
    "(a*)*b{n}",
    "(x+x+)+y{n}",
    "[{c}]{{{n}}}",
    "({alt})+",
    "(((((a{{{m}}}){{{m}}}){{{m}}}){{{m}}}))",
    "\\\\p{{Han}}{{{n}}}",
    "(?i){c}{{{m}}}",
    "{open}a{close}",
]


@family(count=(1, 20_000, 10), n=(1, 1000, 10), shape=(0, len(REGEXPS) - 1, 0), subject=(0, 100, 1), wide=(0, 1, 0))
def regexps(count, n, shape, subject, wide):
    """Patterns that are large once they are written out, and read constants."""
    pattern = REGEXPS[shape].format(
        n=n,
        m=min(n, 10),
        c="a-zé-ü\\\\w" * 2,
        alt="|".join(f"a{i}" for i in range(n)),
        open="(" * min(n, 800),
        close=")" * min(n, 800),
    )
    of = f"'{'a' * subject}'" if subject else "object.metadata.name"
    return policy(pieces((f"{of}.matches('{pattern}{i}')" for i in range(count)), " || "), wide=wide)


CONSTANTS = [
    "quantity('{i}{z}')",
    "url('https://a.b/{i}{z}')",
    "ip('1.2.{m}.4')",
    "cidr('10.{m}.0.0/16')",
    "semver('1.{i}.{z}')",
    "timestamp('2024-01-01T00:00:{m}.{z}Z')",
    "duration('{i}h{z}ns')",
    "int('{z}{i}')",
    "b'{z}{i}'",
    "string(b'{z}')",
    "base64.encode(b'{z}{i}')",
    "base64.decode('{z}')",
    "'{f}'.format([{i}])",
    "'%s%d'.format(['{z}', {i}])",
    "sets.contains([{i}, 2], [{i}])",
    "format.dns1123Label().validate('{z}{i}')",
    "double('{z}{i}')",
    "['{z}', '{i}'].join('{z}')",
]


@family(count=(1, 20_000, 50), length=(1, 90_000, 4), shape=(0, len(CONSTANTS) - 1, 0), wide=(0, 1, 0))
def constants(count, length, shape, wide):
    """Constants that a library reads."""
    made = (
        f"{CONSTANTS[shape].format(i=i, m=i % 256, z='1' * length, f='%s' * max(1, length // 2))} != null"
        for i in range(count)
    )
    return policy(pieces(made, " || "), wide=wide)


# ---------------------------------------------------------------- what is printed

BROKEN = [
    "b{i}",
    "object.spec.a{i} > 1",
    "'a' + {i}",
    "1 == 'x{i}'",
    "{i}.",
    "(",
    "'",
    "a{i}(1)",
    "object.spec.replicas.x{i}",
    "[1, 'a'].b{i}",
]


@family(
    count=(1, 20_000, 20), shape=(0, len(BROKEN) - 1, 0), validations=(1, 500, 1), pad=(0, 90_000, 0), wide=(0, 1, 0)
)
def issues(count, shape, validations, pad, wide):
    """Expressions in which much is wrong, on lines that are long to print."""
    text = " || ".join(BROKEN[shape].format(i=i) for i in range(count)) + " " * pad
    return policy([text[:EXPRESSION_CHARACTERS]] * validations, wide=wide)


# ---------------------------------------------------------------- types


@family(
    rules=(1, 5000, 5),
    names=(1, 200, 2),
    validations=(1, 100, 1),
    excluded=(0, 5000, 0),
    shape=(0, 2, 0),
    crds=(0, 700, 100),
)
def resource_rules(rules, names, validations, excluded, shape, crds):
    """Rules about much that is served, said again and again, and taken away again."""

    def rule(i):
        resources = [
            ["*"],
            [f"r{j}" for j in range(names)],
            ["*/*", "deployments"] + [f"things{i + j}" for j in range(names)],
        ][shape]
        return {"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["*"], "resources": resources}

    made = policy(
        ["object.metadata.name != 'x'"] * validations, crds=crds, rules=[rule(i) for i in range(rules)] + ONE_TYPE
    )
    if excluded:
        made.objects[0]["spec"]["matchConstraints"]["excludeResourceRules"] = [
            {"apiGroups": ["x"], "apiVersions": ["*"], "operations": ["*"], "resources": [f"y{i}", "*/z"]}
            for i in range(excluded)
        ]
    return Attack(*made.objects, crds=crds)


@family(validations=(1, 4000, 10), shape=(0, 2, 0), crds=(0, 700, 100))
def wildcards(validations, shape, crds):
    """Every validation on every type."""
    text = [
        "object.metadata.name != 'x{i}'",
        "has(object.spec.a{i}) && object.spec.a{i} == {i}",
        "object.kind != 'K{i}' || object.spec.f{i} == 'x'",
    ][shape]
    return policy((text.format(i=i) for i in range(validations)), wide=1, crds=crds)


# ---------------------------------------------------------------- other objects

HEAVY = [
    "object.metadata.name != 'x{i}'",
    (
        "[1, 2, 3, 4, 5, 6, 7, 8, 9].all(a, [1, 2, 3, 4, 5, 6, 7, 8, 9].all(b, [1, 2, 3, 4, 5, 6, 7, 8, "
        "9].all(c, a + b + c != {i})))"
    ),
    "object.a{i} == 1",
    " || ".join(f"object.b{j}{{i}} == 1" for j in range(40)),
    (
        "[1, 2, 3, 4, 5, 6, 7, 8, 9].map(a, [1, 2, 3, 4, 5, 6, 7, 8, 9].map(b, [1, 2, 3, 4, 5, 6, 7, 8, "
        "9].map(c, [a, b, c, {i}]))) == []"
    ),
    "object.metadata.name.matches('((a{{100}}){{100}}){{9}}{i}')",
    "object.metadata.name in ['" + "', '".join("abcdefgh") + "', 'x{i}']",
    "object.metadata.name == 'x{i}' ? [[1, 2], [1, 2]] == [[1, 2], [1, 2]] : true",
]


@family(
    count=(1, 20_000, 100),
    conditions=(0, 64, 1),
    shape=(0, len(HEAVY) - 1, 0),
    mutating=(0, 1, 0),
    wide=(0, 1, 0),
    crds=(0, 700, 0),
)
def webhooks(count, conditions, shape, mutating, wide, crds):
    """One configuration of many webhooks."""

    def webhook(i):
        return {
            "name": f"w{i}.a.b",
            "admissionReviewVersions": ["v1"],
            "sideEffects": "None",
            "clientConfig": {"url": "https://a"},
            "rules": ALL_TYPES if wide else ONE_TYPE,
            "matchConditions": [
                {"name": f"c{j}", "expression": HEAVY[shape].format(i=i * 64 + j)} for j in range(conditions)
            ],
        }

    kind = ("Mutating" if mutating else "Validating") + "WebhookConfiguration"
    return Attack(
        {
            "apiVersion": API,
            "kind": kind,
            "metadata": {"name": "hostile"},
            "webhooks": [webhook(i) for i in range(count)],
        },
        crds=crds,
    )


RULES = [
    "self.f0.all(x, self.f1.all(y, x != y + '{i}'))",
    'self.f0.all(x, self.f0.all(y, self.f0.all(z, x + y + z != "{i}")))',
    "self.f{j}.size() < {i}",
    "self == oldSelf || self.f0.size() > {i}",
    "self.f0 + self.f1 == self.f2 + self.f3 || {i} == 0",
    "self.nothing{i} == 1",
]


def definition(schema, versions=1, name="things"):
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{name}.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"plural": name, "singular": "thing", "kind": "Thing", "listKind": "ThingList"},
            "versions": [
                {
                    "name": f"v{i + 1}",
                    "served": True,
                    "storage": i == 0,
                    "schema": {"openAPIV3Schema": {**schema, "description": f"version {i}"}},
                }
                for i in range(versions)
            ],
        },
    }


FIELDS = [
    {"type": "array", "items": {"type": "string"}},
    {"type": "string"},
    {"type": "integer"},
    {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}},
]


@family(
    rules=(1, 10_000, 10),
    nodes=(4, 30_000, 20),
    depth=(1, 60, 1),
    shape=(0, len(RULES) - 1, 0),
    messages=(0, 1, 0),
    field=(0, len(FIELDS) - 1, 0),
    everywhere=(0, 1, 0),
    versions=(1, 10, 1),
)
def crd_rules(rules, nodes, depth, shape, messages, field, everywhere, versions):
    """Rules of a definition whose schema is large or deep."""

    def rule(i):
        made = {"rule": RULES[shape].format(i=i, j=i % nodes)}
        return {**made, "messageExpression": f"'x' + self.f0.map(x, x).join('{i}')"} if messages else made

    spec = {
        "type": "object",
        "properties": {f"f{i}": FIELDS[field] for i in range(nodes)},
        "x-kubernetes-validations": [rule(i) for i in range(1 if everywhere else rules)],
    }
    for d in range(depth - 1):
        spec = {
            "type": "object",
            "properties": {f"n{d}": spec, "f0": FIELDS[0], "f1": FIELDS[0], "f2": FIELDS[0], "f3": FIELDS[0]},
        }
        if everywhere:
            spec["x-kubernetes-validations"] = [rule(i) for i in range(max(1, rules // depth))]
    return Attack(definition({"type": "object", "properties": {"spec": spec}}, versions))


@family(rules=(1, 3000, 10), depth=(1, 90, 2), shape=(0, 3, 0))
def crd_nest(rules, depth, shape):
    """Schemas deep in one another, with rules on each level."""
    leaf = {"type": "string"}
    for _ in range(depth):
        ruled = {
            "x-kubernetes-validations": [
                {"rule": f"size(self) < {i}", "messageExpression": f"'x' + string(size(self) + {i})"}
                for i in range(max(1, rules // depth))
            ]
        }
        leaf = [
            {"type": "array", "items": leaf, **ruled},
            {"type": "object", "additionalProperties": leaf, **ruled},
            {
                "type": "object",
                "properties": {"a": leaf, "b": {"type": "string"}},
                "x-kubernetes-validations": [{"rule": "self.b != 'x'"}] * max(1, rules // depth),
            },
            {"type": "array", "items": leaf, "maxItems": 3, **ruled},
        ][shape]
    return Attack(definition({"type": "object", "properties": {"spec": leaf}}))


@family(properties=(1, 40_000, 100), names=(1, 9000, 100), length=(1, 60, 8))
def crd_names(properties, names, length):
    """Rules that ask a schema of many properties for ones that it does not have."""
    schema = {
        "type": "object",
        "properties": {f"p{i:x}".ljust(length, "q"): {"type": "string"} for i in range(properties)},
    }
    made = pieces((f"self.q{i:x}{'r' * length} == 'x'" for i in range(names)), " || ", 2000)
    schema["x-kubernetes-validations"] = [{"rule": r} for r in made]
    return Attack(definition({"type": "object", "properties": {"spec": schema}}))


# ---------------------------------------------------------------- YAML


@family(count=(1, 120_000, 1000), shape=(0, 8, 0), size=(1, 1000, 1))
def yaml(count, shape, size):
    """Text whose anchors, aliases and keys are many."""
    key = "k" * size
    head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata:\n"
    if shape == 0:
        lines = [f"  {key}{i}: &a{i} x" for i in range(count)]
    elif shape == 1:
        lines = [f"  {key}{i}: &a{i} x\n  j{i}: *a{i}" for i in range(count)]
    elif shape == 2:
        lines = ["  base: &b {" + ", ".join(f"{key}{i}: 1" for i in range(count)) + "}", "  more:"] + [
            "    <<: *b"
        ] * size
    elif shape == 3:
        lines = [
            "  base: &b {" + ", ".join(f"k{i}: 1" for i in range(count)) + "}",
            "  more:",
            "    <<: [" + ", ".join(["*b"] * size) + "]",
        ]
    elif shape == 4:
        lines = ["  l0: &l0 [x, x]"] + [f"  l{i}: &l{i} [*l{i - 1}, *l{i - 1}]" for i in range(1, count)]
    elif shape == 5:
        lines = [f"  k{i}: &same x" for i in range(count)]
    elif shape == 6:
        lines = ["  x: " + "[" * min(count, 5000) + "]" * min(count, 5000)]
    elif shape == 7:
        lines = ["  x: {" + ", ".join(f"&a{i} k{i}: *a{i}" for i in range(count)) + "}"]
    else:
        lines = ["  base: &b {" + ", ".join(f"k{i}: 1" for i in range(count)) + "}"] + [
            f"  m{i}: {{<<: *b}}" for i in range(size)
        ]
    return Attack(text=head + "\n".join(lines) + "\n")


@family(objects=(1, 5000, 10), bindings=(0, 5000, 0), shape=(0, 1, 0))
def objects(objects, bindings, shape):
    """Many small objects in one stream."""
    made = [policy(["object.metadata.name != 'x'"]).objects[0] for _ in range(objects)]
    for i, p in enumerate(made):
        p["metadata"] = {"name": f"p{i}"}
    made += [
        {
            "apiVersion": API,
            "kind": "ValidatingAdmissionPolicyBinding",
            "metadata": {"name": f"b{i}"},
            "spec": {"policyName": f"p{i if shape else 0}", "validationActions": ["Deny"]},
        }
        for i in range(bindings)
    ]
    return Attack(*made)


@family(count=(1, 3000, 10), shape=(0, 3, 0), size=(1, 2000, 10))
def mutations(count, shape, size):
    """A MutatingAdmissionPolicy that makes much."""
    labels = "{" + ", ".join(f"'l{i}': 'x'" for i in range(size)) + "}"
    nest = "{" + "'a': {" * min(size, 100) + "'b': 'c'" + "}" * min(size, 100) + "}"
    apply = [
        f"Object{{metadata: Object.metadata{{labels: {labels}}}}}",
        f"Object{{metadata: Object.metadata{{annotations: {nest}}}}}",
        "[" + ", ".join(f"JSONPatch{{op: 'add', path: '/a{i}', value: {i}}}" for i in range(size)) + "]",
        '[JSONPatch{op: "test", path: "/a", value: [' + ", ".join("Object.spec{}" for _ in range(size)) + "]}]",
    ][shape]
    kind = (
        {"patchType": "JSONPatch", "jsonPatch": {"expression": apply}}
        if shape > 1
        else {"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": apply}}
    )
    return Attack(
        {
            "apiVersion": API,
            "kind": "MutatingAdmissionPolicy",
            "metadata": {"name": "hostile"},
            "spec": {
                "matchConstraints": {"resourceRules": ONE_TYPE},
                "reinvocationPolicy": "Never",
                "failurePolicy": "Fail",
                "mutations": [kind] * count,
            },
        }
    )


@family(count=(1, 4000, 10), shape=(0, 3, 0), wide=(0, 1, 0))
def places(count, shape, wide):
    """Conditions, messages and annotations in place of validations."""
    heavy = "[1, 2, 3].map(x, string(x) + object.metadata.name + '{i}').join('')"
    spec = [
        {
            "matchConditions": [
                {"name": f"c{i}", "expression": f"object.metadata.name != 'x{i}'"} for i in range(min(count, 64))
            ]
        },
        {"auditAnnotations": [{"key": f"k{i}", "valueExpression": heavy.format(i=i)} for i in range(count)]},
        {"variables": variables(heavy.format(i=i) for i in range(count))},
        {},
    ][shape]
    made = policy([f"object.metadata.name != 'y{i}'" for i in range(count)], wide=wide, **spec)
    for i, validation in enumerate(made.objects[0]["spec"]["validations"][:-1] if shape == 3 else []):
        validation["messageExpression"] = heavy.format(i=i)
    return Attack(*made.objects)


# ---------------------------------------------------------------- the worst that are known

KNOWN = [
    ("lists through variables", "doubling", dict(depth=27, use=10)),
    ("maps through variables", "doubling", dict(depth=26, kind=1)),
    ("shared lists compared", "doubling", dict(depth=16, use=1)),
    ("contains() on 655 KB", "strings", dict(doublings=3, start=81_919, uses=1900, needle=5)),
    ("contains() on 655 KB, all types", "strings", dict(doublings=3, start=81_919, uses=1900, needle=5, wide=1)),
    ("9,000 unknown names", "names", dict(count=9000, wide=1)),
    ("9,000 unknown names, 700 CRDs", "names", dict(count=9000, wide=1, crds=700)),
    ("5,000 webhooks", "webhooks", dict(count=5000)),
    ("500 heavy webhooks", "webhooks", dict(count=500, conditions=5, shape=1, wide=1)),
    ("250 large webhooks", "webhooks", dict(count=250, conditions=5, shape=3, wide=1)),
    ("costs of a definition, 1.2 MB", "crd_rules", dict(rules=1500, nodes=20_000, shape=1)),
    ("75,000 anchors", "yaml", dict(count=75_000)),
    ("merge keys", "yaml", dict(count=3000, shape=2, size=300)),
    ("a list of merge keys", "yaml", dict(count=3000, shape=3, size=300)),
    ("3,000 plain validations", "plain", dict(count=3000)),
    ("8 validations of nested all()", "nested", dict(validations=8, size=120)),
    ("an expression of 69 KB", "long_expression", dict(terms=2000, inside=1)),
    ("500 variables", "many_variables", dict(count=500, inside=1)),
    ("nested ternaries", "ternaries", dict(depth=200, validations=20)),
    ("long ternaries", "long_expression", dict(terms=1500, shape=8, inside=1)),
]

# What costs most now, of each family, as far as the search has come.
WORST = [
    ("doubled strings", "doubling", dict(depth=22, kind=3, use=1)),
    ("a doubled list mapped", "doubling", dict(depth=24, use=8)),
    ("alternatives doubled", "doubling", dict(depth=100, kind=5, use=3, uses=200)),
    ("all validations", "plain", dict(count=25_000, wide=1)),
    ("all validations, each a pattern", "plain", dict(count=18_000, shape=3)),
    ("nested macros, five deep", "nested", dict(validations=200, size=40, depth=5, shared=1)),
    ("the longest sum", "long_expression", dict(terms=16_000, shape=2, validations=10)),
    ("the longest chain of ?:", "long_expression", dict(terms=2500, shape=8, validations=15, wide=1)),
    ("variables of variables", "many_variables", dict(count=5000, uses=500, shape=3)),
    ("ternaries in one another", "ternaries", dict(depth=240, wide_of=5, validations=20, wide=1)),
    ("the longest list of constants", "literals", dict(count=9000, shape=3, uses=100)),
    ("alternatives put together", "alternatives", dict(branches=96, uses=500)),
    ("repetitions of repetitions", "regexps", dict(count=3000, n=1000)),
    ("patterns of many alternatives", "regexps", dict(count=150, n=1000, shape=5)),
    ("long quantities", "constants", dict(count=1000, length=1000)),
    ("format() of much", "constants", dict(count=100, length=10_000, shape=12)),
    ("thousands of errors", "issues", dict(count=5000, validations=15, wide=1)),
    ("rules that say the same", "resource_rules", dict(rules=5000, shape=2, crds=700)),
    ("exclusions", "resource_rules", dict(rules=1000, excluded=5000, crds=700)),
    ("4,000 validations on 700 types", "wildcards", dict(validations=4000, shape=1, crds=700)),
    ("heavy conditions of webhooks", "webhooks", dict(count=1000, conditions=4, shape=1)),
    ("rules on all levels", "crd_nest", dict(rules=3000, depth=80)),
    ("rules with messages", "crd_rules", dict(rules=3000, nodes=5000, shape=4, messages=1)),
    ("names that a definition does not have", "crd_names", dict(properties=20_000, names=9000)),
    ("mutations", "mutations", dict(count=100, size=500)),
    ("annotations", "places", dict(count=3000, shape=1, wide=1)),
    ("messages", "places", dict(count=3000, shape=3, wide=1)),
]
