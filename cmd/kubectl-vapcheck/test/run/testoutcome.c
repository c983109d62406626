#include "cmd/kubectl-vapcheck/test/run/testoutcome.h"

#include "client/base/mem.h"

/* ---- the expressions ---- */

static void add_expression(const struct testevaluation *e, struct policy_run_at at, const char *value,
                           struct str text, struct testresult *out)
{
    testresult_add_part(out, testpolicies_field(e->policy, at), &at, value, text);
}

static void add_false_condition(const struct testevaluation *e, struct testresult *out)
{
    const struct policy_run_policy *shape = &e->policy->shape;
    for (size_t i = 0; i < shape->match_condition_count; i++) {
        const struct str name = shape->match_conditions[i].name;
        if (!str_eq(name, e->result.false_condition))
            continue;
        add_expression(e, (struct policy_run_at){POLICY_MATCH_CONDITION, i}, "false", name, out);
        return;
    }
}

static void add_decision(const struct testevaluation *e, const struct policy_run_decision *d,
                         struct testresult *out)
{
    const char *value = d->outcome == POLICY_RUN_ADMITTED ? "true"
                        : d->outcome == POLICY_RUN_DENIED ? "false"
                                                          : NULL;
    if (d->validation == POLICY_RUN_NO_VALIDATION && e->result.is_out_of_budget)
        add_expression(e, e->result.ended_at, value, d->message, out);
    else if (d->validation == POLICY_RUN_NO_VALIDATION)
        testresult_add_part(out, mem_printf("%s.matchConditions", e->policy->spec), NULL, value, d->message);
    else if (testevaluation_is_mutating(e))
        add_expression(e, testpolicies_mutation(e->policy, d->validation), value, d->message, out);
    else
        add_expression(e, (struct policy_run_at){POLICY_VALIDATION, d->validation}, value, d->message, out);
}

/* Those that decide: the ones that are false or fail; if there is none, all. */
static void add_decisions(const struct testevaluation *e, struct testresult *out)
{
    const bool has_decided = out->outcome != TESTRESULT_ADMITTED;
    for (size_t i = 0; i < e->result.decision_count; i++) {
        if (!has_decided || e->result.decisions[i].outcome != POLICY_RUN_ADMITTED)
            add_decision(e, &e->result.decisions[i], out);
    }
}

static void add_failed_annotations(const struct testevaluation *e, struct testresult *out)
{
    for (size_t i = 0; i < e->result.annotation_count; i++) {
        const struct policy_run_annotation *a = &e->result.annotations[i];
        if (a->publication == POLICY_RUN_ANNOTATION_FAILED)
            add_expression(e, (struct policy_run_at){POLICY_AUDIT_ANNOTATION, i}, NULL, a->text, out);
    }
}

/* ---- the answer ---- */

static bool has_failed_annotation(const struct policy_run_result *result)
{
    for (size_t i = 0; i < result->annotation_count; i++) {
        if (result->annotations[i].publication == POLICY_RUN_ANNOTATION_FAILED)
            return true;
    }
    return false;
}

static enum testresult_outcome find_outcome(const struct testevaluation *e)
{
    const struct policy_run_result *result = &e->result;
    static const enum testresult_outcome outcomes[TESTSUBJECTS] = {
        [TESTSUBJECT_VALIDATING] = TESTRESULT_ADMITTED,
        [TESTSUBJECT_MUTATING] = TESTRESULT_MUTATED,
        [TESTSUBJECT_WEBHOOK] = TESTRESULT_CALLED,
    };
    const bool is_skipped = result->is_skipped || (testevaluation_is_mutating(e) && e->test->object == NULL);
    enum testresult_outcome outcome = is_skipped ? TESTRESULT_SKIPPED : outcomes[e->test->subject];
    if (has_failed_annotation(result))
        return TESTRESULT_ERROR;
    for (size_t i = 0; i < result->decision_count && outcome != TESTRESULT_ERROR; i++) {
        if (result->decisions[i].outcome == POLICY_RUN_FAILED)
            outcome = TESTRESULT_ERROR;
        else if (result->decisions[i].outcome == POLICY_RUN_DENIED)
            outcome = TESTRESULT_DENIED;
    }
    return outcome;
}

/* An audit annotation that fails refuses the request, whatever the actions of the bindings are. */
static bool is_refused(const struct testevaluation *e)
{
    const struct policy_run_result *result = &e->result;
    if (has_failed_annotation(result))
        return true;
    for (size_t i = 0; i < result->decision_count; i++) {
        if (result->decisions[i].is_denial)
            return testevaluation_count_bindings(e, "Deny") > 0;
    }
    return false;
}

static void find_evaluated(const struct testevaluation *e, struct testresult *out)
{
    out->outcome = find_outcome(e);
    out->is_refused = is_refused(e);
    if (out->outcome == TESTRESULT_SKIPPED)
        add_false_condition(e, out);
    else
        add_decisions(e, out);
    add_failed_annotations(e, out);
}

static void find_unmatched(const struct testevaluation *e, struct testresult *out)
{
    out->outcome = TESTRESULT_UNMATCHED;
    testresult_note(out, mem_strdup(e->match.why));
    if (e->test->namespace_object == NULL && e->request.namespace_object != NULL)
        testresult_note(out,
                        mem_printf("the test gives no Namespace: %s was taken to have no labels but its name",
                                   e->request.namespace));
}

/* Nothing could be evaluated; the policy says what the server makes of that. */
static void find_failed(const struct testevaluation *e, struct testresult *out)
{
    out->outcome = TESTRESULT_ERROR;
    out->is_refused = !e->policy->shape.ignores_failures;
    testresult_add_part(out, mem_strdup(e->failed_field), NULL, NULL, str_of(e->match.why));
}

void testoutcome_find(const struct testevaluation *e, struct testresult *out)
{
    switch (e->end) {
    case TESTEVALUATION_DONE:
        find_evaluated(e, out);
        break;
    case TESTEVALUATION_UNMATCHED:
        find_unmatched(e, out);
        break;
    case TESTEVALUATION_FAILED:
        find_failed(e, out);
        break;
    }
}
