#include "client/text/jsondiff.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"

static struct json_object *parse(const char *text)
{
    struct json_object *json;
    struct err err = {0};
    assert_int_equal(jsonval_parse(text, strlen(text), &json, &err), 0);
    return json;
}

static void add(void *user, const struct jsondiff *d)
{
    cleanup_mem char *before = jsondiff_value(d->has_before, d->before);
    cleanup_mem char *after = jsondiff_value(d->has_after, d->after);
    buf_printf(user, "%s|%s|%s|%s\n", d->path, d->pointer, before, after);
}

static const struct {
    const char *before, *after, *expected;
} rows[] = {
    {"{\"a\":{\"b\":1}}", "{\"a\":{\"b\":1}}", ""},
    {"1", "\"1\"", "||1|\"1\"\n"},
    {"{\"a\":null}", "{}", "a|/a|null|nothing\n"},
    {"{}", "{\"a\":null}", "a|/a|nothing|null\n"},
    {"{\"a\":{\"b/c\":1,\"d~\":2}}", "{\"a\":{\"b/c\":2,\"d~\":3,\"x\":[]}}",
     "a['b/c']|/a/b~1c|1|2\na['d~']|/a/d~0|2|3\na.x|/a/x|nothing|[]\n"},
    {"[1,2,3,4]", "[1,5]", "[1]|/1|2|5\n[2]|/2|3|nothing\n[3]|/2|4|nothing\n"},
    {"[1]", "[1,{\"a\":2},3]", "[1]|/1|nothing|{\"a\":2}\n[2]|/2|nothing|3\n"},
    {"{\"a\":[]}", "{\"a\":{}}", "a|/a|[]|{}\n"},
};

static void test_differences(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cleanup_json struct json_object *before = parse(rows[i].before), *after = parse(rows[i].after);
        cleanup_buf struct buf text;
        buf_init(&text, 1 << 16);
        jsondiff_walk(before, after, add, &text);
        assert_string_equal(text.data == NULL ? "" : text.data, rows[i].expected);
    }
}

static void test_long_value(void **state)
{
    char text[600];
    (void)state;
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    cleanup_json struct json_object *json = json_object_new_string(text);
    cleanup_mem char *shown = jsondiff_value(true, json);
    assert_int_equal(strlen(shown), 203);
    assert_string_equal(shown + 200, "...");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_differences), cmocka_unit_test(test_long_value)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
