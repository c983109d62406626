#include "typecheck/typecheck.h"

#include <string.h>

#include "typecheck/policy/check/policy_check.h"

const struct typecheck_caps typecheck_default_caps = {
    .bytes = (size_t)32 * 1024 * 1024,
    .steps = (uint64_t)36 * 1000 * 1000,
    .unit_steps = (uint64_t)1000 * 1000,
};

/*
 * The units of work, in this order; those from UNIT_TYPE to UNIT_KEEP_CLASS again
 * for each type, and without evaluation in scope upstream.
 */
enum unit {
    UNIT_BEGIN,
    UNIT_PARSE,
    UNIT_PLAN,
    UNIT_CLASSES,
    UNIT_TYPE,
    UNIT_CHECK_VARIABLE,
    UNIT_CHECK,
    UNIT_EVALUATION,
    UNIT_EVALUATE, /* again until there is nothing left */
    UNIT_ADD_CLAIMS,
    UNIT_JUDGE,
    UNIT_KEEP_CLASS,
    UNIT_SETTLE_CLAIMS, /* after all types, which may have to be checked again */
    UNIT_ADVISE,
    UNIT_FINISH,
    UNIT_NONE, /* the end */
};

static const struct {
    void (*run)(struct policy_check *c);
    bool is_by_expression;
} UNITS[] = {
    [UNIT_BEGIN] = {policy_check_begin, false},
    [UNIT_PARSE] = {policy_check_parse, true},
    [UNIT_PLAN] = {policy_check_plan, false},
    [UNIT_CLASSES] = {policy_check_begin_classes, false},
    [UNIT_TYPE] = {policy_check_begin_type, false},
    [UNIT_CHECK_VARIABLE] = {policy_check_variable, true},
    [UNIT_CHECK] = {policy_check_other, true},
    [UNIT_EVALUATION] = {policy_check_begin_evaluation, false},
    [UNIT_EVALUATE] = {policy_check_evaluate, false},
    [UNIT_ADD_CLAIMS] = {policy_check_add_claims, false},
    [UNIT_JUDGE] = {policy_check_judge, true},
    [UNIT_KEEP_CLASS] = {policy_check_keep_class, false},
    [UNIT_SETTLE_CLAIMS] = {policy_check_settle_claims, false},
    [UNIT_ADVISE] = {policy_check_advise, false},
    [UNIT_FINISH] = {policy_check_finish, false},
    [UNIT_NONE] = {NULL, false},
};

struct typecheck {
    struct arena self; /* holds this */
    struct policy_check check;
    struct typecheck_caps caps;
    enum unit unit;        /* the next */
    uint64_t steps_before; /* of the times before, in which all types were checked */
};

/* ---- the order of units ---- */

/* All that the check costs, whether a part of it was kept or not: the result does not depend on that. */
static uint64_t cost(const struct typecheck *t)
{
    return t->check.arena.steps + t->check.kept.steps;
}

/* Returns true if what follows has no steps left. */
static bool is_spent(const struct typecheck *t)
{
    return t->unit < UNIT_FINISH && cost(t) >= t->caps.steps;
}

static void set_unit(struct typecheck *t, enum unit unit)
{
    t->unit = unit;
    t->check.expression = 0;
}

/* The next type, if there is one. Claims are settled, and advice is looked for, if all before it was done. */
static void set_type(struct typecheck *t, size_t type)
{
    const struct policy_check *c = &t->check;
    const bool is_last = policy_check_is_stranger(c) ? t->unit >= UNIT_TYPE && !is_spent(t)
                                                     : t->unit == UNIT_KEEP_CLASS || c->is_known;
    const bool is_done = policy_check_is_full(c) && is_last;
    policy_check_set_type(&t->check, type);
    set_unit(t, type < policy_check_type_count(c) ? UNIT_TYPE : is_done ? UNIT_SETTLE_CLAIMS : UNIT_FINISH);
}

/* Each further time has as many steps as the first one. */
static void after_claims(struct typecheck *t)
{
    const struct policy_check *c = &t->check;
    if (c->goes_again) {
        t->caps.steps += cost(t) - t->steps_before;
        t->steps_before = cost(t);
        set_unit(t, UNIT_CLASSES);
    } else {
        set_unit(t, c->policy->wants_advice ? UNIT_ADVISE : UNIT_FINISH);
    }
}

/* Nothing more is done for the type, or for the policy. */
static void leave_type(struct typecheck *t)
{
    set_type(t, t->unit < UNIT_TYPE ? policy_check_type_count(&t->check) : t->check.type + 1);
}

/* Goes on to the next unit, after one that was done for all expressions. */
static void advance(struct typecheck *t)
{
    if (t->unit >= UNIT_FINISH)
        t->unit = UNIT_NONE;
    else if (t->unit == UNIT_KEEP_CLASS || (t->unit == UNIT_TYPE && t->check.is_known))
        leave_type(t);
    else if (t->unit == UNIT_SETTLE_CLAIMS)
        after_claims(t);
    else if (t->unit == UNIT_CLASSES || (t->unit == UNIT_BEGIN && t->check.policy->type_count == 0))
        set_type(t, 0);
    else if (policy_check_is_stranger(&t->check) && t->unit == UNIT_TYPE)
        set_unit(t, UNIT_EVALUATION); /* of it nothing is reported */
    else if (policy_check_is_stranger(&t->check) && t->unit == UNIT_ADD_CLAIMS)
        leave_type(t);
    else if (t->unit == UNIT_CHECK && !policy_check_is_full(&t->check))
        set_unit(t, UNIT_JUDGE);
    else if (t->unit != UNIT_EVALUATE || t->check.is_evaluated)
        set_unit(t, t->unit + 1);
}

/* Returns true if the unit is of the current expression. */
static bool is_of_expression(const struct typecheck *t)
{
    bool is_variable = t->check.policy->policy.expressions[t->check.expression].place == POLICY_VARIABLE;
    return t->unit == UNIT_CHECK_VARIABLE ? is_variable : t->unit == UNIT_CHECK ? !is_variable : true;
}

/* The unit is done for the current expression, if it is of expressions: the next one that has anything to
 * do. */
static void go_on(struct typecheck *t)
{
    size_t count = t->check.policy->policy.count;
    t->check.expression += UNITS[t->unit].is_by_expression;
    do {
        if (!UNITS[t->unit].is_by_expression || t->check.expression >= count)
            advance(t);
        while (UNITS[t->unit].is_by_expression && t->check.expression < count && !is_of_expression(t))
            t->check.expression++;
    } while (UNITS[t->unit].is_by_expression && t->check.expression >= count);
}

/* ---- limits ---- */

/* Work that belongs to no expression reached its cap. */
static void limit_type(struct typecheck *t)
{
    bool is_of_type = t->unit >= UNIT_TYPE && t->unit <= UNIT_KEEP_CLASS;
    if (is_of_type && policy_check_is_stranger(&t->check))
        t->check.is_open = true;
    else
        policy_check_add_limit(&t->check, TYPECHECK_EVERY, is_of_type ? t->check.type : TYPECHECK_EVERY);
    if (t->unit == UNIT_FINISH)
        t->unit = UNIT_NONE;
    else
        leave_type(t);
}

/* Ends the work on classes of types, whose budget is used up: the type at hand and those after it are checked
 * by themselves. */
static void limit_classes(struct typecheck *t)
{
    policy_check_end_classes(&t->check);
    if (t->unit == UNIT_TYPE)
        policy_check_set_type(&t->check, t->check.type); /* and begins again */
    else
        go_on(t);
}

static void limit_unit(struct typecheck *t)
{
    t->check.reads.is_lost = true; /* the questions are not complete */
    if (t->unit == UNIT_CLASSES || t->unit == UNIT_KEEP_CLASS ||
        (t->unit == UNIT_TYPE && t->check.is_classified)) {
        limit_classes(t);
    } else if (t->unit == UNIT_EVALUATE) {
        eval_policy_stop(t->check.evaluation, t->check.arena.failure); /* which the results say */
        go_on(t);
    } else if (UNITS[t->unit].is_by_expression) {
        policy_check_limit_expression(&t->check, t->unit > UNIT_TYPE);
        go_on(t);
    } else {
        limit_type(t);
    }
}

static void run_unit(struct typecheck *t)
{
    struct policy_check *c = &t->check;
    uint64_t last = c->arena.steps + t->caps.unit_steps, left = t->caps.steps - c->kept.steps;
    c->arena.max_steps = last < left || t->unit == UNIT_FINISH ? last : left;
    if (t->unit != UNIT_EVALUATE) /* which clears it itself */
        arena_clear(&c->scratch);
    if (setjmp(c->arena.escape) != 0) {
        limit_unit(t);
    } else {
        UNITS[t->unit].run(c);
        if (t->unit == UNIT_EVALUATE && c->is_evaluated && eval_policy_is_limited(c->evaluation))
            limit_type(t);
        else
            go_on(t);
    }
    if (is_spent(t)) {
        c->arena.failure = ARENA_STEPS;
        policy_check_add_limit(c, UNITS[t->unit].is_by_expression ? c->expression : TYPECHECK_EVERY, c->type);
        set_type(t, policy_check_type_count(c));
    }
}

/* ---- the check ---- */

struct typecheck *typecheck_new(const struct env *env, const struct typecheck_policy *policy,
                                const struct typecheck_caps *caps)
{
    struct arena holds_it;
    struct typecheck *t = arena_init_holder(&holds_it, SIZE_MAX, sizeof *t);
    if (t == NULL)
        return NULL;
    t->self = holds_it;
    struct policy_check *c = &t->check;
    t->caps = caps == NULL ? typecheck_default_caps : *caps;
    c->env = env;
    c->policy = policy;
    arena_init(&c->arena, t->caps.bytes);
    arena_init_part(&c->of_type, &c->arena);
    arena_init_part(&c->of_way, &c->arena);
    arena_init_part(&c->of_classes, &c->arena);
    arena_init_part(&c->scratch, &c->arena);
    arena_init_part(&c->result.arena, &c->arena);
    t->unit = UNIT_BEGIN;
    return t;
}

bool typecheck_step(struct typecheck *t, uint64_t steps)
{
    uint64_t begin = t->check.arena.steps;
    while (t->unit != UNIT_NONE && t->check.arena.steps - begin < steps)
        run_unit(t);
    return t->unit != UNIT_NONE;
}

uint64_t typecheck_steps(const struct typecheck *t)
{
    return t->check.arena.steps;
}

size_t typecheck_bytes(const struct typecheck *t)
{
    return t->self.used_bytes + t->check.arena.used_bytes;
}

const struct typecheck_result *typecheck_result(const struct typecheck *t)
{
    return &t->check.result;
}

void typecheck_free(struct typecheck *t)
{
    if (t == NULL)
        return;
    struct arena holds_this = t->self;
    typecheck_result_deinit(&t->check.result);
    arena_deinit(&t->check.of_type);
    arena_deinit(&t->check.of_way);
    arena_deinit(&t->check.of_classes);
    arena_deinit(&t->check.scratch);
    arena_deinit(&t->check.arena);
    arena_deinit(&holds_this);
}

void typecheck_policy_within(const struct env *env, const struct typecheck_policy *policy,
                             const struct typecheck_caps *caps, struct typecheck_result *result)
{
    struct typecheck *t = typecheck_new(env, policy, caps);
    memset(result, 0, sizeof *result);
    if (t == NULL) {
        result->limits[result->limit_count++] =
            (struct typecheck_limit){TYPECHECK_EVERY, TYPECHECK_EVERY, TYPECHECK_MEMORY};
        return;
    }
    while (typecheck_step(t, UINT64_MAX))
        ;
    arena_leave(&t->check.result.arena);
    *result = t->check.result;
    arena_init_part(&t->check.result.arena, &t->check.arena); /* taken */
    typecheck_free(t);
}

void typecheck_policy(const struct env *env, const struct typecheck_policy *policy,
                      struct typecheck_result *result)
{
    typecheck_policy_within(env, policy, NULL, result);
}

void typecheck_result_deinit(struct typecheck_result *result)
{
    arena_deinit(&result->arena);
}
