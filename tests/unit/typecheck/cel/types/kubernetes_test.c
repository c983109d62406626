#include "typecheck/cel/types/kubernetes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* 0 stands for the newest release. */
static void test_features(void **state)
{
    (void)state;
    assert_false(kubernetes_in(30).has_keyword_fields);
    assert_true(kubernetes_in(31).has_keyword_fields);
    assert_false(kubernetes_in(36).has_typed_objects);
    assert_true(kubernetes_in(37).has_typed_objects);
    assert_true(kubernetes_in(99).has_typed_objects);
    assert_true(kubernetes_in(0).has_typed_objects);
    assert_false(kubernetes_in(33).shows_json);
    assert_true(kubernetes_in(34).shows_json);
}

static void test_what_ended(void **state)
{
    (void)state;
    assert_true(kubernetes_in(36).requests_hold_nulls);
    assert_false(kubernetes_in(37).requests_hold_nulls);
    assert_false(kubernetes_in(0).requests_hold_nulls);
    assert_false(kubernetes_in(31).gates_resize);
    assert_true(kubernetes_in(32).gates_resize);
    assert_false(kubernetes_in(33).gates_resize);
    assert_false(kubernetes_in(35).warns_of_static_names);
    assert_true(kubernetes_in(36).warns_of_static_names);
    assert_false(kubernetes_in(37).warns_of_static_names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_features),
        cmocka_unit_test(test_what_ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
