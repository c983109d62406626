// The policy of the tests: one validation, about one resource.
export const policyOf = (name, expression, resources = "[deployments]", groups = "[apps]") => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: ${name}
spec:
  matchConstraints:
    resourceRules:
    - apiGroups: ${groups}
      apiVersions: [v1]
      operations: [CREATE, UPDATE]
      resources: ${resources}
  validations:
  - expression: ${expression}
`;
