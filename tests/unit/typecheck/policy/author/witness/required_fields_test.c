#include "typecheck/policy/author/witness/required_fields.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/schema/graph.h"
#include "typecheck/cel/schema/schema_document.h"

static struct arena arena;
static struct schema *doc;

/* Parts of core/v1, apps/v1 and rbac/v1. */
/* clang-format off */
#define REF(name)   "{\"allOf\":[{\"$ref\":\"#/components/schemas/" name "\"}]}"
#define TEXT        "{\"type\":\"string\"}"
#define NUMBER      "{\"type\":\"integer\"}"
#define TEXTS       "{\"type\":\"array\",\"items\":{\"type\":\"string\"}}"
#define ITEMS(name) "{\"type\":\"array\",\"items\":" REF(name) "}"
#define OBJECT(name, more) "\"io.k8s.api." name "\":{\"type\":\"object\"," more "}"
#define FIELDS(fields)     "\"properties\":{" fields "}"
static const char DOCUMENT[] =
    "{\"openapi\":\"3.0.0\",\"components\":{\"schemas\":{"
    OBJECT("core.v1.Service", FIELDS("\"kind\":" TEXT ",\"spec\":" REF("io.k8s.api.core.v1.ServiceSpec"))) ","
    OBJECT("core.v1.ServiceSpec", FIELDS("\"type\":" TEXT ",\"externalName\":" TEXT ",\"externalTrafficPolicy\":" TEXT
           ",\"clusterIP\":" TEXT ",\"ports\":" ITEMS("io.k8s.api.core.v1.ServicePort"))) ","
    OBJECT("core.v1.ServicePort", "\"required\":[\"port\"]," FIELDS("\"port\":" NUMBER ",\"nodePort\":" NUMBER)) ","
    OBJECT("apps.v1.Deployment", FIELDS("\"spec\":" REF("io.k8s.api.apps.v1.DeploymentSpec"))) ","
    OBJECT("apps.v1.DeploymentSpec", FIELDS("\"strategy\":" REF("io.k8s.api.apps.v1.DeploymentStrategy"))) ","
    OBJECT("apps.v1.DeploymentStrategy", FIELDS("\"type\":" TEXT ",\"rollingUpdate\":"
           REF("io.k8s.api.apps.v1.RollingUpdateDeployment"))) ","
    OBJECT("apps.v1.RollingUpdateDeployment", FIELDS("\"maxSurge\":" NUMBER)) ","
    OBJECT("rbac.v1.ClusterRole", FIELDS("\"kind\":" TEXT ",\"rules\":" ITEMS("io.k8s.api.rbac.v1.PolicyRule"))) ","
    OBJECT("rbac.v1.PolicyRule", FIELDS("\"apiGroups\":" TEXTS ",\"resources\":" TEXTS ",\"nonResourceURLs\":" TEXTS))
    "}}}";
/* clang-format on */

static struct sample *make(const char *name)
{
    for (uint32_t i = 0; i < doc->component_count; i++) {
        const struct schema_component *c = &doc->components[i];
        if (strcmp(doc->strings + c->name, name) == 0)
            return sample_new(&arena, (struct sample_schema){doc, &doc->nodes[c->node]});
    }
    fail_msg("no %s", name);
    return NULL;
}

static struct sample *service(const char *type)
{
    struct sample *s = make("io.k8s.api.core.v1.Service"), *spec = sample_field(&arena, s, STR("spec"));
    assert_true(sample_set_string(sample_field(&arena, spec, STR("type")), str_of(type)));
    return s;
}

/* A try makes this of the sample, which is whole then. */
static void check(const struct sample *s, const char *want)
{
    struct choices choices;
    bool is_made = false;
    choices_init(&choices);
    do {
        struct sample *made = sample_copy(&arena, s);
        required_fields_complete(&arena, made, 37, &choices);
        required_fields_complete(&arena, made, 37, &choices);
        is_made =
            required_fields_are_there(&arena, made, 37) && strcmp(sample_text(&arena, made).at, want) == 0;
    } while (!is_made && choices_next(&choices));
    assert_true(is_made);
}

static void test_what_other_fields_ask_for(void **state)
{
    (void)state;
    assert_false(required_fields_are_there(&arena, service("ClusterIP"), 37));
    assert_false(required_fields_are_there(&arena, service("NodePort"), 37));
    check(service("ExternalName"), "{\"spec\":{\"type\":\"ExternalName\",\"externalName\":\"a\"}}");
    check(service("NodePort"),
          "{\"spec\":{\"type\":\"NodePort\",\"externalTrafficPolicy\":\"Cluster\",\"ports\":"
          "[{\"port\":1,\"nodePort\":1}]}}");
}

/* A server sets the type where it is missing, and the field that this type asks for. */
static void test_what_a_default_asks_for(void **state)
{
    (void)state;
    struct sample *s = make("io.k8s.api.apps.v1.Deployment"), *spec = sample_field(&arena, s, STR("spec"));
    assert_non_null(sample_field(&arena, spec, STR("strategy")));
    assert_false(required_fields_are_there(&arena, s, 37));
    check(s, "{\"spec\":{\"strategy\":{\"type\":\"Recreate\"}}}");
    check(s, "{\"spec\":{\"strategy\":{\"rollingUpdate\":{}}}}");
}

/* Of two that exclude each other either is removed. */
static void test_two_that_exclude_each_other(void **state)
{
    (void)state;
    struct sample *role = make("io.k8s.api.rbac.v1.ClusterRole");
    assert_true(sample_set_string(sample_field(&arena, role, STR("kind")), STR("ClusterRole")));
    struct sample *rule = sample_item(&arena, sample_field(&arena, role, STR("rules")), 0);
    for (size_t i = 0; i < 2; i++)
        assert_non_null(sample_item(
            &arena, sample_field(&arena, rule, i == 0 ? STR("nonResourceURLs") : STR("resources")), 0));
    assert_false(required_fields_are_there(&arena, role, 37));
    check(role, "{\"kind\":\"ClusterRole\",\"rules\":[{\"nonResourceURLs\":[\"a\"]}]}");
    check(role, "{\"kind\":\"ClusterRole\",\"rules\":[{\"resources\":[\"a\"],\"apiGroups\":[\"a\"]}]}");
}

/* An absent field asks for it: either of both is added. */
static void test_one_of_two_fields(void **state)
{
    (void)state;
    struct sample *role = make("io.k8s.api.rbac.v1.ClusterRole");
    assert_true(sample_set_string(sample_field(&arena, role, STR("kind")), STR("ClusterRole")));
    assert_non_null(sample_item(&arena, sample_field(&arena, role, STR("rules")), 0));
    assert_false(required_fields_are_there(&arena, role, 37));
    check(role, "{\"kind\":\"ClusterRole\",\"rules\":[{\"nonResourceURLs\":[\"a\"]}]}");
    check(role, "{\"kind\":\"ClusterRole\",\"rules\":[{\"apiGroups\":[\"a\"],\"resources\":[\"a\"]}]}");
    assert_true(sample_set_string(sample_find(role, STR("kind")), STR("Role")));
    check(role, "{\"kind\":\"Role\",\"rules\":[{\"apiGroups\":[\"a\"],\"resources\":[\"a\"]}]}");
}

static int set_up(void **state)
{
    char message[256];
    bool is_limit;
    (void)state;
    arena_init(&arena, (size_t)1024 * 1024);
    doc = schema_new(DOCUMENT, strlen(DOCUMENT), message, sizeof message, &is_limit);
    return doc == NULL;
}

static int tear_down(void **state)
{
    (void)state;
    schema_free(doc);
    arena_deinit(&arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_other_fields_ask_for),
        cmocka_unit_test(test_what_a_default_asks_for),
        cmocka_unit_test(test_two_that_exclude_each_other),
        cmocka_unit_test(test_one_of_two_fields),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
