#include "cmd/kubectl-vapcheck/test/runner/testoutcome.h"

#include "client/base/mem.h"

/* ---- the expressions ---- */

static void add_expression(const struct testevaluation *e, struct policy_run_at at, const char *value,
                           struct str text, struct testresult *out)
{
    testresult_add_part(out, testpolicies_field(e->policy, at), &at, value, text);
}

static void add_false_condition(const struct testevaluation *e, const struct policy_run_result *result,
                                struct testresult *out)
{
    const struct policy *policy = dispatch_policy(e->policy->dispatch);
    struct policy_run_at at = {POLICY_MATCH_CONDITION, 0};
    for (size_t i = 0; i < policy->count; i++) {
        const struct policy_expression *x = &policy->expressions[i];
        if (x->place == POLICY_MATCH_CONDITION && str_eq(x->name, result->false_condition)) {
            add_expression(e, at, "false", x->name, out);
            return;
        }
        at.index += x->place == POLICY_MATCH_CONDITION;
    }
}

static void add_decision(const struct testevaluation *e, const struct policy_run_result *result,
                         const struct policy_run_decision *d, struct testresult *out)
{
    const char *value = d->outcome == POLICY_RUN_ADMITTED ? "true"
                        : d->outcome == POLICY_RUN_DENIED ? "false"
                                                          : NULL;
    if (d->validation == POLICY_RUN_NO_VALIDATION && result->is_out_of_budget)
        add_expression(e, result->ended_at, value, d->message, out);
    else if (d->validation == POLICY_RUN_NO_VALIDATION)
        testresult_add_part(out, mem_printf("%s.matchConditions", e->policy->spec), NULL, value, d->message);
    else if (testevaluation_is_mutating(e))
        add_expression(e, testpolicies_mutation(e->policy, d->validation), value, d->message, out);
    else
        add_expression(e, (struct policy_run_at){POLICY_VALIDATION, d->validation}, value, d->message, out);
}

/* Adds the decisions that made the outcome: those that are false or fail; if there are none, all. */
static void add_decisions(const struct testevaluation *e, const struct policy_run_result *result,
                          struct testresult *out)
{
    const bool has_decided = out->outcome != TESTRESULT_ADMITTED;
    for (size_t i = 0; i < result->decision_count; i++) {
        if (!has_decided || result->decisions[i].outcome != POLICY_RUN_ADMITTED)
            add_decision(e, result, &result->decisions[i], out);
    }
}

static void add_failed_annotations(const struct testevaluation *e, const struct policy_run_result *result,
                                   struct testresult *out)
{
    for (size_t i = 0; i < result->annotation_count; i++) {
        const struct policy_run_annotation *a = &result->annotations[i];
        if (a->publication == POLICY_RUN_ANNOTATION_FAILED)
            add_expression(e, (struct policy_run_at){POLICY_AUDIT_ANNOTATION, i}, NULL, a->text, out);
    }
}

/* ---- the answer ---- */

/* Returns true if the match conditions, or the lack of an object to change, let the request pass each
 * time. */
static bool is_skipped(const struct testevaluation *e)
{
    const struct dispatch_evaluations *all = &e->answer.evaluations;
    bool is = true;
    for (size_t i = 0; i < all->count; i++)
        is = is && (all->items[i]->is_again || all->items[i]->result.is_skipped);
    return is || (testevaluation_is_mutating(e) && e->test->object == NULL);
}

/* The outcome, by what one evaluation makes of it. */
static enum testresult_outcome add_result(enum testresult_outcome outcome,
                                          const struct policy_run_result *result)
{
    for (size_t i = 0; i < result->annotation_count; i++) {
        if (result->annotations[i].publication == POLICY_RUN_ANNOTATION_FAILED)
            return TESTRESULT_ERROR;
    }
    for (size_t i = 0; i < result->decision_count && outcome != TESTRESULT_ERROR; i++) {
        if (result->decisions[i].outcome == POLICY_RUN_FAILED)
            outcome = TESTRESULT_ERROR;
        else if (result->decisions[i].outcome == POLICY_RUN_DENIED)
            outcome = TESTRESULT_DENIED;
    }
    return outcome;
}

static enum testresult_outcome find_outcome(const struct testevaluation *e)
{
    static const enum testresult_outcome outcomes[TESTSUBJECTS] = {
        [TESTSUBJECT_VALIDATING] = TESTRESULT_ADMITTED,
        [TESTSUBJECT_MUTATING] = TESTRESULT_MUTATED,
        [TESTSUBJECT_WEBHOOK] = TESTRESULT_CALLED,
    };
    enum testresult_outcome outcome = is_skipped(e) ? TESTRESULT_SKIPPED : outcomes[e->test->subject];
    if (e->answer.asked.problem != NULL)
        return TESTRESULT_ERROR;
    for (size_t i = 0; i < e->answer.evaluations.count && outcome != TESTRESULT_ERROR; i++)
        outcome = add_result(outcome, &e->answer.evaluations.items[i]->result);
    return outcome;
}

static bool is_refused(const struct dispatch_answer *answer)
{
    size_t i = 0;
    while (i < answer->n_events && answer->events[i].effect != DISPATCH_DENY)
        i++;
    return i < answer->n_events;
}

static void add_cost(const struct policy_run_result *result, struct testresult_cost *most)
{
    if (result->match_condition_cost + result->cost + result->annotation_cost >=
        most->match_conditions + most->expressions + most->annotations)
        *most = (struct testresult_cost){result->match_condition_cost, result->cost, result->annotation_cost};
}

static void find_asked(const struct testevaluation *e, struct testresult *out)
{
    const struct dispatch_asked *asked = &e->answer.asked;
    out->outcome = find_outcome(e);
    out->is_refused = is_refused(&e->answer);
    if (asked->problem != NULL)
        testresult_add_part(out, mem_strdup(asked->problem_field), NULL, NULL, str_of(asked->problem));
    for (size_t i = 0; i < e->answer.evaluations.count; i++) {
        const struct policy_run_result *result = &e->answer.evaluations.items[i]->result;
        add_cost(result, &out->cost);
        if (out->outcome == TESTRESULT_SKIPPED)
            add_false_condition(e, result, out);
        else
            add_decisions(e, result, out);
        add_failed_annotations(e, result, out);
    }
}

/* The place of the rules, as users call it, with a verb. */
static const char *name_rules(const struct testevaluation *e)
{
    return e->test->subject == TESTSUBJECT_WEBHOOK ? "the rules and selectors of the webhook do"
                                                   : "spec.matchConstraints of the policy does";
}

/* Returns why the policy is not evaluated. */
static char *explain_reach(const struct testevaluation *e)
{
    cleanup_mem char *request = testrequest_name(&e->request);
    switch (e->answer.asked.reach) {
    case DISPATCH_EXEMPT:
        return mem_printf("no %s is asked about %s",
                          e->test->subject == TESTSUBJECT_WEBHOOK ? "webhook" : "policy",
                          e->request.resource);
    case DISPATCH_UNMATCHED:
        return mem_printf("%s not match the %s", name_rules(e), request);
    case DISPATCH_UNBOUND:
        return mem_strdup("spec.matchResources of no binding matches the request");
    case DISPATCH_WITHOUT_PARAMS:
    case DISPATCH_ASKED:
        break;
    }
    return mem_strdup(
        e->test->params == NULL
            ? "there are no params, and the binding says parameterNotFoundAction: Allow"
            : "the paramRef of the binding does not mean the params of the test, and the binding says "
              "parameterNotFoundAction: Allow");
}

static void find_unmatched(const struct testevaluation *e, struct testresult *out)
{
    const struct requestmatch_request *request = &e->request.asked.match;
    out->outcome = TESTRESULT_UNMATCHED;
    testresult_note(out, explain_reach(e));
    if (e->test->namespace_object == NULL && request->namespace_object != NULL &&
        request->namespace_object != request->old_object)
        testresult_note(out, mem_printf("no Namespace is given: %s was taken to have no labels but its name",
                                        request->namespace));
}

void testoutcome_find(const struct testevaluation *e, struct testresult *out)
{
    if (e->answer.asked.reach == DISPATCH_ASKED)
        find_asked(e, out);
    else
        find_unmatched(e, out);
}
