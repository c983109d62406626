#include "typecheck/policy/abstract/values/calls.h"

#include <math.h>

#include "typecheck/cel/types/decl.h"
#include "typecheck/policy/abstract/values/absmap.h"
#include "typecheck/policy/abstract/values/absval_text.h"
#include "typecheck/policy/abstract/values/constant_run.h"
#include "typecheck/policy/abstract/values/format_call.h"

/* Issues */

/* "(int, string)", "string.(int)" */
static struct str operand_types(const struct call *c)
{
    struct text t = {.arena = c->arena};
    if (c->is_receiver) {
        text_add(&t, absval_text(c->arena, c->args[0]));
        text_add_char(&t, '.');
    }
    text_add_char(&t, '(');
    for (size_t i = c->is_receiver; i < c->count; i++) {
        text_add(&t, i == c->is_receiver ? STR("") : STR(", "));
        text_add(&t, absval_text(c->arena, c->args[i]));
    }
    text_add_char(&t, ')');
    return text_str(&t);
}

static struct failure mismatch(const struct call *c, struct hint hint)
{
    const struct str types = operand_types(c);
    return (struct failure){
        .code = issue_code_of_mismatch(c->name),
        .message = str_join(c->arena, STR_PARTS(STR("found no matching overload for '"), c->name,
                                                STR("' applied to '"), types, STR("'"))),
        .hint = hint,
        .about = issue_about_pack(c->arena, &(struct issue_about){.name = c->name, .given = types})};
}

static struct transfer no_overload(const struct call *c)
{
    struct hint hint = HINT_NONE;
    if (c->function != NULL)
        hint.wrapper = hint_wrapper_for(c->function, c->args, c->count);
    return transfer_fails(c->arena, mismatch(c, hint));
}

/* Results */

/* A result of operands that do not depend on the input does not either: where it is not computed it is
 * type-determined. */
static struct transfer result(const struct call *c, const struct absval *v, bool may_fail)
{
    bool is_independent = c->count != 0, has_author = is_independent;
    enum absval_author author = ABS_OF_REQUEST;
    for (size_t i = 0; i < c->count; i++) {
        has_author = has_author && c->args[i]->author != ABS_OF_REQUEST;
        author = c->args[i]->author > author ? c->args[i]->author : author;
        is_independent = is_independent && absval_is_input_independent(c->args[i]);
        may_fail = may_fail || c->args[i]->may_fail;
    }
    if (is_independent && !absval_is_input_independent(v))
        v = absval_type_determined(c->arena, v);
    v = absval_by(c->arena, v, has_author ? author : ABS_OF_REQUEST);
    return transfer_passes(may_fail ? absval_failing(c->arena, v) : v);
}

static struct hint comparison_hint(const struct absval *one, const struct absval *two)
{
    struct hint hint = HINT_NONE;
    hint.wrapper = hint_wrapper(one, two);
    if (hint.wrapper == NULL)
        hint.wrapper = hint_wrapper(two, one);
    return hint;
}

/* The call compares one with two, which are never equal. */
static struct transfer unequal(const struct call *c, const struct absval *one, const struct absval *two,
                               struct transfer t)
{
    struct failure *failure = ARENA_NEW(c->arena, struct failure);
    *failure = mismatch(c, comparison_hint(one, two));
    failure->is_unequal = true;
    return (struct transfer){.value = t.value, .failure = failure};
}

/* Overloads */

/* A type parameter and its value in one call; more than BOUND_MAX are not distinguished. */
struct bound {
    const struct type *param;
    const struct absval *value; /* NULL: of nothing, as the elements of an empty list */
};

enum { BOUND_MAX = 4 };

struct bounds {
    struct bound list[BOUND_MAX];
    size_t count;
};

static void bind_param(const struct call *c, struct bounds *b, const struct type *param,
                       const struct absval *v)
{
    for (size_t i = 0; i < b->count; i++) {
        if (b->list[i].param != param)
            continue;
        b->list[i].value = absval_join(c->arena, b->list[i].value, v);
        return;
    }
    if (b->count < BOUND_MAX)
        b->list[b->count++] = (struct bound){param, v};
}

/* `t` as a part of an argument's type: what is of another kind there is taken, too, for what it may be. */
static void bind(const struct call *c, struct bounds *b, const struct type *t, const struct absval *v,
                 bool is_part)
{
    if (t->kind == TYPE_PARAM) {
        bind_param(c, b, t, v);
        return;
    }
    if (v != NULL && t->kind == TYPE_LIST && (v->kinds & ABS_LIST) != 0) {
        bind(c, b, t->params[0], absval_elements(v), true);
    } else if (v != NULL && t->kind == TYPE_MAP && (v->kinds & ABS_MAP) != 0) {
        bind(c, b, t->params[0], absmap_keys(c->arena, v), true);
        bind(c, b, t->params[1], absmap_entries(c->arena, c->types, v), true);
    } else if (v != NULL && type_is_optional(t) && (v->kinds & ABS_OPTIONAL) != 0) {
        bind(c, b, t->params[0], v->may_have ? v->inner : NULL, true);
    }
    bool is_other = is_part && v != NULL && (absval_likely_kinds(v) & ~kinds_of_type(t)) != 0;
    for (size_t i = 0; is_other && t->generic && i < t->param_count; i++)
        bind(c, b, t->params[i], &absval_any, true);
}

/* A value of the type `t`; NULL: there is none. */
static const struct absval *value_of(const struct call *c, const struct bounds *b, const struct type *t)
{
    if (t->kind == TYPE_PARAM) {
        for (size_t i = 0; i < b->count; i++) {
            if (b->list[i].param == t)
                return b->list[i].value;
        }
        return NULL;
    }
    if (!t->generic)
        return absval_of_type(c->arena, t);
    if (t->kind == TYPE_LIST)
        return absval_of_elements(c->arena, value_of(c, b, t->params[0]));
    if (type_is_optional(t))
        return absval_optional(c->arena, value_of(c, b, t->params[0]), true);
    if (t->kind == TYPE_MAP)
        return absval_of_map(c->arena, (struct absmap){.key = value_of(c, b, t->params[0]),
                                                       .value = value_of(c, b, t->params[1])});
    return &absval_any;
}

static bool can_take(const struct type *param, const struct absval *v)
{
    uint32_t kinds = kinds_of_type(param) & v->kinds;
    if (kinds == ABS_OPAQUE && v->opaque.len != 0)
        return str_eq(param->name, v->opaque);
    return kinds != 0;
}

static bool can_match(const struct overload *o, const struct call *c)
{
    if (o->receiver != c->is_receiver || o->arg_count != c->count)
        return false;
    for (size_t i = 0; i < c->count; i++) {
        if (!can_take(o->args[i], c->args[i]))
            return false;
    }
    return true;
}

/*
 * "No such overload": an overload is chosen by the outermost types of its
 * arguments (decls.go, matchesRuntimeSignature); elements do not matter.
 */
static struct transfer call_overloads(const struct call *c)
{
    const struct absval *v = NULL;
    for (size_t i = 0; i < c->function->count; i++) {
        const struct overload *o = &c->function->overloads[i];
        struct bounds bounds = {.count = 0};
        if (!can_match(o, c))
            continue;
        for (size_t j = 0; j < c->count; j++)
            bind(c, &bounds, o->args[j], c->args[j], false);
        const struct absval *result = value_of(c, &bounds, o->result);
        v = absval_join(c->arena, v, result == NULL ? &absval_any : result);
    }
    return v == NULL ? no_overload(c) : result(c, v, true);
}

/* A call of constants is a constant, if typecheck/cel/interpreter computes it. */
static struct transfer call_constants(const struct call *c)
{
    struct transfer t = constant_run(c->arena, c->function, c->is_receiver, c->args, c->count);
    if (t.failure != NULL)
        return t;
    return t.value == NULL ? call_overloads(c) : result(c, t.value, false);
}

/* Equality */

/* Comparisons of simple values for a step. */
#define LOOKS_PER_STEP 4u

/* The results that == of two values can have. */
struct outcome {
    bool can_be[2]; /* by truth */
};

/* Two lists within those that are compared. */
struct pair {
    const struct abslist *a, *b; /* NULL: the slot is free */
    struct outcome outcome;
};

/* Values share parts: each pair of lists is compared once. Open addressing, a power of two. */
struct comparison {
    struct arena *arena;
    struct pair *pairs;
    size_t count, cap;
};

#define FIRST_PAIRS 16u

/* Odd, with no pattern in its bits. */
#define HASH_FACTOR 0x9E3779B97F4A7C15u

static struct outcome compare_values(struct comparison *c, const struct absval *a, const struct absval *b);

static struct pair *find_pair(const struct comparison *c, const struct abslist *a, const struct abslist *b)
{
    uint64_t mixed = ((uintptr_t)a * 31 + (uintptr_t)b) * HASH_FACTOR;
    size_t i = (size_t)(mixed >> 32) & (c->cap - 1);
    arena_step(c->arena); /* and none for each probe: addresses are not the same in every run */
    while (c->pairs[i].a != NULL && (c->pairs[i].a != a || c->pairs[i].b != b))
        i = (i + 1) & (c->cap - 1);
    return &c->pairs[i];
}

static void make_room(struct comparison *c)
{
    if (2 * (c->count + 1) <= c->cap)
        return;
    struct comparison grown = {
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

/* add() and sub() return what has another Go type, which is asked only on the left. */
static bool is_equal_to_sum(const struct absval *left, const struct absval *right)
{
    return left->kinds == ABS_OPAQUE && right->kinds == ABS_OPAQUE && right->is_sum;
}

/* Whether == of the two always fails because of the left one's type; null is not taken within optionals. */
static bool has_no_equal(const struct absval *left, const struct absval *right, bool takes_null)
{
    return is_equal_to_sum(left, right) ||
           (is_equal_of_own(left, right) && !(takes_null && (right->kinds & ABS_NULL) != 0));
}

/* Whether == of the two can fail because one of the API server's own types does not compare with the other.
 */
static bool may_lack_equal(const struct absval *one, const struct absval *two)
{
    const uint32_t never_fails = ABS_NULL | ABS_OPAQUE;
    return (one->kinds & ABS_OPAQUE) != 0 && two->kinds != ABS_NULL &&
           ((two->kinds & ~never_fails) != 0 || two->is_sum || !str_eq(one->opaque, two->opaque));
}

/* Element by element; == of two that fails is no difference. That both are the same list does not make them
 * equal: what is not known may differ. */
static struct outcome compare_lists(struct comparison *c, const struct abslist *a, const struct abslist *b)
{
    struct outcome all = {{[true] = a->count == b->count, [false] = a->count != b->count}};
    for (size_t i = 0; all.can_be[true] && i < a->count; i++) {
        arena_step(c->arena);
        const struct absval *one = a->items[i], *other = b->items[i];
        struct outcome items = compare_values(c, one, other);
        all.can_be[true] = items.can_be[true] || may_lack_equal(one, other);
        all.can_be[false] = all.can_be[false] || (items.can_be[false] && !has_no_equal(one, other, true));
    }
    return all;
}

static struct outcome compare_once(struct comparison *c, const struct abslist *a, const struct abslist *b)
{
    make_room(c);
    struct pair *known = find_pair(c, a, b);
    if (known->a != NULL)
        return known->outcome;
    struct outcome outcome = compare_lists(c, a, b);
    make_room(c);
    *find_pair(c, a, b) = (struct pair){a, b, outcome};
    c->count++;
    return outcome;
}

static struct outcome compare_constants(struct comparison *c, const struct absval *a, const struct absval *b)
{
    struct outcome all = {{false, false}};
    for (size_t i = 0; i < a->value_count * b->value_count; i++)
        all.can_be[constant_run_equal(c->arena, &a->values[i / b->value_count],
                                      &b->values[i % b->value_count])] = true;
    return all;
}

/* Whether the one is a name of a type that nobody knows, and the other that of a known one. */
static bool is_known_name(const struct absval *one, const struct absval *other)
{
    const struct abswords *words = one->words;
    const struct str *name = absval_constant_string(other);
    struct str ignored;
    return words != NULL && words->is_stranger && words->other_count == 0 && name != NULL &&
           words->judge(words->user, words->sort, *name, &ignored);
}

/* Compares values that are equal only where both are bools. */
static struct outcome compare_bools(const struct absval *a, const struct absval *b)
{
    const bool has_others = a->kinds != ABS_BOOL || b->kinds != ABS_BOOL;
    return (struct outcome){
        {[true] = (a->can_be[true] && b->can_be[true]) || (a->can_be[false] && b->can_be[false]),
         [false] =
             has_others || (a->can_be[true] && b->can_be[false]) || (a->can_be[false] && b->can_be[true])}};
}

/* Compares two values; the result is known if both are constants, or if every value of one differs from every
 * value of the other. */
static struct outcome compare_values(struct comparison *c, const struct absval *a, const struct absval *b)
{
    if (!kinds_meet(a->kinds, b->kinds) || is_known_name(a, b) || is_known_name(b, a))
        return (struct outcome){{[false] = true}};
    if (absval_is_exact_list(a) && absval_is_exact_list(b))
        return compare_once(c, a->list, b->list);
    if (!kinds_meet(a->kinds & ~(uint32_t)ABS_BOOL, b->kinds & ~(uint32_t)ABS_BOOL))
        return compare_bools(a, b);
    if (a->kinds == ABS_NULL && b->kinds == ABS_NULL)
        return (struct outcome){{[true] = true}};
    if (a->kinds == ABS_TYPE && b->kinds == ABS_TYPE && a->type_kinds != 0 && b->type_kinds != 0)
        return (struct outcome){
            {[true] = (a->type_kinds & b->type_kinds) != 0,
             [false] = a->type_kinds != b->type_kinds || (a->type_kinds & (a->type_kinds - 1)) != 0}};
    if (a->values != NULL && b->values != NULL)
        return compare_constants(c, a, b);
    if (a->computed != NULL && b->computed != NULL) {
        const enum equality equality = constant_run_equal_computed(c->arena, a->computed, b->computed);
        return (struct outcome){{[true] = equality != EQUALITY_NO, [false] = equality != EQUALITY_YES}};
    }
    struct absrange one, other;
    const bool are_ints =
        (a->kinds & b->kinds) == ABS_INT && absval_range(a, &one) && absval_range(b, &other);
    const bool is_apart = are_ints && (one.max < other.min || other.max < one.min);
    return (struct outcome){{[true] = !is_apart, [false] = true}};
}

static const struct absval *of_outcome(const struct call *c, struct outcome o)
{
    return absval_of_bools(c->arena, o.can_be[true], o.can_be[false]);
}

/* "null compares with everything": with what is always null, to some purpose. */
static bool is_null(const struct absval *v)
{
    return v->kinds == ABS_NULL;
}

/*
 * "no such overload": a typed list or map on the left of == compares with one
 * of its own kind and with null alone. != takes everything, and is true.
 */
static bool is_equal_of_typed(const struct absval *left, const struct absval *right)
{
    const uint32_t others = (ABS_JSON & ~(uint32_t)ABS_NULL) | ABS_UINT | ABS_BYTES;
    return (left->kinds & ~(uint32_t)(ABS_LIST | ABS_MAP)) == 0 && absval_is_typed(left) &&
           (right->kinds & ~others) == 0 && !kinds_meet(left->kinds, right->kinds);
}

static bool have_values(const struct absval *one, const struct absval *two)
{
    return one->kinds == ABS_OPTIONAL && two->kinds == ABS_OPTIONAL && one->may_have && two->may_have &&
           !one->may_be_none && !two->may_be_none;
}

/* Whether == of two such values always fails, and why. */
static bool is_never_compared(const struct call *c, struct failure *why)
{
    const struct absval *left = c->args[0], *right = c->args[1];
    bool takes_null = true; /* which == asks for before it asks the left one, but not within optionals */
    for (; have_values(left, right); left = left->inner, right = right->inner) {
        arena_step(c->arena);
        takes_null = false;
    }
    const bool is_of_sum = is_equal_to_sum(left, right);
    if (!is_of_sum && !is_equal_of_typed(left, right) && !has_no_equal(left, right, takes_null))
        return false;
    *why = mismatch(c, comparison_hint(c->args[0], c->args[1]));
    if (is_of_sum)
        why->message =
            str_join(c->arena, STR_PARTS(why->message, STR(": no quantity equals what add() or sub() "
                                                           "returns, write it on the left")));
    return true;
}

static bool is_null_of_optional(const struct absval *one, const struct absval *two)
{
    return (one->kinds == ABS_OPTIONAL && is_null(two)) || (two->kinds == ABS_OPTIONAL && is_null(one));
}

static const struct failure *never_null(const struct call *c)
{
    struct failure *why = ARENA_NEW(c->arena, struct failure);
    *why = (struct failure){.code = ISSUE_NEVER_EQUAL,
                            .is_ours = true,
                            .message = STR("an optional is never null: ask it with .hasValue()")};
    return why;
}

/* The truths that `one < other`, or `one <= other`, can have. */
static struct outcome compare_ranges(struct absrange one, struct absrange other, bool or_equal)
{
    return (struct outcome){{[true] = or_equal ? one.min <= other.max : one.min < other.max,
                             [false] = or_equal ? one.max > other.min : one.max >= other.min}};
}

/* a < b, and the other three, of what is known of the two; both, where not enough is. */
static struct outcome order(enum ast_operator op, struct absrange a, struct absrange b)
{
    const bool is_less = op == AST_LESS || op == AST_LESS_EQUALS;
    const bool or_equal = op == AST_LESS_EQUALS || op == AST_GREATER_EQUALS;
    return is_less ? compare_ranges(a, b, or_equal) : compare_ranges(b, a, or_equal);
}

static bool is_decided(struct outcome o)
{
    return o.can_be[true] != o.can_be[false];
}

/* The range of all sizes. */
static struct absrange whole_range(struct absrange range)
{
    return range.is_size ? (struct absrange){0, INT64_MAX, true} : range;
}

/* A comparison that no size changes; NULL: it is none. */
static const struct failure *claim_size(const struct call *c)
{
    struct absrange a, b;
    if (!absval_range(c->args[0], &a) || !absval_range(c->args[1], &b) || a.is_size == b.is_size)
        return NULL;
    a = whole_range(a);
    b = whole_range(b);
    const bool is_order = c->op != AST_EQUALS && c->op != AST_NOT_EQUALS;
    const bool is_apart = !is_order && (a.max < b.min || b.max < a.min);
    const struct outcome outcome = is_order ? order(c->op, a, b) : (struct outcome){{!is_apart, true}};
    if (!is_apart && !(is_order && is_decided(outcome)))
        return NULL;
    const bool is_true = is_order ? outcome.can_be[true] : c->op == AST_NOT_EQUALS;
    struct failure *why = ARENA_NEW(c->arena, struct failure);
    *why = (struct failure){.code = is_true ? ISSUE_ALWAYS_TRUE : ISSUE_ALWAYS_FALSE,
                            .is_ours = true,
                            .message = is_true ? STR("a size is never negative: this is always true")
                                               : STR("a size is never negative: this is always false")};
    return why;
}

static bool may_be_nan(const struct absval *v)
{
    bool is_found = (v->kinds & ABS_DOUBLE) != 0 && v->values == NULL;
    for (size_t i = 0; !is_found && v->kinds == ABS_DOUBLE && i < v->value_count; i++)
        is_found = isnan(v->values[i].floating);
    return is_found;
}

/* A comparison that fails, unless one of the two is NaN: where the first is of an ordered type, it is false
 * then. */
static struct transfer unless_nan(const struct call *c, struct transfer t)
{
    static const uint32_t ordered =
        ABS_BOOL | ABS_INT | ABS_UINT | ABS_DOUBLE | ABS_STRING | ABS_BYTES | ABS_TIMESTAMP | ABS_DURATION;
    const bool may_pass = t.failure != NULL && c->compares_nan && (c->args[0]->kinds & ordered) != 0 &&
                          (may_be_nan(c->args[0]) || may_be_nan(c->args[1]));
    return may_pass ? result(c, &absval_false, true) : t;
}

/* <, <=, > and >= */
static struct transfer call_order(const struct call *c)
{
    struct absrange a, b;
    const bool are_known = absval_range(c->args[0], &a) && absval_range(c->args[1], &b);
    const struct outcome outcome = are_known ? order(c->op, a, b) : (struct outcome){{true, true}};
    if (!is_decided(outcome) || (c->args[0]->range == NULL && c->args[1]->range == NULL))
        return unless_nan(c, call_constants(c));
    struct transfer t =
        result(c, of_outcome(c, outcome), c->args[0]->kinds != ABS_INT || c->args[1]->kinds != ABS_INT);
    t.claim = claim_size(c);
    return t;
}

/* "Different types: false, never an error", but of these. */
static struct transfer call_equal(const struct call *c)
{
    const struct absval *a = c->args[0], *b = c->args[1];
    struct failure why;
    if (c->op == AST_EQUALS && is_never_compared(c, &why))
        return transfer_fails(c->arena, why);
    struct comparison comparison = {.arena = c->arena};
    const struct absval *v = of_outcome(c, compare_values(&comparison, a, b));
    bool may_fail = c->op == AST_EQUALS && may_lack_equal(a, b);
    struct transfer t = result(c, c->op == AST_NOT_EQUALS ? calls_not(c->arena, v) : v, may_fail);
    bool is_fine = kinds_meet(a->kinds, b->kinds) || is_null(a) || is_null(b);
    if (!is_fine)
        return unequal(c, a, b, t);
    t.claim = is_null_of_optional(a, b) ? never_null(c) : transfer_no_word(c->arena, a, b);
    if (t.claim == NULL)
        t.claim = claim_size(c);
    t.is_as_claimed = !may_fail && !absval_can_be(v, true);
    return t;
}

/* x in [a, b, c], each of which is known: as x == a || x == b || x == c. */
static const struct absval *find_item(const struct call *c, const struct absval *x,
                                      const struct abslist *list)
{
    struct outcome all = {{[false] = true}};
    struct comparison comparison = {.arena = c->arena};
    for (size_t i = 0; i < list->count; i++) {
        if (i % LOOKS_PER_STEP == 0)
            arena_step(c->arena);
        struct outcome one = compare_values(&comparison, x, list->items[i]);
        all.can_be[true] = all.can_be[true] || one.can_be[true];
        all.can_be[false] = all.can_be[false] && one.can_be[false];
    }
    return of_outcome(c, all);
}

/* "null compares with everything", be it an element or a key: a literal's key is known by its kinds alone. */
static bool holds_null(const struct call *c, const struct absval *range)
{
    const struct absval *element = (range->kinds & ABS_LIST) != 0 ? absval_elements(range) : NULL;
    if (element != NULL && is_null(element))
        return true;
    for (size_t i = 0; absval_is_exact_list(range) && i < range->list->count; i++) {
        if (i % LOOKS_PER_STEP == 0)
            arena_step(c->arena);
        if (is_null(range->list->items[i]))
            return true;
    }
    for (const struct absmap *m = (range->kinds & ABS_MAP) != 0 ? range->maps : NULL; m != NULL;
         m = m->next) {
        arena_step(c->arena);
        if (m->type == NULL && m->key != NULL && (absval_likely_kinds(m->key) & ABS_NULL) != 0)
            return true;
    }
    return false;
}

/* An empty map, as what is left of a status that is cleared, holds nothing of any type; so does an empty
 * list. */
static bool is_empty_map(const struct call *c, const struct absval *range)
{
    return range->kinds == ABS_MAP && absmap_keys(c->arena, range) == NULL;
}

/* Whether x can be an element, or a key, by its type. */
static bool can_contain(const struct absval *range, const struct absval *x)
{
    const struct absval *element = (range->kinds & ABS_LIST) != 0 ? absval_elements(range) : NULL;
    if (element != NULL && kinds_meet(element->kinds, x->kinds))
        return true;
    /* names of fields that are missing are no matter of type; an empty list holds nothing of any type */
    return (range->kinds & ABS_MAP) != 0
               ? (x->kinds & (ABS_STRING | ABS_NUMBER | ABS_BOOL)) != 0 && absmap_has_key_kind(range, x)
               : element == NULL;
}

/* "unsupported map key type: types.Int": a typed map looks for strings alone. */
static bool is_bad_key(const struct absval *range, const struct absval *x)
{
    return range->kinds == ABS_MAP && absval_is_typed(range) && (x->kinds & ABS_STRING) == 0;
}

/* 'name' in an object that no object of this type has. */
static struct transfer claim_no_field(const struct call *c, const struct absval *range, struct str name,
                                      struct transfer t)
{
    const struct absmap *map = absmap_undeclared(c->arena, c->types, range, name);
    if (map == NULL)
        return t;
    return transfer_claims(
        c->arena, t.value,
        (struct failure){.code = ISSUE_UNDEFINED_FIELD,
                         .is_ours = true,
                         .message = str_join(c->arena, STR_PARTS(STR("undefined field '"), name,
                                                                 STR("': 'in' is always false"))),
                         .hint = {.map = map, .field = name},
                         .about = issue_about_pack(c->arena, &(struct issue_about){.name = name})});
}

/* Whether the list has the text. */
static bool has_item(const struct call *c, const struct abslist *list, struct str text)
{
    bool has = false;
    for (size_t i = 0; !has && i < list->count; i++) {
        if (i % LOOKS_PER_STEP == 0)
            arena_step(c->arena);
        const struct str *item = absval_constant_string(list->items[i]);
        has = item != NULL && str_eq(*item, text);
    }
    return has;
}

/* Whether the list has all that the string can be, in any release of Kubernetes. */
static bool has_all_words(const struct call *c, const struct absval *x, const struct abslist *list)
{
    const struct abswords *words = x->words;
    bool has = x->kinds == ABS_STRING && x->values == NULL && !x->may_fail && words != NULL &&
               words->judge == NULL && words->elsewhere == 0;
    for (size_t i = 0; has && i < words->count; i++)
        has = has_item(c, list, words->list[i]);
    for (size_t i = 0; has && i < words->other_count; i++)
        has = has_item(c, list, words->others[i].bytes);
    return has;
}

/* x in ['a', 'b'], where it is always one of the two. */
static struct transfer claim_all(const struct call *c)
{
    const struct transfer t = result(c, &absval_true, false);
    return transfer_claims(
        c->arena, t.value,
        (struct failure){.code = ISSUE_ALWAYS_TRUE,
                         .is_ours = true,
                         .message =
                             str_join(c->arena, STR_PARTS(STR("the list has every "), c->args[0]->words->what,
                                                          STR(": this is always true")))});
}

/* A list by its elements, a map by its keys; "in" takes nothing else. */
static struct transfer call_in(const struct call *c)
{
    const struct absval *x = c->args[0], *range = c->args[1], *v = &absval_bool;
    const struct str *name = absval_constant_string(x);
    bool may_fail = (range->kinds & ~(uint32_t)(ABS_LIST | ABS_MAP)) != 0;
    if ((range->kinds & (ABS_LIST | ABS_MAP)) == 0 || is_bad_key(range, x))
        return no_overload(c);
    if (!can_contain(range, x)) {
        const struct absval *element = range->kinds == ABS_LIST ? absval_elements(range) : NULL;
        struct transfer t = result(c, &absval_false, may_fail);
        bool is_fine = is_null(x) || holds_null(c, range) || is_empty_map(c, range);
        return is_fine ? t : unequal(c, x, element == NULL ? &absval_any : element, t);
    }
    if (absval_is_exact_list(range)) {
        v = find_item(c, x, range->list);
        if (has_all_words(c, x, range->list))
            return claim_all(c);
    } else if (range->kinds == ABS_MAP) {
        enum absval_presence p = absmap_presence(c->arena, c->types, range, x);
        v = absval_of_bools(c->arena, p != ABS_ABSENT, p != ABS_PRESENT);
    }
    struct transfer t = result(c, v, may_fail);
    if (name == NULL)
        return t;
    if (range->kinds == ABS_LIST && !absval_is_exact_list(range) && absval_elements(range) != NULL)
        t.claim = transfer_no_word(c->arena, x, absval_elements(range));
    return t.claim != NULL ? t : claim_no_field(c, range, *name, t);
}

/* Logic */

const struct absval *calls_not(struct arena *a, const struct absval *v)
{
    struct absval *not = ARENA_NEW(a, struct absval);
    *not = absval_bool;
    not ->may_fail = v->may_fail;
    not ->author = v->author;
    not ->is_type_determined = v->is_type_determined;
    for (size_t truth = 0; truth < 2; truth++) {
        not ->can_be[truth] = v->can_be[!truth];
        not ->surely[truth] = v->surely[!truth];
    }
    return not ;
}

/*
 * The author of the result. If several operands each decide alone, one that the author decided counts, since
 * the others were never asked. If all of them decide together, the author decided only if this is so of each.
 */
static enum absval_author author_of(const struct absval *v, bool stop, const struct absval *left,
                                    const struct absval *right)
{
    const bool is_each = left->author != ABS_OF_REQUEST && right->author != ABS_OF_REQUEST;
    const enum absval_author most = left->author > right->author ? left->author : right->author;
    if (!absval_is_always(v, stop))
        return is_each ? most : ABS_OF_REQUEST;
    if (left->author != ABS_OF_REQUEST && absval_is_always(left, stop))
        return left->author;
    return absval_is_always(right, stop) ? right->author : ABS_OF_REQUEST;
}

const struct absval *calls_logic(struct arena *a, bool is_or, const struct absval *left,
                                 const struct absval *right)
{
    bool stop = is_or, go = !is_or;
    bool stops = absval_can_be(left, stop) || absval_can_be(right, stop);
    bool goes = absval_can_be(left, go) && absval_can_be(right, go);
    bool right_always_stops = absval_can_be(right, stop) && !absval_can_be(right, go) && !right->may_fail;
    if (!stops && !goes)
        return &absval_error;
    struct absval *v = ARENA_NEW(a, struct absval);
    v->kinds = ABS_BOOL;
    v->can_be[stop] = stops;
    v->can_be[go] = goes;
    v->may_fail = !right_always_stops && (left->may_fail || right->may_fail);
    v->is_type_determined = stops && goes && (left->is_type_determined || right->is_type_determined);
    v->surely[stop] = absval_is_surely(left, stop) || absval_is_surely(right, stop);
    v->surely[go] = absval_is_surely(left, go) && absval_is_surely(right, go);
    v->author = author_of(v, stop, left, right);
    return v;
}

const struct absval *calls_not_strictly_false(struct arena *a, const struct absval *v)
{
    bool is_bool = !v->is_error && v->kinds == ABS_BOOL;
    struct absval *goes_on = ARENA_NEW(a, struct absval);
    *goes_on = absval_bool;
    goes_on->can_be[true] = !is_bool || v->may_fail || v->can_be[true];
    goes_on->can_be[false] = absval_can_be(v, false);
    goes_on->is_type_determined = v->is_type_determined;
    goes_on->surely[true] = v->may_fail || absval_is_surely(v, true);
    goes_on->surely[false] = absval_is_surely(v, false);
    return goes_on;
}

/* Optionals */

struct transfer calls_or_target(const struct call *c, struct hint hint)
{
    const struct absval *target = c->args[0];
    if ((target->kinds & ABS_OPTIONAL) == 0)
        return transfer_fails(c->arena, mismatch(c, hint));
    if (target->kinds == ABS_OPTIONAL)
        return transfer_passes(target);
    struct absval *optional = ARENA_NEW(c->arena, struct absval);
    *optional = *target;
    optional->kinds = ABS_OPTIONAL;
    optional->may_fail = true;
    return transfer_passes(optional);
}

/* "orValue and or on what is no optional return it", where they do not fail on it. */
const struct absval *calls_or(struct arena *a, bool makes_optional, const struct absval *target,
                              const struct absval *other)
{
    const struct absval *v = NULL;
    if ((target->kinds & ~(uint32_t)ABS_OPTIONAL) != 0) {
        struct absval *rest = ARENA_NEW(a, struct absval);
        *rest = *target;
        rest->kinds &= ~(uint32_t)ABS_OPTIONAL;
        v = rest;
    }
    if ((target->kinds & ABS_OPTIONAL) != 0 && target->may_have)
        v = absval_join(a, v, makes_optional ? absval_optional(a, target->inner, false) : target->inner);
    v = absval_join(a, v, other);
    return v == NULL ? absval_failing(a, &absval_any) : absval_derive(a, v, target);
}

static struct transfer call_optional_of(const struct call *c)
{
    bool may_be_none = !str_eq(c->name, STR("optional.of"));
    return result(c, absval_optional(c->arena, c->args[0], may_be_none), false);
}

static struct transfer call_has_value(const struct call *c)
{
    const struct absval *o = c->args[0];
    if ((o->kinds & ABS_OPTIONAL) == 0)
        return no_overload(c);
    return result(c, absval_of_bools(c->arena, o->may_have, o->may_be_none), o->kinds != ABS_OPTIONAL);
}

/* "value() of none fails." */
static struct transfer call_value(const struct call *c)
{
    const struct absval *o = c->args[0];
    if ((o->kinds & ABS_OPTIONAL) == 0)
        return no_overload(c);
    if (!o->may_have)
        return transfer_fails(c->arena, (struct failure){.message = STR("optional.none() dereference")});
    return result(c, o->inner, o->may_be_none || o->kinds != ABS_OPTIONAL);
}

/* Other functions whose results say more than their types */

/* One of the elements, which must compare; there is none in an empty list, and that fails, too. */
static struct transfer call_extreme(const struct call *c)
{
    const uint32_t comparable = ABS_BOOL | ABS_NUMBER | ABS_STRING | ABS_BYTES | ABS_TIMESTAMP | ABS_DURATION;
    bool is_list = (c->args[0]->kinds & ABS_LIST) != 0;
    const struct absval *element = is_list ? absval_elements(c->args[0]) : NULL;
    if (absval_is_exact_list(c->args[0]) && c->args[0]->list->count == 0)
        return transfer_fails(
            c->arena,
            (struct failure){.message = str_join(c->arena, STR_PARTS(c->name, STR(" of an empty list")))});
    if (element == NULL)
        return call_overloads(c);
    return (element->kinds & comparable) == 0 ? no_overload(c) : result(c, element, true);
}

static struct transfer call_dyn(const struct call *c)
{
    return transfer_passes(c->args[0]);
}

static struct transfer call_type(const struct call *c)
{
    uint32_t kinds = c->args[0]->kinds;
    return result(c, absval_of_type_value(c->arena, (kinds & ABS_OPAQUE) != 0 ? 0 : kinds), false);
}

static struct transfer wrong_constant(const struct call *c, struct str message)
{
    return transfer_fails(c->arena, (struct failure){.code = ISSUE_WRONG_CONSTANT, .message = message});
}

/* "A constant division by zero" of whole numbers; of doubles it is an infinity. */
static struct transfer call_divide(const struct call *c)
{
    const struct absval *by = c->args[1];
    bool is_zero = by->value_count == 1 && by->values != NULL &&
                   ((by->kinds == ABS_INT && by->values[0].integer == 0) ||
                    (by->kinds == ABS_UINT && by->values[0].uinteger == 0));
    if (!is_zero || (c->args[0]->kinds & by->kinds) == 0)
        return call_constants(c);
    return wrong_constant(c, c->op == AST_MODULO ? STR("modulus by zero") : STR("division by zero"));
}

/* list.slice(from, to): whatever the list. */
static struct transfer call_slice(const struct call *c)
{
    const struct absval *from = c->args[1], *to = c->args[2];
    bool are_known =
        from->kinds == ABS_INT && to->kinds == ABS_INT && absval_is_constant(from) && absval_is_constant(to);
    long long start = are_known ? from->values[0].integer : 0, end = are_known ? to->values[0].integer : 0;
    if (start >= 0 && end >= start)
        return call_overloads(c);
    const char *why = start < 0 || end < 0 ? "negative indexes not supported"
                                           : "start index must be less than or equal to end index";
    return wrong_constant(c, str_format(c->arena, "cannot slice(%lld, %lld), %s", start, end, why));
}

static struct transfer call_size(const struct call *c)
{
    const struct absval *v = c->args[0];
    if (!absval_is_exact_list(v)) {
        struct transfer t = call_constants(c);
        if (t.failure == NULL && t.value->kinds == ABS_INT && t.value->values == NULL)
            t.value = absval_in_range(c->arena, t.value, (struct absrange){0, INT64_MAX, true});
        return t;
    }
    return result(c, absval_of_int(c->arena, v->list->count), false);
}

/* Two lists whose elements are known make one. */
static struct transfer call_add(const struct call *c)
{
    if (!absval_is_exact_list(c->args[0]) || !absval_is_exact_list(c->args[1]))
        return call_constants(c);
    const struct abslist *a = c->args[0]->list, *b = c->args[1]->list;
    const struct absval **items = ARENA_ARRAY(c->arena, a->count + b->count, const struct absval *);
    for (size_t i = 0; i < a->count + b->count; i++)
        items[i] = i < a->count ? a->items[i] : b->items[i - a->count];
    return result(c, absval_of_items(c->arena, items, a->count + b->count), false);
}

/* "type conversion error": the overload for an int is declared, up to cel-go 0.26, and does nothing. */
static struct transfer call_duration(const struct call *c)
{
    static const struct str message =
        STR_INIT("type conversion error from 'int' to 'google.protobuf.Duration'");
    return c->args[0]->kinds == ABS_INT ? wrong_constant(c, message) : call_constants(c);
}

/* Each clause of a format that is known takes its argument, or evaluation fails. */
static struct transfer call_format(const struct call *c)
{
    const struct str *format = c->is_receiver ? absval_constant_string(c->args[0]) : NULL;
    struct failure why;
    const struct transfer t = call_constants(c);
    return t.failure == NULL && format != NULL && absval_is_exact_list(c->args[1]) &&
                   format_call_fails(c->arena, *format, c->args[1]->list, &why)
               ? transfer_fails(c->arena, why)
               : t;
}

/* Whether lowerAscii() (sort 0) or upperAscii() (sort 1) changes the text, and so never returns it. */
static bool is_of_other_case(void *user, unsigned sort, struct str text, struct str *meant)
{
    struct arena *a = user;
    char *changed = ARENA_ARRAY(a, text.len + 1, char);
    const char first = sort == 0 ? 'A' : 'a', last = sort == 0 ? 'Z' : 'z';
    bool is_changed = false;
    for (size_t i = 0; i < text.len; i++) {
        const bool is_other = text.at[i] >= first && text.at[i] <= last;
        changed[i] = (char)(is_other ? text.at[i] ^ ('a' ^ 'A') : text.at[i]);
        is_changed = is_changed || is_other;
    }
    *meant = (struct str){changed, text.len};
    return is_changed;
}

/* x.lowerAscii() has no upper-case letter of ASCII, whatever x is; x.upperAscii() has no lower-case one. */
static struct transfer call_case(const struct call *c)
{
    const struct transfer t = call_constants(c);
    if (t.failure != NULL || !c->is_receiver || t.value->kinds != ABS_STRING || t.value->values != NULL)
        return t;
    const bool is_upper = str_eq(c->name, STR("upperAscii"));
    struct abswords *words = ARENA_NEW(c->arena, struct abswords);
    *words =
        (struct abswords){.what = is_upper ? STR("result of upperAscii()") : STR("result of lowerAscii()"),
                          .judge = is_of_other_case,
                          .user = c->arena,
                          .sort = is_upper};
    return (struct transfer){.value = absval_with_words(c->arena, t.value, words)};
}

/* Of quantities: see is_equal_to_sum. */
static struct transfer call_sum(const struct call *c)
{
    struct transfer t = call_constants(c);
    if (t.failure != NULL || !c->is_receiver || t.value->kinds != ABS_OPAQUE)
        return t;
    struct absval *sum = ARENA_NEW(c->arena, struct absval);
    *sum = *t.value;
    sum->is_sum = true;
    return (struct transfer){.value = sum};
}

/* The table */

typedef struct transfer call_function(const struct call *c);

static call_function *const OPERATORS[] = {
    [AST_EQUALS] = call_equal,
    [AST_NOT_EQUALS] = call_equal,
    [AST_LESS] = call_order,
    [AST_LESS_EQUALS] = call_order,
    [AST_GREATER] = call_order,
    [AST_GREATER_EQUALS] = call_order,
    [AST_IN] = call_in,
    [AST_ADD] = call_add,
    [AST_DIVIDE] = call_divide,
    [AST_MODULO] = call_divide,
    [AST_NOT_STRICTLY_FALSE] = NULL, /* the last operator */
};

static const struct {
    struct str name;
    size_t count;
    call_function *call;
} FUNCTIONS[] = {
    {STR_INIT("add"), 2, call_sum},
    {STR_INIT("sub"), 2, call_sum},
    {STR_INIT("dyn"), 1, call_dyn},
    {STR_INIT("duration"), 1, call_duration},
    {STR_INIT("format"), 2, call_format},
    {STR_INIT("lowerAscii"), 1, call_case},
    {STR_INIT("upperAscii"), 1, call_case},
    {STR_INIT("max"), 1, call_extreme},
    {STR_INIT("min"), 1, call_extreme},
    {STR_INIT("type"), 1, call_type},
    {STR_INIT("size"), 1, call_size},
    {STR_INIT("slice"), 3, call_slice},
    {STR_INIT("hasValue"), 1, call_has_value},
    {STR_INIT("value"), 1, call_value},
    {STR_INIT("optional.of"), 1, call_optional_of},
    {STR_INIT("optional.ofNonZeroValue"), 1, call_optional_of},
};

struct transfer calls_apply(const struct call *c)
{
    if (OPERATORS[c->op] != NULL)
        return OPERATORS[c->op](c);
    if (c->function == NULL) /* another release may have it */
        return transfer_passes(absval_failing(c->arena, &absval_any));
    for (size_t i = 0; c->op == AST_FUNCTION && i < sizeof FUNCTIONS / sizeof *FUNCTIONS; i++) {
        if (FUNCTIONS[i].count == c->count && str_eq(FUNCTIONS[i].name, c->name))
            return FUNCTIONS[i].call(c);
    }
    if (c->function->count == 0)
        return transfer_passes(absval_failing(c->arena, &absval_any));
    return call_constants(c);
}
