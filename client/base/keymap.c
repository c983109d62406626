#include "client/base/keymap.h"

#include <string.h>

#include "bytes/hash.h"
#include "client/base/mem.h"

enum { FIRST_ROOM = 4 }; /* most maps are small: what one policy depends on */

static size_t hash(const char *key)
{
    return (size_t)hash_text(key, strlen(key));
}

/* The key's slot, or the free one where it would go. There is always a free one. */
static size_t find(const struct keymap *map, const char *key)
{
    size_t i = hash(key) & (map->room - 1);
    while (map->slots[i].key != NULL && strcmp(map->slots[i].key, key) != 0)
        i = (i + 1) & (map->room - 1);
    return i;
}

static void resize(struct keymap *map, size_t room)
{
    struct keymap old = *map;
    map->room = room;
    map->slots = mem_array(map->room, sizeof *map->slots);
    for (size_t i = 0; i < old.room; i++) {
        if (old.slots[i].key != NULL)
            map->slots[find(map, old.slots[i].key)] = old.slots[i];
    }
    mem_free(old.slots);
}

void keymap_deinit(struct keymap *map, void (*free_value)(void *value))
{
    for (size_t i = 0; i < map->room; i++) {
        if (map->slots[i].key != NULL && free_value != NULL)
            free_value(map->slots[i].value);
        mem_free(map->slots[i].key);
    }
    mem_free(map->slots);
    *map = (struct keymap){0};
}

void *keymap_get(const struct keymap *map, const char *key)
{
    return map->room == 0 ? NULL : map->slots[find(map, key)].value;
}

const char *keymap_key(const struct keymap *map, const char *key)
{
    return map->room == 0 ? NULL : map->slots[find(map, key)].key;
}

void *keymap_put(struct keymap *map, const char *key, void *value)
{
    /* at most three quarters full */
    if (4 * (map->count + 1) > 3 * map->room)
        resize(map, map->room == 0 ? FIRST_ROOM : 2 * map->room);
    struct keymap_slot *slot = &map->slots[find(map, key)];
    void *old = slot->value;
    if (slot->key == NULL) {
        slot->key = mem_strdup(key);
        map->count++;
    }
    slot->value = value;
    return old;
}

bool keymap_add(struct keymap *map, const char *key)
{
    return keymap_put(map, key, map) == NULL;
}

/* Slots behind a hole move into it unless their search starts behind the hole, so that no search
 * ends too early. */
static void close_hole(struct keymap *map, size_t hole)
{
    size_t mask = map->room - 1;
    for (size_t i = (hole + 1) & mask; map->slots[i].key != NULL; i = (i + 1) & mask) {
        size_t home = hash(map->slots[i].key) & mask;
        if (((i - home) & mask) < ((i - hole) & mask))
            continue;
        map->slots[hole] = map->slots[i];
        map->slots[i] = (struct keymap_slot){0};
        hole = i;
    }
}

void *keymap_remove(struct keymap *map, const char *key)
{
    if (map->room == 0)
        return NULL;
    size_t i = find(map, key);
    struct keymap_slot slot = map->slots[i];
    if (slot.key == NULL)
        return NULL;
    map->slots[i] = (struct keymap_slot){0};
    map->count--;
    close_hole(map, i);
    /* far from what makes it grow again */
    if (map->room > FIRST_ROOM && 8 * map->count < map->room)
        resize(map, map->room / 2);
    mem_free(slot.key);
    return slot.value;
}

void keymap_each(const struct keymap *map, void (*visit)(void *user, const char *key, void *value),
                 void *user)
{
    for (size_t i = 0; i < map->room; i++) {
        if (map->slots[i].key != NULL)
            visit(user, map->slots[i].key, map->slots[i].value);
    }
}
