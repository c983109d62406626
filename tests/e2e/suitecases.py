"""Requests that kubectl vapcheck test and the API server answer in the same way: a policy, its binding, objects,
params.

A case is a dictionary. spec, binding, constraints and labels add to the policy's spec, to the binding's, to the match
constraints and to the labels of the namespace; `to` is where the request is sent, and bindings are how many there are.
Each case has a namespace of its own."""

import json

CORE = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["*"]}
APPS = {**CORE, "apiGroups": ["apps"]}
NOPE = "string(object.data.nope)"
PARAM_KIND = {"apiVersion": "v1", "kind": "ConfigMap"}
ABOUT = (
    "[request.kind.group, request.kind.kind, request.resource.group, request.resource.resource, "
    "request.subResource].join(' ')"
)
HAS_TIMES = (
    "[has(%s.metadata.uid), has(%s.metadata.creationTimestamp), has(%s.metadata.name)].map(b, string(b)).join(' ')"
)


def config_map(data=None, **metadata):
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "web", **metadata},
        "data": data or {"a": "1"},
    }


def workload(kind, replicas=2, **status):
    template = {"metadata": {"labels": {"app": "a"}}, "spec": {"containers": [{"name": "c", "image": "nginx:1"}]}}
    spec = {"replicas": replicas, "selector": {"matchLabels": {"app": "a"}}, "template": template}
    made = {"apiVersion": "apps/v1", "kind": kind, "metadata": {"name": "web"}, "spec": spec}
    return {**made, "status": status} if status else made


def core(kind, **more):
    return {"apiVersion": "v1", "kind": kind, "metadata": {"name": "web"}, **more}


def scale(replicas):
    return {
        "apiVersion": "autoscaling/v1",
        "kind": "Scale",
        "metadata": {"name": "web"},
        "spec": {"replicas": replicas},
    }


def deny(expression, says=None, **more):
    return {"validations": [{"expression": expression, **({"messageExpression": says} if says else {}), **more}]}


def denies(says):
    return deny("false", says)


def param(ref, expression="params.data.max != '5'", **spec):
    return {
        "params": {**config_map({"max": "5"}), "metadata": {"name": "p", "labels": {"p": "x"}}},
        "binding": {"paramRef": {"parameterNotFoundAction": "Deny", **ref}},
        "spec": {**deny(expression, "'max ' + string(params.data.max)"), "paramKind": PARAM_KIND, **spec},
    }


def sub(kind, version, subresource, to, **more):
    made = {"apiVersion": version, "kind": kind, "metadata": {"name": "web"}, **more}
    return {
        "new": made,
        "stored": POD if to == "pods" else core("ServiceAccount"),
        "to": to,
        "sub": subresource,
        "spec": denies(ABOUT),
    }


POD = core("Pod", spec={"automountServiceAccountToken": False, "containers": [{"name": "c", "image": "i"}]})
NEW = {"new": config_map()}
UPDATE = {"new": config_map({"a": "2"}), "old": config_map()}
GENERATED = {"new": {**config_map(), "metadata": {"generateName": "web-"}}}
LABELLED = config_map(labels={"keep": "yes"})
BY_LABEL = {"objectSelector": {"matchLabels": {"keep": "yes"}}}
FAILS = {"matchConditions": [{"name": "c", "expression": "object.data.nope == ''"}]}
STATUS = "string(has(object.status.replicas) ? object.status.replicas : 0) + ' ' + string(object.spec.replicas)"

CASES = {
    # messages and decisions
    "message": {**NEW, "spec": deny("false", message="  spaces  ")},
    "blank-message-expression": {**NEW, "spec": deny("false", "'   '", message="fallback")},
    "lines-in-message-expression": {**NEW, "spec": deny("false", "'a\\nb'", message="fallback")},
    "failing-message-expression": {**NEW, "spec": deny("false", NOPE)},
    "no-message": {**NEW, "spec": deny("false\n  && true  ")},
    "reason": {**NEW, "spec": deny("false", reason="RequestEntityTooLarge")},
    "fails-then-false": {
        **NEW,
        "spec": {"validations": [{"expression": "object.data.nope == ''"}, {"expression": "false"}]},
    },
    "ignored-and-false": {
        **NEW,
        "spec": {
            "failurePolicy": "Ignore",
            "validations": [{"expression": "object.data.nope == ''"}, {"expression": "false"}],
        },
    },
    "warnings-once": {
        **NEW,
        "binding": {"validationActions": ["Warn"]},
        "spec": {"validations": [{"expression": "false", "message": m} for m in "mmn"]},
    },
    "two-bindings-warn": {
        **NEW,
        "binding": {"validationActions": ["Warn"]},
        "bindings": 2,
        "spec": {"validations": [{"expression": "false", "message": m} for m in "nmm"]},
    },
    "failures-warn": {
        **NEW,
        "binding": {"validationActions": ["Warn", "Audit"]},
        "spec": deny("object.data.nope == ''"),
    },
    "annotations": {
        **NEW,
        "spec": {
            "auditAnnotations": [{"key": "k", "valueExpression": "'  v '"}, {"key": "n", "valueExpression": "null"}]
        },
    },
    "failing-annotation": {
        **NEW,
        "binding": {"validationActions": ["Warn"]},
        "spec": {"auditAnnotations": [{"key": "k", "valueExpression": NOPE}]},
    },
    "ignored-annotation": {
        **NEW,
        "spec": {"failurePolicy": "Ignore", "auditAnnotations": [{"key": "k", "valueExpression": NOPE}]},
    },
    "annotation-and-denial": {
        **NEW,
        "spec": {**deny("false"), "auditAnnotations": [{"key": "k", "valueExpression": NOPE}]},
    },
    "failing-condition": {**NEW, "spec": {**deny("false"), **FAILS}},
    "ignored-condition": {**NEW, "spec": {**deny("false"), **FAILS, "failurePolicy": "Ignore"}},
    "false-condition": {
        **NEW,
        "spec": {**deny("false"), "matchConditions": [*FAILS["matchConditions"], {"name": "d", "expression": "false"}]},
    },
    "failing-variable": {
        **NEW,
        "spec": {
            **deny("variables.b == ''"),
            "variables": [
                {"name": "a", "expression": "object.data.nope"},
                {"name": "b", "expression": "variables.a + '2'"},
            ],
        },
    },
    # what is matched
    "delete-by-label": {
        "old": LABELLED,
        "constraints": BY_LABEL,
        "spec": denies("request.operation + ' ' + request.name + ' ' + request.options.kind"),
    },
    "update-by-old-label": {"new": config_map(), "old": LABELLED, "constraints": BY_LABEL, "spec": deny("false")},
    "create-by-label": {**NEW, "constraints": BY_LABEL, "spec": deny("false")},
    "other-name": {
        **NEW,
        "constraints": {"excludeResourceRules": [{**CORE, "resources": ["configmaps"], "resourceNames": ["web"]}]},
        "spec": deny("false"),
    },
    "by-namespace": {
        **NEW,
        "labels": {"env": "prod"},
        "constraints": {"namespaceSelector": {"matchLabels": {"env": "dev"}}},
        "spec": deny("false"),
    },
    "binding-rules": {
        **NEW,
        "binding": {"matchResources": {"resourceRules": [{**APPS, "resources": ["*"]}]}},
        "spec": deny("false"),
    },
    "namespace-object": {
        **NEW,
        "labels": {"env": "prod"},
        "spec": denies("'env ' + namespaceObject.metadata.labels['env']"),
    },
    "namespace-in-condition": {
        **NEW,
        "labels": {"env": "prod"},
        "spec": {
            **deny("false"),
            "matchConditions": [{"name": "c", "expression": "namespaceObject.metadata.labels.env == 'prod'"}],
        },
    },
    # params
    "params-by-name": {**NEW, **param({"name": "p"})},
    "params-by-selector": {**NEW, **param({"selector": {"matchLabels": {"p": "x"}}})},
    "params-of-no-label": {**NEW, **param({"selector": {"matchLabels": {"p": "y"}}})},
    "params-of-another-name": {**NEW, **param({"name": "q"})},
    "no-params-ignored": {**NEW, **param({"name": "q"}, failurePolicy="Ignore")},
    "no-params-allowed": {**NEW, **param({"name": "q", "parameterNotFoundAction": "Allow"})},
    "params-without-reference": {
        **NEW,
        "params": config_map(),
        "spec": {**deny("params != null", "params == null ? 'null' : 'some'"), "paramKind": PARAM_KIND},
    },
    # what the server makes of a request
    "generated": {
        **GENERATED,
        "spec": denies(
            "string(object.metadata.name.size()) + string(request.name == object.metadata.name) + "
            "object.metadata.generateName"
        ),
    },
    "generated-in-condition": {
        **GENERATED,
        "spec": {
            **deny("false"),
            "matchConditions": [{"name": "c", "expression": "object.metadata.name.startsWith('web-')"}],
        },
    },
    "created": {**NEW, "spec": denies(HAS_TIMES.replace("%s", "object"))},
    "updated": {
        **UPDATE,
        "spec": denies(
            HAS_TIMES.replace("%s", "object")
            + " + "
            + HAS_TIMES.replace("%s", "oldObject")
            + " + string(object.metadata.uid == oldObject.metadata.uid)"
        ),
    },
    "updated-time": {
        "new": config_map(creationTimestamp="2001-01-01T00:00:00Z"),
        "old": config_map(),
        "spec": denies("string(object.metadata.creationTimestamp == oldObject.metadata.creationTimestamp)"),
    },
    "ranges": {
        **NEW,
        "spec": denies(
            "[['10.0.0.0/8', '10.1.0.0/16'], ['10.1.2.3/8', '10.0.0.0/9']].map(r, "
            "string(cidr(r[0]).containsCIDR(r[1]))).join(' ')"
        ),
        "since": 31,
    },
    "deleted": {
        "old": config_map(),
        "spec": denies(HAS_TIMES.replace("%s", "oldObject") + " + string(object == null)"),
    },
    "options": {
        **NEW,
        "spec": denies("request.options.kind + ' ' + request.options.dryRun.join(',') + ' ' + string(request.dryRun)"),
    },
    "secret": {
        "new": core("Secret", type="Opaque", stringData={"k": "hello"}, data={"k": "", "l": "eA=="}),
        "to": "secrets",
        "spec": denies("string(has(object.stringData)) + string(object.data.k) + string(object.data.l)"),
    },
    "status-of-a-new-object": {
        "new": workload("Deployment", replicas=2, observedGeneration=4),
        "to": "deployments",
        "spec": denies(STATUS),
    },
    "status-by-the-resource": {
        "new": workload("Deployment", 7, observedGeneration=4),
        "old": workload("Deployment"),
        "to": "deployments",
        "spec": denies(STATUS),
    },
    "status-by-its-subresource": {
        "new": {**workload("Deployment", 7), "status": {"replicas": 4}},
        "old": workload("Deployment"),
        "to": "deployments",
        "sub": "status",
        "spec": denies(STATUS),
    },
    "node": {
        "new": core("Node", status={"phase": "Running"}),
        "to": "nodes",
        "spec": denies("string(object.status.phase)"),
    },
    "namespace": {
        "new": core("Namespace"),
        "to": "namespaces",
        "constraints": {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "web"}}},
        "spec": denies("string('kubernetes.io/metadata.name' in object.metadata.labels)"),
    },
    "namespace-of-another-label": {
        "new": core("Namespace", metadata={"name": "labelled", "labels": {"kubernetes.io/metadata.name": "other"}}),
        "to": "namespaces",
        "constraints": {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "labelled"}}},
        "spec": denies("string(object.metadata.labels['kubernetes.io/metadata.name'])"),
    },
    # subresources
    "scale": {
        "new": scale(9),
        "old": scale(2),
        "stored": workload("Deployment"),
        "to": "deployments",
        "sub": "scale",
        "spec": denies(ABOUT + " + string(oldObject.spec.replicas)"),
    },
    "scale-of-a-set": {
        "new": scale(9),
        "old": scale(2),
        "stored": workload("ReplicaSet"),
        "to": "replicasets",
        "sub": "scale",
        "spec": denies(ABOUT),
    },
    "eviction": sub("Eviction", "policy/v1", "eviction", "pods"),
    "pod-binding": sub("Binding", "v1", "binding", "pods", target={"kind": "Node", "name": "n"}),
    "token": sub(
        "TokenRequest",
        "authentication.k8s.io/v1",
        "token",
        "serviceaccounts",
        spec={"audiences": ["a"], "expirationSeconds": 3600},
    ),
    "ephemeral": {
        "new": {**POD, "spec": {**POD["spec"], "ephemeralContainers": [{"name": "e", "image": "i"}]}},
        "old": POD,
        "to": "pods",
        "sub": "ephemeralcontainers",
        "spec": denies(ABOUT + " + object.spec.ephemeralContainers[0].name"),
    },
}


def cases(version):
    """Those that a server of this version lets one create."""
    minor = int(version.split(".")[1])
    return {name: case for name, case in CASES.items() if minor >= case.get("since", 0)}


ADMISSION = "admissionregistration.k8s.io/v1"
OF_APPS = ("deployments", "replicasets")
OF_CLUSTER = ("nodes", "namespaces")


def resource(case):
    return case.get("to", "configmaps")


def path(case, name, to=None):
    """Of the objects of a resource."""
    to = to or resource(case)
    base = "/apis/apps/v1" if to in OF_APPS else "/api/v1"
    return f"{base}/{to}" if to in OF_CLUSTER else f"{base}/namespaces/{name}/{to}"


def policy(name, case):
    group = APPS if resource(case) in OF_APPS else CORE
    to = resource(case) + (f"/{case['sub']}" if "sub" in case else "")
    constraints = {"resourceRules": [{**group, "resources": [to]}], **case.get("constraints", {})}
    return {
        "apiVersion": ADMISSION,
        "kind": "ValidatingAdmissionPolicy",
        "metadata": {"name": name},
        "spec": {"matchConstraints": constraints, **case["spec"]},
    }


def bindings(name, case):
    here = (
        {}
        if resource(case) in OF_CLUSTER
        else {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": name}}}
    )
    spec = {"policyName": name, "validationActions": ["Deny"], **case.get("binding", {})}
    spec["matchResources"] = {**here, **spec.get("matchResources", {})}
    names = [name, *(f"{name}-{i}" for i in range(1, case.get("bindings", 1)))]
    return [
        {"apiVersion": ADMISSION, "kind": "ValidatingAdmissionPolicyBinding", "metadata": {"name": n}, "spec": spec}
        for n in names
    ]


def namespace(name, case):
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": case.get("labels", {})}}


def stored(case):
    """What is there before the request: (resource, object)"""
    before = case.get("stored") or case.get("old")
    return ([(resource(case), before)] if before else []) + (
        [("configmaps", case["params"])] if "params" in case else []
    )


def request(name, case):
    """(method, path, body) of the dry run."""
    new, old = case.get("new"), case.get("old")
    where = path(case, name)
    if old or "sub" in case:
        where += "/web" + (f"/{case['sub']}" if "sub" in case else "")
    return ("DELETE" if not new else "PUT" if old else "POST"), where + "?dryRun=All", new


def files(name, case, is_denied, message, warnings, annotations):
    """{path: content} of a folder of kat that expects this answer."""
    test = f"{name}/tests/{name}.x.{'deny' if is_denied else 'allow'}"
    asked = {
        "dryRun": True,
        **({"subResource": case["sub"]} if "sub" in case else {}),
        **({"resource": resource(case)} if case.get("sub") == "scale" else {}),
    }
    if resource(case) not in OF_CLUSTER:
        asked |= {"namespace": name, "namespaceObject": namespace(name, case)}
    bound = "\n---\n".join(json.dumps(b) for b in bindings(name, case))
    made = {f"{name}/policy.yaml": policy(name, case), f"{name}/binding.yaml": bound, f"{test}.request.yaml": asked,
            f"{test}.annotations.yaml": annotations, f"{test}.warnings.txt": "\n".join(warnings)}  # fmt: skip
    made |= {f"{test}.message.txt": message} if message else {}
    for key, ending in (("new", "object"), ("old", "oldObject"), ("params", "params")):
        made |= {f"{test}.{ending}.yaml": case[key]} if key in case else {}
    return made
