"""Objects with every field that the API server's schemas give an enumeration, fields whose values only its validation
lists, and where all these fields stand.

The API server validates an object before its validating policies are asked. validated_test.py proves for each field
below that no other value gets there: a real server refuses it when the object is created, and when it is updated.
typecheck/cel/schema/valid_fields.def holds what was proved.
"""

import copy
import gzip
import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "typecheck/cel/schema/valid_fields.def"
BUNDLES = ROOT / "manifests/schemas"
OWN = "io.k8s.api."

LABELS = {"app": "a"}
SELECTOR = {"matchLabels": LABELS}
PROFILE = {"type": "RuntimeDefault"}
SPREAD = {
    "maxSkew": 1,
    "topologyKey": "zone",
    "whenUnsatisfiable": "DoNotSchedule",
    "labelSelector": SELECTOR,
    "nodeAffinityPolicy": "Honor",
    "nodeTaintsPolicy": "Ignore",
}
CONTAINER = {
    "name": "c",
    "image": "nginx",
    "imagePullPolicy": "Always",
    "terminationMessagePolicy": "File",
    "ports": [{"containerPort": 80, "protocol": "TCP"}],
    "livenessProbe": {"httpGet": {"port": 80, "scheme": "HTTP"}},
    "lifecycle": {"postStart": {"httpGet": {"port": 80, "scheme": "HTTPS"}}},
    "securityContext": {"procMount": "Default", "seccompProfile": PROFILE, "appArmorProfile": PROFILE},
    "volumeMounts": [{"name": "h", "mountPath": "/h", "mountPropagation": "HostToContainer"}],
}
TERM = {"matchExpressions": [{"key": "zone", "operator": "In", "values": ["a"]}]}
POD = {
    "restartPolicy": "Always",
    "dnsPolicy": "ClusterFirst",
    "containers": [CONTAINER],
    "initContainers": [{**CONTAINER, "name": "i", "ports": [], "livenessProbe": None, "lifecycle": None}],
    "securityContext": {
        "fsGroupChangePolicy": "Always",
        "supplementalGroupsPolicy": "Merge",
        "seccompProfile": PROFILE,
        "appArmorProfile": PROFILE,
    },
    "tolerations": [{"key": "k", "operator": "Exists", "effect": "NoSchedule"}],
    "topologySpreadConstraints": [SPREAD],
    "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [TERM]}}},
    "volumes": [
        {"name": "h", "hostPath": {"path": "/", "type": "Directory"}},
        {"name": "a", "azureDisk": {"diskName": "d", "diskURI": "https://a.example.com/d.vhd", "cachingMode": "None",
                                    "kind": "Shared"}},
        {"name": "i", "image": {"reference": "nginx", "pullPolicy": "Always"}},
    ],
}  # fmt: skip


def pod(**changes):
    made = copy.deepcopy({**POD, **changes})
    for container in made["initContainers"]:
        for field in [field for field in container if container[field] is None]:
            del container[field]
    return made


def template(**changes):
    return {"metadata": {"labels": LABELS}, "spec": pod(**changes)}


APP = {"selector": SELECTOR, "template": template()}
CLAIM = {
    "accessModes": ["ReadWriteOnce"],
    "volumeMode": "Filesystem",
    "resources": {"requests": {"storage": "1Gi"}},
}
JOB = {
    "completionMode": "NonIndexed",
    "podReplacementPolicy": "Failed",
    "podFailurePolicy": {"rules": [{"action": "Ignore", "onExitCodes": {"operator": "In", "values": [3]}}]},
    "template": {"spec": pod(restartPolicy="Never")},
}
RULE = {"apiGroups": ["apps"], "apiVersions": ["v1"], "resources": ["deployments"], "operations": ["CREATE"],
        "scope": "Namespaced"}  # fmt: skip
WEBHOOK = {
    "name": "w.example.com",
    "rules": [RULE],
    "clientConfig": {"url": "https://127.0.0.1:1/"},
    "failurePolicy": "Ignore",
    "matchPolicy": "Exact",
    "sideEffects": "None",
    "admissionReviewVersions": ["v1"],
    "namespaceSelector": {"matchLabels": {"none": "has-it"}},
}
CONSTRAINTS = {"resourceRules": [RULE], "matchPolicy": "Exact"}
QUOTA = {
    "hard": {"pods": "1"},
    "scopeSelector": {"matchExpressions": [{"scopeName": "PriorityClass", "operator": "In", "values": ["x"]}]},
}

# (apiVersion, kind, resource, whether it has a namespace, the rest)
OBJECTS = [
    ("v1", "Pod", "pods", True, {"spec": pod()}),
    ("v1", "PodTemplate", "podtemplates", True, {"template": template()}),
    ("v1", "ReplicationController", "replicationcontrollers", True, {"spec": {"template": template()}}),
    ("apps/v1", "Deployment", "deployments", True, {"spec": {**APP, "strategy": {"type": "Recreate"}}}),
    ("apps/v1", "ReplicaSet", "replicasets", True, {"spec": APP}),
    (
        "apps/v1",
        "DaemonSet",
        "daemonsets",
        True,
        {"spec": {**APP, "updateStrategy": {"type": "OnDelete"}}},
    ),
    (
        "apps/v1",
        "StatefulSet",
        "statefulsets",
        True,
        {
            "spec": {
                **APP,
                "serviceName": "s",
                "podManagementPolicy": "Parallel",
                "updateStrategy": {"type": "OnDelete"},
                "volumeClaimTemplates": [{"metadata": {"name": "v"}, "spec": CLAIM}],
            }
        },
    ),
    ("batch/v1", "Job", "jobs", True, {"spec": JOB}),
    (
        "batch/v1",
        "CronJob",
        "cronjobs",
        True,
        {"spec": {"schedule": "* * * * *", "concurrencyPolicy": "Forbid", "jobTemplate": {"spec": JOB}}},
    ),
    (
        "v1",
        "Service",
        "services",
        True,
        {
            "spec": {
                "type": "LoadBalancer",
                "sessionAffinity": "None",
                "externalTrafficPolicy": "Cluster",
                "internalTrafficPolicy": "Cluster",
                "ipFamilyPolicy": "SingleStack",
                "ipFamilies": ["IPv4"],
                "ports": [{"port": 80, "protocol": "TCP"}],
            }
        },
    ),
    ("v1", "PersistentVolumeClaim", "persistentvolumeclaims", True, {"spec": CLAIM}),
    (
        "v1",
        "PersistentVolume",
        "persistentvolumes",
        False,
        {
            "spec": {
                "capacity": {"storage": "1Gi"},
                "accessModes": ["ReadWriteOnce"],
                "volumeMode": "Filesystem",
                "persistentVolumeReclaimPolicy": "Retain",
                "hostPath": {"path": "/x", "type": "Directory"},
                "nodeAffinity": {"required": {"nodeSelectorTerms": [TERM]}},
            }
        },
    ),
    ("v1", "ResourceQuota", "resourcequotas", True, {"spec": QUOTA}),
    ("v1", "ResourceQuota", "resourcequotas", True, {"spec": {"hard": {"pods": "1"}, "scopes": ["BestEffort"]}}),
    (
        "v1",
        "Endpoints",
        "endpoints",
        True,
        {"subsets": [{"addresses": [{"ip": "10.1.2.3"}], "ports": [{"port": 80, "protocol": "TCP"}]}]},
    ),
    (
        "v1",
        "Node",
        "nodes",
        False,
        {"spec": {"taints": [{"key": "k", "effect": "NoSchedule"}]}},
    ),
    (
        "discovery.k8s.io/v1",
        "EndpointSlice",
        "endpointslices",
        True,
        {"addressType": "IPv4", "endpoints": [], "ports": [{"port": 80, "protocol": "TCP"}]},
    ),
    (
        "networking.k8s.io/v1",
        "NetworkPolicy",
        "networkpolicies",
        True,
        {
            "spec": {
                "podSelector": {},
                "policyTypes": ["Ingress", "Egress"],
                "ingress": [{"ports": [{"port": 80, "protocol": "TCP"}]}],
                "egress": [{"ports": [{"port": 80, "protocol": "UDP"}]}],
            }
        },
    ),
    (
        "networking.k8s.io/v1",
        "Ingress",
        "ingresses",
        True,
        {
            "spec": {
                "rules": [
                    {
                        "http": {
                            "paths": [
                                {
                                    "path": "/",
                                    "pathType": "Prefix",
                                    "backend": {"service": {"name": "s", "port": {"number": 80}}},
                                }
                            ]
                        }
                    }
                ]
            }
        },
    ),
    (
        "policy/v1",
        "PodDisruptionBudget",
        "poddisruptionbudgets",
        True,
        {"spec": {"selector": SELECTOR, "minAvailable": 1, "unhealthyPodEvictionPolicy": "AlwaysAllow"}},
    ),
    (
        "storage.k8s.io/v1",
        "StorageClass",
        "storageclasses",
        False,
        {"provisioner": "example.com/p", "reclaimPolicy": "Delete", "volumeBindingMode": "Immediate"},
    ),
    (
        "scheduling.k8s.io/v1",
        "PriorityClass",
        "priorityclasses",
        False,
        {"value": 1, "preemptionPolicy": "Never"},
    ),
    (
        "admissionregistration.k8s.io/v1",
        "ValidatingWebhookConfiguration",
        "validatingwebhookconfigurations",
        False,
        {"webhooks": [WEBHOOK]},
    ),
    (
        "admissionregistration.k8s.io/v1",
        "MutatingWebhookConfiguration",
        "mutatingwebhookconfigurations",
        False,
        {"webhooks": [{**WEBHOOK, "reinvocationPolicy": "Never"}]},
    ),
    (
        "admissionregistration.k8s.io/v1",
        "ValidatingAdmissionPolicy",
        "validatingadmissionpolicies",
        False,
        {
            "spec": {
                "failurePolicy": "Ignore",
                "matchConstraints": CONSTRAINTS,
                "validations": [{"expression": "object.metadata.name != 'x'"}],
            }
        },
    ),
    (
        "admissionregistration.k8s.io/v1",
        "ValidatingAdmissionPolicyBinding",
        "validatingadmissionpolicybindings",
        False,
        {"spec": {"policyName": "p", "validationActions": ["Deny"], "matchResources": CONSTRAINTS}},
    ),
]

OBJECTS += [
    (
        "rbac.authorization.k8s.io/v1",
        kind,
        resource,
        is_namespaced,
        {
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "view"},
            "subjects": [{"kind": "User", "name": "jane", "apiGroup": "rbac.authorization.k8s.io"}],
        },
    )
    for kind, resource, is_namespaced in (
        ("RoleBinding", "rolebindings", True),
        ("ClusterRoleBinding", "clusterrolebindings", False),
    )
]
SCALING = {"selectPolicy": "Max", "policies": [{"type": "Pods", "value": 1, "periodSeconds": 60}]}
OBJECTS += [
    (
        "autoscaling/v2",
        "HorizontalPodAutoscaler",
        "horizontalpodautoscalers",
        True,
        {
            "spec": {
                "scaleTargetRef": {"kind": "Deployment", "name": "d", "apiVersion": "apps/v1"},
                "maxReplicas": 3,
                "metrics": [
                    {
                        "type": "Resource",
                        "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50}},
                    }
                ],
                "behavior": {"scaleUp": SCALING, "scaleDown": SCALING},
            }
        },
    ),
    (
        "storage.k8s.io/v1",
        "CSIDriver",
        "csidrivers",
        False,
        {"spec": {"fsGroupPolicy": "File", "volumeLifecycleModes": ["Persistent"]}},
    ),
    (
        "flowcontrol.apiserver.k8s.io/v1",
        "PriorityLevelConfiguration",
        "prioritylevelconfigurations",
        False,
        {"spec": {"type": "Limited", "limited": {"limitResponse": {"type": "Reject"}}}},
    ),
    (
        "flowcontrol.apiserver.k8s.io/v1",
        "FlowSchema",
        "flowschemas",
        False,
        {
            "spec": {
                "priorityLevelConfiguration": {"name": "global-default"},
                "distinguisherMethod": {"type": "ByUser"},
                "rules": [
                    {
                        "subjects": [{"kind": "User", "user": {"name": "jane"}}],
                        "nonResourceRules": [{"verbs": ["get"], "nonResourceURLs": ["/x"]}],
                    }
                ],
            }
        },
    ),
]

# The values of fields whose schema has no enumeration, by Go type and field: the server's messages list them.
LISTED = {
    ("rbac.v1.RoleRef", "kind"): "ClusterRole|Role",
    ("rbac.v1.Subject", "kind"): "Group|ServiceAccount|User",
    ("autoscaling.v2.MetricSpec", "type"): "ContainerResource|External|Object|Pods|Resource",
    ("autoscaling.v2.MetricTarget", "type"): "AverageValue|Utilization|Value",
    ("autoscaling.v2.HPAScalingRules", "selectPolicy"): "Disabled|Max|Min",
    ("autoscaling.v2.HPAScalingPolicy", "type"): "Percent|Pods",
    ("storage.v1.CSIDriverSpec", "fsGroupPolicy"): "File|None|ReadWriteOnceWithFSType",
    ("storage.v1.CSIDriverSpec", "volumeLifecycleModes"): "Ephemeral|Persistent",
    ("flowcontrol.v1.PriorityLevelConfigurationSpec", "type"): "Exempt|Limited",
    ("flowcontrol.v1.LimitResponse", "type"): "Queue|Reject",
    ("flowcontrol.v1.FlowDistinguisherMethod", "type"): "ByNamespace|ByUser",
    ("flowcontrol.v1.Subject", "kind"): "Group|ServiceAccount|User",
}


# Enumerations that are narrower below a field of another type.
BELOW = {
    ("apps.v1.DaemonSetSpec", "core.v1.PodSpec", "restartPolicy"): "Always",
    ("apps.v1.DeploymentSpec", "core.v1.PodSpec", "restartPolicy"): "Always",
    ("apps.v1.ReplicaSetSpec", "core.v1.PodSpec", "restartPolicy"): "Always",
    ("apps.v1.StatefulSetSpec", "core.v1.PodSpec", "restartPolicy"): "Always",
    ("batch.v1.JobSpec", "core.v1.PodSpec", "restartPolicy"): "Never|OnFailure",
    ("core.v1.ReplicationControllerSpec", "core.v1.PodSpec", "restartPolicy"): "Always",
}


def path_of(api_version, resource, is_namespaced):
    root = f"/api/{api_version}" if "/" not in api_version else f"/apis/{api_version}"
    return f"{root}/{'namespaces/default/' if is_namespaced else ''}{resource}"


def objects(prefix):
    """(path of the collection, object) of each; its name begins with the prefix."""
    for number, (api_version, kind, resource, is_namespaced, rest) in enumerate(OBJECTS):
        metadata = {"name": f"{prefix}-{number}", "labels": LABELS}
        made = {"apiVersion": api_version, "kind": kind, "metadata": metadata, **rest}
        yield path_of(api_version, resource, is_namespaced), copy.deepcopy(made)


# ---- where the fields stand ----


class Place:
    """A field of an object: the schema that it is a field of, those above it, and the keys that lead to it."""

    def __init__(self, holders, field, keys, schema):
        self.holders, self.component = holders[:-1], holders[-1]
        self.field, self.keys, self.schema = field, keys, schema

    def below(self):
        """The key of BELOW that the place has; None: none."""
        keys = ((holder, self.component, self.field) for holder in self.holders)
        keys = (tuple(name.removeprefix(OWN) for name in key) for key in keys)
        return next((key for key in keys if key in BELOW), None)

    def parent(self, made):
        for key in self.keys[:-1]:
            made = made[key]
        return made

    def __str__(self):
        return ".".join(map(str, self.keys))


def resolve(schemas, schema):
    """(name, schema): what a schema stands for; the name is empty if it refers to none."""
    name = ""
    while True:
        inner = schema.get("allOf", [{}])[0] if "$ref" not in schema else schema
        if "$ref" not in inner:
            return name, schema
        name = inner["$ref"].rsplit("/", 1)[1]
        schema = schemas[name]


def places(schemas, schema, value, keys=(), holders=()):
    """Each place in the value whose schema is that of a field of a component; never below a status."""
    name, meant = resolve(schemas, schema)
    holders = [*holders, name] if name else holders
    if isinstance(value, dict):
        for field, inner in meant.get("properties", {}).items():
            if field not in value or field in ("status", "metadata"):
                continue
            yield Place(holders, field, [*keys, field], inner)
            yield from places(schemas, inner, value[field], [*keys, field], holders)
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from places(schemas, meant.get("items", {}), item, [*keys, i], holders)


def enumeration(schema):
    """(its values, whether it is of a list's items); None if it has none."""
    if "enum" in schema:
        return schema["enum"], False
    items = schema.get("items", {})
    return (items["enum"], True) if "enum" in items else None


# ---- the table ----

HEADER = """/*
 * The values that fields can have in an object that the API server validated, by the Go type that has the field. A real
 * API server refused anything else, in new objects and in updates (tests/e2e/validated_test.py, which also writes this
 * file).
 *
 * ENUMERATION has strings with only a few values. They are those of the OpenAPI documents of all supported releases, or
 * of the server's messages: `word@35` is there since Kubernetes 1.35, `word@-34` until 1.34. BELOW has those that are
 * fewer below a field of another Go type, its first column. RANGE has the least and the most of whole numbers. SPELLING
 * has strings, the strings in a list, or the values of a map that are spelled so (typecheck/cel/types/spelling.h), KEYS
 * the keys of a map; "metadata.name" is the name of a kind's objects. ROOT names the kinds in whose objects all of that
 * was proved.
 */
"""


def releases():
    """{minor: {(component, field): values}} of the bundled schemas."""
    found = {}
    for file in sorted(BUNDLES.glob("v1.*.gz")):
        values = found[int(re.search(r"v1\.(\d+)", file.name)[1])] = {}
        rest = gzip.decompress(file.read_bytes())
        while rest:
            head, _, rest = rest.partition(b"\n")
            size = int(head.split()[1])
            document, rest = json.loads(rest[:size]), rest[size + 1 :]
            for name, schema in document.get("components", {}).get("schemas", {}).items():
                for field, inner in schema.get("properties", {}).items():
                    if enumeration(inner):
                        values[name, field] = enumeration(inner)[0]
    return found


def words(key, found):
    """The values of a field in all releases, each with the releases that have it if not all do."""
    minors = sorted(minor for minor in found if key in found[minor])
    listed = []
    for word in sorted({word for minor in minors for word in found[minor][key]}):
        has = [minor for minor in minors if word in found[minor][key]]
        since = f"@{has[0]}" if has[0] != minors[0] else ""
        until = f"@-{has[-1]}" if has[-1] != minors[-1] else ""
        listed.append(word + since + until)
    return "|".join(listed)


def words_in(listed, minor):
    """Those of "a|b@35|c@-34" that Kubernetes 1.minor has."""
    found = []
    for word, *releases in (each.split("@") for each in listed.split("|")):
        if all(minor <= -int(r) if int(r) < 0 else minor >= int(r) for r in releases):
            found.append(word)
    return found


def table(proved):
    """The text of valid_fields.def; proved: (component, field) of each enumeration."""
    found = releases()
    roots = sorted({(api_version, kind) for api_version, kind, *_ in OBJECTS})
    texts = {(c.removeprefix(OWN), f): words((c, f), found) for c, f in proved} | LISTED
    lines = [f'ENUMERATION("{c}", "{f}", "{text}")' for (c, f), text in sorted(texts.items())]
    lines += [f'BELOW("{h}", "{c}", "{f}", "{text}")' for (h, c, f), text in sorted(BELOW.items())]
    lines += [f'ROOT("{api_version}", "{kind}")' for api_version, kind in roots]
    return HEADER + "\n".join(lines) + "\n"
