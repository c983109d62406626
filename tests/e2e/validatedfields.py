"""Objects with every field that the API server's schemas give an enumeration, fields whose values only its validation
lists, bounds or spells, and where all these fields stand.

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
PACKAGES = ("io.k8s.api.", "io.k8s.apimachinery.pkg.apis.", "io.k8s.apiextensions-apiserver.pkg.apis.")
OBJECT_META = "meta.v1.ObjectMeta"

LABELS = {"app": "a"}
ANNOTATIONS = {"example.com/a": "b"}
SELECTOR = {"matchLabels": LABELS}
PROFILE = {"type": "RuntimeDefault"}
SPREAD = {
    "maxSkew": 1,
    "minDomains": 1,
    "topologyKey": "zone",
    "whenUnsatisfiable": "DoNotSchedule",
    "labelSelector": SELECTOR,
    "nodeAffinityPolicy": "Honor",
    "nodeTaintsPolicy": "Ignore",
}
PROBE = {
    "initialDelaySeconds": 1,
    "timeoutSeconds": 1,
    "periodSeconds": 10,
    "successThreshold": 1,
    "failureThreshold": 3,
}
IDS = {"runAsUser": 1000, "runAsGroup": 1000}
CONTAINER = {
    "name": "c",
    "image": "nginx",
    "imagePullPolicy": "Always",
    "terminationMessagePolicy": "File",
    "ports": [{"name": "web", "containerPort": 80, "hostPort": 8080, "protocol": "TCP"}],
    "livenessProbe": {"httpGet": {"port": 80, "scheme": "HTTP"}, **PROBE, "terminationGracePeriodSeconds": 30},
    "readinessProbe": {"grpc": {"port": 80}, **PROBE},
    "lifecycle": {"postStart": {"httpGet": {"port": 80, "scheme": "HTTPS"}}},
    "securityContext": {"procMount": "Default", "seccompProfile": PROFILE, "appArmorProfile": PROFILE, **IDS},
    "volumeMounts": [{"name": "h", "mountPath": "/h", "mountPropagation": "HostToContainer"}],
}
TERM = {"matchExpressions": [{"key": "zone", "operator": "In", "values": ["a"]}]}
NEAR = {"topologyKey": "zone", "labelSelector": SELECTOR, "namespaces": ["default"]}
NEARBY = {
    "requiredDuringSchedulingIgnoredDuringExecution": [NEAR],
    "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1, "podAffinityTerm": NEAR}],
}
AFFINITY = {
    "nodeAffinity": {
        "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [TERM]},
        "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1, "preference": TERM}],
    },
    "podAffinity": NEARBY,
    "podAntiAffinity": NEARBY,
}
FILE = {"path": "f", "mode": 420}
ITEMS = [{"key": "k", **FILE}]
FIELD = {**FILE, "fieldRef": {"fieldPath": "metadata.name"}}
PROJECTED = [
    {"secret": {"name": "s", "items": ITEMS}},
    {"configMap": {"name": "c", "items": [{**ITEMS[0], "path": "c"}]}},
    {"downwardAPI": {"items": [{**FIELD, "path": "d"}]}},
    {"serviceAccountToken": {"path": "t", "expirationSeconds": 3600}},
]
POD = {
    "restartPolicy": "Always",
    "dnsPolicy": "ClusterFirst",
    "os": {"name": "linux"},
    "serviceAccountName": "default",
    "hostname": "h",
    "subdomain": "s",
    "nodeSelector": {"zone": "a"},
    "readinessGates": [{"conditionType": "example.com/ready"}],
    "schedulingGates": [{"name": "example.com/gate"}],
    "hostAliases": [{"ip": "10.1.2.3", "hostnames": ["a.example.com"]}],
    "containers": [CONTAINER],
    "initContainers": [
        {**CONTAINER, "name": "i", "ports": [], "livenessProbe": None, "readinessProbe": None, "lifecycle": None}
    ],
    "securityContext": {
        "fsGroupChangePolicy": "Always",
        "supplementalGroupsPolicy": "Merge",
        "seccompProfile": PROFILE,
        "appArmorProfile": PROFILE,
        "fsGroup": 1000,
        "supplementalGroups": [1000],
        **IDS,
    },
    "tolerations": [{"key": "k", "operator": "Exists", "effect": "NoSchedule"}],
    "topologySpreadConstraints": [SPREAD],
    "affinity": AFFINITY,
    "volumes": [
        {"name": "h", "hostPath": {"path": "/", "type": "Directory"}},
        {"name": "a", "azureDisk": {"diskName": "d", "diskURI": "https://a.example.com/d.vhd", "cachingMode": "None",
                                    "kind": "Shared"}},
        {"name": "i", "image": {"reference": "nginx", "pullPolicy": "Always"}},
        {"name": "s", "secret": {"secretName": "s", "defaultMode": 420, "items": ITEMS}},
        {"name": "c", "configMap": {"name": "c", "defaultMode": 420, "items": ITEMS}},
        {"name": "d", "downwardAPI": {"defaultMode": 420, "items": [FIELD]}},
        {"name": "p", "projected": {"defaultMode": 420, "sources": PROJECTED}},
    ],
}  # fmt: skip


def pod(**changes):
    made = copy.deepcopy({**POD, **changes})
    for container in made["initContainers"]:
        for field in [field for field in container if container[field] is None]:
            del container[field]
    return made


# Admission plugins refuse pods with other values of these fields before the pods are validated.
IN_TEMPLATES = {
    "priorityClassName": "system-node-critical",
    "runtimeClassName": "r",
    "preemptionPolicy": "PreemptLowerPriority",
}


def template(**changes):
    spec = pod(**IN_TEMPLATES, **changes)
    return {"metadata": {"labels": LABELS, "annotations": ANNOTATIONS}, "spec": spec}


APP = {"selector": SELECTOR, "template": template()}
CLAIM = {
    "accessModes": ["ReadWriteOnce"],
    "volumeMode": "Filesystem",
    "resources": {"requests": {"storage": "1Gi"}},
}
JOB = {
    "parallelism": 1,
    "completions": 1,
    "backoffLimit": 1,
    "activeDeadlineSeconds": 60,
    "ttlSecondsAfterFinished": 60,
    "backoffLimitPerIndex": 1,
    "maxFailedIndexes": 1,
    "completionMode": "Indexed",
    "podReplacementPolicy": "Failed",
    "podFailurePolicy": {
        "rules": [
            {"action": "Ignore", "onExitCodes": {"operator": "In", "values": [3]}},
            {"action": "Count", "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]},
        ]
    },
    "template": template(restartPolicy="Never", activeDeadlineSeconds=60),
}
RULE = {"apiGroups": ["apps"], "apiVersions": ["v1"], "resources": ["deployments"], "operations": ["CREATE"],
        "scope": "Namespaced"}  # fmt: skip
WEBHOOK = {
    "name": "w.example.com",
    "timeoutSeconds": 5,
    "matchConditions": [{"name": "m", "expression": "true"}],
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
    ("v1", "Pod", "pods", True, {"spec": pod(activeDeadlineSeconds=60)}),
    ("v1", "Pod", "pods", True, {"spec": pod(schedulingGates=[], nodeName="n")}),
    ("v1", "PodTemplate", "podtemplates", True, {"template": template()}),
    (
        "v1",
        "ReplicationController",
        "replicationcontrollers",
        True,
        {"spec": {"template": template(), "selector": LABELS, "replicas": 1, "minReadySeconds": 1}},
    ),
    (
        "apps/v1",
        "Deployment",
        "deployments",
        True,
        {
            "spec": {
                **APP,
                "replicas": 1,
                "minReadySeconds": 1,
                "revisionHistoryLimit": 1,
                "progressDeadlineSeconds": 60,
                "strategy": {"type": "Recreate"},
            }
        },
    ),
    ("apps/v1", "ReplicaSet", "replicasets", True, {"spec": {**APP, "replicas": 1, "minReadySeconds": 1}}),
    (
        "apps/v1",
        "DaemonSet",
        "daemonsets",
        True,
        {"spec": {**APP, "updateStrategy": {"type": "OnDelete"}, "minReadySeconds": 1, "revisionHistoryLimit": 1}},
    ),
    (
        "apps/v1",
        "StatefulSet",
        "statefulsets",
        True,
        {
            "spec": {
                **APP,
                "replicas": 1,
                "minReadySeconds": 1,
                "ordinals": {"start": 1},
                "serviceName": "s",
                "podManagementPolicy": "Parallel",
                "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 1}},
                "persistentVolumeClaimRetentionPolicy": {"whenDeleted": "Delete", "whenScaled": "Retain"},
                "volumeClaimTemplates": [
                    {"metadata": {"name": "v", "labels": LABELS, "annotations": ANNOTATIONS}, "spec": CLAIM}
                ],
            }
        },
    ),
    ("batch/v1", "Job", "jobs", True, {"spec": JOB}),
    (
        "batch/v1",
        "CronJob",
        "cronjobs",
        True,
        {
            "spec": {
                "schedule": "* * * * *",
                "concurrencyPolicy": "Forbid",
                "startingDeadlineSeconds": 60,
                "successfulJobsHistoryLimit": 1,
                "failedJobsHistoryLimit": 1,
                "jobTemplate": {"metadata": {"labels": LABELS, "annotations": ANNOTATIONS}, "spec": JOB},
            }
        },
    ),
    (
        "v1",
        "Service",
        "services",
        True,
        {
            "spec": {
                "type": "LoadBalancer",
                "sessionAffinity": "ClientIP",
                "sessionAffinityConfig": {"clientIP": {"timeoutSeconds": 60}},
                "selector": LABELS,
                "loadBalancerClass": "example.com/l",
                "externalTrafficPolicy": "Local",
                "healthCheckNodePort": 30001,
                "internalTrafficPolicy": "Cluster",
                "ipFamilyPolicy": "SingleStack",
                "ipFamilies": ["IPv4"],
                "ports": [{"name": "web", "port": 80, "protocol": "TCP", "appProtocol": "example.com/h"}],
            }
        },
    ),
    (
        "v1",
        "Service",
        "services",
        True,
        {
            "spec": {
                "type": "ExternalName",
                "externalName": "a.example.com",
                "selector": LABELS,
                "ports": [{"name": "web", "port": 80, "protocol": "TCP", "appProtocol": "example.com/h"}],
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
                "storageClassName": "c",
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
        {
            "subsets": [
                {
                    "addresses": [{"ip": "10.1.2.3", "hostname": "h", "nodeName": "n"}],
                    "ports": [{"name": "web", "port": 80, "protocol": "TCP"}],
                }
            ]
        },
    ),
    (
        "v1",
        "Node",
        "nodes",
        False,
        {"spec": {"taints": [{"key": "k", "value": "v", "effect": "NoSchedule"}]}},
    ),
    (
        "discovery.k8s.io/v1",
        "EndpointSlice",
        "endpointslices",
        True,
        {
            "addressType": "IPv4",
            "endpoints": [{"addresses": ["10.1.2.3"], "hostname": "h", "nodeName": "n"}],
            "ports": [{"port": 80, "protocol": "TCP"}],
        },
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
                "ingress": [{"ports": [{"port": 80, "endPort": 90, "protocol": "TCP"}]}],
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
                "ingressClassName": "c",
                "tls": [{"hosts": ["a.example.com"], "secretName": "s"}],
                "rules": [
                    {
                        "host": "a.example.com",
                        "http": {
                            "paths": [
                                {
                                    "path": "/",
                                    "pathType": "Prefix",
                                    "backend": {"service": {"name": "s", "port": {"number": 80}}},
                                }
                            ]
                        },
                    }
                ],
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
                "validations": [{"expression": "object.metadata.name != 'x'", "reason": "Invalid"}],
                "matchConditions": [{"name": "m", "expression": "true"}],
            }
        },
    ),
    (
        "admissionregistration.k8s.io/v1",
        "ValidatingAdmissionPolicyBinding",
        "validatingadmissionpolicybindings",
        False,
        {
            "spec": {
                "policyName": "p",
                "validationActions": ["Deny"],
                "matchResources": CONSTRAINTS,
                "paramRef": {"name": "n", "parameterNotFoundAction": "Deny"},
            }
        },
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
SCALING = {
    "selectPolicy": "Max",
    "stabilizationWindowSeconds": 60,
    "policies": [{"type": "Pods", "value": 1, "periodSeconds": 60}],
}
QUEUES = {"type": "Queue", "queuing": {"queues": 8, "handSize": 2, "queueLengthLimit": 10}}
OBJECTS += [
    (
        "autoscaling/v2",
        "HorizontalPodAutoscaler",
        "horizontalpodautoscalers",
        True,
        {
            "spec": {
                "scaleTargetRef": {"kind": "Deployment", "name": "d", "apiVersion": "apps/v1"},
                "minReplicas": 1,
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
        {
            "spec": {
                "type": "Limited",
                "limited": {
                    "nominalConcurrencyShares": 10,
                    "lendablePercent": 10,
                    "borrowingLimitPercent": 10,
                    "limitResponse": QUEUES,
                },
            }
        },
    ),
    (
        "flowcontrol.apiserver.k8s.io/v1",
        "FlowSchema",
        "flowschemas",
        False,
        {
            "spec": {
                "priorityLevelConfiguration": {"name": "global-default"},
                "matchingPrecedence": 100,
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

RULES = [{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}]
OBJECTS += [
    ("v1", "Namespace", "namespaces", False, {}),
    ("v1", "ServiceAccount", "serviceaccounts", True, {"imagePullSecrets": [{"name": "s"}]}),
    ("v1", "ConfigMap", "configmaps", True, {"data": {"a": "b"}, "binaryData": {"c": "aGk="}}),
    ("v1", "Secret", "secrets", True, {"data": {"a": "aGk="}, "type": "Opaque"}),
    (
        "v1",
        "LimitRange",
        "limitranges",
        True,
        {"spec": {"limits": [{"type": "Container", "max": {"cpu": "1"}, "defaultRequest": {"cpu": "1"}}]}},
    ),
    ("rbac.authorization.k8s.io/v1", "Role", "roles", True, {"rules": RULES}),
    ("rbac.authorization.k8s.io/v1", "ClusterRole", "clusterroles", False, {"rules": RULES}),
    (
        "networking.k8s.io/v1",
        "IngressClass",
        "ingressclasses",
        False,
        {"spec": {"controller": "example.com/c", "parameters": {"kind": "K", "name": "n", "scope": "Cluster"}}},
    ),
    (
        "coordination.k8s.io/v1",
        "Lease",
        "leases",
        True,
        {"spec": {"holderIdentity": "h", "leaseDurationSeconds": 15, "leaseTransitions": 1}},
    ),
]

# Types that validation hardly looks at where they are in another type, which is the first one: of what is in them only
# the enumerations hold, and these since a release of Kubernetes.
LOOSE = {
    ("apps.v1.StatefulSetSpec", "core.v1.PersistentVolumeClaim"): 34,
    ("apps.v1.StatefulSetSpec", "core.v1.PodTemplateSpec"): 34,
}

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
    ("apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy", "whenDeleted"): "Delete|Retain",
    ("apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy", "whenScaled"): "Delete|Retain",
    ("core.v1.PodOS", "name"): "linux|windows",
    ("core.v1.PodSpec", "preemptionPolicy"): "Never|PreemptLowerPriority",
    ("batch.v1.PodFailurePolicyOnPodConditionsPattern", "status"): "False|True|Unknown",
    ("admissionregistration.v1.ParamRef", "parameterNotFoundAction"): "Allow|Deny",
    ("admissionregistration.v1.Validation", "reason"): "Forbidden|Invalid|RequestEntityTooLarge",
    ("networking.v1.IngressClassParametersReference", "scope"): "Cluster|Namespace",
}


# Enumerations that are narrower below a field of another type.
BELOW = {
    ("apps.v1.DaemonSetSpec", "core.v1.PodSpec", "restartPolicy"): "Always",
    ("apps.v1.DeploymentSpec", "core.v1.PodSpec", "restartPolicy"): "Always",
    ("apps.v1.ReplicaSetSpec", "core.v1.PodSpec", "restartPolicy"): "Always",
    ("apps.v1.StatefulSetSpec", "core.v1.PodSpec", "restartPolicy"): "Always",
    ("batch.v1.JobSpec", "core.v1.PodSpec", "restartPolicy"): "Never|OnFailure",
    ("core.v1.ReplicationControllerSpec", "core.v1.PodSpec", "restartPolicy"): "Always",
    ("rbac.v1.ClusterRoleBinding", "rbac.v1.RoleRef", "kind"): "ClusterRole",
}

INT32, INT64 = 2**31 - 1, 2**63 - 1  # the most that the formats of these names can hold

# The least and the most of fields with whole numbers. Where 0 stands for a default, 0 is the least.
ITEMS = {
    ("admissionregistration.v1.MutatingWebhook", "admissionReviewVersions"): 1,
    ("admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec", "validationActions"): 1,
    ("admissionregistration.v1.ValidatingWebhook", "admissionReviewVersions"): 1,
    ("core.v1.NodeSelector", "nodeSelectorTerms"): 1,
    ("core.v1.PersistentVolumeClaimSpec", "accessModes"): 1,
    ("core.v1.PersistentVolumeSpec", "accessModes"): 1,
    ("core.v1.PodSpec", "containers"): 1,
    ("networking.v1.HTTPIngressRuleValue", "paths"): 1,
    ("rbac.v1.PolicyRule", "verbs"): 1,
}
RANGES = {
    ("admissionregistration.v1.MutatingWebhook", "timeoutSeconds"): (1, 30),
    ("admissionregistration.v1.ValidatingWebhook", "timeoutSeconds"): (1, 30),
    ("apps.v1.DaemonSetSpec", "minReadySeconds"): (0, INT32),
    ("apps.v1.DaemonSetSpec", "revisionHistoryLimit"): (0, INT32),
    ("apps.v1.DeploymentSpec", "minReadySeconds"): (0, INT32),
    ("apps.v1.DeploymentSpec", "progressDeadlineSeconds"): (1, INT32),
    ("apps.v1.DeploymentSpec", "replicas"): (0, INT32),
    ("apps.v1.DeploymentSpec", "revisionHistoryLimit"): (0, INT32),
    ("apps.v1.ReplicaSetSpec", "minReadySeconds"): (0, INT32),
    ("apps.v1.ReplicaSetSpec", "replicas"): (0, INT32),
    ("apps.v1.RollingUpdateStatefulSetStrategy", "partition"): (0, INT32),
    ("apps.v1.StatefulSetOrdinals", "start"): (0, INT32),
    ("apps.v1.StatefulSetSpec", "minReadySeconds"): (0, INT32),
    ("apps.v1.StatefulSetSpec", "replicas"): (0, INT32),
    ("autoscaling.v2.HPAScalingPolicy", "periodSeconds"): (1, 1800),
    ("autoscaling.v2.HPAScalingPolicy", "value"): (1, INT32),
    ("autoscaling.v2.HPAScalingRules", "stabilizationWindowSeconds"): (0, 3600),
    ("autoscaling.v2.HorizontalPodAutoscalerSpec", "maxReplicas"): (1, INT32),
    ("autoscaling.v2.HorizontalPodAutoscalerSpec", "minReplicas"): (0, INT32),
    ("autoscaling.v2.MetricTarget", "averageUtilization"): (1, INT32),
    ("batch.v1.CronJobSpec", "failedJobsHistoryLimit"): (0, INT32),
    ("batch.v1.CronJobSpec", "startingDeadlineSeconds"): (0, INT64),
    ("batch.v1.CronJobSpec", "successfulJobsHistoryLimit"): (0, INT32),
    ("batch.v1.JobSpec", "activeDeadlineSeconds"): (0, INT64),
    ("batch.v1.JobSpec", "backoffLimit"): (0, INT32),
    ("batch.v1.JobSpec", "backoffLimitPerIndex"): (0, INT32),
    ("batch.v1.JobSpec", "completions"): (0, INT32),
    ("batch.v1.JobSpec", "maxFailedIndexes"): (0, INT32),
    ("batch.v1.JobSpec", "parallelism"): (0, INT32),
    ("batch.v1.JobSpec", "ttlSecondsAfterFinished"): (0, INT32),
    ("coordination.v1.LeaseSpec", "leaseDurationSeconds"): (1, INT32),
    ("coordination.v1.LeaseSpec", "leaseTransitions"): (0, INT32),
    ("core.v1.ClientIPConfig", "timeoutSeconds"): (1, 86400),
    ("core.v1.ConfigMapVolumeSource", "defaultMode"): (0, 0o777),
    ("core.v1.ContainerPort", "containerPort"): (1, 65535),
    ("core.v1.ContainerPort", "hostPort"): (0, 65535),
    ("core.v1.DownwardAPIVolumeFile", "mode"): (0, 0o777),
    ("core.v1.DownwardAPIVolumeSource", "defaultMode"): (0, 0o777),
    ("core.v1.EndpointPort", "port"): (1, 65535),
    ("core.v1.GRPCAction", "port"): (1, 65535),
    ("core.v1.KeyToPath", "mode"): (0, 0o777),
    ("core.v1.PodSecurityContext", "fsGroup"): (0, INT32),
    ("core.v1.PodSecurityContext", "runAsGroup"): (0, INT32),
    ("core.v1.PodSecurityContext", "runAsUser"): (0, INT32),
    ("core.v1.PodSecurityContext", "supplementalGroups"): (0, INT32),
    ("core.v1.PodSpec", "activeDeadlineSeconds"): (1, INT32),
    ("core.v1.PreferredSchedulingTerm", "weight"): (1, 100),
    ("core.v1.Probe", "failureThreshold"): (0, INT32),
    ("core.v1.Probe", "initialDelaySeconds"): (0, INT32),
    ("core.v1.Probe", "periodSeconds"): (0, INT32),
    ("core.v1.Probe", "successThreshold"): (0, INT32),
    ("core.v1.Probe", "terminationGracePeriodSeconds"): (1, INT64),
    ("core.v1.Probe", "timeoutSeconds"): (0, INT32),
    ("core.v1.ProjectedVolumeSource", "defaultMode"): (0, 0o777),
    ("core.v1.ReplicationControllerSpec", "minReadySeconds"): (0, INT32),
    ("core.v1.ReplicationControllerSpec", "replicas"): (0, INT32),
    ("core.v1.SecretVolumeSource", "defaultMode"): (0, 0o777),
    ("core.v1.SecurityContext", "runAsGroup"): (0, INT32),
    ("core.v1.SecurityContext", "runAsUser"): (0, INT32),
    ("core.v1.ServiceAccountTokenProjection", "expirationSeconds"): (600, 2**32),
    ("core.v1.ServicePort", "port"): (1, 65535),
    ("core.v1.ServiceSpec", "healthCheckNodePort"): (0, 65535),
    ("core.v1.TopologySpreadConstraint", "maxSkew"): (1, INT32),
    ("core.v1.TopologySpreadConstraint", "minDomains"): (1, INT32),
    ("core.v1.WeightedPodAffinityTerm", "weight"): (1, 100),
    ("flowcontrol.v1.FlowSchemaSpec", "matchingPrecedence"): (0, 10000),
    ("flowcontrol.v1.LimitedPriorityLevelConfiguration", "borrowingLimitPercent"): (0, INT32),
    ("flowcontrol.v1.LimitedPriorityLevelConfiguration", "lendablePercent"): (0, 100),
    ("flowcontrol.v1.LimitedPriorityLevelConfiguration", "nominalConcurrencyShares"): (0, INT32),
    ("flowcontrol.v1.QueuingConfiguration", "handSize"): (0, INT32),
    ("flowcontrol.v1.QueuingConfiguration", "queueLengthLimit"): (0, INT32),
    ("flowcontrol.v1.QueuingConfiguration", "queues"): (0, 10_000_000),
    ("networking.v1.NetworkPolicyPort", "endPort"): (1, 65535),
}

# The spelling (typecheck/cel/types/spelling.h) of a string, of the strings in a list, or of the values of a map.
SPELLINGS = {
    ("admissionregistration.v1.MatchCondition", "name"): "LABEL_KEY",
    ("admissionregistration.v1.MutatingWebhook", "name"): "DNS_SUBDOMAIN",
    ("admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec", "policyName"): "DNS_SUBDOMAIN",
    ("admissionregistration.v1.ValidatingWebhook", "name"): "DNS_SUBDOMAIN",
    ("batch.v1.PodFailurePolicyOnPodConditionsPattern", "type"): "LABEL_KEY",
    ("core.v1.ConfigMap", "binaryData"): "BASE64",
    ("core.v1.Container", "name"): "DNS_LABEL",
    ("core.v1.ContainerPort", "name"): "PORT_NAME",
    ("core.v1.EndpointAddress", "hostname"): "DNS_LABEL",
    ("core.v1.EndpointAddress", "nodeName"): "DNS_SUBDOMAIN",
    ("core.v1.EndpointPort", "name"): "DNS_LABEL",
    ("core.v1.HostAlias", "hostnames"): "DNS_SUBDOMAIN",
    ("core.v1.NodeSelectorRequirement", "key"): "LABEL_KEY",
    ("core.v1.PersistentVolumeSpec", "storageClassName"): "DNS_SUBDOMAIN",
    ("core.v1.PodAffinityTerm", "namespaces"): "DNS_LABEL",
    ("core.v1.PodAffinityTerm", "topologyKey"): "LABEL_KEY",
    ("core.v1.PodReadinessGate", "conditionType"): "LABEL_KEY",
    ("core.v1.PodSchedulingGate", "name"): "LABEL_KEY",
    ("core.v1.PodSpec", "hostname"): "DNS_LABEL",
    ("core.v1.PodSpec", "nodeName"): "DNS_SUBDOMAIN",
    ("core.v1.PodSpec", "nodeSelector"): "LABEL_VALUE",
    ("core.v1.PodSpec", "priorityClassName"): "DNS_SUBDOMAIN",
    ("core.v1.PodSpec", "runtimeClassName"): "DNS_SUBDOMAIN",
    ("core.v1.PodSpec", "serviceAccountName"): "DNS_SUBDOMAIN",
    ("core.v1.PodSpec", "subdomain"): "DNS_LABEL",
    ("core.v1.ReplicationControllerSpec", "selector"): "LABEL_VALUE",
    ("core.v1.Secret", "data"): "BASE64",
    ("core.v1.ServicePort", "appProtocol"): "LABEL_KEY",
    ("core.v1.ServicePort", "name"): "DNS_LABEL",
    ("core.v1.ServiceSpec", "loadBalancerClass"): "LABEL_KEY",
    ("core.v1.ServiceSpec", "selector"): "LABEL_VALUE",
    ("core.v1.Taint", "key"): "LABEL_KEY",
    ("core.v1.Taint", "value"): "LABEL_VALUE",
    ("core.v1.Toleration", "key"): "LABEL_KEY",
    ("core.v1.Volume", "name"): "DNS_LABEL",
    ("core.v1.VolumeMount", "name"): "DNS_LABEL",
    ("discovery.v1.Endpoint", "hostname"): "DNS_LABEL",
    ("discovery.v1.Endpoint", "nodeName"): "DNS_SUBDOMAIN",
    ("flowcontrol.v1.PriorityLevelConfigurationReference", "name"): "DNS_SUBDOMAIN",
    ("networking.v1.IngressRule", "host"): "HOST",
    ("networking.v1.IngressSpec", "ingressClassName"): "DNS_SUBDOMAIN",
    ("networking.v1.IngressTLS", "hosts"): "HOST",
}

# The spelling of the keys of a map.
KEYS = {
    ("core.v1.PodSpec", "nodeSelector"): "LABEL_KEY",
    ("core.v1.ReplicationControllerSpec", "selector"): "LABEL_KEY",
    ("core.v1.ServiceSpec", "selector"): "LABEL_KEY",
}

# The names of a kind's objects are DNS subdomains, but for these.
NAMES = {
    "core.v1.Namespace": "DNS_LABEL",
    "core.v1.Service": "DNS_LABEL",
    "policy.v1.PodDisruptionBudget": None,
    "rbac.v1.ClusterRole": None,
    "rbac.v1.ClusterRoleBinding": None,
    "rbac.v1.Role": None,
    "rbac.v1.RoleBinding": None,
    "storage.v1.CSIDriver": None,
}

# Texts that break the rules of each spelling, one by one. The keys of annotations may have the letters U+212A and
# U+0130, for which the server's small letters are ASCII.
WRONG_KEYS = [
    *["", "a b", "-a", "a-", ".a", "_a", "a_", "a/b/c", "/a", "a/", "a_b/a", "-a/b", "a-/b", "a..b/c", "é", "é/a"],
    *["a" * 64, "a/" + "a" * 64, "a" * 254 + "/a"],
]
WRONG_NAMES = ["", "Capital", "a_b", "a b", "-a", "a-", ".a", "a.", "a..b", "a.-b", "a/b", "é", "a" * 254]
WRONG = {
    "DNS_LABEL": [*WRONG_NAMES, "a.b", "a" * 64],
    "DNS_SUBDOMAIN": WRONG_NAMES,
    "HOST": [*WRONG_NAMES, "*", "*a.b", "a.*.b", "*.*.a", "*.-a"],
    "PORT_NAME": ["", "Capital", "a_b", "a b", "a.b", "a/b", "é", "a" * 16],
    "LABEL_KEY": [*WRONG_KEYS, "Capital/a"],
    "ANNOTATION_KEY": WRONG_KEYS,
    "LABEL_VALUE": ["a b", "-a", "a-", ".a", "a.", "_a", "a_", "a/b", "é", "a" * 64],
    "BASE64": ["a", "aGk", "aGk=aGk=", "a_k=", "a-k=", "aGk= ", "é"],
}


def go_type(api_version, kind):
    """The Go type of a kind's objects: "core.v1.Pod"."""
    group, _, version = api_version.rpartition("/")
    return f"{group.partition('.')[0] or 'core'}.{version}.{kind}"


def add_metadata():
    """Adds the spellings in the metadata of pod templates, and of the objects of each kind."""
    types = {go_type(api_version, kind): is_namespaced for api_version, kind, _, is_namespaced, _ in OBJECTS}
    for owner in sorted({*types, "core.v1.PodTemplateSpec"}):
        SPELLINGS[owner, "metadata.labels"] = "LABEL_VALUE"
        KEYS[owner, "metadata.labels"] = "LABEL_KEY"
        KEYS[owner, "metadata.annotations"] = "ANNOTATION_KEY"
        if owner in types and NAMES.get(owner, "DNS_SUBDOMAIN"):
            SPELLINGS[owner, "metadata.name"] = NAMES.get(owner, "DNS_SUBDOMAIN")
        if types.get(owner):
            SPELLINGS[owner, "metadata.namespace"] = "DNS_LABEL"


add_metadata()


def path_of(api_version, resource, is_namespaced):
    root = f"/api/{api_version}" if "/" not in api_version else f"/apis/{api_version}"
    return f"{root}/{'namespaces/default/' if is_namespaced else ''}{resource}"


def objects(prefix):
    """(path of the collection, object) of each; its name begins with the prefix."""
    for number, (api_version, kind, resource, is_namespaced, rest) in enumerate(OBJECTS):
        metadata = {"name": f"{prefix}-{number}", "labels": LABELS, "annotations": ANNOTATIONS}
        made = {"apiVersion": api_version, "kind": kind, "metadata": metadata, **rest}
        yield path_of(api_version, resource, is_namespaced), copy.deepcopy(made)


# ---- where the fields stand ----


class Place:
    """A field of an object: the schema that it is a field of, those above it, and the keys that lead to it."""

    def __init__(self, holders, field, keys, schema):
        self.holders, self.component = holders[:-1], holders[-1]
        self.field, self.keys, self.schema = field, keys, schema

    def key(self):
        """(Go type, field); what is in metadata is a field of the type that has the metadata."""
        owner = short(self.component)
        if owner == OBJECT_META and self.holders:
            return short(self.holders[-1]), "metadata." + self.field
        return owner, self.field

    def below(self):
        """The key of BELOW that the place has; None: none."""
        keys = ((short(holder), *self.key()) for holder in self.holders)
        return next((key for key in keys if key in BELOW), None)

    def loose_until(self):
        """The release since which the enumerations hold at the place, if nothing else does; 0: all holds there."""
        types = [short(holder) for holder in [*self.holders, self.component]]
        return max((LOOSE.get(pair, 0) for pair in zip(types, types[1:])), default=0)

    def parent(self, made):
        for key in self.keys[:-1]:
            made = made[key]
        return made

    def __str__(self):
        return ".".join(map(str, self.keys))


def short(component):
    """The Go type of a component, without its package's home."""
    for home in PACKAGES:
        component = component.removeprefix(home)
    return component


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
            if field not in value or field == "status":
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
 * The values of fields in an object that the API server validated, by the Go type that has the field. A real API server
 * refused anything else, in new objects and in updates (tests/e2e/validated_test.py, which also writes this file).
 *
 * ENUMERATION has strings with only a few values. They are those of the OpenAPI documents of all supported releases, or
 * of the server's messages: `word@35` is there since Kubernetes 1.35, `word@-34` until 1.34. BELOW has those that are
 * fewer below a field of another Go type, its first column. RANGE has the least and the most of whole numbers, ITEMS
 * the least number of items in a list. SPELLING has strings, the strings in a list, or the values of a map that are
 * spelled so (typecheck/cel/types/spelling.h), KEYS the keys of a map. "metadata.name" is the name in the metadata of
 * the type, and not that of all metadata: nobody validates some of what is in the metadata of templates. LOOSE has
 * types of which validation looks at nothing but the enumerations where they are in another type, its first column, and
 * at these since a release. ROOT names the kinds in whose objects all of that was proved.
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
    texts = {(short(c), f): words((c, f), found) for c, f in proved} | LISTED
    lines = [f'ENUMERATION("{c}", "{f}", "{text}")' for (c, f), text in sorted(texts.items())]
    lines += [f'BELOW("{h}", "{c}", "{f}", "{text}")' for (h, c, f), text in sorted(BELOW.items())]
    lines += [f'RANGE("{c}", "{f}", {low}, {high})' for (c, f), (low, high) in sorted(RANGES.items())]
    lines += [f'ITEMS("{c}", "{f}", {least})' for (c, f), least in sorted(ITEMS.items())]
    lines += [f'SPELLING("{c}", "{f}", {spelling})' for (c, f), spelling in sorted(SPELLINGS.items())]
    lines += [f'KEYS("{c}", "{f}", {spelling})' for (c, f), spelling in sorted(KEYS.items())]
    lines += [f'LOOSE("{h}", "{c}", {since})' for (h, c), since in sorted(LOOSE.items())]
    lines += [f'ROOT("{api_version}", "{kind}")' for api_version, kind in roots]
    return HEADER + "\n".join(lines) + "\n"
