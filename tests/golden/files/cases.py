"""The cases of compare.py: (the file, (identifier, line, field, texts) ...); a neighbour has no findings."""

RULES = """  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE, UPDATE]}
"""


def policy(spec, name="p", kind="ValidatingAdmissionPolicy"):
    """The first line of `spec` is line 8."""
    return f"""apiVersion: admissionregistration.k8s.io/v1
kind: {kind}
metadata: {{name: {name}}}
spec:
{RULES}{spec}"""


def binding(ref, name="b", more=""):
    return f"""apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {{name: {name}}}
spec:
  policyName: p
  validationActions: [Deny]
  paramRef: {{{ref}, parameterNotFoundAction: Deny}}
{more}"""


def with_params(ref, *objects, kind="{apiVersion: v1, kind: ConfigMap}", expression="has(params.data)"):
    """A policy, its binding, whose paramRef is in line 17, and other objects."""
    texts = [policy(f"  paramKind: {kind}\n  validations: [{{expression: {expression}}}]\n"), binding(ref), *objects]
    return "---\n".join(t if t.endswith("\n") else t + "\n" for t in texts)


def config_map(name, namespace="", kind="ConfigMap", version="v1"):
    where = f", namespace: {namespace}" if namespace else ""
    return f"apiVersion: {version}\nkind: {kind}\nmetadata: {{name: {name}{where}}}\n"


def other_binding(ref):
    return binding(ref, "other")


def definition(rule):
    """A CustomResourceDefinition; its rule begins in line 16."""
    return f"""apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: widgets.example.com}}
spec:
  group: example.com
  scope: Namespaced
  names: {{plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        x-kubernetes-validations:
        - rule: {rule}
          message: too many
        properties:
          spec: {{type: object, properties: {{replicas: {{type: integer, default: 1}}}}, default: {{}}}}
"""


FIRST, SECOND = "object.spec.replicas < 5", "&& object.spec.replicas > 1"
EXPRESSION = "spec.validations[0].expression"
KEEPS = "begins with |"


def hidden(line, *texts, field=EXPRESSION):
    return ("hidden-by-comment", line, field, KEEPS, *texts)


def elsewhere(field, *texts):
    return ("params-elsewhere", 17, f"spec.paramRef.{field}", *texts)


def unknown(*texts, line=8, field="spec.paramKind"):
    return ("not-fully-checked", line, field, *texts)


def validation(text):
    return policy(f"  validations:\n  - expression: {text}\n")


LIMITS = "{apiVersion: example.com/v1, kind: Limits}"
TEAM = "name: limits, namespace: team"

CASES = [
    # a comment hides a later line
    (validation(f">-\n      {FIRST} // at most\n      {SECOND}"), hidden(10, f"from `{SECOND}`")),
    (validation(f">\n      {FIRST} // at most\n      {SECOND}"), hidden(10, f"from `{SECOND}`")),
    (validation(f"{FIRST} // at most\n      {SECOND}"), hidden(9, f"from `{SECOND}`")),
    (validation(f"'{FIRST} // it''s\n      {SECOND}'"), hidden(9, f"from `{SECOND}`")),
    (validation(f'"{FIRST} // at most\n      {SECOND}"'), hidden(9, f"from `{SECOND}`")),
    (validation(f'"{FIRST} // at most\\\n      {SECOND}"'), hidden(9, f"from `{SECOND}`")),
    (validation(f">-\n      {FIRST}//\n      {SECOND}\n      {SECOND}"), hidden(10, f"from `{SECOND}`")),
    (validation(f">-\n      {FIRST}\n      // at most\n      // or less\n      {SECOND}"), hidden(12, SECOND)),
    (
        validation(f">-\n      {FIRST}\n      // {SECOND}\n      || object.spec.paused"),
        hidden(11, "object.spec.paused"),
    ),
    (validation(f">-\n      request.userInfo.username != 'http://a' // b\n      {SECOND}"), hidden(10, SECOND)),
    (validation(f">-\n      {FIRST} // a\n      {SECOND}\n\n      {SECOND}"), hidden(10, SECOND)),
    (
        policy(f"  validations:\n  - expression: {FIRST}\n    messageExpression: >-\n      'a' // b\n      + 'c'\n"),
        hidden(11, "from `+ 'c'`", field="spec.validations[0].messageExpression"),
    ),
    (
        policy(
            f"  matchConditions:\n  - name: c\n    expression: >-\n      {FIRST} // a\n      {SECOND}\n"
            "  validations: [{expression: object.metadata.name != 'x'}]\n"
        ),
        hidden(11, SECOND, field="spec.matchConditions[0].expression"),
    ),
    (
        policy(
            f"  variables:\n  - name: v\n    expression: >-\n      {FIRST} // a\n      {SECOND}\n"
            "  validations: [{expression: variables.v}]\n"
        ),
        hidden(11, SECOND, field="spec.variables[0].expression"),
    ),
    (
        definition(">-\n            self.spec.replicas < 5 // at most\n            && self.spec.replicas > 1"),
        hidden(17, "&& self.spec", field="spec.versions[0].schema.openAPIV3Schema.x-kubernetes-validations[0].rule"),
    ),
    # without the hidden line it is refused: one cause, one finding
    (
        validation(f">-\n      {FIRST} && // at most\n      object.spec.replicas > 1"),
        ("refused", 12, EXPRESSION, "Syntax error", KEEPS),
    ),
    (validation(">-\n      object.spec.replicas // at most\n      < 5"), ("refused", 10, EXPRESSION, KEEPS)),
    # nothing is hidden
    (validation(f"|-\n      {FIRST} // at most\n      {SECOND}"),),
    (validation(f"|\n      {FIRST} // at most\n      {SECOND}"),),
    (validation(f">-\n      {FIRST} // at most\n\n      {SECOND}"),),
    (validation(f">-\n      {FIRST} // at most\n      // {SECOND}"),),
    (validation(f">-\n      {FIRST}\n      // at most"),),
    (validation(f">-\n      {FIRST} // at most five,\n      as the teams agreed"),),
    (validation(f">-\n      {FIRST} // at most\n        {SECOND}"),),
    (validation(f"'{FIRST} // at most'"),),
    (validation(f'"{FIRST} // at most\\n{SECOND}"'),),
    (validation(f">-\n      request.userInfo.username != 'http://a'\n      {SECOND}"),),
    (validation(f">-\n      request.userInfo.username != '''http://a\n      b'''\n      {SECOND}"),),
    (validation(f">-\n      {FIRST}\n      {SECOND}"),),
    (
        policy(
            f"  validations:\n  - expression: {FIRST}\n    message: >-\n      see https://example.com // at\n      + 'most'\n"
        ),
    ),
    (definition("|-\n            self.spec.replicas < 5 // at most\n            && self.spec.replicas > 1"),),
    # parameters that stand in another namespace, or have nearly the name
    (with_params(TEAM, config_map("limits", "policies")), elsewhere("namespace", "did you mean 'policies'?")),
    (with_params(TEAM, config_map("limits", "teams")), elsewhere("namespace", "did you mean 'teams'?")),
    (with_params(TEAM, config_map("limit", "team")), elsewhere("name", "did you mean 'limit'?")),
    (with_params(TEAM, config_map("Limits", "team")), elsewhere("name", "did you mean 'Limits'?")),
    (
        with_params("name: replica-limits, namespace: team", config_map("replicas-limits", "team")),
        elsewhere("name", "did you mean 'replicas-limits'?"),
    ),
    (
        with_params("name: replica-limits, namespace: team", config_map("replicalimits", "team")),
        elsewhere("name", "did you mean 'replicalimits'?"),
    ),
    (
        with_params(TEAM, config_map("limits", "policies"), config_map("limit", "team")),
        elsewhere("namespace", "did you mean 'policies'?"),
    ),
    (
        with_params(
            TEAM, config_map("limits", "b"), other_binding("name: limits, namespace: a"), config_map("limits", "a")
        ),
        elsewhere("namespace", "did you mean 'b'?"),
    ),
    # the object is there, or may be, or another one is meant
    (with_params(TEAM, config_map("limits", "team")),),
    (with_params(TEAM, config_map("limits", "team"), config_map("limits", "policies")),),
    (with_params(TEAM, config_map("limits")),),
    (with_params(TEAM, config_map("limits"), config_map("limits", "policies")),),
    (with_params(TEAM),),
    (with_params(TEAM, config_map("limits", "policies", kind="Secret")),),
    (with_params(TEAM, config_map("limits", "policies", version="example.com/v1")),),
    (with_params(TEAM, config_map("bounds", "team")),),
    (with_params(TEAM, config_map("limit")),),
    (with_params(TEAM, config_map("limit", "policies")),),
    (with_params("name: limits", config_map("limits", "policies")),),
    (with_params("selector: {matchLabels: {limits: a}}, namespace: team", config_map("limits", "policies")),),
    (with_params("name: team-a-params, namespace: team", config_map("team-b-params", "team")),),
    (with_params("name: limits-v1, namespace: team", config_map("limits-v2", "team")),),
    (with_params("name: limits2, namespace: team", config_map("limits1", "team")),),
    (with_params("name: limits-dev, namespace: team", config_map("limits-prod", "team")),),
    (with_params(TEAM, config_map("limit", "team"), other_binding("name: limit, namespace: team")),),
    (with_params(TEAM, config_map("limits", "b"), other_binding("name: limits, namespace: b")),),
    # a paramKind that no file defines may be in the cluster
    (
        with_params(TEAM, kind=LIMITS, expression="params.max > 1"),
        unknown("neither Kubernetes nor a file has kind Limits of example.com/v1"),
    ),
    (
        with_params(TEAM, kind="{apiVersion: v1, kind: ConfigMaps}"),
        ("param-kind-not-served", 8, "spec.paramKind.kind", "neither Kubernetes nor a file has", "ConfigMap?"),
    ),
    (
        with_params(TEAM, kind="{apiVersion: apps/v2, kind: Limits}"),
        ("param-kind-not-served", 8, "spec.paramKind.kind", "neither Kubernetes nor a file has kind Limits of apps/v2"),
    ),
    (
        with_params(TEAM, definition("self.spec.replicas > 1"), kind="{apiVersion: example.com/v1, kind: Widgets}"),
        ("param-kind-not-served", 8, "spec.paramKind.kind", "Widget?"),
    ),
    (
        with_params(TEAM, definition("self.spec.replicas > 1"), kind=LIMITS),
        unknown("neither Kubernetes nor a file has kind Limits of example.com/v1"),
    ),
    (
        with_params(
            TEAM,
            definition("self.spec.replicas > 1"),
            kind="{apiVersion: example.com/v1, kind: Widget}",
            expression="params.spec.replicas > 1",
        ),
    ),
]
