// The mistakes of the README's table, one policy each, and a policy whose parts are typed by a CustomResourceDefinition.

function policy(expression) {
  return `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: example
spec:
  matchConstraints:
    resourceRules:
    - apiGroups: [apps]
      apiVersions: [v1]
      operations: [CREATE, UPDATE]
      resources: [deployments]
  validations:
  - expression: >-
      ${expression.replaceAll("\n", "\n      ")}
`;
}

// A line feed begins a line of the policy.
const EXPRESSIONS = [
  "object.replicas <= 5",
  "!has(object.spec.template.spec.hostNetwrk)",
  "request.operation != 'create' || object.spec.replicas <= 5",
  "object.spec.template.spec.containers.all(c, c.imagePullPolicy != 'always')",
  "object.spec.replicas > 1 // not one\n&& object.spec.replicas <= 5",
  "object.spec.strategy.type != 'Recreate' || object.spec.strategy.type != 'RollingUpdate'",
  "object.spec.replicas <= oldObject.spec.replicas + 5",
  "object.spec.template.spec.containers.all(c, c.securityContext.runAsNonRoot)",
  "quantity('100mb').isLessThan(quantity('1Gi'))",
  "object.spec.replicas >= 1 and object.spec.replicas <= 5",
];

const TYPES = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: backups.example.com
spec:
  group: example.com
  names: {kind: Backup, plural: backups, singular: backup, listKind: BackupList}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [schedule]
            properties:
              schedule: {type: string}
              keep: {type: integer}
`;

const OBJECT = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: default
spec:
  replicas: 7
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: web, image: nginx}
`;

export const EXAMPLES = [
  ...EXPRESSIONS.map((expression) => ({
    name: expression.replaceAll("\n", " "),
    policy: policy(expression),
    types: "",
    object: OBJECT,
  })),
  {
    name: "a custom resource: object.spec.retention >= 7",
    policy: policy("object.spec.retention >= 7")
      .replace("[apps]", "[example.com]")
      .replace("[deployments]", "[backups]"),
    types: TYPES,
    object: `apiVersion: example.com/v1
kind: Backup
metadata: {name: nightly, namespace: default}
spec: {schedule: "0 3 * * *", keep: 7}
`,
  },
];
