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

static const struct policy_request created[] = {
    {.group = STR_INIT("g"),
     .version = STR_INIT("v1"),
     .resource = STR_INIT("things"),
     .is_namespaced = true,
     .operations = POLICY_CREATE},
};

static struct policy_type types[2];

static int setup(void **state)
{
    if (apidoc_setup(state, json) != 0)
        return -1;
    types[0] = apidoc_type(*state, "A");
    types[1] = apidoc_type(*state, "B");
    for (size_t i = 0; i < 2; i++) {
        types[i].requests = created;
        types[i].request_count = 1;
    }
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

/* Of what the rules match nobody knows all; what a test of known names leaves is known. */
static void test_strangers(void **state)
{
    static const struct {
        const char *text;
        size_t warnings;
    } rows[] = {
        {"has(object.spec.bothh)", 0},
        {"object.kind == 'A' && has(object.spec.bothh)", 1},
        {"!(object.kind in ['A', 'B']) || has(object.spec.bothh)", 1},
        {"request.kind.kind == 'B' ? has(object.spec.bothh) : object.metadata.name == 'x'", 1},
        {"request.resource.resource == 'things' && has(object.spec.bothh)", 1},
        {"request.kind.group == 'g' && has(object.spec.bothh)", 0},
        {"request.kind.version == 'v1' && has(object.spec.bothh)", 0},
        {"object.kind != 'C' && has(object.spec.bothh)", 0},
        {"(object.kind == 'A' || object.kind == 'C') && has(object.spec.bothh)", 0},
        {"object.kind.startsWith('A') && has(object.spec.bothh)", 0},
        {"object.kind == 'As' && has(object.spec)", 0}, /* another type may have the name */
        {"request.operation == 'create' && object.metadata.name == 'x'", 1},
        {"has(object.metadata)", 0},
        {"object.spec.bothh > 1", 1}, /* as before: it fails for each type that is known */
    };
    const struct apidoc *d = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct policy_expression e = validation(rows[i].text);
        struct typecheck_policy policy = policy_of(&e, 2);
        struct typecheck_result r;
        policy.has_strangers = true;
        typecheck_policy(d->env, &policy, &r);
        if (r.warning_count != rows[i].warnings)
            print_message("%s\n", rows[i].text);
        assert_int_equal(r.warning_count, rows[i].warnings);
        assert_int_equal(r.limit_count, 0);
        typecheck_result_deinit(&r);
    }
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
    assert_int_equal(r.notes[0].at.offset, 3);
    assert_int_equal(r.notes[0].at.begin, 16);
    assert_int_equal(r.notes[0].at.end, 22);
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
    expect(*state, "object.kind == 'a'", 2, "no kind is 'a'");
    expect(*state, "object.kind == 'C'", 2, "");
    expect(*state, "object.spec.?both != null", 2, "an optional is never null: ask it with .hasValue()");
}

/* Each object has a kind; what literals or the real kind decide is the author's. */
static void test_verdicts(void **state)
{
    expect(*state, "has(object.kind)", 2, "the validation is always true: it checks nothing");
    expect(*state, "!has(object.kind)", 2, "the validation is always false: it refuses every request");
    expect(*state, "object.kind == 'A' || has(object.kind)", 2,
           "the validation is always true: it checks nothing");
    expect(*state, "object.kind == 'A' || has(object.spec)", 2, "");
    expect(*state, "object.kind == 'A'", 1, "");
    expect(*state, "'a' == 'b' || true", 1, "");
    expect(*state, "has(object.spec.both)", 2, "");
    expect(*state, "object.spec.both == 1 || has(object.kind)", 2,
           "the validation is always true: it checks nothing");
}

/* What is so because of an undefined field is reported at the field. */
static void test_consequence(void **state)
{
    const struct policy_expression e = validation("!has(object.spec.bth)");
    struct typecheck_policy policy = policy_of(&e, 2);
    struct typecheck_result r;
    const struct apidoc *d = *state;
    typecheck_policy(d->env, &policy, &r);
    assert_int_equal(r.warning_count, 1);
    assert_int_equal(r.warnings[0].issue_count, 1);
    assert_int_equal(r.warnings[0].first.code, ISSUE_UNDEFINED_FIELD);
    assert_int_equal(r.warnings[0].consequence, ISSUE_OTHER); /* where there is no spec it fails */
    typecheck_result_deinit(&r);
}

static void expect_conditions(const struct apidoc *d, const char *one, const char *two, size_t warnings,
                              size_t notes)
{
    const struct policy_expression list[] = {
        {.place = POLICY_MATCH_CONDITION, .field_ref = STR("a"), .text = str_of(one)},
        {.place = POLICY_MATCH_CONDITION, .field_ref = STR("b"), .text = str_of(two)},
    };
    struct typecheck_policy policy = policy_of(list, 2);
    struct typecheck_result r;
    policy.policy.count = 2;
    typecheck_policy(d->env, &policy, &r);
    assert_int_equal(r.warning_count, warnings);
    assert_int_equal(r.note_count, notes);
    if (warnings != 0)
        assert_int_equal(r.warnings[0].first.code, ISSUE_NEVER_APPLIES);
    typecheck_result_deinit(&r);
}

static void test_conditions(void **state)
{
    expect_conditions(*state, "object.kind == 'A'", "request.kind.kind == 'B'", 1, 0);
    expect_conditions(*state, "object.kind == 'A'", "request.kind.kind == 'A'", 0, 0);
    expect_conditions(*state, "!has(object.kind)", "has(object.metadata.name)", 1, 0);
    expect_conditions(*state, "object.kind == 'D'", "has(object.metadata.name)", 0, 1);
    expect_conditions(*state, "false", "has(object.metadata.name)", 0, 1);
    expect_conditions(*state, "true", "has(object.metadata.name)", 0, 0);
}

/* What stands behind a condition that is a mistake, and the claim behind that. */
static void test_doubts(void **state)
{
    static const struct {
        const char *condition, *validation;
        size_t warnings;
    } rows[] = {
        {"request.operation == 'create'", "object.spec.bth > 1", 2},
        {"request.operation == 'create'", "has(object.spec.bth)", 2},
        {"request.operation == 'create'", "object.spec.both > 1", 1},
        {"!has(object.kind)", "object.spec.bth > 1", 2},
        {"!has(object.kind)", "object.kind == 'A'", 1}, /* whether it has one is not known there */
        {"object.kind == 'C'", "object.spec.bth > 1", 0},
        {"has(object.spec.n)", "object.kind == 'A' && object.spec.bth > 1", 1},
    };
    const struct apidoc *d = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct policy_expression list[] = {
            {.place = POLICY_MATCH_CONDITION, .field_ref = STR("a"), .text = str_of(rows[i].condition)},
            validation(rows[i].validation),
        };
        struct typecheck_policy policy = policy_of(list, 2);
        struct typecheck_result r;
        policy.policy.count = 2;
        typecheck_policy(d->env, &policy, &r);
        assert_int_equal(r.warning_count, rows[i].warnings);
        typecheck_result_deinit(&r);
    }
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
        cmocka_unit_test(test_strangers),
        cmocka_unit_test(test_notes),
        cmocka_unit_test(test_ignored),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_consequence),
        cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_doubts),
        cmocka_unit_test(test_every_number_of_steps),
    };
    return cmocka_run_group_tests(tests, setup, apidoc_teardown);
}
