"""Quantities by chance, and what is computed with them."""

NUMBERS = [
    "0",
    "1",
    "5",
    "10",
    "100",
    "1000",
    "1024",
    "1536",
    "2048",
    "1234567",
    "999999999999999999",
    "1000000000000000000",
    "9223372036854775807",
    "9223372036854775808",
    "123456789012345678901234567890",
    "0.5",
    "1.5",
    ".5",
    "5.",
    "0.001",
    "0.0000000001",
    "1.000000000",
    "123.456",
    "001",
    "0.10",
    ".",
    "",
    "00",
    "1.23456789012345678",
]
SUFFIXES = [
    "",
    "",
    "",
    "n",
    "u",
    "m",
    "k",
    "M",
    "G",
    "T",
    "P",
    "E",
    "Ki",
    "Mi",
    "Gi",
    "Ti",
    "Pi",
    "Ei",
    "e3",
    "E3",
    "e-3",
    "e0",
    "e+2",
    "e10",
    "e-10",
    "e20",
    "e1000",
    "e-1000",
    "e",
    "K",
    "mi",
    "k5",
    "Ke",
    "e3.5",
    "i",
    "x",
    " ",
    "e99999999999999999999",
]
INTS = ["1", "0", "-1", "1000", "9223372036854775807", "-9223372036854775808"]


def text(r):
    return "'" + r.choice(["", "", "", "-", "+"]) + r.choice(NUMBERS) + r.choice(SUFFIXES) + "'"


def quantity(r, depth=1):
    if depth > 0 and r.random() < 0.3:
        return f"{quantity(r, depth - 1)}.{r.choice(['add', 'sub'])}({quantity(r, depth - 1) if r.random() < 0.7 else r.choice(INTS)})"
    return f"quantity({text(r)})"


def number(r):
    return r.choice(
        [f"{quantity(r, 2)}.asInteger()", f"sign({quantity(r, 2)})", f"{quantity(r)}.compareTo({quantity(r)})"]
    )


def truth(r):
    return r.choice(
        [
            f"isQuantity({text(r)})",
            f"{quantity(r, 2)}.isInteger()",
            f"{quantity(r)}.{r.choice(['isGreaterThan', 'isLessThan'])}({quantity(r)})",
            f"({quantity(r)} {r.choice(['==', '!='])} {quantity(r)})",
            f"({quantity(r)} in [{quantity(r)}, {quantity(r)}])",
            f"[{quantity(r)}].all(q, q.compareTo({quantity(r)}) < 2 && q.isInteger())",
            f"dyn({quantity(r)}).isGreaterThan(dyn({r.choice([quantity(r), '1', '1.5'])}))",
        ]
    )


def anything(r):
    return r.choice(
        [
            quantity(r, 3),
            f"{quantity(r)}.asApproximateFloat()",
            f"dyn({quantity(r)}).{r.choice(['add', 'sub'])}(dyn({r.choice([quantity(r), '1', '1.5'])}))",
        ]
    )
