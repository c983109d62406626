#include "client/base/rfc3339.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void expect(int64_t unix_us, enum rfc3339_fraction fraction, const char *text)
{
    char out[RFC3339_BYTES];
    rfc3339_format(out, unix_us, fraction);
    assert_string_equal(out, text);
}

static void test_format(void **state)
{
    (void)state;
    expect(0, RFC3339_SECONDS, "1970-01-01T00:00:00Z");
    expect(1795374123000042, RFC3339_SECONDS, "2026-11-22T19:02:03Z");
    expect(1795374123987654, RFC3339_MILLISECONDS, "2026-11-22T19:02:03.987Z");
    expect(1795374123000042, RFC3339_MICROSECONDS, "2026-11-22T19:02:03.000042Z");
}

static void test_now(void **state)
{
    (void)state;
    char out[RFC3339_BYTES];
    rfc3339_now(out, RFC3339_MILLISECONDS);
    assert_int_equal(strlen(out), strlen("2026-11-22T19:02:03.987Z"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_format),
        cmocka_unit_test(test_now),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
