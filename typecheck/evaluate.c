#include "typecheck/evaluate.h"

#include "typecheck/application.h"
#include "typecheck/arena.h"
#include "typecheck/evaluator.h"

/* Of all the ways in which a type comes, more than these are taken as one of which nothing is known. */
#define MAX_SCENARIOS 96u

struct run {
    struct evaluator e;
    const struct evaluate_policy *policy;
    const struct evaluate_subject *subject;
    struct places places;
    bool *is_used; /* by expression */
};

/* One request */

static const struct evaluate_expression *expression(const struct run *r, size_t i)
{
    return &r->policy->expressions[i];
}

static const struct absval *run_expression(struct run *r, size_t i)
{
    r->e.expression = i;
    r->is_used[i] = true;
    return walk_node(&r->e, expression(r, i)->ast->root);
}

/* What the match conditions say of the objects and params holds behind them; of the request they see another.
 */
static void keep_facts(struct run *r, const struct fact *facts)
{
    for (const struct fact *f = facts; f != NULL; f = f->next) {
        struct str root = facts_root(f);
        if (!str_eq(root, STR("object")) && !str_eq(root, STR("oldObject")) && !str_eq(root, STR("params")))
            continue;
        struct fact *kept = ARENA_NEW(r->e.arena, struct fact);
        *kept = *f;
        kept->next = r->e.policy_facts;
        r->e.policy_facts = kept;
    }
}

/*
 * "A false one wins over the errors of the others, in any order; with no
 * false one, an error rejects the request": then nothing behind is evaluated.
 */
static bool run_match_conditions(struct run *r)
{
    size_t mark = places_mark(&r->places);
    const struct fact *facts = NULL;
    const struct absval *broken = &absval_true;
    bool always_false = false;
    unsigned doubts = 0;
    r->e.is_match_condition = true;
    for (size_t i = 0; i < r->policy->expression_count; i++) {
        if (expression(r, i)->place != TYPECHECK_MATCH_CONDITION || expression(r, i)->ast == NULL)
            continue;
        const struct absval *v = run_expression(r, i);
        doubts += evaluator_is_doubtful(v, true);
        broken = v->is_broken ? v : broken;
        always_false = always_false || (!v->may_fail && !evaluator_can_be(v, true));
        facts = facts_assume(r->e.arena, facts, NULL, expression(r, i)->ast->root, true);
    }
    r->e.is_match_condition = false;
    evaluator_go_past(&r->e, broken, mark);
    r->e.doubts += doubts;
    r->e.imagining = broken->is_broken;
    keep_facts(r, facts);
    if (always_false)
        places_absorb(&r->places, mark);
    return !always_false;
}

struct validated {
    const struct node *root;
    const struct absval *result; /* NULL: there was none */
    size_t mark;                 /* before its notes */
};

/* The message is asked for where the validation is false, and there what the validation says holds. */
static void run_message(struct run *r, size_t i, const struct validated *validation)
{
    const struct absval *v = validation->result;
    if (expression(r, i)->ast == NULL || (!v->is_broken && !evaluator_can_be(v, false)))
        return;
    bool is_doubtful = evaluator_is_doubtful(v, false);
    struct past past = evaluator_go_past(&r->e, v, validation->mark);
    r->e.facts = facts_assume(r->e.arena, r->e.facts, NULL, validation->root, false);
    r->e.doubts += is_doubtful;
    r->e.imagining += v->is_broken;
    run_expression(r, i);
    r->e.imagining -= v->is_broken;
    evaluator_return(&r->e, past);
    r->e.facts = r->e.policy_facts;
}

static void run_validations(struct run *r)
{
    struct validated last = {.result = NULL};
    r->e.facts = r->e.policy_facts;
    for (size_t i = 0; i < r->policy->expression_count; i++) {
        const struct evaluate_expression *x = expression(r, i);
        if (x->place == TYPECHECK_MESSAGE && last.result != NULL)
            run_message(r, i, &last);
        if (x->place == TYPECHECK_VALIDATION)
            last.result = NULL;
        bool is_effect = x->place == TYPECHECK_VALIDATION || x->place == TYPECHECK_AUDIT_ANNOTATION ||
                         typecheck_is_mutation(x->place);
        if (!is_effect || x->ast == NULL)
            continue;
        size_t mark = places_mark(&r->places);
        const struct absval *v = run_expression(r, i);
        if (x->place == TYPECHECK_VALIDATION)
            last = (struct validated){x->ast->root, v, mark};
    }
}

static void run_scenario(struct run *r, const struct typecheck_request *request,
                         enum typecheck_operation operation)
{
    const struct evaluate_subject *s = r->subject;
    struct scenario scenario;
    scenario_init(&scenario, r->e.ts, s->kind, s->type, s->params, request, operation);
    r->e.scenario = &scenario;
    r->e.locals = NULL;
    r->e.facts = r->e.policy_facts = NULL;
    for (size_t i = 0; i < r->e.variable_count; i++)
        r->e.variables[i] = (struct composited){.expression = r->e.variables[i].expression};
    r->e.doubts = r->e.imagining = 0;
    if (run_match_conditions(r))
        run_validations(r);
    places_settle(&r->places);
    r->places.behind = NULL;
    for (size_t i = 0; i < r->e.variable_count; i++)
        r->is_used[r->e.variables[i].expression] |= r->e.variables[i].is_used;
}

/* All requests */

static size_t scenario_count(const struct typecheck_type *kind)
{
    size_t count = 0;
    for (size_t i = 0; i < kind->request_count; i++)
        count += (size_t)__builtin_popcount(kind->requests[i].operations);
    return count;
}

/* Whether nothing that the policy looks at is another for this operation than for one before it. */
static bool is_repeated(const struct run *r, unsigned done, enum typecheck_operation operation)
{
    if (r->policy->looks.at_request || done == 0)
        return false;
    return !r->policy->looks.at_objects || (operation == TYPECHECK_CONNECT && (done & TYPECHECK_CREATE) != 0);
}

static void run_request(struct run *r, const struct typecheck_request *request, unsigned *done)
{
    static const enum typecheck_operation all[] = {TYPECHECK_CREATE, TYPECHECK_UPDATE, TYPECHECK_DELETE,
                                                   TYPECHECK_CONNECT};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if ((request->operations & all[i]) == 0)
            continue;
        /* requests differ in what only `request` and `namespaceObject` show */
        bool is_known = !r->policy->looks.at_request && (*done & all[i]) != 0;
        if (!is_known && !is_repeated(r, *done, all[i]))
            run_scenario(r, request, all[i]);
        *done |= all[i];
    }
}

static void run_all(struct run *r)
{
    const struct typecheck_type *kind = r->subject->kind;
    size_t count = scenario_count(kind);
    unsigned done = 0;
    if (count == 0 || count > MAX_SCENARIOS) {
        run_scenario(r, NULL, TYPECHECK_UPDATE);
        return;
    }
    for (size_t i = 0; i < kind->request_count; i++)
        run_request(r, &kind->requests[i], &done);
}

/* Around it */

static void init_run(struct run *r, struct types *ts, const struct env *env,
                     const struct evaluate_policy *policy, const struct evaluate_subject *subject)
{
    struct arena *a = types_arena(ts);
    size_t count = policy->expression_count;
    const struct ast **asts = ARENA_ARRAY(a, count, const struct ast *);
    const struct str **result_names = ARENA_ARRAY(a, count, const struct str *);
    *r = (struct run){.policy = policy, .subject = subject};
    r->e = (struct evaluator){
        .arena = a, .ts = ts, .env = env, .expressions = policy->expressions, .start_bytes = a->used_bytes};
    r->e.places = &r->places;
    r->e.object_type = subject->type;
    r->e.result_names = result_names;
    r->e.variables = ARENA_ARRAY(a, count, struct composited);
    r->is_used = ARENA_ARRAY(a, count, bool);
    for (size_t i = 0; i < count; i++) {
        const struct evaluate_expression *x = &policy->expressions[i];
        asts[i] = x->ast;
        if (x->ast != NULL && typecheck_is_mutation(x->place))
            result_names[i] = application_names(a, x->ast);
        if (x->place == TYPECHECK_VARIABLE)
            r->e.variables[r->e.variable_count++].expression = i;
    }
    places_init(&r->places, a, asts, count);
}

const struct evaluate_result *evaluate(struct types *ts, const struct env *env,
                                       const struct evaluate_policy *policy,
                                       const struct evaluate_subject *subject)
{
    struct run r;
    init_run(&r, ts, env, policy, subject);
    run_all(&r);
    struct evaluate_result *results =
        ARENA_ARRAY(r.e.arena, policy->expression_count, struct evaluate_result);
    for (size_t i = 0; i < policy->expression_count; i++) {
        results[i].is_used = r.is_used[i];
        /* what was not looked at might pass a place that failed so far */
        if (policy->expressions[i].ast != NULL && !evaluator_is_exhausted(&r.e))
            results[i].findings =
                places_findings(&r.places, i, policy->expressions[i].ast, &results[i].count);
    }
    return results;
}
