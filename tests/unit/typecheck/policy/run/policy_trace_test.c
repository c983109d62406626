#include "typecheck/policy/run/policy_trace.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/cel/types/celgo.h"
#include "typecheck/policy/run/policy_run.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

static const struct policy_run_at FIRST = {POLICY_VALIDATION, 0};

struct stage {
    struct env *env;
    struct policy_expression expressions[2];
    struct policy policy;
    struct policy_run *run;
    struct policy_trace *trace;
};

static void set_up(struct stage *s, const char *expression)
{
    *s = (struct stage){
        .expressions = {{.place = POLICY_VALIDATION, .text = str_of(expression)},
                        {.place = POLICY_VARIABLE, .name = STR("v"), .text = STR("object.a + 1")}}};
    s->policy = (struct policy){.expressions = s->expressions, .count = COUNT(s->expressions)};
    s->env = env_new(36, celgo_in(36));
    s->run = policy_run_new(s->env, &s->policy);
    s->trace = policy_trace_new(s->run);
    assert_non_null(s->trace);
}

static void tear_down(struct stage *s)
{
    policy_trace_free(s->trace);
    policy_run_free(s->run);
    env_free(s->env);
}

static void evaluate(struct stage *s, const char *object, struct policy_run_result *result)
{
    const struct policy_run_request request = {.object = str_of(object),
                                               .request = STR("{\"operation\": \"CREATE\"}"),
                                               .observer = policy_trace_begin(s->trace)};
    policy_run_evaluate(s->run, &request, result);
    assert_int_equal(result->missing.len, 0);
}

/* The parts of the one expression on the object: "a = 1; b fails: no such key: b". */
static void check_values(const char *expression, const char *object, const char *wanted)
{
    struct stage s;
    struct policy_run_result result;
    struct policy_trace_values values;
    char text[4096] = "";
    set_up(&s, expression);
    evaluate(&s, object, &result);
    policy_trace_values(s.trace, FIRST, &values);
    for (size_t i = 0; i < values.count; i++) {
        const struct policy_trace_value *v = &values.items[i];
        const size_t len = strlen(text);
        (void)snprintf(text + len, sizeof text - len, "%s%.*s%s%.*s", i == 0 ? "" : "; ", STR_ARG(v->part),
                       v->is_error ? " fails: " : " = ", STR_ARG(v->text));
    }
    assert_string_equal(text, wanted);
    policy_trace_values_deinit(&values);
    policy_run_result_deinit(&result);
    tear_down(&s);
}

static void test_values(void **state)
{
    (void)state;
    check_values("object.a <= 5", "{\"a\": 6}", "object.a = 6");
    check_values("object.a.b == 'x' && object.c > 1", "{\"a\": {\"b\": \"y\"}, \"c\": 0}",
                 "object.a.b == 'x' = false; object.a.b = \"y\"");
    check_values("object.c > 1 || object.a", "{\"a\": false, \"c\": 0}",
                 "object.c > 1 = false; object.c = 0; object.a = false");
    check_values("object.a[object.b] == 1", "{\"a\": [1, 2], \"b\": 1}",
                 "object.a[object.b] = 2; object.b = 1");
    check_values("variables.v < 3", "{\"a\": 2}", "variables.v = 3");
    check_values("(object.a == 'x' ? object.b : object.c) != false", "{\"a\": \"y\", \"c\": false}",
                 "object.a == 'x' ? object.b : object.c = false; object.a == 'x' = false; object.a = \"y\"; "
                 "object.c = false");
    check_values("object == null", "{}", "");
    check_values("oldObject != null", "{}", "oldObject = null");
    check_values("has(object.a) && [1, 2].size() == 2", "{}", "has(object.a) = false");
    check_values("duration('1h') > duration(object.a)", "{\"a\": \"2h\"}",
                 "duration(object.a) = duration(7200000000000); object.a = \"2h\"");
}

/* All that is left of a failure is where it arose. */
static void test_errors(void **state)
{
    (void)state;
    check_values("object.a.b.c == 1", "{\"a\": {\"d\": 1}}",
                 "object.a.b fails: no such key: b; object.a = {\"d\": 1}");
    check_values("object.a + 1 == 2 && true", "{\"a\": \"x\"}",
                 "object.a + 1 fails: no such overload; object.a = \"x\"");
}

static void test_loops(void **state)
{
    (void)state;
    check_values("object.a.all(x, x.b < 2)", "{\"a\": [{\"b\": 1}, {\"b\": 2}, {\"b\": 0}]}",
                 "object.a = [{\"b\": 1}, {\"b\": 2}, {\"b\": 0}]; x.b < 2 = false; x.b = 2");
    check_values("object.a.all(x, x < 2 && (x == 0 || x == 1))", "{\"a\": [0, 5]}",
                 "object.a = [0, 5]; x < 2 = false; x = 5");
    check_values(
        "object.a.exists(x, x.b.all(y, y > x.c))",
        "{\"a\": [{\"b\": [0], \"c\": 9}, {\"b\": [2, 1], \"c\": 1}]}",
        "object.a = [{\"b\": [0], \"c\": 9}, {\"b\": [2, 1], \"c\": 1}]; x.b.all(y, y > x.c) = false; "
        "x.b = [2, 1]; y > x.c = false; y = 1; x.c = 1");
    check_values("object.a.filter(x, x > 1).size() == 0", "{\"a\": [1, 2]}",
                 "object.a.filter(x, x > 1).size() = 1; object.a.filter(x, x > 1) = [2]; object.a = [1, 2]; "
                 "x > 1 = true; x = 2");
}

static void test_bounds(void **state)
{
    char expression[1024] = "object.a == 'x'", object[1024];
    struct stage s;
    struct policy_run_result result;
    struct policy_trace_values values;
    (void)state;
    for (int i = 0; i < 20; i++)
        (void)snprintf(expression + strlen(expression), 32, " || object.b%d == 1", i);
    (void)snprintf(object, sizeof object, "{\"a\": 1");
    for (int i = 0; i < 20; i++)
        (void)snprintf(object + strlen(object), 32, ", \"b%d\": 0", i);
    (void)snprintf(object + strlen(object), 2, "}");
    set_up(&s, expression);
    evaluate(&s, object, &result);
    policy_trace_values(s.trace, FIRST, &values);
    assert_int_equal(values.count, POLICY_TRACE_VALUES);
    assert_int_equal(values.count + values.omitted, 2 * 21);
    policy_trace_values_deinit(&values);
    policy_trace_values(s.trace, (struct policy_run_at){POLICY_VALIDATION, 1}, &values);
    assert_int_equal(values.count, 0);
    policy_trace_values_deinit(&values);
    policy_run_result_deinit(&result);
    tear_down(&s);
}

/* The branches that none of the objects reaches, and how many they reach. */
static void check_branches(const char *expression, const char *const *objects, size_t count,
                           const char *wanted, size_t reached)
{
    struct stage s;
    struct policy_trace_branches branches;
    char text[1024] = "";
    set_up(&s, expression);
    for (size_t i = 0; i < count; i++) {
        struct policy_run_result result;
        evaluate(&s, objects[i], &result);
        policy_run_result_deinit(&result);
    }
    policy_trace_branches(s.trace, &branches);
    for (size_t i = 0; i < branches.count; i++) {
        const struct policy_trace_branch *b = &branches.items[i];
        const size_t len = strlen(text);
        assert_ptr_equal(b->before.at + b->before.len, b->part.at);
        (void)snprintf(text + len, sizeof text - len, "%.*s;", STR_ARG(b->part));
    }
    assert_string_equal(text, wanted);
    assert_int_equal(branches.reached, reached);
    policy_trace_branches_deinit(&branches);
    tear_down(&s);
}

static void test_branches(void **state)
{
    static const char *const both[] = {"{\"a\": 1, \"b\": []}", "{\"a\": 2, \"b\": [1]}"};
    (void)state;
    check_branches("object.a == 1 && object.b == []", both, 0, "", 0);
    check_branches("object.a == 3 && object.b == []", both, 2, "object.b == [];", 1);
    check_branches("object.a == 1 && object.b == []", both, 2, "", 2);
    check_branches("object.a > 0 || (object.a < 9 && object.b == [])", both, 2,
                   "object.a < 9 && object.b == [];", 1);
    check_branches("object.a == 0 || object.a == 1 || object.a == 2 || object.a == 3", both, 2,
                   "object.a == 3;", 3);
    check_branches("object.a == 1 ? object.b == [] : object.a == 2", both, 1, "object.a == 2;", 1);
    check_branches("object.a == 1 ? object.b == [] : true", both, 1, "", 1);
    check_branches("object.b.all(x, x > 0 && x < 5)", both, 1, "x > 0 && x < 5;", 0);
    check_branches("object.b.all(x, x > 0 && x < 5)", both, 2, "", 2);
    check_branches("object.b.exists(x, x > 0) || object.a == 1", both, 2, "", 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values), cmocka_unit_test(test_errors),   cmocka_unit_test(test_loops),
        cmocka_unit_test(test_bounds), cmocka_unit_test(test_branches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
