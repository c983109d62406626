/*
 * These are the functions of lists and sets, of Kubernetes' libraries and of cel-go's extensions. Items are
 * compared by equality.h, where the left value decides; which of two values is on the left is therefore a
 * part of each function's behaviour. Sorting must give Go's order: up to 12 items Go sorts by insertion,
 * which keeps the order of equal items. The order that it gives to more items is not computed, so if it is
 * visible, the call reports that it is missing.
 */
#include "typecheck/cel/interpreter/functions/lists.h"

#include <inttypes.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/functions/arithmetic.h"
#include "typecheck/cel/interpreter/values/equality.h"
#include "typecheck/cel/interpreter/values/value_map.h"
#include "typecheck/cel/interpreter/values/value_text.h"

/* ---- order ---- */

/* cel-go's Comparer and Adder. */
static bool is_ordered(const struct value *v)
{
    const uint32_t ordered = VALUE_KIND(VALUE_BOOL) | VALUE_KIND(VALUE_INT) | VALUE_KIND(VALUE_UINT) |
                             VALUE_KIND(VALUE_DOUBLE) | VALUE_KIND(VALUE_STRING) | VALUE_KIND(VALUE_BYTES) |
                             VALUE_KIND(VALUE_DURATION) | VALUE_KIND(VALUE_TIMESTAMP);
    return (ordered >> v->kind & 1) != 0;
}

static bool is_adder(const struct value *v)
{
    return v->kind == VALUE_LIST || (is_ordered(v) && v->kind != VALUE_BOOL);
}

/* An error of comparing is no order, and passes. */
static int order_of(struct arena *a, const struct value *one, const struct value *two)
{
    int order = 0;
    const struct value *error = equality_compare(a, one, two, &order);
    return error != NULL ? 0 : order;
}

const struct value *lists_is_sorted(const struct invocation *c)
{
    const struct value_list *list = c->args[0]->list;
    for (size_t i = 0; i < list->count; i++) {
        arena_step(c->arena);
        if (!is_ordered(list->items[i]))
            return value_no_overload(c->arena);
        if (i > 0 && order_of(c->arena, list->items[i - 1], list->items[i]) > 0)
            return &value_false;
    }
    return &value_true;
}

static const struct value *find_extreme(const struct invocation *c, int sign)
{
    const struct value_list *list = c->args[0]->list;
    const struct value *found = NULL;
    for (size_t i = 0; i < list->count; i++) {
        arena_step(c->arena);
        if (!is_ordered(list->items[i]))
            return value_no_overload(c->arena);
        if (found == NULL || order_of(c->arena, found, list->items[i]) * sign < 0)
            found = list->items[i];
    }
    if (found == NULL)
        return value_error_of(c->arena, ISSUE_OTHER,
                              str_join(c->arena, STR_PARTS(c->function, STR(" called on empty list"))));
    return found;
}

const struct value *lists_max(const struct invocation *c)
{
    return find_extreme(c, 1);
}

const struct value *lists_min(const struct invocation *c)
{
    return find_extreme(c, -1);
}

/* ---- sums ---- */

static const struct value *sum(const struct invocation *c, const struct value *zero)
{
    const struct value_list *list = c->args[0]->list;
    for (size_t i = 0; i < list->count; i++) {
        const struct value *terms[] = {zero, list->items[i]};
        struct invocation add = {c->arena, STR("_+_"), terms, 2, NULL, c->missing};
        arena_step(c->arena);
        if (!is_adder(list->items[i]))
            return value_no_overload(c->arena);
        zero = arithmetic_add(&add);
        if (value_is_error(zero))
            return zero;
    }
    return zero;
}

const struct value *lists_sum_double(const struct invocation *c)
{
    return sum(c, value_double(c->arena, 0));
}

const struct value *lists_sum_duration(const struct invocation *c)
{
    return sum(c, value_duration(c->arena, 0));
}

const struct value *lists_sum_int(const struct invocation *c)
{
    return sum(c, value_int(c->arena, 0));
}

const struct value *lists_sum_uint(const struct invocation *c)
{
    return sum(c, value_uint(c->arena, 0));
}

/* ---- search ---- */

const struct value *lists_index_of(const struct invocation *c)
{
    const struct value_list *list = c->args[0]->list;
    for (size_t i = 0; i < list->count; i++) {
        if (equality_equal(c, list->items[i], c->args[1]))
            return value_int(c->arena, (int64_t)i);
    }
    return value_int(c->arena, -1);
}

const struct value *lists_last_index_of(const struct invocation *c)
{
    const struct value_list *list = c->args[0]->list;
    for (size_t i = list->count; i-- > 0;) {
        if (equality_equal(c, list->items[i], c->args[1]))
            return value_int(c->arena, (int64_t)i);
    }
    return value_int(c->arena, -1);
}

/* Asks the item, where `in` asks what is looked for. */
static bool includes_item(const struct invocation *c, const struct value_list *list, const struct value *v)
{
    bool does = false;
    for (size_t i = 0; !does && i < list->count; i++)
        does = equality_equal(c, list->items[i], v);
    return does;
}

const struct value *lists_includes(const struct invocation *c)
{
    const struct value *target = c->args[0];
    if (target->kind == VALUE_LIST)
        return value_bool(includes_item(c, target->list, c->args[1]));
    return value_bool(equality_equal(c, target, c->args[1]));
}

/* ---- sets ---- */

static bool contains_all(const struct invocation *c, const struct value *list, const struct value *part)
{
    bool does = true;
    for (size_t i = 0; does && i < part->list->count; i++)
        does = equality_contains(c, list, part->list->items[i]);
    return does;
}

const struct value *lists_contains_all(const struct invocation *c)
{
    return value_bool(contains_all(c, c->args[0], c->args[1]));
}

const struct value *lists_equivalent(const struct invocation *c)
{
    const struct value *one = c->args[0], *two = c->args[1];
    return value_bool(contains_all(c, one, two) && contains_all(c, two, one));
}

const struct value *lists_intersects(const struct invocation *c)
{
    const struct value_list *one = c->args[0]->list;
    bool does = false;
    for (size_t i = 0; !does && i < one->count; i++)
        does = equality_contains(c, c->args[1], one->items[i]);
    return value_bool(does);
}

/* ---- new lists ---- */

const struct value *lists_distinct(const struct invocation *c)
{
    const struct value_list *list = c->args[0]->list;
    struct value *found = value_new_list(c->arena, 0);
    for (size_t i = 0; i < list->count; i++) {
        bool is_known = false;
        for (size_t j = 0; !is_known && j < found->list->count; j++)
            is_known = i != j && equality_equal(c, list->items[i], found->list->items[j]);
        if (!is_known)
            value_append(c->arena, found->list, list->items[i]);
    }
    return found;
}

/* Lists within each other are no deeper. */
enum { FLATTEN_DEPTH = 1000 };

static void flatten(struct arena *a, struct value_list *out, const struct value_list *list, int64_t levels,
                    unsigned depth)
{
    if (depth > FLATTEN_DEPTH)
        arena_fail(a, ARENA_STEPS);
    for (size_t i = 0; i < list->count; i++) {
        arena_step(a);
        if (levels == 0 || list->items[i]->kind != VALUE_LIST)
            value_append(a, out, list->items[i]);
        else
            flatten(a, out, list->items[i]->list, levels - 1, depth + 1);
    }
}

/* The name of the value's type with its parameters. */
static struct str type_text(const struct value *v, bool has_typed_optionals)
{
    if (v->kind == VALUE_LIST)
        return STR("list(dyn)");
    if (v->kind == VALUE_MAP)
        return STR("map(dyn, dyn)");
    if (v->kind == VALUE_OPTIONAL && has_typed_optionals)
        return STR("optional_type(dyn)");
    return value_type_name(v);
}

/* No guard of the types is before it. */
static const struct value *flatten_any(const struct invocation *c, bool has_typed_optionals)
{
    const struct value *list = c->args[0];
    if (list->kind != VALUE_LIST || (c->count == 2 && c->args[1]->kind != VALUE_INT)) {
        struct text t = {.arena = c->arena};
        text_addf(&t, "no such overload: %.*s.flatten(", STR_ARG(type_text(list, has_typed_optionals)));
        text_add(&t, c->count == 2 ? type_text(c->args[1], has_typed_optionals) : STR(""));
        text_add_char(&t, ')');
        return value_error_of(c->arena, ISSUE_NO_OVERLOAD, text_str(&t));
    }
    int64_t levels = c->count == 2 ? c->args[1]->integer : 1;
    if (levels < 0)
        return value_error_of(c->arena, ISSUE_OTHER, STR("level must be non-negative"));
    struct value *flat = value_new_list(c->arena, list->list->count);
    flatten(c->arena, flat->list, list->list, levels, 0);
    return flat;
}

const struct value *lists_flatten(const struct invocation *c)
{
    return flatten_any(c, true);
}

const struct value *lists_flatten_untyped(const struct invocation *c)
{
    return flatten_any(c, false);
}

#define RANGE_MAX 1000000

const struct value *lists_range_unbounded(const struct invocation *c)
{
    int64_t count = c->args[0]->integer;
    struct value *list = value_new_list(c->arena, count < 0 ? 0 : (size_t)count);
    arena_pay(c->arena, list->list->cap / ARENA_LOOKS_PER_STEP);
    for (int64_t i = 0; i < count; i++)
        value_append(c->arena, list->list, value_int(c->arena, i));
    return list;
}

const struct value *lists_range(const struct invocation *c)
{
    int64_t count = c->args[0]->integer;
    if (count < 0)
        return value_errorf(c->arena, "lists.range: size must be non-negative, got %" PRId64, count);
    if (count > RANGE_MAX)
        return value_errorf(c->arena, "lists.range: size %" PRId64 " exceeds maximum allowed (%d)", count,
                            RANGE_MAX);
    return lists_range_unbounded(c);
}

const struct value *lists_reverse_wrapped(const struct invocation *c)
{
    const struct value_list *list = c->args[0]->list;
    struct value *reversed = value_new_list(c->arena, list->count);
    arena_pay(c->arena, list->count / ARENA_LOOKS_PER_STEP);
    for (size_t i = list->count; i-- > 0;)
        value_append(c->arena, reversed->list, list->items[i]);
    return reversed;
}

const struct value *lists_slice_wrapped(const struct invocation *c)
{
    const struct value_list *list = c->args[0]->list;
    int64_t start = c->args[1]->integer, end = c->args[2]->integer;
    struct text t = {.arena = c->arena};
    text_addf(&t, "cannot slice(%" PRId64 ", %" PRId64 "), ", start, end);
    if (start < 0 || end < 0)
        text_add(&t, STR("negative indexes not supported"));
    else if (start > end)
        text_add(&t, STR("start index must be less than or equal to end index"));
    else if ((uint64_t)end > list->count)
        text_addf(&t, "list is length %zu", list->count);
    if (start < 0 || end < start || (uint64_t)end > list->count)
        return value_error(c->arena, text_str(&t));
    struct value *part = value_new_list(c->arena, (size_t)(end - start));
    for (int64_t i = start; i < end; i++)
        value_append(c->arena, part->list, list->items[i]);
    return part;
}

/* Since cel-go 0.33 these two take the items out of the API server's own lists, and cannot wrap structs of Go
 * again: each becomes an error, which shows the struct. */
static bool has_structs(const struct invocation *c, size_t from, size_t end)
{
    const struct value *list = c->args[0];
    bool is_found = false;
    for (size_t i = from; value_is_typed(list) && i < end && !is_found; i++) {
        const struct value *item = list->list->items[i];
        is_found = item->kind == VALUE_MAP && value_is_typed(item) && item->map->go_struct.len != 0;
    }
    arena_pay(c->arena, end / ARENA_LOOKS_PER_STEP);
    return is_found;
}

const struct value *lists_reverse(const struct invocation *c)
{
    size_t count = c->args[0]->list->count;
    bool is_same = count < 2; /* the list itself */
    return !is_same && has_structs(c, 0, count) ? function_lacks_text(c) : lists_reverse_wrapped(c);
}

const struct value *lists_slice(const struct invocation *c)
{
    int64_t start = c->args[1]->integer, end = c->args[2]->integer;
    bool is_part = start >= 0 && start <= end && (uint64_t)end <= c->args[0]->list->count;
    if (is_part && has_structs(c, (size_t)start, (size_t)end))
        return function_lacks_text(c);
    return lists_slice_wrapped(c);
}

/* ---- sorting ---- */

/* Go sorts no more by insertion, which keeps the order of what is equal. */
enum { INSERTION_MAX = 12 };

struct sorting {
    struct arena *arena;
    const struct value_list *keys;
    size_t *order, *scratch; /* indices of keys */
    bool has_other_type, has_tie;
};

static bool is_less(struct sorting *s, size_t one, size_t two)
{
    const struct value *a = s->keys->items[one], *b = s->keys->items[two], *first = s->keys->items[0];
    arena_step(s->arena);
    if (a->kind != first->kind || b->kind != first->kind) {
        s->has_other_type = true;
        return false;
    }
    int order = 0;
    const struct value *error = equality_compare(s->arena, a, b, &order);
    s->has_tie = s->has_tie || error != NULL || order == 0;
    return error == NULL && order < 0;
}

static void sort_by_insertion(struct sorting *s, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        for (size_t j = i; j > 0 && is_less(s, s->order[j], s->order[j - 1]); j--) {
            size_t swapped = s->order[j];
            s->order[j] = s->order[j - 1];
            s->order[j - 1] = swapped;
        }
    }
}

/* Sorts [from, to) of `order` by halves; recurses no deeper than the number of bits of a size. */
static void sort_by_merging(struct sorting *s, size_t from, size_t to)
{
    if (to - from < 2)
        return;
    size_t middle = from + (to - from) / 2, left = from, right = middle;
    sort_by_merging(s, from, middle);
    sort_by_merging(s, middle, to);
    for (size_t i = from; i < to; i++) {
        bool takes_right = right < to && (left == middle || is_less(s, s->order[right], s->order[left]));
        s->scratch[i] = takes_right ? s->order[right++] : s->order[left++];
    }
    for (size_t i = from; i < to; i++)
        s->order[i] = s->scratch[i];
}

static const struct value *sort(const struct invocation *c, const struct value *list,
                                const struct value_list *keys)
{
    size_t count = list->list->count;
    if (count != keys->count)
        return value_errorf(c->arena,
                            "@sortByAssociatedKeys() expected a list of the same size as the associated keys "
                            "list, but got %zu and %zu elements respectively",
                            count, keys->count);
    if (count == 0)
        return list;
    if (!is_ordered(keys->items[0]))
        return value_error_of(c->arena, ISSUE_OTHER, STR("list elements must be comparable"));
    struct sorting s = {.arena = c->arena, .keys = keys};
    s.order = ARENA_ARRAY(c->arena, count, size_t);
    s.scratch = ARENA_ARRAY(c->arena, count, size_t);
    for (size_t i = 0; i < count; i++)
        s.order[i] = i;
    if (count <= INSERTION_MAX)
        sort_by_insertion(&s, count);
    else
        sort_by_merging(&s, 0, count);
    if (s.has_other_type)
        return value_error_of(c->arena, ISSUE_OTHER, STR("list elements must have the same type"));
    /* zeros have signs, and times are shown in zones */
    const uint32_t differ = VALUE_KIND(VALUE_DOUBLE) | VALUE_KIND(VALUE_TIMESTAMP);
    bool shows_order = list->list != keys || (differ >> keys->items[0]->kind & 1) != 0;
    if (s.has_tie && count > INSERTION_MAX && shows_order)
        *c->missing = STR("the order that sorting gives to more than 12 items, some of which are equal");
    struct value *sorted = value_new_list(c->arena, count);
    for (size_t i = 0; i < count; i++)
        value_append(c->arena, sorted->list, list->list->items[s.order[i]]);
    return sorted;
}

const struct value *lists_sort(const struct invocation *c)
{
    return sort(c, c->args[0], c->args[0]->list);
}

const struct value *lists_sort_by_keys(const struct invocation *c)
{
    if (c->args[1]->kind != VALUE_LIST)
        return value_no_overload(c->arena);
    return sort(c, c->args[0], c->args[1]->list);
}
