"""URLs by chance, and what is asked of them. No query has two names: Go's order is another one each time."""

from patterns import literal

SCHEMES = [
    "http://",
    "https://",
    "HTTP://",
    "ftp://",
    "a+b.c-1://",
    "mailto:",
    "",
    "",
    "//",
    "///",
    "/",
    ":",
    "1a://",
    "http:",
    "http:/",
    "*",
]
USERS = ["", "", "", "", "user@", "user:pa%20ss@", "u:p@w@", "a/b@", "ü@", ":@", "u%zz@", "%41!@"]
HOSTS = [
    "example.com",
    "example.com",
    "EXAMPLE.com",
    "",
    "a b",
    "[::1]",
    "[fe80::1%25en0]",
    "[fe80::1%25a%20b]",
    "[1.2.3.4]",
    "[::ffff:1.2.3.4]",
    "[::1",
    "::1]",
    "a[::1]",
    "[]",
    "[%31::]",
    "h%C3%A9",
    "h%41",
    "hé",
    "1.2.3.4",
    "a:b",
    "a_b",
    "a,b",
    "<x>",
    "x%25y",
    "[x]",
    "[fe80::1%25%41]",
    "[fe80::1%25é]",
]
PORTS = ["", "", "", ":80", ":", ":a", ":1:2", ":65536", ":-1"]
PATHS = [
    "",
    "/",
    "/a/b",
    "/a%20b",
    "/a%2Fb",
    "/a b",
    "/é",
    "/%zz",
    "/a!b",
    "/a;b,c",
    "/a%",
    "/a[b]",
    '/a"b',
    "/a//b",
    "a/b",
    "a:b",
    "/a:b",
    "/%C3%A9",
    "/a%41",
    "/(a)*",
    "/a%2",
    "/\n",
    "/$&+=@~",
]
QUERIES = [
    "",
    "",
    "",
    "?",
    "?a=1",
    "?a",
    "?a=1&a=2",
    "?a=%20+b",
    "?a=%zz",
    "?a;b=1",
    "??",
    "?=x",
    "?&&a=b",
    "?é=ü",
    "?a=b=c",
    "?a%41=1",
    "?a=1;b",
]
FRAGMENTS = ["", "", "", "#", "#frag", "#a%20b", "#%zz", "#a#b", "#é", "#a!b", '#a"b', "#a?b/c"]


def text(r):
    if r.random() < 0.4:
        return literal(
            r.choice(["http://", "https://", "ftp://"])
            + "example.com"
            + r.choice(["", ":8080"])
            + r.choice(PATHS)
            + r.choice(QUERIES)
            + r.choice(FRAGMENTS)
        )
    return literal("".join(r.choice(parts) for parts in (SCHEMES, USERS, HOSTS, PORTS, PATHS, QUERIES, FRAGMENTS)))


def url(r):
    return f"url({text(r)})"


def part(r):
    return f"{url(r)}.{r.choice(['getScheme', 'getHost', 'getHostname', 'getPort', 'getEscapedPath'])}()"


def truth(r):
    return r.choice(
        [f"isURL({text(r)})", f"isURL({text(r)})", f"({url(r)} == {url(r)})", f"{url(r)}.getQuery().all(k, k == 'a')"]
    )


def anything(r):
    return r.choice([url(r), part(r), f"{url(r)}.getQuery()", f"dyn({url(r)}).getHost()"])
