#include "controller/observe/policystats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_sums_follow_the_entries(void **state)
{
    (void)state;
    struct policystats *t = policystats_new();
    policystats_note(t, "a",
                     &(struct policystats_entry){.result = POLICYSTATS_WARNINGS, .warnings = 2, .types = 3});
    policystats_note(t, "b", &(struct policystats_entry){.result = POLICYSTATS_VALID, .types = 4});
    policystats_note(
        t, "c", &(struct policystats_entry){.result = POLICYSTATS_PARTLY, .skipped = {[TYPES_TOO_MANY] = 2}});
    struct policystats_sums sums = policystats_sums(t);
    assert_int_equal(sums.policies[POLICYSTATS_WARNINGS], 1);
    assert_int_equal(sums.policies[POLICYSTATS_VALID], 1);
    assert_int_equal(sums.policies[POLICYSTATS_PARTLY], 1);
    assert_int_equal(sums.types, 7);
    assert_int_equal(sums.skipped[TYPES_TOO_MANY], 2);
    policystats_note(t, "a", &(struct policystats_entry){.result = POLICYSTATS_VALID, .types = 1});
    policystats_remove(t, "c");
    policystats_remove(t, "unknown");
    sums = policystats_sums(t);
    assert_int_equal(sums.policies[POLICYSTATS_WARNINGS], 0);
    assert_int_equal(sums.policies[POLICYSTATS_VALID], 2);
    assert_int_equal(sums.policies[POLICYSTATS_PARTLY], 0);
    assert_int_equal(sums.types, 5);
    assert_int_equal(sums.skipped[TYPES_TOO_MANY], 0);
    policystats_free(t);
    policystats_free(NULL);
}

static void collect(void *user, const char *policy, size_t warnings)
{
    char *text = user;
    assert_true(warnings > 0 && warnings < 10);
    size_t len = strlen(text);
    text[len] = policy[0];
    text[len + 1] = (char)('0' + warnings);
    text[len + 2] = '\0';
}

static void test_policies_with_warnings_come_by_name(void **state)
{
    (void)state;
    struct policystats *t = policystats_new();
    char text[64] = "";
    static const struct {
        const char *name;
        size_t warnings;
    } rows[] = {{"d", 4}, {"b", 2}, {"e", 0}, {"a", 1}, {"c", 3}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        policystats_note(t, rows[i].name, &(struct policystats_entry){.warnings = rows[i].warnings});
    policystats_each_warned(t, collect, text);
    assert_string_equal(text, "a1b2c3d4");
    policystats_free(t);
}

static void test_an_entry_is_what_the_check_found(void **state)
{
    (void)state;
    static const struct {
        const char *reason, *status;
        enum policystats_result result;
    } rows[] = {{"AllTypesChecked", "True", POLICYSTATS_VALID},
                {"AllTypesChecked", "False", POLICYSTATS_WARNINGS},
                {"LimitReached", "False", POLICYSTATS_WARNINGS},
                {"SchemaNotFound", "Unknown", POLICYSTATS_PARTLY},
                {"LimitReached", "Unknown", POLICYSTATS_LIMIT}};
    const struct types_problem problems[] = {{.reason = TYPES_TOO_MANY},
                                             {.reason = TYPES_SCHEMA_NOT_FOUND},
                                             {.reason = TYPES_TOO_MANY},
                                             {.reason = TYPES_LIMIT_REACHED}};
    const struct check_warning warnings[] = {{.first = {.code = ISSUE_WRONG_CONSTANT}},
                                             {.first = {.code = ISSUE_WRONG_CONSTANT}}};
    const struct check_result result = {.warnings = warnings,
                                        .n_warnings = 2,
                                        .n_types = 6,
                                        .problems = problems,
                                        .n_problems = 4,
                                        .more_limits = 7};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct conditions conditions = {
            .items = {{.type = CONDITIONS_CHECKED, .status = "False", .reason = rows[i].reason},
                      {.type = CONDITIONS_VALID, .status = rows[i].status}},
            .count = 2};
        struct policystats_entry entry = policystats_read(&result, &conditions);
        assert_int_equal(entry.result, rows[i].result);
        assert_int_equal(entry.warnings, 2);
        assert_int_equal(entry.findings.of[FINDING_WRONG_CONSTANT],
                         rows[i].result == POLICYSTATS_VALID ? 0 : 2);
        assert_int_equal(entry.types, 6);
        assert_int_equal(entry.skipped[TYPES_TOO_MANY], 2);
        assert_int_equal(entry.skipped[TYPES_SCHEMA_NOT_FOUND], 1);
        assert_int_equal(entry.skipped[TYPES_LIMIT_REACHED], 8);
        assert_int_equal(entry.skipped[TYPES_RESOURCE_NOT_FOUND], 0);
    }
    assert_int_equal(policystats_read(NULL, NULL).result, POLICYSTATS_SKIPPED);
    assert_string_equal(policystats_result_name(POLICYSTATS_PARTLY), "partly_checked");
    assert_string_equal(policystats_result_name(POLICYSTATS_LIMIT), "limit_reached");
}

static void expect_answers(enum policystats_result wanted, const char *valid, const char *param_kind)
{
    const struct check_result result = {.param_kind = CHECK_PARAM_KIND_NOT_FOUND};
    const struct conditions conditions = {.items = {{.type = CONDITIONS_CHECKED, .status = "True"},
                                                    {.type = CONDITIONS_VALID, .status = valid},
                                                    {.type = CONDITIONS_PARAM_KIND, .status = param_kind}},
                                          .count = 3};
    struct policystats *t = policystats_new();
    const struct policystats_entry entry = policystats_read(&result, &conditions);
    assert_int_equal(entry.result, wanted);
    policystats_note(t, "p", &entry);
    const struct policystats_sums sums = policystats_sums(t);
    for (size_t i = 0; i < 3; i++) {
        const enum policystats_answer answer = entry.answers[i];
        assert_string_equal(conditions_policy_type(i), conditions.items[i].type);
        assert_string_equal(policystats_answer_name(answer), conditions.items[i].status);
        assert_int_equal(sums.answers[i][answer], 1);
    }
    assert_int_equal(sums.answers[3][POLICYSTATS_NONE], 1);
    assert_int_equal(sums.answers[3][POLICYSTATS_FALSE], 0);
    policystats_remove(t, "p");
    assert_int_equal(policystats_sums(t).answers[3][POLICYSTATS_NONE], 0);
    policystats_free(t);
}

static void test_conditions_are_counted(void **state)
{
    (void)state;
    expect_answers(POLICYSTATS_VALID, "True", "True");
    expect_answers(POLICYSTATS_VALID, "True", "Unknown");
    expect_answers(POLICYSTATS_PARAM_KIND, "True", "False");
    expect_answers(POLICYSTATS_WARNINGS, "False", "False");
}

static void test_an_entry_of_rules(void **state)
{
    (void)state;
    struct conditions c = {0};
    conditions_add(&c, CONDITIONS_RULES_CHECKED, "True", "AllRulesChecked", NULL);
    conditions_add(&c, CONDITIONS_RULES_VALID, "True", "NoWarnings", NULL);
    assert_int_equal(policystats_read_rules(0, &c).result, POLICYSTATS_VALID);
    c.items[1].status = "False";
    assert_int_equal(policystats_read_rules(2, &c).result, POLICYSTATS_WARNINGS);
    assert_int_equal(policystats_read_rules(2, &c).warnings, 2);
    assert_int_equal(policystats_read_rules(2, &c).findings.of[FINDING_REFUSED], 2);
    c.items[0].reason = "LimitReached";
    c.items[1].status = "Unknown";
    assert_int_equal(policystats_read_rules(0, &c).result, POLICYSTATS_LIMIT);
    conditions_deinit(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums_follow_the_entries),
        cmocka_unit_test(test_policies_with_warnings_come_by_name),
        cmocka_unit_test(test_an_entry_is_what_the_check_found),
        cmocka_unit_test(test_conditions_are_counted),
        cmocka_unit_test(test_an_entry_of_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
