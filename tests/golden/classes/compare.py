#!/usr/bin/env python3
"""Types that cannot differ in what a policy reads are checked once: what is found is the same as if each is checked.

  tests/golden/classes/compare.py PROGRAM [--kinds N] [--seed N] [--real] [--policies DIRECTORY]...

The policies are those of the goldens, and of ../shared if it is there. Each is checked as it is, and for all resources.
The definitions are made from the seed, with the names that the policies read, so that some kinds differ in what is
read, and others only in what is not. With --real they are the schemas that a real API server publishes, each with some
fields that are left out, renamed or of another type.
"""

import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
CLUSTER = ROOT.parent / "shared/cluster/v1.36"
SCHEMAS = ROOT / "manifests/schemas/v1.36.gz"
POLICIES = [ROOT / "tests/golden/policies", ROOT.parent / "shared/corpus"]
VARIANTS = 4  # how many schemas of a field there are
ROOTS = ("spec", "status", "data", "metadata", "rules", "type", "kind")
WORD = re.compile(r"\.\??([A-Za-z_][A-Za-z0-9_]*)")


class Definitions:
    groups = 7

    def __init__(self, seed, words):
        self.dice = random.Random(seed)
        self.words = words
        self.variants = {}

    def leaf(self):
        dice = self.dice
        return dice.choice(
            (
                {"type": "string"},
                {"type": "string", "enum": dice.sample(["a", "b", "Pod", "on", "off", "True"], 3)},
                {"type": "string", "format": dice.choice(("date-time", "byte", "duration", "uuid"))},
                {"type": "integer", "format": dice.choice(("int32", "int64"))},
                {"type": "number"},
                {"type": "boolean"},
                {"x-kubernetes-int-or-string": True},
                {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
                {"type": "object", "additionalProperties": {"type": "string", "nullable": dice.random() < 0.3}},
                {"x-kubernetes-preserve-unknown-fields": True},
            )
        )

    def schema(self, depth):
        dice = self.dice
        shape = dice.random()
        if depth == 0 or shape < 0.4:
            made = self.leaf()
        elif shape < 0.55:
            made = {"type": "array", "items": self.schema(depth - 1)}
            if made["items"].get("type") == "string" and dice.random() < 0.3:
                made["x-kubernetes-list-type"] = dice.choice(("set", "atomic"))
        elif shape < 0.6:
            made = {"type": "object", "x-kubernetes-embedded-resource": True, "properties": self.fields(depth - 1)}
        elif shape < 0.67:
            made = {"type": "object", "additionalProperties": self.schema(depth - 1)}
        else:
            made = {"type": "object", "properties": self.fields(depth - 1)}
            if dice.random() < 0.3 and made["properties"]:
                made["required"] = [dice.choice(list(made["properties"]))]
            if dice.random() < 0.1:
                made["x-kubernetes-preserve-unknown-fields"] = True
        if dice.random() < 0.1:
            made["nullable"] = True
        if dice.random() < 0.1 and made.get("type") == "string" and "format" not in made:
            made["default"] = made.get("enum", ["a"])[0]
        return made

    def fields(self, depth):
        """A field of a name has one of a few schemas, so that kinds are alike in some fields."""
        names = self.dice.sample(self.words, self.dice.randint(1, 9))
        return {name: self.variant(name, depth) for name in names if name not in ("metadata", "kind", "apiVersion")}

    def variant(self, name, depth):
        key = (name, depth, self.dice.randrange(VARIANTS))
        if key not in self.variants:
            self.variants[key] = self.schema(depth)
        return self.variants[key]

    def root(self):
        properties = {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object"}}
        for name in ROOTS + tuple(self.dice.sample(self.words, 2)):
            if name not in properties and self.dice.random() < 0.6:
                properties[name] = self.variant(name, self.dice.randint(1, 3))
        return {"type": "object", "properties": properties}

    def definition(self, n, kind):
        group = f"g{n % self.groups}.example.com"
        version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": self.root()}}
        if self.dice.random() < 0.7:
            version["subresources"] = {"status": {}}
            if self.dice.random() < 0.3:
                version["subresources"]["scale"] = {
                    "specReplicasPath": ".spec.replicas",
                    "statusReplicasPath": ".status.replicas",
                }
        plural = f"{kind.lower()}s"
        return {
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": f"{plural}.{group}"},
            "spec": {
                "group": group,
                "scope": self.dice.choice(("Namespaced", "Namespaced", "Cluster")),
                "names": {"kind": kind, "plural": plural, "singular": kind.lower(), "listKind": f"{kind}List"},
                "versions": [version],
            },
        }


class RealDefinitions(Definitions):
    """Definitions whose roots are published schemas, with a few changes."""

    groups = 150
    DEPTH = 5
    KEPT = ("type", "format", "enum", "nullable", "default", "required")

    def __init__(self, seed, words):
        super().__init__(seed, words)
        self.components = {}
        for path in sorted((CLUSTER / "openapi/v3").rglob("*.json")):
            self.components |= json.loads(path.read_text()).get("components", {}).get("schemas", {})
        self.roots = [c for _, c in sorted(self.components.items()) if len(c.get("properties", {})) > 1]

    def copied(self, schema, depth):
        """The schema as one of a definition: without references, and with a change here and there."""
        dice = self.dice
        if "allOf" in schema or "$ref" in schema:
            ref = schema.get("$ref") or schema["allOf"][0]["$ref"]
            schema = self.components[ref.rsplit("/", 1)[1]]
        if depth == 0 or dice.random() < 0.01:
            return self.leaf()
        made = {k: schema[k] for k in self.KEPT if k in schema}
        if "properties" in schema:
            made["properties"] = {}
            for name, field in schema["properties"].items():
                luck = dice.random()
                if luck > 0.02:
                    kept = dice.choice(self.words) if luck < 0.04 else name
                    made["properties"][kept] = self.copied(field, depth - 1)
        elif isinstance(schema.get("additionalProperties"), dict):
            made["additionalProperties"] = self.copied(schema["additionalProperties"], depth - 1)
        if "items" in schema:
            made["items"] = self.copied(schema["items"], depth - 1)
        if "type" not in made:
            made = {"x-kubernetes-preserve-unknown-fields": True}
        return made

    def root(self):
        made = self.copied(self.roots[self.dice.randrange(len(self.roots))], self.DEPTH)
        made["type"] = "object"
        made.setdefault("properties", {})["metadata"] = {"type": "object"}
        return made


def words_of(paths):
    counts = {}
    for path in paths:
        for word in WORD.findall(path.read_text(encoding="utf-8", errors="replace")):
            counts[word] = counts.get(word, 0) + 1
    return sorted(sorted(counts), key=counts.get)[-150:]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--kinds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=1, help="of the policies' files, take each Nth")
    parser.add_argument("--real", action="store_true")
    parser.add_argument("--policies", action="append", default=[])
    args = parser.parse_args()
    if args.real and not CLUSTER.is_dir():
        print(f"skipped: there is no {CLUSTER}")
        sys.exit(77)
    folders = [pathlib.Path(p) for p in args.policies] or POLICIES
    found = [p for folder in folders for p in sorted(folder.rglob("*.yaml")) if folder.exists()]
    files = [p for p in found if "kind: ValidatingAdmissionPolicy\n" in p.read_text(errors="replace")]
    made = (RealDefinitions if args.real else Definitions)(args.seed, words_of(files))
    kinds = ["Pods", "Widget", "Deployment", "Object", "object", "Config"]
    kinds += [f"Kind{n}" for n in range(args.kinds - len(kinds))]
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as definitions:
        definitions.write("\n---\n".join(json.dumps(made.definition(n, kind)) for n, kind in enumerate(kinds)))
        definitions.flush()
        command = [args.program, str(SCHEMAS), definitions.name, *map(str, files[:: args.every])]
        done = subprocess.run(command)
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
