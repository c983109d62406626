#include "typecheck/cel/cost/measure.h"

#include <stddef.h>

#include "typecheck/base/arena.h"

struct measure measure_plain(struct estimate range)
{
    return (struct measure){.range = range};
}

bool measure_is_unknown(const struct measure *m)
{
    return m->range.min == 0 && m->range.max == UINT64_MAX && m->key == NULL && m->element == NULL;
}

static struct measure with_parts(struct arena *a, struct estimate range, const struct measure *x,
                                 const struct measure *y)
{
    return (struct measure){range, measure_merge(a, x->key, y->key),
                            measure_merge(a, x->element, y->element)};
}

struct measure measure_add(struct arena *a, struct measure x, struct measure y)
{
    return with_parts(a, estimate_add(x.range, y.range), &x, &y);
}

struct measure measure_multiply(struct arena *a, struct measure x, struct measure y)
{
    return with_parts(a, estimate_multiply(x.range, y.range), &x, &y);
}

/* Recurses as deep as lists and maps are nested, which the parser and the schema bound. */
struct measure measure_union(struct arena *a, struct measure x, struct measure y)
{
    return with_parts(a, estimate_union(x.range, y.range), &x, &y);
}

const struct measure *measure_merge(struct arena *a, const struct measure *x, const struct measure *y)
{
    arena_step(a);
    if (x == NULL || y == NULL)
        return x == NULL ? y : x;
    struct measure *both = ARENA_NEW(a, struct measure);
    *both = measure_union(a, *x, *y);
    return both;
}
