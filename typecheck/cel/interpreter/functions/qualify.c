#include "typecheck/cel/interpreter/functions/qualify.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/values/value_map.h"
#include "typecheck/cel/interpreter/values/value_text.h"

#define TWO_TO_63 9223372036854775808.0

static const struct value *unsupported(struct arena *a, const struct value *key)
{
    return value_error(
        a, str_join(a, STR_PARTS(STR("unsupported index value "), value_text(a, key), STR(" in list"))));
}

/* The whole number that the key stands for; else it sets *error and returns -1. */
static int64_t read_index(struct arena *a, const struct value *key, const struct value **error)
{
    *error = NULL;
    if (key->kind == VALUE_INT || (key->kind == VALUE_UINT && key->uinteger <= INT64_MAX))
        return key->integer;
    if (key->kind == VALUE_DOUBLE && key->floating > -TWO_TO_63 && key->floating < TWO_TO_63 &&
        (double)(int64_t)key->floating == key->floating)
        return (int64_t)key->floating;
    *error = key->kind == VALUE_DOUBLE || key->kind == VALUE_UINT
                 ? unsupported(a, key)
                 : value_error(a, str_join(a, STR_PARTS(STR("unsupported index type '"), value_type_name(key),
                                                        STR("' in list"))));
    return -1;
}

static const struct value *typed_key_error(struct arena *a, const struct value *key)
{
    return value_errorf(a, "unsupported map key type: %s", value_go_type(key));
}

/* Called after the check of the bounds: Go checks them for every kind of number, and then takes only ints. */
static const struct value *strict_item(struct arena *a, const struct value *v, const struct value *key,
                                       size_t index)
{
    if (key->kind == VALUE_INT)
        return v->list->items[index];
    struct value *error = ARENA_NEW(a, struct value);
    *error = value_is_typed(v)
                 ? *value_errorf(a, "unsupported index type: %s", value_go_type(key))
                 : *value_error(a, str_join(a, STR_PARTS(STR("unsupported index: "), value_text(a, key))));
    error->is_item = true;
    return error;
}

const struct value *qualify_find(struct arena *a, const struct value *v, const struct value *key)
{
    const struct value *error;
    if (v->kind == VALUE_MAP && value_is_typed(v) && key->kind != VALUE_STRING)
        return typed_key_error(a, key);
    if (v->kind == VALUE_MAP && value_is_custom(v) && key->kind != VALUE_STRING)
        return value_no_overload(a);
    if (v->kind == VALUE_MAP)
        return value_map_find(a, v->map, key);
    if (v->kind != VALUE_LIST)
        return NULL;
    int64_t index = read_index(a, key, &error);
    if (error != NULL)
        return error;
    if (index < 0 || (uint64_t)index >= v->list->count)
        return NULL;
    return value_is_typed(v) || value_is_custom(v) ? strict_item(a, v, key, (size_t)index)
                                                   : v->list->items[index];
}

const struct value *qualify_missing(struct arena *a, const struct value *v, const struct value *key)
{
    if (v->kind != VALUE_LIST)
        return value_no_key(a, value_text(a, key));
    return value_error(a, str_join(a, STR_PARTS(STR("index out of bounds: "), value_text(a, key))));
}
