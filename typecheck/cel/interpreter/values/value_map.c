#include "typecheck/cel/interpreter/values/value_map.h"

#include "typecheck/base/arena.h"
#include "typecheck/golang/goaddress.h"

/* Maps of no more entries are searched one by one. */
enum { FEW_ENTRIES = 8, FIRST_ENTRIES = 4 };

struct value *value_map_new(struct arena *a, size_t cap)
{
    struct value *v = ARENA_NEW(a, struct value);
    v->kind = VALUE_MAP;
    v->map = ARENA_NEW(a, struct value_map);
    v->map->entries = ARENA_ARRAY(a, cap, struct value_entry);
    v->map->cap = cap;
    return v;
}

/* Go's == of two keys: of the same type, and lists, maps and optionals only with themselves. */
static bool is_same_key(struct arena *a, const struct value *one, const struct value *two)
{
    if (one == two && one->kind != VALUE_DOUBLE)
        return true;
    if (one->kind != two->kind)
        return false;
    switch (one->kind) {
    case VALUE_NULL:
        return true;
    case VALUE_BOOL:
        return one->boolean == two->boolean;
    case VALUE_INT:
    case VALUE_DURATION:
        return one->integer == two->integer;
    case VALUE_UINT:
        return one->uinteger == two->uinteger;
    case VALUE_DOUBLE:
        return one->floating == two->floating;
    case VALUE_STRING:
    case VALUE_TYPE:
        arena_pay_bytes(a, one->text.len);
        return str_eq(one->text, two->text);
    case VALUE_TIMESTAMP:
        return one->timestamp.seconds == two->timestamp.seconds &&
               one->timestamp.nanoseconds == two->timestamp.nanoseconds &&
               one->timestamp.offset_seconds == two->timestamp.offset_seconds;
    case VALUE_IP:
    case VALUE_CIDR:
        return goaddress_are_equal(one->address, two->address);
    case VALUE_QUANTITY:
        return one->quantity == two->quantity;
    case VALUE_URL:
        return one->url == two->url;
    case VALUE_BYTES:
    case VALUE_LIST:
    case VALUE_MAP:
    case VALUE_OPTIONAL:
    case VALUE_SEMVER:
    case VALUE_FORMAT:
    case VALUE_AUTHORIZATION:
    case VALUE_OBJECT:
    case VALUE_JSON_PATCH:
    case VALUE_ERROR:
        break;
    }
    return false;
}

/* A hash that is equal for keys that are the same; by content if that is a text or one word, else by kind. */
static uint32_t hash_key(struct arena *a, const struct value *key)
{
    static const uint64_t FACTOR = 0x9E3779B97F4A7C15u;
    if (key->kind == VALUE_STRING || key->kind == VALUE_TYPE) {
        arena_pay_hash(a, key->text.len);
        return str_hash(key->text);
    }
    bool is_word = key->kind == VALUE_INT || key->kind == VALUE_UINT || key->kind == VALUE_DURATION;
    return (uint32_t)(((is_word ? key->uinteger : 0) + (uint64_t)key->kind) * FACTOR >> 32);
}

/* The slot of the key, or the free slot for it. */
static uint32_t *find_slot(struct arena *a, const struct value_map *map, const struct value *key)
{
    size_t i = hash_key(a, key) & (map->slot_count - 1);
    while (map->slots[i] != 0 && !is_same_key(a, map->entries[map->slots[i] - 1].key, key)) {
        arena_step(a);
        i = (i + 1) & (map->slot_count - 1);
    }
    return &map->slots[i];
}

static void index_entries(struct arena *a, struct value_map *map)
{
    map->slot_count = (size_t)FEW_ENTRIES * 4;
    while (map->slot_count < 4 * map->count)
        map->slot_count *= 2;
    map->slots = ARENA_ARRAY(a, map->slot_count, uint32_t);
    for (size_t i = 0; i < map->count; i++)
        *find_slot(a, map, map->entries[i].key) = (uint32_t)i + 1;
}

/* Finds the entry of a key in a map without an index. NULL: there is none. */
static struct value_entry *find_among_few(struct arena *a, const struct value_map *map,
                                          const struct value *key)
{
    for (size_t i = 0; i < map->count; i++) {
        if (is_same_key(a, map->entries[i].key, key))
            return &map->entries[i];
    }
    return NULL;
}

/* Returns the entry with this key, or NULL if there is none. */
static struct value_entry *find_entry(struct arena *a, const struct value_map *map, const struct value *key)
{
    if (map->slots == NULL)
        return find_among_few(a, map, key);
    uint32_t place = *find_slot(a, map, key);
    return place == 0 ? NULL : &map->entries[place - 1];
}

/* slot: where the key's entry is indexed; NULL: that is not known. */
static void add(struct arena *a, struct value_map *map, const struct value *key, const struct value *v,
                uint32_t *slot)
{
    ARENA_ROOM(a, map->entries, map->count, map->cap, FIRST_ENTRIES);
    map->entries[map->count++] = (struct value_entry){key, v};
    if (map->slots != NULL && 2 * map->count <= map->slot_count)
        *(slot != NULL ? slot : find_slot(a, map, key)) = (uint32_t)map->count;
    else if (map->count > FEW_ENTRIES)
        index_entries(a, map);
}

void value_map_add(struct arena *a, struct value_map *map, const struct value *key, const struct value *v)
{
    add(a, map, key, v, NULL);
}

void value_map_set(struct arena *a, struct value_map *map, const struct value *key, const struct value *v)
{
    uint32_t *slot = map->slots == NULL ? NULL : find_slot(a, map, key);
    struct value_entry *known = slot == NULL ? find_among_few(a, map, key)
                                : *slot == 0 ? NULL
                                             : &map->entries[*slot - 1];
    if (known != NULL)
        known->value = v;
    else
        add(a, map, key, v, slot);
}

void value_map_remove(struct arena *a, struct value_map *map, const struct value *key)
{
    const struct value_entry *entry = find_entry(a, map, key);
    if (entry == NULL)
        return;
    map->count--;
    for (size_t i = (size_t)(entry - map->entries); i < map->count; i++)
        map->entries[i] = map->entries[i + 1];
    if (map->slots != NULL)
        index_entries(a, map);
}

const struct value *value_map_at(struct arena *a, const struct value_map *map, const struct value *key)
{
    const struct value_entry *entry = find_entry(a, map, key);
    return entry == NULL ? NULL : entry->value;
}

const struct value *value_map_member(struct arena *a, const struct value_map *map, struct str key)
{
    const struct value name = {.kind = VALUE_STRING, .text = key};
    return value_map_at(a, map, &name);
}

#define TWO_TO_63 9223372036854775808.0
#define TWO_TO_64 18446744073709551616.0

static const struct value *find_double(struct arena *a, const struct value_map *map, double d)
{
    const struct value *found = NULL;
    if (d > -TWO_TO_63 && d < TWO_TO_63 && (double)(int64_t)d == d)
        found = value_map_at(a, map, &(struct value){.kind = VALUE_INT, .integer = (int64_t)d});
    if (found == NULL && d >= 0 && d < TWO_TO_64 && (double)(uint64_t)d == d)
        found = value_map_at(a, map, &(struct value){.kind = VALUE_UINT, .uinteger = (uint64_t)d});
    return found;
}

const struct value *value_map_find(struct arena *a, const struct value_map *map, const struct value *key)
{
    if (map->count == 0 || (map->is_json && key->kind != VALUE_STRING))
        return NULL;
    const struct value *found = value_map_at(a, map, key);
    if (found != NULL)
        return found;
    if (key->kind == VALUE_DOUBLE)
        return find_double(a, map, key->floating);
    if (key->kind == VALUE_INT && key->integer >= 0)
        return value_map_at(a, map, &(struct value){.kind = VALUE_UINT, .uinteger = (uint64_t)key->integer});
    if (key->kind == VALUE_UINT && key->uinteger <= INT64_MAX)
        return value_map_at(a, map, &(struct value){.kind = VALUE_INT, .integer = (int64_t)key->uinteger});
    return NULL;
}
