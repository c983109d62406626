#include "controller/apiserver/validation/server_warnings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"

#define RULE(groups, resources) "{\"apiGroups\":[" groups "],\"resources\":[" resources "]}"
#define WEBHOOKS(rules)                                                                                      \
    "{\"kind\":\"MutatingWebhookConfiguration\",\"webhooks\":[{},{\"rules\":[" rules "]}]}"
#define DEFINITION(schema)                                                                                   \
    "{\"kind\":\"CustomResourceDefinition\",\"spec\":{\"versions\":[{\"schema\":{"                           \
    "\"openAPIV3Schema\":" schema "}}]}}"

/* Where the first warning is; the texts are tests/golden/server_warnings/1.37.json's, from a real server. */
static const struct {
    const char *object;
    int minor;
    size_t count;
    const char *field;
} rows[] = {
    {WEBHOOKS(RULE("\"\"", "\"pods\"") "," RULE("\"authentication.k8s.io\"", "\"tokenreviews\"")), 37, 1,
     "webhooks[1].rules[1]"},
    {WEBHOOKS(RULE("\"authentication.k8s.io\"", "\"tokenreviews\"")), 36, 0, NULL},
    {WEBHOOKS(RULE("\"authentication.k8s.io\"", "\"tokenreviews\",\"*\"")), 37, 0, NULL},
    {DEFINITION("{\"properties\":{\"a\":{\"type\":\"string\",\"format\":\"x\"},\"b\":{\"format\":\"x\"}}}"),
     37, 1, "spec.versions[0].schema.openAPIV3Schema.properties.a.format"},
    {DEFINITION("{\"type\":\"string\",\"format\":\"x\"}"), 33, 0, NULL},
    {DEFINITION("{\"type\":\"string\",\"format\":\"x\"}"), 34, 1,
     "spec.versions[0].schema.openAPIV3Schema.format"},
    {DEFINITION("{\"type\":\"string\",\"format\":\"k8s-short-name\"}"), 34, 1,
     "spec.versions[0].schema.openAPIV3Schema.format"},
    {DEFINITION("{\"type\":\"string\",\"format\":\"k8s-short-name\"}"), 35, 0, NULL},
    {DEFINITION("{\"format\":\"x\"}"), 35, 0, NULL},
    {DEFINITION("{\"format\":\"x\"}"), 36, 1, "spec.versions[0].schema.openAPIV3Schema.format"},
    {DEFINITION("{\"type\":\"integer\",\"format\":\"int16\"}"), 35, 0, NULL},
    {DEFINITION("{\"type\":\"integer\",\"format\":\"int16\"}"), 36, 1,
     "spec.versions[0].schema.openAPIV3Schema.format"},
    {DEFINITION("{\"type\":\"boolean\",\"format\":\"date\"}"), 35, 0, NULL},
    {DEFINITION("{\"x-kubernetes-list-type\":\"set\",\"items\":{\"type\":\"object\"}}"), 37, 1,
     "spec.versions[0].schema.openAPIV3Schema.x-kubernetes-list-type"},
    {DEFINITION("{\"items\":[{\"format\":\"x\"}],\"not\":true,\"allOf\":[1,{\"not\":{\"format\":\"y\"}}]}"),
     37, 2, "spec.versions[0].schema.openAPIV3Schema.items[0].format"},
    {"{\"kind\":\"ValidatingAdmissionPolicy\",\"metadata\":{\"name\":\"a.static.k8s.io\"}}", 36, 1,
     "metadata.name"},
    {"{\"kind\":\"ValidatingAdmissionPolicy\",\"metadata\":{\"name\":\"a.static.k8s.io\"}}", 35, 0, NULL},
    {"{\"kind\":\"ValidatingAdmissionPolicy\",\"metadata\":{\"ownerReferences\":[{\"uid\":\"u\"},{\"uid\":"
     "\"u\"}]}}",
     30, 1, "metadata.ownerReferences"},
    {"{\"kind\":\"ValidatingAdmissionPolicy\",\"metadata\":1}", 37, 0, NULL},
    {"{}", 37, 0, NULL},
};

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cleanup_json struct json_object *json = NULL;
        struct fielderrors found = {.minor = rows[i].minor};
        struct err err = {0};
        assert_int_equal(jsonval_parse(rows[i].object, strlen(rows[i].object), &json, &err), 0);
        server_warnings_find(json, &found);
        assert_int_equal(found.count, rows[i].count);
        if (found.count > 0)
            assert_string_equal(found.items[0].field, rows[i].field);
        fielderrors_deinit(&found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
