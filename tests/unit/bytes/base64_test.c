#include "bytes/base64.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { ROOM = 64 };

static void decodes(const char *text, const char *expected)
{
    char bytes[ROOM] = "";
    size_t count;
    assert_true(BASE64_BYTES(strlen(text)) < ROOM);
    assert_true(base64_decode(text, strlen(text), bytes, &count));
    assert_int_equal(count, strlen(expected));
    assert_memory_equal(bytes, expected, count);
}

static void test_decode(void **state)
{
    (void)state;
    decodes("", "");
    decodes("\n", "");
    decodes("Zg==", "f");
    decodes("Zm8=", "fo");
    decodes("Zm9v", "foo");
    decodes("Zm9v\nYmFy\r\n", "foobar");
    decodes("Zg\n==", "f");
    decodes("PDw/Pz4+", "<<?\?>>");
    decodes("Zh==", "f"); /* Go does not look at the bits that stand for nothing */
}

static void test_refuses(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "Z",    "Zg",    "Zg=",      "Zm9v=", "Z===",    "Zg==Zg==", "Zm 9", "Zm9v====", "-_-_",
        "====", "Zm9vY", "Zg======", "Zg=A",  "Zm9\x80", "=",        "=Zg=", "Zg==\t",   "Zm9v Zg"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char bytes[ROOM];
        size_t count;
        assert_false(base64_decode(bad[i], strlen(bad[i]), bytes, &count));
    }
    char bytes[ROOM];
    size_t count;
    assert_false(base64_decode("Zm\0v", 4, bytes, &count));
}

/* Each length and each byte, there and back, with nothing written behind. */
static void test_there_and_back(void **state)
{
    (void)state;
    for (size_t len = 0; len < 8; len++) {
        for (int first = 0; first < 256; first++) {
            char bytes[8], text[ROOM], again[ROOM];
            size_t count;
            for (size_t i = 0; i < len; i++)
                bytes[i] = (char)(first + (int)i * 37);
            memset(text, '!', sizeof text);
            memset(again, '!', sizeof again);
            base64_encode(bytes, len, text);
            assert_int_equal(text[BASE64_LENGTH(len)], '!');
            assert_true(base64_decode(text, BASE64_LENGTH(len), again, &count));
            assert_int_equal(count, len);
            assert_memory_equal(again, bytes, len);
            assert_int_equal(again[BASE64_BYTES(BASE64_LENGTH(len))], '!');
        }
    }
}

static void test_encode(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"<<?\?>>", "PDw/Pz4+"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[ROOM] = "";
        base64_encode(cases[i][0], strlen(cases[i][0]), text);
        assert_string_equal(text, cases[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decode),
        cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_there_and_back),
        cmocka_unit_test(test_encode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
