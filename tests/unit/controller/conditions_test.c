#include "controller/conditions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/jsonval.h"

static char message_of_problem[CONDITIONS_MESSAGE_BYTES * 2];

static const struct types_target deployment = {.group = "apps", .version = "v1", .kind = "Deployment"};
static const struct types_target pod = {.group = "", .version = "v1", .kind = "Pod"};

static struct policy_expression expressions[64];
static struct policy policy = {.name = "p",
                               .expressions = expressions,
                               .n_expressions = 64,
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
    expect(&in, "TypeChecked", "True", "AllTypesChecked", "4 expressions checked against 2 types");
    expect(&in, "ExpressionsValid", "True", "NoWarnings",
           "no warnings: 4 expressions checked against 2 types");
    conditions_init(&c, &in);
    assert_int_equal(c.count, 2);
    assert_null(conditions_find(&c, "Bound"));
    conditions_deinit(&c);
    assert_false(conditions_is_waiting(&r));
}

static void test_warnings_name_field_type_and_issue(void **state)
{
    (void)state;
    struct check_warning warnings[] = {
        {0, "...", 3, "undefined field 'replicas'", "did you mean 'spec.replicas'?", &deployment},
        {1, "...", 3, "a\tb\033[0m", "", &pod},
        {2, "...", 3, "too big", "", NULL},
    };
    struct check_result r = {.n_types = 1, .n_expressions = 7, .warnings = warnings, .n_warnings = 3};
    struct conditions_input in = {.policy = &policy, .result = &r};
    expect(&in, "TypeChecked", "True", "AllTypesChecked", "7 expressions checked against 1 type");
    expect(&in, "ExpressionsValid", "False", "WarningsFound",
           "3 of 7 expressions: spec.validations[0].expression (apps/v1 Deployment): undefined field "
           "'replicas' (did you mean 'spec.replicas'?); spec.validations[1].expression (v1 Pod): a b [0m; "
           "spec.validations[2].expression: "
           "too big");
    r.n_warnings = 1;
    r.left_out = 3;
    expect(&in, "ExpressionsValid", "False", "WarningsFound",
           "1 of 7 expressions: spec.validations[0].expression (apps/v1 Deployment): undefined field "
           "'replicas' (did you mean 'spec.replicas'?); 3 blocks of expressionWarnings left out for lack of "
           "room");
}

static void test_the_first_reason_wins_and_its_problems_come_first(void **state)
{
    (void)state;
    char texts[][8] = {"late", "early", "later"};
    struct types_problem problems[] = {
        {TYPES_TOO_MANY, texts[0]}, {TYPES_NEVER_EVALUATED, texts[1]}, {TYPES_CLUSTER_UNAVAILABLE, texts[2]}};
    struct check_result r = {.n_types = 1, .n_expressions = 1, .problems = problems, .n_problems = 3};
    struct conditions_input in = {.policy = &policy, .result = &r};
    expect(&in, "TypeChecked", "False", "NeverEvaluated",
           "3 problems: early; late; later; 1 expression checked against 1 type");
    expect(&in, "ExpressionsValid", "Unknown", "PartlyChecked",
           "no warnings, but not everything was checked: 1 expression checked against 1 type; 3 problems: "
           "early; late; later");
    assert_true(conditions_is_waiting(&r));
    r.problems = &problems[2];
    r.n_problems = 1;
    expect(&in, "TypeChecked", "Unknown", "ClusterUnavailable", "later; 1 expression checked against 1 type");
}

static void test_every_reason_has_its_name(void **state)
{
    (void)state;
    static const char *const names[] = {"ResourceNotFound", "NeverEvaluated", "SchemaNotFound",
                                        "TooManyTypes",     "OutOfScope",     "ClusterUnavailable"};
    char text[] = "x";
    for (int i = TYPES_RESOURCE_NOT_FOUND; i <= TYPES_CLUSTER_UNAVAILABLE; i++) {
        struct types_problem problem = {(enum types_reason)i, text};
        struct check_result r = {.problems = &problem, .n_problems = 1};
        struct conditions_input in = {.policy = &policy, .result = &r};
        expect(&in, "TypeChecked", i == TYPES_CLUSTER_UNAVAILABLE ? "Unknown" : "False", names[i],
               "x; 0 expressions checked against 0 types");
    }
}

/* However many and however long: within the limit, whole characters, the rest counted. */
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
        problems[i] = (struct types_problem){TYPES_TOO_MANY, message_of_problem};
    for (size_t length = 1; length < sizeof message_of_problem; length += 97) {
        char saved = message_of_problem[length];
        message_of_problem[length] = '\0';
        for (r.n_problems = 1; r.n_problems <= 50; r.n_problems += 7) {
            struct conditions c;
            conditions_init(&c, &in);
            for (size_t i = 0; i < c.count; i++) {
                const char *message = c.items[i].message;
                assert_in_range(strlen(message), 1, CONDITIONS_MESSAGE_BYTES);
                assert_non_null(strstr(message, "1 expression checked against 1 type with the CEL functions "
                                                "of Kubernetes 1.36 (the server is 1.38)"));
                if (r.n_problems * length > CONDITIONS_MESSAGE_BYTES && r.n_problems > 1)
                    assert_non_null(strstr(message, " more"));
            }
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
        warnings[i] = (struct check_warning){i, "...", 3, "undefined field 'x'", "", &deployment};
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
    expect(&in, "Bound", "True", "BindingFound", "a ValidatingAdmissionPolicyBinding names this policy");
    assert_false(conditions_is_waiting(&r));
    r.param_kind = CHECK_PARAM_KIND_UNKNOWN;
    expect(&in, "ParamKindFound", "Unknown", "ClusterUnavailable",
           "could not be read yet: kind ConfigMap of v1");
    assert_true(conditions_is_waiting(&r));
}

static void expect_rules(const struct crdrules *found, const char *checked, const char *valid,
                         const char *message)
{
    struct conditions c;
    conditions_of_rules(&c, found);
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
    expect_rules(&(struct crdrules){0}, "AllRulesChecked", "True", "no warnings: 0 rules checked");
    expect_rules(&found, "AllRulesChecked", "True", "no warnings: 3 rules checked");
    found.n_unchecked = 1;
    expect_rules(&found, "LimitReached", "Unknown",
                 "no warnings, but not everything was checked: 1 of 3 rules take too much to check");
    fielderrors_add(&found.refusals, fielderrors_required("rule is not specified"), "spec.a");
    fielderrors_add(&found.refusals, fielderrors_forbidden("too\ndear"), "spec.b");
    expect_rules(
        &found, "LimitReached", "False",
        "2 findings in 3 rules: spec.a: Required value: rule is not specified; spec.b: Forbidden: too");
    crdrules_deinit(&found);
}

int main(void)
{
    static char fields[64][48];
    for (size_t i = 0; i < 64; i++) {
        snprintf(fields[i], sizeof fields[i], "spec.validations[%zu].expression", i);
        expressions[i].field_ref = fields[i];
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_well),
        cmocka_unit_test(test_warnings_name_field_type_and_issue),
        cmocka_unit_test(test_the_first_reason_wins_and_its_problems_come_first),
        cmocka_unit_test(test_every_reason_has_its_name),
        cmocka_unit_test(test_messages_are_bounded),
        cmocka_unit_test(test_many_warnings_are_counted),
        cmocka_unit_test(test_params_and_bindings),
        cmocka_unit_test(test_rules_of_definitions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
