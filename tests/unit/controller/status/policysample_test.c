#include "controller/status/policysample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/deflated.h"

static const char policy[] =
    "{\"apiVersion\":\"admissionregistration.k8s.io/v1\",\"kind\":\"ValidatingAdmissionPolicy\",\"metadata\":"
    "{\"creationTimestamp\":\"2025-03-04T05:06:07Z\",\"generation\":2,\"managedFields\":[{\"apiVersion\":"
    "\"admissionregistration.k8s.io/"
    "v1\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{\"f:status\":{\"f:conditions\":{"
    "\"k:{\\\"type\\\":\\\"ExpressionsValid\\\"}\":{\".\":{},\"f:lastTransitionTime\":{},\"f:message\":{},"
    "\"f:observedGeneration\":{},\"f:reason\":{},\"f:status\":{},\"f:type\":{}}},\"f:observedGeneration\":{}}"
    "},"
    "\"manager\":\"vapcheck-controller\",\"operation\":\"Apply\",\"subresource\":\"status\",\"time\":"
    "\"2025-03-04T05:06:08Z\"}],\"name\":\"at-most-five\",\"resourceVersion\":\"4711\",\"uid\":"
    "\"0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0\"},\"spec\":{\"failurePolicy\":\"Fail\",\"matchConstraints\":"
    "{\"matchPolicy\":\"Equivalent\",\"namespaceSelector\":{},\"objectSelector\":{},\"resourceRules\":[{"
    "\"apiGroups\":"
    "[\"apps\"],\"apiVersions\":[\"v1\"],\"operations\":[\"CREATE\",\"UPDATE\"],\"resources\":["
    "\"deployments\"],"
    "\"scope\":\"*\"}]},\"validations\":[{\"expression\":\"object.spec.replicas <= "
    "5\"}]},\"status\":{\"conditions\":["
    "{\"lastTransitionTime\":\"2025-03-04T05:06:08Z\",\"message\":\"no warnings\",\"observedGeneration\":2,"
    "\"reason\":\"NoWarnings\",\"status\":\"True\",\"type\":\"ExpressionsValid\"}],\"observedGeneration\":2,"
    "\"typeChecking\":{}}}";

static size_t deflated_len(const char *sample)
{
    cleanup_buf struct buf packed;
    buf_init(&packed, sizeof policy);
    assert_int_equal(deflated_put(&packed, policy, sizeof policy - 1, sample), 0);
    return packed.len;
}

static void test_a_policy_takes_half_of_the_memory(void **state)
{
    (void)state;
    assert_true(deflated_len(policysample) < deflated_len(NULL) / 2);
    assert_true(deflated_len(policysample) < sizeof policy / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_policy_takes_half_of_the_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
