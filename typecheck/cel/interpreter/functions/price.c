/*
 * A price is what a call costs in cel-go's units. It is computed after the call, from the arguments and the
 * result, by one of these functions; functions.def says which overload has which. Most prices are a factor
 * times the code points, items or entries that a function reads. The server computes in 64-bit floats and
 * converts the sums to integers, so the same is done here, in the same order; convert() does it for negative
 * and very large numbers as amd64 does. `fatal` is set if Go would panic while it counts.
 */
#include "typecheck/cel/interpreter/functions/price.h"

#include <math.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/values/addresses.h"
#include "typecheck/cel/interpreter/values/named_formats.h"
#include "typecheck/cel/interpreter/values/value_map.h"
#include "typecheck/cel/interpreter/values/value_text.h"
#include "typecheck/cel/types/celgo.h"

/* The price of a character in strings, and of one in a pattern. */
static const double TRAVERSAL = 0.1, PATTERN = 0.25;

/* The price of a call, and of the list that it makes; that of a comparison of two items, which is more for
 * strings. */
static const uint64_t CALL = 1, LIST = 10;
static const double COMPARISON = 2;

/* Lists and maps within each other are no deeper. */
enum { WALK_DEPTH = 1000 };

/* Code points of a string, bytes, items, entries; 1 of what has no size. */
static uint64_t plain_size(struct arena *a, const struct value *v)
{
    switch (v->kind) {
    case VALUE_STRING:
        return value_string_size(a, v->text);
    case VALUE_BYTES:
        return v->text.len;
    case VALUE_LIST:
        return v->list->count;
    case VALUE_MAP:
        return v->map->count;
    case VALUE_IP:
    case VALUE_CIDR:
        return addresses_size(v);
    case VALUE_NULL:
    case VALUE_BOOL:
    case VALUE_INT:
    case VALUE_UINT:
    case VALUE_DOUBLE:
    case VALUE_DURATION:
    case VALUE_TIMESTAMP:
    case VALUE_TYPE:
    case VALUE_OPTIONAL:
    case VALUE_QUANTITY:
    case VALUE_SEMVER:
    case VALUE_FORMAT:
    case VALUE_URL:
    case VALUE_AUTHORIZATION:
    case VALUE_OBJECT:
    case VALUE_JSON_PATCH:
    case VALUE_ERROR:
        break;
    }
    return 1;
}

/* The language itself looks into optionals in some releases, libraries do not. */
static uint64_t size_of_arg(const struct bill *b, size_t i)
{
    const struct value *v = b->args[i];
    while (b->celgo->sizes_optionals && v->kind == VALUE_OPTIONAL && v->inner != NULL)
        v = v->inner;
    return plain_size(b->arena, v);
}

static uint64_t plain_size_of_arg(const struct bill *b, size_t i)
{
    return plain_size(b->arena, b->args[i]);
}

static uint64_t traversal(uint64_t size)
{
    return (uint64_t)ceil((double)size * TRAVERSAL);
}

uint64_t price_one(struct bill *b)
{
    (void)b;
    return 1;
}

uint64_t price_items(struct bill *b)
{
    return size_of_arg(b, 1);
}

uint64_t price_first(struct bill *b)
{
    return traversal(size_of_arg(b, 0));
}

uint64_t price_second(struct bill *b)
{
    return traversal(size_of_arg(b, 1));
}

uint64_t price_shorter(struct bill *b)
{
    uint64_t one = size_of_arg(b, 0), two = size_of_arg(b, 1);
    return traversal(one < two ? one : two);
}

uint64_t price_both(struct bill *b)
{
    return traversal(size_of_arg(b, 0) + size_of_arg(b, 1));
}

uint64_t price_search(struct bill *b)
{
    return traversal(size_of_arg(b, 0)) * traversal(size_of_arg(b, 1));
}

uint64_t price_match(struct bill *b)
{
    return traversal(1 + size_of_arg(b, 0)) * (uint64_t)ceil((double)size_of_arg(b, 1) * PATTERN);
}

uint64_t price_find(struct bill *b)
{
    return traversal(1 + plain_size_of_arg(b, 0)) * (uint64_t)ceil((double)plain_size_of_arg(b, 1) * PATTERN);
}

uint64_t price_validate(struct bill *b)
{
    const struct value *v = b->args[0];
    while (v->kind == VALUE_OPTIONAL && v->inner != NULL)
        v = v->inner;
    if (v->kind != VALUE_FORMAT)
        return 1;
    return traversal(1 + plain_size_of_arg(b, 1)) *
           (uint64_t)ceil((double)named_formats_pattern_size(v->format) * PATTERN);
}

uint64_t price_text(struct bill *b)
{
    return traversal(plain_size_of_arg(b, 0));
}

uint64_t price_text_twice(struct bill *b)
{
    return traversal(2 * plain_size_of_arg(b, 0));
}

uint64_t price_result_twice(struct bill *b)
{
    return traversal(2 * plain_size(b->arena, b->result));
}

uint64_t price_contains_ip(struct bill *b)
{
    return traversal(2 * plain_size_of_arg(b, 0));
}

uint64_t price_contains_ip_text(struct bill *b)
{
    return price_contains_ip(b) + traversal(plain_size_of_arg(b, 1));
}

uint64_t price_contains_cidr(struct bill *b)
{
    return price_contains_ip(b) + traversal(plain_size_of_arg(b, 0)) + 1;
}

uint64_t price_contains_cidr_text(struct bill *b)
{
    return price_contains_cidr(b) + traversal(plain_size_of_arg(b, 1));
}

/* ---- lists ---- */

static uint64_t walk(struct arena *a, const struct value *v, unsigned depth)
{
    uint64_t sum = 0;
    arena_step(a);
    if (depth > WALK_DEPTH)
        arena_fail(a, ARENA_STEPS);
    if (v->kind == VALUE_STRING || v->kind == VALUE_BYTES)
        return (uint64_t)((double)v->text.len * TRAVERSAL);
    if (v->kind == VALUE_LIST) {
        for (size_t i = 0; i < v->list->count; i++)
            sum += walk(a, v->list->items[i], depth + 1);
        return sum;
    }
    if (v->kind != VALUE_MAP)
        return 1;
    for (size_t i = 0; i < v->map->count; i++)
        sum += walk(a, v->map->entries[i].key, depth + 1) + walk(a, v->map->entries[i].value, depth + 1);
    return sum;
}

/* Two of them are what one expression may ask. */
uint64_t price_authorization(struct bill *b)
{
    static const uint64_t CHECK = 350000;
    (void)b;
    return CHECK;
}

/* A requirement for each two characters, and the list of them. */
uint64_t price_selector(struct bill *b)
{
    static const uint64_t REQUIREMENT = 50;
    uint64_t size = plain_size_of_arg(b, 1);
    return LIST + traversal(size) + (size + 1) / 2 * REQUIREMENT;
}

uint64_t price_walk(struct bill *b)
{
    return walk(b->arena, b->args[0], 0);
}

/* Go takes the argument for a list without looking: a call that failed for its argument panics. */
static const struct value_list *expect_list(struct bill *b, size_t i)
{
    const uint32_t adders = VALUE_KIND(VALUE_INT) | VALUE_KIND(VALUE_UINT) | VALUE_KIND(VALUE_DOUBLE) |
                            VALUE_KIND(VALUE_STRING) | VALUE_KIND(VALUE_BYTES) | VALUE_KIND(VALUE_DURATION) |
                            VALUE_KIND(VALUE_TIMESTAMP);
    const struct value *v = b->args[i];
    if (v->kind == VALUE_LIST)
        return v->list;
    bool adds = (adders >> v->kind & 1) != 0;
    b->fatal = value_fatal(
        b->arena,
        str_format(b->arena,
                   "internal error: interface conversion: %s is not traits.Lister: missing method %s",
                   b->celgo->has_generic_types ? value_go_generic_type(v) : value_go_type(v),
                   adds ? "Contains" : "Add"));
    return NULL;
}

#define TWO_TO_63 9223372036854775808.0

/* Converts as Go does on amd64, also numbers that are negative or too large. */
static uint64_t convert(double cost)
{
    if (cost < 0)
        return cost > -TWO_TO_63 ? (uint64_t)(int64_t)cost : (uint64_t)TWO_TO_63;
    return cost < 2 * TWO_TO_63 ? (uint64_t)cost : (uint64_t)TWO_TO_63;
}

static uint64_t of_items(double factor, uint64_t size)
{
    return convert((double)size * factor) + CALL + LIST;
}

/* A call that failed has made no list. */
uint64_t price_new_list(struct bill *b)
{
    return of_items(1, value_is_error(b->result) ? 0 : plain_size(b->arena, b->result));
}

uint64_t price_new_list_or_error(struct bill *b)
{
    return of_items(1, plain_size(b->arena, b->result));
}

/* The size of a value, or of the value in an optional; 0: the optional is empty. */
static uint64_t length_of(const struct bill *b, const struct value *v)
{
    if (v->kind != VALUE_OPTIONAL)
        return plain_size(b->arena, v);
    return v->inner == NULL ? 0 : plain_size(b->arena, v->inner);
}

/* The price of a flattened list; a level that is no number counts as one. */
uint64_t price_levels(struct bill *b)
{
    const bool has_level = b->count == 2 && b->args[1]->kind == VALUE_INT;
    const uint64_t levels = !has_level ? 1 : b->args[1]->integer < 0 ? 0 : (uint64_t)b->args[1]->integer;
    uint64_t cost;
    if (__builtin_mul_overflow(levels, length_of(b, b->args[0]), &cost) ||
        __builtin_add_overflow(cost, (uint64_t)(CALL + LIST), &cost))
        return UINT64_MAX;
    return cost;
}

static uint64_t flatten(struct bill *b, bool has_bound)
{
    if (b->count == 2 && b->args[1]->kind != VALUE_INT) {
        b->fatal = value_fatal(
            b->arena,
            str_format(b->arena, "internal error: interface conversion: ref.Val is %s, not types.Int",
                       value_go_type(b->args[1])));
        return 0;
    }
    int64_t level = b->count == 2 ? b->args[1]->integer : 1;
    return of_items(has_bound && level < 0 ? 1 : (double)level, plain_size_of_arg(b, 0));
}

uint64_t price_flatten(struct bill *b)
{
    return flatten(b, true);
}

uint64_t price_flatten_unbounded(struct bill *b)
{
    return flatten(b, false);
}

static uint64_t compare_items(const struct value_list *list)
{
    double factor = COMPARISON;
    if (list == NULL)
        return 0;
    if (list->count != 0 && (list->items[0]->kind == VALUE_STRING || list->items[0]->kind == VALUE_BYTES))
        factor += TRAVERSAL;
    return of_items(factor, list->count * list->count);
}

uint64_t price_self(struct bill *b)
{
    return compare_items(expect_list(b, 0));
}

uint64_t price_keys(struct bill *b)
{
    return compare_items(expect_list(b, 1));
}

uint64_t price_pairs(struct bill *b)
{
    return CALL + plain_size_of_arg(b, 0) * plain_size_of_arg(b, 1);
}

uint64_t price_pairs_twice(struct bill *b)
{
    return CALL + 2 * plain_size_of_arg(b, 0) * plain_size_of_arg(b, 1);
}
