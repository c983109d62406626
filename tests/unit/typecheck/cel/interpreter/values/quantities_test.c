#include "typecheck/cel/interpreter/values/quantities.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"

#define BUDGET      ((size_t)1 << 20)
#define COUNT(list) (sizeof(list) / sizeof *(list))

static const struct value *call(struct arena *a, function_call *function, const struct value *one,
                                const struct value *two)
{
    const struct value *args[] = {one, two};
    struct str missing = STR("");
    struct invocation c = {a, STR("f"), args, two == NULL ? 1 : 2, NULL, &missing};
    return function(&c);
}

static const struct value *quantity(struct arena *a, const char *text)
{
    return call(a, quantities_quantity, value_string(a, str_of(text)), NULL);
}

static const char *text_of(struct arena *a, const struct value *v)
{
    return str_copy(a, v->kind == VALUE_QUANTITY ? quantities_text(a, v) : v->text).at;
}

static void test_texts(void **state)
{
    static const char *const examples[][2] = {
        {"1Gi", "1Gi"},
        {"1024Mi", "1Gi"},
        {"1500m", "1500m"},
        {"1.5", "1500m"},
        {"0.5Gi", "512Mi"},
        {"1000", "1k"},
        {"+5Ki", "+5Ki"},
        {"1e3", "1e3"},
        {"12000000", "12M"},
        {"0", "0"},
        {"-", "0"},
        {"1.5e3", "1500"},
        {"0.00000000001", "1n"},
        {"512", "512"},
        {"9223372036854775808Ki", "9223372036854775807"},
    };
    struct arena a;
    (void)state;
    arena_init(&a, BUDGET);
    assert_int_equal(setjmp(a.escape), 0);
    for (size_t i = 0; i < COUNT(examples); i++)
        assert_string_equal(text_of(&a, quantity(&a, examples[i][0])), examples[i][1]);
    arena_deinit(&a);
}

static void test_refusals(void **state)
{
    static const char *const bad[] = {
        "", "1 Gi", "1ki", "Gi1", "1.5.", "e", "1ee", "0x1", "1e99999999999999999999"};
    struct arena a;
    (void)state;
    arena_init(&a, BUDGET);
    assert_int_equal(setjmp(a.escape), 0);
    for (size_t i = 0; i < COUNT(bad); i++) {
        assert_true(value_is_error(quantity(&a, bad[i])));
        assert_ptr_equal(call(&a, quantities_is_quantity, value_string(&a, str_of(bad[i])), NULL),
                         &value_false);
    }
    assert_string_equal(text_of(&a, quantity(&a, "1ki")), "unable to parse quantity's suffix");
    arena_deinit(&a);
}

static void test_sums(void **state)
{
    struct arena a;
    (void)state;
    arena_init(&a, BUDGET);
    assert_int_equal(setjmp(a.escape), 0);
    const struct value *sum = call(&a, quantities_add, quantity(&a, "1Gi"), quantity(&a, "1"));
    assert_string_equal(text_of(&a, sum), "1073741825");
    assert_string_equal(text_of(&a, call(&a, quantities_sub, sum, value_int(&a, 1))), "1Gi");
    sum = call(&a, quantities_add, quantity(&a, "9223372036854775807"), quantity(&a, "1"));
    assert_string_equal(text_of(&a, sum), "9223372036854775808");
    assert_ptr_equal(call(&a, quantities_is_integer, sum, NULL), &value_false);
    arena_deinit(&a);
}

/* Before quantities were bounded: what was an integer is none after it was compared with a decimal. */
static void test_comparison_left_a_decimal(void **state)
{
    struct arena a;
    (void)state;
    arena_init(&a, BUDGET);
    assert_int_equal(setjmp(a.escape), 0);
    const struct value *q = quantity(&a, "1");
    const struct value *large =
        call(&a, quantities_quantity_unbounded, value_string(&a, STR("1234567890123456789")), NULL);
    assert_ptr_equal(call(&a, quantities_is_integer, q, NULL), &value_true);
    assert_ptr_equal(call(&a, quantities_is_less, q, large), &value_true);
    assert_ptr_equal(call(&a, quantities_is_integer, q, NULL), &value_true);
    assert_ptr_equal(call(&a, quantities_is_less_unbounded, q, large), &value_true);
    assert_ptr_equal(call(&a, quantities_is_integer, q, NULL), &value_false);
    assert_string_equal(text_of(&a, q), "1");
    arena_deinit(&a);
}

static void test_bounds(void **state)
{
    struct arena a;
    (void)state;
    arena_init(&a, BUDGET);
    assert_int_equal(setjmp(a.escape), 0);
    const struct value *fine = quantity(&a, "+.5u"), *huge = quantity(&a, "0.001e1000");
    assert_string_equal(text_of(&a, call(&a, quantities_add, fine, huge)),
                        "10000000000000000000000000000100e966");
    assert_string_equal(text_of(&a, quantity(&a, "1000E")), "1e21");
    assert_int_equal(call(&a, quantities_compare, fine, huge)->integer, -1);
    assert_int_equal(call(&a, quantities_compare, huge, huge)->integer, 0);
    arena_deinit(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),  cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_sums),   cmocka_unit_test(test_comparison_left_a_decimal),
        cmocka_unit_test(test_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
