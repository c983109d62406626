"""mutations: the mutations of MutatingAdmissionPolicies, made at random.

A mixin of policies.Maker: apply configurations and JSON patches over the fields of the schema, right and mistyped, with
right and wrong values, whole or within branches, sums and macros.
"""

SORTS = ["add", "add", "add", "replace", "replace", "remove", "test", "copy", "move"]


def escaped(name):
    return name.replace("~", "~0").replace("/", "~1")


class Mutations:
    """Needs Maker's rng, schema, document, path(), literal(), bool(), typo(), kind_at() and resolved()."""

    def mutation(self):
        """An entry of spec.mutations."""
        if self.chance(0.5):
            return {
                "patchType": "ApplyConfiguration",
                "applyConfiguration": {"expression": self.branched(self.configuration)},
            }
        return {"patchType": "JSONPatch", "jsonPatch": {"expression": self.branched(self.patches)}}

    def branched(self, make):
        if not self.chance(0.25):
            return make()
        return f"{self.bool()} ? {make()} : {make()}"

    # Apply configurations.

    def configuration(self):
        return self.structure("Object", self.schema, 0)

    def structure(self, name, schema, depth):
        """Object.spec{...} of a few fields of the schema."""
        fields = self.resolved(schema).get("properties", {})
        names = [n for n in sorted(fields) if n not in ("apiVersion", "kind", "managedFields") and n.isidentifier()]
        if depth == 0 and self.chance(0.9):
            names = [n for n in names if n != "status"]
        chosen = self.rng.sample(names, min(len(names), self.rng.choice([1, 1, 2]))) if names else []
        parts = []
        for field in chosen:
            written = self.typo(field)
            if not written.isidentifier():
                continue
            own = f"{name}.{self.typo(field) if self.chance(0.03) else written}"
            parts.append(f"{written}: {self.given(own, fields[field], depth + 1)}")
        return f"{name}{{{', '.join(parts)}}}"

    def given(self, name, schema, depth):
        """A value for a field of that schema."""
        if self.chance(self.wrong / 2):
            return self.literal("open")
        schema = self.resolved(schema)
        kind = self.kind_at(schema)
        if kind == "object" and depth < 6:
            return self.structure(name, schema, depth)
        if kind == "array":
            items = self.resolved(schema.get("items", {}))
            elements = [self.given(name, items, depth + 1) for _ in range(self.rng.choice([0, 1, 1, 2]))]
            return f"[{', '.join(elements)}]"
        if kind == "map":
            value = self.values_of(schema)
            key = self.rng.choice(["app", "team"])
            return f"{{'{key}': {self.given(name, value, depth + 1)}}}"
        if self.chance(0.2):
            return self.path(want=kind)[0]
        return self.literal(kind)

    def values_of(self, schema):
        values = schema["additionalProperties"]
        return self.resolved(values) if isinstance(values, dict) else {}

    # JSON patches.

    def patches(self):
        operations = [self.operation() for _ in range(self.rng.choice([1, 1, 1, 2, 3]))]
        text = f"[{', '.join(operations)}]"
        shape = self.rng.randrange(8)
        if shape == 0:
            return f"{text} + [{self.operation()}]"
        if shape == 1:
            return f"({self.bool()} ? {text} : [])"
        if shape == 2:
            listed = self.path(want="array")[0]
            return f"{listed}.map(each, {self.operation()})"
        return text

    def operation(self):
        operation = self.rng.choice(SORTS)
        pointer, schema = self.pointer()
        parts = [f"op: '{operation}'", f"path: {self.written(pointer)}"]
        if operation in ("copy", "move"):
            parts.append(f"from: '{self.pointer()[0]}'")
        elif operation != "remove" or self.chance(0.05):
            parts.append(f"value: {self.json(schema, 0)}")
        return f"JSONPatch{{{', '.join(parts)}}}"

    def written(self, pointer):
        """The path as a literal, or as a sum that ends in something of the object."""
        head, _, last = pointer.rpartition("/")
        sort = self.rng.randrange(10)
        if sort == 0:
            return f"'{head}/' + jsonpatch.escapeKey('{last}')"
        if sort == 1:
            return f"'{head}/' + {self.path(want='string')[0]}"
        return f"'{pointer}'"

    def pointer(self):
        """(the path of a field, its schema)."""
        schema, parts = self.resolved(self.schema), []
        for _ in range(self.rng.randrange(1, 6)):
            fields = schema.get("properties")
            if fields:
                favourites = [
                    n
                    for n in sorted(fields)
                    if n in ("spec", "metadata", "template", "containers", "labels", "annotations")
                ]
                name = self.rng.choice(favourites if favourites and self.chance(0.6) else sorted(fields))
                schema = self.resolved(fields[name])
                parts.append(self.typo(name))
            elif isinstance(schema.get("additionalProperties"), dict):
                schema = self.resolved(schema["additionalProperties"])
                parts.append(self.rng.choice(["app", "team", "example.com/a"]))
            elif "items" in schema:
                schema = self.resolved(schema["items"])
                parts.append(self.rng.choice(["0", "0", "-", "1", "a" if self.chance(0.2) else "0"]))
            else:
                break
        return "/" + "/".join(map(escaped, parts)), schema

    def json(self, schema, depth):
        """A value of the patch: JSON, or now and then an Object{...}."""
        if self.chance(self.wrong / 2):
            return self.literal("open")
        schema = self.resolved(schema)
        kind = self.kind_at(schema)
        if kind == "object":
            fields = schema["properties"]
            chosen = (
                self.rng.sample(sorted(fields), min(len(fields), self.rng.choice([0, 1, 1, 2]))) if depth < 3 else []
            )
            return "{" + ", ".join(f"'{self.typo(n)}': {self.json(fields[n], depth + 1)}" for n in chosen) + "}"
        if kind == "array":
            items = schema.get("items", {})
            return "[" + ", ".join(self.json(items, depth + 1) for _ in range(self.rng.choice([0, 1, 1, 2]))) + "]"
        if kind == "map":
            return f"{{'app': {self.json(self.values_of(schema), depth + 1)}}}"
        if self.chance(0.2):
            return self.path(want=kind)[0]
        return self.literal(kind)
