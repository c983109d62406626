#!/usr/bin/env python3
"""compare.py PROGRAM: what kubectl-vapcheck offers for the slips of cases.jsonl, and that nothing is offered where
nothing helps.

A row is [where, expression, hint or null]. With UPDATE_GOLDENS=1 the hints are written into the file.
"""

import json
import os
import pathlib
import resource
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import answers

ROWS = pathlib.Path(__file__).parent / "cases.jsonl"
# Of a hostile object, sanitized: the release takes half a second.
CPU_SECONDS = 20
REGISTRATION = "admissionregistration.k8s.io/v1"
RESOURCES = {
    "pod": [("", "pods")],
    "deployment": [("apps", "deployments")],
    "widget": [("example.com", "widgets")],
    "cronjob": [("batch", "cronjobs")],
    "pod or deployment": [("", "pods"), ("apps", "deployments")],
    "deployment or daemonset": [("apps", "deployments"), ("apps", "daemonsets")],
}
# What the rules of the definition are about, and what policies about widgets have for their object.
WIDGET = {
    "type": "object",
    "properties": {
        "spec": {
            "type": "object",
            "properties": {
                "name": {"type": "string", "maxLength": 64},
                "size": {"type": "integer"},
                "on": {"type": "boolean"},
                "dash-ed": {"type": "string", "maxLength": 64},
                "namespace": {"type": "string", "maxLength": 64},
                "": {"type": "string", "maxLength": 64},
                "items": {"type": "array", "maxItems": 8, "items": {"type": "string", "maxLength": 8}},
            },
        }
    },
}


def definition(rule=None, is_of_root=False):
    """With a rule of spec, or of the whole object."""
    schema = json.loads(json.dumps(WIDGET))
    if rule is not None:
        owner = schema if is_of_root else schema["properties"]["spec"]
        owner["x-kubernetes-validations"] = [{"rule": rule}]
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"plural": "widgets", "singular": "widget", "kind": "Widget", "listKind": "WidgetList"},
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}],
        },
    }


def policy(where, expression):
    rules = [{"apiGroups": [group], "apiVersions": ["v1"], "resources": [resource], "operations": ["CREATE", "UPDATE"]}
             for group, resource in RESOURCES.get(where, RESOURCES["pod"])]  # fmt: skip
    variables = [{"name": "team", "expression": "'a'"}]
    spec = {"matchConstraints": {"resourceRules": rules}, "variables": variables, "failurePolicy": "Fail"}
    made = {"apiVersion": REGISTRATION, "kind": "ValidatingAdmissionPolicy", "metadata": {"name": "p"}, "spec": spec}
    if where == "mutation":
        made["kind"] = "MutatingAdmissionPolicy"
        spec["reinvocationPolicy"] = "Never"
        spec["mutations"] = [{"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": expression}}]
        return made
    if where == "patch":
        made["kind"] = "MutatingAdmissionPolicy"
        spec["reinvocationPolicy"] = "Never"
        spec["mutations"] = [{"patchType": "JSONPatch", "jsonPatch": {"expression": expression}}]
        return made
    if where == "webhook":
        client = {"url": "https://example.com/"}
        webhook = {
            "name": "a.example.com",
            "clientConfig": client,
            "sideEffects": "None",
            "admissionReviewVersions": ["v1"],
            "rules": rules,
            "matchConditions": [{"name": "a", "expression": expression}],
        }
        return {"apiVersion": REGISTRATION, "kind": "ValidatingWebhookConfiguration", "metadata": {"name": "w"},
                "webhooks": [webhook]}  # fmt: skip
    spec["paramKind"] = {"apiVersion": "v1", "kind": "ConfigMap"}
    spec["validations"] = [{"expression": "true"}]
    if where == "message":
        spec["validations"] = [{"expression": "object.metadata.name == 'a'", "messageExpression": expression}]
    elif where == "variable":
        spec["variables"].append({"name": "other", "expression": expression})
        spec["validations"] = [{"expression": "variables.other == true"}]
    elif where == "condition":
        spec["matchConditions"] = [{"name": "a", "expression": expression}]
    else:
        spec["validations"] = [{"expression": expression}]
    return made


def hints_of(program, rows):
    """By row, the hints of the expression."""
    documents = [
        definition(row[1], row[0] == "root") if row[0] in ("rule", "root") else policy(*row[:2]) for row in rows
    ]
    results = {r["document"]: r for r in answers.results(program, [*documents, definition()])}
    for i in range(len(rows)):
        result = results.get(i, {"refusals": [], "expressionWarnings": []})
        found = [*result["refusals"], *result["expressionWarnings"]]
        yield len(found), sorted({f["hint"] for f in found if f.get("hint")})


def cpu_seconds(program, made):
    """What the check of one object takes, ours and the system's."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    answers.results(program, [made])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def hostile():
    """Policies with many findings that each have many repairs: trials without a budget would take an hour."""
    slips = "object.metadata.name.startswith('a') and not (object.metadata.labels.a-b == 'x') or len(object.x) = 1"
    many, wide = policy("pod", slips), policy("pod", slips)
    many["spec"]["validations"] = [{"expression": slips}] * 3000
    wide["spec"]["matchConstraints"]["resourceRules"][0].update(apiGroups=["*"], apiVersions=["*"], resources=["*/*"])
    wide["spec"]["variables"] = [
        {"name": f"v{i}", "expression": "object.metadata.labels.all(a, a > 'x')"} for i in range(1000)
    ]
    return {"many": many, "wide": wide}


def without_hint(program):
    """Counts the slips among many right validations that get no hint: a trial is about what the slip needs alone."""
    made, slip = policy("pod", "true"), "object.metadata.labels.a-b == 'x'"
    made["spec"]["validations"] = [
        {"expression": slip if i % 8 == 0 else f"object.spec.priority < {i}"} for i in range(2000)
    ]
    [result] = answers.results(program, [made])
    return sum("hint" not in refusal for refusal in result["refusals"]), len(result["refusals"])


def main():
    rows = [json.loads(line) for line in ROWS.read_text().splitlines()]
    wrong = []
    for row, (count, hints) in zip(rows, hints_of(sys.argv[1], rows)):
        hint = "; ".join(hints) or None
        if count == 0:
            wrong.append(f"{row[:2]}: nothing is wrong with it")
        if hint != row[2]:
            wrong.append(f"{row[:2]}: {hint!r}, not {row[2]!r}")
        row[2] = hint
    missing, count = without_hint(sys.argv[1])
    if (missing, count) != (0, 250):
        wrong.append(f"{missing} of {count} slips among 2,000 validations have no hint")
    for name, made in hostile().items():
        seconds = cpu_seconds(sys.argv[1], made)
        if seconds > CPU_SECONDS:
            wrong.append(f"{name}: {seconds:.1f} s of CPU, more than {CPU_SECONDS}")
    if os.environ.get("UPDATE_GOLDENS"):
        ROWS.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    print("\n".join(wrong) or f"{len(rows)} rows, {sum(row[2] is not None for row in rows)} hints")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
