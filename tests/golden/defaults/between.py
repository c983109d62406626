#!/usr/bin/env python3
"""between.py PROGRAM: the fields of new objects that depend on the release, in each release.

A row is a field, the releases whose new objects have it, and an object. The releases are those whose feature gate is on
by default (pkg/features/kube_features.go of k8s.io/kubernetes); compare.py compares whole objects, but only with the
releases that were asked. PROGRAM is completeobject (../../support/completeobject).
"""

import json
import subprocess
import sys

CONTAINER = {"name": "c", "image": "nginx"}
CLAIM = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
APP = {
    "selector": {"matchLabels": {"a": "b"}},
    "template": {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [CONTAINER]}},
}
TERM = {"topologyKey": "k", "labelSelector": {"matchLabels": {"x": "y"}}, "matchLabelKeys": ["a"]}
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
SPREAD = {**TERM, "maxSkew": 1, "whenUnsatisfiable": "DoNotSchedule"}
MOUNT = {"name": "v", "mountPath": "/v", "readOnly": True, "recursiveReadOnly": "Enabled"}
PROFILE = {"appArmorProfile": {"type": "RuntimeDefault"}}
ARMOR = "container.apparmor.security.beta.kubernetes.io/c"
LATEST = {"image": {"reference": "r"}, "name": "i"}
EVERY = range(30, 39)


def made(version, kind, **body):
    return {"apiVersion": version, "kind": kind, "metadata": {"name": "o", "labels": {"a": "b"}}, **body}


def pod(container=(), **spec):
    return made("v1", "Pod", spec={"containers": [{**CONTAINER, **dict(container)}], **spec})


def claim(**spec):
    return made("v1", "PersistentVolumeClaim", spec={**CLAIM, **spec})


STATEFUL = made("apps/v1", "StatefulSet", spec=APP)
DRIVER = made(
    "storage.k8s.io/v1",
    "CSIDriver",
    spec={"nodeAllocatableUpdatePeriodSeconds": 60, "preventPodSchedulingIfMissing": True},
)
SERVICE = made("v1", "Service", spec={"ports": [{"port": 80}], "trafficDistribution": "PreferClose"})
JOB = made(
    "batch/v1",
    "Job",
    spec={"managedBy": "a.b/c", "template": {"spec": {"containers": [CONTAINER], "restartPolicy": "Never"}}},
)
FILE = {"env": [{"name": "N", "valueFrom": {"fileKeyRef": {"volumeName": "v", "path": "p", "key": "k"}}}]}
RULES = {
    "restartPolicy": "Never",
    "restartPolicyRules": [{"action": "Restart", "exitCodes": {"operator": "In", "values": [1]}}],
}
FIRST = "spec.containers.0."

RESIZE = {"resizePolicy": [{"resourceName": "cpu", "restartPolicy": "NotRequired"}]}
NEAR = pod(affinity={"podAffinity": {REQUIRED: [TERM]}})


def secure(**context):
    return pod(securityContext=context)


ROWS = [
    ("spec.updateStrategy.rollingUpdate.maxUnavailable", (35, 37, 38), STATEFUL),
    (FIRST + "restartPolicyRules", range(35, 39), pod(RULES)),
    (FIRST + "lifecycle.stopSignal", (), pod({"lifecycle": {"stopSignal": "SIGUSR1"}})),
    (FIRST + "env.0.valueFrom.fileKeyRef", range(35, 39), pod(FILE)),
    (FIRST + "volumeMounts.0.recursiveReadOnly", range(31, 39), pod({"volumeMounts": [MOUNT]})),
    (FIRST + "resizePolicy", range(33, 39), pod(RESIZE)),
    ("spec.hostnameOverride", range(35, 39), pod(hostnameOverride="h")),
    ("spec.hostUsers", range(33, 39), pod(hostUsers=False)),
    ("spec.resources", range(34, 39), pod(resources={"limits": {"cpu": "1"}})),
    ("spec.volumes.0.image.pullPolicy", range(35, 39), pod(volumes=[LATEST])),
    ("spec.securityContext.supplementalGroupsPolicy", range(33, 39), secure(supplementalGroupsPolicy="Strict")),
    ("spec.securityContext.seLinuxChangePolicy", range(33, 39), secure(seLinuxChangePolicy="Recursive")),
    (f"spec.affinity.podAffinity.{REQUIRED}.0.matchLabelKeys", range(31, 39), NEAR),
    (
        f"spec.affinity.podAffinity.{REQUIRED}.0.labelSelector.matchExpressions",
        range(31, 39),
        NEAR,
    ),
    ("spec.topologySpreadConstraints.0.matchLabelKeys", EVERY, pod(topologySpreadConstraints=[SPREAD])),
    (
        "spec.topologySpreadConstraints.0.labelSelector.matchExpressions",
        range(34, 39),
        pod(topologySpreadConstraints=[SPREAD]),
    ),
    (f"metadata.annotations.{ARMOR}", range(30, 34), pod(securityContext=PROFILE)),
    ("metadata.generation", range(33, 39), pod()),
    ("spec.volumeAttributesClassName", range(34, 39), claim(volumeAttributesClassName="s")),
    ("spec.nodeAllocatableUpdatePeriodSeconds", range(35, 39), DRIVER),
    ("spec.preventPodSchedulingIfMissing", (37, 38), DRIVER),
    ("spec.trafficDistribution", range(31, 39), SERVICE),
    ("spec.managedBy", range(32, 39), JOB),
]


def has(value, path):
    annotation = path.removeprefix("metadata.annotations.")
    if annotation != path:  # it has dots
        return annotation in value["metadata"].get("annotations", {})
    for key in path.split("."):
        value = value[int(key)] if isinstance(value, list) else value.get(key) if isinstance(value, dict) else None
        if value is None:
            return False
    return True


def main():
    (program,) = sys.argv[1:]
    lines = "".join(json.dumps(row[2]) + "\n" for row in ROWS)
    wrong = []
    for minor in EVERY:
        done = subprocess.run([program, f"1.{minor}"], input=lines, capture_output=True, text=True, check=True)
        for (path, releases, _), line in zip(ROWS, done.stdout.splitlines(), strict=True):
            made_object = json.loads(line)
            if "problem" in made_object or has(made_object["validating"], path) != (minor in releases):
                wrong.append(f"1.{minor}: {path} {'is missing' if minor in releases else 'is there'}: {line[:300]}")
    print(*wrong, f"{len(ROWS)} fields in {len(EVERY)} releases", sep="\n")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
