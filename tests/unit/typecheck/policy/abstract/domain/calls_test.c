#include "typecheck/policy/abstract/domain/abslogic.h"
#include "typecheck/policy/abstract/domain/calls.h"
#include "typecheck/policy/abstract/domain/optional_call.h"

#include "tests/unit/typecheck/policy/abstract/domain/values.h"

#define ARGS(...)                                                                                            \
    (const struct absval *[]){__VA_ARGS__},                                                                  \
        sizeof((const struct absval *[]){__VA_ARGS__}) / sizeof(const struct absval *)

static void operation(struct values *v, enum ast_operator op, const struct absval *left,
                      const struct absval *right, const char *expected)
{
    struct str name = ast_operator_function(op);
    const struct absval *args[] = {left, right};
    struct abscall c = {.arena = &v->arena,
                        .types = v->types,
                        .op = op,
                        .name = name,
                        .function = env_function(v->env, name),
                        .args = args,
                        .count = 2};
    values_expect(v, calls_apply(&c), expected);
}

static struct transfer apply(struct values *v, const char *name, bool is_receiver, const struct absval **args,
                             size_t count)
{
    struct abscall c = {.arena = &v->arena,
                        .types = v->types,
                        .name = str_of(name),
                        .function = env_function(v->env, str_of(name)),
                        .args = args,
                        .count = count,
                        .is_receiver = is_receiver};
    return calls_apply(&c);
}

static void function(struct values *v, const char *name, const struct absval **args, size_t count,
                     const char *expected)
{
    values_expect(v, apply(v, name, false, args, count), expected);
}

static void method(struct values *v, const char *name, const struct absval **args, size_t count,
                   const char *expected)
{
    values_expect(v, apply(v, name, true, args, count), expected);
}

static const struct absval *list_of(struct values *v, const struct absval *one, const struct absval *two)
{
    const struct absval **items = ARENA_ARRAY(&v->arena, 2, const struct absval *);
    items[0] = one;
    items[1] = two;
    return absval_of_items(&v->arena, items, 2);
}

static void test_equality(void **state)
{
    struct values *v = *state;
    const struct absval *one = values_int(v, 1), *two = values_int(v, 2), *a = values_string(v, "a");
    operation(v, AST_EQUALS, one, one, "true");
    operation(v, AST_EQUALS, one, two, "false");
    operation(v, AST_NOT_EQUALS, one, two, "true");
    operation(v, AST_EQUALS, values_or(v, one, two), two, "bool");
    operation(v, AST_EQUALS, values_or(v, one, two), values_int(v, 3), "false");
    operation(v, AST_EQUALS, &absval_int, one, "bool");
    operation(v, AST_EQUALS, &absval_string, &absval_null, "false");
    operation(v, AST_NOT_EQUALS, &absval_null, &absval_null, "false");
    operation(v, AST_EQUALS, &absval_string, one,
              "~found no matching overload for '_==_' applied to '(string, int)'");
    operation(v, AST_NOT_EQUALS, a, one, "~found no matching overload for '_!=_' applied to '(string, int)'");
    operation(v, AST_EQUALS, absval_failing(&v->arena, &absval_int), one, "bool?");
    operation(v, AST_EQUALS, list_of(v, one, two), list_of(v, one, two), "true");
    operation(v, AST_EQUALS, list_of(v, one, two), list_of(v, one, a), "false");
    operation(v, AST_EQUALS, list_of(v, one, &absval_int), list_of(v, one, two), "bool");
    operation(v, AST_EQUALS, &absval_true, &absval_false, "false");
    operation(v, AST_EQUALS, absval_of_type_value(&v->arena, ABS_INT),
              absval_of_type_value(&v->arena, ABS_UINT), "false");
}

static void test_in(void **state)
{
    struct values *v = *state;
    const struct absval *one = values_int(v, 1), *a = values_string(v, "a");
    const struct absval *list = list_of(v, one, values_int(v, 2));
    operation(v, AST_IN, one, list, "true");
    operation(v, AST_IN, values_int(v, 3), list, "false");
    operation(v, AST_IN, &absval_int, list, "bool");
    operation(v, AST_IN, a, list, "~found no matching overload for '@in' applied to '(string, list(int))'");
    operation(v, AST_IN, a, &absval_int, "!found no matching overload for '@in' applied to '(string, int)'");
    operation(v, AST_IN, a, absval_of_elements(&v->arena, NULL), "false");
    operation(v, AST_IN, a, &absval_any, "bool?");
    static const struct absfield fields[] = {
        {.name = STR_INIT("a"), .presence = ABS_PRESENT, .value = &absval_int},
        {.name = STR_INIT("b"), .presence = ABS_MAYBE, .value = &absval_int}};
    const struct absval *map = absval_of_map(&v->arena, (struct absmap){.fields = fields, .field_count = 2});
    operation(v, AST_IN, a, map, "true");
    operation(v, AST_IN, values_string(v, "b"), map, "bool");
    operation(v, AST_IN, values_string(v, "c"), map, "false");
    operation(v, AST_IN, one, map, "~found no matching overload for '@in' applied to '(int, map)'");
}

/* Anything may be compared with null: with an element or a key, too. */
static void test_in_nulls(void **state)
{
    struct values *v = *state;
    const struct absval *one = values_int(v, 1), *a = values_string(v, "a");
    const struct absval *text_or_null = absval_nullable(&v->arena, &absval_string);
    const struct absval *rarely = absval_rarely_null(&v->arena, &absval_string);
    operation(v, AST_IN, one, list_of(v, &absval_null, a), "false");
    operation(v, AST_IN, one, absval_of_elements(&v->arena, &absval_null), "false");
    operation(v, AST_IN, one, list_of(v, text_or_null, a),
              "~found no matching overload for '@in' applied to '(int, list(string))'");
    operation(v, AST_IN, &absval_null, list_of(v, a, a), "false");
    struct absmap map = {.key = &absval_null, .value = &absval_int};
    operation(v, AST_IN, one, absval_of_map(&v->arena, map), "false");
    operation(v, AST_IN, a, absval_of_map(&v->arena, (struct absmap){.key = NULL}), "false");
    map.key = text_or_null;
    operation(v, AST_IN, one, absval_of_map(&v->arena, map), "false");
    map.key = rarely;
    operation(v, AST_IN, one, absval_of_map(&v->arena, map),
              "~found no matching overload for '@in' applied to '(int, map)'");
}

/* As Kubernetes 1.37 answers; plain lists and maps are as in test_equality and test_in. */
static void test_typed(void **state)
{
    struct values *v = *state;
    const struct absval *list = values_typed_list(v, &type_string), *map = values_typed_map(v);
    const struct absval *lists = values_typed_list(v, types_list(v->types, &type_int));
    const struct absval *one = values_int(v, 1), *a = values_string(v, "a");
    const struct absval *plain = absval_of_elements(&v->arena, &absval_string);
    operation(v, AST_EQUALS, list, a,
              "!found no matching overload for '_==_' applied to '(list(string), string)'");
    operation(v, AST_EQUALS, list, map,
              "!found no matching overload for '_==_' applied to '(list(string), map(string, string))'");
    operation(v, AST_EQUALS, map, plain,
              "!found no matching overload for '_==_' applied to '(map(string, string), list(string))'");
    operation(
        v, AST_EQUALS,
        absmap_entries(&v->arena, v->types,
                       absval_of_field(&v->arena,
                                       types_map(v->types, &type_string, types_list(v->types, &type_int)),
                                       ABS_TYPED)),
        one, "~found no matching overload for '_==_' applied to '(list(int), int)'");
    operation(v, AST_EQUALS, absval_elements(lists), one,
              "!found no matching overload for '_==_' applied to '(list(int), int)'");
    operation(v, AST_EQUALS, a, list,
              "~found no matching overload for '_==_' applied to '(string, list(string))'");
    operation(v, AST_NOT_EQUALS, list, a,
              "~found no matching overload for '_!=_' applied to '(list(string), string)'");
    operation(v, AST_EQUALS, plain, a,
              "~found no matching overload for '_==_' applied to '(list(string), string)'");
    operation(v, AST_EQUALS, values_or(v, list, plain), a,
              "~found no matching overload for '_==_' applied to '(list(string), string)'");
    operation(v, AST_EQUALS, list, &absval_null, "false");
    operation(v, AST_EQUALS, list, plain, "bool");
    operation(v, AST_EQUALS, list, absval_nullable(&v->arena, a),
              "~found no matching overload for '_==_' applied to '(list(string), string)'");
    operation(v, AST_IN, one, map,
              "!found no matching overload for '@in' applied to '(int, map(string, string))'");
    operation(v, AST_IN, &absval_null, map,
              "!found no matching overload for '@in' applied to '(null, map(string, string))'");
    operation(v, AST_IN, plain, map,
              "!found no matching overload for '@in' applied to '(list(string), map(string, string))'");
    operation(v, AST_IN, absval_nullable(&v->arena, &absval_string), map, "bool");
    operation(v, AST_IN, a, map, "bool");
    operation(v, AST_IN, one, list, "~found no matching overload for '@in' applied to '(int, list(string))'");
}

static void test_arithmetic(void **state)
{
    struct values *v = *state;
    const struct absval *one = values_int(v, 1), *zero = values_int(v, 0), *a = values_string(v, "a");
    operation(v, AST_ADD, one, one, "int 2");
    operation(v, AST_ADD, a, a, "string aa");
    operation(v, AST_ADD, &absval_int, one, "int?");
    operation(v, AST_ADD, values_int(v, INT64_MAX), one, "!integer overflow");
    operation(v, AST_SUBTRACT, values_int(v, INT64_MIN), one, "!integer overflow");
    operation(v, AST_MULTIPLY, values_int(v, INT64_MAX), values_int(v, 2), "!integer overflow");
    operation(v, AST_DIVIDE, values_int(v, INT64_MIN), values_int(v, -1), "!integer overflow");
    operation(v, AST_MODULO, values_int(v, INT64_MIN), values_int(v, -1), "!integer overflow");
    operation(v, AST_SUBTRACT, values_uint(v, 1), values_uint(v, 2), "!unsigned integer overflow");
    operation(v, AST_ADD, values_uint(v, UINT64_MAX), values_uint(v, 1), "!unsigned integer overflow");
    operation(v, AST_SUBTRACT, values_uint(v, 2), values_uint(v, 2), "uint");
    operation(v, AST_SUBTRACT, values_int(v, INT64_MIN), &absval_int, "int?");
    operation(v, AST_ADD, one, a, "!found no matching overload for '_+_' applied to '(int, string)'");
    operation(v, AST_ADD, list_of(v, one, one), list_of(v, a, a), "list(int or string)");
    operation(v, AST_DIVIDE, one, zero, "!division by zero");
    operation(v, AST_MODULO, &absval_int, zero, "!modulus by zero");
    operation(v, AST_DIVIDE, zero, one, "int 0");
    operation(v, AST_LESS, zero, one, "true");
    operation(v, AST_LESS_EQUALS, one, one, "true");
    operation(v, AST_GREATER, zero, one, "false");
    operation(v, AST_GREATER_EQUALS, a, values_string(v, "b"), "false");
    operation(v, AST_LESS, &absval_null, one,
              "!found no matching overload for '_<_' applied to '(null, int)'");
}

static void test_negation(void **state)
{
    struct values *v = *state;
    const struct absval *least = values_int(v, INT64_MIN);
    struct abscall c = {.arena = &v->arena,
                        .types = v->types,
                        .op = AST_NEGATE,
                        .name = ast_operator_function(AST_NEGATE),
                        .args = &least,
                        .count = 1};
    c.function = env_function(v->env, c.name);
    values_expect(v, calls_apply(&c), "!integer overflow");
    least = values_int(v, INT64_MAX);
    values_expect(v, calls_apply(&c), "int -9223372036854775807");
}

static void test_functions(void **state)
{
    struct values *v = *state;
    const struct absval *abc = values_string(v, "a,b"), *comma = values_string(v, ",");
    method(v, "startsWith", ARGS(abc, values_string(v, "a")), "true");
    method(v, "startsWith", ARGS(&absval_string, comma), "bool");
    method(v, "startsWith", ARGS(&absval_int, comma),
           "!found no matching overload for 'startsWith' applied to 'int.(string)'");
    method(v, "split", ARGS(abc, comma), "list(string)");
    method(v, "charAt", ARGS(abc, values_int(v, 3)), "string ");
    method(v, "charAt", ARGS(abc, values_int(v, 4)), "!index out of range: 4");
    method(v, "charAt", ARGS(abc, values_int(v, -1)), "!index out of range: -1");
    method(v, "charAt", ARGS(values_string(v, "\xc3\xa4"), values_int(v, 9)), "!index out of range: 9");
    method(v, "charAt", ARGS(&absval_string, values_int(v, 9)), "string?");
    method(v, "substring", ARGS(abc, values_int(v, 4)), "!index out of range: 4");
    method(v, "substring", ARGS(abc, values_int(v, 1), values_int(v, 4)), "!index out of range: 4");
    method(v, "substring", ARGS(abc, values_int(v, 2), values_int(v, 1)),
           "!invalid substring range. start: 2, end: 1");
    method(v, "substring", ARGS(abc, values_int(v, 1), values_int(v, 1)), "string ");
    method(v, "slice", ARGS(list_of(v, abc, abc), values_int(v, 3), values_int(v, 1)),
           "!cannot slice(3, 1), start index must be less than or equal to end index");
    method(v, "slice", ARGS(list_of(v, abc, abc), values_int(v, -1), values_int(v, 1)),
           "!cannot slice(-1, 1), negative indexes not supported");
    method(v, "slice", ARGS(list_of(v, abc, abc), values_int(v, 0), values_int(v, 1)), "list(string)?");
    method(v, "slice", ARGS(list_of(v, abc, abc), &absval_int, values_int(v, -1)), "list(string)?");
    method(v, "size", ARGS(list_of(v, abc, abc)), "int 2");
    function(v, "size", ARGS(&absval_string), "int");
    function(v, "dyn", ARGS(abc), "string a,b");
    function(v, "type", ARGS(abc), "type");
    function(v, "no_such_function", ARGS(abc), "dyn?");
    method(v, "max", ARGS(list_of(v, values_int(v, 1), values_int(v, 2))), "int?");
    method(v, "max", ARGS(absval_of_elements(&v->arena, &absval_null)),
           "!found no matching overload for 'max' applied to 'list(null).()'");
}

/* isURL() of a constant with a host has one result, which is not computed. */
static void test_type_determined(void **state)
{
    struct values *v = *state;
    struct transfer t = apply(v, "isURL", false, ARGS(values_string(v, "https://a")));
    assert_true(t.value->is_type_determined);
    t = apply(v, "isURL", false, ARGS(&absval_string));
    assert_false(t.value->is_type_determined);
}

static void test_optionals(void **state)
{
    struct values *v = *state;
    const struct absval *sure = absval_optional(&v->arena, &absval_int, false);
    const struct absval *maybe = absval_optional(&v->arena, &absval_int, true);
    function(v, "optional.of", ARGS(&absval_int), "optional_type(int)");
    method(v, "value", ARGS(sure), "int");
    method(v, "value", ARGS(maybe), "int?");
    method(v, "value", ARGS(&absval_none), "!optional.none() dereference");
    method(v, "value", ARGS(&absval_int), "!found no matching overload for 'value' applied to 'int.()'");
    method(v, "hasValue", ARGS(sure), "true");
    method(v, "hasValue", ARGS(maybe), "bool");
    method(v, "hasValue", ARGS(&absval_none), "false");
    static const struct {
        bool makes_optional;
        const char *expected[4];
    } ROWS[] = {{false, {"int", "int or string", "string", "bool"}},
                {true, {"optional_type(int)", "string or optional_type(int)", "string", "bool"}}};
    for (size_t i = 0; i < 2; i++) {
        bool makes = ROWS[i].makes_optional;
        const struct absval *got[] = {optional_call_or(&v->arena, makes, sure, NULL),
                                      optional_call_or(&v->arena, makes, maybe, &absval_string),
                                      optional_call_or(&v->arena, makes, &absval_none, &absval_string),
                                      optional_call_or(&v->arena, makes, &absval_bool, NULL)};
        for (size_t j = 0; j < 4; j++)
            assert_string_equal(values_text(v, got[j]).at, ROWS[i].expected[j]);
    }
}

static void test_or_target(void **state)
{
    struct values *v = *state;
    const struct absval *maybe = absval_optional(&v->arena, &absval_int, true);
    const struct absval *targets[] = {maybe, values_or(v, maybe, &absval_string), &absval_any, &absval_string,
                                      &absval_null};
    static const char *const EXPECTED[] = {
        "optional_type(int)", "optional_type(int)?", "optional_type(dyn)?",
        "!found no matching overload for 'orValue' applied to 'string.(int)'",
        "!found no matching overload for 'orValue' applied to 'null.(int)'"};
    enum { TARGETS = sizeof EXPECTED / sizeof EXPECTED[0] };
    for (size_t i = 0; i < TARGETS; i++) {
        const struct absval *args[] = {targets[i], &absval_int};
        struct abscall c = {
            .arena = &v->arena, .name = STR("orValue"), .args = args, .count = 2, .is_receiver = true};
        values_expect(v, optional_call_target(&c, HINT_NONE), EXPECTED[i]);
    }
}

/* Rows and columns: true, false, bool, bool or an error, an error. */
static void test_logic(void **state)
{
    struct values *v = *state;
    const struct absval *all[] = {&absval_true, &absval_false, &absval_bool,
                                  absval_failing(&v->arena, &absval_bool), &absval_error};
    static const char *const AND[5][5] = {{"true", "false", "bool", "bool?", "dyn?"},
                                          {"false", "false", "false", "false?", "false?"},
                                          {"bool", "false", "bool", "bool?", "false?"},
                                          {"bool?", "false", "bool?", "bool?", "false?"},
                                          {"dyn?", "false", "false?", "false?", "dyn?"}};
    static const char *const OR[5][5] = {{"true", "true", "true", "true?", "true?"},
                                         {"true", "false", "bool", "bool?", "dyn?"},
                                         {"true", "bool", "bool", "bool?", "true?"},
                                         {"true", "bool?", "bool?", "bool?", "true?"},
                                         {"true", "dyn?", "true?", "true?", "dyn?"}};
    for (size_t i = 0; i < 5; i++) {
        for (size_t j = 0; j < 5; j++) {
            assert_string_equal(values_text(v, abslogic_and_or(&v->arena, false, all[i], all[j])).at,
                                AND[i][j]);
            assert_string_equal(values_text(v, abslogic_and_or(&v->arena, true, all[i], all[j])).at,
                                OR[i][j]);
        }
    }
    static const char *const NOT[] = {"false", "true", "bool", "bool?"};
    static const char *const GOES_ON[] = {"true", "false", "bool", "bool", "true"};
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(values_text(v, abslogic_not(&v->arena, all[i])).at, NOT[i]);
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(values_text(v, abslogic_not_strictly_false(&v->arena, all[i])).at, GOES_ON[i]);
}

/* What typecheck/cel/interpreter computes: the type of an object decides over many names. */
static void test_computed(void **state)
{
    struct values *v = *state;
    const struct absval *kind = values_string(v, "CronJob"), *capital = values_string(v, "[A-Z]");
    const struct absval *one = values_int(v, 1), *format = values_string(v, "%s-%d");
    method(v, "find", ARGS(kind, capital), "string C");
    method(v, "find", ARGS(kind, values_string(v, "[0-9]")), "string ");
    method(v, "matches", ARGS(kind, values_string(v, "^C.*b$")), "true");
    function(v, "matches", ARGS(kind, values_string(v, "^J")), "false");
    method(v, "format", ARGS(format, list_of(v, kind, one)), "string CronJob-1");
    method(v, "size", ARGS(apply(v, "findAll", true, ARGS(kind, capital)).value), "int 2");
    method(v, "size", ARGS(apply(v, "findAll", true, ARGS(kind, capital, one)).value), "int 1");
    /* not known, or not the same in every release */
    method(v, "find", ARGS(&absval_string, capital), "string?");
    method(v, "matches", ARGS(kind, values_string(v, "(")), "!error parsing regexp: missing closing ): `(`");
    method(v, "matches", ARGS(absval_failing(&v->arena, kind), values_string(v, "^C.*b$")), "true?");
    method(v, "format", ARGS(format, list_of(v, kind, &absval_int)), "string?");
    method(v, "format", ARGS(format, list_of(v, kind, &absval_any)), "string?");
    method(v, "format", ARGS(format, list_of(v, kind, absval_of_elements(&v->arena, NULL))),
           "!error during formatting: decimal clause can only be used on integers, was given list");
    method(v, "format", ARGS(format, list_of(v, kind, &absval_string)),
           "!error during formatting: decimal clause can only be used on integers, was given string");
    method(v, "format", ARGS(format, list_of(v, one, kind)),
           "!error during formatting: decimal clause can only be used on integers, was given string");
}

/* Of a function that another release has, nothing is known. */
static void test_unknown_functions(void **state)
{
    struct values *v = *state;
    const struct absval *args[] = {values_string(v, "a"), values_int(v, 1), values_int(v, 2)};
    static const struct {
        const char *name;
        size_t count;
    } calls[] = {{"slice", 3}, {"size", 1}, {"min", 1}, {"type", 1}, {"nope", 2}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        const struct abscall c = {.arena = &v->arena,
                                  .types = v->types,
                                  .name = str_of(calls[i].name),
                                  .args = args,
                                  .count = calls[i].count,
                                  .is_receiver = true};
        const struct transfer t = calls_apply(&c);
        assert_null(t.failure);
        assert_true(t.value->may_fail && t.value->kinds == absval_any.kinds);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_computed),
        cmocka_unit_test(test_equality),
        cmocka_unit_test(test_in),
        cmocka_unit_test(test_in_nulls),
        cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_negation),
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_typed),
        cmocka_unit_test(test_type_determined),
        cmocka_unit_test(test_optionals),
        cmocka_unit_test(test_or_target),
        cmocka_unit_test(test_logic),
        cmocka_unit_test(test_unknown_functions),
    };
    return cmocka_run_group_tests(tests, values_setup, values_teardown);
}
