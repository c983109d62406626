#include "controller/reconcile/dependents.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "client/base/groupversion.h"
#include "client/base/keymap.h"
#include "client/base/mem.h"

/* The name for every group. No group is called so. */
static const char any_group[] = "*";

/*
 * A policy of `*` depends on every document of the cluster, so there can be a million links. Each has two
 * ends: one at the key and one at the name. Both are numbers, for numbers are half as large as pointers.
 */

/* A document's path or a group, and who depends on it. */
struct name {
    struct keymap *index; /* the index that it is in */
    const char *text;     /* the index's */
    struct member {
        uint32_t key;
        uint32_t link; /* of the key, which leads here */
    } * members;
    uint32_t count, room;
    uint32_t number; /* in names */
    uint32_t link;   /* the link of the key that got one in the round */
    uint64_t round;  /* the last round of dependents_begin in which a key got a link to it */
};

/* A policy, or another object, and what it depends on. */
struct key {
    const char *text; /* the map's */
    struct link {
        uint32_t name;
        uint32_t member; /* of the name, which leads here */
    } * links;
    uint32_t count, room;
    uint32_t number; /* in keys */
    uint64_t round;  /* the last round of dependents_visit_group that visited it */
};

/* Things by number. The number of a thing that is gone is given again. */
struct numbers {
    void **things;
    uint32_t *free; /* the numbers that no thing has */
    size_t count, free_count;
};

struct dependents {
    struct keymap by_text;           /* text -> struct key */
    struct keymap by_path, by_group; /* text -> struct name */
    struct numbers keys, names;
    struct key *now;   /* between begin and end */
    uint32_t n_listed; /* its first links: those that were listed again */
    uint64_t round;    /* counts the calls of begin and visit_group */
};

static void free_name(void *value)
{
    struct name *name = value;
    mem_free(name->members);
    mem_free(name);
}

static void free_key(void *value)
{
    struct key *key = value;
    mem_free(key->links);
    mem_free(key);
}

static void numbers_deinit(struct numbers *numbers)
{
    mem_free(numbers->things);
    mem_free(numbers->free);
}

static uint32_t numbers_take(struct numbers *numbers, void *thing)
{
    if (numbers->free_count == 0) {
        numbers->things = mem_grow(numbers->things, numbers->count, sizeof *numbers->things);
        numbers->free = mem_grow(numbers->free, numbers->count, sizeof *numbers->free);
        numbers->free[numbers->free_count++] = (uint32_t)numbers->count++;
    }
    const uint32_t number = numbers->free[--numbers->free_count];
    numbers->things[number] = thing;
    return number;
}

static void numbers_drop(struct numbers *numbers, uint32_t number)
{
    numbers->free[numbers->free_count++] = number;
}

struct dependents *dependents_new(void)
{
    return mem_zalloc(sizeof(struct dependents));
}

void dependents_free(struct dependents *dependents)
{
    if (dependents == NULL)
        return;
    keymap_deinit(&dependents->by_text, free_key);
    keymap_deinit(&dependents->by_path, free_name);
    keymap_deinit(&dependents->by_group, free_name);
    numbers_deinit(&dependents->keys);
    numbers_deinit(&dependents->names);
    mem_free(dependents);
}

/* Links */

/* Room for one more. Most keys have one or two links; a policy of `*` has a thousand, so little is left free.
 */
static void *with_room(void *items, uint32_t count, uint32_t *room, size_t item_bytes)
{
    if (count < *room)
        return items;
    *room = count + 1 + count / 8;
    return mem_realloc(items, *room, item_bytes);
}

static struct name *name_of(const struct dependents *d, struct link link)
{
    return d->names.things[link.name];
}

static struct key *key_of(const struct dependents *d, struct member member)
{
    return d->keys.things[member.key];
}

static void link_key(struct key *key, struct name *name)
{
    key->links = with_room(key->links, key->count, &key->room, sizeof *key->links);
    name->members = with_room(name->members, name->count, &name->room, sizeof *name->members);
    key->links[key->count] = (struct link){name->number, name->count};
    name->members[name->count++] = (struct member){key->number, key->count++};
}

static void put_link(struct dependents *d, struct key *key, uint32_t at, struct link link)
{
    struct name *name = name_of(d, link);
    key->links[at] = link;
    name->members[link.member].link = at;
    name->link = at;
}

/* Two links of a key change places. */
static void swap_links(struct dependents *d, struct key *key, uint32_t i, uint32_t j)
{
    const struct link at_i = key->links[i], at_j = key->links[j];
    put_link(d, key, i, at_j);
    put_link(d, key, j, at_i);
}

static void drop_member(struct dependents *d, struct name *name, uint32_t member)
{
    const struct member last = name->members[--name->count];
    if (member < name->count) {
        name->members[member] = last;
        key_of(d, last)->links[last.link].member = member;
    }
    if (name->count == 0) {
        numbers_drop(&d->names, name->number);
        keymap_remove(name->index, name->text);
        free_name(name);
    } else if (4 * (size_t)name->count < name->room) {
        name->room /= 2;
        name->members = mem_realloc(name->members, name->room, sizeof *name->members);
    }
}

/* Drops all but the first `kept`. */
static void drop_links(struct dependents *d, struct key *key, uint32_t kept)
{
    while (key->count > kept) {
        const struct link last = key->links[--key->count];
        drop_member(d, name_of(d, last), last.member);
    }
}

static struct name *find_or_make(struct dependents *d, struct keymap *index, const char *text)
{
    struct name *name = keymap_get(index, text);
    if (name != NULL)
        return name;
    name = mem_zalloc(sizeof *name);
    keymap_put(index, text, name);
    name->index = index;
    name->text = keymap_key(index, text);
    name->number = numbers_take(&d->names, name);
    return name;
}

static struct key *find_or_make_key(struct dependents *d, const char *text)
{
    struct key *key = keymap_get(&d->by_text, text);
    if (key != NULL)
        return key;
    key = mem_zalloc(sizeof *key);
    keymap_put(&d->by_text, text, key);
    key->text = keymap_key(&d->by_text, text);
    key->number = numbers_take(&d->keys, key);
    return key;
}

void dependents_begin(struct dependents *dependents, const char *key)
{
    assert(dependents->now == NULL);
    struct key *now = dependents->now = find_or_make_key(dependents, key);
    dependents->n_listed = 0;
    dependents->round++;
    for (uint32_t i = 0; i < now->count; i++) {
        struct name *name = name_of(dependents, now->links[i]);
        name->round = dependents->round;
        name->link = i;
    }
}

static void add_name(struct dependents *d, struct keymap *index, const char *text)
{
    struct name *name = find_or_make(d, index, text);
    if (name->round != d->round) {
        name->round = d->round;
        name->link = d->now->count;
        link_key(d->now, name);
    }
    if (name->link >= d->n_listed)
        swap_links(d, d->now, name->link, d->n_listed++);
}

void dependents_add_path(struct dependents *dependents, const char *path)
{
    add_name(dependents, &dependents->by_path, path);
}

static void add_group(struct dependents *d, const char *group)
{
    add_name(d, &d->by_group, group);
}

void dependents_add_groups(struct dependents *dependents, const struct policyview *policy, bool is_any_group)
{
    for (size_t i = 0; i < policy->match.n_rules; i++) {
        for (size_t j = 0; j < policy->match.rules[i].n_groups; j++)
            add_group(dependents, policy->match.rules[i].groups[j]);
    }
    for (size_t i = 0; i < policy->n_webhooks; i++)
        dependents_add_groups(dependents, policy->webhooks[i], false);
    if (is_any_group)
        add_group(dependents, any_group);
    if (policy->policy.has_params) {
        cleanup_groupversion struct groupversion named = groupversion_split(policy->param_api_version);
        add_group(dependents, named.group);
    }
}

void dependents_end(struct dependents *dependents)
{
    drop_links(dependents, dependents->now, dependents->n_listed);
    dependents->now = NULL;
}

void dependents_remove(struct dependents *dependents, const char *key)
{
    struct key *gone = keymap_remove(&dependents->by_text, key);
    if (gone == NULL)
        return;
    drop_links(dependents, gone, 0);
    numbers_drop(&dependents->keys, gone->number);
    free_key(gone);
}

bool dependents_have_path(const struct dependents *dependents, const char *path)
{
    return keymap_get(&dependents->by_path, path) != NULL;
}

/* Visits the members that were not visited in this round. */
static void visit_members(struct dependents *d, const struct keymap *index, const char *text,
                          void (*visit)(void *user, const char *key), void *user)
{
    const struct name *name = keymap_get(index, text);
    for (uint32_t i = 0; name != NULL && i < name->count; i++) {
        struct key *key = key_of(d, name->members[i]);
        if (key->round == d->round)
            continue;
        key->round = d->round;
        visit(user, key->text);
    }
}

void dependents_visit_path(struct dependents *dependents, const char *path,
                           void (*visit)(void *user, const char *key), void *user)
{
    dependents->round++;
    visit_members(dependents, &dependents->by_path, path, visit, user);
}

void dependents_visit_group(struct dependents *dependents, const char *group,
                            void (*visit)(void *user, const char *key), void *user)
{
    dependents->round++;
    visit_members(dependents, &dependents->by_group, group, visit, user);
    visit_members(dependents, &dependents->by_group, any_group, visit, user);
}
