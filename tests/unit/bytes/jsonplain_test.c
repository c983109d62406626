#include "bytes/jsonplain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { LONGEST = 20 };

/* Every byte at every place of texts of every length: words of eight bytes, and what is left behind them. */
static void test_first_special_byte(void **state)
{
    char text[LONGEST];
    (void)state;
    for (size_t len = 1; len <= LONGEST; len++) {
        for (size_t i = 0; i < len * (UCHAR_MAX + 1); i++) {
            const size_t at = i / (UCHAR_MAX + 1);
            const int c = (int)(i % (UCHAR_MAX + 1));
            const bool is_special = c == '"' || c == '\\' || c < ' ';
            memset(text, 'x', sizeof text);
            text[at] = (char)c;
            assert_int_equal(jsonplain_end(text, text + len, false) - text, is_special ? at : len);
            assert_int_equal(jsonplain_end(text, text + len, true) - text,
                             is_special || c > SCHAR_MAX ? at : len);
        }
    }
}

static void test_first_of_two(void **state)
{
    static const char first[] = "\x1f\"\\\n\xc3";
    char text[LONGEST];
    (void)state;
    for (size_t i = 0; i < sizeof first - 1; i++) {
        for (size_t at = 0; at + 1 < LONGEST; at++) {
            memset(text, ' ', sizeof text);
            text[at] = first[i];
            text[at + 1] = '"';
            assert_int_equal(jsonplain_end(text, text + LONGEST, true) - text, at);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_special_byte),
        cmocka_unit_test(test_first_of_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
