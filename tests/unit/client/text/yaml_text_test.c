#include "client/text/yaml_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define BOM "\xef\xbb\xbf"

/* Parts stand between bars; a byte order mark that is skipped stands in none. */
static void test_parts(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"a: b\n---\nc: d\n", "a: b\n---\nc: d\n|"},
        {BOM "a: b\n", "a: b\n|"},
        {"a: b\n---\n" BOM "c: d\n", "a: b\n---\n|c: d\n|"},
        {"a: b\n--- # x\r\n" BOM "c\n---\n" BOM "d", "a: b\n--- # x\r\n|c\n---\n|d|"},
        {"a: b\n" BOM "c: d\n", "a: b\n" BOM "c: d\n|"},
        {"a: x" BOM "\n---\nc: " BOM "\n", "a: x" BOM "\n---\nc: " BOM "\n|"},
        {"{}", "{}|"},
        {"{}{}", "{}|{}|"},
        {" {\"a\":{}}\n\n{\"b\":\"}{\\\"}{\"}\n{}\n", " {\"a\":{}}\n\n|{\"b\":\"}{\\\"}{\"}\n|{}\n|"},
        {"{} x", "{} x|"},
        {"{}\n---\n{}", "{}\n---\n{}|"},
        {"{\"a", "{\"a|"},
        {"{\"a\\", "{\"a\\|"},
        {"{{", "{{|"},
        {"}{", "}{|"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char said[200] = "";
        size_t len = strlen(rows[i][0]);
        for (size_t at = 0, end; at < len; at = end) {
            end = yaml_text_part(rows[i][0], len, &at);
            assert_true(end > at && end <= len);
            size_t n = strlen(said);
            snprintf(said + n, sizeof said - n, "%.*s|", (int)(end - at), rows[i][0] + at);
        }
        assert_string_equal(said, rows[i][1]);
    }
}

static void test_prepared(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"{\"\\ud83d\\uDE00\"}", "{\"\xf0\x9f\x98\x80\"}"},
        {"{\"\\\\ud83d\\ude00\"}", "{\"\\\\ud83d\xef\xbf\xbd\"}"},
        {"{\"\\ud83d\"}", "{\"\xef\xbf\xbd\"}"},
        {"{\"\\ude00\\ud83dx\"}", "{\"\xef\xbf\xbd\xef\xbf\xbdx\"}"},
        {"a: \"\\ud83d\\ude00\"", "a: \"\\ud83d\\ude00\""},
        {"", ""},
        {"{\\", "{\\"},
        {"{\r\r\n}", "{\r\r\n}"},
        {"a\r\nb\r\r\n\r\n\rc\r", "a\nb\r\n\n\rc\r"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[100];
        snprintf(text, sizeof text, "%s", rows[i][0]);
        size_t len = yaml_text_prepare(text, strlen(text));
        assert_int_equal(len, strlen(rows[i][1]));
        assert_string_equal(text, rows[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_prepared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
