#include "cmd/kubectl-vapcheck/hints/hints.h"

#include <string.h>

#include "client/base/mem.h"
#include "cmd/kubectl-vapcheck/hints/hints_search.h"
#include "typecheck/compile.h"

enum {
    TRIAL_STEPS = 2000, /* the cost of beginning and ending a trial */
    SLICE_STEPS = 200 * 1000,
};

/* The expressions of a policy, or of one webhook, of which one is tried. */
struct unit {
    const struct hints_cluster *cluster;
    const struct policyview *policy;
    size_t expression;               /* of the policy's */
    struct policy_expression *list;  /* as the API server compiles them: variables, then the one */
    struct policy_expression *shown; /* those that scope full needs for the one */
    struct str *variables;
    size_t n_variables;
};

static void spend(uint64_t *left, uint64_t steps)
{
    *left -= steps < *left ? steps : *left;
}

/* Tries the text as the API server checks it at create. */
static void try_create(struct unit *u, struct str text, uint64_t *left, struct hints_trial *trial)
{
    const struct policy *p = &u->policy->policy;
    size_t count = 0, tried = 0;
    for (size_t i = 0; i < p->count; i++) {
        if (p->expressions[i].place != POLICY_VARIABLE && i != u->expression)
            continue;
        u->list[count] = p->expressions[i];
        if (i == u->expression) {
            u->list[count].text = text;
            tried = count;
        }
        count++;
    }
    if (u->list[tried].place != POLICY_VARIABLE) { /* behind the variables */
        struct policy_expression one = u->list[tried];
        memmove(&u->list[tried], &u->list[tried + 1], (count - tried - 1) * sizeof *u->list);
        u->list[tried = count - 1] = one;
    }
    struct policy policy = *p;
    policy.expressions = u->list;
    policy.count = count;
    struct create_check_result result;
    create_check_policy_within(u->cluster->new_env, &policy, *left, &result);
    spend(left, result.arena.steps);
    trial->rank = HINTS_UNKNOWN;
    if (!result.is_exhausted && result.problems != NULL)
        hints_trial_refuse(trial, &result.problems[tried], text);
    create_check_result_deinit(&result);
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
            const struct check_issue *issue = &w->issues[k];
            hints_trial_add(trial, &(struct repair_issue){.code = issue->code,
                                                          .offset = issue->at.offset,
                                                          .end = issue->at.end,
                                                          .message = issue->message,
                                                          .change = issue->change});
        }
    }
    trial->is_constant =
        trial->rank == HINTS_GOOD && (truths == POLICY_CAN_BE_TRUE || truths == POLICY_CAN_BE_FALSE);
}

/* Whether the warning about the tried expression may depend on the other one: a variable is evaluated where
 * it is used, a mutation finds what the mutations before it made, a message belongs to its validation. */
static bool is_needed(const struct unit *u, size_t other)
{
    const struct policy_expression *e = &u->policy->policy.expressions[other];
    const enum policy_place tried = u->policy->policy.expressions[u->expression].place;
    return tried == POLICY_VARIABLE || policy_is_mutation(tried) || e->place == POLICY_VARIABLE ||
           e->place == POLICY_MATCH_CONDITION || other == u->expression ||
           (tried == POLICY_MESSAGE && other + 1 == u->expression);
}

/* The policy with the text and what is needed for it; where the text is among the expressions is at *tried.
 */
static struct policyview trial_policy(struct unit *u, struct str text, size_t *tried)
{
    const struct policy *p = &u->policy->policy;
    struct policyview trial = *u->policy;
    trial.policy.expressions = u->shown;
    trial.policy.count = 0;
    for (size_t i = 0; i < p->count; i++) {
        if (!is_needed(u, i))
            continue;
        struct policy_expression *e = &u->shown[trial.policy.count];
        *e = p->expressions[i];
        if (i == u->expression) {
            e->text = text;
            *tried = trial.policy.count;
        }
        trial.policy.count++;
    }
    return trial;
}

/* Tries the text as a check of scope full. */
static void try_check(struct unit *u, struct str text, uint64_t *left, struct hints_trial *out)
{
    struct types_options options = u->cluster->types;
    const struct hints_cluster *c = u->cluster;
    size_t tried = 0;
    const struct policyview trial = trial_policy(u, text, &tried);
    options.scope = TYPES_FULL;
    struct check *check = check_new(&trial, c->discovery, &options);
    uint64_t before = *left, spent = 0;
    bool has_more = true;
    while (has_more && spent < before) {
        has_more = check_step(check, c->env, c->lookup, c->user,
                              before - spent < SLICE_STEPS ? before - spent : SLICE_STEPS);
        spent = check_steps(check);
    }
    spend(left, spent);
    out->rank = has_more ? HINTS_UNKNOWN : HINTS_GOOD;
    if (!has_more)
        describe(check_result(check), tried, out);
    check_free(check);
}

static void try_text(void *user, struct str text, uint64_t *left, struct hints_trial *trial)
{
    struct unit *u = user;
    spend(left, TRIAL_STEPS + u->policy->policy.count);
    try_create(u, text, left, trial);
    if (trial->rank == HINTS_GOOD)
        try_check(u, text, left, trial);
}

/* ---- a policy ---- */

static void init_unit(struct unit *u, const struct hints_cluster *cluster, const struct policyview *policy)
{
    *u = (struct unit){.cluster = cluster, .policy = policy};
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

static void search_unit(struct unit *u, const struct keymap *wanted, struct hints *out, uint64_t *left)
{
    const struct policy *p = &u->policy->policy;
    struct hints_search search = {
        .try = try_text,
        .user = u,
        .env = u->cluster->new_env,
        .scope = {.variables = u->variables,
                  .variable_count = u->n_variables,
                  .is_policy = u->policy->kind != POLICYVIEW_WEBHOOKS,
                  .has_params = p->has_params},
    };
    for (size_t i = 0; i < p->count; i++) {
        const struct policy_expression *e = &p->expressions[i];
        if (*left == 0 || keymap_get(wanted, e->field_ref.at) == NULL)
            continue;
        u->expression = i;
        search.scope.is_validation = e->place == POLICY_VALIDATION;
        hints_put(out, e->field_ref.at, hints_search_run(&search, e->text, left));
    }
}

void hints_of_policy(const struct hints_cluster *cluster, const struct policyview *policy,
                     const struct fielderrors *refusals, const struct check_result *result, struct hints *out)
{
    struct keymap wanted = {0};
    uint64_t left = HINTS_MAX_STEPS;
    *out = (struct hints){.steps = 0};
    put_refused(&wanted, refusals);
    put_warned(&wanted, policy, result);
    const size_t n_units = policy->n_webhooks == 0 ? 1 : policy->n_webhooks;
    for (size_t i = 0; wanted.count > 0 && i < n_units && left > 0; i++) {
        struct unit u;
        init_unit(&u, cluster, policy->n_webhooks == 0 ? policy : policy->webhooks[i]);
        search_unit(&u, &wanted, out, &left);
        deinit_unit(&u);
    }
    keymap_deinit(&wanted, NULL);
    out->steps = HINTS_MAX_STEPS - left;
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

void hints_deinit(struct hints *h)
{
    keymap_deinit(&h->list, hint_free);
}
