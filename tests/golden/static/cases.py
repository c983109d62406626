"""Directories of static admission manifests (KEP-5793), good and broken: what is wrong with each is in its name."""

import json

from refusals.mutating.cases import APPLY, MUTATING_BINDING
from refusals.mutating.cases import POLICY as MUTATING_POLICY
from refusals.policies.cases import BINDING, GONE, POLICY, put
from refusals.releases.cases import NAMES
from refusals.webhooks.cases import MUTATING, SERVICE, VALIDATING

SUFFIX = ".static.k8s.io"
PARAM_KIND = {"apiVersion": "v1", "kind": "ConfigMap"}
PARAM_REF = {"name": "x", "parameterNotFoundAction": "Deny"}


def named(made, name):
    return put(made, "metadata.name", name + SUFFIX)


def bound(binding, name, policy):
    return put(named(binding, name), "spec.policyName", policy)


def directory(name, kind, *objects, **files):
    """(name, kind, {file: text}): each object in a file of its own, in this order, and files as they are."""
    made = {f"{i}.json": json.dumps(o) for i, o in enumerate(objects)}
    return name, kind, {**made, **{file.replace("_", "."): text for file, text in files.items()}}


def of_policies(kind, policy, binding):
    good, other = named(policy, "p"), named(policy, "q")
    tie = bound(binding, "b", "p" + SUFFIX)
    spec = good["spec"]
    yield directory(f"{kind}: a policy and its binding", kind, good, tie)
    yield directory(f"{kind}: the binding first", kind, tie, good)
    yield directory(f"{kind}: a policy alone", kind, good)
    yield directory(f"{kind}: paramKind", kind, put(good, "spec.paramKind", PARAM_KIND))
    yield directory(f"{kind}: paramKind that is wrong, too", kind, put(good, "spec.paramKind", {}))
    yield directory(f"{kind}: paramRef", kind, good, put(tie, "spec.paramRef", PARAM_REF))
    yield directory(f"{kind}: a binding of an ordinary policy", kind, good, bound(binding, "b", "p"))
    yield directory(f"{kind}: a binding without a policy", kind, good, put(tie, "spec.policyName", GONE))
    yield directory(f"{kind}: a binding whose policy is nowhere", kind, other, tie)
    yield directory(f"{kind}: a binding alone", kind, tie)
    yield directory(
        f"{kind}: an ordinary binding's paramRef and policyName",
        kind,
        good,
        put(bound(binding, "b", "p"), "spec.paramRef", PARAM_REF),
    )
    yield directory(f"{kind}: twice the same name", kind, good, other, good)
    yield directory(f"{kind}: twice the same binding", kind, good, tie, tie)
    yield directory(f"{kind}: policy and binding of one name", kind, good, bound(binding, "p", "p" + SUFFIX))
    yield directory(f"{kind}: an unknown field", kind, put(good, "spec.nope", 1))
    yield directory(
        f"{kind}: two unknown fields", kind, put(put(good, "spec.nope", 1), "spec.matchConstraints.nope", 1)
    )
    yield directory(f"{kind}: a wrong type", kind, put(good, "spec.failurePolicy", 1))
    yield directory(f"{kind}: a wrong value", kind, put(good, "spec.failurePolicy", "x"))
    yield directory(
        f"{kind}: two wrong values", kind, put(put(good, "spec.failurePolicy", "x"), "spec.matchConstraints", GONE)
    )
    yield directory(
        f"{kind}: wrong values and paramKind",
        kind,
        put(put(good, "spec.failurePolicy", "x"), "spec.paramKind", PARAM_KIND),
    )
    yield directory(f"{kind}: v1beta1", kind, {**good, "apiVersion": "admissionregistration.k8s.io/v1beta1"})
    yield directory(f"{kind}: v1alpha1", kind, {**good, "apiVersion": "admissionregistration.k8s.io/v1alpha1"})
    yield directory(
        f"{kind}: a binding of v1beta1", kind, good, {**tie, "apiVersion": "admissionregistration.k8s.io/v1beta1"}
    )
    yield directory(f"{kind}: a label", kind, put(good, "metadata.labels", {"a b": "c"}))
    yield directory(f"{kind}: an upper-case name", kind, named(policy, "P"))
    yield directory(f"{kind}: a name that is the suffix", kind, named(policy, ""))
    for member in ("ownerReferences", "managedFields"):
        for i, value in enumerate(NAMES[f"metadata.{member}"]):
            yield directory(f"{kind}: {member} {i}", kind, put(good, f"metadata.{member}", value))
    yield directory(
        f"{kind}: about admission's own resources",
        kind,
        put(
            good,
            "spec.matchConstraints.resourceRules.0",
            {
                "apiGroups": ["admissionregistration.k8s.io"],
                "apiVersions": ["*"],
                "operations": ["CREATE"],
                "resources": ["validatingadmissionpolicies", "mutatingwebhookconfigurations"],
            },
        ),
    )
    yield directory(f"{kind}: a list", kind, {"apiVersion": "v1", "kind": "List", "items": [good, tie]})
    yield directory(
        f"{kind}: a list of its kind",
        kind,
        {
            "apiVersion": good["apiVersion"],
            "kind": good["kind"] + "List",
            "items": [{"metadata": good["metadata"], "spec": spec}],
        },
    )
    yield directory(
        f"{kind}: a wrong value in a list",
        kind,
        {"apiVersion": "v1", "kind": "List", "items": [tie, put(good, "spec.failurePolicy", "x")]},
    )
    yield directory(
        f"{kind}: YAML", kind, all_yaml=f"---\n# a comment\n{json.dumps(good)}\n---\n---\n{json.dumps(tie)}\n"
    )
    for expression in (
        "object.spec.nope +",
        "nope",
        "params.x == 1",
        "authorizer.requestResource.check('get').allowed()",
    ):
        yield directory(
            f"{kind}: match condition {expression}",
            kind,
            put(good, "spec.matchConditions", [{"name": "c", "expression": expression}]),
        )


def of_webhooks(kind, configuration):
    good = named(configuration, "w")
    yield directory(f"{kind}: good", kind, good)
    yield directory(f"{kind}: a service", kind, put(good, "webhooks.0.clientConfig", {"service": SERVICE}))
    yield directory(f"{kind}: neither URL nor service", kind, put(good, "webhooks.0.clientConfig", {}))
    yield directory(f"{kind}: an empty URL", kind, put(good, "webhooks.0.clientConfig", {"url": ""}))
    yield directory(
        f"{kind}: a service and a wrong value",
        kind,
        put(put(good, "webhooks.0.clientConfig", {"service": SERVICE}), "webhooks.0.failurePolicy", "x"),
    )
    yield directory(f"{kind}: twice the same name", kind, good, good)
    yield directory(f"{kind}: no webhooks", kind, put(good, "webhooks", []))
    yield directory(f"{kind}: an unknown field", kind, put(good, "webhooks.0.nope", 1))
    yield directory(
        f"{kind}: a match condition",
        kind,
        put(good, "webhooks.0.matchConditions.0.expression", "object.spec.`a-b` == nope"),
    )
    yield directory(
        f"{kind}: excluded resources",
        kind,
        put(
            good,
            "webhooks.0.rules.0",
            {
                "apiGroups": ["authentication.k8s.io"],
                "apiVersions": ["v1"],
                "operations": ["CREATE"],
                "resources": ["tokenreviews"],
            },
        ),
    )


def cases():
    """(name, kind of directory, {file: text})"""
    yield from of_policies("policies", POLICY, BINDING)
    yield from of_policies("mutating-policies", put(MUTATING_POLICY, "spec.mutations", [APPLY]), MUTATING_BINDING)
    yield from of_webhooks("webhooks", VALIDATING)
    yield from of_webhooks("mutating-webhooks", MUTATING)
