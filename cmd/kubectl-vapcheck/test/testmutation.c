#include "cmd/kubectl-vapcheck/test/testmutation.h"

#include <ctype.h>
#include <string.h>

#include "bytes/utf8.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"

/* Differences that are kept; bytes of a value that are shown. */
enum { ITEMS_MAX = 10, VALUE_MAX = 200 };

char *testmutation_field(bool is_json_patch, size_t i)
{
    return mem_printf("spec.mutations[%zu].%s.expression", i,
                      is_json_patch ? "jsonPatch" : "applyConfiguration");
}

static char *describe(struct json_object *v)
{
    const char *text =
        json_object_to_json_string_ext(v, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
    const size_t len = strlen(text), kept = utf8_cut(text, len, VALUE_MAX);
    return mem_printf("%.*s%s", (int)kept, text, kept < len ? "..." : "");
}

/* A member that is not there is nothing, which is not null. */
static void add(struct testmutation *out, const char *path, bool has_expected, struct json_object *expected,
                bool has_actual, struct json_object *actual)
{
    cleanup_mem char *one = has_expected ? describe(expected) : mem_strdup("nothing");
    cleanup_mem char *two = has_actual ? describe(actual) : mem_strdup("nothing");
    out->count++;
    if (out->n_items == ITEMS_MAX)
        return;
    out->items = mem_grow(out->items, out->n_items, sizeof *out->items);
    out->items[out->n_items++] =
        mem_printf("%s: expected %s, got %s", *path == '\0' ? "the object" : path, one, two);
}

/* Keys that are no names stand in brackets, as in an expression. */
static char *member_path(const char *path, const char *key)
{
    bool is_name = *key != '\0' && !isdigit((unsigned char)*key);
    for (const char *at = key; *at != '\0'; at++)
        is_name = is_name && (isalnum((unsigned char)*at) || *at == '_');
    if (!is_name)
        return mem_printf("%s['%s']", path, key);
    return mem_printf("%s%s%s", path, *path == '\0' ? "" : ".", key);
}

static void compare(struct testmutation *out, const char *path, struct json_object *expected,
                    struct json_object *actual);

static void compare_maps(struct testmutation *out, const char *path, struct json_object *expected,
                         struct json_object *actual)
{
    struct json_object *other;
    json_object_object_foreach(expected, key, value)
    {
        cleanup_mem char *at = member_path(path, key);
        if (json_object_object_get_ex(actual, key, &other))
            compare(out, at, value, other);
        else
            add(out, at, true, value, false, NULL);
    }
    json_object_object_foreach(actual, name, got)
    {
        cleanup_mem char *at = member_path(path, name);
        if (!json_object_object_get_ex(expected, name, NULL))
            add(out, at, false, NULL, true, got);
    }
}

static void compare_lists(struct testmutation *out, const char *path, struct json_object *expected,
                          struct json_object *actual)
{
    const size_t wanted = jsonval_length(expected), got = jsonval_length(actual);
    for (size_t i = 0; i < wanted || i < got; i++) {
        cleanup_mem char *at = mem_printf("%s[%zu]", path, i);
        if (i < wanted && i < got)
            compare(out, at, jsonval_at(expected, i), jsonval_at(actual, i));
        else
            add(out, at, i < wanted, jsonval_at(expected, i), i < got, jsonval_at(actual, i));
    }
}

/* Each step is one level of JSON that a parser has bounded. */
static void compare(struct testmutation *out, const char *path, struct json_object *expected,
                    struct json_object *actual)
{
    const enum json_type type = json_object_get_type(expected);
    const bool is_same_type = type == json_object_get_type(actual);
    if (is_same_type && type == json_type_object)
        compare_maps(out, path, expected, actual);
    else if (is_same_type && type == json_type_array)
        compare_lists(out, path, expected, actual);
    else if (json_object_equal(expected, actual) == 0)
        add(out, path, true, expected, true, actual);
}

/* kaptest names its objects apart, though mutations do not change names. */
static void copy_name(struct json_object *expected, const struct testobject *object)
{
    struct json_object *metadata = jsonval_get(expected, "metadata");
    const char *name = jsonval_string(jsonval_get(object->root->json, "metadata"), "name");
    if (metadata != NULL && name != NULL)
        json_object_object_add(metadata, "name", json_object_new_string(name));
}

void testmutation_compare(const struct testcase *test, struct str expected, struct str actual,
                          struct testmutation *out)
{
    struct json_object *one = NULL, *two = NULL;
    struct err err = {0};
    *out = (struct testmutation){.count = 0};
    if (jsonval_parse(expected.at, expected.len, &one, &err) == 0 &&
        jsonval_parse(actual.at, actual.len, &two, &err) == 0) {
        if (!test->is_name_compared && test->object != NULL)
            copy_name(one, test->object);
        compare(out, "", one, two);
    } else { /* larger than any object that a server takes */
        out->count = 1;
    }
    json_object_put(one);
    json_object_put(two);
}

void testmutation_deinit(struct testmutation *differences)
{
    for (size_t i = 0; i < differences->n_items; i++)
        mem_free(differences->items[i]);
    mem_free(differences->items);
}
