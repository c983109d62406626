#include "controller/apiserver/dispatch/asking.h"

#include <string.h>

#include "client/base/buf.h"
#include "client/base/groupversion.h"
#include "client/base/mem.h"
#include "client/text/jsontree.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/dispatch/review.h"

/* Fields of a policy that decide whether it is asked. */
static const char CONSTRAINTS[] = "spec.matchConstraints", PARAM_KIND[] = "spec.paramKind";

/* ---- the request ---- */

/* Converts the object if the policy sees another version than was sent. */
static int convert(struct asking *q, struct json_object *object, struct json_object **out, struct err *err)
{
    const struct dispatch_request *r = q->request;
    if (object == NULL)
        return 0;
    const struct requestmatch_endpoint *stored = r->stored_as == NULL ? &r->match.endpoint : r->stored_as;
    const bool is_same = requestmatch_is_same_version(q->as, stored);
    q->is_lost = !is_same && r->convert == NULL;
    if (q->is_lost)
        return err_set(err, ERR_INVALID, "objects are not converted");
    *out = is_same ? json_object_get(object) : r->convert(r->user, object, q->as, err);
    return *out == NULL ? err_prefix(err, "failed to convert object version") : 0;
}

static int convert_objects(struct asking *q, struct err *err)
{
    const struct requestmatch_request *r = &q->request->match;
    if (q->is_converted)
        return 0;
    json_object_put(q->object); /* it is of an earlier binding, whose old object could not be converted */
    q->object = NULL;
    if (convert(q, r->object, &q->object, err) != 0 || convert(q, r->old_object, &q->old_object, err) != 0)
        return -1;
    q->is_converted = true;
    return 0;
}

static struct policy_run_type find_type(const struct asking *q, const char *group, const char *version,
                                        const char *kind)
{
    const struct dispatch_request *r = q->request;
    return r->find_type == NULL ? (struct policy_run_type){NULL, NULL}
                                : r->find_type(r->user, group, version, kind);
}

static struct policy_run_type find_type_of(const struct asking *q, struct json_object *object)
{
    if (object == NULL)
        return (struct policy_run_type){NULL, NULL};
    cleanup_groupversion struct groupversion gv =
        groupversion_split(jsonval_string_or_empty(object, "apiVersion"));
    return find_type(q, gv.group, gv.version, jsonval_string_or_empty(object, "kind"));
}

static struct str write_text(struct json_object *json, char **out)
{
    struct buf b;
    size_t len;
    if (json == NULL)
        return STR("");
    buf_init(&b, SIZE_MAX / 2);
    jsontree_write(&b, json);
    *out = buf_take(&b, &len);
    return (struct str){*out, len};
}

/* The text of an object that is the same in many requests. */
static struct str find_text(const struct dispatch_request *r, struct json_object *json, char **out)
{
    return json != NULL && r->find_text != NULL ? r->find_text(r->user, json) : write_text(json, out);
}

/* The text of an object that a mutation made, as the server reads it. */
static struct str read_made(void *user, struct str object)
{
    struct asking *q = user;
    const struct dispatch_request *r = q->request;
    cleanup_json struct json_object *made = NULL;
    struct err err;
    if (jsonval_parse(object.at, object.len, &made, &err) != 0)
        return object;
    cleanup_json struct json_object *read = r->read(r->user, made, q->as);
    mem_free(q->read);
    q->read = NULL;
    return write_text(read, &q->read);
}

struct dispatch_evaluation *asking_evaluate(struct asking *q, const struct policy_run_request *given,
                                            struct json_object *params, struct json_object *namespace)
{
    const struct dispatch_request *r = q->request;
    struct dispatch_evaluation *e = mem_zalloc(sizeof *e);
    struct policy_run_request request = *given;
    e->params = json_object_get(params);
    e->texts[0] = review_text(r, q->as);
    request.request = str_of(e->texts[0]);
    request.object = write_text(q->object, &e->texts[1]);
    request.old_object = write_text(q->old_object, &e->texts[2]);
    request.params = find_text(r, params, &e->texts[3]);
    request.namespace_object = find_text(r, namespace, &e->texts[4]);
    request.object_type = find_type(q, q->as->kind_group, q->as->kind_version, q->as->kind);
    request.params_type = find_type_of(q, params);
    request.read = r->read == NULL ? NULL : read_made;
    request.read_user = q;
    policy_run_evaluate(q->dispatch->run, &request, &e->result);
    return e;
}

void asking_free_evaluation(struct dispatch_evaluation *e)
{
    if (e == NULL)
        return;
    policy_run_result_deinit(&e->result);
    for (size_t i = 0; i < DISPATCH_TEXTS; i++)
        mem_free(e->texts[i]);
    json_object_put(e->params);
    mem_free(e);
}

void asking_keep_evaluation(struct dispatch_evaluations *list, struct dispatch_evaluation *take_evaluation)
{
    list->items = mem_grow(list->items, list->count, sizeof(void *));
    list->items[list->count++] = take_evaluation;
}

void asking_free_evaluations(struct dispatch_evaluations *list)
{
    for (size_t i = 0; i < list->count; i++)
        asking_free_evaluation(list->items[i]);
    mem_free(list->items);
    *list = (struct dispatch_evaluations){NULL, 0};
}

/* A Namespace is not a namespace of itself here. */
int asking_namespace(const struct asking *q, struct json_object **out, struct err *err)
{
    const struct requestmatch_request *r = &q->request->match;
    const struct requestmatch_endpoint *at = &r->endpoint;
    bool is_namespace = at->kind_group[0] == '\0' && strcmp(at->kind_version, "v1") == 0 &&
                        strcmp(at->kind, "Namespace") == 0;
    *out = NULL;
    if (r->namespace[0] == '\0' || is_namespace)
        return 0;
    *out = r->namespace_object;
    return *out != NULL ? 0 : err_set(err, ERR_NOT_FOUND, "namespaces \"%s\" not found", r->namespace);
}

/* ---- the bindings that are asked ---- */

static void reach(struct asking *q, enum dispatch_reach to)
{
    if (q->asked.reach < to)
        q->asked.reach = to;
}

/* field: of the policy. */
static void tell_problem(struct asking *q, const char *field, const char *what)
{
    const char *configured = q->dispatch->webhook_minor != 0     ? ""
                             : q->binding == DISPATCH_NO_BINDING ? "failed to configure policy: "
                                                                 : "failed to configure binding: ";
    char *text = mem_printf("%s%s", configured, what);
    reach(q, DISPATCH_ASKED);
    q->on_problem(q, text);
    if (q->asked.problem == NULL) {
        q->asked.problem = text;
        q->asked.problem_field = field;
    } else {
        mem_free(text);
    }
}

/* A binding that stands for none has the params that the request gives it. */
static int find_params(const struct asking *q, const struct dispatch_binding *b, struct paramfind *out,
                       struct err *err)
{
    const struct dispatch_request *r = q->request;
    if (b->json != NULL)
        return paramfind_run(q->dispatch->policy, b->json, r->match.namespace, r->params, out, err);
    paramfind_add(out, r->unbound_params);
    return 0;
}

/* Returns false if no more bindings need to be asked. */
static bool ask_binding(struct asking *q)
{
    const struct dispatch_binding *b = &q->dispatch->bindings[q->binding];
    const struct requestmatch_request *r = &q->request->match;
    struct paramfind params = {0};
    struct err err = {0};
    bool goes_on = true;
    q->steps += requestmatch_steps(b->match) * (1 + r->n_equivalents);
    enum requestmatch_answer match = requestmatch_ask(b->match, r, NULL, &err);
    if (match == REQUESTMATCH_NO)
        return true;
    reach(q, DISPATCH_WITHOUT_PARAMS);
    if (match == REQUESTMATCH_FAILED) {
        tell_problem(q, CONSTRAINTS, err.msg);
    } else if (find_params(q, b, &params, &err) != 0) {
        tell_problem(q, PARAM_KIND, err.msg);
    } else if (params.count > 0 && convert_objects(q, &err) != 0) {
        tell_problem(q, CONSTRAINTS, err.msg);
    } else {
        if (params.count > 0)
            reach(q, DISPATCH_ASKED);
        goes_on = q->on_params(q, &params);
    }
    paramfind_deinit(&params);
    return goes_on;
}

static bool is_exempt(const struct dispatch *d, const struct requestmatch_endpoint *at)
{
    return d->webhook_minor == 0
               ? requestmatch_is_exempt(at->group, at->resource)
               : requestmatch_is_exempt_from_webhooks(at->group, at->resource, d->webhook_minor);
}

/* Returns true if the bindings are to be asked. */
static bool ask_policy(struct asking *q)
{
    const struct dispatch *d = q->dispatch;
    const struct requestmatch_request *r = &q->request->match;
    struct err err = {0};
    enum requestmatch_answer match = REQUESTMATCH_FAILED;
    if (is_exempt(d, &r->endpoint))
        return false;
    q->asked.reach = DISPATCH_UNMATCHED;
    if (d->match != NULL)
        match = requestmatch_ask(d->match, r, &q->as, &err);
    else
        (void)err_set(&err, ERR_INVALID, "policy contained no match constraints, a required field");
    if (match == REQUESTMATCH_NO)
        return false;
    q->asked.reach = DISPATCH_UNBOUND;
    cleanup_mem char *problem =
        d->view->policy.has_params ? paramfind_kind_problem(d->policy, q->request->params) : NULL;
    if (match == REQUESTMATCH_FAILED)
        tell_problem(q, CONSTRAINTS, err.msg);
    else if (problem != NULL)
        tell_problem(q, PARAM_KIND, problem);
    return match == REQUESTMATCH_YES && problem == NULL;
}

void asking_run(struct asking *q)
{
    const struct dispatch *d = q->dispatch;
    const struct dispatch_request *r = q->request;
    const size_t n_asked = r->n_bindings == 0 ? d->n_bindings : r->n_bindings;
    q->binding = DISPATCH_NO_BINDING;
    q->steps = d->match == NULL ? 1 : requestmatch_steps(d->match) * (1 + r->match.n_equivalents);
    if (n_asked == 0 || !ask_policy(q))
        return;
    q->binding = r->first_binding;
    while (q->binding < r->first_binding + n_asked && ask_binding(q))
        q->binding++;
}

void asking_deinit(struct asking *q)
{
    mem_free(q->asked.problem);
    mem_free(q->read);
    json_object_put(q->object);
    json_object_put(q->old_object);
}
