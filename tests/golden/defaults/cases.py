"""Objects as clients send them: each kind with nothing but what must be given, and each optional part of it that the
API server fills in; and kept.jsonl, ordinary objects that were written after the table of default values, and are not
used to make it."""

import json
import pathlib

KEPT = pathlib.Path(__file__).resolve().parent / "kept.jsonl"

LABELS = {"app": "a"}
SELECTOR = {"matchLabels": LABELS}
CONTAINER = {"name": "c", "image": "nginx"}
POD = {"containers": [CONTAINER]}
TEMPLATE = {"metadata": {"labels": LABELS}, "spec": POD}
APP = {"selector": SELECTOR, "template": TEMPLATE}
JOB_POD = {"metadata": {}, "spec": {**POD, "restartPolicy": "Never"}}
JOB = {"template": JOB_POD}
CLAIM = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
RBAC = "rbac.authorization.k8s.io"
HPA_TARGET = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "d"}
CLIENT = {"url": "https://127.0.0.1:1/x"}
WEBHOOK = {"name": "w.example.com", "clientConfig": CLIENT, "sideEffects": "None", "admissionReviewVersions": ["v1"]}
RULE = {"apiGroups": ["apps"], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["deployments"]}
POLICY = {"matchConstraints": {"resourceRules": [RULE]}, "validations": [{"expression": "true"}]}
# A PEM block, in base64.
REQUEST = (
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlHTE1EOENBUUF3RERFS01BZ0dBMVVFQXd3QllUQXFNQVVHQXl0"
    "bGNBTWhBQUVlSURwYlJoWWZsUEcvcDFQbgpZV05VcWY0a0tPT0VSKzFjUU9hZkNrNS9vQUF3QlFZREsyVndBMEVBWE1IUnczczh2"
    "S014UG1BQVA2OUl4SmRoCnE3bUNtQmhkUTJ2V2tnbm5uZko2N1BRajBuSDBPZlNJd1RwZ0UwZVlkbG45enZqUllXdnl4cGZtSXVU"
    "VERRPT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg=="
)
HTTP = {"paths": [{"path": "/", "pathType": "Prefix", "backend": {"service": {"name": "s", "port": {"number": 80}}}}]}


def pod(**spec):
    return {"spec": {**POD, **spec}}


def container(**fields):
    return pod(containers=[{**CONTAINER, **fields}])


def volume(**source):
    return pod(volumes=[{"name": "v", **source}])


def projected(**source):
    return pod(serviceAccountName="a", volumes=[{"name": "v", "projected": {"sources": [source]}}])


def env(**source):
    return container(env=[{"name": "N", "valueFrom": source}])


PROBES = {
    "http": {"httpGet": {"port": 80}},
    "http-set": {
        "httpGet": {"port": "web", "path": "/a", "scheme": "HTTPS", "httpHeaders": [{"name": "A", "value": ""}]}
    },
    "tcp": {"tcpSocket": {"port": 80}},
    "grpc": {"grpc": {"port": 80}},
    "grpc-service": {"grpc": {"port": 80, "service": "s"}},
    "exec": {"exec": {"command": ["true"]}},
    "numbers": {"tcpSocket": {"port": 80}, "initialDelaySeconds": 0, "timeoutSeconds": 7, "periodSeconds": 0},
}

VOLUMES = {
    "none": {},
    "emptyDir": {"emptyDir": {}},
    "emptyDir-set": {"emptyDir": {"medium": "Memory", "sizeLimit": "1024Mi"}},
    "hostPath": {"hostPath": {"path": "/"}},
    "secret": {"secret": {"secretName": "s"}},
    "secret-items": {"secret": {"secretName": "s", "items": [{"key": "k", "path": "p"}], "defaultMode": 256}},
    "configMap": {"configMap": {"name": "m"}},
    "configMap-items": {"configMap": {"name": "m", "optional": False, "items": [{"key": "k", "path": "p", "mode": 0}]}},
    "downwardAPI": {"downwardAPI": {}},
    "downwardAPI-items": {"downwardAPI": {"items": [{"path": "l", "fieldRef": {"fieldPath": "metadata.labels"}}]}},
    "downwardAPI-resource": {
        "downwardAPI": {"items": [{"path": "l", "resourceFieldRef": {"containerName": "c", "resource": "limits.cpu"}}]}
    },
    "projected": {"projected": {"sources": [{"secret": {"name": "s"}}]}},
    "claim": {"persistentVolumeClaim": {"claimName": "c"}},
    "nfs": {"nfs": {"server": "s", "path": "/"}},
    "iscsi": {"iscsi": {"targetPortal": "1.2.3.4", "iqn": "iqn.2001-04.com.example:s", "lun": 0}},
    "fc": {"fc": {"targetWWNs": ["a"], "lun": 0}},
    "rbd": {"rbd": {"monitors": ["m"], "image": "i"}},
    "cephfs": {"cephfs": {"monitors": ["m"]}},
    "glusterfs": {"glusterfs": {"endpoints": "e", "path": "p"}},
    "azureDisk": {"azureDisk": {"diskName": "d", "diskURI": "https://blob.core.windows.net/x"}},
    "azureFile": {"azureFile": {"secretName": "s", "shareName": "h"}},
    "scaleIO": {"scaleIO": {"gateway": "g", "system": "s", "secretRef": {"name": "r"}, "volumeName": "v"}},
    "storageos": {"storageos": {"volumeName": "v"}},
    "csi": {"csi": {"driver": "d.example.com"}},
    "flexVolume": {"flexVolume": {"driver": "a/b"}},
    "cinder": {"cinder": {"volumeID": "v"}},
    "gce": {"gcePersistentDisk": {"pdName": "d"}},
    "aws": {"awsElasticBlockStore": {"volumeID": "v"}},
    "vsphere": {"vsphereVolume": {"volumePath": "p"}},
    "portworx": {"portworxVolume": {"volumeID": "v"}},
    "quobyte": {"quobyte": {"registry": "r:1", "volume": "v"}},
    "photon": {"photonPersistentDisk": {"pdID": "p"}},
    "ephemeral": {"ephemeral": {"volumeClaimTemplate": {"spec": CLAIM}}},
    "ephemeral-labels": {"ephemeral": {"volumeClaimTemplate": {"metadata": {"labels": LABELS}, "spec": CLAIM}}},
    "image": {"image": {"reference": "r"}},
    "image-latest": {"image": {"reference": "r:latest"}},
    "image-tag": {"image": {"reference": "r:1"}},
}

PROJECTED = {
    "secret": {"secret": {"name": "s"}},
    "configMap": {"configMap": {"name": "m", "items": [{"key": "k", "path": "p"}]}},
    "downwardAPI": {"downwardAPI": {"items": [{"path": "l", "fieldRef": {"fieldPath": "metadata.name"}}]}},
    "token": {"serviceAccountToken": {"path": "t"}},
    "token-set": {"serviceAccountToken": {"path": "t", "audience": "a", "expirationSeconds": 600}},
    "trust": {"clusterTrustBundle": {"name": "b", "path": "t"}},
    "certificate": {"podCertificate": {"signerName": "a.b/c", "keyType": "ED25519", "credentialBundlePath": "c"}},
}

CONTAINERS = {
    "latest": {"image": "nginx:latest"},
    "tag": {"image": "nginx:1.27"},
    "registry-port": {"image": "localhost:5000/nginx"},
    "registry-tag": {"image": "localhost:5000/nginx:1"},
    "digest": {"image": "nginx@sha256:" + "a" * 64},
    "latest-digest": {"image": "nginx:latest@sha256:" + "a" * 64},
    "tag-digest": {"image": "nginx:1@sha256:" + "a" * 64},
    "upper-latest": {"image": "nginx:LATEST"},
    "pull-never": {"imagePullPolicy": "Never"},
    "ports": {
        "ports": [{"containerPort": 80}, {"containerPort": 53, "protocol": "UDP"}, {"containerPort": 81, "hostPort": 8}]
    },
    "limits": {"resources": {"limits": {"cpu": "0.5", "memory": "1000Mi"}}},
    "limits-numbers": {"resources": {"limits": {"cpu": 1, "memory": 1024}}},
    "limits-fraction": {"resources": {"limits": {"cpu": 0.25}}},
    "limits-part": {"resources": {"limits": {"cpu": "2", "memory": "1Gi"}, "requests": {"cpu": "1000m"}}},
    "limits-extended": {"resources": {"limits": {"example.com/gpu": 1}}},
    "limits-storage": {"resources": {"limits": {"ephemeral-storage": "1Gi"}}},
    "limits-empty": {"resources": {"limits": {}, "requests": {}}},
    "requests": {"resources": {"requests": {"cpu": "1e3", "memory": "1024Ki"}}},
    "hugepages": {"resources": {"limits": {"hugepages-2Mi": "2Mi", "cpu": 1}}},
    "env": {"env": [{"name": "A"}, {"name": "B", "value": "b"}, {"name": "C", "value": ""}]},
    "env-from": {"envFrom": [{"configMapRef": {"name": "m"}}, {"secretRef": {"name": "s"}, "prefix": "P"}]},
    "security": {"securityContext": {}},
    "privileged": {"securityContext": {"privileged": True}},
    "proc-mount": {"securityContext": {"procMount": "Default", "runAsUser": 0}},
    "capabilities": {
        "securityContext": {"capabilities": {"add": [], "drop": ["ALL"]}, "seccompProfile": {"type": "RuntimeDefault"}}
    },
    "tty": {"stdin": True, "tty": True, "stdinOnce": False},
    "command": {"command": [], "args": ["a"], "workingDir": "/"},
    "message": {"terminationMessagePath": "/a", "terminationMessagePolicy": "FallbackToLogsOnError"},
    "resize": {"resizePolicy": [{"resourceName": "cpu", "restartPolicy": "NotRequired"}]},
    "resize-limits": {
        "resources": {"limits": {"cpu": 1}},
        "resizePolicy": [{"resourceName": "cpu", "restartPolicy": "RestartContainer"}],
    },
    "mounts-none": {"volumeMounts": []},
    "poststart-http": {"lifecycle": {"postStart": {"httpGet": {"port": 80}}}},
    "prestop-http": {"lifecycle": {"preStop": {"httpGet": {"port": "a", "path": "/x"}}}},
    "prestop-sleep": {"lifecycle": {"preStop": {"sleep": {"seconds": 1}}}},
    "prestop-exec": {"lifecycle": {"preStop": {"exec": {"command": ["a"]}}}},
    "restart-rules": {
        "restartPolicy": "Never",
        "restartPolicyRules": [{"action": "Restart", "exitCodes": {"operator": "In", "values": [42]}}],
    },
}

PODS = {
    "minimal": {},
    "restart-never": {"restartPolicy": "Never"},
    "host-network": {"hostNetwork": True, "containers": [{**CONTAINER, "ports": [{"containerPort": 80}]}]},
    "host-network-set": {"hostNetwork": True, "containers": [{**CONTAINER, "ports": [{"containerPort": 80, "hostPort": 80}]}]},
    "host-network-init": {
        "hostNetwork": True,
        "initContainers": [{"name": "i", "image": "i", "ports": [{"containerPort": 80}]}],
    },
    "host-network-off": {"hostNetwork": False, "hostPID": False, "hostIPC": True},
    "host-users": {"hostUsers": False},
    "init": {"initContainers": [{"name": "i", "image": "i:1", "resources": {"limits": {"cpu": 1}}}]},
    "init-always": {"initContainers": [{"name": "i", "image": "i:1", "restartPolicy": "Always", "readinessProbe": {"tcpSocket": {"port": 1}}}]},
    "security": {"securityContext": {"runAsNonRoot": True, "fsGroup": 1, "sysctls": [], "supplementalGroups": [1]}},
    "policy-groups": {"securityContext": {"fsGroup": 1, "fsGroupChangePolicy": "OnRootMismatch", "supplementalGroupsPolicy": "Strict"}},
    "windows": {"os": {"name": "windows"}},
    "links-off": {"enableServiceLinks": False},
    "account": {"serviceAccountName": "a", "automountServiceAccountToken": False},
    "account-old": {"serviceAccount": "a"},
    "account-both": {"serviceAccount": "b", "serviceAccountName": "a"},
    "tolerations": {"tolerations": [{"key": "a", "operator": "Exists"}]},
    "tolerations-empty-operator": {"tolerations": [{"key": "a", "value": "b", "effect": "NoSchedule"}]},
    "tolerates-not-ready": {"tolerations": [{"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 5}]},
    "tolerates-unreachable": {"tolerations": [{"key": "node.kubernetes.io/unreachable", "operator": "Exists"}]},
    "tolerates-other-effect": {"tolerations": [{"key": "node.kubernetes.io/unreachable", "operator": "Exists", "effect": "NoSchedule"}]},
    "tolerates-all": {"tolerations": [{"operator": "Exists"}]},
    "priority-node": {"priorityClassName": "system-node-critical"},
    "priority-cluster": {"priorityClassName": "system-cluster-critical"},
    "preemption": {"preemptionPolicy": "PreemptLowerPriority"},
    "grace": {"terminationGracePeriodSeconds": 0},
    "deadline": {"activeDeadlineSeconds": 5},
    "dns": {"dnsPolicy": "None", "dnsConfig": {"nameservers": ["1.2.3.4"], "options": [{"name": "a"}]}},
    "scheduler": {"schedulerName": "s", "nodeName": "n", "nodeSelector": {"a": "b"}},
    "gates": {"schedulingGates": [{"name": "a"}]},
    "spread": {"topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "z", "whenUnsatisfiable": "DoNotSchedule"}]},
    "spread-selector": {
        "topologySpreadConstraints": [
            {"maxSkew": 1, "topologyKey": "z", "whenUnsatisfiable": "ScheduleAnyway", "labelSelector": {}, "matchLabelKeys": ["a"]}
        ]
    },
    "affinity": {
        "affinity": {
            "podAntiAffinity": {
                "requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "k", "labelSelector": {"matchLabels": LABELS}}],
                "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1, "podAffinityTerm": {"topologyKey": "k"}}],
            },
            "nodeAffinity": {
                "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1, "preference": {}}],
            },
        }
    },
    "host-aliases": {"hostAliases": [{"ip": "1.2.3.4", "hostnames": ["a"]}], "hostname": "h", "subdomain": "s"},
    "pull-secrets": {"imagePullSecrets": [{"name": "a"}, {}]},
    "readiness-gates": {"readinessGates": [{"conditionType": "a.b/c"}]},
    "pod-resources": {"resources": {"limits": {"cpu": 1, "memory": "1Gi"}}},
    "pod-resources-containers": {
        "resources": {"limits": {"cpu": 4}},
        "containers": [{**CONTAINER, "resources": {"requests": {"cpu": 1}}}, {"name": "d", "image": "d", "resources": {"requests": {"cpu": "500m"}}}],
    },
    "pod-resources-limits": {
        "resources": {"limits": {"cpu": 4}},
        "containers": [{**CONTAINER, "resources": {"limits": {"cpu": 1}}}],
    },
    "claims": {"resourceClaims": [{"name": "c", "resourceClaimTemplateName": "t"}], "containers": [{**CONTAINER, "resources": {"claims": [{"name": "c"}]}}]},
    "process": {"shareProcessNamespace": True},
    "lists-empty": {"volumes": [], "initContainers": [], "tolerations": [], "imagePullSecrets": []},
    "nulls": {"volumes": None, "restartPolicy": None, "securityContext": None, "nodeSelector": None},
    "unknown-field": {"nope": 1, "containers": [{**CONTAINER, "nope": {"a": []}}]},
}  # fmt: skip

SERVICES = {
    "minimal": {"ports": [{"port": 80}]},
    "selector": {"selector": LABELS, "ports": [{"port": 80, "targetPort": 8080}]},
    "target-name": {"ports": [{"port": 80, "targetPort": "web"}]},
    "target-empty": {"ports": [{"port": 80, "targetPort": ""}]},
    "target-zero": {"ports": [{"port": 80, "targetPort": 0}]},
    "udp": {"ports": [{"port": 53, "protocol": "UDP", "name": "a"}, {"port": 53, "name": "b"}]},
    "headless": {"clusterIP": "None", "ports": [{"port": 80}]},
    "headless-selector": {"clusterIP": "None", "selector": LABELS},
    "headless-ips": {"clusterIP": "None", "clusterIPs": ["None"], "selector": LABELS},
    "cluster-ip": {"clusterIP": "10.0.0.77", "ports": [{"port": 80}]},
    "affinity": {"sessionAffinity": "ClientIP", "ports": [{"port": 80}]},
    "affinity-set": {
        "sessionAffinity": "ClientIP",
        "sessionAffinityConfig": {"clientIP": {"timeoutSeconds": 5}},
        "ports": [{"port": 80}],
    },
    "affinity-empty": {"sessionAffinity": "ClientIP", "sessionAffinityConfig": {"clientIP": {}}, "ports": [{"port": 80}]},
    "affinity-none": {"sessionAffinity": "None", "ports": [{"port": 80}]},
    "node-port": {"type": "NodePort", "ports": [{"port": 80, "nodePort": 30100}]},
    "node-port-local": {"type": "NodePort", "externalTrafficPolicy": "Local", "ports": [{"port": 80, "nodePort": 30101}]},
    "balancer": {"type": "LoadBalancer", "ports": [{"port": 80, "nodePort": 30102}]},
    "balancer-no-ports": {"type": "LoadBalancer", "allocateLoadBalancerNodePorts": False, "ports": [{"port": 80}]},
    "balancer-local": {"type": "LoadBalancer", "externalTrafficPolicy": "Local", "healthCheckNodePort": 30103, "ports": [{"port": 80, "nodePort": 30104}]},
    "balancer-class": {"type": "LoadBalancer", "loadBalancerClass": "a/b", "ports": [{"port": 80, "nodePort": 30105}]},
    "external-name": {"type": "ExternalName", "externalName": "a.example.com"},
    "external-name-ports": {"type": "ExternalName", "externalName": "a.example.com", "ports": [{"port": 80}]},
    "external-ips": {"externalIPs": ["1.2.3.4"], "ports": [{"port": 80}]},
    "internal-local": {"internalTrafficPolicy": "Local", "ports": [{"port": 80}]},
    "families": {"ipFamilies": ["IPv4"], "ipFamilyPolicy": "SingleStack", "ports": [{"port": 80}]},
    "prefer-dual": {"ipFamilyPolicy": "PreferDualStack", "ports": [{"port": 80}]},
    "publish": {"publishNotReadyAddresses": True, "trafficDistribution": "PreferClose", "ports": [{"port": 80}]},
    "protocol": {"clusterIP": "", "type": "ClusterIP", "ports": [{"port": 80, "appProtocol": "http"}]},
}  # fmt: skip

DEPLOYMENTS = {
    "minimal": {},
    "replicas-zero": {"replicas": 0, "paused": False},
    "replicas-null": {"replicas": None},
    "recreate": {"strategy": {"type": "Recreate"}},
    "strategy-empty": {"strategy": {}},
    "rolling": {"strategy": {"type": "RollingUpdate"}},
    "rolling-empty": {"strategy": {"type": "RollingUpdate", "rollingUpdate": {}}},
    "rolling-surge": {"strategy": {"rollingUpdate": {"maxSurge": 1}}},
    "rolling-unavailable": {"strategy": {"rollingUpdate": {"maxUnavailable": "10%", "maxSurge": "0%"}}},
    "limits": {"revisionHistoryLimit": 0, "progressDeadlineSeconds": 9, "minReadySeconds": 3},
    "template-limits": {"template": {"metadata": {"labels": LABELS}, "spec": container(resources={"limits": {"cpu": 1}})["spec"]}},
    "template-volume": {"template": {"metadata": {"labels": LABELS}, "spec": volume(configMap={"name": "m"})["spec"]}},
    "template-account": {"template": {"metadata": {"labels": LABELS}, "spec": {**POD, "serviceAccountName": "a"}}},
    "template-account-old": {"template": {"metadata": {"labels": LABELS}, "spec": {**POD, "serviceAccount": "a"}}},
    "template-host-network": {"template": {"metadata": {"labels": LABELS}, "spec": {**PODS["host-network"]}}},
    "template-priority": {"template": {"metadata": {"labels": LABELS}, "spec": {**POD, "priorityClassName": "p"}}},
    "template-metadata": {"template": {"metadata": {"labels": LABELS, "annotations": {}, "name": "x", "creationTimestamp": None}, "spec": POD}},
}  # fmt: skip

STATEFUL = {
    "minimal": {"serviceName": "s"},
    "no-service": {},
    "parallel": {"serviceName": "s", "podManagementPolicy": "Parallel"},
    "on-delete": {"serviceName": "s", "updateStrategy": {"type": "OnDelete"}},
    "rolling-empty": {"serviceName": "s", "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {}}},
    "partition": {"serviceName": "s", "updateStrategy": {"rollingUpdate": {"partition": 3}}},
    "unavailable": {"serviceName": "s", "updateStrategy": {"rollingUpdate": {"maxUnavailable": 2}}},
    "claims": {"serviceName": "s", "volumeClaimTemplates": [{"metadata": {"name": "c"}, "spec": CLAIM}]},
    "claims-kind": {
        "serviceName": "s",
        "volumeClaimTemplates": [{"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "c"}, "spec": {**CLAIM, "volumeMode": "Block"}}],
    },
    "retention": {"serviceName": "s", "persistentVolumeClaimRetentionPolicy": {"whenDeleted": "Delete"}},
    "retention-scaled": {"serviceName": "s", "persistentVolumeClaimRetentionPolicy": {"whenScaled": "Delete"}},
    "ordinals": {"serviceName": "s", "ordinals": {"start": 2}, "minReadySeconds": 1, "replicas": 3},
}  # fmt: skip

DAEMONS = {
    "minimal": {},
    "on-delete": {"updateStrategy": {"type": "OnDelete"}},
    "surge": {"updateStrategy": {"rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}},
    "surge-only": {"updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "0%"}}},
    "unavailable": {"updateStrategy": {"rollingUpdate": {"maxUnavailable": "50%"}}},
    "limit": {"revisionHistoryLimit": 3, "minReadySeconds": 0},
}

JOBS = {
    "minimal": {},
    "completions": {"completions": 5},
    "parallelism": {"parallelism": 3},
    "both": {"completions": 5, "parallelism": 2, "suspend": True},
    "indexed": {"completionMode": "Indexed", "completions": 2},
    "indexed-backoff": {"completionMode": "Indexed", "completions": 2, "backoffLimitPerIndex": 1},
    "backoff": {"backoffLimit": 0, "ttlSecondsAfterFinished": 5, "activeDeadlineSeconds": 1},
    "failure-policy": {
        "podFailurePolicy": {"rules": [{"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget"}]}]}
    },
    "failure-policy-codes": {
        "podFailurePolicy": {"rules": [{"action": "FailJob", "onExitCodes": {"operator": "In", "values": [1]}}]}
    },
    "replacement": {"podReplacementPolicy": "Failed"},
    "success": {"completionMode": "Indexed", "completions": 2, "successPolicy": {"rules": [{"succeededCount": 1}]}},
    "manual": {
        "manualSelector": True,
        "selector": SELECTOR,
        "template": {"metadata": {"labels": LABELS}, "spec": JOB_POD["spec"]},
    },
    "managed-by": {"managedBy": "a.b/c"},
    "on-failure": {"template": {"spec": {**POD, "restartPolicy": "OnFailure"}}},
}

CRONS = {
    "minimal": {},
    "forbid": {"concurrencyPolicy": "Forbid", "suspend": True},
    "limits": {"successfulJobsHistoryLimit": 0, "failedJobsHistoryLimit": 0, "startingDeadlineSeconds": 9},
    "zone": {"timeZone": "Etc/UTC"},
    "job": {"jobTemplate": {"metadata": {"labels": LABELS}, "spec": {**JOB, "completions": 3}}},
}

HPAS = {
    "minimal": {},
    "min": {"minReplicas": 2},
    "resource": {"metrics": [{"type": "Resource", "resource": {"name": "cpu", "target": {"type": "AverageValue", "averageValue": 1}}}]},
    "metrics-empty": {"metrics": []},
    "pods": {"metrics": [{"type": "Pods", "pods": {"metric": {"name": "m"}, "target": {"type": "AverageValue", "averageValue": "1k"}}}]},
    "object": {
        "metrics": [
            {"type": "Object", "object": {"describedObject": {"kind": "Service", "name": "s"}, "metric": {"name": "m"}, "target": {"type": "Value", "value": "0.5"}}}
        ]
    },
    "external": {
        "metrics": [{"type": "External", "external": {"metric": {"name": "m", "selector": {}}, "target": {"type": "Value", "value": 10}}}]
    },
    "container": {
        "metrics": [
            {"type": "ContainerResource", "containerResource": {"name": "cpu", "container": "c", "target": {"type": "Utilization", "averageUtilization": 5}}}
        ]
    },
    "behavior": {"behavior": {}},
    "behavior-up": {"behavior": {"scaleUp": {}}},
    "behavior-up-window": {"behavior": {"scaleUp": {"stabilizationWindowSeconds": 5}}},
    "behavior-up-policies": {"behavior": {"scaleUp": {"policies": [{"type": "Pods", "value": 1, "periodSeconds": 5}]}}},
    "behavior-down": {"behavior": {"scaleDown": {}}},
    "behavior-down-select": {"behavior": {"scaleDown": {"selectPolicy": "Disabled"}}},
    "behavior-both": {"behavior": {"scaleDown": {"stabilizationWindowSeconds": 0}, "scaleUp": {"selectPolicy": "Min"}}},
    "behavior-tolerance": {"behavior": {"scaleDown": {"tolerance": "0.05"}}},
}  # fmt: skip

VOLUME_SPEC = {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"]}
PERSISTENT = {
    "hostPath": {"hostPath": {"path": "/x"}},
    "hostPath-typed": {"hostPath": {"path": "/x", "type": "Directory"}},
    "local": {
        "local": {"path": "/x"},
        "nodeAffinity": {
            "required": {"nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "Exists"}]}]}
        },
    },
    "nfs": {"nfs": {"server": "s", "path": "/"}, "mountOptions": ["a"]},
    "csi": {"csi": {"driver": "d.example.com", "volumeHandle": "h"}},
    "iscsi": {"iscsi": {"targetPortal": "1.2.3.4", "iqn": "iqn.2001-04.com.example:s", "lun": 0}},
    "rbd": {"rbd": {"monitors": ["m"], "image": "i"}},
    "azureDisk": {"azureDisk": {"diskName": "d", "diskURI": "https://blob.core.windows.net/x"}},
    "azureFile": {"azureFile": {"secretName": "s", "shareName": "h"}},
    "scaleIO": {"scaleIO": {"gateway": "g", "system": "s", "secretRef": {"name": "r"}, "volumeName": "v"}},
    "reclaim": {"hostPath": {"path": "/x"}, "persistentVolumeReclaimPolicy": "Delete", "volumeMode": "Block"},
    "claim-ref": {"hostPath": {"path": "/tmp/x"}, "claimRef": {"name": "c", "namespace": "n"}, "storageClassName": ""},
    "gce": {"gcePersistentDisk": {"pdName": "d"}},
}

CLAIMS = {
    "minimal": {},
    "class": {"storageClassName": "s", "volumeMode": "Block"},
    "data-source": {"dataSource": {"kind": "PersistentVolumeClaim", "name": "c"}},
    "data-source-ref": {"dataSourceRef": {"kind": "PersistentVolumeClaim", "name": "c"}},
    "data-source-snapshot": {
        "dataSource": {"apiGroup": "snapshot.storage.k8s.io", "kind": "VolumeSnapshot", "name": "c"}
    },
    "number": {"resources": {"requests": {"storage": 1073741824}}},
    "limits": {"resources": {"requests": {"storage": "1Gi"}, "limits": {"storage": "2Gi"}}},
    "fraction": {"resources": {"requests": {"storage": "0.5"}}},
}

POLICIES = {
    "minimal": {},
    "ignore": {"failurePolicy": "Ignore"},
    "selectors": {
        "matchConstraints": {"resourceRules": [{**RULE, "scope": "Namespaced"}], "namespaceSelector": SELECTOR}
    },
    "exact": {"matchConstraints": {"resourceRules": [RULE], "matchPolicy": "Exact", "excludeResourceRules": [RULE]}},
}


def small_kinds():
    """(name, apiVersion, kind, body) of kinds with few parts."""
    yield "configmap", "v1", "ConfigMap", {}
    yield "configmap-data", "v1", "ConfigMap", {"data": {"a": "b"}, "binaryData": {"c": "ZA=="}, "immutable": False}
    yield "secret", "v1", "Secret", {}
    yield "secret-string", "v1", "Secret", {"stringData": {"a": "b"}, "data": {"a": "eA==", "c": "ZA=="}}
    yield "secret-typed", "v1", "Secret", {"type": "example.com/x", "data": {}}
    yield "secret-nulls", "v1", "Secret", {"data": {"a": None}, "type": ""}
    yield "serviceaccount", "v1", "ServiceAccount", {}
    yield (
        "serviceaccount-secrets",
        "v1",
        "ServiceAccount",
        {"secrets": [{"name": "s"}], "imagePullSecrets": [{"name": "p"}]},
    )
    yield "namespace", "v1", "Namespace", {}
    yield "namespace-finalizers", "v1", "Namespace", {"spec": {"finalizers": ["example.com/x"]}}
    yield "namespace-status", "v1", "Namespace", {"spec": {}, "status": {"phase": "Terminating"}}
    yield "node", "v1", "Node", {}
    yield (
        "node-taints",
        "v1",
        "Node",
        {"spec": {"taints": [{"key": "a", "effect": "NoSchedule"}], "podCIDR": "10.1.0.0/24"}},
    )
    yield "node-status", "v1", "Node", {"status": {"capacity": {"cpu": 4, "memory": "8Gi"}}}
    yield "endpoints", "v1", "Endpoints", {"subsets": [{"addresses": [{"ip": "10.1.2.3"}], "ports": [{"port": 80}]}]}
    yield "endpoints-none", "v1", "Endpoints", {}
    yield "controller", "v1", "ReplicationController", {"spec": {"selector": LABELS, "template": TEMPLATE}}
    yield "controller-bare", "v1", "ReplicationController", {"spec": {"template": TEMPLATE}}
    yield "controller-zero", "v1", "ReplicationController", {"spec": {"replicas": 0, "template": TEMPLATE}}
    yield "limits", "v1", "LimitRange", {"spec": {"limits": [{"type": "Container"}]}}
    yield (
        "limits-max",
        "v1",
        "LimitRange",
        {"spec": {"limits": [{"type": "Container", "max": {"cpu": 2, "memory": "1Gi"}}]}},
    )
    yield (
        "limits-default",
        "v1",
        "LimitRange",
        {"spec": {"limits": [{"type": "Container", "default": {"cpu": "1"}, "min": {"cpu": "100m"}}]}},
    )
    yield (
        "limits-request",
        "v1",
        "LimitRange",
        {"spec": {"limits": [{"type": "Container", "defaultRequest": {"memory": "1Mi"}, "max": {"memory": "2Mi"}}]}},
    )
    yield (
        "limits-pod",
        "v1",
        "LimitRange",
        {"spec": {"limits": [{"type": "Pod", "max": {"cpu": 2}, "maxLimitRequestRatio": {"cpu": 3}}]}},
    )
    yield "quota", "v1", "ResourceQuota", {"spec": {"hard": {"pods": 1, "requests.cpu": "1000m"}}}
    yield "quota-scopes", "v1", "ResourceQuota", {"spec": {"hard": {"pods": "5"}, "scopes": ["BestEffort"]}}
    yield "template", "v1", "PodTemplate", {"template": TEMPLATE}
    yield (
        "event",
        "v1",
        "Event",
        {"involvedObject": {"kind": "Pod", "name": "p", "namespace": "default"}, "reason": "R"},
    )
    yield (
        "binding-event",
        "events.k8s.io/v1",
        "Event",
        {
            "regarding": {"kind": "Pod", "name": "p", "namespace": "default"},
            "reason": "R",
            "type": "Normal",
            "action": "A",
            "eventTime": "2024-01-01T00:00:00.000000Z",
            "reportingController": "a.b/c",
            "reportingInstance": "i",
        },
    )
    yield "replicaset", "apps/v1", "ReplicaSet", {"spec": APP}
    yield "replicaset-zero", "apps/v1", "ReplicaSet", {"spec": {**APP, "replicas": 0, "minReadySeconds": 0}}
    yield "revision", "apps/v1", "ControllerRevision", {"revision": 1, "data": {"a": {"b": None}}}
    yield "role", f"{RBAC}/v1", "Role", {}
    yield "role-rules", f"{RBAC}/v1", "Role", {"rules": [{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}]}
    yield "clusterrole", f"{RBAC}/v1", "ClusterRole", {"rules": []}
    yield (
        "clusterrole-aggregated",
        f"{RBAC}/v1",
        "ClusterRole",
        {"aggregationRule": {"clusterRoleSelectors": [SELECTOR]}},
    )
    yield (
        "rolebinding",
        f"{RBAC}/v1",
        "RoleBinding",
        {
            "roleRef": {"kind": "ClusterRole", "name": "view", "apiGroup": RBAC},
            "subjects": [
                {"kind": "User", "name": "u"},
                {"kind": "Group", "name": "g"},
                {"kind": "ServiceAccount", "name": "s", "namespace": "n"},
            ],
        },
    )
    yield "rolebinding-bare", f"{RBAC}/v1", "RoleBinding", {"roleRef": {"kind": "ClusterRole", "name": "view"}}
    yield (
        "clusterrolebinding",
        f"{RBAC}/v1",
        "ClusterRoleBinding",
        {
            "roleRef": {"kind": "ClusterRole", "name": "view"},
            "subjects": [{"kind": "User", "name": "u", "apiGroup": RBAC}],
        },
    )
    yield "storageclass", "storage.k8s.io/v1", "StorageClass", {"provisioner": "a.b/c"}
    yield (
        "storageclass-set",
        "storage.k8s.io/v1",
        "StorageClass",
        {
            "provisioner": "a.b/c",
            "reclaimPolicy": "Retain",
            "volumeBindingMode": "WaitForFirstConsumer",
            "parameters": {"a": "b"},
            "allowVolumeExpansion": False,
        },
    )
    yield "csidriver", "storage.k8s.io/v1", "CSIDriver", {"spec": {}}
    yield (
        "csidriver-set",
        "storage.k8s.io/v1",
        "CSIDriver",
        {"spec": {"attachRequired": False, "volumeLifecycleModes": ["Ephemeral"], "fsGroupPolicy": "File"}},
    )
    yield "csinode", "storage.k8s.io/v1", "CSINode", {"spec": {"drivers": []}}
    yield (
        "csinode-driver",
        "storage.k8s.io/v1",
        "CSINode",
        {"spec": {"drivers": [{"name": "d", "nodeID": "n", "topologyKeys": None}]}},
    )
    yield (
        "attachment",
        "storage.k8s.io/v1",
        "VolumeAttachment",
        {"spec": {"attacher": "a", "nodeName": "n", "source": {"persistentVolumeName": "v"}}},
    )
    yield "capacity", "storage.k8s.io/v1", "CSIStorageCapacity", {"storageClassName": "s", "capacity": "1024Mi"}
    yield (
        "attributes-class",
        "storage.k8s.io/v1",
        "VolumeAttributesClass",
        {"driverName": "d.example.com", "parameters": {"a": "b"}},
    )
    yield "priorityclass", "scheduling.k8s.io/v1", "PriorityClass", {"value": 1}
    yield (
        "priorityclass-set",
        "scheduling.k8s.io/v1",
        "PriorityClass",
        {"value": 0, "preemptionPolicy": "Never", "globalDefault": False},
    )
    yield "runtimeclass", "node.k8s.io/v1", "RuntimeClass", {"handler": "h"}
    yield (
        "runtimeclass-scheduling",
        "node.k8s.io/v1",
        "RuntimeClass",
        {
            "handler": "h",
            "overhead": {"podFixed": {"cpu": 0.25}},
            "scheduling": {"nodeSelector": {"a": "b"}, "tolerations": [{"key": "a", "operator": "Exists"}]},
        },
    )
    yield "lease", "coordination.k8s.io/v1", "Lease", {}
    yield (
        "lease-spec",
        "coordination.k8s.io/v1",
        "Lease",
        {"spec": {"holderIdentity": "h", "leaseDurationSeconds": 5, "renewTime": "2024-01-01T00:00:00.500000Z"}},
    )
    yield "pdb", "policy/v1", "PodDisruptionBudget", {"spec": {"minAvailable": 1, "selector": SELECTOR}}
    yield (
        "pdb-percent",
        "policy/v1",
        "PodDisruptionBudget",
        {"spec": {"maxUnavailable": "50%", "unhealthyPodEvictionPolicy": "AlwaysAllow"}},
    )
    yield (
        "ingress",
        "networking.k8s.io/v1",
        "Ingress",
        {"spec": {"defaultBackend": {"service": {"name": "s", "port": {"number": 80}}}}},
    )
    yield (
        "ingress-rules",
        "networking.k8s.io/v1",
        "Ingress",
        {"spec": {"ingressClassName": "c", "rules": [{"http": HTTP}, {"host": "a.example.com"}], "tls": [{}]}},
    )
    yield "ingressclass", "networking.k8s.io/v1", "IngressClass", {"spec": {"controller": "a.b/c"}}
    yield (
        "ingressclass-parameters",
        "networking.k8s.io/v1",
        "IngressClass",
        {"spec": {"controller": "a.b/c", "parameters": {"apiGroup": "a.b", "kind": "K", "name": "n"}}},
    )
    yield (
        "ingressclass-parameters-ns",
        "networking.k8s.io/v1",
        "IngressClass",
        {
            "spec": {
                "controller": "a.b/c",
                "parameters": {"kind": "K", "name": "n", "scope": "Namespace", "namespace": "x"},
            }
        },
    )
    yield "netpol", "networking.k8s.io/v1", "NetworkPolicy", {"spec": {"podSelector": {}}}
    yield (
        "netpol-ingress",
        "networking.k8s.io/v1",
        "NetworkPolicy",
        {
            "spec": {
                "podSelector": {},
                "ingress": [{"ports": [{"port": 80}, {"protocol": "UDP"}], "from": [{"podSelector": {}}]}],
            }
        },
    )
    yield "netpol-egress", "networking.k8s.io/v1", "NetworkPolicy", {"spec": {"podSelector": SELECTOR, "egress": [{}]}}
    yield (
        "netpol-egress-empty",
        "networking.k8s.io/v1",
        "NetworkPolicy",
        {"spec": {"podSelector": SELECTOR, "egress": []}},
    )
    yield (
        "netpol-types",
        "networking.k8s.io/v1",
        "NetworkPolicy",
        {
            "spec": {
                "podSelector": {},
                "policyTypes": ["Egress"],
                "egress": [{"ports": [{"port": "dns", "endPort": None}], "to": [{"ipBlock": {"cidr": "10.0.0.0/8"}}]}],
            }
        },
    )
    yield (
        "ipaddress",
        "networking.k8s.io/v1",
        "IPAddress",
        {"metadata": {"name": "10.9.8.7"}, "spec": {"parentRef": {"resource": "services", "name": "s"}}},
    )
    yield "servicecidr", "networking.k8s.io/v1", "ServiceCIDR", {"spec": {"cidrs": ["10.9.0.0/16"]}}
    yield (
        "slice",
        "discovery.k8s.io/v1",
        "EndpointSlice",
        {"addressType": "IPv4", "endpoints": [{"addresses": ["10.1.2.3"]}]},
    )
    yield (
        "slice-ports",
        "discovery.k8s.io/v1",
        "EndpointSlice",
        {
            "addressType": "IPv4",
            "endpoints": [],
            "ports": [{"port": 80}, {"name": "n", "port": 1, "protocol": "UDP"}, {"name": "x"}],
        },
    )
    yield (
        "flowschema",
        "flowcontrol.apiserver.k8s.io/v1",
        "FlowSchema",
        {"spec": {"priorityLevelConfiguration": {"name": "exempt"}}},
    )
    yield (
        "flowschema-rules",
        "flowcontrol.apiserver.k8s.io/v1",
        "FlowSchema",
        {
            "spec": {
                "priorityLevelConfiguration": {"name": "p"},
                "matchingPrecedence": 5,
                "distinguisherMethod": {"type": "ByUser"},
                "rules": [
                    {
                        "subjects": [{"kind": "User", "user": {"name": "u"}}],
                        "nonResourceRules": [{"verbs": ["*"], "nonResourceURLs": ["*"]}],
                    }
                ],
            }
        },
    )
    yield (
        "level",
        "flowcontrol.apiserver.k8s.io/v1",
        "PriorityLevelConfiguration",
        {"spec": {"type": "Limited", "limited": {"limitResponse": {"type": "Reject"}}}},
    )
    yield (
        "level-queue",
        "flowcontrol.apiserver.k8s.io/v1",
        "PriorityLevelConfiguration",
        {
            "spec": {
                "type": "Limited",
                "limited": {"nominalConcurrencyShares": 5, "limitResponse": {"type": "Queue", "queuing": {}}},
            }
        },
    )
    yield (
        "level-zero",
        "flowcontrol.apiserver.k8s.io/v1",
        "PriorityLevelConfiguration",
        {
            "spec": {
                "type": "Limited",
                "limited": {"nominalConcurrencyShares": 0, "lendablePercent": 1, "limitResponse": {"type": "Reject"}},
            }
        },
    )
    yield (
        "apiservice",
        "apiregistration.k8s.io/v1",
        "APIService",
        {
            "metadata": {"name": "v1.a.example.com"},
            "spec": {
                "group": "a.example.com",
                "version": "v1",
                "groupPriorityMinimum": 1,
                "versionPriority": 1,
                "insecureSkipTLSVerify": True,
                "service": {"name": "s", "namespace": "n"},
            },
        },
    )
    yield (
        "csr",
        "certificates.k8s.io/v1",
        "CertificateSigningRequest",
        {"spec": {"request": REQUEST, "signerName": "a.b/c", "usages": ["client auth"]}},
    )
    yield (
        "claim",
        "resource.k8s.io/v1",
        "ResourceClaim",
        {"spec": {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "d"}}]}}},
    )
    yield (
        "claim-all",
        "resource.k8s.io/v1",
        "ResourceClaim",
        {
            "spec": {
                "devices": {
                    "requests": [
                        {"name": "r", "exactly": {"deviceClassName": "d", "allocationMode": "All"}},
                        {"name": "s", "firstAvailable": [{"name": "t", "deviceClassName": "e"}]},
                    ]
                }
            }
        },
    )
    yield (
        "claim-tolerations",
        "resource.k8s.io/v1",
        "ResourceClaim",
        {
            "spec": {
                "devices": {
                    "requests": [{"name": "r", "exactly": {"deviceClassName": "d", "tolerations": [{"key": "a"}]}}]
                }
            }
        },
    )
    yield (
        "claimtemplate",
        "resource.k8s.io/v1",
        "ResourceClaimTemplate",
        {
            "spec": {
                "metadata": {"labels": LABELS},
                "spec": {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "d"}}]}},
            }
        },
    )
    yield "deviceclass", "resource.k8s.io/v1", "DeviceClass", {"spec": {}}
    yield (
        "resourceslice",
        "resource.k8s.io/v1",
        "ResourceSlice",
        {
            "spec": {
                "driver": "d.example.com",
                "pool": {"name": "p", "generation": 1, "resourceSliceCount": 1},
                "allNodes": True,
                "devices": [{"name": "x", "taints": [{"key": "a", "effect": "NoSchedule"}]}],
            }
        },
    )
    for kind in ("Validating", "Mutating"):
        name = f"{kind}WebhookConfiguration"
        yield (
            f"{kind.lower()}-hook",
            "admissionregistration.k8s.io/v1",
            name,
            {"webhooks": [{**WEBHOOK, "rules": [RULE]}]},
        )
        yield (
            f"{kind.lower()}-hook-service",
            "admissionregistration.k8s.io/v1",
            name,
            {
                "webhooks": [
                    {
                        **WEBHOOK,
                        "clientConfig": {"service": {"name": "s", "namespace": "n"}},
                        "timeoutSeconds": 5,
                        "namespaceSelector": SELECTOR,
                    }
                ]
            },
        )
        yield f"{kind.lower()}-hook-none", "admissionregistration.k8s.io/v1", name, {}
    for name, body in POLICIES.items():
        yield (
            "vap-" + name,
            "admissionregistration.k8s.io/v1",
            "ValidatingAdmissionPolicy",
            {"spec": {**POLICY, **body}},
        )
    yield (
        "vapb",
        "admissionregistration.k8s.io/v1",
        "ValidatingAdmissionPolicyBinding",
        {"spec": {"policyName": "p", "validationActions": ["Deny"]}},
    )
    yield (
        "vapb-match",
        "admissionregistration.k8s.io/v1",
        "ValidatingAdmissionPolicyBinding",
        {
            "spec": {
                "policyName": "p",
                "validationActions": ["Deny"],
                "matchResources": {"resourceRules": [{**RULE, "resourceNames": ["a"]}]},
                "paramRef": {"name": "x", "parameterNotFoundAction": "Deny"},
            }
        },
    )
    yield (
        "crd",
        "apiextensions.k8s.io/v1",
        "CustomResourceDefinition",
        {
            "metadata": {"name": "widgets.example.com"},
            "spec": {
                "group": "example.com",
                "scope": "Namespaced",
                "names": {"plural": "widgets", "kind": "Widget"},
                "versions": [
                    {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"}}}
                ],
            },
        },
    )
    yield "crd-webhook", "apiextensions.k8s.io/v1", "CustomResourceDefinition", {
        "metadata": {"name": "widgets.example.com"},
        "spec": {"group": "example.com", "scope": "Namespaced", "names": {"plural": "widgets", "kind": "Widget", "singular": "w", "shortNames": ["x"]},
                 "conversion": {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": {"service": {"name": "s", "namespace": "n"}}}},
                 "versions": [{"name": "v1", "served": True, "storage": True, "subresources": {"status": {}},
                               "schema": {"openAPIV3Schema": {"type": "object", "properties": {"a": {"type": "string", "default": "x"}}}}}]}
    }  # fmt: skip


def spec_kinds():
    for name, probe in PROBES.items():
        for kind in ("livenessProbe", "readinessProbe", "startupProbe")[: 3 if name in ("http", "tcp") else 1]:
            yield f"pod-{kind}-{name}", "v1", "Pod", container(**{kind: probe})
    tables = (
        ("pod-volume-", VOLUMES, "v1", "Pod", lambda v: volume(**v)),
        ("pod-projected-", PROJECTED, "v1", "Pod", lambda v: projected(**v)),
        ("pod-container-", CONTAINERS, "v1", "Pod", lambda v: container(**v)),
        ("pod-", PODS, "v1", "Pod", lambda v: pod(**v)),
        ("service-", SERVICES, "v1", "Service", lambda v: {"spec": v}),
        ("deployment-", DEPLOYMENTS, "apps/v1", "Deployment", lambda v: {"spec": {**APP, **v}}),
        ("statefulset-", STATEFUL, "apps/v1", "StatefulSet", lambda v: {"spec": {**APP, **v}}),
        ("daemonset-", DAEMONS, "apps/v1", "DaemonSet", lambda v: {"spec": {**APP, **v}}),
        ("job-", JOBS, "batch/v1", "Job", lambda v: {"spec": {**JOB, **v}}),
        ("cronjob-", CRONS, "batch/v1", "CronJob",
         lambda v: {"spec": {"schedule": "* * * * *", "jobTemplate": {"spec": JOB}, **v}}),
        ("hpa-", HPAS, "autoscaling/v2", "HorizontalPodAutoscaler",
         lambda v: {"spec": {"maxReplicas": 3, "scaleTargetRef": HPA_TARGET, **v}}),
        ("pv-", PERSISTENT, "v1", "PersistentVolume", lambda v: {"spec": {**VOLUME_SPEC, **v}}),
        ("pvc-", CLAIMS, "v1", "PersistentVolumeClaim", lambda v: {"spec": {**CLAIM, **v}}),
    )  # fmt: skip
    for prefix, table, version, kind, make in tables:
        for name, fields in table.items():
            yield prefix + name, version, kind, make(fields)
    for name, source in (
        ("field", {"fieldRef": {"fieldPath": "metadata.name"}}),
        ("resource", {"resourceFieldRef": {"resource": "limits.cpu"}}),
        ("secret", {"secretKeyRef": {"name": "s", "key": "k"}}),
        ("configmap", {"configMapKeyRef": {"name": "m", "key": "k", "optional": True}}),
    ):
        yield f"pod-env-{name}", "v1", "Pod", env(**source)
    yield (
        "hpa-v1",
        "autoscaling/v1",
        "HorizontalPodAutoscaler",
        {"spec": {"maxReplicas": 3, "scaleTargetRef": HPA_TARGET}},
    )
    yield (
        "hpa-v1-percent",
        "autoscaling/v1",
        "HorizontalPodAutoscaler",
        {
            "spec": {
                "maxReplicas": 3,
                "minReplicas": 2,
                "targetCPUUtilizationPercentage": 5,
                "scaleTargetRef": HPA_TARGET,
            }
        },
    )


METADATA = {
    "annotations": {"annotations": {"a": ""}, "labels": {}},
    "generate": {"name": None, "generateName": "p-"},
    "owned": {"ownerReferences": [{"apiVersion": "v1", "kind": "ConfigMap", "name": "c", "uid": "u"}]},
    "finalizers": {"finalizers": ["example.com/a"]},
    "stale": {"uid": "x", "generation": 7, "selfLink": "/x", "creationTimestamp": "2020-01-01T00:00:00Z"},
    "deleted": {"deletionTimestamp": "2020-01-01T00:00:00Z", "deletionGracePeriodSeconds": 3},
}


def metadata_kinds():
    for name, fields in METADATA.items():
        for version, kind, body in (
            ("v1", "Pod", pod()),
            ("apps/v1", "Deployment", {"spec": APP, "status": {"replicas": 3}}),
            ("v1", "ConfigMap", {}),
        ):
            yield f"metadata-{name}-{kind.lower()}", version, kind, {"metadata": fields, **body}


def cases():
    """(name, object)"""
    for makers in (spec_kinds, small_kinds, metadata_kinds):
        for name, version, kind, body in makers():
            metadata = {"name": "o", **body.get("metadata", {})}
            metadata = {key: value for key, value in metadata.items() if value is not None}
            yield name, {"apiVersion": version, "kind": kind, **body, "metadata": metadata}
    yield from map(json.loads, KEPT.read_text().splitlines())
