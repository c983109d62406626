#include "typecheck/schema/filled_fields.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_filled_fields(void **state)
{
    (void)state;
    static const struct {
        const char *go_type, *place, *field;
        bool is_filled;
    } rows[] = {
        {"io.k8s.api.apps.v1.DeploymentSpec", "Deployment.spec", "replicas", true},
        {"io.k8s.api.apps.v1.DeploymentSpec", "Deployment.spec", "paused", false},
        {"io.k8s.api.apps.v1.DeploymentSpec", "Deployment.spec", "replica", false},
        {"io.k8s.api.autoscaling.v1.ScaleSpec", "Scale.spec", "replicas", false},
        {"io.k8s.api.core.v1.PodSpec", "Pod.spec", "restartPolicy", true},
        {"io.k8s.api.core.v1.PodSpec", "Pod.spec", "serviceAccountName", true},
        {"io.k8s.api.core.v1.PodSpec", "Deployment.spec.template.spec", "serviceAccountName", false},
        {"io.k8s.api.core.v1.PodSpec", "Pod.spec", "volumes", false},
        {"io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta", "Pod.metadata", "name", true},
        {"io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta", "Pod.metadata", "labels", false},
        {"io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta", "Namespace.metadata", "labels", true},
        {"", "", "", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool got = filled_fields_has(str_of(rows[i].go_type), str_of(rows[i].place), str_of(rows[i].field));
        if (got != rows[i].is_filled)
            fail_msg("%s of %s: %d", rows[i].field, rows[i].place, got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_filled_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
