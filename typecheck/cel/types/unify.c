/*
 * Assignability and the most general type follow cel-go's checker/types.go case by case. unify_assign and
 * unify_overload are trials: they walk over two types at once, and bind type parameters on the way. Every
 * changed binding is noted on a trail. finish() drops the trail if the trial fits; if not, it restores the
 * old bindings from it. The type parameters of an overload become fresh unknowns, but its types are
 * instantiated only where a trial needs them, because most trials fail before.
 */
#include "typecheck/cel/types/unify.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/types/celgo.h"
#include "typecheck/cel/types/decl.h"

struct unify_binding {
    const struct type *to; /* the type that the parameter stands for; NULL while it is unbound */
};

struct unify_change {
    uint32_t slot;
    const struct type *old;
};

/* An overload on trial: its type parameters are the unknowns from `first` on. */
struct trial {
    const struct overload *overload;
    uint32_t first;
};

void unify_init(struct unify *u, struct types *ts, const struct celgo *celgo)
{
    *u = (struct unify){.ts = ts, .celgo = celgo};
}

const struct type *unify_fresh(struct unify *u)
{
    return types_unknown(u->ts, u->next_unknown++);
}

/* Walks over types count as work and are bounded in depth. */
static void enter(struct unify *u)
{
    arena_step(types_scratch(u->ts));
    if (++u->depth > TYPE_MAX_DEPTH)
        arena_fail(types_scratch(u->ts), ARENA_STEPS);
}

static const struct type *find(const struct unify *u, const struct type *param)
{
    return param->slot < u->binding_cap ? u->bindings[param->slot].to : NULL;
}

static void bind(struct unify *u, const struct type *param, const struct type *to)
{
    struct arena *a = types_scratch(u->ts);
    if (param->slot >= u->binding_cap) {
        uint32_t cap = 2 * param->slot + 16;
        u->bindings = arena_grow(a, u->bindings, u->binding_cap, cap, sizeof *u->bindings);
        u->binding_cap = cap;
    }
    ARENA_ROOM(a, u->trail, u->trail_count, u->trail_cap, 16);
    u->trail[u->trail_count++] = (struct unify_change){param->slot, u->bindings[param->slot].to};
    u->bindings[param->slot].to = to;
}

/* Ends a trial: its bindings stay, or are taken back. */
static bool finish(struct unify *u, bool fits)
{
    while (u->trail_count != 0) {
        struct unify_change change = u->trail[--u->trail_count];
        if (!fits)
            u->bindings[change.slot].to = change.old;
    }
    return fits;
}

static bool is_dyn(const struct type *t)
{
    return t->kind == TYPE_DYN || t->kind == TYPE_ANY;
}

static bool is_less_specific(struct unify *u, const struct type *a, const struct type *b);

static bool params_are_less_specific(struct unify *u, const struct type *a, const struct type *b)
{
    if (a->param_count != b->param_count || !str_eq(a->name, b->name))
        return false;
    enter(u);
    bool all = true;
    for (size_t i = 0; i < a->param_count && all; i++)
        all = is_less_specific(u, a->params[i], b->params[i]);
    u->depth--;
    return all;
}

/* Returns true if a type of types is less specific: one of any type is, compared with one of a certain
 * type. */
static bool type_is_less_specific(struct unify *u, const struct type *a, const struct type *b)
{
    if (!u->celgo->has_type_parameters || a->param_count == 0)
        return true;
    return b->param_count != 0 && params_are_less_specific(u, a, b);
}

/* Returns true if `a` is less specific than `b`, or equal. */
static bool is_less_specific(struct unify *u, const struct type *a, const struct type *b)
{
    if (a == b || is_dyn(a) || a->kind == TYPE_PARAM)
        return true;
    if (is_dyn(b) || b->kind == TYPE_PARAM || a->kind != b->kind)
        return false;
    if (a->kind == TYPE_TYPE)
        return type_is_less_specific(u, a, b);
    if (a->kind == TYPE_OPAQUE || a->kind == TYPE_LIST || a->kind == TYPE_MAP)
        return params_are_less_specific(u, a, b);
    return type_is_exact(a, b);
}

const struct type *unify_most_general(struct unify *u, const struct type *a, const struct type *b)
{
    return is_less_specific(u, a, b) ? a : b;
}

/* The occurs check: `param` must not be bound to what holds it. */
static bool occurs(struct unify *u, const struct type *param, const struct type *within)
{
    while (within != NULL && within->kind == TYPE_PARAM) {
        arena_step(types_scratch(u->ts));
        if (within == param)
            return true;
        within = find(u, within);
    }
    if (within == NULL || !within->generic)
        return false;
    enter(u);
    bool found = false;
    for (size_t i = 0; i < within->param_count && !found; i++)
        found = occurs(u, param, within->params[i]);
    u->depth--;
    return found;
}

static bool assign(struct unify *u, const struct type *a, const struct type *b);

enum substitution {
    IS_VALID,
    IS_INVALID,
    IS_UNBOUND, /* invalid, and the parameter has no binding either */
};

/* Checks if `param` may stand for `t`. If so, it binds `param`, or makes its binding more general. */
static enum substitution substitute_for(struct unify *u, const struct type *t, const struct type *param)
{
    if (t == param)
        return IS_VALID;
    const struct type *bound = find(u, param);
    if (bound == NULL) {
        if (occurs(u, param, t))
            return IS_UNBOUND;
        bind(u, param, t);
        return IS_VALID;
    }
    if (type_is_exact(t, bound))
        return IS_VALID;
    if (!assign(u, t, bound))
        return IS_INVALID;
    const struct type *general = unify_most_general(u, t, bound);
    if (!occurs(u, param, general))
        bind(u, param, general);
    return IS_VALID;
}

/* cel-go keeps null compatible with what once was a message. */
static bool takes_null(const struct type *t)
{
    const unsigned MESSAGES = TYPE_KIND(TYPE_NULL) | TYPE_KIND(TYPE_DURATION) | TYPE_KIND(TYPE_TIMESTAMP) |
                              TYPE_KIND(TYPE_OPAQUE) | TYPE_KIND(TYPE_OBJECT);
    return t->nullable || type_is(t, MESSAGES);
}

static bool is_wildcard(const struct type *t)
{
    return is_dyn(t) || t->kind == TYPE_ERROR;
}

/* Same constructor: then the parameters decide. */
static bool is_same_shape(const struct type *a, const struct type *b)
{
    return a->kind == b->kind && a->param_count == b->param_count && str_eq(a->name, b->name);
}

/* Both are types of types. Only a type parameter makes a difference between those of two types. */
static bool assign_type(struct unify *u, const struct type *a, const struct type *b)
{
    if (!u->celgo->has_type_parameters || b->param_count == 0)
        return true;
    if (a->param_count == 0)
        return false;
    return (a->generic || b->generic) ? assign(u, a->params[0], b->params[0]) : true;
}

/* Neither of them is a type parameter, a wildcard or null. */
static bool assign_concrete(struct unify *u, const struct type *a, const struct type *b)
{
    if (a->kind == TYPE_OBJECT)
        return type_is_exact(a, b);
    if (a->kind == TYPE_TYPE && b->kind == TYPE_TYPE)
        return assign_type(u, a, b);
    if (!type_is(a, TYPE_KIND(TYPE_LIST) | TYPE_KIND(TYPE_MAP) | TYPE_KIND(TYPE_OPAQUE)))
        return a->kind == b->kind;
    if (!is_same_shape(a, b))
        return false;
    for (size_t i = 0; i < a->param_count; i++) {
        if (!assign(u, a->params[i], b->params[i]))
            return false;
    }
    return true;
}

/* checker/types.go, internalIsAssignable, case by case. */
static bool assign_within(struct unify *u, const struct type *a, const struct type *b)
{
    if (a == b)
        return true;
    if (b->kind == TYPE_PARAM) {
        enum substitution s = substitute_for(u, a, b);
        if (s != IS_UNBOUND)
            return s == IS_VALID;
    }
    if (a->kind == TYPE_PARAM)
        return substitute_for(u, b, a) == IS_VALID;
    if (is_wildcard(a) || is_wildcard(b))
        return true;
    if (a->kind == TYPE_NULL)
        return takes_null(b);
    if (b->kind == TYPE_NULL)
        return takes_null(a);
    return assign_concrete(u, a, b);
}

static bool assign(struct unify *u, const struct type *a, const struct type *b)
{
    enter(u);
    bool fits = assign_within(u, a, b);
    u->depth--;
    return fits;
}

bool unify_assign(struct unify *u, const struct type *expected, const struct type *actual)
{
    return finish(u, assign(u, expected, actual));
}

/* A copy of `t`, which has parameters, with these replaced. */
static const struct type *rebuild(struct types *ts, const struct type *t, const struct type *const *params)
{
    if (t->kind == TYPE_LIST)
        return types_list(ts, params[0]);
    if (t->kind == TYPE_MAP)
        return types_map(ts, params[0], params[1]);
    return t->kind == TYPE_TYPE ? types_type(ts, params[0])
                                : types_opaque(ts, t->name, params, t->param_count);
}

/* The types that have parameters have one or two; opaque ones of cel-go's libraries, too. */
#define FEW_PARAMS 2

static const struct type **params_room(struct unify *u, const struct type *t, const struct type **few)
{
    return t->param_count <= FEW_PARAMS
               ? few
               : ARENA_ARRAY(types_scratch(u->ts), t->param_count, const struct type *);
}

const struct type *unify_substitute(struct unify *u, const struct type *t, bool unbound_to_dyn)
{
    for (const struct type *bound; t->kind == TYPE_PARAM; t = bound) {
        arena_step(types_scratch(u->ts));
        bound = find(u, t);
        if (bound == NULL)
            return unbound_to_dyn ? &type_dyn : t;
    }
    if (!t->generic)
        return t;
    enter(u);
    const struct type *few[FEW_PARAMS] = {NULL};
    const struct type **params = params_room(u, t, few);
    for (size_t i = 0; i < t->param_count; i++)
        params[i] = unify_substitute(u, t->params[i], unbound_to_dyn);
    u->depth--;
    return rebuild(u->ts, t, params);
}

static const struct type *unknown_of(struct unify *u, struct trial trial, const struct type *param)
{
    uint32_t i = 0;
    while (trial.overload->params[i] != param)
        i++;
    return types_unknown(u->ts, trial.first + i);
}

/* A type of an overload with its parameters replaced by the trial's unknowns. */
static const struct type *instantiate(struct unify *u, struct trial trial, const struct type *t)
{
    if (t->kind == TYPE_PARAM)
        return unknown_of(u, trial, t);
    if (!t->generic)
        return t;
    const struct type *few[FEW_PARAMS] = {NULL};
    const struct type **params = params_room(u, t, few);
    for (size_t i = 0; i < t->param_count; i++)
        params[i] = instantiate(u, trial, t->params[i]);
    return rebuild(u->ts, t, params);
}

/* assign() with the overload's type instantiated only where it must be: most trials fail before. */
static bool assign_arg(struct unify *u, const struct type *arg, struct trial trial, const struct type *param)
{
    if (!param->generic || param->kind == TYPE_PARAM || arg->kind == TYPE_PARAM || param->kind == TYPE_TYPE)
        return assign(u, arg, instantiate(u, trial, param));
    if (is_wildcard(arg))
        return true;
    if (arg->kind == TYPE_NULL)
        return takes_null(param);
    if (!is_same_shape(arg, param))
        return false;
    for (size_t i = 0; i < arg->param_count; i++) {
        if (!assign_arg(u, arg->params[i], trial, param->params[i]))
            return false;
    }
    return true;
}

bool unify_overload(struct unify *u, const struct type *const *args, size_t count,
                    const struct overload *overload, const struct type **result)
{
    struct trial trial = {overload, u->next_unknown};
    u->next_unknown += (uint32_t)overload->param_count;
    arena_step(types_scratch(u->ts));
    if (count != overload->arg_count)
        return false;
    bool fits = true;
    for (size_t i = 0; i < count && fits; i++)
        fits = assign_arg(u, args[i], trial, overload->args[i]);
    if (finish(u, fits))
        *result = unify_substitute(u, instantiate(u, trial, overload->result), false);
    return fits;
}
