#include "controller/findings/conditions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/text/jsonval.h"

static char message_of_problem[CONDITIONS_MESSAGE_BYTES * 2];

static const struct types_target deployment = {.group = "apps", .version = "v1", .kind = "Deployment"};
static const struct types_target pod = {.group = "", .version = "v1", .kind = "Pod"};

static struct policy_expression expressions[64];
static struct policyview policy = {.name = "p",
                                   .policy = {.expressions = expressions, .count = 64},
                                   .param_api_version = "v1",
                                   .param_kind = "ConfigMap"};

static void expect(const struct conditions_input *in, const char *type, const char *status,
                   const char *reason, const char *message)
{
    struct conditions c;
    conditions_init(&c, in);
    const struct condition *found = conditions_find(&c, type);
    assert_non_null(found);
    assert_string_equal(found->status, status);
    assert_string_equal(found->reason, reason);
    assert_string_equal(found->message, message);
    conditions_deinit(&c);
}

static void test_all_well(void **state)
{
    (void)state;
    struct check_result r = {.n_types = 2, .n_expressions = 4};
    struct conditions_input in = {.policy = &policy, .result = &r};
    struct conditions c;
    expect(&in, "TypeChecked", "True", "AllTypesChecked", "every type that the rules match was checked");
    expect(&in, "ExpressionsValid", "True", "NoWarnings", "no warnings");
    conditions_init(&c, &in);
    assert_int_equal(c.count, 2);
    assert_null(conditions_find(&c, "Bound"));
    conditions_deinit(&c);
    assert_false(conditions_is_waiting(&r));
}

#define WARNING(index, issue, advice, type)                                                                  \
    {                                                                                                        \
        .expression = (index), .text = "...", .len = 3, .hint = (advice), .first = {                         \
            .message = (issue),                                                                              \
            .first_type = (type)                                                                             \
        }                                                                                                    \
    }

static void test_warnings_name_field_type_and_issue(void **state)
{
    (void)state;
    struct check_warning warnings[] = {
        WARNING(0, "undefined field 'replicas'", "did you mean 'spec.replicas'?", &deployment),
        WARNING(1, "a\tb\033[0m", "", &pod),
        WARNING(2, "too big", "", NULL),
    };
    struct check_result r = {.n_types = 1, .n_expressions = 7, .warnings = warnings, .n_warnings = 3};
    struct conditions_input in = {.policy = &policy, .result = &r};
    expect(&in, "TypeChecked", "True", "AllTypesChecked", "every type that the rules match was checked");
    expect(&in, "ExpressionsValid", "False", "WarningsFound",
           "3 of 7 expressions: spec.validations[0].expression (apps/v1 Deployment): undefined field "
           "'replicas' (did you mean 'spec.replicas'?); spec.validations[1].expression (v1 Pod): a b [0m; "
           "spec.validations[2].expression: "
           "too big");
    r.n_warnings = 1;
    r.left_out = 3;
    expect(
        &in, "ExpressionsValid", "False", "WarningsFound",
        "1 of 7 expressions: spec.validations[0].expression (apps/v1 Deployment): undefined field "
        "'replicas' (did you mean 'spec.replicas'?); a part of expressionWarnings was left out for lack of "
        "room");
    in.text_cap_bytes = warnings[0].len;
    r.left_out = 0;
    expect(&in, "ExpressionsValid", "False", "WarningsFound",
           "1 of 7 expressions: spec.validations[0].expression (apps/v1 Deployment): undefined field "
           "'replicas' (did you mean 'spec.replicas'?)");
    in.text_cap_bytes--;
    expect(
        &in, "ExpressionsValid", "False", "WarningsFound",
        "1 of 7 expressions: spec.validations[0].expression (apps/v1 Deployment): undefined field "
        "'replicas' (did you mean 'spec.replicas'?); expressionWarnings are cut: the API server refuses the "
        "whole text as too large");
}

/* The reason says that the warnings are about expressions that never fail. */
static void test_warnings_alone(void **state)
{
    (void)state;
    struct check_issue issues[] = {
        {.message = "undefined field 'a'", .is_claim = true},
        {.message = "found no matching overload", .is_unequal = true},
        {.message = "undefined field 'b'"},
    };
    struct check_warning warnings[] = {WARNING(0, "undefined field 'a'", "", &deployment),
                                       WARNING(1, "undefined field 'b'", "", &deployment)};
    struct check_result r = {.n_types = 1, .n_expressions = 2, .warnings = warnings, .n_warnings = 1};
    struct conditions_input in = {.policy = &policy, .result = &r};
    static const char message[] =
        "1 of 2 expressions: spec.validations[0].expression (apps/v1 Deployment): undefined field 'a'";
    warnings[0].issues = issues;
    warnings[0].n_issues = 2;
    expect(&in, "ExpressionsValid", "False", "OnlyWarnings", message);
    warnings[0].has_more_issues = true;
    expect(&in, "ExpressionsValid", "False", "WarningsFound", message);
    warnings[0].has_more_issues = false;
    warnings[0].n_issues = 3;
    expect(&in, "ExpressionsValid", "False", "WarningsFound", message);
    warnings[0].n_issues = 2;
    warnings[1].issues = &issues[2];
    warnings[1].n_issues = 1;
    r.n_warnings = 2;
    expect(&in, "ExpressionsValid", "False", "WarningsFound",
           "2 of 2 expressions: spec.validations[0].expression (apps/v1 Deployment): undefined field 'a'; "
           "spec.validations[1].expression (apps/v1 Deployment): undefined field 'b'");
}

static void test_what_is_ignored_is_said(void **state)
{
    (void)state;
    struct types_problem problem = {.reason = TYPES_SCHEMA_NOT_FOUND, .message = "x"};
    struct check_result r = {.n_types = 1, .n_expressions = 1, .has_ignored = true};
    struct conditions_input in = {.policy = &policy, .result = &r};
    expect(&in, "ExpressionsValid", "True", "NoWarnings",
           "no warnings besides those that vapcheck/ignore names");
    r.problems = &problem;
    r.n_problems = 1;
    expect(&in, "ExpressionsValid", "Unknown", "PartlyChecked",
           "no warnings besides those that vapcheck/ignore names, but not everything was checked: x");
}

/* Each write of a status makes every API server compile the policy again. */
static void test_messages_do_not_follow_the_number_of_types(void **state)
{
    (void)state;
    struct types_problem problem = {.reason = TYPES_SCHEMA_NOT_FOUND, .message = "x"};
    struct check_warning warning = WARNING(0, "undefined field 'a'", "", &deployment);
    for (size_t n_problems = 0; n_problems < 2; n_problems++) {
        for (size_t n_warnings = 0; n_warnings < 2; n_warnings++) {
            struct check_result few = {.n_types = 2,
                                       .n_expressions = 4,
                                       .warnings = &warning,
                                       .n_warnings = n_warnings,
                                       .problems = &problem,
                                       .n_problems = n_problems};
            struct check_result more = few;
            struct conditions a, b;
            more.n_types = 3;
            conditions_init(&a, &(struct conditions_input){.policy = &policy, .result = &few});
            conditions_init(&b, &(struct conditions_input){.policy = &policy, .result = &more});
            assert_int_equal(a.count, b.count);
            for (size_t i = 0; i < a.count; i++)
                assert_string_equal(a.items[i].message, b.items[i].message);
            conditions_deinit(&a);
            conditions_deinit(&b);
        }
    }
}

static void test_the_first_reason_wins_and_names_three(void **state)
{
    (void)state;
    const struct types_problem problems[] = {
        {.reason = TYPES_TOO_MANY, .message = "many"},
        {.reason = TYPES_NEVER_EVALUATED, .message = "one"},
        {.reason = TYPES_SCHEMA_NOT_FOUND, .message = "bare"},
        {.reason = TYPES_NEVER_EVALUATED, .message = "two"},
        {.reason = TYPES_NEVER_EVALUATED, .message = "three"},
        {.reason = TYPES_NEVER_EVALUATED, .message = "four"},
        {.reason = TYPES_CLUSTER_UNAVAILABLE, .message = "late"},
    };
    struct check_result r = {.n_types = 1, .n_expressions = 1, .problems = problems, .n_problems = 6};
    struct conditions_input in = {.policy = &policy, .result = &r};
    expect(&in, "TypeChecked", "False", "NeverEvaluated",
           "one; two; three; and more; SchemaNotFound, TooManyTypes apply, too");
    expect(&in, "ExpressionsValid", "Unknown", "PartlyChecked",
           "no warnings, but not everything was checked: one; two; three; and more; SchemaNotFound, "
           "TooManyTypes apply, too");
    assert_false(conditions_is_waiting(&r));
    r.n_problems = 5;
    expect(&in, "TypeChecked", "False", "NeverEvaluated",
           "one; two; three; SchemaNotFound, TooManyTypes apply, too");
    r.n_problems = 7;
    expect(&in, "TypeChecked", "Unknown", "ClusterUnavailable",
           "late; NeverEvaluated, SchemaNotFound, TooManyTypes apply, too");
    assert_true(conditions_is_waiting(&r));
    r.problems = &problems[6];
    r.n_problems = 1;
    expect(&in, "TypeChecked", "Unknown", "ClusterUnavailable", "late");
}

/* What was not looked at to its end is never called clean, whatever else there is. */
static void test_a_limit_is_not_clean(void **state)
{
    (void)state;
    const struct types_problem problems[] = {
        {.reason = TYPES_RESOURCE_NOT_FOUND, .message = "lost"},
        {.reason = TYPES_LIMIT_REACHED, .message = "a"},
        {.reason = TYPES_LIMIT_REACHED, .message = "b"},
    };
    struct check_warning warning = WARNING(0, "undefined field 'x'", "", &deployment);
    struct check_result r = {.n_types = 1, .n_expressions = 1, .problems = problems, .n_problems = 3};
    struct conditions_input in = {.policy = &policy, .result = &r};
    expect(&in, "TypeChecked", "False", "LimitReached", "a; b; ResourceNotFound applies, too");
    expect(&in, "ExpressionsValid", "Unknown", "PartlyChecked",
           "no warnings, but not everything was checked: a; b; ResourceNotFound applies, too");
    r.more_limits = 7;
    expect(&in, "TypeChecked", "False", "LimitReached", "a; b; and more; ResourceNotFound applies, too");
    r.warnings = &warning;
    r.n_warnings = 1;
    expect(&in, "TypeChecked", "False", "LimitReached", "a; b; and more; ResourceNotFound applies, too");
    expect(&in, "ExpressionsValid", "False", "WarningsFound",
           "1 of 1 expression: spec.validations[0].expression (apps/v1 Deployment): undefined field 'x'");
}

static void test_every_reason_has_its_name(void **state)
{
    (void)state;
    static const char *const names[] = {"ClusterUnavailable", "LimitReached",   "ResourceNotFound",
                                        "NeverEvaluated",     "SchemaNotFound", "TooManyTypes",
                                        "OutOfScope"};
    assert_int_equal(sizeof names / sizeof names[0], TYPES_N_REASONS);
    for (int i = 0; i < TYPES_N_REASONS; i++) {
        struct types_problem problem = {.reason = (enum types_reason)i, .message = "x"};
        struct check_result r = {.problems = &problem, .n_problems = 1};
        struct conditions_input in = {.policy = &policy, .result = &r};
        expect(&in, "TypeChecked", i == TYPES_CLUSTER_UNAVAILABLE ? "Unknown" : "False", names[i], "x");
        expect(&in, "ExpressionsValid", "Unknown", "PartlyChecked",
               "no warnings, but not everything was checked: x");
    }
}

/* However many and however long: within the limit, whole characters, and it is said that there are more. */
static void test_messages_are_bounded(void **state)
{
    (void)state;
    static const char umlauts[] = "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4";
    struct types_problem problems[50];
    struct check_result r = {.n_types = 1, .n_expressions = 1, .problems = problems};
    struct conditions_input in = {.policy = &policy, .result = &r, .newer_minor = 38, .table_minor = 36};
    for (size_t i = 0; i < sizeof message_of_problem - 1; i++)
        message_of_problem[i] = umlauts[i % 2];
    for (size_t i = 0; i < 50; i++)
        problems[i] = (struct types_problem){.reason = TYPES_TOO_MANY, .message = message_of_problem};
    for (size_t length = 1; length < sizeof message_of_problem; length += 97) {
        char saved = message_of_problem[length];
        message_of_problem[length] = '\0';
        for (r.n_problems = 1; r.n_problems <= 50; r.n_problems += 7) {
            struct conditions c;
            conditions_init(&c, &in);
            for (size_t i = 0; i < c.count; i++) {
                const char *message = c.items[i].message;
                assert_in_range(strlen(message), 1, CONDITIONS_MESSAGE_BYTES);
                assert_int_equal(strstr(message, "; and more") != NULL, r.n_problems > 1);
            }
            assert_non_null(strstr(c.items[0].message, ", with the CEL functions of Kubernetes 1.36 (the "
                                                       "server is 1.38)"));
            conditions_deinit(&c);
        }
        message_of_problem[length] = saved;
    }
}

static void test_many_warnings_are_counted(void **state)
{
    (void)state;
    struct check_warning warnings[64];
    struct check_result r = {.n_types = 1, .n_expressions = 64, .warnings = warnings, .n_warnings = 64};
    struct conditions_input in = {.policy = &policy, .result = &r};
    struct conditions c;
    size_t named = 0;
    char tail[64];
    for (size_t i = 0; i < 64; i++)
        warnings[i] = (struct check_warning)WARNING(i, "undefined field 'x'", "", &deployment);
    conditions_init(&c, &in);
    const char *message = conditions_find(&c, "ExpressionsValid")->message;
    for (const char *m = message; (m = strstr(m, "undefined")) != NULL; m++)
        named++;
    snprintf(tail, sizeof tail, "; and %zu more", 64 - named);
    assert_in_range(named, 5, 63);
    assert_string_equal(message + strlen(message) - strlen(tail), tail);
    conditions_deinit(&c);
}

static void test_params_and_bindings(void **state)
{
    (void)state;
    struct check_result r = {.param_kind = CHECK_PARAM_KIND_FOUND};
    struct conditions_input in = {.policy = &policy, .result = &r, .binding = CONDITIONS_BINDING_NONE};
    expect(&in, "ParamKindFound", "True", "Found", "the cluster serves kind ConfigMap of v1");
    expect(&in, "Bound", "False", "NoBinding",
           "no ValidatingAdmissionPolicyBinding names this policy: it is not enforced");
    r.param_kind = CHECK_PARAM_KIND_NOT_FOUND;
    in.binding = CONDITIONS_BINDING_FOUND;
    expect(&in, "ParamKindFound", "False", "NotFound", "the cluster serves no kind ConfigMap of v1");
    r.param_kind_near = "ConfigMaps";
    expect(&in, "ParamKindFound", "False", "NotFound",
           "the cluster serves no kind ConfigMap of v1 (did you mean ConfigMaps?)");
    r.param_kind_near = NULL;
    expect(&in, "Bound", "True", "BindingFound", "a ValidatingAdmissionPolicyBinding names this policy");
    assert_false(conditions_is_waiting(&r));
    r.param_kind = CHECK_PARAM_KIND_UNKNOWN;
    expect(&in, "ParamKindFound", "Unknown", "ClusterUnavailable",
           "could not be read yet: kind ConfigMap of v1");
    assert_true(conditions_is_waiting(&r));
}

int main(void)
{
    static char fields[64][48];
    for (size_t i = 0; i < 64; i++) {
        snprintf(fields[i], sizeof fields[i], "spec.validations[%zu].expression", i);
        expressions[i].field_ref = str_of(fields[i]);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_well),
        cmocka_unit_test(test_warnings_name_field_type_and_issue),
        cmocka_unit_test(test_warnings_alone),
        cmocka_unit_test(test_what_is_ignored_is_said),
        cmocka_unit_test(test_messages_do_not_follow_the_number_of_types),
        cmocka_unit_test(test_the_first_reason_wins_and_names_three),
        cmocka_unit_test(test_a_limit_is_not_clean),
        cmocka_unit_test(test_every_reason_has_its_name),
        cmocka_unit_test(test_messages_are_bounded),
        cmocka_unit_test(test_many_warnings_are_counted),
        cmocka_unit_test(test_params_and_bindings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
