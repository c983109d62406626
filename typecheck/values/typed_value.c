#include "typecheck/values/typed_value.h"

#include "typecheck/base/arena.h"
#include "typecheck/values/value_map.h"

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
        value_map_set(a, v->map, key, field);
    }
    return v;
}

static const struct value *map_of(struct arena *a, const struct value_map *json, const struct go_type *type)
{
    const struct go_type item = go_type_item(type);
    struct value *v = mark(value_map_new(a, json->count), VALUE_GO_TYPED);
    v->map->is_json = true;
    for (size_t i = 0; i < json->count; i++) {
        const struct value *x = typed_value_of(a, json->entries[i].value, &item);
        if (x == NULL)
            return NULL;
        value_map_set(a, v->map, json->entries[i].key, x);
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

static const struct value *marked_copy(struct arena *a, const struct value *json, enum value_go go)
{
    struct value *v = ARENA_NEW(a, struct value);
    *v = *json;
    return mark(v, go);
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
        return json->kind == VALUE_MAP ? map_of(a, json->map, type) : NULL;
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
