#include "controller/dependents.h"

#include <assert.h>
#include <string.h>

#include "client/mem.h"
#include "controller/keymap.h"

/* What stands for every group. No group is called so. */
static const char any_group[] = "*";

/* What one policy depends on. */
struct policy_entry {
    struct keymap paths, groups; /* name -> the value below */
};

static char present; /* the value of a set's members */

struct dependents {
    struct keymap policies; /* key -> struct policy_entry */
    struct keymap by_path;  /* path -> struct keymap, a set of keys */
    struct keymap by_group;
    const char *key; /* between begin and end */
    struct policy_entry *now, *before;
};

static void free_set(void *value)
{
    keymap_deinit(value, NULL);
    mem_free(value);
}

static void free_policy(void *value)
{
    struct policy_entry *entry = value;
    keymap_deinit(&entry->paths, NULL);
    keymap_deinit(&entry->groups, NULL);
    mem_free(entry);
}

struct dependents *dependents_new(void)
{
    return mem_zalloc(sizeof(struct dependents));
}

void dependents_free(struct dependents *dependents)
{
    if (dependents == NULL)
        return;
    keymap_deinit(&dependents->policies, free_policy);
    keymap_deinit(&dependents->by_path, free_set);
    keymap_deinit(&dependents->by_group, free_set);
    mem_free(dependents);
}

static void link_key(struct keymap *index, const char *name, const char *key)
{
    struct keymap *set = keymap_get(index, name);
    if (set == NULL) {
        set = mem_zalloc(sizeof *set);
        keymap_put(index, name, set);
    }
    keymap_put(set, key, &present);
}

static void unlink_key(struct keymap *index, const char *name, const char *key)
{
    struct keymap *set = keymap_get(index, name);
    if (set == NULL)
        return;
    keymap_remove(set, key);
    if (set->count == 0) {
        keymap_remove(index, name);
        free_set(set);
    }
}

/* Takes the key out of the index where `now` (NULL: nothing) does not have the name. */
struct unlinking {
    struct keymap *index;
    const struct keymap *now;
    const char *key;
};

static void unlink_missing(void *user, const char *name, void *value)
{
    struct unlinking *u = user;
    (void)value;
    if (u->now == NULL || keymap_get(u->now, name) == NULL)
        unlink_key(u->index, name, u->key);
}

static void unlink_all(struct keymap *index, const struct keymap *before, const struct keymap *now,
                       const char *key)
{
    struct unlinking u = {index, now, key};
    keymap_each(before, unlink_missing, &u);
}

void dependents_begin(struct dependents *dependents, const char *key)
{
    assert(dependents->now == NULL);
    dependents->now = mem_zalloc(sizeof *dependents->now);
    dependents->before = keymap_put(&dependents->policies, key, dependents->now);
    dependents->key = keymap_key(&dependents->policies, key);
}

static void add_name(struct dependents *d, struct keymap *names, struct keymap *index, const char *name)
{
    if (keymap_put(names, name, &present) == NULL)
        link_key(index, name, d->key);
}

void dependents_add_path(struct dependents *dependents, const char *path)
{
    add_name(dependents, &dependents->now->paths, &dependents->by_path, path);
}

static void add_group(struct dependents *d, const char *group)
{
    add_name(d, &d->now->groups, &d->by_group, group);
}

void dependents_add_groups(struct dependents *dependents, const struct policy *policy, bool is_any_group)
{
    for (size_t i = 0; i < policy->match.n_rules; i++) {
        for (size_t j = 0; j < policy->match.rules[i].n_groups; j++)
            add_group(dependents, policy->match.rules[i].groups[j]);
    }
    for (size_t i = 0; i < policy->n_webhooks; i++)
        dependents_add_groups(dependents, policy->webhooks[i], false);
    if (is_any_group)
        add_group(dependents, any_group);
    if (policy->has_param_kind) {
        const char *slash = strchr(policy->param_api_version, '/');
        cleanup_mem char *group = slash == NULL ? mem_strdup("")
                                                : mem_strndup(policy->param_api_version,
                                                              (size_t)(slash - policy->param_api_version));
        add_group(dependents, group);
    }
}

void dependents_end(struct dependents *dependents)
{
    struct policy_entry *now = dependents->now, *before = dependents->before;
    if (before != NULL) {
        unlink_all(&dependents->by_path, &before->paths, &now->paths, dependents->key);
        unlink_all(&dependents->by_group, &before->groups, &now->groups, dependents->key);
        free_policy(before);
    }
    dependents->now = dependents->before = NULL;
    dependents->key = NULL;
}

void dependents_remove(struct dependents *dependents, const char *key)
{
    struct policy_entry *entry = keymap_get(&dependents->policies, key);
    if (entry == NULL)
        return;
    unlink_all(&dependents->by_path, &entry->paths, NULL, key);
    unlink_all(&dependents->by_group, &entry->groups, NULL, key);
    keymap_remove(&dependents->policies, key);
    free_policy(entry);
}

struct visiting {
    void (*visit)(void *user, const char *key);
    void *user;
    const struct keymap *done; /* keys visited before; may be NULL */
};

static void visit_key(void *user, const char *key, void *value)
{
    struct visiting *v = user;
    (void)value;
    if (v->done == NULL || keymap_get(v->done, key) == NULL)
        v->visit(v->user, key);
}

static void visit_set(const struct keymap *set, const struct keymap *done,
                      void (*visit)(void *user, const char *key), void *user)
{
    struct visiting v = {visit, user, done};
    if (set != NULL)
        keymap_each(set, visit_key, &v);
}

bool dependents_have_path(const struct dependents *dependents, const char *path)
{
    return keymap_get(&dependents->by_path, path) != NULL;
}

void dependents_visit_path(const struct dependents *dependents, const char *path,
                           void (*visit)(void *user, const char *key), void *user)
{
    visit_set(keymap_get(&dependents->by_path, path), NULL, visit, user);
}

void dependents_visit_group(const struct dependents *dependents, const char *group,
                            void (*visit)(void *user, const char *key), void *user)
{
    const struct keymap *set = keymap_get(&dependents->by_group, group);
    visit_set(set, NULL, visit, user);
    visit_set(keymap_get(&dependents->by_group, any_group), set, visit, user);
}
