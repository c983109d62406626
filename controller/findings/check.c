#include "controller/findings/check.h"

#include <stdio.h>
#include <string.h>

#include "client/base/groupversion.h"
#include "client/base/mem.h"
#include "controller/findings/suppress.h"
#include "controller/match/types_full.h"
#include "controller/match/typesets.h"
#include "typecheck/schema.h"
#include "typecheck/text.h"

enum {
    UNIT_STEPS = 1000,                /* the cost of beginning and ending a unit */
    NEAR_KINDS_MAX = 500,             /* names that a misspelled paramKind is compared with */
    NEAR_KIND_STEPS = 20,             /* the cost of one such comparison */
    STEP_BYTES = 64,                  /* bytes of a kept text that one step pays for */
    LIMITS_NAMED = 3,                 /* the others are counted */
    KEPT_MAX_BYTES = 4 * 1024 * 1024, /* the warnings of all units */
};

/* Expressions with rules of their own: a policy's, or those of one webhook of a configuration. */
struct unit {
    const struct policyview *policy;
    struct typeset *types; /* shared by units with the same rules */
    size_t first;          /* of its expressions, in the whole */
    bool is_shared;        /* the types are those of options.shared */
    bool is_merged; /* the types are in the result, or a unit before it with the same rules puts them there */
};

/* The unit that is under way. */
struct run {
    struct typecheck_policy policy;
    struct policy_expression *expressions;
    size_t *places; /* the index of each in unit.policy->expressions */
    struct typecheck *typecheck;
};

/* The memory that a warning points to. */
struct kept {
    char *texts; /* text, first issue and hint, the messages of its issues */
    struct check_issue *issues;
    const struct types_target **types; /* of its issues */
};

struct check {
    const struct policyview *policy;
    const struct discovery *discovery;
    enum types_scope scope;
    bool is_partial;            /* the discovery */
    int minor;                  /* of the server; 0: the newest */
    int validating_minor;       /* as in struct types_options */
    struct finding_set ignored; /* by the annotation */
    struct check_filter filter;
    bool wants_advice, checks_each_type;
    struct typesets *shared;         /* the types that checks share; NULL if this one shares none */
    struct typecheck_kept *of_types; /* what an earlier check kept of them; NULL: nothing */
    struct check_advice *advice;
    struct check_note *notes;
    uint8_t *truths; /* by expression */

    struct unit *units;
    size_t n_units;
    struct typeset **typesets; /* the check's own; those of options.shared are not among them */
    size_t n_typesets;

    struct keymap path_set; /* of the paths */
    const char **paths;
    size_t n_paths;

    /* params: paramKind's group, version and kind, where upstream takes one for given */
    bool has_params;
    char *param_group, *param_version;
    char *param_text; /* the text of the problem that it is not known; NULL: there is none */

    struct schema *connect;
    size_t at; /* the unit under way */
    bool is_running;
    struct run run;
    uint64_t steps;    /* those that the finished units took */
    size_t kept_bytes; /* of their warnings */

    struct kept *kept; /* of each warning */
    struct check_warning *warnings;
    struct types_target *types; /* of all units; NULL: they are those of a shared set */
    struct types_problem *problems;
    char *limit_texts[LIMITS_NAMED];
    size_t n_limits;
    struct keymap messages; /* of the problems */
    const char **missing;
    struct check_result result;
};

/* ---- the documents ---- */

static void add_path(struct check *c, const char *group, const char *version)
{
    char path[1024];
    /* else longer than any group-version that a server can have */
    if (groupversion_path(group, version, path, sizeof path) != 0 || !keymap_add(&c->path_set, path))
        return;
    c->paths = mem_realloc(c->paths, c->n_paths + 1, sizeof *c->paths);
    c->paths[c->n_paths++] = keymap_key(&c->path_set, path);
}

/*
 * schema.ParseGroupVersion: "v1", "group/version"; more slashes are an error,
 * which upstream takes for no paramKind at all.
 */
static void read_param_kind(struct check *c)
{
    const char *api_version = c->policy->param_api_version;
    if (!c->policy->policy.has_params)
        return;
    cleanup_groupversion struct groupversion named = groupversion_split(api_version);
    if (named.is_malformed) {
        c->has_params = c->scope == TYPES_FULL;
        c->param_group = mem_strdup("");
        c->param_version = mem_strdup("");
        return;
    }
    c->param_group = mem_strdup(named.group);
    c->param_version = mem_strdup(named.version);
    c->has_params = c->scope == TYPES_FULL || api_version[0] != '\0' || c->policy->param_kind[0] != '\0';
    if (c->param_version[0] != '\0')
        add_path(c, c->param_group, c->param_version);
}

/* ---- the units ---- */

static struct typeset *new_typeset(struct check *c, const struct matchrules *match,
                                   struct types_options *options)
{
    struct typeset *set = mem_zalloc(sizeof *set);
    typeset_init(set, match, c->discovery, options);
    options->steps = set->list.steps;
    c->typesets[c->n_typesets++] = set;
    return set;
}

static void add_paths(struct check *c, const struct typeset *set)
{
    for (size_t i = 0; i < set->n_sources; i++) {
        const struct types_target *t = &set->list.targets[set->sources[i]];
        add_path(c, t->document_group, t->document_version);
        add_path(c, t->group, t->version);
    }
}

/* Rules that are the same are resolved once. */
static void add_units(struct check *c, struct types_options *options)
{
    const struct policyview *p = c->policy;
    const bool is_whole = p->n_webhooks == 0;
    struct keymap known = {0};
    size_t first = 0;
    c->n_units = is_whole ? 1 : p->n_webhooks;
    c->units = mem_array(c->n_units, sizeof *c->units);
    c->typesets = mem_array(c->n_units, sizeof(struct typeset *));
    for (size_t i = 0; i < c->n_units; i++) {
        const struct policyview *policy = is_whole ? p : p->webhooks[i];
        cleanup_mem char *key = is_whole ? NULL : matchrules_key(&policy->match);
        struct typeset *set = key == NULL ? NULL : keymap_get(&known, key);
        cleanup_mem char *rules = is_whole ? NULL : mem_printf("webhooks[%zu].rules", i);
        const bool is_repeated = set != NULL;
        options->rules_field = rules;
        if (is_whole && c->shared != NULL)
            set = typesets_get(c->shared, policy, c->discovery, options);
        const bool is_shared = is_whole && set != NULL;
        if (set == NULL)
            set = new_typeset(c, &policy->match, options);
        if (!is_repeated)
            add_paths(c, set);
        if (key != NULL)
            keymap_put(&known, key, set);
        c->units[i] = (struct unit){policy, set, first, is_shared, is_repeated};
        first += policy->policy.count;
    }
    keymap_deinit(&known, NULL);
}

struct check *check_new(const struct policyview *policy, const struct discovery *discovery,
                        const struct types_options *options)
{
    struct check *c = mem_zalloc(sizeof *c);
    struct types_options asked = *options;
    c->policy = policy;
    c->discovery = discovery;
    c->scope = options->scope;
    c->is_partial = options->is_partial;
    c->minor = options->minor;
    c->validating_minor = options->validating_minor;
    c->checks_each_type = options->checks_each_type;
    c->shared = options->shared;
    c->ignored = suppress_ignored(policy->json, NULL);
    asked.for_webhooks = policy->kind == POLICYVIEW_WEBHOOKS;
    asked.steps = 0;
    add_units(c, &asked);
    c->truths = mem_array(policy->policy.count + 1, sizeof *c->truths);
    c->result.truths = c->truths;
    read_param_kind(c);
    return c;
}

void check_want_advice(struct check *c)
{
    c->wants_advice = true;
}

bool check_shares_types(const struct check *c)
{
    return c->n_units == 1 && c->units[0].is_shared;
}

void check_set_kept(struct check *c, struct typecheck_kept *kept)
{
    c->of_types = kept;
}

void check_set_filter(struct check *c, const struct check_filter *filter)
{
    c->filter = *filter;
}

static void end_run(struct check *c)
{
    typecheck_free(c->run.typecheck);
    mem_free(c->run.expressions);
    mem_free(c->run.places);
    c->run = (struct run){0};
    c->is_running = false;
}

static void free_warning(struct check *c, size_t i)
{
    mem_free(c->kept[i].texts);
    mem_free(c->kept[i].issues);
    mem_free(c->kept[i].types);
}

void check_free(struct check *c)
{
    if (c == NULL)
        return;
    end_run(c);
    for (size_t i = 0; i < c->n_typesets; i++) {
        typeset_deinit(c->typesets[i]);
        mem_free(c->typesets[i]);
    }
    for (size_t i = 0; i < c->result.n_warnings; i++)
        free_warning(c, i);
    for (size_t i = 0; i < LIMITS_NAMED; i++)
        mem_free(c->limit_texts[i]);
    for (size_t i = 0; i < c->result.n_advice; i++) {
        mem_free(c->advice[i].message);
        mem_free(c->advice[i].hint);
        mem_free(c->advice[i].correction);
    }
    for (size_t i = 0; i < c->result.n_notes; i++)
        mem_free(c->notes[i].message);
    mem_free(c->advice);
    mem_free(c->truths);
    mem_free(c->notes);
    mem_free(c->typesets);
    mem_free(c->units);
    keymap_deinit(&c->messages, NULL);
    keymap_deinit(&c->path_set, NULL);
    schema_free(c->connect);
    mem_free(c->paths);
    mem_free(c->param_group);
    mem_free(c->param_version);
    mem_free(c->param_text);
    mem_free(c->kept);
    mem_free(c->warnings);
    mem_free(c->types);
    mem_free(c->problems);
    mem_free(c->missing);
    mem_free(c);
}

const char *const *check_paths(const struct check *c)
{
    return c->paths;
}

size_t check_path_count(const struct check *c)
{
    return c->n_paths;
}

/* ---- params ---- */

static struct policy_type param_type(const struct check *c, const struct typeset_documents *d,
                                     enum openapi_state *state)
{
    struct types_target t = {.kind = c->policy->param_kind};
    *state = OPENAPI_ABSENT;
    if (c->param_version == NULL || c->param_version[0] == '\0')
        return (struct policy_type){.kind = str_of(t.kind)};
    t.group = t.document_group = c->param_group;
    t.version = t.document_version = c->param_version;
    return typeset_find_kind(d, &t, state);
}

/* Looks for a resource of the paramKind. If its group was not read, the answer is
 * CHECK_PARAM_KIND_UNKNOWN. */
static enum check_param_kind find_param_kind(const struct check *c)
{
    if (!c->policy->policy.has_params)
        return CHECK_PARAM_KIND_NONE;
    const struct discovery_version *v =
        discovery_find_version(c->discovery, c->param_group, c->param_version);
    if (v == NULL)
        return discovery_is_whole(c->discovery) ? CHECK_PARAM_KIND_NOT_FOUND : CHECK_PARAM_KIND_UNKNOWN;
    if (discovery_find_kind(v, c->policy->param_kind) != NULL)
        return CHECK_PARAM_KIND_FOUND;
    return v->state == DISCOVERY_CURRENT && discovery_is_whole(c->discovery) ? CHECK_PARAM_KIND_NOT_FOUND
                                                                             : CHECK_PARAM_KIND_UNKNOWN;
}

/* "ConfigMap" for Configmap; NULL if nothing is near, or if there are more kinds than one slice may
 * compare. */
static const char *find_near_param_kind(struct check *c)
{
    const struct discovery_version *v =
        discovery_find_version(c->discovery, c->param_group, c->param_version);
    struct suggest near;
    suggest_init(&near, c->policy->param_kind);
    if (v == NULL || v->n_resources > NEAR_KINDS_MAX)
        return NULL;
    for (size_t i = 0; i < v->n_resources; i++)
        suggest_offer(&near, v->resources[i].kind);
    c->steps += v->n_resources * NEAR_KIND_STEPS;
    return near.best;
}

/* ---- the findings ---- */

static void add_problem(struct check *c, const struct types_problem *problem)
{
    size_t count = c->result.n_problems;
    if (!keymap_add(&c->messages, problem->message))
        return;
    c->problems = mem_realloc(c->problems, count + 1, sizeof *c->problems);
    c->problems[count] = *problem;
    c->result.n_problems++;
}

static int compare_types(const struct types_target *s, const struct types_target *t)
{
    int order = strcmp(s->group, t->group);
    if (order == 0)
        order = strcmp(s->version, t->version);
    return order != 0 ? order : strcmp(s->kind, t->kind);
}

/* Both are sorted, and so is what they become. */
static void merge_types(struct check *c, const struct typeset *set)
{
    const size_t count = c->result.n_types;
    struct types_target *merged = mem_array(count + set->n_checked + 1, sizeof *merged);
    size_t n = 0, i = 0, j = 0;
    while (i < count || j < set->n_checked) {
        int order = i == count ? 1 : j == set->n_checked ? -1 : compare_types(&c->types[i], &set->checked[j]);
        merged[n++] = order <= 0 ? c->types[i] : set->checked[j];
        i += order <= 0;
        j += order >= 0;
    }
    mem_free(c->types);
    c->result.types = c->types = merged;
    c->result.n_types = n;
}

static void add_types(struct check *c, const struct typeset *set)
{
    c->steps += c->result.n_types + set->n_checked;
    c->result.has_shared_types = check_shares_types(c);
    if (!c->result.has_shared_types) {
        merge_types(c, set);
        return;
    }
    c->result.types = set->checked;
    c->result.n_types = set->n_checked;
}

/* Looks for the schemas of a unit's types, unless another unit with the same rules has. */
static void find_types(struct check *c, struct unit *u, const struct typeset_documents *documents)
{
    struct typeset *set = u->types;
    /* a deletion has nothing to mutate */
    const unsigned never = u->policy->kind == POLICYVIEW_MUTATING ? POLICY_DELETE : 0;
    size_t missing = c->result.n_missing;
    if (u->is_merged)
        return;
    u->is_merged = true;
    struct typeset_documents d = *documents;
    if (u->is_shared && d.connect != NULL)
        d.connect = &c->shared->connect;
    if (u->is_shared)
        d.identities = c->shared->identities;
    typeset_find(set, &d, never);
    add_types(c, set);
    for (size_t i = 0; i < set->list.n_problems; i++)
        add_problem(c, &set->list.problems[i]);
    c->missing = mem_realloc(c->missing, missing + set->n_missing + 1, sizeof *c->missing);
    for (size_t i = 0; i < set->n_missing; i++)
        c->missing[missing + i] = set->missing[i];
    c->result.n_missing += set->n_missing;
    c->steps += set->list.n_targets;
}

/* "spec.validations[0].expression", "the expressions", "the expressions of webhooks[3]". */
static char *describe_place(const struct check *c, const struct typecheck_limit *limit)
{
    if (limit->expression != TYPECHECK_EVERY)
        return mem_strdup(c->run.expressions[limit->expression].field_ref.at);
    return c->policy->n_webhooks == 0 ? mem_strdup("the expressions")
                                      : mem_printf("the expressions of webhooks[%zu]", c->at);
}

/* " for apps/v1 Deployment", or nothing where it is each type. */
static char *describe_type(const struct unit *u, const struct typecheck_limit *limit)
{
    if (limit->type == TYPECHECK_EVERY)
        return mem_strdup("");
    const struct types_target *t = &u->types->checked[limit->type];
    return mem_printf(" for %s%s%s %s", t->group, t->group[0] == '\0' ? "" : "/", t->version, t->kind);
}

/* "spec.validations[0].expression for apps/v1 Deployment takes too much work to check to the end" */
static void add_limit(struct check *c, const struct unit *u, const struct typecheck_limit *limit)
{
    const bool has_field = limit->expression != TYPECHECK_EVERY;
    const size_t expression = has_field ? limit->expression : 0; /* there is one */
    const char *what = limit->why == TYPECHECK_MEMORY ? "memory" : "work";
    if (c->n_limits == LIMITS_NAMED) {
        c->result.more_limits++;
        return;
    }
    cleanup_mem char *place = describe_place(c, limit), *type = describe_type(u, limit);
    char *text = mem_printf("%s%s %s too much %s to check to the end", place, type,
                            has_field ? "takes" : "take", what);
    c->limit_texts[c->n_limits++] = text;
    add_problem(c, &(struct types_problem){.reason = TYPES_LIMIT_REACHED,
                                           .message = text,
                                           .field = c->run.expressions[expression].field_ref.at});
}

static void add_limits(struct check *c, const struct unit *u, const struct typecheck_result *r)
{
    for (size_t i = 0; i < r->limit_count && i < TYPECHECK_LIMITS_SHOWN; i++)
        add_limit(c, u, &r->limits[i]);
    if (r->limit_count > TYPECHECK_LIMITS_SHOWN)
        c->result.more_limits += r->limit_count - TYPECHECK_LIMITS_SHOWN;
}

/* Copies a text and a NUL to *at, and moves *at past them. */
static char *put_text(char **at, struct str text)
{
    char *copy = *at;
    if (text.len > 0)
        memcpy(copy, text.at, text.len);
    copy[text.len] = '\0';
    *at += text.len + 1;
    return copy;
}

static size_t change_len(const struct hint_change *change)
{
    return change == NULL ? 0 : change->from.len + 1 + change->to.len + 1;
}

/* The length of an issue's texts, with the NUL of each. */
static size_t issue_len(const struct typecheck_issue *issue)
{
    return issue->message.len + 1 + issue_about_bytes(issue->about) + change_len(issue->change);
}

static size_t texts_len(const struct typecheck_warning *w)
{
    size_t len = w->text.len + 1 + issue_len(&w->first) + w->hint.len + 1;
    for (size_t i = 0; i < w->issue_count; i++)
        len += issue_len(&w->issues[i]);
    return len;
}

static struct str put_str(char **at, struct str text)
{
    return (struct str){put_text(at, text), text.len};
}

/* All but the message, the change and the type. */
static struct check_issue describe_issue(const struct typecheck_issue *issue)
{
    return (struct check_issue){.code = issue->code,
                                .about = issue->about,
                                .at = issue->at,
                                .line = issue->line,
                                .column = issue->column,
                                .is_unequal = issue->is_unequal,
                                .is_claim = issue->is_claim,
                                .site = issue->site};
}

/* Copies an issue; its texts go to *at. */
static struct check_issue copy_issue(const struct unit *u, const struct typecheck_issue *issue, char **at)
{
    struct check_issue copy = describe_issue(issue);
    copy.message = put_text(at, issue->message);
    if (issue->change != NULL)
        copy.change = (struct hint_change){issue->change->sort, put_str(at, issue->change->from),
                                           put_str(at, issue->change->to)};
    copy.about = issue_about_put(issue->about, at);
    copy.type = issue->first_type;
    copy.first_type = &u->types->checked[issue->first_type];
    return copy;
}

/* Returns the bytes that it took. */
static size_t copy_issues(const struct unit *u, const struct typecheck_warning *w, struct kept *kept,
                          char **at)
{
    size_t n_types = 0, n = 0;
    for (size_t i = 0; i < w->issue_count; i++)
        n_types += w->issues[i].type_count;
    kept->issues = mem_array(w->issue_count + 1, sizeof *kept->issues);
    kept->types = mem_array(n_types + 1, sizeof(void *));
    for (size_t i = 0; i < w->issue_count; i++) {
        const struct typecheck_issue *from = &w->issues[i];
        struct check_issue *issue = &kept->issues[i];
        *issue = copy_issue(u, from, at);
        issue->types = &kept->types[n];
        issue->n_types = from->type_count;
        for (size_t k = 0; k < from->type_count; k++)
            kept->types[n++] = &u->types->checked[from->types[k]];
    }
    return w->issue_count * sizeof *kept->issues + n_types * sizeof(void *);
}

/* Copies what the type checker's memory holds. */
static void add_warning(struct check *c, const struct unit *u, const struct typecheck_warning *w)
{
    const size_t count = c->result.n_warnings, len = texts_len(w);
    char *at = c->kept[count].texts = mem_zalloc(len);
    const char *text = put_text(&at, w->text);
    const struct check_issue first = copy_issue(u, &w->first, &at);
    const char *hint = put_text(&at, w->hint);
    c->kept_bytes += len + copy_issues(u, w, &c->kept[count], &at);
    c->warnings[count] = (struct check_warning){.expression = u->first + c->run.places[w->expression],
                                                .text = text,
                                                .len = w->text.len,
                                                .shown = w->shown,
                                                .first = first,
                                                .consequence = w->consequence,
                                                .hint = hint,
                                                .issues = c->kept[count].issues,
                                                .n_issues = w->issue_count,
                                                .has_more_issues = w->has_more_issues};
    c->result.n_warnings++;
    c->steps += len / STEP_BYTES;
}

static void add_advice(struct check *c, const struct unit *u, const struct typecheck_advice *given)
{
    static const enum finding_id ids[] = {
        [ADVICE_UNUSED_VARIABLE] = FINDING_UNUSED_VARIABLE, [ADVICE_OPTIONAL_FIELD] = FINDING_OPTIONAL_FIELD,
        [ADVICE_INT_OR_STRING] = FINDING_INT_OR_STRING,     [ADVICE_PATCH_PARENT] = FINDING_OPTIONAL_FIELD,
        [ADVICE_QUANTITY_ORDER] = FINDING_QUANTITY_ORDER,
    };
    c->advice = mem_realloc(c->advice, c->result.n_advice + 1, sizeof *c->advice);
    c->advice[c->result.n_advice++] =
        (struct check_advice){.id = ids[given->sort],
                              .expression = u->first + c->run.places[given->expression],
                              .message = mem_strndup(given->message.at, given->message.len),
                              .at = given->at,
                              .fails = given->fails,
                              .failure = given->failure,
                              .hint = mem_strndup(given->hint.at, given->hint.len),
                              .correction = mem_strndup(given->correction.at, given->correction.len),
                              .chain = given->chain,
                              .type = given->type,
                              .node = given->node,
                              .is_operand = given->is_operand};
    c->result.advice = c->advice;
}

static void add_note(struct check *c, const struct unit *u, const struct typecheck_note *given)
{
    c->notes = mem_realloc(c->notes, c->result.n_notes + 1, sizeof *c->notes);
    c->notes[c->result.n_notes++] =
        (struct check_note){.code = given->code,
                            .expression = u->first + c->run.places[given->expression],
                            .message = mem_strndup(given->message.at, given->message.len),
                            .at = given->at};
    c->result.notes = c->notes;
}

static void take_result(struct check *c, const struct unit *u, const struct typecheck_result *r)
{
    const size_t room = c->result.n_warnings + r->warning_count;
    c->kept = mem_realloc(c->kept, room, sizeof *c->kept);
    c->warnings = mem_realloc(c->warnings, room, sizeof *c->warnings);
    for (size_t i = 0; i < r->warning_count; i++)
        add_warning(c, u, &r->warnings[i]);
    for (size_t i = 0; i < r->advice_count; i++)
        add_advice(c, u, &r->advice[i]);
    for (size_t i = 0; i < r->note_count; i++)
        add_note(c, u, &r->notes[i]);
    for (size_t i = 0; r->truths != NULL && i < c->run.policy.policy.count; i++)
        c->truths[u->first + c->run.places[i]] = r->truths[i];
    add_limits(c, u, r);
    c->result.left_out += r->left_out;
    if (r->peak_bytes > c->result.peak_bytes)
        c->result.peak_bytes = r->peak_bytes;
}

/* ---- the work ---- */

/*
 * Upstream checks validations and their messages, with the variables declared, and no other kind of policy
 * at all; in its scope, those are checked as if it checked them. Scope full checks all.
 */
static bool is_checked(const struct check *c, enum policy_place place)
{
    if (c->policy->kind != POLICYVIEW_VALIDATING)
        return c->scope == TYPES_FULL || place != POLICY_VARIABLE;
    return c->scope == TYPES_FULL || place == POLICY_VALIDATION || place == POLICY_MESSAGE;
}

static bool is_ignored(void *user, size_t expression, const struct typecheck_issue *issue)
{
    struct check *c = user;
    const struct check_filter *filter = &c->filter;
    cleanup_mem char *message = mem_strndup(issue->message.at, issue->message.len);
    struct check_issue asked = describe_issue(issue);
    asked.message = message;
    const bool is =
        filter->ignores == NULL
            ? finding_set_has(c->ignored, finding_of_issue(issue->code))
            : filter->ignores(filter->user, c->units[c->at].first + c->run.places[expression], &asked);
    c->result.has_ignored = c->result.has_ignored || is;
    return is;
}

/* The expressions to hand over and their places in the unit's policy. */
static void collect_expressions(struct check *c, const struct policy *p)
{
    struct run *run = &c->run;
    size_t count = 0;
    run->expressions = mem_array(p->count + 1, sizeof *run->expressions);
    run->places = mem_array(p->count + 1, sizeof *run->places);
    for (size_t i = 0; i < p->count; i++) {
        const bool is = is_checked(c, p->expressions[i].place);
        if (!is && p->expressions[i].place != POLICY_VARIABLE)
            continue;
        c->result.n_expressions += is;
        run->places[count] = i;
        run->expressions[count++] = p->expressions[i];
    }
    run->policy.policy = *p;
    run->policy.policy.expressions = run->expressions;
    run->policy.policy.count = count;
    run->policy.policy.has_params = c->has_params;
    c->steps += UNIT_STEPS + p->count;
}

/* The part of one policy's budget that the units before have left. */
static struct typecheck_caps left(const struct check *c)
{
    struct typecheck_caps caps = typecheck_default_caps;
    caps.steps = c->steps < caps.steps ? caps.steps - c->steps : 0;
    return caps;
}

static bool has_wildcard(const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (names[i][0] == '*')
            return true;
    }
    return false;
}

/* Returns true if the unit's rules may match types that are not known. Only a cluster knows which resources
 * `*` matches. */
static bool has_strangers(const struct check *c, const struct unit *u)
{
    const struct matchrules *match = &u->policy->match;
    bool has = false;
    for (size_t i = 0; !has && c->is_partial && i < match->n_rules; i++) {
        const struct matchrules_rule *rule = &match->rules[i];
        has = has_wildcard(rule->groups, rule->n_groups) || has_wildcard(rule->resources, rule->n_resources);
    }
    return has;
}

/* Returns true if the types are all known ones that the unit's rules match. */
static bool has_all_types(const struct check *c, const struct unit *u)
{
    const bool is_known = c->result.n_problems == 0 && c->result.n_missing == 0;
    return is_known && !(u->policy->policy.is_mutating && has_strangers(c, u));
}

static bool is_resource_named(const struct discovery_resource *r, enum policy_name sort, struct str name)
{
    if (sort == POLICY_KIND || sort == POLICY_RESOURCE)
        return str_eq(str_of(sort == POLICY_KIND ? r->kind : r->name), name);
    for (size_t i = 0; sort == POLICY_SUBRESOURCE && i < r->n_subresources; i++) {
        if (str_eq(str_of(r->subresources[i].name), name))
            return true;
    }
    return false;
}

static bool is_version_named(const char *group, const struct discovery_version *v, enum policy_name sort,
                             struct str name)
{
    cleanup_mem char *api_version = mem_printf("%s%s%s", group, *group == '\0' ? "" : "/", v->version);
    bool is_named = (sort == POLICY_GROUP && str_eq(str_of(group), name)) ||
                    (sort == POLICY_VERSION && str_eq(str_of(v->version), name)) ||
                    (sort == POLICY_API_VERSION && str_eq(str_of(api_version), name));
    for (size_t i = 0; !is_named && i < v->n_resources; i++)
        is_named = is_resource_named(&v->resources[i], sort, name);
    return is_named;
}

static bool has_name(void *user, enum policy_name sort, struct str name)
{
    const struct check *c = user;
    for (size_t i = 0; i < c->discovery->n_groups; i++) {
        const struct discovery_group *g = &c->discovery->groups[i];
        for (size_t k = 0; k < g->n_versions; k++) {
            if (is_version_named(g->name, &g->versions[k], sort, name))
                return true;
        }
    }
    return false;
}

static void prepare(struct check *c, struct unit *u, const struct typeset_documents *documents)
{
    struct run *run = &c->run;
    enum openapi_state ignored;
    c->is_running = true;
    find_types(c, u, documents);
    collect_expressions(c, &u->policy->policy);
    run->policy.typing = c->scope == TYPES_UPSTREAM ? SCHEMA_UPSTREAM : SCHEMA_RUNTIME;
    run->policy.types = u->types->types;
    run->policy.type_count = u->types->n_checked;
    run->policy.most_identity = u->types->most_identity;
    run->policy.params = param_type(c, documents, &ignored);
    run->policy.has_all_types = has_all_types(c, u);
    run->policy.has_strangers = has_strangers(c, u);
    run->policy.has_name = has_name;
    if (c->of_types != NULL && run->policy.params.node != NULL)
        run->policy.params.identity = identities_number(c->shared->identities, &run->policy.params);
    run->policy.minor = c->minor;
    run->policy.validating_minor = c->validating_minor;
    run->policy.kept = c->of_types;
    run->policy.answers = u->is_shared ? c->shared->answers : NULL;
    run->policy.wants_advice = c->wants_advice;
    run->policy.checks_each_type = c->checks_each_type;
    run->policy.ignore = c->ignored.bits != 0 || c->filter.ignores != NULL ? is_ignored : NULL;
    run->policy.user = c;
}

/* Returns false if there is nothing to check, or if there are no steps left to check it with. */
static bool begin_unit(struct check *c, struct unit *u, const struct env *env,
                       const struct typeset_documents *documents)
{
    struct run *run = &c->run;
    prepare(c, u, documents);
    const struct typecheck_caps caps = left(c);
    const bool has_room = c->kept_bytes <= KEPT_MAX_BYTES;
    if (run->policy.policy.count == 0 || run->policy.type_count == 0)
        return false;
    if (caps.steps > 0 && has_room)
        run->typecheck = typecheck_new(env, &run->policy, &caps);
    if (run->typecheck == NULL)
        add_limit(c, u,
                  &(struct typecheck_limit){TYPECHECK_EVERY, TYPECHECK_EVERY,
                                            caps.steps > 0 ? TYPECHECK_MEMORY : TYPECHECK_STEPS});
    return run->typecheck != NULL;
}

const struct typecheck_policy *check_scope(struct check *c, size_t expression, check_lookup *lookup,
                                           void *user, size_t *index)
{
    const struct typeset_documents documents = {lookup, user, c->scope == TYPES_FULL ? &c->connect : NULL,
                                                NULL};
    const size_t n_expressions = c->result.n_expressions;
    end_run(c);
    c->at = 0;
    while (c->at + 1 < c->n_units && c->units[c->at + 1].first <= expression)
        c->at++;
    prepare(c, &c->units[c->at], &documents);
    c->result.n_expressions = n_expressions;
    *index = 0;
    while (*index + 1 < c->run.policy.policy.count &&
           c->units[c->at].first + c->run.places[*index] < expression)
        (*index)++;
    return &c->run.policy;
}

static void add_param_problem(struct check *c, enum types_reason reason, const char *message)
{
    add_problem(c, &(struct types_problem){.reason = reason, .message = message, .field = "spec.paramKind"});
}

/* If there is no schema, params are of any type: the fields that expressions select of them are not
 * checked. */
static void find_params(struct check *c, const struct typeset_documents *documents)
{
    struct check_result *r = &c->result;
    enum openapi_state state;
    if (param_type(c, documents, &state).node != NULL)
        return;
    if (state == OPENAPI_UNKNOWN) {
        add_param_problem(c, TYPES_CLUSTER_UNAVAILABLE, "the schema of paramKind could not be read yet");
    } else if (state == OPENAPI_TOO_LARGE) {
        add_param_problem(c, TYPES_LIMIT_REACHED,
                          "the schema of paramKind was not kept: its OpenAPI document is too large");
    } else {
        c->missing = mem_realloc(c->missing, r->n_missing + 1, sizeof *c->missing);
        c->missing[r->n_missing++] = c->param_group;
    }
}

/* Returns true if a cluster may serve the paramKind, although the discovery does not have it. */
static bool may_be_abroad(const struct check *c)
{
    return c->is_partial && c->result.param_kind_near == NULL &&
           !types_full_is_known(c->discovery, c->param_group, c->param_version);
}

static void add_abroad(struct check *c)
{
    c->result.param_kind = CHECK_PARAM_KIND_ABROAD;
    c->param_text = mem_printf("%skind %s of %s", types_list_nobody(true), c->policy->param_kind,
                               c->policy->param_api_version);
    add_param_problem(c, TYPES_RESOURCE_NOT_FOUND, c->param_text);
}

static void finish(struct check *c, const struct typeset_documents *documents)
{
    struct check_result *r = &c->result;
    if (c->policy->left_out != NULL)
        add_problem(c,
                    &(struct types_problem){.reason = TYPES_LIMIT_REACHED, .message = c->policy->left_out});
    r->param_kind = find_param_kind(c);
    r->is_partial = c->is_partial;
    if (r->param_kind == CHECK_PARAM_KIND_NOT_FOUND)
        r->param_kind_near = find_near_param_kind(c);
    if (r->param_kind == CHECK_PARAM_KIND_NOT_FOUND && may_be_abroad(c))
        add_abroad(c);
    if (r->param_kind == CHECK_PARAM_KIND_FOUND)
        find_params(c, documents);
    r->warnings = c->warnings;
    r->problems = c->problems;
    r->missing = c->missing;
}

/* Goes on with the unit under way, or begins it; true if it is not done. */
static bool step_unit(struct check *c, const struct env *env, const struct typeset_documents *documents,
                      uint64_t steps)
{
    struct unit *u = &c->units[c->at];
    if (!c->is_running && !begin_unit(c, u, env, documents)) {
        end_run(c);
        return false;
    }
    if (typecheck_step(c->run.typecheck, steps))
        return true;
    take_result(c, u, typecheck_result(c->run.typecheck));
    c->steps += typecheck_steps(c->run.typecheck);
    end_run(c);
    return false;
}

uint64_t check_steps(const struct check *c)
{
    return c->steps + (c->run.typecheck == NULL ? 0 : typecheck_steps(c->run.typecheck));
}

size_t check_bytes(const struct check *c)
{
    return c->kept_bytes + (c->run.typecheck == NULL ? 0 : typecheck_bytes(c->run.typecheck));
}

bool check_step(struct check *c, const struct env *env, check_lookup *lookup, void *user, uint64_t steps)
{
    const uint64_t begin = check_steps(c);
    /* upstream's type checker never sees what CONNECT brings */
    const struct typeset_documents documents = {lookup, user, c->scope == TYPES_FULL ? &c->connect : NULL,
                                                NULL};
    while (c->at < c->n_units) {
        const uint64_t spent = check_steps(c) - begin;
        if (spent >= steps)
            return true;
        if (!step_unit(c, env, &documents, steps - spent))
            c->at++;
    }
    finish(c, &documents);
    return false;
}

const struct check_result *check_result(const struct check *c)
{
    return &c->result;
}

const struct check_result *check_run(struct check *c, const struct env *env, check_lookup *lookup, void *user)
{
    while (check_step(c, env, lookup, user, UINT64_MAX))
        ;
    return check_result(c);
}
