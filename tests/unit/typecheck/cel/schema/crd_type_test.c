#include "typecheck/cel/schema/crd_type.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/typecheck/selfschema.h"
#include "typecheck/base/arena.h"
#include "typecheck/cel/schema/schema_document.h"
#include "typecheck/cel/types/type.h"

static const struct {
    const char *field, *type; /* "": none */
    int64_t max_elements, min_bytes;
} rows[] = {
    {"s", "string", 40, 2},
    {"t", "string", 3145726, 2},
    {"e", "string", 3, 2},
    {"n", "int", 0, 1},
    {"y", "bytes", 20, 2},
    {"u", "duration", 32, 3},
    {"w", "timestamp", 32, 21},
    {"i", "dyn", 3145726, 1},
    {"l", "list(string)", 5, 2},
    {"k", "list(string)", 1048575, 2},
    {"m", "map(string, string)", 3, 2},
    {"a", "list(T.a.@idx)", 314572, 2},
    {"__namespace__", "string", 24, 2},
    {"namespace", "", 0, 0},
    {"no type", "", 0, 0},
    {"anything", "", 0, 0},
    {"kind", "string", 3145726, 2},
    {"metadata", "T.metadata", 0, 2},
};

static void test_fields(void **state)
{
    (void)state;
    struct schema *schema = selfschema_read();
    struct arena a;
    arena_init(&a, (size_t)1024 * 1024);
    if (setjmp(a.escape) != 0)
        fail_msg("no memory");
    struct types *ts = types_new(&a, NULL);
    struct crd_type root = selfschema_root(schema), field;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct str name = str_of(rows[i].field);
        assert_int_equal(crd_type_field(root, name, &field), rows[i].type[0] != '\0');
        if (rows[i].type[0] == '\0')
            continue;
        struct str path = str_join(&a, STR_PARTS(STR("T."), name));
        assert_string_equal(type_text(&a, crd_type_type(ts, &field, path)).at, rows[i].type);
        assert_int_equal(crd_type_max_elements(&field), rows[i].max_elements);
        assert_int_equal(crd_type_min_bytes(&field), rows[i].min_bytes);
    }
    /* {} and the one required field that has a type: "n":0, */
    assert_int_equal(crd_type_min_bytes(&root), 2 + 1 + 1 + 4);
    assert_int_equal(crd_type_cardinality(&root), 3 * 1024 * 1024 / 9);
    schema_free(schema);
    arena_deinit(&a);
}

static struct crd_type at(struct crd_type type, const char *path)
{
    for (size_t len; *path != '\0'; path += len + (path[len] == '.')) {
        len = strcspn(path, ".");
        struct str name = {path, len};
        bool is_there = str_eq(name, STR("[]"))  ? crd_type_element(type, &type)
                        : str_eq(name, STR("@")) ? crd_type_key(type, &type)
                                                 : crd_type_field(type, name, &type);
        if (!is_there)
            return (struct crd_type){.schema = type.schema};
    }
    return type;
}

static void test_elements_and_keys(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        int64_t max_elements;
        bool is_exposed;
    } ways[] = {
        {"l.[]", 16, true},        {"m.[]", 16, true},       {"m.@", 0, true},
        {"a.[].s", 32, true},      {"s.[]", 0, false},       {"l.@", 0, false},
        {"metadata.[]", 0, false}, {"kind.name", 0, false},  {"m.a", 0, false},
        {"i.[]", 0, false},        {"metadata.x", 0, false}, {"metadata.name", 3145726, true},
        {"nope", 0, false},        {"'no type", 0, false},
    };
    struct schema *schema = selfschema_read();
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct crd_type found = at(selfschema_root(schema), ways[i].path);
        assert_int_equal(crd_type_is_exposed(&found), ways[i].is_exposed);
        if (ways[i].is_exposed)
            assert_int_equal(crd_type_max_elements(&found), ways[i].max_elements);
    }
    schema_free(schema);
}

static void test_names_are_bounded(void **state)
{
    (void)state;
    static const char json[] =
        "{\"type\":\"object\",\"properties\":{"
        "\"metadata\":{\"properties\":{\"name\":{\"maxLength\":10},\"generateName\":{\"maxLength\":253}}},"
        "\"a\":{\"x-kubernetes-embedded-resource\":true,\"type\":\"object\"}}}";
    static const struct {
        bool bounds_names;
        const char *path;
        int64_t max_elements;
    } names[] = {
        {true, "metadata.name", 4 * 10},    {true, "metadata.generateName", 4 * 252},
        {true, "a.metadata.name", 4 * 253}, {true, "a.metadata.generateName", 4 * 252},
        {false, "metadata.name", 3145726},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct schema_definition definition = {.is_resource = true, .bounds_names = names[i].bounds_names};
        struct schema *schema = schema_new_definition(json, strlen(json), &definition);
        struct crd_type found = at(selfschema_root(schema), names[i].path);
        assert_int_equal(crd_type_max_elements(&found), names[i].max_elements);
        schema_free(schema);
    }
}

/* What a resource requires is there, listed or not; with a default of its own, too: the server's has none. */
static void test_required_of_a_resource(void **state)
{
    (void)state;
    static const struct {
        const char *members;
        bool is_resource;
        int64_t min_bytes;
    } sizes[] = {
        {"\"required\":[\"kind\",\"metadata\",\"kind\"]", true, 2 + (4 + 2 + 4) + (8 + 2 + 4)},
        {"\"required\":[\"kind\",\"metadata\"]", false, 2},
        {"\"required\":[\"kind\"],\"properties\":{\"kind\":{\"type\":\"boolean\",\"default\":true}}", true,
         2 + (4 + 2 + 4)},
        {"\"required\":[\"kind\"],\"properties\":{\"kind\":{\"type\":\"boolean\"}}", false, 2 + (4 + 4 + 4)},
        {"\"required\":[\"a\",\"nope\"],\"properties\":{\"a\":{\"type\":\"boolean\"}}", true,
         2 + (1 + 4 + 4)},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char json[256];
        snprintf(json, sizeof json, "{\"type\":\"object\",%s}", sizes[i].members);
        struct schema_definition definition = {.is_resource = sizes[i].is_resource};
        struct schema *schema = schema_new_definition(json, strlen(json), &definition);
        struct crd_type root = selfschema_root(schema);
        assert_int_equal(crd_type_min_bytes(&root), sizes[i].min_bytes);
        schema_free(schema);
    }
}

static void test_int_or_string_before_1_34(void **state)
{
    (void)state;
    static const char json[] =
        "{\"type\":\"object\",\"properties\":{\"a\":{\"x-kubernetes-int-or-string\":true,"
        "\"maxLength\":5},\"b\":{\"type\":\"string\",\"maxLength\":5}}}";
    static const int64_t longest[] = {20, 3145726};
    for (int ignores = 0; ignores < 2; ignores++) {
        struct schema_definition definition = {.is_resource = true,
                                               .ignores_int_or_string_length = ignores == 1};
        struct schema *schema = schema_new_definition(json, strlen(json), &definition);
        struct crd_type a = at(selfschema_root(schema), "a"), b = at(selfschema_root(schema), "b");
        assert_int_equal(crd_type_max_elements(&a), longest[ignores]);
        assert_int_equal(crd_type_max_elements(&b), 20);
        schema_free(schema);
    }
}

/* Both spellings of a field that is called like a keyword lead to it. */
static void test_types_know_their_fields(void **state)
{
    (void)state;
    struct schema *schema = selfschema_read();
    struct crd_type root = selfschema_root(schema);
    struct arena a;
    arena_init(&a, (size_t)1024 * 1024);
    if (setjmp(a.escape) != 0)
        fail_msg("no memory");
    struct types *ts = types_new(&a, NULL);
    const struct type *t = crd_type_type(ts, &root, STR("T"));
    assert_string_equal(t->name.at, "T");
    assert_ptr_equal(t->ops->field(t, STR("n"), ts), &type_int);
    assert_ptr_equal(t->ops->field(t, STR("namespace"), ts), &type_string);
    assert_ptr_equal(t->ops->field(t, STR("__namespace__"), ts), &type_string);
    assert_null(t->ops->field(t, STR("nope"), ts));
    const struct type *metadata = t->ops->field(t, STR("metadata"), ts);
    assert_ptr_equal(metadata->ops->field(metadata, STR("generateName"), ts), &type_string);
    assert_null(metadata->ops->field(metadata, STR("labels"), ts));
    schema_free(schema);
    arena_deinit(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_elements_and_keys),
        cmocka_unit_test(test_names_are_bounded),
        cmocka_unit_test(test_required_of_a_resource),
        cmocka_unit_test(test_int_or_string_before_1_34),
        cmocka_unit_test(test_types_know_their_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
