#include "bytes/hex.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_digit(void **state)
{
    static const char digits[] = "0123456789abcdef", capitals[] = "ABCDEF";
    (void)state;
    for (int c = -128; c < 256; c++) {
        const char *small = c > 0 && c < 128 ? strchr(digits, c) : NULL;
        const char *capital = c > 0 && c < 128 ? strchr(capitals, c) : NULL;
        const int value = small != NULL     ? (int)(small - digits)
                          : capital != NULL ? (int)(capital - capitals) + 10
                                            : -1;
        assert_int_equal(hex_digit(c), value);
    }
}

static void test_read(void **state)
{
    uint32_t value;
    (void)state;
    assert_true(hex_read("00fFx", 4, &value));
    assert_int_equal(value, 0xff);
    assert_true(hex_read("DeadBeef", 8, &value));
    assert_int_equal(value, 0xdeadbeef);
    assert_true(hex_read("x", 0, &value));
    assert_int_equal(value, 0);
    /* the end of the text is no digit, and is not passed */
    assert_false(hex_read("12", 4, &value));
    assert_false(hex_read("1g00", 4, &value));
    assert_false(hex_read("-100", 4, &value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_digit),
        cmocka_unit_test(test_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
