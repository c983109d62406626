#include "typecheck/golang/timestamp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_valid(void **state)
{
    static const char *const texts[] = {
        "1970-01-01T00:00:00Z",      "2024-02-29T23:59:59.999999999Z",
        "2000-02-29T00:00:00+00:00", "2023-01-01T00:00:00.1234567890123456789-07:30",
        "2023-01-01T00:00:00,5Z", /* looser than RFC 3339, as Go is */
        "2023-01-01T1:00:00Z",       "2023-01-01T00:00:00+24:60",
        "0001-01-01T00:00:00Z",      "9999-12-31T23:59:59.999999999Z",
        "0000-12-31T23:59:59-00:01",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (!timestamp_valid(str_of(texts[i])))
            fail_msg("refused: %s", texts[i]);
    }
}

static void test_invalid(void **state)
{
    static const char *const texts[] = {
        "",
        "2023-01-01",
        "2023-01-01T00:00:00",
        "2023-01-01t00:00:00Z",
        "2023-01-01 00:00:00Z",
        "2023-01-01T00:00:00z",
        "2023-01-01T00:00:00Z ",
        "2023-01-01T00:00:00.Z",
        "2023-01-01T00:00:00+0000",
        "2023-01-01T00:00:00+25:00",
        "2023-01-01T00:00:00+00:61",
        "2023-01-01T24:00:00Z",
        "2023-01-01T00:60:00Z",
        "2023-01-01T00:00:60Z",
        "2023-01-01T00:0:00Z",
        "2023-00-01T00:00:00Z",
        "2023-13-01T00:00:00Z",
        "2023-1-01T00:00:00Z",
        "2023-01-00T00:00:00Z",
        "2023-01-32T00:00:00Z",
        "2023-04-31T00:00:00Z",
        "2023-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z",
        "12023-01-01T00:00:00Z",
        "+2023-01-01T00:00:00Z",
        "0000-12-31T23:59:59Z",
        "0001-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (timestamp_valid(str_of(texts[i])))
            fail_msg("taken: %s", texts[i]);
    }
}

static void test_range(void **state)
{
    (void)state;
    assert_true(timestamp_in_range(0));
    assert_true(timestamp_in_range(-62135596800));
    assert_true(timestamp_in_range(253402300799));
    assert_false(timestamp_in_range(-62135596801));
    assert_false(timestamp_in_range(253402300800));
    assert_false(timestamp_in_range(INT64_MIN));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_valid),
        cmocka_unit_test(test_invalid),
        cmocka_unit_test(test_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
