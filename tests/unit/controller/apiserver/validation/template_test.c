#include "controller/apiserver/validation/template.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/text/jsonval.h"
#include "typecheck/cel/types/celgo.h"

#define TEMPLATE(targets)                                                                                    \
    "{\"apiVersion\":\"templates.gatekeeper.sh/v1\",\"kind\":\"ConstraintTemplate\",\"spec\":{\"targets\":"  \
    "[" targets "]}}"
#define TARGET(source)                                                                                       \
    "{\"code\":[{\"engine\":\"Rego\"},{\"engine\":\"K8sNativeValidation\",\"source\":" source "}]}"

/* first: the field and message of the first fault; NULL: there is none. */
static const struct {
    const char *json;
    bool is_checked;
    const char *first;
} rows[] = {
    {"{}", false, NULL},
    {"[]", false, NULL},
    {TEMPLATE(""), false, NULL},
    {TEMPLATE("{}"), false, NULL},
    {TEMPLATE(TARGET("{}") "," TARGET("{}")), false, NULL},
    {TEMPLATE(TARGET("{}")), true, NULL},
    {TEMPLATE(TARGET("[]")), true, NULL},
    {TEMPLATE(TARGET("null")), true, NULL},
    {TEMPLATE(TARGET("{\"validations\":{},\"variables\":[1],\"matchCondition\":[null]}")), true,
     "spec.targets[0].code[1].source.variables[0].expression: compilation failed: "},
    {TEMPLATE(TARGET("{\"validations\":[{\"expression\":\"variables.params.x == 1\"}]}")), true, NULL},
    {TEMPLATE(TARGET("{\"validations\":[{\"expression\":\"params.x == 1\"}]}")), true,
     "spec.targets[0].code[1].source.validations[0].expression: compilation failed: "},
    {TEMPLATE(TARGET("{\"variables\":[{\"name\":\"params\",\"expression\":\"1\"}]}")), true,
     "spec.targets[0].code[1].source.variables[0].name: Gatekeeper refuses"},
};

static void test_rows(void **state)
{
    (void)state;
    struct env *env = env_new(ENV_NEWEST_LEVEL, celgo_in(ENV_NEWEST_LEVEL));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct json_object *json = NULL;
        struct err err = {0};
        struct fielderrors found = {.minor = ENV_NEWEST_LEVEL};
        char first[1024] = "";
        assert_int_equal(jsonval_parse(rows[i].json, strlen(rows[i].json), &json, &err), 0);
        assert_int_equal(template_is_checked(json), rows[i].is_checked);
        template_check(json, env, &found);
        if (found.count > 0)
            snprintf(first, sizeof first, "%s: %s", found.items[0].field, found.items[0].message);
        if (rows[i].first == NULL ? found.count != 0
                                  : strncmp(first, rows[i].first, strlen(rows[i].first)) != 0)
            fail_msg("%s: %s", rows[i].json, first);
        fielderrors_deinit(&found);
        json_object_put(json);
    }
    env_free(env);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
