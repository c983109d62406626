"""Expressions of mutations, by chance: Object{...} and JSONPatch{...}, and what else can be done with them.

Lists and maps in objects are not compared with others: Go then looks at where they lie in memory.
"""

import generate

FIELDS = ["a", "b", "spec", "name", "image"]
PATCH_FIELDS = ["op", "path", "from", "value"]


class Mutations(generate.Generator):
    ANY = generate.Generator.ANY + ["object", "object", "patch"]

    def leaf(self, kind):
        if kind == "object":
            return self.pick(
                "Object{}",
                "Object{a: 1}",
                "Object.spec{name: 'a', b: null}",
                "Object.spec{}",
                "Object{spec: Object.spec{a: 'x'}}",
            )
        if kind == "patch":
            return self.pick(
                "JSONPatch{}",
                "JSONPatch{op: 'add', path: '/a', value: 1}",
                "JSONPatch{op: 'remove', path: '/a'}",
                "JSONPatch{op: 'move', from: '/a', path: '/b'}",
            )
        return super().leaf(kind)

    def optional(self, d):
        outer, self.ANY = self.ANY, generate.Generator.ANY  # .? of a JSONPatch compiles with whatever field
        text = super().optional(d)
        self.ANY = outer
        return text

    def certain(self, d):
        outer, self.ANY = self.ANY, generate.Generator.ANY
        text = super().certain(d)
        self.ANY = outer
        return text

    def field(self, d):
        name = self.pick(*FIELDS)
        if self.random.random() < 0.2:
            return f"?{name}: {self.certain(d)}"
        return f"{name}: {self.any(d)}"

    def object(self, d):
        return self.pick(
            lambda: (
                f"{self.pick('Object', 'Object.spec', 'Object.a.b')}{{{', '.join({f.split(':')[0]: f for f in (self.field(d), self.field(d))}.values())}}}"
            ),
            lambda: f"Object{{a: {self.any(d)}}}",
            lambda: f"({self.of('bool', d)} ? {self.of('object', d)} : {self.leaf('object')})",
            lambda: f"[{self.of('object', d)}].map(x, x)[0]",
            lambda: f"[{self.of('object', d)}][{self.pick(0, 0, 1)}]",
        )()

    def text(self, d):
        return self.pick(lambda: self.of("string", d), lambda: self.of("string", d), lambda: f"dyn({self.any(d)})")()

    def patch(self, d):
        return self.pick(
            lambda: f"JSONPatch{{op: {self.text(d)}, path: '/a', value: {self.any(d)}}}",
            lambda: (
                f"JSONPatch{{op: 'copy', from: {self.text(d)}, ?path: "
                f"{self.pick('optional.none()', 'optional.of(' + self.of('string', d) + ')')}}}"
            ),
            lambda: (
                f"[{self.of('patch', d)}].filter(x, "
                f"{self.pick('true', 'x.op == ' + self.leaf('string'), 'has(x.value)')})[0]"
            ),
        )()

    def read(self, d):
        kind = self.pick("object", "object", "patch")
        made, name = self.of(kind, d), self.pick(*(FIELDS if kind == "object" else PATCH_FIELDS))
        field = self.pick(".", ".?") + name + self.pick("", "", "", ".a", ".b", "[0]")
        return self.pick(
            lambda: f"({made}){field}",
            lambda: f"has(({made}).{name})",
            lambda: (
                f"dyn({made}){self.pick('.a', '.op', '.?value', '[?' + chr(39) + 'path' + chr(39) + ']', '[0]', '[' + chr(39) + 'nope' + chr(39) + ']', '.?nope', '[?0]', '[true]')}"
            ),
            lambda: f"{made} == {self.of(self.pick('object', 'patch', 'dyn'), d)}",
            lambda: f"{made} != {self.leaf(self.pick('object', 'patch'))}",
            lambda: f"{made} in [{self.leaf(self.pick('object', 'patch'))}]",
            lambda: f"type({made})",
            lambda: f"optional.ofNonZeroValue({made})",
            lambda: f"[{made}, {made}].exists(x, {self.pick('has(x.' + name + ')', 'x.?' + name + '.hasValue()')})",
            lambda: f"string(dyn({made}))",
            lambda: f"jsonpatch.escapeKey({self.of('string', d)})",
            lambda: f"size(dyn({made}))",
            lambda: f"{{{made}: 1}}.size()",
            lambda: f"object[({made}).{name}]",
        )()


def cases(count, seed):
    g = Mutations(seed)
    for i in range(count):
        g.locals = []
        depth = g.random.randint(1, 4)
        text = g.pick(lambda: g.object(depth), lambda: g.patch(depth), lambda: g.read(depth), lambda: g.read(depth))()
        case = {"id": str(i), "expr": text, "values": {"object": generate.OBJECT}, "mutating": True}
        if g.random.random() < 0.1:
            case["limit"] = g.random.randint(0, 200)
        yield case
