#include "controller/apiserver/crd/crdstructural.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "client/text/jsonval.h"
#include "typecheck/base/jsonread.h"
#include "typecheck/cel/schema/crd_type.h"
#include "typecheck/cel/schema/graph.h"
#include "typecheck/cel/schema/schema_document.h"

static const struct schema_definition resource = {.is_resource = true};

static struct schema *read(const char *json)
{
    struct err err = {0};
    cleanup_json struct json_object *tree = NULL;
    assert_int_equal(jsonval_parse(json, strlen(json), &tree, &err), 0);
    return crdstructural_read(tree, &resource);
}

static void test_what_is_read(void **state)
{
    (void)state;
    struct schema *s =
        read("{\"type\":\"object\",\"required\":[\"b\"],\"properties\":{"
             "\"a\":{\"type\":\"array\",\"maxItems\":3.0,\"items\":{\"type\":\"string\",\"format\":\"byte\","
             "\"maxLength\":0}},"
             "\"z-b\":{\"x-kubernetes-embedded-resource\":true,\"type\":\"object\",\"default\":{}},"
             "\"c\":{\"type\":\"object\",\"maxProperties\":-1,\"additionalProperties\":{\"enum\":[\"a\",5,"
             "\"bcd\"]}},"
             "\"d\":{\"x-kubernetes-int-or-string\":true,\"additionalProperties\":true,\"maxLength\":1e30},"
             "\"e\":5,\"f\":{\"type\":[\"string\"],\"format\":\"int-or-string\",\"maxLength\":"
             "99999999999999999999}}}");
    const struct schema_place *p = s->places;
    const struct schema_node *n = s->nodes;
    uint32_t a = p[s->root].first_property, b = p[a].next_property, c = p[b].next_property,
             d = p[c].next_property, f = p[d].next_property;
    assert_true((n[s->root].flags & SCHEMA_EMBEDDED_RESOURCE) != 0);
    assert_int_equal(n[s->root].property_count, 6);
    assert_string_equal(s->strings + p[a].key, "a");
    assert_int_equal(p[a].max_items, 3);
    assert_int_equal(n[n[a].items].format, FORMAT_BYTE);
    assert_int_equal(p[n[a].items].max_length, 0);
    assert_int_equal(p[a].max_length, SCHEMA_UNBOUNDED);
    assert_string_equal(s->strings + p[b].key, "z-b");
    assert_string_equal(s->strings + p[b].name, "z__dash__b");
    assert_true((n[b].flags & SCHEMA_EMBEDDED_RESOURCE) != 0 && (n[b].flags & SCHEMA_HAS_DEFAULT) != 0);
    assert_int_equal(p[c].max_properties, 0);
    assert_int_equal(p[n[c].additional].longest_enum, 3);
    assert_int_equal(p[c].longest_enum, SCHEMA_UNBOUNDED);
    assert_true((n[d].flags & SCHEMA_INT_OR_STRING) != 0 && n[d].additional == 0);
    assert_true(p[d].max_length == INT64_MAX && p[f].max_length == INT64_MAX);
    /* only the extension makes an int-or-string, and only one type is one */
    assert_true(n[f].type == JSON_UNTYPED && (n[f].flags & SCHEMA_INT_OR_STRING) == 0);
    assert_int_equal(p[f].next_property, 0);
    schema_free(s);
}

/* Equal nodes are not the same: a bound that is tried out at one place stays there. */
static void test_places_are_apart(void **state)
{
    (void)state;
    struct schema *s = read("{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"},"
                            "\"b\":{\"type\":\"string\"}}}");
    uint32_t a = s->places[s->root].first_property;
    assert_int_not_equal(a, s->places[a].next_property);
    schema_free(s);
}

static void test_no_schema(void **state)
{
    (void)state;
    struct schema *s = crdstructural_read(NULL, &resource);
    struct crd_type self = {.schema = s, .node = s->root};
    assert_int_equal(s->root, 0);
    assert_false(crd_type_is_exposed(&self));
    schema_free(s);
}

static void test_too_deep(void **state)
{
    (void)state;
    struct json_object *tree = json_object_new_object();
    for (size_t i = 0; i <= JSONREAD_MAX_DEPTH; i++) {
        struct json_object *outer = json_object_new_object();
        json_object_object_add(outer, "items", tree);
        tree = outer;
    }
    assert_null(crdstructural_read(tree, &resource));
    json_object_put(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_read),
        cmocka_unit_test(test_places_are_apart),
        cmocka_unit_test(test_no_schema),
        cmocka_unit_test(test_too_deep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
