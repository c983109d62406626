#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/typecheck/apidoc.h"
#include "typecheck/policy/abstract/domain/absmap.h"
#include "typecheck/policy/check/answers.h"

/* Every kind has a spec with `n`, and every third one `extra`, too. */
enum { KINDS = 300 };
#define MUCH ((size_t)4 * 1024 * 1024)

static struct policy_type types[KINDS];
static struct policy_request requests[KINDS];
static char names[KINDS][8];

static int setup(void **state)
{
    static char json[KINDS * 512];
    size_t len = (size_t)snprintf(json, sizeof json, "{\"components\":{\"schemas\":{");
    for (int i = 0; i < KINDS; i++) {
        snprintf(names[i], sizeof names[i], "K%d", i);
        len += (size_t)snprintf(
            json + len, sizeof json - len,
            "%s\"g.v1.%s\":{\"type\":\"object\",\"properties\":{\"kind\":{\"type\":\"string\"},\"spec\":{"
            "\"type\":\"object\",\"properties\":{%s\"n\":{\"type\":\"integer\"}}}},"
            "\"x-kubernetes-group-version-kind\":[{\"group\":\"g\",\"version\":\"v1\",\"kind\":\"%s\"}]}",
            i == 0 ? "" : ",", names[i], i % 3 == 0 ? "\"extra\":{\"type\":\"integer\"}," : "", names[i]);
    }
    snprintf(json + len, sizeof json - len, "}}}");
    if (apidoc_setup(state, json) != 0)
        return -1;
    for (int i = 0; i < KINDS; i++) {
        types[i] = apidoc_type(*state, names[i]);
        requests[i] = (struct policy_request){.group = STR("g"),
                                              .version = STR("v1"),
                                              .resource = str_of(names[i]),
                                              .subresource = STR(""),
                                              .is_namespaced = true,
                                              .operations = POLICY_CREATE};
        types[i].requests = &requests[i];
        types[i].request_count = 1;
        types[i].identity = (uint32_t)i + 1;
    }
    return 0;
}

static void check(const struct apidoc *d, const char *text, struct typecheck_answers *answers, char *got,
                  size_t size)
{
    const struct policy_expression e = {
        .place = POLICY_VALIDATION, .field_ref = STR("v"), .text = str_of(text)};
    const struct typecheck_policy policy = {.typing = SCHEMA_RUNTIME,
                                            .policy = {.expressions = &e, .count = 1},
                                            .types = types,
                                            .type_count = KINDS,
                                            .most_identity = KINDS,
                                            .has_all_types = true,
                                            .answers = answers};
    struct typecheck_result r;
    typecheck_policy(d->env, &policy, &r);
    size_t len = (size_t)snprintf(got, size, "%zu limits, truths %d\n", r.limit_count, r.truths[0]);
    for (size_t i = 0; i < r.warning_count; i++)
        len += (size_t)snprintf(got + len, size - len, "%.*s (%.*s)", STR_ARG(r.warnings[i].text),
                                STR_ARG(r.warnings[i].hint));
    typecheck_result_deinit(&r);
}

static const char *const expressions[] = {
    "object.spec.n > 1",
    "object.spec.nn > 1",
    "has(object.spec.extra)",
    "object.spec.extras == 1",
    "object.kind == 'K5' || object.spec.x > 1",
    "object.spec.extra == 'a'",
    "object.spec.all(k, k != 'n')",
    "object.spec == oldObject.spec",
    "object.nothing == 1",
};
enum { EXPRESSIONS = sizeof expressions / sizeof *expressions, TWICE = 2 * EXPRESSIONS };

static char plain[1 << 16], kept[1 << 16];

/* Each policy twice: the second time, all answers of the first are kept. */
static void expect_same(void **state, size_t max_bytes)
{
    struct typecheck_answers *answers = typecheck_answers_new(max_bytes);
    for (size_t i = 0; i < TWICE; i++) {
        check(*state, expressions[i % EXPRESSIONS], NULL, plain, sizeof plain);
        check(*state, expressions[i % EXPRESSIONS], answers, kept, sizeof kept);
        assert_string_equal(plain, kept);
    }
    typecheck_answers_free(answers);
}

static void test_same_result(void **state)
{
    expect_same(state, MUCH);
}

/* With any memory the result is the same. */
static void test_little_memory(void **state)
{
    for (size_t bytes = 4096; bytes < MUCH / 32; bytes = bytes * 5 / 4)
        expect_same(state, bytes);
}

/* ---- columns ---- */

static struct typecheck_answers *begun(void)
{
    const struct typecheck_policy policy = {.types = types, .type_count = KINDS, .most_identity = KINDS};
    struct typecheck_answers *answers = typecheck_answers_new(MUCH);
    answers_begin(answers, &policy);
    return answers;
}

static struct reads_question field(const char *name)
{
    return (struct reads_question){.sort = READS_FIELD, .name = str_of(name)};
}

static void test_columns(void **state)
{
    (void)state;
    struct typecheck_answers *answers = begun();
    const struct reads_question spec = field("spec"), n = field("n");
    const uint32_t one = answers_column(answers, ANSWERS_OBJECT, &spec);
    const uint32_t below = answers_column(answers, one, &n);
    uint32_t steps;
    assert_int_not_equal(one, ANSWERS_NO_COLUMN);
    assert_int_not_equal(below, one);
    assert_int_equal(answers_column(answers, ANSWERS_OBJECT, &spec), one);
    assert_int_not_equal(answers_column(answers, ANSWERS_VALIDATED_OBJECT, &spec), one);
    assert_int_equal(answers_column(answers, ANSWERS_NO_COLUMN, &spec), ANSWERS_NO_COLUMN);
    assert_null(answers_get(answers, below, &types[3], &steps));
    answers_put(answers, below, &types[3], STR("yes"), 0);
    assert_null(answers_get(answers, below, &types[4], &steps));
    const struct answers_text *text = answers_get(answers, below, &types[3], &steps);
    assert_non_null(text);
    assert_memory_equal(text->bytes.at, "yes", 3);
    typecheck_answers_free(answers);
}

/* The steps of a hint are kept with it. A map of which more is known than its type says has no column. */
static void test_hints(void **state)
{
    (void)state;
    struct typecheck_answers *answers = begun();
    struct absmap map = {.field_count = 0};
    const struct reads_question hint = {.sort = READS_HINT, .name = STR("nn"), .map = &map};
    const uint32_t column = answers_column(answers, ANSWERS_OBJECT, &hint);
    uint32_t steps;
    answers_put(answers, column, &types[3], STR("n"), 7);
    assert_non_null(answers_get(answers, column, &types[3], &steps));
    assert_int_equal(steps, 7);
    map.field_count = 1;
    assert_int_equal(answers_column(answers, ANSWERS_OBJECT, &hint), ANSWERS_NO_COLUMN);
    typecheck_answers_free(answers);
}

/* What one type answers that lacks the field, all answer that lack it, and no other. */
static void test_lacking(void **state)
{
    (void)state;
    struct typecheck_answers *answers = begun();
    const struct reads_question spec = field("spec"), extra = field("extra");
    const uint32_t column = answers_column(answers, answers_column(answers, ANSWERS_OBJECT, &spec), &extra);
    uint32_t steps;
    answers_put(answers, column, &types[3], STR("has it"), 0);
    assert_null(answers_get(answers, column, &types[4], &steps));
    answers_put(answers, column, &types[4], STR("lacks it"), 0);
    assert_non_null(answers_get(answers, column, &types[5], &steps));
    assert_null(answers_get(answers, column, &types[6], &steps));
    typecheck_answers_free(answers);
}

/* The same after many other fields, each of which a type has or lacks by itself. */
static void test_many_fields(void **state)
{
    (void)state;
    struct typecheck_answers *answers = begun();
    const struct reads_question spec = field("spec");
    const uint32_t way = answers_column(answers, ANSWERS_OBJECT, &spec);
    uint32_t steps;
    for (int i = 0; i < 20; i++) {
        char name[16];
        snprintf(name, sizeof name, "f%d", i);
        const struct reads_question other = field(name);
        const uint32_t column = answers_column(answers, way, &other);
        answers_put(answers, column, &types[0], STR("lacks it"), 0);
        for (int type = 0; type < KINDS; type++)
            assert_non_null(answers_get(answers, column, &types[type], &steps));
    }
    const struct reads_question extra = field("extra"), n = field("n");
    const uint32_t column = answers_column(answers, way, &extra), of_all = answers_column(answers, way, &n);
    answers_put(answers, column, &types[1], STR("lacks it"), 0);
    answers_put(answers, of_all, &types[1], STR("has it"), 0);
    for (int i = 2; i < KINDS; i++) {
        assert_int_equal(answers_get(answers, column, &types[i], &steps) == NULL, i % 3 == 0);
        assert_null(answers_get(answers, of_all, &types[i], &steps));
    }
    typecheck_answers_free(answers);
}

/* Columns of an era that has ended are not asked; types with no identity are never. */
static void test_eras(void **state)
{
    (void)state;
    struct typecheck_answers *answers = begun();
    const uint32_t era = answers_era(answers);
    struct policy_type stranger = types[0];
    stranger.identity = 0;
    const struct reads_question spec = field("spec");
    const uint32_t column = answers_column(answers, ANSWERS_OBJECT, &spec);
    uint32_t steps;
    answers_put(answers, column, &stranger, STR("yes"), 0);
    assert_null(answers_get(answers, column, &stranger, &steps));
    typecheck_answers_forget(answers);
    assert_int_not_equal(answers_era(answers), era);
    typecheck_answers_free(answers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_result), cmocka_unit_test(test_little_memory),
        cmocka_unit_test(test_columns),     cmocka_unit_test(test_hints),
        cmocka_unit_test(test_lacking),     cmocka_unit_test(test_many_fields),
        cmocka_unit_test(test_eras),
    };
    return cmocka_run_group_tests(tests, setup, apidoc_teardown);
}
