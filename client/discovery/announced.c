#include "client/discovery/announced.h"

#include <string.h>

#include "client/base/mem.h"

struct announced_group {
    struct announced_group *next; /* in its slot */
    char *name;
    size_t len;
    uint64_t since_ms;
    bool is_open;
};

static struct announced_group **find(const struct announced *a, const char *name, size_t len)
{
    uint32_t h = 0x811c9dc5u; /* FNV-1a */
    for (size_t i = 0; i < len; i++)
        h = (h ^ (unsigned char)name[i]) * 0x01000193u;
    /* The list is the owner's; only its readers see it const. */
    struct announced_group **link = (struct announced_group **)(uintptr_t)&a->slots[h % ANNOUNCED_SLOTS];
    while (*link && ((*link)->len != len || memcmp((*link)->name, name, len) != 0))
        link = &(*link)->next;
    return link;
}

static bool is_past(const struct announced_group *g, uint64_t now_ms)
{
    return now_ms - g->since_ms >= ANNOUNCED_MS;
}

/* Forgets those that are past, or all. */
static void sweep(struct announced *a, uint64_t now_ms, bool is_all)
{
    for (size_t i = 0; i < ANNOUNCED_SLOTS; i++) {
        for (struct announced_group **link = &a->slots[i]; *link;) {
            struct announced_group *g = *link;
            if (!is_all && !is_past(g, now_ms)) {
                link = &g->next;
                continue;
            }
            *link = g->next;
            mem_free(g->name);
            mem_free(g);
            a->count--;
        }
    }
    a->swept_ms = now_ms;
}

void announced_deinit(struct announced *a)
{
    sweep(a, 0, true);
}

void announced_add(struct announced *a, const char *group, uint64_t now_ms)
{
    /* Not at each one: a storm of them must not cost its square. */
    if (now_ms - a->swept_ms >= ANNOUNCED_MS)
        sweep(a, now_ms, false);
    struct announced_group **link = find(a, group, strlen(group));
    if (!*link) {
        *link = mem_zalloc(sizeof **link);
        (*link)->name = mem_strdup(group);
        (*link)->len = strlen(group);
        a->count++;
    }
    (*link)->since_ms = now_ms;
    (*link)->is_open = true;
}

bool announced_has(const struct announced *a, const char *group, size_t len, uint64_t now_ms)
{
    const struct announced_group *g = a->count ? *find(a, group, len) : NULL;
    return g && !is_past(g, now_ms);
}

void announced_close(struct announced *a, const char *group, size_t len)
{
    struct announced_group *g = *find(a, group, len);
    if (g)
        g->is_open = false;
}

bool announced_newest(const struct announced *a, uint64_t now_ms, uint64_t *announced_ms)
{
    bool is_any = false;
    for (size_t i = 0; i < ANNOUNCED_SLOTS && a->count; i++) {
        for (const struct announced_group *g = a->slots[i]; g; g = g->next) {
            if (!g->is_open || is_past(g, now_ms) || (is_any && g->since_ms <= *announced_ms))
                continue;
            *announced_ms = g->since_ms;
            is_any = true;
        }
    }
    return is_any;
}
