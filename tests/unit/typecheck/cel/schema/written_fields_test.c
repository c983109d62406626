#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "typecheck/cel/schema/written_fields.h"

static bool omits(struct str component, struct str name)
{
    const struct written_fields *fields = written_fields_find(component);
    return fields != NULL && written_fields_has(fields->omitted, name);
}

static void test_all_versions_of_a_group_are_alike(void **state)
{
    (void)state;
    assert_true(omits(STR("io.k8s.api.apps.v1.DeploymentSpec"), STR("paused")));
    assert_true(omits(STR("io.k8s.api.apps.v1beta1.DeploymentSpec"), STR("paused")));
    assert_false(omits(STR("io.k8s.api.apps.v1.DeploymentSpec"), STR("replicas"))); /* a pointer */
    assert_false(omits(STR("io.k8s.api.apps.v1.DeploymentSpec"), STR("pause")));
}

static void test_versions_of_a_group_differ(void **state)
{
    (void)state;
    assert_true(omits(STR("io.k8s.api.resource.v1beta1.ResourceSliceSpec"), STR("nodeName")));
    assert_false(omits(STR("io.k8s.api.resource.v1.ResourceSliceSpec"), STR("nodeName")));
    assert_true(omits(STR("io.k8s.api.rbac.v1alpha1.Subject"), STR("apiVersion")));
    assert_false(omits(STR("io.k8s.api.rbac.v1.Subject"), STR("apiVersion")));
}

static void test_types_that_have_no_row(void **state)
{
    (void)state;
    assert_null(written_fields_find(STR("io.k8s.api.apps.v1.Nothing")));
    assert_null(written_fields_find(STR("Deployment")));
    assert_null(written_fields_find(STR("")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_versions_of_a_group_are_alike),
        cmocka_unit_test(test_versions_of_a_group_differ),
        cmocka_unit_test(test_types_that_have_no_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
