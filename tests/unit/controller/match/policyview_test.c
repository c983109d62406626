#include "controller/match/policyview.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/text/jsonval.h"

static struct policyview *read_policy(const char *text)
{
    cleanup_json struct json_object *json = NULL;
    struct err err = {0};
    struct policyview *p = NULL;
    assert_int_equal(jsonval_parse(text, strlen(text), &json, &err), 0);
    if (policyview_new(json, &p, &err) != 0)
        fail_msg("%s", err.msg);
    return p;
}

static void test_expressions_stand_in_the_order_of_warnings(void **state)
{
    (void)state;
    static const struct {
        enum policy_place place;
        const char *name, *field_ref, *text;
    } expected[] = {
        {POLICY_VALIDATION, "", "spec.validations[0].expression", "a"},
        {POLICY_MESSAGE, "", "spec.validations[0].messageExpression", "b"},
        {POLICY_VALIDATION, "", "spec.validations[1].expression", "c"},
        {POLICY_VALIDATION, "", "spec.validations[2].expression", "c"},
        {POLICY_MESSAGE, "", "spec.validations[2].messageExpression", ""}, /* a NUL */
        {POLICY_MATCH_CONDITION, "m", "spec.matchConditions[0].expression", "d"},
        {POLICY_VARIABLE, "v", "spec.variables[0].expression", "e"},
        {POLICY_AUDIT_ANNOTATION, "k", "spec.auditAnnotations[0].valueExpression", "f"},
    };
    struct policyview *p = read_policy("{\"metadata\":{\"name\":\"p\"},\"spec\":{"
                                       "\"auditAnnotations\":[{\"key\":\"k\",\"valueExpression\":\"f\"}],"
                                       "\"variables\":[{\"name\":\"v\",\"expression\":\"e\"}],"
                                       "\"matchConditions\":[{\"name\":\"m\",\"expression\":\"d\"}],"
                                       "\"validations\":[{\"expression\":\"a\",\"messageExpression\":\"b\"},"
                                       "{\"expression\":\"c\",\"messageExpression\":\"\"},"
                                       "{\"expression\":\"c\",\"messageExpression\":\"\\u0000\","
                                       "\"message\":\"n\",\"reason\":\"r\"}]}}");
    assert_int_equal(p->policy.count, sizeof expected / sizeof expected[0]);
    for (size_t i = 0; i < p->policy.count; i++) {
        assert_int_equal(p->policy.expressions[i].place, expected[i].place);
        assert_string_equal(p->policy.expressions[i].name.at, expected[i].name);
        assert_string_equal(p->policy.expressions[i].field_ref.at, expected[i].field_ref);
        assert_string_equal(p->policy.expressions[i].text.at, expected[i].text);
        assert_int_equal(p->policy.expressions[i].text.len, 1);
        assert_string_equal(p->policy.expressions[i].message.at, i == 3 ? "n" : "");
        assert_string_equal(p->policy.expressions[i].reason.at, i == 3 ? "r" : "");
    }
    policyview_free(p);
}

static void test_mutations_stand_where_validations_would(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "spec.mutations[0].jsonPatch.expression", "spec.mutations[1].applyConfiguration.expression",
        "spec.matchConditions[0].expression", "spec.variables[0].expression"};
    struct policyview *p = read_policy(
        "{\"kind\":\"MutatingAdmissionPolicy\",\"spec\":{\"mutations\":["
        "{\"patchType\":\"JSONPatch\",\"jsonPatch\":{\"expression\":\"a\"},\"applyConfiguration\":{}},"
        "{\"patchType\":\"ApplyConfiguration\",\"applyConfiguration\":{\"expression\":\"b\"}},"
        "{\"patchType\":\"JSONPatch\"}],\"validations\":[{\"expression\":\"x\"}],"
        "\"auditAnnotations\":[{\"valueExpression\":\"x\"}],"
        "\"variables\":[{\"name\":\"v\",\"expression\":\"d\"}],\"matchConditions\":[{\"expression\":\"c\"}]}"
        "}");
    assert_int_equal(p->kind, POLICYVIEW_MUTATING);
    assert_int_equal(p->policy.count, sizeof expected / sizeof expected[0]);
    for (size_t i = 0; i < p->policy.count; i++)
        assert_string_equal(p->policy.expressions[i].field_ref.at, expected[i]);
    assert_int_equal(p->policy.expressions[0].place, POLICY_JSON_PATCH);
    assert_int_equal(p->policy.expressions[1].place, POLICY_APPLY_CONFIGURATION);
    policyview_free(p);
}

static void test_a_webhook_is_a_policy_of_its_own(void **state)
{
    (void)state;
    struct policyview *p =
        read_policy("{\"kind\":\"MutatingWebhookConfiguration\",\"metadata\":{\"name\":\"w\"},\"webhooks\":["
                    "{\"name\":\"a\",\"rules\":[{}]},"
                    "{\"name\":\"b\",\"matchPolicy\":\"Exact\",\"rules\":[{\"resources\":[\"pods\"]}],"
                    "\"matchConditions\":[{\"expression\":\"x\"},"
                    "{\"expression\":\"y\"}]},5]}");
    assert_int_equal(p->kind, POLICYVIEW_WEBHOOKS);
    assert_string_equal(p->name, "w");
    assert_int_equal(p->n_webhooks, 3);
    assert_int_equal(p->match.n_rules, 0);
    assert_int_equal(p->webhooks[0]->match.n_rules, 0); /* it has nothing to check */
    assert_string_equal(p->webhooks[1]->name, "b");
    assert_string_equal(p->webhooks[1]->match.rules[0].resources[0], "pods");
    assert_true(p->webhooks[1]->match.is_exact);
    assert_int_equal(p->policy.count, 2);
    assert_string_equal(p->policy.expressions[1].field_ref.at, "webhooks[1].matchConditions[1].expression");
    assert_string_equal(p->policy.expressions[1].text.at, "y");
    policyview_free(p);
}

static void test_rules_metadata_and_params(void **state)
{
    (void)state;
    struct policyview *p = read_policy(
        "{\"metadata\":{\"name\":\"p\",\"uid\":\"u\",\"resourceVersion\":\"7\",\"generation\":3},"
        "\"spec\":{\"paramKind\":{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\"},"
        "\"matchConstraints\":{\"resourceRules\":[{\"apiGroups\":[\"\",\"apps\"],\"apiVersions\":[\"v1\"],"
        "\"resources\":[\"pods\",5],\"operations\":[\"CREATE\"],\"scope\":\"Namespaced\"},{},"
        "{\"apiGroups\":[null],\"resources\":[5,null,\"pods\"]}]}}}");
    assert_string_equal(p->name, "p");
    assert_string_equal(p->uid, "u");
    assert_string_equal(p->resource_version, "7");
    assert_int_equal(p->generation, 3);
    assert_int_equal(p->match.n_rules, 3);
    assert_int_equal(p->match.rules[0].n_groups, 2);
    assert_string_equal(p->match.rules[0].groups[1], "apps");
    assert_string_equal(p->match.rules[0].versions[0], "v1");
    assert_int_equal(p->match.rules[0].n_resources, 1);
    assert_string_equal(p->match.rules[0].operations[0], "CREATE");
    assert_string_equal(p->match.rules[0].scope, "Namespaced");
    assert_int_equal(p->match.rules[1].n_groups, 0);
    assert_string_equal(p->match.rules[1].scope, "");
    assert_int_equal(p->match.rules[2].n_groups, 1);
    assert_string_equal(p->match.rules[2].groups[0], ""); /* "- " and no more */
    assert_int_equal(p->match.rules[2].n_resources, 2);
    assert_string_equal(p->match.rules[2].resources[0], "");
    assert_string_equal(p->match.rules[2].resources[1], "pods");
    assert_true(p->policy.has_params);
    assert_string_equal(p->param_api_version, "v1");
    assert_string_equal(p->param_kind, "ConfigMap");
    policyview_free(p);
}

static void test_what_is_excluded(void **state)
{
    (void)state;
    struct policyview *p =
        read_policy("{\"spec\":{\"matchConstraints\":{\"matchPolicy\":\"Exact\",\"excludeResourceRules\":["
                    "{\"apiGroups\":[\"a\"],\"resourceNames\":[\"x\"]},"
                    "{\"apiGroups\":[\"b\"],\"resourceNames\":[],\"operations\":[\"*\"]}]}}}");
    assert_int_equal(p->match.n_rules, 0);
    assert_int_equal(p->match.n_excluded, 2);
    assert_int_equal(p->match.excluded[0].n_names, 1);
    assert_string_equal(p->match.excluded[0].names[0], "x");
    assert_int_equal(p->match.excluded[1].n_names, 0);
    assert_string_equal(p->match.excluded[1].groups[0], "b");
    assert_string_equal(p->match.excluded[1].operations[0], "*");
    assert_true(p->match.is_exact);
    policyview_free(p);
    p = read_policy("{\"spec\":{\"matchConstraints\":{\"matchPolicy\":\"Equivalent\"}}}");
    assert_int_equal(p->match.n_excluded, 0);
    assert_false(p->match.is_exact);
    policyview_free(p);
}

static void test_wrong_types_read_as_absent(void **state)
{
    (void)state;
    struct policyview *p = read_policy("{\"metadata\":{\"name\":\"p\"},\"spec\":{"
                                       "\"paramKind\":null,\"variables\":7,\"matchConstraints\":[],"
                                       "\"validations\":[null,{\"expression\":5}]}}");
    assert_int_equal(p->match.n_rules, 0);
    assert_false(p->policy.has_params);
    assert_int_equal(p->policy.count, 2);
    assert_string_equal(p->policy.expressions[1].text.at, "");
    policyview_free(p);
}

static void test_a_text_may_hold_nul(void **state)
{
    (void)state;
    struct policyview *p = read_policy(
        "{\"metadata\":{\"name\":\"p\"},\"spec\":{\"validations\":[{\"expression\":\"a\\u0000b\"}]}}");
    assert_int_equal(p->policy.expressions[0].text.len, 3);
    assert_memory_equal(p->policy.expressions[0].text.at, "a\0b", 3);
    policyview_free(p);
}

static void test_what_is_no_policy(void **state)
{
    (void)state;
    struct err err = {0};
    struct policyview *p = NULL;
    assert_int_equal(policyview_new(NULL, &p, &err), -1);
    assert_int_equal(err.code, ERR_INVALID);
    assert_null(p);
    policyview_free(p);
}

static void test_an_unknown_kind_is_no_policy(void **state)
{
    (void)state;
    static const char *const kinds[] = {"ClusterAdmissionPolicy", "CustomResourceDefinition",
                                        "ValidatingAdmissionPolicyBinding"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        cleanup_json struct json_object *json = json_object_new_object();
        struct err err = {0};
        struct policyview *p = NULL;
        jsonval_set(json, "kind", json_object_new_string(kinds[i]));
        assert_int_equal(policyview_new(json, &p, &err), -1);
        assert_int_equal(err.code, ERR_INVALID);
        assert_non_null(strstr(err.msg, kinds[i]));
        assert_null(p);
    }
}

static void test_a_file_may_lack_everything(void **state)
{
    (void)state;
    struct policyview *p = read_policy("{}");
    assert_string_equal(p->name, "");
    assert_int_equal(p->policy.count, 0);
    policyview_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expressions_stand_in_the_order_of_warnings),
        cmocka_unit_test(test_mutations_stand_where_validations_would),
        cmocka_unit_test(test_a_webhook_is_a_policy_of_its_own),
        cmocka_unit_test(test_rules_metadata_and_params),
        cmocka_unit_test(test_what_is_excluded),
        cmocka_unit_test(test_wrong_types_read_as_absent),
        cmocka_unit_test(test_a_text_may_hold_nul),
        cmocka_unit_test(test_what_is_no_policy),
        cmocka_unit_test(test_an_unknown_kind_is_no_policy),
        cmocka_unit_test(test_a_file_may_lack_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
