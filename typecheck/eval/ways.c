#include "typecheck/eval/ways.h"

#include "typecheck/base/arena.h"
#include "typecheck/base/str.h"

/* What a policy refers to of a way; the rest is left empty. */
struct key {
    struct str group, version, resource, subresource;
    bool is_namespaced;
    unsigned operation;
};

struct slot {
    struct key key;
    bool is_used;
};

/* Those seen so far: open addressing, a power of two with room for all. */
struct seen {
    struct arena *arena;
    struct slot *slots;
    size_t cap;
};

static const enum policy_operation OPERATIONS[] = {POLICY_CREATE, POLICY_UPDATE, POLICY_DELETE,
                                                   POLICY_CONNECT};

enum { OPERATION_COUNT = sizeof OPERATIONS / sizeof *OPERATIONS };

/* An operation shows in the objects only by whether there is an object, and an old one. */
static unsigned operation_key(enum policy_operation operation, const struct references *references)
{
    if (references->operation)
        return operation;
    if (!references->objects)
        return 0;
    return operation == POLICY_CONNECT ? POLICY_CREATE : operation;
}

static struct key key_of(const struct way *way, const struct references *references)
{
    const struct policy_request *r = way->request;
    struct key key = {.operation = operation_key(way->operation, references),
                      .group = STR(""),
                      .version = STR(""),
                      .resource = STR(""),
                      .subresource = STR("")};
    if (references->resource) {
        key.group = r->group;
        key.version = r->version;
        key.resource = r->resource;
    }
    if (references->subresource)
        key.subresource = r->subresource;
    key.is_namespaced = references->namespace && r->is_namespaced;
    return key;
}

static bool is_same(const struct key *one, const struct key *two)
{
    return one->operation == two->operation && one->is_namespaced == two->is_namespaced &&
           str_eq(one->subresource, two->subresource) && str_eq(one->resource, two->resource) &&
           str_eq(one->version, two->version) && str_eq(one->group, two->group);
}

static size_t hash_key(struct arena *a, const struct key *key)
{
    arena_pay_hash(a, key->group.len + key->version.len + key->resource.len + key->subresource.len);
    uint32_t hash = key->operation * 2 + key->is_namespaced;
    hash = hash * 31 + str_hash(key->group);
    hash = hash * 31 + str_hash(key->version);
    hash = hash * 31 + str_hash(key->resource);
    return hash * 31 + str_hash(key->subresource);
}

/* False if there was one already. */
static bool add(struct seen *seen, const struct key *key)
{
    size_t i = hash_key(seen->arena, key) & (seen->cap - 1);
    for (; seen->slots[i].is_used; i = (i + 1) & (seen->cap - 1)) {
        if (is_same(&seen->slots[i].key, key))
            return false;
    }
    seen->slots[i] = (struct slot){*key, true};
    return true;
}

static void add_request(struct ways *ways, struct seen *seen, const struct policy_request *request,
                        const struct references *references)
{
    for (size_t i = 0; i < OPERATION_COUNT; i++) {
        struct way way = {request, OPERATIONS[i]};
        if ((request->operations & OPERATIONS[i]) == 0)
            continue;
        struct key key = key_of(&way, references);
        if (add(seen, &key))
            ways->list[ways->count++] = way;
    }
}

void ways_init(struct ways *ways, struct arena *a, const struct policy_type *kind,
               const struct references *references)
{
    size_t most = kind->request_count * OPERATION_COUNT;
    struct seen seen = {.arena = a, .cap = 2};
    while (seen.cap < 2 * most)
        seen.cap *= 2;
    *ways = (struct ways){.list = ARENA_ARRAY(a, most + 1, struct way)};
    seen.slots = ARENA_ARRAY(a, seen.cap, struct slot);
    for (size_t i = 0; i < kind->request_count; i++)
        add_request(ways, &seen, &kind->requests[i], references);
    if (ways->count == 0)
        ways->list[ways->count++] = (struct way){NULL, POLICY_UPDATE};
}
