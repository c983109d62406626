#include "client/text/yaml_write.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "client/text/jsonval.h"
#include "client/text/yaml.h"

/* Writes the JSON as YAML, compares it, and reads it back to what it was. */
static void check(const char *json, const char *expected)
{
    struct err err = {0};
    struct json_object *value = NULL;
    struct yaml *yaml = NULL;
    struct buf out;
    buf_init(&out, 1 << 20);
    assert_int_equal(jsonval_parse(json, strlen(json), &value, &err), 0);
    yaml_write(&out, value);
    assert_string_equal(out.data, expected);
    assert_int_equal(yaml_parse(out.data, out.len, &yaml, NULL, &err), 0);
    assert_int_equal(yaml_count(yaml), 1);
    assert_true(json_object_equal(yaml_root(yaml, 0)->json, value));
    yaml_close(yaml);
    json_object_put(value);
    buf_deinit(&out);
}

static void collections(void **state)
{
    (void)state;
    check("{\"b\":{\"y\":1,\"x\":[]},\"a\":[{\"k\":\"v\",\"l\":[1,2]},\"s\"],\"c\":{}}",
          "a:\n- k: v\n  l:\n  - 1\n  - 2\n- s\nb:\n  x: []\n  \"y\": 1\nc: {}\n");
    check("[[1,[2]],{}]", "- - 1\n  - - 2\n- {}\n");
    check("{\"a\":null,\"b\":true,\"c\":-3,\"d\":1.5}", "a: null\nb: true\nc: -3\nd: 1.5\n");
}

/* What would read as another type is double-quoted, what cannot be plain single-quoted. */
static void scalars(void **state)
{
    (void)state;
    check("[\"True\",\"3\",\"null\",\"~\",\"\",\"0x1f\",\"yes\",\"1e3\"]",
          "- \"True\"\n- \"3\"\n- \"null\"\n- \"~\"\n- \"\"\n- \"0x1f\"\n- \"yes\"\n- \"1e3\"\n");
    check("[\"2026-01-02T03:04:05Z\",\"2026-01-02\"]", "- \"2026-01-02T03:04:05Z\"\n- \"2026-01-02\"\n");
    check("[\"a: b\",\"it's: c\",\"#x\",\"a #b\",\"a#b\",\"a:b\",\"- x\",\"x:\",\"{a}\",\"<nil>\",\" a\"]",
          "- 'a: b'\n- 'it''s: c'\n- '#x'\n- 'a #b'\n- a#b\n- a:b\n- '- x'\n- 'x:'\n- '{a}'\n- <nil>\n- ' "
          "a'\n");
    check("{\"k:{\\\"type\\\":\\\"B\\\"}\":1,\".\":2}", ".: 2\nk:{\"type\":\"B\"}: 1\n");
    check("[\"a\\tb\",\"\\u001b[31m\"]", "- \"a\\tb\"\n- \"\\u001b[31m\"\n");
    /* nor what is not seen, in a block either; a reader gets the same text */
    check("[\"a\\u202eb\",\"\\u009b31m\\nx\",\"\\udb40\\udc41\"]",
          "- \"a\\u202eb\"\n- \"\\x9b31m\\nx\"\n- \"\\U000e0041\"\n");
}

static void blocks(void **state)
{
    (void)state;
    check("{\"w\":\"one\\n | two\\n\"}", "w: |\n  one\n   | two\n");
    check("[{\"w\":\"one\\n\\ntwo\"}]", "- w: |-\n    one\n\n    two\n");
    check("{\"w\":\"one\\n\\n\",\"x\":1}", "w: |+\n  one\n\nx: 1\n");
    check("{\"w\":\" one\\ntwo\"}", "w: \" one\\ntwo\"\n");
    check("[\"a\\nb\"]", "- |-\n  a\n  b\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(collections),
        cmocka_unit_test(scalars),
        cmocka_unit_test(blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
