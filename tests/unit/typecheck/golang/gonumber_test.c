#include "typecheck/golang/gonumber.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"

#define ARENA_BYTES ((size_t)1024 * 1024)
#define COUNT(list) (sizeof(list) / sizeof *(list))

static void test_doubles_as_text(void **state)
{
    static const struct {
        double value;
        const char *general, *decimal;
    } examples[] = {
        {0, "0", "0"},
        {1.5, "1.5", "1.5"},
        {-2, "-2", "-2"},
        {100000, "100000", "100000"},
        {1e6, "1e+06", "1000000"},
        {123456789.5, "1.234567895e+08", "123456789.5"},
        {1e-4, "0.0001", "0.0001"},
        {1e-5, "1e-05", "0.00001"},
        {0.1, "0.1", "0.1"},
        {1e23, "1e+23", "100000000000000000000000"},
        {1.0 / 3, "0.3333333333333333", "0.3333333333333333"},
        {9223372036854775807.0, "9.223372036854776e+18", "9223372036854776000"},
    };
    struct arena a;
    (void)state;
    arena_init(&a, ARENA_BYTES);
    assert_int_equal(setjmp(a.escape), 0);
    for (size_t i = 0; i < COUNT(examples); i++) {
        assert_string_equal(gonumber_double_text(&a, examples[i].value).at, examples[i].general);
        assert_string_equal(gonumber_decimal_text(&a, examples[i].value).at, examples[i].decimal);
    }
    arena_deinit(&a);
}

static void test_numbers_are_read(void **state)
{
    int64_t integer;
    uint64_t uinteger;
    bool boolean;
    (void)state;
    assert_true(gonumber_read_int(STR("-9223372036854775808"), &integer) && integer == INT64_MIN);
    assert_true(gonumber_read_int(STR("+7"), &integer) && integer == 7);
    assert_false(gonumber_read_int(STR("9223372036854775808"), &integer));
    assert_false(gonumber_read_int(STR("-"), &integer));
    assert_false(gonumber_read_int(STR("1.0"), &integer));
    assert_true(gonumber_read_uint(STR("18446744073709551615"), &uinteger) && uinteger == UINT64_MAX);
    assert_false(gonumber_read_uint(STR("18446744073709551616"), &uinteger));
    assert_false(gonumber_read_uint(STR("+1"), &uinteger));
    assert_true(gonumber_read_bool(STR("True"), &boolean) && boolean);
    assert_true(gonumber_read_bool(STR("0"), &boolean) && !boolean);
    assert_false(gonumber_read_bool(STR("yes"), &boolean));
}

static void test_doubles_are_read(void **state)
{
    static const char *const good[] = {"1",         "-1.5e3",   ".5",        "5.",        "inf",
                                       "+Infinity", "NaN",      "0x1p-2",    "1_000",     "1_0.5_0",
                                       "1e1_0",     "+0x_Ap-1", "0x1_0p1_0", "0x1.8_8p0", "-1_0_0"};
    static const char *const bad[] = {
        "",   "+nan", "1e400", "0x1",  "1 ",   " 1",   "e5",     "1f",   "nan(1)", "--1",     "_1",
        "1_", "1__0", "1_.5",  "1._5", "1_e5", "1e_5", "0x1_p0", "in_f", "0_x1p1", "0x1p+_1", "0x1_.8p0"};
    struct arena a;
    double value;
    (void)state;
    arena_init(&a, ARENA_BYTES);
    assert_int_equal(setjmp(a.escape), 0);
    for (size_t i = 0; i < COUNT(good); i++)
        assert_true(gonumber_read_double(&a, str_of(good[i]), &value));
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_false(gonumber_read_double(&a, str_of(bad[i]), &value));
    arena_deinit(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_doubles_as_text),
        cmocka_unit_test(test_numbers_are_read),
        cmocka_unit_test(test_doubles_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
