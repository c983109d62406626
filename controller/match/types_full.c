#include "controller/match/types_full.h"

#include <string.h>

#include "client/base/mem.h"
#include "controller/match/connect.h"
#include "typecheck/text.h"
#include "typecheck/typecheck.h"
#include "typecheck/version.h"

/* The bytes of a rule's text that are one step, and the costs of other things, in comparisons of names, by
 * time or memory. */
enum { BYTES_A_STEP = 64, NEAREST_STEPS = 10, MATCH_STEPS = 20, REQUEST_STEPS = 40, RULE_STEPS = 20 };

enum { POLICIES = 1, WEBHOOKS = 2, NEWER_WEBHOOKS = 4 }; /* newer: those of servers with excludes_reviews */

/* Resources about which admission never asks them (k8s.io/apiserver's exclusion list and reviews,
 * predicates/rules). */
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
    {"authentication.k8s.io", "selfsubjectreviews", POLICIES | NEWER_WEBHOOKS},
    {"authentication.k8s.io", "tokenreviews", POLICIES | NEWER_WEBHOOKS},
    {"authorization.k8s.io", "localsubjectaccessreviews", POLICIES | NEWER_WEBHOOKS},
    {"authorization.k8s.io", "selfsubjectaccessreviews", POLICIES | NEWER_WEBHOOKS},
    {"authorization.k8s.io", "selfsubjectrulesreviews", POLICIES | NEWER_WEBHOOKS},
    {"authorization.k8s.io", "subjectaccessreviews", POLICIES | NEWER_WEBHOOKS},
};

/* The askers, as a sum of the constants above. */
static int asking(const struct types_options *options)
{
    if (!options->for_webhooks)
        return POLICIES;
    return kubernetes_in(options->minor).excludes_reviews ? WEBHOOKS | NEWER_WEBHOOKS : WEBHOOKS;
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

bool types_full_is_review(const char *group, const char *resource)
{
    return is_never_evaluated(NEWER_WEBHOOKS, group, resource);
}

bool types_full_is_exempt(const char *group, const char *resource, const struct types_options *options)
{
    return is_never_evaluated(asking(options), group, resource);
}

/* Events are the only ones in two groups (cohabitating resources in k8s.io/kubernetes, pkg/kubeapiserver). */
const char *types_full_other_group(const char *group, const char *resource)
{
    static const char *const groups[] = {"", "events.k8s.io"};
    for (size_t i = 0; i < 2 && strcmp(resource, "events") == 0; i++) {
        if (strcmp(group, groups[i]) == 0)
            return groups[1 - i];
    }
    return NULL;
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
    size_t index; /* among the rule's resources */
    size_t found, unadmitted, unconnected, unserved, out_of_rule_scope, excluded; /* matches so far */
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
    const struct matchrules *match;
    const struct matchrules_rule *rule; /* the one of its rules that is expanded */
    unsigned operations;                /* that it names */
    const struct discovery *discovery;
    struct served *served; /* all that it names */
    size_t n_served;
    const struct discovery_group *group; /* the one of the discovery's groups that is looked at */
    const struct discovery_version *version;
    bool for_webhooks;
    const char *rules_field;
    int who;         /* asking() */
    int minor;       /* of the server; 0: the newest */
    size_t found;    /* how often it matched anything */
    size_t excluded; /* how often it matched what the policy excludes */
};

static bool rule_scope_excludes(const struct matchrules_rule *rule, const struct discovery_resource *r)
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
    list->requests = mem_grow(list->requests, list->n_requests, sizeof *list->requests);
    list->requests[list->n_requests++] = request;
}

/* A sum of enum policy_operation. */
static unsigned named_operations(const struct matchrules_rule *rule)
{
    unsigned named = 0;
    for (size_t i = 0; i < POLICY_OPERATIONS; i++)
        named |= lists(rule->operations, rule->n_operations, policy_operation_names[i].at) ? 1u << i : 0;
    return named;
}

/* The operations for which the resource serves a verb that causes them. */
static unsigned served_operations(const struct discovery_resource *r, bool is_subresource)
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
    return served;
}

/* Returns true if the rule names the version, or another one of the same resource. */
static bool names_version(const struct expansion *x, const struct matchrules_rule *rule, const char *resource)
{
    if (lists(rule->versions, rule->n_versions, x->version->version))
        return true;
    for (size_t i = 0; !x->match->is_exact && i < x->group->n_versions; i++) {
        const struct discovery_version *other = &x->group->versions[i];
        types_list_spend(x->list, other->n_resources + rule->n_versions);
        for (size_t j = 0; j < other->n_resources; j++) {
            if (strcmp(other->resources[j].name, resource) == 0 &&
                lists(rule->versions, rule->n_versions, other->version))
                return true;
        }
    }
    return false;
}

static bool names_resource(const struct matchrules_rule *rule, const char *resource, const char *subresource)
{
    struct pattern p;
    for (size_t i = 0; i < rule->n_resources; i++) {
        if (pattern_init(&p, rule->resources[i]) && pattern_has_resource(&p, resource) &&
            pattern_has_subresource(&p, subresource))
            return true;
    }
    return false;
}

/* Returns true if the rule names the resource by the group and version at hand or, unless matchPolicy is
 * Exact, by others that serve the same objects. */
static bool names_group(const struct expansion *x, const struct matchrules_rule *rule, const char *resource)
{
    if (lists(rule->groups, rule->n_groups, x->group->name))
        return names_version(x, rule, resource);
    const char *other = x->match->is_exact ? NULL : types_full_other_group(x->group->name, resource);
    return other != NULL && lists(rule->groups, rule->n_groups, other) &&
           lists(rule->versions, rule->n_versions, "v1");
}

/* The operations on a resource, or on a subresource of it, for which the policy is never evaluated. */
static unsigned excluded_operations(struct expansion *x, const struct discovery_resource *owner,
                                    const char *subresource)
{
    unsigned excluded = 0;
    for (size_t i = 0; i < x->match->n_excluded && !types_list_is_exhausted(x->list); i++) {
        const struct matchrules_rule *rule = &x->match->excluded[i];
        if (rule->n_names != 0)
            continue; /* other names are not excluded */
        types_list_spend(x->list, rule->n_groups + rule->n_versions + rule->n_operations +
                                      rule->n_resources * MATCH_STEPS);
        if (names_resource(rule, owner->name, subresource) && names_group(x, rule, owner->name) &&
            !rule_scope_excludes(rule, owner))
            excluded |= named_operations(rule);
    }
    return excluded;
}

/* Returns true if every version of the resource in which the requests may be sent has a status of its own: an
 * object that another version lets be created with a status keeps it when it is converted. */
static bool has_status_everywhere(const struct expansion *x, const struct discovery_resource *owner)
{
    bool has_all = discovery_has_status(owner);
    for (size_t i = 0; has_all && !x->match->is_exact && i < x->group->n_versions; i++) {
        const struct discovery_version *other = &x->group->versions[i];
        types_list_spend(x->list, other->n_resources);
        for (size_t j = 0; j < other->n_resources; j++) {
            if (strcmp(other->resources[j].name, owner->name) == 0)
                has_all = has_all && discovery_has_status(&other->resources[j]);
        }
    }
    return has_all;
}

/* `r` is a resource or one of its subresources; `owner` is the resource. */
static void match_kind(struct expansion *x, struct pattern *p, const struct discovery_resource *owner,
                       const struct discovery_resource *r)
{
    types_list_spend(x->list, MATCH_STEPS);
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
    const unsigned asked = x->operations & served_operations(r, r != owner);
    const unsigned left = asked & ~excluded_operations(x, owner, subresource);
    if (left == 0 && x->operations != 0) {
        p->excluded += asked != 0;
        p->unserved += asked == 0;
        return;
    }
    p->found++;
    types_list_spend(x->list, REQUEST_STEPS + owner->n_subresources);
    add_request(x->list, (struct types_request){x->group->name, x->version->version, owner->name, subresource,
                                                owner->is_namespaced, has_status_everywhere(x, owner), left});
    types_list_add(x->list, (struct types_target){r->group, r->version, r->kind, x->group->name,
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

/* Names of a rule, to be asked for often; a few are looked through faster than a set is made. */
struct names {
    const char *const *few;
    size_t n_few;
    struct keymap set; /* of many */
    bool is_any;       /* of many */
};

static void names_init(struct names *names, struct types_list *list, const char *const *strings, size_t count)
{
    enum { FEW = 4 };
    *names = (struct names){0};
    if (count <= FEW) {
        names->few = strings;
        names->n_few = count;
        return;
    }
    types_list_spend(list, count);
    for (size_t i = 0; i < count && !types_list_is_exhausted(list); i++)
        (void)keymap_add(&names->set, strings[i]);
    names->is_any = keymap_get(&names->set, "*") != NULL;
}

static bool names_have(const struct names *names, const char *name)
{
    return names->is_any || lists(names->few, names->n_few, name) || keymap_get(&names->set, name) != NULL;
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
    types_list_spend(x->list, d->n_groups + count);
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
static char *describe_groups(const struct matchrules_rule *rule)
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

/* The hint at a served resource with nearly the name that a pattern has. */
struct near {
    char *text;      /* ", did you mean deployments?"; "" for nothing */
    bool is_certain; /* that name is meant */
};

static bool is_any_group(const struct matchrules_rule *rule)
{
    return lists(rule->groups, rule->n_groups, "*");
}

/* Looks at a resource that is near the one of the pattern. Returns true if the search ends. */
static bool look_near(const struct expansion *x, const struct pattern *p, const struct discovery_group *g,
                      const struct discovery_version *v, const struct discovery_resource *r,
                      struct near *near)
{
    const bool is_named = lists(x->rule->groups, x->rule->n_groups, g->name);
    if (strcmp(r->name, p->resource) == 0) {
        if (!is_named)
            near->text = mem_printf(", did you mean those of %s%s%s?", g->name, g->name[0] == '\0' ? "" : "/",
                                    v->version);
        else
            near->text = p->subresource[0] == '\0' ? mem_printf(", did you mean version %s?", v->version)
                                                   : mem_strdup("");
        return true;
    }
    if (is_named && strcasecmp(r->kind, p->resource) == 0) {
        *near = (struct near){mem_printf(", did you mean %s?", r->name), true};
        return true;
    }
    return false;
}

/* The nearest name in the rule's groups, or where else a resource of this name is. */
static struct near find_near(struct expansion *x, const struct pattern *p)
{
    const struct discovery *discovery = x->discovery;
    const struct matchrules_rule *rule = x->rule;
    struct near near = {NULL, false};
    struct suggest nearest;
    suggest_init(&nearest, p->resource);
    for (size_t i = 0; i < discovery->n_groups; i++) {
        const struct discovery_group *g = &discovery->groups[i];
        bool is_named = lists(rule->groups, rule->n_groups, g->name);
        types_list_spend(x->list, rule->n_groups);
        for (size_t j = 0; j < g->n_versions; j++) {
            const struct discovery_version *v = &g->versions[j];
            types_list_spend(x->list, v->n_resources * (is_named ? NEAREST_STEPS : 1));
            for (size_t k = 0; k < v->n_resources; k++) {
                if (look_near(x, p, g, v, &v->resources[k], &near))
                    return near;
                if (is_named)
                    suggest_offer(&nearest, v->resources[k].name);
            }
        }
    }
    if (nearest.best == NULL)
        return (struct near){mem_strdup(""), false};
    return (struct near){mem_printf(", did you mean %s?", nearest.best), !is_any_group(rule)};
}

static bool is_built_in(const char *group)
{
    static const char suffix[] = ".k8s.io";
    const size_t len = strlen(group);
    return strchr(group, '.') == NULL ||
           (len > sizeof suffix && strcmp(group + len - (sizeof suffix - 1), suffix) == 0);
}

/* Returns true if the version is served, or is none that a server may be asked to serve besides. */
static bool knows_version(const struct discovery_group *group, const char *version)
{
    if (strcmp(version, "*") == 0 || (strstr(version, "alpha") == NULL && strstr(version, "beta") == NULL))
        return true;
    for (size_t i = 0; i < group->n_versions; i++) {
        if (strcmp(group->versions[i].version, version) == 0)
            return true;
    }
    return false;
}

/* Returns true if a feature gate of the server decides whether it has the resource. */
static bool is_gated(const struct expansion *x, const char *resource)
{
    return kubernetes_in(x->minor).gates_resize && strcmp(resource, "pods/resize") == 0 &&
           lists(x->rule->groups, x->rule->n_groups, "");
}

/* A group with a dot that is not served may be anybody's. group NULL: it is not served. */
static bool is_known_group(const char *name, const struct discovery_group *group)
{
    return is_built_in(name) && (group != NULL || strchr(name, '.') == NULL);
}

bool types_full_is_known(const struct discovery *discovery, const char *name, const char *version)
{
    const struct discovery_group *group = discovery_find_group(discovery, name);
    return is_known_group(name, group) && (group == NULL || knows_version(group, version));
}

/* Returns true if all that the rule may match is known. */
static bool is_known(const struct expansion *x)
{
    const struct matchrules_rule *rule = x->rule;
    types_list_spend(x->list, rule->n_resources);
    for (size_t i = 0; i < rule->n_resources; i++) {
        if (is_gated(x, rule->resources[i]))
            return false;
    }
    for (size_t i = 0; i < rule->n_groups; i++) {
        const struct discovery_group *group = discovery_find_group(x->discovery, rule->groups[i]);
        if (strcmp(rule->groups[i], "*") == 0 || !is_known_group(rule->groups[i], group))
            return false;
        types_list_spend(x->list, rule->n_versions);
        for (size_t j = 0; group != NULL && j < rule->n_versions; j++) {
            if (!knows_version(group, rule->versions[j]))
                return false;
        }
    }
    return true;
}

/* The pattern's place. problem NULL: it is there already. */
static void place_problem(struct expansion *x, const struct pattern *p, struct types_problem *problem,
                          bool is_certain)
{
    if (problem == NULL)
        return;
    problem->is_certain = is_certain;
    problem->field = types_list_own(x->list, mem_printf("%s[%zu].resources[%zu]", x->rules_field,
                                                        (size_t)(x->rule - x->match->rules), p->index));
}

/* Reports why a pattern matched nothing. */
static void report_unmatched(struct expansion *x, const struct pattern *p, bool is_group_unknown)
{
    cleanup_mem char *groups = describe_groups(x->rule);
    const char *asked = x->for_webhooks ? "webhooks" : "policies";
    struct types_problem *problem;
    bool is_certain = false;
    if (is_group_unknown) {
        problem = types_list_add_problem(x->list, TYPES_CLUSTER_UNAVAILABLE,
                                         "%s%s: the group could not be read yet", p->text, groups);
    } else if (p->unadmitted > 0) {
        problem = types_list_add_problem(x->list, TYPES_NEVER_EVALUATED,
                                         "the API server never asks %s about %s%s", asked, p->text, groups);
    } else if (p->unconnected > 0) {
        problem = types_list_add_problem(
            x->list, TYPES_NEVER_EVALUATED,
            "the API server asks %s about %s%s with the operation CONNECT alone, and the "
            "rule does not name it",
            asked, p->text, groups);
    } else if (p->unserved > 0) {
        problem = types_list_add_problem(
            x->list, TYPES_NEVER_EVALUATED,
            "the cluster serves no request for %s%s with an operation that the rule names", p->text, groups);
    } else if (p->out_of_rule_scope > 0) {
        problem =
            types_list_add_problem(x->list, TYPES_NEVER_EVALUATED, "%s%s is not within the rule's scope %s",
                                   p->text, groups, x->rule->scope);
    } else if (!discovery_is_whole(x->discovery)) {
        cleanup_mem char *what = mem_printf("%s%s", p->text, groups);
        problem = types_list_add_unserved(x->list, x->discovery, what);
    } else {
        struct near near = find_near(x, p);
        is_certain = near.is_certain;
        problem = types_list_add_problem(x->list, TYPES_RESOURCE_NOT_FOUND, "%s%s%s%s",
                                         types_list_nobody(x->list->is_partial), p->text, groups, near.text);
        mem_free(near.text);
    }
    place_problem(x, p, problem, is_certain);
}

static void expand_pattern(struct expansion *x, size_t index)
{
    struct pattern p;
    bool is_group_unknown = false;
    if (!pattern_init(&p, x->rule->resources[index])) {
        types_list_add_problem(x->list, TYPES_RESOURCE_NOT_FOUND,
                               "a resource's name has more than 255 characters");
        return;
    }
    p.index = index;
    for (size_t at = 0; at < x->n_served && !types_list_is_exhausted(x->list); at++) {
        x->group = x->served[at].group;
        x->version = x->served[at].version;
        types_list_spend(x->list, 1 + x->version->n_resources);
        is_group_unknown = is_group_unknown || x->version->state == DISCOVERY_FAILED;
        for (size_t i = 0; i < x->version->n_resources; i++) {
            const struct discovery_resource *r = &x->version->resources[i];
            if (pattern_has_resource(&p, r->name))
                match_resource(x, &p, r);
        }
    }
    x->excluded += p.excluded;
    x->found += p.found + p.excluded;
    /* a named group that was not read may hold what a wildcard means, too */
    if (p.found + p.excluded == 0 || (is_group_unknown && p.is_any_resource))
        report_unmatched(x, &p, is_group_unknown);
}

/* A rule that matches nothing at all: its problems, from the first of them on. */
static void make_certain(struct expansion *x, size_t first)
{
    for (size_t i = first; i < x->list->n_problems; i++) {
        const enum types_reason reason = x->list->problems[i].reason;
        x->list->problems[i].is_certain |=
            reason == TYPES_RESOURCE_NOT_FOUND || reason == TYPES_NEVER_EVALUATED;
    }
}

static void expand_rule(struct expansion *x)
{
    const struct matchrules_rule *rule = x->rule;
    const size_t first_problem = x->list->n_problems;
    struct keymap seen = {0};
    types_list_spend(x->list, rule->n_operations);
    x->operations = named_operations(rule);
    find_served(x);
    for (size_t i = 0; i < rule->n_resources && !types_list_is_exhausted(x->list); i++) {
        types_list_spend(x->list, 1);
        if (keymap_add(&seen, rule->resources[i]))
            expand_pattern(x, i);
    }
    if (x->found == 0 && is_known(x))
        make_certain(x, first_problem);
    keymap_deinit(&seen, NULL);
    mem_free(x->served);
}

/* Returns true if no rule before said the same. */
static bool is_first_of_its_kind(const struct expansion *x, struct keymap *seen)
{
    types_list_spend(x->list, RULE_STEPS);
    if (x->match->n_rules == 1)
        return true;
    cleanup_mem char *key = matchrules_rule_key(x->rule);
    types_list_spend(x->list, key == NULL ? MATCHRULES_KEY_CAP_BYTES : strlen(key) / BYTES_A_STEP);
    return key == NULL || keymap_add(seen, key);
}

void types_full_resolve(const struct matchrules *match, const struct discovery *discovery,
                        const struct types_options *options, struct types_list *list)
{
    size_t excluded = 0;
    struct keymap seen = {0};
    for (size_t i = 0; i < match->n_rules && !types_list_is_exhausted(list); i++) {
        struct expansion x = {.list = list,
                              .match = match,
                              .rule = &match->rules[i],
                              .discovery = discovery,
                              .for_webhooks = options->for_webhooks,
                              .rules_field =
                                  options->rules_field == NULL ? TYPES_RULES_FIELD : options->rules_field,
                              .who = asking(options),
                              .minor = options->minor};
        if (is_first_of_its_kind(&x, &seen))
            expand_rule(&x);
        excluded += x.excluded;
    }
    keymap_deinit(&seen, NULL);
    if (excluded > 0 && list->n_targets == 0) {
        struct types_problem *problem =
            types_list_add_problem(list, TYPES_NEVER_EVALUATED,
                                   "the policy's excludeResourceRules exclude all that its rules match");
        if (problem != NULL)
            problem->is_certain = true;
    }
    types_list_unify(list);
    if (list->n_targets > options->max_types) {
        types_list_add_problem(list, TYPES_TOO_MANY,
                               "the rules match more types than --max-types-per-policy allows: %zu",
                               options->max_types);
        list->n_targets = options->max_types;
    }
}
