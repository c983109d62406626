#include "typecheck/base/arena.h"
#include "typecheck/eval/constant_fold.h"
#include "typecheck/eval/context.h"
#include "typecheck/types/decl.h"

/* A call whose arguments are evaluated, the receiver first. */
struct call {
    const struct node *node;
    struct str name;
    const struct function *function;
    const struct absval **args;
    size_t count;
    bool is_receiver;
};

/* Issues */

static struct str call_text(struct eval_context *e, const struct call *c)
{
    struct text t = {.arena = e->arena};
    if (c->is_receiver) {
        text_add(&t, absval_text(e->arena, c->args[0]));
        text_add_char(&t, '.');
    }
    text_add_char(&t, '(');
    for (size_t i = c->is_receiver; i < c->count; i++) {
        text_add(&t, i == c->is_receiver ? STR("") : STR(", "));
        text_add(&t, absval_text(e->arena, c->args[i]));
    }
    text_add_char(&t, ')');
    return text_str(&t);
}

#define MISMATCH_PARTS(e, c)                                                                                 \
    STR_PARTS(STR("found no matching overload for '"), (c)->name, STR("' applied to '"), call_text(e, c),    \
              STR("'"))

static const struct absval *fail_overload(struct eval_context *e, const struct call *c)
{
    struct hint hint = HINT_NONE;
    if (c->function != NULL)
        hint.wrapper = hint_wrapper_for(c->function, c->args, c->count);
    return eval_context_fail(e, c->node, hint, MISMATCH_PARTS(e, c));
}

static void note_unequal(struct eval_context *e, const struct call *c, const struct absval *a,
                         const struct absval *b)
{
    struct hint hint = {.wrapper = hint_wrapper(a, b)};
    if (hint.wrapper == NULL)
        hint.wrapper = hint_wrapper(b, a);
    eval_context_note_unequal(e, c->node, hint, MISMATCH_PARTS(e, c));
}

/* Marks */

static bool has_broken_argument(const struct call *c)
{
    for (size_t i = 0; i < c->count; i++) {
        if (c->args[i]->is_broken)
            return true;
    }
    return false;
}

static bool argument_may_fail(const struct call *c)
{
    for (size_t i = 0; i < c->count; i++) {
        if (c->args[i]->may_fail)
            return true;
    }
    return false;
}

/* A result that nothing but the type decides is fixed; where it is not computed nobody knows to what. */
static bool is_settled(const struct call *c)
{
    for (size_t i = 0; i < c->count; i++) {
        if (!absval_is_settled(c->args[i]))
            return false;
    }
    return c->count != 0;
}

static const struct absval *made_of(struct eval_context *e, const struct call *c, const struct absval *v,
                                    bool may_fail)
{
    if (!absval_is_settled(v) && is_settled(c))
        v = absval_fixed(e->arena, v);
    return may_fail || argument_may_fail(c) ? absval_failing(e->arena, v) : v;
}

/* Overloads */

/* What type parameters stand for in one call, by their slot; more are not told apart. */
struct bound {
    const struct type *param;
    const struct absval *value; /* NULL: of nothing, as the elements of an empty list */
};

enum { BOUND_MAX = 4 };

struct bounds {
    struct bound list[BOUND_MAX];
    size_t count;
};

static void bind_param(struct eval_context *e, struct bounds *b, const struct type *param,
                       const struct absval *v)
{
    for (size_t i = 0; i < b->count; i++) {
        if (b->list[i].param != param)
            continue;
        const struct absval *known = b->list[i].value;
        b->list[i].value = known == NULL ? v : v == NULL ? known : absval_join(e->arena, known, v);
        return;
    }
    if (b->count < BOUND_MAX)
        b->list[b->count++] = (struct bound){param, v};
}

/* `t` as a part of an argument's type: what is of another kind there is taken, too, for what it may be. */
static void bind(struct eval_context *e, struct bounds *b, const struct type *t, const struct absval *v,
                 bool is_part)
{
    if (t->kind == TYPE_PARAM) {
        bind_param(e, b, t, v);
        return;
    }
    if (v != NULL && t->kind == TYPE_LIST && (v->kinds & ABS_LIST) != 0) {
        bind(e, b, t->params[0], absval_elements(v), true);
    } else if (v != NULL && t->kind == TYPE_MAP && (v->kinds & ABS_MAP) != 0) {
        bind(e, b, t->params[0], absmap_keys(e->arena, v), true);
        bind(e, b, t->params[1], absmap_entries(e->arena, v), true);
    } else if (v != NULL && type_is_optional(t) && (v->kinds & ABS_OPTIONAL) != 0) {
        bind(e, b, t->params[0], v->may_have ? v->inner : NULL, true);
    }
    bool is_other = is_part && v != NULL && (absval_likely_kinds(v) & ~absval_kinds_of_type(t)) != 0;
    for (size_t i = 0; is_other && t->generic && i < t->param_count; i++)
        bind(e, b, t->params[i], &absval_any, true);
}

/* A value of the type `t`; NULL: there is none. */
static const struct absval *value_of(struct eval_context *e, const struct bounds *b, const struct type *t)
{
    if (t->kind == TYPE_PARAM) {
        for (size_t i = 0; i < b->count; i++) {
            if (b->list[i].param == t)
                return b->list[i].value;
        }
        return NULL;
    }
    if (!t->generic)
        return absval_of_type(e->arena, t);
    if (t->kind == TYPE_LIST)
        return absval_of_elements(e->arena, value_of(e, b, t->params[0]));
    if (type_is_optional(t))
        return absval_optional(e->arena, value_of(e, b, t->params[0]), true);
    if (t->kind == TYPE_MAP)
        return absmap_value(e->arena, (struct absmap){.key = value_of(e, b, t->params[0]),
                                                      .value = value_of(e, b, t->params[1])});
    return &absval_any;
}

static bool can_take(const struct type *param, const struct absval *v)
{
    uint32_t kinds = absval_kinds_of_type(param) & v->kinds;
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
 * arguments (decls.go, matchesRuntimeSignature); elements are not looked at.
 */
static const struct absval *call_overloads(struct eval_context *e, const struct call *c)
{
    const struct absval *v = NULL;
    for (size_t i = 0; i < c->function->count; i++) {
        const struct overload *o = &c->function->overloads[i];
        struct bounds bounds = {.count = 0};
        if (!can_match(o, c))
            continue;
        for (size_t j = 0; j < c->count; j++)
            bind(e, &bounds, o->args[j], c->args[j], false);
        const struct absval *result = value_of(e, &bounds, o->result);
        result = result == NULL ? &absval_any : result;
        v = v == NULL ? result : absval_join(e->arena, v, result);
    }
    if (v == NULL)
        return fail_overload(e, c);
    eval_context_pass(e, c->node);
    return made_of(e, c, v, true);
}

/* What constants make is a constant, where we know to compute it. */
static const struct absval *call_constants(struct eval_context *e, const struct call *c)
{
    struct literal values[CONSTANT_FOLD_MAX_ARGS], result;
    size_t known = 0;
    while (known < c->count && known < CONSTANT_FOLD_MAX_ARGS && c->args[known]->values != NULL &&
           absval_is_constant(c->args[known])) {
        values[known] = c->args[known]->values[0];
        known++;
    }
    if (known == 0 || known < c->count || !constant_fold_call(e->arena, c->name, values, known, &result))
        return call_overloads(e, c);
    eval_context_pass(e, c->node);
    return made_of(e, c, absval_of_literal(e->arena, result), false);
}

/* Equality */

/* Of comparisons that are simple, for a step. */
#define LOOKS_PER_STEP 4u

static bool is_exact_list(const struct absval *v)
{
    return v->kinds == ABS_LIST && v->list != NULL && v->list->is_exact;
}

/* What == of two values can give. */
struct outcome {
    bool can_be_true, can_be_false;
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

/* Element by element. That both are the same list does not make them equal: what is not known may differ. */
static struct outcome compare_lists(struct comparison *c, const struct abslist *a, const struct abslist *b)
{
    struct outcome all = {a->count == b->count, a->count != b->count};
    for (size_t i = 0; all.can_be_true && i < a->count; i++) {
        arena_step(c->arena);
        struct outcome one = {false, true};
        if (absval_kinds_meet(a->items[i]->kinds, b->items[i]->kinds))
            one = compare_values(c, a->items[i], b->items[i]);
        all.can_be_true = one.can_be_true;
        all.can_be_false = all.can_be_false || one.can_be_false;
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
    struct outcome all = {false, false};
    arena_pay(c->arena, a->value_count * b->value_count / LOOKS_PER_STEP);
    for (size_t i = 0; i < a->value_count * b->value_count; i++) {
        bool is_equal =
            constant_fold_equal(c->arena, &a->values[i / b->value_count], &b->values[i % b->value_count]);
        all.can_be_true = all.can_be_true || is_equal;
        all.can_be_false = all.can_be_false || !is_equal;
    }
    return all;
}

/* Where both are constants, or every value of one differs from every value of the other. */
static struct outcome compare_values(struct comparison *c, const struct absval *a, const struct absval *b)
{
    if (is_exact_list(a) && is_exact_list(b))
        return compare_once(c, a->list, b->list);
    if (a->kinds == ABS_BOOL && b->kinds == ABS_BOOL)
        return (struct outcome){(a->can_be_true && b->can_be_true) || (a->can_be_false && b->can_be_false),
                                (a->can_be_true && b->can_be_false) || (a->can_be_false && b->can_be_true)};
    if (a->kinds == ABS_NULL && b->kinds == ABS_NULL)
        return (struct outcome){true, false};
    if (a->kinds == ABS_TYPE && b->kinds == ABS_TYPE && a->type_kinds != 0 && b->type_kinds != 0)
        return (struct outcome){(a->type_kinds & b->type_kinds) != 0,
                                a->type_kinds != b->type_kinds || (a->type_kinds & (a->type_kinds - 1)) != 0};
    if (a->values != NULL && b->values != NULL)
        return compare_constants(c, a, b);
    return (struct outcome){true, true};
}

static const struct absval *negate(struct eval_context *e, const struct absval *v)
{
    struct absval *not = ARENA_NEW(e->arena, struct absval);
    *not = *absval_of_bools(e->arena, v->can_be_false, v->can_be_true);
    not ->is_fixed = v->is_fixed;
    not ->is_surely_true = v->is_surely_false;
    not ->is_surely_false = v->is_surely_true;
    return not ;
}

/* "null compares with everything": with what is always null, to some purpose. */
static bool is_null(const struct absval *v)
{
    return v->kinds == ABS_NULL;
}

/* "Different types: false, never an error." */
static const struct absval *call_equal(struct eval_context *e, const struct call *c)
{
    const struct absval *a = c->args[0], *b = c->args[1], *v;
    if (absval_kinds_meet(a->kinds, b->kinds)) {
        eval_context_pass(e, c->node);
        struct comparison comparison = {.arena = e->arena};
        struct outcome outcome = compare_values(&comparison, a, b);
        v = absval_of_bools(e->arena, outcome.can_be_true, outcome.can_be_false);
    } else {
        if (is_null(a) || is_null(b))
            eval_context_pass(e, c->node);
        else
            note_unequal(e, c, a, b);
        v = &absval_false;
    }
    return made_of(e, c, c->name.at[1] == '!' ? negate(e, v) : v, false);
}

/* x in [a, b, c], each of which is known: as x == a || x == b || x == c. */
static const struct absval *find_item(struct eval_context *e, const struct absval *x,
                                      const struct abslist *list)
{
    bool can_be_true = false, can_be_false = true;
    struct comparison comparison = {.arena = e->arena};
    for (size_t i = 0; i < list->count; i++) {
        const struct absval *item = list->items[i];
        if (i % LOOKS_PER_STEP == 0)
            arena_step(e->arena);
        if (!absval_kinds_meet(x->kinds, item->kinds))
            continue;
        struct outcome one = compare_values(&comparison, x, item);
        can_be_true = can_be_true || one.can_be_true;
        can_be_false = can_be_false && one.can_be_false;
    }
    return absval_of_bools(e->arena, can_be_true, can_be_false);
}

static const struct absval *find_in_map(struct eval_context *e, const struct absval *x,
                                        const struct absval *map)
{
    enum absval_presence p = qualifiers_presence(e, map, x);
    return absval_of_bools(e->arena, p != ABS_ABSENT, p != ABS_PRESENT);
}

/* Whether x can be an element, or a key, by its type. */
static bool can_contain(const struct absval *range, const struct absval *x)
{
    const struct absval *element = (range->kinds & ABS_LIST) != 0 ? absval_elements(range) : NULL;
    if (element != NULL && absval_kinds_meet(element->kinds, x->kinds))
        return true;
    /* names of fields that are missing are no matter of type; an empty list holds nothing of any type */
    return (range->kinds & ABS_MAP) != 0
               ? (x->kinds & (ABS_STRING | ABS_NUMBER | ABS_BOOL)) != 0 && qualifiers_has_key_kind(range, x)
               : element == NULL;
}

/* A list by its elements, a map by its keys; "in" takes nothing else. */
static const struct absval *call_in(struct eval_context *e, const struct call *c)
{
    const struct absval *x = c->args[0], *range = c->args[1], *v = NULL;
    if ((range->kinds & (ABS_LIST | ABS_MAP)) == 0)
        return fail_overload(e, c);
    if (!can_contain(range, x) && !is_null(x)) {
        const struct absval *element = range->kinds == ABS_LIST ? absval_elements(range) : NULL;
        note_unequal(e, c, x, element == NULL ? &absval_any : element);
        return made_of(e, c, &absval_false, (range->kinds & ~(uint32_t)(ABS_LIST | ABS_MAP)) != 0);
    }
    eval_context_pass(e, c->node);
    if (range->kinds == ABS_LIST && range->list != NULL && range->list->is_exact)
        v = find_item(e, x, range->list);
    else if (range->kinds == ABS_MAP)
        v = find_in_map(e, x, range);
    return made_of(e, c, v == NULL ? &absval_bool : v, (range->kinds & ~(uint32_t)(ABS_LIST | ABS_MAP)) != 0);
}

/* Other functions whose results say more than their types */

/* One of the elements, which must compare; there is none in an empty list, and that fails, too. */
static const struct absval *call_extreme(struct eval_context *e, const struct call *c)
{
    const uint32_t comparable = ABS_BOOL | ABS_NUMBER | ABS_STRING | ABS_BYTES | ABS_TIMESTAMP | ABS_DURATION;
    bool is_list = (c->args[0]->kinds & ABS_LIST) != 0;
    const struct absval *element = is_list ? absval_elements(c->args[0]) : NULL;
    if (element == NULL)
        return call_overloads(e, c);
    if ((element->kinds & comparable) == 0)
        return fail_overload(e, c);
    eval_context_pass(e, c->node);
    return made_of(e, c, element, true);
}

static const struct absval *call_not(struct eval_context *e, const struct call *c)
{
    const struct absval *v = eval_context_bool(e, c->node->call.args[0], c->node, c->args[0]);
    if (v->is_broken)
        return v;
    return v->may_fail ? absval_failing(e->arena, negate(e, v)) : negate(e, v);
}

static const struct absval *call_dyn(struct eval_context *e, const struct call *c)
{
    eval_context_pass(e, c->node);
    return c->args[0];
}

static const struct absval *call_type(struct eval_context *e, const struct call *c)
{
    struct absval *v = ARENA_NEW(e->arena, struct absval);
    v->kinds = ABS_TYPE;
    v->type_kinds = (c->args[0]->kinds & ABS_OPAQUE) != 0 ? 0 : c->args[0]->kinds;
    eval_context_pass(e, c->node);
    return made_of(e, c, v, false);
}

/* "A constant division by zero" of whole numbers; of doubles it is an infinity. */
static const struct absval *call_divide(struct eval_context *e, const struct call *c)
{
    const struct absval *by = c->args[1];
    bool is_zero = by->value_count == 1 && by->values != NULL &&
                   ((by->kinds == ABS_INT && by->values[0].integer == 0) ||
                    (by->kinds == ABS_UINT && by->values[0].uinteger == 0));
    if (is_zero && (c->args[0]->kinds & by->kinds) != 0)
        return eval_context_fail(
            e, c->node, HINT_NONE,
            STR_PARTS(c->name.at[1] == '%' ? STR("modulus by zero") : STR("division by zero")));
    return call_overloads(e, c);
}

/* Of a string that is known: a list that is. */
static const struct absval *call_split(struct eval_context *e, const struct call *c)
{
    const struct str *s = absval_constant_string(c->args[0]), *by = absval_constant_string(c->args[1]);
    if (s == NULL || by == NULL || by->len == 0 || s->at == NULL)
        return call_overloads(e, c);
    struct str rest = *s, part;
    size_t count = 0;
    while (constant_fold_split(e->arena, &rest, *by, &part))
        count++;
    const struct absval **items = ARENA_ARRAY(e->arena, count, const struct absval *);
    rest = *s;
    for (size_t i = 0; constant_fold_split(e->arena, &rest, *by, &part); i++)
        items[i] = absval_of_string(e->arena, part);
    eval_context_pass(e, c->node);
    return made_of(e, c, absval_of_items(e->arena, items, count), false);
}

/* Two lists whose elements are known make one. */
static const struct absval *add_lists(struct eval_context *e, const struct abslist *a,
                                      const struct abslist *b)
{
    const struct absval **items = ARENA_ARRAY(e->arena, a->count + b->count, const struct absval *);
    for (size_t i = 0; i < a->count + b->count; i++)
        items[i] = i < a->count ? a->items[i] : b->items[i - a->count];
    return absval_of_items(e->arena, items, a->count + b->count);
}

/* Of a list whose elements are known. */
static const struct absval *call_size(struct eval_context *e, const struct call *c)
{
    const struct absval *v = c->args[0];
    if (!is_exact_list(v))
        return call_constants(e, c);
    struct literal size = {.kind = LITERAL_INT, .integer = (int64_t)v->list->count};
    eval_context_pass(e, c->node);
    return made_of(e, c, absval_of_literal(e->arena, size), false);
}

static const struct absval *call_add(struct eval_context *e, const struct call *c)
{
    const struct absval *a = c->args[0], *b = c->args[1];
    if (!is_exact_list(a) || !is_exact_list(b))
        return call_constants(e, c);
    eval_context_pass(e, c->node);
    return made_of(e, c, add_lists(e, a->list, b->list), false);
}

/* Optionals */

static const struct absval *call_optional_of(struct eval_context *e, const struct call *c)
{
    bool may_be_none = !str_eq(c->name, STR("optional.of"));
    eval_context_pass(e, c->node);
    return made_of(e, c, absval_optional(e->arena, c->args[0], may_be_none), false);
}

static const struct absval *call_has_value(struct eval_context *e, const struct call *c)
{
    const struct absval *o = c->args[0];
    if ((o->kinds & ABS_OPTIONAL) == 0)
        return fail_overload(e, c);
    eval_context_pass(e, c->node);
    return made_of(e, c, absval_of_bools(e->arena, o->may_have, o->may_be_none), o->kinds != ABS_OPTIONAL);
}

/* "value() of none fails." */
static const struct absval *call_value(struct eval_context *e, const struct call *c)
{
    const struct absval *o = c->args[0];
    if ((o->kinds & ABS_OPTIONAL) == 0)
        return fail_overload(e, c);
    if (!o->may_have)
        return eval_context_fail(e, c->node, HINT_NONE, STR_PARTS(STR("optional.none() dereference")));
    eval_context_pass(e, c->node);
    return made_of(e, c, o->inner, o->may_be_none || o->kinds != ABS_OPTIONAL);
}

static const struct absval *without_optional(struct eval_context *e, const struct absval *v)
{
    struct absval *rest = ARENA_NEW(e->arena, struct absval);
    *rest = *v;
    rest->kinds &= ~(uint32_t)ABS_OPTIONAL;
    return rest;
}

/* "orValue and or on what is no optional return it." Their argument is evaluated only for what is none. */
static const struct absval *walk_or(struct eval_context *e, const struct node *n)
{
    const struct absval *o = walk_node(e, n->call.target), *v = NULL;
    bool keeps_optional = str_eq(n->call.function, STR("or"));
    if (o->is_broken)
        return o;
    if ((o->kinds & ~(uint32_t)ABS_OPTIONAL) != 0)
        v = without_optional(e, o);
    if ((o->kinds & ABS_OPTIONAL) != 0 && o->may_have) {
        const struct absval *had = keeps_optional ? absval_optional(e->arena, o->inner, false) : o->inner;
        v = v == NULL ? had : absval_join(e->arena, v, had);
    }
    if ((o->kinds & ABS_OPTIONAL) != 0 && o->may_be_none) {
        const struct absval *other = walk_node(e, n->call.args[0]);
        v = v == NULL ? other : absval_join(e->arena, v, other);
    }
    return v == NULL ? walk_unknown(e) : eval_context_derive(e, v, o);
}

/* What loops ask: an error is no reason to end. */
static const struct absval *walk_not_strictly_false(struct eval_context *e, const struct node *n)
{
    const struct absval *v = walk_node(e, n->call.args[0]);
    bool is_bool = !v->is_broken && v->kinds == ABS_BOOL;
    struct absval *goes_on = ARENA_NEW(e->arena, struct absval);
    *goes_on = *absval_of_bools(e->arena, !is_bool || v->may_fail || v->can_be_true,
                                (v->kinds & ABS_BOOL) != 0 && v->can_be_false);
    goes_on->is_fixed = v->is_fixed;
    goes_on->is_surely_true = v->may_fail || absval_is_surely(v, true);
    goes_on->is_surely_false = absval_is_surely(v, false);
    return goes_on;
}

/* Calls that do not need all of their arguments. */
static const struct {
    struct str name;
    size_t count; /* of arguments, without the receiver */
    bool is_receiver;
    const struct absval *(*walk)(struct eval_context *e, const struct node *n);
} LAZY[] = {
    {STR_INIT("or"), 1, true, walk_or},
    {STR_INIT("orValue"), 1, true, walk_or},
    {STR_INIT("@not_strictly_false"), 1, false, walk_not_strictly_false},
};

/* The table */

static const struct {
    struct str name;
    size_t count;
    const struct absval *(*call)(struct eval_context *e, const struct call *c);
} FUNCTIONS[] = {
    {STR_INIT("!_"), 1, call_not},
    {STR_INIT("_==_"), 2, call_equal},
    {STR_INIT("_!=_"), 2, call_equal},
    {STR_INIT("@in"), 2, call_in},
    {STR_INIT("_+_"), 2, call_add},
    {STR_INIT("_/_"), 2, call_divide},
    {STR_INIT("_%_"), 2, call_divide},
    {STR_INIT("dyn"), 1, call_dyn},
    {STR_INIT("max"), 1, call_extreme},
    {STR_INIT("min"), 1, call_extreme},
    {STR_INIT("type"), 1, call_type},
    {STR_INIT("size"), 1, call_size},
    {STR_INIT("split"), 2, call_split},
    {STR_INIT("hasValue"), 1, call_has_value},
    {STR_INIT("value"), 1, call_value},
    {STR_INIT("optional.of"), 1, call_optional_of},
    {STR_INIT("optional.ofNonZeroValue"), 1, call_optional_of},
};

static const struct absval *dispatch(struct eval_context *e, const struct call *c)
{
    for (size_t i = 0; i < sizeof FUNCTIONS / sizeof *FUNCTIONS; i++) {
        if (FUNCTIONS[i].count == c->count && str_eq(FUNCTIONS[i].name, c->name))
            return FUNCTIONS[i].call(e, c);
    }
    if (c->function == NULL || c->function->count == 0)
        return walk_unknown(e);
    return call_constants(e, c);
}

/* The function that a.b.f(x) names, if a.b is a namespace and no value. */
static const struct function *find_namespaced(struct eval_context *e, const struct node *n)
{
    struct str prefix = STR("");
    const struct node *target = n->call.target;
    for (; target->kind == NODE_SELECT && !target->select.test_only; target = target->select.operand)
        prefix = str_join(e->arena, STR_PARTS(STR("."), target->select.field, prefix));
    if (target->kind != NODE_IDENT)
        return NULL;
    const struct function *space = env_function(e->env, ast_name(target));
    if (space == NULL || !space->is_namespace)
        return NULL;
    return env_function(e->env,
                        str_join(e->arena, STR_PARTS(ast_name(target), prefix, STR("."), n->call.function)));
}

const struct absval *calls_call(struct eval_context *e, const struct node *n)
{
    struct call c = {.node = n, .name = n->call.function};
    const struct node *target = n->call.target;
    for (size_t i = 0; i < sizeof LAZY / sizeof *LAZY; i++) {
        if (LAZY[i].count == n->arg_count && LAZY[i].is_receiver == (target != NULL) &&
            str_eq(LAZY[i].name, c.name))
            return LAZY[i].walk(e, n);
    }
    c.function = target == NULL ? NULL : find_namespaced(e, n);
    c.is_receiver = target != NULL && c.function == NULL;
    if (c.function == NULL)
        c.function = env_function(e->env, n->call.function);
    else
        c.name = c.function->name;
    c.args = ARENA_ARRAY(e->arena, n->arg_count + 1, const struct absval *);
    if (c.is_receiver)
        c.args[c.count++] = walk_node(e, target);
    for (size_t i = 0; i < n->arg_count; i++)
        c.args[c.count++] = walk_node(e, n->call.args[i]);
    return has_broken_argument(&c) ? &absval_error : dispatch(e, &c);
}
