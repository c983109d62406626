#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/typecheck/apidoc.h"

/* A has spec.n and spec.both, B has spec.s and spec.both. */
static const char json[] =
    "{\"components\":{\"schemas\":{"
    "\"A\":{\"type\":\"object\",\"properties\":{\"spec\":{\"type\":\"object\",\"properties\":{\"n\":{"
    "\"type\":\"integer\"},\"both\":{\"type\":\"integer\"}}}},"
    "\"x-kubernetes-group-version-kind\":[{\"group\":\"g\",\"version\":\"v1\",\"kind\":\"A\"}]},"
    "\"B\":{\"type\":\"object\",\"properties\":{\"spec\":{\"type\":\"object\",\"properties\":{\"s\":{"
    "\"type\":\"string\"},\"both\":{\"type\":\"integer\"}}}},"
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

static struct policy_expression validation(const char *text)
{
    return (struct policy_expression){
        .place = POLICY_VALIDATION, .field_ref = STR("v"), .text = str_of(text)};
}

static struct typecheck_policy policy_of(const struct policy_expression *expression, size_t type_count)
{
    return (struct typecheck_policy){.typing = SCHEMA_RUNTIME,
                                     .policy = {.expressions = expression, .count = 1},
                                     .types = types,
                                     .type_count = type_count,
                                     .has_all_types = true};
}

/* The message of the claim, of the first `type_count` types; "": there is none. */
static void expect(const struct apidoc *d, const char *text, size_t type_count, const char *message)
{
    const struct policy_expression e = validation(text);
    struct typecheck_policy policy = policy_of(&e, type_count);
    struct typecheck_result r;
    typecheck_policy(d->env, &policy, &r);
    assert_int_equal(r.warning_count, *message != '\0');
    if (r.warning_count != 0) {
        assert_int_equal(r.warnings[0].issue_count, 1);
        assert_true(r.warnings[0].issues[0].is_claim);
        assert_string_equal(r.warnings[0].issues[0].message.at, message);
    }
    typecheck_result_deinit(&r);
}

static void test_all_types_claim_it(void **state)
{
    expect(*state, "has(object.spec.bth)", 2, "undefined field 'bth'");
    expect(*state, "has(object.spec.both)", 2, "");
    expect(*state, "has(object.spec.n)", 1, "");
    expect(*state, "has(object.spec.n)", 2, ""); /* one of them has it */
    expect(*state, "object.kind == 'B' || has(object.spec.bothh)", 2, "undefined field 'bothh'");
    expect(*state, "object.kind == 'C' && has(object.spec.bothh)", 2, ""); /* nobody gets there */
}

/* Each type has its block, as upstream writes it. */
static void test_block_of_each_type(void **state)
{
    const struct policy_expression e = validation("has(object.spec.bth)");
    struct typecheck_policy policy = policy_of(&e, 2);
    struct typecheck_result r;
    const struct apidoc *d = *state;
    typecheck_policy(d->env, &policy, &r);
    assert_int_equal(r.warning_count, 1);
    assert_non_null(strstr(r.warnings[0].text.at, "g/v1, Kind=A: ERROR: <input>:1:4: undefined field 'bth'"));
    assert_non_null(strstr(r.warnings[0].text.at, "g/v1, Kind=B: ERROR: <input>:1:4: undefined field 'bth'"));
    typecheck_result_deinit(&r);
}

/* A type that is not known may have the field. */
static void test_not_all_types(void **state)
{
    const struct policy_expression e = validation("has(object.spec.bth)");
    struct typecheck_policy policy = policy_of(&e, 2);
    struct typecheck_result r;
    const struct apidoc *d = *state;
    policy.has_all_types = false;
    typecheck_policy(d->env, &policy, &r);
    assert_int_equal(r.warning_count, 0);
    typecheck_result_deinit(&r);
}

/* In a kind that is not Kubernetes' own, a name that is like no other is only a note. */
static void test_notes(void **state)
{
    const struct policy_expression e = validation("has(object.spec.colour)");
    struct typecheck_policy policy = policy_of(&e, 2);
    struct typecheck_result r;
    const struct apidoc *d = *state;
    typecheck_policy(d->env, &policy, &r);
    assert_int_equal(r.warning_count, 0);
    assert_int_equal(r.note_count, 1);
    assert_string_equal(r.notes[0].message.at, "undefined field 'colour'");
    assert_int_equal(r.notes[0].column, 4);
    typecheck_result_deinit(&r);
}

static bool ignore_all(void *user, size_t expression, const struct typecheck_issue *issue)
{
    (void)user, (void)expression, (void)issue;
    return true;
}

static void test_ignored(void **state)
{
    const struct policy_expression e = validation("has(object.spec.bth) || has(object.spec.colour)");
    struct typecheck_policy policy = policy_of(&e, 2);
    struct typecheck_result r;
    const struct apidoc *d = *state;
    policy.ignore = ignore_all;
    typecheck_policy(d->env, &policy, &r);
    assert_int_equal(r.warning_count + r.note_count, 0);
    typecheck_result_deinit(&r);
}

static void test_words(void **state)
{
    expect(*state, "request.operation == 'create'", 2,
           "no operation is 'create': it is CREATE, UPDATE, DELETE or CONNECT");
    expect(*state, "request.operation == 'CONNECT'", 2, "");
    expect(*state, "object.spec.?both != null", 2, "an optional is never null: ask it with .hasValue()");
}

/* With any budget the answer is the same, or a limit, and then there is no claim. */
static void test_every_number_of_steps(void **state)
{
    const struct policy_expression e = validation("has(object.spec.bth)");
    const struct apidoc *d = *state;
    struct typecheck_policy policy = policy_of(&e, 2);
    size_t with = 0, without = 0;
    for (uint64_t steps = 1; steps < 2000; steps += 3) {
        const struct typecheck_caps caps = {
            .bytes = typecheck_default_caps.bytes, .steps = steps, .unit_steps = 2000};
        struct typecheck_result r;
        typecheck_policy_within(d->env, &policy, &caps, &r);
        assert_int_equal(r.warning_count == 0, r.limit_count != 0);
        with += r.warning_count;
        without += r.limit_count != 0;
        typecheck_result_deinit(&r);
    }
    assert_true(with > 0 && without > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_types_claim_it),
        cmocka_unit_test(test_block_of_each_type),
        cmocka_unit_test(test_not_all_types),
        cmocka_unit_test(test_notes),
        cmocka_unit_test(test_ignored),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_every_number_of_steps),
    };
    return cmocka_run_group_tests(tests, setup, apidoc_teardown);
}
