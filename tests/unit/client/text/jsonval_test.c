#include "client/text/jsonval.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_accessors_answer_absent(void **state)
{
    (void)state;
    cleanup_json struct json_object *o = NULL;
    struct err err;
    const char text[] = " {\"s\":\"x\",\"n\":7,\"b\":true,\"a\":[1,\"two\"],\"z\":null} \n";
    assert_int_equal(jsonval_parse(text, sizeof text - 1, &o, &err), 0);
    assert_string_equal(jsonval_string(o, "s"), "x");
    assert_null(jsonval_string(o, "n"));
    assert_null(jsonval_string(jsonval_get(o, "s"), "deeper"));
    assert_null(jsonval_string(NULL, "s"));
    assert_string_equal(jsonval_string_or_empty(o, "nope"), "");
    assert_int_equal(jsonval_int(o, "n", -1), 7);
    assert_int_equal(jsonval_int(o, "s", -1), -1);
    assert_true(jsonval_is_true(o, "b"));
    assert_false(jsonval_is_true(o, "n"));
    assert_int_equal(jsonval_length(jsonval_array(o, "a")), 2);
    assert_string_equal(jsonval_text(jsonval_at(jsonval_array(o, "a"), 1)), "two");
    assert_null(jsonval_at(jsonval_array(o, "a"), 2));
    assert_string_equal(jsonval_text_at(jsonval_array(o, "a"), 1), "two");
    assert_string_equal(jsonval_text_at(jsonval_array(o, "a"), 2), "");
    assert_null(jsonval_array(o, "s"));
    assert_null(jsonval_get(o, "z"));
}

static void test_malformed(void **state)
{
    (void)state;
    static const char *const bad[] = {"",      "  ",     "{",         "{\"a\":1}x", "{\"a\":1,}", "[,]",
                                      "[1 2]", "\"open", "/* c */ 1", "nul",        "{\"a\" 1}",  "1 2"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct json_object *o;
        struct err err = {0};
        assert_int_equal(jsonval_parse(bad[i], strlen(bad[i]), &o, &err), -1);
        assert_int_equal(err.code, ERR_PROTOCOL);
        assert_null(o);
    }
}

static void test_scalars_and_cut_text(void **state)
{
    (void)state;
    struct json_object *o;
    struct err err;
    assert_int_equal(jsonval_parse("12", 2, &o, &err), 0);
    assert_int_equal(json_object_get_int(o), 12);
    json_object_put(o);
    assert_int_equal(jsonval_parse(" null", 5, &o, &err), 0);
    assert_null(o);
    const char text[] = "{\"a\":[1,{\"b\":\"c\"}]}";
    for (size_t n = 0; n < sizeof text - 1; n++)
        assert_int_equal(jsonval_parse(text, n, &o, &err), -1);
}

static void test_depth_is_a_limit(void **state)
{
    (void)state;
    char text[2 * JSONVAL_DEPTH + 10];
    struct json_object *o;
    struct err err;
    const size_t ok = JSONVAL_DEPTH - 1;
    memset(text, '[', ok);
    memset(text + ok, ']', ok);
    assert_int_equal(jsonval_parse(text, 2 * ok, &o, &err), 0);
    json_object_put(o);
    const size_t deep = JSONVAL_DEPTH + 1;
    memset(text, '[', deep);
    memset(text + deep, ']', deep);
    assert_int_equal(jsonval_parse(text, 2 * deep, &o, &err), -1);
    assert_int_equal(err.code, ERR_LIMIT);
}

static void test_copy(void **state)
{
    (void)state;
    static const char text[] = "{\"a\":{\"b\":1},\"c\":null}";
    struct err err;
    cleanup_json struct json_object *object = NULL;
    assert_int_equal(jsonval_parse(text, sizeof text - 1, &object, &err), 0);
    cleanup_json struct json_object *copy = jsonval_copy(object), *empty = jsonval_copy(NULL);
    assert_true(json_object_equal(copy, object));
    assert_ptr_equal(jsonval_get(copy, "a"), jsonval_get(object, "a"));
    jsonval_drop(copy, "a");
    assert_int_equal(jsonval_count(object), 2);
    assert_int_equal(jsonval_count(empty), 0);
}

/* Every call on every type: what does not fit changes nothing. */
static void test_changes_of_any_value(void **state)
{
    (void)state;
    static const char text[] = "[null, true, 1, 1.5, \"x\", [], {}]";
    struct err err;
    cleanup_json struct json_object *values = NULL;
    assert_int_equal(jsonval_parse(text, sizeof text - 1, &values, &err), 0);
    for (size_t i = 0; i < jsonval_length(values); i++) {
        struct json_object *value = jsonval_at(values, i);
        const bool is_object = json_object_is_type(value, json_type_object);
        size_t seen = 0;
        jsonval_set(value, "a", json_object_new_int(1));
        jsonval_set(value, "a", json_object_new_int(2));
        jsonval_set(value, "b", NULL);
        jsonval_append(value, json_object_new_int(3));
        assert_int_equal(jsonval_length(value), json_object_is_type(value, json_type_array));
        assert_int_equal(jsonval_count(value), is_object ? 2 : 0);
        assert_int_equal(jsonval_int(value, "a", 0), is_object ? 2 : 0);
        jsonval_each(value, key, member)
        {
            assert_string_equal(key, seen == 0 ? "a" : "b");
            assert_ptr_equal(member, jsonval_get(value, key));
            jsonval_drop(value, key);
            seen++;
        }
        assert_int_equal(seen, is_object ? 2 : 0);
        jsonval_drop(value, "a");
        assert_int_equal(jsonval_count(value), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copy),
        cmocka_unit_test(test_changes_of_any_value),
        cmocka_unit_test(test_accessors_answer_absent),
        cmocka_unit_test(test_malformed),
        cmocka_unit_test(test_scalars_and_cut_text),
        cmocka_unit_test(test_depth_is_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
