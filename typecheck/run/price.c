#include "typecheck/run/price.h"

#include <math.h>

/* Of a character, in strings; of one in a pattern. */
static const double TRAVERSAL = 0.1, PATTERN = 0.25;

/* Code points of a string, bytes, items, entries; 1 of what has no size. */
static uint64_t size_of(struct arena *a, const struct value *v)
{
    while (v->kind == VALUE_OPTIONAL && v->inner != NULL)
        v = v->inner;
    switch (v->kind) {
    case VALUE_STRING:
        return value_string_size(a, v->text);
    case VALUE_BYTES:
        return v->text.len;
    case VALUE_LIST:
        return v->list->count;
    case VALUE_MAP:
        return v->map->count;
    case VALUE_NULL:
    case VALUE_BOOL:
    case VALUE_INT:
    case VALUE_UINT:
    case VALUE_DOUBLE:
    case VALUE_DURATION:
    case VALUE_TIMESTAMP:
    case VALUE_TYPE:
    case VALUE_OPTIONAL:
    case VALUE_ERROR:
        break;
    }
    return 1;
}

static uint64_t traversal(uint64_t size)
{
    return (uint64_t)ceil((double)size * TRAVERSAL);
}

uint64_t price_one(struct arena *a, const struct value *const *args, const struct value *result)
{
    (void)a, (void)args, (void)result;
    return 1;
}

uint64_t price_items(struct arena *a, const struct value *const *args, const struct value *result)
{
    (void)result;
    return size_of(a, args[1]);
}

uint64_t price_first(struct arena *a, const struct value *const *args, const struct value *result)
{
    (void)result;
    return traversal(size_of(a, args[0]));
}

uint64_t price_second(struct arena *a, const struct value *const *args, const struct value *result)
{
    (void)result;
    return traversal(size_of(a, args[1]));
}

uint64_t price_shorter(struct arena *a, const struct value *const *args, const struct value *result)
{
    uint64_t one = size_of(a, args[0]), two = size_of(a, args[1]);
    (void)result;
    return traversal(one < two ? one : two);
}

uint64_t price_both(struct arena *a, const struct value *const *args, const struct value *result)
{
    (void)result;
    return traversal(size_of(a, args[0]) + size_of(a, args[1]));
}

uint64_t price_search(struct arena *a, const struct value *const *args, const struct value *result)
{
    (void)result;
    return traversal(size_of(a, args[0])) * traversal(size_of(a, args[1]));
}

uint64_t price_match(struct arena *a, const struct value *const *args, const struct value *result)
{
    (void)result;
    return traversal(1 + size_of(a, args[0])) * (uint64_t)ceil((double)size_of(a, args[1]) * PATTERN);
}
