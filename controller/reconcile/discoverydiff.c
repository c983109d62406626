#include "controller/reconcile/discoverydiff.h"

#include <stdbool.h>
#include <stddef.h>

static bool groups_equal(const struct discovery_group *a, const struct discovery_group *b)
{
    const struct discovery one = {.groups = a, .n_groups = 1}, other = {.groups = b, .n_groups = 1};
    return discovery_equal(&one, &other);
}

void discoverydiff_each(const struct discovery *before, const struct discovery *now,
                        void (*visit)(void *user, const char *group), void *user)
{
    for (size_t i = 0; i < now->n_groups; i++) {
        const struct discovery_group *old = discovery_find_group(before, now->groups[i].name);
        if (old == NULL || !groups_equal(old, &now->groups[i]))
            visit(user, now->groups[i].name);
    }
    for (size_t i = 0; i < before->n_groups; i++) {
        if (discovery_find_group(now, before->groups[i].name) == NULL)
            visit(user, before->groups[i].name);
    }
}
