#include "controller/policy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/jsonval.h"

static struct policy *read_policy(const char *text)
{
    cleanup_json struct json_object *json = NULL;
    struct err err = {0};
    struct policy *p = NULL;
    assert_int_equal(jsonval_parse(text, strlen(text), &json, &err), 0);
    if (policy_new(json, &p, &err) != 0)
        fail_msg("%s", err.msg);
    return p;
}

static void test_expressions_stand_in_the_order_of_warnings(void **state)
{
    (void)state;
    static const struct {
        enum typecheck_place place;
        const char *name, *field_ref, *text;
    } expected[] = {
        {TYPECHECK_VALIDATION, "", "spec.validations[0].expression", "a"},
        {TYPECHECK_MESSAGE, "", "spec.validations[0].messageExpression", "b"},
        {TYPECHECK_VALIDATION, "", "spec.validations[1].expression", "c"},
        {TYPECHECK_MATCH_CONDITION, "", "spec.matchConditions[0].expression", "d"},
        {TYPECHECK_VARIABLE, "v", "spec.variables[0].expression", "e"},
        {TYPECHECK_AUDIT_ANNOTATION, "", "spec.auditAnnotations[0].valueExpression", "f"},
    };
    struct policy *p = read_policy("{\"metadata\":{\"name\":\"p\"},\"spec\":{"
                                   "\"auditAnnotations\":[{\"key\":\"k\",\"valueExpression\":\"f\"}],"
                                   "\"variables\":[{\"name\":\"v\",\"expression\":\"e\"}],"
                                   "\"matchConditions\":[{\"name\":\"m\",\"expression\":\"d\"}],"
                                   "\"validations\":[{\"expression\":\"a\",\"messageExpression\":\"b\"},"
                                   "{\"expression\":\"c\",\"messageExpression\":\"\"}]}}");
    assert_int_equal(p->n_expressions, sizeof expected / sizeof expected[0]);
    for (size_t i = 0; i < p->n_expressions; i++) {
        assert_int_equal(p->expressions[i].place, expected[i].place);
        assert_string_equal(p->expressions[i].name, expected[i].name);
        assert_string_equal(p->expressions[i].field_ref, expected[i].field_ref);
        assert_string_equal(p->expressions[i].text, expected[i].text);
        assert_int_equal(p->expressions[i].len, 1);
    }
    policy_free(p);
}

static void test_rules_metadata_and_params(void **state)
{
    (void)state;
    struct policy *p = read_policy(
        "{\"metadata\":{\"name\":\"p\",\"uid\":\"u\",\"resourceVersion\":\"7\",\"generation\":3,"
        "\"annotations\":{\"vapcheck/skip\":\"true\"}},"
        "\"spec\":{\"paramKind\":{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\"},"
        "\"matchConstraints\":{\"resourceRules\":[{\"apiGroups\":[\"\",\"apps\"],\"apiVersions\":[\"v1\"],"
        "\"resources\":[\"pods\",5],\"operations\":[\"CREATE\"],\"scope\":\"Namespaced\"},{}]}}}");
    assert_string_equal(p->name, "p");
    assert_string_equal(p->uid, "u");
    assert_string_equal(p->resource_version, "7");
    assert_int_equal(p->generation, 3);
    assert_int_equal(p->n_rules, 2);
    assert_int_equal(p->rules[0].n_groups, 2);
    assert_string_equal(p->rules[0].groups[1], "apps");
    assert_string_equal(p->rules[0].versions[0], "v1");
    assert_int_equal(p->rules[0].n_resources, 1);
    assert_string_equal(p->rules[0].operations[0], "CREATE");
    assert_string_equal(p->rules[0].scope, "Namespaced");
    assert_int_equal(p->rules[1].n_groups, 0);
    assert_string_equal(p->rules[1].scope, "");
    assert_true(p->has_param_kind);
    assert_string_equal(p->param_api_version, "v1");
    assert_string_equal(p->param_kind, "ConfigMap");
    assert_string_equal(policy_annotation(p, "vapcheck/skip"), "true");
    assert_null(policy_annotation(p, "other"));
    policy_free(p);
}

static void test_wrong_types_read_as_absent(void **state)
{
    (void)state;
    struct policy *p = read_policy("{\"metadata\":{\"name\":\"p\",\"annotations\":[]},\"spec\":{"
                                   "\"paramKind\":null,\"variables\":7,\"matchConstraints\":[],"
                                   "\"validations\":[null,{\"expression\":5}]}}");
    assert_int_equal(p->n_rules, 0);
    assert_false(p->has_param_kind);
    assert_null(policy_annotation(p, "x"));
    assert_int_equal(p->n_expressions, 2);
    assert_string_equal(p->expressions[1].text, "");
    policy_free(p);
}

static void test_a_text_may_hold_nul(void **state)
{
    (void)state;
    struct policy *p = read_policy(
        "{\"metadata\":{\"name\":\"p\"},\"spec\":{\"validations\":[{\"expression\":\"a\\u0000b\"}]}}");
    assert_int_equal(p->expressions[0].len, 3);
    assert_memory_equal(p->expressions[0].text, "a\0b", 3);
    policy_free(p);
}

static void test_what_is_no_policy(void **state)
{
    (void)state;
    struct err err = {0};
    struct policy *p = NULL;
    struct json_object *json = json_object_new_object();
    assert_int_equal(policy_new(NULL, &p, &err), -1);
    assert_int_equal(err.code, ERR_INVALID);
    assert_int_equal(policy_new(json, &p, &err), -1);
    assert_non_null(strstr(err.msg, "metadata.name"));
    assert_null(p);
    policy_free(p);
    json_object_put(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expressions_stand_in_the_order_of_warnings),
        cmocka_unit_test(test_rules_metadata_and_params),
        cmocka_unit_test(test_wrong_types_read_as_absent),
        cmocka_unit_test(test_a_text_may_hold_nul),
        cmocka_unit_test(test_what_is_no_policy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
