"""Regular expressions by chance, and texts that they may match."""

RUNES = [
    "a",
    "b",
    "A",
    "B",
    "k",
    "1",
    "_",
    " ",
    "-",
    "\n",
    "é",
    "É",
    "ß",
    "ſ",
    "K",
    "Ω",
    "ω",
    "σ",
    "ς",
    "ǅ",
    "✓",
    "日",
    "😀",
    "\u0345",
    "٣",
]
LITERALS = [
    "a",
    "b",
    "ab",
    "A",
    "k",
    "1",
    "_",
    " ",
    "é",
    "É",
    "ſ",
    "σ",
    "K",
    "日",
    "😀",
    r"\.",
    r"\n",
    r"\x61",
    r"\x{e9}",
    r"\Qa.b\E",
    r"\-",
    r"\0",
    r"\141",
    r"ǆ",
]
CLASSES = [
    ".",
    ".",
    r"\d",
    r"\D",
    r"\w",
    r"\W",
    r"\s",
    r"\S",
    "[ab]",
    "[^ab]",
    "[a-c]",
    "[A-Z]",
    "[[:alpha:]]",
    "[[:^alpha:]]",
    "[[:upper:]1]",
    "[^[:word:]]",
    r"[\d_]",
    r"[^\w]",
    "[é-ſ]",
    r"\pL",
    r"\PL",
    r"\p{Lu}",
    r"\P{Lu}",
    r"\p{^Lu}",
    r"\p{Greek}",
    r"\p{Han}",
    r"[\p{Lt}k]",
    r"[^\pN]",
    r"\p{LC}",
    r"\p{Any}",
    r"\p{Letter}",
    r"\p{M}",
    "[a-]",
    "[]a]",
    "[^]]",
    r"[\x00-\x{10FFFF}]",
    r"[^\x00-\x{10FFFF}]",
    r"\p{Assigned}",
    r"\p{Cn}",
    r"\p{ascii}",
]
ASSERTIONS = ["^", "$", r"\b", r"\B", r"\A", r"\z"]
REPEATS = [
    "*",
    "+",
    "?",
    "*?",
    "+?",
    "??",
    "{2}",
    "{0}",
    "{1}",
    "{1,}",
    "{2,}",
    "{0,2}",
    "{1,3}?",
    "{2,}?",
    "{0,}",
    "{,2}",
]
WRONG = [
    "(",
    ")",
    "[",
    "[a",
    "a**",
    "*",
    "+a",
    r"\pX",
    r"\p{Nope}",
    "a{1001}",
    "[b-a]",
    "(?P<n",
    "(?z)",
    "\\",
    r"\8",
    "a{2}{3}",
    "[[:nope:]]",
    r"\C",
]


def pattern(r, depth):
    if depth <= 0 or r.random() < 0.2:
        return r.choice(
            [
                r.choice(LITERALS),
                r.choice(LITERALS),
                r.choice(LITERALS),
                r.choice(CLASSES),
                r.choice(CLASSES),
                r.choice(ASSERTIONS),
                "",
            ]
        )
    how = r.random()
    if how < 0.35:
        return pattern(r, depth - 1) + pattern(r, depth - 1)
    if how < 0.55:
        return "|".join(pattern(r, depth - 1) for _ in range(r.randint(2, 3)))
    if how < 0.8:
        inner = pattern(r, depth - 1)
        return (f"(?:{inner})" if len(inner) > 1 or not inner else inner) + r.choice(REPEATS)
    if how < 0.98:
        return (
            r.choice(["(", "(?:", "(?P<n>", "(?<n>", "(?i:", "(?i)(", "(?s:", "(?m:", "(?U:", "(?i-s:", "(?ims-U:"])
            + pattern(r, depth - 1)
            + ")"
        )
    return r.choice(WRONG)


def text(r):
    few = r.sample(RUNES, r.randint(1, 4))
    return "".join(r.choice(few) for _ in range(r.randint(0, 12)))


def literal(s):
    return "'" + s.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'"


def call(r, function):
    """A call of matches, find or findAll, whose pattern is a constant or not; with few errors."""
    one, two = literal(text(r)), literal(pattern(r, r.randint(1, 4)))
    count = f", {r.choice([-1, 0, 1, 2, 3])}" if function == "findAll" and r.random() < 0.4 else ""
    if r.random() < 0.3:
        return f"[{two}].map(p, {one}.{function}(p{count}))[0]"
    return f"{one}.{function}({two}{count})"
