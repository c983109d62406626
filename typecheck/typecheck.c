#include "typecheck/typecheck.h"

#include <string.h>

#include "typecheck/check/expression.h"
#include "typecheck/eval/eval_policy.h"
#include "typecheck/merge_issues.h"
#include "typecheck/report.h"
#include "typecheck/root_variables.h"
#include "typecheck/types/policy_variables.h"
#include "typecheck/types/type.h"

const struct typecheck_caps typecheck_default_caps = {
    .bytes = (size_t)32 * 1024 * 1024,
    .steps = (uint64_t)36 * 1000 * 1000,
    .unit_steps = (uint64_t)1000 * 1000,
};

static const struct env *env_of(const struct env *env, enum policy_place place)
{
    return policy_is_mutation(place) ? env_mutating(env) : env;
}

/* An expression, parsed. */
struct parsed {
    struct expression expression;
    struct issues *created;   /* those of the API server when it creates the policy; NULL: not asked yet */
    struct str syntax_issues; /* rendered; empty when it parsed */
    struct str first_issue;
    bool is_limited; /* a cap was reached */
};

/* An expression against the type at hand. */
struct found {
    struct issues issues; /* the checker's */
    bool is_limited;
};

/*
 * The units of work, in this order; those from UNIT_TYPE to UNIT_JUDGE again
 * for each type. What is of expressions is done for one of them at a time.
 */
enum unit {
    UNIT_BEGIN,
    UNIT_PARSE,
    UNIT_PLAN,
    UNIT_TYPE,
    UNIT_CHECK_VARIABLE, /* first: each may use those before it */
    UNIT_CHECK,
    UNIT_EVALUATE,      /* begins it; */
    UNIT_EVALUATE_NEXT, /* again until there is nothing left */
    UNIT_JUDGE,
    UNIT_FINISH,
    UNIT_NONE, /* the end */
};

struct typecheck {
    struct arena self;    /* holds this */
    struct arena arena;   /* the whole of the check's memory: here is what all types share */
    struct arena of_type; /* what is made for the type at hand */
    struct arena of_way;  /* and for the way in which it comes */
    struct arena scratch; /* and for the unit */
    struct typecheck_caps caps;
    const struct env *env;
    const struct typecheck_policy *policy;
    struct typecheck_result result;
    struct report report;

    enum unit unit;          /* the next */
    size_t expression, type; /* that it is of */

    struct parsed *parsed; /* by expression */
    size_t variable_count;
    bool is_planned;
    struct eval_policy_plan plan;

    struct types *types;
    struct policy_variables *variables;
    struct root_variables roots;
    struct eval_policy_subject subject;
    struct found *found; /* by expression */
    struct eval_policy *evaluation;
    bool is_evaluated;
};

static const struct policy_expression *expression(const struct typecheck *t)
{
    return &t->policy->expressions[t->expression];
}

static bool is_full(const struct typecheck *t)
{
    return t->policy->typing != SCHEMA_UPSTREAM;
}

/* ---- parsing ---- */

static void begin(struct typecheck *t)
{
    size_t count = t->policy->expression_count;
    report_init(&t->report, &t->result.arena, &t->scratch,
                is_full(t) ? &report_limits_full : &report_limits_upstream, count);
    t->parsed = ARENA_ARRAY(&t->arena, count, struct parsed);
}

static void parse_expression(struct typecheck *t)
{
    struct parsed *e = &t->parsed[t->expression];
    struct expression *x = &e->expression;
    if (!expression_parse(x, &t->arena, &t->scratch, env_of(t->env, expression(t)->place),
                          expression(t)->text)) {
        e->syntax_issues = str_copy(&t->arena, issues_render(&x->issues, &x->source));
        e->first_issue = str_copy(&t->arena, issues_first(&x->issues, &x->source)->message);
    } else if (is_full(t)) {
        references_add(&t->plan.references, &t->arena, &x->ast);
    }
    t->variable_count += expression(t)->place == POLICY_VARIABLE;
}

static bool is_parsed(const struct parsed *e)
{
    return e->syntax_issues.len == 0 && !e->is_limited;
}

/* What scope full evaluates, for each type alike. */
static void plan_evaluation(struct typecheck *t)
{
    const struct typecheck_policy *p = t->policy;
    struct eval_expression *expressions = ARENA_ARRAY(&t->arena, p->expression_count, struct eval_expression);
    for (size_t i = 0; i < p->expression_count; i++) {
        const struct policy_expression *e = &p->expressions[i];
        const struct ast *ast = is_parsed(&t->parsed[i]) ? &t->parsed[i].expression.ast : NULL;
        expressions[i] = (struct eval_expression){e->place, e->name, ast};
    }
    t->plan.expressions = expressions;
    t->plan.expression_count = p->expression_count;
    t->is_planned = true;
}

/* ---- one type ---- */

static const struct type *root_type(struct types *ts, const struct policy_type *t, enum schema_typing typing)
{
    if (t->doc == NULL || t->node == NULL)
        return &type_dyn;
    const struct type *type = object_type_of_resource(ts, t->doc, t->node, t->kind, typing);
    return type == NULL ? &type_dyn : type;
}

/* `variables` is an object type. */
static void declare_roots(const struct typecheck *t, struct root_variables *r, struct types *ts,
                          const struct type *object, const struct type *params, const struct type *variables)
{
    const struct typecheck_policy *p = t->policy;
    root_variables_init(r, is_full(t) ? ROOT_VARIABLES_AT_RUN_TIME : ROOT_VARIABLES_IN_TYPE_CHECK, ts, object,
                        p->has_params ? params : NULL, p->lacks_variables ? NULL : variables);
}

static void begin_type(struct typecheck *t)
{
    const struct typecheck_policy *p = t->policy;
    struct types *ts = types_new(&t->of_type, env_types(t->env));
    types_set_scratch(ts, &t->scratch);
    const struct type *variables = policy_variables_type(ts, t->variable_count, &t->variables);
    const struct type *object = root_type(ts, &p->types[t->type], p->typing);
    const struct type *params = root_type(ts, &p->params, p->typing);
    t->found = ARENA_ARRAY(&t->of_type, p->expression_count, struct found);
    t->types = ts;
    t->subject = (struct eval_policy_subject){&p->types[t->type], object, p->has_params ? params : NULL};
    declare_roots(t, &t->roots, ts, object, params, variables);
}

/* Checks the current expression. Its type, or NULL with issues telling why. */
static const struct type *check_within(struct typecheck *t, struct types *ts, const struct root_variables *r,
                                       struct issues *issues)
{
    enum policy_place place = expression(t)->place;
    struct variable variables[ROOT_VARIABLES];
    struct checked checked;
    size_t count = root_variables_of(r, place, variables);
    bool is_good = checker_run(ts, env_of(t->env, place), &t->parsed[t->expression].expression.ast, variables,
                               count, issues, &checked);
    return is_good ? checked.result : NULL;
}

static const struct type *check_current(struct typecheck *t)
{
    if (!is_parsed(&t->parsed[t->expression]))
        return NULL;
    issues_init(&t->found[t->expression].issues, &t->of_type);
    return check_within(t, t->types, &t->roots, &t->found[t->expression].issues);
}

static void check_variable(struct typecheck *t)
{
    /* declared in any case: the check may not come back */
    policy_variables_declare(t->variables, t->types, expression(t)->name);
    const struct type *type = check_current(t);
    if (type != NULL)
        policy_variables_set_type(t->variables, t->types, type);
}

static void check_other(struct typecheck *t)
{
    check_current(t);
}

static void evaluate_type(struct typecheck *t)
{
    t->evaluation = eval_policy_new(t->types, t->env, &t->plan, &t->subject, &t->of_way, &t->scratch);
}

static void evaluate_next(struct typecheck *t)
{
    t->is_evaluated = !eval_policy_step(t->evaluation);
}

/* ---- reports ---- */

static void report_current(struct typecheck *t, struct report_block block)
{
    report_add(&t->report, t->expression, &t->policy->types[t->type], t->type, block);
}

static void report_issues(struct typecheck *t, const struct issues *issues, struct str hint)
{
    const struct source *source = &t->parsed[t->expression].expression.source;
    struct issues shown = *issues;
    if (issues->count == 0)
        return;
    shown.arena = &t->scratch;
    report_current(
        t, (struct report_block){issues_render(&shown, source), issues_first(&shown, source)->message, hint});
}

/* The current expression as the API server checks it at create: no object has a type, nor has a variable. */
static const struct issues *check_created(struct typecheck *t)
{
    const struct typecheck_policy *p = t->policy;
    struct parsed *e = &t->parsed[t->expression];
    if (e->created != NULL)
        return e->created;
    struct types *ts = types_new(&t->scratch, env_types(t->env));
    struct policy_variables *variables;
    const struct type *variables_object = policy_variables_type(ts, t->variable_count, &variables);
    for (size_t i = 0; i < p->expression_count; i++) {
        if (p->expressions[i].place == POLICY_VARIABLE)
            policy_variables_declare(variables, ts, p->expressions[i].name);
    }
    struct root_variables roots;
    struct issues *created = ARENA_NEW(&t->arena, struct issues);
    declare_roots(t, &roots, ts, &type_dyn, &type_dyn, variables_object);
    issues_init(created, &t->arena);
    check_within(t, ts, &roots, created);
    return e->created = created;
}

/* Scope full: what the checker finds, judged by what evaluation does. */
static void judge(struct typecheck *t)
{
    const struct issues *checked = &t->found[t->expression].issues;
    const struct eval_policy_result result = eval_policy_result(t->evaluation, t->expression, &t->scratch);
    struct issues told;
    if (result.limit != ARENA_OK)
        arena_fail(&t->arena, result.limit);
    issues_init(&told, &t->scratch);
    merge_issues_make(&told, checked, &result,
                      merge_issues_needs_created(checked, &result) ? check_created(t) : NULL);
    const struct issue *first = issues_first(&told, &t->parsed[t->expression].expression.source);
    report_issues(t, &told, first == NULL ? STR("") : merge_issues_hint(t->types, &result, first));
}

/* Scope upstream: what the checker finds; variables are not looked at. */
static void judge_expression(struct typecheck *t)
{
    const struct parsed *e = &t->parsed[t->expression];
    bool is_silent = !is_full(t) && expression(t)->place == POLICY_VARIABLE;
    if (is_silent || e->is_limited || t->found[t->expression].is_limited)
        return;
    if (e->syntax_issues.len != 0)
        report_current(t, (struct report_block){e->syntax_issues, e->first_issue, STR("")});
    else if (is_full(t))
        judge(t);
    else
        report_issues(t, &t->found[t->expression].issues, STR(""));
}

/* The warnings; nothing else is needed any more. */
static void finish(struct typecheck *t)
{
    struct report *r = &t->report;
    struct typecheck_result *result = &t->result;
    report_finish(r);
    result->warnings = ARENA_ARRAY(&result->arena, r->count, struct typecheck_warning);
    result->left_out = r->left_out;
    result->peak_bytes = t->arena.peak_bytes;
    for (size_t i = 0; i < r->count; i++) {
        struct report_entry *e = &r->entries[i];
        if (e->groups != NULL)
            result->warnings[result->warning_count++] =
                (struct typecheck_warning){i, text_str(&e->text), e->first, e->hint, e->first_type};
    }
}

/* ---- limits ---- */

static void add_limit(struct typecheck *t, size_t of_expression, size_t of_type)
{
    struct typecheck_result *r = &t->result;
    if (r->limit_count < TYPECHECK_LIMITS_SHOWN)
        r->limits[r->limit_count] = (struct typecheck_limit){
            of_expression, of_type, t->arena.failure == ARENA_BUDGET ? TYPECHECK_MEMORY : TYPECHECK_STEPS};
    r->limit_count++;
}

static void limit_unit(struct typecheck *t)
{
    switch (t->unit) {
    case UNIT_PARSE:
        t->parsed[t->expression].is_limited = true;
        add_limit(t, t->expression, TYPECHECK_EVERY);
        break;
    case UNIT_CHECK_VARIABLE:
    case UNIT_CHECK:
    case UNIT_JUDGE:
        if (!t->found[t->expression].is_limited)
            add_limit(t, t->expression, t->type);
        t->found[t->expression].is_limited = true;
        break;
    case UNIT_TYPE:
    case UNIT_EVALUATE:
        add_limit(t, TYPECHECK_EVERY, t->type);
        break;
    case UNIT_EVALUATE_NEXT:
        eval_policy_stop(t->evaluation, t->arena.failure); /* which the results say */
        break;
    case UNIT_BEGIN:
    case UNIT_PLAN:
    case UNIT_FINISH:
    case UNIT_NONE:
        add_limit(t, TYPECHECK_EVERY, TYPECHECK_EVERY);
        break;
    }
}

/* ---- units ---- */

static const struct {
    void (*run)(struct typecheck *t);
} UNITS[] = {
    [UNIT_BEGIN] = {begin},
    [UNIT_PARSE] = {parse_expression},
    [UNIT_PLAN] = {plan_evaluation},
    [UNIT_TYPE] = {begin_type},
    [UNIT_CHECK_VARIABLE] = {check_variable},
    [UNIT_CHECK] = {check_other},
    [UNIT_EVALUATE] = {evaluate_type},
    [UNIT_EVALUATE_NEXT] = {evaluate_next},
    [UNIT_JUDGE] = {judge_expression},
    [UNIT_FINISH] = {finish},
};

/* Whether the unit is of the current expression. */
static bool is_of_expression(const struct typecheck *t)
{
    bool is_variable = expression(t)->place == POLICY_VARIABLE;
    return t->unit == UNIT_CHECK_VARIABLE ? is_variable : t->unit == UNIT_CHECK ? !is_variable : true;
}

static void set_unit(struct typecheck *t, enum unit unit)
{
    t->unit = unit;
    t->expression = 0;
}

static bool is_done_by_expression(enum unit unit)
{
    return unit == UNIT_PARSE || unit == UNIT_CHECK_VARIABLE || unit == UNIT_CHECK || unit == UNIT_JUDGE;
}

/* The next type, if there is one. */
static void set_type(struct typecheck *t, size_t type)
{
    arena_clear(&t->of_type);
    arena_clear(&t->of_way);
    arena_clear(&t->scratch);
    t->type = type;
    t->found = NULL;
    t->evaluation = NULL;
    t->is_evaluated = false;
    set_unit(t, type < t->policy->type_count ? UNIT_TYPE : UNIT_FINISH);
}

/* What follows the unit, which was done for all expressions. */
static void advance(struct typecheck *t)
{
    switch (t->unit) {
    case UNIT_BEGIN:
        if (t->parsed == NULL || t->policy->type_count == 0)
            set_type(t, t->policy->type_count);
        else
            set_unit(t, UNIT_PARSE);
        break;
    case UNIT_PARSE:
        set_unit(t, UNIT_PLAN);
        break;
    case UNIT_PLAN:
        set_type(t, t->is_planned ? 0 : t->policy->type_count);
        break;
    case UNIT_TYPE:
        if (t->found == NULL)
            set_type(t, t->type + 1);
        else
            set_unit(t, UNIT_CHECK_VARIABLE);
        break;
    case UNIT_CHECK_VARIABLE:
        set_unit(t, UNIT_CHECK);
        break;
    case UNIT_CHECK:
        set_unit(t, is_full(t) ? UNIT_EVALUATE : UNIT_JUDGE);
        break;
    case UNIT_EVALUATE:
        if (t->evaluation == NULL)
            set_type(t, t->type + 1);
        else
            set_unit(t, UNIT_EVALUATE_NEXT);
        break;
    case UNIT_EVALUATE_NEXT:
        if (!t->is_evaluated)
            break;
        if (eval_policy_is_limited(t->evaluation)) {
            add_limit(t, TYPECHECK_EVERY, t->type);
            set_type(t, t->type + 1);
        } else {
            set_unit(t, UNIT_JUDGE);
        }
        break;
    case UNIT_JUDGE:
        set_type(t, t->type + 1);
        break;
    case UNIT_FINISH:
    case UNIT_NONE:
        t->unit = UNIT_NONE;
        break;
    }
}

/* The next unit that has anything to do. */
static void go_on(struct typecheck *t)
{
    bool is_by_expression = is_done_by_expression(t->unit);
    size_t count = t->policy->expression_count;
    if (is_by_expression)
        t->expression++;
    do {
        if (!is_by_expression || t->expression >= count)
            advance(t);
        is_by_expression = is_done_by_expression(t->unit);
        while (is_by_expression && t->expression < count && !is_of_expression(t))
            t->expression++;
    } while (is_by_expression && t->expression >= count);
}

/* Whether what follows has no steps left. */
static bool is_spent(const struct typecheck *t)
{
    return t->unit != UNIT_FINISH && t->unit != UNIT_NONE && t->arena.steps >= t->caps.steps;
}

static void run_unit(struct typecheck *t)
{
    uint64_t last = t->arena.steps + t->caps.unit_steps;
    t->arena.max_steps = last < t->caps.steps || t->unit == UNIT_FINISH ? last : t->caps.steps;
    if (t->unit != UNIT_EVALUATE_NEXT) /* which clears it itself */
        arena_clear(&t->scratch);
    if (setjmp(t->arena.escape) == 0)
        UNITS[t->unit].run(t);
    else
        limit_unit(t);
    go_on(t);
    if (is_spent(t)) {
        t->arena.failure = ARENA_STEPS;
        add_limit(t, is_done_by_expression(t->unit) ? t->expression : TYPECHECK_EVERY, t->type);
        set_type(t, t->policy->type_count);
    }
}

/* ---- the check ---- */

/* It holds itself. */
static struct typecheck *allocate_in(struct arena *a)
{
    if (setjmp(a->escape) != 0)
        return NULL;
    return ARENA_NEW(a, struct typecheck);
}

static struct typecheck *allocate(void)
{
    struct arena a;
    arena_init(&a, SIZE_MAX);
    struct typecheck *t = allocate_in(&a);
    if (t == NULL)
        arena_deinit(&a);
    else
        t->self = a;
    return t;
}

struct typecheck *typecheck_new(const struct env *env, const struct typecheck_policy *policy,
                                const struct typecheck_caps *caps)
{
    struct typecheck *t = allocate();
    if (t == NULL)
        return NULL;
    t->env = env;
    t->policy = policy;
    t->caps = caps == NULL ? typecheck_default_caps : *caps;
    arena_init(&t->arena, t->caps.bytes);
    arena_init_part(&t->of_type, &t->arena);
    arena_init_part(&t->of_way, &t->arena);
    arena_init_part(&t->scratch, &t->arena);
    arena_init_part(&t->result.arena, &t->arena);
    t->unit = UNIT_BEGIN;
    return t;
}

bool typecheck_step(struct typecheck *t, uint64_t steps)
{
    uint64_t begin = t->arena.steps;
    while (t->unit != UNIT_NONE && t->arena.steps - begin < steps)
        run_unit(t);
    return t->unit != UNIT_NONE;
}

uint64_t typecheck_steps(const struct typecheck *t)
{
    return t->arena.steps;
}

size_t typecheck_bytes(const struct typecheck *t)
{
    return t->self.used_bytes + t->arena.used_bytes;
}

const struct typecheck_result *typecheck_result(const struct typecheck *t)
{
    return &t->result;
}

void typecheck_free(struct typecheck *t)
{
    if (t == NULL)
        return;
    struct arena holds_this = t->self;
    typecheck_result_deinit(&t->result);
    arena_deinit(&t->of_type);
    arena_deinit(&t->of_way);
    arena_deinit(&t->scratch);
    arena_deinit(&t->arena);
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
    arena_leave(&t->result.arena);
    *result = t->result;
    arena_init_part(&t->result.arena, &t->arena); /* taken */
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
