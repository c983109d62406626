#include "cmd/kubectl-vapcheck/test/run/testevaluation.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"

/* Of a test, that have a schema. */
enum { OBJECTS = 4 };

bool testevaluation_is_mutating(const struct testevaluation *e)
{
    return e->test->subject == TESTSUBJECT_MUTATING;
}

bool testevaluation_is_kat(const struct testevaluation *e)
{
    return e->context->suite->format == TESTSUITE_KAT;
}

size_t testevaluation_count_bindings(const struct testevaluation *e, const char *action)
{
    size_t count = 0;
    if (e->bindings == NULL || testevaluation_is_mutating(e)) /* whose bindings have no actions */
        return strcmp(action, "Deny") == 0;
    for (size_t i = 0; i < e->match.count; i++) {
        struct json_object *spec = jsonval_get(e->match.bindings[i]->json, "spec");
        count += jsonval_has_text(jsonval_array(spec, "validationActions"), action);
    }
    return count;
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

/* What no server takes as a selector. */
static bool check_matches(const struct testevaluation *e, struct testresult *out)
{
    const struct testpolicy *p = e->policy;
    if (p->match == NULL)
        return testresult_break(out, (struct testplace){p->place.file, p->place.root->start},
                                mem_strdup(p->problem));
    for (const struct testbinding *b = e->bindings; b != NULL; b = e->is_one_binding ? NULL : b->next) {
        if (b->match == NULL)
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
    if (!testrequest_make(e->test, testpolicies_is_mutating(e->policy),
                          schemas_discovery(e->context->schemas), e->context->namespace, r)) {
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
    return find_policy(e, out) && find_bindings(e, out) && check_matches(e, out) && check_objects(e, out) &&
           make_request(e, out) && testcontext_has_steps(e->context, t, out);
}

/* ---- the evaluation ---- */

static void find_types(struct testevaluation *e)
{
    const struct testcase *t = e->test;
    const struct testobject *object = t->object != NULL ? t->object : t->old_object;
    struct policy_run_request *texts = &e->request.texts;
    if (object != NULL)
        texts->object_type = testcontext_type(e->context, object->root->json);
    if (t->params != NULL)
        texts->params_type = testcontext_type(e->context, t->params->root->json);
    texts->objects = e->context->suite->ignores_schemas ? POLICY_RUN_LOOSE : POLICY_RUN_SENT;
}

/* What the evaluator calls spec.matchConditions[0].expression. */
static char *name_field(const struct testevaluation *e, struct str name)
{
    const struct str below = name.len == 0 ? name : str_skip(name, STR("spec").len);
    return mem_printf("%s%.*s", name.len == 0 ? "" : e->policy->spec, STR_ARG(below));
}

static bool evaluate(struct testevaluation *e, struct testresult *out)
{
    struct policy_run_result *result = &e->result;
    find_types(e);
    e->request.texts.observer = policy_trace_begin(e->policy->trace);
    policy_run_evaluate(e->policy->run, &e->request.texts, result);
    testcontext_pay(e->context, result->arena.steps);
    if (result->missing.len != 0) {
        cleanup_mem char *at = name_field(e, result->missing_at);
        cleanup_mem char *missing = testresult_text(result->missing);
        return testresult_break(
            out, (struct testplace){e->policy->place.file, output_where(&e->policy->place, at)},
            mem_printf("%s%s%s", at, *at == '\0' ? "" : ": ", missing));
    }
    if (testevaluation_is_mutating(e) && e->match.count > 1)
        testresult_note(
            out, mem_printf("%zu bindings match: the API server applies the policy for each of them, and "
                            "this test applies it once",
                            e->match.count));
    testpolicies_count(e->policy, result, e->test->object != NULL);
    return true;
}

/* field: the field of the policy that the server cannot decide. Evaluates after YES. */
static bool end(struct testevaluation *e, enum testmatch_answer answer, const char *field,
                struct testresult *out)
{
    switch (answer) {
    case TESTMATCH_YES:
        return evaluate(e, out);
    case TESTMATCH_NO:
        e->end = TESTEVALUATION_UNMATCHED;
        return true;
    case TESTMATCH_FAILED:
        e->end = TESTEVALUATION_FAILED;
        e->failed_field = field;
        return true;
    case TESTMATCH_UNKNOWN:
        break;
    }
    return testresult_break(out, e->test->place, mem_strdup(e->match.why));
}

static enum testmatch_answer take_params(struct testevaluation *e, struct testresult *out)
{
    struct testmatch *m = &e->match;
    const enum testmatch_answer answer =
        testmatch_take_params(e->policy, &e->request, e->test, schemas_discovery(e->context->schemas), m);
    if (answer == TESTMATCH_YES && m->has_null_params && e->test->params != NULL) {
        e->request.texts.params = STR("");
        testresult_note(out,
                        mem_strdup("the binding has no paramRef: params is null, whatever params the test "
                                   "has"));
    }
    return answer;
}

bool testevaluation_run(struct testevaluation *e, const struct testcontext *context,
                        const struct testcase *test, struct testresult *out)
{
    *e = (struct testevaluation){.context = context, .test = test};
    if (!prepare(e, out))
        return false;
    const enum testmatch_answer answer =
        testmatch_ask(e->policy, e->bindings, e->is_one_binding, &e->request, context->schemas, &e->match);
    if (answer != TESTMATCH_YES || e->bindings == NULL || !e->policy->shape.has_params)
        return end(e, answer, "spec.matchConstraints", out);
    return end(e, take_params(e, out), "spec.paramKind", out);
}

void testevaluation_deinit(struct testevaluation *e)
{
    policy_run_result_deinit(&e->result);
    testrequest_deinit(&e->request);
    testmatch_deinit(&e->match);
}
