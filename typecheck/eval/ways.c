#include "typecheck/eval/ways.h"

#include "typecheck/base/arena.h"
#include "typecheck/base/str.h"

static const enum policy_operation OPERATIONS[] = {POLICY_CREATE, POLICY_UPDATE, POLICY_DELETE,
                                                   POLICY_CONNECT};

enum { OPERATION_COUNT = sizeof OPERATIONS / sizeof *OPERATIONS };

/* By the hash of what a policy refers to of a way: 1 + its index. Open addressing, a power of two with room
 * for all. */
struct seen {
    struct arena *arena;
    const struct references *references;
    size_t *slots;
    size_t cap;
};

/* An operation shows in the objects only by whether there is an object, and an old one. */
static unsigned operation_shown(const struct references *r, enum policy_operation operation)
{
    if (r->operation)
        return operation;
    if (!r->objects)
        return 0;
    return operation == POLICY_CONNECT ? POLICY_CREATE : operation;
}

/* Whether they are the same in all that the policy refers to. */
static bool is_same(const struct references *r, const struct way *one, const struct way *two)
{
    const struct policy_request *a = one->request, *b = two->request;
    return operation_shown(r, one->operation) == operation_shown(r, two->operation) &&
           (!r->namespace || a->is_namespaced == b->is_namespaced) &&
           (!r->subresource || str_eq(a->subresource, b->subresource)) &&
           (!r->resource || (str_eq(a->resource, b->resource) && str_eq(a->version, b->version) &&
                             str_eq(a->group, b->group)));
}

static size_t hash_way(const struct seen *seen, const struct way *way)
{
    const struct references *r = seen->references;
    const struct policy_request *q = way->request;
    const struct str names[] = {q->subresource, q->group, q->version, q->resource};
    uint32_t hash = operation_shown(r, way->operation) * 2 + (r->namespace && q->is_namespaced);
    for (size_t i = r->subresource ? 0 : 1; i < (r->resource ? sizeof names / sizeof *names : 1); i++) {
        arena_pay_hash(seen->arena, names[i].len);
        hash = hash * 31 + str_hash(names[i]);
    }
    return hash;
}

static void add(struct ways *ways, struct seen *seen, struct way way)
{
    size_t i = hash_way(seen, &way) & (seen->cap - 1);
    arena_step(seen->arena);
    for (; seen->slots[i] != 0; i = (i + 1) & (seen->cap - 1)) {
        if (is_same(seen->references, &ways->list[seen->slots[i] - 1], &way))
            return;
    }
    ways->list[ways->count++] = way;
    seen->slots[i] = ways->count;
}

void ways_init(struct ways *ways, struct arena *a, const struct policy_type *kind,
               const struct references *references)
{
    size_t most = kind->request_count * OPERATION_COUNT;
    struct seen seen = {.arena = a, .references = references, .cap = 2};
    while (seen.cap < 2 * most)
        seen.cap *= 2;
    *ways = (struct ways){.list = ARENA_ARRAY(a, most + 1, struct way)};
    seen.slots = ARENA_ARRAY(a, seen.cap, size_t);
    for (size_t i = 0; i < most; i++) {
        struct way way = {&kind->requests[i / OPERATION_COUNT], OPERATIONS[i % OPERATION_COUNT]};
        if ((way.request->operations & way.operation) != 0)
            add(ways, &seen, way);
    }
    if (ways->count == 0)
        ways->list[ways->count++] = (struct way){NULL, POLICY_UPDATE};
}
