#include "cmd/kubectl-vapcheck/audit/evaluation.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"

void evaluation_findings_deinit(struct evaluation_findings *found)
{
    for (size_t i = 0; i < found->count; i++) {
        mem_free(found->items[i].message);
        mem_free(found->items[i].reason);
        json_object_put(found->items[i].patch);
    }
    mem_free(found->items);
    *found = (struct evaluation_findings){0};
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
            other->validation == f->validation && other->is_after_change == f->is_after_change &&
            other->step == f->step && strcmp(other->message, f->message) == 0 &&
            json_object_equal(other->patch, f->patch) != 0) {
            other->operations |= f->operations;
            return;
        }
    }
    out->items = mem_grow(out->items, out->count, sizeof *out->items);
    struct evaluation_finding *added = &out->items[out->count++];
    *added = *f;
    added->message = mem_strdup(f->message);
    added->reason = mem_strdup(f->reason);
    added->patch = json_object_get(f->patch);
}

/* One policy, one object. */
struct question {
    const struct evaluation *evaluation;
    const struct auditobject *object;
    size_t policy, first; /* of its findings */
    struct evaluation_findings *out;
    bool is_matched, is_unevaluated;
};

/* ---- validating policies ---- */

static void add_answer(struct question *q, const struct trial *t, const struct dispatch_answer *answer)
{
    struct evaluation_finding finding = {
        .policy = q->policy, .operations = t->operation, .is_after_change = t->mutated.object != NULL};
    q->is_matched = q->is_matched || dispatch_is_matched(&answer->asked);
    for (size_t i = 0; i < answer->n_events; i++) {
        const struct dispatch_event *event = &answer->events[i];
        if (event->effect == DISPATCH_ANNOTATE)
            continue;
        finding.effect = effect_of(event);
        finding.binding = event->binding;
        finding.validation = event->validation;
        finding.code = event->code;
        finding.message = event->message;
        finding.reason = event->reason;
        add_finding(q->out, q->first, &finding);
    }
    if (answer->ignored == NULL)
        return;
    cleanup_mem char *reason = mem_strdup("");
    finding.effect = AUDIT_IGNORED;
    finding.binding = DISPATCH_NO_BINDING;
    finding.validation = POLICY_RUN_NO_VALIDATION;
    finding.code = answer->ignored_code;
    finding.message = answer->ignored;
    finding.reason = reason;
    add_finding(q->out, q->first, &finding);
}

static void end_policy(struct rulebook_policy *p, char *take_problem)
{
    rulebook_set_problem(p, take_problem);
    dispatch_free(p->dispatch);
    p->dispatch = NULL;
}

/* Returns true if the answer is the server's. */
static bool take_answer(struct question *q, const struct dispatch_answer *answer, bool is_certain)
{
    const struct surroundings *s = q->evaluation->setting.surroundings;
    struct rulebook_policy *p = &q->evaluation->setting.book->items[q->policy];
    if (answer->missing != NULL) {
        cleanup_mem char *title = auditobject_title(q->object);
        rulebook_set_problem(p, mem_printf("%s: %s%s%s", title, answer->missing_at,
                                           answer->missing_at[0] == '\0' ? "" : ": ", answer->missing));
        q->is_unevaluated = true;
    }
    if (!is_certain)
        rulebook_set_problem(p, mem_printf("not for all objects: %s", s->failure.msg));
    if (answer->steps >= p->steps_left) {
        end_policy(p, mem_strdup("not for all objects: it takes more work than an audit does"));
        return false;
    }
    p->steps_left -= answer->steps;
    return is_certain && answer->missing == NULL;
}

/* It would see what mutating policies make. */
static void leave_out(struct question *q, const struct trial *t)
{
    struct rulebook_policy *p = &q->evaluation->setting.book->items[q->policy];
    const struct requestmatch_endpoint *as;
    if (t->is_unknown && dispatch_may(p->dispatch, &t->request.match, &as))
        rulebook_set_problem(
            p, mem_strdup("not for all objects: what mutating policies make of some is not known"));
}

static void ask(struct question *q, const struct trial *t)
{
    const struct evaluation *e = q->evaluation;
    const struct rulebook_policy *p = &e->setting.book->items[q->policy];
    const size_t n_failures = e->setting.surroundings->n_failures;
    struct dispatch_request request = t->request;
    struct dispatch_answer answer;
    if (p->dispatch == NULL)
        return;
    if (t->is_over) {
        leave_out(q, t);
        return;
    }
    request.max_steps = p->steps_left;
    dispatch_ask(p->dispatch, &request, &answer);
    if (take_answer(q, &answer, !t->has_no_namespace && e->setting.surroundings->n_failures == n_failures))
        add_answer(q, t, &answer);
    dispatch_answer_deinit(&answer);
}

/* ---- mutating policies ---- */

static bool is_told(const struct question *q, enum audit_effect effect)
{
    const struct evaluation *e = q->evaluation;
    return e->is_asked == NULL || e->is_asked[q->policy] ||
           (e->setting.book->items[q->policy].is_beside && effect != AUDIT_CHANGED);
}

/* The message is taken. */
static void tell(struct question *q, struct evaluation_finding *finding, char *take_message)
{
    cleanup_mem char *message = take_message, *reason = mem_strdup("");
    finding->policy = q->policy;
    finding->message = message;
    finding->reason = reason;
    if (is_told(q, finding->effect))
        add_finding(q->out, q->first, finding);
}

static void tell_event(struct question *q, const struct trial *t, const struct mutation_event *event,
                       size_t step)
{
    static const enum audit_effect effects[] = {[MUTATION_CHANGE] = AUDIT_CHANGED,
                                                [MUTATION_DENY] = AUDIT_FAILED,
                                                [MUTATION_IGNORE] = AUDIT_IGNORED,
                                                [MUTATION_UNKNOWN] = AUDIT_UNKNOWN};
    struct evaluation_finding finding = {.effect = effects[event->effect],
                                         .binding = event->binding,
                                         .validation = event->mutation,
                                         .operations = t->operation,
                                         .code = event->code,
                                         .step = event->effect == MUTATION_CHANGE ? step : 0,
                                         .patch = event->patch};
    tell(q, &finding, mem_strdup(event->message));
}

/* About a policy as a whole. */
static void tell_unknown(struct question *q, const struct trial *t, char *take_message)
{
    struct evaluation_finding finding = {.effect = AUDIT_UNKNOWN,
                                         .binding = DISPATCH_NO_BINDING,
                                         .validation = POLICY_RUN_NO_VALIDATION,
                                         .operations = t->operation};
    tell(q, &finding, take_message);
}

static void tell_mutations(struct question *q, const struct trial *t)
{
    const struct mutation_answer *a = &t->mutated;
    if (t->is_unknown && t->why != NULL) {
        if (t->unknown_policy == q->policy)
            tell_unknown(q, t, mem_strdup(t->why));
        return;
    }
    if (a->policies == NULL)
        return;
    q->is_matched = q->is_matched || dispatch_is_matched(&a->policies[q->policy].asked);
    for (size_t i = 0, step = 0; i < a->n_events; i++) {
        step += a->events[i].effect == MUTATION_CHANGE;
        if (a->events[i].policy == q->policy)
            tell_event(q, t, &a->events[i], step);
    }
    size_t first = 0;
    while (first < q->policy && !dispatch_is_matched(&a->policies[first].asked))
        first++;
    if (a->differs != NULL && first == q->policy) /* said once */
        tell_unknown(q, t,
                     mem_printf("it depends on the order of the mutating policies, which no API server "
                                "promises: %s",
                                a->differs));
}

/* ---- the whole ---- */

static void count(struct question *q)
{
    struct rulebook_policy *p = &q->evaluation->setting.book->items[q->policy];
    bool has[AUDIT_EFFECTS] = {false};
    p->n_matched += q->is_matched;
    p->n_unevaluated += q->is_unevaluated;
    for (size_t i = q->first; i < q->out->count; i++)
        has[q->out->items[i].effect] = true;
    for (size_t i = 0; i < AUDIT_EFFECTS; i++)
        p->n_effects[i] += has[i];
    q->out->n_passed += q->is_matched && q->first == q->out->count;
}

/* Asks the mutating policies, or the validating ones, about the trials of an object. */
static void run_policies(const struct evaluation *e, const struct auditobject *object,
                         struct evaluation_findings *out, const struct trial *trials, size_t n_trials,
                         bool is_mutating)
{
    for (size_t i = 0; i < e->setting.book->count; i++) {
        struct question q = {.evaluation = e, .object = object, .policy = i, .first = out->count, .out = out};
        const struct rulebook_policy *p = &e->setting.book->items[i];
        if (p->is_mutating != is_mutating ||
            !(e->is_asked == NULL || e->is_asked[i] || (is_mutating && p->is_beside)))
            continue;
        for (size_t k = 0; k < n_trials; k++) {
            if (is_mutating)
                tell_mutations(&q, &trials[k]);
            else
                ask(&q, &trials[k]);
        }
        count(&q);
    }
}

void evaluation_run(const struct evaluation *e, const struct auditobject *object,
                    struct evaluation_findings *out)
{
    static const unsigned operations[] = {AUDITOBJECT_UPDATE, AUDITOBJECT_CREATE};
    struct trial trials[2];
    size_t count = 0;
    for (size_t i = 0; i < 2; i++) {
        if ((object->route->operations & operations[i]) == 0)
            continue;
        trial_init(&trials[count], &e->setting, object, operations[i]);
        trial_mutate(&trials[count++]);
    }
    run_policies(e, object, out, trials, count, true);
    run_policies(e, object, out, trials, count, false);
    for (size_t i = 0; i < count; i++)
        trial_deinit(&trials[i]);
}
