"""The cases of compare.py: (kind of policy, rules, expression or parts of the spec, (identifier, severity, texts)[,
version]). In the place of the identifier, severity and texts there can be a list of several.

What a neighbour tests is true of some request, or its author decided it.
"""

VERSION = "1.36"
VAP, MAP = "ValidatingAdmissionPolicy", "MutatingAdmissionPolicy"

POD = ["CREATE,UPDATE /v1/pods"]
DEPLOYMENT = ["CREATE,UPDATE apps/v1/deployments"]
JOB = ["CREATE,UPDATE batch/v1/jobs"]
WORKLOADS = [f"CREATE,UPDATE apps/v1/{r}" for r in ("deployments", "daemonsets", "statefulsets")]
SECRET = ["CREATE,UPDATE /v1/secrets"]
CONFIGMAP = ["CREATE,UPDATE,DELETE /v1/configmaps"]
WIDGET = ["CREATE,UPDATE example.com/v1/widgets"]
NEW_WIDGET = ["CREATE example.com/v1/widgets"]
CLAIM = ["CREATE,UPDATE /v1/persistentvolumeclaims"]
SERVICE = ["CREATE,UPDATE /v1/services"]

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
                                        "size": {"type": "string", "enum": ["small", "large"]},
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


def name(what, wrong, meant):
    return unequal(f"no {what} is '{wrong}'", f"did you mean '{meant}'?")


def word(field, wrong, meant=""):
    return unequal(f"no value of {field} is '{wrong}': it is ", meant and f"did you mean '{meant}'?")


def slips(rules, *cases):
    """Each is (expression, what is said); any other validation could be true or false."""
    return [(VAP, rules, f"{e} || object.metadata.name != 'x'", want) for e, want in cases]


ENTRY = unequal("no value of this map is null")

SLIPS = [
    # a name that nearly is one of a matched type
    *slips(
        POD,
        ("object.kind == 'pod'", name("kind", "pod", "Pod")),
        ("object.kind != 'Pods'", name("kind", "Pods", "Pod")),
        ("object.kind in ['Deployment', 'pods']", name("kind", "pods", "Pod")),
        ("['pod'].exists(k, k == object.kind)", name("kind", "pod", "Pod")),
        ("object.apiVersion == 'V1'", name("apiVersion", "V1", "v1")),
        ("object.apiVersion == 'core/v1'", name("apiVersion", "core/v1", "v1")),
        ("request.kind.group == 'core'", name("group", "core", "")),
        ("request.kind.group in ['', 'v1']", name("group", "v1", "")),
        ("request.kind.kind == 'Pot'", name("kind", "Pot", "Pod")),
        ("request.resource.resource == 'pod'", name("resource", "pod", "pods")),
        ("request.resource.resource == 'pods/exec'", name("resource", "pods/exec", "pods")),
        ("request.requestResource.resource == 'Pod'", name("resource", "Pod", "pods")),
        ("request.requestKind.kind == 'pod'", name("kind", "pod", "Pod")),
        ("(has(object.metadata.labels) ? object.kind : '') == 'pod'", name("kind", "pod", "Pod")),
    ),
    *slips(
        [*DEPLOYMENT, "UPDATE apps/v1/deployments/scale", "CREATE batch/v1/jobs"],
        ("object.kind == 'deployments'", name("kind", "deployments", "Deployment")),
        ("object.kind == 'Deploymnet'", name("kind", "Deploymnet", "Deployment")),
        ("object.apiVersion == 'apps'", name("apiVersion", "apps", "apps/v1")),
        ("request.kind.group == 'apps/v1'", name("group", "apps/v1", "apps")),
        ("request.kind.group == 'app'", name("group", "app", "apps")),
        ("request.kind.version == 'batch/v1'", name("version", "batch/v1", "v1")),
        ("request.resource.resource == 'job'", name("resource", "job", "jobs")),
        ("request.?subResource.orValue('') == 'Scale'", name("subresource", "Scale", "scale")),
        ("has(request.subResource) && request.subResource == 'scales'", name("subresource", "scales", "scale")),
    ),
    *slips(WIDGET, ("object.kind == 'widget'", name("kind", "widget", "Widget"))),
    # a string outside of an enumeration
    *slips(
        POD,
        ("object.spec.restartPolicy == 'Allways'", word("restartPolicy", "Allways", "Always")),
        ("object.spec.restartPolicy in ['always', 'Never']", word("restartPolicy", "always", "Always")),
        ("['Allways'].exists(p, p == object.spec.restartPolicy)", word("restartPolicy", "Allways", "Always")),
        (
            "!object.spec.containers.all(c, c.?imagePullPolicy.orValue('') != 'IfNotPresnt')",
            word("imagePullPolicy", "IfNotPresnt", "IfNotPresent"),
        ),
        ("object.spec.containers.all(c, c.ports.all(p, p.protocol == 'tcp'))", word("protocol", "tcp", "TCP")),
        ("object.spec.?dnsPolicy.orValue('Default') == 'clusterFirst'", word("dnsPolicy", "clusterFirst")),
        ("object.spec.tolerations.exists(t, t.effect == 'NoEffect')", word("effect", "NoEffect")),
        (
            "has(object.spec.securityContext.seccompProfile) && "
            "object.spec.securityContext.seccompProfile.type == 'runtime/default'",
            word("type", "runtime/default"),
        ),
        ("object.spec.volumes.exists(v, has(v.hostPath) && v.hostPath.type == 'Dir')", word("type", "Dir")),
    ),
    *slips(
        WORKLOADS,
        ("object.spec.template.spec.dnsPolicy == 'none'", word("dnsPolicy", "none", "None")),
        (
            "object.kind == 'Deployment' && object.spec.strategy.type == 'recreate'",
            word("type", "recreate", "Recreate"),
        ),
        (
            "request.operation == 'UPDATE' && object.spec.template.spec.containers[0].terminationMessagePolicy == 'FILE'",
            word("terminationMessagePolicy", "FILE", "File"),
        ),
    ),
    *slips(
        CLAIM,
        ("'ReadWriteonce' in object.spec.accessModes", word("accessModes", "ReadWriteonce", "ReadWriteOnce")),
        ("object.spec.accessModes.exists(m, m == 'RWX')", word("accessModes", "RWX")),
        ("object.spec.volumeMode == 'block'", word("volumeMode", "block", "Block")),
    ),
    *slips(
        SERVICE,
        ("object.spec.type == 'Loadbalancer'", word("type", "Loadbalancer", "LoadBalancer")),
        ("object.spec.?externalTrafficPolicy.orValue('') == 'local'", word("externalTrafficPolicy", "local", "Local")),
    ),
    *slips(NEW_WIDGET, ("object.spec.size == 'Small'", word("size", "Small", "small"))),
    *slips(WIDGET, ("request.operation == 'CREATE' && object.spec.size == 'Small'", word("size", "Small", "small"))),
    # what another release has is a note
    (
        VAP,
        POD,
        "object.spec.?securityContext.?seccompProfile.?type.orValue('') != 'OCI'",
        ("never-equal", "note", "no value of type is 'OCI'"),
    ),
    # no value of a map is null
    *slips(
        DEPLOYMENT,
        ("object.metadata.annotations['x'] == null", ENTRY),
        ("object.metadata.labels.app != null", ENTRY),
        ("null != object.spec.template.metadata.labels['app']", ENTRY),
        ("object.spec.template.spec.nodeSelector['disk'] == null", ENTRY),
        ("object.spec.template.spec.containers.all(c, c.resources.limits.cpu != null)", ENTRY),
        ("oldObject != null && oldObject.metadata.annotations['x'] == null", ENTRY),
    ),
    *slips(WIDGET, ("object.metadata.labels['x'] == null", ENTRY)),
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
    (
        VAP,
        POD,
        "!has(object.spec.hostNetwrk) || !object.spec.hostNetwrk",
        undefined("hostNetwrk", "hostNetwork"),
    ),
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


def conditions(*expressions):
    return {
        "matchConditions": [{"name": f"c{i}", "expression": e} for i, e in enumerate(expressions)],
        "validations": [{"expression": "object.metadata.name != 'x'"}],
    }


def selected(selector, *rules):
    """Parts of a spec whose rules have an objectSelector."""
    listed = []
    for text in rules:
        operations, resource = text.split(" ")
        group, version, resource = resource.split("/", 2)
        listed.append({"apiGroups": [group], "apiVersions": [version], "resources": [resource],
                       "operations": [operations]})  # fmt: skip
    return {
        "matchConstraints": {"resourceRules": listed, "objectSelector": selector},
        "validations": [{"expression": "request.name != 'x'"}],
    }


def in_namespaces(labels, operator, *rules):
    """Parts of a spec whose rules have a namespaceSelector: these labels, and the operator about the same keys."""
    spec = selected(None, *rules)
    expressions = [{"key": key, "operator": operator} for key in labels]
    spec["matchConstraints"]["namespaceSelector"] = {"matchLabels": labels, "matchExpressions": expressions}
    return spec


UNFULFILLED = "no request passes the objectSelector: no labels fulfil all of its requirements"
NEVER = ("never-applies", "error", "no request passes the match conditions")
OFF = ("never-applies", "note", "no request passes the match conditions")
TRUE = ("always-true", "warning", "the validation is always true")
FALSE = ("always-false", "warning", "the validation is always false")

SLIPS += [
    # a validation that says the same of every request
    *[
        (VAP, DEPLOYMENT, e, TRUE)
        for e in (
            "has(object.spec.template)",
            "has(object.spec.template.spec.containers)",
            "object.spec.template.spec.containers.all(c, has(c.name))",
            "object.spec.selector != null",
            "!has(object.spec.selector) || has(object.spec)",
            "request.operation == 'DELETE' ? true : has(object.spec)",
            "object.kind == 'Pod' || has(object.spec.template)",
        )
    ],
    *[
        (VAP, DEPLOYMENT, e, FALSE)
        for e in (
            "!has(object.spec.template)",
            "object.spec.template == null",
            "object.spec.template.spec.containers == null",
            "has(object.spec) && !has(object.spec.selector)",
            "'audit' == 'enforce' || !has(object.spec.template)",
        )
    ],
    (VAP, [*POD, *DEPLOYMENT], "object.kind == 'Pod' || has(object.spec.template)", TRUE),
    (
        VAP,
        POD,
        {
            "variables": [{"name": "v", "expression": "has(object.spec)"}],
            "validations": [{"expression": "variables.v"}],
        },
        TRUE,
    ),
    # conditions that no request passes
    (VAP, POD, conditions("request.operation == 'CREATE'", "request.operation == 'UPDATE'"), NEVER),
    (
        VAP,
        [*POD, *DEPLOYMENT],
        conditions("object.kind == 'Pod'", "object.metadata.name != 'a'", "request.kind.kind == 'Deployment'"),
        NEVER,
    ),
    (VAP, POD, conditions("!has(object.spec)"), NEVER),
    (VAP, POD, conditions("object.metadata.name != 'a'", "object.spec == null"), NEVER),
    # the options of pods/exec have no labels
    (
        VAP,
        [],
        selected({"matchLabels": {"env": "prod"}}, "CONNECT /v1/pods/exec", "CONNECT /v1/pods/attach"),
        ("never-applies", "error", "no request passes the objectSelector"),
    ),
    (
        VAP,
        [],
        selected({"matchExpressions": [{"key": "env", "operator": "DoesNotExist"}]}, "CONNECT /v1/pods/exec"),
        ("never-applies", "error", "no request passes the objectSelector"),
    ),
    # labels that exclude each other
    *[
        (VAP, [], selected(selector, "CREATE apps/v1/deployments"), ("never-applies", "error", UNFULFILLED))
        for selector in (
            {"matchLabels": {"a": "b"}, "matchExpressions": [{"key": "a", "operator": "NotIn", "values": ["b", "c"]}]},
            {"matchExpressions": [{"key": "a", "operator": o} for o in ("Exists", "DoesNotExist")]},
            {"matchLabels": {"a": "b"}, "matchExpressions": [{"key": "a", "operator": "In", "values": ["B"]}]},
        )
    ],
    (
        VAP,
        [],
        in_namespaces({"a": "b"}, "DoesNotExist", "CREATE apps/v1/deployments", "CREATE /v1/namespaces"),
        ("never-applies", "error", "no request passes the namespaceSelector: no labels fulfil all of its requirements"),
    ),
    # what the author decided, at most
    (VAP, POD, conditions("false"), OFF),
    (VAP, POD, conditions("'a' == 'b'", "object.metadata.name != 'a'"), OFF),
    (VAP, POD, conditions("request.operation == 'CONNECT'"), OFF),
    (VAP, DEPLOYMENT, conditions("object.apiVersion in ['apps/v1beta1']"), OFF),
]


def covers(text):
    return ("always-true", "warning", text + ": this is always true")


def excludes(text):
    return ("always-false", "warning", text + ": this is always false")


NAMED, NEGATIVE = 'object.metadata.name is "a" here', "a size is never negative"
AT = "timestamp(object.metadata.annotations['at'])"
WEEK, INDEX = "getDayOfWeek() is 0 (Sunday) to 6 (Saturday)", "an index is never less than -1"
STARTS = 'object.metadata.name.startsWith("a") is true here'

SLIPS += [
    # parts that cover, or exclude, each other
    *[
        (VAP, DEPLOYMENT, e, want)
        for e, want in (
            ("object.metadata.name != 'a' || object.metadata.name != 'b'", covers(NAMED)),
            ("!(object.metadata.name == 'a') || !('b' == object.metadata.name)", excludes(NAMED)),
            ("object.metadata.name == 'a' && object.metadata.name == 'b'", excludes(NAMED)),
            ("object.metadata.name == 'a' && object.metadata.name in ['b', 'c']", excludes(NAMED)),
            (
                "object.metadata.name == 'a' && (object.metadata.name == 'b' || object.metadata.name == 'c')",
                excludes(NAMED),
            ),
            ("(object.metadata.name != 'a' || object.spec.paused) || object.metadata.name != 'b'", covers(NAMED)),
            ("(object.metadata.name == 'a' && object.metadata.name == 'b') || object.spec.paused", excludes(NAMED)),
            ("object.metadata.name == 'a' && object.metadata.name.startsWith('b')", excludes(NAMED)),
            ("object.metadata.name.startsWith('a') && object.metadata.name.startsWith('b')", excludes(STARTS)),
            ("object.metadata.name.startsWith('a') && object.metadata.name == 'b'", excludes(STARTS)),
            ("object.metadata.name.startsWith('a') && object.metadata.name in ['b', 'c']", excludes(STARTS)),
            ("!object.metadata.name.startsWith('a') || 'b' != object.metadata.name", covers(STARTS)),
            (
                "object.metadata.name in ['b', 'c'] && object.metadata.name.startsWith('a')",
                excludes('object.metadata.name is one of ["b", "c"] here'),
            ),
            (
                "object.metadata.name in ['ab', 'ac'] && !object.metadata.name.contains('a')",
                excludes('object.metadata.name is one of ["ab", "ac"] here'),
            ),
            (
                "!object.metadata.name.endsWith('a') || !object.metadata.name.endsWith('b')",
                covers('object.metadata.name.endsWith("a") is true here'),
            ),
            (
                "!object.metadata.name.contains('a') && object.metadata.name.startsWith('ba')",
                excludes('object.metadata.name.contains("a") is false here'),
            ),
            (
                "object.spec.template.spec.containers.all(c, c.image.startsWith('a/') && c.image.startsWith('b/'))",
                excludes('c.image.startsWith("a/") is true here'),
            ),
            (
                "object.spec.template.spec.containers.all(c, c.image != 'a' || c.image != 'b')",
                covers('c.image is "a" here'),
            ),
            ("object.metadata.labels['x'] != 'a' || object.metadata.labels['x'] != 'b'", covers('it is "a" here')),
            (
                "object.spec.replicas < 2 && object.spec.replicas > 10",
                excludes("object.spec.replicas is less than 2 here"),
            ),
            (
                "object.spec.replicas > 2 || object.spec.replicas <= 10",
                covers("object.spec.replicas is at most 2 here"),
            ),
            ("object.spec.replicas > 2 || 3 > object.spec.replicas", covers("object.spec.replicas is at most 2 here")),
            (
                "size(object.metadata.name) > 63 && object.metadata.name.size() < 10",
                excludes("size(object.metadata.name) is greater than 63 here"),
            ),
            ("size(object.metadata.name) >= 0", covers(NEGATIVE)),
            ("0 > object.spec.template.spec.containers.size()", excludes("the list is never empty")),
            ("object.metadata.name.size() != -1", covers(NEGATIVE)),
            # what calls can return
            (f"{AT}.getDayOfWeek() == 7", excludes(WEEK)),
            (f"{AT}.getDayOfWeek('Europe/Berlin') != 7", covers(WEEK)),
            (f"{AT}.getDayOfWeek() in [6, 7]", ("never-equal", "warning", WEEK + ", and never 7")),
            (f"({AT}.getDayOfWeek() > 0 ? {AT}.getDayOfWeek() : {AT}.getDayOfWeek('UTC')) == 7", excludes(WEEK)),
            (f"{AT}.getMonth() == 12", excludes("getMonth() is 0 (January) to 11 (December)")),
            (f"{AT}.getDate() < 1", excludes("getDate() is 1 to 31")),
            (f"{AT}.getDayOfMonth() == 31", excludes("getDayOfMonth() is 0 to 30 (getDate() is 1 to 31)")),
            (f"{AT}.getHours() >= 24", excludes("getHours() is 0 to 23")),
            (f"{AT}.getMinutes() <= 60", covers("getMinutes() is 0 to 59")),
            ("object.metadata.name.indexOf('a') == -2", excludes(INDEX)),
            ("object.metadata.name.lastIndexOf('a') >= -1", covers(INDEX)),
            ("quantity('1Gi').compareTo(quantity(object.metadata.name)) == 2", excludes("compareTo() is -1, 0 or 1")),
            ("sign(quantity(object.metadata.name)) < -1", excludes("sign() is -1, 0 or 1")),
            ("ip(object.metadata.name).family() == 46", excludes("family() is 4 or 6")),
            ("cidr(object.metadata.name).prefixLength() > 128", excludes("prefixLength() is 0 to 128")),
            (
                "object.spec.replicas % 2 == 2",
                excludes("the remainder of a division by 2 is 0 to 1"),
            ),
            ("object.spec.replicas == 3.5", ("never-equal", "warning", "a whole number is never 3.5")),
            ("-0.5 != object.spec.replicas", ("never-equal", "warning", "a whole number is never -0.5")),
            ("object.spec.replicas % -3 != 3", covers("the remainder of a division by -3 is 0 to 2")),
            ("object.metadata.name.size() % 3 < 0", excludes("the remainder of a division by 3 is 0 to 2")),
        )
    ],
    (
        VAP,
        POD,
        conditions("object.metadata.name == 'a' && object.metadata.name == 'b'"),
        excludes(NAMED),
    ),
    (
        VAP,
        POD,
        {
            "variables": [{"name": "n", "expression": "object.metadata.name"}],
            "validations": [{"expression": "variables.n != 'a' || variables.n != 'b'"}],
        },
        covers('variables.n is "a" here'),
    ),
    (
        VAP,
        POD,
        {
            "variables": [
                {"name": "day", "expression": f"{AT}.getDayOfWeek()"},
                {"name": "weekend", "expression": "[6, 7]"},
            ],
            "validations": [
                {"expression": "variables.day == 7"},
                {"expression": "!(variables.day in variables.weekend)"},
            ],
        },
        [excludes(WEEK), ("never-equal", "warning", WEEK + ", and never 7")],
    ),
    # and hide no other mistake
    (
        VAP,
        POD,
        "object.metadata.name == 'a' && object.metadata.name == 'b' && has(object.spec.nodNam)",
        [excludes(NAMED), undefined("nodNam")],
    ),
    (
        VAP,
        POD,
        "object.metadata.name.startsWith('a') && object.metadata.name.startsWith('b') && has(object.spec.nodNam)",
        [excludes(STARTS), undefined("nodNam")],
    ),
]

# of an optional field, which a slip hides or not
UNREAD = undefined("nodNam", severity="error")


def behind(*conditions, validation="object.spec.nodNam != 'x'", **more):
    """Parts of a spec in which a mistake stands behind the conditions."""
    listed = [{"name": f"c{i}", "expression": e} for i, e in enumerate(conditions)]
    return {"matchConditions": listed, "validations": [{"expression": validation, **more}]}


SLIPS += [
    # a slip hides no other mistake
    (VAP, POD, behind("request.operation == 'create'"), [CREATE, UNREAD]),
    (VAP, POD, behind("has(object.metadata.lables)"), [undefined("lables", "labels"), UNREAD]),
    (VAP, POD, behind("object.kind == 'pod'"), [name("kind", "pod", "Pod"), UNREAD]),
    (VAP, POD, behind("object.spec.restartPolicy in ['always']"), [word("restartPolicy", "always", "Always"), UNREAD]),
    (
        VAP,
        POD,
        behind("object.spec.?hostNetwrk.orValue(false) == true"),
        [undefined("hostNetwrk", "hostNetwork"), UNREAD],
    ),
    (VAP, POD, behind("!has(object.spec)"), [NEVER, UNREAD]),
    (VAP, POD, behind("request.operation == 'CREATE'", "request.operation == 'UPDATE'"), [NEVER, UNREAD]),
    (
        VAP,
        POD,
        behind("request.operation == 'create'", "object.kind == 'pod'"),
        [CREATE, name("kind", "pod", "Pod"), UNREAD],
    ),
    (
        VAP,
        POD,
        behind("request.operation == 'create'", validation="has(object.spec.nodNam)"),
        [CREATE, undefined("nodNam", "nodeName")],
    ),
    (VAP, POD, behind("request.operation == 'create'", validation="has(object.spec)"), [CREATE, TRUE]),
    (
        VAP,
        POD,
        behind(validation="has(object.spec)", messageExpression="object.spec.nodNam + 'x'"),
        [TRUE, UNREAD],
    ),
    (
        VAP,
        POD,
        {
            "variables": [{"name": "isNew", "expression": "request.operation == 'create'"}],
            **behind(validation="!variables.isNew || object.spec.nodNam != 'x'"),
        },
        [CREATE, UNREAD],
    ),
    *[
        (VAP, POD, e, [unequal("no operation is 'create'", "'nodeName' and 'CREATE'"), UNREAD])
        for e in (
            "request.operation != 'create' || object.spec.nodNam != 'x'",
            "request.operation == 'create' ? object.spec.nodNam != 'x' : object.metadata.name != 'x'",
            "object.metadata.name != 'x' && (request.operation == 'create' && object.spec.nodNam != 'x')",
            "!['create'].exists(o, o == request.operation) || object.spec.nodNam != 'x'",
        )
    ],
]

WORKLOAD_OR_POD = [*POD, *DEPLOYMENT]
POLICY = ["CREATE,UPDATE networking.k8s.io/v1/networkpolicies"]
NO_OTHER = "what stands before leaves no other value"
SOME_CONTAINERS = "(object.spec.containers + object.spec.?initContainers.orValue([]))"
ALL_CONTAINERS = f"({SOME_CONTAINERS} + object.spec.?ephemeralContainers.orValue([]))"


def variables(validation, **named):
    """Parts of a spec."""
    return {
        "variables": [{"name": n, "expression": e} for n, e in named.items()],
        "validations": [{"expression": validation}],
    }


SLIPS += [
    # what the conditions leave out together
    (VAP, POD, conditions("object.metadata.namespace == 'a'", "object.metadata.namespace == 'b'"), NEVER),
    (VAP, POD, conditions("request.namespace == 'a'", "request.namespace in ['b', 'c']"), NEVER),
    (
        VAP,
        DEPLOYMENT,
        conditions("object.spec.replicas > 5", "object.spec.paused == true", "object.spec.replicas < 2"),
        NEVER,
    ),
    (VAP, POD, conditions("has(object.metadata.labels)", "!has(object.metadata.labels)"), NEVER),
    (
        VAP,
        POD,
        conditions("'system:masters' in request.userInfo.groups", "!('system:masters' in request.userInfo.groups)"),
        NEVER,
    ),
    (
        VAP,
        POD,
        behind("object.metadata.name == 'a'", "object.metadata.name == 'b'"),
        [NEVER, UNREAD],
    ),
    # the same asked again
    *[
        (VAP, POD, e, want)
        for e, want in (
            ("object.spec.hostNetwork && !object.spec.hostNetwork", excludes("object.spec.hostNetwork is true here")),
            (
                "object.spec.hostNetwork == true && object.spec.hostNetwork == false",
                excludes("object.spec.hostNetwork is true here"),
            ),
            (
                "has(object.metadata.labels) && !has(object.metadata.labels)",
                excludes("has(object.metadata.labels) is true here"),
            ),
            (
                "has(object.metadata.labels) || !has(object.metadata.labels)",
                covers("has(object.metadata.labels) is false here"),
            ),
            (
                "object.spec.containers.all(c, c.image.startsWith('a/') || !c.image.startsWith('a/'))",
                covers('c.image.startsWith("a/") is false here'),
            ),
            (
                "object.metadata.?labels[?'a'].orValue('') == 'x' && object.metadata.?labels[?'a'].orValue('') == 'y'",
                excludes(' is "x" here'),
            ),
            (
                "request.userInfo.username in ['alice'] && request.userInfo.username in ['bob']",
                excludes('request.userInfo.username is one of ["alice"] here'),
            ),
            (
                "!(request.userInfo.username in ['alice', 'eve']) || request.userInfo.username != 'bob'",
                covers('request.userInfo.username is one of ["alice", "eve"] here'),
            ),
            (
                "object.metadata.name in ['a', 'b'] && object.metadata.name != 'a' && object.metadata.name != 'b'",
                excludes(NO_OTHER),
            ),
        )
    ],
    # every value of an enumeration
    *[
        (VAP, DEPLOYMENT, e, want)
        for e, want in (
            (
                "object.spec.strategy.type != 'Recreate' && object.spec.strategy.type != 'RollingUpdate'",
                excludes(NO_OTHER),
            ),
        )
    ],
    (
        VAP,
        POD,
        "object.spec.restartPolicy != 'Always' && object.spec.restartPolicy != 'Never'"
        " && object.spec.restartPolicy != 'OnFailure'",
        excludes(NO_OTHER),
    ),
    (VAP, POLICY, "object.spec.policyTypes.all(p, p == 'Ingress' || p == 'Egress')", covers(NO_OTHER)),
    (
        VAP,
        POLICY,
        "object.spec.policyTypes.all(p, p in ['Ingress', 'Egress'])",
        covers("the list has every value of policyTypes"),
    ),
    # clauses of a format that no value of the field fits
    *[
        (VAP, POD, e, ("wrong-constant", "error", text))
        for e, text in (
            (
                "'%d'.format([object.metadata.name]) == 'x'",
                "decimal clause can only be used on integers, was given string",
            ),
            ("'%s%%: %.2f'.format([object.metadata.name, object.metadata.labels]) == 'x'", "fixed-point clause"),
            ("'%s of %d'.format([object.metadata.name, object.spec.containers]) == 'x'", "was given list"),
            ("object.spec.containers.all(c, '%x'.format([c.ports]) == 'x')", "formatted as hex"),
        )
    ],
    (
        VAP,
        POD,
        variables("'%s: %s'.format(variables.of) == 'x'", of="[object.metadata.name]"),
        ("wrong-constant", "error", "index 1 out of range"),
    ),
    (
        VAP,
        POD,
        behind(validation="object.metadata.name != 'x'", messageExpression="'%d'.format([object.metadata.name])"),
        ("wrong-constant", "error", "decimal clause"),
    ),
    # what is decided first, and not what is decided in it
    (
        VAP,
        ["CREATE,UPDATE batch/v1/cronjobs"],
        "!has(object.spec.template) || !(object.spec.template.a == 'z' || object.spec.template.a != 'x'"
        " || object.spec.template.a in ['x', 'y'] || object.spec.template.a == 'z')",
        [undefined("template"), covers('object.spec.template.a is "x" here')],
    ),
    # containers of all sorts
    *[
        (VAP, POD, SOME_CONTAINERS + e, want)
        for e, want in (
            (".all(c, c.imagePullPolicy in ['always'])", word("imagePullPolicy", "always", "Always")),
            (".all(c, c.?imagePullPolicy.orValue('') != 'NEVER')", word("imagePullPolicy", "NEVER")),
        )
    ],
    *[
        (VAP, POD, ALL_CONTAINERS + e, want)
        for e, want in (
            (".all(c, has(c.ressources))", undefined("ressources", "resources")),
            (".exists(c, c.?securityContext.?privilged.orValue(false))", undefined("privilged", "privileged")),
        )
    ],
    # of variables
    (
        VAP,
        POD,
        variables("object.spec.restartPolicy in variables.allowed", allowed="['always', 'Never']"),
        word("restartPolicy", "always", "Always"),
    ),
    (
        VAP,
        POD,
        variables("object.spec.restartPolicy != variables.bad", bad="'Onfailure'"),
        word("restartPolicy", "Onfailure", "OnFailure"),
    ),
    # with the name that was meant, nothing is wrong for the other types
    (
        VAP,
        WORKLOAD_OR_POD,
        "object.kind == 'Deployments' ? object.spec.replicas > 1 : object.metadata.name != 'x'",
        name("kind", "Deployments", "Deployment"),
    ),
    (
        VAP,
        WORKLOAD_OR_POD,
        "object.kind in ['deployments'] ? object.spec.replicas > 1 : object.metadata.name != 'x'",
        name("kind", "deployments", "Deployment"),
    ),
    (
        VAP,
        WORKLOAD_OR_POD,
        "request.resource.resource != 'deployment' || object.spec.replicas > 1 || object.metadata.name == 'x'",
        name("resource", "deployment", "deployments"),
    ),
]

# Only a cluster knows which resources `*` matches, but a test of a known name leaves only that type.
ALL = ["CREATE,UPDATE */*/*"]
MISSPELT = undefined("replicsa", "replicas")

SLIPS += [
    (VAP, ALL, "object.kind == 'Deployment' && has(object.spec.replicsa)", MISSPELT),
    (VAP, ALL, "object.kind in ['Deployment', 'StatefulSet'] && has(object.spec.replicsa)", MISSPELT),
    (VAP, ALL, "request.resource.resource == 'deployments' && has(object.spec.replicsa)", MISSPELT),
    (
        VAP,
        ALL,
        {
            "matchConditions": [{"name": "c", "expression": "object.kind == 'Deployment'"}],
            "validations": [{"expression": "!has(object.spec.replicsa)"}],
        },
        MISSPELT,
    ),
    (VAP, ALL, "object.kind == 'Pod' && object.spec.restartPolicy == 'never'", word("restartPolicy", "never", "Never")),
    # what a workload lets its pods have
    *[
        (VAP, rules, text, ("never-equal", "warning", f"no value of restartPolicy is {said}"))
        for rules, text, said in (
            (DEPLOYMENT, "object.spec.template.spec.restartPolicy == 'Never'", "'Never': it is Always"),
            (WORKLOADS, "object.spec.template.spec.restartPolicy != 'OnFailure'", "'OnFailure': it is Always"),
            (JOB, "object.spec.template.spec.restartPolicy == 'Always'", "'Always': it is Never or OnFailure"),
            (
                ["CREATE,UPDATE batch/v1/cronjobs"],
                "object.spec.jobTemplate.spec.template.spec.restartPolicy in ['Always', 'Never']",
                "'Always': it is Never or OnFailure",
            ),
        )
    ],
    (VAP, ALL, "request.operation != 'create' || object.metadata.name == 'x'", CREATE),
    (VAP, ALL, "object.kind != 'Pod' || !has(object.spec.hostNetwrk)", undefined("hostNetwrk", "hostNetwork")),
]

SLIPS += slips(
    POD,
    ("object.spec.restartPolicy.lowerAscii() == 'Always'", name("result of lowerAscii()", "Always", "always")),
    ("'Team' == object.metadata.labels['team'].lowerAscii()", name("result of lowerAscii()", "Team", "team")),
    ("object.metadata.name.upperAscii() in ['abc', 'DEF']", name("result of upperAscii()", "abc", "ABC")),
)

# what a string can look like: the result of a call, and a field that validation restricts


def spelled(text, hint=""):
    return ("never-equal", "warning", f"no {text}", hint and f"did you mean '{hint}'?")


def lacks(text, hint=""):
    return ("always-false", "warning", f"no {text}", hint and f"did you mean '{hint}'?")


USER, CANONICAL = "request.userInfo.username", "the API server keeps an amount in its canonical form"
HAS_MEMORY = "has(object.spec.containers[0].resources.limits) && object.spec.containers[0].resources.limits"

SLIPS += slips(
    POD,
    (f"{USER}.lowerAscii().startsWith('Admin')", lacks("result of lowerAscii() starts with 'Admin'", "admin")),
    (f"!{USER}.upperAscii().contains('adm')", lacks("result of upperAscii() contains 'adm'", "ADM")),
    (f"{USER}.trim() == ' admin'", spelled("result of trim() is ' admin'", "admin")),
    (f"{USER}.trim().endsWith(' ')", lacks("result of trim() ends with ' '")),
    (
        f"{USER}.substring(0, 4) == 'prod-'",
        spelled("result of substring() is 'prod-': substring(0, 4) has 4 characters"),
    ),
    (f"{USER}.substring(2, 4) in ['a', 'ab']", spelled("result of substring() is 'a'")),
    (f"{USER}.substring(2, 4).contains('abc')", lacks("result of substring() contains 'abc'")),
    (f"{USER}.charAt(0) == 'ab'", spelled("result of charAt() is 'ab': it is one character")),
    (
        f"{USER}.replace('-', '_').contains('-')",
        lacks("result of replace() contains '-' (every '-' was replaced): this is always false"),
    ),
    (f"{USER}.split(':')[0] == 'system:'", spelled("part is 'system:': the text was split at every ':'")),
    (f"{USER}.split('/').exists(p, p.contains('a/b'))", lacks("part contains 'a/b'")),
    (f"'a:' in {USER}.split(':')", spelled("part is 'a:'")),
    (f"{USER}.split('')[0] == 'ab'", spelled("part is 'ab': the text was split into characters")),
    ("object.spec.restartPolicy.startsWith('always')", lacks("value of restartPolicy starts with 'always' (it is ")),
    ("request.operation.startsWith('create')", lacks("operation starts with 'create' (it is CREATE")),
    ("request.operation.lowerAscii() == 'CREATE'", spelled("result of lowerAscii() is 'CREATE'", "create")),
    ("object.kind.lowerAscii() in ['Pod', 'job']", spelled("result of lowerAscii() is 'Pod'", "pod")),
    ("object.spec.containers.all(c, c.name == 'My_App')", spelled("value of name is 'My_App'", "my-app")),
    ("object.metadata.name.contains('_')", lacks("value of name contains '_'", "-")),
    ("object.metadata.name.startsWith('-a')", lacks("value of name starts with '-a'")),
    ("object.metadata.name == 'a..b'", spelled("value of name is 'a..b'")),
    ("object.metadata.namespace == 'Production'", spelled("value of namespace is 'Production'", "production")),
    (
        "object.metadata.namespace in ['kube_system', 'a']",
        spelled("value of namespace is 'kube_system'", "kube-system"),
    ),
    ("object.metadata.namespace == 'a.b'", spelled("value of namespace is 'a.b'")),
    ("'My Team' in object.metadata.labels", spelled("key is 'My Team'")),
    ("'a/b/c' in object.metadata.labels", spelled("key is 'a/b/c'")),
    ("'Example.com/a' in object.metadata.labels", spelled("key is 'Example.com/a'")),
    ("object.metadata.labels['app/'] == 'a'", spelled("key is 'app/'")),
    ("object.metadata.labels[?'my team'].hasValue()", spelled("key is 'my team'")),
    ("object.metadata.?labels[?'my team'].hasValue()", spelled("key is 'my team'")),
    ("object.metadata.labels.exists(k, k == 'a b')", spelled("key is 'a b'")),
    ("object.metadata.labels['team'] == 'Team A'", spelled("value is 'Team A'")),
    ("object.metadata.?labels.team.orValue('x') == 'Team A'", spelled("value is 'Team A'")),
    (f"{HAS_MEMORY}.memory == '1024Mi'", spelled(f"quantity is '1024Mi': {CANONICAL}", "1Gi")),
    (f"{HAS_MEMORY}['cpu'] in ['1000m', '2']", spelled("quantity is '1000m'", "1")),
    (f"{HAS_MEMORY}.memory == '1GB'", spelled("quantity is '1GB'")),
    (f"{HAS_MEMORY}.memory.endsWith('GB')", lacks("quantity ends with 'GB'")),
)
SLIPS += slips(CLAIM, ("object.spec.resources.requests.storage == '1024Gi'", spelled("quantity is '1024Gi'", "1Ti")))
SLIPS += slips(
    NEW_WIDGET,
    ("object.metadata.name == 'A'", spelled("value of name is 'A'", "a")),
    ("object.metadata.namespace.startsWith('A')", lacks("value of namespace starts with 'A'", "a")),
    ("'a b' in object.metadata.labels", spelled("key is 'a b'")),
)

# numbers, spellings and lists that validation restricts
PORT, NO_REPLICAS = "containerPort is 1 to 65535", "replicas is never less than 0"
PORTS = "object.spec.containers.all(c, !has(c.ports) || c.ports.all(p, {}))"
CRON, INGRESS = ["CREATE,UPDATE batch/v1/cronjobs"], ["CREATE,UPDATE networking.k8s.io/v1/ingresses"]
WHOLE_TRUE = ("always-true", "warning", "the validation is always true: it checks nothing")

SLIPS += [
    *slips(
        DEPLOYMENT,
        ("object.spec.replicas < 0", excludes(NO_REPLICAS)),
        ("object.spec.replicas == -1", excludes(NO_REPLICAS)),
        ("object.spec.replicas in [-1, 3]", unequal(NO_REPLICAS + ", and never -1")),
        ("object.spec.replicas > -2", covers(NO_REPLICAS)),
        ("object.spec.template.spec.restartPolicy.contains('always')", lacks("value of restartPolicy contains")),
        ("string(object.spec.?paused.orValue(true)) == 'True'", spelled("result of string() is 'True'", "true")),
    ),
    (VAP, POD, "object.spec.containers.size() > 0", WHOLE_TRUE),
    (VAP, POD, "object.spec.containers != []", WHOLE_TRUE),
    (VAP, POD, "object.spec.containers.all(c, c.name.split('-').size() >= 1)", WHOLE_TRUE),
    # fields that the API server sets before it asks
    (VAP, DEPLOYMENT, "has(object.spec.replicas)", (*WHOLE_TRUE, "since the API server sets 'replicas'")),
    (
        VAP,
        DEPLOYMENT,
        "!has(object.spec.replicas)",
        ("always-false", "warning", "since the API server sets 'replicas'"),
    ),
    (VAP, POD, "object.spec.containers.all(c, has(c.imagePullPolicy))", WHOLE_TRUE),
    (VAP, SERVICE, "'type' in object.spec", (*WHOLE_TRUE, "since the API server sets 'type'")),
    (VAP, WORKLOADS, "'replicas' in object.spec || object.kind == 'DaemonSet'", WHOLE_TRUE),
    *slips(
        POD,
        (PORTS.format("p.containerPort < 70000"), covers(PORT)),
        (PORTS.format("p.containerPort == 0"), excludes(PORT)),
        (PORTS.format("p.containerPort > 65536"), excludes(PORT)),
        (PORTS.format("p.name == 'HTTP'"), spelled("value of name is 'HTTP'", "http")),
        ("object.spec.containers.size() == 0", excludes("the list is never empty")),
        (f"{USER}.split('/').size() < 1", excludes("the list is never empty")),
    ),
    *slips(JOB, ("object.spec.backoffLimit == -1", excludes("backoffLimit is never less than 0"))),
    *slips(CRON, ("object.spec.jobTemplate.spec.completions < 0", excludes("completions is never less than 0"))),
    *slips(
        INGRESS,
        ("object.spec.rules.all(r, r.host.startsWith('http://'))", lacks("value of host starts with 'http://'")),
        ("object.spec.tls.exists(t, 'a.b:80' in t.hosts)", spelled("value of hosts is 'a.b:80'")),
    ),
    *slips(SECRET, ("object.data['password'] == 'admin'", spelled("value is 'admin': the value is in base64"))),
    *slips(SERVICE, ("object.metadata.name == 'a.b'", spelled("value of name is 'a.b'"))),
    *slips(
        ["CREATE,UPDATE rbac.authorization.k8s.io/v1/clusterrolebindings"],
        ("object.roleRef.kind == 'Role'", word("kind", "Role")),
    ),
]

NEIGHBOURS = [
    *on(
        DEPLOYMENT,
        "object.spec.replicas >= 0 && object.spec.replicas < 5",
        "object.spec.replicas >= 0",
        "object.spec.replicas == 0",
        "object.spec.template.metadata.name == 'A B'",
    ),
    *on(["UPDATE apps/v1/deployments"], "oldObject.spec.replicas >= 0"),
    *on(
        POD,
        PORTS.format("p.containerPort >= 1 && p.containerPort <= 65535 && p.containerPort != 22"),
        PORTS.format("p.?hostPort.orValue(0) == 0"),
        # it asks at least whether the field is there
        "object.spec.restartPolicy in ['Always', 'Never', 'OnFailure']",
        "object.spec.restartPolicy == 'Always' || object.spec.restartPolicy == 'Never' ||"
        " object.spec.restartPolicy == 'OnFailure'",
        "object.spec.containers.size() >= 1 && object.spec.containers.size() < 3",
        "object.spec.containers.filter(c, c.name == 'a').size() > 0",
        "object.spec.?volumes.orValue([]).size() == 0",
        f"{USER}.split('').size() > 0",
    ),
    # the templates in a StatefulSet are hardly validated
    *on(
        ["CREATE,UPDATE apps/v1/statefulsets"],
        "object.spec.template.spec.containers.size() == 0",
        "object.spec.template.spec.containers.all(c, c.name == 'A B')",
        "object.spec.template.metadata.labels['a b'] == 'c d'",
    ),
    *on(CRON, "object.spec.jobTemplate.metadata.labels['a b'] == 'c d'"),
    *on(SECRET, "object.data['password'] == 'YWRtaW4='"),
    *on(
        POD,
        f"{USER}.lowerAscii().startsWith('admin') && {USER}.trim() == 'a b'",
        f"{USER}.substring(0, 5) == 'prod-' && {USER}.substring(5) == 'x' && {USER}.substring(2, 4).contains('a')",
        f"{USER}.charAt(0) == 'ä' && {USER}.charAt(1) == ''",
        f"{USER}.replace('--', '').contains('--') && {USER}.replace('-', '--').contains('-')",
        f"{USER}.replace('-', '', 1).contains('-') && {USER}.split(':', 2)[1].contains(':')",
        f"{USER}.split(':')[0] == 'system' && {USER}.split(':')[1] == ''",
        "object.metadata.name == 'a.b-c' && object.metadata.generateName == 'a-' && object.metadata.namespace == 'a-1'",
        "object.metadata.name.endsWith('.b') && object.metadata.name.contains('-') && object.metadata.name.contains('.')",
        "object.metadata.labels['example.com/Team_1'] == 'Team.A_b' && object.metadata.labels.team == ''",
        "object.metadata.annotations['x'] == 'any thing'",
        "oldObject != null && has(oldObject.metadata.labels) && oldObject.metadata.labels['a b'] == 'c d'",
        "namespaceObject.metadata.labels['team'] == 'Team A'",
        f"{HAS_MEMORY}.memory == '1Gi' && {HAS_MEMORY}.cpu == '1500m' && {HAS_MEMORY}.x == '0' && {HAS_MEMORY}.y == '1k'",
        f"{HAS_MEMORY}.memory.endsWith('Gi') && {HAS_MEMORY}.cpu.contains('m') && {HAS_MEMORY}.x.startsWith('-1')",
        "object.spec.restartPolicy.startsWith('On') && request.operation.endsWith('ATE')",
        "object.spec.restartPolicy.contains('e')",
    ),
    *on(WIDGET, "object.metadata.name == 'A' && object.metadata.namespace == 'A'"),
    # an update may have any value, and where a test before says so it has this one
    *on(
        WIDGET,
        "object.spec.size != 'Big' || object.metadata.name != 'x' && object.spec.size == 'Big'",
        "!object.spec.size.startsWith('B') || object.metadata.name != 'x' && object.spec.size.startsWith('B')",
    ),
    (VAP, [], in_namespaces({"a": "b"}, "Exists", "CREATE apps/v1/deployments")),
    # the server asks no namespaceSelector about what is in no namespace
    (VAP, [], in_namespaces({"a": "b"}, "DoesNotExist", "CREATE /v1/nodes")),
    (
        VAP,
        [],
        selected(
            {
                "matchExpressions": [
                    {"key": "a", "operator": "NotIn", "values": ["b"]},
                    {"key": "a", "operator": "Exists"},
                ]
            },
            "CREATE apps/v1/deployments",
        ),
    ),
    *on(
        POD,
        "object.metadata.name.lowerAscii() == 'abc-1.2'",
        "object.metadata.name.upperAscii() != 'ABC'",
        "(object.metadata.name == 'x' ? 'Other' : object.metadata.name.lowerAscii()) == 'Other'",
        conditions("object.metadata.namespace == 'a'", "object.metadata.name == 'b'"),
        conditions("object.metadata.namespace != 'a'", "object.metadata.namespace != 'b'"),
        conditions("object.metadata.namespace in ['a', 'b']", "object.metadata.namespace != 'b'"),
        conditions("has(object.metadata.labels)", "!has(object.metadata.annotations)"),
        conditions("has(object.metadata.labels)", "has(object.metadata.labels) && object.metadata.labels.size() > 1"),
        conditions("'system:masters' in request.userInfo.groups", "!('system:nodes' in request.userInfo.groups)"),
        conditions("!object.spec.hostNetwork || object.spec.hostPID", "object.spec.hostNetwork == true"),
        "object.spec.hostNetwork == true || object.spec.hostNetwork == false",
        "object.spec.hostNetwork && !object.spec.hostPID",
        "!has(object.spec.hostNetwork) || !object.spec.hostNetwork",
        "!has(object.metadata.labels) || (has(object.metadata.labels) && 'a' in object.metadata.labels)",
        "has(object.spec.nodeName) ? object.spec.nodeName != '' : !has(object.spec.nodeName) && object.spec.hostPID",
        "object.spec.containers.all(c, c.image.startsWith('a/') || !c.image.startsWith('b/'))",
        "object.spec.containers.all(c, c.terminationMessagePath.startsWith('a/') || !c.image.startsWith('a/'))",
        "object.spec.containers.exists(c, c.image == 'a') && !object.spec.containers.exists(c, c.image == 'b')",
        "!(request.userInfo.username in ['a', 'b']) || !(request.userInfo.username in ['b', 'c'])",
        "request.userInfo.username in ['a', 'b'] && request.userInfo.username != 'b'",
        "object.spec.restartPolicy != 'Always' && object.spec.restartPolicy != 'Never'",
        "object.metadata.?labels[?'a'].orValue('') == 'x' && object.metadata.?labels[?'b'].orValue('') == 'y'",
        ALL_CONTAINERS + ".all(c, c.imagePullPolicy in ['Always'])",
        ALL_CONTAINERS + ".all(c, c.?imagePullPolicy.orValue('') != 'Never')",
        ALL_CONTAINERS + ".all(c, !has(c.resources) || has(c.securityContext))",
        variables("object.spec.restartPolicy in variables.allowed", allowed="['Always', 'Never']"),
        variables("request.userInfo.username in variables.allowed", allowed="['always', 'Never']"),
        variables("has(variables.spec.hostNetwork)", spec="object.spec"),
        f"{AT}.getDayOfWeek() in [0, 6] || {AT}.getDayOfWeek() == 3",
        # a test of all that there can be, which says what the other parts leave
        f"{AT}.getHours() >= 0 && {AT}.getHours() < 24 && {AT}.getMonth() <= 11 && {AT}.getDate() > 0",
        f"{AT}.getMilliseconds() < 999 && {AT}.getDayOfYear() < 365 && {AT}.getSeconds() > 0",
        "duration(object.metadata.name).getHours() > 24 && duration(object.metadata.name).getMilliseconds() > 1000",
        "object.metadata.name.indexOf('a') == -1 || object.metadata.name.indexOf('a') > 3",
        "quantity('1Gi').compareTo(quantity(object.metadata.name)) >= 0",
        "object.metadata.name.size() % 2 == 1 && object.spec.priority % 2 != -1",
        "object.spec.priority % object.spec.priority == 7 && 7 % object.spec.priority == 6",
        "object.metadata.name.size() - 3 == -1",
        "object.spec.priority == 3.0 || object.spec.priority > 3.5 || double(object.spec.priority) == 3.5",
        "'%s %d %%'.format([object.metadata.name, object.metadata.name.size()]) == 'x'",
        "'%s %s'.format([object.metadata.labels, object.spec.containers]) == 'x'",
        "'%x %f'.format([object.metadata.name, object.metadata.name]) == 'x'",
        "'%d'.format([object.?spec.?activeDeadlineSeconds.orValue(0)]) == 'x'",
        variables("'%s %s'.format(variables.of) == 'x'", of="[object.metadata.name, object.metadata.namespace]"),
    ),
    *on(["CREATE,UPDATE /v1/podtemplates"], "object.template.spec.restartPolicy == 'Never'"),
    *on([*DEPLOYMENT, *JOB], "object.spec.template.spec.restartPolicy in ['Always', 'Never']"),
    (VAP, DEPLOYMENT, "oldObject == null || oldObject.spec.template.spec.restartPolicy == 'Never'"),
    *on(
        POLICY,
        "object.spec.policyTypes.all(p, p == 'Ingress')",
        "object.spec.policyTypes.all(p, p in ['Ingress'])",
        "object.spec.policyTypes.exists(p, p != 'Ingress')",
    ),
    *on(
        WORKLOAD_OR_POD,
        "object.kind == 'Deployment' ? object.spec.replicas > 1 : object.metadata.name != 'x'",
        "object.kind in ['Deployment', 'Pod'] && object.metadata.name != 'x'",
    ),
    *on(
        WIDGET,
        "object.spec.size != 'small' && object.spec.size != 'large'",
        "object.spec.size in ['small', 'large'] || object.metadata.name == 'x'",
    ),
    # names that a `*` rule may match
    *on(
        ALL,
        "has(object.metadata.lables)",
        "object.kind == 'Rollout' && has(object.spec.replicsa)",
        "object.kind in ['Deployment', 'Rollout'] && has(object.spec.replicsa)",
        "object.kind == 'Deploymnt' && object.metadata.name == 'x'",
        "request.resource.resource == 'rollouts' || object.metadata.name == 'x'",
        "has(object.metadata) || object.kind == 'Deployment'",
        "request.kind.group == 'apps' && has(object.metadata.lables)",
        condition("object.kind == 'Rollout'"),
        condition("request.resource.group == 'argoproj.io'"),
    ),
    *on(["CREATE,UPDATE example.com/v1/*"], "has(object.spec.replicsa)", "object.kind == 'Gadget'"),
    # what the author ruled out, or another version has, is not looked at
    *on(
        POD,
        behind(
            "object.kind == 'Deployment' && request.kind.kind == 'Pod' || object.metadata.name == 'y'",
            validation="object.metadata.name != 'x'",
        ),
        "object.kind != 'Deployment' || object.spec.nodNam != 'x'",
        "'audit' == 'enforce' ? object.spec.nodNam != 'x' : object.metadata.name != 'x'",
    ),
    # validations that their author decided
    *on(
        DEPLOYMENT,
        "true",
        "false",
        "1 == 1",
        "'audit' == 'enforce'",
        "'audit' == 'audit' || object.metadata.name != 'x'",
        "object.kind == 'Deployment'",
        "request.operation in ['CREATE', 'UPDATE']",
        "request.operation == 'DELETE' || request.resource.resource == 'deployments'",
        "object != null",
        "request.operation == 'UPDATE' || oldObject == null",
        "namespaceObject != null",
        "!has(request.subResource)",
        "request.?subResource.orValue('') == ''",
        "object.kind == 'Pod' ? has(object.spec.containers) : true",
        "object.kind != 'Pod' || !has(object.spec.template)",
        "['a', 'b'].all(x, x != 'c')",
        "has(object.metadata.labels) || object.metadata.name != 'x'",
        "!has(object.spec.paused) || object.spec.paused",
        # parts that neither cover nor exclude each other
        "object.metadata.name == 'a' || object.metadata.name == 'b'",
        "object.metadata.name != 'a' && object.metadata.name != 'b'",
        "object.metadata.name != 'a' || object.metadata.generateName != 'b'",
        "object.metadata.name == 'a' && object.metadata.name != 'b'",
        "object.spec.replicas < 2 || object.spec.replicas > 10",
        "object.spec.replicas > 2 && object.spec.replicas < 10",
        "object.spec.replicas > 2 || object.spec.replicas < 2",
        "object.spec.replicas > 2 && object.spec.replicas > 1",
        "object.metadata.labels['x'] != 'a' || object.metadata.labels['y'] != 'b'",
        "object.spec.template.spec.containers.exists(c, c.name == 'a') && "
        "object.spec.template.spec.containers.exists(c, c.name == 'b')",
        "object.spec.template.spec.containers.exists(c, c.name == 'a' || c.image == 'b')",
        "object.metadata.name.size() > 0 && size(object.metadata.name) < 10",
        "object.metadata.name == 'a' ? object.metadata.name != 'b' : object.metadata.name != 'c'",
        "(object.metadata.name == 'a' && object.kind == 'Deployment') || object.metadata.name == 'b'",
        "'audit' == 'a' && 'audit' == 'b' || object.metadata.name == 'b'",
        "request.operation == 'CREATE' && request.operation == 'UPDATE' || object.metadata.name != 'x'",
        "object.kind == 'Deployment' && object.kind == 'Pod' || object.metadata.name != 'x'",
        # the author chose the objects that are refused
        {
            "matchConditions": [{"name": "c", "expression": "object.metadata.name == 'a'"}],
            "validations": [{"expression": "object.metadata.name != 'a'"}],
        },
    ),
    *on(
        POD,
        {
            "variables": [{"name": "mode", "expression": "'audit'"}],
            "validations": [{"expression": "variables.mode == 'enforce' || variables.mode == 'audit'"}],
        },
        conditions("request.operation == 'CREATE'", "object.metadata.name != 'a'"),
        conditions("request.operation != 'DELETE'"),
        conditions("object.kind == 'Pod'"),
        conditions("true"),
        conditions("!has(object.metadata.labels)", "object.metadata.name != 'a'"),
    ),
    *on([*POD, *DEPLOYMENT], "object.kind == 'Deployment' || has(object.metadata.labels)"),
    *on(
        [],
        selected({}, "CONNECT /v1/pods/exec"),
        selected({"matchLabels": {}}, "CONNECT /v1/pods/exec"),
        selected({"matchLabels": {"env": "prod"}}, "CONNECT /v1/pods/exec", "CREATE /v1/pods"),
        selected({"matchLabels": {"env": "prod"}}, "CREATE /v1/pods/eviction"),
        selected({"matchLabels": {"env": "prod"}}, "CREATE /v1/pods/binding"),
    ),
    *on(["CREATE,DELETE /v1/pods"], "request.operation == 'DELETE' || has(object.metadata.labels)"),
    # names that some type has, or that are no slip of a matched one
    *on(
        [*POD, *WORKLOADS],
        "object.kind == 'CronJob' || object.metadata.name != 'x'",
        "object.kind in ['Pod', 'Rollout'] || object.metadata.name != 'x'",
        "object.kind == '' || object.metadata.name != 'x'",
        "object.kind.lowerAscii() == 'pod' || object.metadata.name != 'x'",
        "object.apiVersion == 'apps/v2' || object.metadata.name != 'x'",
        "object.apiVersion == 'batch/v1' || object.metadata.name != 'x'",
        "request.kind.group == 'batch' || object.metadata.name != 'x'",
        "request.kind.version == 'v1beta1' || object.metadata.name != 'x'",
        "request.kind.group == '' || object.metadata.name != 'x'",
        "request.resource.resource == 'jobs' || object.metadata.name != 'x'",
        "request.?subResource.orValue('') == 'exec' || object.metadata.name != 'x'",
        "request.?subResource.orValue('Exec') == 'Exec' || object.metadata.name != 'x'",
        "(has(object.metadata.labels) ? object.kind : 'pod') == 'pod' || object.metadata.name != 'x'",
        "object.kind == request.kind.kind || object.metadata.name != 'x'",
        "object.metadata.name == 'pod' || request.namespace == 'pods'",
        "object.kind.startsWith('pod') || object.metadata.name != 'x'",
    ),
    # values of an enumeration, and what nothing is proved about
    *on(
        POD,
        "object.spec.restartPolicy == 'OnFailure' || object.metadata.name != 'x'",
        "object.spec.restartPolicy == '' || object.metadata.name != 'x'",
        "object.spec.?restartPolicy.orValue('Other') == 'Other' || object.metadata.name != 'x'",
        "object.spec.restartPolicy.lowerAscii() == 'always' || object.metadata.name != 'x'",
        "request.operation == 'CREATE' || oldObject.spec.restartPolicy == 'Allways' || object.metadata.name != 'x'",
        "has(object.status.phase) && object.status.phase == 'Runing' || object.metadata.name != 'x'",
        "object.spec.schedulerName == 'default' || object.metadata.name != 'x'",
        "object.spec.containers.all(c, c.image != 'Allways')",
    ),
    *on(
        [*POD, "UPDATE /v1/pods/ephemeralcontainers"],
        "object.spec.restartPolicy == 'Allways' || object.metadata.name != 'x'",
    ),
    *on(CLAIM, "'ReadOnlyMany' in object.spec.accessModes || object.metadata.name != 'x'"),
    *on(
        WIDGET,
        "object.spec.size == 'Small' || object.metadata.name != 'x'",
        "object.spec.size in ['Small', 'Large'] || object.metadata.name != 'x'",
        "object.spec.size == 'large' || object.metadata.name != 'x'",
    ),
    (
        MAP,
        POD,
        {
            "reinvocationPolicy": "Never",
            "matchConditions": [{"name": "c", "expression": "object.spec.restartPolicy == 'Allways'"}],
            "mutations": [
                {"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": "Object{}"}},
            ],
        },
    ),
    # values of maps that may be null, or that something asks for
    *on(
        DEPLOYMENT,
        "'x' in object.metadata.annotations && object.metadata.annotations['x'] != null",
        "has(object.metadata.annotations.x) && object.metadata.annotations['x'] != null",
        "object.metadata.?annotations[?'x'].orValue(null) != null",
        "['x'].all(k, k in object.metadata.labels) && object.metadata.labels['y'] != null",
        "object.spec.template.spec.volumes == null || object.metadata.name != 'x'",
    ),
    *on(
        WIDGET,
        "object.spec.labels['x'] == null || object.metadata.name != 'x'",
        "object.spec.open['x'] == null || object.metadata.name != 'x'",
    ),
    # operations that some request has, or that no author wrote as one
    *on(
        POD,
        "request.operation == 'CREATE' || object.metadata.name != 'x'",
        "request.operation == 'DELETE' || object.metadata.name != 'x'",
        "request.operation in ['CREATE', 'UPDATE', 'CONNECT'] && object.metadata.name != 'x'",
        "request.operation.lowerAscii() == 'create' || object.metadata.name != 'x'",
        "request.operation == '' || object.metadata.name != 'x'",
        "request.operation.startsWith('CREATE') || object.metadata.name != 'x'",
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
        "(has(request.subResource) || has(object.spec)) && object.metadata.name != 'x'",
        "request.?subResource.orValue('') == ''",
        "request.userInfo.?extra['x'].orValue([]).size() == 0",
        "'system:masters' in request.userInfo.groups",
        "!has(object.spec.hostUsers)",
        "has({'a': object.metadata.name}.b) || object.metadata.name != 'x'",
        "(!has(oldObject.spec) || has(object.spec)) && object.metadata.name != 'x'",
    ),
    # one of several types has it, or a guard leaves out the others
    *on(
        WORKLOADS,
        "!has(object.spec.replicas) || object.spec.replicas > 1",
        "(has(object.spec.strategy) || has(object.spec.updateStrategy)) && object.metadata.name != 'x'",
        "(object.kind != 'Deployment' || has(object.spec.strategy)) && object.metadata.name != 'x'",
        "object.spec.?updateStrategy.?type.orValue('RollingUpdate') == 'RollingUpdate'",
        "has(object.spec.volumeClaimTemplates)",
    ),
    *on(
        [*POD, *WORKLOADS],
        "has(object.spec.template) ? object.spec.template.spec.containers.size() > 0 : object.spec.containers.size() > 0",
        "(has(object.spec.containers) || has(object.spec.template.spec.containers)) && object.metadata.name != 'x'",
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
    # tests of a string that another one does not decide, or makes superfluous
    *on(
        POD,
        "object.metadata.name.startsWith('a') && object.metadata.name.endsWith('b')",
        "object.metadata.name.contains('a') && object.metadata.name.contains('b')",
        "object.metadata.name.startsWith('a') || object.metadata.name.startsWith('b')",
        "object.metadata.name.startsWith('ab') && object.metadata.name.startsWith('a')",
        "object.metadata.name.startsWith('a') && object.metadata.name.startsWith('ab')",
        "object.metadata.name.startsWith('a') && object.metadata.name in ['b', 'ab']",
        "object.metadata.name in ['b', 'ab'] && object.metadata.name.startsWith('a')",
        "request.userInfo.username.lowerAscii() in ['b'] && request.userInfo.username.startsWith('B')",
        "request.userInfo.username.lowerAscii() == 'b' && request.userInfo.username.startsWith('B')",
        "object.metadata.name.startsWith('a') && object.metadata.namespace.startsWith('b')",
        "object.metadata.name.startsWith('a') ? object.metadata.name != 'ab' : object.metadata.name.startsWith('b')",
        "object.spec.containers.exists(c, c.name.startsWith('a')) && object.spec.containers.exists(c, c.name.startsWith('b'))",
    ),
    # a branch that literals, or the real kind, rule out
    *on(
        POD,
        "'audit' == 'enforce' || !has(object.spec.hostNetwork)",
        "(object.kind == 'Deployment' ? has(object.spec.template) : has(object.spec.containers)) && object.metadata.name != 'x'",
        "request.operation == 'CONNECT' && has(object.spec.nope) || object.metadata.name != 'x'",
        "false && has(object.spec.nope) || object.metadata.name != 'x'",
    ),
    # `*` may match kinds that the files do not have
    *on(["CREATE,UPDATE /v1/*"], "!has(object.hostNetwrk)"),
]
