#include "controller/apiserver/validation/validation.h"
#include "typecheck/cel/types/celgo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"

/*
 * Some of each kind, and what only one version does; tests/golden/refusals/policies/1.36.json
 * has what a real server says.
 */
#define META "\"apiVersion\":\"admissionregistration.k8s.io/v1\",\"metadata\":{\"name\":\"p\"}"
#define RULE                                                                                                 \
    "\"matchConstraints\":{\"resourceRules\":[{\"apiGroups\":[\"\"],\"apiVersions\":[\"v1\"],"               \
    "\"operations\":[\"*\"],\"resources\":[\"pods\"]}]}"

/* A spec, the level of new expressions, and "field: how its message begins", a line each. */
static const struct {
    const char *spec;
    int level;
    const char *said;
} rows[] = {
    {"\"validations\":[{\"expression\":\"object.x == 1\"}]", 35, ""},
    {"\"validations\":[{\"expression\":\"object.x\",\"reason\":\"x\"}]", 35,
     "spec.validations[0].expression: Invalid value: \"object.x\": must evaluate to bool but got dyn\n"
     "spec.validations[0].reason: Unsupported value"},
    {"\"validations\":[{\"expression\":\"semver('1.0.0') == object.x\"}]", 33, ""},
    {"\"validations\":[{\"expression\":\"semver('1.0.0') == object.x\"}]", 32,
     "spec.validations[0].expression: Invalid value: \"semver('1.0.0') == object.x\": compilation failed: "
     "ERROR: "
     "<input>:1:7: undeclared reference to 'semver'"},
    {"\"validations\":[{\"expression\":\"int('x') == 1\"}]", 35,
     "spec.validations[0].expression: Internal error: program instantiation failed: type conversion error"},
    {"\"variables\":[{\"name\":\"a\",\"expression\":\"\\u00a01 "
     "+\\u3000\"}],\"auditAnnotations\":[{\"key\":\"k\","
     "\"valueExpression\":\" variables.b \"}]",
     35,
     "spec.variables[0].expression: Invalid value: \"\\u00a01 +\\u3000\": compilation failed\n"
     "spec.auditAnnotations[0].valueExpression: Invalid value: \" variables.b \": compilation failed"},
    {"\"matchConditions\":[{\"name\":\"\",\"expression\":\"\\u2003\"}],\"validations\":[{\"expression\":"
     "\"true\"}]",
     35, "spec.matchConditions[0].expression: Required value\nspec.matchConditions[0].name: Required value"},
    {"\"nope\":1,\"validations\":[{\"expression\":\"true\"}]", 35,
     "spec.nope: ValidatingAdmissionPolicy in version \"v1\" cannot be handled"},
    {"\"nope\":1,\"validations\":[{\"expression\":\"1\",\"reason\":\"x\"}]", 35,
     "spec.nope: ValidatingAdmissionPolicy in version \"v1\" cannot be handled\n"
     "spec.validations[0].expression: Invalid value: \"1\": must evaluate to bool but got int\n"
     "spec.validations[0].reason: Unsupported value"},
    {"\"validations\":{}", 35, "spec.validations: ValidatingAdmissionPolicy in version \"v1\" cannot be"},
};

/* Each error is a line of `said` by its beginning. */
static void expect(const struct fielderrors *e, const char *said)
{
    for (size_t i = 0; i < e->count; i++) {
        size_t line = strcspn(said, "\n");
        cleanup_mem char *got = mem_printf("%s: %s", e->items[i].field, e->items[i].message);
        if (line == 0 || strncmp(got, said, line) != 0)
            fail_msg("%s", got);
        said += line + (said[line] == '\n');
    }
    assert_string_equal(said, "");
}

static struct json_object *parse(const char *text)
{
    struct json_object *json = NULL;
    struct err err = {0};
    if (jsonval_parse(text, strlen(text), &json, &err) != 0)
        fail_msg("%s: %s", text, err.msg);
    return json;
}

static void test_policies(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cleanup_mem char *text = mem_printf("{" META ",\"spec\":{" RULE ",%s}}", rows[i].spec);
        struct json_object *json = parse(text);
        struct env *env = env_new(rows[i].level, celgo_in(ENV_NEWEST_LEVEL));
        struct fielderrors e = {0};
        validation_of_policy(json, env, &e);
        expect(&e, rows[i].said);
        fielderrors_deinit(&e);
        env_free(env);
        json_object_put(json);
    }
}

static void test_bindings(void **state)
{
    (void)state;
    static const char *const texts[][2] = {
        {"{" META ",\"spec\":{\"policyName\":\"p\",\"validationActions\":[\"Deny\",\"Audit\"]}}", ""},
        {"{" META ",\"spec\":{\"policyName\":\"P\",\"paramRef\":{\"name\":\"a\",\"selector\":{}},"
         "\"validationActions\":[\"Deny\",\"Warn\",\"Deny\"]}}",
         "spec.policyName: Invalid value: \"P\"\nspec.paramRef.name: Forbidden: name and selector\n"
         "spec.paramRef.selector: Forbidden: name and\nspec.paramRef.parameterNotFoundAction: Required "
         "value\n"
         "spec.validationActions[2]: Duplicate value: \"Deny\"\n"
         "spec.validationActions: Invalid value: [\"Deny\",\"Warn\",\"Deny\"]: must not contain both"},
        {"{" META "}", "spec.policyName: Required value\nspec.validationActions: Required value"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct json_object *json = parse(texts[i][0]);
        struct fielderrors e = {0};
        validation_of_binding(json, &e);
        expect(&e, texts[i][1]);
        fielderrors_deinit(&e);
        json_object_put(json);
    }
}

/* tests/golden/refusals/ has hundreds of each, with what a real server says. */
static void test_other_kinds(void **state)
{
    (void)state;
    static const struct {
        validation_find *find;
        const char *text, *said;
    } others[] = {
        {validation_of_mutating_policy,
         "{" META ",\"spec\":{" RULE ",\"reinvocationPolicy\":\"Never\",\"mutations\":[{\"patchType\":"
         "\"JSONPatch\",\"jsonPatch\":{\"expression\":\" [JSONPatch{}] \"}}]}}",
         ""},
        {validation_of_mutating_policy,
         "{" META ",\"spec\":{" RULE ",\"variables\":[{\"name\":\"v\",\"expression\":\"1\"}],"
         "\"mutations\":[{\"patchType\":\"ApplyConfiguration\",\"applyConfiguration\":{\"expression\":"
         "\"variables.v\"},\"jsonPatch\":{}}]}}",
         "spec.mutations[0].applyConfiguration.expression: Invalid value: \"variables.v\": must evaluate to "
         "Object but got int\n"
         "spec.mutations[0].jsonPatch: Invalid value: \"{jsonPatch}\": must not be\n"
         "spec.reinvocationPolicy: Required value"},
        {validation_of_webhooks, "{" META ",\"kind\":\"MutatingWebhookConfiguration\"}", ""},
        {validation_of_webhooks,
         "{" META
         ",\"kind\":\"ValidatingWebhookConfiguration\",\"webhooks\":[{\"reinvocationPolicy\":\"x\"}]}",
         "webhooks[0].reinvocationPolicy: ValidatingWebhookConfiguration in version\n"
         "webhooks[0].name: Required value\n"
         "webhooks[0].sideEffects: Required value\n"
         "webhooks[0].clientConfig: Required value\n"
         "webhooks[0].admissionReviewVersions: Required value"},
        {validation_of_webhooks,
         "{" META ",\"kind\":\"MutatingWebhookConfiguration\",\"webhooks\":[{\"name\":\"a.b.c\","
         "\"clientConfig\":{\"service\":{\"name\":\"a\",\"port\":0}},\"reinvocationPolicy\":\"x\","
         "\"matchConditions\":[{\"name\":\"a\",\"expression\":\"variables.x\"}]}]}",
         "webhooks[0].sideEffects: Required value\n"
         "webhooks[0].reinvocationPolicy: Unsupported value\n"
         "webhooks[0].clientConfig.service.name: Required value\n"
         "webhooks[0].clientConfig.service.port: Invalid value: 0\n"
         "webhooks[0].matchConditions[0].expression: Invalid value: \"variables.x\": compilation failed\n"
         "webhooks[0].admissionReviewVersions: Required value"},
    };
    struct env *env = env_new(35, celgo_in(ENV_NEWEST_LEVEL));
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        struct json_object *json = parse(others[i].text);
        struct fielderrors e = {0};
        others[i].find(json, env, &e);
        expect(&e, others[i].said);
        fielderrors_deinit(&e);
        json_object_put(json);
    }
    env_free(env);
}

static void test_mutating_bindings(void **state)
{
    (void)state;
    struct json_object *json =
        parse("{" META
              ",\"spec\":{\"policyName\":\"p\",\"matchResources\":{\"resourceRules\":[{\"apiGroups\":[\"\"],"
              "\"apiVersions\":[\"v1\"],\"operations\":[\"DELETE\"],\"resources\":[\"pods\"]}]}}}");
    struct fielderrors e = {0};
    validation_of_mutating_binding(json, &e);
    expect(&e, "spec.matchResources.resourceRules.operations: Unsupported value: \"DELETE\"");
    fielderrors_deinit(&e);
    json_object_put(json);
}

/* ---- long lists ---- */

/* So many that comparing each with each would not end. */
enum { ENTRIES = 100 * 1000, OBJECTS = 10 * 1000 };

/* "a0" and so on, or "a0/0". */
static struct json_object *make_texts(bool is_subresource)
{
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < ENTRIES; i++) {
        cleanup_mem char *text = is_subresource ? mem_printf("a%zu/%zu", i, i) : mem_printf("a%zu", i);
        json_object_array_add(list, json_object_new_string(text));
    }
    return list;
}

/* Objects with such texts as a member, and one text as another. */
static struct json_object *make_objects(size_t count, const char *member, const char *other, const char *text)
{
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < count; i++) {
        struct json_object *o = json_object_new_object();
        cleanup_mem char *name = mem_printf("a%zu", i);
        json_object_object_add(o, member, json_object_new_string(name));
        json_object_object_add(o, other, json_object_new_string(text));
        json_object_array_add(list, o);
    }
    return list;
}

/* The object's list at a path, which ends in its name, is made a long one. Returns how many errors it has. */
static size_t count_errors(const char *text, const char *parent, const char *name, struct json_object *list,
                           void (*find)(struct json_object *json, const struct env *env,
                                        struct fielderrors *out))
{
    struct json_object *json = parse(text), *holder = json;
    struct fielderrors e = {0};
    struct env *env = env_new(35, celgo_in(ENV_NEWEST_LEVEL));
    assert_int_equal(json_pointer_get(json, parent, &holder), 0);
    json_object_object_add(holder, name, list);
    find(json, env, &e);
    const size_t count = e.count;
    assert_false(e.is_limited);
    fielderrors_deinit(&e);
    env_free(env);
    json_object_put(json);
    return count;
}

static void find_of_binding(struct json_object *json, const struct env *env, struct fielderrors *out)
{
    (void)env;
    validation_of_binding(json, out);
}

#define POLICY  "{" META ",\"spec\":{" RULE ",\"validations\":[{\"expression\":\"true\"}]}}"
#define BINDING "{" META ",\"spec\":{\"policyName\":\"p\"}}"
#define HOOK    "{\"kind\":\"ValidatingWebhookConfiguration\"," META ",\"webhooks\":[{\"name\":\"a.b.c\"}]}"

static void test_long_lists(void **state)
{
    static const char rule[] = "/spec/matchConstraints/resourceRules/0";
    (void)state;
    assert_int_equal(count_errors(POLICY, rule, "resourceNames", make_texts(false), validation_of_policy), 0);
    assert_int_equal(count_errors(POLICY, rule, "resources", make_texts(true), validation_of_policy), 0);
    /* and that there are more than 20 */
    assert_int_equal(count_errors(POLICY, "/spec", "auditAnnotations",
                                  make_objects(OBJECTS, "key", "valueExpression", "'a'"),
                                  validation_of_policy),
                     1);
    /* without a name */
    assert_int_equal(count_errors(POLICY, "/metadata", "ownerReferences",
                                  make_objects(ENTRIES, "uid", "kind", "A"), validation_of_policy),
                     2 * ENTRIES);
    /* each is no action */
    assert_int_equal(count_errors(BINDING, "/spec", "validationActions", make_texts(false), find_of_binding),
                     ENTRIES);
    /* neither v1 nor v1beta1; no sideEffects, no clientConfig */
    assert_int_equal(count_errors(HOOK, "/webhooks/0", "admissionReviewVersions", make_texts(false),
                                  validation_of_webhooks),
                     3);
    /* their names are too short, besides, and they have no versions */
    assert_int_equal(count_errors(HOOK, "", "webhooks",
                                  make_objects(OBJECTS, "name", "failurePolicy", "Fail"),
                                  validation_of_webhooks),
                     4 * OBJECTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_policies),    cmocka_unit_test(test_bindings),
        cmocka_unit_test(test_other_kinds), cmocka_unit_test(test_mutating_bindings),
        cmocka_unit_test(test_long_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
