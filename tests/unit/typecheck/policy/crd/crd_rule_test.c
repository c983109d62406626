#include "typecheck/cel/types/celgo.h"
#include "typecheck/policy/crd/crd_rule.h"
#include "typecheck/policy/crd/crd_rule_plan.h"
#include "typecheck/typecheck.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/typecheck/selfschema.h"
#include "typecheck/cel/interpreter/plan.h"
#include "typecheck/cel/schema/document.h"

/* What of the problems must be there; "" for none. */
static const struct {
    const char *rule, *message;
    const char *problem, *message_problem;
    bool is_optional, uses_old_self;
} rows[] = {
    {"self.n > 1", "", "", "", false, false},
    {"self.n > oldSelf.n", "self.s", "", "", false, true},
    {"self.n > oldSelf.n.value()", "", "", "", true, true},
    {"self.n > oldSelf.n", "", "found no matching overload for '_>_'", "", true, false},
    {"oldSelf.hasValue() && self.n > oldSelf.value().n", "", "", "", true, true},
    {"self.nope", "1", "undefined field 'nope'", "", false, false},
    {"self.n", "", "cel expression must evaluate to a bool", "", false, false},
    {"self.w > timestamp('2020-01-01T00:00:00Z') && self.y == b'a' && self.u < duration('1h')", "", "", "",
     false, false},
    {"true", "self.n", "", "messageExpression must evaluate to a string", false, false},
    {"true", "self.nope", "", "messageExpression compilation failed: ERROR: <input>:1:5: undefined", false,
     false},
    {"int('a') == 1", "", "program instantiation failed: type conversion error", "", false, false},
    {"true", "string(int('a'))", "", "messageExpression instantiation failed: type conversion error", false,
     false},
    {"oldSelf.n == int('a')", "", "program instantiation failed: ", "", false, true},
    {"self.a.all(x, x.t == '')", "", "undefined field 't'", "", false, false},
    {"object.n == 1", "", "undeclared reference to 'object'", "", false, false},
    {"", "'a'", "", "", false, false},
    {"'a' in self.l.map(oldSelf, oldSelf)", "", "", "", false, true},
    {"self.i == 1 || self.i == 'a'", "", "", "", false, false},
};

enum { ROWS = sizeof rows / sizeof *rows };

static bool is_told(struct str problem, const char *wanted)
{
    return wanted[0] == '\0' ? problem.len == 0 : problem.len != 0 && strstr(problem.at, wanted) != NULL;
}

static void test_rules(void **state)
{
    (void)state;
    struct env *env = env_new(ENV_NEWEST_LEVEL - 1, celgo_in(ENV_NEWEST_LEVEL));
    struct schema *schema = selfschema_read();
    struct crd_type self = selfschema_root(schema);
    struct crd_rule rules[ROWS];
    struct crd_rule_results results;
    for (size_t i = 0; i < ROWS; i++)
        rules[i] = (struct crd_rule){str_of(rows[i].rule), str_of(rows[i].message), rows[i].is_optional};
    crd_rule_compile(env, &self, rules, ROWS, typecheck_default_caps.steps, &results);
    assert_int_equal(results.done, ROWS);
    for (size_t i = 0; i < ROWS; i++) {
        const struct crd_rule_result *r = &results.items[i];
        if (!is_told(r->problem.text, rows[i].problem) ||
            !is_told(r->message_problem.text, rows[i].message_problem) ||
            r->uses_old_self != rows[i].uses_old_self)
            fail_msg("%s: \"%.*s\" \"%.*s\" %d", rows[i].rule, (int)r->problem.text.len, r->problem.text.at,
                     (int)r->message_problem.text.len, r->message_problem.text.at, r->uses_old_self);
        assert_int_equal(r->has_message, r->problem.text.len == 0 && r->message_problem.text.len == 0 &&
                                             rows[i].rule[0] != '\0' && rows[i].message[0] != '\0');
    }
    crd_rule_results_deinit(&results);
    schema_free(schema);
    env_free(env);
}

/* An expression that takes too long costs its own answer, not those before it. */
static void test_a_cap_is_reached(void **state)
{
    (void)state;
    static char text[80001];
    struct env *env = env_new(ENV_NEWEST_LEVEL - 1, celgo_in(ENV_NEWEST_LEVEL));
    struct schema *schema = selfschema_read();
    struct crd_type self = selfschema_root(schema);
    struct crd_rule_results results;
    for (size_t i = 0; i < 80000; i++)
        text[i] = i % 2 == 0 ? '[' : ' ';
    struct crd_rule rules[400];
    for (size_t i = 0; i < 400; i++)
        rules[i] = (struct crd_rule){{text, 80000}, STR(""), false};
    rules[0].expression = STR("self.nope");
    crd_rule_compile(env, &self, rules, 400, typecheck_default_caps.steps, &results);
    assert_in_range(results.done, 1, 399);
    assert_true(results.items[0].problem.text.len != 0);
    crd_rule_results_deinit(&results);
    schema_free(schema);
    env_free(env);
}

static void test_plans(void **state)
{
    (void)state;
    static const struct {
        const char *rule;
        enum plan_outcome outcome;
    } plans[] = {{"self.n > 1", PLAN_READY},
                 {"google.protobuf.Int64Value{value: 1} == self.n", PLAN_MISSING}};
    enum { PLANS = sizeof plans / sizeof *plans };
    struct env *env = env_new(ENV_NEWEST_LEVEL, celgo_in(ENV_NEWEST_LEVEL));
    struct schema *schema = selfschema_read();
    struct crd_type self = selfschema_root(schema);
    struct crd_rule rules[PLANS] = {{.expression = str_of(plans[0].rule)},
                                    {.expression = str_of(plans[1].rule)}};
    struct crd_rule_results results;
    crd_rule_compile(env, &self, rules, PLANS, typecheck_default_caps.steps, &results);
    assert_int_equal(results.done, PLANS);
    for (size_t i = 0; i < PLANS; i++) {
        struct plan plan;
        struct str why;
        assert_non_null(results.items[i].program);
        assert_int_equal(crd_rule_plan(&results.arena, env, results.items[i].program, &plan, &why),
                         plans[i].outcome);
    }
    crd_rule_results_deinit(&results);
    schema_free(schema);
    env_free(env);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_plans),
        cmocka_unit_test(test_a_cap_is_reached),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
