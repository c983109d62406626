#include "controller/match/objectkind.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"

static enum objectkind kind_of(const char *api_version, const char *kind)
{
    cleanup_json struct json_object *object = json_object_new_object();
    if (api_version != NULL)
        jsonval_set(object, "apiVersion", json_object_new_string(api_version));
    if (kind != NULL)
        jsonval_set(object, "kind", json_object_new_string(kind));
    return objectkind_of(object);
}

static void test_each_kind_is_read_in_its_group(void **state)
{
    (void)state;
    for (size_t i = 0; i < OBJECTKIND_COUNT; i++) {
        const struct objectkind_row *row = &objectkind_rows[i];
        const size_t len = strcspn(row->versions, " ");
        cleanup_mem char *api_version =
            mem_printf("%s/%.*s", row->group, (int)(len == 0 ? 2 : len), len == 0 ? "v1" : row->versions);
        assert_int_equal(kind_of(api_version, row->name), i);
        assert_int_equal(objectkind_named(row->name), i);
        assert_int_equal(objectkind_words_of(row->name), row->words);
    }
}

static void test_groups_and_versions(void **state)
{
    (void)state;
    static const struct {
        const char *api_version, *kind;
        enum objectkind wanted;
    } rows[] = {
        {"admissionregistration.k8s.io/v9", "ValidatingAdmissionPolicy", OBJECTKIND_POLICY},
        {"admissionregistration.k8s.io", "ValidatingAdmissionPolicy", OBJECTKIND_MISNAMED},
        {"admissionregistration.k8s.io/v1", "ClusterAdmissionPolicy", OBJECTKIND_MISNAMED},
        {"admissionregistration.k8s.io/v1", "DeviceClass", OBJECTKIND_MISNAMED},
        {"admissionregistration.k8s.io/v1", NULL, OBJECTKIND_OTHER},
        {"policies.kubewarden.io/v1", "ClusterAdmissionPolicy", OBJECTKIND_OTHER},
        {"apps/v1", "ValidatingWebhookConfiguration", OBJECTKIND_MISNAMED},
        {NULL, "MutatingAdmissionPolicyBinding", OBJECTKIND_MISNAMED},
        {"apiextensions.k8s.io/v1", "CustomResourceDefinition", OBJECTKIND_CRD},
        {"apiextensions.k8s.io/v1beta1", "CustomResourceDefinition", OBJECTKIND_OTHER},
        {"apiextensions.crossplane.io/v2", "CompositeResourceDefinition", OBJECTKIND_COMPOSITE},
        {"apiextensions.crossplane.io/v3", "CompositeResourceDefinition", OBJECTKIND_OTHER},
        {"resource.k8s.io/v7", "ResourceClaimTemplate", OBJECTKIND_RESOURCE_CLAIM_TEMPLATE},
        {"resource.k8s.io/v1", "ResourceSlice", OBJECTKIND_OTHER},
        {NULL, NULL, OBJECTKIND_OTHER},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(kind_of(rows[i].api_version, rows[i].kind), rows[i].wanted);
}

static void test_what_sentences_call_a_kind(void **state)
{
    (void)state;
    assert_string_equal(objectkind_words[objectkind_words_of("MutatingAdmissionPolicy")].many, "policies");
    assert_string_equal(objectkind_words[objectkind_words_of("ClusterAdmissionPolicy")].one, "object");
    assert_string_equal(objectkind_words[objectkind_words_of("")].one, "object");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_kind_is_read_in_its_group),
        cmocka_unit_test(test_groups_and_versions),
        cmocka_unit_test(test_what_sentences_call_a_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
