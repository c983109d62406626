#include "typecheck/cel/interpreter/plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/checker/expression.h"
#include "typecheck/cel/types/celgo.h"
#include "typecheck/cel/types/env.h"

/* "" for an expression that becomes a program. */
static const struct {
    const char *text, *message;
} rows[] = {
    {"int('1') + int('-1') + int('+1') + int('9223372036854775807')", ""},
    {"int('9223372036854775808')", "type conversion error from 'string' to 'int'"},
    {"int('')", "type conversion error from 'string' to 'int'"},
    {"int('1\\u0000')", "type conversion error from 'string' to 'int'"},
    {"uint('18446744073709551615')", ""},
    {"uint('+1')", "type conversion error from 'string' to 'uint'"},
    {"double('1e3') + double('inf') + double('NaN') + double('0x1p3') + double('.5')", ""},
    {"double('1e999')", "type conversion error from 'string' to 'double'"},
    {"double('1e-999')", ""},
    {"double(' 1')", "type conversion error from 'string' to 'double'"},
    {"double('0x1')", "type conversion error from 'string' to 'double'"},
    {"bool('T') && bool('false')", ""},
    {"bool('tRUE')", "type conversion error from 'string' to 'bool'"},
    {"int(1e18) + int(-1.5) + int(1u)", ""},
    {"int(9223372036854775807.0)", "integer overflow"},
    {"int(9223372036854775808u)", "integer overflow"},
    {"uint(0) + uint(1.5)", ""},
    {"uint(-1)", "unsigned integer overflow"},
    {"uint(-0.5)", "unsigned integer overflow"},
    {"string(b'a')", ""},
    {"string(b'\\xff')", "invalid UTF-8 in bytes, cannot convert to string"},
    {"string(b'\\xed\\x9f\\xbf\\xf4\\x8f\\xbf\\xbf')", ""},
    {"string(b'\\xed\\xa0\\x80')", "invalid UTF-8 in bytes, cannot convert to string"},
    {"string(b'\\xf4\\x90\\x80\\x80')", "invalid UTF-8 in bytes, cannot convert to string"},
    {"string(b'\\xe0\\x80\\x80')", "invalid UTF-8 in bytes, cannot convert to string"},
    {"int(dyn(string('x')))", "type conversion error from 'string' to 'int'"},
    {"int(string(1)) + int(string(2u)) + int(string(b'3')) + int(double('1.5')) + int(uint('4'))", ""},
    {"int(string(1.0)) + int(string(123456.0))", ""},
    {"int(string(1234567.0))", "type conversion error from 'string' to 'int'"},
    {"int(string(1.5))", "type conversion error from 'string' to 'int'"},
    {"double(string(1e300)) + double(string(1.0 / 3.0)) + double(string(0.1))", ""},
    {"int(string(true))", "type conversion error from 'string' to 'int'"},
    {"timestamp(string(3))", "type conversion error from 'string' to 'google.protobuf.Timestamp'"},
    {"duration(string(timestamp('2020-01-01T00:00:00Z')))",
     "type conversion error from 'string' to 'google.protobuf.Duration'"},
    {"timestamp(string(timestamp('2020-01-01T00:00:00Z'))) + duration(string(duration('1h'))) == a", ""},
    {"int(string(duration('1h')))", "type conversion error from 'string' to 'int'"},
    {"uint(int('-5'))", "unsigned integer overflow"},
    {"int(double('1e30'))", "integer overflow"},
    {"uint(string(-3))", "type conversion error from 'string' to 'uint'"},
    {"timestamp(int('999999999999999'))", "timestamp overflow"},
    {"string(bytes(string(bytes('a'))))", ""},
    {"a ? dyn(int('x')) : uint(-1)", "type conversion error from 'string' to 'int'"},
    {"[1].exists(x, uint(-1) == dyn(x))", "unsigned integer overflow"},
    {"{'a': dyn([int('x')])}.a.b", "type conversion error from 'string' to 'int'"},
    {"int(a) + a.size()", ""},
    {"a.find('(')", "error parsing regexp: missing closing ): `(`"},
    {"'('.findAll('a').size() == 0 && a.find(b) == ''", ""},
    {"a.matches(dyn('('))", "error parsing regexp: missing closing ): `(`"},
    {"matches(a, '(')", "error parsing regexp: missing closing ): `(`"},
    {"[type(1)].all(t, t == int)", "reference to undefined type: t"},
    {"[type(1)].all(bytes, bytes == int)", ""},
    {"google.protobuf.Timestamp == type(a)", ""},
    {"a[b'x'] == 1", "invalid qualifier type: types.Bytes"},
    {"a[dyn(null)] == 1", "invalid qualifier type: types.Null"},
    {"a[?dyn(duration('1h'))].hasValue()", "invalid qualifier type: types.Duration"},
    {"duration(dyn('1h')) == duration(dyn(duration('1h')))", ""},
    {"duration(dyn(1))", "no such overload: duration(int)"},
    {"bool(dyn(1))", "no such overload: bool(int)"},
    {"bytes(dyn({}))", "no such overload: bytes(map)"},
    {"int(dyn([1]))", "no such overload: int(list)"},
    {"string(dyn(null))", "no such overload: string(null_type)"},
    {"timestamp(dyn(1.5))", "no such overload: timestamp(double)"},
    {"uint(dyn(timestamp('2020-01-01T00:00:00Z')))", "no such overload: uint(google.protobuf.Timestamp)"},
    {"int(dyn(duration('1h'))) + int(dyn([a]))", ""},
    {"string(dyn(type(1)))", "no such overload: string(type)"},
    {"a.findAll(dyn('['), 1)", "error parsing regexp: missing closing ]: `[`"},
};

/* Of variables `a` and `b`, which are dyn. */
static enum plan_outcome plan(struct arena *a, const struct env *env, const char *text, struct str *why)
{
    const struct variable variables[] = {{.name = STR("a"), .type = &type_dyn},
                                         {.name = STR("b"), .type = &type_dyn}};
    const struct expression_scope scope = {types_new(a, env_types(env)), env, variables, 2, NULL};
    struct expression x;
    struct checked checked;
    struct plan made;
    struct str same = STR("");
    if (setjmp(a->escape) != 0)
        fail_msg("%s: out of memory", text);
    if (!expression_parse(&x, a, a, env, str_of(text)) || !expression_check(&x, &scope, &checked))
        fail_msg("%s: %s", text, str_copy(a, issues_render(&x.issues, &x.source)).at);
    const enum plan_outcome outcome = plan_make(a, env, &x.ast, &checked, NULL, &same);
    assert_int_equal(plan_make(a, env, &x.ast, &checked, &made, why), outcome);
    assert_true(str_eq(*why, same));
    return outcome;
}

static void test_plans(void **state)
{
    (void)state;
    struct env *env = env_new(ENV_NEWEST_LEVEL, celgo_in(ENV_NEWEST_LEVEL));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena a;
        struct str message;
        arena_init(&a, (size_t)1024 * 1024);
        enum plan_outcome outcome = plan(&a, env, rows[i].text, &message);
        if (!str_eq(message, str_of(rows[i].message)))
            fail_msg("%s: %.*s", rows[i].text, STR_ARG(message));
        assert_int_equal(outcome, *rows[i].message == '\0' ? PLAN_READY : PLAN_REFUSED);
        arena_deinit(&a);
    }
    env_free(env);
}

/* What is not evaluated here does not hide what the server refuses. */
static void test_lack(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
        enum plan_outcome outcome;
    } lacks[] = {
        {"google.protobuf.Int64Value{value: 1}",
         "vapcheck does not evaluate the type google.protobuf.Int64Value", PLAN_MISSING},
        {"google.protobuf.Int64Value{value: int('x')}", "type conversion error from 'string' to 'int'",
         PLAN_REFUSED},
        {"google.protobuf.Int64Value{value: 1} == a && int('x') == 1",
         "type conversion error from 'string' to 'int'", PLAN_REFUSED},
    };
    struct env *env = env_new(ENV_NEWEST_LEVEL, celgo_in(ENV_NEWEST_LEVEL));
    for (size_t i = 0; i < sizeof lacks / sizeof *lacks; i++) {
        struct arena a;
        struct str message;
        arena_init(&a, (size_t)1024 * 1024);
        assert_int_equal(plan(&a, env, lacks[i].text, &message), lacks[i].outcome);
        assert_string_equal(str_copy(&a, message).at, lacks[i].message);
        arena_deinit(&a);
    }
    env_free(env);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plans),
        cmocka_unit_test(test_lack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
