"""Objects of Kubernetes that tests make: policies, their bindings, and resources of discovery."""

API = "admissionregistration.k8s.io/v1"


def rule(group="apps", version="v1", resource="deployments", operations=("CREATE",), **more):
    """A rule about one resource."""
    named = {"apiGroups": [group], "apiVersions": [version], "operations": list(operations), "resources": [resource]}
    return {**named, **more}


def policy(name, *expressions, group="apps", version="v1", resource="deployments", rules=None, **spec):
    """A ValidatingAdmissionPolicy with one rule, or these, and a validation for each expression. spec: more fields, or
    others in place of these."""
    return {
        "apiVersion": API,
        "kind": "ValidatingAdmissionPolicy",
        "metadata": {"name": name},
        "spec": {
            "matchConstraints": {"resourceRules": rules or [rule(group, version, resource)]},
            "validations": [{"expression": e} for e in expressions],
            **spec,
        },
    }


def binding(name, policy, *actions, **spec):
    """A binding of the policy, which denies unless other actions are given. spec: more fields."""
    return {
        "apiVersion": API,
        "kind": "ValidatingAdmissionPolicyBinding",
        "metadata": {"name": name},
        "spec": {"policyName": policy, "validationActions": list(actions or ["Deny"]), **spec},
    }


VERBS = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"]


def discovered(plural, group, **more):
    """A resource as aggregated discovery has it. more: other fields."""
    return {
        "resource": plural,
        "responseKind": {"group": group, "version": "v1", "kind": plural.title()},
        "scope": "Namespaced",
        "singularResource": plural,
        "verbs": VERBS,
        "shortNames": [],
        "categories": [],
        **more,
    }
