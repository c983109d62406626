#include "controller/check/types.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "controller/check/connect.h"
#include "controller/check/restmapper.h"
#include "typecheck/base/suggest.h"

/* typechecking.go: maxTypesToCheck, of one rule. */
#define UPSTREAM_MAX_TYPES 10

/* A problem's message is cut there. */
#define PROBLEM_BYTES 512

/* Bytes of a name that are a step; of a rule as a key: the API server takes less. */
enum { BYTES_A_STEP = 64, KEY_CAP_BYTES = 8 * 1024 * 1024 };

/* What things cost in comparisons of names, in time or in memory. */
enum { NEAREST_STEPS = 10, MATCH_STEPS = 20, REQUEST_STEPS = 40, PROBLEM_STEPS = 100, RULE_STEPS = 20 };

static void spend(struct types_list *list, size_t steps)
{
    list->steps += steps;
}

static bool is_exhausted(const struct types_list *list)
{
    return list->steps > TYPES_STEPS_MAX;
}

void types_add_problem(struct types_list *list, enum types_reason reason, const char *format, ...)
{
    char message[PROBLEM_BYTES];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    spend(list, PROBLEM_STEPS);
    if (keymap_put(&list->messages, message, list) != NULL)
        return;
    list->problems = mem_realloc(list->problems, list->n_problems + 1, sizeof *list->problems);
    list->problems[list->n_problems++] =
        (struct types_problem){.reason = reason, .message = keymap_key(&list->messages, message)};
}

void types_list_deinit(struct types_list *list)
{
    keymap_deinit(&list->messages, NULL);
    for (size_t i = 0; i < list->n_owned; i++)
        mem_free(list->owned[i]);
    mem_free(list->problems);
    mem_free(list->targets);
    mem_free(list->requests);
    mem_free(list->owned);
    *list = (struct types_list){0};
}

static void add_target(struct types_list *list, struct types_target target)
{
    /* room for powers of two: a rule of all resources has hundreds */
    if ((list->n_targets & (list->n_targets - 1)) == 0) {
        size_t room = list->n_targets == 0 ? 1 : 2 * list->n_targets;
        list->targets = mem_realloc(list->targets, room, sizeof *list->targets);
    }
    list->targets[list->n_targets++] = target;
}

static int compare_targets(const void *left, const void *right)
{
    const struct types_target *l = left, *r = right;
    int order = strcmp(l->group, r->group);
    if (order == 0)
        order = strcmp(l->version, r->version);
    return order != 0 ? order : strcmp(l->kind, r->kind);
}

/* The same order, and one among the documents of a kind, so that the same is taken each time. */
static int compare_documents(const void *left, const void *right)
{
    const struct types_target *l = left, *r = right;
    int order = compare_targets(l, r);
    if (order == 0)
        order = strcmp(l->document_group, r->document_group);
    return order != 0 ? order : strcmp(l->document_version, r->document_version);
}

/* By kind and document, then by what is requested: equal ones are neighbours. `user` is the list. */
static int compare_found(const void *left, const void *right, void *user)
{
    const struct types_target *l = left, *r = right;
    const struct types_list *list = user;
    int order = compare_documents(l, r);
    if (order != 0 || l->n_requests == 0 || r->n_requests == 0)
        return order;
    const struct types_request *a = &list->requests[l->first_request], *b = &list->requests[r->first_request];
    order = strcmp(a->resource, b->resource);
    return order != 0 ? order : strcmp(a->subresource, b->subresource);
}

static bool is_same_request(const struct types_request *l, const struct types_request *r)
{
    return strcmp(l->group, r->group) == 0 && strcmp(l->version, r->version) == 0 &&
           strcmp(l->resource, r->resource) == 0 && strcmp(l->subresource, r->subresource) == 0;
}

/* Adds to the kind's requests what another rule, or another resource, brings it by. */
static void take_request(struct types_list *list, struct types_target *target,
                         const struct types_request *request)
{
    struct types_request *last = target->n_requests == 0 ? NULL : &list->requests[list->n_requests - 1];
    if (last != NULL && is_same_request(last, request)) {
        last->operations |= request->operations;
        return;
    }
    list->requests[list->n_requests++] = *request;
    target->n_requests++;
}

/* Each kind once. Until here a target had at most one request, and of all of them the list is made anew. */
static void sort_and_unify(struct types_list *list)
{
    struct types_target *targets = list->targets;
    struct types_request *single = list->requests;
    size_t kept = 0;
    if (list->n_targets == 0)
        return;
    qsort_r(targets, list->n_targets, sizeof *targets, compare_found, list);
    list->requests = mem_array(list->n_requests + 1, sizeof *list->requests);
    list->n_requests = 0;
    for (size_t i = 0; i < list->n_targets; i++) {
        struct types_target found = targets[i];
        if (kept == 0 || compare_targets(&targets[kept - 1], &found) != 0) {
            targets[kept] = found;
            targets[kept].first_request = list->n_requests;
            targets[kept++].n_requests = 0;
        }
        if (found.n_requests != 0)
            take_request(list, &targets[kept - 1], &single[found.first_request]);
    }
    list->n_targets = kept;
    mem_free(single);
}

/* What a rule names more than once is looked up once. False where the key was seen. */
static bool is_first(struct keymap *seen, const char *key)
{
    return keymap_put(seen, key, seen) == NULL;
}

/* Scope upstream: typechecking.go, typesToCheck */

struct upstream {
    struct types_list *list;
    size_t found; /* kinds of this rule, those found before included */
};

static bool take_kind(void *user, const char *group, const char *version, const char *kind)
{
    struct upstream *u = user;
    struct types_list *list = u->list;
    char *copy = mem_strdup(kind);
    list->owned = mem_realloc(list->owned, list->n_owned + 1, sizeof *list->owned);
    list->owned[list->n_owned++] = copy;
    add_target(list, (struct types_target){.group = group,
                                           .version = version,
                                           .kind = copy,
                                           .document_group = group,
                                           .document_version = version});
    return ++u->found < UPSTREAM_MAX_TYPES;
}

static int compare_strings(const void *left, const void *right)
{
    const char *const *l = left, *const *r = right;
    return strcmp(*l, *r);
}

/* A sorted copy without those that hold one of `without`; the caller frees it. */
static const char **sorted_without(const char *const *strings, size_t count, const char *without,
                                   size_t *kept)
{
    const char **copy = mem_array(count + 1, sizeof *copy);
    *kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (strpbrk(strings[i], without) == NULL)
            copy[(*kept)++] = strings[i];
    }
    qsort(copy, *kept, sizeof *copy, compare_strings);
    return copy;
}

/* False when the limit of ten ended the whole scan. */
static bool scan_rule(struct types_list *list, const struct policyview_rule *rule,
                      const struct discovery *discovery)
{
    struct upstream u = {list, 0};
    size_t n_groups, n_versions, n_resources;
    const char **groups = sorted_without(rule->groups, rule->n_groups, "*", &n_groups);
    const char **versions = sorted_without(rule->versions, rule->n_versions, "*", &n_versions);
    const char **resources = sorted_without(rule->resources, rule->n_resources, "*/", &n_resources);
    bool has_wildcard = n_groups < rule->n_groups || n_versions < rule->n_versions;
    if (has_wildcard || n_resources < rule->n_resources)
        types_add_problem(list, TYPES_OUT_OF_SCOPE,
                          "wildcards and subresources are left out by --warnings-scope=upstream");
    size_t tuples = has_wildcard ? 0 : n_groups * n_versions * n_resources;
    bool *resolved = mem_array(n_resources + 1, sizeof *resolved);
    for (size_t i = 0; i < tuples && u.found < UPSTREAM_MAX_TYPES && !is_exhausted(list); i++) {
        size_t before = u.found;
        spend(list, restmapper_kinds_for(discovery, groups[i / (n_versions * n_resources)],
                                         versions[i / n_resources % n_versions], resources[i % n_resources],
                                         take_kind, &u));
        resolved[i % n_resources] |= u.found > before;
    }
    for (size_t i = 0; tuples > 0 && i < n_resources && u.found < UPSTREAM_MAX_TYPES; i++) {
        if (!resolved[i] && !is_exhausted(list))
            types_add_problem(list, TYPES_RESOURCE_NOT_FOUND, "the cluster serves no %s of the rule's groups",
                              resources[i]);
    }
    mem_free(resolved);
    mem_free(groups);
    mem_free(versions);
    mem_free(resources);
    return u.found < UPSTREAM_MAX_TYPES;
}

static void resolve_upstream(const struct policyview_rule *rules, size_t n_rules,
                             const struct discovery *discovery, struct types_list *list)
{
    for (size_t i = 0; i < n_rules && !is_exhausted(list); i++) {
        if (!scan_rule(list, &rules[i], discovery)) {
            types_add_problem(list, TYPES_OUT_OF_SCOPE,
                              "after ten types of a rule --warnings-scope=upstream looks no further");
            return;
        }
    }
}

/* Scope full: the API server's own matching of rules, expanded. */

static void add_names(struct buf *key, const char *const *strings, size_t count)
{
    buf_printf(key, "%zu:", count);
    for (size_t i = 0; i < count; i++) {
        size_t len = strlen(strings[i]);
        buf_printf(key, "%zu:", len);
        buf_append(key, strings[i], len);
    }
}

static void add_rule(struct buf *key, const struct policyview_rule *rule)
{
    add_names(key, rule->groups, rule->n_groups);
    add_names(key, rule->versions, rule->n_versions);
    add_names(key, rule->resources, rule->n_resources);
    add_names(key, rule->operations, rule->n_operations);
    add_names(key, &rule->scope, 1);
}

static char *finish_key(struct buf *key)
{
    if (!key->is_full)
        return buf_take(key, NULL);
    buf_deinit(key);
    return NULL;
}

/* As types_key, of one rule. */
static char *rule_key(struct types_list *list, const struct policyview_rule *rule)
{
    struct buf key;
    buf_init(&key, KEY_CAP_BYTES);
    add_rule(&key, rule);
    spend(list, RULE_STEPS + key.len / BYTES_A_STEP);
    return finish_key(&key);
}

char *types_key(const struct policyview_match *match)
{
    struct buf key;
    buf_init(&key, KEY_CAP_BYTES);
    buf_printf(&key, "%zu:%zu:%d:", match->n_rules, match->n_excluded, match->is_exact);
    for (size_t i = 0; i < match->n_rules; i++)
        add_rule(&key, &match->rules[i]);
    for (size_t i = 0; i < match->n_excluded; i++)
        add_rule(&key, &match->excluded[i]);
    return finish_key(&key);
}

enum { POLICIES = 1, WEBHOOKS = 2, WEBHOOKS_SINCE_1_37 = 4 };

enum { REVIEWS_EXCLUDED_SINCE = 37 };

/* What admission never asks them about (k8s.io/apiserver's exclusion list and reviews, predicates/rules). */
static const struct {
    const char *group, *resource;
    int whom;
} never_evaluated[] = {
    {"admissionregistration.k8s.io", "mutatingadmissionpolicies", POLICIES | WEBHOOKS},
    {"admissionregistration.k8s.io", "mutatingadmissionpolicybindings", POLICIES | WEBHOOKS},
    {"admissionregistration.k8s.io", "mutatingwebhookconfigurations", WEBHOOKS},
    {"admissionregistration.k8s.io", "validatingadmissionpolicies", POLICIES | WEBHOOKS},
    {"admissionregistration.k8s.io", "validatingadmissionpolicybindings", POLICIES | WEBHOOKS},
    {"admissionregistration.k8s.io", "validatingwebhookconfigurations", WEBHOOKS},
    {"authentication.k8s.io", "selfsubjectreviews", POLICIES | WEBHOOKS_SINCE_1_37},
    {"authentication.k8s.io", "tokenreviews", POLICIES | WEBHOOKS_SINCE_1_37},
    {"authorization.k8s.io", "localsubjectaccessreviews", POLICIES | WEBHOOKS_SINCE_1_37},
    {"authorization.k8s.io", "selfsubjectaccessreviews", POLICIES | WEBHOOKS_SINCE_1_37},
    {"authorization.k8s.io", "selfsubjectrulesreviews", POLICIES | WEBHOOKS_SINCE_1_37},
    {"authorization.k8s.io", "subjectaccessreviews", POLICIES | WEBHOOKS_SINCE_1_37},
};

/* A sum of those above: who asks. */
static int asking(const struct types_options *options)
{
    if (!options->for_webhooks)
        return POLICIES;
    return options->minor != 0 && options->minor < REVIEWS_EXCLUDED_SINCE ? WEBHOOKS
                                                                          : WEBHOOKS | WEBHOOKS_SINCE_1_37;
}

static bool is_never_evaluated(int who, const char *group, const char *resource)
{
    for (size_t i = 0; i < sizeof never_evaluated / sizeof *never_evaluated; i++) {
        if (strcmp(group, never_evaluated[i].group) == 0 &&
            strcmp(resource, never_evaluated[i].resource) == 0)
            return (never_evaluated[i].whom & who) != 0;
    }
    return false;
}

static bool is_admitted(const struct discovery_resource *r)
{
    return discovery_has_verb(r, "create") || discovery_has_verb(r, "update") ||
           discovery_has_verb(r, "patch") || discovery_has_verb(r, "delete") ||
           discovery_has_verb(r, "deletecollection");
}

/* One entry of a rule's resources: a name, "*", or either with a slash and a subresource or "*". */
struct pattern {
    const char *text;
    char resource[256];
    const char *subresource; /* "" for none */
    bool is_any_resource, is_any_subresource;
    size_t found, unadmitted, unconnected, out_of_rule_scope, excluded; /* what it matched so far */
};

static bool pattern_init(struct pattern *p, const char *text)
{
    const char *slash = strchr(text, '/');
    size_t length = slash == NULL ? strlen(text) : (size_t)(slash - text);
    *p = (struct pattern){.text = text, .subresource = slash == NULL ? "" : slash + 1};
    if (length >= sizeof p->resource)
        return false;
    memcpy(p->resource, text, length);
    p->is_any_resource = strcmp(p->resource, "*") == 0;
    p->is_any_subresource = strcmp(p->subresource, "*") == 0;
    return true;
}

static bool pattern_has_resource(const struct pattern *p, const char *name)
{
    return p->is_any_resource || strcmp(p->resource, name) == 0;
}

/* "" is the resource itself: a star after the slash has it, too, as in k8s.io/apiserver,
 * webhook/predicates/rules. */
static bool pattern_has_subresource(const struct pattern *p, const char *name)
{
    return p->is_any_subresource || strcmp(p->subresource, name) == 0;
}

struct served {
    const struct discovery_group *group;
    const struct discovery_version *version;
};

/* One rule, and where it stands. */
struct expansion {
    struct types_list *list;
    const struct policyview_match *match;
    const struct policyview_rule *rule; /* of these the one that is expanded */
    unsigned operations;                /* that it names */
    const struct discovery *discovery;
    struct served *served; /* all that it names */
    size_t n_served;
    const struct discovery_group *group; /* of these the one that is looked at */
    const struct discovery_version *version;
    bool for_webhooks;
    int who;         /* asking() */
    size_t excluded; /* how often it matched what the policy excludes */
};

static bool rule_scope_excludes(const struct policyview_rule *rule, const struct discovery_resource *r)
{
    return (strcmp(rule->scope, "Cluster") == 0 && r->is_namespaced) ||
           (strcmp(rule->scope, "Namespaced") == 0 && !r->is_namespaced);
}

static bool lists(const char *const *strings, size_t count, const char *wanted)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(strings[i], "*") == 0 || strcmp(strings[i], wanted) == 0)
            return true;
    }
    return false;
}

static void add_request(struct types_list *list, struct types_request request)
{
    if ((list->n_requests & (list->n_requests - 1)) == 0) {
        size_t room = list->n_requests == 0 ? 1 : 2 * list->n_requests;
        list->requests = mem_realloc(list->requests, room, sizeof *list->requests);
    }
    list->requests[list->n_requests++] = request;
}

/* A sum of enum policy_operation. */
static unsigned named_operations(const struct policyview_rule *rule)
{
    static const struct {
        const char *name;
        unsigned operation;
    } names[] = {{"CREATE", POLICY_CREATE},
                 {"UPDATE", POLICY_UPDATE},
                 {"DELETE", POLICY_DELETE},
                 {"CONNECT", POLICY_CONNECT}};
    unsigned named = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        named |= lists(rule->operations, rule->n_operations, names[i].name) ? names[i].operation : 0;
    return named;
}

/* What the rule names of the operations that a resource has; all that it names if that were nothing. */
static unsigned request_operations(unsigned named, const struct discovery_resource *r, bool is_subresource)
{
    static const struct {
        const char *name;
        unsigned operations;
    } verbs[] = {{"create", POLICY_CREATE},
                 {"update", POLICY_CREATE | POLICY_UPDATE},
                 {"patch", POLICY_CREATE | POLICY_UPDATE},
                 {"delete", POLICY_DELETE},
                 {"deletecollection", POLICY_DELETE}};
    unsigned served = 0;
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        served |= discovery_has_verb(r, verbs[i].name) ? verbs[i].operations : 0;
    if (is_subresource && !discovery_has_verb(r, "create")) /* nothing is made by updating a part */
        served &= ~(unsigned)POLICY_CREATE;
    if (is_subresource && connect_brings(r->kind))
        served = POLICY_CONNECT;
    return (named & served) != 0 ? named & served : named;
}

/* Whether the rule names the version, or another one of the same resource. */
static bool names_version(const struct expansion *x, const struct policyview_rule *rule, const char *resource)
{
    if (lists(rule->versions, rule->n_versions, x->version->version))
        return true;
    for (size_t i = 0; !x->match->is_exact && i < x->group->n_versions; i++) {
        const struct discovery_version *other = &x->group->versions[i];
        spend(x->list, other->n_resources + rule->n_versions);
        for (size_t j = 0; j < other->n_resources; j++) {
            if (strcmp(other->resources[j].name, resource) == 0 &&
                lists(rule->versions, rule->n_versions, other->version))
                return true;
        }
    }
    return false;
}

static bool names_resource(const struct policyview_rule *rule, const char *resource, const char *subresource)
{
    struct pattern p;
    for (size_t i = 0; i < rule->n_resources; i++) {
        if (pattern_init(&p, rule->resources[i]) && pattern_has_resource(&p, resource) &&
            pattern_has_subresource(&p, subresource))
            return true;
    }
    return false;
}

/* The operations on a resource, or on a subresource of it, that never come to the policy. */
static unsigned excluded_operations(struct expansion *x, const struct discovery_resource *owner,
                                    const char *subresource)
{
    unsigned excluded = 0;
    for (size_t i = 0; i < x->match->n_excluded && !is_exhausted(x->list); i++) {
        const struct policyview_rule *rule = &x->match->excluded[i];
        spend(x->list,
              rule->n_groups + rule->n_versions + rule->n_operations + rule->n_resources * MATCH_STEPS);
        if (lists(rule->groups, rule->n_groups, x->group->name) &&
            names_resource(rule, owner->name, subresource) && names_version(x, rule, owner->name) &&
            !rule_scope_excludes(rule, owner))
            excluded |= named_operations(rule);
    }
    return excluded;
}

/* `r` is a resource or one of its subresources; `owner` is the resource. */
static void match_kind(struct expansion *x, struct pattern *p, const struct discovery_resource *owner,
                       const struct discovery_resource *r)
{
    spend(x->list, MATCH_STEPS);
    if (!is_admitted(r) || is_never_evaluated(x->who, x->group->name, owner->name)) {
        p->unadmitted++;
        return;
    }
    if (r != owner && connect_brings(r->kind) && (x->operations & POLICY_CONNECT) == 0) {
        p->unconnected++;
        return;
    }
    if (rule_scope_excludes(x->rule, owner)) {
        p->out_of_rule_scope++;
        return;
    }
    if (r->kind[0] == '\0')
        return;
    const char *subresource = r == owner ? "" : r->name;
    const unsigned asked = request_operations(x->operations, r, r != owner);
    const unsigned left = asked & ~excluded_operations(x, owner, subresource);
    if (left == 0 && asked != 0) {
        p->excluded++;
        return;
    }
    p->found++;
    spend(x->list, REQUEST_STEPS);
    add_request(x->list, (struct types_request){x->group->name, x->version->version, owner->name, subresource,
                                                owner->is_namespaced, left});
    add_target(x->list, (struct types_target){r->group, r->version, r->kind, x->group->name,
                                              x->version->version, x->list->n_requests - 1, 1});
}

static void match_resource(struct expansion *x, struct pattern *p, const struct discovery_resource *r)
{
    if (pattern_has_subresource(p, ""))
        match_kind(x, p, r, r);
    for (size_t i = 0; i < r->n_subresources; i++) {
        const struct discovery_resource *sub = &r->subresources[i];
        if (pattern_has_subresource(p, sub->name))
            match_kind(x, p, r, sub);
    }
}

/* Names of a rule, to be asked for often. */
struct names {
    struct keymap set;
    bool is_any;
};

static void names_init(struct names *names, struct types_list *list, const char *const *strings, size_t count)
{
    *names = (struct names){0};
    spend(list, count);
    for (size_t i = 0; i < count && !is_exhausted(list); i++)
        (void)is_first(&names->set, strings[i]);
    names->is_any = keymap_get(&names->set, "*") != NULL;
}

static bool names_have(const struct names *names, const char *name)
{
    return names->is_any || keymap_get(&names->set, name) != NULL;
}

/* The group-versions that the rule names, of those that the cluster serves. */
static void find_served(struct expansion *x)
{
    const struct discovery *d = x->discovery;
    struct names groups, versions;
    size_t count = 0;
    for (size_t i = 0; i < d->n_groups; i++)
        count += d->groups[i].n_versions;
    x->served = mem_array(count + 1, sizeof *x->served);
    names_init(&groups, x->list, x->rule->groups, x->rule->n_groups);
    names_init(&versions, x->list, x->rule->versions, x->rule->n_versions);
    spend(x->list, d->n_groups + count);
    for (size_t i = 0; i < d->n_groups; i++) {
        const struct discovery_group *g = &d->groups[i];
        if (!names_have(&groups, g->name))
            continue;
        for (size_t j = 0; j < g->n_versions; j++) {
            if (names_have(&versions, g->versions[j].version))
                x->served[x->n_served++] = (struct served){g, &g->versions[j]};
        }
    }
    keymap_deinit(&groups.set, NULL);
    keymap_deinit(&versions.set, NULL);
}

/* " of apps/v1" for a rule of one group-version; else the groups. */
static char *describe_groups(const struct policyview_rule *rule)
{
    if (rule->n_groups != 1)
        return mem_strdup(" of the groups that the rule names");
    if (strcmp(rule->groups[0], "*") == 0)
        return mem_strdup(" of any group");
    const char *separator = rule->groups[0][0] == '\0' ? "" : "/";
    if (rule->n_versions == 1 && strcmp(rule->versions[0], "*") != 0)
        return mem_printf(" of %s%s%s", rule->groups[0], separator, rule->versions[0]);
    return rule->groups[0][0] == '\0' ? mem_strdup(" of the core group")
                                      : mem_printf(" of %s", rule->groups[0]);
}

/* ", did you mean deployments?": the nearest name in the rule's groups, or where else a resource of this name
 * is. */
static char *hint(struct expansion *x, const struct pattern *p)
{
    const struct discovery *discovery = x->discovery;
    const struct policyview_rule *rule = x->rule;
    struct suggest nearest;
    suggest_init(&nearest, p->resource);
    for (size_t i = 0; i < discovery->n_groups; i++) {
        const struct discovery_group *g = &discovery->groups[i];
        bool is_named = lists(rule->groups, rule->n_groups, g->name);
        spend(x->list, rule->n_groups);
        for (size_t j = 0; j < g->n_versions; j++) {
            const struct discovery_version *v = &g->versions[j];
            spend(x->list, v->n_resources * (is_named ? NEAREST_STEPS : 1));
            for (size_t k = 0; k < v->n_resources; k++) {
                const struct discovery_resource *r = &v->resources[k];
                if (strcmp(r->name, p->resource) == 0 && !(is_named && p->subresource[0] == '\0'))
                    return is_named ? mem_strdup("")
                                    : mem_printf(", did you mean those of %s%s%s?", g->name,
                                                 g->name[0] == '\0' ? "" : "/", v->version);
                if (is_named && strcasecmp(r->kind, p->resource) == 0)
                    return mem_printf(", did you mean %s?", r->name);
                if (is_named)
                    suggest_offer(&nearest, r->name);
            }
        }
    }
    return nearest.best == NULL ? mem_strdup("") : mem_printf(", did you mean %s?", nearest.best);
}

/* Why a pattern that matched nothing did not. */
static void report_unmatched(struct expansion *x, const struct pattern *p, bool is_group_unknown)
{
    cleanup_mem char *groups = describe_groups(x->rule);
    const char *asked = x->for_webhooks ? "webhooks" : "policies";
    if (is_group_unknown) {
        types_add_problem(x->list, TYPES_CLUSTER_UNAVAILABLE, "%s%s: the group could not be read yet",
                          p->text, groups);
    } else if (p->unadmitted > 0) {
        types_add_problem(x->list, TYPES_NEVER_EVALUATED, "the API server never asks %s about %s%s", asked,
                          p->text, groups);
    } else if (p->unconnected > 0) {
        types_add_problem(x->list, TYPES_NEVER_EVALUATED,
                          "the API server asks %s about %s%s with the operation CONNECT alone, and the "
                          "rule does not name it",
                          asked, p->text, groups);
    } else if (p->out_of_rule_scope > 0) {
        types_add_problem(x->list, TYPES_NEVER_EVALUATED, "%s%s is not within the rule's scope %s", p->text,
                          groups, x->rule->scope);
    } else {
        cleanup_mem char *did_you_mean = hint(x, p);
        types_add_problem(x->list, TYPES_RESOURCE_NOT_FOUND, "the cluster serves no %s%s%s", p->text, groups,
                          did_you_mean);
    }
}

static void expand_pattern(struct expansion *x, const char *text)
{
    struct pattern p;
    bool is_group_unknown = false;
    if (!pattern_init(&p, text)) {
        types_add_problem(x->list, TYPES_RESOURCE_NOT_FOUND,
                          "a resource's name has more than 255 characters");
        return;
    }
    for (size_t at = 0; at < x->n_served && !is_exhausted(x->list); at++) {
        x->group = x->served[at].group;
        x->version = x->served[at].version;
        spend(x->list, 1 + x->version->n_resources);
        is_group_unknown = is_group_unknown || x->version->state == DISCOVERY_FAILED;
        for (size_t i = 0; i < x->version->n_resources; i++) {
            const struct discovery_resource *r = &x->version->resources[i];
            if (pattern_has_resource(&p, r->name))
                match_resource(x, &p, r);
        }
    }
    x->excluded += p.excluded;
    /* a named group that was not read may hold what a wildcard means, too */
    if (p.found + p.excluded == 0 || (is_group_unknown && p.is_any_resource))
        report_unmatched(x, &p, is_group_unknown);
}

static void expand_rule(struct expansion *x)
{
    const struct policyview_rule *rule = x->rule;
    struct keymap seen = {0};
    spend(x->list, rule->n_operations);
    x->operations = named_operations(rule);
    find_served(x);
    for (size_t i = 0; i < rule->n_resources && !is_exhausted(x->list); i++) {
        spend(x->list, 1);
        if (is_first(&seen, rule->resources[i]))
            expand_pattern(x, rule->resources[i]);
    }
    keymap_deinit(&seen, NULL);
    mem_free(x->served);
}

static void resolve_full(const struct policyview_match *match, const struct discovery *discovery,
                         const struct types_options *options, struct types_list *list)
{
    size_t excluded = 0;
    struct keymap seen = {0};
    for (size_t i = 0; i < match->n_rules && !is_exhausted(list); i++) {
        struct expansion x = {.list = list,
                              .match = match,
                              .rule = &match->rules[i],
                              .discovery = discovery,
                              .for_webhooks = options->for_webhooks,
                              .who = asking(options)};
        cleanup_mem char *key = rule_key(list, x.rule);
        if (key == NULL || is_first(&seen, key))
            expand_rule(&x);
        excluded += x.excluded;
    }
    keymap_deinit(&seen, NULL);
    if (excluded > 0 && list->n_targets == 0)
        types_add_problem(list, TYPES_NEVER_EVALUATED,
                          "the policy's excludeResourceRules exclude all that its rules match");
    sort_and_unify(list);
    if (list->n_targets > options->max_types) {
        types_add_problem(list, TYPES_TOO_MANY,
                          "the rules match more types than --max-types-per-policy allows: %zu",
                          options->max_types);
        list->n_targets = options->max_types;
    }
}

void types_resolve(const struct policyview_match *match, const struct discovery *discovery,
                   const struct types_options *options, struct types_list *out)
{
    *out = (struct types_list){.steps = options->steps};
    switch (options->scope) {
    case TYPES_FULL:
        resolve_full(match, discovery, options, out);
        break;
    case TYPES_UPSTREAM:
        resolve_upstream(match->rules, match->n_rules, discovery, out);
        sort_and_unify(out);
        break;
    }
    if (is_exhausted(out))
        types_add_problem(out, TYPES_LIMIT_REACHED,
                          "the rules name more groups, versions and resources than are looked up");
}
