#include "typecheck/policy/crdrules/crd_fit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/values/json_value.h"

#define BUDGET      ((size_t)4 << 20)
#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

static const struct {
    const char *schema, *value, *problem;
} rows[] = {
    {"{}", "{\"a\":1}", ""},
    {"{\"required\":[\"a\"]}", "{\"a\":null}", ""},
    {"{\"required\":[\"a\",\"b\"]}", "{\"a\":1}", "b is required"},
    {"{\"properties\":{\"s\":{\"required\":[\"a\"]}}}", "{\"s\":{}}", "s.a is required"},
    {"{\"properties\":{\"s\":{\"required\":[\"a\"]}}}", "{\"s\":null}", ""},
    {"{\"properties\":{\"s\":{\"required\":[\"a\"]}}}", "{}", ""},
    {"{\"additionalProperties\":{\"required\":[\"a\"]}}", "{\"x\":{}}", "[x].a is required"},
    {"{\"properties\":{\"l\":{\"items\":{\"maxLength\":2}}}}", "{\"l\":[\"ab\",\"abc\"]}",
     "l[1] is too long"},
    {"{\"properties\":{\"s\":{\"maxLength\":2}}}", "{\"s\":\"\xc3\xa4\xc3\xb6\"}", ""},
    {"{\"properties\":{\"s\":{\"maxLength\":1}}}", "{\"s\":\"\xc3\xa4\xc3\xb6\"}", "s is too long"},
    {"{\"properties\":{\"l\":{\"maxItems\":1}}}", "{\"l\":[1]}", ""},
    {"{\"properties\":{\"l\":{\"maxItems\":1}}}", "{\"l\":[1,2]}", "l has too many items"},
    {"{\"properties\":{\"m\":{\"maxProperties\":0}}}", "{\"m\":{\"a\":1}}", "m has too many entries"},
    {"{\"properties\":{\"e\":{\"enum\":[\"a\",2]}}}", "{\"e\":2}", ""},
    {"{\"properties\":{\"e\":{\"enum\":[\"a\",2]}}}", "{\"e\":\"b\"}",
     "e is none of the values that the schema lists"},
    {"{\"allOf\":[{},{\"required\":[\"a\"]}]}", "{}", "a is required"},
    {"{\"anyOf\":[{\"required\":[\"a\"]}],\"not\":{\"maxProperties\":9}}", "{}", ""}, /* not looked for */
    {"{\"required\":[\"a\",\"b\"]}", "{}", "a is required"},                          /* the first one */
};

static void test_problems(void **state)
{
    struct arena a;
    (void)state;
    arena_init(&a, BUDGET);
    assert_int_equal(setjmp(a.escape), 0);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct str problem = crd_fit_problem(&a, json_value_read(&a, str_of(rows[i].value)),
                                             json_value_read(&a, str_of(rows[i].schema)));
        if (!str_eq(problem, str_of(rows[i].problem)))
            fail_msg("%s of %s: %.*s", rows[i].value, rows[i].schema, STR_ARG(problem));
    }
    arena_deinit(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_problems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
