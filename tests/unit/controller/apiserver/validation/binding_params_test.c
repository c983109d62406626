#include "controller/apiserver/validation/binding_params.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/mem.h"
#include "client/discovery/discovery_parse.h"
#include "client/text/jsonval.h"

static const char served[] =
    "{\"kind\":\"APIGroupDiscoveryList\",\"items\":[{\"metadata\":{\"name\":\"\"},\"versions\":[{\"version\":"
    "\"v1\","
    "\"resources\":["
    "{\"resource\":\"pods\",\"responseKind\":{\"kind\":\"Pod\"},\"scope\":\"Namespaced\",\"verbs\":["
    "\"create\"]},"
    "{\"resource\":\"nodes\",\"responseKind\":{\"kind\":\"Node\"},\"scope\":\"Cluster\",\"verbs\":["
    "\"create\"]},"
    "{\"resource\":\"namespaces\",\"responseKind\":{\"kind\":\"Namespace\"},\"scope\":\"Cluster\",\"verbs\":["
    "\"create\"]}]}]}]}";

/* Of a policy about `resource` with this paramKind, and a binding with this paramRef. */
static const struct {
    const char *param_kind, *resource, *expression, *param_ref;
    const char *field, *begin; /* the field and the beginning of its message; NULL if nothing is reported */
} rows[] = {
    {"null", "pods", "true", "null", NULL, NULL},
    {"null", "pods", "true", "{\"name\":\"a\"}", "spec.paramRef", "it is ignored"},
    {"{\"apiVersion\":\"v1\",\"kind\":\"Pod\"}", "pods", "true", "null", NULL, NULL},
    {"{\"apiVersion\":\"v1\",\"kind\":\"Pod\"}", "pods", "params.a", "null", "spec.paramRef",
     "it is missing"},
    {"{\"apiVersion\":\"v1\",\"kind\":\"Pod\"}", "pods", "params.a", "{\"name\":\"a\"}", NULL, NULL},
    {"{\"apiVersion\":\"v1\",\"kind\":\"Pod\"}", "nodes", "params.a", "{\"name\":\"a\"}", "spec.paramRef",
     "every request about a cluster-scoped resource (v1 nodes)"},
    {"{\"apiVersion\":\"v1\",\"kind\":\"Pod\"}", "namespaces", "params.a", "{\"name\":\"a\"}", NULL, NULL},
    {"{\"apiVersion\":\"v1\",\"kind\":\"Pod\"}", "nodes", "params.a", "{\"name\":\"a\",\"namespace\":\"n\"}",
     NULL, NULL},
    {"{\"apiVersion\":\"v1\",\"kind\":\"Node\"}", "pods", "params.a", "{\"name\":\"a\",\"namespace\":\"n\"}",
     "spec.paramRef.namespace", "every request fails"},
    {"{\"apiVersion\":\"v1\",\"kind\":\"Nothing\"}", "nodes", "params.a", "{\"name\":\"a\"}", NULL, NULL},
};

static struct json_object *parse(const char *text)
{
    struct json_object *json = NULL;
    struct err err = {0};
    if (jsonval_parse(text, strlen(text), &json, &err) != 0)
        fail_msg("%s: %s", text, err.msg);
    return json;
}

static void check_row(size_t i, const struct discovery *discovery)
{
    cleanup_mem char *policy_text = mem_printf(
        "{\"metadata\":{\"name\":\"p\"},\"spec\":{\"paramKind\":%s,\"validations\":[{\"expression\":\"%s\"}],"
        "\"matchConstraints\":{\"resourceRules\":[{\"apiGroups\":[\"\"],\"apiVersions\":[\"v1\"],"
        "\"operations\":["
        "\"CREATE\"],\"resources\":[\"%s\"]}]}}}",
        rows[i].param_kind, rows[i].expression, rows[i].resource);
    cleanup_mem char *binding_text = mem_printf("{\"spec\":{\"paramRef\":%s}}", rows[i].param_ref);
    struct json_object *policy_json = parse(policy_text), *binding = parse(binding_text);
    struct policyview *policy;
    struct err err = {0};
    struct fielderrors found = {0};
    assert_int_equal(policyview_new(policy_json, &policy, &err), 0);
    binding_params_run(binding, policy, discovery, &found);
    if (found.count != (rows[i].field != NULL))
        fail_msg("row %zu: %zu warnings", i, found.count);
    if (found.count > 0) {
        assert_string_equal(found.items[0].field, rows[i].field);
        assert_memory_equal(found.items[0].message, rows[i].begin, strlen(rows[i].begin));
    }
    fielderrors_deinit(&found);
    policyview_free(policy);
    json_object_put(policy_json);
    json_object_put(binding);
}

static void test_rows(void **state)
{
    (void)state;
    struct discovery *discovery;
    struct err err = {0};
    assert_int_equal(discovery_parse(served, strlen(served), NULL, 0, &discovery, &err), 0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check_row(i, discovery);
    discovery_free(discovery);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
