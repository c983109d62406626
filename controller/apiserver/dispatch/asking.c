#include "controller/apiserver/dispatch/asking.h"

#include <string.h>

#include "client/base/groupversion.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"

/* ---- the request ---- */

static void put_text(struct json_object *object, const char *name, const char *text)
{
    jsonval_set(object, name, json_object_new_string(text));
}

static struct json_object *kind_of(const struct requestmatch_endpoint *at)
{
    struct json_object *kind = json_object_new_object();
    put_text(kind, "group", at->kind_group);
    put_text(kind, "version", at->kind_version);
    put_text(kind, "kind", at->kind);
    return kind;
}

static struct json_object *resource_of(const struct requestmatch_endpoint *at)
{
    struct json_object *resource = json_object_new_object();
    put_text(resource, "group", at->group);
    put_text(resource, "version", at->version);
    put_text(resource, "resource", at->resource);
    return resource;
}

/* An AdmissionRequest without its objects (CreateAdmissionRequest): what is empty is left out, as Go does. */
static struct json_object *make_review(const struct asking *q)
{
    const struct requestmatch_request *r = &q->request->match;
    const struct {
        const char *name, *text;
    } texts[] = {{"subResource", r->subresource},
                 {"requestSubResource", r->subresource},
                 {"name", r->name},
                 {"namespace", r->namespace}};
    struct json_object *review = json_object_new_object();
    put_text(review, "uid", "");
    jsonval_set(review, "kind", kind_of(q->as));
    jsonval_set(review, "resource", resource_of(q->as));
    jsonval_set(review, "requestKind", kind_of(&r->endpoint));
    jsonval_set(review, "requestResource", resource_of(&r->endpoint));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (texts[i].text[0] != '\0')
            put_text(review, texts[i].name, texts[i].text);
    }
    put_text(review, "operation", r->operation);
    jsonval_set(review, "userInfo",
                q->request->user_info == NULL ? json_object_new_object()
                                              : json_object_get(q->request->user_info));
    jsonval_set(review, "dryRun", json_object_new_boolean(q->request->is_dry_run));
    if (q->request->options != NULL)
        jsonval_set(review, "options", json_object_get(q->request->options));
    return review;
}

static struct str json_text(struct json_object *json)
{
    return json == NULL ? STR("") : str_of(json_object_to_json_string_ext(json, JSON_C_TO_STRING_PLAIN));
}

/* Where the policy sees another version than was sent. */
static int convert(struct asking *q, struct json_object *object, struct json_object **out, struct err *err)
{
    const struct dispatch_request *r = q->request;
    if (object == NULL)
        return 0;
    const struct requestmatch_endpoint *stored = r->stored_as == NULL ? &r->match.endpoint : r->stored_as;
    const bool is_same = requestmatch_is_same_version(q->as, stored);
    *out = is_same ? json_object_get(object) : r->convert(r->user, object, q->as, err);
    return *out == NULL ? err_prefix(err, "failed to convert object version") : 0;
}

static int convert_objects(struct asking *q, struct err *err)
{
    const struct requestmatch_request *r = &q->request->match;
    if (q->is_converted)
        return 0;
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
    cleanup_groupversion struct groupversion gv =
        groupversion_split(jsonval_string_or_empty(object, "apiVersion"));
    if (object == NULL)
        return (struct policy_run_type){NULL, NULL};
    return find_type(q, gv.group, gv.version, jsonval_string_or_empty(object, "kind"));
}

struct policy_run_request asking_request(struct asking *q, struct json_object *params,
                                         struct json_object *namespace)
{
    if (q->review == NULL)
        q->review = make_review(q);
    return (struct policy_run_request){
        .object = json_text(q->object),
        .old_object = json_text(q->old_object),
        .params = json_text(params),
        .request = json_text(q->review),
        .namespace_object = json_text(namespace),
        .object_type = find_type(q, q->as->kind_group, q->as->kind_version, q->as->kind),
        .params_type = find_type_of(q, params),
    };
}

/* A Namespace is no namespace of itself here. */
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

/* ---- who is asked ---- */

static void tell_problem(struct asking *q, const char *what)
{
    cleanup_mem char *text = mem_printf("failed to configure %s: %s",
                                        q->binding == DISPATCH_NO_BINDING ? "policy" : "binding", what);
    q->on_problem(q, text);
}

/* False: that is enough. */
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
    q->is_matched = true;
    if (match == REQUESTMATCH_FAILED)
        tell_problem(q, err.msg);
    else if (paramfind_run(q->dispatch->policy, b->json, r->namespace, q->request->params, &params, &err) !=
             0)
        tell_problem(q, err.msg);
    else if (params.count > 0 && convert_objects(q, &err) != 0)
        tell_problem(q, err.msg);
    else
        goes_on = q->on_params(q, &params);
    paramfind_deinit(&params);
    return goes_on;
}

static enum requestmatch_answer match_policy(const struct dispatch *d,
                                             const struct requestmatch_request *request,
                                             const struct requestmatch_endpoint **as, struct err *err)
{
    if (requestmatch_is_exempt(request->endpoint.group, request->endpoint.resource))
        return REQUESTMATCH_NO;
    if (d->match != NULL)
        return requestmatch_ask(d->match, request, as, err);
    (void)err_set(err, ERR_INVALID, "policy contained no match constraints, a required field");
    return REQUESTMATCH_FAILED;
}

void asking_run(struct asking *q)
{
    const struct dispatch *d = q->dispatch;
    const struct dispatch_request *request = q->request;
    struct err err = {0};
    bool goes_on = true;
    q->binding = DISPATCH_NO_BINDING;
    q->steps = d->match == NULL ? 1 : requestmatch_steps(d->match) * (1 + request->match.n_equivalents);
    enum requestmatch_answer match =
        d->n_bindings == 0 ? REQUESTMATCH_NO : match_policy(d, &request->match, &q->as, &err);
    if (match == REQUESTMATCH_NO)
        return;
    cleanup_mem char *problem = paramfind_kind_problem(d->policy, request->params);
    if (match == REQUESTMATCH_FAILED || problem != NULL) {
        q->is_matched = true;
        tell_problem(q, match == REQUESTMATCH_FAILED ? err.msg : problem);
        return;
    }
    for (size_t i = 0; goes_on && i < d->n_bindings; i++) {
        q->binding = i;
        goes_on = ask_binding(q);
    }
}

void asking_deinit(struct asking *q)
{
    json_object_put(q->review);
    json_object_put(q->object);
    json_object_put(q->old_object);
}
