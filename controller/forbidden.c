#include "controller/forbidden.h"

#include "client/mem.h"
#include "controller/due.h"
#include "controller/keymap.h"

struct entry {
    const char *key; /* the map's */
    struct entry *next;
    uint64_t refused_ms;
    bool is_in_line; /* else it is being tried */
};

struct forbidden {
    struct keymap entries;
    struct entry *first, **last; /* as they were refused */
    uint64_t try_ms;             /* no key is tried before, unless is_granted */
    bool is_granted;             /* the last answer was no refusal */
};

struct forbidden *forbidden_new(void)
{
    struct forbidden *f = mem_zalloc(sizeof *f);
    f->last = &f->first;
    return f;
}

void forbidden_free(struct forbidden *forbidden)
{
    if (forbidden == NULL)
        return;
    keymap_deinit(&forbidden->entries, mem_free);
    mem_free(forbidden);
}

static void leave_line(struct forbidden *f, struct entry *e)
{
    struct entry **at = &f->first;
    if (!e->is_in_line)
        return;
    while (*at != e)
        at = &(*at)->next;
    *at = e->next;
    if (f->last == &e->next)
        f->last = at;
    e->is_in_line = false;
}

static struct entry *find_or_make(struct forbidden *f, const char *key)
{
    struct entry *e = keymap_get(&f->entries, key);
    if (e != NULL)
        return e;
    e = mem_zalloc(sizeof *e);
    keymap_put(&f->entries, key, e);
    e->key = keymap_key(&f->entries, key);
    return e;
}

void forbidden_put(struct forbidden *forbidden, const char *key, uint64_t now_ms)
{
    struct entry *e = find_or_make(forbidden, key);
    leave_line(forbidden, e);
    e->next = NULL;
    e->refused_ms = now_ms;
    e->is_in_line = true;
    *forbidden->last = e;
    forbidden->last = &e->next;
    if (forbidden->try_ms <= now_ms)
        forbidden->try_ms = now_ms + FORBIDDEN_MS;
    forbidden->is_granted = false;
}

void forbidden_remove(struct forbidden *forbidden, const char *key)
{
    struct entry *e = keymap_get(&forbidden->entries, key);
    if (e == NULL)
        return;
    leave_line(forbidden, e);
    keymap_remove(&forbidden->entries, key);
    mem_free(e);
}

void forbidden_grant(struct forbidden *forbidden, const char *key)
{
    forbidden_remove(forbidden, key);
    forbidden->is_granted = true;
}

uint64_t forbidden_next_ms(const struct forbidden *forbidden)
{
    const struct entry *e = forbidden->first;
    if (e == NULL)
        return DUE_NEVER;
    const uint64_t own_ms = e->refused_ms + FORBIDDEN_MS;
    return forbidden->is_granted || forbidden->try_ms < own_ms ? own_ms : forbidden->try_ms;
}

const char *forbidden_take(struct forbidden *forbidden, uint64_t now_ms)
{
    struct entry *e = forbidden->first;
    if (e == NULL || now_ms < forbidden_next_ms(forbidden))
        return NULL;
    leave_line(forbidden, e);
    forbidden->try_ms = now_ms + FORBIDDEN_MS;
    return e->key;
}

size_t forbidden_count(const struct forbidden *forbidden)
{
    return forbidden->entries.count;
}
