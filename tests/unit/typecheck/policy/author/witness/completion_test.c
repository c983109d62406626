#include "typecheck/policy/author/witness/completion.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/schema/document.h"
#include "typecheck/cel/schema/graph.h"

static struct arena arena;
static struct schema *doc;

/* Parts of core/v1 and of rbac/v1. */
#define REF(name)   "{\"allOf\":[{\"$ref\":\"#/components/schemas/" name "\"}]}"
#define TEXT        "{\"type\":\"string\"}"
#define TEXTS       "{\"type\":\"array\",\"items\":{\"type\":\"string\"}}"
#define ITEMS(name) "{\"type\":\"array\",\"items\":" REF(name) "}"
static const char DOCUMENT[] =
    "{\"openapi\":\"3.0.0\",\"components\":{\"schemas\":{"
    "\"io.k8s.api.core.v1.Service\":{\"type\":\"object\",\"properties\":{\"kind\":" TEXT ",\"spec\":" REF(
        "io.k8s.api.core.v1.ServiceSpec") "}},"
                                          "\"io.k8s.api.core.v1.ServiceSpec\":{\"type\":\"object\","
                                          "\"properties\":{\"type\":" TEXT ",\"externalName\":" TEXT
                                          ",\"externalTrafficPolicy\":" TEXT ",\"ports\":" ITEMS(
                                              "io.k8s.api.core.v1.ServicePort") "}},"
                                                                                "\"io.k8s.api.core.v1."
                                                                                "ServicePort\":{\"type\":"
                                                                                "\"object\",\"required\":["
                                                                                "\"port\"],\"properties\":{"
                                                                                "\"port\":{\"type\":"
                                                                                "\"integer\"},\"nodePort\":{"
                                                                                "\"type\":\"integer\"}}},"
                                                                                "\"io.k8s.api.rbac.v1."
                                                                                "ClusterRole\":{\"type\":"
                                                                                "\"object\",\"properties\":{"
                                                                                "\"kind\":" TEXT
                                                                                ",\"rules\":" ITEMS(
                                                                                    "io.k8s.api.rbac.v1."
                                                                                    "PolicyRule") "}},"
                                                                                                  "\"io.k8s."
                                                                                                  "api.rbac."
                                                                                                  "v1."
                                                                                                  "PolicyRule"
                                                                                                  "\":{"
                                                                                                  "\"type\":"
                                                                                                  "\"object\""
                                                                                                  ",\"propert"
                                                                                                  "ies\":{"
                                                                                                  "\"apiGroup"
                                                                                                  "s\":" TEXTS
                                                                                                  ",\"resourc"
                                                                                                  "es\""
                                                                                                  ":" TEXTS
                                                                                                  ",\"nonReso"
                                                                                                  "urceURLs\""
                                                                                                  ":" TEXTS
                                                                                                  "}}}}}";

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

/* What the first try makes of the sample, or the one after that. */
static void check(struct sample *s, size_t tries, const char *want)
{
    struct choices choices;
    choices_init(&choices);
    struct sample *made = NULL;
    for (size_t i = 0; i < tries; i++) {
        assert_true(i == 0 || choices_next(&choices));
        made = sample_copy(&arena, s);
        completion_make_whole(&arena, made, 37, &choices);
    }
    assert_true(completion_is_whole(&arena, made, 37));
    assert_string_equal(sample_text(&arena, made).at, want);
}

static void test_what_other_fields_ask_for(void **state)
{
    (void)state;
    assert_true(completion_is_whole(&arena, service("ClusterIP"), 37));
    assert_false(completion_is_whole(&arena, service("NodePort"), 37));
    check(service("ExternalName"), 1, "{\"spec\":{\"type\":\"ExternalName\",\"externalName\":\"a\"}}");
    check(service("NodePort"), 1,
          "{\"spec\":{\"type\":\"NodePort\",\"externalTrafficPolicy\":\"Cluster\",\"ports\":"
          "[{\"port\":1,\"nodePort\":1}]}}");
}

/* An absent field asks for it: either of both is added. */
static void test_one_of_two_fields(void **state)
{
    (void)state;
    struct sample *role = make("io.k8s.api.rbac.v1.ClusterRole");
    assert_true(sample_set_string(sample_field(&arena, role, STR("kind")), STR("ClusterRole")));
    assert_non_null(sample_item(&arena, sample_field(&arena, role, STR("rules")), 0));
    assert_false(completion_is_whole(&arena, role, 37));
    check(role, 1, "{\"kind\":\"ClusterRole\",\"rules\":[{\"nonResourceURLs\":[\"a\"]}]}");
    check(role, 3, "{\"kind\":\"ClusterRole\",\"rules\":[{\"apiGroups\":[\"a\"],\"resources\":[\"a\"]}]}");
    assert_true(sample_set_string(sample_find(role, STR("kind")), STR("Role")));
    check(role, 1, "{\"kind\":\"Role\",\"rules\":[{\"apiGroups\":[\"a\"],\"resources\":[\"a\"]}]}");
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
        cmocka_unit_test(test_one_of_two_fields),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
