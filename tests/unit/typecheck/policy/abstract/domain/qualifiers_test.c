#include "typecheck/policy/abstract/domain/qualifiers.h"

#include "tests/unit/typecheck/policy/abstract/domain/values.h"

/* {always: int, maybe: string} */
static const struct absval *some_map(struct values *v)
{
    static struct absfield fields[] = {
        {.name = STR_INIT("always"), .presence = ABS_PRESENT, .value = &absval_int},
        {.name = STR_INIT("maybe"), .presence = ABS_MAYBE, .value = &absval_string}};
    return absval_of_map(&v->arena, (struct absmap){.fields = fields, .field_count = 2});
}

/* Any map from strings to ints. */
static const struct absval *open_map(struct values *v)
{
    return absval_of_map(&v->arena, (struct absmap){.key = &absval_string, .value = &absval_int});
}

static void select_field(struct values *v, const struct absval *from, const char *name, const char *expected)
{
    values_expect(v, qualifiers_select(&v->arena, v->types, from, str_of(name), STR("a.b")), expected);
}

static void test_select(void **state)
{
    struct values *v = *state;
    const struct absval *map = some_map(v);
    select_field(v, map, "always", "int");
    select_field(v, map, "maybe", "string?");
    select_field(v, map, "never", "!undefined field 'never'");
    select_field(v, open_map(v), "any", "int?");
    select_field(v, &absval_json, "any", "dyn?");
    select_field(v, &absval_any, "any", "dyn?");
    select_field(v, &absval_null, "x", "!undefined field 'x': a.b is null here");
    select_field(v, &absval_string, "x", "!type 'string' does not support field selection");
    select_field(v, absval_of_elements(&v->arena, map), "always",
                 "!type 'list(map)' does not support field selection");
    select_field(v, absval_nullable(&v->arena, map), "always", "int?");
    select_field(v, absval_nullable(&v->arena, map), "never", "!undefined field 'never'");
    select_field(v, values_or(v, map, open_map(v)), "always", "int?");
    select_field(v, values_or(v, map, open_map(v)), "never", "int?");
    select_field(v, absval_failing(&v->arena, map), "always", "int?");
}

static void test_select_of_optionals(void **state)
{
    struct values *v = *state;
    const struct absval *sure = absval_optional(&v->arena, some_map(v), false);
    select_field(v, sure, "always", "optional_type(int)");
    select_field(v, &absval_none, "x", "optional_type(dyn)");
    struct transfer t = qualifiers_select(&v->arena, v->types, sure, STR("always"), STR(""));
    assert_false(t.value->may_be_none);
    t = qualifiers_select(&v->arena, v->types, sure, STR("maybe"), STR(""));
    assert_true(t.value->may_be_none && t.value->may_have);
    t = qualifiers_select(&v->arena, v->types, sure, STR("never"), STR(""));
    assert_true(t.value->may_be_none && !t.value->may_have);
    t = qualifiers_select(&v->arena, v->types, absval_optional(&v->arena, &absval_int, false), STR("x"),
                          STR(""));
    assert_true(t.value->may_be_none && !t.value->may_have);
}

static void has(struct values *v, const struct absval *from, const char *name, const char *expected)
{
    values_expect(v, qualifiers_has(&v->arena, v->types, from, str_of(name)), expected);
}

static void test_has(void **state)
{
    struct values *v = *state;
    const struct absval *map = some_map(v);
    has(v, map, "always", "true");
    has(v, map, "maybe", "bool");
    has(v, map, "never", "false");
    has(v, absval_nullable(&v->arena, map), "always", "bool");
    has(v, &absval_null, "x", "false");
    has(v, &absval_string, "x", "false");
    has(v, &absval_json, "x", "bool?");
    has(v, absval_of_elements(&v->arena, map), "x", "!type 'list(map)' does not support field selection");
    has(v, &absval_none, "x", "bool");
}

static void index_of(struct values *v, const struct absval *from, const struct absval *key,
                     const char *expected)
{
    values_expect(v, qualifiers_index(&v->arena, v->types, from, key), expected);
}

static void test_index(void **state)
{
    struct values *v = *state;
    const struct absval *items[] = {values_int(v, 7), values_string(v, "b")};
    const struct absval *list = absval_of_items(&v->arena, items, 2);
    index_of(v, list, values_int(v, 0), "int 7?");
    index_of(v, list, values_int(v, 1), "string b?");
    index_of(v, list, values_int(v, 2), "!the list has no such index");
    index_of(v, list, values_int(v, -1),
             "!index out of bounds: -1, the last item of a list is at size() - 1");
    index_of(v, list, &absval_int, "int or string?");
    index_of(v, list, &absval_string,
             "!found no matching overload for '_[_]' applied to '(list(int or string), string)'");
    index_of(v, some_map(v), values_string(v, "always"), "int?");
    index_of(v, some_map(v), values_string(v, "never"), "!undefined field 'never'");
    index_of(v, some_map(v), &absval_string, "int or string?");
    index_of(v, some_map(v), &absval_int, "!found no matching overload for '_[_]' applied to '(map, int)'");
    index_of(v, &absval_int, &absval_int, "!found no matching overload for '_[_]' applied to '(int, int)'");
    index_of(v, values_or(v, list, open_map(v)), values_string(v, "x"), "int?");
    index_of(v, absval_optional(&v->arena, open_map(v), false), values_string(v, "x"), "optional_type(int)?");
}

static void optional(struct values *v, const struct absval *from, const struct absval *key,
                     const char *expected)
{
    values_expect(v, qualifiers_optional(&v->arena, v->types, from, key, STR("_?._")), expected);
}

static void test_optional(void **state)
{
    struct values *v = *state;
    optional(v, some_map(v), values_string(v, "always"), "optional_type(int)");
    optional(v, some_map(v), values_string(v, "never"), "optional_type(dyn)");
    optional(v, &absval_null, values_string(v, "x"), "optional_type(dyn)");
    optional(v, absval_nullable(&v->arena, open_map(v)), values_string(v, "x"), "optional_type(int)");
    optional(v, absval_of_elements(&v->arena, &absval_int), values_string(v, "x"),
             "!found no matching overload for '_?._' applied to '(list(int), string)'");
    optional(v, absval_of_elements(&v->arena, &absval_int), values_int(v, 3), "optional_type(int)?");
    struct transfer t =
        qualifiers_optional(&v->arena, v->types, some_map(v), values_string(v, "always"), STR("_?._"));
    assert_false(t.value->may_be_none);
}

/* A list takes an int alone, a map a string, where they are of a built-in kind's object since
 * Kubernetes 1.37. */
static void test_typed(void **state)
{
    struct values *v = *state;
    const struct absval *list = values_typed_list(v, &type_string), *map = values_typed_map(v);
    const struct absval *plain = absval_of_elements(&v->arena, &absval_string);
    const struct absval *number = absval_of_type(&v->arena, &type_uint),
                        *real = absval_of_type(&v->arena, &type_double);
    index_of(v, list, values_int(v, 0), "string?");
    index_of(v, list, number, "!found no matching overload for '_[_]' applied to '(list(string), uint)'");
    index_of(v, list, real, "!found no matching overload for '_[_]' applied to '(list(string), double)'");
    index_of(v, absval_nullable(&v->arena, list), number,
             "!found no matching overload for '_[_]' applied to '(list(string), uint)'");
    index_of(v, list, values_or(v, number, &absval_int), "string?");
    index_of(v, plain, number, "string?");
    index_of(v, values_or(v, list, plain), number, "string?");
    index_of(v, map, values_int(v, 1),
             "!found no matching overload for '_[_]' applied to '(map(string, string), int)'");
    optional(v, map, values_int(v, 1),
             "!found no matching overload for '_?._' applied to '(map(string, string), int)'");
    optional(v, map, values_string(v, "a"), "optional_type(string)");
    optional(v, absval_nullable(&v->arena, map), values_int(v, 1), "optional_type(dyn)");
    optional(v, open_map(v), values_int(v, 1), "optional_type(dyn)");
    optional(v, list, number, "optional_type(string)?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_select),   cmocka_unit_test(test_select_of_optionals),
        cmocka_unit_test(test_has),      cmocka_unit_test(test_index),
        cmocka_unit_test(test_optional), cmocka_unit_test(test_typed),
    };
    return cmocka_run_group_tests(tests, values_setup, values_teardown);
}
