#include "typecheck/policy/abstract/ways.h"

#include "typecheck/base/arena.h"
#include "typecheck/base/str.h"
#include "typecheck/cel/types/reads.h"

/* A hash table of ways, by the values of a way that the policy refers to: 1 + its index. Open addressing, a
 * power of two with room for all. */
struct seen {
    struct arena *arena;
    const struct references *references;
    size_t *slots;
    size_t cap;
};

enum { SHOWN_WITHOUT_OBJECT = 1, SHOWN_WITHOUT_OLD_OBJECT = 2 };

/* An operation shows in the objects only by whether there is an object, and an old one. */
static unsigned operation_shown(const struct references *r, enum policy_operation operation)
{
    bool is_new = operation == POLICY_CREATE || operation == POLICY_CONNECT;
    if (r->operation)
        return operation;
    return (r->object && operation == POLICY_DELETE ? SHOWN_WITHOUT_OBJECT : 0u) |
           (r->old_object && is_new ? SHOWN_WITHOUT_OLD_OBJECT : 0u);
}

/* Returns true if the two ways are the same in all that the policy refers to. */
static bool is_same(const struct references *r, const struct way *one, const struct way *two)
{
    const struct policy_request *a = one->request, *b = two->request;
    return operation_shown(r, one->operation) == operation_shown(r, two->operation) &&
           (a->is_namespaced == b->is_namespaced || !(r->namespace || r->object || r->old_object)) &&
           one->is_created == two->is_created && one->is_validated == two->is_validated &&
           (!one->is_created || a->has_status == b->has_status) &&
           (!r->subresource || str_eq(a->subresource, b->subresource)) &&
           (!r->resource || (str_eq(a->resource, b->resource) && str_eq(a->version, b->version) &&
                             str_eq(a->group, b->group)));
}

static size_t hash_way(const struct seen *seen, const struct way *way)
{
    const struct references *r = seen->references;
    const struct policy_request *q = way->request;
    const struct str names[] = {q->subresource, q->group, q->version, q->resource};
    uint32_t hash = (operation_shown(r, way->operation) * 2 + way->is_created) * 2 + way->is_validated;
    for (size_t i = r->subresource ? 0 : 1; i < (r->resource ? sizeof names / sizeof *names : 1); i++) {
        arena_pay_hash(seen->arena, names[i].len);
        hash = hash * 31 + str_hash(names[i]);
    }
    return hash;
}

/* The index of the way that is the same, which is this one if there was none. */
static size_t add(struct ways *ways, struct seen *seen, struct way way)
{
    size_t i = hash_way(seen, &way) & (seen->cap - 1);
    arena_step(seen->arena);
    for (; seen->slots[i] != 0; i = (i + 1) & (seen->cap - 1)) {
        if (is_same(seen->references, &ways->list[seen->slots[i] - 1], &way))
            return seen->slots[i] - 1;
    }
    ways->list[ways->count++] = way;
    seen->slots[i] = ways->count;
    return ways->count - 1;
}

void ways_init(struct ways *ways, struct arena *a, const struct policy_type *kind,
               const struct references *references, bool is_mutating, unsigned validated)
{
    const size_t most = kind->request_count * POLICY_OPERATIONS;
    struct seen seen = {.arena = a, .references = references, .cap = 2};
    while (seen.cap < 2 * most)
        seen.cap *= 2;
    *ways = (struct ways){.request_count = kind->request_count,
                          .list = ARENA_ARRAY(a, most + 1, struct way),
                          .members = ARENA_ARRAY(a, most, struct way_member)};
    seen.slots = ARENA_ARRAY(a, seen.cap, size_t);
    for (size_t i = 0; i < most; i++) {
        struct way way = {.request = &kind->requests[i / POLICY_OPERATIONS],
                          .operation = (enum policy_operation)(1u << i % POLICY_OPERATIONS)};
        way.is_created = references->created && !is_mutating && way.operation == POLICY_CREATE &&
                         way.request->subresource.len == 0;
        way.is_validated =
            (validated & way.operation) != 0 && way.request->subresource.len == 0 && references->object;
        if ((way.request->operations & way.operation) != 0)
            ways->members[ways->member_count++] =
                (struct way_member){way.request, way.operation, add(ways, &seen, way)};
    }
    if (ways->count == 0)
        ways->list[ways->count++] = (struct way){.operation = POLICY_UPDATE};
}

/* ---- what some of them have in common ---- */

enum { RESOURCES_SHOWN = 3 };

/* Operations: those of the marked ways, and those of the others. */
struct operations {
    unsigned of, others;
};

/* The operations of the members from *i on that have the same request. Moves *i past them. */
static struct operations operations_of(const struct ways *ways, const bool *is_of, size_t *i)
{
    struct operations o = {0};
    const struct policy_request *request = ways->members[*i].request;
    for (; *i < ways->member_count && ways->members[*i].request == request; ++*i) {
        const struct way_member *m = &ways->members[*i];
        unsigned *sum = is_of[m->way] ? &o.of : &o.others;
        *sum |= m->operation;
    }
    return o;
}

/* "a", "a and b", "a, b and c" */
static struct str separator(size_t i, size_t count)
{
    return i == 0 ? STR("") : i + 1 == count ? STR(" and ") : STR(", ");
}

static void add_operations(struct text *t, unsigned operations)
{
    size_t count = 0, shown = 0;
    for (size_t i = 0; i < POLICY_OPERATIONS; i++)
        count += (operations & 1u << i) != 0;
    for (size_t i = 0; i < POLICY_OPERATIONS; i++) {
        if ((operations & 1u << i) == 0)
            continue;
        text_add(t, separator(shown++, count));
        text_add(t, policy_operation_names[i]);
    }
}

static bool is_same_name(const struct policy_request *one, const struct policy_request *two)
{
    return str_eq(one->resource, two->resource) && str_eq(one->subresource, two->subresource);
}

/* The resources with just these operations, or with any (0): each once, the first few by name. */
static void add_resources(struct text *t, const struct ways *ways, const bool *is_of, unsigned operations)
{
    const struct policy_request *shown[RESOURCES_SHOWN];
    size_t count = 0;
    reads_resources(ways->reads, ways->request_count);
    for (size_t i = 0; i < ways->member_count;) {
        const struct policy_request *request = ways->members[i].request;
        arena_step(t->arena);
        unsigned of = operations_of(ways, is_of, &i).of;
        if (operations == 0 ? of == 0 : of != operations)
            continue;
        if (count > 0 && count <= RESOURCES_SHOWN && is_same_name(shown[count - 1], request))
            continue; /* of another group or version */
        if (count < RESOURCES_SHOWN)
            shown[count] = request;
        count++;
    }
    for (size_t i = 0; i < count && i < RESOURCES_SHOWN; i++) {
        text_add(t, separator(i, count));
        text_add(t, shown[i]->resource);
        if (shown[i]->subresource.len != 0) {
            text_add_char(t, '/');
            text_add(t, shown[i]->subresource);
        }
    }
    if (count > RESOURCES_SHOWN)
        text_addf(t, " and %zu more", count - RESOURCES_SHOWN);
}

struct str ways_text(const struct ways *ways, struct arena *a, const bool *is_of)
{
    struct text t = {.arena = a};
    unsigned of = 0, others = 0;
    bool are_whole = true; /* the resources: each has all of its operations among them, or none */
    bool has[1u << POLICY_OPERATIONS] = {0}; /* by the operations of a resource that are among them */
    for (size_t i = 0; i < ways->member_count;) {
        struct operations o = operations_of(ways, is_of, &i);
        arena_step(a);
        of |= o.of;
        others |= o.others;
        are_whole = are_whole && (o.of == 0 || o.others == 0);
        has[o.of] = has[o.of] || o.of != 0;
    }
    if ((of & others) == 0) {
        text_add(&t, STR(" on "));
        add_operations(&t, of);
        return text_str(&t);
    }
    if (are_whole) {
        text_add(&t, STR(" for "));
        add_resources(&t, ways, is_of, 0);
        return text_str(&t);
    }
    for (unsigned operations = 1; operations < 1u << POLICY_OPERATIONS; operations++) {
        if (!has[operations])
            continue;
        text_add(&t, t.len == 0 ? STR(" on ") : STR(", and on "));
        add_operations(&t, operations);
        text_add(&t, STR(" of "));
        add_resources(&t, ways, is_of, operations);
    }
    return text_str(&t);
}
