#include "controller/status/policysample.h"

#define OWNED(condition)                                                                                     \
    "\"k:{\\\"type\\\":\\\"" condition "\\\"}\":{\".\":{},\"f:lastTransitionTime\":{},\"f:message\":{},"     \
    "\"f:observedGeneration\":{},\"f:reason\":{},\"f:status\":{},\"f:type\":{}}"

#define CONDITION(condition, status, reason, message)                                                        \
    "{\"lastTransitionTime\":\"2026-01-01T00:00:00Z\",\"message\":\"" message                                \
    "\",\"observedGeneration\":1,\"reason\":\"" reason "\",\"status\":\"" status "\",\"type\":\"" condition  \
    "\"}"

const char policysample[] =
    "{\"kind\":\"ValidatingAdmissionPolicyBinding\",\"metadata\":{\"labels\":{\"app.kubernetes.io/"
    "name\":\"\"}},"
    "\"spec\":{\"policyName\":\"\",\"paramRef\":{\"name\":\"\",\"parameterNotFoundAction\":\"Deny\"},"
    "\"validationActions\":[\"Deny\",\"Audit\"]}}"
    "{\"apiVersion\":\"admissionregistration.k8s.io/"
    "v1\",\"kind\":\"ValidatingAdmissionPolicy\",\"metadata\":{\"name\":\"\","
    "\"uid\":\"\",\"resourceVersion\":\"1\",\"generation\":1,\"creationTimestamp\":\"2026-01-01T00:00:00Z\","
    "\"annotations\":{\"kubectl.kubernetes.io/last-applied-configuration\":\"\"},"
    "\"managedFields\":[{\"manager\":\"vapcheck-controller\",\"operation\":\"Apply\","
    "\"apiVersion\":\"admissionregistration.k8s.io/"
    "v1\",\"time\":\"2026-01-01T00:00:00Z\",\"fieldsType\":\"FieldsV1\","
    "\"fieldsV1\":{\"f:status\":{\"f:conditions\":{" OWNED("Bound") "," OWNED("ExpressionsValid") "," OWNED("ParamKindFound") "," OWNED(
        "TypeChecked") "},\"f:observedGeneration\":{},\"f:typeChecking\":{\"f:expressionWarnings\":{}}}},"
                       "\"subresource\":\"status\"}]},"
                       "\"spec\":{\"failurePolicy\":\"Fail\",\"paramKind\":{\"apiVersion\":\"v1\",\"kind\":"
                       "\"ConfigMap\"},"
                       "\"matchConstraints\":{\"namespaceSelector\":{},\"objectSelector\":{},"
                       "\"resourceRules\":["
                       "{\"apiGroups\":[\"apps\"],\"apiVersions\":[\"v1\"],\"operations\":[\"CREATE\","
                       "\"UPDATE\"],\"resources\":[\"deployments\"],"
                       "\"scope\":\"*\"}],\"matchPolicy\":\"Equivalent\"},\"matchConditions\":[{\"name\":"
                       "\"\",\"expression\":\"!('system:serviceaccount:' in request.userInfo.groups)\"}],"
                       "\"variables\":[{\"name\":\"containers\",\"expression\":\"has(object.metadata.labels) "
                       "&& object.spec.template.spec.containers.all(c, has(c.securityContext) && "
                       "c.image.startsWith('')\"}],"
                       "\"validations\":[{\"expression\":\"\",\"message\":\"\",\"messageExpression\":\"\","
                       "\"reason\":\"Invalid\"}],\"auditAnnotations\":[{\"key\":\"\",\"valueExpression\":"
                       "\"\"}]},"
                       "\"status\":{\"conditions\":[" CONDITION("ParamKindFound", "True", "Found", "the cluster serves kind ") "," CONDITION("TypeChecked", "True", "AllTypesChecked", "every type that the rules match was checked") "," CONDITION(
                           "ExpressionsValid", "True", "NoWarnings",
                           "no warnings") "," CONDITION("Bound", "False", "NoBinding",
                                                        "no ValidatingAdmissionPolicyBinding names this "
                                                        "policy: it is not enforced") "," CONDITION("Bound",
                                                                                                    "True",
                                                                                                    "BindingF"
                                                                                                    "ound",
                                                                                                    "Validati"
                                                                                                    "ngAdmiss"
                                                                                                    "ionPolic"
                                                                                                    "yBinding"
                                                                                                    " names "
                                                                                                    "this "
                                                                                                    "policy") "],\"observedGeneration\":1,\"typeChecking\":{\"expressionWarnings\":[{\"fieldRef\":\"spec.validations[0].expression\",\"warning\":\""
                                                                                                              "apps/v1, Kind=Deployment: ERROR: <input>:1:7: undefined field ''\\n | object.\\n | ......^\"}]}}}";
