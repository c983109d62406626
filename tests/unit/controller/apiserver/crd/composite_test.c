#include "controller/apiserver/crd/composite.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "tests/unit/controller/jsontext.h"

/* more: of the spec. */
static struct json_object *definition(const char *version, const char *more, const char *schema)
{
    cleanup_mem char *json = mem_printf(
        "{\"apiVersion\":\"apiextensions.crossplane.io/%s\",\"kind\":\"CompositeResourceDefinition\","
        "\"metadata\":{\"name\":\"xs.e.org\"},\"spec\":{\"group\":\"e.org\",%s\"names\":{\"kind\":\"X\","
        "\"plural\":\"xs\"},\"versions\":[{\"name\":\"v1\",\"served\":true,\"referenceable\":true,"
        "\"schema\":{\"openAPIV3Schema\":%s}}]}}",
        version, more, schema);
    return jsontext_parse(json);
}

/* "a.0.b" */
static struct json_object *at(struct json_object *value, const char *path)
{
    for (const char *p = path; *p != '\0'; p += strcspn(p, "/"), p += *p == '/') {
        cleanup_mem char *step = mem_strndup(p, strcspn(p, "/"));
        value = json_object_is_type(value, json_type_array) ? jsonval_at(value, strtoul(step, NULL, 10))
                                                            : jsonval_get(value, step);
    }
    return value;
}

static void expect(struct json_object *crd, const char *path, const char *wanted)
{
    struct json_object *found = at(crd, path);
    assert_string_equal(json_object_to_json_string_ext(found, JSON_C_TO_STRING_PLAIN), wanted);
}

#define SCHEMA "spec/versions/0/schema/openAPIV3Schema"

static void test_what_is_copied(void **state)
{
    (void)state;
    struct json_object *xrd = definition(
        "v2", "",
        "{\"type\":\"object\",\"required\":[\"gone\"],\"x-kubernetes-validations\":[{\"rule\":\"r\"}],"
        "\"properties\":{\"gone\":{},\"metadata\":{\"properties\":{\"name\":{\"maxLength\":9}}},"
        "\"spec\":{\"required\":[\"a\"],\"minProperties\":1,\"oneOf\":[{}],"
        "\"x-kubernetes-preserve-unknown-fields\":true,\"x-kubernetes-validations\":[{\"rule\":\"s\"}],"
        "\"properties\":{\"a\":{\"type\":\"string\"},\"crossplane\":{\"type\":\"string\"}}},"
        "\"status\":{\"x-kubernetes-preserve-unknown-fields\":true}}}");
    struct json_object *crd = composite_make(xrd, COMPOSITE_RESOURCE);
    assert_null(composite_make(xrd, COMPOSITE_CLAIM));
    expect(crd, "metadata/name", "\"xs.e.org\"");
    expect(crd, "spec/scope", "\"Namespaced\"");
    expect(crd, "spec/versions/0/storage", "true");
    expect(crd, "spec/versions/0/subresources", "{\"status\":{}}");
    expect(crd, SCHEMA "/required", "[\"spec\"]");
    expect(crd, SCHEMA "/x-kubernetes-validations", "[{\"rule\":\"r\"}]");
    expect(crd, SCHEMA "/properties/gone", "null");
    expect(crd, SCHEMA "/properties/metadata",
           "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\",\"maxLength\":9}}}");
    expect(crd, SCHEMA "/properties/spec/required", "[\"a\"]");
    expect(crd, SCHEMA "/properties/spec/minProperties", "null");
    expect(crd, SCHEMA "/properties/spec/oneOf", "[{}]");
    expect(crd, SCHEMA "/properties/spec/x-kubernetes-preserve-unknown-fields", "true");
    expect(crd, SCHEMA "/properties/spec/x-kubernetes-validations", "[{\"rule\":\"s\"}]");
    expect(crd, SCHEMA "/properties/spec/properties/a", "{\"type\":\"string\"}");
    expect(crd, SCHEMA "/properties/spec/properties/crossplane/type", "\"object\"");
    expect(crd, SCHEMA "/properties/status/x-kubernetes-preserve-unknown-fields", "null");
    json_object_put(crd);
    json_object_put(xrd);
}

/* By version and scope: the scope, whether the fields are in spec.crossplane, fields that there are. */
static void test_scopes(void **state)
{
    (void)state;
    static const struct {
        const char *version, *more, *scope;
        bool is_nested, has_namespace;
    } rows[] = {
        {"v1", "", "\"Cluster\"", false, true},
        {"v1", "\"scope\":\"LegacyCluster\",", "\"Cluster\"", false, true},
        {"v1", "\"scope\":\"Cluster\",", "\"Cluster\"", true, true},
        {"v1", "\"scope\":\"Namespaced\",", "\"Namespaced\"", true, false},
        {"v2", "", "\"Namespaced\"", true, false},
        {"v2", "\"scope\":\"Cluster\",", "\"Cluster\"", true, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct json_object *xrd = definition(rows[i].version, rows[i].more, "{}");
        struct json_object *crd = composite_make(xrd, COMPOSITE_RESOURCE);
        struct json_object *spec = at(crd, SCHEMA "/properties/spec/properties"), *own = spec;
        expect(crd, "spec/scope", rows[i].scope);
        assert_int_equal(jsonval_get(spec, "crossplane") != NULL, rows[i].is_nested);
        assert_int_equal(jsonval_get(spec, "claimRef") != NULL, !rows[i].is_nested);
        assert_int_equal(at(crd, SCHEMA "/properties/status/properties/connectionDetails") != NULL,
                         !rows[i].is_nested);
        if (rows[i].is_nested)
            own = at(spec, "crossplane/properties");
        expect(own, "compositionUpdatePolicy/default", "\"Automatic\"");
        assert_int_equal(at(own, "resourceRefs/items/properties/namespace") != NULL, rows[i].has_namespace);
        json_object_put(crd);
        json_object_put(xrd);
    }
}

static void test_a_claim(void **state)
{
    (void)state;
    struct json_object *xrd = definition(
        "v1",
        "\"claimNames\":{\"kind\":\"C\",\"plural\":\"cs\"},\"defaultCompositeDeletePolicy\":\"Foreground\",",
        "{\"properties\":{\"spec\":{\"properties\":{\"resourceRef\":{\"type\":\"string\"}}}}}");
    struct json_object *crd = composite_make(xrd, COMPOSITE_CLAIM);
    expect(crd, "metadata/name", "\"cs.e.org\"");
    expect(crd, "spec/names/kind", "\"C\"");
    expect(crd, "spec/scope", "\"Namespaced\"");
    expect(crd, SCHEMA "/properties/spec/properties/compositeDeletePolicy/default", "\"Foreground\"");
    expect(crd, SCHEMA "/properties/spec/properties/resourceRef/type", "\"object\"");
    expect(crd, SCHEMA "/properties/spec/properties/claimRef", "null");
    json_object_put(crd);
    json_object_put(xrd);
}

static void test_odd_definitions(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "{}",
        "{\"apiVersion\":\"apiextensions.crossplane.io/v2\",\"spec\":[]}",
        "{\"spec\":{\"versions\":[null,1,{},{\"schema\":1},{\"schema\":{\"openAPIV3Schema\":[]}}]}}",
        "{\"spec\":{\"claimNames\":1,\"versions\":{}}}",
        ("{\"spec\":{\"versions\":[{\"schema\":{\"openAPIV3Schema\":{\"properties\":{\"spec\":1,\"status\":"
         "{\"properties\":[]},\"metadata\":{\"properties\":{\"name\":{\"maxLength\":\"x\"}}}}}}}]}}"),
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct json_object *xrd = jsontext_parse(rows[i]);
        for (enum composite_part part = 0; part < COMPOSITE_PARTS; part++)
            json_object_put(composite_make(xrd, part));
        json_object_put(xrd);
    }
    struct json_object *xrd = jsontext_parse(rows[2]), *crd = composite_make(xrd, COMPOSITE_RESOURCE);
    expect(crd, "spec/versions/3/schema", "null");
    json_object_put(crd);
    json_object_put(xrd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_copied),
        cmocka_unit_test(test_scopes),
        cmocka_unit_test(test_a_claim),
        cmocka_unit_test(test_odd_definitions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
