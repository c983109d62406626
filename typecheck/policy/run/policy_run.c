#include "typecheck/policy/run/policy_run.h"

#include <string.h>

#include "typecheck/cel/checker/expression.h"
#include "typecheck/cel/interpreter/functions/strings.h"
#include "typecheck/cel/interpreter/plan.h"
#include "typecheck/cel/interpreter/run.h"
#include "typecheck/cel/interpreter/values/configurations.h"
#include "typecheck/cel/interpreter/values/json_patches.h"
#include "typecheck/cel/interpreter/values/json_value.h"
#include "typecheck/cel/interpreter/values/sent_object.h"
#include "typecheck/cel/interpreter/values/value_text.h"
#include "typecheck/cel/schema/property_name.h"
#include "typecheck/cel/schema/request_schema.h"
#include "typecheck/cel/schema/schema_document.h"
#include "typecheck/cel/types/kubernetes.h"
#include "typecheck/policy/compile/policy_compile.h"
#include "typecheck/policy/run/policy_inputs.h"
#include "typecheck/policy/run/policy_run_observer.h"

/* Limits of the compilation of a policy, and of one request. Evaluation reaches the bounds on costs before
 * these. */
#define COMPILE_ARENA_BYTES ((size_t)256 * 1024 * 1024)
#define COMPILE_MAX_STEPS   ((uint64_t)500 * 1000 * 1000)
#define REQUEST_ARENA_BYTES ((size_t)1024 * 1024 * 1024)
#define REQUEST_MAX_STEPS   ((uint64_t)1000 * 1000 * 1000)

/* celconfig.MaxEvaluatedMessageExpressionSizeBytes */
enum { MESSAGE_MAX_BYTES = 5 * 1024 };

/* The stack that the evaluation of a variable within another expression takes, in levels of nesting. */
enum { VARIABLE_DEPTH = 16 };

enum program_state {
    PROGRAM_NONE, /* there is no expression */
    PROGRAM_READY,
    PROGRAM_REFUSED, /* why: in the server's words */
    PROGRAM_MISSING, /* why: what this evaluator lacks */
};

struct program {
    enum program_state state;
    const struct policy_expression *expression; /* the expression; NULL if there is none */
    struct policy_run_at at;
    struct str why;
    struct ast ast; /* of one that is ready */
    struct plan plan;
};

/* Expressions that share a place, in the order in which the places are compiled. */
enum list { VARIABLES, MATCH_CONDITIONS, VALIDATIONS, MESSAGES, MUTATIONS, ANNOTATIONS, LISTS };

struct programs {
    struct program *items;
    size_t count;
};

struct policy_run {
    struct arena arena; /* holds this */
    const struct env *env;
    const struct policy *policy;
    struct schema *own_schema;    /* of requests; NULL: the version has no typed values */
    struct programs lists[LISTS]; /* there are as many messages as validations */
    bool is_exhausted;            /* while it was compiled: there are not all programs */
};

/* ---- compiling ---- */

static enum list list_of(enum policy_place place)
{
    static const enum list of[] = {
        [POLICY_VALIDATION] = VALIDATIONS,
        [POLICY_MESSAGE] = MESSAGES,
        [POLICY_MATCH_CONDITION] = MATCH_CONDITIONS,
        [POLICY_VARIABLE] = VARIABLES,
        [POLICY_AUDIT_ANNOTATION] = ANNOTATIONS,
        [POLICY_APPLY_CONFIGURATION] = MUTATIONS,
        [POLICY_JSON_PATCH] = MUTATIONS,
    };
    return of[place];
}

/* A message follows its validation. */
void policy_run_places(const struct policy *policy, struct policy_run_at *places)
{
    size_t counts[LISTS] = {0};
    for (size_t i = 0; i < policy->count; i++) {
        const enum policy_place place = policy->expressions[i].place;
        if (place == POLICY_MESSAGE)
            counts[MESSAGES] = counts[VALIDATIONS] == 0 ? 0 : counts[VALIDATIONS] - 1;
        places[i] = (struct policy_run_at){place, counts[list_of(place)]++};
    }
}

static void compile_program(struct policy_compile *compile, const struct policy_expression *e,
                            struct policy_run_at at, struct program *out)
{
    struct cel_place_compiled compiled;
    out->expression = e;
    out->at = at;
    if (!policy_compile_next(compile, e, &compiled)) {
        out->state = PROGRAM_REFUSED;
        out->why = compiled.problem.text;
    } else if (compiled.lack.len != 0) {
        out->state = PROGRAM_MISSING;
        out->why = compiled.lack;
    } else {
        out->state = PROGRAM_READY;
        out->plan = *compiled.plan;
        out->ast = compiled.expression->ast;
    }
}

static void compile_policy(struct policy_run *run)
{
    const struct policy *p = run->policy;
    struct policy_run_at *places = ARENA_ARRAY(&run->arena, p->count, struct policy_run_at);
    struct policy_compile compile;
    policy_compile_init(&compile, &run->arena, run->env, p);
    compile.scope.keeps_plans = true;
    policy_run_places(p, places);
    for (size_t i = 0; i < p->count; i++)
        run->lists[list_of(p->expressions[i].place)].count++;
    run->lists[MESSAGES].count = run->lists[VALIDATIONS].count;
    for (size_t list = 0; list < LISTS; list++) {
        struct programs *programs = &run->lists[list];
        programs->items = ARENA_ARRAY(&run->arena, programs->count, struct program);
        arena_pay(&run->arena, p->count / ARENA_LOOKS_PER_STEP);
        for (size_t i = 0; i < p->count; i++) {
            if (list_of(places[i].place) == list && places[i].index < programs->count)
                compile_program(&compile, &p->expressions[i], places[i], &programs->items[places[i].index]);
        }
    }
}

struct policy_run *policy_run_new(const struct env *env, const struct policy *policy)
{
    struct arena a;
    struct policy_run *run = arena_init_holder(&a, COMPILE_ARENA_BYTES, sizeof *run);
    if (run == NULL)
        return NULL;
    run->arena = a;
    run->arena.max_steps = COMPILE_MAX_STEPS;
    run->env = env;
    run->policy = policy;
    if (env_kubernetes(env)->has_typed_objects) {
        run->own_schema = request_schema_new();
        run->is_exhausted = run->own_schema == NULL;
    }
    if (!run->is_exhausted && setjmp(run->arena.escape) == 0)
        compile_policy(run);
    else
        run->is_exhausted = true;
    return run;
}

void policy_run_free(struct policy_run *run)
{
    if (run == NULL)
        return;
    struct arena a = run->arena;
    schema_free(run->own_schema);
    arena_deinit(&a);
}

bool policy_run_expression(const struct policy_run *run, struct policy_run_at at,
                           struct policy_run_expression *out)
{
    const struct programs *programs = &run->lists[list_of(at.place)];
    if (run->is_exhausted || at.index >= programs->count)
        return false;
    const struct program *p = &programs->items[at.index];
    const bool is_there = p->state == PROGRAM_READY && p->at.place == at.place;
    *out = (struct policy_run_expression){p->expression, is_there ? &p->ast : NULL};
    return true;
}

/* ---- stages ---- */

struct evaluation {
    const struct policy_run *run;
    const struct policy_run_observer *observer; /* the observer; NULL if nobody observes */
    struct policy_run_result *out;
    struct arena *arena;
    struct policy_inputs inputs;
    const struct policy_run_request *request;
};

struct slot {
    const struct value *value; /* the value; NULL if it was not evaluated yet */
    bool is_going_on;
};

/* Expressions that share variables and a budget; the server calls this a condition evaluator. */
struct stage {
    struct evaluation *evaluation;
    struct slot *slots; /* by variable */
    uint64_t variables_cost;
    struct run_variables variables;
    struct run_activation activation;
};

enum stage_end { STAGE_DONE, STAGE_OUT_OF_BUDGET, STAGE_MISSING };

struct answer {
    const struct value *value; /* the value; NULL if evaluation failed, or there is no expression */
    struct str error;          /* empty: it did not fail */
    enum issue_code code;      /* of the error */
};

static const struct str OUT_OF_BUDGET =
    STR_INIT("validation failed due to running out of cost budget, no further validation rules will be run");

static struct str prefix_error(struct arena *a, const struct program *p, struct str error)
{
    return str_join(a,
                    STR_PARTS(STR("expression '"), p->expression->text, STR("' resulted in error: "), error));
}

static const struct value *variable_error(struct arena *a, struct str name, enum issue_code code,
                                          struct str how, struct str why)
{
    return value_error_of(a, code,
                          str_join(a, STR_PARTS(STR("composited variable \""), name, STR("\" fails to "), how,
                                                STR(": "), why)));
}

/* The first place where something is missing is the one that is shown. */
static void set_missing(struct evaluation *e, const struct program *p, struct str why)
{
    if (e->out->missing.len != 0)
        return;
    e->out->missing = str_copy(e->arena, why);
    e->out->missing_at = str_copy(e->arena, p->expression->field_ref);
}

/* ---- who watches ---- */

struct watching {
    const struct policy_run_observer *observer;
    struct policy_run_at at;
};

static void see(void *user, uint32_t node, const struct value *value)
{
    const struct watching *w = user;
    w->observer->see(w->observer->user, w->at, node, value);
}

static struct run_result run_watched(struct stage *s, const struct program *p,
                                     const struct run_activation *given)
{
    struct evaluation *e = s->evaluation;
    struct watching watching = {e->observer, p->at};
    const struct run_observer observer = {see, &watching};
    struct run_activation activation = *given;
    activation.observer = e->observer == NULL ? NULL : &observer;
    return run_evaluate(&p->plan, e->arena, &activation, RUN_EXPRESSION_COST);
}

static void tell_end(const struct evaluation *e, const struct program *p, const struct value *value,
                     struct str error)
{
    if (e->observer != NULL)
        e->observer->end(e->observer->user, p->at, value, error);
}

static void tell_unapplied(const struct evaluation *e, const struct program *p, const struct patched *patched)
{
    if (e->observer != NULL)
        e->observer->unapplied(e->observer->user, p->at, patched->error, patched->names);
}

/* ---- expressions ---- */

static const struct value *read_variable(struct stage *s, const struct program *p, struct str name,
                                         unsigned depth, struct str *missing)
{
    struct evaluation *e = s->evaluation;
    struct run_activation activation = s->activation;
    if (p->state == PROGRAM_REFUSED)
        return variable_error(e->arena, name, ISSUE_OTHER, STR("compile"), p->why);
    if (p->state == PROGRAM_MISSING) {
        set_missing(e, p, p->why);
        *missing = p->why;
        return NULL;
    }
    activation.depth = depth + VARIABLE_DEPTH;
    struct run_result result = run_watched(s, p, &activation);
    s->variables_cost += result.cost;
    if (result.end == RUN_MISSING) {
        set_missing(e, p, result.text);
        *missing = result.text;
        return NULL;
    }
    tell_end(e, p, result.value, result.text);
    return result.end == RUN_ERROR ? variable_error(e->arena, name, result.code, STR("evaluate"), result.text)
                                   : result.value;
}

/* A variable hides those of its name before it. */
static const struct value *find_variable(void *user, struct str name, unsigned depth, struct str *missing)
{
    struct stage *s = user;
    struct arena *a = s->evaluation->arena;
    const struct programs *variables = &s->evaluation->run->lists[VARIABLES];
    size_t i = variables->count;
    if (!property_name_unescape(a, name, &name))
        return NULL;
    while (i > 0 && !str_eq(variables->items[i - 1].expression->name, name)) {
        arena_step(a);
        i--;
    }
    if (i == 0)
        return NULL;
    struct slot *slot = &s->slots[i - 1];
    if (slot->is_going_on) {
        *missing = STR("vapcheck does not evaluate a variable that needs itself");
        set_missing(s->evaluation, &variables->items[i - 1], *missing);
        return NULL;
    }
    if (slot->value == NULL) {
        slot->is_going_on = true;
        slot->value = read_variable(s, &variables->items[i - 1], name, depth, missing);
        slot->is_going_on = false;
    }
    return slot->value;
}

static bool pay(uint64_t *budget, uint64_t cost)
{
    if (cost > *budget)
        return false;
    *budget -= cost;
    return true;
}

static enum stage_end run_program(struct stage *s, const struct program *p, uint64_t *budget,
                                  struct answer *out)
{
    struct evaluation *e = s->evaluation;
    if (p->state == PROGRAM_NONE)
        return STAGE_DONE;
    if (p->state == PROGRAM_REFUSED) {
        out->error = str_join(e->arena, STR_PARTS(STR("compilation error: "), p->why));
        tell_end(e, p, NULL, out->error);
        return STAGE_DONE;
    }
    if (p->state == PROGRAM_MISSING) {
        set_missing(e, p, p->why);
        return STAGE_MISSING;
    }
    s->variables_cost = 0;
    struct run_result result = run_watched(s, p, &s->activation);
    if (result.end == RUN_MISSING) {
        set_missing(e, p, result.text);
        return STAGE_MISSING;
    }
    if (!pay(budget, s->variables_cost) || !pay(budget, result.cost)) {
        e->out->is_out_of_budget = true;
        e->out->ended_at = p->at;
        return STAGE_OUT_OF_BUDGET;
    }
    out->code = result.code;
    if (result.end == RUN_ERROR)
        out->error = prefix_error(e->arena, p, result.text);
    else
        out->value = result.value;
    tell_end(e, p, result.value, out->error);
    return STAGE_DONE;
}

/* Takes what it costs from the budget; answers: by program. */
static enum stage_end run_stage(struct evaluation *e, const struct program *programs, size_t count,
                                uint64_t *budget, struct answer *answers)
{
    enum stage_end end = STAGE_DONE;
    struct stage s = {.evaluation = e};
    s.slots = ARENA_ARRAY(e->arena, e->run->lists[VARIABLES].count, struct slot);
    s.variables = (struct run_variables){find_variable, &s};
    s.activation = (struct run_activation){
        .inputs = e->inputs.inputs, .input_count = POLICY_INPUTS, .variables = &s.variables};
    for (size_t i = 0; end == STAGE_DONE && i < count; i++)
        end = run_program(&s, &programs[i], budget, &answers[i]);
    return end;
}

/* ---- match conditions ---- */

static bool fails(const struct evaluation *e)
{
    return !e->run->policy->ignores_failures;
}

/* The one decision that there is. */
static void decide(struct evaluation *e, enum issue_code code, struct str message)
{
    e->out->decisions = ARENA_NEW(e->arena, struct policy_run_decision);
    *e->out->decisions = (struct policy_run_decision){.outcome = POLICY_RUN_FAILED,
                                                      .is_denial = fails(e),
                                                      .validation = POLICY_RUN_NO_VALIDATION,
                                                      .code = code,
                                                      .message = message};
    e->out->decision_count = 1;
    e->out->annotation_count = 0;
}

static bool is_repeated(const struct answer *answers, size_t i)
{
    size_t first = 0;
    while (!str_eq(answers[first].error, answers[i].error))
        first++;
    return first < i;
}

/* The errors as Go writes an aggregate: each text once, in brackets if there are several. */
static struct str aggregate_errors(struct evaluation *e, const struct answer *answers, size_t count)
{
    struct text t = {.arena = e->arena};
    size_t texts = 0;
    for (size_t i = 0; i < count; i++) {
        arena_pay(e->arena, i);
        if (answers[i].error.len == 0 || is_repeated(answers, i))
            continue;
        text_add(&t, texts++ == 0 ? STR("") : STR(", "));
        text_add(&t, answers[i].error);
    }
    struct str all = text_str(&t);
    return texts < 2 ? all : str_join(e->arena, STR_PARTS(STR("["), all, STR("]")));
}

/* The code of several errors: a missing key, if there is one, else that of the last error. */
static enum issue_code code_of_errors(const struct answer *answers, size_t count)
{
    enum issue_code code = ISSUE_OTHER;
    for (size_t i = 0; i < count && code != ISSUE_NO_SUCH_KEY; i++)
        code = answers[i].error.len != 0 ? answers[i].code : code;
    return code;
}

/* Ends a stage that failed: the failure decides the request, or the policy is skipped, by failurePolicy. */
static bool end_in_errors(struct evaluation *e, enum issue_code code, struct str errors)
{
    if (fails(e))
        decide(e, code, errors);
    else
        e->out->is_skipped = true;
    return false;
}

/* Returns true if the validations are to be evaluated. */
static bool match(struct evaluation *e)
{
    const struct programs *conditions = &e->run->lists[MATCH_CONDITIONS];
    const size_t count = conditions->count;
    uint64_t budget = POLICY_RUN_MATCH_CONDITION_COST;
    struct answer *answers = ARENA_ARRAY(e->arena, count, struct answer);
    policy_inputs_begin(&e->inputs, POLICY_INPUTS_OF_MATCH_CONDITIONS);
    enum stage_end end = run_stage(e, conditions->items, count, &budget, answers);
    e->out->match_condition_cost = POLICY_RUN_MATCH_CONDITION_COST - budget;
    if (end == STAGE_MISSING)
        return false;
    if (end == STAGE_OUT_OF_BUDGET)
        return end_in_errors(e, ISSUE_COST_LIMIT, OUT_OF_BUDGET);
    for (size_t i = 0; i < count; i++) {
        if (answers[i].value == NULL || answers[i].value->kind != VALUE_BOOL || answers[i].value->boolean)
            continue;
        e->out->is_skipped = true;
        e->out->false_condition = conditions->items[i].expression->name;
        return false;
    }
    struct str errors = aggregate_errors(e, answers, count);
    return errors.len == 0 || end_in_errors(e, code_of_errors(answers, count), errors);
}

/* ---- validations ---- */

static struct str message_of(struct evaluation *e, const struct policy_expression *v,
                             const struct value *given)
{
    struct str message = STR("");
    if (given != NULL && given->kind == VALUE_STRING)
        message = strings_trim_space(e->arena, given->text);
    if (message.len > MESSAGE_MAX_BYTES || memchr(message.at, '\n', message.len) != NULL)
        message = STR("");
    if (message.len == 0)
        message = strings_trim_space(e->arena, v->message);
    if (message.len != 0)
        return message;
    return str_join(e->arena, STR_PARTS(STR("failed expression: "), strings_trim_space(e->arena, v->text)));
}

static struct policy_run_decision decide_validation(struct evaluation *e, size_t i,
                                                    const struct answer *answer, const struct answer *message,
                                                    bool messages_failed)
{
    const struct policy_expression *v = e->run->lists[VALIDATIONS].items[i].expression;
    struct policy_run_decision decision = {.validation = i};
    bool is_true = answer->value != NULL && answer->value->kind == VALUE_BOOL && answer->value->boolean;
    if (answer->error.len != 0 || messages_failed) {
        decision.outcome = POLICY_RUN_FAILED;
        decision.code = answer->error.len != 0 ? answer->code : ISSUE_COST_LIMIT;
        decision.is_denial = fails(e);
        decision.message =
            answer->error.len != 0
                ? answer->error
                : str_join(e->arena, STR_PARTS(STR("failed messageExpression: "), OUT_OF_BUDGET));
    } else if (!is_true) {
        decision.outcome = POLICY_RUN_DENIED;
        decision.is_denial = true;
        decision.reason = v->reason.len != 0 ? v->reason : STR("Invalid");
        decision.message = message_of(e, v, message->value);
    }
    return decision;
}

/* If it returns false, audit annotations are not evaluated. */
static bool validate(struct evaluation *e)
{
    const struct programs *validations = &e->run->lists[VALIDATIONS];
    const size_t count = validations->count;
    uint64_t budget = POLICY_RUN_COST;
    struct answer *answers = ARENA_ARRAY(e->arena, count, struct answer),
                  *messages = ARENA_ARRAY(e->arena, count, struct answer);
    policy_inputs_begin(&e->inputs, POLICY_INPUTS_OF_VALIDATIONS);
    enum stage_end end = run_stage(e, validations->items, count, &budget, answers);
    e->out->cost = POLICY_RUN_COST - budget;
    if (end == STAGE_OUT_OF_BUDGET)
        decide(e, ISSUE_COST_LIMIT, OUT_OF_BUDGET);
    if (end != STAGE_DONE)
        return false;
    end = run_stage(e, e->run->lists[MESSAGES].items, count, &budget, messages);
    e->out->cost = POLICY_RUN_COST - budget;
    if (end == STAGE_MISSING)
        return false;
    e->out->decisions = ARENA_ARRAY(e->arena, count, struct policy_run_decision);
    for (size_t i = 0; i < count; i++)
        e->out->decisions[i] = decide_validation(e, i, &answers[i], &messages[i], end == STAGE_OUT_OF_BUDGET);
    e->out->decision_count = count;
    return true;
}

/* ---- audit annotations ---- */

static struct policy_run_annotation publish(struct evaluation *e, struct str key, const struct answer *answer)
{
    struct policy_run_annotation annotation = {.key = key, .publication = POLICY_RUN_EXCLUDED};
    if (answer->error.len != 0) {
        annotation.publication = fails(e) ? POLICY_RUN_ANNOTATION_FAILED : POLICY_RUN_EXCLUDED;
        annotation.code = answer->code;
        annotation.text = answer->error;
    } else if (answer->value->kind == VALUE_STRING) {
        annotation.text = strings_trim_space(e->arena, answer->value->text);
        annotation.publication = annotation.text.len == 0 ? POLICY_RUN_EXCLUDED : POLICY_RUN_PUBLISHED;
    }
    return annotation;
}

static void annotate(struct evaluation *e)
{
    const struct programs *annotations = &e->run->lists[ANNOTATIONS];
    const size_t count = annotations->count;
    if (count == 0)
        return;
    uint64_t budget = POLICY_RUN_COST;
    struct answer *answers = ARENA_ARRAY(e->arena, count, struct answer);
    policy_inputs_begin(&e->inputs, POLICY_INPUTS_OF_ANNOTATIONS);
    enum stage_end end = run_stage(e, annotations->items, count, &budget, answers);
    e->out->annotation_cost = POLICY_RUN_COST - budget;
    if (end == STAGE_OUT_OF_BUDGET)
        decide(e, ISSUE_COST_LIMIT, OUT_OF_BUDGET);
    if (end != STAGE_DONE)
        return;
    e->out->annotations = ARENA_ARRAY(e->arena, count, struct policy_run_annotation);
    for (size_t i = 0; i < count; i++)
        e->out->annotations[i] = publish(e, annotations->items[i].expression->name, &answers[i]);
    e->out->annotation_count = count;
}

/* ---- mutations ---- */

/* is_last: an error of the server, not of the policy. */
static void decide_mutation(struct evaluation *e, size_t i, enum issue_code code, struct str message,
                            bool is_last)
{
    e->out->decisions[e->out->decision_count++] =
        (struct policy_run_decision){.outcome = POLICY_RUN_FAILED,
                                     .is_denial = fails(e) || is_last,
                                     .is_last = is_last,
                                     .validation = i,
                                     .code = code,
                                     .message = message};
}

static bool is_ended(const struct evaluation *e)
{
    return e->out->decision_count != 0 && e->out->decisions[e->out->decision_count - 1].is_last;
}

static bool is_json_patch(const struct evaluation *e, size_t i)
{
    return e->run->lists[MUTATIONS].items[i].at.place == POLICY_JSON_PATCH;
}

static struct patched apply_mutation(struct evaluation *e, size_t i, const struct value *made,
                                     const struct value *object)
{
    const struct policy_run_type *schema = &e->request->object_type;
    const struct patched missing = {
        .error = STR(""),
        .missing = STR("vapcheck does not evaluate a mutation of a kind whose schema is not known")};
    if (schema->root == NULL)
        return missing;
    if (is_json_patch(e, i))
        return json_patches_apply(e->arena, made, object, env_kubernetes(e->run->env)->patches_hold_objects);
    return configurations_merge(e->arena, made, object, schema->doc, schema->root);
}

/* The mutated object as the server reads it, with default values once more. Returns NULL if the text that was
 * read is not JSON. */
static const struct value *read_made(struct evaluation *e, const struct value *object)
{
    const struct policy_run_request *r = e->request;
    if (r->read == NULL)
        return object;
    const struct str text = r->read(r->read_user, value_literal(e->arena, object));
    return json_value_read(e->arena, (struct str){arena_copy(e->arena, text.at, text.len), text.len});
}

/* Returns false if something is missing; the run has then ended. */
static bool run_mutation(struct evaluation *e, size_t i, const struct value **object)
{
    const struct program *program = &e->run->lists[MUTATIONS].items[i];
    uint64_t budget = POLICY_RUN_COST;
    struct answer answer = {.error = STR("")};
    policy_inputs_begin(&e->inputs, POLICY_INPUTS_OF_MUTATIONS);
    enum stage_end end = run_stage(e, program, 1, &budget, &answer);
    e->out->cost += POLICY_RUN_COST - budget;
    if (end == STAGE_MISSING)
        return false;
    if (end == STAGE_OUT_OF_BUDGET)
        answer.error = OUT_OF_BUDGET;
    if (program->state == PROGRAM_REFUSED)
        answer.error = program->why;
    struct patched patched = {.error = answer.error, .missing = STR("")};
    if (answer.error.len == 0)
        patched = apply_mutation(e, i, answer.value, *object);
    const bool is_patched = patched.object != NULL;
    if (is_patched)
        patched.error = policy_inputs_refusal(e->arena, &e->request->object_type, patched.object,
                                              &patched.missing, &patched.names);
    if (patched.error.len != 0 || patched.missing.len != 0)
        patched.object = NULL;
    if (patched.object != NULL)
        patched.object = read_made(e, patched.object);
    if (patched.object != NULL)
        patched.object = policy_inputs_change(&e->inputs, e->arena, &e->request->object_type, patched.object,
                                              &patched.missing);
    if (patched.missing.len != 0)
        set_missing(e, program, patched.missing);
    if (patched.error.len != 0)
        decide_mutation(e, i, answer.code, patched.error, is_patched && is_json_patch(e, i));
    if (patched.error.len != 0 && answer.error.len == 0)
        tell_unapplied(e, program, &patched);
    if (patched.object != NULL)
        *object = patched.object;
    return patched.missing.len == 0;
}

/* Returns false if the policy was not invoked, or if the rest is not known (e->out->missing). */
static bool run_mutations(struct evaluation *e, const struct value **object)
{
    const struct value *before = *object;
    if (e->run->lists[MATCH_CONDITIONS].count != 0 && !match(e))
        return false;
    for (size_t i = 0; i < e->run->lists[MUTATIONS].count && !is_ended(e); i++) {
        if (!run_mutation(e, i, object))
            return false;
    }
    e->out->is_mutated = e->out->is_mutated || *object != before;
    return true;
}

/* The second pass. It does not come after a refusal. */
static void run_again(struct evaluation *e, const struct value **object)
{
    const bool was_skipped = e->out->is_skipped;
    for (size_t i = 0; i < e->out->decision_count; i++) {
        if (e->out->decisions[i].is_denial)
            return;
    }
    if (e->run->policy->is_reinvoked)
        (void)run_mutations(e, object);
    else if (e->run->lists[MATCH_CONDITIONS].count != 0)
        (void)match(e);
    e->out->is_skipped = was_skipped;
}

static void run_passes(struct evaluation *e, const struct value **object)
{
    if (e->request->pass == POLICY_RUN_CONDITIONS_PASS) {
        if (e->run->lists[MATCH_CONDITIONS].count != 0)
            (void)match(e);
    } else if (run_mutations(e, object) && e->request->pass == POLICY_RUN_BOTH_PASSES && e->out->is_mutated) {
        run_again(e, object);
    }
}

/* Completes the expected object, which is to be compared with the object after the mutations. */
static void complete_expected(struct evaluation *e, const struct value *object)
{
    const struct policy_run_type *type = &e->request->object_type;
    if (e->request->expected.len == 0)
        return;
    const struct value *v = json_value_read(e->arena, e->request->expected);
    if (v != NULL && type->root != NULL)
        v = sent_object_complete(e->arena, v, type->doc, type->root);
    e->out->expected = v == NULL ? STR("null") : value_literal(e->arena, v);
    if (e->out->mutated.len == 0)
        e->out->mutated = value_literal(e->arena, object);
}

static void mutate(struct evaluation *e)
{
    const struct value *sent =
        e->request->object.len == 0 ? &value_null : json_value_read(e->arena, e->request->object);
    if (sent->kind != VALUE_MAP) { /* there is nothing to mutate, but the conditions are asked */
        if (e->run->lists[MATCH_CONDITIONS].count != 0)
            (void)match(e);
        return;
    }
    const struct value *object =
        policy_inputs_change(&e->inputs, e->arena, &e->request->object_type, sent, &e->out->missing);
    const struct value *first = object;
    e->out->decisions =
        ARENA_ARRAY(e->arena, 2 * e->run->lists[MUTATIONS].count + 1, struct policy_run_decision);
    if (object == NULL)
        return;
    run_passes(e, &object);
    if (object != first) {
        e->out->mutated = value_literal(e->arena, object);
        e->out->before = value_literal(e->arena, first);
    }
    complete_expected(e, object);
}

/* ---- the whole ---- */

static void evaluate(struct evaluation *e, const struct policy_run_request *request)
{
    /* Match conditions ask for typed values, and mutations find what was asked for before. */
    bool has_plain_objects = e->run->lists[MUTATIONS].count != 0 &&
                             e->run->lists[MATCH_CONDITIONS].count == 0 && !request->is_typed_before;
    if (!policy_inputs_init(&e->inputs, e->arena, e->run->own_schema, has_plain_objects, request,
                            &e->out->missing))
        return;
    if (e->run->lists[MUTATIONS].count != 0) {
        mutate(e);
        return;
    }
    if (e->run->lists[MATCH_CONDITIONS].count != 0 && !match(e))
        return;
    if (validate(e))
        annotate(e);
}

void policy_run_evaluate(const struct policy_run *run, const struct policy_run_request *request,
                         struct policy_run_result *result)
{
    memset(result, 0, sizeof *result);
    arena_init(&result->arena, REQUEST_ARENA_BYTES);
    result->arena.max_steps = request->max_steps == 0 ? REQUEST_MAX_STEPS : request->max_steps;
    struct evaluation e = {.run = run,
                           .observer = request->observer,
                           .out = result,
                           .arena = &result->arena,
                           .request = request};
    if (!run->is_exhausted && setjmp(result->arena.escape) == 0)
        evaluate(&e, request);
    else
        result->missing = STR("vapcheck does not evaluate a policy that takes so much work");
}

void policy_run_result_deinit(struct policy_run_result *result)
{
    arena_deinit(&result->arena);
}
