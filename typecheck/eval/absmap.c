#include "typecheck/eval/absmap.h"

#include "typecheck/base/arena.h"
#include "typecheck/types/type.h"

const struct absval *absmap_value(struct arena *a, struct absmap map)
{
    struct absval *v = ARENA_NEW(a, struct absval);
    struct absmap *m = ARENA_NEW(a, struct absmap);
    *m = map;
    v->kinds = ABS_MAP;
    v->maps = m;
    return v;
}

static bool has_sort(struct arena *a, const struct absmap *maps, size_t count, const struct absmap *wanted)
{
    arena_pay(a, count / ARENA_LOOKS_PER_STEP);
    for (; maps != NULL; maps = maps->next) {
        if (maps->type == wanted->type && maps->fields == wanted->fields && maps->value == wanted->value)
            return true;
    }
    return false;
}

const struct absmap *absmap_join(struct arena *a, const struct absmap *one, const struct absmap *two)
{
    const struct absmap *all = one;
    size_t count = 0;
    if (one == NULL || two == NULL)
        return NULL;
    for (const struct absmap *m = all; m != NULL; m = m->next)
        count++;
    for (const struct absmap *m = two; m != NULL; m = m->next) {
        arena_step(a);
        if (has_sort(a, all, count, m))
            continue;
        count++;
        struct absmap *added = ARENA_NEW(a, struct absmap);
        *added = *m;
        added->next = all;
        all = added;
    }
    return all;
}

static const struct absval *join_known(struct arena *a, const struct absval *known, const struct absval *more)
{
    return known == NULL ? more : more == NULL ? known : absval_join(a, known, more);
}

const struct absval *absmap_keys(struct arena *a, const struct absval *v)
{
    const struct absval *keys = NULL;
    if (v->maps == NULL)
        return &absval_any;
    for (const struct absmap *m = v->maps; m != NULL; m = m->next) {
        arena_step(a);
        if (m->type == NULL)
            keys = join_known(a, keys, m->field_keys);
        for (size_t i = 0; m->type == NULL && m->field_keys == NULL && i < m->field_count; i++)
            keys = join_known(a, keys, absval_of_string(a, m->fields[i].name));
        keys = join_known(a, keys, m->type != NULL ? &absval_string : m->key);
    }
    return keys;
}

const struct absval *absmap_entries(struct arena *a, const struct absval *v)
{
    const struct absval *values = NULL;
    if (v->maps == NULL)
        return &absval_any;
    for (const struct absmap *m = v->maps; m != NULL; m = m->next) {
        arena_step(a);
        values = join_known(a, values, m->field_values);
        for (size_t i = 0; m->field_values == NULL && i < m->field_count; i++)
            values = join_known(a, values, m->fields[i].value);
        if (m->type == NULL)
            values = join_known(a, values, m->value);
        else if (m->type->kind == TYPE_MAP)
            values = join_known(a, values, absval_rarely_null(a, absval_of_type(a, m->type->params[1])));
        else
            values = join_known(a, values, &absval_json);
    }
    return values;
}

/* A key of a schema's object: what the schema says, as JSON calls the key. */
static struct absmap_found find_key(struct arena *a, struct types *ts, const struct type *t, struct str name)
{
    struct object_entry entry = {.type = &type_json, .may_be_null = true};
    if (t->ops->key != NULL && !t->ops->key(t, name, ts, &entry))
        return (struct absmap_found){ABS_ABSENT, NULL};
    if (absval_kinds_of_type(entry.type) == ABS_ALL)
        entry.type = &type_json;
    const struct absval *value = absval_of_type(a, entry.type);
    if (entry.may_be_null)
        value = absval_nullable(a, value);
    else if (entry.is_rarely_null)
        value = absval_rarely_null(a, value);
    return (struct absmap_found){entry.is_always_there ? ABS_PRESENT : ABS_MAYBE, value};
}

struct absmap_found absmap_find(struct arena *a, struct types *ts, const struct absmap *map, struct str name)
{
    arena_pay(a, 1 + map->field_count / ARENA_LOOKS_PER_STEP);
    for (size_t i = 0; i < map->field_count; i++) {
        if (map->fields[i].name.len == name.len)
            arena_pay_bytes(a, name.len);
        if (str_eq(map->fields[i].name, name))
            return (struct absmap_found){map->fields[i].presence, map->fields[i].value};
    }
    if (map->type != NULL && map->type->kind == TYPE_OBJECT)
        return find_key(a, ts, map->type, name);
    if (map->type != NULL)
        return (struct absmap_found){ABS_MAYBE,
                                     absval_rarely_null(a, absval_of_type(a, map->type->params[1]))};
    if (map->value == NULL || (map->key->kinds & ABS_STRING) == 0)
        return (struct absmap_found){ABS_ABSENT, NULL};
    return (struct absmap_found){ABS_MAYBE, map->value};
}
