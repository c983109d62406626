#include "client/base/base64.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/mem.h"
static void decodes(const char *text, const char *expected)
{
    char *out;
    size_t len;
    struct err err;
    assert_int_equal(base64_decode(text, strlen(text), &out, &len, &err), 0);
    assert_int_equal(len, strlen(expected));
    assert_string_equal(out, expected);
    mem_free(out);
}

static void test_decode(void **state)
{
    (void)state;
    decodes("", "");
    decodes("Zg==", "f");
    decodes("Zm8=", "fo");
    decodes("Zm9v", "foo");
    decodes("Zm9v\nYmFy\r\n", "foobar");
    decodes("PDw/Pz4+", "<<?\?>>");
}

static void test_refuses(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "Z", "Zg", "Zg=", "Zm9v=", "Z===", "Zg==Zg==", "Zm 9", "-_-_", "====", "Zm9vY"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char *out;
        size_t len;
        struct err err = {0};
        assert_int_equal(base64_decode(bad[i], strlen(bad[i]), &out, &len, &err), -1);
        assert_int_equal(err.code, ERR_INVALID);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decode),
        cmocka_unit_test(test_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
