#include "controller/crdrules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "client/jsonval.h"
#include "client/mem.h"

/* A definition of versions with these schemas. */
static struct json_object *definition(const char *first, const char *second)
{
    cleanup_mem char *text =
        mem_printf("{\"spec\":{\"versions\":[{\"schema\":{\"openAPIV3Schema\":%s}}%s%s%s]}}", first,
                   second == NULL ? "" : ",{\"schema\":{\"openAPIV3Schema\":", second == NULL ? "" : second,
                   second == NULL ? "" : "}}");
    struct json_object *tree;
    struct err err = {0};
    assert_int_equal(jsonval_parse(text, strlen(text), &tree, &err), 0);
    return tree;
}

#define WRAP(list)          "{\"type\":\"object\",\"properties\":{\"l\":" list "}}"
#define RULED(schema, rule) "{" schema ",\"x-kubernetes-validations\":[{\"rule\":\"" rule "\"}]}"

static const struct {
    const char *schema, *field, *message, *hint; /* of the first refusal; field NULL: none; hint NULL: none */
    size_t count;
} rows[] = {
    {WRAP(RULED("\"type\":\"integer\"", "self > 1")), NULL, NULL, NULL, 0},
    {WRAP(RULED("\"type\":\"integer\"", "self")),
     "spec.validation.openAPIV3Schema.properties[l].x-kubernetes-validations[0].rule",
     "Invalid value: "
     "{\"Rule\":\"self\",\"Message\":\"\",\"MessageExpression\":\"\",\"Reason\":null,\"FieldPath\":\"\","
     "\"OptionalOldSelf\":null}: cel expression must evaluate to a bool",
     NULL, 1},
    {WRAP("{\"type\":\"array\",\"items\":" RULED("\"type\":\"string\"", "self.matches('^[a-z]+$')") "}"),
     "spec.validation.openAPIV3Schema.properties[l].items.x-kubernetes-validations[0].rule",
     "Forbidden: estimated rule cost exceeds budget by factor of more than 100x (try simplifying the rule",
     "maxItems: 15 at .l, or maxLength: 9 at .l[*], or maxItems: 3534 at .l and maxLength: 3534 at .l[*] "
     "would do",
     3},
    {WRAP("{\"type\":\"array\",\"items\":" RULED("\"type\":\"string\"", "self == oldSelf") "}"),
     "spec.validation.openAPIV3Schema.properties[l].items.x-kubernetes-validations[0].rule", NULL, NULL, 4},
    {WRAP("{\"type\":\"string\",\"allOf\":[" RULED("\"maxLength\":5", "self.nope") "]}"),
     "spec.validation.openAPIV3Schema.properties[l].allOf[0].x-kubernetes-validations",
     "Forbidden: must be empty to be structural", NULL, 1},
    {WRAP(RULED("\"x-kubernetes-preserve-unknown-fields\":true", "self == 1")),
     "spec.validation.openAPIV3Schema.properties[l].x-kubernetes-validations",
     "Internal error: internal error: failed to construct type information", NULL, 1},
};

static void check_row(const struct env *env, size_t i)
{
    struct json_object *tree = definition(rows[i].schema, NULL);
    struct crdrules found = {0};
    assert_true(crdrules_any(tree));
    crdrules_check(tree, env, &found);
    assert_int_equal(found.n_rules, 1);
    assert_int_equal(found.n_unchecked, 0);
    if (found.refusals.count != rows[i].count)
        fail_msg("%s: %zu refusals", rows[i].schema, found.refusals.count);
    if (rows[i].field != NULL)
        assert_string_equal(found.refusals.items[0].field, rows[i].field);
    if (rows[i].message != NULL)
        assert_memory_equal(found.refusals.items[0].message, rows[i].message, strlen(rows[i].message));
    if (rows[i].hint != NULL)
        assert_string_equal(found.refusals.items[0].hint, rows[i].hint);
    else if (rows[i].message != NULL)
        assert_null(found.refusals.items[0].hint);
    crdrules_deinit(&found);
    json_object_put(tree);
}

static void test_rules(void **state)
{
    (void)state;
    struct env *env = env_new(ENV_NEWEST_LEVEL - 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_row(env, i);
    env_free(env);
}

/* What all versions share is the definition's; else each has its own. */
static void test_versions(void **state)
{
    (void)state;
    static const char bad[] = WRAP(RULED("\"type\":\"integer\"", "self")),
                      good[] = WRAP("{\"type\":\"integer\"}");
    struct env *env = env_new(ENV_NEWEST_LEVEL - 1);
    struct crdrules found = {0};
    struct json_object *same = definition(bad, bad), *different = definition(good, bad),
                       *none = definition(good, good);
    crdrules_check(same, env, &found);
    assert_int_equal(found.refusals.count, 1);
    assert_memory_equal(found.refusals.items[0].field, "spec.validation.", 16);
    crdrules_deinit(&found);
    found = (struct crdrules){0};
    crdrules_check(different, env, &found);
    assert_int_equal(found.refusals.count, 1);
    assert_memory_equal(found.refusals.items[0].field, "spec.versions[1].schema.", 24);
    crdrules_deinit(&found);
    assert_false(crdrules_any(none));
    json_object_put(same);
    json_object_put(different);
    json_object_put(none);
    env_free(env);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_versions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
