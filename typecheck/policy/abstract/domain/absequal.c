#include "typecheck/policy/abstract/domain/absequal.h"

#include "typecheck/base/arena.h"
#include "typecheck/policy/abstract/domain/constant_run.h"

/* Two lists within those that are compared. */
struct pair {
    const struct abslist *a, *b; /* the two lists that were compared; NULL if the slot is free */
    struct absequal_outcome outcome;
};

#define FIRST_PAIRS 16u

/* Odd, with no pattern in its bits. */
#define HASH_FACTOR 0x9E3779B97F4A7C15u

static struct pair *find_pair(const struct absequal *c, const struct abslist *a, const struct abslist *b)
{
    uint64_t mixed = ((uintptr_t)a * 31 + (uintptr_t)b) * HASH_FACTOR;
    size_t i = (size_t)(mixed >> 32) & (c->cap - 1);
    arena_step(c->arena); /* and none for each probe: addresses are not the same in every run */
    while (c->pairs[i].a != NULL && (c->pairs[i].a != a || c->pairs[i].b != b))
        i = (i + 1) & (c->cap - 1);
    return &c->pairs[i];
}

static void make_room(struct absequal *c)
{
    if (2 * (c->count + 1) <= c->cap)
        return;
    struct absequal grown = {
        .arena = c->arena, .count = c->count, .cap = c->cap == 0 ? FIRST_PAIRS : 2 * c->cap};
    grown.pairs = ARENA_ARRAY(c->arena, grown.cap, struct pair);
    for (size_t i = 0; i < c->cap; i++) {
        if (c->pairs[i].a != NULL)
            *find_pair(&grown, c->pairs[i].a, c->pairs[i].b) = c->pairs[i];
    }
    *c = grown;
}

/* Quantities, addresses, authorizers ...: the types of the API server's own libraries. */
static bool is_own_type(struct str name)
{
    return str_has_prefix(name, STR("kubernetes.")) || str_has_prefix(name, STR("net."));
}

/*
 * "no such overload": a value of the API server's own types on the left of == compares with its own type and
 * with null alone.
 */
static bool is_equal_of_own(const struct absval *left, const struct absval *right)
{
    if (left->kinds != ABS_OPAQUE || !is_own_type(left->opaque))
        return false;
    return (right->kinds & ABS_OPAQUE) == 0 ||
           (right->opaque.len != 0 && !str_eq(left->opaque, right->opaque));
}

bool absequal_is_to_sum(const struct absval *left, const struct absval *right)
{
    return left->kinds == ABS_OPAQUE && right->kinds == ABS_OPAQUE && right->is_sum;
}

bool absequal_has_none(const struct absval *left, const struct absval *right, bool takes_null)
{
    return absequal_is_to_sum(left, right) ||
           (is_equal_of_own(left, right) && !(takes_null && (right->kinds & ABS_NULL) != 0));
}

bool absequal_may_lack(const struct absval *one, const struct absval *two)
{
    const uint32_t never_fails = ABS_NULL | ABS_OPAQUE;
    return (one->kinds & ABS_OPAQUE) != 0 && two->kinds != ABS_NULL &&
           ((two->kinds & ~never_fails) != 0 || two->is_sum || !str_eq(one->opaque, two->opaque));
}

/* Element by element; == of two that fails is not a difference. That both are the same list does not make
 * them equal: what is not known may differ. */
static struct absequal_outcome compare_lists(struct absequal *c, const struct abslist *a,
                                             const struct abslist *b)
{
    struct absequal_outcome all = {{[true] = a->count == b->count, [false] = a->count != b->count}};
    for (size_t i = 0; all.can_be[true] && i < a->count; i++) {
        arena_step(c->arena);
        const struct absval *one = a->items[i], *other = b->items[i];
        struct absequal_outcome items = absequal_compare(c, one, other);
        all.can_be[true] = items.can_be[true] || absequal_may_lack(one, other);
        all.can_be[false] =
            all.can_be[false] || (items.can_be[false] && !absequal_has_none(one, other, true));
    }
    return all;
}

static struct absequal_outcome compare_once(struct absequal *c, const struct abslist *a,
                                            const struct abslist *b)
{
    make_room(c);
    struct pair *known = find_pair(c, a, b);
    if (known->a != NULL)
        return known->outcome;
    struct absequal_outcome outcome = compare_lists(c, a, b);
    make_room(c);
    *find_pair(c, a, b) = (struct pair){a, b, outcome};
    c->count++;
    return outcome;
}

static struct absequal_outcome compare_constants(struct absequal *c, const struct absval *a,
                                                 const struct absval *b)
{
    struct absequal_outcome all = {{false, false}};
    for (size_t i = 0; i < a->value_count * b->value_count; i++)
        all.can_be[constant_run_equal(c->arena, &a->values[i / b->value_count],
                                      &b->values[i % b->value_count])] = true;
    return all;
}

/* Returns true if the one is a name of a type that nobody knows, and the other that of a known one. */
static bool is_known_name(const struct absval *one, const struct absval *other)
{
    const struct abswords *words = one->words;
    const struct str *name = absval_constant_string(other);
    struct str ignored;
    return words != NULL && words->is_stranger && words->other_count == 0 && name != NULL &&
           words->judge(words->user, words->sort, ABSWORDS_IS, *name, &ignored);
}

/* Compares values that are equal only where both are bools. */
static struct absequal_outcome compare_bools(const struct absval *a, const struct absval *b)
{
    const bool has_others = a->kinds != ABS_BOOL || b->kinds != ABS_BOOL;
    return (struct absequal_outcome){
        {[true] = (a->can_be[true] && b->can_be[true]) || (a->can_be[false] && b->can_be[false]),
         [false] =
             has_others || (a->can_be[true] && b->can_be[false]) || (a->can_be[false] && b->can_be[true])}};
}

/* Returns true if the one is a list with more items than the other, which is known. */
static bool is_longer(const struct absval *one, const struct absval *other)
{
    return one->kinds == ABS_LIST && one->list != NULL && absval_is_exact_list(other) &&
           one->list->least > other->list->count;
}

struct absequal_outcome absequal_compare(struct absequal *c, const struct absval *a, const struct absval *b)
{
    if (!kinds_meet(a->kinds, b->kinds) || is_known_name(a, b) || is_known_name(b, a))
        return (struct absequal_outcome){{[false] = true}};
    if (absval_is_exact_list(a) && absval_is_exact_list(b))
        return compare_once(c, a->list, b->list);
    if (is_longer(a, b) || is_longer(b, a))
        return (struct absequal_outcome){{[false] = true}};
    if (!kinds_meet(a->kinds & ~(uint32_t)ABS_BOOL, b->kinds & ~(uint32_t)ABS_BOOL))
        return compare_bools(a, b);
    if (a->kinds == ABS_NULL && b->kinds == ABS_NULL)
        return (struct absequal_outcome){{[true] = true}};
    if (a->kinds == ABS_TYPE && b->kinds == ABS_TYPE && a->type_kinds != 0 && b->type_kinds != 0)
        return (struct absequal_outcome){
            {[true] = (a->type_kinds & b->type_kinds) != 0,
             [false] = a->type_kinds != b->type_kinds || (a->type_kinds & (a->type_kinds - 1)) != 0}};
    if (a->values != NULL && b->values != NULL)
        return compare_constants(c, a, b);
    if (a->computed != NULL && b->computed != NULL) {
        const enum equality equality = constant_run_equal_computed(c->arena, a->computed, b->computed);
        return (struct absequal_outcome){
            {[true] = equality != EQUALITY_NO, [false] = equality != EQUALITY_YES}};
    }
    struct absrange one, other;
    const bool are_ints =
        (a->kinds & b->kinds) == ABS_INT && absval_range(a, &one) && absval_range(b, &other);
    const bool is_apart = are_ints && (one.max < other.min || other.max < one.min);
    return (struct absequal_outcome){{[true] = !is_apart, [false] = true}};
}
