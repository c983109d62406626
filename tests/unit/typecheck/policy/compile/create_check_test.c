#include "typecheck/cel/types/celgo.h"
#include "typecheck/policy/compile/create_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define E(at, called, written)                                                                               \
    {                                                                                                        \
        .place = at, .name = STR_INIT(called), .text = STR_INIT(written)                                     \
    }

/* What of a problem must be there; "" for none. */
static const struct {
    struct policy_expression expression;
    bool has_params;
    const char *problem;
} rows[] = {
    {E(POLICY_VALIDATION, "", "object.a == oldObject.b && request.name == ''"), false, ""},
    {E(POLICY_VALIDATION, "", "object.a"), false, "must evaluate to bool but got dyn"},
    {E(POLICY_VALIDATION, "", "timestamp('2020-01-01T00:00:00Z')"), false,
     "must evaluate to bool but got google.protobuf.Timestamp"},
    {E(POLICY_VALIDATION, "", "params.a == 1"), false, "undeclared reference to 'params'"},
    {E(POLICY_VALIDATION, "", "params.a == 1"), true, ""},
    {E(POLICY_VALIDATION, "", "authorizer.requestResource.check('get').allowed()"), false, ""},
    {E(POLICY_MESSAGE, "", "string(authorizer)"), false, "undeclared reference to 'authorizer'"},
    {E(POLICY_MESSAGE, "", "'a'"), false, ""},
    {E(POLICY_MESSAGE, "", "1"), false, "must evaluate to string but got int"},
    {E(POLICY_AUDIT_ANNOTATION, "", "null"), false, ""},
    {E(POLICY_AUDIT_ANNOTATION, "", "[1]"), false,
     "must evaluate to one of [string null_type] but got list(int)"},
    {E(POLICY_MATCH_CONDITION, "", "variables.v == 1"), false, "undeclared reference to 'variables'"},
    {E(POLICY_VARIABLE, "w", "variables.v + 'a'"), false, "found no matching overload for '_+_'"},
    {E(POLICY_VALIDATION, "", "variables.v == 1"), false, ""},
    {E(POLICY_VALIDATION, "", "variables.broken.is.dyn"), false, "must evaluate to bool but got dyn"},
    {E(POLICY_VALIDATION, "", "variables.nope"), false, "undefined field 'nope'"},
    {E(POLICY_VALIDATION, "", "1 +"), false, "compilation failed: ERROR: <input>:1:4: Syntax error"},
    {E(POLICY_APPLY_CONFIGURATION, "", "Object{spec: Object.spec{a: variables.v}}"), false, ""},
    {E(POLICY_APPLY_CONFIGURATION, "", "Object.spec{}"), false,
     "must evaluate to Object but got Object.spec"},
    {E(POLICY_APPLY_CONFIGURATION, "", "object"), false, "must evaluate to Object but got dyn"},
    {E(POLICY_JSON_PATCH, "", "[JSONPatch{path: jsonpatch.escapeKey('a')}]"), false, ""},
    {E(POLICY_JSON_PATCH, "", "[JSONPatch{path: 1}]"), false, "expected type of field 'path' is 'string'"},
    {E(POLICY_JSON_PATCH, "", "[Object{}]"), false, "must evaluate to list(JSONPatch) but got list(Object)"},
    {E(POLICY_VALIDATION, "", "Object{} == Object{}"), false, "undeclared reference to 'Object'"},
    {E(POLICY_VARIABLE, "w", "jsonpatch.escapeKey('a')"), false, "undeclared reference to 'jsonpatch'"},
    {E(POLICY_VALIDATION, "", "uint(-1) == 1u"), false,
     "program instantiation failed: unsigned integer overflow"},
    {E(POLICY_VALIDATION, "", "type(request) == kubernetes.AdmissionRequest"), false,
     "program instantiation failed: reference to undefined type: kubernetes.AdmissionRequest"},
    {E(POLICY_VALIDATION, "", "[int].exists(t, type(object.a) == t)"), false,
     "program instantiation failed: reference to undefined type: t"},
    {E(POLICY_VALIDATION, "", "type(object.a) == .int && type(quantity('1')) == type(object.b)"), false, ""},
};

static void test_places(void **state)
{
    (void)state;
    struct env *env = env_new(ENV_NEWEST_LEVEL, celgo_in(ENV_NEWEST_LEVEL));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct policy_expression list[] = {E(POLICY_VARIABLE, "v", "1"), E(POLICY_VARIABLE, "broken", "nope"),
                                           rows[i].expression};
        struct policy policy = {.expressions = list, .count = 3, .has_params = rows[i].has_params};
        struct create_check_result r;
        create_check_policy(env, &policy, &r);
        struct compile_problem *p = &r.problems[2];
        if (rows[i].problem[0] == '\0' ? p->text.len != 0
                                       : p->text.len == 0 || strstr(p->text.at, rows[i].problem) == NULL)
            fail_msg("%s: %.*s", rows[i].expression.text.at, (int)p->text.len, p->text.len ? p->text.at : "");
        assert_int_equal(p->is_internal, strncmp(rows[i].problem, "program", 7) == 0);
        assert_int_equal(r.problems[0].text.len, 0);
        assert_false(r.is_exhausted);
        create_check_result_deinit(&r);
    }
    env_free(env);
}

/* Without variables in the policy there is none of that name. */
static void test_no_variables(void **state)
{
    (void)state;
    struct env *env = env_new(ENV_NEWEST_LEVEL, celgo_in(ENV_NEWEST_LEVEL));
    struct policy_expression e = E(POLICY_VALIDATION, "", "variables.v == 1");
    struct policy policy = {.expressions = &e, .count = 1, .has_params = false, .lacks_variables = true};
    struct create_check_result r;
    create_check_policy(env, &policy, &r);
    assert_non_null(strstr(r.problems[0].text.at, "undeclared reference to 'variables'"));
    create_check_result_deinit(&r);
    env_free(env);
}

/* An expression that takes all memory ends the work, and what was found before stays. */
static void test_exhausted(void **state)
{
    (void)state;
    static char text[90000];
    struct env *env = env_new(ENV_NEWEST_LEVEL, celgo_in(ENV_NEWEST_LEVEL));
    memset(text, '1', sizeof text);
    for (size_t i = 1; i < sizeof text; i += 2)
        text[i] = i % 4 == 1 ? '+' : '<';
    struct policy_expression list[] = {E(POLICY_VALIDATION, "", "1"), E(POLICY_VALIDATION, "", "")};
    list[1].text = (struct str){text, sizeof text - 1};
    struct policy policy = {.expressions = list, .count = 2, .has_params = false, .lacks_variables = true};
    struct create_check_result r;
    create_check_policy(env, &policy, &r);
    assert_true(r.problems == NULL || r.problems[0].text.len != 0);
    assert_true(r.is_exhausted || r.problems[1].text.len != 0);
    create_check_result_deinit(&r);
    env_free(env);
}

/* Slices end between expressions, and find what one run finds. */
static void test_slices(void **state)
{
    (void)state;
    struct env *env = env_new(ENV_NEWEST_LEVEL, celgo_in(ENV_NEWEST_LEVEL));
    struct policy_expression list[] = {E(POLICY_VARIABLE, "v", "1"), E(POLICY_VARIABLE, "broken", "nope"),
                                       E(POLICY_VALIDATION, "", "variables.v == 'a'"),
                                       E(POLICY_VALIDATION, "", "variables.v == 1")};
    const struct policy policy = {.expressions = list, .count = 4};
    struct create_check_result whole;
    create_check_policy(env, &policy, &whole);
    struct create_check_run *run = create_check_start(env, &policy, &typecheck_default_caps);
    for (size_t i = 0; i < 3; i++)
        assert_true(create_check_step(run, 1));
    assert_false(create_check_step(run, 1));
    const struct create_check_result *found = create_check_found(run);
    for (size_t i = 0; i < 4; i++)
        assert_true(str_eq(found->problems[i].text, whole.problems[i].text));
    assert_int_equal(found->arena.steps, whole.arena.steps);
    create_check_end(run);
    create_check_result_deinit(&whole);
    env_free(env);
}

/* One expression has a limit of its own, whatever is left for the policy. */
static void test_limit_of_an_expression(void **state)
{
    (void)state;
    struct env *env = env_new(ENV_NEWEST_LEVEL, celgo_in(ENV_NEWEST_LEVEL));
    struct policy_expression list[] = {
        E(POLICY_VARIABLE, "v", "1"),
        E(POLICY_VALIDATION, "", "[1, 2, 3, 4, 5, 6, 7, 8].all(x, x > 0 && x < 9 && x != 10)")};
    const struct policy policy = {.expressions = list, .count = 2};
    struct typecheck_caps caps = typecheck_default_caps;
    caps.unit_steps = 100;
    struct create_check_run *run = create_check_start(env, &policy, &caps);
    assert_true(create_check_step(run, 1));
    const uint64_t before = create_check_found(run)->arena.steps;
    assert_false(create_check_step(run, UINT64_MAX));
    assert_true(create_check_found(run)->is_exhausted);
    assert_in_range(create_check_found(run)->arena.steps - before, 1, 200);
    create_check_end(run);
    env_free(env);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_no_variables),
        cmocka_unit_test(test_exhausted),
        cmocka_unit_test(test_slices),
        cmocka_unit_test(test_limit_of_an_expression),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
