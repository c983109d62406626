/* hints.h for policies and webhook configurations, and what is found. */
#include "controller/hints/hints.h"

#include <string.h>

#include "bytes/budget.h"
#include "client/base/mem.h"
#include "controller/findings/suppress.h"
#include "controller/hints/hints_search.h"
#include "typecheck/compile.h"

enum {
    TRIAL_STEPS = 2000,       /* the cost of beginning and ending a trial */
    SLICE_STEPS = 100 * 1000, /* after so many, a trial that is lost ends */
};

/* The expressions of a policy, or of one webhook, of which one is tried. */
struct unit {
    const struct hints_cluster *cluster;
    const struct policyview *policy;
    const struct check_result
        *result;                    /* what a check found of the policy as it is; NULL: no trial can use it */
    size_t expression;              /* of the policy's */
    struct policy_expression *list; /* as the API server compiles them: variables, then the one */
    struct policy compiled;         /* the policy of these, */
    size_t compiled_at;             /* where the text under trial is among them, */
    struct create_check_run *create; /* and its check; NULL: none is under way */
    struct policy_expression *shown; /* those that scope full needs for the one */
    struct str *variables;
    size_t n_variables;
    struct policyview trial;        /* the policy with the text under trial in place of the one, */
    size_t tried;                   /* where that is among its expressions, */
    struct check *check;            /* and its check; NULL: none is under way */
    struct finding_set ignored;     /* by the policy's annotation */
    const struct repair *candidate; /* under trial; NULL: the text is the policy's own */
    bool is_lost;                   /* hints_trial_is_lost */
};

struct hints_run {
    struct hints_cluster cluster;
    const struct policyview *policy;
    const struct check_result *result; /* of a check of the policy; NULL: there was none */
    struct keymap wanted;              /* the fields for whose expressions a hint is looked for */
    uint64_t max_steps, left;
    size_t n_units, at; /* at: the unit under way */
    bool has_unit;
    struct unit unit;
    struct hints_search_run *search; /* of the unit's expression; NULL: none is under way */
    struct hints found;
};

/* Lists the variables, and behind them the expression with this text, or with the text in place of its own if
 * it is a variable: as much as the API server compiles at create before it knows the expression. */
static void list_compiled(struct unit *u, struct str text)
{
    const struct policy *p = &u->policy->policy;
    struct policy_expression one = p->expressions[u->expression];
    size_t count = 0;
    one.text = text;
    for (size_t i = 0; i < p->count; i++) {
        if (p->expressions[i].place != POLICY_VARIABLE)
            continue;
        if (i == u->expression)
            u->compiled_at = count;
        u->list[count++] = i == u->expression ? one : p->expressions[i];
    }
    if (one.place != POLICY_VARIABLE) {
        u->compiled_at = count;
        u->list[count++] = one;
    }
    u->compiled = *p;
    u->compiled.expressions = u->list;
    u->compiled.count = count;
}

static void begin_create(struct unit *u, struct str text, uint64_t left)
{
    struct typecheck_caps caps = typecheck_default_caps;
    if (left < caps.steps)
        caps.steps = left;
    list_compiled(u, text);
    u->create = create_check_start(u->cluster->new_env, &u->compiled, &caps);
}

/* Goes on with the check of the text as the API server does it at create; true if it has not ended. */
static bool step_create(struct unit *u, struct str text, uint64_t *left, uint64_t steps,
                        struct hints_trial *trial)
{
    const struct create_check_result *found = create_check_found(u->create);
    const uint64_t before = found->arena.steps;
    const bool has_more = create_check_step(u->create, steps);
    budget_pay(left, found->arena.steps - before);
    if (has_more && *left > 0)
        return true;
    trial->rank = HINTS_UNKNOWN;
    if (!has_more && !found->is_exhausted)
        hints_trial_refuse(trial, &found->problems[u->compiled_at], text);
    create_check_end(u->create);
    u->create = NULL;
    return false;
}

static struct repair_issue as_repair_issue(const struct check_issue *issue)
{
    return (struct repair_issue){.code = issue->code,
                                 .offset = issue->at.offset,
                                 .end = issue->at.end,
                                 .message = issue->message,
                                 .change = issue->change};
}

/* Puts the problems and warnings of the expression `tried` into the trial. */
static void describe(const struct check_result *result, size_t tried, struct hints_trial *trial)
{
    const uint8_t truths = result->truths[tried];
    for (size_t i = 0; i < result->n_problems; i++) {
        if (result->problems[i].reason == TYPES_LIMIT_REACHED)
            trial->rank = HINTS_UNKNOWN;
    }
    for (size_t i = 0; i < result->n_warnings && trial->rank != HINTS_UNKNOWN; i++) {
        const struct check_warning *w = &result->warnings[i];
        if (w->expression != tried)
            continue;
        trial->rank = 1 + (w->shown < HINTS_REFUSED - 1 ? (unsigned)w->shown : HINTS_REFUSED - 2);
        for (size_t k = 0; k < w->n_issues; k++) {
            const struct repair_issue issue = as_repair_issue(&w->issues[k]);
            hints_trial_add(trial, &issue);
        }
    }
    trial->is_constant =
        trial->rank == HINTS_GOOD && (truths == POLICY_CAN_BE_TRUE || truths == POLICY_CAN_BE_FALSE);
}

/* Returns true if the warning about the tried expression may depend on the other one: a variable is evaluated
 * where it is used, a mutation finds what the mutations before it made, a message belongs to its
 * validation. */
static bool is_needed(const struct unit *u, size_t other)
{
    const struct policy_expression *e = &u->policy->policy.expressions[other];
    const enum policy_place tried = u->policy->policy.expressions[u->expression].place;
    return tried == POLICY_VARIABLE || policy_is_mutation(tried) || e->place == POLICY_VARIABLE ||
           e->place == POLICY_MATCH_CONDITION || other == u->expression ||
           (tried == POLICY_MESSAGE && other + 1 == u->expression);
}

/* Returns true if the check of the policy found of the expression what a trial of its own text would find: it
 * had the same limits, or reached none. */
static bool is_known(const struct unit *u, struct str text)
{
    const struct policy *p = &u->policy->policy;
    bool is_same = u->result != NULL && str_eq(text, p->expressions[u->expression].text);
    for (size_t i = 0; is_same && u->result->left_out > 0 && i < p->count; i++)
        is_same = is_needed(u, i);
    return is_same;
}

/* Makes the policy with the text, of the expressions that are needed for it. */
static void make_trial(struct unit *u, struct str text)
{
    const struct policy *p = &u->policy->policy;
    struct policy *trial = &u->trial.policy;
    u->trial = *u->policy;
    trial->expressions = u->shown;
    trial->count = 0;
    for (size_t i = 0; i < p->count; i++) {
        if (!is_needed(u, i))
            continue;
        struct policy_expression *e = &u->shown[trial->count];
        *e = p->expressions[i];
        if (i == u->expression) {
            e->text = text;
            u->tried = trial->count;
        }
        trial->count++;
    }
}

/* Looks at each issue of each type (struct check_filter). */
static bool look_at_issue(void *user, size_t expression, const struct check_issue *issue)
{
    struct unit *u = user;
    if (finding_set_has(u->ignored, finding_of_issue(issue->code)))
        return true;
    const struct repair_issue said = as_repair_issue(issue);
    const bool is_of_text = expression == u->tried && !issue->is_claim;
    u->is_lost = u->is_lost || (is_of_text && hints_trial_is_lost(u->candidate, &said));
    return false;
}

static void begin_check(struct unit *u, struct str text, const struct repair *candidate)
{
    struct types_options options = u->cluster->types;
    make_trial(u, text);
    options.scope = TYPES_FULL;
    u->check = check_new(&u->trial, u->cluster->discovery, &options);
    u->candidate = candidate;
    u->is_lost = false;
    if (candidate != NULL)
        check_set_filter(u->check, &(struct check_filter){look_at_issue, u});
}

static uint64_t least(uint64_t one, uint64_t other)
{
    return one < other ? one : other;
}

/* Goes on with the check of the text in scope full; true if it has not ended. */
static bool step_check(struct unit *u, uint64_t *left, uint64_t steps, struct hints_trial *out)
{
    const struct hints_cluster *c = u->cluster;
    const uint64_t begin = check_steps(u->check);
    bool has_more = true;
    for (uint64_t spent = 0; has_more && !u->is_lost && *left > 0 && spent < steps;) {
        const uint64_t slice = least(least(steps - spent, *left), SLICE_STEPS);
        has_more = check_step(u->check, c->env, c->lookup, c->user, slice);
        budget_pay(left, check_steps(u->check) - begin - spent);
        spent = check_steps(u->check) - begin;
    }
    if (has_more && !u->is_lost && *left > 0)
        return true;
    out->rank = has_more || u->is_lost ? HINTS_UNKNOWN : HINTS_GOOD;
    if (out->rank == HINTS_GOOD)
        describe(check_result(u->check), u->tried, out);
    check_free(u->check);
    u->check = NULL;
    return false;
}

static bool try_text(void *user, struct str text, uint64_t *left, uint64_t steps, struct hints_trial *trial)
{
    struct unit *u = user;
    if (u->check != NULL)
        return step_check(u, left, steps, trial);
    if (u->create == NULL) {
        budget_pay(left, TRIAL_STEPS + u->policy->policy.count);
        begin_create(u, text, *left);
    }
    if (u->create == NULL) /* there is no memory */
        return false;
    if (step_create(u, text, left, steps, trial))
        return true;
    if (trial->rank != HINTS_GOOD)
        return false;
    if (is_known(u, text)) {
        describe(u->result, u->expression, trial);
        return false;
    }
    begin_check(u, text, trial->candidate);
    return *left > 0 || step_check(u, left, steps, trial); /* without steps it ends at once */
}

/* ---- a policy ---- */

/* Returns true if a trial can use the result of the policy's check: it is of scope full, nothing was ignored,
 * and it was checked to the end. */
static bool is_usable(const struct hints_run *run)
{
    const struct check_result *result = run->result;
    bool is_usable = result != NULL && run->policy->n_webhooks == 0 && !result->has_ignored &&
                     run->cluster.types.scope == TYPES_FULL;
    for (size_t i = 0; is_usable && i < result->n_problems; i++)
        is_usable = result->problems[i].reason != TYPES_LIMIT_REACHED;
    return is_usable;
}

static void init_unit(struct unit *u, const struct hints_run *run, const struct policyview *policy)
{
    *u = (struct unit){.cluster = &run->cluster,
                       .policy = policy,
                       .result = is_usable(run) ? run->result : NULL,
                       .ignored = suppress_ignored(policy->json, NULL)};
    const struct policy *p = &policy->policy;
    u->list = mem_array(p->count + 1, sizeof *u->list);
    u->shown = mem_array(p->count + 1, sizeof *u->shown);
    u->variables = mem_array(p->count + 1, sizeof *u->variables);
    for (size_t i = 0; i < p->count; i++) {
        if (p->expressions[i].place == POLICY_VARIABLE)
            u->variables[u->n_variables++] = p->expressions[i].name;
    }
}

static void deinit_unit(struct unit *u)
{
    mem_free(u->list);
    mem_free(u->shown);
    mem_free(u->variables);
    create_check_end(u->create);
    check_free(u->check);
}

/* Adds the fields of the expressions that are refused. */
static void put_refused(struct keymap *wanted, const struct fielderrors *refusals)
{
    for (size_t i = 0; i < refusals->count; i++)
        keymap_put(wanted, refusals->items[i].field, wanted);
}

static void put_warned(struct keymap *wanted, const struct policyview *policy,
                       const struct check_result *result)
{
    for (size_t i = 0; result != NULL && i < result->n_warnings; i++)
        keymap_put(wanted, policy->policy.expressions[result->warnings[i].expression].field_ref.at, wanted);
}

/* ---- a run over all expressions ---- */

struct hints_run *hints_start(const struct hints_cluster *cluster, const struct policyview *policy,
                              const struct fielderrors *refusals, const struct check_result *result,
                              uint64_t max_steps)
{
    struct hints_run *run = mem_zalloc(sizeof *run);
    run->cluster = *cluster;
    run->policy = policy;
    run->result = result;
    run->max_steps = run->left = max_steps;
    if (refusals != NULL)
        put_refused(&run->wanted, refusals);
    put_warned(&run->wanted, policy, result);
    if (run->wanted.count > 0)
        run->n_units = policy->n_webhooks == 0 ? 1 : policy->n_webhooks;
    return run;
}

static void begin_search(struct hints_run *run)
{
    struct unit *u = &run->unit;
    const struct policy_expression *e = &u->policy->policy.expressions[u->expression];
    const struct hints_search search = {
        .try = try_text,
        .user = u,
        .env = u->cluster->new_env,
        .scope = {.variables = u->variables,
                  .variable_count = u->n_variables,
                  .is_policy = u->policy->kind != POLICYVIEW_WEBHOOKS,
                  .has_params = u->policy->policy.has_params,
                  .is_validation = e->place == POLICY_VALIDATION},
    };
    run->search = hints_search_start(&search, e->text, &run->left);
}

/* Begins the next search in the unit under way; false if there is none. */
static bool find_expression(struct hints_run *run)
{
    struct unit *u = &run->unit;
    const struct policy *p = &u->policy->policy;
    while (u->expression < p->count &&
           keymap_get(&run->wanted, p->expressions[u->expression].field_ref.at) == NULL)
        u->expression++;
    if (u->expression < p->count && run->left > 0)
        begin_search(run);
    return run->search != NULL;
}

static void end_search(struct hints_run *run)
{
    const struct policy_expression *e = &run->unit.policy->policy.expressions[run->unit.expression++];
    hints_put(&run->found, e->field_ref.at, hints_search_end(run->search));
    run->search = NULL;
}

/* Does the next piece of work; false if there is none. */
static bool advance(struct hints_run *run, uint64_t steps)
{
    const struct policyview *policy = run->policy;
    if (run->search != NULL) {
        if (!hints_search_step(run->search, steps))
            end_search(run);
        return true;
    }
    if (!run->has_unit) {
        if (run->at == run->n_units || run->left == 0)
            return false;
        init_unit(&run->unit, run, policy->n_webhooks == 0 ? policy : policy->webhooks[run->at]);
        run->has_unit = true;
    }
    if (find_expression(run))
        return true;
    deinit_unit(&run->unit);
    run->has_unit = false;
    run->at++;
    return true;
}

bool hints_step(struct hints_run *run, uint64_t steps)
{
    const uint64_t end = run->left > steps ? run->left - steps : 0;
    while (advance(run, run->left - end)) {
        if (run->left <= end && run->left != 0)
            return true;
    }
    return false;
}

size_t hints_bytes(const struct hints_run *run)
{
    if (run == NULL || !run->has_unit)
        return 0;
    const struct unit *u = &run->unit;
    return (u->check == NULL ? 0 : check_bytes(u->check)) +
           (u->create == NULL ? 0 : create_check_found(u->create)->arena.used_bytes);
}

struct hints *hints_found(struct hints_run *run)
{
    return &run->found;
}

uint64_t hints_steps(const struct hints_run *run)
{
    return run->max_steps - run->left;
}

void hints_end(struct hints_run *run)
{
    if (run == NULL)
        return;
    hints_search_drop(run->search);
    if (run->has_unit)
        deinit_unit(&run->unit);
    keymap_deinit(&run->wanted, NULL);
    hints_deinit(&run->found);
    mem_free(run);
}

void hints_of_policy(const struct hints_cluster *cluster, const struct policyview *policy,
                     const struct fielderrors *refusals, const struct check_result *result, struct hints *out)
{
    struct hints_run *run = hints_start(cluster, policy, refusals, result, HINTS_MAX_STEPS);
    while (hints_step(run, UINT64_MAX))
        ;
    *out = *hints_found(run);
    run->found = (struct hints){0};
    hints_end(run);
}

void hints_put(struct hints *h, const char *field, struct hint *hint)
{
    if (hint != NULL)
        hint_free(keymap_put(&h->list, field, hint));
}

const char *hints_get(struct hints *h, const char *field, const char *before)
{
    struct hint *hint = keymap_get(&h->list, field);
    if (hint != NULL && before != NULL) {
        char *joined = mem_printf("%s; %s", before, hint->text);
        mem_free(hint->text);
        hint->text = joined;
        hint->has_words = true;
    }
    return hint == NULL ? NULL : hint->text;
}

uint32_t hints_offset(const struct hints *h, const char *field)
{
    const struct hint *hint = keymap_get(&h->list, field);
    return hint == NULL || hint->edits.count == 0 ? 0 : (uint32_t)hint->edits.list[0].start;
}

bool hints_repeats(const char *hint, const struct issue_packed *packed)
{
    const struct issue_about about = issue_about_read(packed);
    if (about.suggestion.len == 0)
        return false;
    cleanup_mem char *said = mem_printf(REPAIR_QUESTION "'%.*s'?", STR_ARG(about.suggestion));
    return strcmp(hint, said) == 0;
}

const char *hints_of_warning(struct hints *h, const struct policyview *policy, const struct check_warning *w)
{
    const char *found = hints_get(h, policy->policy.expressions[w->expression].field_ref.at, NULL);
    const char *hint = found == NULL ? w->hint : found;
    for (size_t i = 0; i < w->n_issues; i++) {
        if (hints_repeats(hint, w->issues[i].about))
            return "";
    }
    return hint;
}

const char **hints_of_warnings(struct hints *h, const struct policyview *policy,
                               const struct check_result *result)
{
    const char **list = mem_array(result->n_warnings + 1, sizeof *list);
    for (size_t i = 0; i < result->n_warnings; i++)
        list[i] = hints_of_warning(h, policy, &result->warnings[i]);
    return list;
}

void hints_deinit(struct hints *h)
{
    keymap_deinit(&h->list, hint_free);
}
