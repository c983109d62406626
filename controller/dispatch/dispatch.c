#include "controller/dispatch/dispatch.h"

#include <string.h>

#include "client/base/groupversion.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"

/* dispatcher.go, maxAuditAnnotationValueLength */
enum { ANNOTATION_MAX_BYTES = 10 * 1024 };

struct binding {
    struct json_object *json; /* NULL: of everything */
    struct requestmatch *match;
};

struct dispatch {
    struct json_object *policy;
    struct requestmatch *match; /* NULL: the policy has no constraints */
    struct binding *bindings;
    size_t n_bindings;
    struct policy_run_named *match_conditions, *variables, *annotations; /* texts are the JSON's */
    struct policy_run_validation *validations;
    struct policy_run_policy runnable; /* of these */
    struct policy_run *run;
};

/* ---- reading a policy ---- */

static struct str text_of(struct json_object *object, const char *member)
{
    struct json_object *value = jsonval_get(object, member);
    const char *text = jsonval_text(value);
    return text == NULL ? STR("") : (struct str){text, (size_t)json_object_get_string_len(value)};
}

static struct policy_run_named *read_named(struct json_object *spec, const char *list, const char *name,
                                           const char *expression, size_t *count)
{
    struct json_object *array = jsonval_array(spec, list);
    *count = jsonval_length(array);
    struct policy_run_named *named = mem_array(*count, sizeof *named);
    for (size_t i = 0; i < *count; i++) {
        struct json_object *from = jsonval_at(array, i);
        named[i] = (struct policy_run_named){text_of(from, name), text_of(from, expression)};
    }
    return named;
}

static struct policy_run_validation *read_validations(struct json_object *spec, size_t *count)
{
    struct json_object *array = jsonval_array(spec, "validations");
    *count = jsonval_length(array);
    struct policy_run_validation *validations = mem_array(*count, sizeof *validations);
    for (size_t i = 0; i < *count; i++) {
        struct json_object *from = jsonval_at(array, i);
        validations[i] = (struct policy_run_validation){
            .expression = text_of(from, "expression"),
            .message = text_of(from, "message"),
            .message_expression = text_of(from, "messageExpression"),
            .reason = text_of(from, "reason"),
        };
    }
    return validations;
}

static void read_policy(struct dispatch *d)
{
    struct json_object *spec = jsonval_get(d->policy, "spec");
    struct policy_run_policy *p = &d->runnable;
    d->match_conditions =
        read_named(spec, "matchConditions", "name", "expression", &p->match_condition_count);
    d->variables = read_named(spec, "variables", "name", "expression", &p->variable_count);
    d->annotations =
        read_named(spec, "auditAnnotations", "key", "valueExpression", &p->audit_annotation_count);
    d->validations = read_validations(spec, &p->validation_count);
    p->match_conditions = d->match_conditions;
    p->variables = d->variables;
    p->audit_annotations = d->annotations;
    p->validations = d->validations;
    p->has_params = jsonval_get(spec, "paramKind") != NULL;
    p->ignores_failures = jsonval_is(spec, "failurePolicy", "Ignore");
}

int dispatch_new(struct json_object *policy, const struct env *env, struct dispatch **out, struct err *err)
{
    struct json_object *constraints = jsonval_get(jsonval_get(policy, "spec"), "matchConstraints");
    struct dispatch *d = mem_zalloc(sizeof *d);
    *out = NULL;
    d->policy = json_object_get(policy);
    if (constraints != NULL && requestmatch_new(constraints, &d->match, err) != 0) {
        dispatch_free(d);
        return -1;
    }
    read_policy(d);
    d->run = policy_run_new(env, &d->runnable);
    if (d->run == NULL) {
        dispatch_free(d);
        return err_set(err, ERR_LIMIT, "no memory for a policy's expressions");
    }
    *out = d;
    return 0;
}

int dispatch_bind(struct dispatch *d, struct json_object *binding, struct err *err)
{
    struct requestmatch *match;
    if (requestmatch_new(jsonval_get(jsonval_get(binding, "spec"), "matchResources"), &match, err) != 0)
        return -1;
    d->bindings = mem_grow(d->bindings, d->n_bindings, sizeof *d->bindings);
    d->bindings[d->n_bindings++] = (struct binding){json_object_get(binding), match};
    return 0;
}

void dispatch_free(struct dispatch *d)
{
    if (d == NULL)
        return;
    policy_run_free(d->run);
    for (size_t i = 0; i < d->n_bindings; i++) {
        json_object_put(d->bindings[i].json);
        requestmatch_free(d->bindings[i].match);
    }
    mem_free(d->bindings);
    requestmatch_free(d->match);
    mem_free(d->match_conditions);
    mem_free(d->variables);
    mem_free(d->annotations);
    mem_free(d->validations);
    json_object_put(d->policy);
    mem_free(d);
}

/* ---- events ---- */

struct asking {
    const struct dispatch *dispatch;
    const struct dispatch_request *request;
    struct dispatch_answer *answer;
    const struct requestmatch_endpoint *as;  /* the version that the policy sees */
    struct json_object *review;              /* `request`; NULL: not made yet */
    struct json_object *object, *old_object; /* in that version; NULL: not converted yet, or there is none */
    bool is_converted;
    size_t binding;
};

static struct dispatch_event *add_event(struct asking *q, enum dispatch_effect effect, struct str message)
{
    struct dispatch_answer *a = q->answer;
    a->events = mem_grow(a->events, a->n_events, sizeof *a->events);
    struct dispatch_event *e = &a->events[a->n_events++];
    *e = (struct dispatch_event){.effect = effect,
                                 .binding = q->binding,
                                 .validation = POLICY_RUN_NO_VALIDATION,
                                 .message = mem_strndup(message.at, message.len),
                                 .reason = mem_strdup("Invalid"),
                                 .key = mem_strdup("")};
    return e;
}

/* What is wrong with the policy or a binding of it, which failurePolicy may ignore. */
static void add_config_error(struct asking *q, const char *what)
{
    if (q->dispatch->runnable.ignores_failures)
        return;
    cleanup_mem char *text = mem_printf("failed to configure %s: %s",
                                        q->binding == DISPATCH_NO_BINDING ? "policy" : "binding", what);
    add_event(q, DISPATCH_DENY, str_of(text))->is_failure = true;
}

static void set_text(char **text, struct str to)
{
    mem_free(*text);
    *text = mem_strndup(to.at, to.len);
}

static void add_decision(struct asking *q, const struct policy_run_decision *d)
{
    static const struct {
        const char *action;
        enum dispatch_effect effect;
    } actions[] = {{"Deny", DISPATCH_DENY}, {"Warn", DISPATCH_WARN}, {"Audit", DISPATCH_AUDIT}};
    static const char *const denies[] = {"Deny"};
    struct json_object *json = q->dispatch->bindings[q->binding].json;
    struct json_object *list = jsonval_array(jsonval_get(json, "spec"), "validationActions");
    if (d->outcome == POLICY_RUN_FAILED && !d->is_denial && q->answer->ignored == NULL)
        q->answer->ignored = mem_strndup(d->message.at, d->message.len);
    for (size_t i = 0; d->is_denial && i < (json == NULL ? 1 : jsonval_length(list)); i++) {
        const char *action = json == NULL ? denies[i] : jsonval_text_at(list, i);
        for (size_t j = 0; j < sizeof actions / sizeof *actions; j++) {
            if (strcmp(action, actions[j].action) != 0)
                continue;
            struct dispatch_event *e = add_event(q, actions[j].effect, d->message);
            e->validation = d->validation;
            e->is_failure = d->outcome == POLICY_RUN_FAILED;
            if (d->reason.len != 0)
                set_text(&e->reason, d->reason);
        }
    }
}

static void add_annotation(struct asking *q, const struct policy_run_annotation *a)
{
    struct str value = a->text;
    if (a->publication == POLICY_RUN_ANNOTATION_FAILED) {
        add_event(q, DISPATCH_DENY, value)->is_failure = true;
    } else if (a->publication == POLICY_RUN_PUBLISHED) {
        if (value.len > ANNOTATION_MAX_BYTES)
            value.len = ANNOTATION_MAX_BYTES;
        set_text(&add_event(q, DISPATCH_ANNOTATE, value)->key, a->key);
    }
}

/* ---- the request ---- */

static void put_text(struct json_object *object, const char *name, const char *text)
{
    json_object_object_add(object, name, json_object_new_string(text));
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
    json_object_object_add(review, "kind", kind_of(q->as));
    json_object_object_add(review, "resource", resource_of(q->as));
    json_object_object_add(review, "requestKind", kind_of(&r->endpoint));
    json_object_object_add(review, "requestResource", resource_of(&r->endpoint));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (texts[i].text[0] != '\0')
            put_text(review, texts[i].name, texts[i].text);
    }
    put_text(review, "operation", r->operation);
    json_object_object_add(review, "userInfo",
                           q->request->user_info == NULL ? json_object_new_object()
                                                         : json_object_get(q->request->user_info));
    json_object_object_add(review, "dryRun", json_object_new_boolean(q->request->is_dry_run));
    if (q->request->options != NULL)
        json_object_object_add(review, "options", json_object_get(q->request->options));
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
    bool is_same = strcmp(q->as->group, stored->group) == 0 && strcmp(q->as->version, stored->version) == 0;
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

/* ---- evaluating ---- */

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

static void evaluate(struct asking *q, struct json_object *params, struct json_object *namespace)
{
    struct policy_run_result result;
    if (q->review == NULL)
        q->review = make_review(q);
    const struct policy_run_request request = {
        .object = json_text(q->object),
        .old_object = json_text(q->old_object),
        .params = json_text(params),
        .request = json_text(q->review),
        .namespace_object = json_text(namespace),
        .object_type = find_type(q, q->as->kind_group, q->as->kind_version, q->as->kind),
        .params_type = find_type_of(q, params),
    };
    policy_run_evaluate(q->dispatch->run, &request, &result);
    if (result.missing.len != 0) {
        q->answer->missing = mem_strndup(result.missing.at, result.missing.len);
        q->answer->missing_at = mem_strndup(result.missing_at.at, result.missing_at.len);
    }
    q->answer->steps += result.match_condition_cost + result.cost + result.annotation_cost;
    for (size_t i = 0; i < result.decision_count; i++)
        add_decision(q, &result.decisions[i]);
    for (size_t i = 0; i < result.annotation_count; i++)
        add_annotation(q, &result.annotations[i]);
    policy_run_result_deinit(&result);
}

/* A Namespace is no namespace of itself here. */
static int find_namespace(struct asking *q, struct json_object **out, struct err *err)
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

static void ask_with_params(struct asking *q, const struct paramfind *params)
{
    struct json_object *namespace;
    struct err err = {0};
    if (params->count > 0 && convert_objects(q, &err) != 0) {
        add_config_error(q, err.msg);
    } else if (find_namespace(q, &namespace, &err) != 0) {
        add_event(q, DISPATCH_DENY, str_of(err.msg))->is_failure = true;
    } else {
        for (size_t i = 0; q->answer->missing == NULL && i < params->count; i++)
            evaluate(q, params->objects[i], namespace);
    }
}

static void ask_binding(struct asking *q)
{
    const struct binding *b = &q->dispatch->bindings[q->binding];
    const struct requestmatch_request *r = &q->request->match;
    struct paramfind params = {0};
    struct err err = {0};
    q->answer->steps += requestmatch_steps(b->match) * (1 + r->n_equivalents);
    enum requestmatch_answer match = requestmatch_ask(b->match, r, NULL, &err);
    if (match == REQUESTMATCH_NO)
        return;
    q->answer->is_matched = true;
    if (match == REQUESTMATCH_FAILED)
        add_config_error(q, err.msg);
    else if (paramfind_run(q->dispatch->policy, b->json, r->namespace, q->request->params, &params, &err) !=
             0)
        add_config_error(q, err.msg);
    else
        ask_with_params(q, &params);
    paramfind_deinit(&params);
}

bool dispatch_may(const struct dispatch *d, const struct requestmatch_request *request,
                  const struct requestmatch_endpoint **as)
{
    return d->match != NULL && !requestmatch_is_exempt(request->endpoint.group, request->endpoint.resource) &&
           requestmatch_may(d->match, request, as);
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

void dispatch_ask(const struct dispatch *d, const struct dispatch_request *request,
                  struct dispatch_answer *answer)
{
    struct asking q = {.dispatch = d, .request = request, .answer = answer, .binding = DISPATCH_NO_BINDING};
    struct err err = {0};
    *answer = (struct dispatch_answer){0};
    answer->steps = d->match == NULL ? 1 : requestmatch_steps(d->match) * (1 + request->match.n_equivalents);
    enum requestmatch_answer match =
        d->n_bindings == 0 ? REQUESTMATCH_NO : match_policy(d, &request->match, &q.as, &err);
    if (match == REQUESTMATCH_NO)
        return;
    cleanup_mem char *problem = paramfind_kind_problem(d->policy, request->params);
    if (match == REQUESTMATCH_FAILED || problem != NULL) {
        answer->is_matched = true;
        add_config_error(&q, match == REQUESTMATCH_FAILED ? err.msg : problem);
        return;
    }
    for (size_t i = 0; answer->missing == NULL && i < d->n_bindings; i++) {
        q.binding = i;
        ask_binding(&q);
    }
    json_object_put(q.review);
    json_object_put(q.object);
    json_object_put(q.old_object);
}

void dispatch_answer_deinit(struct dispatch_answer *answer)
{
    for (size_t i = 0; i < answer->n_events; i++) {
        mem_free(answer->events[i].message);
        mem_free(answer->events[i].reason);
        mem_free(answer->events[i].key);
    }
    mem_free(answer->events);
    mem_free(answer->missing);
    mem_free(answer->missing_at);
    mem_free(answer->ignored);
    *answer = (struct dispatch_answer){0};
}

/* ---- texts ---- */

static const char *name_of(struct json_object *object)
{
    return jsonval_string_or_empty(jsonval_get(object, "metadata"), "name");
}

char *dispatch_event_text(const struct dispatch *d, const struct dispatch_event *event)
{
    const char *policy = name_of(d->policy);
    if (event->binding == DISPATCH_NO_BINDING)
        return mem_printf("ValidatingAdmissionPolicy '%s' denied request: %s", policy, event->message);
    const char *binding = name_of(d->bindings[event->binding].json);
    if (event->effect == DISPATCH_DENY)
        return mem_printf("ValidatingAdmissionPolicy '%s' with binding '%s' denied request: %s", policy,
                          binding, event->message);
    return mem_printf("Validation failed for ValidatingAdmissionPolicy '%s' with binding '%s': %s", policy,
                      binding, event->message);
}

int dispatch_event_code(const struct dispatch_event *event)
{
    static const struct {
        const char *reason;
        int code;
    } codes[] = {{"Forbidden", 403}, {"Unauthorized", 401}, {"RequestEntityTooLarge", 413}};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        if (strcmp(event->reason, codes[i].reason) == 0)
            return codes[i].code;
    }
    return 422;
}
