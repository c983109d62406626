"""Changes of a file in YAML or JSON: of its values and names, or of its text.

changer = Changer(files, rng)    from what files it takes names and values to put elsewhere
changer.changed('p.yaml', text)  another text, mostly one that can still be read
"""

import copy
import json
import sys

import yaml

ODD_SCALARS = [
    None,
    True,
    False,
    0,
    -1,
    1,
    2**31,
    2**63 - 1,
    2**63,
    -(2**63),
    1e400,
    1.5,
    -0.0,
    float("nan"),
    "",
    "x",
    "*",
    "a/b",
    "a.b/c",
    "\u202e",
    "\x00",
    "'" * 3,
    "é" * 40,
    "a" * 300,
    "2020-01-01T00:00:00Z",
    "10Mi",
    "/spec/~1",
    "/-",
    "v1",
    "apps/v1",
    "CREATE",
    "DELETE",
    "CONNECT",
    "Fail",
    "Ignore",
]
ODD_EXPRESSIONS = [
    "1/0",
    "object",
    "object.spec",
    "variables.x",
    "[1].map(x, x)",
    "{}",
    "[]",
    "object.metadata.name == params.x",
    "self == oldSelf",
    "optional.none()",
    "Object{spec: Object.spec{}}",
    "[JSONPatch{op: 'add', path: '/a', value: 1}]",
    "[JSONPatch{op: 'remove', path: ''}]",
    "authorizer",
    "request",
]
ODD_CONTAINERS = [{}, [], [[]], [{}], {"": ""}, {"a": {}}, [None], {"x": None}]
ODD = ODD_SCALARS + ODD_EXPRESSIONS + ODD_CONTAINERS
INSERTED = ["", "'", "(", ".x", "[0]", "?", "\n", " && "]
BYTES = b"{}[]:,'\"- \n\t#&*!|>%@\xff\x00"
LONGEST_NAME = 60
UNREADABLE = (yaml.YAMLError, ValueError, TypeError, RecursionError)  # TypeError: a mapping as a key

sys.setrecursionlimit(5000)


def places(value, path=()):
    """The paths of the value and of everything in it."""
    yield path
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in inside:
        yield from places(inner, path + (key,))


def at(value, path):
    for key in path:
        value = value[key]
    return value


class Changer:
    def __init__(self, files, rng):
        self.rng, self.documents, names = rng, [], {}
        for text in files:
            try:
                documents = list(yaml.load_all(text, yaml.CSafeLoader))
                names.update(dict.fromkeys(self.names_in(documents)))
                self.documents += documents
            except UNREADABLE:
                pass  # wrong on purpose
        self.names = list(names)

    @staticmethod
    def names_in(documents):
        """The keys and the short texts, of which most are names."""
        for path in places(documents):
            yield from (n for n in (*path[-1:], at(documents, path)) if isinstance(n, str) and len(n) <= LONGEST_NAME)

    def changed(self, name, text):
        """The bytes of the file `name` after some changes."""
        if self.rng.random() < 0.7:
            try:
                return self.with_other_values(name, list(yaml.load_all(text, yaml.CSafeLoader)))
            except UNREADABLE:
                pass  # what cannot be read or written is changed as text
        for _ in range(self.rng.choice((1, 1, 2, 4))):
            text = self.rng.choice((self.other_bytes, self.other_lines))(text)
        return text

    # ------------------------------------------------------------ values

    def with_other_values(self, name, documents):
        for _ in range(self.rng.choice((1, 1, 2, 3, 6))):
            paths = [path for path in places(documents) if path]
            if paths:
                path = self.rng.choice(paths)
                self.change(at(documents, path[:-1]), path[-1])
        if name.endswith(".json"):
            return json.dumps(documents[0] if len(documents) == 1 else documents).encode()
        return yaml.dump_all(documents, Dumper=yaml.CSafeDumper, sort_keys=False, allow_unicode=True).encode(
            errors="replace"
        )

    def change(self, parent, key):
        old, choice = parent[key], self.rng.random()
        if choice < 0.35:
            parent[key] = copy.deepcopy(self.rng.choice(ODD))
        elif choice < 0.5:
            document = self.rng.choice(self.documents)
            parent[key] = copy.deepcopy(at(document, self.rng.choice(list(places(document)))))
        elif choice < 0.6:
            del parent[key]
        elif choice < 0.75 and isinstance(parent, dict):
            parent[self.rng.choice(self.names)] = parent.pop(key)
        elif choice < 0.75:
            parent.insert(key, copy.deepcopy(old))
        elif choice < 0.85:
            parent[key] = self.rng.choice(self.names)
        elif choice < 0.95:
            parent[key] = self.rng.choice(([old], {self.rng.choice(self.names): old}))
        elif isinstance(old, str):
            start, end = self.part(old)
            parent[key] = old[:start] + self.rng.choice([old[start:end] * 2, *INSERTED]) + old[end:]

    # ------------------------------------------------------------ text

    def part(self, sequence):
        """(start, end) of a part of it."""
        start = self.rng.randint(0, len(sequence))
        return start, self.rng.randint(start, len(sequence))

    def other_bytes(self, text):
        made = bytearray(text)
        for _ in range(self.rng.randint(1, 3)):
            start = self.rng.randint(0, len(made))
            made[start : start + self.rng.randint(0, 1)] = bytes([self.rng.choice(BYTES)])
        return bytes(made)

    def other_lines(self, text):
        lines = text.splitlines(keepends=True)
        start, end = self.part(lines)
        moved, rest = lines[start:end], lines[:start] + lines[end:]
        to = self.rng.randint(0, len(rest))
        return b"".join(self.rng.choice((rest, lines + moved, rest[:to] + moved + rest[to:])))
