#include "typecheck/cel/interpreter/functions/collections.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/values/equality.h"
#include "typecheck/cel/interpreter/values/value_map.h"
#include "typecheck/cel/interpreter/values/value_text.h"

/* go_type: the name of a key's type in Go */
static const struct value *is_in(const struct invocation *c, const char *(*go_type)(const struct value *))
{
    const struct value *item = c->args[0], *range = c->args[1];
    if (range->kind == VALUE_LIST)
        return value_bool(equality_contains(c, range, item));
    if (range->kind == VALUE_MAP && value_is_typed(range) && item->kind != VALUE_STRING)
        return value_errorf(c->arena, "unsupported map key type: %s", go_type(item));
    if (range->kind == VALUE_MAP && value_is_custom(range) && item->kind != VALUE_STRING)
        return value_no_overload(c->arena);
    if (range->kind == VALUE_MAP && !range->map->is_json && range->map->count != 0) {
        const struct value *fatal = value_check_hashable(c->arena, item);
        if (fatal != NULL)
            return fatal;
    }
    if (range->kind == VALUE_MAP)
        return value_bool(value_map_find(c->arena, range->map, item) != NULL);
    return value_no_overload(c->arena);
}

const struct value *collections_in(const struct invocation *c)
{
    return is_in(c, value_go_generic_type);
}

const struct value *collections_in_before_generics(const struct invocation *c)
{
    return is_in(c, value_go_type);
}

const struct value *collections_size(const struct invocation *c)
{
    const struct value *v = c->args[0];
    size_t size = v->kind == VALUE_LIST     ? v->list->count
                  : v->kind == VALUE_MAP    ? v->map->count
                  : v->kind == VALUE_STRING ? value_string_size(c->arena, v->text)
                                            : v->text.len;
    return value_int(c->arena, (int64_t)size);
}

/* Returns a map with the entry added: the same map if a comprehension collects in it, else a copy. If the key
 * is there already, returns NULL and sets *error. */
static const struct value *insert(const struct invocation *c, const struct value *map,
                                  const struct value *key, const struct value *v, const struct value **error)
{
    struct arena *a = c->arena;
    *error = value_check_hashable(a, key);
    if (*error == NULL && value_map_find(a, map->map, key) != NULL && !value_has_text(a, key))
        *error = function_lacks_text(c);
    else if (*error == NULL && value_map_find(a, map->map, key) != NULL)
        *error = value_error_of(
            a, ISSUE_OTHER,
            str_join(a, STR_PARTS(STR("insert failed: key "), value_text(a, key), STR(" already exists"))));
    if (*error != NULL)
        return NULL;
    if (!map->map->is_mutable) {
        struct value *copy = value_map_new(a, map->map->count + 1);
        for (size_t i = 0; i < map->map->count; i++)
            value_map_set(a, copy->map, map->map->entries[i].key, map->map->entries[i].value);
        map = copy;
    }
    value_map_set(a, map->map, key, v);
    return map;
}

const struct value *collections_insert(const struct invocation *c)
{
    const struct value *error;
    const struct value *map = insert(c, c->args[0], c->args[1], c->args[2], &error);
    return error != NULL ? error : map;
}

const struct value *collections_insert_all(const struct invocation *c)
{
    const struct value *map = c->args[0];
    const struct value_map *more = c->args[1]->map;
    for (size_t i = 0; i < more->count; i++) {
        const struct value *error;
        map = insert(c, map, more->entries[i].key, more->entries[i].value, &error);
        if (error != NULL)
            return error;
    }
    return map;
}
