#include "client/text/jsontree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/text/jsonval.h"

/* What json-c's own parser makes of the text; false: it refuses it. */
static bool parse_slowly(const char *text, size_t len, struct json_object **out)
{
    struct json_tokener *tokener = json_tokener_new_ex(JSONVAL_DEPTH);
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
    *out = json_tokener_parse_ex(tokener, text, (int)len);
    bool is_parsed = json_tokener_get_error(tokener) == json_tokener_success;
    const size_t end = json_tokener_get_parse_end(tokener);
    json_tokener_free(tokener);
    for (size_t i = end; i < len; i++)
        is_parsed = is_parsed && strchr(" \t\r\n", text[i]) != NULL && text[i] != '\0';
    return is_parsed;
}

/* What is taken is what json-c's parser makes of it. Returns whether it was taken. */
static bool agrees(const char *text, size_t len)
{
    cleanup_json struct json_object *fast = NULL, *slow = NULL;
    /* exactly as long: reading past the end is seen by the sanitizer */
    char *copy = malloc(len + (len == 0));
    assert_non_null(copy);
    memcpy(copy, text, len);
    const bool is_taken = jsontree_parse(copy, len, &fast);
    if (!is_taken)
        assert_null(fast);
    if (is_taken && (!parse_slowly(copy, len, &slow) || !json_object_equal(fast, slow) ||
                     strcmp(json_object_to_json_string_ext(fast, JSON_C_TO_STRING_PLAIN),
                            json_object_to_json_string_ext(slow, JSON_C_TO_STRING_PLAIN)) != 0))
        fail_msg("not what json-c makes of it: %.*s", (int)len, copy);
    free(copy);
    return is_taken;
}

static const char object[] =
    " {\"kind\":\"Policy\", \"metadata\" : {\"name\":\"a-b\",\"generation\":12,\"labels\":{}},\n"
    "\t\"spec\":{\"validations\":[{\"expression\":\"a \\u003e 1 \\u0026\\u0026 b == \\\"x\\\\y\\\"\","
    "\"\\/\\b\\f\\n\\r\\t\":\"\xc3\xa4\\u00e4\\u20ac\"},[],[true,false,null,0,[1,2,3,4,5,6]]],\"\":\"\"},"
    "\"twice\":1,\"twice\":{\"a\":2}}\r\n";

static void test_usual_texts_are_taken(void **state)
{
    (void)state;
    static const char *const texts[] = {
        object, "{}", " [ ] ", "[1]", "[123456789012345678]", "{\"a\":null}", "[\"\\u0001\"]", "[\"\x7f\"]",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_true(agrees(texts[i], strlen(texts[i])));
}

static void test_the_rest_is_left(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        " ",
        "1",
        "\"a\"",
        "null",
        "[1.5]",
        "[-1]",
        "[1e3]",
        "[01]",
        "[1",
        "[1,]",
        "{,}",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "[1]x",
        "[nul]",
        "[tru]",
        "[True]",
        "[\"a]",
        "[\"\\x\"]",
        "[\"\\u12\"]",
        "{a:1}",
        "[1 2]",
        "[\"\\u0000\"]",
        "[\"\\ud83d\\ude00\"]",
        "[\"\t\"]",
        "[1234567890123456789]",
        "/**/[]",
        "['a']",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_false(agrees(texts[i], strlen(texts[i])));
}

static void test_depth(void **state)
{
    (void)state;
    char text[2 * (JSONTREE_DEPTH + 1)];
    memset(text, '[', sizeof text / 2);
    memset(text + sizeof text / 2, ']', sizeof text / 2);
    assert_false(agrees(text, sizeof text));
    assert_true(agrees(text + 1, sizeof text - 2));
}

static void test_keys_of_any_length(void **state)
{
    (void)state;
    enum { MOST = 300 };
    for (size_t len = 0; len < MOST; len++) {
        char text[MOST + 16] = "{\"";
        memset(text + 2, 'k', len);
        memcpy(text + 2 + len, "\":1}", 5);
        assert_int_equal(agrees(text, strlen(text)), len < 256);
    }
}

/* Cut anywhere, and with another byte in place of any. */
static void test_damaged(void **state)
{
    static const char others[] = "\"\\{}[],:/ \n\t\x0b\x1f'-+.09aAeEu\x7f\x80\xff";
    (void)state;
    char text[sizeof object];
    const size_t len = sizeof object - 1;
    for (size_t i = 0; i < len; i++)
        (void)agrees(object, i);
    for (size_t i = 0; i < len; i++) {
        memcpy(text, object, sizeof object);
        for (size_t j = 0; j < sizeof others; j++) {
            text[i] = others[j];
            (void)agrees(text, len);
        }
    }
}

static void test_what_is_written(void **state)
{
    (void)state;
    static const struct {
        const char *tree, *text;
    } rows[] = {
        {"{}", "{}"},
        {" [ ] ", "[]"},
        {"{\"a\" : [1, -2,true,false , null, {\"b\":{}}]}", "{\"a\":[1,-2,true,false,null,{\"b\":{}}]}"},
        {"[9223372036854775807,-9223372036854775808,18446744073709551615,1.5]",
         "[9223372036854775807,-9223372036854775808,18446744073709551615,1.5]"},
        {"{\"a\\\"b\":\"\\u0001\\n\xc3\xa4\\\\\"}", "{\"a\\\"b\":\"\\u0001\\n\xc3\xa4\\\\\"}"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cleanup_json struct json_object *tree = NULL, *again = NULL;
        cleanup_buf struct buf b;
        buf_init(&b, 4096);
        assert_true(parse_slowly(rows[i].tree, strlen(rows[i].tree), &tree));
        jsontree_write(&b, tree);
        assert_string_equal(b.data, rows[i].text);
        assert_true(parse_slowly(b.data, b.len, &again));
        assert_true(json_object_equal(tree, again));
    }
}

static void test_bytes_that_are_no_text(void **state)
{
    (void)state;
    cleanup_json struct json_object *bytes = json_object_new_string_len("a\xff\0b", 4);
    cleanup_buf struct buf b;
    buf_init(&b, 4096);
    jsontree_write(&b, bytes);
    assert_string_equal(b.data, "\"a\xef\xbf\xbd\\u0000b\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_usual_texts_are_taken),
        cmocka_unit_test(test_the_rest_is_left),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_keys_of_any_length),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_what_is_written),
        cmocka_unit_test(test_bytes_that_are_no_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
