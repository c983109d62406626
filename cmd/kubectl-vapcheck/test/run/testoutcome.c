#include "cmd/kubectl-vapcheck/test/run/testoutcome.h"

#include "client/base/mem.h"
#include "cmd/kubectl-vapcheck/test/run/testmutation.h"

/* ---- the expressions ---- */

static char *field_of(const struct testevaluation *e, const char *list, size_t i)
{
    return mem_printf("%s.%s[%zu].expression", e->policy->spec, list, i);
}

static void add_false_condition(const struct testevaluation *e, struct testresult *out)
{
    const struct policy_run_policy *shape = &e->policy->shape;
    for (size_t i = 0; i < shape->match_condition_count; i++) {
        if (!str_eq(shape->match_conditions[i].name, e->result.false_condition))
            continue;
        testresult_add_part(out, field_of(e, "matchConditions", i),
                            &(struct policy_run_at){POLICY_MATCH_CONDITION, i}, "false",
                            shape->match_conditions[i].name);
        return;
    }
}

/* Of a decision that is not about the policy as a whole, as the next. */
static struct policy_run_at find_expression(const struct testevaluation *e,
                                            const struct policy_run_decision *d)
{
    struct policy_run_at at = {POLICY_VALIDATION, d->validation};
    if (testevaluation_is_mutating(e))
        at.place = e->policy->shape.mutations[d->validation].is_json_patch ? POLICY_JSON_PATCH
                                                                           : POLICY_APPLY_CONFIGURATION;
    return at;
}

static char *field_of_decision(const struct testevaluation *e, const struct policy_run_decision *d)
{
    return testevaluation_is_mutating(e)
               ? testmutation_field(e->policy->shape.mutations[d->validation].is_json_patch, d->validation)
               : field_of(e, "validations", d->validation);
}

static void add_decision(const struct testevaluation *e, const struct policy_run_decision *d,
                         struct testresult *out)
{
    const char *value = d->outcome == POLICY_RUN_ADMITTED ? "true"
                        : d->outcome == POLICY_RUN_DENIED ? "false"
                                                          : NULL;
    if (d->validation == POLICY_RUN_NO_VALIDATION) {
        testresult_add_part(out, mem_printf("%s.matchConditions", e->policy->spec), NULL, value, d->message);
        return;
    }
    const struct policy_run_at which = find_expression(e, d);
    testresult_add_part(out, field_of_decision(e, d), &which, value, d->message);
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
            testresult_add_part(out, mem_printf("spec.auditAnnotations[%zu].valueExpression", i),
                                &(struct policy_run_at){POLICY_AUDIT_ANNOTATION, i}, NULL, a->text);
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
