#include "typecheck/cel/cost/measure.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"

static const struct measure one = {.range = {1, 1}}, some = {.range = {2, 9}};
static const struct measure list = {.range = {0, 5}, .element = &some};
static const struct measure map = {.range = {1, 3}, .key = &some, .element = &one};

static void is(struct estimate e, uint64_t min, uint64_t max)
{
    assert_true(e.min == min && e.max == max);
}

static void check_sums(struct arena *a)
{
    struct measure sum = measure_add(a, list, map);
    is(sum.range, 1, 8);
    is(sum.key->range, 2, 9);
    is(sum.element->range, 1, 9);
    is(measure_multiply(a, list, map).range, 0, 15);
    is(measure_union(a, list, map).range, 0, 5);
    assert_ptr_equal(measure_union(a, list, one).element, &some);
    assert_null(measure_union(a, one, some).element);
    assert_null(measure_merge(a, NULL, NULL));
}

static void test_parts_hold_those_of_both(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, (size_t)1 << 16);
    if (setjmp(a.escape) != 0)
        fail_msg("the arena gave up");
    check_sums(&a);
    arena_deinit(&a);
}

static void test_a_size_with_parts_is_not_unknown(void **state)
{
    (void)state;
    struct measure unknown = measure_plain(ESTIMATE_UNKNOWN);
    assert_true(measure_is_unknown(&unknown));
    unknown.element = &one;
    assert_false(measure_is_unknown(&unknown));
    assert_false(measure_is_unknown(&list));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_hold_those_of_both),
        cmocka_unit_test(test_a_size_with_parts_is_not_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
