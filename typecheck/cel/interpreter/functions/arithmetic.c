#include "typecheck/cel/interpreter/functions/arithmetic.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/values/equality.h"
#include "typecheck/cel/interpreter/values/times.h"

static const struct value *int_overflow(struct arena *a)
{
    return value_error(a, STR("integer overflow"));
}

static const struct value *uint_overflow(struct arena *a)
{
    return value_error(a, STR("unsigned integer overflow"));
}

static bool holds_typed(const struct value *list)
{
    return value_is_typed(list) || list->list->has_typed;
}

/* The items of a list of a custom resource keep their places. A set has each item once; in a map an item
 * replaces the one with the same keys. */
static const struct value *add_custom(const struct invocation *c, const struct value *one,
                                      const struct value *two)
{
    struct arena *a = c->arena;
    struct value *sum = value_new_list(a, one->list->count + two->list->count);
    sum->list->type = one->list->type;
    sum->list->keys = one->list->keys;
    sum->go = one->list->type == VALUE_LIST_ATOMIC ? VALUE_GO_NONE : VALUE_GO_CUSTOM;
    for (size_t i = 0; i < one->list->count; i++)
        value_append(a, sum->list, one->list->items[i]);
    for (size_t i = 0; i < two->list->count; i++) {
        const struct value *item = two->list->items[i];
        const size_t same = equality_find_same(a, sum->list, item);
        if (same == sum->list->count)
            value_append(a, sum->list, item);
        else
            sum->list->items[same] = sum->list->type == VALUE_LIST_MAP ? item : sum->list->items[same];
    }
    return sum;
}

/* One list behind the other. The list that a comprehension collects in takes the other's items itself; a
 * typed list is copied. */
static const struct value *add_lists(struct arena *a, const struct value *one, const struct value *two)
{
    struct value_list *list = one->list;
    size_t count = two->list->count;
    bool is_copied = value_is_typed(one);
    if (!is_copied && !list->is_mutable && list->count == 0)
        return two;
    if (!is_copied && !list->is_mutable && count == 0)
        return one;
    if (!list->is_mutable) {
        struct value *sum = value_new_list(a, list->count + count);
        arena_pay(a, (list->count + count) / ARENA_LOOKS_PER_STEP);
        for (size_t i = 0; i < list->count; i++)
            value_append(a, sum->list, list->items[i]);
        list = sum->list;
        list->is_sum = !is_copied;
        list->first = one;
        list->second = two;
        list->has_typed = list->is_sum && (holds_typed(one) || holds_typed(two));
        one = sum;
    }
    for (size_t i = 0; i < count; i++)
        value_append(a, list, two->list->items[i]);
    return one;
}

static const struct value *add_texts(struct arena *a, const struct value *one, const struct value *two)
{
    arena_pay_bytes(a, one->text.len + two->text.len);
    struct str sum = str_join(a, STR_PARTS(one->text, two->text));
    return one->kind == VALUE_STRING ? value_string(a, sum) : value_bytes(a, sum);
}

static const struct value *add_ints(struct arena *a, const struct value *one, const struct value *two)
{
    int64_t sum;
    if (__builtin_add_overflow(one->integer, two->integer, &sum))
        return int_overflow(a);
    return one->kind == VALUE_INT ? value_int(a, sum) : value_duration(a, sum);
}

const struct value *arithmetic_add(const struct invocation *c)
{
    const struct value *one = c->args[0], *two = c->args[1];
    uint64_t sum;
    if (one->kind == VALUE_TIMESTAMP && two->kind == VALUE_DURATION)
        return times_add(c->arena, one, two->integer);
    if (one->kind == VALUE_DURATION && two->kind == VALUE_TIMESTAMP)
        return times_add(c->arena, two, one->integer);
    if (one->kind != two->kind)
        return value_no_overload(c->arena);
    if (one->kind == VALUE_INT || one->kind == VALUE_DURATION)
        return add_ints(c->arena, one, two);
    if (one->kind == VALUE_DOUBLE)
        return value_double(c->arena, one->floating + two->floating);
    if (one->kind == VALUE_UINT)
        return __builtin_add_overflow(one->uinteger, two->uinteger, &sum) ? uint_overflow(c->arena)
                                                                          : value_uint(c->arena, sum);
    if (one->kind == VALUE_STRING || one->kind == VALUE_BYTES)
        return add_texts(c->arena, one, two);
    if (one->kind == VALUE_LIST)
        return value_is_custom(one) ? add_custom(c, one, two) : add_lists(c->arena, one, two);
    return value_no_overload(c->arena);
}

const struct value *arithmetic_subtract(const struct invocation *c)
{
    const struct value *one = c->args[0], *two = c->args[1];
    int64_t difference;
    uint64_t rest;
    if (one->kind == VALUE_TIMESTAMP && two->kind == VALUE_DURATION)
        return times_subtract(c->arena, one, two->integer);
    if (one->kind != two->kind)
        return value_no_overload(c->arena);
    if (one->kind == VALUE_TIMESTAMP)
        return times_between(c->arena, one, two);
    if (one->kind == VALUE_DOUBLE)
        return value_double(c->arena, one->floating - two->floating);
    if (one->kind == VALUE_UINT)
        return __builtin_sub_overflow(one->uinteger, two->uinteger, &rest) ? uint_overflow(c->arena)
                                                                           : value_uint(c->arena, rest);
    if (one->kind != VALUE_INT && one->kind != VALUE_DURATION)
        return value_no_overload(c->arena);
    if (__builtin_sub_overflow(one->integer, two->integer, &difference))
        return int_overflow(c->arena);
    return one->kind == VALUE_INT ? value_int(c->arena, difference) : value_duration(c->arena, difference);
}

const struct value *arithmetic_multiply(const struct invocation *c)
{
    const struct value *one = c->args[0], *two = c->args[1];
    int64_t product;
    uint64_t uproduct;
    if (one->kind != two->kind)
        return value_no_overload(c->arena);
    if (one->kind == VALUE_DOUBLE)
        return value_double(c->arena, one->floating * two->floating);
    if (one->kind == VALUE_UINT)
        return __builtin_mul_overflow(one->uinteger, two->uinteger, &uproduct)
                   ? uint_overflow(c->arena)
                   : value_uint(c->arena, uproduct);
    return __builtin_mul_overflow(one->integer, two->integer, &product) ? int_overflow(c->arena)
                                                                        : value_int(c->arena, product);
}

/* The error of a division of whole numbers; NULL: none. */
static const struct value *check_division(const struct invocation *c, const char *by_zero)
{
    const struct value *one = c->args[0], *two = c->args[1];
    if (two->uinteger == 0)
        return value_error(c->arena, str_of(by_zero));
    return one->kind == VALUE_INT && one->integer == INT64_MIN && two->integer == -1 ? int_overflow(c->arena)
                                                                                     : NULL;
}

const struct value *arithmetic_divide(const struct invocation *c)
{
    const struct value *one = c->args[0], *two = c->args[1];
    if (one->kind != two->kind)
        return value_no_overload(c->arena);
    if (one->kind == VALUE_DOUBLE)
        return value_double(c->arena, one->floating / two->floating);
    const struct value *error = check_division(c, "division by zero");
    if (error != NULL)
        return error;
    return one->kind == VALUE_INT ? value_int(c->arena, one->integer / two->integer)
                                  : value_uint(c->arena, one->uinteger / two->uinteger);
}

const struct value *arithmetic_modulo(const struct invocation *c)
{
    const struct value *one = c->args[0], *two = c->args[1];
    if (one->kind != two->kind)
        return value_no_overload(c->arena);
    const struct value *error = check_division(c, "modulus by zero");
    if (error != NULL)
        return error;
    return one->kind == VALUE_INT ? value_int(c->arena, one->integer % two->integer)
                                  : value_uint(c->arena, one->uinteger % two->uinteger);
}

const struct value *arithmetic_negate(const struct invocation *c)
{
    const struct value *v = c->args[0];
    if (v->kind == VALUE_DOUBLE)
        return value_double(c->arena, -v->floating);
    if (v->kind == VALUE_BOOL)
        return value_no_overload(c->arena);
    if (v->integer == INT64_MIN)
        return int_overflow(c->arena);
    return v->kind == VALUE_INT ? value_int(c->arena, -v->integer) : value_duration(c->arena, -v->integer);
}
