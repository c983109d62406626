#include "cmd/kubectl-vapcheck/check/versionhints.h"

#include <stdbool.h>
#include <string.h>

#include "client/base/keymap.h"
#include "client/base/mem.h"
#include "controller/apiserver/validation/validation.h"
#include "typecheck/version.h"

static bool is_about_functions(const struct fielderrors *refusals)
{
    for (size_t i = 0; i < refusals->count; i++) {
        if (refusals->items[i].n_issues > 0)
            return true;
    }
    return false;
}

static const char *hint_of(struct versionhints *h, int needed)
{
    if (h->hints[needed] == NULL)
        h->hints[needed] = mem_printf("Kubernetes 1.%d refuses this at create: needs 1.%d", h->minor, needed);
    return h->hints[needed];
}

/* Nobody reads the messages of the next version, nor the names that it would suggest. */
static struct env *make_env(int level)
{
    struct celgo celgo = celgo_in(level + 1);
    celgo.suggests_names = false;
    return env_new(level, celgo);
}

/* Asks the next versions one after the other; the first that no longer refuses a field is its hint. */
const char **versionhints_find(struct versionhints *h, validation_find *find, struct json_object *policy,
                               const struct fielderrors *refusals)
{
    const char **hints = fielderrors_hints(refusals);
    bool is_open = is_about_functions(refusals);
    for (int level = h->minor < 0 ? 0 : h->minor; is_open && level <= ENV_NEWEST_LEVEL; level++) {
        struct fielderrors later = {.cache = refusals->cache};
        struct keymap fields = {0};
        if (h->envs[level] == NULL)
            h->envs[level] = make_env(level);
        if (h->envs[level] != NULL)
            find(policy, h->envs[level], &later);
        for (size_t i = 0; i < later.count; i++)
            keymap_add(&fields, later.items[i].field);
        for (size_t i = 0; i < refusals->count && h->envs[level] != NULL; i++) {
            if (hints[i] == NULL && keymap_get(&fields, refusals->items[i].field) == NULL)
                hints[i] = hint_of(h, level + 1);
        }
        is_open = is_about_functions(&later);
        fielderrors_deinit(&later);
        keymap_deinit(&fields, NULL);
    }
    return hints;
}

void versionhints_deinit(struct versionhints *h)
{
    for (size_t i = 0; i < sizeof h->envs / sizeof h->envs[0]; i++)
        env_free(h->envs[i]);
    for (size_t i = 0; i < sizeof h->hints / sizeof h->hints[0]; i++)
        mem_free(h->hints[i]);
}
