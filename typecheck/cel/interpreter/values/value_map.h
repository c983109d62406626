/*
 * value_map: maps of values, in the order of insertion, with a hash table of the keys once there are many.
 */
#ifndef TYPECHECK_CEL_INTERPRETER_VALUES_VALUE_MAP_H
#define TYPECHECK_CEL_INTERPRETER_VALUES_VALUE_MAP_H

#include "typecheck/cel/interpreter/values/value.h"

struct value_entry {
    const struct value *key, *value;
};

/* The first byte of a key that no expression finds (custom_value.h). */
#define VALUE_MAP_HIDDEN '\0'

/* Keys in JSON are strings, and only strings are found there. Entries are in the order of insertion. */
struct value_map {
    struct value_entry *entries;
    size_t count, cap;
    uint32_t *slots; /* by hash: 1 + index into entries; NULL while there are few */
    size_t slot_count;
    bool is_json, is_mutable;
    struct str go_struct; /* VALUE_GO_TYPED: which one; empty: a map of Go's */
};

struct value *value_map_new(struct arena *a, size_t cap); /* for `cap` entries */
/* Adds an entry whose key is not in the map. */
void value_map_add(struct arena *a, struct value_map *map, const struct value *key, const struct value *v);
/* Sets the value at the key. */
void value_map_set(struct arena *a, struct value_map *map, const struct value *key, const struct value *v);
void value_map_remove(struct arena *a, struct value_map *map, const struct value *key);
/* The value at exactly that key; NULL if there is none. */
const struct value *value_map_at(struct arena *a, const struct value_map *map, const struct value *key);
const struct value *value_map_member(struct arena *a, const struct value_map *map, struct str key);
/* The value that CEL finds: a number also finds a key of another kind of number. Returns NULL if there is
 * none. */
const struct value *value_map_find(struct arena *a, const struct value_map *map, const struct value *key);

#endif
