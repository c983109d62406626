#include "typecheck/cel/interpreter/values/semvers.h"

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

static const char *text_of(struct arena *a, const char *text, bool is_loose)
{
    const struct value *v = call(a, semvers_semver, value_string(a, str_of(text)), value_bool(is_loose));
    return str_copy(a, v->kind == VALUE_SEMVER ? semvers_text(a, v) : v->text).at;
}

static void test_reading(void **state)
{
    static const char *const strict[][2] = {
        {"1.2.3", "1.2.3"},
        {"1.2.3-rc.1+b.01", "1.2.3-rc.1+b.01"},
        {"", "Version string empty"},
        {"1.2", "No Major.Minor.Patch elements found"},
        {"01.2.3", "Major number must not contain leading zeroes \"01\""},
        {"1..3", "strconv.ParseUint: parsing \"\": invalid syntax"},
        {"1.2.18446744073709551616",
         "strconv.ParseUint: parsing \"18446744073709551616\": value out of range"},
        {"1.2.3-", "Prerelease is empty"},
        {"1.2.3-01", "Numeric PreRelease version must not contain leading zeroes \"01\""},
        {"1.2.3+a..b", "Build meta data is empty"},
        {"1.2.3+a_b", "Invalid character(s) found in build meta data \"a_b\""},
    };
    static const char *const loose[][2] = {
        {"v1", "1.0.0"},
        {"1.02", "1.2.0"},
        {"v01.2.03-rc", "1.2.3-rc"},
        {"000.0.1", "0.0.1"},
        {"1.2-rc", "short version cannot contain PreRelease/Build meta data"},
    };
    struct arena a;
    (void)state;
    arena_init(&a, BUDGET);
    assert_int_equal(setjmp(a.escape), 0);
    for (size_t i = 0; i < COUNT(strict); i++)
        assert_string_equal(text_of(&a, strict[i][0], false), strict[i][1]);
    for (size_t i = 0; i < COUNT(loose); i++)
        assert_string_equal(text_of(&a, loose[i][0], true), loose[i][1]);
    arena_deinit(&a);
}

static void test_order(void **state)
{
    static const char *const ascending[] = {
        "0.9.9",      "1.0.0-1",  "1.0.0-2", "1.0.0-10", "1.0.0-alpha", "1.0.0-alpha.1",
        "1.0.0-beta", "1.0.0+b1", "1.0.1",   "1.10.0",   "2.0.0",       "18446744073709551615.0.0"};
    struct arena a;
    (void)state;
    arena_init(&a, BUDGET);
    assert_int_equal(setjmp(a.escape), 0);
    for (size_t i = 0; i < COUNT(ascending); i++) {
        for (size_t j = 0; j < COUNT(ascending); j++) {
            const struct value *one = call(&a, semvers_semver, value_string(&a, str_of(ascending[i])), NULL);
            const struct value *two = call(&a, semvers_semver, value_string(&a, str_of(ascending[j])), NULL);
            assert_int_equal(call(&a, semvers_compare, one, two)->integer, (i > j) - (i < j));
            assert_int_equal(semvers_are_equal(&a, one, two), i == j);
        }
    }
    arena_deinit(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reading),
        cmocka_unit_test(test_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
