#include "typecheck/golang/duration.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_valid(void **state)
{
    static const char *const texts[] = {
        "0",
        "-0",
        "+0",
        "0s",
        "1h2m3s4ms5us6ns",
        "1.5h",
        ".5s",
        "5.s",
        "-1.5h",
        "+1m",
        "1s1h1s",
        "1\u00b5s",
        "1\u03bcs",
        "9223372036854775807ns",
        "-9223372036854775808ns",
        "2562047h47m16.854775807s",
        "0.00000000000000000000000000000000000000000000001s",
        "000000000000000000000000000000000001s",
        /* Halves of the whole range, twice: the sum wraps around to zero. */
        "-9223372036854775808ns9223372036854775808ns",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (!duration_valid(str_of(texts[i])))
            fail_msg("refused: %s", texts[i]);
    }
}

static void test_invalid(void **state)
{
    static const char *const texts[] = {
        "",
        "-",
        "+",
        "1",
        "00",
        "s",
        ".s",
        "-.s",
        "1d",
        "1 s",
        " 1s",
        "1s ",
        "1S",
        "1.2.3s",
        "--1s",
        "1e3s",
        "1,5s",
        "1s2",
        "1sm1",
        "P1D",
        "1.s.",
        "0x1s",
        "2562048h",
        "153722868m",
        "1\u00e9s",
        "\u00b5s",
        "9223372036854775808ns",
        "-9223372036854775809ns",
        "2562047h47m16.854775808s",
        "99999999999999999999s",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (duration_valid(str_of(texts[i])))
            fail_msg("taken: %s", texts[i]);
    }
    assert_false(duration_valid((struct str){"1s\0", 3}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_valid),
        cmocka_unit_test(test_invalid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
