"""Words of CEL that generators of expressions share."""

# The identifiers that no variable and no function may have; fields may.
RESERVED = [
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "package",
    "namespace",
    "return",
    "var",
    "void",
    "while",
]
KEYWORDS = ["in", "true", "false", "null"]
