#include "controller/check/check.h"

#include <stdio.h>
#include <string.h>

#include "client/base/groupversion.h"
#include "client/base/mem.h"
#include "controller/check/suppress.h"
#include "typecheck/base/suggest.h"
#include "typecheck/schema/document.h"

enum {
    UNIT_STEPS = 1000,                /* what beginning and ending a unit costs */
    NEAR_KINDS_MAX = 500,             /* names that a misspelled paramKind is compared with */
    NEAR_KIND_STEPS = 20,             /* what one such comparison costs */
    STEP_BYTES = 64,                  /* of a text that is kept */
    LIMITS_NAMED = 3,                 /* the others are counted */
    KEPT_MAX_BYTES = 4 * 1024 * 1024, /* of warnings, those of all units */
};

/* Expressions with rules of their own: a policy's, or those of one webhook of a configuration. */
struct unit {
    const struct policyview *policy;
    struct typeset *types; /* shared by units with the same rules */
    size_t first;          /* of its expressions, in the whole */
};

/* The unit that is under way. */
struct run {
    struct typecheck_policy policy;
    struct policy_expression *expressions;
    size_t *places; /* of each in unit.policy->expressions */
    struct typecheck *typecheck;
};

/* What a warning points to. */
struct kept {
    char *texts; /* text, first issue and hint, the messages of its issues */
    struct check_issue *issues;
};

struct check {
    const struct policyview *policy;
    const struct discovery *discovery;
    enum types_scope scope;
    bool is_partial;            /* the discovery */
    struct finding_set ignored; /* by the annotation */
    struct check_filter filter;
    bool wants_advice;
    struct check_advice *advice;
    struct check_note *notes;

    struct unit *units;
    size_t n_units;
    struct typeset **typesets;
    size_t n_typesets;

    struct keymap path_set; /* of the paths */
    const char **paths;
    size_t n_paths;

    /* params: paramKind's group, version and kind, where upstream takes one for given */
    bool has_params;
    char *param_group, *param_version;

    struct schema *connect;
    size_t at; /* the unit under way */
    bool is_running;
    struct run run;
    uint64_t steps;    /* of the units that are done, and for them */
    size_t kept_bytes; /* of their warnings */

    struct kept *kept; /* of each warning */
    struct check_warning *warnings;
    struct types_target *types; /* of all units */
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

static struct typeset *new_typeset(struct check *c, const struct policyview_match *match,
                                   struct types_options *options)
{
    struct typeset *set = mem_zalloc(sizeof *set);
    typeset_init(set, match, c->discovery, options);
    options->steps = set->list.steps;
    c->typesets[c->n_typesets++] = set;
    for (size_t i = 0; i < set->list.n_targets; i++) {
        const struct types_target *t = &set->list.targets[i];
        add_path(c, t->document_group, t->document_version);
        add_path(c, t->group, t->version);
    }
    return set;
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
        cleanup_mem char *key = is_whole ? NULL : policyview_match_key(&policy->match);
        struct typeset *set = key == NULL ? NULL : keymap_get(&known, key);
        cleanup_mem char *rules = is_whole ? NULL : mem_printf("webhooks[%zu].rules", i);
        options->rules_field = rules;
        if (set == NULL) {
            set = new_typeset(c, &policy->match, options);
            if (key != NULL)
                keymap_put(&known, key, set);
        }
        c->units[i] = (struct unit){policy, set, first};
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
    c->ignored = suppress_ignored(policy->json, NULL);
    asked.for_webhooks = policy->kind == POLICYVIEW_WEBHOOKS;
    asked.steps = 0;
    add_units(c, &asked);
    read_param_kind(c);
    return c;
}

void check_want_advice(struct check *c)
{
    c->wants_advice = true;
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
        mem_free(c->advice[i].failure);
    }
    for (size_t i = 0; i < c->result.n_notes; i++)
        mem_free(c->notes[i].message);
    mem_free(c->advice);
    mem_free(c->notes);
    mem_free(c->typesets);
    mem_free(c->units);
    keymap_deinit(&c->messages, NULL);
    keymap_deinit(&c->path_set, NULL);
    schema_free(c->connect);
    mem_free(c->paths);
    mem_free(c->param_group);
    mem_free(c->param_version);
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

/* Whether a resource of that kind is served; a group that was not read leaves it open. */
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

/* "ConfigMap" for Configmap; NULL: nothing is near, or there are more kinds than one slice may compare. */
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

/* ---- what was found ---- */

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
    c->steps += count + set->n_checked;
    mem_free(c->types);
    c->types = merged;
    c->result.n_types = n;
}

/* Looks for the schemas of a unit's types, unless another unit with the same rules has. */
static void find_types(struct check *c, struct unit *u, const struct typeset_documents *documents)
{
    struct typeset *set = u->types;
    /* a deletion has nothing to mutate */
    const unsigned never = u->policy->kind == POLICYVIEW_MUTATING ? POLICY_DELETE : 0;
    size_t missing = c->result.n_missing;
    if (set->is_found)
        return;
    typeset_find(set, documents, never);
    merge_types(c, set);
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

/* Copies a text to *at, a NUL behind it, and goes on behind that. */
static char *put_text(char **at, struct str text)
{
    char *copy = *at;
    if (text.len > 0)
        memcpy(copy, text.at, text.len);
    copy[text.len] = '\0';
    *at += text.len + 1;
    return copy;
}

static size_t texts_len(const struct typecheck_warning *w)
{
    size_t len = w->text.len + 1 + w->first.message.len + 1 + w->hint.len + 1;
    for (size_t i = 0; i < w->issue_count; i++)
        len += w->issues[i].message.len + 1;
    return len;
}

/* All but the message and the type. */
static struct check_issue describe_issue(const struct typecheck_issue *issue)
{
    return (struct check_issue){.code = issue->code,
                                .offset = issue->offset,
                                .end = issue->end,
                                .line = issue->line,
                                .column = issue->column,
                                .is_unequal = issue->is_unequal,
                                .is_claim = issue->is_claim,
                                .site = issue->site};
}

/* Its message goes to *at. */
static struct check_issue copy_issue(const struct unit *u, const struct typecheck_issue *issue, char **at)
{
    struct check_issue copy = describe_issue(issue);
    copy.message = put_text(at, issue->message);
    copy.type = issue->first_type;
    copy.first_type = &u->types->checked[issue->first_type];
    return copy;
}

static struct check_issue *copy_issues(const struct unit *u, const struct typecheck_warning *w, char **at)
{
    struct check_issue *list = mem_array(w->issue_count + 1, sizeof *list);
    for (size_t i = 0; i < w->issue_count; i++)
        list[i] = copy_issue(u, &w->issues[i], at);
    return list;
}

/* Copies what the type checker's memory holds. */
static void add_warning(struct check *c, const struct unit *u, const struct typecheck_warning *w)
{
    const size_t count = c->result.n_warnings, len = texts_len(w);
    char *at = c->kept[count].texts = mem_zalloc(len);
    const char *text = put_text(&at, w->text);
    const struct check_issue first = copy_issue(u, &w->first, &at);
    const char *hint = put_text(&at, w->hint);
    c->kept[count].issues = copy_issues(u, w, &at);
    c->warnings[count] = (struct check_warning){.expression = u->first + c->run.places[w->expression],
                                                .text = text,
                                                .len = w->text.len,
                                                .shown = w->shown,
                                                .first = first,
                                                .hint = hint,
                                                .issues = c->kept[count].issues,
                                                .n_issues = w->issue_count,
                                                .has_more_issues = w->has_more_issues};
    c->result.n_warnings++;
    c->kept_bytes += len + w->issue_count * sizeof(struct check_issue);
    c->steps += len / STEP_BYTES;
}

static void add_advice(struct check *c, const struct unit *u, const struct typecheck_advice *given)
{
    static const enum finding_id ids[] = {
        [ADVICE_UNUSED_VARIABLE] = FINDING_UNUSED_VARIABLE,
        [ADVICE_OPTIONAL_FIELD] = FINDING_OPTIONAL_FIELD,
    };
    c->advice = mem_realloc(c->advice, c->result.n_advice + 1, sizeof *c->advice);
    c->advice[c->result.n_advice++] =
        (struct check_advice){.id = ids[given->sort],
                              .expression = u->first + c->run.places[given->expression],
                              .message = mem_strndup(given->message.at, given->message.len),
                              .line = given->line,
                              .column = given->column,
                              .failure = mem_strndup(given->failure.at, given->failure.len),
                              .type = given->type,
                              .node = given->node};
    c->result.advice = c->advice;
}

static void add_note(struct check *c, const struct unit *u, const struct typecheck_note *given)
{
    c->notes = mem_realloc(c->notes, c->result.n_notes + 1, sizeof *c->notes);
    c->notes[c->result.n_notes++] =
        (struct check_note){.code = given->code,
                            .expression = u->first + c->run.places[given->expression],
                            .message = mem_strndup(given->message.at, given->message.len),
                            .line = given->line,
                            .column = given->column};
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
    add_limits(c, u, r);
    c->result.left_out += r->left_out;
    if (r->peak_bytes > c->result.peak_bytes)
        c->result.peak_bytes = r->peak_bytes;
}

/* ---- the work ---- */

/*
 * Upstream checks validations and their messages, with the variables declared, and no other kind at all;
 * those are checked in its scope as it would if it did. Scope full checks all.
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

/* What the units before have left of one policy's budget. */
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

/* Whether the types are all that the unit's rules match. Which resources `*` matches only a cluster says. */
static bool has_all_types(const struct check *c, const struct unit *u)
{
    const struct policyview_match *match = &u->policy->match;
    bool has_all = c->result.n_problems == 0 && c->result.n_missing == 0;
    for (size_t i = 0; has_all && c->is_partial && i < match->n_rules; i++) {
        const struct policyview_rule *rule = &match->rules[i];
        has_all =
            !has_wildcard(rule->groups, rule->n_groups) && !has_wildcard(rule->resources, rule->n_resources);
    }
    return has_all;
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
    run->policy.params = param_type(c, documents, &ignored);
    run->policy.has_all_types = has_all_types(c, u);
    run->policy.wants_advice = c->wants_advice;
    run->policy.ignore = c->ignored.bits != 0 || c->filter.ignores != NULL ? is_ignored : NULL;
    run->policy.user = c;
}

/* False where there is nothing to check, or nothing left to check it with. */
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
    const struct typeset_documents documents = {lookup, user, c->scope == TYPES_FULL ? &c->connect : NULL};
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

/* Without a schema params are of any type: what expressions select of them is not checked. */
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

static void finish(struct check *c, const struct typeset_documents *documents)
{
    struct check_result *r = &c->result;
    if (c->policy->left_out != NULL)
        add_problem(c,
                    &(struct types_problem){.reason = TYPES_LIMIT_REACHED, .message = c->policy->left_out});
    r->param_kind = find_param_kind(c);
    if (r->param_kind == CHECK_PARAM_KIND_NOT_FOUND)
        r->param_kind_near = find_near_param_kind(c);
    if (r->param_kind == CHECK_PARAM_KIND_FOUND)
        find_params(c, documents);
    r->types = c->types;
    r->warnings = c->warnings;
    r->problems = c->problems;
    r->missing = c->missing;
}

/* Goes on with the unit under way, or begins it; true: it is not done. */
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
    const struct typeset_documents documents = {lookup, user, c->scope == TYPES_FULL ? &c->connect : NULL};
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
