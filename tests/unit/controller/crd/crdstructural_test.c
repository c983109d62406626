#include "controller/crd/crdstructural.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "client/text/jsonval.h"

static struct structural *read(struct arena *a, const char *json, struct json_object **tree)
{
    struct err err = {0};
    assert_int_equal(jsonval_parse(json, strlen(json), tree, &err), 0);
    return crdstructural_read(a, *tree, (struct crdstructural_options){.is_root = true});
}

static void is_text(struct str s, const char *wanted)
{
    assert_true(str_eq(s, str_of(wanted)));
}

static void test_what_is_read(void **state)
{
    (void)state;
    struct arena a;
    struct json_object *tree;
    arena_init(&a, (size_t)64 * 1024);
    if (setjmp(a.escape) != 0)
        fail_msg("no memory");
    const struct structural *root =
        read(&a,
             "{\"type\":\"object\",\"required\":[\"b\"],\"properties\":{"
             "\"a\":{\"type\":\"array\",\"maxItems\":3.0,\"items\":{\"type\":\"string\",\"format\":\"byte\","
             "\"maxLength\":0}},"
             "\"b\":{\"x-kubernetes-embedded-resource\":true,\"type\":\"object\",\"default\":{}},"
             "\"c\":{\"type\":\"object\",\"maxProperties\":-1,\"additionalProperties\":{\"enum\":[\"a\",5,"
             "\"bcd\"]}},"
             "\"d\":{\"x-kubernetes-int-or-string\":true,\"additionalProperties\":true},\"e\":5}}",
             &tree);
    assert_true(root->is_resource);
    assert_int_equal(root->property_count, 4);
    const struct structural_property *p = root->properties;
    is_text(p[0].name, "a");
    assert_false(p[0].is_required);
    assert_true(p[0].node->max_items.is_set && p[0].node->max_items.value == 3);
    is_text(p[0].node->items->format, "byte");
    assert_true(p[0].node->items->max_length.is_set && p[0].node->items->max_length.value == 0);
    assert_false(p[0].node->max_length.is_set);
    assert_true(p[1].is_required && p[1].node->is_resource && p[1].node->has_default);
    assert_int_equal(p[2].node->max_properties.value, -1);
    assert_int_equal(p[2].node->additional->longest_enum_bytes, 3);
    assert_true(p[2].node->additional->has_enum);
    assert_true(p[3].node->is_int_or_string && p[3].node->additional == NULL);
    is_text(p[3].node->type, "");
    json_object_put(tree);
    arena_deinit(&a);
}

static void test_names_are_bounded(void **state)
{
    (void)state;
    struct arena a;
    struct err err = {0};
    struct json_object *tree;
    static const char json[] =
        "{\"type\":\"object\",\"properties\":{"
        "\"metadata\":{\"properties\":{\"name\":{\"maxLength\":10},\"generateName\":{\"maxLength\":253}}},"
        "\"a\":{\"x-kubernetes-embedded-resource\":true,\"type\":\"object\"}}}";
    arena_init(&a, (size_t)64 * 1024);
    if (setjmp(a.escape) != 0)
        fail_msg("no memory");
    assert_int_equal(jsonval_parse(json, strlen(json), &tree, &err), 0);
    const struct structural *root =
        crdstructural_read(&a, tree, (struct crdstructural_options){.is_root = true, .bounds_names = true});
    assert_int_equal(root->name_length.value, 10);
    assert_int_equal(root->generate_name_length.value, 252);
    const struct structural *metadata = root->properties[0].node, *embedded = root->properties[1].node;
    assert_false(metadata->name_length.is_set);
    assert_int_equal(embedded->name_length.value, 253);
    assert_int_equal(embedded->generate_name_length.value, 252);
    assert_false(
        crdstructural_read(&a, tree, (struct crdstructural_options){.is_root = true})->name_length.is_set);
    json_object_put(tree);
    arena_deinit(&a);
}

static void test_no_schema(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, (size_t)64 * 1024);
    assert_null(crdstructural_read(&a, NULL, (struct crdstructural_options){0}));
    arena_deinit(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_read),
        cmocka_unit_test(test_names_are_bounded),
        cmocka_unit_test(test_no_schema),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
