#include "typecheck/golang/decimal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"

#define BUDGET      ((size_t)1 << 20)
#define COUNT(list) (sizeof(list) / sizeof *(list))

static struct decimal read(struct arena *a, const char *text)
{
    struct decimal x;
    assert_true(decimal_read(a, str_of(text), &x));
    return x;
}

static void test_sums(void **state)
{
    static const struct {
        const char *one, *two, *digits;
        int scale;
    } examples[] = {
        {"1", "2", "3", 0},        {"0.5", "0.25", "75", 2},
        {"-1", "0.5", "-5", 1},    {"1", "-1.00", "0", 2},
        {"99", "1", "100", 0},     {"-99", "-1", "-100", 0},
        {"0", "-7", "-7", 0},      {"1000", "-1", "999", 0},
        {"-0.001", "1", "999", 3}, {"5", "-1000", "-995", 0},
        {"00012", "1.", "13", 0},  {"-5", "0", "-5", 0},
        {"1.5", "-2.5", "-10", 1}, {"18446744073709551615", "1", "18446744073709551616", 0},
    };
    struct arena a;
    (void)state;
    arena_init(&a, BUDGET);
    assert_int_equal(setjmp(a.escape), 0);
    for (size_t i = 0; i < COUNT(examples); i++) {
        struct decimal x = read(&a, examples[i].one), y = read(&a, examples[i].two);
        struct decimal sum = decimal_add(&a, &x, &y), other = decimal_add(&a, &y, &x);
        assert_string_equal(str_copy(&a, decimal_unscaled_text(&a, &sum)).at, examples[i].digits);
        assert_int_equal(sum.scale, examples[i].scale);
        assert_int_equal(decimal_compare(&a, &sum, &other), 0);
    }
    arena_deinit(&a);
}

static void test_order(void **state)
{
    static const char *const ascending[] = {"-100",  "-99.9", "-0.01",  "0",  "0.0009",
                                            "0.001", "1",     "1.0001", "10", "99999999999999999999"};
    struct arena a;
    (void)state;
    arena_init(&a, BUDGET);
    assert_int_equal(setjmp(a.escape), 0);
    for (size_t i = 0; i < COUNT(ascending); i++) {
        for (size_t j = 0; j < COUNT(ascending); j++) {
            struct decimal x = read(&a, ascending[i]), y = read(&a, ascending[j]);
            assert_int_equal(decimal_compare(&a, &x, &y), (i > j) - (i < j));
        }
    }
    arena_deinit(&a);
}

static void test_rounding(void **state)
{
    static const struct {
        const char *text;
        int scale;
        const char *digits;
    } examples[] = {
        {"1.001", 2, "101"}, {"-1.001", 2, "-101"}, {"1.000", 2, "100"},      {"0.0001", 2, "1"},
        {"9.99", 1, "100"},  {"7", 3, "7000"},      {"-0.00000001", 0, "-1"}, {"0", 5, "0"},
    };
    struct arena a;
    (void)state;
    arena_init(&a, BUDGET);
    assert_int_equal(setjmp(a.escape), 0);
    for (size_t i = 0; i < COUNT(examples); i++) {
        struct decimal x = read(&a, examples[i].text), rounded = decimal_round_up(&a, &x, examples[i].scale);
        assert_string_equal(str_copy(&a, decimal_unscaled_text(&a, &rounded)).at, examples[i].digits);
        assert_int_equal(rounded.scale, examples[i].scale);
    }
    arena_deinit(&a);
}

static void test_small_factors(void **state)
{
    struct arena a;
    unsigned rest;
    (void)state;
    arena_init(&a, BUDGET);
    assert_int_equal(setjmp(a.escape), 0);
    struct decimal x = read(&a, "123456789012345678901234567890"), product = decimal_multiply(&a, &x, 1024);
    assert_string_equal(str_copy(&a, product.digits).at, "126419751948641975194864197519360");
    struct decimal quotient = decimal_divide(&a, &product, 1024, &rest);
    assert_int_equal(rest, 0);
    assert_int_equal(decimal_compare(&a, &quotient, &x), 0);
    (void)decimal_divide(&a, &x, 1000, &rest);
    assert_int_equal(rest, 890);
    arena_deinit(&a);
}

/* A number may ask for more digits than there is memory for. */
static void test_huge(void **state)
{
    struct arena a;
    volatile bool is_over = false;
    (void)state;
    arena_init(&a, BUDGET);
    if (setjmp(a.escape) == 0) {
        struct decimal x = {.digits = STR_INIT("1"), .scale = INT32_MIN};
        (void)decimal_round_up(&a, &x, 9);
    } else {
        is_over = true;
    }
    assert_true(is_over);
    arena_deinit(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums),          cmocka_unit_test(test_order), cmocka_unit_test(test_rounding),
        cmocka_unit_test(test_small_factors), cmocka_unit_test(test_huge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
