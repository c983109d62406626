#include "controller/apiserver/defaults/defaultrules.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/defaults/defaultvalues.h"

/* Bytes of a field's path and of a condition, which are those of the table. */
enum { PATH_BYTES = DEFAULTOBJECT_PATH_BYTES };

/* Levels of an object that are walked: JSON has no more (JSONVAL_DEPTH). */
enum { DEPTH = JSONVAL_DEPTH };

/* ---- fields ---- */

/* The object that holds the field, and the field's name in it; NULL if there is none. */
static struct json_object *find_holder(struct json_object *object, const char *path, char *name)
{
    for (path = defaultobject_cut(path, '.', name); object != NULL && *path != '\0';
         path = defaultobject_cut(path, '.', name))
        object = jsonval_get(object, name);
    return json_object_is_type(object, json_type_object) ? object : NULL;
}

static bool is_zero(struct json_object *value)
{
    switch (json_object_get_type(value)) {
    case json_type_null:
        return true;
    case json_type_boolean:
    case json_type_int:
        return json_object_get_int64(value) == 0;
    case json_type_string:
        return *json_object_get_string(value) == '\0';
    case json_type_double:
    case json_type_object:
    case json_type_array:
        return false;
    }
    return false;
}

/* ---- conditions ---- */

static bool has_text(struct json_object *value, const char *text)
{
    if (value == NULL)
        return *text == '\0';
    return strcmp(json_object_get_string(value), text) == 0;
}

/* One word of `when`, which is cut into pieces. */
static bool holds(const struct defaultobject *rules, struct json_object *object, struct str version,
                  char *word)
{
    char *value = strchr(word, '=');
    bool is_so = false;
    if (default_rows_is_version(str_of(word), version, rules->minor, &is_so))
        return is_so;
    if (*word == '!')
        return defaultobject_get(object, word + 1) == NULL;
    if (value == NULL)
        return defaultobject_get(object, word) != NULL;
    const bool is_equal = value[-1] != '!';
    value[is_equal ? 0 : -1] = '\0';
    return has_text(defaultobject_get(object, word), value + 1) == is_equal;
}

static bool all_hold(const struct defaultobject *rules, struct json_object *object, struct str version,
                     const char *when)
{
    char word[PATH_BYTES];
    while (*when != '\0') {
        when = defaultobject_cut(when, ' ', word);
        if (!holds(rules, object, version, word))
            return false;
    }
    return true;
}

bool defaultrules_hold(struct json_object *object, const char *when)
{
    const struct defaultobject rules = {.minor = 0};
    return all_hold(&rules, object, STR(""), when);
}

/* ---- rows ---- */

static struct json_object *parse(const char *text)
{
    struct json_object *value = NULL;
    struct err err;
    return jsonval_parse(text, strlen(text), &value, &err) == 0 ? value : NULL;
}

static struct json_object *copy(struct json_object *value)
{
    struct json_object *out = NULL;
    return value != NULL && json_object_deep_copy(value, &out, NULL) == 0 ? out : NULL;
}

static void apply_row(struct defaultobject *rules, const struct default_row *row, struct json_object *object,
                      struct str version)
{
    char name[PATH_BYTES];
    struct json_object *holder = find_holder(object, row->field, name);
    struct json_object *old = *row->field == '\0' ? NULL : jsonval_get(holder, name);
    if (holder == NULL || (row->how == DEFAULT_ROWS_SET && old != NULL) ||
        (row->how == DEFAULT_ROWS_FILL && !is_zero(old)) || !all_hold(rules, object, version, row->when))
        return;
    if (row->how == DEFAULT_ROWS_DROP || strcmp(row->value, "@drop") == 0) {
        jsonval_drop(holder, name);
        return;
    }
    struct json_object *value = *row->value == '@'   ? defaultvalues_make(rules, row->value + 1, holder)
                                : *row->value == '=' ? copy(defaultobject_get(object, row->value + 1))
                                : *row->value == '~' ? copy(defaultobject_get(rules->old, row->value + 1))
                                                     : parse(row->value);
    if (value != NULL || strcmp(row->value, "null") == 0)
        jsonval_set(holder, name, value);
}

static void apply_rows_of(struct defaultobject *rules, enum default_rows_stage stage,
                          struct default_rows rows, struct json_object *object, struct str version)
{
    for (size_t i = 0; i < rows.count; i++) {
        arena_step(rules->arena);
        if (rows.list[i].stage == stage)
            apply_row(rules, &rows.list[i], object, version);
    }
}

static void apply_rows(struct defaultobject *rules, enum default_rows_stage stage, const struct go_type *type,
                       struct json_object *object)
{
    struct component_name name;
    if (!component_name_split(go_type_name(type), &name))
        return;
    if (object == rules->root)
        apply_rows_of(rules, stage, default_rows_of_each(), object, name.version);
    apply_rows_of(rules, stage, default_rows_of(&name), object, name.version);
}

/* ---- the object ---- */

/* Returns true if rows of the stage are about parts of the object, too. */
static bool is_deep(enum default_rows_stage stage)
{
    return stage == DEFAULT_ROWS_WRITTEN || stage == DEFAULT_ROWS_DECODED || stage == DEFAULT_ROWS_DROPPED;
}

static void walk(struct defaultobject *rules, enum default_rows_stage stage, const struct go_type *type,
                 struct json_object *value, unsigned depth)
{
    const enum go_shape shape = go_type_shape(type);
    struct go_type below;
    arena_step(rules->arena);
    if (depth > DEPTH)
        return;
    if (shape == GO_STRUCT && json_object_is_type(value, json_type_object)) {
        apply_rows(rules, stage, type, value);
        if (!is_deep(stage))
            return;
        jsonval_each(value, key, member)
        {
            if (go_type_field(rules->arena, type, str_of(key), &below))
                walk(rules, stage, &below, member, depth + 1);
        }
    } else if (shape == GO_LIST) {
        below = go_type_item(type);
        for (size_t i = 0; i < jsonval_length(value); i++)
            walk(rules, stage, &below, jsonval_at(value, i), depth + 1);
    } else if (shape == GO_MAP) {
        below = go_type_item(type);
        jsonval_each(value, key, member) walk(rules, stage, &below, member, depth + 1);
    }
}

void defaultrules_apply(struct defaultobject *rules, enum default_rows_stage stage,
                        const struct go_type *type)
{
    walk(rules, stage, type, rules->root, 0);
}
