#include "typecheck/policy/abstract/domain/absmap.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/types/reads.h"
#include "typecheck/cel/types/type.h"
#include "typecheck/policy/abstract/domain/bounds.h"
#include "typecheck/policy/abstract/domain/spelled.h"

/* An entry of a schema's map of additional properties. */
static const struct absval *entry_of_map(struct arena *a, const struct absmap *map)
{
    const struct absval *value = absval_of_field(a, map->type->params[1], map->form);
    if (map->value_spelling != SPELLING_ANY && (value->kinds & ~(uint32_t)ABS_NULL) == ABS_STRING)
        value = absval_with_words(a, value, spelled_field(a, STR("value"), map->value_spelling));
    return map->is_go && (value->kinds & ABS_NULL) == 0 ? absval_entry(a, value)
                                                        : absval_rarely_null(a, value);
}

/* A key of it. */
static const struct absval *key_of_map(struct arena *a, const struct absmap *map)
{
    return map->key_spelling == SPELLING_ANY
               ? &absval_string
               : absval_with_words(a, &absval_string, spelled_field(a, STR("key"), map->key_spelling));
}

/* The value with what is known of the keys and values of its map. */
static const struct absval *of_map(struct arena *a, const struct absval *v, const struct object_entry *entry)
{
    if (v->maps == NULL || v->maps->next != NULL || v->maps->form == ABS_UNVALIDATED)
        return v;
    struct absmap map = *v->maps;
    map.is_go = entry->is_go_map;
    map.key_spelling = entry->key_spelling;
    map.value_spelling = entry->spelling;
    return absval_of_map(a, map);
}

static const struct abswords *listed(struct arena *a, struct str what, const struct type_words *words)
{
    struct abswords *said = ARENA_NEW(a, struct abswords);
    *said = (struct abswords){
        .what = what, .list = words->list, .count = words->count, .elsewhere = words->other_count};
    return said;
}

/* A string, or a list of strings, that can have only some values. */
static const struct absval *with_words(struct arena *a, const struct absval *v, struct str name,
                                       const struct object_entry *entry)
{
    const struct str what = str_join(a, STR_PARTS(STR("value of "), name));
    const struct abswords *said =
        entry->words != NULL ? listed(a, what, entry->words) : spelled_field(a, what, entry->spelling);
    const uint32_t kinds = v->kinds & ~(uint32_t)ABS_NULL;
    if (kinds == ABS_STRING)
        return absval_with_words(a, v, said);
    return kinds == ABS_LIST && v->list != NULL && v->list->element != NULL
               ? absval_with_element_words(a, v, said)
               : v;
}

/* Whole numbers that validation bounds. Authors write both bounds of a port, and say it once more. */
static struct absrange range_of(struct arena *a, const struct type_range *range)
{
    struct absnumbers *numbers = ARENA_NEW(a, struct absnumbers);
    *numbers = (struct absnumbers){
        .min = range->min, .max = range->max, .field = range->what, .is_often_written = true};
    return (struct absrange){range->min, range->max, numbers};
}

static const struct absval *with_range(struct arena *a, const struct absval *v,
                                       const struct type_range *range)
{
    const uint32_t kinds = v->kinds & ~(uint32_t)ABS_NULL;
    if (kinds == ABS_INT)
        return absval_in_range(a, v, range_of(a, range));
    if (kinds != ABS_LIST || v->list == NULL || v->list->element == NULL)
        return v;
    if (range->is_of_size)
        return absval_with_least(a, v, (size_t)range->min);
    return v->list->element->kinds == ABS_INT ? absval_with_element_range(a, v, range_of(a, range)) : v;
}

/* A field of a schema's object. */
static const struct absval *value_of_entry(struct arena *a, const struct absmap *map, struct str name,
                                           const struct object_entry *entry)
{
    const struct type *t =
        entry->type == NULL || kinds_of_type(entry->type) == ABS_ALL ? &type_json : entry->type;
    const struct absval *of_type = absval_of_field(a, t, map->form);
    const bool has_words = entry->words != NULL || entry->spelling != SPELLING_ANY;
    const struct absval *value = of_type->kinds == ABS_MAP ? of_map(a, of_type, entry)
                                 : has_words               ? with_words(a, of_type, name, entry)
                                 : entry->range != NULL    ? with_range(a, of_type, entry->range)
                                                           : of_type;
    if (entry->may_be_null)
        return absval_nullable(a, value);
    return entry->is_rarely_null ? absval_rarely_null(a, value) : value;
}

/* The values that the fields of a schema's object can have, without the fields that are known by
 * themselves. */
static const struct absval *entries_of_object(struct arena *a, struct types *ts, const struct absmap *map)
{
    const struct object_ops *ops = map->type->ops;
    const struct absval *values = NULL;
    struct object_entry entry;
    struct str name;
    size_t i = 0;
    if (ops == NULL || ops->entry == NULL)
        return &absval_json;
    for (; i < BOUNDS_ENTRIES && ops->entry(map->type, i, ts, &entry); i++) {
        arena_step(a);
        name = STR("");
        if (!ops->name(map->type, i, &name) || absmap_field(a, map, name) == NULL)
            values = absval_join(a, values, value_of_entry(a, map, name, &entry));
    }
    return i == 0 || i == BOUNDS_ENTRIES ? &absval_json : values;
}

const struct absval *absmap_keys(struct arena *a, const struct absval *v)
{
    const struct absval *keys = NULL;
    if (v->maps == NULL)
        return &absval_any;
    for (const struct absmap *m = v->maps; m != NULL; m = m->next) {
        arena_step(a);
        if (m->type == NULL)
            keys = absval_join(a, keys, m->field_keys);
        for (size_t i = 0; m->type == NULL && m->field_keys == NULL && i < m->field_count; i++)
            keys = absval_join(a, keys, absval_of_string(a, m->fields[i].name));
        keys = absval_join(a, keys, m->type != NULL ? key_of_map(a, m) : m->key);
    }
    return keys;
}

/* Its value, which the expression may use in any way. */
static const struct absval *read_field(struct types *ts, const struct absfield *field)
{
    if (field->value != NULL)
        reads_value(types_reads(ts), field->value->values);
    return field->value;
}

const struct absval *absmap_entries(struct arena *a, struct types *ts, const struct absval *v)
{
    const struct absval *values = NULL;
    if (v->maps == NULL)
        return &absval_any;
    for (const struct absmap *m = v->maps; m != NULL; m = m->next) {
        arena_step(a);
        values = absval_join(a, values, m->field_values);
        for (size_t i = 0; m->field_values == NULL && i < m->field_count; i++)
            values = absval_join(a, values, read_field(ts, &m->fields[i]));
        const struct absval *others = m->type == NULL             ? m->value
                                      : m->type->kind == TYPE_MAP ? entry_of_map(a, m)
                                                                  : entries_of_object(a, ts, m);
        values = absval_join(a, values, others);
    }
    return values;
}

/* A key of a schema's object: what the schema says, as JSON calls the key. */
static struct absmap_found find_in_object(struct arena *a, struct types *ts, const struct absmap *map,
                                          struct str name)
{
    const struct type *t = map->type;
    struct object_entry entry = {.type = &type_json, .may_be_null = true};
    if (t->ops->key != NULL && !t->ops->key(t, name, ts, &entry))
        return (struct absmap_found){ABS_ABSENT, NULL};
    const enum absval_presence presence = map->form == ABS_UNVALIDATED ? ABS_MAYBE
                                          : entry.is_always_there      ? ABS_PRESENT
                                          : entry.is_set               ? ABS_GIVEN
                                                                       : ABS_MAYBE;
    return (struct absmap_found){presence, value_of_entry(a, map, name, &entry)};
}

const struct absfield *absmap_field(struct arena *a, const struct absmap *map, struct str name)
{
    arena_pay(a, 1 + map->field_count / ARENA_LOOKS_PER_STEP);
    for (size_t i = 0; i < map->field_count; i++) {
        if (map->fields[i].name.len == name.len)
            arena_pay_bytes(a, name.len);
        if (str_eq(map->fields[i].name, name))
            return &map->fields[i];
    }
    return NULL;
}

struct absmap absmap_with(struct arena *a, const struct absmap *map, const struct absfield *field)
{
    struct absfield *fields = ARENA_ARRAY(a, map->field_count + 1, struct absfield);
    struct absmap made = *map;
    arena_pay(a, 1 + map->field_count / ARENA_LOOKS_PER_STEP);
    made.next = NULL;
    made.field_keys = made.field_values = NULL;
    made.field_count = 0;
    for (size_t i = 0; i < map->field_count; i++) {
        if (!str_eq(map->fields[i].name, field->name))
            fields[made.field_count++] = map->fields[i];
    }
    fields[made.field_count++] = *field;
    made.fields = fields;
    return made;
}

static struct absmap_found find_in_sort(struct arena *a, struct types *ts, const struct absmap *map,
                                        struct str name)
{
    const struct absfield *field = absmap_field(a, map, name);
    if (field != NULL)
        return (struct absmap_found){field->presence, read_field(ts, field)};
    if (map->type != NULL && map->type->kind == TYPE_OBJECT)
        return find_in_object(a, ts, map, name);
    if (map->type != NULL)
        return (struct absmap_found){ABS_MAYBE, entry_of_map(a, map)};
    if (map->value == NULL || (map->key->kinds & ABS_STRING) == 0)
        return (struct absmap_found){ABS_ABSENT, NULL};
    return (struct absmap_found){ABS_MAYBE, map->value};
}

struct absmap_found absmap_find(struct arena *a, struct types *ts, const struct absval *v, struct str name)
{
    const struct absval *value = NULL;
    enum absval_presence least = ABS_PRESENT;
    if (v->maps == NULL)
        return (struct absmap_found){ABS_MAYBE, &absval_json};
    for (const struct absmap *m = v->maps; m != NULL; m = m->next) {
        struct absmap_found found = find_in_sort(a, ts, m, name);
        least = found.presence < least ? found.presence : least;
        if (found.presence != ABS_ABSENT)
            value = absval_join(a, value, found.value);
    }
    return (struct absmap_found){least == ABS_ABSENT && value != NULL ? ABS_MAYBE : least, value};
}

const struct absmap *absmap_undeclared(struct arena *a, struct types *ts, const struct absval *v,
                                       struct str name)
{
    const uint32_t others = ABS_LIST | ABS_OPTIONAL | ABS_TIMESTAMP | ABS_DURATION | ABS_OPAQUE;
    if ((v->kinds & ABS_MAP) == 0 || (v->kinds & others) != 0)
        return NULL;
    for (const struct absmap *m = v->maps; m != NULL; m = m->next) {
        const bool is_declared = m->is_declared || (m->type != NULL && m->type->kind == TYPE_OBJECT);
        if (!is_declared || m->why.text.len != 0 || absmap_field(a, m, name) != NULL ||
            find_in_sort(a, ts, m, name).presence != ABS_ABSENT)
            return NULL;
    }
    return v->maps;
}

bool absmap_has_key_kind(const struct absval *v, const struct absval *key)
{
    if (v->maps == NULL)
        return (key->kinds & (ABS_STRING | ABS_BOOL | ABS_NUMBER)) != 0;
    for (const struct absmap *m = v->maps; m != NULL; m = m->next) {
        uint32_t kinds = m->type != NULL || m->field_count != 0 ? ABS_STRING : 0u;
        kinds |= m->type == NULL && m->key != NULL ? m->key->kinds : 0u;
        if (kinds_meet(kinds, key->kinds))
            return true;
    }
    return false;
}

enum absval_presence absmap_presence(struct arena *a, struct types *ts, const struct absval *v,
                                     const struct absval *key)
{
    const struct str *name = absval_constant_string(key);
    if (name != NULL)
        return absmap_find(a, ts, v, *name).presence;
    return absmap_has_key_kind(v, key) ? ABS_MAYBE : ABS_ABSENT;
}

struct absmap_found absmap_find_key(struct arena *a, struct types *ts, const struct absval *v,
                                    const struct absval *key)
{
    const struct str *name = absval_constant_string(key);
    if (name != NULL)
        return absmap_find(a, ts, v, *name);
    const struct absval *value = absmap_has_key_kind(v, key) ? absmap_entries(a, ts, v) : NULL;
    return (struct absmap_found){value == NULL ? ABS_ABSENT : ABS_MAYBE, value};
}
