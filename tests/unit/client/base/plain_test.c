#include "client/base/plain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bytes/utf8.h"
#include "client/base/mem.h"

/* What moves a cursor, ends a line, turns it around or is not seen. */
static const uint32_t never[] = {0x0,    0x7,    0x8,    0xa,     0xd,     0x1b,    0x1f,   0x7f,
                                 0x80,   0x9b,   0x9f,   0xad,    0x61c,   0x115f,  0x180e, 0x200b,
                                 0x200c, 0x200d, 0x200e, 0x200f,  0x2028,  0x2029,  0x202a, 0x202d,
                                 0x202e, 0x2060, 0x2064, 0x2066,  0x2069,  0x206f,  0x3164, 0xfe0f,
                                 0xfeff, 0xfff9, 0xfffb, 0xe0001, 0xe0041, 0xe007f, 0xe0100};

static void test_what_is_hidden(void **state)
{
    (void)state;
    static const uint32_t fine[] = {' ',    'a',    '~',    0xa0,   0xac,   0xae,    0xe9,    0x61b,   0x61d,
                                    0x5d0,  0x4e2d, 0x200a, 0x2010, 0x2027, 0x202f,  0x205f,  0x2070,  0x3000,
                                    0xfdff, 0xfefe, 0xff00, 0xfffc, 0xfffd, 0x1f600, 0xdffff, 0x10ffff};
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        assert_true(plain_is_hidden(never[i]));
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++)
        assert_false(plain_is_hidden(fine[i]));
}

static void test_spelling(void **state)
{
    (void)state;
    static const struct {
        uint32_t code;
        const char *text, *json;
    } rows[] = {{0x1b, "\\x1b", "\\u001b"},
                {0x9b, "\\x9b", "\\u009b"},
                {0x202e, "\\u202e", "\\u202e"},
                {0xe0041, "\\U000e0041", "\\udb40\\udc41"}};
    char out[PLAIN_SPELLED_BYTES];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(plain_spell(rows[i].code, PLAIN_TEXT, out), strlen(rows[i].text));
        assert_string_equal(out, rows[i].text);
        assert_int_equal(plain_spell(rows[i].code, PLAIN_JSON, out), strlen(rows[i].json));
        assert_string_equal(out, rows[i].json);
    }
}

static void check(char *made, const char *expected)
{
    assert_string_equal(made, expected);
    mem_free(made);
}

static void test_forms(void **state)
{
    (void)state;
    check(plain_text("a\nb\x1b[1m"), "a\nb\\x1b[1m");
    check(plain_line("a\nb\x1b[1m"), "a\\x0ab\\x1b[1m");
    check(plain_line("\xff caf\xc3\xa9 \xe2\x80\xae"), "\\xff caf\xc3\xa9 \\u202e");
    check(plain_json("{\n\t\"a\": \"\xe2\x80\xae\xc2\x9b\xff\xf3\xa0\x81\x81\"\n}"),
          "{\n\t\"a\": \"\\u202e\\u009b\\ufffd\\udb40\\udc41\"\n}");
    check(plain_json("{\"a\": \"##[error]\"}"), "{\"a\": \"##\\u005berror]\"}");
    assert_null(plain_json("{\n\t\"caf\xc3\xa9\": [\"a:b#c\"]\r\n}"));
    check(plain_xml("<a & \"b\">\n\xe2\x80\xae\xef\xbf\xbe"),
          "&lt;a &amp; &quot;b&quot;&gt;&#10;\\u202e\xef\xbf\xbd");
    check(plain_github("a:b,%\n\x1b", false), "a:b,%25%0A\\x1b");
    check(plain_github("a:b,%\n\x1b", true), "a%3Ab%2C%25%0A\\x1b");
    check(plain_sarif("[a](http://b) \\n x[0]"), "\\[a\\](http://b) \\\\n x\\[0\\]");
}

/* No form lets one of them through, wherever it stands. */
static void test_none_gets_through(void **state)
{
    (void)state;
    for (size_t i = 1; i < sizeof never / sizeof *never; i++) {
        char text[16] = "a", seen[8] = {0};
        const size_t n = utf8_put(never[i], seen);
        memcpy(text + 1, seen, n);
        text[n + 1] = 'b';
        char *const made[] = {plain_line(text), plain_xml(text), plain_github(text, true),
                              plain_github(text, false)};
        for (size_t j = 0; j < sizeof made / sizeof *made; j++) {
            assert_null(strstr(made[j], seen));
            assert_false(plain_has_hidden(made[j]));
            mem_free(made[j]);
        }
        assert_int_equal(n, strlen(seen));
        assert_true(plain_has_hidden(text));
    }
    assert_true(plain_has_hidden("\xc0"));
    assert_false(plain_has_hidden("caf\xc3\xa9 \xf0\x9f\x98\x80"));
}

static void test_a_run_of_plain_characters(void **state)
{
    (void)state;
    static const char text[] = "plain ~!\"\\ \t\x7f\xc3\xa9";
    assert_int_equal(plain_run(text, sizeof text - 1), strlen("plain ~!"));
    assert_int_equal(plain_run(text, 3), 3);
    assert_int_equal(plain_run("", 0), 0);
    for (const char *at = "\"\\\t\x7f\xc3\xa9"; *at; at++)
        assert_int_equal(plain_run(at, 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_hidden),
        cmocka_unit_test(test_spelling),
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_none_gets_through),
        cmocka_unit_test(test_a_run_of_plain_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
