#include "controller/apiserver/crd/crdself.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/text/jsonval.h"

enum { MINOR = 37 };

#define RULES                                                                                                \
    "\"x-kubernetes-validations\":[{\"rule\":\"true\"},{\"rule\":\"true\",\"optionalOldSelf\":true}]"

static const char definition[] =
    "{\"spec\":{\"versions\":[{\"name\":\"v0\"},{\"name\":\"v1\",\"schema\":{\"openAPIV3Schema\":{"
    "\"type\":\"object\"," RULES ",\"not\":{" RULES "},\"properties\":{"
    "\"a.b\":{\"type\":\"array\",\"description\":\"list\"," RULES ",\"items\":{\"type\":\"string\"," RULES
    "}},"
    "\"m\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"integer\"," RULES "}},"
    "\"open\":{\"x-kubernetes-preserve-unknown-fields\":true," RULES "}}}}}]}}";

#define SCHEMA "spec.versions[1].schema.openAPIV3Schema"
#define RULE   ".x-kubernetes-validations[0].rule"

static void test_places(void **state)
{
    (void)state;
    static const struct {
        const char *field;
        bool is_there;
        int64_t max_elements; /* tells the place */
    } rows[] = {
        {SCHEMA RULE, true, -1},
        {SCHEMA ".x-kubernetes-validations[1].messageExpression", true, -1},
        {SCHEMA ".properties[a.b]" RULE, true, -1},
        {SCHEMA ".properties[a.b].items" RULE, true, -1},
        {SCHEMA ".properties.m.additionalProperties" RULE, true, 0},
        {SCHEMA ".properties.a.b" RULE, false, 0},
        {SCHEMA ".properties.none" RULE, false, 0},
        {SCHEMA ".properties.open" RULE, false, 0},
        {SCHEMA ".not" RULE, false, 0},
        {SCHEMA ".properties.m.items" RULE, false, 0},
        {SCHEMA ".x-kubernetes-validations[0].message", false, 0},
        {SCHEMA ".x-kubernetes-validations", false, 0},
        {SCHEMA ".x-kubernetes-validations[0", false, 0},
        {SCHEMA, false, 0},
        {"spec.versions[0].schema.openAPIV3Schema" RULE, false, 0},
        {"spec.versions[9].schema.openAPIV3Schema" RULE, false, 0},
        {"spec.versions", false, 0},
        {"metadata.name", false, 0},
        {"", false, 0},
    };
    struct json_object *json = NULL;
    struct err err = {0};
    assert_int_equal(jsonval_parse(definition, strlen(definition), &json, &err), 0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct crdself found;
        const bool is_there = crdself_find(json, MINOR, rows[i].field, &found);
        if (is_there != rows[i].is_there)
            fail_msg("%s: %d", rows[i].field, is_there);
        if (!is_there)
            continue;
        if (rows[i].max_elements >= 0)
            assert_int_equal(crd_type_max_elements(&found.type), rows[i].max_elements);
        assert_int_equal(found.has_optional_old_self, strstr(rows[i].field, "[1].message") != NULL);
        assert_int_equal(jsonval_get(found.at, "description") != NULL,
                         strstr(rows[i].field, "[a.b].x") != NULL);
        crdself_deinit(&found);
    }
    json_object_put(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
