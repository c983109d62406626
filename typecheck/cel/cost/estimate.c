#include "typecheck/cel/cost/estimate.h"

#include <math.h>

static uint64_t sum(uint64_t a, uint64_t b)
{
    uint64_t answer;
    return __builtin_add_overflow(a, b, &answer) ? UINT64_MAX : answer;
}

uint64_t estimate_product(uint64_t a, uint64_t b)
{
    uint64_t answer;
    return __builtin_mul_overflow(a, b, &answer) ? UINT64_MAX : answer;
}

static uint64_t scaled(uint64_t value, double factor)
{
    double answer = ceil((double)value * factor);
    return answer >= 0x1p64 ? UINT64_MAX : (uint64_t)answer;
}

struct estimate estimate_fixed(uint64_t value)
{
    return (struct estimate){value, value};
}

struct estimate estimate_add(struct estimate a, struct estimate b)
{
    return (struct estimate){sum(a.min, b.min), sum(a.max, b.max)};
}

struct estimate estimate_multiply(struct estimate a, struct estimate b)
{
    return (struct estimate){estimate_product(a.min, b.min), estimate_product(a.max, b.max)};
}

struct estimate estimate_scale(struct estimate a, double factor)
{
    return (struct estimate){scaled(a.min, factor), scaled(a.max, factor)};
}

static uint64_t divided(uint64_t value, uint64_t by)
{
    return value == UINT64_MAX ? value : value / by + (value % by != 0);
}

struct estimate estimate_divide(struct estimate a, uint64_t by)
{
    return (struct estimate){divided(a.min, by), divided(a.max, by)};
}

struct estimate estimate_union(struct estimate a, struct estimate b)
{
    return (struct estimate){a.min < b.min ? a.min : b.min, a.max > b.max ? a.max : b.max};
}
