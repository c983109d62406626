#include "typecheck/cel/schema/given_fields.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_given_fields(void **state)
{
    (void)state;
    static const struct {
        const char *component, *place, *field;
        int minor;
        bool is_given;
    } rows[] = {
        {"io.k8s.api.apps.v1.DeploymentSpec", "Deployment.spec", "replicas", 37, true},
        {"io.k8s.api.apps.v1.DeploymentSpec", "Deployment.spec", "paused", 37, false},
        {"io.k8s.api.apps.v1.DeploymentSpec", "Deployment.spec", "replica", 37, false},
        {"io.k8s.api.autoscaling.v1.ScaleSpec", "Scale.spec", "replicas", 37, false},
        {"io.k8s.api.core.v1.PodSpec", "Pod.spec", "restartPolicy", 37, true},
        {"io.k8s.api.core.v1.PodSpec", "Pod.spec", "serviceAccountName", 37, true},
        {"io.k8s.api.core.v1.PodSpec", "Deployment.spec.template.spec", "serviceAccountName", 37, false},
        {"io.k8s.api.core.v1.PodSpec", "Pod.spec", "volumes", 37, false},
        {"io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta", "Pod.metadata", "name", 37, true},
        {"io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta", "Pod.metadata", "labels", 37, false},
        {"io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta", "Namespace.metadata", "labels", 37, true},
        {"io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta", "Job.metadata", "labels", 37, false},
        {"io.k8s.api.core.v1.PodSpec", "Pod.spec", "priority", 37, true},
        {"io.k8s.api.core.v1.PodSpec", "Pod.spec", "tolerations", 37, true},
        {"io.k8s.api.core.v1.Container", "Pod.spec.containers", "image", 37, true},
        {"io.k8s.api.core.v1.Container", "Pod.spec.containers", "command", 37, false},
        {"io.k8s.api.core.v1.ServicePort", "Service.spec.ports", "targetPort", 37, true},
        {"io.k8s.api.apps.v1.DeploymentStrategy", "Deployment.spec.strategy", "rollingUpdate", 37, false},
        {"io.k8s.api.batch.v1.JobSpec", "Job.spec", "suspend", 37, true},
        {"io.k8s.api.batch.v1.JobSpec", "Job.spec", "completions", 37, false},
        {"io.k8s.api.batch.v1.JobSpec", "Job.spec", "selector", 37, true},
        {"io.k8s.api.batch.v1.JobSpec", "CronJob.spec.jobTemplate.spec", "suspend", 37, false},
        {"io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerSpec", "HorizontalPodAutoscaler.spec", "metrics",
         37, true},
        {"io.k8s.api.autoscaling.v1.HorizontalPodAutoscalerSpec", "HorizontalPodAutoscaler.spec", "metrics",
         37, false},
        {"io.k8s.api.apps.v1.RollingUpdateStatefulSetStrategy",
         "StatefulSet.spec.updateStrategy.rollingUpdate", "maxUnavailable", 37, true},
        {"io.k8s.api.apps.v1.RollingUpdateStatefulSetStrategy",
         "StatefulSet.spec.updateStrategy.rollingUpdate", "maxUnavailable", 36, false},
        {"com.example.Pod", "Pod.spec", "priority", 37, false},
        {"", "", "", 37, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool got = given_fields_has(str_of(rows[i].component), str_of(rows[i].place), str_of(rows[i].field),
                                    rows[i].minor);
        if (got != rows[i].is_given)
            fail_msg("%s of %s: %d", rows[i].field, rows[i].place, got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_given_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
