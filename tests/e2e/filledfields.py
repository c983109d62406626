"""Objects with nothing but what must be given, and where the types of typecheck/schema/filled_fields stand in them."""

import pathlib
import re

TABLE = pathlib.Path(__file__).resolve().parent.parent.parent / "typecheck" / "schema" / "filled_fields.c"

LABELS = {"app": "a"}
# The plane runs without the admission plugin that sets who a pod runs as.
POD = {"serviceAccountName": "default", "containers": [{
    "name": "c", "image": "nginx", "ports": [{"containerPort": 80}],
    "livenessProbe": {"httpGet": {"port": 80}},
    "env": [{"name": "N", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}],
}], "volumes": [
    {"name": "a", "hostPath": {"path": "/"}}, {"name": "b", "secret": {"secretName": "s"}},
    {"name": "c", "configMap": {"name": "m"}}, {"name": "d", "downwardAPI": {}},
    {"name": "e", "projected": {"sources": [{"serviceAccountToken": {"path": "t"}}]}},
]}  # fmt: skip
SMALL_POD = {"containers": [{"name": "c", "image": "nginx"}]}
TEMPLATE = {"metadata": {"labels": LABELS}, "spec": SMALL_POD}
APP = {"selector": {"matchLabels": LABELS}, "template": TEMPLATE}
JOB = {"template": {"spec": {**SMALL_POD, "restartPolicy": "Never"}}}
CLAIM = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}

OBJECTS = [
    ("v1", "Pod", {"spec": POD}),
    ("v1", "Service", {"spec": {"ports": [{"port": 80}]}}),
    ("v1", "Endpoints", {"subsets": [{"addresses": [{"ip": "10.1.2.3"}], "ports": [{"port": 80}]}]}),
    ("v1", "Secret", {}),
    ("v1", "Namespace", {}),
    (
        "v1",
        "PersistentVolume",
        {"spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "hostPath": {"path": "/x"}}},
    ),
    ("v1", "PersistentVolumeClaim", {"spec": CLAIM}),
    ("v1", "ReplicationController", {"spec": {"template": TEMPLATE}}),
    ("apps/v1", "Deployment", {"spec": APP}),
    ("apps/v1", "ReplicaSet", {"spec": APP}),
    ("apps/v1", "StatefulSet", {"spec": {**APP, "serviceName": "s"}}),
    ("apps/v1", "DaemonSet", {"spec": APP}),
    ("batch/v1", "Job", {"spec": JOB}),
    ("batch/v1", "CronJob", {"spec": {"schedule": "* * * * *", "jobTemplate": {"spec": JOB}}}),
    (
        "autoscaling/v2",
        "HorizontalPodAutoscaler",
        {"spec": {"maxReplicas": 2, "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "d"}}},
    ),
    ("networking.k8s.io/v1", "NetworkPolicy", {"spec": {"podSelector": {}, "ingress": [{"ports": [{"port": 80}]}]}}),
    (
        "rbac.authorization.k8s.io/v1",
        "ClusterRoleBinding",
        {
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "view"},
            "subjects": [{"kind": "User", "name": "u"}],
        },
    ),
    ("storage.k8s.io/v1", "StorageClass", {"provisioner": "example.com/p"}),
    ("scheduling.k8s.io/v1", "PriorityClass", {"value": 1}),
]

# What admission does not see: an ephemeral container comes by a subresource, and policies are not asked about the
# configuration of admission itself.
NOT_ASKED = {
    "EphemeralContainer",
    "ValidatingWebhook",
    "MutatingWebhook",
    "RuleWithOperations",
    "ServiceReference",
    "ValidatingAdmissionPolicySpec",
    "CustomResourceDefinitionSpec",
    "CustomResourceDefinitionNames",
}

C, V = "spec.containers[0]", "spec.volumes[%d]"
WHERE = {
    "ObjectMeta": ("Deployment", "metadata"),
    "PodSpec": ("Pod", "spec"),
    "Container": ("Pod", C),
    "ContainerPort": ("Pod", C + ".ports[0]"),
    "Probe": ("Pod", C + ".livenessProbe"),
    "HTTPGetAction": ("Pod", C + ".livenessProbe.httpGet"),
    "ObjectFieldSelector": ("Pod", C + ".env[0].valueFrom.fieldRef"),
    "HostPathVolumeSource": ("Pod", V % 0 + ".hostPath"),
    "SecretVolumeSource": ("Pod", V % 1 + ".secret"),
    "ConfigMapVolumeSource": ("Pod", V % 2 + ".configMap"),
    "DownwardAPIVolumeSource": ("Pod", V % 3 + ".downwardAPI"),
    "ProjectedVolumeSource": ("Pod", V % 4 + ".projected"),
    "ServiceAccountTokenProjection": ("Pod", V % 4 + ".projected.sources[0].serviceAccountToken"),
    "ServiceSpec": ("Service", "spec"),
    "ServicePort": ("Service", "spec.ports[0]"),
    "EndpointPort": ("Endpoints", "subsets[0].ports[0]"),
    "Secret": ("Secret", ""),
    "NamespaceSpec": ("Namespace", "spec"),
    "PersistentVolumeSpec": ("PersistentVolume", "spec"),
    "PersistentVolumeClaimSpec": ("PersistentVolumeClaim", "spec"),
    "VolumeResourceRequirements": ("PersistentVolumeClaim", "spec.resources"),
    "ReplicationControllerSpec": ("ReplicationController", "spec"),
    "DeploymentSpec": ("Deployment", "spec"),
    "DeploymentStrategy": ("Deployment", "spec.strategy"),
    "ReplicaSetSpec": ("ReplicaSet", "spec"),
    "StatefulSetSpec": ("StatefulSet", "spec"),
    "StatefulSetUpdateStrategy": ("StatefulSet", "spec.updateStrategy"),
    "DaemonSetSpec": ("DaemonSet", "spec"),
    "DaemonSetUpdateStrategy": ("DaemonSet", "spec.updateStrategy"),
    "JobSpec": ("Job", "spec"),
    "CronJobSpec": ("CronJob", "spec"),
    "HorizontalPodAutoscalerSpec": ("HorizontalPodAutoscaler", "spec"),
    "NetworkPolicySpec": ("NetworkPolicy", "spec"),
    "NetworkPolicyPort": ("NetworkPolicy", "spec.ingress[0].ports[0]"),
    "Subject": ("ClusterRoleBinding", "subjects[0]"),
    "StorageClass": ("StorageClass", ""),
    "PriorityClass": ("PriorityClass", ""),
}


def objects(labels):
    for version, kind, body in OBJECTS:
        yield {
            "apiVersion": version,
            "kind": kind,
            "metadata": {"name": "filled-" + kind.lower(), "labels": labels},
            **body,
        }


def fields():
    """(kind, "spec.replicas") of each field that the server fills in, as the table says."""
    text = TABLE.read_text()
    for name, listed in re.findall(r'ROW\("\w+", "(\w+)",\s*"([^"]*)"\)', text):
        if name not in NOT_ASKED:
            kind, place = WHERE[name]
            yield from ((kind, f"{place}.{field}".lstrip(".")) for field in listed.split())
    for place, listed in re.findall(r'PLACE\("([^"]+)",\s*"([^"]*)"\)', text):
        kind, _, below = place.partition(".")
        yield from ((kind, f"{below}.{field}") for field in listed.split())
