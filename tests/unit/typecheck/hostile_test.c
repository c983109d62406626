/*
 * Policies that ask for as much work as they can, and large ones that do not:
 * steps are counted, never seconds. `object.spec.replicaz`, the last
 * validation, shows whether a policy was looked at in spite of what is before.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/typecheck/hostile.h"

/* ---- values that share parts ---- */

static void test_doubled_lists(void **state)
{
    begin(state);
    variables("['a']", "[variables.v#, variables.v#]", 40);
    validation(STR("size(variables.v40) > 1 && variables.v40 != []"));
    bad();
    expect_checked(20000);
}

/* Each pair of lists is compared once; that a list is the same says nothing of booleans that are not known.
 */
static void test_compared_lists(void **state)
{
    begin(state);
    variables("[object.spec.replicas > 1]", "[variables.v#, variables.v#]", 40);
    validation(STR("variables.v40 == variables.v40"));
    validation(STR("(variables.v40 == variables.v39) ? object.spec.never : true"));
    bad();
    expect_checked(40000);
    /* lists of other lengths are never equal; on DELETE the first list fails */
    assert_int_equal(check_one().warnings, 2);
}

static void test_doubled_maps(void **state)
{
    begin(state);
    variables("{'a': 'b'}", "{variables.v#: variables.v#}", 40);
    validation(STR("variables.v40 == variables.v40"));
    bad();
    expect_checked(20000);
    struct answer a = check_types(SCHEMA_UPSTREAM, 1);
    assert_int_equal(a.limits, 0);
    assert_true(a.is_found);
    assert_in_range(a.steps, 1, 20000);
}

/* What is a list or an optional is joined both ways: that is paid, and nothing else is lost. */
static void test_joined_values(void **state)
{
    begin(state);
    variables("object.spec.name",
              "object.spec.replicas > # ? dyn([variables.v#]) : dyn(optional.of(variables.v#))", 60);
    validation(STR("(object.spec.replicas > 1 ? variables.v60 : variables.v59) == 1"));
    bad();
    struct answer a = check_one();
    assert_true(a.limits > 0);
    assert_true(a.is_found);
    assert_in_range(a.steps, 1, 8 * typecheck_default_caps.unit_steps);
}

/* ---- bytes ---- */

static void test_long_constants(void **state)
{
    begin(state);
    variables("'0123456789'", "variables.v# + variables.v#", 16);
    for (size_t i = 0; i < 4; i++)
        validation(text("variables.v16.contains('x%zu')", i));
    uint64_t few = check_one().steps;
    for (size_t i = 0; i < 4; i++)
        validation(text("variables.v16.contains('y%zu')", i));
    struct answer a = check_one();
    assert_int_equal(a.limits, 0);
    /* each is paid by its bytes, in each of the three ways in which the type comes, of which two differ */
    assert_in_range(a.steps - few, 4 * ((10u << 16) / ARENA_STEP_BYTES), 12 * (10u << 16));
    for (size_t i = 0; i < 1900; i++)
        validation(text("variables.v16.contains('z%zu')", i));
    a = check_one();
    assert_true(a.limits > 0);
    assert_int_equal(a.first.why, TYPECHECK_STEPS);
}

/* ---- names ---- */

static uint64_t steps_of_names(void **state, size_t n)
{
    begin(state);
    for (size_t i = 0; i < n; i++)
        validation(text("!has(object.spec.n%zu)", i));
    bad();
    struct answer a = check_one();
    assert_int_equal(a.limits, 0);
    assert_true(a.is_found);
    return a.steps;
}

static void test_unknown_names(void **state)
{
    uint64_t half = steps_of_names(state, 4500), all = steps_of_names(state, 9000);
    assert_in_range(all, half, half * 9 / 4);
}

static void test_many_variables(void **state)
{
    begin(state);
    for (size_t i = 0; i < 2000; i++)
        add(POLICY_VARIABLE, text("n%zu", i), text("object.spec.name + 'x%zu'", i));
    for (size_t i = 0; i < 2000; i++)
        validation(text("variables.n%zu != 'y'", i));
    bad();
    expect_checked(1000000);
}

/* ---- large, and nothing else ---- */

static void test_plain_validations(void **state)
{
    begin(state);
    for (size_t i = 0; i < 3000; i++)
        validation(text("object.metadata.name != 'x%zu'", i));
    bad();
    expect_checked(typecheck_default_caps.steps / 10);
}

static void test_nested_loops(void **state)
{
    begin(state);
    for (size_t i = 0; i < 8; i++) {
        struct str outer = repeated("[", "'a#'", ",", 120, "]"), inner = repeated("[", "'b#'", ",", 120, "]");
        validation(str_join(&h.arena, STR_PARTS(outer, STR(".all(x, "), inner,
                                                STR(".all(y, object.metadata.name != x + y))"))));
    }
    bad();
    expect_checked(typecheck_default_caps.steps / 3);
}

static void test_long_expression(void **state)
{
    begin(state);
    validation(repeated("", "object.metadata.name != 'x#'", " && ", 2200, ""));
    validation(repeated("", "!has(object.metadata.x#)", " || ", 2200, ""));
    bad();
    expect_checked(3 * typecheck_default_caps.unit_steps);
}

static void test_chained_variables(void **state)
{
    begin(state);
    variables("object.spec.name", "variables.v# + 'x'", 4000);
    validation(STR("variables.v4000.nope"));
    struct answer a = check_one();
    assert_int_equal(a.limits, 0);
    assert_true(a.is_found); /* a string, however it was made */
}

static void test_long_ternary(void **state)
{
    begin(state);
    validation(repeated("", "object.metadata.name == 'x#' ? object.spec.name == 'y#' : ", "", 240, "true"));
    validation(repeated("(", "object.metadata.name == 'x#' ? 'y#' : ", "", 240, "'z') == 'q'"));
    bad();
    expect_checked(1000000);
}

/* ---- alternatives and lengths: found however many there are ---- */

static void test_alternatives(void **state)
{
    for (size_t n = 1; n < 240; n = n * 2 + 1) {
        begin(state);
        validation(repeated("(", "object.metadata.name == 'x#' ? {'a#': 1} : ", "", n, "{'a': 1}).b == 1"));
        struct answer a = check_one();
        assert_int_equal(a.limits, 0);
        assert_true(a.is_found);
    }
}

static void test_long_lists(void **state)
{
    for (size_t n = 100; n <= 800; n *= 2) {
        begin(state);
        validation(repeated("[", "'k#'", ",", n, "].all(x, object.spec[x] == 1)"));
        struct answer a = check_one();
        assert_int_equal(a.limits, 0);
        assert_true(a.is_found);
    }
}

/* Failures behind failures. */
static void test_chained_failures(void **state)
{
    begin(state);
    validation(repeated("", "object.n# == 1 ? true :\n", "", 90, "object.last == 1"));
    struct apidoc *d = *state;
    struct policy_type type = apidoc_type(d, "Thing");
    type.requests = h.requests;
    type.request_count = 1;
    struct typecheck_policy policy = {.typing = SCHEMA_RUNTIME,
                                      .policy = {.expressions = h.expressions, .count = 1},
                                      .types = &type,
                                      .type_count = 1};
    struct typecheck_result r;
    typecheck_policy(d->env, &policy, &r);
    assert_int_equal(r.warning_count, 1);
    assert_non_null(strstr(r.warnings[0].text.at, "undefined field 'last'"));
    typecheck_result_deinit(&r);
}

/* ---- what is limited takes nothing from the rest ---- */

static struct str heavy(void)
{
    struct text out = {.arena = &h.arena};
    for (size_t i = 0; i < 8; i++)
        text_addf(&out, "[1,2,3,4,5,6,7,8,9,10].all(x%zu, ", i);
    text_add(&out, STR("object.metadata.name != 'x'"));
    for (size_t i = 0; i < 8; i++)
        text_add_char(&out, ')');
    return text_str(&out);
}

static void test_limited_validation(void **state)
{
    begin(state);
    validation(heavy());
    add(POLICY_MESSAGE, STR(""), STR("object.spec.name"));
    bad();
    struct answer a = check_one();
    assert_int_equal(a.limits, 2); /* and its message, which nobody knows to be asked for */
    assert_int_equal(a.first.expression, 0);
    assert_int_equal(a.first.type, 0);
    assert_true(a.is_found);
}

static void test_limited_variable(void **state)
{
    begin(state);
    add(POLICY_VARIABLE, STR("heavy"), heavy());
    add(POLICY_VARIABLE, STR("light"), STR("object.spec.nope"));
    for (size_t i = 0; i < 20; i++)
        validation(STR("variables.heavy || variables.light == 1"));
    bad();
    struct answer a = check_one();
    assert_int_equal(a.limits, 1); /* nobody else has to pay for it */
    assert_int_equal(a.first.expression, 0);
    assert_true(a.is_found);
    assert_in_range(a.steps, 1, 3 * typecheck_default_caps.unit_steps);
}

/* ---- ways ---- */

static void many_requests(void)
{
    static char names[MAX_REQUESTS][16];
    h.request_count = MAX_REQUESTS;
    for (size_t i = 0; i < MAX_REQUESTS; i++) {
        snprintf(names[i], sizeof names[i], "things%zu", i);
        h.requests[i] = h.requests[0];
        h.requests[i].resource = str_of(names[i]);
    }
}

static void test_ways(void **state)
{
    begin(state);
    for (size_t i = 0; i < 300; i++)
        validation(STR("request.operation != 'X' && request.userInfo.username != 'y'"));
    bad();
    uint64_t one = check_one().steps;
    many_requests();
    struct answer a = check_one();
    assert_int_equal(a.limits, 0);
    assert_true(a.is_found);
    assert_in_range(a.steps, one, 2 * one); /* none of them differs in what is looked at */
    validation(STR("request.resource.resource != 'things1'"));
    bad();
    a = check_one();
    assert_int_equal(a.limits, 0);
    assert_true(a.is_found); /* all of them do, and each is evaluated */
    assert_true(a.steps > 16 * one);
}

/* The same policy takes the same steps, wherever its memory lies. */
static void test_same_steps(void **state)
{
    uint64_t steps = 0;
    for (size_t i = 0; i < 5; i++) {
        begin(state);
        for (size_t k = 0; k < i; k++)
            arena_alloc(&h.arena, 100000 * (k + 1));
        variables("[{'a': object.spec.replicas > 1}]", "[variables.v#, variables.v#]", 30);
        validation(STR("variables.v30 == variables.v30 && object.spec.nope == variables.v0[0].a"));
        bad();
        struct answer a = check_one();
        assert_true(i == 0 || a.steps == steps);
        steps = a.steps;
    }
}

/* ---- the stack ---- */

#if defined(__SANITIZE_ADDRESS__)
#define STACK_BYTES ((size_t)8 << 20) /* its frames are larger */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define STACK_BYTES ((size_t)8 << 20)
#endif
#endif
#ifndef STACK_BYTES
#define STACK_BYTES ((size_t)1 << 20)
#endif

static void *run_check(void *out)
{
    *(struct answer *)out = check_one();
    return NULL;
}

static void test_stack(void **state)
{
    struct answer a;
    pthread_attr_t attributes;
    pthread_t thread;
    begin(state);
    variables("1", "dyn([variables.v#])", 3000);
    validation(STR("variables.v3000 == variables.v3000"));
    struct text deep = {.arena = &h.arena};
    for (size_t i = 0; i < 240; i++)
        text_add(&deep, STR("[1].map(x, true, "));
    text_add(&deep, STR("object.spec.nope"));
    for (size_t i = 0; i < 240; i++)
        text_add_char(&deep, ')');
    add(POLICY_VARIABLE, STR("deep"), text_str(&deep));
    validation(STR("[1].all(x, [variables.deep].size() > x)"));
    bad();
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, STACK_BYTES), 0);
    assert_int_equal(pthread_create(&thread, &attributes, run_check, &a), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
    assert_true(a.is_found);
    assert_true(a.limits > 0); /* values too deep */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_doubled_lists),     cmocka_unit_test(test_compared_lists),
        cmocka_unit_test(test_doubled_maps),      cmocka_unit_test(test_joined_values),
        cmocka_unit_test(test_long_constants),    cmocka_unit_test(test_unknown_names),
        cmocka_unit_test(test_many_variables),    cmocka_unit_test(test_plain_validations),
        cmocka_unit_test(test_nested_loops),      cmocka_unit_test(test_long_expression),
        cmocka_unit_test(test_chained_variables), cmocka_unit_test(test_long_ternary),
        cmocka_unit_test(test_alternatives),      cmocka_unit_test(test_long_lists),
        cmocka_unit_test(test_chained_failures),  cmocka_unit_test(test_limited_validation),
        cmocka_unit_test(test_limited_variable),  cmocka_unit_test(test_ways),
        cmocka_unit_test(test_same_steps),        cmocka_unit_test(test_stack),
    };
    return cmocka_run_group_tests(tests, hostile_setup, hostile_teardown);
}
