"""Named formats by chance, and texts for them."""

FORMATS = [
    "byte",
    "date",
    "datetime",
    "dns1035Label",
    "dns1035LabelPrefix",
    "dns1123Label",
    "dns1123LabelPrefix",
    "dns1123Subdomain",
    "dns1123SubdomainPrefix",
    "labelValue",
    "qualifiedName",
    "uri",
    "uuid",
]
PARTS = [
    "a",
    "b",
    "z9",
    "0",
    "A",
    "-",
    ".",
    "_",
    "/",
    "é",
    "a-b",
    "example.com",
    "aGk=",
    "==",
    "+",
    "\n",
    "a" * 63,
    "a" * 253,
]
TEXTS = [
    "2024-02-29",
    "2023-02-29",
    "2023-1-1",
    "1900-02-29",
    "2000-02-29",
    "2023-04-31",
    "2023-01-01T10:00:00Z",
    "2023-01-01t10:00:00.5+01:00",
    "2023-01-01T24:00:00Z",
    "2023-01-01T10:00Z",
    "2023-01-01T10:00:00zt",
    "123e4567-e89b-12d3-a456-426614174000",
    "123E4567E89B12D3A456426614174000",
    "123e4567-e89b-12d3-a456-42661417400",
    "aGVsbG8=",
    "aGVsbG8",
    "aGVs",
    "",
    "http://example.com/a?b",
    "/a",
    "http://[::1",
    "/%zz",
    "a b",
    "*",
]


def text(r):
    from patterns import literal

    return literal(r.choice(TEXTS) if r.random() < 0.4 else "".join(r.choice(PARTS) for _ in range(r.randint(0, 4))))


def a_format(r):
    name = r.choice(FORMATS)
    return f"format.{name}()" if r.random() < 0.7 else f"format.named('{name if r.random() < 0.8 else 'nope'}').value()"


def truth(r):
    return r.choice(
        [
            f"{a_format(r)}.validate({text(r)}).hasValue()",
            f"({a_format(r)} == {a_format(r)})",
            f"!{a_format(r)}.validate({text(r)}).hasValue()",
        ]
    )


def anything(r):
    return r.choice(
        [
            f"{a_format(r)}.validate({text(r)})",
            f"{a_format(r)}.validate({text(r)}).orValue([]).join()",
            f"dyn({a_format(r)}).validate(dyn({r.choice([text(r), '1'])}))",
        ]
    )
