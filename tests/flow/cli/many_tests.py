"""A suite of many tests of one policy, whose objects have 1 KB each."""

import json

POLICY = """\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: replicas}
spec:
  failurePolicy: Fail
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE, UPDATE]}
  validations:
  - expression: object.spec.replicas <= 5
    messageExpression: "'at most 5, not ' + string(object.spec.replicas)"
  - expression: object.metadata.name != 'bad-name'
    message: the name is bad
    reason: Forbidden
"""
MANIFEST = """\
version: v1alpha1
policies: [policy.yaml]
resources: [resources.yaml]
vapTestSuites:
- policy: replicas
  tests:
"""
MOST = 5  # replicas that the policy admits


def block_style(mapping, indent=0):
    """A mapping of mappings, texts and numbers as people write YAML."""
    lines = []
    for key, value in mapping.items():
        is_mapping = isinstance(value, dict)
        lines.append(f"{' ' * indent}{key}:" + ("" if is_mapping else f" {value}"))
        if is_mapping:
            lines.append(block_style(value, indent + 2))
    return "\n".join(lines)


def write_suite(directory, count, write_object=json.dumps):
    """All tests pass; four of ten expect that the object is denied."""
    labels = {f"label-{i}": "x" * 40 for i in range(14)}
    objects, tests = [], []
    for i in range(count):
        metadata = {"name": f"d{i}", "namespace": "shop", "labels": labels}
        spec = {"replicas": i % 10}
        objects.append(
            write_object({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": spec})
        )
        expect = "admit" if spec["replicas"] <= MOST else "deny"
        tests.append("  - " + json.dumps({"object": {"kind": "Deployment", "name": f"d{i}"}, "expect": expect}) + "\n")
    (directory / "policy.yaml").write_text(POLICY)
    (directory / "resources.yaml").write_text("\n---\n".join(objects))
    (directory / "kaptest.yaml").write_text(MANIFEST + "".join(tests))
    return len(objects[0])
