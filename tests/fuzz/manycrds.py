"""A cluster with hundreds of CustomResourceDefinitions, as a dump for --schemas."""

import json
import os

META = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "namespace": {"type": "string"},
        "labels": {"type": "object", "additionalProperties": {"type": "string"}},
    },
}
VERBS = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"]
FIELDS = 30  # of each definition's spec
KINDS = 10  # in a group
VERSION = {
    "major": "1",
    "minor": "36",
    "gitVersion": "v1.36.0",
    "minCompatibilityMajor": "1",
    "minCompatibilityMinor": "35",
}


def kind_of(group, version, kind, spec):
    return {
        "type": "object",
        "x-kubernetes-group-version-kind": [{"group": group, "version": version, "kind": kind}],
        "properties": {
            "apiVersion": {"type": "string"},
            "kind": {"type": "string"},
            "metadata": META,
            "spec": {"type": "object", "properties": spec},
        },
    }


def deployment():
    containers = {
        "type": "array",
        "items": {"type": "object", "properties": {"name": {"type": "string"}, "image": {"type": "string"}}},
    }
    template = {
        "type": "object",
        "properties": {"metadata": META, "spec": {"type": "object", "properties": {"containers": containers}}},
    }
    return kind_of(
        "apps",
        "v1",
        "Deployment",
        {"replicas": {"type": "integer"}, "paused": {"type": "boolean"}, "template": template},
    )


def groups(count):
    """(group, {plural: (kind, schema)})"""
    yield "apps", {"deployments": ("Deployment", deployment())}
    for start in range(0, count, KINDS):
        group = f"g{start // KINDS}.example.com"
        kinds = range(start, min(count, start + KINDS))
        yield (
            group,
            {
                f"things{i}": (
                    f"Thing{i}",
                    kind_of(group, "v1", f"Thing{i}", {f"f{j}x{i}": {"type": "string"} for j in range(FIELDS)}),
                )
                for i in kinds
            },
        )


def resource(group, plural, kind):
    return {
        "resource": plural,
        "singularResource": kind.lower(),
        "scope": "Namespaced",
        "verbs": VERBS,
        "responseKind": {"group": group, "version": "v1", "kind": kind},
    }


def write(folder, count):
    def put(path, value):
        path = os.path.join(folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            json.dump(value, file)

    apis, index = [], {}
    for group, kinds in groups(count):
        resources = [resource(group, plural, kind) for plural, (kind, _) in kinds.items()]
        apis.append(
            {
                "metadata": {"name": group},
                "versions": [{"version": "v1", "freshness": "Current", "resources": resources}],
            }
        )
        index[f"apis/{group}/v1"] = {"serverRelativeURL": f"/openapi/v3/apis/{group}/v1?hash=1"}
        schemas = {f"{group}.v1.{kind}": schema for kind, schema in kinds.values()}
        put(f"openapi/v3/apis/{group}/v1.json", {"openapi": "3.0.0", "components": {"schemas": schemas}})
    put("version.json", VERSION)
    put("api.json", {"apiVersion": "apidiscovery.k8s.io/v2", "kind": "APIGroupDiscoveryList", "items": []})
    put("apis.json", {"apiVersion": "apidiscovery.k8s.io/v2", "kind": "APIGroupDiscoveryList", "items": apis})
    put("openapi/v3.json", {"paths": index})
