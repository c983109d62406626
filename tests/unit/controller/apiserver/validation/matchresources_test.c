#include "controller/apiserver/validation/matchresources.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/controller/errorrows.h"

static const struct errorrow rows[] = {
    {"{}", ""},
    {"{\"matchPolicy\":\"x\"}",
     "m.matchPolicy: Unsupported value: \"x\": supported values: \"Equivalent\", \"Exact\"\n"},
    {"{\"resourceRules\":[{}]}", "m.resourceRules[0].operations: Required value\n"
                                 "m.resourceRules[0].apiGroups: Required value\n"
                                 "m.resourceRules[0].apiVersions: Required value\n"
                                 "m.resourceRules[0].resources: Required value\n"},
    {"{\"excludeResourceRules\":[{\"operations\":[\"*\",\"GET\"],\"apiGroups\":[\"\"],\"apiVersions\":[\"\"],"
     "\"resources\":[\"a/*\",\"a/b\",\"*\",\"c\"],\"scope\":\"All\",\"resourceNames\":[\"a\",\"a\"]}]}",
     "m.excludeResourceRules[0].resourceNames[1]: Duplicate value: \"a\"\n"
     "m.excludeResourceRules[0].operations: Invalid value: [\"*\",\"GET\"]: if '*' is present, must not "
     "specify other operations\n"
     "m.excludeResourceRules[0].operations[1]: Unsupported value: \"GET\": supported values: \"*\", "
     "\"CONNECT\", \"CREATE\", \"DELETE\", \"UPDATE\"\n"
     "m.excludeResourceRules[0].apiVersions[0]: Required value\n"
     "m.excludeResourceRules[0].resources[1]: Invalid value: \"a/b\": if 'a/*' is present, must not specify "
     "a/b\n"
     "m.excludeResourceRules[0].resources: Invalid value: [\"a/*\",\"a/b\",\"*\",\"c\"]: if '*' is present, "
     "must not specify other resources without subresources\n"
     "m.excludeResourceRules[0].scope: Unsupported value: \"All\": supported values: \"*\", \"Cluster\", "
     "\"Namespaced\"\n"},
};

static void check(const struct errorrow *row, struct json_object *json, struct fielderrors *found)
{
    (void)row;
    matchresources_check(json, "m", found);
}

static void test_rows(void **state)
{
    (void)state;
    errorrows_check(rows, sizeof rows / sizeof *rows, check);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
