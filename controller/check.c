#include "controller/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/mem.h"
#include "controller/connect.h"

struct check {
    const struct policy *policy;
    const struct discovery *discovery;
    enum types_scope scope;
    struct types_list types;

    char **paths;
    size_t n_paths;

    /* params: paramKind's group, version and kind, where upstream takes one for given */
    bool has_params;
    char *param_group, *param_version;

    struct check **webhooks; /* of a webhook configuration: a check each, and the result is theirs */
    struct types_problem *problems;
    struct keymap messages; /* of the problems */

    struct schema *connect;       /* NULL until a type needs it */
    struct types_target *checked; /* the targets that have a schema, as result.types */
    struct typecheck_request *requests;
    struct typecheck_result typechecked;
    struct check_warning *warnings;
    const char **missing;
    struct check_result result;
};

static struct str str_from(const char *text)
{
    return (struct str){text, strlen(text)};
}

static void take_path(struct check *c, char *path)
{
    for (size_t i = 0; i < c->n_paths; i++) {
        if (strcmp(c->paths[i], path) == 0) {
            mem_free(path);
            return;
        }
    }
    c->paths = mem_realloc(c->paths, c->n_paths + 1, sizeof *c->paths);
    c->paths[c->n_paths++] = path;
}

static void add_path(struct check *c, const char *group, const char *version)
{
    char path[1024];
    if (openapi_path(group, version, path, sizeof path) == 0)
        take_path(c, mem_strdup(path)); /* else longer than any group-version that a server can have */
}

/*
 * schema.ParseGroupVersion: "v1", "group/version"; more slashes are an error,
 * which upstream takes for no paramKind at all.
 */
static void read_param_kind(struct check *c)
{
    const char *api_version = c->policy->param_api_version;
    const char *slash = strchr(api_version, '/');
    if (!c->policy->has_param_kind)
        return;
    if (slash != NULL && strchr(slash + 1, '/') != NULL) {
        c->has_params = c->scope == TYPES_FULL;
        c->param_group = mem_strdup("");
        c->param_version = mem_strdup("");
        return;
    }
    c->param_group = slash == NULL ? mem_strdup("") : mem_strndup(api_version, (size_t)(slash - api_version));
    c->param_version = mem_strdup(slash == NULL ? api_version : slash + 1);
    c->has_params = c->scope == TYPES_FULL || api_version[0] != '\0' || c->policy->param_kind[0] != '\0';
    if (c->param_version[0] != '\0')
        add_path(c, c->param_group, c->param_version);
}

static void add_webhooks(struct check *c, const struct types_options *options)
{
    const struct policy *p = c->policy;
    c->webhooks = mem_array(p->n_webhooks, sizeof(struct check *));
    for (size_t i = 0; i < p->n_webhooks; i++) {
        struct check *webhook = c->webhooks[i] = check_new(p->webhooks[i], c->discovery, options);
        for (size_t j = 0; j < webhook->n_paths; j++)
            take_path(c, mem_strdup(webhook->paths[j]));
    }
}

struct check *check_new(const struct policy *policy, const struct discovery *discovery,
                        const struct types_options *options)
{
    struct check *c = mem_zalloc(sizeof *c);
    struct types_options asked = *options;
    c->policy = policy;
    c->discovery = discovery;
    c->scope = options->scope;
    asked.for_webhooks = policy->kind == POLICY_WEBHOOKS;
    types_resolve(&policy->match, discovery, &asked, &c->types);
    add_webhooks(c, options);
    for (size_t i = 0; i < c->types.n_targets; i++) {
        const struct types_target *t = &c->types.targets[i];
        add_path(c, t->document_group, t->document_version);
        add_path(c, t->group, t->version);
    }
    read_param_kind(c);
    return c;
}

void check_free(struct check *c)
{
    if (c == NULL)
        return;
    for (size_t i = 0; i < c->policy->n_webhooks; i++)
        check_free(c->webhooks[i]);
    mem_free(c->webhooks);
    mem_free(c->problems);
    keymap_deinit(&c->messages, NULL);
    typecheck_result_deinit(&c->typechecked);
    types_list_deinit(&c->types);
    schema_free(c->connect);
    for (size_t i = 0; i < c->n_paths; i++)
        mem_free(c->paths[i]);
    mem_free(c->paths);
    mem_free(c->param_group);
    mem_free(c->param_version);
    mem_free(c->checked);
    mem_free(c->requests);
    mem_free(c->warnings);
    mem_free(c->missing);
    mem_free(c);
}

const char *const *check_paths(const struct check *c)
{
    return (const char *const *)c->paths;
}

size_t check_path_count(const struct check *c)
{
    return c->n_paths;
}

/* Where documents come from. */
struct documents {
    check_lookup *lookup;
    void *user;
};

/* Looks for a kind in one group-version's document; *state is UNKNOWN where that could not be read. */
static struct typecheck_type find_in(const struct documents *d, const char *document_group,
                                     const char *document_version, const struct types_target *t,
                                     enum openapi_state *state)
{
    char path[1024];
    struct typecheck_type found = {
        .group = str_from(t->group), .version = str_from(t->version), .kind = str_from(t->kind)};
    *state = OPENAPI_ABSENT;
    if (openapi_path(document_group, document_version, path, sizeof path) != 0)
        return found;
    found.doc = d->lookup(d->user, path, state);
    if (found.doc != NULL)
        found.node = schema_find(found.doc, found.group, found.version, found.kind);
    return found;
}

/* What CONNECT brings has no published schema. Upstream's type checker never sees it. */
static void find_connect_options(struct check *c, struct typecheck_type *found)
{
    if (c->scope != TYPES_FULL || found->group.len != 0)
        return;
    if (c->connect == NULL)
        c->connect = connect_schemas();
    found->doc = c->connect;
    if (c->connect != NULL)
        found->node = schema_find(c->connect, found->group, found->version, found->kind);
}

/* A subresource's kind stands in the resource's document first, then in that of its own group-version. */
static struct typecheck_type find_type(struct check *c, const struct documents *d,
                                       const struct types_target *t, enum openapi_state *state)
{
    enum openapi_state own_state;
    struct typecheck_type found = find_in(d, t->document_group, t->document_version, t, state);
    if (found.node != NULL)
        return found;
    found = find_in(d, t->group, t->version, t, &own_state);
    if (own_state == OPENAPI_UNKNOWN)
        *state = OPENAPI_UNKNOWN;
    if (found.node == NULL)
        find_connect_options(c, &found);
    return found;
}

/* All requests of the targets, as the type checker takes them. */
static void collect_requests(struct check *c)
{
    /* a deletion has nothing to mutate */
    unsigned never = c->policy->kind == POLICY_MUTATING ? TYPECHECK_DELETE : 0;
    c->requests = mem_array(c->types.n_requests + 1, sizeof *c->requests);
    for (size_t i = 0; i < c->types.n_requests; i++) {
        const struct types_request *r = &c->types.requests[i];
        c->requests[i] = (struct typecheck_request){.group = str_from(r->group),
                                                    .version = str_from(r->version),
                                                    .resource = str_from(r->resource),
                                                    .subresource = str_from(r->subresource),
                                                    .is_namespaced = r->is_namespaced,
                                                    .operations = r->operations & ~never};
    }
}

static void add_missing_schema(struct check *c, const struct types_target *t, enum openapi_state state)
{
    const char *separator = t->group[0] == '\0' ? "" : "/";
    if (state == OPENAPI_UNKNOWN) {
        types_add_problem(&c->types, TYPES_CLUSTER_UNAVAILABLE,
                          "the schema of %s%s%s %s could not be read yet", t->group, separator, t->version,
                          t->kind);
        return;
    }
    c->missing[c->result.n_missing++] = t->document_group;
    types_add_problem(&c->types, TYPES_SCHEMA_NOT_FOUND, "the cluster publishes no schema for %s%s%s %s",
                      t->group, separator, t->version, t->kind);
}

/* The targets that have a schema; the others become problems. The caller frees the list. */
static struct typecheck_type *find_types(struct check *c, const struct documents *d)
{
    size_t count = c->types.n_targets;
    struct typecheck_type *found = mem_array(count + 1, sizeof *found);
    c->checked = mem_array(count + 1, sizeof *c->checked);
    c->missing = mem_array(count + 1, sizeof *c->missing); /* one more for params */
    for (size_t i = 0; i < count; i++) {
        enum openapi_state state;
        struct types_target *t = &c->types.targets[i];
        found[c->result.n_types] = find_type(c, d, t, &state);
        found[c->result.n_types].requests = c->requests + t->first_request;
        found[c->result.n_types].request_count = t->n_requests;
        if (found[c->result.n_types].node != NULL)
            c->checked[c->result.n_types++] = *t;
        else
            add_missing_schema(c, t, state);
    }
    c->result.types = c->checked;
    c->result.missing = c->missing;
    return found;
}

/*
 * Upstream checks validations and their messages, with the variables declared, and no other kind at all;
 * those are checked in its scope as it would if it did. Scope full checks all.
 */
static bool is_checked(const struct check *c, enum typecheck_place place)
{
    if (c->policy->kind != POLICY_VALIDATING)
        return c->scope == TYPES_FULL || place != TYPECHECK_VARIABLE;
    return c->scope == TYPES_FULL || place == TYPECHECK_VALIDATION || place == TYPECHECK_MESSAGE;
}

/* The expressions to hand over and their places in policy->expressions. The caller frees both. */
static size_t collect_expressions(struct check *c, struct typecheck_expression **out, size_t **places)
{
    const struct policy *p = c->policy;
    size_t count = 0;
    *out = mem_array(p->n_expressions + 1, sizeof **out);
    *places = mem_array(p->n_expressions + 1, sizeof **places);
    for (size_t i = 0; i < p->n_expressions; i++) {
        const struct policy_expression *e = &p->expressions[i];
        if (!is_checked(c, e->place) && e->place != TYPECHECK_VARIABLE)
            continue;
        c->result.n_expressions += is_checked(c, e->place);
        (*places)[count] = i;
        (*out)[count++] = (struct typecheck_expression){
            .place = e->place,
            .name = str_from(e->name),
            .field_ref = str_from(e->field_ref),
            .text = {e->text, e->len},
        };
    }
    return count;
}

static struct typecheck_type param_type(const struct check *c, const struct documents *d)
{
    struct types_target t = {.kind = c->policy->param_kind};
    enum openapi_state state;
    if (c->param_version == NULL || c->param_version[0] == '\0')
        return (struct typecheck_type){.kind = str_from(t.kind)};
    t.group = t.document_group = c->param_group;
    t.version = t.document_version = c->param_version;
    return find_in(d, t.group, t.version, &t, &state);
}

/* Whether a resource of that kind is served; a group that was not read leaves it open. */
static enum check_param_kind find_param_kind(const struct check *c)
{
    if (!c->policy->has_param_kind)
        return CHECK_PARAM_KIND_NONE;
    const struct discovery_version *v =
        discovery_find_version(c->discovery, c->param_group, c->param_version);
    if (v == NULL)
        return CHECK_PARAM_KIND_NOT_FOUND;
    for (size_t i = 0; i < v->n_resources; i++) {
        if (strcmp(v->resources[i].kind, c->policy->param_kind) == 0)
            return CHECK_PARAM_KIND_FOUND;
    }
    return v->state == DISCOVERY_CURRENT ? CHECK_PARAM_KIND_NOT_FOUND : CHECK_PARAM_KIND_UNKNOWN;
}

static void collect_warnings(struct check *c, const size_t *places)
{
    const struct typecheck_result *r = &c->typechecked;
    c->warnings = mem_array(r->warning_count + 1, sizeof *c->warnings);
    for (size_t i = 0; i < r->warning_count; i++) {
        const struct typecheck_warning *w = &r->warnings[i];
        c->warnings[i] =
            (struct check_warning){places[w->expression], w->text.at, w->text.len,
                                   w->first.at,           w->hint.at, &c->checked[w->first_type]};
    }
    c->result.warnings = c->warnings;
    c->result.n_warnings = r->warning_count;
    c->result.left_out = r->left_out;
    if (r->limit_count > 0)
        types_add_problem(&c->types, TYPES_LIMIT_REACHED,
                          "the check takes too much work or memory to go on to its end");
    c->result.peak_bytes = r->peak_bytes;
}

/* ---- webhooks ---- */

static int compare_types(const void *a, const void *b)
{
    const struct types_target *s = a, *t = b;
    int group = strcmp(s->group, t->group), version = strcmp(s->version, t->version);
    return group != 0 ? group : version != 0 ? version : strcmp(s->kind, t->kind);
}

/* Sorted, each once. */
static void unify_types(struct check *c)
{
    size_t kept = 0;
    if (c->result.n_types > 0)
        qsort(c->checked, c->result.n_types, sizeof *c->checked, compare_types);
    for (size_t i = 0; i < c->result.n_types; i++) {
        if (kept == 0 || compare_types(&c->checked[kept - 1], &c->checked[i]) != 0)
            c->checked[kept++] = c->checked[i];
    }
    c->result.n_types = kept;
}

/* Adds what a webhook's check found; its expressions begin at `first`. */
static void add_result(struct check *c, const struct check_result *r, size_t first)
{
    struct check_result *sum = &c->result;
    c->checked = mem_realloc(c->checked, sum->n_types + r->n_types + 1, sizeof *c->checked);
    for (size_t i = 0; i < r->n_types; i++)
        c->checked[sum->n_types++] = r->types[i];
    c->warnings = mem_realloc(c->warnings, sum->n_warnings + r->n_warnings + 1, sizeof *c->warnings);
    for (size_t i = 0; i < r->n_warnings; i++) {
        c->warnings[sum->n_warnings] = r->warnings[i];
        c->warnings[sum->n_warnings++].expression += first;
    }
    c->problems = mem_realloc(c->problems, sum->n_problems + r->n_problems + 1, sizeof *c->problems);
    for (size_t i = 0; i < r->n_problems; i++) {
        if (keymap_put(&c->messages, r->problems[i].message, c) == NULL)
            c->problems[sum->n_problems++] = r->problems[i];
    }
    c->missing = mem_realloc(c->missing, sum->n_missing + r->n_missing + 1, sizeof *c->missing);
    for (size_t i = 0; i < r->n_missing; i++)
        c->missing[sum->n_missing++] = r->missing[i];
    sum->n_expressions += r->n_expressions;
    sum->left_out += r->left_out;
    sum->more_limits += r->more_limits;
    sum->peak_bytes = r->peak_bytes > sum->peak_bytes ? r->peak_bytes : sum->peak_bytes;
}

static const struct check_result *run_webhooks(struct check *c, const struct env *env, check_lookup *lookup,
                                               void *user)
{
    size_t first = 0;
    for (size_t i = 0; i < c->policy->n_webhooks; i++) {
        add_result(c, check_run(c->webhooks[i], env, lookup, user), first);
        first += c->policy->webhooks[i]->n_expressions;
    }
    unify_types(c);
    c->result.types = c->checked;
    c->result.warnings = c->warnings;
    c->result.problems = c->problems;
    c->result.missing = c->missing;
    return &c->result;
}

const struct check_result *check_run(struct check *c, const struct env *env, check_lookup *lookup, void *user)
{
    struct documents documents = {lookup, user};
    if (c->policy->n_webhooks > 0)
        return run_webhooks(c, env, lookup, user);
    struct typecheck_expression *expressions;
    size_t *places;
    size_t n_expressions = collect_expressions(c, &expressions, &places);
    collect_requests(c);
    struct typecheck_type *types = find_types(c, &documents);
    struct typecheck_policy policy = {
        .typing = c->scope == TYPES_UPSTREAM ? SCHEMA_UPSTREAM : SCHEMA_RUNTIME,
        .expressions = expressions,
        .expression_count = n_expressions,
        .types = types,
        .type_count = c->result.n_types,
        .has_params = c->has_params,
        .params = param_type(c, &documents),
        .lacks_variables = c->policy->kind == POLICY_WEBHOOKS,
    };
    typecheck_policy(env, &policy, &c->typechecked);
    collect_warnings(c, places);
    c->result.param_kind = find_param_kind(c);
    if (c->result.param_kind == CHECK_PARAM_KIND_FOUND && policy.params.node == NULL)
        c->missing[c->result.n_missing++] = c->param_group;
    c->result.problems = c->types.problems;
    c->result.n_problems = c->types.n_problems;
    mem_free(expressions);
    mem_free(places);
    mem_free(types);
    return &c->result;
}
