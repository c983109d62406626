#include "cmd/kubectl-vapcheck/test/runner/testevaluation.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/dispatch/mutation.h"

/* The number of a test's objects that are checked against a schema. */
enum { OBJECTS = 4 };

bool testevaluation_is_mutating(const struct testevaluation *e)
{
    return e->test->subject == TESTSUBJECT_MUTATING;
}

bool testevaluation_is_kat(const struct testevaluation *e)
{
    return e->context->suite->format == TESTSUITE_KAT;
}

/* ---- before the evaluation ---- */

static bool find_policy(struct testevaluation *e, struct testresult *out)
{
    const struct testcase *t = e->test;
    static const char *const kinds[TESTSUBJECTS] = {
        [TESTSUBJECT_VALIDATING] = "ValidatingAdmissionPolicy",
        [TESTSUBJECT_MUTATING] = "MutatingAdmissionPolicy",
        [TESTSUBJECT_WEBHOOK] = "webhook",
    };
    struct testpolicy *p = testpolicies_find(e->context->policies, t->policy, t->subject);
    if (p == NULL)
        return testresult_break(
            out, t->place,
            mem_printf("there is no %s named %s in the suite's files", kinds[t->subject], t->policy));
    out->policy = e->policy = p;
    p->n_tests++;
    if (p->is_refused)
        return testresult_break(out, (struct testplace){p->place.file, p->refused_at},
                                mem_printf("the API server refuses the %s",
                                           t->subject == TESTSUBJECT_WEBHOOK ? "configuration" : "policy"));
    if (p->problem != NULL)
        return testresult_break(out, (struct testplace){p->place.file, p->place.root->start},
                                mem_strdup(p->problem));
    if (p->trace == NULL)
        return testresult_break(out, t->place, mem_strdup("there is no memory for the policy"));
    return true;
}

/* kat's bindings are those of the policy, kaptest's the one that the test names. */
static bool find_bindings(struct testevaluation *e, struct testresult *out)
{
    const struct testcase *t = e->test;
    e->bindings = e->context->suite->ignores_bindings ? NULL : e->policy->bindings;
    if (t->binding == NULL)
        return true;
    e->bindings = testpolicies_binding(e->context->policies, t->binding, t->subject);
    e->is_one_binding = true;
    if (e->bindings == NULL)
        return testresult_break(out, t->place,
                                mem_printf("there is no binding named %s in the suite's files", t->binding));
    if (!jsonval_is(jsonval_get(e->bindings->json, "spec"), "policyName", e->policy->name))
        return testresult_break(out, t->place,
                                mem_printf("the binding %s is not of the policy %s", t->binding, t->policy));
    return true;
}

/* Breaks the test if one of its bindings has a selector that no server takes. */
static bool check_bindings(const struct testevaluation *e, struct testresult *out)
{
    for (const struct testbinding *b = e->bindings; b != NULL; b = e->is_one_binding ? NULL : b->next) {
        if (b->problem != NULL)
            return testresult_break(out, b->place, mem_strdup(b->problem));
    }
    return true;
}

static bool check_objects(const struct testevaluation *e, struct testresult *out)
{
    const struct testcase *t = e->test;
    struct testobject *objects[OBJECTS] = {t->object, t->old_object, t->params, t->mutated};
    for (size_t i = 0; i < OBJECTS; i++) {
        if (objects[i] != NULL && !testcontext_check_object(e->context, objects[i], out))
            return false;
    }
    return true;
}

static bool make_request(struct testevaluation *e, struct testresult *out)
{
    struct testrequest *r = &e->request;
    e->context->kept->is_loose = e->context->suite->ignores_schemas;
    if (!testrequest_make(e->test, e->policy->is_mutating, e->context->schemas, e->context->kept, r)) {
        char *problem = r->problem;
        r->problem = NULL;
        return testresult_break(out, r->problem_place, problem);
    }
    if (!r->is_served)
        testresult_note(out,
                        mem_printf("the server has no kind %s in %s%s%s: the object is not checked, and its "
                                   "resource is taken to be %s",
                                   r->kind, r->group, *r->group == '\0' ? "" : "/", r->version, r->resource));
    return true;
}

static bool prepare(struct testevaluation *e, struct testresult *out)
{
    const struct testcase *t = e->test;
    if (t->problem != NULL)
        return testresult_break(out, t->problem_place, mem_strdup(t->problem));
    return find_policy(e, out) && find_bindings(e, out) && check_bindings(e, out) && check_objects(e, out) &&
           make_request(e, out) && testcontext_has_steps(e->context, t, out);
}

/* ---- the answer ---- */

/* Takes the evaluations, what is wrong with the policy or the binding, and what refuses the request. */
static void take_mutations(struct testevaluation *e, struct mutation_answer *from, struct testresult *out)
{
    struct dispatch_answer *to = &e->answer;
    struct mutation_policy *p = &from->policies[0];
    to->asked = p->asked;
    to->steps = p->steps;
    to->evaluations = from->evaluations;
    p->asked.problem = NULL;
    from->evaluations = (struct dispatch_evaluations){NULL, 0};
    to->events = mem_array(from->n_events + 1, sizeof *to->events);
    for (size_t i = 0; i < from->n_events; i++) {
        const struct mutation_event *event = &from->events[i];
        if (event->effect == MUTATION_UNKNOWN && to->missing == NULL)
            to->missing = mem_strdup(event->message);
        if (event->effect == MUTATION_DENY)
            to->events[to->n_events++] = (struct dispatch_event){.binding = event->binding,
                                                                 .validation = event->mutation,
                                                                 .is_failure = true,
                                                                 .message = mem_strdup(event->message),
                                                                 .reason = mem_strdup(""),
                                                                 .key = mem_strdup("")};
    }
    if (from->differs != NULL)
        testresult_note(out, mem_printf("it depends on the order of the bindings, which no API server "
                                        "promises: %s",
                                        from->differs));
}

/* The first binding of a policy in its struct dispatch is the one that binds it to everything. */
static void choose_bindings(const struct testevaluation *e, struct dispatch_request *request)
{
    request->first_binding = e->bindings == NULL ? 0 : e->bindings->index;
    request->n_bindings = 1;
    for (const struct testbinding *b = e->bindings; !e->is_one_binding && b != NULL && b->next != NULL;
         b = b->next)
        request->n_bindings++;
}

static void ask(struct testevaluation *e, struct testresult *out)
{
    struct dispatch_request *request = &e->request.asked;
    const struct dispatch *dispatch = e->policy->dispatch;
    choose_bindings(e, request);
    request->max_steps = *e->context->steps_left;
    request->keeps_evaluations = true;
    request->evaluation.objects = e->context->suite->ignores_schemas ? POLICY_RUN_LOOSE : POLICY_RUN_SENT;
    request->evaluation.observer = policy_trace_begin(e->policy->trace);
    if (testevaluation_is_mutating(e)) {
        struct mutation_answer answer;
        mutation_ask(&dispatch, 1, request, &answer);
        take_mutations(e, &answer, out);
        mutation_answer_deinit(&answer);
    } else {
        dispatch_ask(dispatch, request, &e->answer);
    }
    testcontext_pay(e->context, e->answer.steps);
}

/* Returns true if the answer is the server's. */
static bool check_answer(const struct testevaluation *e, struct testresult *out)
{
    const struct testrequest *r = &e->request;
    const struct dispatch_evaluations *all = &e->answer.evaluations;
    if (r->lost_version != NULL) {
        cleanup_mem char *request = testrequest_name(r);
        return testresult_break(out, e->test->place,
                                mem_printf("the rules match the %s as version %s, to which vapcheck does not "
                                           "convert objects",
                                           request, r->lost_version));
    }
    for (size_t i = 0; i < all->count; i++) {
        const struct policy_run_result *result = &all->items[i]->result;
        if (result->missing.len == 0)
            continue;
        cleanup_mem char *at = testpolicies_name_field(e->policy, result->missing_at);
        cleanup_mem char *missing = testresult_text(result->missing);
        return testresult_break(
            out, (struct testplace){e->policy->place.file, output_where(&e->policy->place, at)},
            mem_printf("%s%s%s", at, *at == '\0' ? "" : ": ", missing));
    }
    if (e->answer.missing != NULL)
        return testresult_break(out, e->test->place, mem_strdup(e->answer.missing));
    if (e->answer.steps >= r->asked.max_steps)
        return testresult_break(
            out, e->test->place,
            mem_strdup("all tests together take too much work: this one was not run to its end"));
    return true;
}

static void count_evaluations(const struct testevaluation *e, struct testresult *out)
{
    const struct dispatch_evaluations *all = &e->answer.evaluations;
    bool has_null_params = false;
    for (size_t i = 0; i < all->count; i++) {
        has_null_params = has_null_params || all->items[i]->params == NULL;
        testpolicies_count(e->policy, &all->items[i]->result, e->test->object != NULL);
    }
    if (has_null_params && e->test->params != NULL && dispatch_policy(e->policy->dispatch)->has_params)
        testresult_note(out,
                        mem_strdup("the binding has no paramRef: params is null, whatever params the test "
                                   "has"));
}

bool testevaluation_run(struct testevaluation *e, const struct testcontext *context,
                        const struct testcase *test, struct testresult *out)
{
    *e = (struct testevaluation){.context = context, .test = test};
    if (!prepare(e, out))
        return false;
    ask(e, out);
    if (!check_answer(e, out))
        return false;
    count_evaluations(e, out);
    return true;
}

void testevaluation_deinit(struct testevaluation *e)
{
    dispatch_answer_deinit(&e->answer);
    testrequest_deinit(&e->request);
}
