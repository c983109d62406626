#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/typecheck/apidoc.h"

static const char json[] =
    "{\"components\":{\"schemas\":{"
    "\"A\":{\"type\":\"object\",\"properties\":{\"spec\":{\"type\":\"object\",\"properties\":{\"n\":{"
    "\"type\":\"integer\"}}}},"
    "\"x-kubernetes-group-version-kind\":[{\"group\":\"g\",\"version\":\"v1\",\"kind\":\"A\"}]},"
    "\"B\":{\"type\":\"object\",\"properties\":{\"spec\":{\"type\":\"object\",\"properties\":{\"s\":{"
    "\"type\":\"string\"}}}},"
    "\"x-kubernetes-group-version-kind\":[{\"group\":\"g\",\"version\":\"v1\",\"kind\":\"B\"}]}}}}";

static struct policy_type types[2];

static int setup(void **state)
{
    if (apidoc_setup(state, json) != 0)
        return -1;
    types[0] = apidoc_type(*state, "A");
    types[1] = apidoc_type(*state, "B");
    return 0;
}

#define VALIDATION(e)                                                                                        \
    {                                                                                                        \
        .place = POLICY_VALIDATION, .name = STR_INIT(""), .field_ref = STR_INIT("v"), .text = STR_INIT(e)    \
    }
#define MESSAGE(e)                                                                                           \
    {                                                                                                        \
        .place = POLICY_MESSAGE, .name = STR_INIT(""), .field_ref = STR_INIT("m"), .text = STR_INIT(e)       \
    }
#define VARIABLE(n, e)                                                                                       \
    {                                                                                                        \
        .place = POLICY_VARIABLE, .name = STR_INIT(n), .field_ref = STR_INIT("x"), .text = STR_INIT(e)       \
    }

/* One line a warning: the expression's number and the text. */
static void expect(const struct apidoc *d, enum schema_typing typing,
                   const struct policy_expression *expressions, size_t count, const char *expected)
{
    struct typecheck_policy policy = {.typing = typing,
                                      .policy = {.expressions = expressions, .count = count},
                                      .types = types,
                                      .type_count = 2};
    struct typecheck_result r;
    char got[4096] = "";
    typecheck_policy(d->env, &policy, &r);
    for (size_t i = 0; i < r.warning_count; i++) {
        size_t len = strlen(got);
        snprintf(got + len, sizeof got - len, "%zu (%.*s) %.*s", r.warnings[i].expression,
                 STR_ARG(r.warnings[i].first.message), STR_ARG(r.warnings[i].text));
    }
    assert_string_equal(got, expected);
    typecheck_result_deinit(&r);
}

#define EXPECT(typing, list, expected) expect(*state, typing, list, sizeof(list) / sizeof *(list), expected)

static void test_per_type(void **state)
{
    const struct policy_expression e[] = {VALIDATION("object.spec.n > 1"), VALIDATION("true")};
    EXPECT(SCHEMA_UPSTREAM, e,
           "0 (undefined field 'n') g/v1, Kind=B: ERROR: <input>:1:12: undefined field 'n'\n"
           " | object.spec.n > 1\n"
           " | ...........^\n");
}

static void test_syntax_once_a_type(void **state)
{
    const struct policy_expression e[] = {VALIDATION("1 +")};
    const struct apidoc *d = *state;
    struct typecheck_policy policy = {
        .typing = SCHEMA_UPSTREAM, .policy = {.expressions = e, .count = 1}, .types = types, .type_count = 2};
    struct typecheck_result r;
    typecheck_policy(d->env, &policy, &r);
    assert_int_equal(r.warning_count, 1);
    assert_non_null(strstr(r.warnings[0].text.at, "g/v1, Kind=A: ERROR: <input>:1:4: Syntax error: "));
    assert_non_null(strstr(r.warnings[0].text.at, "\n\ng/v1, Kind=B: ERROR: <input>:1:4: Syntax error: "));
    typecheck_result_deinit(&r);
}

enum { MANY_TYPES = 12 };

static void expect_of_many(const struct apidoc *d, const char *condition, size_t count, size_t blocks,
                           const char *last_line)
{
    const struct policy_expression e[] = {VALIDATION("object.spec.n > 1"),
                                          {.place = POLICY_MATCH_CONDITION,
                                           .name = STR_INIT("c"),
                                           .field_ref = STR_INIT("c"),
                                           .text = str_of(condition)}};
    struct policy_type many[MANY_TYPES];
    struct typecheck_result r;
    size_t found = 0;
    for (size_t i = 0; i < MANY_TYPES; i++)
        many[i] = types[1];
    struct typecheck_policy policy = {.typing = SCHEMA_RUNTIME,
                                      .policy = {.expressions = e, .count = 2, .has_params = true},
                                      .types = many,
                                      .type_count = count};
    typecheck_policy(d->env, &policy, &r);
    assert_int_equal(r.warning_count, 1);
    for (const char *at = r.warnings[0].text.at; (at = strstr(at, "Kind=B")) != NULL; at++)
        found++;
    assert_int_equal(found, blocks);
    assert_int_equal(strstr(r.warnings[0].text.at, last_line) != NULL, true);
    typecheck_result_deinit(&r);
}

/* Of many types a condition on the params leaves some, nobody knows which: they share one block. */
static void test_chosen_by_params(void **state)
{
    static const char by_params[] = "params.spec.kinds.exists(k, k == object.kind)";
    expect_of_many(*state, by_params, MANY_TYPES, 1, "and 11 more types with the same issues: g/v1 B, ");
    expect_of_many(*state, by_params, 10, 10, "undefined field 'n'");
    expect_of_many(*state, "object.metadata.name != 'x'", MANY_TYPES, 10,
                   "and 2 more types with the same issues");
}

/* More issues than are kept: the first by place is still found. */
static void test_many_issues(void **state)
{
    const struct apidoc *d = *state;
    char text[4096] = "[";
    for (size_t i = 0; i < 150; i++)
        memcpy(text + strlen(text), i == 0 ? "zero" : ", more", i == 0 ? sizeof "zero" : sizeof ", more");
    text[strlen(text)] = ']';
    const struct policy_expression e[] = {
        {.place = POLICY_VALIDATION, .field_ref = STR_INIT("v"), .text = str_of(text)}};
    struct typecheck_policy policy = {
        .typing = SCHEMA_UPSTREAM, .policy = {.expressions = e, .count = 1}, .types = types, .type_count = 1};
    struct typecheck_result r;
    typecheck_policy(d->env, &policy, &r);
    assert_int_equal(r.warning_count, 1);
    assert_string_equal(r.warnings[0].first.message.at, "undeclared reference to 'zero'");
    assert_non_null(strstr(r.warnings[0].text.at, "50 more errors were truncated\n"));
    typecheck_result_deinit(&r);
}

/* A variable sees those before it; the last of equal names wins; what is broken, or an object, is dyn. */
static void test_variables(void **state)
{
    const struct policy_expression e[] = {
        VALIDATION("variables.a + 1 == 2"),
        VALIDATION("variables.b == 'x'"),
        VALIDATION("variables.spec.nope"),
        VALIDATION("variables.broken.any"),
        VALIDATION("variables.missing"),
        VARIABLE("a", "'s'"),
        VARIABLE("a", "2"),
        VARIABLE("b", "[variables.a]"),
        VARIABLE("spec", "object.spec"),
        VARIABLE("broken", "object.nope"),
    };
    const char *missing =
        "ERROR: <input>:1:10: undefined field 'missing'\n | variables.missing\n | .........^\n";
    const char *overload =
        "ERROR: <input>:1:13: found no matching overload for '_==_' applied to '(list(int), "
        "string)'\n | variables.b == 'x'\n | ............^\n";
    char expected[2048];
    snprintf(expected, sizeof expected,
             "1 (found no matching overload for '_==_' applied to '(list(int), string)') g/v1, Kind=A: %s\n"
             "g/v1, Kind=B: %s4 (undefined field 'missing') g/v1, Kind=A: %s\ng/v1, Kind=B: %s",
             overload, overload, missing, missing);
    EXPECT(SCHEMA_UPSTREAM, e, expected);
}

/*
 * Scope full tells a broken variable where it is defined, if something evaluated uses it, directly or not;
 * what the API server would refuse at create always.
 */
static void test_broken_variables(void **state)
{
    const struct policy_expression used[] = {
        VALIDATION("variables.b"),
        VARIABLE("a", "object.nope"),
        VARIABLE("b", "variables.a == 1"),
    };
    const struct policy_expression unused[] = {VALIDATION("variables.c"), VARIABLE("a", "object.nope"),
                                               VARIABLE("b", "variables.a == 1"), VARIABLE("c", "true")};
    const struct policy_expression refused[] = {VALIDATION("true"), VARIABLE("a", "nope")};
    const char *nope = "ERROR: <input>:1:7: undefined field 'nope'\n | object.nope\n | ......^\n";
    const char *undeclared = "ERROR: <input>:1:1: undeclared reference to 'nope'\n | nope\n | ^\n";
    char expected[1024];
    snprintf(expected, sizeof expected, "1 (undefined field 'nope') g/v1, Kind=A: %s\ng/v1, Kind=B: %s", nope,
             nope);
    EXPECT(SCHEMA_RUNTIME, used, expected);
    EXPECT(SCHEMA_RUNTIME, unused, "");
    EXPECT(SCHEMA_UPSTREAM, used, "");
    snprintf(expected, sizeof expected,
             "1 (undeclared reference to 'nope') g/v1, Kind=A: %s\ng/v1, Kind=B: %s", undeclared, undeclared);
    EXPECT(SCHEMA_RUNTIME, refused, expected);
}

static void test_authorizer_in_messages(void **state)
{
    const struct policy_expression e[] = {MESSAGE("string(authorizer.path('/x').check('get').allowed())")};
    const struct apidoc *d = *state;
    struct typecheck_policy policy = {
        .typing = SCHEMA_RUNTIME, .policy = {.expressions = e, .count = 1}, .types = types, .type_count = 1};
    struct typecheck_result r;
    typecheck_policy(d->env, &policy, &r);
    assert_int_equal(r.warning_count, 1);
    assert_string_equal(r.warnings[0].first.message.at, "undeclared reference to 'authorizer'");
    typecheck_result_deinit(&r);
    EXPECT(SCHEMA_UPSTREAM, e, "");
}

/* Whatever the budget, there is an end, nothing leaks, and running out is never silent. */
static void test_every_budget(void **state)
{
    const struct apidoc *d = *state;
    const struct policy_expression e[] = {VALIDATION("object.spec.n + [1, 2].map(x, x * 2).size() > nope"),
                                          VALIDATION("variables.a.all(x, x.startsWith('b'))"),
                                          VARIABLE("a", "['b', object.spec.s]")};
    struct typecheck_policy policy = {
        .typing = SCHEMA_RUNTIME, .policy = {.expressions = e, .count = 3}, .types = types, .type_count = 2};
    struct typecheck_caps caps = typecheck_default_caps;
    bool was_enough = false;
    for (caps.bytes = 0; caps.bytes < 256 * 1024; caps.bytes += caps.bytes < 4096 ? 64 : 1024) {
        struct typecheck_result r;
        typecheck_policy_within(d->env, &policy, &caps, &r);
        assert_true(r.warning_count > 0 || r.limit_count > 0);
        assert_true(r.limit_count == 0 || r.limits[0].why == TYPECHECK_MEMORY);
        if (was_enough)
            assert_int_equal(r.limit_count, 0); /* more memory is never worse */
        was_enough = r.limit_count == 0;
        typecheck_result_deinit(&r);
    }
    assert_true(was_enough);
}

/* The same of steps, of all and of one unit. */
static void test_every_number_of_steps(void **state)
{
    const struct apidoc *d = *state;
    const struct policy_expression e[] = {VALIDATION("object.spec.n + [1, 2].map(x, x * 2).size() > nope"),
                                          VALIDATION("variables.a.all(x, x.startsWith('b'))"),
                                          VARIABLE("a", "['b', object.spec.s]")};
    struct typecheck_policy policy = {
        .typing = SCHEMA_RUNTIME, .policy = {.expressions = e, .count = 3}, .types = types, .type_count = 2};
    for (int is_unit = 0; is_unit <= 1; is_unit++) {
        struct typecheck_caps caps = typecheck_default_caps;
        uint64_t *cap = is_unit ? &caps.unit_steps : &caps.steps;
        bool was_enough = false;
        for (*cap = 0; *cap < 5000; (*cap)++) {
            struct typecheck_result r;
            typecheck_policy_within(d->env, &policy, &caps, &r);
            assert_true(r.limit_count > 0 || r.warning_count == 2);
            if (was_enough)
                assert_int_equal(r.limit_count, 0);
            was_enough = r.limit_count == 0;
            typecheck_result_deinit(&r);
        }
        assert_true(was_enough);
    }
}

/* A bound that is reached is in the limits of the result, never in the text of a warning. */
static void test_limit(void **state)
{
    const struct apidoc *d = *state;
    const struct policy_expression e[] = {VALIDATION("object.spec.n > 1 && true")};
    struct typecheck_policy policy = {
        .typing = SCHEMA_UPSTREAM, .policy = {.expressions = e, .count = 1}, .types = types, .type_count = 1};
    struct typecheck_caps caps = typecheck_default_caps;
    struct typecheck_result r;
    caps.unit_steps = 30;
    typecheck_policy_within(d->env, &policy, &caps, &r);
    assert_int_equal(r.warning_count, 0);
    assert_true(r.limit_count > 0);
    assert_int_equal(r.limits[0].why, TYPECHECK_STEPS);
    typecheck_result_deinit(&r);
}

/* In slices of any size: the same result, and no slice much longer than it was asked to be. */
static void test_slices(void **state)
{
    const struct apidoc *d = *state;
    const struct policy_expression e[] = {VALIDATION("object.spec.n > 1"), VALIDATION("variables.a.nope"),
                                          VARIABLE("a", "[1, 2].map(x, x * 2)")};
    struct typecheck_policy policy = {
        .typing = SCHEMA_RUNTIME, .policy = {.expressions = e, .count = 3}, .types = types, .type_count = 2};
    struct typecheck_result whole;
    typecheck_policy(d->env, &policy, &whole);
    assert_int_equal(whole.warning_count, 2);
    for (uint64_t slice = 1; slice < 3000; slice = slice * 3 / 2 + 1) {
        struct typecheck *t = typecheck_new(d->env, &policy, NULL);
        size_t slices = 1;
        while (typecheck_step(t, slice))
            slices++;
        const struct typecheck_result *r = typecheck_result(t);
        assert_int_equal(r->warning_count, whole.warning_count);
        for (size_t i = 0; i < r->warning_count; i++)
            assert_true(str_eq(r->warnings[i].text, whole.warnings[i].text));
        assert_true(slices > 1 || slice >= typecheck_steps(t));
        assert_false(typecheck_step(t, slice)); /* it is over */
        typecheck_free(t);
    }
    typecheck_free(typecheck_new(d->env, &policy, NULL)); /* at any time */
    typecheck_result_deinit(&whole);
}

/* The issue that comes first is the one that is shown first. */
static void test_first_issue(void **state)
{
    const struct apidoc *d = *state;
    const struct policy_expression e[] = {VALIDATION("[1].map(.{!,1")};
    struct typecheck_policy policy = {
        .typing = SCHEMA_UPSTREAM, .policy = {.expressions = e, .count = 1}, .types = types, .type_count = 1};
    struct typecheck_result r;
    typecheck_policy(d->env, &policy, &r);
    assert_int_equal(r.warning_count, 1);
    const char *shown = strchr(strstr(r.warnings[0].text.at, "<input>:") + strlen("<input>:"), ' ') + 1;
    assert_memory_equal(shown, r.warnings[0].first.message.at, r.warnings[0].first.message.len);
    assert_int_equal(shown[r.warnings[0].first.message.len], '\n');
    typecheck_result_deinit(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_per_type),
        cmocka_unit_test(test_syntax_once_a_type),
        cmocka_unit_test(test_chosen_by_params),
        cmocka_unit_test(test_many_issues),
        cmocka_unit_test(test_variables),
        cmocka_unit_test(test_broken_variables),
        cmocka_unit_test(test_authorizer_in_messages),
        cmocka_unit_test(test_every_budget),
        cmocka_unit_test(test_every_number_of_steps),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_slices),
        cmocka_unit_test(test_first_issue),
    };
    return cmocka_run_group_tests(tests, setup, apidoc_teardown);
}
