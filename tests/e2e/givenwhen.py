"""For each row of typecheck/cel/schema/given_when.def an object that fulfils its conditions and lacks its field, or has
the one that it must not have: a server refuses it, or adds the field."""

import pathlib
import re

TABLE = pathlib.Path(__file__).resolve().parent.parent.parent / "typecheck/cel/schema/given_when.def"
ROW = re.compile(r'^WHEN\("([^"]*)", "([^"]*)", "([^"]*)"\)$', re.M)

CONTAINER = {"name": "c", "image": "nginx"}
HOOK = {"name": "w.example.com", "sideEffects": "None", "admissionReviewVersions": ["v1"], "clientConfig": {}}
DEFINITION = {
    "group": "example.com",
    "scope": "Cluster",
    "names": {"kind": "Given", "plural": "givens", "singular": "given", "listKind": "GivenList"},
    "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"}}}],
}
TARGET = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "d"}
SOURCE = {"describedObject": TARGET, "metric": {"name": "m"}}
SERVICE = {"selector": {"a": "b"}}
PORT = {"ports": [{"port": 80}]}


def made(version, kind, name="o", **body):
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name}, **body}


def pod(container=(), **spec):
    return made("v1", "Pod", spec={"containers": [{**CONTAINER, **dict(container)}], **spec})


def service(kind, **spec):
    return made("v1", "Service", spec={**SERVICE, "type": kind, **spec})


def secret(kind, **data):
    return made("v1", "Secret", type="kubernetes.io/" + kind, data=data)


def autoscaler(kind, **source):
    metric = {"type": kind, **source}
    return made(
        "autoscaling/v2",
        "HorizontalPodAutoscaler",
        spec={"maxReplicas": 3, "scaleTargetRef": TARGET, "metrics": [metric]},
    )


def definition(**spec):
    return made(
        "apiextensions.k8s.io/v1", "CustomResourceDefinition", "givens.example.com", spec={**DEFINITION, **spec}
    )


def conversion(**webhook):
    return definition(conversion={"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"], **webhook}})


def role(kind, **rule):
    return made("rbac.authorization.k8s.io/v1", kind, rules=[{"verbs": ["get"], **rule}])


def ingress(kind):
    path = {"pathType": kind, "backend": {"service": {"name": "s", "port": {"number": 80}}}}
    return made("networking.k8s.io/v1", "Ingress", spec={"rules": [{"http": {"paths": [path]}}]})


def level(**spec):
    return made("flowcontrol.apiserver.k8s.io/v1", "PriorityLevelConfiguration", spec=spec)


def flow(kind):
    rule = {"subjects": [{"kind": kind}], "nonResourceRules": [{"verbs": ["*"], "nonResourceURLs": ["*"]}]}
    spec = {"priorityLevelConfiguration": {"name": "p"}, "matchingPrecedence": 5, "rules": [rule]}
    return made("flowcontrol.apiserver.k8s.io/v1", "FlowSchema", spec=spec)


def profile(kind):
    return {"securityContext": {kind: {"type": "Localhost"}}}


def claim():
    return made("v1", "PersistentVolumeClaim", spec={"accessModes": ["ReadWriteOnce"], "resources": {"requests": {}}})


def volume():
    spec = {"capacity": {"cpu": "1"}, "accessModes": ["ReadWriteOnce"], "hostPath": {"path": "/x"}}
    return made("v1", "PersistentVolume", spec=spec)


def binding(kind):
    reference = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "r"}
    subject = {"kind": "ServiceAccount", "name": "s"}
    return made("rbac.authorization.k8s.io/v1", kind, roleRef=reference, subjects=[subject])


def job():
    template = {"spec": {"containers": [CONTAINER], "restartPolicy": "Never"}}
    return made("batch/v1", "Job", spec={"completionMode": "Indexed", "template": template})


def ingress_class():
    parameters = {"kind": "K", "name": "n", "scope": "Namespace"}
    return made("networking.k8s.io/v1", "IngressClass", spec={"controller": "a.b/c", "parameters": parameters})


def webhook():
    return made("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", webhooks=[HOOK])


RESOURCE = {"resource": {"name": "cpu", "target": {"type": "Utilization"}}}
CONTAINER_RESOURCE = {"containerResource": {"name": "cpu", "container": "c", "target": {"type": "Utilization"}}}
PODS = {"pods": {"metric": {"name": "m"}, "target": {"type": "AverageValue"}}}
OBJECT = {"object": {**SOURCE, "target": {"type": "Value"}}}
EXTERNAL = {"external": {"metric": {"name": "m"}, "target": {"type": "Value"}}}
LIMITS = {"resources": {"limits": {"cpu": "1"}}}
VERSION = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"description": "x"}}}
REJECT = {"limitResponse": {"type": "Queue"}}
HOSTED = [{"containerPort": 80}]


def affinity(operator):
    term = {"matchExpressions": [{"key": "k", "operator": operator}]}
    return pod(
        affinity={"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}}
    )


def workload(operator):
    template = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [CONTAINER]}}
    selector = {"matchLabels": {"a": "b"}, "matchExpressions": [{"key": "a", "operator": operator}]}
    return made("apps/v1", "Deployment", spec={"selector": selector, "template": template})


def quota(operator):
    scope = {"scopeName": "PriorityClass", "operator": operator}
    return made("v1", "ResourceQuota", spec={"hard": {"pods": "1"}, "scopeSelector": {"matchExpressions": [scope]}})


def local_volume(**affinity):
    spec = {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "local": {"path": "/x"}, **affinity}
    return made("v1", "PersistentVolume", spec=spec)


def backend(**body):
    return made("networking.k8s.io/v1", "Ingress", spec={"defaultBackend": body})


def peer():
    spec = {"podSelector": {}, "ingress": [{"from": [{}]}]}
    return made("networking.k8s.io/v1", "NetworkPolicy", spec=spec)


def device():
    spec = {"devices": {"requests": [{"name": "d"}]}}
    return made("resource.k8s.io/v1", "ResourceClaim", spec=spec)


def attachment():
    return made("storage.k8s.io/v1", "VolumeAttachment", spec={"attacher": "a.b/c", "nodeName": "n", "source": {}})


VOLUMES = " ".join(
    "!" + source
    for source in (
        "hostPath gcePersistentDisk awsElasticBlockStore gitRepo secret nfs iscsi glusterfs persistentVolumeClaim rbd "
        "flexVolume cinder cephfs flocker downwardAPI fc azureFile configMap vsphereVolume quobyte azureDisk "
        "photonPersistentDisk projected portworxVolume scaleIO storageos csi ephemeral image"
    ).split()
)
EVENT = {
    "eventTime": "2026-01-01T00:00:00.000000Z",
    "reportingController": "a.b/c",
    "reportingInstance": "i",
    "type": "Normal",
}
URLS = {"nonResourceURLs": ["/x"]}
FILES = [{"name": "v", "downwardAPI": {"items": [{"path": "p"}]}}]

# (type, field, when): the object, and where the field is in it; None: the object is refused, with a message that has
# the field's name, or the word that is given.
CASES = {
    ("admissionregistration.WebhookClientConfig", "service", "!url"): (webhook(), None),
    ("apiextensions.CustomResourceConversion", "webhook", "strategy=Webhook"): (
        definition(conversion={"strategy": "Webhook"}),
        None,
    ),
    ("apiextensions.CustomResourceValidation", "openAPIV3Schema.type", ""): (definition(versions=[VERSION]), None),
    ("apiextensions.WebhookClientConfig", "service", "!url"): (conversion(clientConfig={}), None),
    ("apiextensions.WebhookConversion", "clientConfig", ""): (conversion(), None),
    ("autoscaling.ContainerResourceMetricSource", "target.averageUtilization", "!target.averageValue"): (
        autoscaler("ContainerResource", **CONTAINER_RESOURCE),
        None,
    ),
    ("autoscaling.ExternalMetricSource", "target.value", "!target.averageValue"): (
        autoscaler("External", **EXTERNAL),
        None,
    ),
    ("autoscaling.MetricSpec", "containerResource", "type=ContainerResource"): (autoscaler("ContainerResource"), None),
    ("autoscaling.MetricSpec", "external", "type=External"): (autoscaler("External"), None),
    ("autoscaling.MetricSpec", "object", "type=Object"): (autoscaler("Object"), None),
    ("autoscaling.MetricSpec", "pods", "type=Pods"): (autoscaler("Pods"), None),
    ("autoscaling.MetricSpec", "resource", "type=Resource"): (autoscaler("Resource"), None),
    ("autoscaling.ObjectMetricSource", "target.value", "!target.averageValue"): (autoscaler("Object", **OBJECT), None),
    ("autoscaling.PodsMetricSource", "target.averageValue", ""): (autoscaler("Pods", **PODS), None),
    ("autoscaling.ResourceMetricSource", "target.averageUtilization", "!target.averageValue"): (
        autoscaler("Resource", **RESOURCE),
        None,
    ),
    ("batch.JobSpec", "completions", "completionMode=Indexed"): (job(), "spec.completions"),
    ("core.AppArmorProfile", "localhostProfile", "type=Localhost"): (pod(**profile("appArmorProfile")), None),
    ("core.Binding", "target.name", ""): (made("v1", "Binding", target={"kind": "Node"}), None),
    ("core.DownwardAPIVolumeFile", "fieldRef", "!resourceFieldRef"): (pod(volumes=FILES), None),
    ("core.EnvFromSource", "configMapRef", "!secretRef"): (pod({"envFrom": [{}]}), None),
    ("core.EnvVarSource", "fieldRef", "!configMapKeyRef !secretKeyRef !resourceFieldRef !fileKeyRef"): (
        pod({"env": [{"name": "e", "valueFrom": {}}]}),
        None,
    ),
    ("core.LifecycleHandler", "exec", "!httpGet !tcpSocket !sleep"): (
        pod({"lifecycle": {"preStop": {}}}),
        None,
        "must specify a handler type",
    ),
    ("core.NodeSelectorRequirement", "values", "operator=Gt"): (affinity("Gt"), None),
    ("core.NodeSelectorRequirement", "values", "operator=In"): (affinity("In"), None),
    ("core.NodeSelectorRequirement", "values", "operator=Lt"): (affinity("Lt"), None),
    ("core.NodeSelectorRequirement", "values", "operator=NotIn"): (affinity("NotIn"), None),
    ("core.PersistentVolumeSpec", "nodeAffinity.required", "local"): (local_volume(nodeAffinity={}), None),
    ("core.Probe", "exec", "!httpGet !tcpSocket !grpc"): (
        pod({"livenessProbe": {}}),
        None,
        "must specify a handler type",
    ),
    ("core.ScopedResourceSelectorRequirement", "values", "operator=In"): (quota("In"), None),
    ("core.ScopedResourceSelectorRequirement", "values", "operator=NotIn"): (quota("NotIn"), None),
    ("core.ServiceSpec", "ports", "type=ClusterIP clusterIP!=None"): (service("ClusterIP"), None),
    ("core.Volume", "emptyDir", VOLUMES): (pod(volumes=[{"name": "v"}]), "spec.volumes.0.emptyDir"),
    ("meta.LabelSelectorRequirement", "values", "operator=In"): (workload("In"), None),
    ("meta.LabelSelectorRequirement", "values", "operator=NotIn"): (workload("NotIn"), None),
    ("networking.IngressBackend", "service", "!resource"): (backend(), None),
    ("networking.IngressSpec", "rules", "!defaultBackend"): (made("networking.k8s.io/v1", "Ingress", spec={}), None),
    ("networking.NetworkPolicyPeer", "podSelector", "!namespaceSelector !ipBlock"): (
        peer(),
        None,
        "must specify a peer",
    ),
    ("networking.ServiceBackendPort", "name", "!number"): (backend(service={"name": "s", "port": {}}), None),
    ("rbac.PolicyRule", "!nonResourceURLs", "apiGroups"): (
        role("ClusterRole", apiGroups=[""], resources=["a"], **URLS),
        None,
        "non-resource",
    ),
    ("rbac.PolicyRule", "!nonResourceURLs", "resources"): (
        role("ClusterRole", apiGroups=[""], resources=["a"], **URLS),
        None,
        "non-resource",
    ),
    ("resource.DeviceRequest", "exactly", "!firstAvailable"): (device(), None),
    ("storage.VolumeAttachmentSource", "persistentVolumeName", "!inlineVolumeSpec"): (attachment(), None),
    ("core.ContainerPort", "hostPort", "/kind=Pod /spec.hostNetwork=true"): (
        pod({"ports": HOSTED}, hostNetwork=True),
        "spec.containers.0.ports.0.hostPort",
    ),
    ("core.PersistentVolumeSpec", "capacity[storage]", ""): (volume(), None),
    ("core.PodSpec", "dnsConfig.nameservers", "dnsPolicy=None"): (pod(dnsPolicy="None", dnsConfig={}), None),
    ("core.ResourceRequirements", "requests", "limits /kind=Pod"): (
        pod(LIMITS),
        "spec.containers.0.resources.requests",
    ),
    ("core.SeccompProfile", "localhostProfile", "type=Localhost"): (pod(**profile("seccompProfile")), None),
    ("core.Secret", "data[.dockercfg]", "type=kubernetes.io/dockercfg"): (secret("dockercfg"), None),
    ("core.Secret", "data[.dockerconfigjson]", "type=kubernetes.io/dockerconfigjson"): (
        secret("dockerconfigjson"),
        None,
    ),
    ("core.Secret", "data[ssh-privatekey]", "type=kubernetes.io/ssh-auth"): (secret("ssh-auth"), None),
    ("core.Secret", "data[tls.crt]", "type=kubernetes.io/tls"): (secret("tls", **{"tls.key": ""}), None),
    ("core.Secret", "data[tls.key]", "type=kubernetes.io/tls"): (secret("tls", **{"tls.crt": ""}), None),
    (
        "core.ServicePort",
        "nodePort",
        "/spec.type=LoadBalancer /spec.allocateLoadBalancerNodePorts!=false",
    ): (service("LoadBalancer", **PORT), "spec.ports.0.nodePort"),
    ("core.ServicePort", "nodePort", "/spec.type=NodePort"): (service("NodePort", **PORT), "spec.ports.0.nodePort"),
    ("core.ServiceSpec", "externalName", "type=ExternalName"): (service("ExternalName"), None),
    ("core.ServiceSpec", "ports", "type=LoadBalancer"): (service("LoadBalancer"), None),
    ("core.ServiceSpec", "ports", "type=NodePort"): (service("NodePort"), None),
    ("core.Toleration", "key", "operator!=Exists"): (pod(tolerations=[{"effect": "NoSchedule"}]), None),
    ("core.VolumeResourceRequirements", "requests[storage]", ""): (claim(), None),
    ("events.Event", "action", ""): (made("events.k8s.io/v1", "Event", reason="r", **EVENT), None),
    ("events.Event", "reason", ""): (made("events.k8s.io/v1", "Event", action="a", **EVENT), None),
    ("flowcontrol.LimitResponse", "queuing", "type=Queue"): (level(type="Limited", limited=REJECT), None),
    ("flowcontrol.PriorityLevelConfigurationSpec", "limited", "type=Limited"): (level(type="Limited"), None),
    ("flowcontrol.Subject", "group", "kind=Group"): (flow("Group"), None),
    ("flowcontrol.Subject", "serviceAccount", "kind=ServiceAccount"): (flow("ServiceAccount"), None),
    ("flowcontrol.Subject", "user", "kind=User"): (flow("User"), None),
    ("networking.HTTPIngressPath", "path", "pathType=Exact"): (ingress("Exact"), None),
    ("networking.HTTPIngressPath", "path", "pathType=Prefix"): (ingress("Prefix"), None),
    ("networking.IngressClassParametersReference", "namespace", "scope=Namespace"): (ingress_class(), None),
    ("rbac.PolicyRule", "apiGroups", "/kind=Role"): (role("Role", resources=["a"]), None),
    ("rbac.PolicyRule", "apiGroups", "!nonResourceURLs"): (role("ClusterRole", resources=["a"]), None),
    ("rbac.PolicyRule", "resources", "/kind=Role"): (role("Role", apiGroups=[""]), None),
    ("rbac.PolicyRule", "resources", "!nonResourceURLs"): (role("ClusterRole", apiGroups=[""]), None),
    ("rbac.Subject", "namespace", "kind=ServiceAccount /kind=ClusterRoleBinding"): (
        binding("ClusterRoleBinding"),
        None,
    ),
}


def rows():
    return {match.groups() for match in ROW.finditer(TABLE.read_text())}
