"""Objects of built-in kinds as somebody might send them: without fields, with what is empty, with null.

The tool has Go's types and no code that sets defaults: what the schema sets otherwise than Go is left out, and so
are scalars that are written as zero, which Go may leave out, and times; what is required stays.
"""

import random

DEFAULTED = {
    "azureDisk",
    "iscsi",
    "rbd",
    "scaleIO",
    "tolerations",
    "maxExpirationSeconds",
    "grpc",
    "fileKeyRef",
    "limited",
    "restartPolicyRules",
}
NULL = {
    "dataSource",
    "dataSourceRef",
    "resourceFieldRef",
    "parameters",
    "azureFile",
    "status",
    "evictionResponders",
    "sharedCounters",
    "consumesCounters",
    "opaque",
    "resource",
    "requestPolicy",
}  # optional, and written as null
REQUIRED = {
    "selector",
    "policyName",
    "validationActions",
    "replicas",
    "token",
    "parentRef",
    "sideEffects",
    "data",
    "port",
    "value",
    "protocol",
    "request",
    "targetPort",
    "pathType",
}
KINDS = {
    "ReplicationController",
    "PodCertificateRequest",
    "TokenRequest",
    "Event",
    "CertificateSigningRequest",
    "Scale",
    "ValidatingAdmissionPolicyBinding",
}


def is_kept(key):
    return key in REQUIRED or key.endswith(("Time", "Timestamp", "time", "At"))


def lacks(value):
    """Returns true if something required is not there in what the tool made."""
    if isinstance(value, dict):
        return any(
            lacks(item)
            or (item is None and key in REQUIRED)
            or (key == "ports" and any("protocol" not in port for port in item or [{}]))
            for key, item in value.items()
        )
    return isinstance(value, list) and any(map(lacks, value))


def change(r, value, depth=0):
    if isinstance(value, dict):
        if depth > 0 and r.random() < 0.1 and not any(map(is_kept, value)):
            return {}
        return {
            key: item if is_kept(key) else change(r, item, depth + 1)
            for key, item in value.items()
            if (depth == 0 or is_kept(key) or r.random() < 0.8) and key not in DEFAULTED | NULL
        }
    if isinstance(value, list):
        return [change(r, item, depth + 1) for item in value] if r.random() < 0.9 else []
    return None if depth > 1 and r.random() < 0.05 else value


def cases(objects, seed):
    r = random.Random(seed)
    for i, made in enumerate(objects):
        if made["kind"] not in KINDS and not lacks(made):
            yield {"id": f"{seed}.{i}", "sent": change(r, made)}
