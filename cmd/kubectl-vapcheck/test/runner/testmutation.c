#include "cmd/kubectl-vapcheck/test/runner/testmutation.h"

#include "client/base/mem.h"
#include "client/text/jsondiff.h"
#include "client/text/jsonval.h"

/* Differences that are kept. */
enum { ITEMS_MAX = 10 };

static void add(void *user, const struct jsondiff *d)
{
    struct testmutation *out = user;
    cleanup_mem char *expected = jsondiff_value(d->has_before, d->before);
    cleanup_mem char *actual = jsondiff_value(d->has_after, d->after);
    out->count++;
    if (out->n_items == ITEMS_MAX)
        return;
    out->items = mem_grow(out->items, out->n_items, sizeof *out->items);
    out->items[out->n_items++] =
        mem_printf("%s: expected %s, got %s", *d->path == '\0' ? "the object" : d->path, expected, actual);
}

/* kaptest names its objects apart, though mutations do not change names. */
static void copy_name(struct json_object *expected, const struct testobject *object)
{
    struct json_object *metadata = jsonval_get(expected, "metadata");
    const char *name = jsonval_string(jsonval_get(object->root->json, "metadata"), "name");
    if (metadata != NULL && name != NULL)
        jsonval_set(metadata, "name", json_object_new_string(name));
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
        if (json_object_equal(one, two) == 0)
            jsondiff_walk(one, two, add, out);
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
