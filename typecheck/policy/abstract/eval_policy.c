#include "typecheck/policy/abstract/eval_policy.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/types/reads.h"
#include "typecheck/policy/abstract/interpret.h"
#include "typecheck/policy/abstract/mutated.h"
#include "typecheck/policy/abstract/patch.h"
#include "typecheck/policy/abstract/patch_sequence.h"
#include "typecheck/policy/abstract/ways.h"

/* The stages for each way in which the type comes, in this order. */
enum stage {
    STAGE_BEGIN,
    STAGE_CONDITIONS, /* the match conditions, one after the other */
    STAGE_EFFECTS,    /* validations and their messages, audit annotations, mutations */
    STAGE_END,
};

/* The facts about an expression in all ways. */
struct progress {
    bool is_used;
    unsigned outcomes;        /* of a validation or match condition: a sum of enum eval_policy_outcome */
    bool is_missed;           /* a variable: in some way it is not known whether it is evaluated */
    uint8_t truths;           /* a sum of enum policy_truth, over the ways so far */
    enum arena_failure limit; /* ARENA_OK: it was evaluated to its end */
};

/* The validation that a message is about. */
struct validated {
    size_t expression;
    const struct absval *result; /* the value of the expression; NULL if it has none */
    bool is_limited;
    size_t mark; /* before its notes */
};

/* The result of all match conditions together. */
struct conditions {
    size_t mark;
    const struct narrowing *narrowing;
    bool is_error; /* one always fails */
    bool is_always_false;
    bool is_excluded;  /* one is false wherever those before it are true */
    bool is_unknown;   /* whether all are true is type-determined */
    unsigned outcomes; /* of each */
};

struct eval_policy {
    struct eval_context e;
    const struct eval_policy_plan *plan;
    const struct activation_subject *subject;
    struct findings findings;
    struct progress *progress; /* by expression */

    struct ways ways;
    size_t way; /* at hand */
    struct activation activation;
    enum stage stage;
    size_t next; /* expression */
    struct conditions conditions;
    struct validated last;
    size_t last_mutation; /* its index */
    /* as the next mutation finds it; NULL: before the first */
    const struct absval *document;
    bool is_document_lost; /* what the mutation before did is not known */

    struct scope scope; /* in which each expression begins */

    struct variable_state **postponed; /* variables to evaluate before what needs them, the innermost last */
    size_t postponed_count;

    /* the unit at hand */
    bool is_variable; /* it is of the last of the postponed */
    size_t unit;      /* else the expression; SIZE_MAX: none */
    size_t mark;      /* before its notes */

    unsigned passed; /* enum eval_policy_outcome of all match conditions together */
    bool has_limit;  /* of some expression */
    bool is_limited; /* work that belongs to no expression reached its cap: nothing is reported */
};

static const struct policy_tree *expression(const struct eval_policy *r, size_t i)
{
    return &r->plan->expressions[i];
}

static void limit_expression(struct eval_policy *r, size_t i, enum arena_failure why)
{
    r->progress[i].limit = why;
    r->has_limit = true;
}

/* ---- one expression ---- */

/* Resets the context; the unit before this one may have ended in the middle of its work. */
static void reset(struct eval_policy *r)
{
    struct eval_context *e = &r->e;
    e->arena = e->scratch;
    e->scope = r->scope;
    e->depth = 0;
    e->running = NULL;
    e->unit = NULL;
    e->operations = NULL;
    e->decided = NULL;
    r->mark = findings_mark(&r->findings);
}

static uint8_t truths_of(const struct absval *v)
{
    const bool is_known = !v->is_error && v->kinds == ABS_BOOL;
    const unsigned truth = !is_known || absval_can_be(v, true) ? POLICY_CAN_BE_TRUE : 0;
    const unsigned falsity = !is_known || absval_can_be(v, false) ? POLICY_CAN_BE_FALSE : 0;
    return (uint8_t)(truth | falsity);
}

static const struct absval *run_expression(struct eval_policy *r, size_t i)
{
    r->e.expression = i;
    r->progress[i].is_used = true;
    const struct absval *v = interpret_node(&r->e, expression(r, i)->ast->root);
    r->progress[i].truths |= truths_of(v);
    return v;
}

static unsigned outcome_of(const struct absval *v)
{
    if (absval_is_always(v, true))
        return v->author == ABS_OF_REQUEST ? OUTCOME_TRUE : OUTCOME_TRUE_BY_AUTHOR;
    if (!absval_is_always(v, false))
        return OUTCOME_OPEN;
    return v->author == ABS_OF_REQUEST    ? OUTCOME_FALSE
           : v->author == ABS_BY_LITERALS ? OUTCOME_FALSE_BY_LITERALS
                                          : OUTCOME_FALSE_BY_NAMES;
}

static bool is_doubted(const struct eval_policy *r, size_t i)
{
    return r->e.doubts != NULL && r->e.doubts->expressions[i];
}

/* Adds to `known` the facts that follow if the expression has that truth. */
static const struct narrowing *assume(struct eval_policy *r, struct arena *a, const struct narrowing *known,
                                      size_t i, bool truth)
{
    r->e.expression = i;
    return is_doubted(r, i) ? known
                            : eval_context_assume(&r->e, a, known, NULL, expression(r, i)->ast->root, truth);
}

/* Notes how the expression ended. Returns its result, or any bool, if the whole is in doubt. */
static const struct absval *note_outcome(struct eval_policy *r, size_t i, const struct absval *v)
{
    const bool is_sure = !r->scope.unknown && !r->scope.hypothetical;
    r->progress[i].outcomes |= outcome_of(v) | (is_sure ? OUTCOME_SURE : 0);
    return is_doubted(r, i) ? &absval_bool : v;
}

/* ---- variables ---- */

/* Nothing that depends on its value is certain. */
static void doubt_variable(struct variable_state *v)
{
    v->is_awaited = false;
    v->is_done = true;
    v->value = &absval_doubtful;
    v->note_count = 0;
}

/* None is evaluated yet. */
static void reset_variables(struct eval_policy *r)
{
    struct eval_context *e = &r->e;
    arena_pay(e->of_way, e->variable_count / ARENA_LOOKS_PER_STEP);
    for (size_t i = 0; i < e->variable_count; i++) {
        e->variables[i] = (struct variable_state){.expression = e->variables[i].expression};
        if (r->progress[e->variables[i].expression].limit != ARENA_OK)
            doubt_variable(&e->variables[i]);
    }
}

/* Notes which of them were used with the object at hand. */
static void settle_variables(struct eval_policy *r)
{
    arena_pay(r->e.of_way, r->e.variable_count / ARENA_LOOKS_PER_STEP);
    for (size_t i = 0; i < r->e.variable_count; i++) {
        const struct variable_state *v = &r->e.variables[i];
        r->progress[v->expression].is_used |= v->is_used;
        r->progress[v->expression].truths |= v->is_done ? truths_of(v->value) : 0;
        /* an expression that reached its limit might have evaluated it, so that it passes */
        r->progress[v->expression].is_missed |= r->has_limit && !v->is_done;
    }
}

/* ---- match conditions ---- */

/*
 * Keeps the facts about objects and params that follow from the match conditions; the request that these see
 * is another one.
 */
static void keep_narrowing(struct eval_policy *r, const struct narrowing *list)
{
    for (const struct narrowing *n = list; n != NULL; n = n->next) {
        struct str root = narrowing_root(n);
        if (n->kind == NARROWING_COMPARED) /* the author chose the requests by it */
            continue;
        if (!str_eq(root, STR("object")) && !str_eq(root, STR("oldObject")) && !str_eq(root, STR("params")))
            continue;
        struct narrowing *kept = ARENA_NEW(r->e.of_way, struct narrowing);
        *kept = *n;
        kept->next = r->scope.narrowing;
        r->scope.narrowing = kept;
    }
    r->e.policy_narrowing = r->scope.narrowing;
}

/*
 * Returns true if the condition is false wherever those before it are true. The parts of the condition were
 * judged: this is only about its value.
 */
static bool is_excluded(struct eval_policy *r, size_t i)
{
    const struct conditions *c = &r->conditions;
    const struct scope outer = r->e.scope;
    if (c->is_error || is_doubted(r, i) || c->narrowing == NULL || c->narrowing->compared == 0)
        return false;
    r->e.scope.narrowing = c->narrowing;
    r->e.scope.unknown = r->e.scope.hypothetical = true;
    const struct absval *v = interpret_node(&r->e, expression(r, i)->ast->root);
    r->e.scope = outer;
    return !v->is_error && v->kinds == ABS_BOOL && v->author == ABS_OF_REQUEST && !v->is_type_determined &&
           !absval_can_be(v, true);
}

static void run_condition(struct eval_policy *r, size_t i)
{
    struct conditions *c = &r->conditions;
    r->e.is_match_condition = true;
    const struct absval *v = note_outcome(r, i, run_expression(r, i));
    const bool is_open = !v->is_error && absval_can_be(v, true);
    if (is_open && is_excluded(r, i)) {
        c->is_excluded = true;
        c->outcomes |= OUTCOME_FALSE;
        r->progress[i].outcomes |= OUTCOME_FALSE;
    }
    r->e.is_match_condition = false;
    c->outcomes |= outcome_of(v);
    c->is_unknown |= absval_is_doubtful(v, true);
    c->is_error |= v->is_error;
    c->is_always_false |= !v->may_fail && !absval_can_be(v, true);
    c->narrowing = assume(r, r->e.of_way, c->narrowing, i, true);
}

/*
 * "A false one wins over the errors of the others, in any order; with no
 * false one, an error rejects the request": then nothing behind is evaluated.
 */
static void end_conditions(struct eval_policy *r)
{
    struct conditions *c = &r->conditions;
    eval_context_go_past(&r->e, c->is_error ? &absval_error : &absval_true, c->mark);
    r->scope = r->e.scope;
    r->scope.unknown |= c->is_unknown;
    r->scope.hypothetical = c->is_error;
    keep_narrowing(r, c->narrowing);
    const bool is_never = c->is_always_false || c->is_excluded;
    r->passed |= is_never ? c->outcomes & OUTCOME_NEVER_TRUE : OUTCOME_OPEN;
    if (c->is_always_false)
        findings_absorb(&r->findings, c->mark);
    r->stage = is_never ? STAGE_END : STAGE_EFFECTS;
    r->next = 0;
}

static void next_condition(struct eval_policy *r)
{
    size_t count = r->plan->expression_count;
    for (; r->next < count; r->next++) {
        const struct policy_tree *x = expression(r, r->next);
        bool is_limited = r->progress[r->next].limit != ARENA_OK;
        if (x->place == POLICY_MATCH_CONDITION && x->ast != NULL && !is_limited)
            break;
        r->conditions.is_unknown |= x->place == POLICY_MATCH_CONDITION && is_limited;
    }
    if (r->next < count) {
        r->unit = r->next++;
        run_condition(r, r->unit);
    } else {
        end_conditions(r);
    }
}

/* ---- mutations ---- */

/* Drops the facts from the conditions about the request's object, which do not hold for the changed one. */
static void forget_object(struct eval_policy *r)
{
    const struct narrowing *known = r->scope.narrowing;
    r->scope.narrowing = NULL;
    for (const struct narrowing *n = known; n != NULL; n = n->next) {
        if (str_eq(narrowing_root(n), STR("object")))
            continue;
        struct narrowing *kept = ARENA_NEW(r->e.of_way, struct narrowing);
        *kept = *n;
        kept->next = r->scope.narrowing;
        r->scope.narrowing = kept;
    }
    r->e.policy_narrowing = r->scope.narrowing;
}

/* The next mutation, and the variables that it uses, find the changed object. */
static void change_object(struct eval_policy *r, const struct absval *object)
{
    const struct absval *any = activation_changed_object(r->e.of_way, r->e.ts, r->subject);
    r->e.arena = r->e.of_way;
    r->document = r->activation.object = mutated_decode(&r->e, object, any);
    forget_object(r);
    settle_variables(r);
    reset_variables(r);
}

static const struct absval *run_json_patch(struct eval_policy *r, size_t i)
{
    const struct ast *ast = expression(r, i)->ast;
    r->e.arena = r->e.of_way; /* for what the next mutation finds */
    patch_sequence_begin(&r->e, ast);
    return patch_sequence_end(&r->e, ast, run_expression(r, i), r->document);
}

static const struct absval *run_apply_configuration(struct eval_policy *r, size_t i)
{
    const struct node *root = expression(r, i)->ast->root;
    if (run_expression(r, i)->is_error)
        return r->document;
    patch_judge_kind(&r->e, root);
    r->e.arena = r->e.of_way;
    return mutated_apply(&r->e, r->document, root);
}

static void run_mutation(struct eval_policy *r, size_t i)
{
    if (r->is_document_lost) {
        change_object(r, &absval_json);
        r->is_document_lost = false;
        r->e.scope = r->scope;
    } else if (r->document == NULL) {
        r->e.arena = r->e.of_way;
        r->document = mutated_narrow(&r->e, r->activation.object, r->scope.narrowing);
    }
    r->e.arena = r->e.scratch;
    r->e.is_last_mutation = i == r->last_mutation;
    const struct absval *object =
        expression(r, i)->place == POLICY_JSON_PATCH ? run_json_patch(r, i) : run_apply_configuration(r, i);
    if (!r->e.is_last_mutation)
        change_object(r, object);
}

/* ---- validations and the rest ---- */

/* The message is asked for where the validation is false, and there what the validation says holds. */
static void run_message(struct eval_policy *r, size_t i, const struct validated *validation)
{
    const struct absval *v = validation->result;
    if (!v->is_error && !absval_can_be(v, false))
        return;
    struct scope *scope = &r->e.scope;
    eval_context_go_past(&r->e, v, validation->mark);
    scope->narrowing = assume(r, r->e.arena, scope->narrowing, validation->expression, false);
    scope->unknown |= absval_is_doubtful(v, false);
    scope->hypothetical |= v->is_error;
    run_expression(r, i);
}

static void run_validation(struct eval_policy *r, size_t i)
{
    r->last = (struct validated){.is_limited = true}; /* unless it comes back */
    const struct absval *v = note_outcome(r, i, run_expression(r, i));
    r->last = (struct validated){i, v, false, r->mark};
}

static void run_effect(struct eval_policy *r, size_t i)
{
    enum policy_place place = expression(r, i)->place;
    if (place == POLICY_VALIDATION)
        run_validation(r, i);
    else if (policy_is_mutation(place))
        run_mutation(r, i);
    else if (place != POLICY_MESSAGE)
        run_expression(r, i);
    else if (r->last.is_limited)
        limit_expression(r, i, ARENA_STEPS); /* it is not known whether it is evaluated */
    else if (r->last.result != NULL)
        run_message(r, i, &r->last);
}

/* Returns true if the expression is a validation, a message, an audit annotation or a mutation, and is not
 * evaluated yet. */
static bool is_effect(struct eval_policy *r, size_t i)
{
    enum policy_place place = expression(r, i)->place;
    bool is_open = expression(r, i)->ast != NULL && r->progress[i].limit == ARENA_OK;
    if (place == POLICY_VALIDATION && !is_open)
        r->last = (struct validated){.is_limited = r->progress[i].limit != ARENA_OK};
    return is_open && place != POLICY_MATCH_CONDITION && place != POLICY_VARIABLE;
}

static void next_effect(struct eval_policy *r)
{
    size_t count = r->plan->expression_count;
    while (r->next < count && !is_effect(r, r->next)) {
        r->is_document_lost |= policy_is_mutation(expression(r, r->next)->place);
        r->next++;
    }
    if (r->next == count) {
        r->stage = STAGE_END;
        return;
    }
    if (expression(r, r->next)->place != POLICY_MESSAGE) /* which still needs its validation's result */
        arena_clear(r->e.scratch);
    r->unit = r->next++;
    run_effect(r, r->unit);
}

/* ---- ways ---- */

static void begin_way(struct eval_policy *r)
{
    struct eval_context *e = &r->e;
    const struct way *way = &r->ways.list[r->way];
    arena_clear(e->of_way);
    arena_clear(e->scratch);
    activation_init(&r->activation, e->of_way, e->ts, r->subject, way);
    e->policy_narrowing = NULL;
    reset_variables(r);
    r->scope = (struct scope){.narrowing = NULL};
    findings_begin_way(&r->findings, r->way);
    reset(r);
    r->conditions = (struct conditions){.mark = r->mark};
    r->last = (struct validated){.result = NULL};
    r->document = NULL;
    r->is_document_lost = false;
    r->stage = STAGE_CONDITIONS;
    r->next = 0;
}

static void end_way(struct eval_policy *r)
{
    findings_settle(&r->findings);
    settle_variables(r);
    r->stage = STAGE_BEGIN;
    r->way++;
}

/* ---- what is too much for a unit ---- */

/* Variables that were being evaluated start again. */
static void stop_variables(struct eval_policy *r)
{
    for (struct variable_state *v = r->e.running; v != NULL; v = v->around)
        v->is_running = false;
}

static void postpone(struct eval_policy *r)
{
    struct variable_state *innermost = r->e.running;
    stop_variables(r);
    if (r->is_variable) /* still to be done, after this one */
        r->postponed[r->postponed_count - 1]->is_awaited = true;
    innermost->is_awaited = true;
    r->postponed[r->postponed_count++] = innermost;
    if (!r->is_variable)
        r->next = r->unit; /* again, later */
}

static void limit_variable(struct eval_policy *r, enum arena_failure why)
{
    struct variable_state *v = r->postponed[--r->postponed_count];
    limit_expression(r, v->expression, why);
    doubt_variable(v);
}

static void limit_unit(struct eval_policy *r, enum arena_failure why)
{
    if (r->is_variable) {
        limit_variable(r, why);
    } else if (r->unit < r->plan->expression_count) {
        limit_expression(r, r->unit, why);
        r->conditions.is_unknown |= r->stage == STAGE_CONDITIONS;
        r->is_document_lost |= policy_is_mutation(expression(r, r->unit)->place);
    } else {
        r->is_limited = true;
    }
}

void eval_policy_stop(struct eval_policy *r, enum arena_failure why)
{
    bool is_within = r->e.running != NULL && r->e.running != r->e.unit;
    findings_drop(&r->findings, r->mark);
    if (is_within && why != ARENA_BUDGET) {
        postpone(r);
    } else {
        limit_unit(r, why);
        stop_variables(r);
    }
    r->e.running = NULL;
    r->e.is_match_condition = false;
}

/* ---- units ---- */

static void run_postponed(struct eval_policy *r)
{
    struct variable_state *v = r->postponed[r->postponed_count - 1];
    r->is_variable = true;
    r->e.unit = v;
    v->is_awaited = false;
    interpret_variable(&r->e, v);
    r->postponed_count--;
}

bool eval_policy_step(struct eval_policy *r)
{
    r->is_variable = false;
    r->unit = SIZE_MAX;
    if (r->is_limited || r->way == r->ways.count)
        return false;
    if (r->stage != STAGE_BEGIN)
        reset(r);
    if (r->postponed_count != 0)
        run_postponed(r);
    else if (r->stage == STAGE_BEGIN)
        begin_way(r);
    else if (r->stage == STAGE_CONDITIONS)
        next_condition(r);
    else if (r->stage == STAGE_EFFECTS)
        next_effect(r);
    else
        end_way(r);
    return true;
}

/* ---- around it ---- */

static void add_variables(struct eval_policy *r, struct arena *a)
{
    size_t count = r->plan->expression_count, variables = 0;
    for (size_t i = 0; i < count; i++)
        variables += expression(r, i)->place == POLICY_VARIABLE;
    r->e.variables = ARENA_ARRAY(a, variables, struct variable_state);
    for (size_t i = 0; i < count; i++) {
        if (expression(r, i)->place == POLICY_VARIABLE)
            r->e.variables[r->e.variable_count++].expression = i;
    }
    r->postponed = ARENA_ARRAY(a, r->e.variable_count, struct variable_state *);
    interpret_index_variables(&r->e, a);
}

struct eval_policy *eval_policy_new(struct types *ts, const struct env *env,
                                    const struct eval_policy_plan *plan,
                                    const struct activation_subject *subject,
                                    const struct eval_doubts *doubts, struct arena *of_way,
                                    struct arena *scratch)
{
    struct arena *a = types_arena(ts);
    size_t count = plan->expression_count;
    struct eval_policy *r = ARENA_NEW(a, struct eval_policy);
    const struct str **result_names = ARENA_ARRAY(a, count, const struct str *);
    r->plan = plan;
    r->subject = subject;
    r->progress = ARENA_ARRAY(a, count, struct progress);
    r->e = (struct eval_context){.arena = scratch,
                                 .of_way = of_way,
                                 .scratch = scratch,
                                 .ts = ts,
                                 .env = env,
                                 .expressions = plan->expressions,
                                 .references = &plan->references,
                                 .doubts = doubts,
                                 .activation = &r->activation,
                                 .findings = &r->findings,
                                 .kind = subject->kind,
                                 .object_type = subject->type,
                                 .decodes_strictly = subject->is_built_in,
                                 .is_custom = subject->is_custom,
                                 .result_names = result_names};
    for (size_t i = 0; i < count; i++) {
        const struct policy_tree *x = expression(r, i);
        if (!policy_is_mutation(x->place))
            continue;
        r->last_mutation = i;
        if (x->ast != NULL)
            result_names[i] = patch_names(a, x->ast);
    }
    add_variables(r, a);
    ways_init(&r->ways, a, subject->kind, &plan->references, subject->is_mutating,
              subject->valid_type == NULL ? 0 : subject->validated);
    r->ways.reads = types_reads(ts);
    findings_init(&r->findings, a, plan->expressions, count, r->ways.count);
    return r;
}

bool eval_policy_is_limited(const struct eval_policy *r)
{
    return r->is_limited;
}

bool eval_policy_has_limit(const struct eval_policy *r)
{
    return r->is_limited || r->has_limit;
}

/* The message, said of those requests: "object is null here", or "object is null on DELETE". */
static struct str message_of(struct arena *a, const struct site_finding *found, struct str where)
{
    if (where.len == 0 && !found->is_here)
        return found->message;
    return str_join(a, STR_PARTS(found->message, where.len == 0 ? STR(" here") : where));
}

/* The same as data. */
static const struct issue_packed *about_of(struct arena *a, const struct site_finding *found,
                                           struct str where)
{
    if (found->about == NULL || where.len == 0)
        return found->about;
    struct issue_about about = issue_about_read(found->about);
    about.where = where;
    return issue_about_pack(a, &about);
}

/* Describes the findings, and the requests of which they are true. */
static const struct eval_policy_finding *describe(struct eval_policy *r, struct arena *a,
                                                  const struct site_finding *found, size_t count)
{
    struct eval_policy_finding *list = ARENA_ARRAY(a, count, struct eval_policy_finding);
    for (size_t i = 0; i < count; i++) {
        arena_step(a);
        struct str where = found[i].ways == NULL ? STR("") : ways_text(&r->ways, a, found[i].ways);
        const struct way *first = &r->ways.list[found[i].first_way];
        list[i] = (struct eval_policy_finding){
            .span = found[i].span,
            .code = found[i].code,
            .is_of_operand = found[i].is_of_operand,
            .is_unequal = found[i].is_unequal,
            .is_further = found[i].is_further,
            .site = {found[i].node, found[i].is_operand, found[i].is_behind, r->e.doubts != NULL,
                     first->request, first->operation},
            .message = message_of(a, &found[i], where),
            .where = where,
            .hint = found[i].hint,
            .about = about_of(a, &found[i], where),
        };
    }
    return list;
}

unsigned eval_policy_claimed(const struct eval_policy *r, size_t i, uint32_t node)
{
    const unsigned claimed = findings_claimed(&r->findings, i, node);
    const bool is_unused = expression(r, i)->place == POLICY_VARIABLE && !r->progress[i].is_used;
    return is_unused ? claimed & ~(unsigned)SITE_SURE : claimed;
}

/* The field of the first test in the tree that is noted so. */
static struct str find_given(const struct eval_policy *r, struct arena *a, size_t i, const struct node *n)
{
    struct str field = STR("");
    arena_step(a);
    const bool is_given = findings_is_given(&r->findings, i, n->id);
    if (is_given && n->kind == NODE_SELECT)
        return n->select.field;
    if (is_given && n->kind == NODE_CALL && n->call.args[0]->kind == NODE_LITERAL)
        return n->call.args[0]->literal.bytes;
    const struct node *child = ast_child(n, 0);
    for (size_t k = 1; field.len == 0 && child != NULL; child = ast_child(n, k++))
        field = find_given(r, a, i, child);
    return field;
}

struct str eval_policy_given(const struct eval_policy *r, struct arena *a, size_t i)
{
    const struct ast *ast = expression(r, i)->ast;
    return ast == NULL ? STR("") : find_given(r, a, i, ast->root);
}

unsigned eval_policy_outcomes(const struct eval_policy *r, size_t i)
{
    return r->progress[i].outcomes;
}

unsigned eval_policy_conditions(const struct eval_policy *r)
{
    return r->passed;
}

struct eval_policy_finding eval_policy_claim(const struct eval_policy *r, size_t i, uint32_t node)
{
    const struct site_claim *claim = findings_claim_of(&r->findings, i, node);
    return (struct eval_policy_finding){.span = findings_span(&r->findings, &claim->site),
                                        .code = claim->failure.code,
                                        .is_claim = true,
                                        .site = {.node = node},
                                        .is_ours = claim->failure.is_ours,
                                        .is_note = claim->failure.is_note,
                                        .message = claim->failure.message,
                                        .hint = claim->failure.hint,
                                        .about = claim->failure.about};
}

struct eval_policy_result eval_policy_result(struct eval_policy *r, size_t i, struct arena *a)
{
    const struct progress *p = &r->progress[i];
    struct eval_policy_result result = {.is_used = p->is_used, .limit = p->limit, .truths = p->truths};
    if (result.limit == ARENA_OK && expression(r, i)->ast != NULL) {
        const struct site_finding *found =
            findings_list(&r->findings, a, i, expression(r, i)->ast, &result.count);
        result.findings = describe(r, a, found, result.count);
    }
    if (p->is_missed && result.count != 0)
        result = (struct eval_policy_result){
            .is_used = p->is_used, .limit = ARENA_STEPS, .truths = POLICY_CAN_BE_TRUE | POLICY_CAN_BE_FALSE};
    return result;
}
