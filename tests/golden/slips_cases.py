"""The cases of slips.py: (kind of policy, rules, expression or parts of the spec, (identifier, severity, texts)[, version]).

What a neighbour tests is true of some request, or its author decided it.
"""

VERSION = "1.36"
VAP, MAP = "ValidatingAdmissionPolicy", "MutatingAdmissionPolicy"

POD = ["CREATE,UPDATE /v1/pods"]
DEPLOYMENT = ["CREATE,UPDATE apps/v1/deployments"]
WORKLOADS = [f"CREATE,UPDATE apps/v1/{r}" for r in ("deployments", "daemonsets", "statefulsets")]
SECRET = ["CREATE,UPDATE /v1/secrets"]
CONFIGMAP = ["CREATE,UPDATE,DELETE /v1/configmaps"]
WIDGET = ["CREATE,UPDATE example.com/v1/widgets"]

CRDS = [
    {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"plural": "widgets", "singular": "widget", "kind": "Widget", "listKind": "WidgetList"},
            "versions": [
                {
                    "name": "v1",
                    "served": True,
                    "storage": True,
                    "schema": {
                        "openAPIV3Schema": {
                            "type": "object",
                            "properties": {
                                "spec": {
                                    "type": "object",
                                    "properties": {
                                        "replicas": {"type": "integer"},
                                        "labels": {"type": "object", "additionalProperties": {"type": "string"}},
                                        "open": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
                                    },
                                }
                            },
                        }
                    },
                }
            ],
        },
    }
]


def undefined(name, hint="", severity="warning"):
    return ("undefined-field", severity, f"undefined field '{name}'", hint)


def on(rules, *expressions, kind=VAP):
    """Neighbours."""
    return [(kind, rules, e) for e in expressions]


def condition(expression):
    return {
        "matchConditions": [{"name": "c", "expression": expression}],
        "validations": [{"expression": "object.metadata.name != 'x'"}],
    }


def unequal(text, hint=""):
    return ("never-equal", "warning", text, hint)


CREATE = unequal("no operation is 'create'", "did you mean 'CREATE'?")
OPTIONAL = unequal("an optional is never null")

SLIPS = [
    # an operation that is none
    (VAP, POD, "request.operation == 'create' || object.metadata.name != 'x'", CREATE),
    (VAP, POD, "request.operation != 'create' || object.metadata.name != 'x'", CREATE),
    (VAP, POD, "'create' == request.operation || object.metadata.name != 'x'", CREATE),
    (VAP, POD, "request.operation == 'CREAT' || object.metadata.name != 'x'", unequal("'CREAT'", "'CREATE'")),
    (VAP, POD, "request.operation in ['create'] || object.metadata.name != 'x'", CREATE),
    (
        VAP,
        POD,
        "request.operation in ['CREATE', 'update'] && object.metadata.name != 'x'",
        unequal("'update'", "'UPDATE'"),
    ),
    (VAP, POD, "['create'].exists(o, o == request.operation) || object.metadata.name != 'x'", CREATE),
    (VAP, POD, "request.operation == 'PATCH' || object.metadata.name != 'x'", unequal("no operation is 'PATCH'")),
    (VAP, ["CREATE /v1/pods"], condition("request.operation == 'create'"), CREATE),
    (VAP, POD, condition("request.operation in ['CREATE', 'delete']"), unequal("'delete'", "'DELETE'")),
    (
        VAP,
        POD,
        {
            "variables": [{"name": "op", "expression": "request.operation"}],
            "validations": [{"expression": "variables.op == 'create' || object.metadata.name != 'x'"}],
        },
        CREATE,
    ),
    # an optional and null
    (VAP, POD, "object.spec.?hostNetwork != null", OPTIONAL),
    (VAP, POD, "object.metadata.?labels[?'a'] == null || object.metadata.name != 'x'", OPTIONAL),
    (VAP, POD, "object.spec.containers.all(c, c.?securityContext != null)", OPTIONAL),
    # a name that no matched type has
    (VAP, POD, "!has(object.spec.hostNetwrk)", undefined("hostNetwrk", "hostNetwork")),
    (VAP, POD, "!has(object.spec.hostNetwrk) || !object.spec.hostNetwrk", undefined("hostNetwrk", "hostNetwork")),
    (VAP, POD, "object.spec.?hostNetwrk.orValue(false) == false", undefined("hostNetwrk", "hostNetwork")),
    (VAP, POD, "object.?spec.?hostNetwrk.orValue(false) == false", undefined("hostNetwrk", "hostNetwork")),
    (VAP, POD, "object.spec[?'hostNetwrk'].orValue(false) == false", undefined("hostNetwrk", "hostNetwork")),
    (VAP, POD, "!('hostNetwrk' in object.spec)", undefined("hostNetwrk", "hostNetwork")),
    (VAP, POD, "!has(object.spec.securityContext.runAsNonroot)", undefined("runAsNonroot", "runAsNonRoot")),
    (VAP, POD, "object.spec.containers.all(c, has(c.ressources))", undefined("ressources", "resources")),
    (VAP, POD, "object.spec.containers.all(c, c.?image2.orValue('') != '')", undefined("image2", "image")),
    (
        VAP,
        POD,
        "object.spec.containers.all(c, !has(c.securityContext) || !has(c.securityContext.privilged))",
        undefined("privilged", "privileged"),
    ),
    (
        VAP,
        POD,
        "!object.spec.containers.exists(c, has(c.securityContext) && has(c.securityContext.user))",
        undefined("user"),
    ),
    (VAP, POD, "!has(object.metdata)", undefined("metdata", "metadata")),
    (VAP, POD, "!has(object.metadata.lables)", undefined("lables", "labels")),
    (VAP, POD, "object.metadata.?anotations['x'].orValue('') != 'y'", undefined("anotations", "annotations")),
    (VAP, ["UPDATE /v1/pods"], "!has(oldObject.spec.hostPid)", undefined("hostPid", "hostPID")),
    (VAP, POD, "request.operation == 'CREATE' || !has(oldObject.spec.hostPid)", undefined("hostPid", "hostPID")),
    (
        VAP,
        POD,
        "!(has(object.spec.hostPID) && object.spec.hostPID) || has(object.spec.tolerate)",
        undefined("tolerate"),
    ),
    (VAP, DEPLOYMENT, "has(object.spec.containers)", undefined("containers", "template.spec")),
    (
        VAP,
        DEPLOYMENT,
        "!has(object.spec.template.spec.serviceAccount2)",
        undefined("serviceAccount2", "serviceAccount"),
    ),
    (VAP, DEPLOYMENT, "object.spec.template.metadata.?label.orValue({}).size() == 0", undefined("label", "labels")),
    (VAP, DEPLOYMENT, "object.spec.?strateg.?type.orValue('') == 'Recreate'", undefined("strateg", "strategy")),
    (VAP, WORKLOADS, "!has(object.spec.replicass)", undefined("replicass")),
    (VAP, WORKLOADS, "object.spec.template.spec.?hostIpc.orValue(false) == false", undefined("hostIpc", "hostIPC")),
    (VAP, WORKLOADS, "object.kind == 'DaemonSet' || has(object.spec.replica)", undefined("replica", "replicas")),
    (VAP, WORKLOADS, "object.kind != 'Deployment' || has(object.spec.updateStrategy)", undefined("updateStrategy")),
    (VAP, SECRET, "!has(object.automountServiceAccountToken)", undefined("automountServiceAccountToken")),
    (VAP, SECRET, "has(object.spec)", undefined("spec")),
    (VAP, CONFIGMAP, "request.operation == 'DELETE' || !has(object.dataa)", undefined("dataa", "data")),
    (VAP, WIDGET, "!has(object.spec.replica)", undefined("replica", "replicas")),
    (VAP, WIDGET, "object.spec.?label.orValue({}).size() == 0", undefined("label", "labels")),
    # what may be in another version of the definition is a note
    (VAP, WIDGET, "!has(object.spec.colour)", undefined("colour", severity="note")),
    (VAP, WIDGET, "!has(object.status)", undefined("status", severity="note")),
    # and what another version of Kubernetes has
    (VAP, POD, "!has(object.spec.hostnameOverride)", ("undefined-field", "note", "which Kubernetes 1.34 has"), "1.31"),
    (VAP, POD, condition("!has(object.spec.hostNetwrk)"), undefined("hostNetwrk", "hostNetwork")),
    (VAP, POD, condition("has(object.metadata.label)"), undefined("label", "labels")),
    (
        VAP,
        POD,
        {
            "variables": [{"name": "net", "expression": "object.spec.?hostNetwrk.orValue(false)"}],
            "validations": [{"expression": "!variables.net"}],
        },
        undefined("hostNetwrk", "hostNetwork"),
    ),
    (
        VAP,
        POD,
        {
            "variables": [{"name": "spec", "expression": "object.spec"}],
            "validations": [{"expression": "!has(variables.spec.hostNetwrk)"}],
        },
        undefined("hostNetwrk", "hostNetwork"),
    ),
    (
        VAP,
        POD,
        {
            "validations": [
                {
                    "expression": "object.metadata.name != 'x'",
                    "messageExpression": "has(object.spec.nodNames) ? 'a' : 'b'",
                }
            ]
        },
        undefined("nodNames", "nodeName"),
    ),
    (
        VAP,
        POD,
        {
            "validations": [{"expression": "object.metadata.name != 'x'"}],
            "auditAnnotations": [{"key": "k", "valueExpression": "has(object.spec.nodNames) ? 'a' : 'b'"}],
        },
        undefined("nodNames", "nodeName"),
    ),
    (
        MAP,
        POD,
        {
            "reinvocationPolicy": "Never",
            "mutations": [
                {
                    "patchType": "ApplyConfiguration",
                    "applyConfiguration": {
                        "expression": "has(object.spec.hostNetwrk) ? Object{} : Object{metadata: Object.metadata{}}"
                    },
                }
            ],
        },
        undefined("hostNetwrk", "hostNetwork"),
    ),
]

NEIGHBOURS = [
    # operations that some request has, or that no author wrote as one
    *on(
        POD,
        "request.operation == 'CREATE' || object.metadata.name != 'x'",
        "request.operation == 'DELETE' || object.metadata.name != 'x'",
        "request.operation in ['CREATE', 'UPDATE', 'CONNECT'] && object.metadata.name != 'x'",
        "request.operation.lowerAscii() == 'create' || object.metadata.name != 'x'",
        "request.operation == '' || object.metadata.name != 'x'",
        "request.operation.startsWith('create') || object.metadata.name != 'x'",
        "request.operation == object.metadata.name || object.metadata.name != 'x'",
        "object.metadata.name == 'create'",
        "object.spec.?hostNetwork.hasValue()",
        "object.spec.?hostNetwork.orValue(null) != null",
        "object.spec.?hostNetwork == optional.none() || object.metadata.name != 'x'",
        "'audit' == 'create' || object.metadata.name != 'x'",
    ),
    # optional fields, keys of maps, and what any object can have
    *on(
        POD,
        "!has(object.spec.hostNetwork) || !object.spec.hostNetwork",
        "object.spec.?hostNetwork.orValue(false) == false",
        "object.spec[?'hostNetwork'].orValue(false) == false",
        "!('hostNetwork' in object.spec)",
        "!('team' in object.metadata.labels)",
        "!has(object.metadata.labels) || 'team' in object.metadata.labels",
        "object.metadata.?labels[?'team'].orValue('') != ''",
        "object.metadata.?annotations.?team.orValue('') != ''",
        "has(object.metadata.labels) && has(object.metadata.labels.team)",
        "object.spec.containers.all(c, has(c.resources) && has(c.resources.limits) && has(c.resources.limits.cpu))",
        "object.spec.containers.all(c, c.?securityContext.?privileged.orValue(false) == false)",
        "object.spec.?nodeSelector['disk'].orValue('') != 'ssd'",
        "has(object.status) && has(object.status.phase)",
        "has(object.metadata.namespace)",
        "has(request.name)",
        "has(request.subResource) || has(object.spec)",
        "request.?subResource.orValue('') == ''",
        "request.userInfo.?extra['x'].orValue([]).size() == 0",
        "'system:masters' in request.userInfo.groups",
        "!has(object.spec.hostUsers)",
        "has({'a': object.metadata.name}.b) || object.metadata.name != 'x'",
        "!has(oldObject.spec) || has(object.spec)",
    ),
    # one of several types has it, or a guard leaves out the others
    *on(
        WORKLOADS,
        "!has(object.spec.replicas) || object.spec.replicas > 1",
        "has(object.spec.strategy) || has(object.spec.updateStrategy)",
        "object.kind != 'Deployment' || has(object.spec.strategy)",
        "object.spec.?updateStrategy.?type.orValue('RollingUpdate') == 'RollingUpdate'",
        "'replicas' in object.spec || object.kind == 'DaemonSet'",
        "has(object.spec.volumeClaimTemplates)",
    ),
    *on(
        [*POD, *WORKLOADS],
        "has(object.spec.template) ? object.spec.template.spec.containers.size() > 0 : object.spec.containers.size() > 0",
        "has(object.spec.containers) || has(object.spec.template.spec.containers)",
        "object.spec.?template.?spec.?hostNetwork.orValue(object.spec.?hostNetwork.orValue(false)) == false",
    ),
    *on(
        SECRET,
        "has(object.data) && 'password' in object.data",
        "object.?type.orValue('Opaque') != 'x'",
        "!has(object.stringData)",
    ),
    *on(CONFIGMAP, "request.operation == 'DELETE' ? !has(oldObject.data) : !has(object.data)"),
    *on(
        WIDGET,
        "has(object.spec.replicas)",
        "has(object.spec.labels.anything)",
        "has(object.spec.open.anything)",
        "object.spec.?open.?any.?thing.orValue('') != 'x'",
        "'x' in object.spec.open",
        "has(object.metadata.labels.x)",
    ),
    # a branch that literals, or the real kind, rule out
    *on(
        POD,
        "'audit' == 'enforce' || !has(object.spec.hostNetwork)",
        "object.kind == 'Deployment' ? has(object.spec.template) : has(object.spec.containers)",
        "request.operation == 'CONNECT' && has(object.spec.nope) || object.metadata.name != 'x'",
        "false && has(object.spec.nope) || object.metadata.name != 'x'",
    ),
    # `*` may match kinds that the files do not have
    *on(["CREATE,UPDATE */*/*"], "object.kind != 'Pod' || !has(object.spec.hostNetwrk)"),
    *on(["CREATE,UPDATE /v1/*"], "!has(object.hostNetwrk)"),
]
