"""Literals of every form, right and nearly right, and expressions that judge them."""

WORDS = ["", "a", "abc", "a b", "\u00e9", "\u65e5\u672c", "\U0001f600", "e\u0301", "\u200d", "%s", "^a+$", "10Gi", "1h"]
ESCAPES = [
    "\\n",
    "\\t",
    "\\\\",
    "\\'",
    '\\"',
    "\\`",
    "\\?",
    "\\a",
    "\\x41",
    "\\X41",
    "\\u00e9",
    "\\U0001F600",
    "\\101",
    "\\000",
    "\\xff",
    "\\377",
]
BAD_ESCAPES = [
    "\\z",
    "\\x4",
    "\\u12",
    "\\U00110000",
    "\\ud800",
    "\\U0000dfff",
    "\\400",
    "\\8",
    "\\18",
    "\\",
    "\\\n",
    "\\N",
    "\\uD83D\\uDE00",
]
INTS = [
    "0",
    "1",
    "2",
    "42",
    "-1",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "0x7fffffffffffffff",
    "0x8000000000000000",
    "-0x8000000000000000",
    "0xFF",
    "007",
    "0x",
    "1_000",
    "-9223372036854775809",
    "00",
    "0X1F",
]
UINTS = [
    "0u",
    "1u",
    "1U",
    "18446744073709551615u",
    "18446744073709551616u",
    "0xffu",
    "0xffffffffffffffffU",
    "0x1ffffffffffffffffu",
    "-1u",
    "1.0u",
]
DOUBLES = [
    "0.0",
    "1.5",
    "-1.5",
    "1e3",
    "1E-3",
    ".5",
    "-.5",
    "1.",
    "1e",
    "1e400",
    "1e-400",
    "4.9e-324",
    "1.7976931348623157e308",
    "1.8e308",
    "1.0e+5",
    "0.1e1f",
    "1.5.5",
    "1..2",
    "0x1p3",
    "1e0x",
]
DURATION_UNITS = ["h", "m", "s", "ms", "us", "\u00b5s", "\u03bcs", "ns", "d", "H", "", "S"]
TIMESTAMPS = [
    "2024-02-29T12:30:45Z",
    "2023-02-29T00:00:00Z",
    "2024-01-01T00:00:00.123456789+01:00",
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z",
    "2024-06-30T23:59:60Z",
    "2024-1-1T0:0:0Z",
    "2024-01-01 00:00:00Z",
    "2024-01-01T00:00:00",
]
REGEXPS = [
    "a",
    "b*",
    ".",
    "^",
    "$",
    "[a-z]",
    "[^\\d]",
    "[[:alpha:]]",
    "\\pL",
    "\\p{Greek}",
    "\\P{^Lu}",
    "(?i)",
    "(?:x|y)",
    "(?P<n>a)",
    "(?<n>a)",
    "(?P<n>b)",
    "x{2}",
    "x{2,}",
    "x{2,5}",
    "x{,5}",
    "x{1001}",
    "x{1000}",
    "\\b",
    "\\Q.*\\E",
    "\\x41",
    "\\x{10FFFF}",
    "\\x{110000}",
    "\\1",
    "\\8",
    "\\z",
    "\\Z",
    "\\C",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "*",
    "+",
    "?",
    "|",
    "**",
    "+?",
    "(?=a)",
    "(?!a)",
    "(?i-s:a)",
    "(?",
    "(?P<",
    "(?P<1a>x)",
    "\\",
    "[z-a]",
    "[a-\\d]",
    "[[:nope:]]",
    "\\pN",
    "\\p{Nope}",
    "(?U)",
    "\\A",
    "\\B",
    "\\07",
    "\\u0041",
    "\u65e5",
    "[\u65e5-\u672c]",
    "(?i:\u00e9)",
    "(?-)",
    "(?i-)",
    "(?--i)",
    "[]a]",
    "[^]a]",
    "[a",
    "\\pZ",
    "\\N{x}",
    "\\_",
    "\\-",
    "[\\w-]",
    "(a{10}){10}",
    "(?s).",
    "(?m)^",
]
FORMATS = [
    "%s",
    "%d",
    "%f",
    "%e",
    "%b",
    "%x",
    "%X",
    "%o",
    "%%",
    "%.3f",
    "%.e",
    "%.99f",
    "%5d",
    "%",
    "%z",
    "%.3s",
    "%v",
    "%.1000f",
    "%.-1f",
    "text",
    "% d",
    "%.3",
    "%S",
    "\u65e5%s",
    "%\u65e5",
    "%.3%",
]
FORMAT_ARGS = [
    "1",
    "1u",
    "1.5",
    "'s'",
    "b'y'",
    "true",
    "null",
    "[1, 2]",
    "{'a': 1}",
    "d",
    "i",
    "s",
    "duration('1s')",
    "ts",
    "type(1)",
    "optional.of(1)",
    "[1, 'a', 2.0]",
    "ip('::1')",
    "[[1], [d]]",
    "{1: d}",
    "dyn(1)",
    "wi",
    "o",
    "int",
    "a",
    "x",
    "-1",
    "[]",
    "{}",
    "pa",
]


class Literals:
    def __init__(self, rng):
        self.rng = rng

    def of(self, t):
        """A literal (or the shortest expression) of a plain type; None where there is none."""
        rng = self.rng
        odd = rng.random() < 0.06
        if t == "int":
            return rng.choice(INTS) if odd else str(rng.randrange(-3, 20))
        if t == "uint":
            return rng.choice(UINTS) if odd else f"{rng.randrange(20)}u"
        if t == "double":
            return rng.choice(DOUBLES) if odd else f"{rng.randrange(20)}.{rng.randrange(10)}"
        if t == "bool":
            return rng.choice(["true", "false"])
        if t == "null":
            return "null"
        if t == "string":
            return self.string() if odd else f"'{rng.choice(WORDS)}'"
        if t == "bytes":
            return "b" + self.string() if odd else f"b'{rng.choice(WORDS)}'"
        if t == "duration":
            return f"duration('{self.duration() if odd else '1h'}')"
        if t == "timestamp":
            return f"timestamp('{self.timestamp() if odd else TIMESTAMPS[0]}')"
        if t == "dyn":
            return f"dyn({rng.choice(INTS[:4] + DOUBLES[:2] + ['null', '[]'])})"
        return None

    def some(self):
        rng = self.rng
        return [rng.choice(INTS), rng.choice(UINTS), rng.choice(DOUBLES), self.string()]

    def character(self):
        rng = self.rng
        pick = rng.random()
        if pick < 0.6:
            return chr(rng.randrange(32, 127))
        if pick < 0.7:
            return chr(rng.randrange(0, 32))
        code = rng.choice(
            [
                rng.randrange(0x80, 0x800),
                rng.randrange(0x800, 0xD800),
                rng.randrange(0xE000, 0x10000),
                rng.randrange(0x10000, 0x110000),
            ]
        )
        return chr(code)

    def string(self):
        """A string literal, its prefix excluded or not."""
        rng = self.rng
        quote = rng.choice(["'", '"', "'''", '"""'])
        parts = []
        for _ in range(rng.randrange(5)):
            pick = rng.random()
            if pick < 0.35:
                parts.append(rng.choice(WORDS))
            elif pick < 0.65:
                parts.append(rng.choice(ESCAPES))
            elif pick < 0.72:
                parts.append(rng.choice(BAD_ESCAPES))
            elif pick < 0.92:
                character = self.character()
                parts.append(character if character not in "'\"\\\n\r" or rng.random() < 0.1 else ".")
            else:
                parts.append(
                    rng.choice(["\n", "\r", "\r\n", "'", '"', "''", '""', "\t", "\x00"])
                    if len(quote) == 3 or rng.random() < 0.1
                    else ""
                )
        prefix = rng.choice([""] * 6 + ["r", "R", "b", "B", "br", "rb", "Rb", "u", "f"])
        return f"{prefix}{quote}{''.join(parts)}{quote}"

    def duration(self):
        rng = self.rng
        if rng.random() < 0.15:
            return rng.choice(
                [
                    "",
                    "0",
                    "-",
                    "+",
                    "1",
                    ".s",
                    "1.s",
                    ".5s",
                    "-1h",
                    "+1h",
                    " 1s",
                    "1s ",
                    "9223372036854775807ns",
                    "9223372036854775808ns",
                    "315576000000s",
                    "315576000001s",
                    "2562047h47m16.854775807s",
                    "2562047h47m16.854775808s",
                    "-9223372036854775808ns",
                    "1e3s",
                ]
            )
        number = lambda: rng.choice(
            ["", "1", "0", "12", "1.5", ".5", "1.", "99999999999", "0.000000001", "1.123456789123456789"]
        )
        return rng.choice(["", "", "-", "+"]) + "".join(
            number() + rng.choice(DURATION_UNITS) for _ in range(rng.randrange(1, 4))
        )

    def timestamp(self):
        rng = self.rng
        text = rng.choice(TIMESTAMPS)
        if rng.random() < 0.3:
            text = "%04d-%02d-%02dT%02d:%02d:%02d%s%s" % (
                rng.choice([0, 1, 1900, 2000, 2023, 2024, 9999]),
                rng.randrange(0, 14),
                rng.randrange(0, 33),
                rng.randrange(0, 26),
                rng.randrange(0, 62),
                rng.randrange(0, 62),
                rng.choice(["", ".1", ".", ",5", ".1234567890123"]),
                rng.choice(["Z", "z", "+00:00", "-23:59", "+24:00", "+1:00", "+0100", "", "-00:60"]),
            )
        if rng.random() < 0.5:
            at = rng.randrange(len(text))
            text = (
                text[:at]
                + rng.choice(["", " ", "0", "9", "-", ":", "T", "t", ".", "+", "\u0661"])
                + text[at + rng.randrange(2) :]
            )
        return text

    def regexp(self):
        rng = self.rng
        text = "".join(rng.choice(REGEXPS) for _ in range(rng.choice([1, 1, 2, 2, 3, 4, 6])))
        if rng.random() < 0.3:
            text = f"({text})" + rng.choice(["", "*", "+", "?", "{2}", "{3,}", "{2,1}", "{50}"])
        return text

    def raw(self, text):
        """`text` in quotes, most often as it is."""
        if "'" in text or "\n" in text or self.rng.random() < 0.2:
            return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
        return f"r'{text}'" if "\\" in text else f"'{text}'"

    def elements(self):
        rng = self.rng
        return ", ".join(rng.choice(FORMAT_ARGS) for _ in range(rng.randrange(4)))

    def expression(self):
        rng = self.rng
        pick = rng.randrange(12)
        if pick == 0:
            return f"duration({self.raw(self.duration())})"
        if pick == 1:
            return f"timestamp({self.raw(self.timestamp())})"
        if pick < 5:
            text = self.raw(self.regexp())
            return rng.choice(
                [
                    f"s.matches({text})",
                    f"matches('a', {text})",
                    f"'x'.find({text})",
                    f"[{text}].all(x, 'a'.matches(x))",
                    f"'a'.matches({text}) && 'b'.matches({self.raw(self.regexp())})",
                ]
            )
        if pick < 7:
            text = self.raw("".join(rng.choice(FORMATS) for _ in range(rng.choice([1, 1, 2, 3]))))
            return rng.choice(
                [f"{text}.format([{self.elements()}])"] * 6
                + [
                    f"{text}.format(d)",
                    f"({text} + s).format([1])",
                    f"{text}.format()",
                    f"{text}.format([1].map(x, x))",
                    f"s.format([{self.elements()}])",
                ]
            )
        if pick == 7:
            return f"[{self.elements()}]" + rng.choice(["", "", "[0]", ".size()", " == []", ".all(x, x == 1)"])
        if pick == 8:
            entries = ", ".join(
                f"{rng.choice(FORMAT_ARGS)}: {rng.choice(FORMAT_ARGS)}" for _ in range(rng.randrange(4))
            )
            return "{" + entries + "}" + rng.choice(["", "", "['a']", ".size()"])
        if pick == 9:
            return rng.choice(INTS + UINTS + DOUBLES) + rng.choice(["", "", " + 1", ".a", "u", "x", " 1"])
        if pick == 10:
            return (
                rng.choice(["timestamp(%s)", "duration(%s)", "int(%s)", "%s.format([1])", "'a'.matches(%s)", "%s"])
                % self.string()
            )
        return self.string() + rng.choice(["", "", " + s", " == b", ".size()", " " + self.string()])
