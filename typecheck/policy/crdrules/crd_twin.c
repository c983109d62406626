#include "typecheck/policy/crdrules/crd_twin.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/values/value_map.h"
#include "typecheck/policy/crdrules/custom_value.h"

enum { DEPTH = 1000 };

/* ---- as Go's reflect.DeepEqual ---- */

static bool is_same(struct arena *a, const struct value *one, const struct value *two, unsigned depth);

static bool are_same_members(struct arena *a, const struct value_map *one, const struct value_map *two,
                             unsigned depth)
{
    bool are_same = one->count == two->count;
    for (size_t i = 0; are_same && i < one->count; i++) {
        const struct value *other = value_map_at(a, two, one->entries[i].key);
        are_same = other != NULL && is_same(a, one->entries[i].value, other, depth + 1);
    }
    return are_same;
}

static bool is_same(struct arena *a, const struct value *one, const struct value *two, unsigned depth)
{
    bool is = one->kind == two->kind;
    arena_step(a);
    if (depth > DEPTH)
        arena_fail(a, ARENA_STEPS);
    if (!is)
        return false;
    switch (one->kind) {
    case VALUE_BOOL:
        return one->boolean == two->boolean;
    case VALUE_INT:
        return one->integer == two->integer;
    case VALUE_DOUBLE:
        return one->floating == two->floating;
    case VALUE_STRING:
        arena_pay_bytes(a, one->text.len);
        return str_eq(one->text, two->text);
    case VALUE_LIST:
        is = one->list->count == two->list->count;
        for (size_t i = 0; is && i < one->list->count; i++)
            is = is_same(a, one->list->items[i], two->list->items[i], depth + 1);
        return is;
    case VALUE_MAP:
        return are_same_members(a, one->map, two->map, depth);
    default: /* JSON has nothing else but null */
        return true;
    }
}

/* ---- items by their keys ---- */

static const struct value_list *keys_of(struct arena *a, const struct value *schema)
{
    const struct value *keys = custom_value_member(a, schema, STR("x-kubernetes-list-map-keys"));
    const bool is_map = str_eq(custom_value_text(a, schema, STR("x-kubernetes-list-type")), STR("map"));
    return is_map && keys != NULL && keys->kind == VALUE_LIST && keys->list->count > 0 ? keys->list : NULL;
}

/* Keys are scalars that are there. */
static bool have_same_keys(struct arena *a, const struct value_list *keys, const struct value *one,
                           const struct value *two)
{
    const uint32_t scalars =
        VALUE_KIND(VALUE_BOOL) | VALUE_KIND(VALUE_INT) | VALUE_KIND(VALUE_DOUBLE) | VALUE_KIND(VALUE_STRING);
    for (size_t i = 0; i < keys->count; i++) {
        const struct value *k = keys->items[i]->kind == VALUE_STRING ? keys->items[i] : &value_null;
        const struct value *mine = k->kind == VALUE_STRING ? custom_value_member(a, one, k->text) : NULL;
        const struct value *other = mine == NULL ? NULL : custom_value_member(a, two, k->text);
        if (other == NULL || (scalars >> mine->kind & 1) == 0 || !is_same(a, mine, other, 0))
            return false;
    }
    return true;
}

const struct value *crd_twin_find(struct arena *a, const struct value *schema, const struct value *list,
                                  const struct value *item)
{
    const struct value_list *keys = keys_of(a, schema);
    const size_t count = list == NULL || list->kind != VALUE_LIST || keys == NULL ? 0 : list->list->count;
    for (size_t i = 0; i < count; i++) {
        arena_step(a);
        if (have_same_keys(a, keys, item, list->list->items[i]))
            return list->list->items[i];
    }
    return NULL;
}

/* ---- twins ---- */

bool crd_twin_member(struct arena *a, const struct crd_twin *twin, struct str name, struct crd_twin *out)
{
    bool is_property;
    *out =
        (struct crd_twin){custom_value_member(a, twin->now, name), custom_value_member(a, twin->before, name),
                          custom_value_entry_schema(a, twin->schema, name, &is_property)};
    return out->now != NULL && out->before != NULL && out->schema != NULL;
}

bool crd_twin_item(struct arena *a, const struct crd_twin *twin, size_t index, struct crd_twin *out)
{
    if (twin->now->kind != VALUE_LIST || index >= twin->now->list->count)
        return false;
    *out = (struct crd_twin){.now = twin->now->list->items[index],
                             .schema = custom_value_member(a, twin->schema, STR("items"))};
    out->before = crd_twin_find(a, twin->schema, twin->before, out->now);
    return out->before != NULL && out->schema != NULL;
}

static bool is_equal(struct arena *a, const struct crd_twin *twin, unsigned depth);

static bool are_equal_items(struct arena *a, const struct crd_twin *twin, unsigned depth)
{
    const size_t count = twin->now->list->count;
    struct crd_twin item;
    bool are_equal = count == twin->before->list->count;
    if (are_equal && keys_of(a, twin->schema) == NULL)
        return is_same(a, twin->now, twin->before, depth);
    for (size_t i = 0; are_equal && i < count; i++)
        are_equal = crd_twin_item(a, twin, i, &item) && is_equal(a, &item, depth + 1);
    return are_equal;
}

static bool are_equal_members(struct arena *a, const struct crd_twin *twin, unsigned depth)
{
    const struct value_map *map = twin->now->map;
    struct crd_twin member;
    bool are_equal = map->count == twin->before->map->count;
    for (size_t i = 0; are_equal && i < map->count; i++)
        are_equal =
            crd_twin_member(a, twin, map->entries[i].key->text, &member) && is_equal(a, &member, depth + 1);
    return are_equal;
}

static bool is_equal(struct arena *a, const struct crd_twin *twin, unsigned depth)
{
    arena_step(a);
    if (depth > DEPTH)
        arena_fail(a, ARENA_STEPS);
    if (twin->now->kind == VALUE_LIST && twin->before->kind == VALUE_LIST)
        return are_equal_items(a, twin, depth);
    if (twin->now->kind == VALUE_MAP && twin->before->kind == VALUE_MAP)
        return are_equal_members(a, twin, depth);
    return is_same(a, twin->now, twin->before, depth);
}

bool crd_twin_is_equal(struct arena *a, const struct crd_twin *twin)
{
    return is_equal(a, twin, 0);
}
