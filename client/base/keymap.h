/*
 * keymap: a map from strings to pointers. Pure.
 *
 * Embedded by its owner; all zero is an empty map. Keys are copied; values are
 * the caller's. keymap_each has no order, and its visitor must not change the map.
 *
 *     struct keymap map = {0};
 *     struct entry *entry = keymap_get(&map, name);
 *     keymap_deinit(&map, NULL);
 */
#ifndef CLIENT_BASE_KEYMAP_H
#define CLIENT_BASE_KEYMAP_H

#include <stdbool.h>
#include <stddef.h>

struct keymap_slot {
    char *key; /* the entry's key; NULL if the slot is free */
    void *value;
};

struct keymap {
    struct keymap_slot *slots;
    size_t room; /* a power of two, or 0 */
    size_t count;
};

/* Calls free_value (may be NULL) for each value, and leaves an empty map. */
void keymap_deinit(struct keymap *map, void (*free_value)(void *value));

/* Returns the value of the key, or NULL if the map does not have it. */
void *keymap_get(const struct keymap *map, const char *key);

/* The map's own copy of the key, valid until the key is removed; NULL if the map does not have the key. */
const char *keymap_key(const struct keymap *map, const char *key);

/* Puts a value that is not NULL. Returns the replaced value, which the map no longer holds, or NULL. */
void *keymap_put(struct keymap *map, const char *key, void *value);

/* Uses the map as a set: puts a key; keymap_get then returns a pointer that is not NULL and must not be used.
 * Returns false if the map already has the key. */
bool keymap_add(struct keymap *map, const char *key);

/* Takes the value out; NULL if there is none. key may be the map's own. */
void *keymap_remove(struct keymap *map, const char *key);

void keymap_each(const struct keymap *map, void (*visit)(void *user, const char *key, void *value),
                 void *user);

#endif
