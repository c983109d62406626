#!/usr/bin/env python3
"""policies.py DUMP [--count N] [--seed N] : policies made at random, one JSON document a line, for compare.

A grammar over the fields of the schemas: right and mistyped paths, right and wrong literals, guards by object.kind,
has(), ?., == null and request.operation, macros, variables, matchConditions, messages, wildcards, subresources,
exclusions, parameters. The same seed gives the same policies.
"""

import argparse
import json
import pathlib
import random
import sys

import idioms
import mutations

# Rules by what they bring: (group, version, kind, resources, operations); the kind's schema gives the paths.
WAYS = [
    ("apps", "v1", "Deployment", ["deployments"], ["CREATE", "UPDATE"]),
    ("apps", "v1", "StatefulSet", ["statefulsets"], ["CREATE"]),
    ("apps", "v1", "Deployment", ["deployments", "statefulsets", "daemonsets", "replicasets"], ["CREATE", "UPDATE"]),
    ("apps", "v1", "Deployment", ["*"], ["*"]),
    ("apps", "v1", "Deployment", ["deployments", "deployments/scale"], ["CREATE", "UPDATE"]),
    ("apps", "v1", "Deployment", ["deployments/*"], ["UPDATE"]),
    ("", "v1", "Pod", ["pods"], ["CREATE", "UPDATE"]),
    ("", "v1", "Pod", ["pods"], ["DELETE"]),
    ("", "v1", "Pod", ["pods", "pods/ephemeralcontainers", "pods/status"], ["*"]),
    ("", "v1", "Pod", ["pods", "pods/exec", "pods/eviction"], ["*"]),
    ("", "v1", "ConfigMap", ["configmaps"], ["CREATE", "UPDATE"]),
    ("", "v1", "ConfigMap", ["configmaps", "secrets"], ["CREATE", "UPDATE", "DELETE"]),
    ("", "v1", "Secret", ["secrets"], ["CREATE"]),
    ("", "v1", "Service", ["services"], ["CREATE", "UPDATE"]),
    ("", "v1", "Namespace", ["namespaces"], ["CREATE", "UPDATE", "DELETE"]),
    ("", "v1", "PersistentVolumeClaim", ["persistentvolumeclaims"], ["*"]),
    ("", "v1", "Event", ["events", "nodes"], ["CREATE"]),
    ("batch", "v1", "CronJob", ["cronjobs"], ["CREATE", "UPDATE"]),
    ("batch", "v1", "Job", ["jobs", "cronjobs"], ["CREATE", "UPDATE"]),
    ("rbac.authorization.k8s.io", "v1", "Role", ["roles"], ["CREATE", "UPDATE"]),
    ("rbac.authorization.k8s.io", "v1", "ClusterRole", ["roles", "clusterroles", "rolebindings"], ["CREATE", "DELETE"]),
    ("networking.k8s.io", "v1", "NetworkPolicy", ["networkpolicies"], ["CREATE", "UPDATE"]),
    ("networking.k8s.io", "v1", "Ingress", ["ingresses"], ["CREATE", "UPDATE"]),
    ("autoscaling", "v2", "HorizontalPodAutoscaler", ["horizontalpodautoscalers"], ["CREATE", "UPDATE"]),
    ("policy", "v1", "PodDisruptionBudget", ["poddisruptionbudgets"], ["CREATE"]),
    ("coordination.k8s.io", "v1", "Lease", ["leases"], ["UPDATE"]),
    ("storage.k8s.io", "v1", "StorageClass", ["storageclasses"], ["CREATE", "UPDATE"]),
    ("apiextensions.k8s.io", "v1", "CustomResourceDefinition", ["customresourcedefinitions"], ["CREATE", "UPDATE"]),
    ("apps", "v1", "DaemonSet", ["daemonsets"], ["CREATE", "UPDATE", "DELETE"]),
    ("apps", "v1", "Deployment", ["deployments"], ["DELETE"]),
    ("apps", "v1", "Deployment", ["deployments/status", "statefulsets/scale"], ["UPDATE"]),
    ("", "v1", "Pod", ["pods/exec", "pods/attach", "pods/portforward"], ["CONNECT"]),
    ("", "v1", "Pod", ["pods/eviction", "pods/binding"], ["CREATE"]),
    ("", "v1", "Node", ["nodes", "nodes/status"], ["CREATE", "UPDATE", "DELETE"]),
    ("", "v1", "ServiceAccount", ["serviceaccounts", "serviceaccounts/token"], ["CREATE"]),
    ("", "v1", "PersistentVolume", ["persistentvolumes"], ["CREATE", "UPDATE"]),
    ("", "v1", "ResourceQuota", ["resourcequotas", "limitranges"], ["CREATE", "UPDATE"]),
    ("", "v1", "ReplicationController", ["replicationcontrollers", "podtemplates"], ["CREATE", "UPDATE"]),
    (
        "rbac.authorization.k8s.io",
        "v1",
        "ClusterRoleBinding",
        ["clusterrolebindings", "rolebindings"],
        ["CREATE", "UPDATE", "DELETE"],
    ),
    ("admissionregistration.k8s.io", "v1", "ValidatingWebhookConfiguration", ["*"], ["CREATE", "UPDATE"]),
    ("discovery.k8s.io", "v1", "EndpointSlice", ["endpointslices"], ["CREATE", "UPDATE"]),
    (
        "certificates.k8s.io",
        "v1",
        "CertificateSigningRequest",
        ["certificatesigningrequests", "certificatesigningrequests/approval"],
        ["*"],
    ),
    ("flowcontrol.apiserver.k8s.io", "v1", "FlowSchema", ["flowschemas"], ["CREATE", "UPDATE"]),
    ("scheduling.k8s.io", "v1", "PriorityClass", ["priorityclasses"], ["CREATE", "DELETE"]),
]

STRINGS = [
    "web",
    "a",
    "nginx:latest",
    "default",
    "10",
    "Always",
    "app",
    "2024-01-01T00:00:00Z",
    "1Gi",
    "100m",
    "",
    "^[a-z]+$",
]
NUMBERS = ["0", "1", "3", "100"]
KINDS = ["Pod", "Deployment", "CronJob", "Job", "ConfigMap", "Scale"]
SUBRESOURCES = ["status", "scale", "*", "exec", "eviction", "ephemeralcontainers", "token"]
OPERATIONS = ["CREATE", "UPDATE", "DELETE", "CONNECT"]


class Schemas:
    """Schemas of a dump, references followed."""

    def __init__(self, dump):
        self.dump = pathlib.Path(dump)
        self.documents = {}

    def document(self, group, version):
        path = f"apis/{group}/{version}" if group else f"api/{version}"
        if path not in self.documents:
            text = (self.dump / "openapi/v3" / (path + ".json")).read_text()
            self.documents[path] = json.loads(text)["components"]["schemas"]
        return self.documents[path]

    def kind(self, group, version, kind):
        document = self.document(group, version)
        wanted = {"group": group, "version": version, "kind": kind}
        for schema in document.values():
            if wanted in schema.get("x-kubernetes-group-version-kind", []):
                return schema, document
        raise KeyError(kind)

    def custom(self):
        """(group, version, kind, plural) of the dump's custom resources."""
        for item in json.loads((self.dump / "apis.json").read_text())["items"]:
            if item["metadata"]["name"].endswith("example.com"):
                for version in item["versions"]:
                    for r in version["resources"]:
                        yield item["metadata"]["name"], version["version"], r["responseKind"]["kind"], r["resource"]


def resolve(schema, document):
    while True:
        if "$ref" in schema:
            schema = document[schema["$ref"].rsplit("/", 1)[1]]
        elif "type" not in schema and schema.get("allOf") and "$ref" in schema["allOf"][0]:
            schema = schema["allOf"][0]
        else:
            return schema


class Maker(idioms.Idioms, mutations.Mutations):
    """Makes the expressions of one policy."""

    def __init__(self, rng, schema, document, others):
        self.rng = rng
        self.schema = schema
        self.document = document
        self.others = others  # schemas of other kinds, whose fields are wrong here
        self.variables = {}  # name -> "bool", "list", "string", "any"
        self.typos = rng.choice([0.0, 0.05, 0.15, 0.3])
        self.wrong = rng.choice([0.0, 0.05, 0.2])
        self.params = False
        self.depth = 0
        self.names = 0

    def chance(self, p):
        return self.rng.random() < p

    def typo(self, name):
        if not self.chance(self.typos):
            return name
        i = self.rng.randrange(len(name))
        kind = self.rng.randrange(4)
        if kind == 0 and len(name) > 2:
            return name[:i] + name[i + 1 :]
        if kind == 1:
            return name + "s"
        if kind == 2:
            return name[0].upper() + name[1:]
        return name + "X"

    # Paths: text, what the schema says of its end, and the parts for has() and ?.

    def kind_at(self, schema):
        return kind_of(schema, self.document)

    def resolved(self, schema):
        return resolve(schema, self.document)

    def path(self, root="object", schema=None, want=None):
        """(text, schema of its end, [prefixes]); want is a type that the end should have."""
        for _ in range(40):
            found = self._walk(root, schema if schema is not None else self.schema)
            if want is None or kind_of(found[1], self.document) == want:
                return found
        return found

    def _walk(self, root, schema):
        text, prefixes = root, []
        schema = resolve(schema, self.document)
        steps = self.rng.randrange(1, 6)
        while steps:
            steps -= 1
            fields = schema.get("properties")
            if fields:
                names = sorted(fields)
                favourites = [
                    n for n in names if n in ("spec", "metadata", "template", "containers", "labels", "rules")
                ]
                name = self.rng.choice(favourites) if favourites and self.chance(0.5) else self.rng.choice(names)
                if name in ("status", "managedFields") and self.chance(0.7):
                    steps += 1
                    continue
                schema = resolve(fields[name], self.document)
                written = self.typo(name)
            elif isinstance(schema.get("additionalProperties"), dict):
                schema = resolve(schema["additionalProperties"], self.document)
                written = self.rng.choice(["app", "team", "cpu", "memory"])
            elif "items" in schema and self.chance(0.3):
                schema = resolve(schema["items"], self.document)
                prefixes.append(text)
                text += "[0]"
                continue
            else:
                break
            prefixes.append(text)
            text += "." + written if written.isidentifier() and not written.startswith("$") else f"['{written}']"
            if "properties" not in schema and "items" not in schema and "additionalProperties" not in schema:
                break
        return text, schema, prefixes

    def literal(self, kind):
        if self.chance(self.wrong):
            kind = self.rng.choice(["string", "integer", "boolean", "number", "null", "list", "map"])
        if kind == "string":
            return "'" + self.rng.choice(STRINGS) + "'"
        if kind == "boolean":
            return self.rng.choice(["true", "false"])
        if kind == "number":
            return self.rng.choice(["1.5", "2", "0.5"])
        if kind == "null":
            return "null"
        if kind in ("array", "list"):
            return self.rng.choice(["[]", "['a']", "[1]"])
        if kind in ("object", "map"):
            return self.rng.choice(["{}", "{'app': 'web'}"])
        if kind == "open":
            return self.literal(self.rng.choice(["string", "integer", "boolean"]))
        return self.rng.choice(NUMBERS)

    def name(self, stem):
        self.names += 1
        return f"{stem}{self.names}"

    # Bool expressions.

    def bool(self):
        self.depth += 1
        try:
            simple = [self.compare, self.compare, self.presence, self.functions, self.membership]
            nested = [
                self.guarded,
                self.guarded,
                self.by_kind,
                self.by_kind,
                self.by_operation,
                self.nullness,
                self.both,
                self.both,
                self.chosen,
                self.macro,
                self.macro,
                self.optional,
                self.requested,
                self.sum,
                self.old,
                self.negated,
                self.arriving,
                self.variable,
                self.variable,
                self.foreign,
                self.converted,
                *self.idioms(),
            ]
            return self.rng.choice(simple if self.depth > 3 or self.chance(0.25) else nested)()
        finally:
            self.depth -= 1

    def compare(self, root="object", schema=None):
        text, end, _ = self.path(root, schema)
        kind = kind_of(end, self.document)
        if kind in ("integer", "number", "quantity", "open") and self.chance(0.6):
            operator = self.rng.choice(["<", "<=", ">", ">="])
        else:
            operator = self.rng.choice(["==", "!="])
        return f"{text} {operator} {self.literal(kind)}"

    def presence(self, root="object", schema=None):
        text, _, _ = self.path(root, schema)
        return f"has({text})" if text.rsplit(".", 1)[-1].isidentifier() and "." in text else f"{text} != null"

    def functions(self, root="object", schema=None):
        kind = self.rng.choice(["string", "string", "array", "object"])
        text, end, _ = self.path(root, schema, kind)
        if self.chance(self.wrong):
            text, end, _ = self.path(root, schema)
        if kind == "string":
            call = self.rng.choice(
                [
                    ".startsWith('a')",
                    ".endsWith('b')",
                    ".contains('c')",
                    ".matches('^[a-z]+$')",
                    ".size() > 1",
                    ".split(',').size() == 2",
                    ".lowerAscii() == 'a'",
                    ".startsWith(1)",
                    ".getFullYear() > 2000",
                ]
            )
            return text + call
        return self.rng.choice([f"size({text}) > 0", f"{text}.size() == 1"])

    def membership(self):
        what = self.rng.randrange(4)
        if what == 0:
            text, end, _ = self.path()
            kind = kind_of(end, self.document)
            return f"{text} in [{self.literal(kind)}, {self.literal(kind)}]"
        text, _, _ = self.path(want=self.rng.choice(["map", "array", "object"]))
        if what == 1:
            return f"{self.literal('string')} in {text}"
        if what == 2:
            return f"{self.literal('integer')} in {text}"
        return f"!({self.literal('string')} in {text})"

    def guarded(self):
        text, end, prefixes = self.path()
        guards = [p for p in [*prefixes[1:], text] if "[" not in p.rsplit(".", 1)[-1] and p.count(".") > 0]
        if self.chance(0.3) and guards:
            guards = guards[self.rng.randrange(len(guards)) :]
        kind = kind_of(end, self.document)
        body = f"{text} {self.rng.choice(['==', '!='])} {self.literal(kind)}"
        if not guards:
            return body
        if self.chance(0.5):
            return "(" + " && ".join([f"has({g})" for g in guards] + [body]) + ")"
        return "(" + " || ".join([f"!has({g})" for g in guards] + [body]) + ")"

    def by_kind(self):
        kind = self.rng.choice(KINDS)
        body = self.bool()
        return self.rng.choice(
            [
                f"(object.kind != '{kind}' || {body})",
                f"(object.kind == '{kind}' && {body})",
                f"(object.kind in ['{kind}', 'Deployment'] ? {body} : {self.bool()})",
                f"(request.kind.kind == '{kind}' && {body})",
                f"(request.resource.resource != 'pods' || {body})",
                f"(['{kind}', 'Job'].exists(k, k == object.kind) && {body})",
            ]
        )

    def by_operation(self):
        operation = self.rng.choice(OPERATIONS)
        body = self.bool()
        return self.rng.choice(
            [
                f"(request.operation == '{operation}' && {body})",
                f"(request.operation != '{operation}' || {body})",
                f"(request.operation == '{operation}' ? {body} : {self.bool()})",
                f"(request.operation in ['{operation}', 'CREATE'] || {body})",
            ]
        )

    def nullness(self):
        text, end, _ = self.path()
        if self.chance(0.3):
            text = self.rng.choice(
                ["object", "oldObject", "namespaceObject", "object.metadata", "params" if self.params else "oldObject"]
            )
        body = self.bool()
        return self.rng.choice(
            [
                f"({text} == null || {body})",
                f"({text} != null && {body})",
                f"({text} != null || {body})",
                f"({text} == null && {body})",
                f"{text} == null",
            ]
        )

    def both(self):
        return f"({self.bool()} {self.rng.choice(['&&', '||'])} {self.bool()})"

    def negated(self):
        return f"!({self.bool()})"

    def chosen(self):
        return f"({self.bool()} ? {self.bool()} : {self.bool()})"

    def macro(self):
        text, end, _ = self.path(want=self.rng.choice(["array", "array", "map"]))
        name = self.name("x")
        item = resolve(end.get("items", {}), self.document)
        kind = kind_of(item, self.document)
        if kind == "object" and item.get("properties"):
            body = self.rng.choice([self.compare, self.presence, self.functions])(name, item)
            if self.chance(0.3):
                body = f"{self.presence(name, item)} && {body}"
        else:
            body = (
                f"{name} {self.rng.choice(['==', '!='])} "
                f"{self.literal('string' if end.get('additionalProperties') else kind)}"
            )
        which = self.rng.choice(["all", "exists", "exists_one", "filter", "map", "guarded", "keyed"])
        if which == "filter":
            return f"{text}.filter({name}, {body}).size() > 0"
        if which == "map":
            return f"{text}.map({name}, {body}).size() == 1"
        if which == "guarded" and "." in text and text[-1] != "]":
            return f"(!has({text}) || {text}.all({name}, {body}))"
        if which == "keyed":
            return f"{text}.all(k, {name}, k != 0 || {body})"
        return f"{text}.{which if which in ('all', 'exists', 'exists_one') else 'all'}({name}, {body})"

    def optional(self):
        text, end, _ = self.path()
        if "[" in text:
            return f"{text} != null"
        parts = text.split(".")
        first = self.rng.randrange(1, len(parts))
        written = ".".join(parts[:first]) + ".?" + ".?".join(parts[first:])
        kind = kind_of(end, self.document)
        return self.rng.choice(
            [
                f"{written}.orValue({self.literal(kind)}) == {self.literal(kind)}",
                f"{written}.hasValue()",
                f"{written}.orValue({self.literal(kind)}) in [{self.literal(kind)}]",
                f"{written} == optional.none()",
                f"{written}.optMap(v, v == {self.literal(kind)}).orValue(true)",
                f"{written} == {self.literal(kind)}",
                f"{written}.value() == {self.literal(kind)}",
                f"{text}.orValue({self.literal(kind)}) == {self.literal(kind)}",
            ]
        )

    def requested(self):
        return self.rng.choice(
            [
                "request.subResource == 'scale'",
                "has(request.subResource)",
                "!has(request.subResource)",
                "request.namespace == 'default'",
                "has(request.namespace) && request.namespace.startsWith('kube-')",
                "request.userInfo.username == 'admin'",
                "'system:masters' in request.userInfo.groups",
                "has(request.userInfo.extra) && size(request.userInfo.extra) > 0",
                "request.name.startsWith('web')",
                "namespaceObject.metadata.name == 'default'",
                "namespaceObject != null && has(namespaceObject.metadata.labels)",
                "request.dryRun == false",
                "request.resource.group == 'apps'",
                "authorizer.group('').resource('pods').namespace('default').check('get').allowed()",
                "authorizer.requestResource.check('delete').allowed()",
                "request.options != null",
                "request.requestKind.kind == object.kind",
            ]
        )

    def arriving(self):
        """About what the API server clears or sets, or what an operation makes null."""
        fields = sorted(resolve(self.schema, self.document).get("properties", {}))
        status = resolve(self.schema["properties"]["status"], self.document) if "status" in fields else {}
        name = self.rng.choice(sorted(status.get("properties", {"phase": 0})))
        root = self.rng.choice(["object", "object", "oldObject"])
        return self.rng.choice(
            [
                f"{root}.status.{name} == {self.literal('open')}",
                f"has({root}.status.{name})",
                f"(has({root}.status) && {root}.status.{name} == null)",
                f"{root}.metadata.namespace == 'default'",
                f"has({root}.metadata.namespace)",
                f"{root}.metadata.selfLink == ''",
                f"{root}.metadata.deletionTimestamp != null",
                f"has({root}.metadata.deletionTimestamp)",
                f"{root}.stringData.k == 'a'",
                f"{root}.metadata.name == 'web'",
                f"{root} == null",
                "(object == null ? oldObject : object).metadata.name == 'web'",
                f"(request.operation == 'DELETE' ? oldObject : object).{self.rng.choice(fields or ['spec'])} != null",
                "request.subResource in ['status', 'scale']",
                "request.requestSubResource == ''",
                "namespaceObject.metadata.labels.size() > 0",
                f"{root}.status.conditions.exists(c, c.type == 'Ready')",
                f"{root}.all(k, k != 'status')",
            ]
        )

    def sum(self):
        one, _, _ = self.path(want="array")
        two, _, _ = self.path(want="array")
        name = self.name("x")
        return f"({one} + {two}).{self.rng.choice(['all', 'exists'])}({name}, has({name}.name) || {name} == 'a')"

    def old(self):
        text, end, _ = self.path("oldObject")
        here = "object" + text[len("oldObject") :]
        kind = kind_of(end, self.document)
        return self.rng.choice(
            [
                f"{text} == {self.literal(kind)}",
                f"{here} == {text}",
                f"(oldObject == null || {here} == {text})",
                f"(has({text}) || {here} != {self.literal(kind)})" if text[-1] != "]" else f"{text} != null",
                f"(request.operation != 'UPDATE' || {here} == {text})",
            ]
        )

    def variable(self):
        if not self.variables:
            return self.compare()
        name = self.rng.choice(sorted(self.variables))
        kind = self.variables[name]
        if kind == "bool":
            return self.rng.choice(
                [f"variables.{name}", f"(variables.{name} || {self.bool()})", f"(!variables.{name} && {self.bool()})"]
            )
        if kind in idioms.VARIABLES:
            return self.variable_idiom(f"variables.{name}", kind)
        if kind == "list":
            return f"variables.{name}.{self.rng.choice(['all', 'exists'])}(v, has(v.name) && v.name != 'a')"
        return (
            f"variables.{name} {self.rng.choice(['==', '!='])} {self.literal('string' if kind == 'string' else 'open')}"
        )

    def foreign(self):
        schema, document = self.rng.choice(self.others)
        here, self.document = self.document, document
        try:
            return self.compare("object", schema)
        finally:
            self.document = here

    def converted(self):
        text, end, _ = self.path()
        return self.rng.choice(
            [
                f"string({text}) == 'a'",
                f"int({text}) > 1",
                f"type({text}) == string",
                f"quantity({text}).isGreaterThan(quantity('1'))",
                f"timestamp({text}) > timestamp('2024-01-01T00:00:00Z')",
                f"isQuantity({text})",
                f"dyn({text}) == 'a'",
                f"{text} + 1 > 2",
                f"{text} + 'a' == 'xa'",
                f"-{text} < 0",
                f"{text} % 2 == 0",
                f"10 / {text} > 1",
                f"[{text}].size() == 1",
                f"{{'a': {text}}}.a == {self.literal(kind_of(end, self.document))}",
                f"{text}.unknownFunction()" if self.chance(0.05) else f"{text} == {text}",
            ]
        )

    def string(self):
        text, _, _ = self.path(want="string")
        return self.rng.choice(
            [
                f"'message ' + {text}",
                f"'x' + string({text})",
                f"{text}.lowerAscii()" if self.chance(0.3) else "'plain'",
                f"{text} + '!'",
            ]
        )


def kind_of(schema, document):
    schema = resolve(schema, document)
    if schema.get("x-kubernetes-int-or-string") or schema.get("format") == "int-or-string":
        return "integer"
    if schema.get("type") == "object" or "properties" in schema:
        if "properties" in schema:
            return "object"
        return "map" if "additionalProperties" in schema else "open"
    if schema.get("oneOf"):
        return "quantity"
    return schema.get("type", "open")


def excluded(rng, ways, rules):
    """An entry of excludeResourceRules: mostly of something that is matched."""
    rule = dict(rng.choice(rules))
    if rng.random() < 0.3:
        group, version, _, resources, operations = rng.choice(ways)
        rule = {"apiGroups": [group], "apiVersions": [version], "operations": operations, "resources": resources}
    resource = rng.choice(rule["resources"])
    rule["resources"] = [rng.choice([resource, resource, resource.split("/")[0] + "/*", "*", "*/*"])]
    rule["operations"] = rng.choice([["*"], ["CREATE"], ["UPDATE"], ["DELETE"], ["CREATE", "UPDATE"]])
    rule["apiVersions"] = rng.choice([rule["apiVersions"], ["*"], ["v1beta1"]])
    if rng.random() < 0.1:
        rule["resourceNames"] = ["web"]
    if rng.random() < 0.1:
        rule["scope"] = rng.choice(["Namespaced", "Cluster"])
    return rule


def mixed(rng, rules):
    """The rules, of more kinds of request: other operations, subresources, a scope."""
    made = []
    for rule in rules:
        rule = dict(rule)
        if rng.random() < 0.4:
            rule["operations"] = rng.sample(OPERATIONS[:3], rng.randrange(1, 4))
        if rng.random() < 0.2:
            plain = rule["resources"][0].split("/")[0]
            rule["resources"] = [
                *rule["resources"],
                *([f"{plain}/{rng.choice(SUBRESOURCES)}"] if plain != "*" else ["*/*"]),
            ]
        if rng.random() < 0.1:
            rule["scope"] = rng.choice(["Namespaced", "Cluster"])
        made.append(rule)
    return made


def make(rng, schemas, ways, number):
    group, version, kind, resources, operations = rng.choice(ways)
    schema, document = schemas.kind(group, version, kind)
    others = []
    for _ in range(2):
        g, v, k, _, _ = rng.choice(ways)
        others.append(schemas.kind(g, v, k))
    maker = Maker(rng, schema, document, others)
    rules = [{"apiGroups": [group], "apiVersions": [version], "operations": operations, "resources": resources}]
    while rng.random() < 0.25:
        g, v, _, r, o = rng.choice(ways)
        rules.append({"apiGroups": [g], "apiVersions": [v], "operations": o, "resources": r})
    if rng.random() < 0.02:
        rules = [{"apiGroups": ["*"], "apiVersions": ["*"], "operations": operations, "resources": ["*"]}]
    rules = mixed(rng, rules)
    spec = {"matchConstraints": {"resourceRules": rules}}
    if rng.random() < 0.1:
        spec["matchConstraints"]["matchPolicy"] = "Exact"
    if rng.random() < 0.1:
        spec["paramKind"] = {"apiVersion": "v1", "kind": "ConfigMap"}
        maker.params = True
    if rng.random() < 0.4:
        spec["variables"] = []
        for i in range(rng.randrange(1, 4)):
            sort = rng.choice(["bool", "list", "string", "any", *idioms.VARIABLES])
            if sort in idioms.VARIABLES:
                text = maker.variable_text(sort)
            elif sort == "bool":
                text = maker.bool()
            elif sort == "list":
                text = maker.path(want="array")[0]
            else:
                text = maker.path(want="string" if sort == "string" else None)[0]
            spec["variables"].append({"name": f"v{i}", "expression": text})
            maker.variables[f"v{i}"] = sort
    if rng.random() < 0.2:
        spec["matchConditions"] = [{"name": f"m{i}", "expression": maker.bool()} for i in range(rng.randrange(1, 3))]
    spec["validations"] = []
    for _ in range(rng.randrange(1, 4)):
        validation = {"expression": maker.bool()}
        if rng.random() < 0.15:
            validation["messageExpression"] = maker.string()
        spec["validations"].append(validation)
    if rng.random() < 0.1:
        spec["auditAnnotations"] = [{"key": "note", "valueExpression": maker.string()}]
    if rng.random() < 0.1:
        spec["matchConstraints"]["excludeResourceRules"] = [
            excluded(rng, ways, rules) for _ in range(rng.randrange(1, 3))
        ]
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingAdmissionPolicy",
        "metadata": {"name": f"made-{number}"},
        "spec": spec,
    }, maker


def asked_before(policy, maker, rng):
    """The policy with mutations for its validations, or its conditions as those of a webhook."""
    spec = dict(policy["spec"])
    conditions, constraints = spec.get("matchConditions") or [], spec["matchConstraints"]
    is_webhook = conditions and not any(
        "variables." in c["expression"] or "params" in c["expression"] for c in conditions
    )
    # webhooks are asked about other resources of these groups
    groups = {group for rule in constraints["resourceRules"] for group in rule["apiGroups"]}
    if is_webhook and rng.random() < 0.25 and not groups & {"*", "admissionregistration.k8s.io"}:
        webhook = {
            "name": "made.example.com",
            "rules": constraints["resourceRules"],
            "matchConditions": conditions,
            "sideEffects": "None",
            "admissionReviewVersions": ["v1"],
            "clientConfig": {"url": "https://example.com/"},
        }
        if "matchPolicy" in constraints:
            webhook["matchPolicy"] = constraints["matchPolicy"]
        kind = rng.choice(["ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"])
        return {**{k: v for k, v in policy.items() if k != "spec"}, "kind": kind, "webhooks": [webhook]}
    for part in ("validations", "auditAnnotations"):
        spec.pop(part, None)
    rules = [
        {**rule, "operations": [o for o in rule["operations"] if o != "DELETE"] or ["UPDATE"]}
        for rule in constraints["resourceRules"]
    ]
    spec["matchConstraints"] = {**constraints, "resourceRules": rules}
    spec["mutations"] = [maker.mutation() for _ in range(rng.choice([1, 1, 2, 3]))]
    spec["reinvocationPolicy"] = "Never"
    return {**policy, "kind": "MutatingAdmissionPolicy", "spec": spec}


def made(dump, count, seed, before=0.25):
    """count policies; so many of them are asked before validation, or are webhooks."""
    schemas = Schemas(dump)
    ways = list(WAYS)
    for group, version, kind, plural in schemas.custom():
        ways.append((group, version, kind, [plural], ["CREATE", "UPDATE"]))
    listed = []
    for i in range(count):
        policy, maker = make(random.Random(f"{seed}/{i}"), schemas, ways, i)
        rng = maker.rng = random.Random(f"{seed}/{i}/before")
        listed.append(asked_before(policy, maker, rng) if rng.random() < before else policy)
    return listed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dump")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for policy in made(options.dump, options.count, options.seed):
        print("---")
        print(json.dumps(policy))
    return 0


if __name__ == "__main__":
    sys.exit(main())
