#include "controller/apiserver/validation/gotext.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/text/jsonval.h"

/* len is given where the text holds a NUL. */
static const struct {
    const char *text;
    size_t len;
    const char *quoted, *json;
} rows[] = {
    {"", 0, "\"\"", "\"\""},
    {"a\"b\\c", 0, "\"a\\\"b\\\\c\"", "\"a\\\"b\\\\c\""},
    {"\n\r\t\a\b\f\v", 0, "\"\\n\\r\\t\\a\\b\\f\\v\"", "\"\\n\\r\\t\\u0007\\b\\f\\u000b\""},
    {"a\0b\x7f", 4, "\"a\\x00b\\x7f\"", "\"a\\u0000b\x7f\""},
    {"<a&b>", 0, "\"<a&b>\"", "\"\\u003ca\\u0026b\\u003e\""},
    {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 0, "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"",
     "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\""},
    {"\xc2\xa0\xe2\x80\xa8\xef\xbb\xbf", 0, "\"\\u00a0\\u2028\\ufeff\"", "\"\xc2\xa0\\u2028\xef\xbb\xbf\""},
    {"\xf3\xa0\x80\x81", 0, "\"\\U000e0001\"", "\"\xf3\xa0\x80\x81\""},
    {"a\xff", 0, "\"a\\xff\"", "\"a\\ufffd\""},
};

static void test_strings(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t len = rows[i].len != 0 ? rows[i].len : strlen(rows[i].text);
        struct json_object *string = json_object_new_string_len(rows[i].text, (int)len);
        cleanup_buf struct buf quoted, json;
        buf_init(&quoted, 1000);
        buf_init(&json, 1000);
        gotext_put_quoted(&quoted, rows[i].text, len);
        gotext_put_json(&json, string);
        assert_string_equal(quoted.data, rows[i].quoted);
        assert_string_equal(json.data, rows[i].json);
        json_object_put(string);
    }
}

static void test_trees(void **state)
{
    (void)state;
    static const char text[] = "[1,true,null,{\"b\":[],\"a\":{\"c\":\"<\"}},-2.5]";
    struct json_object *tree = NULL;
    struct err err = {0};
    cleanup_buf struct buf b;
    buf_init(&b, 1000);
    assert_int_equal(jsonval_parse(text, strlen(text), &tree, &err), 0);
    gotext_put_json(&b, tree);
    assert_string_equal(b.data, "[1,true,null,{\"b\":[],\"a\":{\"c\":\"\\u003c\"}},-2.5]");
    json_object_put(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
