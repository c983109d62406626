#include "cmd/kubectl-vapcheck/input/staticdirs.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"

static char *directory_of(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash == NULL ? mem_strdup("") : mem_strndup(file, (size_t)(slash - file));
}

static char *key_of(const char *file, const char *kind, const char *name)
{
    cleanup_mem char *directory = directory_of(file);
    return mem_printf("%s\n%s/%s", directory, kind, name);
}

static void put(struct json_object **map, const char *key, struct json_object *value)
{
    if (*map == NULL)
        *map = json_object_new_object();
    jsonval_set(*map, key, value);
}

static bool has(struct json_object *map, const char *key)
{
    return map != NULL && json_object_object_get_ex(map, key, NULL);
}

void staticdirs_add(struct staticdirs *d, const char *file, struct json_object *object, bool is_whole)
{
    cleanup_mem char *key =
        key_of(file, jsonval_string_or_empty(object, "kind"), jsonval_metadata(object, "name"));
    cleanup_mem char *directory = directory_of(file);
    put(&d->all, key, NULL);
    if (is_whole)
        put(&d->whole, directory, NULL);
}

static void check_name(struct staticdirs *d, const char *file, struct json_object *object,
                       struct fielderrors *errors)
{
    cleanup_mem char *key =
        key_of(file, jsonval_string_or_empty(object, "kind"), jsonval_metadata(object, "name"));
    struct json_object *before = jsonval_get(d->seen, key);
    if (before != NULL)
        fielderrors_add(errors,
                        mem_printf("duplicate name \"%s\" found in file \"%s\" (previously seen in \"%s\")",
                                   jsonval_metadata(object, "name"), file, json_object_get_string(before)),
                        "metadata.name");
    else
        put(&d->seen, key, json_object_new_string(file));
}

static void check_policy_name(const struct staticdirs *d, const char *file, struct json_object *binding,
                              struct fielderrors *errors)
{
    static const char suffix[] = "Binding";
    const char *kind = jsonval_string_or_empty(binding, "kind");
    const char *policy = jsonval_string_or_empty(jsonval_get(binding, "spec"), "policyName");
    size_t len = strlen(kind) - (sizeof suffix - 1);
    if (strlen(kind) < sizeof suffix - 1 || strcmp(kind + len, suffix) != 0)
        return;
    cleanup_mem char *policy_kind = mem_strndup(kind, len), *directory = directory_of(file);
    cleanup_mem char *key = key_of(file, policy_kind, policy);
    if (has(d->whole, directory) && !has(d->all, key))
        fielderrors_add(errors,
                        mem_printf("binding \"%s\" references policy \"%s\" which does not exist in the "
                                   "manifest directory",
                                   jsonval_metadata(binding, "name"), policy),
                        "spec.policyName");
}

void staticdirs_check(struct staticdirs *d, const char *file, struct json_object *object,
                      struct fielderrors *errors)
{
    if (errors->count > 0)
        return;
    check_name(d, file, object, errors);
    if (errors->count == 0)
        check_policy_name(d, file, object, errors);
}

void staticdirs_deinit(struct staticdirs *d)
{
    json_object_put(d->all);
    json_object_put(d->seen);
    json_object_put(d->whole);
}
