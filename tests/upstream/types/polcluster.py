"""A cluster to check policies against: a dump of a real one, and types that are made at random."""

import json
import os
import shutil

import celtypes
import celvars

MADE_GROUPS = [("made.example.com", "v1"), ("made.example.com", "v2beta1"), ("apps.example.com", "v1"), ("batch", "v2")]
MADE_KINDS = [
    "Thing",
    "Deployment",
    "Pod",
    "thing",
    "Widget2",
    "ThingList",
    "JSON",
    "Object",
    "Tally",
    "int",
    "Spec",
    "Event",
    "Lease",
    "A-B",
    "Config",
]
REF = "#/components/schemas/"
CUTS = 6  # levels below a root that the generator of expressions knows of


class Kind:
    """One that a resource brings."""

    def __init__(self, group, version, kind, resource):
        self.group, self.version, self.kind, self.resource = group, version, kind, resource
        self.api_version = f"{group}/{version}" if group else version
        self.type = ("object", f"{self.api_version}/{kind}")


class Cluster:
    """A dump in `folder`: that of `base`, with kinds that `rng` makes."""

    def __init__(self, rng, base, folder):
        self.rng, self.folder = rng, folder
        shutil.copytree(base, folder)
        for path, _, names in os.walk(folder):
            for name in names:
                os.chmod(os.path.join(path, name), 0o644)
            os.chmod(path, 0o755)
        self.documents = {}
        self.make()
        self.kinds = [kind for path in ("api.json", "apis.json") for kind in self.served(path)]

    def read(self, path):
        with open(os.path.join(self.folder, path)) as text:
            return json.load(text)

    def write(self, path, value):
        path = os.path.join(self.folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as text:
            json.dump(value, text)

    # ------------------------------------------------------------ what is served

    def versions(self, path):
        for group in self.read(path)["items"]:
            for version in group["versions"]:
                for resource in version["resources"]:
                    yield group["metadata"].get("name", ""), version["version"], resource

    def served(self, path):
        for group, version, resource in self.versions(path):
            kind = resource["responseKind"]
            yield Kind(kind["group"] or group, kind["version"] or version, kind["kind"], resource)

    def schemas(self, kind):
        """Of the document of a kind's group-version."""
        if kind.api_version not in self.documents:
            path = f"openapi/v3/{'apis' if kind.group else 'api'}/{kind.api_version}.json"
            known = os.path.exists(os.path.join(self.folder, path))
            self.documents[kind.api_version] = self.read(path)["components"]["schemas"] if known else {}
        return self.documents[kind.api_version]

    def declare(self, kind):
        """Tells the generator of expressions the fields of a kind; its type, or 'dyn' where it has no schema."""
        if kind.type[1] in celvars.FIELDS:
            return kind.type
        wanted = {"group": kind.group, "version": kind.version, "kind": kind.kind}
        for schema in self.schemas(kind).values():
            if wanted in schema.get("x-kubernetes-group-version-kind", []):
                return celtypes.schema_fields(self.resolved(schema, kind, CUTS), kind.type[1], celvars.FIELDS) or "dyn"
        return "dyn"

    def resolved(self, schema, kind, depth):
        """`schema` with what it refers to, roughly as upstream makes it."""
        for holder in [schema] + schema.get("allOf", []):
            if "$ref" in holder:
                schema = self.schemas(kind).get(holder["$ref"][len(REF) :], {})
                break
        if depth == 0:
            return {"type": "object"} if schema.get("type") == "object" else schema
        schema = dict(schema)
        if isinstance(schema.get("properties"), dict):
            schema["properties"] = {n: self.resolved(s, kind, depth - 1) for n, s in schema["properties"].items()}
        for key in ("items", "additionalProperties"):
            if isinstance(schema.get(key), dict):
                schema[key] = self.resolved(schema[key], kind, depth - 1)
        return schema

    # ------------------------------------------------------------ what is made

    def make(self):
        rng = self.rng
        apis, index = self.read("apis.json"), self.read("openapi/v3.json")
        for group, version in MADE_GROUPS:
            resources, schemas = [], {}
            parts = [f"{group}.{version}.Part{i}" for i in range(4)]
            for name in parts:
                schemas[name] = self.made_schema(parts)
            for kind in rng.sample(MADE_KINDS, 7):
                schema = self.made_schema(parts)
                schema["x-kubernetes-group-version-kind"] = [{"group": group, "version": version, "kind": kind}]
                schemas[f"{group}.{version}.{kind}"] = schema
                resources.append(self.made_resource(group, version, kind))
            self.write(
                f"openapi/v3/apis/{group}/{version}.json",
                {
                    "openapi": "3.0.0",
                    "info": {"title": "made", "version": "v0"},
                    "paths": {},
                    "components": {"schemas": schemas},
                },
            )
            index["paths"][f"apis/{group}/{version}"] = {
                "serverRelativeURL": f"/openapi/v3/apis/{group}/{version}?hash={rng.random()}"
            }
            self.add_version(apis, group, {"freshness": "Current", "version": version, "resources": resources})
        self.write("apis.json", apis)
        self.write("openapi/v3.json", index)

    def add_version(self, apis, group, version):
        for item in apis["items"]:
            if item["metadata"]["name"] == group:
                item["versions"].insert(self.rng.randrange(len(item["versions"]) + 1), version)
                return
        apis["items"].insert(
            self.rng.randrange(len(apis["items"]) + 1), {"metadata": {"name": group}, "versions": [version]}
        )

    def made_resource(self, group, version, kind):
        rng = self.rng
        plural = rng.choice(
            [kind.lower() + "s", kind.lower() + "s", kind.lower() + "es", kind, kind.lower(), "deployments", "events"]
        )
        singular = rng.choice([kind.lower(), kind.lower(), "", plural, "pod"])
        response = rng.choice(
            [{"group": group, "version": version, "kind": kind}] * 4
            + [{"group": "", "version": "", "kind": kind}] * 2
            + [
                {"group": "apps", "version": "v1", "kind": "Deployment"},
                {"group": group, "version": version, "kind": "Nothing"},
            ]
        )
        return {
            "resource": plural,
            "singularResource": singular,
            "responseKind": response,
            "scope": rng.choice(["Namespaced", "Cluster"]),
            "verbs": ["create", "delete", "get", "list", "update", "watch"],
            "shortNames": [kind[:2].lower()],
        }

    def made_schema(self, parts):
        rng = self.rng
        schema = celvars.random_schema(rng)
        if rng.random() < 0.9:
            schema["type"] = "object"
            properties = schema.setdefault("properties", {})
            for name in rng.sample(celvars.PROPERTY_NAMES + ["status", "items"], 6):
                properties[name] = self.with_refs(celvars.random_schema(rng), parts)
        if rng.random() < 0.5:
            schema.setdefault("properties", {}).update(
                apiVersion={"type": "string"}, kind={"type": "string"}, metadata={"type": "object"}
            )
        return self.with_refs(schema, parts, 0.0)

    def with_refs(self, schema, parts, often=0.15):
        """`schema` with some of its parts replaced by references."""
        rng = self.rng
        if rng.random() < often:
            ref = {"$ref": REF + rng.choice(parts)}
            return rng.choice(
                [
                    ref,
                    {"allOf": [ref], "default": {}, "description": "text"},
                    {"allOf": [{"type": "string"}, ref]},
                    dict(ref, type="string"),
                    {**schema, "allOf": [ref]},
                    {"type": "array", "items": ref},
                    {"type": "object", "additionalProperties": ref},
                ]
            )
        if "properties" in schema:
            schema["properties"] = {n: self.with_refs(s, parts, often) for n, s in schema["properties"].items()}
        for key in ("items", "additionalProperties"):
            if isinstance(schema.get(key), dict):
                schema[key] = self.with_refs(schema[key], parts, often)
        return schema
