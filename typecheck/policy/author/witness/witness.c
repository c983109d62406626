#include "typecheck/policy/author/witness/witness.h"

#include "bytes/budget.h"
#include "typecheck/cel/checker/expression.h"
#include "typecheck/cel/checker/expression_cache.h"
#include "typecheck/cel/interpreter/values/value.h"
#include "typecheck/cel/schema/request_schema.h"
#include "typecheck/cel/schema/schema_document.h"
#include "typecheck/cel/syntax/selection.h"
#include "typecheck/policy/author/witness/reach.h"
#include "typecheck/policy/author/witness/watch.h"
#include "typecheck/policy/run/policy_run.h"

/* Limits of a parsed policy, and of one search. */
#define POLICY_BYTES     ((size_t)128 * 1024 * 1024)
#define POLICY_STEPS     ((uint64_t)200 * 1000 * 1000)
#define SEARCH_BYTES     ((size_t)256 * 1024 * 1024)
#define TEXTS_MAX        ((size_t)32)
#define ANY_TRIES        ((size_t)12)
#define ANY_STEPS        ((uint64_t)2 * 1000 * 1000)
#define SHRINKING_TRIES  ((size_t)2000)
#define STAGES           3u   /* of the search for the smallest request */
#define EVALUATION_STEPS 400u /* of each, besides those that it pays itself */

struct witness {
    struct arena arena; /* holds this */
    struct arena search;
    const struct env *env;
    const struct typecheck_policy *policy;
    struct schema *own;
    struct policy whole, without_conditions;
    struct policy_run *run, *bare; /* bare: without its match conditions, if it has any */
    struct policy_run_at *places;  /* by expression */
    struct expression *expressions;
    struct wish_policy wishes;
    struct policy_run_result result; /* under way */
    bool has_result;
    bool is_evaluated; /* whether it can be */
};

/* ---- the policy ---- */

/* A witness shows what fails the first time, whatever the policy says about that. The lists are copies: those
 * of the caller are good until the next policy is asked about, and the expressions are evaluated after
 * that. */
static void list_policies(struct witness *w)
{
    struct policy *whole = &w->whole, *bare = &w->without_conditions;
    *whole = w->policy->policy;
    whole->is_reinvoked = whole->ignores_failures = false;
    *bare = *whole;
    struct policy_expression *all = ARENA_ARRAY(&w->arena, whole->count, struct policy_expression),
                             *some = ARENA_ARRAY(&w->arena, whole->count, struct policy_expression);
    bare->count = 0;
    for (size_t i = 0; i < whole->count; i++) {
        all[i] = whole->expressions[i];
        if (all[i].place != POLICY_MATCH_CONDITION)
            some[bare->count++] = all[i];
    }
    whole->expressions = all;
    bare->expressions = some;
    w->places = ARENA_ARRAY(&w->arena, whole->count, struct policy_run_at);
    policy_run_places(whole, w->places);
}

/* The string literals of an expression, each once. */
static void list_texts(struct witness *w, const struct node *n, struct str *texts, size_t *count)
{
    arena_step(&w->arena);
    if (n->kind == NODE_LITERAL && n->literal.kind == LITERAL_STRING && *count < TEXTS_MAX) {
        size_t i = 0;
        while (i < *count && !str_eq(texts[i], n->literal.bytes))
            i++;
        if (i == *count)
            texts[(*count)++] = n->literal.bytes;
    }
    for (size_t i = 0; ast_child(n, i) != NULL; i++)
        list_texts(w, ast_child(n, i), texts, count);
}

static void parse(struct witness *w)
{
    const struct typecheck_policy *p = w->policy;
    struct arena scratch;
    struct policy_tree *wishes = ARENA_ARRAY(&w->arena, p->policy.count, struct policy_tree);
    struct str *texts = ARENA_ARRAY(&w->arena, TEXTS_MAX, struct str);
    w->expressions = ARENA_ARRAY(&w->arena, p->policy.count, struct expression);
    arena_init_part(&scratch, &w->arena);
    for (size_t i = 0; i < p->policy.count; i++) {
        const struct policy_expression *e = &p->policy.expressions[i];
        wishes[i] = (struct policy_tree){.place = e->place, .name = e->name};
        const struct env *env = policy_is_mutation(e->place) ? env_mutating(w->env) : w->env;
        if (!expression_cache_parse(p->policy.cache, &w->expressions[i], &w->arena, &scratch, env, e->text))
            continue;
        wishes[i].ast = &w->expressions[i].ast;
        list_texts(w, w->expressions[i].ast.root, texts, &w->wishes.text_count);
    }
    arena_deinit(&scratch);
    w->wishes.expressions = wishes;
    w->wishes.count = p->policy.count;
    w->wishes.texts = texts;
}

struct witness *witness_new(const struct env *env, const struct typecheck_policy *policy)
{
    struct arena a;
    struct witness *w = arena_init_holder(&a, POLICY_BYTES, sizeof *w);
    if (w == NULL)
        return NULL;
    w->arena = a;
    w->arena.max_steps = POLICY_STEPS;
    w->env = env;
    w->policy = policy;
    arena_init(&w->search, SEARCH_BYTES);
    w->own = request_schema_new();
    if (w->own == NULL || setjmp(w->arena.escape) != 0)
        return w;
    list_policies(w);
    parse(w);
    w->run = policy_run_new(env, &w->whole);
    if (w->without_conditions.count < w->whole.count)
        w->bare = policy_run_new(env, &w->without_conditions);
    w->is_evaluated = w->run != NULL;
    return w;
}

static void drop_result(struct witness *w)
{
    if (w->has_result)
        policy_run_result_deinit(&w->result);
    w->has_result = false;
}

void witness_free(struct witness *w)
{
    if (w == NULL)
        return;
    struct arena a = w->arena;
    drop_result(w);
    policy_run_free(w->run);
    policy_run_free(w->bare);
    schema_free(w->own);
    arena_deinit(&w->search);
    arena_deinit(&a);
}

/* ---- one search ---- */

struct search {
    struct witness *w;
    struct arena *arena;
    const struct typecheck_issue *issue;
    struct reach_target target;
    struct probe_kind kind;
    struct watch watch;
    const struct policy_run *run;
    enum watch_answer wanted; /* or better */
    struct witness_found *out;
    bool is_any;        /* it need not be the smallest */
    struct str missing; /* what the evaluator lacks */
};

/* The node with that id; NULL: there is none. */
static const struct node *find_node(struct arena *a, const struct node *n, uint32_t id)
{
    arena_step(a);
    const struct node *found = n->id == id ? n : NULL;
    for (size_t i = 0; found == NULL && ast_child(n, i) != NULL; i++)
        found = find_node(a, ast_child(n, i), id);
    return found;
}

/* The node, or the first above it that is no constant: evaluation has no step for constants. NULL: the root
 * is one. */
static const struct node *find_step(struct arena *a, const struct node *n, const struct node *wanted)
{
    const bool is_constant = n->kind == NODE_LITERAL || n->kind == NODE_LIST;
    const struct node *found = n == wanted && !is_constant ? n : NULL;
    bool is_way = n == wanted;
    arena_step(a);
    for (size_t i = 0; found == NULL && !is_way && ast_child(n, i) != NULL; i++) {
        const struct node *child = ast_child(n, i);
        found = find_step(a, child, wanted);
        is_way = found == NULL && find_node(a, child, wanted->id) != NULL;
    }
    return found != NULL ? found : is_way && !is_constant ? n : NULL;
}

/* This is true when what was seen is the failure of the issue. Where any request will do, another failure may
 * come before it. */
static bool is_meant(const struct search *s)
{
    return !s->is_any || s->watch.code == s->issue->code;
}

/* Returns true if the policy, asked about the probe, fails as the issue says. */
static bool shows(struct search *s, const struct probe *probe)
{
    struct witness *w = s->w;
    if (!probe_is_valid(probe, s->arena))
        return false;
    struct policy_run_request request = probe_request(probe, s->arena);
    const struct policy_run_observer observer = watch_begin(&s->watch);
    request.observer = &observer;
    request.max_steps = s->arena->max_steps - s->arena->steps + 1;
    s->out->tries++;
    policy_run_evaluate(s->run, &request, &w->result);
    w->has_result = true;
    const struct arena *used = &w->result.arena;
    arena_pay(s->arena, used->steps + used->peak_bytes / ARENA_STEP_BYTES + EVALUATION_STEPS);
    const bool is_found = watch_answer(&s->watch) >= s->wanted && is_meant(s);
    if (is_found) {
        s->out->error = str_copy(s->arena, s->watch.error);
        s->out->failure = s->watch.has_arisen ? str_copy(s->arena, s->watch.failure) : STR("");
        s->out->ends_in_failure = s->watch.ends_in_failure;
    } else if (w->result.missing.len != 0) {
        s->missing = str_copy(s->arena, w->result.missing);
    }
    drop_result(w);
    return is_found;
}

/* ---- shrinking ---- */

/* Takes off each part that is not needed, the largest first. */
static void shrink_sample(struct search *s, struct probe *probe, struct sample *sample, size_t *left)
{
    for (struct sample **link = &sample->first; *link != NULL && *left > 0;) {
        struct sample *part = *link;
        if (!part->is_fixed) {
            --*left;
            *link = part->next;
            /* what is emptied by that Go would leave out; as a whole it was needed */
            if (!sample_is_left_out(sample) && shows(s, probe))
                continue;
            *link = part;
        }
        shrink_sample(s, probe, part, left);
        link = &part->next;
    }
}

static void shrink(struct search *s, struct probe *probe)
{
    size_t left = SHRINKING_TRIES;
    for (size_t i = 0; i < PROBE_PARTS; i++) {
        if (probe->parts[i] != NULL)
            shrink_sample(s, probe, probe->parts[i], &left);
    }
}

static void take(struct search *s, struct probe *probe)
{
    struct witness_found *out = s->out;
    const size_t tries = out->tries;
    s->wanted = watch_answer(&s->watch); /* nothing less */
    if (!s->is_any) {
        shrink(s, probe);
        (void)shows(s, probe); /* the error of what is left */
    }
    const struct policy_run_request request = probe_request(probe, s->arena);
    out->kind = s->kind.request;
    out->operation = s->kind.operation;
    out->object = request.object;
    out->old_object = request.old_object;
    out->params = request.params;
    out->request = request.request;
    out->namespace_object = request.namespace_object;
    out->is_allowed = probe->is_allowed;
    out->result = s->watch.result;
    out->tries = tries;
}

/* ---- searching ---- */

static bool try_once(struct search *s, struct choices *choices)
{
    struct probe probe;
    probe_init(&probe, s->arena, &s->kind);
    probe.is_allowed = choices_take(choices, 2) == 0;
    if (s->target.node != NULL)
        reach_node(&probe, s->arena, &s->w->wishes, &s->target, choices);
    probe_clean(&probe, s->arena, choices);
    reach_another_kind(&probe, choices);
    if (!shows(s, &probe))
        return false;
    take(s, &probe);
    return true;
}

/* The value that a way of plain fields leads to, with all that is on the way; NULL: it is no such way. */
static struct sample *enter(struct search *s, const struct probe *probe, const struct node *n)
{
    arena_step(s->arena);
    if (n == NULL || n->kind == NODE_IDENT)
        return n == NULL ? NULL : probe_root(probe, ast_name(n));
    struct sample *outer = n->kind == NODE_SELECT ? enter(s, probe, n->select.operand) : NULL;
    return outer == NULL ? NULL : sample_field(s->arena, outer, n->select.field);
}

/* The smallest request with what the field is selected from: what has none of the optional fields needs no
 * other one. */
static bool try_smallest(struct search *s)
{
    struct choices choices;
    struct probe probe;
    choices_init(&choices);
    probe_init(&probe, s->arena, &s->kind);
    if (s->target.node != NULL)
        (void)enter(s, &probe, s->target.is_operand ? s->target.node : selection_operand(s->target.node));
    probe_clean(&probe, s->arena, &choices);
    if (!shows(s, &probe))
        return false;
    take(s, &probe);
    return true;
}

static bool search_kind(struct search *s, const struct policy_request *request,
                        enum policy_operation operation)
{
    struct choices choices;
    size_t tries_left = s->is_any ? ANY_TRIES : WITNESS_MAX_TRIES / STAGES;
    s->kind.request = request;
    s->kind.operation = operation;
    if (s->is_any && try_smallest(s))
        return true;
    choices_init(&choices);
    do {
        struct arena_mark mark = arena_mark(s->arena);
        if (try_once(s, &choices))
            return true;
        if (s->missing.len != 0)
            return false;
        arena_release(s->arena, mark);
    } while (--tries_left > 0 && choices_next(&choices));
    return false;
}

static void set_target(struct search *s, size_t expression)
{
    struct witness *w = s->w;
    const struct policy_tree *e = &w->wishes.expressions[expression];
    const struct policy_site *site = &s->issue->site;
    s->target = (struct reach_target){.expression = expression, .is_operand = site->is_operand};
    if (e->ast != NULL && site->node != 0)
        s->target.node = find_node(s->arena, e->ast->root, site->node);
    if (s->issue->is_claim && e->ast != NULL)
        s->target.node =
            s->target.node == NULL ? e->ast->root : find_step(s->arena, e->ast->root, s->target.node);
    watch_init(&s->watch, s->arena, w->places[expression], e->ast, s->target.node, site->is_operand,
               s->issue->is_claim     ? WATCH_RESULT
               : s->issue->is_unequal ? WATCH_UNEQUAL
                                      : WATCH_FAILURE);
    s->watch.name = issue_about_read(s->issue->about).name;
}

/* Searches in the kind of request that the issue names, else in those of the type's first request. */
static bool search_kinds(struct search *s)
{
    const struct policy_type *type = s->kind.type;
    const struct policy_site *site = &s->issue->site;
    if (site->request != NULL)
        return search_kind(s, site->request, site->operation);
    if (type->request_count == 0)
        return search_kind(s, NULL, POLICY_UPDATE);
    for (size_t i = 0; i < POLICY_OPERATIONS; i++) {
        if ((type->requests[0].operations & 1u << i) != 0 &&
            search_kind(s, &type->requests[0], (enum policy_operation)(1u << i)))
            return true;
    }
    return false;
}

static bool search_with(struct search *s, const struct policy_run *run, enum watch_answer wanted)
{
    if (run == NULL || s->missing.len != 0)
        return false;
    s->run = run;
    s->wanted = wanted;
    s->out->is_without_conditions = run == s->w->bare;
    return search_kinds(s);
}

static bool search(struct search *s, size_t expression)
{
    struct witness *w = s->w;
    s->kind = (struct probe_kind){.policy = &w->policy->policy,
                                  .type = &w->policy->types[s->issue->first_type],
                                  .own = w->own,
                                  .minor = env_level(w->env)};
    s->kind.params = w->policy->policy.has_params ? &w->policy->params : NULL;
    set_target(s, expression);
    if (s->is_any)
        return search_with(s, w->run, WATCH_SEEN);
    return search_with(s, w->run, WATCH_SEEN) || search_with(s, w->run, WATCH_ANOTHER) ||
           search_with(s, w->bare, WATCH_ANOTHER);
}

/* If it returns false, found->reason says why. */
static bool find_within(struct search *s, size_t expression, uint64_t max_steps)
{
    struct witness *w = s->w;
    struct witness_found *found = s->out;
    arena_clear(&w->search);
    w->search.steps = 0;
    w->search.max_steps = max_steps;
    if (setjmp(w->search.escape) != 0) {
        drop_result(w);
        found->is_limited = true;
        found->reason = STR("the search takes too much work");
        return false;
    }
    if (search(s, expression))
        return true;
    found->reason = s->missing.len != 0 ? s->missing
                    : s->issue->site.is_behind
                        ? STR("evaluation fails before it reaches this place")
                        : str_format(&w->search, "no witness found within %zu tries", found->tries);
    return false;
}

static bool find(struct search *s, size_t expression, uint64_t max_steps, uint64_t *steps_left)
{
    struct witness *w = s->w;
    *s->out = (struct witness_found){.kind = NULL};
    if (!w->is_evaluated) {
        s->out->reason = STR("vapcheck cannot evaluate the policy");
        return false;
    }
    const bool is_found = find_within(s, expression, max_steps < *steps_left ? max_steps : *steps_left);
    budget_pay(steps_left, w->search.steps);
    return is_found;
}

bool witness_find(struct witness *w, size_t expression, const struct typecheck_issue *issue,
                  uint64_t *steps_left, struct witness_found *found)
{
    struct search s = {.w = w, .arena = &w->search, .issue = issue, .out = found};
    return find(&s, expression, WITNESS_STEPS, steps_left);
}

bool witness_find_any(struct witness *w, size_t expression, const struct typecheck_issue *issue,
                      uint64_t *steps_left, struct witness_found *found)
{
    struct search s = {.w = w, .arena = &w->search, .issue = issue, .is_any = true, .out = found};
    return find(&s, expression, ANY_STEPS, steps_left);
}
