#include "controller/apiserver/crd/crdconditions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void expect_rules(const struct crdrules *found, const char *checked, const char *valid,
                         const char *message)
{
    struct conditions c;
    crdconditions_init(&c, found);
    assert_int_equal(c.count, 2);
    assert_string_equal(conditions_find(&c, CONDITIONS_RULES_CHECKED)->reason, checked);
    assert_string_equal(conditions_find(&c, CONDITIONS_RULES_VALID)->status, valid);
    assert_string_equal(conditions_find(&c, CONDITIONS_RULES_VALID)->message, message);
    conditions_deinit(&c);
}

static void test_rules_of_definitions(void **state)
{
    (void)state;
    struct crdrules found = {.n_rules = 3};
    expect_rules(&(struct crdrules){0}, "AllRulesChecked", "True", "no warnings");
    expect_rules(&found, "AllRulesChecked", "True", "no warnings");
    found.n_unchecked = 1;
    expect_rules(
        &found, "LimitReached", "Unknown",
        "no warnings, but not everything was checked: 1 of 3 rules take too much work or memory to check");
    fielderrors_add(&found.refusals, fielderrors_required("rule is not specified"), "spec.a");
    fielderrors_add(&found.refusals, fielderrors_forbidden("too\ndear"), "spec.b");
    expect_rules(
        &found, "LimitReached", "False",
        "2 findings in 3 rules: spec.a: Required value: rule is not specified; spec.b: Forbidden: too");
    crdrules_deinit(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules_of_definitions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
