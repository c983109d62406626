#include "typecheck/policy/run/policy_run.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/cel/schema/schema_document.h"
#include "typecheck/cel/types/celgo.h"

/* What the server answers is compared in tests/golden/evaluate/policies.jsonl; this is what it never says. */

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* A policy of these expressions. */
#define POLICY(list, ...)                                                                                    \
    {                                                                                                        \
        .expressions = (list), .count = COUNT(list), __VA_ARGS__                                             \
    }
#define VALIDATION(expression)                                                                               \
    {                                                                                                        \
        .place = POLICY_VALIDATION, .text = STR_INIT(expression)                                             \
    }
#define CONDITION(expression)                                                                                \
    {                                                                                                        \
        .place = POLICY_MATCH_CONDITION, .name = STR_INIT("c"), .text = STR_INIT(expression)                 \
    }
#define VARIABLE(called, expression)                                                                         \
    {                                                                                                        \
        .place = POLICY_VARIABLE, .name = STR_INIT(called), .text = STR_INIT(expression)                     \
    }
#define PATCH(expression)                                                                                    \
    {                                                                                                        \
        .place = POLICY_JSON_PATCH, .text = STR_INIT(expression)                                             \
    }

static const struct policy_run_request REQUEST = {
    .object = STR_INIT("{\"metadata\": {\"name\": \"w\"}}"),
    .request = STR_INIT("{\"operation\": \"CREATE\"}"),
    .namespace_object = STR_INIT("{\"metadata\": {\"name\": \"n\"}}"),
};

static void evaluate_request(int minor, const struct policy *policy, const struct policy_run_request *request,
                             struct policy_run_result *out)
{
    struct env *env = env_new(minor, celgo_in(minor));
    assert_non_null(env);
    struct policy_run *run = policy_run_new(env, policy);
    assert_non_null(run);
    policy_run_evaluate(run, request, out);
    policy_run_free(run);
    env_free(env);
}

static void evaluate(int minor, const struct policy *policy, struct policy_run_result *out)
{
    evaluate_request(minor, policy, &REQUEST, out);
}

static void check_missing(int minor, const struct policy *policy, const char *missing, const char *at)
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

/* A kind W that has nothing but metadata. */
static const char METADATA_SCHEMA[] =
    "{\"components\":{\"schemas\":{\"W\":{\"type\":\"object\",\"properties\":{\"metadata\":{\"type\":"
    "\"object\","
    "\"additionalProperties\":true}},\"x-kubernetes-group-version-kind\":[{\"group\":\"\",\"version\":\"v1\","
    "\"kind\":\"W\"}]}}}}";

/* The object becomes one of this kind in v1. The caller frees the schema. */
static struct schema *set_type(struct policy_run_request *request, const char *document, const char *kind)
{
    char message[SCHEMA_MESSAGE_BYTES];
    struct schema *doc = schema_new(document, strlen(document), message, sizeof message, NULL);
    assert_non_null(doc);
    request->object_type = (struct policy_run_type){doc, schema_find(doc, STR(""), STR("v1"), str_of(kind))};
    assert_non_null(request->object_type.root);
    return doc;
}

/* Without its schema it is not known in what Go holds an object; a kind that Kubernetes cannot have is JSON.
 */
static void check_without_schema(const char *api_version, const char *missing)
{
    char json[128];
    const struct policy_expression list[] = {VALIDATION("object.kind == 'K'")};
    const struct policy policy = POLICY(list);
    struct policy_run_result result;
    (void)snprintf(json, sizeof json, "{\"apiVersion\":\"%s\",\"kind\":\"K\"}", api_version);
    const struct policy_run_request request = {.object = str_of(json), .request = STR("{}")};
    evaluate_request(37, &policy, &request, &result);
    assert_true(str_eq(result.missing, str_of(missing)));
    assert_int_equal(result.decision_count, *missing == '\0' ? 1 : 0);
    policy_run_result_deinit(&result);
}

static void test_types_of_objects(void **state)
{
    static const char MISSING[] =
        "vapcheck does not evaluate objects of built-in kinds without their schemas";
    (void)state;
    check_without_schema("v1", MISSING);
    check_without_schema("apps/v1", MISSING);
    check_without_schema("rbac.authorization.k8s.io/v1", MISSING);
    check_without_schema("example.com/v1", "");
}

/* What the server would not have asked about. */
static void test_wrong_types(void **state)
{
    static const char document[] =
        "{\"components\":{\"schemas\":{\"io.k8s.api.core.v1.K\":{\"type\":\"object\",\"properties\":{"
        "\"kind\":"
        "{\"type\":\"string\"},\"list\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}},"
        "\"x-kubernetes-group-version-kind\":[{\"group\":\"\",\"version\":\"v1\",\"kind\":\"K\"}]}}}}";
    struct policy_expression list[] = {VALIDATION("object.list.size() == 1")};
    const struct policy policy = POLICY(list);
    struct policy_run_result result;
    struct policy_run_request request = {.object = STR("{\"kind\":\"K\",\"list\":[\"a\"]}"),
                                         .request = STR("{}")};
    struct schema *doc = set_type(&request, document, "K");
    (void)state;
    evaluate_request(37, &policy, &request, &result);
    assert_int_equal(result.missing.len, 0);
    assert_int_equal(result.decisions[0].outcome, POLICY_RUN_ADMITTED);
    policy_run_result_deinit(&result);
    request.object = STR("{\"kind\":\"K\",\"list\":{\"a\":1}}");
    evaluate_request(37, &policy, &request, &result);
    assert_true(str_eq(result.missing, STR("vapcheck does not evaluate objects that are not as their schema "
                                           "says: object")));
    policy_run_result_deinit(&result);
    request.object = STR("{\"kind\":\"K\",\"list\":[\"a\"]}");
    request.request = STR("{\"userInfo\":[]}");
    evaluate_request(37, &policy, &request, &result); /* which it does not need */
    assert_int_equal(result.missing.len, 0);
    assert_int_equal(result.decisions[0].outcome, POLICY_RUN_ADMITTED);
    policy_run_result_deinit(&result);
    list[0].text = STR("request.userInfo.username == 'a'");
    evaluate_request(37, &policy, &request, &result);
    assert_true(str_eq(result.missing, STR("vapcheck does not evaluate objects that are not as their schema "
                                           "says: request")));
    policy_run_result_deinit(&result);
    schema_free(doc);
}

/* Only match conditions have none, whatever else the policy lacks. */
static void test_namespace(void **state)
{
    static const struct policy_expression all[] = {VALIDATION("namespaceObject.metadata.name == 'n'"),
                                                   CONDITION("namespaceObject == null"),
                                                   VARIABLE("v", "namespaceObject.metadata.name")};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        struct policy_expression list[COUNT(all)] = {all[0]};
        struct policy policy = {.expressions = list, .count = 1};
        for (size_t k = 1; k < COUNT(all); k++) {
            if ((i >> (k - 1) & 1) != 0)
                list[policy.count++] = all[k];
        }
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
    struct policy_expression list[] = {
        VARIABLE("unused", "dyn(variables)"),
        VARIABLE("whole", "dyn(variables).size()"),
        VARIABLE("again", "variables.whole"),
        VALIDATION("variables.again == 1"),
        VALIDATION("true"),
    };
    const struct policy policy = POLICY(list);
    struct policy_run_result result;
    (void)state;
    list[1].field_ref = STR("spec.variables[1].expression");
    check_missing(36, &policy, "vapcheck does not evaluate `variables` as a whole",
                  "spec.variables[1].expression");
    list[3].text = STR("true || variables.unused == 1");
    evaluate(36, &policy, &result);
    assert_int_equal(result.missing.len, 0);
    assert_int_equal(result.decisions[0].outcome, POLICY_RUN_ADMITTED);
    policy_run_result_deinit(&result);
}

/* The last of two variables of one name is the one that both mean. */
static void test_variable_that_needs_itself(void **state)
{
    struct policy_expression list[] = {VARIABLE("a", "1"), VARIABLE("a", "variables.a + 1"),
                                       VALIDATION("variables.a == 2")};
    (void)state;
    list[1].field_ref = STR("spec.variables[1].expression");
    check_missing(36, &(struct policy)POLICY(list), "vapcheck does not evaluate a variable that needs itself",
                  "spec.variables[1].expression");
}

/* A chain of variables ends in a limit before the stack does. */
static void test_deep_variables(void **state)
{
    enum { DEEP = 3000 };
    static struct policy_expression list[DEEP + 1];
    static char names[DEEP][16], expressions[DEEP][32];
    (void)state;
    for (size_t i = 0; i < DEEP; i++) {
        (void)snprintf(names[i], sizeof names[i], "v%zu", i);
        (void)snprintf(expressions[i], sizeof expressions[i], "variables.v%zu", i - 1);
        list[i] = (struct policy_expression){.place = POLICY_VARIABLE,
                                             .name = str_of(names[i]),
                                             .text = i == 0 ? STR("1") : str_of(expressions[i])};
    }
    list[DEEP] = (struct policy_expression)VALIDATION("variables.v2999 == 1");
    check_missing(36, &(struct policy)POLICY(list),
                  "vapcheck does not evaluate a policy that takes so much work", "");
}

/* A DELETE has nothing to mutate; its conditions are asked all the same. */
static void test_mutations_without_an_object(void **state)
{
    const struct policy_expression list[] = {PATCH("[]"), CONDITION("object.metadata.name == 'w'")};
    const struct policy policy = POLICY(list);
    const struct policy_run_request request = {.old_object = REQUEST.object,
                                               .request = STR("{\"operation\": \"DELETE\"}")};
    struct policy_run_result result;
    (void)state;
    evaluate_request(36, &policy, &request, &result);
    assert_int_equal(result.missing.len, 0);
    assert_int_equal(result.decision_count, 1);
    assert_int_equal(result.decisions[0].outcome, POLICY_RUN_FAILED);
    assert_true(result.decisions[0].is_denial);
    policy_run_result_deinit(&result);
}

/* A request that is refused is not asked about again; else a policy that changed something is. */
static void test_mutations_that_fail(void **state)
{
    const struct policy_expression list[] = {
        PATCH("[JSONPatch{op: 'add', path: '/metadata/labels', value: {'a': 'b'}}]"),
        PATCH("[JSONPatch{op: 'remove', path: '/spec'}]")};
    struct policy policy = POLICY(list, .is_reinvoked = true);
    struct policy_run_request request = REQUEST;
    struct policy_run_result result;
    struct schema *doc = set_type(&request, METADATA_SCHEMA, "W");
    (void)state;
    request.expected = STR("{\"metadata\":{\"labels\":{}}}");
    evaluate_request(36, &policy, &request, &result);
    assert_int_equal(result.decision_count, 1);
    assert_int_equal(result.decisions[0].validation, 1);
    assert_true(str_eq(result.expected, STR("{\"metadata\": {\"labels\": {}}}")));
    assert_true(str_eq(result.mutated, STR("{\"metadata\": {\"labels\": {\"a\": \"b\"}, \"name\": \"w\"}}")));
    policy_run_result_deinit(&result);
    policy.ignores_failures = true;
    evaluate_request(36, &policy, &request, &result);
    assert_int_equal(result.decision_count, 2);
    policy_run_result_deinit(&result);
    schema_free(doc);
}

/* The conditions are asked again about the object that was made, even of a policy that is not invoked again.
 */
static void test_conditions_of_the_second_pass(void **state)
{
    const struct policy_expression list[] = {PATCH("[JSONPatch{op: 'remove', path: '/metadata/name'}]"),
                                             CONDITION("object.metadata.name == 'w'")};
    const struct policy policy = POLICY(list);
    struct policy_run_request request = REQUEST;
    struct policy_run_result result;
    struct schema *doc = set_type(&request, METADATA_SCHEMA, "W");
    (void)state;
    evaluate_request(36, &policy, &request, &result);
    assert_int_equal(result.decision_count, 1);
    assert_int_equal(result.decisions[0].validation, POLICY_RUN_NO_VALIDATION);
    assert_true(str_eq(result.decisions[0].message,
                       STR("expression 'object.metadata.name == 'w'' resulted in error: no such key: name")));
    policy_run_result_deinit(&result);
    request.pass = POLICY_RUN_ONE_PASS;
    evaluate_request(36, &policy, &request, &result);
    assert_int_equal(result.decision_count, 0);
    assert_true(result.is_mutated);
    assert_true(str_eq(result.before, STR("{\"metadata\": {\"name\": \"w\"}}")));
    assert_true(str_eq(result.mutated, STR("{\"metadata\": {}}")));
    policy_run_result_deinit(&result);
    request.pass = POLICY_RUN_CONDITIONS_PASS;
    evaluate_request(36, &policy, &request, &result);
    assert_false(result.is_mutated);
    assert_int_equal(result.decision_count, 0);
    policy_run_result_deinit(&result);
    schema_free(doc);
}

/* What a patch puts into a map of strings; which of several wrong values Go's decoder names is not known. */
static void test_patched_objects_that_cannot_be_decoded(void **state)
{
    static const char SCHEMA[] = "{\"components\":{\"schemas\":{\"io.k8s.api.core.v1.W\":{\"type\":"
                                 "\"object\",\"properties\":{\"data\":{"
                                 "\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"}}},\"x-"
                                 "kubernetes-group-version-kind\":"
                                 "[{\"group\":\"\",\"version\":\"v1\",\"kind\":\"W\"}]}}}}";
    struct policy_expression list[] = {PATCH("[JSONPatch{op: 'add', path: '/data/c', value: 1}]")};
    struct policy policy = POLICY(list);
    struct policy_run_request request = REQUEST;
    struct policy_run_result result;
    struct schema *doc = set_type(&request, SCHEMA, "W");
    (void)state;
    request.object = STR("{\"apiVersion\":\"v1\",\"kind\":\"W\",\"data\":{\"a\":\"b\"}}");
    evaluate_request(36, &policy, &request, &result);
    assert_int_equal(result.decision_count, 1);
    assert_true(
        str_eq(result.decisions[0].message,
               STR("Internal error occurred: json: cannot unmarshal number into Go struct field W.data "
                   "of type string")));
    assert_true(result.decisions[0].is_last);
    policy_run_result_deinit(&result);
    policy.ignores_failures = true;
    evaluate_request(36, &policy, &request, &result);
    assert_true(result.decisions[0].is_denial);
    policy_run_result_deinit(&result);
    list[0].text = STR("[JSONPatch{op: 'add', path: '/data/c', value: 1}, "
                       "JSONPatch{op: 'add', path: '/data/d', value: true}]");
    evaluate_request(36, &policy, &request, &result);
    assert_true(str_eq(result.missing, STR("vapcheck does not evaluate a patched object that is wrong in "
                                           "several places")));
    policy_run_result_deinit(&result);
    schema_free(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mutations_without_an_object),
        cmocka_unit_test(test_mutations_that_fail),
        cmocka_unit_test(test_conditions_of_the_second_pass),
        cmocka_unit_test(test_patched_objects_that_cannot_be_decoded),
        cmocka_unit_test(test_types_of_objects),
        cmocka_unit_test(test_wrong_types),
        cmocka_unit_test(test_namespace),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_variable_that_needs_itself),
        cmocka_unit_test(test_deep_variables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
