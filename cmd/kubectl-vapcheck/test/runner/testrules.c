#include "cmd/kubectl-vapcheck/test/runner/testrules.h"

#include <string.h>

#include "client/base/groupversion.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/test/runner/testexpectation.h"

struct run {
    const struct testcontext *context;
    const struct testcase *test;
    struct testresult *out;
    const struct crdevaluation *definition;
    const struct crdevaluation_version *version;
};

static bool refuse(struct run *r, struct testplace place, char *take_why)
{
    return testresult_break(r->out, place, take_why);
}

/* ---- before the evaluation ---- */

static bool find_definition(struct run *r)
{
    struct testpolicy *p = testpolicies_find(r->context->policies, r->test->policy, r->test->subject);
    if (p == NULL)
        return refuse(r, r->test->place,
                      mem_printf("there is no CustomResourceDefinition named %s in the suite's files",
                                 r->test->policy));
    r->out->policy = p;
    p->n_tests++;
    if (p->is_refused)
        return refuse(r, (struct testplace){p->place.file, p->refused_at},
                      mem_strdup("the API server refuses the CustomResourceDefinition"));
    r->definition = p->definition;
    return true;
}

/* Returns true if the object is one of the definition's, in a version that it has. */
static bool find_version(struct run *r, const struct testobject *object)
{
    struct json_object *json = object->root->json;
    struct json_object *spec = jsonval_get(r->definition->json, "spec");
    cleanup_groupversion struct groupversion gv =
        groupversion_split(jsonval_string_or_empty(json, "apiVersion"));
    const struct crdevaluation_version *found = crdevaluation_find(r->definition, gv.version);
    if (!jsonval_is(spec, "group", gv.group) ||
        !jsonval_is(jsonval_get(spec, "names"), "kind", jsonval_string_or_empty(json, "kind")))
        return refuse(r, object->place, mem_printf("the object is not of a kind of %s", r->test->policy));
    if (found == NULL || found->run == NULL)
        return refuse(r, object->place,
                      mem_printf("%s has no schema for the version %s", r->test->policy, gv.version));
    if (r->version != NULL && r->version != found)
        return refuse(r, object->place,
                      mem_strdup("object and oldObject must be in the same version: vapcheck does not "
                                 "convert objects"));
    r->version = found;
    return true;
}

static bool check_object(struct run *r, struct testobject *object)
{
    return testcontext_check_object(r->context, object, r->out) && find_version(r, object);
}

static bool prepare(struct run *r)
{
    const struct testcase *t = r->test;
    if (t->problem != NULL)
        return refuse(r, t->problem_place, mem_strdup(t->problem));
    if (!find_definition(r))
        return false;
    const bool is_update = strcmp(t->operation, "UPDATE") == 0;
    if ((!is_update && strcmp(t->operation, "CREATE") != 0) || t->object == NULL ||
        is_update != (t->old_object != NULL) || *t->subresource != '\0')
        return refuse(r, t->place,
                      mem_strdup("rules are tested with an object that is created, or with an object and the "
                                 "oldObject before its update"));
    if (!check_object(r, t->object) || (t->old_object != NULL && !check_object(r, t->old_object)))
        return false;
    return testcontext_has_steps(r->context, t, r->out);
}

/* ---- the evaluation ---- */

static struct str text_of(const struct testobject *object)
{
    return object == NULL ? STR("")
                          : str_of(json_object_to_json_string_ext(
                                object->root->json, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
}

static void add_error(struct run *r, const struct crd_run_error *error)
{
    struct testresult *out = r->out;
    if (error->is_warning) {
        testresult_note(out, mem_printf("a value that did not change: the API server only warns: %.*s",
                                        STR_ARG(error->text)));
        return;
    }
    if (out->outcome != TESTRESULT_ERROR)
        out->outcome = error->is_failure ? TESTRESULT_ERROR : TESTRESULT_DENIED;
    out->is_refused = true;
    testresult_add_part(out, mem_printf("%s.%.*s", r->version->field, STR_ARG(error->rule)), NULL,
                        error->is_failure ? NULL : "false", error->text);
}

static bool take_result(struct run *r, const struct crd_run_result *result)
{
    testcontext_pay(r->context, result->arena.steps);
    if (result->missing.len != 0)
        return refuse(r, r->test->place, mem_printf("%.*s", STR_ARG(result->missing)));
    if (result->blocked.len != 0)
        return refuse(r, r->test->object->place,
                      mem_printf("the object does not fit its schema, and the API server then evaluates no "
                                 "rule: %.*s",
                                 STR_ARG(result->blocked)));
    r->out->outcome = TESTRESULT_ADMITTED;
    for (size_t i = 0; i < result->error_count; i++)
        add_error(r, &result->errors[i]);
    return true;
}

/* ---- the expected result ---- */

/* Returns true if the message is that of all errors together, the whole of one error, or the rule's part of
 * one. */
static bool is_said(const struct crd_run_result *result, struct str message)
{
    bool is = str_eq(result->message, message);
    for (size_t i = 0; !is && i < result->error_count; i++) {
        const struct crd_run_error *e = &result->errors[i];
        is = !e->is_warning && (str_eq(e->text, message) || str_eq(e->detail, message));
    }
    return is;
}

static void compare(struct run *r, const struct crd_run_result *result)
{
    struct testresult *out = r->out;
    out->actual = testexpectation_actual(r->context->suite, out);
    if (!testexpectation_is_met(r->context->suite, r->test, out))
        out->verdict = TESTRESULT_FAILED;
    else if (r->test->message != NULL && !is_said(result, str_of(r->test->message)))
        testresult_set_why(out, TESTRESULT_FAILED, r->test->place,
                           mem_printf("expected the message \"%s\", got \"%.*s\"", r->test->message,
                                      STR_ARG(result->message)));
}

void testrules_run(const struct testcontext *context, const struct testcase *test, struct testresult *out)
{
    struct run r = {.context = context, .test = test, .out = out};
    if (!prepare(&r))
        return;
    struct crd_run_result result;
    const struct policy_run_type type = testcontext_type(context, test->object->root->json);
    const struct crd_run_request request = {
        .object = text_of(test->object),
        .old_object = text_of(test->old_object),
        .doc = type.doc,
        .root = context->suite->ignores_schemas ? NULL : type.root,
    };
    crdevaluation_run(r.definition, r.version, &request, &result);
    if (take_result(&r, &result))
        compare(&r, &result);
    crd_run_result_deinit(&result);
}
