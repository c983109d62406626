"""Expressions with the values of their variables, by chance.

An expression is mostly well typed; what hides behind dyn is of any type, so that errors of evaluation are
frequent. No comprehension goes over a map of two entries: Go's order is another one each time.
"""

import random

import formats
import patterns
import quantities
import semvers
import urls

OBJECT = {
    "name": "web",
    "empty": "",
    "wide": "héllo wörld ✓",
    "count": 3,
    "zero": 0,
    "negative": -7,
    "big": 9223372036854775807,
    "ratio": 2.5,
    "whole": 2.0,
    "yes": True,
    "no": False,
    "nothing": None,
    "when": "2023-07-14T10:30:45.123Z",
    "span": "1h30m",
    "list": [1, 2, 3],
    "names": ["a", "bc", "a", "def"],
    "mixed": [1, "a", None, 2.5, [1], {"a": 1}],
    "none": [],
    "nested": [[1, 2], [], [3]],
    "one": {"a": 1},
    "bare": {},
    "two": {"a": "x", "b": "y"},
    "containers": [
        {"name": "a", "image": "r.io/a:1", "ports": [80, 443]},
        {"name": "b", "image": "b", "limits": {"cpu": "500m"}},
        {"image": "c:latest", "privileged": True},
    ],
}
INT_FIELDS = ["count", "zero", "negative", "big"]
STRING_FIELDS = ["name", "empty", "wide", "when", "span"]
LIST_FIELDS = ["list", "names", "mixed", "none", "nested", "containers"]
MAP_FIELDS = ["one", "bare", "two"]
ANY_FIELDS = sorted(OBJECT) + ["absent"]

ZONES = ["'UTC'", "'+05:30'", "'-08:00'", "'nowhere:1'"]
GETTERS = [
    "getFullYear",
    "getMonth",
    "getDate",
    "getDayOfMonth",
    "getDayOfWeek",
    "getDayOfYear",
    "getHours",
    "getMinutes",
    "getSeconds",
    "getMilliseconds",
]
DURATIONS = ["1h30m", "-1.5s", "0", "100ms", "2562047h", "90s", "1us"]
TIMES = [
    "2023-07-14T10:30:45.123Z",
    "1969-12-31T23:59:59Z",
    "2024-02-29T00:00:00+05:30",
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999999999Z",
    "2000-03-01T12:00:00-08:00",
]

SETS = ["[1, 2, 3]", "['a', 'b']", "[1u, 2u]", "[1.0, 2.5]", "[]", "[true]", "['a', 1]"]
ADDRESSES = [
    "1.2.3.4",
    "10.0.0.1",
    "127.0.0.1",
    "0.0.0.0",
    "255.255.255.255",
    "169.254.1.1",
    "224.0.0.1",
    "240.0.0.1",
    "::",
    "::1",
    "fe80::1",
    "FE80::00a",
    "ff02::1",
    "ff05::2",
    "2001:db8::",
    "2001:db8:0:0:1:0:0:1",
    "1:2:3:4:5:6:7:8",
    "::ffff:1.2.3.4",
    "64:ff9b::1.2.3.4",
    "1:2:3:4:5:6:1.2.3.4",
    "01.2.3.4",
    "1.2.3",
    "1.2.3.4.5",
    "1.2.3.256",
    "1..2.3",
    ".1.2.3",
    "1.2.3.4x",
    "",
    "a",
    ":",
    ":::",
    "1::2::3",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7::8",
    "12345::",
    "g::",
    "1:",
    "fe80::1%eth0",
    "fe80::1%",
    "%a",
    "1:2:3:4:5:6:7:1.2.3.4",
    "::1.2.3",
    "1:2:3:4:5:6:7::",
    "é",
    "0::0:0",
    "1:0:0:2:0:0:0:3",
    "::2:0:0:0",
]

DOUBLES = [
    "1_000",
    "1_0.5",
    "1e1_0",
    "0x_1p4",
    "0x1.8_8p-1",
    "1_",
    "_1",
    "1__0",
    "1_.5",
    "0x1_p0",
    "in_f",
    "-1_0",
    "1e400",
    "1e-400",
    ".5",
    "5.",
    "0x1",
    "+inf",
    "nan",
    "1e",
]
FORMATS = [
    "%s",
    "%s %s",
    "%d and %d",
    "%f",
    "%.2f %.0f",
    "%e",
    "%.12e",
    "%b %o",
    "%x %X",
    "100%% %s",
    "%.3",
    "%q",
    "%s%s%s",
    "none",
]


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.locals = []

    def pick(self, *choices):
        return self.random.choice(choices)

    def of(self, kind, depth):
        if depth <= 0 or self.random.random() < 0.15:
            return self.leaf(kind)
        if kind != "dyn" and self.random.random() < 0.12:
            return self.path()
        return getattr(self, kind)(depth - 1)

    def path(self):
        base = self.pick("object", *[name for name, _ in self.locals[-2:]])
        text = base
        if base == "object" or self.random.random() < 0.5:
            text += self.pick(".", ".", ".", ".?") + self.pick(*ANY_FIELDS)
        while self.random.random() < 0.35:
            text += self.pick(
                ".name",
                ".image",
                ".a",
                "[0]",
                "[5]",
                "['a']",
                "[?0]",
                ".?name",
                "[object.count]",
                "[object.zero]",
                "[0u]",
                "[1.0]",
                "[true]",
                "[object.?zero.orValue(1)]",
                "[?'b']",
                ".limits.cpu",
            )
        return text

    def leaf(self, kind):
        known = [name for name, k in self.locals if k == kind]
        if known and self.random.random() < 0.5:
            return self.pick(*known)
        r = self.random
        return {
            "int": lambda: self.pick(
                "object." + self.pick(*INT_FIELDS),
                str(r.randint(-5, 20)),
                "9223372036854775807",
                "-9223372036854775808",
            ),
            "uint": lambda: self.pick(f"{r.randint(0, 9)}u", "18446744073709551615u"),
            "double": lambda: self.pick(
                "1.5",
                "0.0",
                "-2.5",
                "1e20",
                "object.ratio",
                "3.0",
                "1e-7",
                "123456789.5",
                "double('NaN')",
                "double('inf')",
            ),
            "string": lambda: self.pick(
                "object." + self.pick(*STRING_FIELDS),
                "'a'",
                "'abc'",
                "''",
                "'héé'",
                r"'\ue000日\U000e0001'",
                "'web'",
                "'7'",
                "'-3.5'",
                "'true'",
                r"'a\nb'",
            ),
            "bytes": lambda: self.pick("b'abc'", "b''", r"b'\xff'", "bytes('é')"),
            "bool": lambda: self.pick("true", "false", "object.yes", "object.no"),
            "null": lambda: self.pick("null", "object.nothing"),
            "list": lambda: self.pick(
                "object." + self.pick(*LIST_FIELDS), "[]", "[1, 2]", "['a', 'b']", "[object.count]"
            ),
            "map": lambda: self.pick(
                "object." + self.pick(*MAP_FIELDS), "{}", "{'a': 1}", "{1: 'x'}", "{true: 1.5}", "{2u: 3}"
            ),
            "duration": lambda: f"duration('{self.pick(*DURATIONS)}')",
            "timestamp": lambda: f"timestamp('{self.pick(*TIMES)}')",
            "optional": lambda: self.pick("optional.none()", "object.?" + self.pick(*ANY_FIELDS), "optional.of(1)"),
            "type": lambda: self.pick(
                "int", "string", "list", "type", "google.protobuf.Timestamp", "null_type", "type(object.count)"
            ),
            "dyn": lambda: self.path(),
        }[kind]()

    ANY = [
        "int",
        "uint",
        "double",
        "string",
        "bytes",
        "bool",
        "null",
        "list",
        "map",
        "duration",
        "timestamp",
        "optional",
        "dyn",
        "dyn",
        "dyn",
    ]

    def any(self, depth):
        return self.of(self.pick(*self.ANY), depth)

    def range(self, depth):
        return self.pick(
            self.of("list", depth),
            self.of("list", depth),
            "object." + self.pick(*LIST_FIELDS),
            "object." + self.pick("one", "bare", "name", "nothing"),
            "{'a': 1}",
        )

    def within(self, kind, depth):
        name = "xyzvw"[len(self.locals) % 5]
        self.locals.append((name, self.pick("dyn", "int", "string")))
        body = self.of(kind, depth)
        self.locals.pop()
        return name, body

    def certain(self, d):
        """An optional to the type checker, too: cel-go panics where one that is dyn is an item."""
        return self.pick(self.leaf("optional"), f"optional.of({self.any(d)})")

    def ternary(self, kind, d):
        return f"({self.of('bool', d)} ? {self.of(kind, d)} : {self.of(kind, d)})"

    def int(self, d):
        return self.pick(
            lambda: f"({self.of('int', d)} {self.pick('+', '-', '*', '/', '%')} {self.of('int', d)})",
            lambda: f"-({self.of('int', d)})",
            lambda: f"size({self.of(self.pick('string', 'list', 'map', 'bytes', 'dyn'), d)})",
            lambda: f"{self.of(self.pick('string', 'list', 'map', 'bytes'), d)}.size()",
            lambda: f"int({self.of(self.pick('string', 'double', 'uint', 'duration', 'timestamp', 'dyn'), d)})",
            lambda: f"{self.of('timestamp', d)}.{self.pick(*GETTERS)}({self.pick('', '', self.pick(*ZONES))})",
            lambda: (
                f"{self.of('duration', d)}.{self.pick('getHours', 'getMinutes', 'getSeconds', 'getMilliseconds')}()"
            ),
            lambda: self.pick(quantities, semvers).number(self.random),
            lambda: self.ternary("int", d),
            lambda: f"{self.of('optional', d)}.orValue({self.of('int', d)})",
            lambda: (
                f"{self.of('string', d)}.{self.pick('indexOf', 'lastIndexOf')}({self.of('string', d)}{self.pick('', ', ' + self.of('int', d))})"
            ),
            lambda: f"{self.of('list', d)}.{self.pick('indexOf', 'lastIndexOf')}({self.any(d)})",
            lambda: f"{self.numbers(d)}.{self.pick('sum', 'min', 'max')}()",
            lambda: self.pick(f"{self.ip(d)}.family()", f"{self.cidr(d)}.prefixLength()"),
        )()

    def uint(self, d):
        return self.pick(
            lambda: f"({self.of('uint', d)} {self.pick('+', '-', '*', '/', '%')} {self.of('uint', d)})",
            lambda: f"uint({self.of(self.pick('string', 'double', 'int', 'dyn'), d)})",
            lambda: self.ternary("uint", d),
        )()

    def double(self, d):
        return self.pick(
            lambda: f"({self.of('double', d)} {self.pick('+', '-', '*', '/')} {self.of('double', d)})",
            lambda: f"double({self.of(self.pick('string', 'uint', 'int', 'dyn'), d)})",
            lambda: self.pick("double({})", "[{}].map(n, double(n))[0]").format(f"'{self.pick(*DOUBLES)}'"),
            lambda: f"-({self.of('double', d)})",
        )()

    def string(self, d):
        return self.pick(
            lambda: f"({self.of('string', d)} + {self.of('string', d)})",
            lambda: (
                f"string({self.of(self.pick('int', 'uint', 'double', 'bool', 'bytes', 'duration', 'timestamp', 'string', 'dyn'), d)})"
            ),
            lambda: f"{self.of('string', d)}.{self.pick('lowerAscii', 'upperAscii', 'trim')}()",
            lambda: f"string({self.pick(self.ip(d), self.cidr(d), 'dyn(' + self.ip(d) + ')')})",
            lambda: f"strings.quote({self.of('string', d)})",
            lambda: urls.part(self.random),
            lambda: self.pick(patterns.call(self.random, "find"), self.pattern("find", d)),
            lambda: f"{self.of('string', d)}.charAt({self.of('int', d)})",
            lambda: f"{self.of('string', d)}.substring({self.of('int', d)}{self.pick('', ', ' + self.of('int', d))})",
            lambda: (
                f"{self.of('string', d)}.replace({self.of('string', d)}, "
                f"{self.of('string', d)}{self.pick('', ', ' + self.of('int', d))})"
            ),
            lambda: f"{self.of(self.pick('list', 'dyn'), d)}.join({self.pick('', self.of('string', d))})",
            lambda: f"{self.of('string', d)}.split({self.of('string', d)}).join({self.of('string', d)})",
            lambda: (
                f'"{self.pick(*FORMATS)}".format([{", ".join(self.any(d) for _ in range(self.random.randint(1, 3)))}])'
            ),
            lambda: f'dyn("{self.pick(*FORMATS)}").format({self.of("list", d)})',
            lambda: self.ternary("string", d),
        )()

    def pattern(self, function, d):
        """Of any text; the pattern is a constant, or any text, too."""
        pattern = self.pick(
            patterns.literal(patterns.pattern(self.random, 3)),
            patterns.literal(patterns.pattern(self.random, 2)),
            self.of("string", d),
        )
        return (
            f"{self.pick(self.of('string', d), self.of('string', d), 'dyn(' + self.any(d) + ')')}.{function}({pattern})"
        )

    def address(self):
        return f"'{self.pick(*ADDRESSES)}{self.pick('', '', '/8', '/24', '/64', '/0', '/32', '/128', '/129', '/08', '/', '/a')}'"

    def ip(self, d):
        return self.pick(
            f"ip({self.address()})",
            f"ip({self.address()})",
            f"{self.cidr(d - 1)}.ip()" if d > 0 else "ip('::1')",
            f"ip({self.of('string', d - 1)})",
        )

    def cidr(self, d):
        return self.pick(
            f"cidr('{self.pick(*ADDRESSES)}/{self.random.randint(0, 33)}')",
            f"cidr({self.address()})",
            f"cidr('fe80::1/{self.random.randint(0, 128)}')",
            f"{self.cidr(d - 1)}.masked()" if d > 0 else "cidr('10.0.0.0/8')",
        )

    def numbers(self, d):
        return self.pick(
            "object.list",
            "object.none",
            "object.mixed",
            f"[{self.of('int', d)}, {self.of('int', d)}]",
            f"[{self.of('double', d)}, 2.5]",
            f"[{self.of('duration', d)}]",
            f"[{self.of('string', d)}, {self.of('string', d)}]",
            self.of("list", d),
            "[1u, 2u]",
        )

    def bytes(self, d):
        return self.pick(
            lambda: f"({self.of('bytes', d)} + {self.of('bytes', d)})", lambda: f"bytes({self.of('string', d)})"
        )()

    def null(self, d):
        return self.leaf("null")

    def type(self, d):
        return self.pick(lambda: f"type({self.any(d)})", lambda: self.leaf("type"))()

    def duration(self, d):
        return self.pick(
            lambda: f"({self.of('duration', d)} {self.pick('+', '-')} {self.of('duration', d)})",
            lambda: f"({self.of('timestamp', d)} - {self.of('timestamp', d)})",
            lambda: f"duration({self.of('string', d)})",
            lambda: f"-({self.of('duration', d)})",
        )()

    def timestamp(self, d):
        return self.pick(
            lambda: f"({self.of('timestamp', d)} {self.pick('+', '-')} {self.of('duration', d)})",
            lambda: f"({self.of('duration', d)} + {self.of('timestamp', d)})",
            lambda: f"timestamp({self.of(self.pick('string', 'int'), d)})",
        )()

    def optional(self, d):
        return self.pick(
            lambda: f"optional.of({self.any(d)})",
            lambda: f"optional.ofNonZeroValue({self.any(d)})",
            lambda: f"{self.of('map', d)}[?{self.of('string', d)}]",
            lambda: f"{self.of('list', d)}[?{self.of('int', d)}]",
            lambda: f"{self.of('optional', d)}.or({self.of('optional', d)})",
            lambda: f"{self.of('optional', d)}.?{self.pick('a', 'name')}",
            lambda: "{}.optMap({}, {})".format(self.of("optional", d), *self.within("dyn", d)),
            lambda: "{}.optFlatMap({}, {})".format(self.of("optional", d), *self.within("optional", d)),
        )()

    def bool(self, d):
        kind = self.pick("int", "uint", "double", "string", "bytes", "duration", "timestamp", "bool", "dyn")
        return self.pick(
            lambda: f"({self.of('bool', d)} {self.pick('&&', '||')} {self.of('bool', d)})",
            lambda: f"({self.of('bool', d)} {self.pick('&&', '||')} {self.of('bool', d)})",
            lambda: f"!({self.of('bool', d)})",
            lambda: f"({self.of(kind, d)} {self.pick('==', '!=', '<', '<=', '>', '>=')} {self.of(kind, d)})",
            lambda: f"({self.any(d)} {self.pick('==', '!=')} {self.path()})",
            lambda: f"({self.of('type', d)} == {self.of('type', d)})",
            lambda: f"({self.any(d)} in {self.of(self.pick('list', 'map', 'dyn'), d)})",
            lambda: f"({self.of(self.pick('string', 'int', 'dyn'), d)} in {self.pick(*SETS)})",
            lambda: f"has({self.path().rstrip(']').split('[')[0]}.{self.pick('name', 'a', 'absent')})",
            lambda: f"{self.of('string', d)}.{self.pick('startsWith', 'endsWith', 'contains')}({self.of('string', d)})",
            lambda: f"bool({self.of(self.pick('string', 'bool', 'dyn'), d)})",
            lambda: self.pick(patterns.call(self.random, "matches"), self.pattern("matches", d)),
            lambda: f"{self.of('optional', d)}.hasValue()",
            lambda: "{}.{}({}, {})".format(
                self.range(d), self.pick("all", "exists", "exists_one"), *self.within("bool", d)
            ),
            lambda: "{}.{}({}, {})".format(
                self.range(d), self.pick("all", "exists", "exists_one"), *self.within("bool", d)
            ),
            lambda: (
                f"{self.ip(d)}.{self.pick('isLoopback', 'isUnspecified', 'isGlobalUnicast', 'isLinkLocalUnicast', 'isLinkLocalMulticast')}()"
            ),
            lambda: (
                f"{self.pick('isIP', 'isCIDR', 'ip.isCanonical')}({self.pick(self.address(), self.address(), self.of('string', d))})"
            ),
            lambda: (
                f"{self.cidr(d)}.containsIP({self.pick(self.ip(d), self.address(), self.of('dyn', d), 'dyn(' + self.ip(d) + ')')})"
            ),
            lambda: (
                f"{self.cidr(d)}.containsCIDR({self.pick(self.cidr(d), self.address(), 'dyn(' + self.cidr(d) + ')')})"
            ),
            lambda: (
                f"({self.pick(self.ip(d), self.cidr(d))} {self.pick('==', '!=')} "
                f"{self.pick('dyn(' + self.any(d) + ')', 'dyn(' + self.ip(d) + ')', 'dyn(' + self.cidr(d) + ')')})"
            ),
            lambda: f"{self.numbers(d)}.isSorted()",
            lambda: self.pick(quantities, semvers, formats, urls).truth(self.random),
            lambda: (
                f"sets.{self.pick('contains', 'equivalent', 'intersects')}({self.numbers(d)}, {self.of('list', d)})"
            ),
            lambda: f"{self.any(d)}.includes({self.any(d)})",
            lambda: "{}.{}(k, {}, {})".format(
                self.range(d), self.pick("all", "exists", "existsOne"), *self.within("bool", d)
            ),
            lambda: self.ternary("bool", d),
        )()

    def list(self, d):
        return self.pick(
            lambda: (
                f"[{', '.join(self.any(d) if self.random.random() < 0.4 else self.of('dyn', d) for _ in range(self.random.randint(0, 3)))}]"
            ),
            lambda: f"[?{self.certain(d)}, {self.of('dyn', d)}]",
            lambda: f"({self.of('list', d)} + {self.of('list', d)})",
            lambda: "{}.map({}, {})".format(self.range(d), *self.within("dyn", d)),
            lambda: "{}.map({}, {})".format(self.range(d), *self.within("int", d)),
            lambda: "{}.filter({}, {})".format(self.range(d), *self.within("bool", d)),
            lambda: f"{self.of('string', d)}.split({self.of('string', d)}{self.pick('', ', ' + self.of('int', d))})",
            lambda: f"{self.of('list', d)}.{self.pick('distinct', 'reverse', 'flatten')}()",
            lambda: f"{self.numbers(d)}.{self.pick('sort', 'distinct', 'reverse')}()",
            lambda: self.pick(patterns.call(self.random, "findAll"), self.pattern("findAll", d)),
            lambda: f"{self.of('list', d)}.flatten({self.of('int', d)})",
            lambda: f"{self.of('list', d)}.slice({self.of('int', d)}, {self.of('int', d)})",
            lambda: f"lists.range({self.pick('3', '0', '-1', 'object.count', 'object.big')})",
            lambda: "object.{}.sortBy({}, {})".format(
                self.pick(*LIST_FIELDS), *self.within(self.pick("int", "string", "dyn"), d)
            ),
            lambda: "{}.transformList(k, {}, {})".format(self.range(d), *self.within("dyn", d)),
            lambda: self.ternary("list", d),
        )()

    def map(self, d):
        return self.pick(
            lambda: "{}.transformMap(k, {}, {})".format(self.range(d), *self.within("dyn", d)),
            lambda: "{}.transformMapEntry(k, {}, {{string(k): {}}})".format(self.range(d), *self.within("dyn", d)),
            lambda: f"{{{self.of('string', d)}: {self.any(d)}}}",
            lambda: f"{{?{self.of('string', d)}: {self.certain(d)}}}",
            lambda: f"{{{self.of(self.pick('int', 'bool', 'uint'), d)}: {self.any(d)}}}",
            lambda: self.ternary("map", d),
        )()

    def dyn(self, d):
        return self.pick(
            lambda: self.path(),
            lambda: self.path(),
            lambda: f"dyn({self.any(d)})",
            lambda: self.pick(self.ip(d), self.cidr(d)),
            lambda: self.pick(quantities, semvers, formats, urls).anything(self.random),
            lambda: f"{self.of('list', d)}[{self.of('int', d)}]",
            lambda: f"{self.of('map', d)}[{self.of('string', d)}]",
            lambda: f"{self.of('optional', d)}.orValue({self.any(d)})",
            lambda: f"{self.of('optional', d)}.value()",
            lambda: f"({self.of('bool', d)} ? {self.path()} : {self.path()}){self.pick('', '.name', '[0]')}",
            lambda: f"({self.path()} {self.pick('+', '-', '*', '<', '&&')} {self.path()})",
        )()


def cases(count, seed, limit=0.03):
    """{id, expr, values, limit}: of those with a limit many are over it."""
    for i in range(count):
        g = Generator(f"{seed}.{i}")
        case = {
            "id": f"{seed}.{i}",
            "expr": g.of(g.pick("bool", "bool", "bool", "dyn", "list", "string", "int"), g.random.randint(1, 5)),
            "values": {"object": OBJECT},
        }
        if g.random.random() < limit:
            case["limit"] = g.random.randint(0, 40)
        yield case
