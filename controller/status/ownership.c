#include "controller/status/ownership.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"

/* Longer than any path of an object's schema; deeper ones are left out. */
enum { MAX_DEPTH = 64 };

void ownership_add(struct ownership *set, const char *path)
{
    set->paths = mem_grow(set->paths, set->count, sizeof *set->paths);
    set->paths[set->count++] = mem_strdup(path);
}

static int compare_paths(const void *left, const void *right)
{
    char *const *l = left, *const *r = right;
    return strcmp(*l, *r);
}

void ownership_sort(struct ownership *set)
{
    size_t kept = 0;
    if (set->count == 0)
        return;
    qsort(set->paths, set->count, sizeof *set->paths, compare_paths);
    for (size_t i = 1; i < set->count; i++) {
        if (strcmp(set->paths[kept], set->paths[i]) != 0) {
            char *path = set->paths[i];
            set->paths[i] = set->paths[++kept];
            set->paths[kept] = path;
        }
    }
    for (size_t i = kept + 1; i < set->count; i++)
        mem_free(set->paths[i]);
    set->count = kept + 1;
}

void ownership_deinit(struct ownership *set)
{
    for (size_t i = 0; i < set->count; i++)
        mem_free(set->paths[i]);
    mem_free(set->paths);
    *set = (struct ownership){0};
}

bool ownership_has(const struct ownership *set, const char *path)
{
    return set->count > 0 &&
           bsearch(&path, set->paths, set->count, sizeof *set->paths, compare_paths) != NULL;
}

bool ownership_equal(const struct ownership *a, const struct ownership *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++) {
        if (strcmp(a->paths[i], b->paths[i]) != 0)
            return false;
    }
    return true;
}

/* Every leaf below `fields`, which stands at `prefix`. */
static void add_leaves(struct ownership *set, struct json_object *fields, const char *prefix, int depth)
{
    if (depth > MAX_DEPTH)
        return;
    if (!json_object_is_type(fields, json_type_object) || jsonval_count(fields) == 0) {
        ownership_add(set, prefix);
        return;
    }
    jsonval_each(fields, key, below)
    {
        cleanup_mem char *path = mem_printf("%s/%s", prefix, key);
        add_leaves(set, below, path, depth + 1);
    }
}

void ownership_read(struct ownership *out, struct json_object *object, const char *manager,
                    const char *subresource)
{
    struct json_object *entries = jsonval_array(jsonval_get(object, "metadata"), "managedFields");
    cleanup_mem char *top = mem_printf("f:%s", subresource);
    *out = (struct ownership){0};
    for (size_t i = 0; i < jsonval_length(entries); i++) {
        struct json_object *entry = jsonval_at(entries, i);
        struct json_object *fields = jsonval_get(jsonval_get(entry, "fieldsV1"), top);
        if (fields == NULL || strcmp(jsonval_string_or_empty(entry, "manager"), manager) != 0 ||
            strcmp(jsonval_string_or_empty(entry, "operation"), "Apply") != 0 ||
            strcmp(jsonval_string_or_empty(entry, "subresource"), subresource) != 0)
            continue;
        add_leaves(out, fields, top, 0);
    }
    ownership_sort(out);
}

/* Returns true if the path, taken step by step, is there. */
static bool has_path(struct json_object *fields, const char *path)
{
    for (;;) {
        const char *slash = strchr(path, '/');
        if (slash == NULL)
            return jsonval_get(fields, path) != NULL;
        cleanup_mem char *step = mem_strndup(path, (size_t)(slash - path));
        fields = jsonval_get(fields, step);
        if (fields == NULL)
            return false;
        path = slash + 1;
    }
}

enum ownership_hold ownership_others(struct json_object *object, const char *manager, const char *path,
                                     const char **holder)
{
    struct json_object *entries = jsonval_array(jsonval_get(object, "metadata"), "managedFields");
    enum ownership_hold strongest = OWNERSHIP_FREE;
    for (size_t i = 0; i < jsonval_length(entries); i++) {
        struct json_object *entry = jsonval_at(entries, i);
        const char *name = jsonval_string_or_empty(entry, "manager");
        const char *operation = jsonval_string_or_empty(entry, "operation");
        enum ownership_hold hold = strcmp(operation, "Apply") == 0 ? OWNERSHIP_APPLIED : OWNERSHIP_UPDATED;
        if (hold <= strongest || strcmp(name, manager) == 0 ||
            !has_path(jsonval_get(entry, "fieldsV1"), path))
            continue;
        strongest = hold;
        if (holder != NULL)
            *holder = name;
    }
    return strongest;
}
