#include "typecheck/policy/author/witness/witness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/typecheck/apidoc.h"

/* No request reaches the last operand of the last &&; whether it could be reached depends on many choices. */
#define MANY_WAYS                                                                                            \
    "(has(object.a) || has(object.b) || has(object.c)) && (has(object.d) || has(object.e) || has(object.f))" \
    " && false && object.g > 1"

static const char json[] =
    "{\"components\": {\"schemas\": {\"Thing\": {\"type\": \"object\", \"properties\": {"
    "\"a\": {\"type\": \"integer\"}, \"b\": {\"type\": \"integer\"}, \"c\": {\"type\": \"integer\"},"
    "\"d\": {\"type\": \"integer\"}, \"e\": {\"type\": \"integer\"}, \"f\": {\"type\": \"integer\"},"
    "\"g\": {\"type\": \"integer\"}},"
    "\"x-kubernetes-group-version-kind\": [{\"group\": \"g\", \"version\": \"v1\", \"kind\": \"Thing\"}]}}}}";

static int setup(void **state)
{
    return apidoc_setup(state, json);
}

/* A policy of one validation for Things, and its advice. */
struct question {
    struct policy_request request;
    struct policy_type type;
    struct policy_expression expression;
    struct typecheck_policy policy;
    struct typecheck_result result;
    struct witness *witness;
};

static void ask(struct question *q, const struct apidoc *d, unsigned operations, struct str text)
{
    q->request = (struct policy_request){
        .group = STR("g"), .version = STR("v1"), .resource = STR("things"), .operations = operations};
    q->type = apidoc_type(d, "Thing");
    q->type.requests = &q->request;
    q->type.request_count = 1;
    q->expression = (struct policy_expression){.place = POLICY_VALIDATION, .text = text};
    q->policy = (struct typecheck_policy){.typing = SCHEMA_RUNTIME,
                                          .policy = {.expressions = &q->expression, .count = 1},
                                          .types = &q->type,
                                          .type_count = 1,
                                          .wants_advice = true};
    typecheck_policy(d->env, &q->policy, &q->result);
    q->witness = witness_new(d->env, &q->policy);
    assert_non_null(q->witness);
}

static void forget(struct question *q)
{
    witness_free(q->witness);
    typecheck_result_deinit(&q->result);
}

/* The tries for a place that no request reaches. */
static size_t count_tries(const struct apidoc *d, unsigned operations, bool is_any)
{
    struct question q;
    struct witness_found found;
    ask(&q, d, operations, STR(MANY_WAYS));
    assert_int_equal(q.result.advice_count, 1);
    const struct typecheck_issue issue = {.message = STR(""), .site = {.node = q.result.advice[0].node}};
    uint64_t steps_left = WITNESS_STEPS;
    assert_false(is_any ? witness_find_any(q.witness, 0, &issue, &steps_left, &found)
                        : witness_find(q.witness, 0, &issue, &steps_left, &found));
    const size_t tries = found.tries;
    forget(&q);
    return tries;
}

/* Each operation of a rule has its tries, and no more. */
static void test_tries_are_bounded(void **state)
{
    static const bool ways[] = {false, true};
    for (size_t i = 0; i < 2; i++) {
        const size_t one = count_tries(*state, POLICY_CREATE, ways[i]),
                     three = count_tries(*state, POLICY_CREATE | POLICY_UPDATE | POLICY_DELETE, ways[i]);
        assert_true(one > 4 && one <= WITNESS_MAX_TRIES);
        assert_true(three <= 3 * one);
    }
}

/* All searches for a policy have a limit of work together. */
static void test_work_is_bounded(void **state)
{
    struct question q;
    struct witness_found found;
    ask(&q, *state, POLICY_CREATE, STR(MANY_WAYS));
    const struct typecheck_issue issue = {.message = STR(""), .site = {.node = q.result.advice[0].node}};
    uint64_t steps_left = WITNESS_ANY_STEPS;
    assert_false(witness_find_any(q.witness, 0, &issue, &steps_left, &found));
    assert_false(found.is_limited);
    const uint64_t steps = WITNESS_ANY_STEPS - steps_left;
    assert_true(steps > 0);
    steps_left = steps + steps / 2;
    assert_false(witness_find_any(q.witness, 0, &issue, &steps_left, &found));
    assert_false(found.is_limited);
    for (size_t i = 0; i < 2; i++) {
        assert_false(witness_find_any(q.witness, 0, &issue, &steps_left, &found));
        assert_true(found.is_limited);
        assert_true(str_eq(found.reason, STR("the search takes too much work")));
        assert_int_equal(steps_left, 0);
    }
    assert_false(witness_find(q.witness, 0, &issue, &steps_left, &found));
    assert_true(found.is_limited);
    forget(&q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tries_are_bounded),
        cmocka_unit_test(test_work_is_bounded),
    };
    return cmocka_run_group_tests(tests, setup, apidoc_teardown);
}
