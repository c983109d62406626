#include "typecheck/cel/interpreter/values/typed_value.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/values/value_map.h"

static struct value *mark(struct value *v, enum value_go go)
{
    v->go = go;
    return v;
}

static const struct value *struct_of(struct arena *a, const struct value_map *json,
                                     const struct go_type *type)
{
    struct value *v = mark(value_map_new(a, json->count), VALUE_GO_TYPED);
    v->map->is_json = true;
    v->map->go_struct = go_type_name(type);
    for (size_t i = 0; i < json->count; i++) {
        const struct value *key = json->entries[i].key, *field;
        struct go_type of_field;
        if (!go_type_field(a, type, key->text, &of_field))
            continue;
        field = typed_value_of(a, json->entries[i].value, &of_field);
        if (field == NULL)
            return NULL;
        value_map_add(a, v->map, key, field);
    }
    return v;
}

static const struct value *marked_copy(struct arena *a, const struct value *json, enum value_go go)
{
    struct value *v = ARENA_NEW(a, struct value);
    *v = *json;
    return mark(v, go);
}

/* Returns true if the values of a map of JSON are the same in Go: labels, for example. */
static bool has_scalars(struct arena *a, const struct value_map *json, const struct go_type *item)
{
    if (!json->is_json || go_type_shape(item) != GO_SCALAR)
        return false;
    arena_pay(a, json->count);
    for (size_t i = 0; i < json->count; i++) {
        if (json->entries[i].value->kind == VALUE_LIST || json->entries[i].value->kind == VALUE_MAP)
            return false;
    }
    return true;
}

static const struct value *map_of(struct arena *a, const struct value *map, const struct go_type *type)
{
    const struct value_map *json = map->map;
    const struct go_type item = go_type_item(type);
    if (has_scalars(a, json, &item))
        return marked_copy(a, map, VALUE_GO_TYPED);
    struct value *v = mark(value_map_new(a, json->count), VALUE_GO_TYPED);
    v->map->is_json = true;
    for (size_t i = 0; i < json->count; i++) {
        const struct value *x = typed_value_of(a, json->entries[i].value, &item);
        if (x == NULL)
            return NULL;
        value_map_add(a, v->map, json->entries[i].key, x);
    }
    return v;
}

static const struct value *list_of(struct arena *a, const struct value_list *json, const struct go_type *type)
{
    const struct go_type item = go_type_item(type);
    struct value *v = mark(value_new_list(a, json->count), VALUE_GO_TYPED);
    for (size_t i = 0; i < json->count; i++) {
        const struct value *x = typed_value_of(a, json->items[i], &item);
        if (x == NULL)
            return NULL;
        value_append(a, v->list, x);
    }
    return v;
}

const struct value *typed_value_of(struct arena *a, const struct value *json, const struct go_type *type)
{
    arena_step(a);
    if (json->kind == VALUE_NULL)
        return json;
    switch (go_type_shape(type)) {
    case GO_STRUCT:
        return json->kind == VALUE_MAP ? struct_of(a, json->map, type) : NULL;
    case GO_MAP:
        return json->kind == VALUE_MAP ? map_of(a, json, type) : NULL;
    case GO_LIST:
        return json->kind == VALUE_LIST ? list_of(a, json->list, type) : NULL;
    case GO_QUANTITY:
        return json->kind == VALUE_STRING ? marked_copy(a, json, VALUE_GO_QUANTITY) : NULL;
    case GO_DOUBLE:
        return json->kind == VALUE_INT ? value_double(a, (double)json->integer) : json;
    case GO_JSON:
        return marked_copy(a, json, VALUE_GO_JSON);
    case GO_SCALAR:
        return json->kind == VALUE_LIST || json->kind == VALUE_MAP ? NULL : json;
    case GO_FIELDS:
        break;
    }
    return json;
}

/* ---- refusals of the decoder ---- */

/* The place of a value. The decoder names fields, and neither keys of maps nor places in lists. */
struct way {
    const struct way *outer; /* the way to the value around it; NULL for the object itself */
    struct str field;
};

struct refusals {
    struct arena *arena;
    struct str text;                 /* of the first */
    const struct error_names *names; /* of the first: the fields on the way to it, and its key */
    size_t count;
};

/* The name in Go of the struct that the schema io.k8s.api.core.v1.PodSpec is of. */
static struct str name_struct(const struct go_type *type)
{
    struct str name = go_type_name(type);
    size_t start = name.len;
    while (start > 0 && name.at[start - 1] != '.')
        start--;
    return str_skip(name, start);
}

static void add_way(struct text *t, const struct way *way)
{
    if (way->outer == NULL)
        return;
    add_way(t, way->outer);
    if (way->outer->outer != NULL)
        text_add_char(t, '.');
    text_add(t, way->field);
}

static struct str name_json(const struct value *v)
{
    const uint32_t numbers = VALUE_KIND(VALUE_INT) | VALUE_KIND(VALUE_UINT) | VALUE_KIND(VALUE_DOUBLE);
    return v->kind == VALUE_BOOL           ? STR("bool")
           : v->kind == VALUE_LIST         ? STR("array")
           : v->kind == VALUE_MAP          ? STR("object")
           : (numbers >> v->kind & 1) != 0 ? STR("number")
                                           : STR("");
}

static void refuse(struct refusals *r, const struct value_entry *entry, const struct go_type *of,
                   const struct way *way)
{
    struct text t = {.arena = r->arena};
    if (r->count++ != 0)
        return;
    text_add(&t, STR("json: cannot unmarshal "));
    text_add(&t, name_json(entry->value));
    text_add(&t, STR(" into Go struct field "));
    text_add(&t, name_struct(of));
    text_add_char(&t, '.');
    add_way(&t, way);
    text_add(&t, STR(" of type string"));
    r->text = text_str(&t);
    r->names = error_names_add(r->arena, NULL, entry->key->text);
    for (; way->outer != NULL; way = way->outer)
        r->names = error_names_add(r->arena, r->names, way->field);
}

/* of: the struct that holds the field at the end of the way. */
static void look_for_refusals(struct refusals *r, const struct value *json, const struct go_type *type,
                              const struct go_type *of, const struct way *way)
{
    const enum go_shape shape = go_type_shape(type);
    arena_step(r->arena);
    if (shape == GO_LIST && json->kind == VALUE_LIST) {
        const struct go_type item = go_type_item(type);
        for (size_t i = 0; i < json->list->count; i++)
            look_for_refusals(r, json->list->items[i], &item, of, way);
    }
    if ((shape != GO_MAP && shape != GO_STRUCT) || json->kind != VALUE_MAP)
        return;
    const struct go_type item = shape == GO_MAP ? go_type_item(type) : *type;
    const bool has_strings = shape == GO_MAP && go_type_is_string(&item);
    for (size_t i = 0; i < json->map->count; i++) {
        const struct value *v = json->map->entries[i].value;
        struct go_type field;
        if (has_strings && name_json(v).len != 0)
            refuse(r, &json->map->entries[i], of, way);
        else if (shape == GO_MAP)
            look_for_refusals(r, v, &item, of, way);
        else if (go_type_field(r->arena, type, json->map->entries[i].key->text, &field))
            look_for_refusals(r, v, &field, type, &(struct way){way, json->map->entries[i].key->text});
    }
}

struct str typed_value_refusal(struct arena *a, const struct value *json, const struct go_type *type,
                               size_t *count, const struct error_names **names)
{
    struct refusals r = {.arena = a, .text = STR("")};
    look_for_refusals(&r, json, type, type, &(struct way){NULL, STR("")});
    *count = r.count;
    *names = r.names;
    return r.text;
}
