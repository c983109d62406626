#include "controller/apiserver/crd/crdrules.h"
#include "typecheck/cel/types/celgo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <time.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"

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
     "is enough",
     3},
    {WRAP("{\"type\":\"array\",\"maxItems\":10000,\"items\":" RULED(
         "\"type\":\"string\",\"maxLength\":100000", "self.matches('^[a-z]+$')") "}"),
     "spec.validation.openAPIV3Schema.properties[l].items.x-kubernetes-validations[0].rule",
     "Forbidden: estimated rule cost exceeds budget by factor of",
     "maxItems: 124 at .l, or maxLength: 1247 at .l[*], or maxItems: 3534 at .l and maxLength: 3534 at .l[*] "
     "is enough",
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
    struct env *env = env_new(ENV_NEWEST_LEVEL - 1, celgo_in(ENV_NEWEST_LEVEL));
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
    struct env *env = env_new(ENV_NEWEST_LEVEL - 1, celgo_in(ENV_NEWEST_LEVEL));
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

/* ---- hostile definitions: an end in sight, and no silence ---- */

/* What each costs at most in CPU, sanitizers and neighbours allowed for; unpaid it was minutes. */
enum { SECONDS = 20 };

static void check_slowly(struct json_object *tree, const struct env *env, struct crdrules *found)
{
    struct crdrules_run *run = crdrules_start(tree, env, found);
    enum { SLICE = 100 * 1000 };
    while (crdrules_step(run, SLICE)) {
    }
    assert_in_range(crdrules_steps(run), 1, CRDRULES_MAX_STEPS);
    crdrules_end(run);
}

/* A definition of one version that is checked, in slices and in one go alike. */
static void check_hostile(struct buf *schema, struct crdrules *found)
{
    struct env *env = env_new(ENV_NEWEST_LEVEL - 1, celgo_in(ENV_NEWEST_LEVEL));
    struct json_object *tree = definition(schema->data, NULL);
    struct crdrules sliced = {0};
    clock_t start = clock();
    crdrules_check(tree, env, found);
    assert_in_range(clock() - start, 0, (clock_t)SECONDS * CLOCKS_PER_SEC);
    check_slowly(tree, env, &sliced);
    assert_int_equal(sliced.n_rules, found->n_rules);
    assert_int_equal(sliced.n_unchecked, found->n_unchecked);
    assert_int_equal(sliced.refusals.count, found->refusals.count);
    for (size_t i = 0; i < sliced.refusals.count; i++)
        assert_string_equal(sliced.refusals.items[i].message, found->refusals.items[i].message);
    crdrules_deinit(&sliced);
    json_object_put(tree);
    env_free(env);
}

static void put_properties(struct buf *out, size_t count)
{
    buf_puts(out, "\"type\":\"object\",\"properties\":{");
    for (size_t i = 0; i < count; i++)
        buf_printf(out, "%s\"f%zu\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}", i == 0 ? "" : ",",
                   i);
    buf_puts(out, "}");
}

/* Each needs hundreds of estimates for its hint. All are refused; later ones say that nothing was tried out.
 */
static void test_hints_are_bounded(void **state)
{
    (void)state;
    enum { NODES = 20000, RULES = 2000 };
    cleanup_buf struct buf schema;
    struct crdrules found = {0};
    buf_init(&schema, 8 << 20);
    buf_puts(&schema, "{");
    put_properties(&schema, NODES);
    buf_puts(&schema, ",\"x-kubernetes-validations\":[");
    for (size_t i = 0; i < RULES; i++)
        buf_printf(&schema,
                   "%s{\"rule\":\"self.f0.all(x, self.f1.all(y, self.f2.all(z, x + y != z + '%zu')))\"}",
                   i == 0 ? "" : ",", i);
    buf_puts(&schema, "]}");
    check_hostile(&schema, &found);
    assert_int_equal(found.n_rules, RULES);
    assert_int_equal(found.n_unchecked, 0);
    assert_in_range(found.refusals.count, RULES, RULES + 8);
    assert_non_null(strstr(found.refusals.items[0].hint, "is enough"));
    assert_string_equal(found.refusals.items[RULES - 1].hint,
                        "the bound that is enough was not searched for: there are too many possibilities");
    crdrules_deinit(&found);
}

static void is_limited(struct buf *schema, size_t n_rules)
{
    struct crdrules found = {0};
    check_hostile(schema, &found);
    assert_int_equal(found.n_rules, n_rules);
    assert_in_range(found.n_unchecked, 1, n_rules);
    crdrules_deinit(&found);
}

/* Each message would repeat all keys. */
static void test_many_keys(void **state)
{
    (void)state;
    cleanup_buf struct buf schema;
    buf_init(&schema, 8 << 20);
    buf_puts(&schema,
             "{\"type\":\"array\",\"x-kubernetes-list-type\":\"map\",\"x-kubernetes-validations\":"
             "[{\"rule\":\"true\"}],\"items\":{\"type\":\"object\"},\"x-kubernetes-list-map-keys\":[");
    for (size_t i = 0; i < 100000; i++)
        buf_printf(&schema, "%s\"k%zu\"", i == 0 ? "" : ",", i);
    buf_puts(&schema, "]}");
    is_limited(&schema, 1);
}

/* The field of each schema below would repeat it. */
static void test_a_long_name(void **state)
{
    (void)state;
    cleanup_buf struct buf schema;
    buf_init(&schema, 8 << 20);
    buf_puts(&schema, "{\"type\":\"object\",\"properties\":{\"");
    for (size_t i = 0; i < 700000; i++)
        buf_putc(&schema, 'n');
    buf_puts(&schema, "\":{\"x-kubernetes-validations\":[{\"rule\":\"true\"}],");
    put_properties(&schema, 10000);
    buf_puts(&schema, "}}}");
    is_limited(&schema, 1);
}

/* More is said about them than is kept: what was checked is not said to be unchecked. */
static void test_rules_are_bounded(void **state)
{
    (void)state;
    enum { RULES = 300, TERMS = 4000 };
    cleanup_buf struct buf schema;
    struct crdrules found = {0};
    buf_init(&schema, 32 << 20);
    buf_puts(&schema, "{\"type\":\"object\",\"x-kubernetes-validations\":[");
    for (size_t i = 0; i < RULES; i++) {
        buf_puts(&schema, i == 0 ? "{\"rule\":\"self.kind != ''" : ",{\"rule\":\"self.kind != ''");
        for (size_t j = 0; j < TERMS; j++)
            buf_printf(&schema, " && x%zu", j);
        buf_puts(&schema, "\"}");
    }
    buf_puts(&schema, "]}");
    check_hostile(&schema, &found);
    assert_int_equal(found.n_rules, RULES);
    assert_in_range(found.refusals.count + found.n_unchecked, RULES, RULES);
    assert_true(found.n_unchecked > 0);
    crdrules_deinit(&found);
}

/* What versions share is compared once, what is required is looked up, properties are found in order. */
static void test_wide_schemas(void **state)
{
    (void)state;
    enum { WIDE = 40000 };
    cleanup_buf struct buf schema;
    struct crdrules found = {0};
    buf_init(&schema, 8 << 20);
    buf_puts(&schema, "{\"x-kubernetes-validations\":[{\"rule\":\"true\"}],\"required\":[\"f0\"");
    for (size_t i = 1; i < WIDE; i++)
        buf_printf(&schema, ",\"f%zu\"", i);
    buf_puts(&schema, "],");
    put_properties(&schema, WIDE);
    buf_puts(&schema, "}");
    check_hostile(&schema, &found);
    assert_int_equal(found.n_unchecked, 0);
    assert_int_equal(found.refusals.count, 0);
    crdrules_deinit(&found);
}

static void test_many_versions(void **state)
{
    (void)state;
    enum { VERSIONS = 10000 };
    cleanup_buf struct buf text;
    struct json_object *tree;
    struct err err = {0};
    struct env *env = env_new(ENV_NEWEST_LEVEL - 1, celgo_in(ENV_NEWEST_LEVEL));
    struct crdrules found = {0};
    buf_init(&text, 8 << 20);
    buf_puts(&text, "{\"spec\":{\"versions\":[");
    for (size_t i = 0; i < VERSIONS; i++)
        buf_printf(&text,
                   "%s{\"schema\":{\"openAPIV3Schema\":{\"type\":\"object\",\"x-kubernetes-validations\":"
                   "[{\"rule\":\"%s\"}]}}}",
                   i == 0 ? "" : ",", i + 1 == VERSIONS ? "self" : "true");
    buf_puts(&text, "]}}");
    assert_int_equal(jsonval_parse(text.data, text.len, &tree, &err), 0);
    clock_t start = clock();
    crdrules_check(tree, env, &found);
    assert_in_range(clock() - start, 0, (clock_t)SECONDS * CLOCKS_PER_SEC);
    assert_int_equal(found.n_rules, VERSIONS);
    assert_int_equal(found.refusals.count + found.n_unchecked, 1);
    crdrules_deinit(&found);
    json_object_put(tree);
    env_free(env);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_versions),
        cmocka_unit_test(test_hints_are_bounded),
        cmocka_unit_test(test_many_keys),
        cmocka_unit_test(test_a_long_name),
        cmocka_unit_test(test_rules_are_bounded),
        cmocka_unit_test(test_wide_schemas),
        cmocka_unit_test(test_many_versions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
