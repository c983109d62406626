#include "typecheck/run/collections.h"

#include "typecheck/base/arena.h"
#include "typecheck/run/equality.h"

const struct value *collections_in(const struct invocation *c)
{
    const struct value *item = c->args[0], *range = c->args[1];
    if (range->kind == VALUE_LIST)
        return value_bool(equality_contains(c->arena, range->list, item));
    if (range->kind == VALUE_MAP && !range->map->is_json && range->map->count != 0) {
        const struct value *fatal = value_check_hashable(c->arena, item);
        if (fatal != NULL)
            return fatal;
    }
    if (range->kind == VALUE_MAP)
        return value_bool(value_find(c->arena, range->map, item) != NULL);
    return value_no_overload(c->arena);
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
