#include "typecheck/check/planner.h"
#include "typecheck/types/celgo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/syntax/issue.h"
#include "typecheck/syntax/parser.h"
#include "typecheck/syntax/source.h"
#include "typecheck/types/env.h"

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
    {"duration(string(duration('1h'))) == timestamp(string(timestamp('2020-01-01T00:00:00Z')))", ""},
    {"int(string(duration('1h')))", "type conversion error from 'string' to 'int'"},
    {"uint(int('-5'))", "unsigned integer overflow"},
    {"int(double('1e30'))", "integer overflow"},
    {"uint(string(-3))", "type conversion error from 'string' to 'uint'"},
    {"timestamp(int('999999999999999'))", "timestamp overflow"},
    {"string(bytes(string(bytes('a'))))", ""},
    {"a ? int('x') : uint(-1)", "type conversion error from 'string' to 'int'"},
    {"[1].exists(x, uint(-1) == x)", "unsigned integer overflow"},
    {"{'a': [int('x')]}.a.b", "type conversion error from 'string' to 'int'"},
    {"A{b: int('x')}", "type conversion error from 'string' to 'int'"},
    {"int(a) + a.int('x') + f('x')", ""},
    {"a.find('(')", "error parsing regexp: missing closing ): `(`"},
    {"findAll('(', 'a') + a.find(b) + a.find()", ""},
    {"a.matches(dyn('('))", "error parsing regexp: missing closing ): `(`"},
    {"matches(a, '(')", "error parsing regexp: missing closing ): `(`"},
    {"matches('(', a) && matches('(')", ""},
    {"duration(dyn('1h')) == duration(dyn(duration('1h')))", ""},
    {"duration(dyn(1))", "no such overload: duration(int)"},
    {"bool(dyn(1))", "no such overload: bool(int)"},
    {"bytes(dyn({}))", "no such overload: bytes(map)"},
    {"int(dyn([1]))", "no such overload: int(list)"},
    {"string(dyn(null))", "no such overload: string(null_type)"},
    {"timestamp(dyn(1.5))", "no such overload: timestamp(double)"},
    {"uint(dyn(timestamp('2020-01-01T00:00:00Z')))", "no such overload: uint(google.protobuf.Timestamp)"},
    {"int(dyn(duration('1h'))) + int(dyn([a]))", ""},
    {"string(type(1))", "no such overload: string(type)"},
    {"a.findAll(dyn('['), 1)", "error parsing regexp: missing closing ]: `[`"},
};

static void check_row(const struct env *env, const char *text, const char *wanted)
{
    struct arena a;
    struct source source;
    struct issues issues;
    struct ast ast;
    struct str message;
    arena_init(&a, (size_t)1024 * 1024);
    if (setjmp(a.escape) != 0)
        fail_msg("%s: out of memory", text);
    source_init(&source, &a, str_of(text));
    issues_init(&issues, &a);
    assert_true(parser_run(&a, &a, &source, env_dialect(env), &issues, &ast));
    bool is_fine = planner_plan(&a, env_celgo(env), &ast, NULL, &message);
    if (!str_eq(message, str_of(wanted)))
        fail_msg("%s: %.*s", text, STR_ARG(message));
    assert_int_equal(is_fine, message.len == 0);
    arena_deinit(&a);
}

static void test_plans(void **state)
{
    (void)state;
    struct env *env = env_new(ENV_NEWEST_LEVEL, celgo_in(ENV_NEWEST_LEVEL));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check_row(env, rows[i].text, rows[i].message);
    env_free(env);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
