#include "typecheck/cel/types/celgo.h"
#include "typecheck/policy/crdrules/crd_rule.h"
#include "typecheck/typecheck.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/typecheck/selfschema.h"
#include "typecheck/cel/checker/expression.h"
#include "typecheck/cel/interpreter/plan.h"
#include "typecheck/cel/schema/schema_document.h"

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
    struct compiler compiler;
    compiler_init(&compiler, &(struct cel_place_scope){.env = env, .self = &self},
                  typecheck_default_caps.steps);
    for (size_t i = 0; i < ROWS; i++) {
        const struct crd_rule rule = {str_of(rows[i].rule), str_of(rows[i].message), rows[i].is_optional};
        struct crd_rule_compiled found;
        assert_true(crd_rule_compile(&compiler, &rule, &found));
        const struct str problem = found.rule->problem.text, of_message = found.message->problem.text;
        if (!is_told(problem, rows[i].problem) || !is_told(of_message, rows[i].message_problem) ||
            found.rule->uses_old_self != rows[i].uses_old_self)
            fail_msg("%s: \"%.*s\" \"%.*s\" %d", rows[i].rule, (int)problem.len, problem.at,
                     (int)of_message.len, of_message.at, found.rule->uses_old_self);
        assert_int_equal(found.rule->compiles, problem.len == 0 && rows[i].rule[0] != '\0');
        assert_int_equal(found.message->compiles,
                         found.rule->compiles && of_message.len == 0 && rows[i].message[0] != '\0');
    }
    compiler_deinit(&compiler);
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
    struct compiler compiler;
    for (size_t i = 0; i < 80000; i++)
        text[i] = i % 2 == 0 ? '[' : ' ';
    const struct crd_rule wrong = {STR("self.nope"), STR(""), false},
                          costly = {{text, 80000}, STR(""), false};
    struct crd_rule_compiled first, found;
    size_t done = 1;
    compiler_init(&compiler, &(struct cel_place_scope){.env = env, .self = &self},
                  typecheck_default_caps.steps);
    assert_true(crd_rule_compile(&compiler, &wrong, &first));
    while (done < 400 && crd_rule_compile(&compiler, &costly, &found))
        done++;
    assert_in_range(done, 1, 399);
    assert_false(crd_rule_compile(&compiler, &wrong, &found));
    assert_true(first.rule->problem.text.len != 0);
    compiler_deinit(&compiler);
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
    struct compiler compiler;
    compiler_init(&compiler, &(struct cel_place_scope){.env = env, .self = &self},
                  typecheck_default_caps.steps);
    for (size_t i = 0; i < PLANS; i++) {
        struct plan plan;
        struct str why;
        const struct cel_place_compiled *compiled =
            compiler_compile(&compiler, CEL_PLACE_RULE, str_of(plans[i].rule));
        assert_true(compiled != NULL && compiled->compiles);
        assert_int_equal(
            plan_make(&compiler.arena, env, &compiled->expression->ast, compiled->checked, &plan, &why),
            plans[i].outcome);
    }
    compiler_deinit(&compiler);
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
