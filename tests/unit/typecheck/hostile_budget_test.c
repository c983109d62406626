/*
 * Hostile policies that use up the budget of a check, and large ones that do not: a quarter of a minute of
 * them, too long for valgrind.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/typecheck/hostile.h"

/* More of the same is not found again once it was not, and what is not found is a limit. */
static void test_monotonic(void **state)
{
    bool was_limited = false;
    for (size_t n = 5; n <= 200; n += 13) {
        begin(state);
        struct str list = repeated("[", "#", ",", n, "]");
        validation(str_join(&h.arena, STR_PARTS(list, STR(".all(x, "), list, STR(".all(y, "), list,
                                                STR(".all(z, object.spec.replicaz > x + y + z)))"))));
        struct answer a = check_one();
        assert_true(a.is_found != (a.limits > 0));
        assert_true(a.limits > 0 || !was_limited);
        was_limited = a.limits > 0;
    }
    assert_true(was_limited);
}

/* Many that together are too much for one unit are evaluated one by one. */
static void test_many_heavy_variables(void **state)
{
    begin(state);
    struct str list = repeated("[", "#", ",", 100, "]");
    for (size_t i = 0; i < 12; i++)
        add(POLICY_VARIABLE, text("n%zu", i),
            str_join(&h.arena,
                     STR_PARTS(list, STR(".all(x, "), list, STR(".all(y, object.spec.replicas > x + y))"))));
    validation(repeated("", "variables.n#", " && ", 12, ""));
    bad();
    expect_checked(typecheck_default_caps.steps);
}

static void test_thousand_types(void **state)
{
    begin(state);
    for (size_t i = 0; i < 10; i++) {
        validation(text("object.spec.replicas <= %zu && has(object.spec.name)", i));
        validation(text("!has(object.spec.labels) || object.spec.labels.all(k, k.startsWith('app%zu/'))", i));
        validation(text("object.spec.words.exists(w, w == 'a%zu') || request.operation == 'DELETE'", i));
    }
    bad();
    struct answer a = check_types(SCHEMA_RUNTIME, MAX_TYPES);
    assert_int_equal(a.limits, 0);
    assert_true(a.is_found);
    assert_in_range(a.steps, 1, typecheck_default_caps.steps / 3);
    a = check_types(SCHEMA_UPSTREAM, MAX_TYPES);
    assert_int_equal(a.limits, 0);
    assert_in_range(a.steps, 1, typecheck_default_caps.steps / 3);
}

/* However many types there are, the whole costs no more than the cap and one unit. */
static void test_total(void **state)
{
    begin(state);
    for (size_t i = 0; i < 800; i++)
        validation(text("object.metadata.name != 'x%zu'", i));
    bad();
    struct answer a = check_types(SCHEMA_RUNTIME, MAX_TYPES);
    assert_true(a.limits > 0);
    assert_int_equal(a.first.why, TYPECHECK_STEPS);
    assert_in_range(a.steps, 1, typecheck_default_caps.steps + 2 * typecheck_default_caps.unit_steps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_monotonic),
        cmocka_unit_test(test_many_heavy_variables),
        cmocka_unit_test(test_thousand_types),
        cmocka_unit_test(test_total),
    };
    return cmocka_run_group_tests(tests, hostile_setup, hostile_teardown);
}
