#include "controller/apiserver/validation/strictdecode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"

#define HANDLED                                                                                              \
    "ValidatingAdmissionPolicy in version \"v1beta1\" cannot be handled as a ValidatingAdmissionPolicy: "

/* field NULL: it fits. */
static const struct {
    const char *json, *field, *message;
} rows[] = {
    {"{}", NULL, NULL},
    {"{\"spec\":null,\"metadata\":{\"labels\":null,\"finalizers\":[null]}}", NULL, NULL},
    {"{\"metadata\":{\"creationTimestamp\":5,\"managedFields\":[{\"fieldsV1\":{\"x\":1}}]}}", NULL, NULL},
    {"{\"metadata\":{\"managedFields\":[{\"x\":1}]}}", "metadata.managedFields[0].x",
     HANDLED "strict decoding error: unknown field \"metadata.managedFields[0].x\""},
    {"{\"\":1}", "", HANDLED "strict decoding error: unknown field \"\""},
    {"{\"spec\":{\"validations\":[{},{\"a\":1}],\"b\":2}}", "spec.validations[1].a",
     HANDLED "strict decoding error: unknown field \"spec.validations[1].a\", unknown field \"spec.b\""},
    {"{\"x\":1,\"spec\":{\"validations\":[{},{\"message\":1}],\"failurePolicy\":[]}}",
     "spec.validations[1].message",
     HANDLED
     "json: cannot unmarshal number into Go struct field Validation.spec.validations.message of type string"},
    {"{\"spec\":{\"failurePolicy\":true}}", "spec.failurePolicy",
     HANDLED
     "json: cannot unmarshal bool into Go struct field ValidatingAdmissionPolicySpec.spec.failurePolicy of "
     "type v1beta1.FailurePolicyType"},
    {"{\"metadata\":{\"labels\":{\"a\":[]}}}", "metadata.labels.a",
     HANDLED "json: cannot unmarshal array into Go struct field ObjectMeta.metadata.labels of type string"},
    {"{\"metadata\":{\"generation\":1.5}}", "metadata.generation",
     HANDLED
     "json: cannot unmarshal number 1.5 into Go struct field ObjectMeta.metadata.generation of type int64"},
    {"{\"spec\":{\"variables\":{}}}", "spec.variables",
     HANDLED "json: cannot unmarshal object into Go struct field "
             "ValidatingAdmissionPolicySpec.spec.variables of type "
             "[]v1beta1.Variable"},
};

static void test_policies(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct json_object *json = NULL;
        struct err err = {0};
        struct fielderror misfit = {0};
        assert_int_equal(jsonval_parse(rows[i].json, strlen(rows[i].json), &json, &err), 0);
        enum strictdecode_fit fit =
            strictdecode_fits("ValidatingAdmissionPolicy", "v1beta1", 0, json, &misfit);
        assert_int_equal(fit == STRICTDECODE_FITS, rows[i].field == NULL);
        if (fit != STRICTDECODE_FITS) {
            assert_int_equal(fit == STRICTDECODE_UNKNOWN_FIELDS,
                             strstr(misfit.message, "strict decoding error") != NULL);
            assert_string_equal(misfit.field, rows[i].field);
            assert_string_equal(misfit.message, rows[i].message);
            assert_non_null(misfit.saying);
            fielderrors_free_one(&misfit);
        }
        json_object_put(json);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_policies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
