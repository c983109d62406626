#!/usr/bin/env python3
"""compare.py PROGRAM 1.N: what scope full warns about fails on a real API server, for the kinds of request that it
names.

1.N.json holds the server's answers to cases.py, which e2e/admission writes with UPDATE_GOLDENS=1. A kind of request
that always fails must have a warning, and no other may have one. What fails for the values of these very objects is in
BY_CHANCE, where a warning would be wrong; what we do not foresee yet is in open.txt, one case a line.
"""

import json
import os
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import answers
from admission import cases as data

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parents[1] / "upstream/truth"))
import truth

ACTIVE = "the policy is active"
LAST = {"expression": "false", "message": ACTIVE}  # always says no, which proves that the policy was asked
CONDITION = "the last of matchConditions"
OPEN = HERE / "open.txt"
GROUP = "admissionregistration.k8s.io"


def rules(ways):
    """One for each, of its resource and operation alone."""
    made = []
    for operation, group, version, resource, *_ in (data.REQUESTS[way] for way in ways):
        rule = {"apiGroups": [group], "apiVersions": [version], "operations": [operation], "resources": [resource]}
        if rule not in made:
            made.append(rule)
    return made


def policy(number, kind, **spec):
    """One that only the users of its own name get to."""
    name = f"c{number}"
    own = {"name": "own", "expression": f"request.userInfo.username.startsWith('{name}-')"}
    spec = {"failurePolicy": "Fail", "matchConditions": [own], **spec}
    return {"apiVersion": f"{GROUP}/v1", "kind": kind, "metadata": {"name": name}, "spec": spec}


def mutating_policy(number, way, mutations):
    """Those that begin with Object are apply configurations."""
    sorts = [
        ("ApplyConfiguration", "applyConfiguration") if m.startswith("Object") else ("JSONPatch", "jsonPatch")
        for m in mutations
    ]
    patches = [{"patchType": sort, field: {"expression": m}} for (sort, field), m in zip(sorts, mutations)]
    constraints = {"resourceRules": rules([way])}
    return policy(
        number, "MutatingAdmissionPolicy", matchConstraints=constraints, mutations=patches, reinvocationPolicy="Never"
    )


def cases():
    """(label, ways that are asked, expressions or mutations, policy, whether what fails is chance)."""
    listed = [
        (ways, ways, expressions, {}, False)
        for ways, expressions in data.NULLS + data.STATUS + data.CONSTANTS + data.SHARED
    ]
    listed += [(ways, ways, expressions, {}, True) for ways, expressions in data.BY_CHANCE]
    listed += [(*case, False) for case in data.EQUIVALENT]
    number = 0
    for ways, asked, expressions, more, by_chance in listed:
        constraints = {"resourceRules": rules(ways)}
        if "exclude" in more:
            constraints["excludeResourceRules"] = rules(more["exclude"])
        if "matchPolicy" in more:
            constraints["matchPolicy"] = more["matchPolicy"]
        validations = [*({"expression": e} for e in expressions), LAST]
        made = policy(number, "ValidatingAdmissionPolicy", matchConstraints=constraints, validations=validations)
        yield (
            ", ".join([*ways, *(f"{key} {value}" for key, value in more.items())]),
            asked,
            expressions,
            made,
            by_chance,
        )
        number += 1
    for ways, expression, variables in data.VARIABLES:
        named = [{"name": name, "expression": text} for name, text in variables.items()]
        validations = [{"expression": expression}, LAST]
        constraints = {"resourceRules": rules(ways)}
        made = policy(
            number, "ValidatingAdmissionPolicy", matchConstraints=constraints, variables=named, validations=validations
        )
        yield f"variables {variables}", ways, [expression], made, False
        number += 1
    for ways, condition in data.CONDITIONS:
        made = policy(
            number, "ValidatingAdmissionPolicy", matchConstraints={"resourceRules": rules(ways)}, validations=[LAST]
        )
        made["spec"]["matchConditions"].append({"name": "last", "expression": condition})
        yield CONDITION, ways, [condition], made, False
        number += 1
    way = "CREATE of configmaps"
    listed = [(way, mutations, False) for mutations in data.MUTATIONS] + [
        (way, mutations, True) for mutations in data.MUTATIONS_BY_CHANCE
    ]
    listed += [(way, mutations, False) for way, mutations in data.MUTATIONS_OF]
    for way, mutations, by_chance in listed:
        yield "mutations", [way], [" then ".join(mutations)], mutating_policy(number, way, mutations), by_chance
        number += 1
    for way, condition, variables, mutations in data.CHANGED:
        made = mutating_policy(number, way, mutations)
        made["spec"]["matchConditions"].append({"name": "last", "expression": condition})
        made["spec"]["variables"] = [{"name": name, "expression": text} for name, text in variables.items()]
        yield f"mutations if {condition}, variables {variables}", [way], [" then ".join(mutations)], made, False
        number += 1


def labels():
    """What each list of answers is about."""
    return [[label, expressions] for label, _, expressions, *_ in cases()]


def type_of(way):
    """The type that the request brings, as our warnings name it."""
    operation, group, version, resource, _, _, body, _ = data.REQUESTS[way]
    connects = {"pods/exec": "PodExecOptions", "pods/proxy": "PodProxyOptions"}
    if resource in connects:
        return f"/v1, Kind={connects[resource]}"
    if resource.endswith("/scale"):
        return "autoscaling/v1, Kind=Scale"
    plain = resource.partition("/")[0]
    if not body or "kind" not in body:
        body = next(o for o in [*data.THERE, data.WIDGET] if o["kind"].lower() + "s" == plain)
        return f"{group}/{version}, Kind={body['kind']}"
    group, _, version = body["apiVersion"].rpartition("/")
    return f"{group}/{version}, Kind={body['kind']}"


def read(program, version):
    """{name of the policy: {fieldRef: [(type, Warning)]}}."""
    listed = [made for *_, made, _ in cases()]
    results = answers.results(program, [data.CRD, *listed], "--kube-version", version, "--fail-on=never")
    found = {}
    for result in results:
        of_policy = found.setdefault(result["name"], {})
        for entry in result.get("expressionWarnings") or []:
            by_type, _ = truth.parse_warning(entry["warning"], set(result["types"]))
            of_policy[entry["fieldRef"]] = [
                (of, warning) for of, issues in truth.without_certain(entry, by_type).items() for warning in issues
            ]
    return found


def is_warned(way, warnings):
    operation, _, _, resource, *_ = data.REQUESTS[way]
    return any(of == type_of(way) and truth.is_about(warning, f"{operation} of {resource}") for of, warning in warnings)


def fails(answer):
    return answer.startswith("error: ")


def failed(theirs, asked, i):
    """{way: whether each request of its kind, the same operation, resource and type, fails at the expression}."""
    kinds = {way: (*data.REQUESTS[way][:4], type_of(way)) for way in asked}
    return {way: all(fails(theirs[other][i]) for other in asked if kinds[other] == kinds[way]) for way in asked}


def differences(program, version, written):
    """(label, sort, text) of each."""
    ours = read(program, version)
    for (label, asked, expressions, made, by_chance), (_, _, theirs) in zip(cases(), written, strict=True):
        by_field = ours[made["metadata"]["name"]]
        constraints = made["spec"]["matchConstraints"]
        together = rules(asked) != constraints["resourceRules"] or "excludeResourceRules" in constraints
        for i, expression in enumerate(expressions):
            if "mutations" not in made["spec"] and label != CONDITION and "variables" not in made["spec"]:
                warnings = by_field.get(f"spec.validations[{i}].expression", [])
            else:
                warnings = [w for of_field in by_field.values() for w in of_field]
            if together:  # as one version of several: whichever is asked
                said = {"any": any(fails(theirs[way][i]) for way in asked)}, {"any": bool(warnings)}
            else:
                said = failed(theirs, asked, i), {way: is_warned(way, warnings) for way in asked}
            for way, always in said[0].items():
                warned = said[1][way]
                sort = (
                    "false"
                    if warned and (by_chance or not always)
                    else "missed"
                    if always and not warned and not by_chance
                    else None
                )
                if sort:
                    texts = [f"{of}: {warning.message}" for of, warning in warnings]
                    server = theirs[way][i] if way in theirs else theirs
                    text = f"{sort}: {expression}\n  on {way} (of {label}) the server: {server}\n  we: {texts}"
                    yield f"{expression} on {way if way in theirs else label}", sort, text


def main():
    program, version = sys.argv[1:3]
    golden = HERE / f"{version}.json"
    written = json.loads(golden.read_text())
    if [answer[:2] for answer in written] != labels():
        sys.exit(f"{golden} is of other cases: run e2e/admission with UPDATE_GOLDENS=1")
    known = set(OPEN.read_text().splitlines())
    found = {f"{sort}: {label}": text for label, sort, text in differences(program, version, written)}
    bad = [text for label, text in found.items() if label not in known]
    bad += [
        f"no longer so, or no such case; take it out of {OPEN.name}: {label}" for label in sorted(known - set(found))
    ]
    count = sum(len(of_way) for *_, theirs in written for of_way in theirs.values())
    if os.environ.get("UPDATE_OPEN"):
        OPEN.write_text("".join(f"{label}\n" for label in sorted(found)))
    print(*bad, f"{count} answers, {len(found)} of them not ours yet", sep="\n")
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
