#include "controller/matchresources.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/jsonval.h"

/* JSON and what is said of it: "field: how its message begins", a line each. */
static const struct {
    const char *json, *said;
} rows[] = {
    {"{}", ""},
    {"{\"matchPolicy\":\"x\"}",
     "m.matchPolicy: Unsupported value: \"x\": supported values: \"Equivalent\", \"Exact\""},
    {"{\"resourceRules\":[{}]}",
     "m.resourceRules[0].operations: Required\nm.resourceRules[0].apiGroups: Required\n"
     "m.resourceRules[0].apiVersions: Required\nm.resourceRules[0].resources: Required"},
    {"{\"excludeResourceRules\":[{\"operations\":[\"*\",\"GET\"],\"apiGroups\":[\"\"],\"apiVersions\":[\"\"],"
     "\"resources\":[\"a/*\",\"a/b\",\"*\",\"c\"],\"scope\":\"All\",\"resourceNames\":[\"a\",\"a\"]}]}",
     "m.excludeResourceRules[0].resourceNames[1]: Duplicate value: \"a\"\n"
     "m.excludeResourceRules[0].operations: Invalid value: [\"*\",\"GET\"]: if\n"
     "m.excludeResourceRules[0].operations[1]: Unsupported value: \"GET\"\n"
     "m.excludeResourceRules[0].apiVersions[0]: Required\n"
     "m.excludeResourceRules[0].resources[1]: Invalid value: \"a/b\": if 'a/*' is present\n"
     "m.excludeResourceRules[0].resources: Invalid value: [\n"
     "m.excludeResourceRules[0].scope: Unsupported value: \"All\""},
};

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct json_object *json = NULL;
        struct err err = {0};
        struct fielderrors e = {0};
        const char *wanted = rows[i].said;
        assert_int_equal(jsonval_parse(rows[i].json, strlen(rows[i].json), &json, &err), 0);
        matchresources_check(json, "m", &e);
        for (size_t j = 0; j < e.count; j++) {
            size_t line = strcspn(wanted, "\n"), field = strlen(e.items[j].field);
            if (line < field + 2 || strncmp(wanted, e.items[j].field, field) != 0 ||
                strncmp(wanted + field + 2, e.items[j].message, line - field - 2) != 0)
                fail_msg("%s: %s: %s", rows[i].json, e.items[j].field, e.items[j].message);
            wanted += line + (wanted[line] == '\n');
        }
        assert_string_equal(wanted, "");
        fielderrors_deinit(&e);
        json_object_put(json);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
