#include "controller/apiserver/crdadvice/adviceresource.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"

static struct json_object *smallest(struct json_object *schema, size_t depth);

static struct json_object *smallest_text(struct json_object *schema)
{
    struct json_object *least = jsonval_get(schema, "minLength");
    const int64_t length = least == NULL ? 1 : json_object_get_int64(least);
    const size_t len = length < 1 ? 1 : length > 1000 ? 1000 : (size_t)length;
    char text[1001];
    memset(text, 'a', len);
    return json_object_new_string_len(text, (int)len);
}

static struct json_object *smallest_list(struct json_object *schema, size_t depth)
{
    struct json_object *list = json_object_new_array(), *least = jsonval_get(schema, "minItems");
    const int64_t count = least == NULL ? 0 : json_object_get_int64(least);
    for (int64_t i = 0; i < count && i < 10; i++)
        jsonval_append(list, smallest(jsonval_get(schema, "items"), depth + 1));
    return list;
}

static struct json_object *smallest_map(struct json_object *schema, size_t depth)
{
    struct json_object *map = json_object_new_object(), *names = jsonval_array(schema, "required");
    for (size_t i = 0; i < jsonval_length(names) && depth < ADVICEPLACE_DEPTH_MAX; i++) {
        const char *name = jsonval_text(jsonval_at(names, i));
        if (name != NULL)
            jsonval_set(map, name, smallest(adviceplace_property(schema, str_of(name)), depth + 1));
    }
    return map;
}

/* The smallest value of a schema. The caller puts it. */
static struct json_object *smallest(struct json_object *schema, size_t depth)
{
    struct json_object *values = jsonval_array(schema, "enum"), *least = jsonval_get(schema, "minimum");
    if (jsonval_length(values) > 0)
        return json_object_get(jsonval_at(values, 0));
    if (jsonval_is(schema, "type", "string"))
        return smallest_text(schema);
    if (jsonval_is(schema, "type", "array"))
        return smallest_list(schema, depth);
    if (jsonval_is(schema, "type", "boolean"))
        return json_object_new_boolean(false);
    if (jsonval_is(schema, "type", "integer") || jsonval_is(schema, "type", "number") ||
        jsonval_is_true(schema, "x-kubernetes-int-or-string"))
        return json_object_new_int64(least == NULL ? 1 : json_object_get_int64(least));
    return smallest_map(schema, depth);
}

/* The part behind a step, which is added where there is none; NULL: there cannot be one. */
static struct json_object *enter(struct json_object *value, struct json_object *schema, struct str field,
                                 size_t depth)
{
    if (json_object_is_type(value, json_type_array)) {
        if (jsonval_length(value) == 0)
            jsonval_append(value, smallest(jsonval_get(schema, "items"), depth));
        return jsonval_at(value, 0);
    }
    if (!json_object_is_type(value, json_type_object))
        return NULL;
    cleanup_mem char *key = field.len == 0 ? mem_strdup("a") : mem_strndup(field.at, field.len);
    struct json_object *property = adviceplace_property(schema, str_of(key));
    if (jsonval_get(value, key) == NULL)
        jsonval_set(value, key, smallest(property != NULL ? property : adviceplace_element(schema), depth));
    return jsonval_get(value, key);
}

struct json_object *adviceresource_enter(struct json_object *resource, const struct adviceplace *place)
{
    if (place->outer == NULL)
        return resource;
    struct json_object *outer = adviceresource_enter(resource, place->outer);
    const struct str field = place->property == NULL ? STR("") : str_of(place->property);
    return outer == NULL ? NULL : enter(outer, place->outer->schema, field, place->depth);
}

struct json_object *adviceresource_enter_steps(struct json_object *value, struct json_object **schema,
                                               const struct rule_step *steps, size_t count)
{
    for (size_t i = 0; i + 1 < count && value != NULL && *schema != NULL; i++) {
        value = enter(value, *schema, steps[i].field, i);
        *schema = adviceplace_schema_behind(*schema, &steps[i]);
    }
    return *schema == NULL ? NULL : value;
}

static void add_item(struct json_object *value, struct json_object *schema)
{
    if (adviceplace_element(schema) != NULL)
        (void)enter(value, schema, STR(""), 0);
}

void adviceresource_set(struct json_object *value, struct json_object *schema,
                        const struct rule_setting *setting)
{
    struct json_object *holder =
        adviceresource_enter_steps(value, &schema, setting->steps, setting->step_count);
    const struct str field = setting->steps[setting->step_count - 1].field;
    if (holder == NULL || field.len == 0 || !json_object_is_type(holder, json_type_object))
        return;
    cleanup_mem char *key = mem_strndup(field.at, field.len);
    switch (setting->kind) {
    case RULE_SETTING_PRESENT:
        (void)enter(holder, schema, field, 0);
        break;
    case RULE_SETTING_ITEM:
        add_item(enter(holder, schema, field, 0), adviceplace_property(schema, field));
        break;
    case RULE_SETTING_BOOL:
        jsonval_set(holder, key, json_object_new_boolean(setting->integer != 0));
        break;
    case RULE_SETTING_INT:
        jsonval_set(holder, key, json_object_new_int64(setting->integer));
        break;
    case RULE_SETTING_STRING:
        jsonval_set(holder, key, json_object_new_string_len(setting->text.at, (int)setting->text.len));
        break;
    }
}

struct json_object *adviceresource_new(struct json_object *definition, const char *version,
                                       const struct adviceplace *place)
{
    struct json_object *spec = jsonval_get(definition, "spec");
    while (place->outer != NULL)
        place = place->outer;
    struct json_object *resource = smallest(place->schema, 0), *metadata = json_object_new_object();
    cleanup_mem char *api_version = mem_printf("%s/%s", jsonval_string_or_empty(spec, "group"), version);
    jsonval_set(resource, "apiVersion", json_object_new_string(api_version));
    jsonval_set(resource, "kind",
                json_object_new_string(jsonval_string_or_empty(jsonval_get(spec, "names"), "kind")));
    jsonval_set(metadata, "name", json_object_new_string("a"));
    jsonval_set(resource, "metadata", metadata);
    return resource;
}

struct str adviceresource_text(struct json_object *resource)
{
    return str_of(
        json_object_to_json_string_ext(resource, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
}
