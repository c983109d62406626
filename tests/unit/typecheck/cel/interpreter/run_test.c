#include "typecheck/cel/interpreter/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/checker/expression.h"
#include "typecheck/cel/interpreter/plan.h"
#include "typecheck/cel/interpreter/values/value_text.h"
#include "typecheck/cel/types/celgo.h"
#include "typecheck/cel/types/env.h"
#include "typecheck/cel/types/type.h"

#define ARENA_BYTES ((size_t)64 * 1024 * 1024)

static const struct variable VARIABLES[] = {{.name = STR_INIT("object"), .type = &type_dyn}};

/* Fills *plan; false with *why where there is none. */
static bool make_plan(struct arena *a, const struct env *env, const char *expr, struct plan *plan,
                      struct str *why)
{
    struct expression x;
    struct checked checked;
    struct expression_scope scope = {types_new(a, env_types(env)), env, VARIABLES, 1, NULL};
    if (!expression_parse(&x, a, a, env, str_of(expr)) || !expression_check(&x, &scope, &checked))
        fail_msg("%s does not compile", expr);
    return plan_make(a, env, &x.ast, &checked, plan, why) == PLAN_READY;
}

struct example {
    const char *expr, *object, *text; /* the value, or the error */
    enum run_end end;
    uint64_t cost;
};

static void check_examples(const struct example *examples, size_t count, int minor, uint64_t limit)
{
    struct env *env = env_new(minor, celgo_in(minor));
    assert_non_null(env);
    for (size_t i = 0; i < count; i++) {
        const struct example *e = &examples[i];
        struct arena a;
        struct plan plan;
        struct str why;
        arena_init(&a, ARENA_BYTES);
        if (setjmp(a.escape) != 0)
            fail_msg("%s: out of memory", e->expr);
        if (!make_plan(&a, env, e->expr, &plan, &why))
            fail_msg("%s: no plan: %.*s", e->expr, STR_ARG(why));
        struct run_input input = {.name = STR("object"), .json = str_of(e->object)};
        const struct run_activation activation = {.inputs = &input, .input_count = 1};
        struct run_result result = run_evaluate(&plan, &a, &activation, limit);
        struct str text = result.end == RUN_VALUE ? value_literal(&a, result.value) : result.text;
        if (result.end != e->end || !str_eq(text, str_of(e->text)) || result.cost != e->cost)
            fail_msg("%s: %d %.*s, cost %lu", e->expr, result.end, STR_ARG(text), (unsigned long)result.cost);
        arena_deinit(&a);
    }
    env_free(env);
}

#define COUNT(list) (sizeof(list) / sizeof *(list))

static void test_values(void **state)
{
    static const struct example examples[] = {
        {"1 + 2", "{}", "3", RUN_VALUE, 1},
        {"object.a.b", "{\"a\": {\"b\": 2.0}}", "2.0", RUN_VALUE, 3},
        {"has(object.a.b)", "{\"a\": {}}", "false", RUN_VALUE, 2},
        {"object.?a.b.orValue('none')", "{}", "\"none\"", RUN_VALUE, 1},
        {"object.l.map(x, x * 2)", "{\"l\": [1, 2]}", "[2, 4]", RUN_VALUE, 31},
        {"object.l.filter(x, x > 1) + [3u]", "{\"l\": [1, 2]}", "[2, 3u]", RUN_VALUE, 21},
        {"object.l.all(x, x in [1, 2])", "{\"l\": [1, 2]}", "true", RUN_VALUE, 11},
        {"{'a': object.a, ?'b': object.?b}", "{\"a\": null}", "{\"a\": null}", RUN_VALUE, 33},
        {"object.no == 1 || true", "{}", "true", RUN_VALUE, 3},
        {"object.yes ? 'a' : object.no", "{\"yes\": true}", "\"a\"", RUN_VALUE, 2},
        {"string(timestamp('2023-03-01T05:30:00.250+01:00') + duration('36h'))", "{}",
         "\"2023-03-02T17:30:00.25+01:00\"", RUN_VALUE, 2},
    };
    (void)state;
    check_examples(examples, COUNT(examples), 36, RUN_EXPRESSION_COST);
}

static void test_errors(void **state)
{
    static const struct example examples[] = {
        {"object.no", "{}", "no such key: no", RUN_ERROR, 2},
        {"object.l[2]", "{\"l\": [1, 2]}", "index out of bounds: 2", RUN_ERROR, 3},
        {"object.l.a", "{\"l\": []}", "unsupported index type 'string' in list", RUN_ERROR, 3},
        {"object.a + 1", "{\"a\": {}}", "no such overload: _+_", RUN_ERROR, 3},
        {"string(object)", "{}", "no such overload: string(map)", RUN_ERROR, 2},
        {"object.all(x, true)", "1", "got 'types.Int', expected iterable type", RUN_ERROR, 1},
        {"object.a / 0", "{\"a\": 1}", "division by zero", RUN_ERROR, 3},
        {"[dyn('a'), object.a].join()", "{\"a\": null}", "join: invalid input: 0", RUN_ERROR, 13},
        {"[dyn('a'), object.a].join()", "{\"a\": [1, null]}", "join: invalid input: [1, <nil>]", RUN_ERROR,
         13},
        {"{b'a': object}", "{}", "internal error: runtime error: hash of unhashable type types.Bytes",
         RUN_ERROR, 1},
        {"timestamp('2023-03-01T05:30:00Z').getHours('America/New_York') == 0", "{}", "true", RUN_VALUE, 2},
        {"timestamp('2023-03-01T05:30:00Z').getHours('America/Newark') == 0", "{}",
         "unknown time zone America/Newark", RUN_ERROR, 2},
        {"timestamp('2023-03-01T05:30:00Z').getHours('America') == 0", "{}", "the time zone 'America'",
         RUN_MISSING, 0},
        {"timestamp('2023-03-01T05:30:00Z').getHours('Local') == 0", "{}", "the time zone 'Local'",
         RUN_MISSING, 0},
    };
    (void)state;
    check_examples(examples, COUNT(examples), 36, RUN_EXPRESSION_COST);
}

static void test_libraries(void **state)
{
    static const struct example examples[] = {
        {"'%s is %.1f, %x'.format([object.l, 1234.56, 255])", "{\"l\": [\"a\", 1.5]}",
         "\"[\\\"a\\\", 1.500000] is 1,234.6, ff\"", RUN_VALUE, 14},
        {"object.s.split(',').map(p, p.trim()).join('|')", "{\"s\": \"a, b\"}", "\"a|b\"", RUN_VALUE, 33},
        {"'h\u00e9y'.substring(1, 2) + 'abc'.charAt(3)", "{}", "\"\u00e9\"", RUN_VALUE, 3},
        {"'abc'.substring(2, 1)", "{}", "invalid substring range. start: 2, end: 1", RUN_ERROR, 1},
        {"[3, 1, 2].sort() + [1, 1].distinct()", "{}", "[1, 2, 3, 1]", RUN_VALUE, 49},
        {"[2.5, 1.5].sum() + [1.0].max()", "{}", "5.0", RUN_VALUE, 4},
        {"sets.contains([1, 2], object.l)", "{\"l\": [1]}", "true", RUN_VALUE, 5},
        {"object.l.transformMap(i, v, v)", "{\"l\": [\"a\"]}", "{0: \"a\"}", RUN_VALUE, 7},
        {"string(cidr('10.1.2.3/20').masked()) + string(ip('1::0:0:2'))", "{}", "\"10.1.0.0/201::2\"",
         RUN_VALUE, 8},
        {"cidr(object.r).containsIP('10.0.0.256')", "{\"r\": \"10.0.0.0/8\"}", "no such overload", RUN_ERROR,
         5},
        {"ip('1.2.3')", "{}",
         "IP Address \"1.2.3\" parse error during conversion from string: ParseAddr(\"1.2.3\"): IPv4 address "
         "too "
         "short",
         RUN_ERROR, 1},
        {"dyn(ip('::1')) == 1", "{}", "no such overload", RUN_ERROR, 3},
        {"object.no.distinct()", "{}",
         "internal error: interface conversion: *types.Err is not traits.Lister: missing method Add",
         RUN_ERROR, 2},
        {"lists.range(13).sortBy(i, i % 2)", "{}",
         "the order that sorting gives to more than 12 items, some of which are equal", RUN_MISSING, 209},
    };
    (void)state;
    check_examples(examples, COUNT(examples), 36, RUN_EXPRESSION_COST);
}

static void test_versions(void **state)
{
    static const struct example old = {"object.a.orValue(1)", "{\"a\": 2}", "2", RUN_VALUE, 2};
    static const struct example new = {"object.a.orValue(1)", "{\"a\": 2}", "no such overload", RUN_ERROR, 2};
    (void)state;
    check_examples(&old, 1, 36, RUN_EXPRESSION_COST);
    check_examples(&new, 1, 37, RUN_EXPRESSION_COST);
}

/* Go 1.27, which builds 1.38, has other time zones and another Unicode. */
static void test_releases_of_go(void **state)
{
    static const struct example old[] = {
        {"timestamp('2027-01-15T12:00:00Z').getHours('America/Vancouver')", "{}", "4", RUN_VALUE, 1},
        {"object.a.matches('(?i)^\u1c89$')", "{\"a\": \"\u1c8a\"}", "false", RUN_VALUE, 4},
        {"object.a.find(object.b)", "{\"a\": \"\u1c8a\", \"b\": \"\\\\pL\"}", "\"\"", RUN_VALUE, 5},
        {"object.a.findAll(object.b)", "{\"a\": \"\u1c8a\", \"b\": \"\\\\pL\"}", "[]", RUN_VALUE, 5},
    };
    static const struct example new[] = {
        {"timestamp('2027-01-15T12:00:00Z').getHours('America/Vancouver')", "{}", "5", RUN_VALUE, 1},
        {"object.a.matches('(?i)^\u1c89$')", "{\"a\": \"\u1c8a\"}", "true", RUN_VALUE, 4},
        {"object.a.find(object.b)", "{\"a\": \"\u1c8a\", \"b\": \"\\\\pL\"}", "\"\u1c8a\"", RUN_VALUE, 5},
        {"object.a.findAll(object.b)", "{\"a\": \"\u1c8a\", \"b\": \"\\\\pL\"}", "[\"\u1c8a\"]", RUN_VALUE,
         5},
    };
    (void)state;
    check_examples(old, COUNT(old), 37, RUN_EXPRESSION_COST);
    check_examples(new, COUNT(new), 38, RUN_EXPRESSION_COST);
}

static void test_over_the_limit(void **state)
{
    static const struct example example = {"object.l.all(x, x > 0) || true", "{\"l\": [1, 2, 3]}",
                                           "operation cancelled: actual cost limit exceeded", RUN_ERROR, 5};
    (void)state;
    check_examples(&example, 1, 36, 4);
}

static void test_plans_that_fail(void **state)
{
    static const char *const examples[][2] = {
        {"int('a') == 1", "type conversion error from 'string' to 'int'"},
        {"'a' in 'b'.findAll('*')", "error parsing regexp: missing argument to repetition operator: `*`"},
        {"object[null]", "invalid qualifier type: types.Null"},
        {"[int].exists(t, t == int)", "reference to undefined type: t"},
        {"google.protobuf.Int64Value{value: 1}",
         "vapcheck does not evaluate the type google.protobuf.Int64Value"},
    };
    struct env *env = env_new(36, celgo_in(36));
    (void)state;
    for (size_t i = 0; i < COUNT(examples); i++) {
        struct arena a;
        struct plan plan;
        struct str why;
        arena_init(&a, ARENA_BYTES);
        assert_int_equal(setjmp(a.escape), 0);
        assert_false(make_plan(&a, env_mutating(env), examples[i][0], &plan, &why));
        assert_string_equal(str_copy(&a, why).at, examples[i][1]);
        arena_deinit(&a);
    }
    env_free(env);
}

/* A run ends for want of steps or memory, wherever that is, and frees all. */
static void test_budgets(void **state)
{
    struct env *env = env_new(36, celgo_in(36));
    uint64_t max_steps = 0;
    bool is_done = false;
    (void)state;
    for (; !is_done; max_steps++) {
        struct arena a;
        struct plan plan;
        struct str why;
        arena_init(&a, ARENA_BYTES);
        if (setjmp(a.escape) == 0) {
            assert_true(make_plan(&a, env, "object.l.map(x, {'a': x}).filter(y, y.a == 'b')", &plan, &why));
            struct run_input input = {.name = STR("object"), .json = STR("{\"l\": [\"a\", \"b\"]}")};
            a.max_steps = a.steps + max_steps;
            const struct run_activation activation = {.inputs = &input, .input_count = 1};
            is_done = run_evaluate(&plan, &a, &activation, RUN_EXPRESSION_COST).end == RUN_VALUE;
        }
        arena_deinit(&a);
    }
    assert_true(max_steps > 20);
    env_free(env);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),          cmocka_unit_test(test_errors),
        cmocka_unit_test(test_libraries),       cmocka_unit_test(test_versions),
        cmocka_unit_test(test_releases_of_go),  cmocka_unit_test(test_over_the_limit),
        cmocka_unit_test(test_plans_that_fail), cmocka_unit_test(test_budgets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
