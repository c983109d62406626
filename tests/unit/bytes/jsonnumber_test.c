#include "bytes/jsonnumber.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_where_a_number_ends(void **state)
{
    static const struct {
        const char *text;
        size_t end;
        bool is_number;
    } rows[] = {
        {"0", 1, true},     {"-0", 2, true},    {"12", 2, true},      {"01", 1, true},   {"1.50", 4, true},
        {"1e9", 3, true},   {"1E+09", 5, true}, {"0.0e-1,", 6, true}, {"7]", 1, true},   {"-3 ", 2, true},
        {"1.e2", 2, false}, {"1.", 2, false},   {"1e", 2, false},     {"1e+", 3, false}, {"-", 1, false},
        {"--1", 1, false},  {".5", 0, false},   {"+1", 0, false},     {"x", 0, false},   {"", 0, false},
        {"1e-5e", 4, true}, {"1.2.3", 3, true}, {"-x", 1, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *at = rows[i].text;
        assert_int_equal(jsonnumber_skip(&at, at + strlen(at)), rows[i].is_number);
        assert_int_equal(at - rows[i].text, rows[i].end);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_where_a_number_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
