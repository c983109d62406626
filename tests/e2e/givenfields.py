"""Objects with nothing but what must be given, and where the types of typecheck/cel/schema/given_fields.def stand in
them."""

import copy
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests/golden"))
from defaults.cases import REQUEST

TABLE = ROOT / "typecheck/cel/schema/given_fields.def"

LABELS = {"app": "a"}
CLAIM = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
# The plane runs without the admission plugin that sets who a pod runs as.
POD = {"serviceAccountName": "default", "containers": [{
    "name": "c", "image": "nginx",
    "env": [{"name": "M", "valueFrom": {"configMapKeyRef": {"name": "m", "key": "k"}}},
            {"name": "S", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}],
    "envFrom": [{"configMapRef": {"name": "m"}}, {"secretRef": {"name": "s"}}],
    "livenessProbe": {"exec": {"command": ["true"]}},
}], "dnsConfig": {"options": [{"name": "ndots", "value": "2"}]}, "volumes": [
    {"name": "a", "secret": {"secretName": "s"}}, {"name": "b", "configMap": {"name": "m"}},
    {"name": "c", "projected": {"sources": [{"configMap": {"name": "m"}}, {"secret": {"name": "s"}}]}},
    {"name": "d", "ephemeral": {"volumeClaimTemplate": {"spec": CLAIM}}},
]}  # fmt: skip
SMALL_POD = {"containers": [{"name": "c", "image": "nginx"}]}
TEMPLATE = {"metadata": {"labels": LABELS}, "spec": SMALL_POD}
APP = {"selector": {"matchLabels": LABELS}, "template": TEMPLATE}
JOB = {"template": {"spec": {**SMALL_POD, "restartPolicy": "Never"}}}

RULE = {"http": {"paths": [{"pathType": "Prefix", "path": "/",
                            "backend": {"service": {"name": "s", "port": {"number": 80}}}}]}}  # fmt: skip
SCHEMA = {"openAPIV3Schema": {"type": "object"}}
DEFINITION = {"group": "example.com", "scope": "Cluster", "names": {"kind": "Given", "plural": "givens"},
              "versions": [{"name": "v1", "served": True, "storage": True, "schema": SCHEMA}]}  # fmt: skip

SCALER = {"maxReplicas": 3, "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "d"},
          "behavior": {"scaleUp": {"stabilizationWindowSeconds": 5}}}  # fmt: skip
RULES = [{"apiGroups": ["apps"], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["deployments"]}]
HOOK = {"name": "w.example.com", "sideEffects": "None", "admissionReviewVersions": ["v1"], "rules": RULES,
        "clientConfig": {"url": "https://127.0.0.1:1/"}, "failurePolicy": "Ignore"}  # fmt: skip
CHECKS = {"matchConstraints": {"resourceRules": RULES}, "validations": [{"expression": "object.metadata.name != 'x'"}]}

OBJECTS = {
    "Pod": ("v1", {"spec": POD}),
    "Service": ("v1", {"spec": {"ports": [{"port": 80}]}}),
    "Namespace": ("v1", {}),
    "PersistentVolume": (
        "v1",
        {"spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "hostPath": {"path": "/x"}}},
    ),
    "PersistentVolumeClaim": ("v1", {"spec": CLAIM}),
    "ReplicationController": ("v1", {"spec": {"template": TEMPLATE}}),
    "Deployment": ("apps/v1", {"spec": APP}),
    "ReplicaSet": ("apps/v1", {"spec": APP}),
    "StatefulSet": ("apps/v1", {"spec": {**APP, "serviceName": "s"}}),
    "DaemonSet": ("apps/v1", {"spec": APP}),
    "Job": ("batch/v1", {"spec": JOB}),
    "HorizontalPodAutoscaler": ("autoscaling/v2", {"spec": SCALER}),
    "ValidatingWebhookConfiguration": ("admissionregistration.k8s.io/v1", {"webhooks": [HOOK]}),
    "ValidatingAdmissionPolicy": ("admissionregistration.k8s.io/v1", {"spec": CHECKS}),
    "Ingress": ("networking.k8s.io/v1", {"spec": {"rules": [RULE]}}),
    "CustomResourceDefinition": ("apiextensions.k8s.io/v1", {"spec": DEFINITION}),
    "CertificateSigningRequest": (
        "certificates.k8s.io/v1",
        {"spec": {"request": REQUEST, "signerName": "a.b/c", "usages": ["client auth"]}},
    ),
}

# An ephemeral container comes by a subresource alone.
NOT_ASKED = {"core.EphemeralContainer"}

C, V = "spec.containers[0]", "spec.volumes[%d]"
WHERE = {
    "meta.ObjectMeta": ("Deployment", "metadata"),
    "admissionregistration.NamedRuleWithOperations": (
        "ValidatingAdmissionPolicy",
        "spec.matchConstraints.resourceRules[0]",
    ),
    "admissionregistration.RuleWithOperations": ("ValidatingWebhookConfiguration", "webhooks[0].rules[0]"),
    "apiextensions.CustomResourceDefinitionVersion": ("CustomResourceDefinition", "spec.versions[0]"),
    "apiextensions.CustomResourceValidation": ("CustomResourceDefinition", "spec.versions[0].schema"),
    "autoscaling.HPAScalingRules": ("HorizontalPodAutoscaler", "spec.behavior.scaleUp"),
    "certificates.CertificateSigningRequestSpec": ("CertificateSigningRequest", "spec"),
    "core.Container": ("Pod", C),
    "core.ConfigMapEnvSource": ("Pod", C + ".envFrom[0].configMapRef"),
    "core.ConfigMapKeySelector": ("Pod", C + ".env[0].valueFrom.configMapKeyRef"),
    "core.ConfigMapProjection": ("Pod", V % 2 + ".projected.sources[0].configMap"),
    "core.ConfigMapVolumeSource": ("Pod", V % 1 + ".configMap"),
    "core.EphemeralVolumeSource": ("Pod", V % 3 + ".ephemeral"),
    "core.ExecAction": ("Pod", C + ".livenessProbe.exec"),
    "core.NamespaceSpec": ("Namespace", "spec"),
    "core.PersistentVolumeClaimSpec": ("PersistentVolumeClaim", "spec"),
    "core.PersistentVolumeSpec": ("PersistentVolume", "spec"),
    "core.PodDNSConfigOption": ("Pod", "spec.dnsConfig.options[0]"),
    "core.SecretEnvSource": ("Pod", C + ".envFrom[1].secretRef"),
    "core.SecretKeySelector": ("Pod", C + ".env[1].valueFrom.secretKeyRef"),
    "core.SecretProjection": ("Pod", V % 2 + ".projected.sources[1].secret"),
    "core.SecretVolumeSource": ("Pod", V % 0 + ".secret"),
    "core.ServiceSpec": ("Service", "spec"),
    "core.VolumeResourceRequirements": ("PersistentVolumeClaim", "spec.resources"),
    "networking.IngressServiceBackend": ("Ingress", "spec.rules[0].http.paths[0].backend.service"),
}


def objects(labels):
    """(kind, object) of each kind."""
    for kind, (version, body) in OBJECTS.items():
        name = "givens.example.com" if kind == "CustomResourceDefinition" else "given-" + kind.lower()
        yield kind, {"apiVersion": version, "kind": kind, "metadata": {"name": name, "labels": labels}, **body}


def fields():
    """(kind, "spec.replicas") of each field that each object has, as the table says."""
    text = TABLE.read_text()
    for name, listed in re.findall(r'^FIELDS\("([^"]+)", "([^"]*)"\)', text, re.M):
        if name not in NOT_ASKED:
            kind, place = WHERE[name]
            yield from ((kind, f"{place}.{field}") for field in listed.split())
    for place, listed in re.findall(r'^AT\("([^"]+)", "([^"]*)"\)', text, re.M):
        kind, _, below = place.partition(".")
        yield from ((kind, f"{below}.{field}") for field in listed.split())


def without(made, path):
    """The object without that field; None: it does not have it."""
    made = copy.deepcopy(made)
    *above, last = re.findall(r"\w+", path)
    at = made
    for key in above:
        at = at[int(key)] if key.isdigit() else at.get(key, {})
    return None if at.pop(last, None) is None else made
