#include "controller/apiserver/dispatch/mutation.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsondiff.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/dispatch/asking.h"
#include "controller/apiserver/dispatch/objectchange.h"

#define OTHER_VERSION "this mutating policy and another one see the object in different versions"
#define TOO_MUCH_WORK "the mutating policies take more work for one request than vapcheck does"

/* A policy with a binding and a param, which are evaluated together. */
struct policy_invocation {
    struct asking *asking;
    size_t binding;
    struct json_object *param; /* a reference; NULL: none */
};

struct policy_invocations {
    struct policy_invocation *items;
    size_t count;
};

struct chain {
    const struct dispatch_request *given;
    struct dispatch_request request; /* of this pass */
    struct mutation_answer *answer;
    struct asking *askings; /* of this pass, by policy */
    struct policy_invocations found;
    struct policy_invocations invoked; /* in the first pass, of policies that want to be invoked again */
    struct json_object *first, *object,
        *old_object; /* references; first: before all changes; NULL: none yet */
    struct requestmatch_endpoint as;
    size_t n_bytes; /* the bytes of all objects that were made */
    uint64_t steps;
    bool is_second, is_reversed;
    bool is_mutated; /* a mutation was applied */
    bool is_typed;   /* match conditions asked for typed values in this pass */
    bool is_ended;
};

/* ---- events ---- */

static size_t policy_of(const struct chain *c, const struct asking *q)
{
    return (size_t)(q - c->askings);
}

static struct mutation_event *add_event(struct chain *c, const struct asking *q, enum mutation_effect effect,
                                        struct str message)
{
    struct mutation_answer *a = c->answer;
    a->events = mem_grow(a->events, a->n_events, sizeof *a->events);
    struct mutation_event *e = &a->events[a->n_events++];
    *e = (struct mutation_event){.effect = effect,
                                 .policy = policy_of(c, q),
                                 .binding = q->binding,
                                 .mutation = POLICY_RUN_NO_VALIDATION,
                                 .message = mem_strndup(message.at, message.len)};
    a->is_refused = a->is_refused || effect == MUTATION_DENY;
    a->is_unknown = a->is_unknown || effect == MUTATION_UNKNOWN;
    c->is_ended = c->is_ended || a->is_unknown;
    return e;
}

static void add_problem(struct asking *q, const char *what)
{
    struct chain *c = q->user;
    if (q->is_lost)
        (void)add_event(c, q, MUTATION_UNKNOWN, STR(OTHER_VERSION));
    else if (!q->dispatch->view->policy.ignores_failures)
        (void)add_event(c, q, MUTATION_DENY, str_of(what));
}

static void pay(struct chain *c, const struct asking *q, uint64_t steps)
{
    c->steps += steps;
    c->answer->policies[policy_of(c, q)].steps += steps;
}

/* ---- the policies that are invoked ---- */

static void add_invocation(struct policy_invocations *list, struct asking *q, struct json_object *param)
{
    list->items = mem_grow(list->items, list->count, sizeof *list->items);
    list->items[list->count++] = (struct policy_invocation){q, q->binding, param};
}

static bool add_invocations(struct asking *q, const struct paramfind *params)
{
    struct chain *c = q->user;
    for (size_t i = 0; i < params->count; i++)
        add_invocation(&c->found, q, json_object_get(params->objects[i]));
    return true;
}

/* Compares by policy, binding and param. Both passes have the same array of askings. */
static int compare_invocations(const void *a, const void *b)
{
    static const char *const names[] = {"namespace", "name"};
    const struct policy_invocation *one = a, *other = b;
    if (one->asking != other->asking)
        return one->asking < other->asking ? -1 : 1;
    if (one->binding != other->binding)
        return one->binding < other->binding ? -1 : 1;
    int order = 0;
    for (size_t i = 0; order == 0 && i < 2; i++)
        order = strcmp(jsonval_metadata(one->param, names[i]), jsonval_metadata(other->param, names[i]));
    return order;
}

/* Returns true if the policy is invoked in the second pass, too. */
static bool is_invoked_again(const struct chain *c, const struct policy_invocation *wanted)
{
    return c->invoked.count != 0 &&
           bsearch(wanted, c->invoked.items, c->invoked.count, sizeof *wanted, compare_invocations) != NULL;
}

/* ---- invoking ---- */

static void report_change(struct chain *c, const struct asking *q, struct json_object *before,
                          struct json_object *after)
{
    cleanup_mem char *text = c->given->reports_changes ? objectchange_text(before, after) : mem_strdup("");
    struct mutation_event *e = add_event(c, q, MUTATION_CHANGE, str_of(text));
    if (c->given->reports_changes)
        e->patch = objectchange_patch(before, after);
}

static void take_object(struct chain *c, const struct policy_invocation *v,
                        const struct policy_run_result *result)
{
    cleanup_json struct json_object *before = NULL, *after = NULL;
    struct err err = {0};
    c->n_bytes += result->mutated.len;
    if (result->mutated.len > MUTATION_OBJECT_BYTES || c->n_bytes > MUTATION_CHANGES_BYTES) {
        (void)add_event(c, v->asking, MUTATION_UNKNOWN,
                        STR("the objects that mutating policies make are larger than vapcheck evaluates"));
        return;
    }
    if (jsonval_parse(result->before.at, result->before.len, &before, &err) != 0 ||
        jsonval_parse(result->mutated.at, result->mutated.len, &after, &err) != 0) {
        (void)add_event(c, v->asking, MUTATION_UNKNOWN, str_of(err.msg));
        return;
    }
    if (json_object_equal(before, after) != 0)
        return;
    report_change(c, v->asking, before, after);
    if (c->first == NULL)
        c->first = json_object_get(before);
    json_object_put(c->object);
    c->object = json_object_get(after);
}

/* Returns true if the mutations were evaluated. */
static bool take_decisions(struct chain *c, const struct policy_invocation *v,
                           const struct policy_run_result *result)
{
    bool is_invoked = !result->is_skipped;
    for (size_t i = 0; i < result->decision_count; i++) {
        const struct policy_run_decision *d = &result->decisions[i];
        const enum mutation_effect effect = d->is_denial ? MUTATION_DENY : MUTATION_IGNORE;
        struct mutation_event *e = add_event(c, v->asking, effect, d->message);
        e->mutation = d->validation;
        e->code = d->code;
        is_invoked = is_invoked && d->validation != POLICY_RUN_NO_VALIDATION;
        c->is_ended = c->is_ended || d->is_last;
    }
    return is_invoked;
}

static void take_result(struct chain *c, const struct policy_invocation *v,
                        const struct policy_run_result *result)
{
    struct asking *q = v->asking;
    if (result->missing.len != 0) {
        cleanup_mem char *text =
            mem_printf("%.*s%s%.*s", (int)result->missing_at.len, result->missing_at.at,
                       result->missing_at.len == 0 ? "" : ": ", (int)result->missing.len, result->missing.at);
        (void)add_event(c, q, MUTATION_UNKNOWN, str_of(text));
        return;
    }
    const bool is_invoked = take_decisions(c, v, result);
    if (is_invoked && !c->is_second && q->dispatch->view->policy.is_reinvoked)
        add_invocation(&c->invoked, q, json_object_get(v->param));
    if (result->is_mutated)
        take_object(c, v, result);
    c->is_mutated = c->is_mutated || result->is_mutated;
}

static void invoke(struct chain *c, const struct policy_invocation *v, struct json_object *namespace)
{
    struct asking *q = v->asking;
    const bool is_again = c->is_second && is_invoked_again(c, v);
    const bool has_conditions = q->dispatch->has_conditions;
    struct policy_run_request given = c->request.evaluation;
    if (c->is_second && !is_again && !has_conditions)
        return;
    q->binding = v->binding;
    json_object_put(q->object);
    q->object = json_object_get(c->object);
    given.pass = c->is_second && !is_again ? POLICY_RUN_CONDITIONS_PASS : POLICY_RUN_ONE_PASS;
    given.is_typed_before = c->is_typed;
    if (given.pass == POLICY_RUN_CONDITIONS_PASS) /* a pass that changes nothing */
        given.expected = STR("");
    struct dispatch_evaluation *made = asking_evaluate(q, &given, v->param, namespace);
    made->is_again = c->is_second;
    pay(c, q, 1 + made->result.arena.steps);
    take_result(c, v, &made->result);
    c->is_typed = c->is_typed || has_conditions;
    if (c->request.keeps_evaluations)
        asking_keep_evaluation(&c->answer->evaluations, made);
    else
        asking_free_evaluation(made);
}

/* ---- a pass ---- */

static void find(struct chain *c, const struct dispatch *const *policies)
{
    for (size_t i = 0; i < c->answer->n_policies; i++) {
        struct asking *q = &c->askings[i];
        struct mutation_policy *p = &c->answer->policies[i];
        *q = (struct asking){.dispatch = policies[i],
                             .request = &c->request,
                             .on_problem = add_problem,
                             .on_params = add_invocations,
                             .user = c};
        if (policies[i] != NULL)
            asking_run(q);
        if (!c->is_second) {
            p->asked = q->asked;
            q->asked.problem = NULL;
        }
        pay(c, q, q->steps);
    }
}

/* Makes the object that all policies see. Returns false if it is not known. */
static bool begin(struct chain *c)
{
    const struct policy_invocation *first = &c->found.items[0];
    for (size_t i = 1; i < c->found.count; i++) {
        if (!requestmatch_is_same_version(first->asking->as, c->found.items[i].asking->as)) {
            c->found.items[i].asking->binding = c->found.items[i].binding;
            (void)add_event(c, c->found.items[i].asking, MUTATION_UNKNOWN, STR(OTHER_VERSION));
            return false;
        }
    }
    if (c->is_second)
        return true;
    c->as = *first->asking->as;
    c->object = json_object_get(first->asking->object);
    c->old_object = json_object_get(first->asking->old_object);
    return true;
}

static void run_pass(struct chain *c, const struct dispatch *const *policies)
{
    struct json_object *namespace = NULL;
    struct err err = {0};
    find(c, policies);
    c->is_typed = false;
    if (c->found.count == 0 || c->is_ended || !begin(c))
        return;
    if (asking_namespace(c->found.items[0].asking, &namespace, &err) != 0) {
        (void)add_event(c, c->found.items[0].asking, MUTATION_DENY, str_of(err.msg));
        return;
    }
    for (size_t i = 0; !c->is_ended && i < c->found.count; i++) {
        const struct policy_invocation *v = &c->found.items[c->is_reversed ? c->found.count - 1 - i : i];
        if (c->given->max_steps == 0 || c->steps < c->given->max_steps)
            invoke(c, v, namespace);
        else
            (void)add_event(c, v->asking, MUTATION_UNKNOWN, STR(TOO_MUCH_WORK));
    }
}

static void forget_invocations(struct policy_invocations *list)
{
    for (size_t i = 0; i < list->count; i++)
        json_object_put(list->items[i].param);
    mem_free(list->items);
    *list = (struct policy_invocations){NULL, 0};
}

static void end_pass(struct chain *c)
{
    forget_invocations(&c->found);
    for (size_t i = 0; i < c->answer->n_policies; i++)
        asking_deinit(&c->askings[i]);
}

/* ---- the whole ---- */

static void free_event(struct mutation_event *e)
{
    mem_free(e->message);
    json_object_put(e->patch);
}

/* Drops the changes of a request that does not change the object after all. */
static void drop_changes(struct mutation_answer *a)
{
    size_t kept = 0;
    for (size_t i = 0; i < a->n_events; i++) {
        if (a->events[i].effect == MUTATION_CHANGE)
            free_event(&a->events[i]);
        else
            a->events[kept++] = a->events[i];
    }
    a->n_events = kept;
}

static void finish(struct chain *c)
{
    struct mutation_answer *a = c->answer;
    const bool is_changed =
        !a->is_refused && !a->is_unknown && c->first != NULL && json_object_equal(c->first, c->object) == 0;
    if (is_changed) {
        a->object = json_object_get(c->object);
        a->old_object = json_object_get(c->old_object);
        a->as = c->as;
    } else {
        drop_changes(a);
    }
    forget_invocations(&c->invoked);
    json_object_put(c->first);
    json_object_put(c->object);
    json_object_put(c->old_object);
    mem_free(c->askings);
}

/* Returns true if the order of what was invoked can matter. */
static bool run(const struct dispatch *const *policies, size_t count, const struct dispatch_request *request,
                bool is_reversed, struct mutation_answer *answer)
{
    struct chain c = {.given = request, .request = *request, .answer = answer, .is_reversed = is_reversed};
    *answer = (struct mutation_answer){.n_policies = count};
    answer->policies = mem_array(count, sizeof *answer->policies);
    c.askings = mem_array(count, sizeof *c.askings);
    if (is_reversed) {
        c.request.keeps_evaluations = false;
        c.request.evaluation.observer = NULL;
    }
    run_pass(&c, policies);
    const bool has_order = c.found.count > 1 && c.is_mutated;
    end_pass(&c);
    if (c.is_mutated && !c.is_ended && !answer->is_refused) {
        c.is_second = true;
        if (c.invoked.count != 0)
            qsort(c.invoked.items, c.invoked.count, sizeof *c.invoked.items, compare_invocations);
        c.request.match.object = c.object;
        c.request.match.old_object = c.old_object;
        c.request.stored_as = &c.as;
        c.request.convert = NULL; /* nobody converts what the policies made */
        run_pass(&c, policies);
        end_pass(&c);
    }
    finish(&c);
    return has_order && !answer->is_refused && !answer->is_unknown;
}

static void keep_first(void *user, const struct jsondiff *d)
{
    char **text = user;
    if (*text != NULL)
        return;
    cleanup_mem char *one = jsondiff_value(d->has_before, d->before);
    cleanup_mem char *other = jsondiff_value(d->has_after, d->after);
    *text = mem_printf("%s becomes %s, and %s in the reverse order", d->path, one, other);
}

static char *compare_answers(const struct mutation_answer *a, const struct mutation_answer *reverse)
{
    char *text = NULL;
    for (size_t i = 0; i < reverse->n_events && (reverse->is_refused || reverse->is_unknown); i++) {
        const struct mutation_event *e = &reverse->events[i];
        if (e->effect == MUTATION_DENY || e->effect == MUTATION_UNKNOWN)
            return mem_printf("the reverse order fails: %s", e->message);
    }
    if (a->object != NULL && reverse->object != NULL)
        jsondiff_walk(a->object, reverse->object, keep_first, &text);
    else if (a->object != NULL || reverse->object != NULL)
        text = mem_strdup("only one order of them changes the object");
    return text;
}

void mutation_ask(const struct dispatch *const *policies, size_t count,
                  const struct dispatch_request *request, struct mutation_answer *answer)
{
    struct mutation_answer reverse;
    if (!run(policies, count, request, false, answer))
        return;
    (void)run(policies, count, request, true, &reverse);
    answer->differs = compare_answers(answer, &reverse);
    for (size_t i = 0; i < count; i++)
        answer->policies[i].steps += reverse.policies[i].steps;
    mutation_answer_deinit(&reverse);
}

void mutation_answer_deinit(struct mutation_answer *answer)
{
    for (size_t i = 0; i < answer->n_events; i++)
        free_event(&answer->events[i]);
    mem_free(answer->events);
    for (size_t i = 0; i < answer->n_policies; i++)
        mem_free(answer->policies[i].asked.problem);
    mem_free(answer->policies);
    asking_free_evaluations(&answer->evaluations);
    mem_free(answer->differs);
    json_object_put(answer->object);
    json_object_put(answer->old_object);
    *answer = (struct mutation_answer){0};
}
