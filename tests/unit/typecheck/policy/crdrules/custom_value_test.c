#include "typecheck/policy/crdrules/custom_value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/values/json_value.h"
#include "typecheck/cel/interpreter/values/value_map.h"
#include "typecheck/cel/interpreter/values/value_text.h"

#define BUDGET      ((size_t)4 << 20)
#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

#define TEXT_REFUSED "vapcheck does not read this text in the format of its schema"

/* The value as a literal of CEL, the text of the error, or what is missing. */
static const struct {
    const char *schema, *json, *text;
} rows[] = {
    {"{\"type\":\"string\"}", "\"a\"", "\"a\""},
    {"{\"type\":\"string\"}", "1", "invalid data, expected string"},
    {"{\"type\":\"integer\"}", "1", "1"},
    {"{\"type\":\"integer\"}", "1.5", "invalid data, expected int"},
    {"{\"type\":\"number\"}", "1", "1.0"},
    {"{\"type\":\"number\"}", "\"1\"", "invalid data, expected float"},
    {"{\"type\":\"boolean\"}", "true", "true"},
    {"{\"type\":\"boolean\"}", "0", "invalid data, expected bool"},
    {"{\"type\":\"string\"}", "null", "invalid data, got null for schema with nullable=false"},
    {"{\"type\":\"string\",\"nullable\":true}", "null", "null"},
    {"{\"x-kubernetes-int-or-string\":true}", "\"a\"", "\"a\""},
    {"{\"x-kubernetes-int-or-string\":true}", "2", "2"},
    {"{\"x-kubernetes-int-or-string\":true}", "true",
     "invalid data, expected XIntOrString value to be either a string or integer"},
    {"{\"type\":\"object\"}", "[]", "invalid data, expected a map for the provided schema with type=object"},
    {"{\"type\":\"array\"}", "{}", "invalid data, expected an array for the provided schema with type=array"},
    {"{\"type\":\"array\",\"items\":{\"type\":\"number\"}}", "[1,2]", "[1.0, 2.0]"},
    {"{\"type\":\"string\",\"format\":\"byte\"}", "\"aGk=\"", "bytes(6869)"},
    {"{\"type\":\"string\",\"format\":\"byte\"}", "\"aGk\"", TEXT_REFUSED},
    {"{\"type\":\"string\",\"format\":\"byte\"}", "\"\"", TEXT_REFUSED},
    {"{\"type\":\"string\",\"format\":\"duration\"}", "\"90m\"", "duration(5400000000000)"},
    {"{\"type\":\"string\",\"format\":\"duration\"}", "\"soon\"", TEXT_REFUSED},
    {"{\"type\":\"string\",\"format\":\"date\"}", "\"2024-02-29\"", "timestamp(1709164800.000000000)"},
    {"{\"type\":\"string\",\"format\":\"date-time\"}", "\"2024-02-29T01:02:03Z\"",
     "timestamp(1709168523.000000000)"},
    {"{\"type\":\"string\",\"format\":\"date-time\"}", "\"2024-02-30\"", TEXT_REFUSED},
    {"{\"type\":\"string\",\"format\":\"other\"}", "\"x\"", "\"x\""},
    {"{\"type\":\"object\",\"additionalProperties\":{\"type\":\"number\"}}", "{\"a-b\":1}", "{\"a-b\": 1.0}"},
    {"{\"type\":\"object\",\"properties\":{\"a-b\":{\"type\":\"integer\"},\"in\":{\"type\":\"string\"}}}",
     "{\"a-b\":1,\"in\":\"x\"}", "{\"__in__\": \"x\", \"a__dash__b\": 1}"},
    {"{}", "1", "vapcheck does not evaluate a rule on an object with a value that has no type"},
};

static const char *text_of(struct arena *a, const char *schema, const char *json)
{
    struct str missing;
    const struct value *v = custom_value_of(a, json_value_read(a, str_of(json)),
                                            json_value_read(a, str_of(schema)), false, &missing);
    struct str text = v == NULL ? missing : value_is_error(v) ? v->text : value_literal(a, v);
    return str_join(a, STR_PARTS(text, (struct str){"", 1})).at;
}

static void test_values(void **state)
{
    struct arena a;
    (void)state;
    arena_init(&a, BUDGET);
    assert_int_equal(setjmp(a.escape), 0);
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_string_equal(text_of(&a, rows[i].schema, rows[i].json), rows[i].text);
    arena_deinit(&a);
}

/* A field that the schema does not have, or that is null, is in the map, but no name finds it. */
static void test_hidden_fields(void **state)
{
    static const char schema[] =
        "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\"},\"b\":{\"type\":"
        "\"integer\"},\"c\":{}}}";
    struct arena a;
    struct str missing;
    (void)state;
    arena_init(&a, BUDGET);
    assert_int_equal(setjmp(a.escape), 0);
    const struct value *json = json_value_read(&a, STR("{\"a\":1,\"b\":null,\"c\":2,\"d\":3}"));
    const struct value *v = custom_value_of(&a, json, json_value_read(&a, STR(schema)), false, &missing);
    assert_int_equal(v->map->count, 4);
    assert_int_equal(value_map_member(&a, v->map, STR("a"))->integer, 1);
    static const char *const hidden[] = {"b", "c", "d"};
    for (size_t i = 0; i < COUNT(hidden); i++) {
        const struct str name = str_of(hidden[i]);
        assert_null(value_map_member(&a, v->map, name));
        assert_non_null(value_map_member(
            &a, v->map, str_join(&a, STR_PARTS((struct str){&(const char){VALUE_MAP_HIDDEN}, 1}, name))));
    }
    arena_deinit(&a);
}

/* A resource has kind, apiVersion and the names in metadata, and of metadata no more. */
static void test_resources(void **state)
{
    static const char json[] =
        "{\"kind\":\"K\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"n\",\"uid\":\"u\"}}",
                      embedded[] = "{\"type\":\"object\",\"x-kubernetes-embedded-resource\":true}";
    struct arena a;
    struct str missing;
    (void)state;
    arena_init(&a, BUDGET);
    assert_int_equal(setjmp(a.escape), 0);
    const struct value *object = json_value_read(&a, STR(json));
    const struct value *plain = json_value_read(&a, STR("{\"type\":\"object\"}"));
    enum { WAYS = 2 };
    const struct value *seen[WAYS] = {
        custom_value_of(&a, object, plain, true, &missing),
        custom_value_of(&a, object, json_value_read(&a, STR(embedded)), false, &missing)};
    for (size_t i = 0; i < WAYS; i++) {
        assert_string_equal("K", str_join(&a, STR_PARTS(value_map_member(&a, seen[i]->map, STR("kind"))->text,
                                                        (struct str){"", 1}))
                                     .at);
        const struct value *metadata = value_map_member(&a, seen[i]->map, STR("metadata"));
        assert_non_null(value_map_member(&a, metadata->map, STR("name")));
        assert_null(value_map_member(&a, metadata->map, STR("uid")));
    }
    assert_null(value_map_member(&a, custom_value_of(&a, object, plain, false, &missing)->map, STR("kind")));
    arena_deinit(&a);
}

static void test_lists(void **state)
{
    static const char
        set[] = "{\"type\":\"array\",\"x-kubernetes-list-type\":\"set\",\"items\":{\"type\":\"string\"}}",
        map[] = "{\"type\":\"array\",\"x-kubernetes-list-type\":\"map\",\"x-kubernetes-list-map-keys\":[\"%s"
                "\"],\"items\":{\"type\":\"object\",\"properties\":{}}}";
    char schema[512];
    struct arena a;
    struct str missing;
    (void)state;
    arena_init(&a, BUDGET);
    assert_int_equal(setjmp(a.escape), 0);
    const struct value *empty = json_value_read(&a, STR("[]"));
    assert_int_equal(custom_value_of(&a, empty, json_value_read(&a, STR(set)), false, &missing)->list->type,
                     VALUE_LIST_SET);
    (void)snprintf(schema, sizeof schema, map, "name");
    const struct value *v = custom_value_of(&a, empty, json_value_read(&a, str_of(schema)), false, &missing);
    assert_int_equal(v->list->type, VALUE_LIST_MAP);
    assert_int_equal(v->list->keys->count, 1);
    (void)snprintf(schema, sizeof schema, map, "a-b");
    assert_null(custom_value_of(&a, empty, json_value_read(&a, str_of(schema)), false, &missing));
    assert_true(
        str_eq(missing, STR("vapcheck does not evaluate lists whose keys have names that CEL escapes")));
    arena_deinit(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_hidden_fields),
        cmocka_unit_test(test_resources),
        cmocka_unit_test(test_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
