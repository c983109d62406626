"""Expressions on values of Go, as Kubernetes 1.37 evaluates them: objects of built-in kinds, and requests.

The objects are two of each kind (evaluate objects). Most expressions compare, since that is where such values
differ from JSON.
"""

import json
import pathlib
import sys

import generate

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import celwords

NAMESPACE = {
    "apiVersion": "v1",
    "kind": "Namespace",
    "metadata": {"name": "shop", "uid": "b", "labels": {"a": "b"}},
    "spec": {},
    "status": {"phase": "Active"},
}
REQUEST = {
    "uid": "a",
    "kind": {"group": "apps", "version": "v1", "kind": "a"},
    "resource": {"group": "apps", "version": "v1", "resource": "a"},
    "requestKind": {"group": "apps", "version": "v1", "kind": "a"},
    "requestResource": {"group": "apps", "version": "v2", "resource": "a"},
    "name": "a",
    "namespace": "shop",
    "operation": "UPDATE",
    "userInfo": {"username": "anna", "groups": ["a", "b"], "extra": {"a": ["b"]}},
    "object": None,
    "oldObject": None,
    "dryRun": False,
    "options": {"kind": "UpdateOptions", "apiVersion": "meta.k8s.io/v1"},
}


def walk(text, value, found):
    """The paths to all that is in a value, by what it is."""
    kind = {dict: "map", list: "list", str: "string", bool: "bool", int: "int", float: "double", type(None): "null"}[
        type(value)
    ]
    found.setdefault(kind, []).append((text, value))
    if isinstance(value, dict):
        for key, item in value.items():
            walk(
                f"{text}.{key}"
                if key.isidentifier() and key not in celwords.RESERVED + celwords.KEYWORDS
                else f"{text}[{json.dumps(key, ensure_ascii=False)}]",
                item,
                found,
            )
    elif isinstance(value, list):
        for i, item in enumerate(value):
            walk(f"{text}[{i}]", item, found)


class Typed(generate.Generator):
    def __init__(self, seed, values):
        super().__init__(seed)
        self.found = {}
        for name, value in values.items():
            walk(name, value, self.found)

    def known(self, *kinds):
        """A path to something of these kinds."""
        paths = [path for kind in kinds for path, _ in self.found.get(kind, [])]
        return self.pick(*paths) if paths else "object"

    def path(self):
        locals_ = [name for name, _ in self.locals[-2:]]
        text = (
            self.pick(*locals_)
            if locals_ and self.random.random() < 0.4
            else self.known(self.pick("map", "list", "string", "int"), "map", "null")
        )
        while self.random.random() < 0.3:
            text += self.pick(
                ".name",
                ".metadata",
                ".a",
                ".spec",
                "[0]",
                "[5]",
                "['a']",
                "[?0]",
                ".?name",
                ".?spec",
                "[0u]",
                "[1.0]",
                "[?0u]",
                "[true]",
                "[1]",
                "[?1]",
                "[?'b']",
                ".orValue(1)",
                ".labels",
                "[object]",
                "[object.kind]",
            )
        return text

    def leaf(self, kind):
        if kind in ("int", "string", "bool", "null", "list", "map", "double") and self.random.random() < 0.6:
            return self.known(kind)
        if kind == "optional":
            return self.pick(
                "optional.none()",
                f"optional.of({self.path()})",
                f"object.?{self.pick('spec', 'metadata', 'nope')}",
                f"optional.ofNonZeroValue({self.path()})",
            )
        if kind == "dyn":
            return self.path()
        text = super().leaf(kind)
        return self.known(kind) if "object." in text else text

    def numbers(self, d):
        return self.pick(self.known("list"), f"[{self.path()}, {self.path()}]", f"[{self.path()}]", "[1, 2]")

    def range(self, d):
        """No map of two entries."""
        small = [
            path
            for kind in ("map", "list")
            for path, value in self.found.get(kind, [])
            if isinstance(value, list) or len(value) < 2
        ]
        return self.pick(*small or ["[1]"], self.known("list"), f"[{self.path()}, {self.path()}]", self.known("string"))

    def couple(self):
        """Two values, of the same place often, or one written as a literal."""
        one = self.known("map", "list", self.pick("map", "string", "null"))
        for root, other in (("object", "oldObject"), ("oldObject", "object")):
            if one.startswith(root) and self.random.random() < 0.5:
                return one, other + one[len(root) :]
        if self.random.random() < 0.4:
            value = next(v for paths in self.found.values() for path, v in paths if path == one)
            return one, self.literal(value)
        return one, self.path()

    def literal(self, value):
        if isinstance(value, dict):
            keys = [key for key in value if self.random.random() < 0.98]
            return (
                "{"
                + ", ".join(f"{json.dumps(key, ensure_ascii=False)}: dyn({self.literal(value[key])})" for key in keys)
                + "}"
            )
        if isinstance(value, list):
            return "[" + ", ".join(f"dyn({self.literal(item)})" for item in value) + "]"
        if isinstance(value, float):
            return repr(value)
        return json.dumps(value, ensure_ascii=False) if self.random.random() < 0.95 else self.path()

    def compare(self, d):
        one, two = self.couple()
        if self.random.random() < 0.5:
            one, two = two, one
        return self.pick(
            lambda: f"({one} {self.pick('==', '==', '!=')} {two})",
            lambda: f"({one} {self.pick('==', '!=')} {two})",
            lambda: f"({one} in [{two}])",
            lambda: f"([{one}] == [{two}])",
            lambda: f"({one} in {self.known('list')})",
            lambda: f'({{"a": {one}}} == {{"a": {two}}})',
            lambda: f"({one} in ({self.known('list')} + {self.pick('[' + two + ']', self.known('list'))}))",
            lambda: f"(({self.known('list')} + [{one}]) == [{two}])",
            lambda: (
                f"({self.known('list')} + "
                f"{self.known('list')}).{self.pick('distinct()', 'indexOf(' + two + ')', 'size()')} == 1"
            ),
            lambda: (
                f"[{one}, "
                f"{two}].{self.pick('distinct().size() == 1', 'indexOf(' + two + ') == 0', 'includes(' + one + ')')}"
            ),
            lambda: f"(optional.of({one}) == optional.of({two}))",
            lambda: f"sets.{self.pick('contains', 'equivalent', 'intersects')}([{one}], [{two}])",
            lambda: f"has({one}.{self.pick('name', 'a', 'metadata')})",
            lambda: f"({self.pick('1', 'null', 'true', one, repr('name'), repr('a'))} in {two})",
            lambda: f"(type({one}) == {self.pick('map', 'list', 'string', 'type(' + two + ')')})",
        )()

    def bool(self, d):
        return self.compare(d) if self.random.random() < 0.5 else super().bool(d)


def cases(objects, count, seed):
    """{id, expr, values, typed}, in the form of generate.cases."""
    for i in range(count):
        pair = 2 * (i % (len(objects) // 2))
        values = {
            "object": objects[pair],
            "oldObject": objects[pair + 1] if i % 3 else objects[pair],
            "request": REQUEST,
            "namespaceObject": NAMESPACE,
        }
        g = Typed(f"{seed}.{i}", values)
        kind = g.pick("bool", "bool", "bool", "bool", "dyn", "list", "string", "int")
        yield {
            "id": f"typed.{seed}.{i}",
            "expr": g.of(kind, g.random.randint(1, 4)),
            "values": values,
            "typed": list(values),
        }
