#include "cmd/kubectl-vapcheck/audit/evaluation.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"

static const char *metadata_of(struct json_object *object, const char *member)
{
    return jsonval_string_or_empty(jsonval_get(object, "metadata"), member);
}

const char *evaluation_namespace(const struct evaluation_object *object)
{
    const char *namespace = metadata_of(object->json, "namespace");
    if (!object->route->is_namespaced)
        return "";
    return namespace[0] == '\0' ? "default" : namespace;
}

void evaluation_findings_deinit(struct evaluation_findings *found)
{
    for (size_t i = 0; i < found->count; i++) {
        mem_free(found->items[i].message);
        mem_free(found->items[i].reason);
    }
    mem_free(found->items);
    *found = (struct evaluation_findings){0};
}

/* ---- requests ---- */

/* A copy whose metadata is its own; the rest is shared. */
static struct json_object *copy_object(struct json_object *object)
{
    struct json_object *copy = json_object_new_object();
    json_object_object_foreach(object, key, value)
    {
        struct json_object *member = json_object_get(value);
        if (strcmp(key, "metadata") == 0 && json_object_is_type(value, json_type_object)) {
            json_object_put(member);
            member = json_object_new_object();
            json_object_object_foreach(value, name, part)
            {
                json_object_object_add(member, name, json_object_get(part));
            }
        }
        json_object_object_add(copy, key, member);
    }
    return copy;
}

/* What a CREATE brings to policies. */
static struct json_object *make_created(const struct evaluation_object *object)
{
    static const char *const dropped[] = {"resourceVersion", "selfLink", "deletionTimestamp",
                                          "deletionGracePeriodSeconds"};
    struct json_object *created = copy_object(object->json);
    struct json_object *metadata = jsonval_get(created, "metadata");
    for (size_t i = 0; i < sizeof dropped / sizeof *dropped && metadata != NULL; i++)
        json_object_object_del(metadata, dropped[i]);
    if (jsonval_get(metadata, "generation") != NULL)
        json_object_object_add(metadata, "generation", json_object_new_int(1));
    if (object->route->has_status && jsonval_get(created, "status") != NULL)
        json_object_object_add(created, "status", json_object_new_object());
    return created;
}

static struct json_object *make_options(const char *kind)
{
    struct json_object *options = json_object_new_object();
    json_object_object_add(options, "apiVersion", json_object_new_string("meta.k8s.io/v1"));
    json_object_object_add(options, "kind", json_object_new_string(kind));
    return options;
}

static struct json_object *convert(void *user, struct json_object *object,
                                   const struct requestmatch_endpoint *as, struct err *err)
{
    return surroundings_object(user, as->group, as->version, as->resource, metadata_of(object, "namespace"),
                               metadata_of(object, "name"), err);
}

static struct policy_run_type find_type(void *user, const char *group, const char *version, const char *kind)
{
    const struct surroundings *s = user;
    return schemas_type(s->schemas, group, version, kind);
}

/* ---- findings ---- */

static enum audit_effect effect_of(const struct dispatch_event *event)
{
    if (event->effect == DISPATCH_WARN)
        return AUDIT_WARNED;
    if (event->effect == DISPATCH_AUDIT)
        return AUDIT_AUDITED;
    return event->is_failure ? AUDIT_FAILED : AUDIT_REFUSED;
}

/* The same finding for the other operation is one. */
static void add_finding(struct evaluation_findings *out, size_t first, const struct evaluation_finding *f)
{
    for (size_t i = first; i < out->count; i++) {
        struct evaluation_finding *other = &out->items[i];
        if (other->effect == f->effect && other->binding == f->binding &&
            other->validation == f->validation && strcmp(other->message, f->message) == 0) {
            other->operations |= f->operations;
            return;
        }
    }
    out->items = mem_grow(out->items, out->count, sizeof *out->items);
    struct evaluation_finding *added = &out->items[out->count++];
    *added = *f;
    added->message = mem_strdup(f->message);
    added->reason = mem_strdup(f->reason);
}

/* One policy, one object. */
struct question {
    const struct evaluation *evaluation;
    const struct evaluation_object *object;
    size_t policy, first; /* of its findings */
    struct evaluation_findings *out;
    bool is_matched;
};

static void add_answer(struct question *q, const struct dispatch_answer *answer, unsigned operation)
{
    struct evaluation_finding finding = {.policy = q->policy, .operations = operation};
    q->is_matched = q->is_matched || answer->is_matched;
    for (size_t i = 0; i < answer->n_events; i++) {
        const struct dispatch_event *event = &answer->events[i];
        if (event->effect == DISPATCH_ANNOTATE)
            continue;
        finding.effect = effect_of(event);
        finding.binding = event->binding;
        finding.validation = event->validation;
        finding.message = event->message;
        finding.reason = event->reason;
        add_finding(q->out, q->first, &finding);
    }
    if (answer->ignored == NULL)
        return;
    finding.effect = AUDIT_IGNORED;
    finding.binding = DISPATCH_NO_BINDING;
    finding.validation = POLICY_RUN_NO_VALIDATION;
    finding.message = answer->ignored;
    cleanup_mem char *reason = mem_strdup("");
    finding.reason = reason;
    add_finding(q->out, q->first, &finding);
}

/* Whether the answer is the server's. */
static bool take_answer(struct question *q, const struct dispatch_answer *answer, size_t n_failures)
{
    const struct surroundings *s = q->evaluation->surroundings;
    struct rulebook_policy *p = &q->evaluation->book->items[q->policy];
    if (answer->missing != NULL) {
        rulebook_set_problem(p, answer->missing_at[0] == '\0'
                                    ? mem_strdup(answer->missing)
                                    : mem_printf("%s: %s", answer->missing_at, answer->missing));
        dispatch_free(p->dispatch);
        p->dispatch = NULL;
        return false;
    }
    if (s->n_failures != n_failures)
        rulebook_set_problem(p, mem_printf("not for all objects: %s", s->failure.msg));
    if (answer->steps >= p->steps_left) {
        rulebook_set_problem(p, mem_strdup("not for all objects: it takes more work than an audit does"));
        dispatch_free(p->dispatch);
        p->dispatch = NULL;
        return false;
    }
    p->steps_left -= answer->steps;
    return s->n_failures == n_failures;
}

static void ask(struct question *q, unsigned operation)
{
    const struct evaluation *e = q->evaluation;
    const struct evaluation_route *route = q->object->route;
    const struct dispatch *d = e->book->items[q->policy].dispatch;
    const bool is_create = operation == EVALUATION_CREATE;
    const size_t n_failures = e->surroundings->n_failures;
    const struct paramfind_source params = surroundings_params(e->surroundings);
    struct json_object *json = q->object->json;
    cleanup_json struct json_object *created = is_create ? make_created(q->object) : NULL;
    cleanup_json struct json_object *options = make_options(is_create ? "CreateOptions" : "UpdateOptions");
    const bool is_namespace =
        route->endpoint.group[0] == '\0' && strcmp(route->endpoint.resource, "namespaces") == 0;
    struct dispatch_answer answer;
    struct dispatch_request request = {
        .match = {.operation = is_create ? "CREATE" : "UPDATE",
                  .endpoint = route->endpoint,
                  .subresource = "",
                  .equivalents = route->equivalents,
                  .n_equivalents = route->n_equivalents,
                  .name = metadata_of(json, "name"),
                  .namespace = is_namespace ? metadata_of(json, "name") : evaluation_namespace(q->object),
                  .object = is_create ? created : json,
                  .old_object = is_create ? NULL : json},
        .stored_as = &route->stored_as,
        .user_info = e->user_info,
        .options = options,
        .params = &params,
        .convert = convert,
        .find_type = find_type,
        .user = e->surroundings,
    };
    struct err err = {0};
    if (!is_namespace && request.match.namespace[0] != '\0')
        request.match.namespace_object =
            surroundings_namespace(e->surroundings, request.match.namespace, &err);
    dispatch_ask(d, &request, &answer);
    if (take_answer(q, &answer, n_failures))
        add_answer(q, &answer, operation);
    dispatch_answer_deinit(&answer);
}

static void count(struct question *q)
{
    struct rulebook_policy *p = &q->evaluation->book->items[q->policy];
    bool has[AUDIT_EFFECTS] = {false};
    p->n_matched += q->is_matched;
    for (size_t i = q->first; i < q->out->count; i++)
        has[q->out->items[i].effect] = true;
    for (size_t i = 0; i < AUDIT_EFFECTS; i++)
        p->n_effects[i] += has[i];
    q->out->n_passed += q->is_matched && q->first == q->out->count;
}

void evaluation_run(const struct evaluation *e, const struct evaluation_object *object,
                    struct evaluation_findings *out)
{
    for (size_t i = 0; i < e->book->count; i++) {
        struct question q = {e, object, i, out->count, out, false};
        if (e->is_asked != NULL && !e->is_asked[i])
            continue;
        if (e->book->items[i].dispatch != NULL && (object->route->operations & EVALUATION_UPDATE) != 0)
            ask(&q, EVALUATION_UPDATE);
        if (e->book->items[i].dispatch != NULL && (object->route->operations & EVALUATION_CREATE) != 0)
            ask(&q, EVALUATION_CREATE);
        count(&q);
    }
}
