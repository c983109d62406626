#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/mem.h"
#include "controller/findings/nextversion.h"

enum { EXPRESSIONS = 8 };

static char names[EXPRESSIONS][64];
static struct policy_expression expressions[EXPRESSIONS];
static const struct policyview policy = {.policy = {.expressions = expressions, .count = EXPRESSIONS}};
static const struct types_target deployment = {.group = "apps", .version = "v1", .kind = "Deployment"};

static int setup(void **state)
{
    (void)state;
    for (size_t i = 0; i < EXPRESSIONS; i++) {
        snprintf(names[i], sizeof names[i], "spec.validations[%zu].expression", i);
        expressions[i].field_ref = str_of(names[i]);
    }
    return 0;
}

/* If the compiler refuses the expression, its issue is reported without the expression. */
static bool is_compiled = true;

static void expect(const struct check_result *now, const struct check_result *next, const char *refusal,
                   const char *status, const char *reason, const char *message)
{
    struct conditions conditions = {.count = 0};
    struct versiondiff_report report = {.count = 0};
    if (refusal != NULL)
        versiondiff_add_refusal(&report,
                                &(struct versiondiff_item){.field = names[0],
                                                           .message = refusal,
                                                           .detail = strlen("Invalid value: \"x\": ")},
                                is_compiled ? &(struct typecheck_issue){.message = STR("no")} : NULL);
    nextversion_add(
        &conditions,
        &(struct nextversion_input){
            .minor = 37, .policy = &policy, .result = now, .next_result = next, .report = &report});
    assert_int_equal(conditions.count, 1);
    assert_string_equal(conditions.items[0].type, "ValidOnNextVersion");
    assert_string_equal(conditions.items[0].message, message);
    assert_string_equal(conditions.items[0].status, status);
    assert_string_equal(conditions.items[0].reason, reason);
    assert_true(strlen(conditions.items[0].message) <= CONDITIONS_MESSAGE_BYTES);
    conditions_deinit(&conditions);
    versiondiff_deinit(&report);
}

static const struct check_issue fails = {
    .message = "no such overload", .line = 1, .column = 2, .first_type = &deployment};
static const struct check_issue unequal = {
    .message = "no such overload", .line = 1, .column = 2, .is_unequal = true, .first_type = &deployment};

static void test_conditions(void **state)
{
    (void)state;
    const struct check_warning failing[] = {
        {.expression = 1, .first = {.message = ""}, .issues = &fails, .n_issues = 1}};
    const struct check_warning comparing[] = {
        {.expression = 1, .first = {.message = ""}, .issues = &unequal, .n_issues = 1}};
    const struct types_problem problem = {.reason = TYPES_SCHEMA_NOT_FOUND, .message = "no schema of pods"};
    const struct check_result clean = {.n_warnings = 0}, bad = {.warnings = failing, .n_warnings = 1},
                              never = {.warnings = comparing, .n_warnings = 1},
                              partly = {.problems = &problem, .n_problems = 1};
    static const char no_change[] =
        "on Kubernetes 1.37: nothing is refused, and nothing fails that works now";
    static const char found[] = "on Kubernetes 1.37: spec.validations[1].expression (apps/v1 Deployment): no "
                                "such overload";
    expect(&clean, &clean, NULL, "True", "NoChange", no_change);
    expect(&bad, &bad, NULL, "True", "NoChange", no_change);
    expect(&clean, &never, NULL, "True", "NoChange", no_change);
    expect(&bad, &clean, NULL, "True", "NoChange", no_change);
    expect(&clean, &bad, NULL, "False", "ChangesFound", found);
    expect(&never, &bad, NULL, "False", "ChangesFound", found);
    expect(&partly, &bad, NULL, "False", "ChangesFound", found);
    expect(&clean, &clean, "Invalid value: \"x\": compilation failed: ERROR: <input>:1:1: no\n | x", "False",
           "ChangesFound",
           "on Kubernetes 1.37: spec.validations[0].expression: refused: compilation failed: ERROR: "
           "<input>:1:1: no");
    is_compiled = false;
    expect(
        &clean, &clean, "Invalid value: \"x\": must evaluate to bool", "False", "ChangesFound",
        "on Kubernetes 1.37: spec.validations[0].expression: refused: Invalid value: \"x\": must evaluate to "
        "bool");
    is_compiled = true;
    expect(&clean, &partly, NULL, "Unknown", "NotChecked",
           "on Kubernetes 1.37: no change was found, but not everything was checked: no schema of pods");
    expect(&clean, NULL, NULL, "Unknown", "NotChecked", "the server is no older than Kubernetes 1.37");
}

/* The first three, and that there are more, without a number. */
static void test_many(void **state)
{
    (void)state;
    struct check_warning warnings[EXPRESSIONS];
    for (size_t i = 0; i < EXPRESSIONS; i++)
        warnings[i] = (struct check_warning){
            .expression = i, .first = {.message = ""}, .issues = &fails, .n_issues = 1};
    const struct check_result clean = {.n_warnings = 0},
                              bad = {.warnings = warnings, .n_warnings = EXPRESSIONS};
    expect(&clean, &bad, NULL, "False", "ChangesFound",
           "on Kubernetes 1.37: spec.validations[0].expression (apps/v1 Deployment): no such overload; "
           "spec.validations[1].expression (apps/v1 Deployment): no such overload; "
           "spec.validations[2].expression (apps/v1 Deployment): no such overload; and more");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
