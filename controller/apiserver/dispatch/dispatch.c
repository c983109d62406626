#include "controller/apiserver/dispatch/dispatch.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/dispatch/asking.h"

/* dispatcher.go, maxAuditAnnotationValueLength */
enum { ANNOTATION_MAX_BYTES = 10 * 1024 };

/* ---- a policy ---- */

static bool has_conditions(const struct policy *p)
{
    size_t i = 0;
    while (i < p->count && p->expressions[i].place != POLICY_MATCH_CONDITION)
        i++;
    return i < p->count;
}

/* An item of a list of a server has no kind. */
static enum policyview_kind kind_of(struct json_object *policy)
{
    return jsonval_get(jsonval_get(policy, "spec"), "mutations") == NULL ? POLICYVIEW_VALIDATING
                                                                         : POLICYVIEW_MUTATING;
}

/* Takes the policy. */
static int make(struct json_object *take_policy, int webhook_minor, const struct env *env,
                struct dispatch **out, struct err *err)
{
    struct json_object *constraints = jsonval_get(jsonval_get(take_policy, "spec"), "matchConstraints");
    struct dispatch *d = mem_zalloc(sizeof *d);
    *out = NULL;
    d->policy = take_policy;
    d->webhook_minor = webhook_minor;
    if (policyview_new_of(kind_of(take_policy), take_policy, &d->view, err) != 0 ||
        (constraints != NULL && requestmatch_new(constraints, &d->match, err) != 0)) {
        dispatch_free(d);
        return -1;
    }
    d->has_conditions = has_conditions(&d->view->policy);
    d->run = policy_run_new(env, &d->view->policy);
    if (d->run == NULL) {
        dispatch_free(d);
        return err_set(err, ERR_LIMIT, "no memory for a policy's expressions");
    }
    *out = d;
    return 0;
}

int dispatch_new(struct json_object *policy, const struct env *env, struct dispatch **out, struct err *err)
{
    return make(json_object_get(policy), 0, env, out, err);
}

/* A policy has in matchConstraints what a webhook has in four fields. */
static struct json_object *policy_of_webhook(struct json_object *webhook)
{
    static const char *const fields[][2] = {{"rules", "resourceRules"},
                                            {"matchPolicy", "matchPolicy"},
                                            {"namespaceSelector", "namespaceSelector"},
                                            {"objectSelector", "objectSelector"}};
    static const char *const same[] = {"matchConditions", "failurePolicy"};
    struct json_object *policy = json_object_new_object(), *spec = json_object_new_object(),
                       *constraints = json_object_new_object();
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        jsonval_set(constraints, fields[i][1], json_object_get(jsonval_get(webhook, fields[i][0])));
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        jsonval_set(spec, same[i], json_object_get(jsonval_get(webhook, same[i])));
    jsonval_set(spec, "matchConstraints", constraints);
    jsonval_set(policy, "spec", spec);
    return policy;
}

int dispatch_new_webhook(struct json_object *webhook, int minor, const struct env *env, struct dispatch **out,
                         struct err *err)
{
    return make(policy_of_webhook(webhook), minor, env, out, err);
}

const struct policy *dispatch_policy(const struct dispatch *d)
{
    return &d->view->policy;
}

const struct policy_run *dispatch_run(const struct dispatch *d)
{
    return d->run;
}

int dispatch_bind(struct dispatch *d, struct json_object *binding, struct err *err)
{
    struct requestmatch *match;
    if (requestmatch_new(jsonval_get(jsonval_get(binding, "spec"), "matchResources"), &match, err) != 0)
        return -1;
    d->bindings = mem_grow(d->bindings, d->n_bindings, sizeof *d->bindings);
    d->bindings[d->n_bindings++] = (struct dispatch_binding){json_object_get(binding), match};
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
    policyview_free(d->view);
    json_object_put(d->policy);
    mem_free(d);
}

/* ---- events ---- */

struct dispatching {
    struct dispatch_answer *answer;
    struct dispatch_evaluation *last; /* the last evaluation; NULL if there is none, or the answer has it */
};

static struct dispatch_answer *answer_of(const struct asking *q)
{
    const struct dispatching *d = q->user;
    return d->answer;
}

static struct dispatch_event *add_event(struct asking *q, enum dispatch_effect effect, struct str message)
{
    struct dispatch_answer *a = answer_of(q);
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

static void add_problem(struct asking *q, const char *what)
{
    if (!q->dispatch->view->policy.ignores_failures)
        add_event(q, DISPATCH_DENY, str_of(what))->is_failure = true;
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
    struct dispatch_answer *answer = answer_of(q);
    if (d->outcome == POLICY_RUN_FAILED && !d->is_denial && answer->ignored == NULL) {
        answer->ignored = mem_strndup(d->message.at, d->message.len);
        answer->ignored_code = d->code;
    }
    if (!d->is_denial)
        return;
    struct json_object *json = q->dispatch->bindings[q->binding].json;
    struct json_object *list = jsonval_array(jsonval_get(json, "spec"), "validationActions");
    for (size_t i = 0; i < (json == NULL ? 1 : jsonval_length(list)); i++) {
        const char *action = json == NULL ? denies[i] : jsonval_text_at(list, i);
        for (size_t j = 0; j < sizeof actions / sizeof *actions; j++) {
            if (strcmp(action, actions[j].action) != 0)
                continue;
            struct dispatch_event *e = add_event(q, actions[j].effect, d->message);
            e->validation = d->validation;
            e->is_failure = d->outcome == POLICY_RUN_FAILED;
            e->code = d->code;
            if (d->reason.len != 0)
                set_text(&e->reason, d->reason);
        }
    }
}

static void add_annotation(struct asking *q, const struct policy_run_annotation *a)
{
    struct str value = a->text;
    if (a->publication == POLICY_RUN_ANNOTATION_FAILED) {
        struct dispatch_event *e = add_event(q, DISPATCH_DENY, value);
        e->is_failure = true;
        e->code = a->code;
    } else if (a->publication == POLICY_RUN_PUBLISHED) {
        if (value.len > ANNOTATION_MAX_BYTES)
            value.len = ANNOTATION_MAX_BYTES;
        set_text(&add_event(q, DISPATCH_ANNOTATE, value)->key, a->key);
    }
}

/* ---- evaluating ---- */

/* The evaluation with the same params for another binding, which makes the same; NULL: there is none. */
static const struct dispatch_evaluation *find_evaluation(const struct asking *q,
                                                         const struct json_object *params)
{
    const struct dispatching *d = q->user;
    const struct dispatch_evaluations *kept = &d->answer->evaluations;
    for (size_t i = 0; i < kept->count; i++) {
        if (kept->items[i]->params == params)
            return kept->items[i];
    }
    return d->last != NULL && d->last->params == params ? d->last : NULL;
}

static const struct dispatch_evaluation *make_evaluation(struct asking *q, struct json_object *params,
                                                         struct json_object *namespace)
{
    struct dispatching *d = q->user;
    struct dispatch_evaluation *made = asking_evaluate(q, &q->request->evaluation, params, namespace);
    const struct policy_run_result *result = &made->result;
    d->answer->steps += result->arena.steps;
    if (result->missing.len != 0) {
        d->answer->missing = mem_strndup(result->missing.at, result->missing.len);
        d->answer->missing_at = mem_strndup(result->missing_at.at, result->missing_at.len);
    }
    asking_free_evaluation(d->last);
    d->last = q->request->keeps_evaluations ? NULL : made;
    if (q->request->keeps_evaluations)
        asking_keep_evaluation(&d->answer->evaluations, made);
    return made;
}

static void evaluate(struct asking *q, struct json_object *params, struct json_object *namespace)
{
    const struct dispatch_evaluation *e = find_evaluation(q, params);
    if (e == NULL)
        e = make_evaluation(q, params, namespace);
    answer_of(q)->steps++;
    for (size_t i = 0; i < e->result.decision_count; i++)
        add_decision(q, &e->result.decisions[i]);
    for (size_t i = 0; i < e->result.annotation_count; i++)
        add_annotation(q, &e->result.annotations[i]);
}

static bool may_go_on(const struct asking *q)
{
    const struct dispatch_answer *answer = answer_of(q);
    const uint64_t max = q->request->max_steps;
    return answer->missing == NULL && (max == 0 || answer->steps + q->steps < max);
}

static bool evaluate_all(struct asking *q, const struct paramfind *params)
{
    struct json_object *namespace;
    struct err err = {0};
    if (asking_namespace(q, &namespace, &err) != 0) {
        add_event(q, DISPATCH_DENY, str_of(err.msg))->is_failure = true;
        return true;
    }
    for (size_t i = 0; i < params->count && may_go_on(q); i++)
        evaluate(q, params->objects[i], namespace);
    return may_go_on(q);
}

bool dispatch_may(const struct dispatch *d, const struct requestmatch_request *request,
                  const struct requestmatch_endpoint **as)
{
    return d->match != NULL && !requestmatch_is_exempt(request->endpoint.group, request->endpoint.resource) &&
           requestmatch_may(d->match, request, as);
}

void dispatch_ask(const struct dispatch *d, const struct dispatch_request *request,
                  struct dispatch_answer *answer)
{
    struct dispatching dispatching = {.answer = answer};
    struct asking q = {.dispatch = d,
                       .request = request,
                       .on_problem = add_problem,
                       .on_params = evaluate_all,
                       .user = &dispatching};
    *answer = (struct dispatch_answer){0};
    asking_run(&q);
    answer->asked = q.asked;
    q.asked.problem = NULL;
    answer->steps += q.steps;
    asking_free_evaluation(dispatching.last);
    asking_deinit(&q);
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
    mem_free(answer->asked.problem);
    asking_free_evaluations(&answer->evaluations);
    *answer = (struct dispatch_answer){0};
}

/* ---- texts ---- */

char *dispatch_event_text(const struct dispatch *d, const struct dispatch_event *event)
{
    const char *policy = jsonval_metadata(d->policy, "name");
    if (event->binding == DISPATCH_NO_BINDING)
        return mem_printf("ValidatingAdmissionPolicy '%s' denied request: %s", policy, event->message);
    const char *binding = jsonval_metadata(d->bindings[event->binding].json, "name");
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
