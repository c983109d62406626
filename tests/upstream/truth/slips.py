"""slips: policies made at random with slips that are certain, and with their innocent neighbours, for `claims`.

What policies.py makes, without its typos, and two to four more validations or match conditions: a test for a field, a
comparison with an operation, a kind, a constant or null, a validation that literals decide. Each is right or nearly
right by chance; the judge need not know which. The same seed gives the same policies.
"""

import random

import policies

TIMES = ["2024-02-29T23:59:59.999", "1969-12-31T00:00:00", "2023-01-01T12:00:00", "0001-06-30T11:59:59.5"]
OPERATIONS = ["CREATE", "UPDATE", "DELETE", "CONNECT", "create", "Update", "CREAT", "PATCH", "*", ""]


class Slips:
    """The expressions of one policy."""

    def __init__(self, maker, rng):
        self.maker, self.rng = maker, rng

    def nearly(self, name):
        """The name, or a slip of it."""
        if self.rng.random() < 0.4:
            return name
        i = self.rng.randrange(len(name))
        return self.rng.choice([name[:i] + name[i + 1 :] or "x", name + "s", name.lower(), name.upper(), name + "2"])

    def place(self):
        """(the parent's text, the name, its schema, guards that the parent is there)"""
        for _ in range(40):
            text, schema, prefixes = self.maker.path()
            parent, dot, name = text.rpartition(".")
            if dot and name.isidentifier() and "[" not in text:
                guards = [p for p in [*prefixes[1:]] if p.count(".") > 0]
                return parent, name, schema, [f"has({g})" for g in guards]
        return "object", "metadata", {}, []

    def behind(self, guards, text):
        """The text where its guards hold, or everywhere."""
        if not guards or self.rng.random() < 0.2:
            return text
        return self.rng.choice(["!({}) || ({})", "({}) && ({})"]).format(" && ".join(guards), text)

    def presence(self):
        parent, name, schema, guards = self.place()
        name = self.nearly(name)
        text = self.rng.choice(
            ["has({0}.{1})", "!has({0}.{1})", "'{1}' in {0}", "{0}.?{1}.hasValue()", "{0}[?'{1}'].hasValue()",
             "{0}.?{1}.orValue('x') == 'x'", "{0}.?{1} != optional.none()", "{0}.?{1} != null"]
        )  # fmt: skip
        return self.behind(guards, text.format(parent, name))

    def operation(self):
        one, other = self.rng.choice(OPERATIONS), self.rng.choice(OPERATIONS)
        text = self.rng.choice(
            ["request.operation == '{0}'", "request.operation != '{0}'", "request.operation in ['{0}', '{1}']",
             "!(request.operation in ['{0}'])", "['{0}', '{1}'].exists(o, o == request.operation)"]
        )  # fmt: skip
        return text.format(one, other)

    def kind(self, kind, resources, group):
        words = [
            ("object.kind", kind),
            ("request.kind.kind", kind),
            ("request.kind.group", group or "core"),
            ("request.kind.version", "v1"),
            ("request.resource.resource", resources[0]),
            ("request.resource.group", group or "core"),
            ("object.apiVersion", f"{group}/v1" if group else "v1"),
        ]
        text, value = self.rng.choice(words)
        value = self.rng.choice([self.nearly(value), self.nearly(value), value.rstrip("s"), "Gizmo"])
        return self.rng.choice(["{} == '{}'", "{} != '{}'", "{} in ['{}']"]).format(text, value)

    def constant(self):
        for _ in range(60):
            parent, name, schema, guards = self.place()
            if schema.get("type") == "string" and (schema.get("enum") or name.endswith(("olicy", "type", "tocol"))):
                break
        values = schema.get("enum") or ["Always", "Never", "TCP", "OnFailure", "Recreate", "ClusterIP", "Delete"]
        value = self.nearly(self.rng.choice([v for v in values if v] or ["a"]))
        text = self.rng.choice(["{0}.{1} == '{2}'", "{0}.{1} != '{2}'", "{0}.{1} in ['{2}', 'x']", "{0}.{1} == null"])
        return self.behind([*guards, f"has({parent}.{name})"], text.format(parent, name, value))

    def whole(self):
        parent, name, _, guards = self.place()
        one, other = self.presence(), self.operation()
        return self.rng.choice(
            [f"({one}) || true", f"({one}) && false", f"({other}) || !({other})", f"({one}) && !({one})",
             "'a' == 'a'", f"has({parent}.{name}) || !has({parent}.{name})", "object == null", "object != null",
             f"!has({parent}.{name}) || {parent}.{name} == {parent}.{name}", f"type({parent}) == map",
             f"size({parent}) >= 0", f"[1, 2].exists(i, i == 3) || ({one})"]
        )  # fmt: skip

    def relation(self):
        """Comparisons of one value, or of two."""
        for _ in range(60):
            parent, name, schema, guards = self.place()
            if schema.get("type") in ("string", "integer"):
                break
        one, other = f"{parent}.{name}", f"{parent}.{name}" if self.rng.random() < 0.9 else "object.metadata.name"
        if schema.get("type") != "integer" and self.rng.random() < 0.4:
            one, other = f"size({one})", self.rng.choice([f"size({other})", f"{other}.size()"])
        if schema.get("type") == "integer" or one.startswith("size("):
            operators, values = ["==", "!=", "<", "<=", ">", ">="], ["-1", "0", "1", "2", "3"]
        else:
            operators, values = ["==", "!="], ["'a'", "'b'", "''"]
        parts = [f"{x} {self.rng.choice(operators)} {self.rng.choice(values)}" for x in (one, other)]
        parts = [self.rng.choice(["{}", "{}", "!({})"]).format(p) for p in parts]
        text = self.rng.choice([" && ", " || "]).join(parts)
        return self.behind(guards, text)

    def repeated(self):
        """What is asked of one field, or of two, once more."""
        for _ in range(60):
            parent, name, schema, guards = self.place()
            if schema.get("type") in ("boolean", "string"):
                break
        asked = self.rng.choice(
            ["{}"] if schema.get("type") == "boolean" else ["{}.startsWith('a')", "{} in ['a', 'b']", "has({})"]
        )
        other = f"{parent}.{name}" if self.rng.random() < 0.9 else "object.metadata.name"
        parts = [asked.format(f"{parent}.{name}"), asked.format(other)]
        parts = [self.rng.choice(["{}", "!{}", "!({})", "{} == true", "{} == false"]).format(f"({p})") for p in parts]
        return self.behind(guards, self.rng.choice([" && ", " || "]).join(parts))

    def choice(self):
        """An expression that compares one field with a few strings."""
        for _ in range(60):
            parent, name, schema, guards = self.place()
            if schema.get("type") == "string" and schema.get("enum"):
                break
        values = [v for v in schema.get("enum") or ["a", "b", "c"] if v]
        parts = []
        for _ in range(self.rng.randrange(1, len(values) + 2)):
            some = self.rng.sample(values, self.rng.randrange(1, len(values) + 1))
            parts.append(self.rng.choice([f"== '{some[0]}'", f"!= '{some[0]}'", f"!= '{some[0]}'", f"in {some}"]))
        text = self.rng.choice([" && ", " || "]).join(f"{parent}.{name} {p}" for p in parts)
        return self.behind(guards, self.rng.choice(["{}", "{}", "!({})"]).format(text))

    def tests(self):
        """Two or three tests of one string."""
        for _ in range(60):
            parent, name, schema, guards = self.place()
            if schema.get("type") == "string":
                break
        texts = ["a", "b", "ab", "ba", ""]
        forms = ["{}.startsWith('{}')", "{}.endsWith('{}')", "{}.contains('{}')", "{} == '{}'", "{} != '{}'"]
        forms += ["{} in ['{}', 'aba']"]
        parts = [
            self.rng.choice(["{}", "!({})"]).format(
                self.rng.choice(forms).format(f"{parent}.{name}", self.rng.choice(texts))
            )
            for _ in range(self.rng.choice([2, 2, 3]))
        ]
        return self.behind(guards, self.rng.choice([" && ", " || "]).join(parts))

    def numbers(self):
        """What a call returns, compared with numbers at its limits."""
        for _ in range(60):
            parent, name, schema, guards = self.place()
            if schema.get("type") in ("string", "integer"):
                break
        is_int, field = schema.get("type") == "integer", f"{parent}.{name}"
        one, two = (f"timestamp('{t}Z')" for t in self.rng.sample(TIMES, 2))
        made = f"(has(object.metadata.labels) ? {one} : {two})"
        call, least, most = self.rng.choice(
            [
                (f"{field} % 3" if is_int else f"{field}.indexOf('a')", -2 if is_int else -1, 2),
                (f"{field} % -2" if is_int else f"size({field}) % 2", -1 if is_int else 0, 1),
                (f"{made}.getDayOfWeek()", 0, 6),
                (f"{made}.getMonth('+14:00')", 0, 11),
                (f"{made}.getDate()", 1, 31),
                (f"{made}.getHours()", 0, 23),
                (f"duration('{self.rng.randrange(100)}h').getHours()", 0, 23),
                (f"{field}.lastIndexOf('b')" if not is_int else f"{made}.getDayOfYear()", -1 if not is_int else 0, 365),
            ]
        )
        value, other = (self.rng.choice([least - 1, least, most, most + 1]) for _ in range(2))
        form = self.rng.choice(["{} == {}", "{} != {}", "{} < {}", "{} <= {}", "{} > {}", "{} >= {}", "{} in [{}, {}]"])
        return self.behind(guards, self.rng.choice(["{}", "{}", "!({})"]).format(form.format(call, value, other)))

    def spellings(self):
        """A string, or what a call makes of it, and a text that it may never have."""
        for _ in range(60):
            parent, name, schema, guards = self.place()
            if schema.get("type") == "string":
                break
        calls = ["", "lowerAscii", "upperAscii", "trim", "charAt(0)", "substring(0, 2)", "substring(1, 2)"]
        calls += ["replace('a', '-')", "replace('-', 'ab')", "split('-')[0]", "split('a')[0]", "split('')[0]"]
        call = self.rng.choice(calls)
        value = ".".join([parent, name, *([call if "(" in call else f"{call}()"] if call else [])])
        text = "".join(self.rng.choice("aAb- _.1") for _ in range(self.rng.randrange(1, 4)))
        form = self.rng.choice(
            [
                "{} == '{}'",
                "{} != '{}'",
                "{}.startsWith('{}')",
                "{}.endsWith('{}')",
                "{}.contains('{}')",
                "{} in ['x', '{}']",
            ]
        )
        return self.behind(guards, self.rng.choice(["{}", "{}", "!({})"]).format(form.format(value, text)))

    def format(self):
        parent, name, _, guards = self.place()
        clause = self.rng.choice(["%s", "%d", "%f", "%x", "%b"])
        return self.behind(guards, f"'{clause}'.format([{parent}.{name}]) != 'x'")

    def any(self, way):
        group, _, kind, resources, _ = way
        sort = self.rng.randrange(12)
        if sort >= 8:
            choices = [self.relation, self.repeated, self.choice, self.tests, self.numbers, self.spellings, self.format]
            return self.rng.choice(choices)()
        if sort < 3:
            return self.presence()
        if sort < 5:
            return self.constant() if self.rng.random() < 0.5 else self.operation()
        if sort < 6:
            return self.kind(kind, resources, group)
        if sort < 7:
            return self.whole()
        return f"{self.any(way)} {self.rng.choice(['&&', '||'])} {self.any(way)}"


def made(dump, count, seed):
    """count policies."""
    schemas = policies.Schemas(dump)
    ways = [way for way in policies.WAYS if way[3] != ["*"]]
    ways += [
        (group, version, kind, [plural], ["CREATE", "UPDATE"]) for group, version, kind, plural in schemas.custom()
    ]
    listed = []
    for i in range(count):
        rng = random.Random(f"slips/{seed}/{i}")
        way = rng.choice(ways)
        policy, maker = policies.make(rng, schemas, [way], f"slip-{seed}-{i}")
        maker.typos = maker.wrong = 0.0
        slips, spec = Slips(maker, rng), policy["spec"]
        if rng.random() < 0.7:  # nothing beside the slips
            spec["validations"] = []
            spec.pop("matchConditions", None)
        spec["validations"] += [{"expression": slips.any(way)} for _ in range(rng.randrange(2, 5))]
        if rng.random() < 0.3:
            expressions = [slips.any(way) for _ in range(rng.randrange(1, 3))]
            if rng.random() < 0.5:  # the parts of one expression, which may exclude each other
                expressions = slips.relation().split(" && ") if rng.random() < 0.5 else slips.choice().split(" && ")
            more = [{"name": f"s{n}", "expression": e} for n, e in enumerate(expressions)]
            spec["matchConditions"] = [*spec.get("matchConditions", []), *more]
        policy["metadata"]["name"] = f"slip-{seed}-{i}"
        listed.append(policy)
    return listed
