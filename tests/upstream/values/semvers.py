"""Semantic versions by chance, and what is asked of them."""

NUMBERS = [
    "0",
    "1",
    "2",
    "10",
    "01",
    "00",
    "",
    "a",
    "1a",
    "18446744073709551615",
    "18446744073709551616",
    "9223372036854775808",
    "-1",
    "é",
]
PRERELEASES = [
    "",
    "",
    "",
    "-alpha",
    "-alpha.1",
    "-alpha.beta",
    "-rc.10",
    "-rc.9",
    "-1",
    "-01",
    "-0",
    "-",
    "-a.",
    "-a..b",
    "-a_b",
    "--",
    "-18446744073709551616",
    "-1.2.3",
    "-é",
]
BUILDS = ["", "", "", "+build", "+1", "+", "+a.", "+001.b-c", "+a_b", "+a+b", "+ü"]
GOOD_PRERELEASES = ["", "", "", "-alpha", "-alpha.1", "-alpha.beta", "-rc.10", "-rc.9", "-1", "-0", "--", "-1.2.3"]
WHOLE = [
    "",
    "1",
    "1.2",
    "v1",
    "v1.2",
    "v1.2.3",
    "1-a",
    "1.2-a",
    "1.2+b",
    "v",
    "vv1.2.3",
    "01.02.03",
    "v01.002",
    "1.2.3.4",
    "1..3",
    "0.0.0",
    "1.2.03-rc",
]


def text(r):
    if r.random() < 0.7:
        numbers = ".".join(r.choice(["0", "1", "2", "10"]) for _ in range(3))
        return f"'{numbers}{r.choice(GOOD_PRERELEASES)}{r.choice(['', '', '+build', '+001.b-c'])}'"
    if r.random() < 0.25:
        return "'" + r.choice(WHOLE) + "'"
    numbers = [r.choice(NUMBERS) if r.random() < 0.15 else r.choice(["0", "1", "2", "10"]) for _ in range(3)]
    return "'" + r.choice(["", "", "", "", "v"]) + ".".join(numbers) + r.choice(PRERELEASES) + r.choice(BUILDS) + "'"


def args(r):
    return text(r) + r.choice(["", "", "", ", true", ", true", ", false", ", dyn(1)" if r.random() < 0.2 else ""])


def semver(r):
    return f"semver({args(r)})"


def number(r):
    return r.choice([f"{semver(r)}.{r.choice(['major', 'minor', 'patch'])}()", f"{semver(r)}.compareTo({semver(r)})"])


def truth(r):
    return r.choice(
        [
            f"isSemver({args(r)})",
            f"{semver(r)}.{r.choice(['isGreaterThan', 'isLessThan'])}({semver(r)})",
            f"({semver(r)} {r.choice(['==', '!='])} {semver(r)})",
            f"({semver(r)} in [{semver(r)}])",
            f"dyn({semver(r)}).{r.choice(['isGreaterThan', 'isLessThan'])}(dyn({r.choice([semver(r), '1'])}))",
        ]
    )


def anything(r):
    return r.choice([semver(r), f"dyn({semver(r)}).compareTo({semver(r)})", f"optional.of({semver(r)})"])
