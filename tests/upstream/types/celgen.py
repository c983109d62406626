"""Generates expressions: by type, by grammar, as mutations of others, and at random."""

import os
import re
import sys

import celliterals
import celtypes
import celvars

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from celwords import RESERVED

DECLARATIONS = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "golden", "decls")

# Operator -> its place in the ladder of precedences, loosest first.
BINARY = {
    "_||_": 1,
    "_&&_": 2,
    "_==_": 3,
    "_!=_": 3,
    "_<_": 3,
    "_<=_": 3,
    "_>_": 3,
    "_>=_": 3,
    "@in": 3,
    "_+_": 4,
    "_-_": 4,
    "_*_": 5,
    "_/_": 5,
    "_%_": 5,
}
TERNARY, UNARY, MEMBER = 0, 6, 7
SYMBOL = {name: "in" if name == "@in" else name.strip("_") for name in BINARY}

MACROS = [
    "all",
    "exists",
    "exists_one",
    "existsOne",
    "map",
    "filter",
    "optMap",
    "optFlatMap",
    "sortBy",
    "transformList",
    "transformMap",
    "transformMapEntry",
    "has",
    "cel.bind",
    "bind",
    "sort_by",
]
TYPE_NAMES = [
    "int",
    "uint",
    "double",
    "bool",
    "string",
    "bytes",
    "list",
    "map",
    "null_type",
    "type",
    "dyn",
    "optional_type",
    "google.protobuf.Timestamp",
    "google.protobuf.Duration",
    "google.protobuf.Any",
    "google.protobuf.Int64Value",
    "google.protobuf.Struct",
    "google.protobuf.Value",
    "google.protobuf.ListValue",
    "google.protobuf.NullValue",
    "net.IP",
    "net.CIDR",
    "kubernetes.Quantity",
    "kubernetes.URL",
    "Widget",
    "Widget.spec",
    "Gadget",
    ".int",
    ".google.protobuf.BoolValue",
    "google.api.expr.v1alpha1.Expr",
    "google.protobuf.Empty",
    "google.protobuf.FieldMask",
    "kubernetes.authorization.Decision",
]
TOKENS = [
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "in",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    ".",
    ",",
    "-",
    "!",
    "?",
    ":",
    "+",
    "*",
    "/",
    "%",
    "&&",
    "||",
    "true",
    "false",
    "null",
    "1",
    "2u",
    "0x1F",
    "1.5",
    ".5",
    "1e3",
    "'s'",
    '"t"',
    "r'\\'",
    "b'x'",
    "'''m'''",
    "=",
    "&",
    "|",
    "#",
    "`",
    "`a.b`",
    "$",
    "@",
    ";",
    "\\",
    "'",
    '"',
    "//c\n",
    ".?",
    "[?",
    "{?",
    "\u00e9",
    "\u65e5",
    "\U0001f600",
    "\u200d",
    "\ufeff",
    "\u00a0",
    "\u2028",
    "\t",
    "\n",
    "\r\n",
    "\f",
    "\x00",
    "\x7f",
]
TOKEN = re.compile(
    r'''[rRbB]{0,2}(?:"""(?:[^\\]|\\.)*?"""|\'\'\'(?:[^\\]|\\.)*?\'\'\'|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')'''
    r"|[A-Za-z_]\w*|0x[0-9a-fA-F]+u?|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?u?|==|!=|<=|>=|&&|\|\||\s+|.",
    re.S,
)

# Names that qualified ones begin with, or a type's: as variables of comprehensions they hide those, or do not.
HIDING = ["a", "google", "net", "list", "int", "Widget", "object"]

BLANKS = ["", "", " ", " ", "  ", "\n", "\r\n", "\t", "\f", " // c\n", "//\u65e5\n", "\n\n"]


class Functions:
    """The overloads of a compatibility version."""

    def __init__(self, level):
        self.overloads = []
        self.by_result = {}
        for minor in range(30, max(level, 30) + 1):
            with open(os.path.join(DECLARATIONS, f"1.{minor}.txt")) as lines:
                self.overloads += [celtypes.parse_signature(line.lstrip("~").rstrip("\n")) for line in lines]
        self.names = sorted({name for name, *_ in self.overloads if name not in BINARY and "@" not in name})
        self.callable = [o for o in self.overloads if "@" not in o[0] or o[0] == "@in"]

    def resulting(self, t):
        """[(overload, bindings)] of those whose result can be `t`."""
        found = self.by_result.get(t)
        if found is None:
            found = []
            for overload in self.callable:
                bindings = {}
                if celtypes.unify(overload[3], t, bindings):
                    # what fits every type would crowd out the rest
                    found += [(overload, bindings)] * (1 if overload[3][0] == "param" else 3)
            self.by_result[t] = found
        return found


class Generator:
    def __init__(self, rng, functions):
        self.rng = rng
        self.functions = functions
        self.literals = celliterals.Literals(rng)
        self.recent = ["o.spec.x == 1"]
        self.types = {}
        self.wrong = 0.0
        self.layout = 0

    def expression(self, variables, seeds):
        """(class, text): one expression over `variables`; `seeds` are others to make mutations of."""
        pick = self.rng.random()
        self.layout = 0 if self.rng.random() < 0.85 else self.rng.randrange(1, 3)
        if pick < 0.46:
            what, text = "typed", self.typed_expression(variables)
        elif pick < 0.62:
            what, text = "untyped", self.untyped_expression(variables)
        elif pick < 0.72:
            what, text = "literal", self.literals.expression()
        elif pick < 0.86:
            what, text = "mutated", self.mutation(seeds)
        elif pick < 0.90:
            what, text = "misspelled", self.misspelled(variables)
        elif pick < 0.95:
            what, text = "tokens", self.soup(variables)
        elif pick < 0.985:
            what, text = "noise", self.noise()
        else:
            what, text = "shape", self.shape(variables)
        if len(text) < 2000:
            self.recent.append(text)
            if len(self.recent) > 3000:
                self.recent = self.recent[1500:]
        return what, text

    # ------------------------------------------------------------ layout

    def space(self, usual=" "):
        if self.layout == 0:
            return usual
        return "" if self.layout == 1 and usual != " " else self.rng.choice(BLANKS) if self.layout == 2 else " "

    def enclosed(self, text, level, least):
        if level >= least and self.rng.random() > 0.03:
            return text
        return f"({self.space('')}{text}{self.space('')})" if level >= least or self.rng.random() > 0.01 else text

    # ------------------------------------------------------------ by type

    def typed_expression(self, variables):
        rng = self.rng
        self.wrong = rng.choice([0, 0, 0, 0, 0.02, 0.1, 0.3])
        scope = list(variables.types.items())
        wanted = (
            "bool" if rng.random() < 0.5 else rng.choice(scope)[1] if rng.random() < 0.5 else celvars.random_type(rng)
        )
        return self.typed(wanted, scope, rng.choice([1, 2, 2, 3, 3, 3, 4, 4, 5, 6]))[0]

    def typed(self, wanted, scope, depth):
        """(text, level) of an expression of the type `wanted`, as a rule."""
        rng = self.rng
        if rng.random() < self.wrong:
            wanted = rng.choice(scope)[1] if rng.random() < 0.5 else celvars.random_type(rng)
        if depth <= 0 or rng.random() < 0.1:
            return self.leaf(wanted, scope)
        pick = rng.random()
        if pick < 0.45:
            found = self.functions.resulting(wanted)
            if found:
                overload, bindings = rng.choice(found)
                return self.call(overload, dict(bindings), scope, depth - 1)
        if pick < 0.65:
            return self.macro(wanted, scope, depth - 1)
        if pick < 0.75:
            field = self.field(wanted, scope)
            if field:
                return field, MEMBER
        if pick < 0.85:
            a, b, c = (
                self.enclosed(*self.typed(t, scope, depth - 1), least)
                for t, least in (("bool", 1), (wanted, 1), (wanted, 0))
            )
            return f"{a}{self.space()}?{self.space()}{b}{self.space()}:{self.space()}{c}", TERNARY
        return self.aggregate(wanted, scope, depth)

    def leaf(self, wanted, scope):
        rng = self.rng
        names = [name for name, t in scope if t == wanted]
        if names and rng.random() < 0.7:
            return rng.choice([""] * 30 + ["."]) + rng.choice(names), MEMBER
        if isinstance(wanted, str):
            text = self.literals.of(wanted)
            if text:
                return text, UNARY if text.startswith("-") else MEMBER
        elif wanted[0] == "list":
            return ("[]" if rng.random() < 0.2 else f"[{self.leaf(wanted[1], scope)[0]}]"), MEMBER
        elif wanted[0] == "map":
            return (
                "{}"
                if rng.random() < 0.2
                else f"{{{self.leaf(wanted[1], scope)[0]}: {self.leaf(wanted[2], scope)[0]}}}"
            ), MEMBER
        elif wanted[0] == "optional":
            return (
                "optional.none()" if rng.random() < 0.3 else f"optional.of({self.leaf(wanted[1], scope)[0]})"
            ), MEMBER
        elif wanted[0] == "wrapper":
            return self.leaf(rng.choice([wanted[1], "null"]), scope)
        elif wanted[0] == "type":
            return f"type({self.leaf(wanted[1], scope)[0]})", MEMBER
        elif wanted[0] in ("object", "opaque"):
            makers = {
                "net.IP": "ip('::1')",
                "net.CIDR": "cidr('10.0.0.0/8')",
                "kubernetes.Quantity": "quantity('1Gi')",
                "kubernetes.URL": "url('https://h/p?q=1')",
                "kubernetes.Semver": "semver('1.2.3')",
                "kubernetes.NamedFormat": "format.date()",
            }
            if wanted[1] in makers:
                return makers[wanted[1]], MEMBER
        if rng.random() < 0.5:
            return f"dyn({self.literals.of('int')})", MEMBER
        return rng.choice(scope)[0], MEMBER

    def aggregate(self, wanted, scope, depth):
        rng = self.rng
        if isinstance(wanted, str):
            return self.leaf(wanted, scope) if rng.random() < 0.5 else self.indexed(wanted, scope, depth)
        if wanted[0] == "list":
            return "[" + f",{self.space()}".join(
                self.element("", wanted[1], scope, depth) for _ in range(rng.randrange(4))
            ) + rng.choice(["]"] * 9 + [",]"]), MEMBER
        if wanted[0] == "map":
            entries = [
                self.element(self.typed(wanted[1], scope, depth - 2)[0] + ":" + self.space(), wanted[2], scope, depth)
                for _ in range(rng.randrange(4))
            ]
            return "{" + f",{self.space()}".join(entries) + "}", MEMBER
        if wanted[0] == "optional":
            pick = rng.random()
            if pick < 0.3:
                source = self.typed(
                    rng.choice([("map", "string", wanted[1]), ("list", wanted[1]), "dyn"]), scope, depth - 1
                )
                index = self.typed(rng.choice(["int", "string"]), scope, 0)[0]
                return f"{self.enclosed(*source, MEMBER)}[?{index}]", MEMBER
            if pick < 0.5:
                field = self.field(wanted[1], scope)
                if field and "." in field:
                    head, _, tail = field.rpartition(".")
                    return f"{head}.?{tail}", MEMBER
        return self.indexed(wanted, scope, depth)

    def element(self, key, t, scope, depth):
        if self.rng.random() < 0.07:
            return "?" + key + self.typed(("optional", t), scope, depth - 1)[0]
        return key + self.typed(t, scope, depth - 1)[0]

    def indexed(self, wanted, scope, depth):
        rng = self.rng
        key = rng.choice(["int", "string", "bool"])
        if rng.random() < 0.5:
            source, key = ("list", wanted), "int"
        else:
            source = ("map", key, wanted)
        text = self.enclosed(*self.typed(source, scope, depth - 1), MEMBER)
        return f"{text}[{self.typed(key, scope, 1)[0]}]", MEMBER

    def call(self, overload, bindings, scope, depth):
        name, receiver, params, _ = overload
        any_type = lambda: self.rng.choice(scope)[1] if self.rng.random() < 0.6 else celvars.random_type(self.rng, 1)
        args = [celtypes.substitute(p, bindings, any_type) for p in ([receiver] if receiver else []) + params]
        if name in BINARY:
            level = BINARY[name]
            left = self.enclosed(*self.typed(args[0], scope, depth), level)
            right = self.enclosed(*self.typed(args[1], scope, depth), level + 1)
            return f"{left}{self.space()}{SYMBOL[name]}{self.space()}{right}", level
        texts = [self.typed(arg, scope, depth) for arg in args]
        if name == "_?_:_":
            return "%s ? %s : %s" % tuple(self.enclosed(text, level, 1) for text, level in texts), TERNARY
        if name in ("!_", "-_"):
            return name[0] * self.rng.choice([1, 1, 1, 2, 3]) + self.enclosed(*texts[0], MEMBER), UNARY
        if name in ("_[_]", "_[?_]"):
            return f"{self.enclosed(*texts[0], MEMBER)}{name[1:-2]}{texts[1][0]}]", MEMBER
        if name == "_?._":
            return f"{self.enclosed(*texts[0], MEMBER)}.?{self.rng.choice(['spec', 'a', 'b', 'size'])}", MEMBER
        if self.rng.random() < self.wrong:
            texts = texts[:-1] if self.rng.random() < 0.5 else texts + [self.leaf("int", scope)]
        plain = [t for t, _ in texts]
        if receiver and texts:
            return (
                f"{self.enclosed(*texts[0], MEMBER)}{self.space('')}.{name}({(',' + self.space()).join(plain[1:])})",
                MEMBER,
            )
        return f"{name}({(',' + self.space()).join(plain)})", MEMBER

    def macro(self, wanted, scope, depth):
        rng = self.rng
        element = rng.choice(scope)[1] if rng.random() < 0.5 else celvars.random_type(rng, 1)
        key = "string"
        if rng.random() < 0.6:
            source, key = ("list", element), "int"
        else:
            source = ("map", key, element)
        x, y = rng.sample(["x", "y", "k", "v", "i", "s", "e", "o", "type"] + HIDING, 2)
        one = scope + [(x, element if source[0] == "list" else key)]
        two = scope + [(x, key), (y, element)]

        def text(t, inner, least=0):
            return self.enclosed(*self.typed(t, inner, depth), least)

        if wanted == "bool":
            if rng.random() < 0.2:
                field = self.field(None, scope)
                return (f"has({field})" if field else "true"), MEMBER
            if rng.random() < 0.6:
                return f"{text(source, scope, MEMBER)}.{rng.choice(MACROS[:3])}({x}, {text('bool', one)})", MEMBER
            return f"{text(source, scope, MEMBER)}.{rng.choice(MACROS[:4])}({x}, {y}, {text('bool', two)})", MEMBER
        if wanted[0] == "list":
            pick = rng.random()
            if pick < 0.25:
                inner = scope + [(x, wanted[1])]
                what = rng.choice(["filter", "sortBy"])
                t = "bool" if what == "filter" else rng.choice(["int", "string", "double", "duration", "bool", "dyn"])
                return f"{text(wanted, scope, MEMBER)}.{what}({x}, {text(t, inner)})", MEMBER
            condition = f"{text('bool', one)}, " if rng.random() < 0.3 else ""
            if pick < 0.65:
                return f"{text(source, scope, MEMBER)}.map({x}, {condition}{text(wanted[1], one)})", MEMBER
            condition = f"{text('bool', two)}, " if condition else ""
            return f"{text(source, scope, MEMBER)}.transformList({x}, {y}, {condition}{text(wanted[1], two)})", MEMBER
        if wanted[0] == "map":
            condition = f"{text('bool', two)}, " if rng.random() < 0.3 else ""
            if rng.random() < 0.5:
                return (
                    f"{text(source, scope, MEMBER)}.transformMap({x}, {y}, {condition}{text(wanted[2], two)})",
                    MEMBER,
                )
            return (
                f"{text(source, scope, MEMBER)}.transformMapEntry({x}, {y}, {condition}"
                f"{{{text(wanted[1], two)}: {text(wanted[2], two)}}})"
            ), MEMBER
        if wanted[0] == "optional":
            inner = scope + [(x, element)]
            what, t = ("optMap", wanted[1]) if rng.random() < 0.6 else ("optFlatMap", wanted)
            return f"{text(('optional', element), scope, MEMBER)}.{what}({x}, {text(t, inner)})", MEMBER
        return self.leaf(wanted, scope)

    def field(self, wanted, scope):
        """A path of selections that ends in a field of the type `wanted` (None: of any), or None."""
        rng = self.rng
        objects = [(name, t) for name, t in scope if t[0] == "object" and t[1] in celvars.FIELDS]
        if not objects:
            name, t = rng.choice(scope)
            return f"{name}.{rng.choice(['a', 'spec', 'size'])}" if wanted is None or t in ("dyn", "any") else None
        path, t = rng.choice(objects)
        for _ in range(5):
            fields = celvars.FIELDS.get(t[1]) if t[0] == "object" else None
            if not fields:
                break
            fitting = [f for f, ft in fields.items() if ft == wanted]
            if fitting and rng.random() < 0.8:
                field = rng.choice(fitting)
                return f"{path}{self.dot()}" + (f"`{field}`" if rng.random() < 0.04 else field)
            deeper = [
                f for f, ft in fields.items() if ft[0] == "object" or (isinstance(ft, tuple) and ft[-1][0] == "object")
            ]
            if wanted is None and (not deeper or rng.random() < 0.4):
                return f"{path}{self.dot()}{rng.choice(list(fields) + ['nope'])}"
            if not deeper:
                break
            name = rng.choice(deeper)
            path, t = f"{path}{self.dot()}{name}", fields[name]
            if t[0] in ("list", "map"):
                path, t = path + ("[0]" if t[0] == "list" else "['k']"), t[-1]
        return None if wanted else path + ".nope"

    def dot(self):
        return self.rng.choice(["."] * 18 + [".?", " .", ".\n"])

    # ------------------------------------------------------------ by grammar alone

    def untyped_expression(self, variables):
        self.types = variables.types
        return self.untyped(list(variables.types) + ["x", "nope"], self.rng.choice([1, 2, 2, 3, 3, 4]))

    def untyped(self, names, depth):
        rng = self.rng
        if depth <= 0:
            pick = rng.random()
            if pick < 0.5:
                return rng.choice(names)
            if pick < 0.6:
                return self.field_path(names)
            if pick < 0.9:
                return self.literals.of(rng.choice(celtypes.SCALARS))
            return rng.choice(TYPE_NAMES + RESERVED[:1] + [".x", "[]", "{}", "null", "optional", "nope"])
        e = lambda: self.untyped(names, depth - rng.choice([1, 1, 2]))
        pick = rng.randrange(17)
        if pick < 3:
            return f"{e()}{self.space()}{rng.choice(list(SYMBOL.values()))}{self.space()}{e()}"
        if pick < 5:
            return f"{e()}.{rng.choice(self.functions.names)}({', '.join(e() for _ in range(rng.choice([0, 1, 1, 2, 3])))})"
        if pick == 5:
            return f"{rng.choice(self.functions.names)}({', '.join(e() for _ in range(rng.choice([0, 1, 1, 2, 3])))})"
        if pick < 8:
            args = [
                rng.choice(["x", "x", "k", "v", e(), rng.choice(HIDING)]) for _ in range(rng.choice([1, 1, 2, 2, 3]))
            ] + [e()]
            return f"{e()}.{rng.choice(MACROS)}({', '.join(args)})"
        if pick == 8:
            return rng.choice(["has", "has", "cel.bind", "dyn", "type", "nope", "size"]) + f"({e()}.{self.name()})"
        if pick == 9:
            return f"[{', '.join(rng.choice(['', '', '', '?']) + e() for _ in range(rng.randrange(4)))}]"
        if pick == 10:
            return (
                "{" + ", ".join(f"{rng.choice(['', '', '', '?'])}{e()}: {e()}" for _ in range(rng.randrange(4))) + "}"
            )
        if pick == 11:
            return f"{e()} ? {e()} : {e()}"
        if pick == 12:
            return f"{e()}{rng.choice(['[', '[', '[?'])}{e()}]"
        if pick == 13:
            made = (
                rng.choice(TYPE_NAMES) if rng.random() < 0.8 else rng.choice(["", "", "."]) + rng.choice(names + HIDING)
            )
            return f"{made}{{{', '.join(rng.choice(['', '', '?']) + self.name() + ': ' + e() for _ in range(rng.randrange(3)))}}}"
        if pick == 14:
            return rng.choice(["!", "-", "!!", "--", "- ", "!-"]) + e()
        if pick == 15:
            return f"({e()})"
        return f"{e()}{self.dot()}{self.name()}"

    def field_path(self, names):
        """A variable and a field that it may have, by chance."""
        name = self.rng.choice(names)
        property_name = lambda: self.backquoted(self.rng.choice(celvars.PROPERTY_NAMES))
        fields = (
            list(celvars.FIELDS.get(self.types[name][1], ()))
            if name in self.types and self.types[name][0] == "object"
            else []
        )
        path = f"{name}{self.dot()}{self.rng.choice(fields or ['spec'])}"
        for _ in range(self.rng.randrange(3)):
            path += (
                self.rng.choice(["[0]", "['a']", ".size()"])
                if self.rng.random() < 0.3
                else self.dot() + property_name()
            )
        return path

    def backquoted(self, name):
        """A property as expressions may write it, or nearly."""
        return f"`{name}`" if self.rng.random() < 0.3 else celtypes.escape(name)

    def name(self):
        pick = self.rng.random()
        if pick < 0.7:
            return self.rng.choice(
                [
                    "spec",
                    "title",
                    "names",
                    "a",
                    "size",
                    "nope",
                    "metadata",
                    "name",
                    "labels",
                    "parts",
                    "kind",
                    "value",
                    "seconds",
                    "__namespace__",
                    "maybe",
                    "group",
                ]
            )
        return self.rng.choice(
            RESERVED
            + ["in", "true", "null", "`a-b`", "`x`", "`in`", "`a/b c.d`", "`protobuf.Int64Value`", "`IP`", "`b`"]
        )

    # ------------------------------------------------------------ mutations

    def mutation(self, seeds):
        rng = self.rng
        text = rng.choice(seeds) if seeds and rng.random() < 0.5 else rng.choice(self.recent)
        if rng.random() < 0.25:
            return self.mutated_characters(text)
        tokens = TOKEN.findall(text)
        if len(tokens) > 600:
            return text
        for _ in range(rng.choice([1, 1, 1, 2, 3, 6])):
            at = rng.randrange(len(tokens) + 1)
            pick = rng.randrange(8)
            if pick == 0:
                del tokens[at : at + 1]
            elif pick == 1:
                tokens[at:at] = tokens[at : at + 1]
            elif pick == 2 and len(tokens) > 1:
                other = rng.randrange(len(tokens))
                at = min(at, len(tokens) - 1)
                tokens[at], tokens[other] = tokens[other], tokens[at]
            elif pick < 5:
                tokens[at : at + 1] = [rng.choice(TOKENS)]
            elif pick == 5:
                tokens.insert(at, rng.choice(TOKENS))
            elif pick == 6:
                other = TOKEN.findall(rng.choice(self.recent))
                start = rng.randrange(len(other) + 1)
                tokens[at : at + 1] = other[start : start + rng.randrange(1, 8)]
            else:
                names = [i for i, t in enumerate(tokens) if t[:1].isalnum()]
                if names:
                    tokens[rng.choice(names)] = rng.choice(self.functions.names + MACROS + self.literals.some())
        return "".join(tokens)

    def mutated_characters(self, text):
        rng = self.rng
        chars = list(text[:2000])
        for _ in range(rng.choice([1, 1, 2, 4])):
            at = rng.randrange(len(chars) + 1)
            pick = rng.randrange(3)
            if pick == 0:
                del chars[at : at + 1]
            else:
                chars[at : at + pick - 1] = [
                    rng.choice("()[]{}.,?:!-+*/%=<>&|'\"`\\ \n\t\rabnuxr019_eE#$@~;\u00e9\u65e5\U0001f600\x00\x01")
                ]
        return "".join(chars)

    # ------------------------------------------------------------ slips

    def misspelled(self, variables):
        """An expression in which names are written wrong, which a checker may notice and correct."""
        rng = self.rng
        text = self.typed_expression(variables) if rng.random() < 0.6 else self.untyped_expression(variables)
        tokens = TOKEN.findall(text)[:400]
        names = [i for i, token in enumerate(tokens) if token[:1].isalpha() or token[:1] == "_"]
        for at in rng.sample(names, min(len(names), rng.choice([1, 1, 1, 2, 3]))):
            known = self.functions.names + MACROS + TYPE_NAMES + list(variables.types)
            name = tokens[at] if rng.random() < 0.5 else rng.choice(known)
            tokens[at] = "".join(self.slip(name) for _ in range(rng.choice([1] * 12 + [2])))
        return "".join(tokens)

    def slip(self, name):
        rng = self.rng
        chars = list(name)
        if rng.random() < 0.1:
            return name[: rng.randrange(1, len(name) + 1)]
        for _ in range(rng.choice([0, 1, 1, 1, 2, 2, 3, 5])):
            at = rng.randrange(len(chars) + 1)
            pick = rng.randrange(5)
            if pick == 0:
                del chars[at : at + 1]
            elif pick == 1:
                chars[at : at + 2] = chars[at : at + 2][::-1]
            else:
                chars[at : at + pick - 2] = rng.choice("abeimnopstx_AIP.")
        return "".join(chars)

    # ------------------------------------------------------------ without rule

    def soup(self, variables):
        rng = self.rng
        pool = TOKENS + list(variables.types) + self.functions.names[:40] + MACROS + RESERVED
        return rng.choice(["", " "]).join(rng.choice(pool) for _ in range(rng.choice([1, 2, 3, 4, 6, 10, 25])))

    def noise(self):
        rng = self.rng
        if rng.random() < 0.5:
            return "".join(
                chr(rng.choice([rng.randrange(128), rng.randrange(32, 127)])) for _ in range(rng.randrange(30))
            )
        return "".join(self.literals.character() for _ in range(rng.randrange(20)))

    def shape(self, variables):
        """What limits and layout are about: depth, length, number of errors."""
        rng = self.rng
        pick = rng.random()
        some = lambda: rng.choice(list(variables.types) + ["1", "nope", "'s'"])
        if pick < 0.35:
            count = rng.choice([2, 20, 31, 32, 40, 98, 99, 100, 101, 102, 130])
            one = rng.choice(
                ["nope", "1 + 's'", "o.nope", "[1, 2.0]", "$", "1 1", "f(", "x.", "'", "has(1)", "b ? 1 : true", "%"]
            )
            return rng.choice(["[%s]", "%s", "x + %s", "%s)"]) % rng.choice([", ", ",\n", " + ", " ", " && "]).join(
                [one] * count
            )
        if pick < 0.7:
            count = rng.choice([3, 10, 30, 31, 33, 60])
        else:
            # upstream takes long over deep nesting, so there is little of it
            count = (
                rng.choice([3, 20, 60]) if rng.random() < 0.93 else rng.choice([120, 124, 125, 126, 249, 250, 251, 255])
            )
        if pick < 0.95:
            before, after = rng.choice(
                [
                    ("(", ")"),
                    ("[", "]"),
                    ("{'a':", "}"),
                    ("size(", ")"),
                    ("b ? 1 : ", ""),
                    ("1 + (", ")"),
                    ("[1].map(x, ", ")"),
                    ("!", ""),
                    ("-", ""),
                    ("(", ""),
                    ("[", ""),
                    ("{1:", ""),
                    ("", ")"),
                    ("[?", "]"),
                    ("b ? (", ") : 2"),
                    ("dyn(", ").a"),
                    ("s == ", ""),
                    ("", ".a"),
                    ("", "[0]"),
                    ("", ".?a"),
                    ("", "[?0]"),
                    ("", ".map(x, x)"),
                    ("", " + 1"),
                    ("", " == 1"),
                    ("", " && b"),
                    ("", " || b && b"),
                    ("", ".size()"),
                    ("", " ? 1 : 2"),
                    ("f(", ")"),
                ]
            )
            return before * count + some() + after * count
        if pick < 0.99:
            pad = rng.choice(["x", "\u65e5", "\U0001f600", " ", "\t"])
            size = 16384 // len(pad.encode()) + rng.randrange(-12, 4)
            text = f"'{pad * size}'" if rng.random() < 0.7 else " " * size
            return rng.choice(["%s + 1", "nope\n + %s", "%s\n + nope", "%s", "nope + %s", "%s $"]) % text
        size = 100000 + rng.randrange(-3, 3)
        return rng.choice(["'" + "x" * (size - 2) + "'", "1" + " " * (size - 1), "\u65e5" * 3 + " " * (size - 3)])
