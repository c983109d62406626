#include "tests/support/statusapply.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"

static char *condition_key(struct json_object *condition)
{
    cleanup_json struct json_object *key = json_object_new_object();
    json_object_object_add(key, "type", json_object_get(jsonval_get(condition, "type")));
    return mem_printf("k:%s", json_object_to_json_string_ext(key, JSON_C_TO_STRING_PLAIN));
}

static struct json_object *fields_of(struct json_object *value);

/* conditions is a list with "type" as its key; an empty one is a leaf. */
static struct json_object *fields_of_conditions(struct json_object *conditions)
{
    struct json_object *fields = json_object_new_object();
    for (size_t i = 0; i < jsonval_length(conditions); i++) {
        struct json_object *item = fields_of(jsonval_at(conditions, i));
        cleanup_mem char *key = condition_key(jsonval_at(conditions, i));
        json_object_object_add(item, ".", json_object_new_object());
        json_object_object_add(fields, key, item);
    }
    return fields;
}

/* What owning this value means, as fieldsV1 writes it: every other list is atomic, a leaf. */
static struct json_object *fields_of(struct json_object *value)
{
    struct json_object *fields = json_object_new_object();
    if (!json_object_is_type(value, json_type_object))
        return fields;
    json_object_object_foreach(value, name, member)
    {
        cleanup_mem char *key = mem_printf("f:%s", name);
        json_object_object_add(
            fields, key, strcmp(name, "conditions") == 0 ? fields_of_conditions(member) : fields_of(member));
    }
    return fields;
}

/* The conditions: the old ones in their order, replaced or dropped, then the new. */
static struct json_object *merge_conditions(struct json_object *old, struct json_object *wanted,
                                            struct json_object *owned)
{
    cleanup_json struct json_object *by_key = json_object_new_object();
    struct json_object *merged = json_object_new_array();
    for (size_t i = 0; i < jsonval_length(wanted); i++) {
        cleanup_mem char *key = condition_key(jsonval_at(wanted, i));
        json_object_object_add(by_key, key, json_object_get(jsonval_at(wanted, i)));
    }
    for (size_t i = 0; i < jsonval_length(old); i++) {
        cleanup_mem char *key = condition_key(jsonval_at(old, i));
        struct json_object *replacement = jsonval_get(by_key, key);
        if (replacement != NULL || jsonval_get(owned, key) == NULL)
            json_object_array_add(merged,
                                  json_object_get(replacement != NULL ? replacement : jsonval_at(old, i)));
        json_object_object_del(by_key, key);
    }
    json_object_object_foreach(by_key, key, condition)
    {
        (void)key;
        json_object_array_add(merged, json_object_get(condition));
    }
    return merged;
}

static struct json_object *merge_status(struct json_object *old, struct json_object *wanted,
                                        struct json_object *owned)
{
    struct json_object *merged = json_object_new_object();
    json_object_object_foreach(old, name, member)
    {
        cleanup_mem char *key = mem_printf("f:%s", name);
        if (jsonval_get(owned, key) == NULL)
            json_object_object_add(merged, name, json_object_get(member));
    }
    json_object_object_foreach(wanted, key, value)
    {
        json_object_object_add(merged, key, json_object_get(value));
    }
    struct json_object *conditions =
        merge_conditions(jsonval_get(old, "conditions"), jsonval_get(wanted, "conditions"),
                         jsonval_get(owned, "f:conditions"));
    json_object_object_add(merged, "conditions", conditions);
    /* empty lists are not stored */
    if (jsonval_length(conditions) == 0)
        json_object_object_del(merged, "conditions");
    struct json_object *checking = jsonval_get(merged, "typeChecking");
    if (checking != NULL && jsonval_length(jsonval_get(checking, "expressionWarnings")) == 0)
        json_object_object_add(merged, "typeChecking", json_object_new_object());
    return merged;
}

static struct json_object *managed_fields(const struct objects_kind *kind, const char *manager,
                                          struct json_object *fields)
{
    struct json_object *entries = json_object_new_array(), *top = json_object_new_object();
    struct json_object *entry = reply_value(
        "{'apiVersion':'%s/%s','fieldsType':'FieldsV1','operation':'Apply','subresource':'status'}",
        kind->group, kind->version);
    json_object_object_add(top, "f:status", json_object_get(fields));
    json_object_object_add(entry, "fieldsV1", top);
    json_object_object_add(entry, "manager", json_object_new_string(manager));
    json_object_object_add(entry, "time", objects_now());
    json_object_array_add(entries, entry);
    return entries;
}

struct json_object *statusapply(struct json_object *stored, struct json_object *body,
                                const struct objects_kind *kind, const char *manager, struct reply *reply)
{
    struct json_object *entry = jsonval_at(jsonval_get(jsonval_get(stored, "metadata"), "managedFields"), 0);
    struct json_object *owned = jsonval_get(jsonval_get(entry, "fieldsV1"), "f:status"), *next = NULL;
    struct json_object *old = jsonval_get(stored, "status"), *wanted = jsonval_get(body, "status");
    if (objects_check(stored, jsonval_get(body, "metadata"), reply) != 0)
        return NULL;
    if (stored == NULL) {
        reply_problem(reply, 404, "NotFound", "%s not found", kind->resource);
        return NULL;
    }
    if (entry != NULL && strcmp(jsonval_string_or_empty(entry, "manager"), manager) != 0) {
        reply_problem(reply, 409, "Conflict", "this server keeps the status of one manager, which is %s",
                      jsonval_string_or_empty(entry, "manager"));
        return NULL;
    }
    cleanup_json struct json_object *none = json_object_new_object(), *fields = fields_of(wanted);
    cleanup_json struct json_object *status =
        merge_status(old != NULL ? old : none, wanted != NULL ? wanted : none, owned);
    if (json_object_equal(fields, owned) && json_object_equal(status, old))
        return json_object_get(stored);
    if (json_object_deep_copy(stored, &next, NULL) != 0)
        return NULL;
    json_object_object_add(next, "status", json_object_get(status));
    if (json_object_object_length(fields) == 0)
        json_object_object_del(jsonval_get(next, "metadata"), "managedFields");
    else
        json_object_object_add(jsonval_get(next, "metadata"), "managedFields",
                               managed_fields(kind, manager, fields));
    return next;
}
