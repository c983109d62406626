#include "controller/findings/findingcount.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/mem.h"

static const struct check_issue issues[] = {
    {.code = ISSUE_UNDEFINED_FIELD}, {.code = ISSUE_WRONG_CONSTANT}, {.code = ISSUE_UNDEFINED_FIELD}};
static const struct check_warning warnings[] = {
    {.first = {.code = ISSUE_UNDEFINED_FIELD}, .issues = issues, .n_issues = 3},
    {.first = {.code = ISSUE_UNDEFINED_FIELD}}, /* as scope upstream has it */
};
static const struct types_problem problems[] = {{.reason = TYPES_RESOURCE_NOT_FOUND, .is_certain = true},
                                                {.reason = TYPES_SCHEMA_NOT_FOUND},
                                                {.reason = TYPES_LIMIT_REACHED}};
static const struct check_result result = {.warnings = warnings,
                                           .n_warnings = 2,
                                           .problems = problems,
                                           .n_problems = 3,
                                           .more_limits = 4,
                                           .param_kind = CHECK_PARAM_KIND_NOT_FOUND};

static void expect_note(const char *type, const char *status, const struct findingcount_source *source,
                        const char *wanted)
{
    const struct condition condition = {.type = type, .status = status};
    const struct findingcount count = findingcount_of_one(&condition, source);
    cleanup_mem char *note = findingcount_note(&count, "why");
    assert_string_equal(note, wanted);
}

static void test_each_condition_has_its_own(void **state)
{
    (void)state;
    const struct findingcount_source policy = {.result = &result}, rules = {.refusals = 2};
    expect_note(CONDITIONS_VALID, "False", &policy, "[undefined-field, wrong-constant] why");
    expect_note(CONDITIONS_CHECKED, "False", &policy,
                "[resource-not-served, limit-reached, not-fully-checked] why");
    expect_note(CONDITIONS_PARAM_KIND, "False", &policy, "[param-kind-not-served] why");
    expect_note(CONDITIONS_BOUND, "False", &policy, "[policy-not-bound] why");
    expect_note(CONDITIONS_NEXT, "False", &policy, "why");
    expect_note(CONDITIONS_RULES_VALID, "False", &rules, "[refused] why");
    expect_note(CONDITIONS_RULES_CHECKED, "False", &rules, "[limit-reached] why");
    expect_note(CONDITIONS_POLICY, "False", &rules, "[binding-without-policy] why");
    expect_note(CONDITIONS_PARAM_REF, "False", &rules, "[binding-params] why");
}

static void test_what_is_true_has_none(void **state)
{
    (void)state;
    const struct check_result fine = {.param_kind = CHECK_PARAM_KIND_UNKNOWN};
    const struct findingcount_source source = {.result = &fine};
    expect_note(CONDITIONS_VALID, "Unknown", &source, "why");
    expect_note(CONDITIONS_PARAM_KIND, "Unknown", &source, "why");
    expect_note(CONDITIONS_BOUND, "True", &source, "why");
    expect_note(CONDITIONS_RULES_CHECKED, "True", &source, "why");
}

static void test_all_conditions_together(void **state)
{
    (void)state;
    const struct conditions conditions = {.items = {{.type = CONDITIONS_CHECKED, .status = "False"},
                                                    {.type = CONDITIONS_VALID, .status = "False"},
                                                    {.type = CONDITIONS_BOUND, .status = "False"}},
                                          .count = 3};
    const struct findingcount count =
        findingcount_of(&conditions, &(struct findingcount_source){.result = &result});
    assert_int_equal(count.of[FINDING_UNDEFINED_FIELD], 3);
    assert_int_equal(count.of[FINDING_WRONG_CONSTANT], 1);
    assert_int_equal(count.of[FINDING_LIMIT_REACHED], 5);
    assert_int_equal(count.of[FINDING_RESOURCE_NOT_SERVED], 1);
    assert_int_equal(count.of[FINDING_POLICY_NOT_BOUND], 1);
    assert_int_equal(count.of[FINDING_PARAM_KIND_NOT_SERVED], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_condition_has_its_own),
        cmocka_unit_test(test_what_is_true_has_none),
        cmocka_unit_test(test_all_conditions_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
