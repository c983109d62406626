#!/usr/bin/env python3
"""kubectl vapcheck audit answers as the API server does: hundreds of objects, each with its own dry runs."""

import collections
import concurrent.futures
import contextlib
import http.client
import json
import re
import subprocess
import urllib.parse

import harness

ADMISSION = "admissionregistration.k8s.io/v1"
NAMESPACES = {"team-a": {"team": "a"}, "team-b": {"team": "b", "env": "test"}, "bare": {}}
EACH = 4  # objects of a kind in a namespace

TEMPLATE = {"metadata": {"labels": {"app": "a"}}}
METRIC = {"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50}}}


def pod_spec(i, **more):
    images = ["nginx", "nginx:1.27", "registry.example.com/app:2", "busybox:latest"]
    container = {"name": "c", "image": images[i % 4]}
    if i % 2:
        container["resources"] = {"limits": {"cpu": "0.5", "memory": "128Mi"}}
    return {"containers": [container], **more}


def workload(i, **more):
    template = {**TEMPLATE, "spec": pod_spec(i)}
    return {"spec": {"selector": {"matchLabels": {"app": "a"}}, "template": template, **more}}


def job(i):
    return {"template": {"spec": pod_spec(i, restartPolicy="Never")}, "backoffLimit": i}


# apiVersion, resource, kind, the number of an object -> what it holds
NAMESPACED = [
    ("v1", "configmaps", "ConfigMap", lambda i: {"data": {"n": str(i), "key": "value"}}),
    ("v1", "secrets", "Secret", lambda i: {"stringData": {"n": str(i)}}),
    ("v1", "services", "Service", lambda i: {"spec": {"selector": {"app": "a"}, "ports": [{"port": 80 + i}]}}),
    ("v1", "serviceaccounts", "ServiceAccount", lambda i: {"automountServiceAccountToken": i % 2 == 0}),
    ("v1", "pods", "Pod", lambda i: {"spec": pod_spec(i, automountServiceAccountToken=False)}),
    (
        "v1",
        "persistentvolumeclaims",
        "PersistentVolumeClaim",
        lambda i: {"spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": f"{i + 1}Gi"}}}},
    ),
    (
        "v1",
        "limitranges",
        "LimitRange",
        lambda i: {"spec": {"limits": [{"type": "PersistentVolumeClaim", "max": {"storage": "99Gi"}}]}},
    ),
    (
        "v1",
        "events",
        "Event",
        lambda i: {"involvedObject": {"kind": "Pod", "name": "x"}, "reason": f"R{i}", "message": "m"},
    ),
    ("apps/v1", "deployments", "Deployment", lambda i: workload(i, replicas=i)),
    ("apps/v1", "statefulsets", "StatefulSet", lambda i: workload(i, replicas=i, serviceName="s")),
    ("apps/v1", "replicasets", "ReplicaSet", lambda i: workload(i, replicas=i)),
    ("apps/v1", "daemonsets", "DaemonSet", lambda i: workload(i)),
    ("batch/v1", "jobs", "Job", lambda i: {"spec": job(i)}),
    (
        "batch/v1",
        "cronjobs",
        "CronJob",
        lambda i: {"spec": {"schedule": f"{i} * * * *", "jobTemplate": {"spec": job(i)}}},
    ),
    (
        "autoscaling/v2",
        "horizontalpodautoscalers",
        "HorizontalPodAutoscaler",
        lambda i: {
            "spec": {
                "scaleTargetRef": {"kind": "Deployment", "name": "d", "apiVersion": "apps/v1"},
                "maxReplicas": i + 1,
                "metrics": [METRIC],
            }
        },
    ),
    (
        "networking.k8s.io/v1",
        "networkpolicies",
        "NetworkPolicy",
        lambda i: {"spec": {"podSelector": {}, "policyTypes": ["Ingress"]}},
    ),
    (
        "networking.k8s.io/v1",
        "ingresses",
        "Ingress",
        lambda i: {"spec": {"defaultBackend": {"service": {"name": "s", "port": {"number": 80 + i}}}}},
    ),
    (
        "policy/v1",
        "poddisruptionbudgets",
        "PodDisruptionBudget",
        lambda i: {"spec": {"maxUnavailable": i, "selector": {"matchLabels": {"app": f"p{i}"}}}},
    ),
    (
        "rbac.authorization.k8s.io/v1",
        "roles",
        "Role",
        lambda i: {
            "rules": [{"apiGroups": [""], "resources": ["pods" if i % 2 else "*"], "verbs": ["get"]}] if i else None
        },
    ),
    ("coordination.k8s.io/v1", "leases", "Lease", lambda i: {"spec": {"holderIdentity": f"h{i}"}}),
    ("example.com/v1", "widgets", "Widget", lambda i: {"spec": {"size": i, "names": ["a"] * i}}),
]
CLUSTER = [
    ("v1", "namespaces", "Namespace", lambda i: {}),
    (
        "rbac.authorization.k8s.io/v1",
        "clusterroles",
        "ClusterRole",
        lambda i: {"rules": [{"apiGroups": ["*"], "resources": ["pods"], "verbs": ["*" if i % 2 else "get"]}]},
    ),
    ("scheduling.k8s.io/v1", "priorityclasses", "PriorityClass", lambda i: {"value": i * 1000}),
    (
        "storage.k8s.io/v1",
        "storageclasses",
        "StorageClass",
        lambda i: {"provisioner": "example.com/p", "reclaimPolicy": "Delete"},
    ),
]

CRD = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "widgets.example.com"},
    "spec": {
        "group": "example.com",
        "scope": "Namespaced",
        "names": {"plural": "widgets", "singular": "widget", "kind": "Widget"},
        "versions": [
            {
                "name": name, "served": True, "storage": name == "v1",
                "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}},
            }
            for name in ("v1", "v1beta1")
        ],
    },
}  # fmt: skip


def objects():
    number = 0
    for version, _, kind, make in NAMESPACED:
        for namespace in NAMESPACES:
            for i in range(EACH):
                number += 1
                labels = [{}, {"owner": "me"}, {"owner": "", "tier": "web"}, {"tier": "db"}][(number // 2 + i) % 4]
                metadata = {"name": f"o{i}", "namespace": namespace, "labels": labels}
                made = {"apiVersion": version, "kind": kind, "metadata": metadata, **make(i)}
                if kind == "Event":
                    made["involvedObject"]["namespace"] = namespace
                yield made
    for version, _, kind, make in CLUSTER:
        for i in range(EACH):
            labels = [{}, {"owner": "me"}, {"tier": "web"}, {"tier": "db"}][i]
            yield {"apiVersion": version, "kind": kind, "metadata": {"name": f"audit-{i}", "labels": labels}, **make(i)}


def rule(groups, versions, resources, operations=("CREATE", "UPDATE"), **more):
    return {
        "apiGroups": groups,
        "apiVersions": versions,
        "resources": resources,
        "operations": list(operations),
        **more,
    }


def policy(name, rules, *validations, constraints=None, **spec):
    made = harness.policy(name, **spec)
    made["spec"]["matchConstraints"] = {"resourceRules": rules, **(constraints or {})}
    made["spec"]["validations"] = [v if isinstance(v, dict) else {"expression": v} for v in validations]
    return made


def binding(name, policy, *actions, **spec):
    return harness.binding(name, policy, *(actions or ["Warn"]), **spec)


OURS = ["", "apps", "batch", "autoscaling", "networking.k8s.io", "policy", "rbac.authorization.k8s.io",
        "coordination.k8s.io", "example.com", "scheduling.k8s.io", "storage.k8s.io"]  # fmt: skip
WORKLOADS = rule(["apps"], ["v1"], ["deployments", "statefulsets", "replicasets", "daemonsets"])
OWNER = "has(object.metadata.labels) && 'owner' in object.metadata.labels && object.metadata.labels.owner != ''"
SELECT_WEB = {"objectSelector": {"matchLabels": {"tier": "web"}}}

POLICIES = [
    policy(
        "owner",
        [rule(OURS, ["*"], ["*"])],
        {"expression": OWNER, "messageExpression": "object.kind + ' ' + object.metadata.name + ' has no owner'"},
        constraints={
            "excludeResourceRules": [
                rule([""], ["v1"], ["events", "secrets"]),
                rule(["apps"], ["*"], ["*"], resourceNames=["o1"]),
            ],
            "namespaceSelector": {
                "matchExpressions": [
                    {
                        "key": "kubernetes.io/metadata.name",
                        "operator": "NotIn",
                        "values": ["kube-system", "kube-public", "default"],
                    }
                ]
            },
        },
    ),
    policy(
        "replicas",
        [WORKLOADS],
        {
            "expression": "!has(object.spec.replicas) || object.spec.replicas <= variables.most",
            "reason": "Forbidden",
            "messageExpression": "'at most ' + string(variables.most) + ', not ' + string(object.spec.replicas)",
        },
        variables=[{"name": "most", "expression": "namespaceObject.metadata.name == 'team-a' ? 1 : 2"}],
    ),
    policy(
        "images",
        [WORKLOADS, rule(["", "batch"], ["v1"], ["pods", "jobs"])],
        "object.spec.template.spec.containers.all(c, c.image.contains(':'))",
    ),
    policy(
        "images-ignored",
        [WORKLOADS, rule(["", "batch"], ["v1"], ["pods", "jobs"])],
        "object.spec.template.spec.containers.all(c, c.image.matches('.*:[0-9.]+$'))",
        failurePolicy="Ignore",
    ),
    policy(
        "limits",
        [rule([""], ["v1"], ["pods"], scope="Namespaced")],
        {
            "expression": "object.spec.containers.all(c, has(c.resources.limits) && 'cpu' in c.resources.limits)",
            "message": "no limit",
        },
        constraints=SELECT_WEB,
    ),
    policy(
        "params",
        [rule([""], ["v1"], ["services", "persistentvolumeclaims"])],
        "params == null || object.metadata.name != params.data.name",
        "params == null || params.kind == 'ConfigMap' && params.apiVersion == 'v1' && "
        "!(object.metadata.name in params.data)",
        paramKind={"apiVersion": "v1", "kind": "ConfigMap"},
    ),
    policy(
        "old-hpa",
        [rule(["autoscaling"], ["v1"], ["horizontalpodautoscalers"])],
        "object.spec.targetCPUUtilizationPercentage > 60 && "
        "request.resource.version == request.requestResource.version",
        "object.spec.maxReplicas > 2",
    ),
    policy(
        "exact-hpa",
        [rule(["autoscaling"], ["v1"], ["horizontalpodautoscalers"])],
        "object.apiVersion == 'autoscaling/v1' && object.spec.maxReplicas < 2",
        constraints={"matchPolicy": "Exact"},
    ),
    policy(
        "new-events",
        [rule(["events.k8s.io"], ["v1"], ["events"])],
        "object.regarding.kind != 'Pod'",
        "object.reason == 'R1'",
    ),
    policy(
        "clusterwide",
        [rule(["*"], ["*"], ["namespaces", "clusterroles", "storageclasses"], scope="Cluster")],
        "namespaceObject == null && object.metadata.name != 'audit-2'",
        "!has(object.rules) || object.rules.all(r, !('*' in r.verbs))",
    ),
    policy(
        "namespaces",
        [rule([""], ["v1"], ["namespaces"], ["UPDATE"])],
        "oldObject.metadata.name == request.name && false",
        constraints={"namespaceSelector": {"matchLabels": {"tier": "web"}}},
    ),
    policy(
        "conditions",
        [rule([""], ["v1"], ["configmaps", "serviceaccounts"])],
        "false",
        matchConditions=[
            {"name": "not-b", "expression": "request.namespace != 'team-b'"},
            {"name": "update", "expression": "request.operation == 'UPDATE' && oldObject == object"},
            {"name": "user", "expression": "request.userInfo.username != '' && size(request.userInfo.groups) > 0"},
        ],
    ),
    policy(
        "failing-condition",
        [rule([""], ["v1"], ["limitranges"])],
        "true",
        matchConditions=[{"name": "broken", "expression": "namespaceObject.metadata.name == 'team-a'"}],
    ),
    policy(
        "widgets",
        [rule(["example.com"], ["v1beta1"], ["widgets"])],
        "object.apiVersion == 'example.com/v1beta1' && object.spec.size == size(object.spec.names)",
        "object.spec.size < 3",
    ),
    policy(
        "roles",
        [rule(["rbac.authorization.k8s.io"], ["v1"], ["roles"], resourceNames=["o0", "o2"])],
        "object.rules != null && object.rules.all(r, !('*' in r.resources))",
    ),
    policy(
        "quantities",
        [rule([""], ["v1"], ["persistentvolumeclaims"])],
        "quantity(object.spec.resources.requests.storage).isLessThan(quantity('3Gi'))",
        auditAnnotations=[{"key": "size", "valueExpression": "string(object.spec.resources.requests.storage)"}],
    ),
    policy(
        "annotated",
        [rule(["policy"], ["v1"], ["poddisruptionbudgets"])],
        "true",
        auditAnnotations=[{"key": "broken", "valueExpression": "string(object.spec.minAvailable)"}],
    ),
    policy(
        "leases",
        [rule(["coordination.k8s.io"], ["*"], ["leases"])],
        "object.spec.holderIdentity != 'h1'",
        "has(object.metadata.uid)",
    ),
    policy("unbound", [rule(["networking.k8s.io"], ["v1"], ["ingresses"])], "false"),
]
IN_WEB = {"matchResources": {"objectSelector": {"matchLabels": {"tier": "web"}}}}
OF_TEAMS = {"matchResources": {"namespaceSelector": {"matchExpressions": [{"key": "team", "operator": "Exists"}]}}}
ONLY_STATEFUL = {
    "matchResources": {"resourceRules": [rule(["apps"], ["v1"], ["statefulsets"])], "namespaceSelector": {}}
}
BINDINGS = [
    binding("owner-warn", "owner"),
    binding("owner-deny", "owner", "Deny", **IN_WEB),
    binding("owner-audit", "owner", "Audit"),
    binding("replicas-deny", "replicas", "Deny", "Audit", **ONLY_STATEFUL),
    binding("replicas-warn", "replicas", **OF_TEAMS),
    binding("images-warn", "images"),
    binding("images-ignored", "images-ignored"),
    binding("limits", "limits"),
    binding("limits-deny", "limits", "Deny"),
    binding(
        "params-name", "params", paramRef={"name": "params", "namespace": "team-a", "parameterNotFoundAction": "Deny"}
    ),
    binding("params-here", "params", paramRef={"name": "local", "parameterNotFoundAction": "Allow"}),
    binding("params-gone", "params", paramRef={"name": "nope", "parameterNotFoundAction": "Deny"}, **IN_WEB),
    binding(
        "params-labels",
        "params",
        paramRef={"selector": {"matchLabels": {"params": "yes"}}, "parameterNotFoundAction": "Allow"},
    ),
    binding("params-none", "params"),
    *(
        binding(f"{p}-warn", p)
        for p in (
            "old-hpa",
            "exact-hpa",
            "new-events",
            "clusterwide",
            "namespaces",
            "conditions",
            "failing-condition",
            "widgets",
            "roles",
            "quantities",
            "annotated",
            "leases",
        )
    ),
]


def config_map(name, namespace, data, **labels):
    metadata = {"name": name, "namespace": namespace, "labels": {"owner": "me", **labels}}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}


PARAMS = [
    config_map("params", "team-a", {"name": "o1"}),
    config_map("local", "team-b", {"name": "o2", "o3": "x"}),
    config_map("first", "bare", {"name": "o0"}, params="yes"),
    config_map("second", "bare", {"name": "o3"}, params="yes"),
]

# Of mutating policies, each with its name in what it makes or says; each has a binding, and all are about this
# namespace.
MUTATED = "mutated"


def mutating(name, rules, *mutations, **spec):
    """A mutation that begins with [ is a JSON patch."""
    kinds = {True: ("JSONPatch", "jsonPatch"), False: ("ApplyConfiguration", "applyConfiguration")}
    made = [{"patchType": kinds[m[0] == "["][0], kinds[m[0] == "["][1]: {"expression": m}} for m in mutations]
    spec = {
        "matchConstraints": {"resourceRules": rules},
        "mutations": made,
        "reinvocationPolicy": "Never",
        "failurePolicy": "Fail",
        **spec,
    }
    return {"apiVersion": ADMISSION, "kind": "MutatingAdmissionPolicy", "metadata": {"name": name}, "spec": spec}


def mutating_binding(policy, **spec):
    here = {"matchResources": {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": MUTATED}}}}
    spec = {"policyName": policy, **here, **spec}
    return {
        "apiVersion": ADMISSION,
        "kind": "MutatingAdmissionPolicyBinding",
        "metadata": {"name": policy},
        "spec": spec,
    }


def adding(path, value):
    return f"[JSONPatch{{op: 'add', path: '{path}', value: {value}}}]"


def labelling(name):
    return f"Object{{metadata: Object.metadata{{labels: {{'{name}': 'yes'}}}}}}"


CORE, SIDECAR = (
    rule([""], ["v1"], ["configmaps"]),
    "Object.spec.template.spec.containers{name: 'm-sidecar', image: 'sidecar:1'}",
)
SPEC = "Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{%s}}}}"
MUTATING = [
    mutating(
        "m-label",
        [rule(["", "apps", "example.com"], ["*"], ["services", "deployments", "widgets"])],
        labelling("m-label"),
    ),
    mutating(
        "m-sidecar",
        [rule(["apps"], ["v1"], ["deployments"])],
        SPEC % f"containers: [{SIDECAR}]",
        SPEC
        % "containers: object.spec.template.spec.containers.map(c, Object.spec.template.spec.containers{name: c.name, "
        "env: [Object.spec.template.spec.containers.env{name: 'M', "
        "value: string(size(object.spec.template.spec.containers))}]})",
    ),
    mutating(
        "m-replicas",
        [rule(["apps"], ["v1"], ["deployments"])],
        "[JSONPatch{op: 'replace', path: '/spec/replicas', value: 7}, "
        "JSONPatch{op: 'add', path: '/metadata/annotations', value: {'m-replicas': string(object.spec.replicas)}}]",
        matchConditions=[{"name": "more", "expression": "object.spec.replicas > 1"}],
    ),
    mutating(
        "m-counts",
        [CORE],
        adding("/data/m-counts", "string(size(object.data))"),
        reinvocationPolicy="IfNeeded",
        matchConditions=[{"name": "those", "expression": "object.metadata.name.startsWith('count')"}],
    ),
    mutating(
        "m-more",
        [CORE],
        adding("/data/m-more", "'x'"),
        matchConditions=[{"name": "those", "expression": "object.metadata.name.startsWith('count')"}],
    ),
    mutating(
        "m-params",
        [CORE],
        adding("/data/m-params", "params.spec.value"),
        paramKind={"apiVersion": "example.com/v1", "kind": "Widget"},
        matchConditions=[{"name": "those", "expression": "object.metadata.name.startsWith('param')"}],
    ),
    mutating(
        "m-fails",
        [CORE],
        adding("/data/x", "object.data.nope"),
        adding("/data/y", "'y'"),
        matchConditions=[{"name": "those", "expression": "object.metadata.name.startsWith('fail')"}],
    ),
    mutating(
        "m-ignores",
        [CORE],
        adding("/data/x", "object.data.nope"),
        adding("/data/m-ignores", "'y'"),
        failurePolicy="Ignore",
        matchConditions=[{"name": "those", "expression": "object.metadata.name.startsWith('ignore')"}],
    ),
    mutating(
        "m-again",
        [CORE],
        "[JSONPatch{op: 'remove', path: '/data/k'}]",
        matchConditions=[
            {"name": "those", "expression": "object.metadata.name.startsWith('again') && object.data.k == 'v'"}
        ],
    ),
    mutating(
        "m-undecodable",
        [CORE],
        "[JSONPatch{op: 'add', path: '/data/k', value: 1}]",
        failurePolicy="Ignore",
        matchConditions=[{"name": "those", "expression": "object.metadata.name.startsWith('undecodable')"}],
    ),
    mutating(
        "m-update",
        [rule([""], ["v1"], ["secrets"], ["UPDATE"])],
        adding("/data/m-update", "'eA=='"),
        "[JSONPatch{op: 'remove', path: '/metadata/uid'}]",
    ),
    mutating(
        "m-widget",
        [rule(["example.com"], ["v1"], ["widgets"])],
        adding("/spec/m-widget", "{'a': [true]}"),
        "[JSONPatch{op: 'remove', path: '/spec/names'}]",
    ),
]
MUTATING_BINDINGS = [
    mutating_binding(
        p["metadata"]["name"],
        **(
            {"paramRef": {"name": "value", "namespace": MUTATED, "parameterNotFoundAction": "Deny"}}
            if "paramKind" in p["spec"]
            else {}
        ),
    )
    for p in MUTATING
]
BEHIND = [
    policy(
        "v-label",
        [rule(["", "apps"], ["v1"], ["services", "deployments"])],
        "!('m-label' in object.metadata.labels) || object.kind != 'Service'",
    ),
    policy(
        "v-sidecar",
        [rule(["apps"], ["v1"], ["deployments"])],
        {
            "expression": "size(object.spec.template.spec.containers) < 2",
            "messageExpression": "string(size(object.spec.template.spec.containers))",
        },
    ),
    policy(
        "v-uid",
        [rule([""], ["v1"], ["secrets"], ["UPDATE"])],
        {
            "expression": "!has(object.metadata.uid)",
            "messageExpression": "'m-update: ' + string(object.metadata.uid == oldObject.metadata.uid)",
        },
    ),
    policy(
        "v-old",
        [rule([""], ["v1"], ["secrets"], ["UPDATE"])],
        "!('m-update' in object.data) || 'm-update' in oldObject.data",
    ),
]
BEHIND_BINDINGS = [
    binding("v-label", "v-label", "Deny"),
    *(binding(name, name) for name in ("v-sidecar", "v-uid", "v-old")),
]

RESOURCES = {(kind, version): resource for version, resource, kind, _ in [*NAMESPACED, *CLUSTER]}
# The other versions in which a policy may be asked about the same object.
OTHERS = {"HorizontalPodAutoscaler": ["autoscaling/v1"], "Widget": ["example.com/v1beta1"]}
# What the server makes for each object anew, and does not take.
MADE = {"Job": ["selector"], "Service": ["clusterIP", "clusterIPs"]}
MUTATION_DENIED = re.compile(r"policy '([^']*)' with binding '([^']*)' denied request: (.*)", re.S)
DENIED = re.compile(r"ValidatingAdmissionPolicy '([^']*)'(?: with binding '([^']*)')? denied request: (.*)", re.S)
WARNED = re.compile(r"Validation failed for ValidatingAdmissionPolicy '([^']*)' with binding '([^']*)': (.*)", re.S)


def path_of(version, resource, namespace, name):
    parts = ["api" if version == "v1" else "apis", version, *(["namespaces", namespace] if namespace else []), resource]
    return "/" + "/".join([*parts, *([name] if name else [])])


class Server:
    """One connection to kubectl proxy."""

    def __init__(self, url):
        self.connection = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc)

    def close(self):
        self.connection.close()

    def ask(self, method, path, body=None):
        """(status, the object, the texts of its warnings)"""
        self.connection.request(method, path, json.dumps(body) if body else None, {"Content-Type": "application/json"})
        answer = self.connection.getresponse()
        warnings = [value.split(" ", 2)[2] for name, value in answer.getheaders() if name == "Warning"]
        return answer.status, json.loads(answer.read()), [json.loads(text) for text in warnings]

    def dry_run(self, operation, version, resource, stored):
        """What policies say: {(effect, policy, binding, message)}, of the denials the first."""
        metadata = stored["metadata"]
        sent = json.loads(json.dumps(stored))
        if operation == "CREATE":
            for key in ("resourceVersion", "uid", "creationTimestamp", "generation", "managedFields", "selfLink"):
                sent["metadata"].pop(key, None)
            for field in MADE.get(stored["kind"], []):
                sent["spec"].pop(field, None)
            if stored["kind"] == "Job":
                sent["spec"]["template"]["metadata"] = {}
        path = path_of(
            version, resource, metadata.get("namespace"), metadata["name"] if operation == "UPDATE" else None
        )
        status, answer, warnings = self.ask("PUT" if operation == "UPDATE" else "POST", path + "?dryRun=All", sent)
        said = set()
        for text in warnings:
            found = WARNED.fullmatch(text)
            if found:
                said.add(("warned", *found.groups()))
        found = DENIED.search(answer.get("message", "")) if status >= 400 else None
        if found:
            said.add(("refused", *found.groups()))
        elif status >= 400 and answer.get("reason") != "AlreadyExists":
            raise AssertionError(f"{operation} {path}: {answer}")
        return said


def mutated_objects():
    def made(version, kind, name, **more):
        return {
            "apiVersion": version,
            "kind": kind,
            "metadata": {"name": name, "namespace": MUTATED, "labels": {"a": "b"}},
            **more,
        }

    # a kind of its own: with its last policy, a server stops to watch a built-in kind of parameters, and does not begin
    # again
    yield made("example.com/v1", "Widget", "value", spec={"names": [], "value": "of the parameter"})
    for name in ("count", "param", "fail", "ignore", "again", "undecodable"):
        yield made("v1", "ConfigMap", f"{name}-1", data={"k": "v"})
        yield made("v1", "ConfigMap", f"{name}-2", data={"k": "v", "m-counts": "0", "m-more": "x", "nope": "n"})
    for i in range(EACH):
        yield made("apps/v1", "Deployment", f"o{i}", **workload(i, replicas=i))
        yield made("v1", "Service", f"o{i}", spec={"selector": {"app": "a"}, "ports": [{"port": 80 + i}]})
        yield made("v1", "Secret", f"o{i}", stringData={"n": str(i)})
        yield made("example.com/v1", "Widget", f"o{i}", spec={"size": i, "names": ["a"] * i})


def patched(made, patch):
    """RFC 6902, as far as audit writes it."""
    for operation in patch:
        *parents, last = [part.replace("~1", "/").replace("~0", "~") for part in operation["path"].split("/")[1:]]
        at = made
        for part in parents:
            at = at[int(part)] if isinstance(at, list) else at[part]
        if isinstance(at, list):
            last = int(last)
        if operation["op"] == "remove":
            del at[last]
        elif operation["op"] == "add" and isinstance(at, list):
            at.insert(last, operation["value"])
        else:
            at[last] = operation["value"]
    return made


def plain(made):
    """Without what each request makes anew."""
    made = json.loads(json.dumps(made))
    for key in ("uid", "resourceVersion", "creationTimestamp", "generation", "managedFields", "name"):
        made["metadata"].pop(key, None)
    for field in MADE.get(made["kind"], []):
        made["spec"].pop(field, None)
    return made


class AuditTest(harness.Case):
    def stored(self, server, wanted):
        """The objects as the server has them, by version."""
        for made in wanted:
            metadata = made["metadata"]
            resource = RESOURCES[made["kind"], made["apiVersion"]]
            for version in [made["apiVersion"], *OTHERS.get(made["kind"], [])]:
                status, answer, _ = server.ask(
                    "GET", path_of(version, resource, metadata.get("namespace"), metadata["name"])
                )
                self.assertEqual(status, 200, answer)
                yield made, version, resource, answer

    def audit(self, *args, status=1):
        command = [harness.KUBECTL_VAPCHECK, "audit", "--cluster", "--kubeconfig", self.plane.kubeconfig, *args]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, status, done.stderr[-3000:] + done.stdout[-3000:])
        return done

    def expect(self, url, wanted):
        """{(kind, namespace, name, operation): what the server says to these requests}"""
        with contextlib.closing(Server(url)) as server:
            asked = list(self.stored(server, wanted))

        def ask(chunk):
            with contextlib.closing(Server(url)) as server:
                return [
                    (made, op, server.dry_run(op, version, resource, answer))
                    for made, version, resource, answer in chunk
                    for op in ("CREATE", "UPDATE")
                ]

        expected = collections.defaultdict(set)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for answers in pool.map(ask, [asked[i::4] for i in range(4)]):
                for made, operation, said in answers:
                    metadata = made["metadata"]
                    expected[made["kind"], metadata.get("namespace"), metadata["name"], operation] |= said
        return expected

    def test_pages(self):
        """More objects than a page of a list has: each is evaluated once."""
        many, path = 450, "/api/v1/namespaces/default/configmaps"
        made = harness.policy("pages", "int(object.data.n) % 2 == 0", group="", resource="configmaps")
        made["spec"]["matchConstraints"]["objectSelector"] = {"matchLabels": {"pages": "yes"}}
        self.plane.apply(made)
        with contextlib.closing(Server(self.proxy())) as server:
            for n in range(many):
                metadata = {"name": f"page-{n}", "labels": {"pages": "yes"}}
                status, answer, _ = server.ask(
                    "POST", path, {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"n": str(n)}}
                )
                self.assertEqual(status, 201, answer)
            report = json.loads(self.audit("-o", "json").stdout)
            server.ask("DELETE", path + "?labelSelector=pages%3Dyes")
        self.assertEqual({r["object"]["name"] for r in report["results"]}, {f"page-{n}" for n in range(1, many, 2)})
        self.assertEqual((len(report["results"]), report["policies"][0]["matched"]), (many // 2, many))
        lists = [e["requestURI"] for e in self.plane.requests("kubectl-vapcheck") if "/configmaps?" in e["requestURI"]]
        self.assertEqual(len([uri for uri in lists if "continue=" in uri and "limit=200" in uri]), 2, lists)

    def test_same_answers(self):
        namespaces = [
            {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels}}
            for name, labels in NAMESPACES.items()
        ]
        self.plane.apply([CRD, *namespaces])
        self.plane.kubectl("wait", "--for=condition=Established", "crd/widgets.example.com")
        self.plane.apply([*PARAMS, *objects()])
        self.plane.apply([*POLICIES, *BINDINGS])
        url = self.proxy()
        wanted = list(objects())
        self.assertGreater(len(wanted), 260)
        self.assertGreaterEqual(len({o["kind"] for o in wanted}), 20)

        probe = next(o for o in wanted if o["kind"] == "Lease" and o["metadata"]["name"] == "o1")
        harness.wait_for("the policies are active", lambda: any(self.expect(url, [probe]).values()))
        expected = harness.wait_for("all of them", lambda: self.settled(url, wanted), timeout=180, period=1)

        report = json.loads(self.audit("-o", "json").stdout)
        missing = {p["name"]: p["notEvaluated"] for p in report["policies"] if "notEvaluated" in p}
        self.assertEqual(missing, {})
        self.compare(report, expected)
        for written in self.plane.writes("kubectl-vapcheck"):
            self.assertEqual(written["objectRef"]["resource"], "selfsubjectreviews")
        unbound = [r for r in report["results"] if r["policy"] == "unbound"]
        self.assertEqual(len(unbound), len(NAMESPACES) * EACH)
        self.assertTrue(all(not r["bound"] and "binding" not in r for r in unbound))
        self.formats(report)

    def mutated(self, url, stored):
        """{(kind, name, operation): (the object that the server makes, or None, and what it says)}"""
        answers = {}
        with contextlib.closing(Server(url)) as server:
            for made, version, resource, answer in stored:
                for operation in ("CREATE", "UPDATE"):
                    sent = json.loads(json.dumps(answer))
                    if operation == "CREATE":
                        sent = plain(sent)
                        sent["metadata"]["name"] = made["metadata"]["name"] + "-new"
                    path = path_of(
                        version, resource, MUTATED, made["metadata"]["name"] if operation == "UPDATE" else None
                    )
                    status, got, warnings = server.ask(
                        "PUT" if operation == "UPDATE" else "POST", path + "?dryRun=All", sent
                    )
                    said = {("warned", *found.groups()) for found in map(WARNED.fullmatch, warnings) if found}
                    for pattern in (DENIED, MUTATION_DENIED) if status >= 400 else ():
                        found = pattern.search(got["message"])
                        said |= {("refused", *found.groups())} if found else set()
                    if status >= 400 and not said:
                        said = {("refused", None, None, got["message"])}
                    answers[made["kind"], made["metadata"]["name"], operation] = (
                        plain(got) if status < 400 else None,
                        said,
                    )
        return answers

    def test_mutating_policies(self):
        self.addCleanup(self.plane.delete, "mutatingadmissionpolicies,mutatingadmissionpolicybindings", "--all")
        self.plane.apply([CRD, {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": MUTATED}}])
        self.plane.kubectl("wait", "--for=condition=Established", "crd/widgets.example.com")
        wanted, url = list(mutated_objects()), self.proxy()
        self.plane.apply(wanted)
        with contextlib.closing(Server(url)) as server:
            stored = [s for s in self.stored(server, wanted) if s[1] == s[0]["apiVersion"]]
        before = self.mutated(url, stored)
        self.assertEqual([said for _, said in before.values() if said], [])
        self.plane.apply([*MUTATING, *MUTATING_BINDINGS, *BEHIND, *BEHIND_BINDINGS])
        names = [
            p["metadata"]["name"]
            for p in MUTATING + BEHIND
            if p["metadata"]["name"] not in ("m-undecodable", "m-again")
        ]

        def settled():
            after = self.mutated(url, stored)
            text = str(after)
            silent = [name for name in names if name not in text]
            assert not silent, f"nothing is heard of {silent}"
            assert "cannot unmarshal" in text and "no such key: k" in text
            return after if self.mutated(url, stored) == after else None

        after = harness.wait_for("the mutations", settled, timeout=120, period=1)
        report = json.loads(self.audit("-o", "json").stdout)
        self.assertEqual({p["name"]: p["notEvaluated"] for p in report["policies"] if "notEvaluated" in p}, {})
        self.compare_mutations(report, before, after)
        self.beside(report)

    def compare_mutations(self, report, before, after):
        wrong, compared = [], collections.Counter()
        for (kind, name, operation), (made, said) in after.items():
            mine = [
                r
                for r in report["results"]
                if (r["object"]["kind"], r["object"].get("namespace"), r["object"]["name"]) == (kind, MUTATED, name)
                and operation in r["operations"]
            ]
            changes = sorted((r for r in mine if r["effect"] == "changed"), key=lambda r: r["step"])
            ours = {("warned" if r["effect"] == "warned" else "refused", r["policy"], r.get("binding"), r["message"])
                    for r in mine if r["effect"] in ("refused", "failed", "warned")}  # fmt: skip
            theirs = {s for s in said if s[0] != "refused"}
            denials = {s[3] for s in said if s[0] == "refused"}
            ours_denied = {s[3] for s in ours if s[0] == "refused"}
            compared["changed"] += bool(changes) and made is not None
            compared["refused"] += bool(denials)
            compared["warned"] += len(theirs)
            if (
                not denials <= ours_denied
                or bool(denials) != bool(ours_denied)
                or (made is not None and theirs != ours)
            ):
                wrong.append(f"{kind} {name} {operation}: server {said}, we {ours}")
            if made is not None:
                expected = json.loads(json.dumps(before[kind, name, operation][0]))
                expected["metadata"]["uid"] = "any"  # which a mutation may remove
                for r in changes:
                    patched(expected, r["patch"])
                self.complete(expected)
                if plain(expected) != made:
                    wrong.append(f"{kind} {name} {operation}: server {made}, we {expected}")
            if any(r["effect"] == "unknown" for r in mine):
                wrong.append(f"{kind} {name} {operation}: {mine}")
        print(dict(compared))
        self.assertEqual(wrong, [], "\n".join(wrong[:20]))
        self.assertGreaterEqual(compared["changed"], 20)
        self.assertGreaterEqual(compared["refused"], 10)
        self.assertGreaterEqual(compared["warned"], 8)

    def complete(self, made):
        """Of a container that was added: what only the server's code sets, and no schema has."""
        for container in made["spec"]["template"]["spec"]["containers"] if made["kind"] == "Deployment" else []:
            if container["name"] == "m-sidecar":
                container |= {
                    "terminationMessagePath": "/dev/termination-log",
                    "terminationMessagePolicy": "File",
                    "imagePullPolicy": "IfNotPresent",
                }

    def beside(self, report):
        """Of a file's policy the objects as the cluster's mutating policies make them; of the file's mutating policy
        all that it changes."""
        path = self.plane.directory / "policy.json"
        path.write_text(json.dumps(BEHIND[1]))
        found = json.loads(self.audit("-f", path, "-o", "json").stdout)["results"]
        warned = [
            r for r in report["results"] if r["policy"] == "v-sidecar" and r["object"].get("namespace") == MUTATED
        ]
        self.assertEqual([r for r in found if r["object"].get("namespace") == MUTATED], warned)
        self.assertTrue(all(r["afterChange"] for r in warned))
        path.write_text(json.dumps(MUTATING[0]))
        found = json.loads(self.audit("-f", path, "-o", "json").stdout)["results"]
        shown = {"m-label": "changed", "v-label": "refused", "v-sidecar": "warned"}
        self.assertEqual({r["policy"]: r["effect"] for r in found}, shown)

    def settled(self, url, wanted):
        """Twice the same answers, in which each policy that is bound has a say."""
        first = self.expect(url, wanted)
        heard = {policy for said in first.values() for _, policy, _, _ in said}
        silent = {p["metadata"]["name"] for p in POLICIES} - heard - {"unbound"}
        assert not silent, f"nothing is heard of {silent}"
        return first if self.expect(url, wanted) == first else None

    def compare(self, report, expected):
        ours = collections.defaultdict(set)
        for r in report["results"]:
            if r["effect"] in ("audited", "ignored") or not r["bound"]:
                continue
            effect = "warned" if r["effect"] == "warned" else "refused"
            for operation in r["operations"]:
                key = (r["object"]["kind"], r["object"].get("namespace"), r["object"]["name"], operation)
                ours[key].add((effect, r["policy"], r.get("binding"), r["message"]))
        wrong, compared = [], collections.Counter()
        for key, said in expected.items():
            mine, theirs = ours[key], said
            # of several denials the server tells the first that it comes to
            denials = {s for s in mine if s[0] == "refused"}
            theirs_denied = {s for s in theirs if s[0] == "refused"}
            same = (
                theirs - theirs_denied == mine - denials
                and theirs_denied <= denials
                and bool(denials) == bool(theirs_denied)
            )
            compared["warnings"] += len(theirs - theirs_denied)
            compared["denials"] += len(theirs_denied)
            compared["requests"] += 1
            if not same:
                wrong.append(f"{key}: server {sorted(map(str, theirs - mine))}, we {sorted(map(str, mine - theirs))}")
        print(dict(compared))
        self.assertEqual(wrong, [], "\n".join(wrong[:40]))
        self.assertGreater(compared["warnings"], 300)
        self.assertGreater(compared["denials"], 20)

    def formats(self, report):
        """The other formats have the same findings."""
        words = {"refused": "DENY", "warned": "WARN", "audited": "AUDIT", "failed": "ERROR", "ignored": "ERROR",
                 "changed": "CHANGE", "unknown": "UNKNOWN"}  # fmt: skip
        text = self.audit().stdout
        self.assertEqual(
            collections.Counter(line.split()[0] for line in text.splitlines() if line.startswith("  ")
                                and line.split()[0] in words.values()),
            collections.Counter(words[effect] for effect, *_ in {
                (r["effect"], r["policy"], r.get("mutating"), *sorted(r["object"].items())) for r in report["results"]
            }),
        )  # fmt: skip
        sarif = json.loads(self.audit("-o", "sarif").stdout)
        self.assertEqual(len(sarif["runs"][0]["results"]), len(report["results"]))
        reports = json.loads(self.audit("-o", "openreports-json").stdout)["items"]
        self.assertEqual(sum(len(r["results"]) for r in reports), len(report["results"]))
        self.assertEqual(len({(r["metadata"].get("namespace"), r["metadata"]["name"]) for r in reports}), len(reports))
        self.audit("--fail-on", "never", status=0)


harness.main()
