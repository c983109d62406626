#include "client/discovery/announced.h"

#include "client/base/mem.h"

struct group {
    uint64_t since_ms;
    bool is_open;
};

static bool is_past(const struct group *g, uint64_t now_ms)
{
    return now_ms - g->since_ms >= ANNOUNCED_MS;
}

static struct group *find(const struct announced *a, const char *name, size_t len)
{
    cleanup_mem char *group = mem_strndup(name, len);
    return keymap_get(&a->groups, group);
}

void announced_deinit(struct announced *a)
{
    keymap_deinit(&a->groups, mem_free);
}

struct sweeping {
    struct keymap kept;
    uint64_t now_ms;
};

static void keep_recent(void *user, const char *name, void *value)
{
    struct sweeping *s = user;
    if (is_past(value, s->now_ms))
        mem_free(value);
    else
        keymap_put(&s->kept, name, value);
}

/* Forgets those that are past. */
static void sweep(struct announced *a, uint64_t now_ms)
{
    struct sweeping s = {.now_ms = now_ms};
    keymap_each(&a->groups, keep_recent, &s);
    keymap_deinit(&a->groups, NULL);
    a->groups = s.kept;
    a->swept_ms = now_ms;
}

void announced_add(struct announced *a, const char *group, uint64_t now_ms)
{
    /* It does not sweep at each one: many of them must not cost their square. */
    if (now_ms - a->swept_ms >= ANNOUNCED_MS)
        sweep(a, now_ms);
    struct group *g = keymap_get(&a->groups, group);
    if (!g) {
        g = mem_zalloc(sizeof *g);
        keymap_put(&a->groups, group, g);
    }
    *g = (struct group){now_ms, true};
}

bool announced_has(const struct announced *a, const char *group, size_t len, uint64_t now_ms)
{
    const struct group *g = find(a, group, len);
    return g && !is_past(g, now_ms);
}

void announced_close(struct announced *a, const char *group, size_t len, uint64_t began_ms)
{
    struct group *g = find(a, group, len);
    if (g && g->since_ms <= began_ms)
        g->is_open = false;
}

struct search {
    uint64_t now_ms, newest_ms;
    bool is_found;
};

static void look_at(void *user, const char *name, void *value)
{
    struct search *s = user;
    const struct group *g = value;
    (void)name;
    if (!g->is_open || is_past(g, s->now_ms) || (s->is_found && g->since_ms <= s->newest_ms))
        return;
    s->newest_ms = g->since_ms;
    s->is_found = true;
}

bool announced_newest(const struct announced *a, uint64_t now_ms, uint64_t *announced_ms)
{
    struct search s = {.now_ms = now_ms};
    keymap_each(&a->groups, look_at, &s);
    if (s.is_found)
        *announced_ms = s.newest_ms;
    return s.is_found;
}
