#include "client/text/yaml_keys.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "client/text/jsonval.h"
#include "client/text/yaml.h"

static void test_find(void **state)
{
    (void)state;
    static const char *const none[] = {
        "", "Type", "typ", "types", "descriptioN", "x-kubernetes-list-map-keys", "properties "};
    const char *found = yaml_keys_find("description: text", strlen("description"));
    assert_string_equal(found, "description");
    assert_ptr_equal(found, yaml_keys_find("description", strlen("description")));
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        assert_null(yaml_keys_find(none[i], strlen(none[i])));
}

/* The value stays when the text and its nodes are gone. The caller puts it. */
static struct json_object *read(const char *text)
{
    struct yaml *yaml;
    struct err err = {0};
    if (yaml_parse(text, strlen(text), &yaml, NULL, &err) != 0)
        fail_msg("%s: %s", text, err.msg);
    struct json_object *json = json_object_get(yaml_root(yaml, 0)->json);
    yaml_close(yaml);
    return json;
}

static void check(const char *text, const char *wanted)
{
    struct json_object *json = read(text);
    assert_string_equal(json_object_to_json_string_ext(json, JSON_C_TO_STRING_PLAIN), wanted);
    json_object_put(json);
}

/* Wherever a known key stands, the members are those that they would be without it. */
static void test_members(void **state)
{
    (void)state;
    check("{type: string, 'items': {\"enum\": [a]}, other: 1}",
          "{\"type\":\"string\",\"items\":{\"enum\":[\"a\"]},\"other\":1}");
    check("&k type: string\nother: *k\n", "{\"type\":\"string\",\"other\":\"type\"}");
    check("a: &k type\n*k : 1\n", "{\"a\":\"type\",\"type\":1}");
    check("!!str type: 1\n", "{\"type\":1}");
    check("a: &a {type: 1, other: 2}\nb: {<<: *a, other: 3, items: 4}\n",
          "{\"a\":{\"type\":1,\"other\":2},\"b\":{\"type\":1,\"other\":3,\"items\":4}}");
    check("a: &a {type: 1}\nb: {type: 2, <<: *a}\n", "{\"a\":{\"type\":1},\"b\":{\"type\":1}}");
}

static void test_changed(void **state)
{
    (void)state;
    struct json_object *json = read("type: a\nkind: b\nother: c\n");
    jsonval_drop(json, "type");
    jsonval_set(json, "kind", json_object_new_string("d"));
    assert_string_equal(json_object_to_json_string_ext(json, JSON_C_TO_STRING_PLAIN),
                        "{\"kind\":\"d\",\"other\":\"c\"}");
    json_object_put(json);
}

static void test_twice(void **state)
{
    (void)state;
    static const char text[] = "type: a\nname: b\ntype: c\n";
    struct yaml *yaml;
    struct yaml_place where;
    struct err err = {0};
    assert_int_equal(yaml_parse(text, strlen(text), &yaml, &where, &err), -1);
    assert_string_equal(err.msg, "duplicate key type");
    assert_int_equal(where.line, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_members),
        cmocka_unit_test(test_changed),
        cmocka_unit_test(test_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
