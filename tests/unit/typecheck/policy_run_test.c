#include "typecheck/policy_run.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/types/celgo.h"

/* What the server answers is compared in tests/golden/evaluate/policies.jsonl; this is what it never says. */

#define COUNT(list) (sizeof(list) / sizeof *(list))

static const struct policy_run_request REQUEST = {
    .object = STR_INIT("{\"metadata\": {\"name\": \"w\"}}"),
    .request = STR_INIT("{\"operation\": \"CREATE\"}"),
    .namespace_object = STR_INIT("{\"metadata\": {\"name\": \"n\"}}"),
};

static void evaluate(int minor, const struct policy_run_policy *policy, struct policy_run_result *out)
{
    struct env *env = env_new(minor, celgo_in(minor));
    assert_non_null(env);
    struct policy_run *run = policy_run_new(env, policy);
    assert_non_null(run);
    policy_run_evaluate(run, &REQUEST, out);
    policy_run_free(run);
    env_free(env);
}

static void check_missing(int minor, const struct policy_run_policy *policy, const char *missing,
                          const char *at)
{
    struct policy_run_result result;
    evaluate(minor, policy, &result);
    assert_int_equal(result.missing.len, strlen(missing));
    assert_memory_equal(result.missing.at, missing, result.missing.len);
    assert_int_equal(result.missing_at.len, strlen(at));
    if (*at != '\0')
        assert_memory_equal(result.missing_at.at, at, result.missing_at.len);
    assert_int_equal(result.decision_count, 0);
    policy_run_result_deinit(&result);
}

static void test_typed_objects(void **state)
{
    const struct policy_run_validation validations[] = {{.expression = STR("true")}};
    (void)state;
    check_missing(37, &(struct policy_run_policy){.validations = validations, .validation_count = 1},
                  "vapcheck does not evaluate whole policies of Kubernetes 1.37 and later", "");
}

/* Only match conditions have none, whatever else the policy lacks. */
static void test_namespace(void **state)
{
    const struct policy_run_named condition = {STR("c"), STR("namespaceObject == null")},
                                  variable = {STR("v"), STR("namespaceObject.metadata.name")};
    const struct policy_run_validation validation = {.expression =
                                                         STR("namespaceObject.metadata.name == 'n'")};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        const struct policy_run_policy policy = {.match_conditions = &condition,
                                                 .match_condition_count = i & 1,
                                                 .variables = &variable,
                                                 .variable_count = i >> 1,
                                                 .validations = &validation,
                                                 .validation_count = 1};
        struct policy_run_result result;
        evaluate(36, &policy, &result);
        assert_int_equal(result.missing.len, 0);
        assert_int_equal(result.decision_count, 1);
        assert_int_equal(result.decisions[0].outcome, POLICY_RUN_ADMITTED);
        policy_run_result_deinit(&result);
    }
}

static void test_missing(void **state)
{
    const struct policy_run_named variables[] = {
        {STR("unused"), STR("dyn(variables)")},
        {STR("whole"), STR("dyn(variables).size()")},
        {STR("again"), STR("variables.whole")},
    };
    const struct policy_run_validation good[] = {{.expression = STR("true || variables.unused == 1")}},
                                       bad[] = {{.expression = STR("true")},
                                                {.expression = STR("variables.again == 1")}};
    struct policy_run_policy policy = {.variables = variables,
                                       .variable_count = COUNT(variables),
                                       .validations = bad,
                                       .validation_count = 2};
    struct policy_run_result result;
    (void)state;
    check_missing(36, &policy, "vapcheck does not evaluate `variables` as a whole",
                  "spec.variables[1].expression");
    policy.validations = good;
    policy.validation_count = 1;
    evaluate(36, &policy, &result);
    assert_int_equal(result.missing.len, 0);
    assert_int_equal(result.decisions[0].outcome, POLICY_RUN_ADMITTED);
    policy_run_result_deinit(&result);
}

/* The last of two variables of one name is the one that both mean. */
static void test_variable_that_needs_itself(void **state)
{
    const struct policy_run_named variables[] = {
        {STR("a"), STR("1")},
        {STR("a"), STR("variables.a + 1")},
    };
    const struct policy_run_validation validations[] = {{.expression = STR("variables.a == 2")}};
    (void)state;
    check_missing(36,
                  &(struct policy_run_policy){.variables = variables,
                                              .variable_count = COUNT(variables),
                                              .validations = validations,
                                              .validation_count = 1},
                  "vapcheck does not evaluate a variable that needs itself", "spec.variables[1].expression");
}

/* A chain of variables ends in a limit before the stack does. */
static void test_deep_variables(void **state)
{
    enum { DEEP = 3000 };
    static struct policy_run_named variables[DEEP];
    static char names[DEEP][16], expressions[DEEP][32];
    const struct policy_run_validation validations[] = {{.expression = STR("variables.v2999 == 1")}};
    (void)state;
    for (size_t i = 0; i < DEEP; i++) {
        (void)snprintf(names[i], sizeof names[i], "v%zu", i);
        (void)snprintf(expressions[i], sizeof expressions[i], "variables.v%zu", i - 1);
        variables[i] =
            (struct policy_run_named){str_of(names[i]), i == 0 ? STR("1") : str_of(expressions[i])};
    }
    check_missing(36,
                  &(struct policy_run_policy){.variables = variables,
                                              .variable_count = DEEP,
                                              .validations = validations,
                                              .validation_count = 1},
                  "vapcheck does not evaluate a policy that takes so much work", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_typed_objects),  cmocka_unit_test(test_namespace),
        cmocka_unit_test(test_missing),        cmocka_unit_test(test_variable_that_needs_itself),
        cmocka_unit_test(test_deep_variables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
