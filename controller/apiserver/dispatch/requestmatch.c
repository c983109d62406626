#include "controller/apiserver/dispatch/requestmatch.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/match/labelselector.h"
#include "controller/match/matchrules.h"
#include "controller/match/types_full.h"

struct requestmatch {
    struct matchrules rules;
};

int requestmatch_new(struct json_object *resources, struct requestmatch **out, struct err *err)
{
    struct requestmatch *m = mem_zalloc(sizeof *m);
    *out = NULL;
    if (matchrules_read(resources, "resourceRules", "excludeResourceRules", &m->rules, err) != 0) {
        requestmatch_free(m);
        return -1;
    }
    *out = m;
    return 0;
}

void requestmatch_free(struct requestmatch *m)
{
    if (m == NULL)
        return;
    matchrules_deinit(&m->rules);
    mem_free(m);
}

bool requestmatch_is_same_version(const struct requestmatch_endpoint *a,
                                  const struct requestmatch_endpoint *b)
{
    return strcmp(a->group, b->group) == 0 && strcmp(a->version, b->version) == 0;
}

uint64_t requestmatch_steps(const struct requestmatch *match)
{
    return matchrules_steps(&match->rules);
}

/* ---- selectors ---- */

static struct json_object *labels_of(struct json_object *object)
{
    return jsonval_get(jsonval_get(object, "metadata"), "labels");
}

/* Matches the labels of the namespace. If the request creates or changes a Namespace, its new labels
 * count. */
static enum requestmatch_answer match_namespace(const struct requestmatch *m,
                                                const struct requestmatch_request *q, struct err *err)
{
    bool is_namespaces = strcmp(q->endpoint.resource, "namespaces") == 0;
    bool is_written = strcmp(q->operation, "CREATE") == 0 || strcmp(q->operation, "UPDATE") == 0;
    struct json_object *from = q->namespace_object;
    if ((q->namespace[0] == '\0' && !is_namespaces) || labelselector_is_empty(m->rules.namespaces))
        return REQUESTMATCH_YES;
    if (is_namespaces && q->subresource[0] == '\0' && is_written)
        from = q->object;
    if (from == NULL) {
        (void)err_set(err, ERR_NOT_FOUND, "namespaces \"%s\" not found", q->namespace);
        return REQUESTMATCH_FAILED;
    }
    return labelselector_matches(m->rules.namespaces, labels_of(from)) ? REQUESTMATCH_YES : REQUESTMATCH_NO;
}

/* An object without metadata, such as the options of exec, has no labels that even "not in" could match. */
static bool match_labels(const struct requestmatch *m, struct json_object *object)
{
    return jsonval_get(object, "metadata") != NULL &&
           labelselector_matches(m->rules.objects, labels_of(object));
}

static bool match_object(const struct requestmatch *m, const struct requestmatch_request *q)
{
    return labelselector_is_empty(m->rules.objects) || match_labels(m, q->object) ||
           match_labels(m, q->old_object);
}

/* ---- rules ---- */

static bool has_text(const char *const *texts, size_t count, const char *wanted)
{
    size_t i = 0;
    while (i < count && strcmp(texts[i], wanted) != 0)
        i++;
    return i < count;
}

static bool has_text_or_star(const char *const *texts, size_t count, const char *wanted)
{
    return has_text(texts, count, "*") || has_text(texts, count, wanted);
}

/* A Namespace lies in no namespace, though its requests name one. */
static bool match_scope(const struct matchrules_rule *rule, const struct requestmatch_endpoint *at,
                        const struct requestmatch_request *q)
{
    bool is_namespaces =
        at->group[0] == '\0' && strcmp(at->version, "v1") == 0 && strcmp(at->resource, "namespaces") == 0;
    bool is_namespaced = !is_namespaces && q->namespace[0] != '\0';
    if (rule->scope[0] == '\0' || strcmp(rule->scope, "*") == 0)
        return true;
    return strcmp(rule->scope, is_namespaced ? "Namespaced" : "Cluster") == 0;
}

/* One of a rule's resources: RESOURCE or RESOURCE/SUBRESOURCE, and a star for either part. */
static bool match_pattern(const char *pattern, const char *resource, const char *subresource)
{
    const char *slash = strchr(pattern, '/');
    size_t len = slash == NULL ? strlen(pattern) : (size_t)(slash - pattern);
    const char *sub = slash == NULL ? "" : slash + 1;
    bool is_star = len == 1 && pattern[0] == '*';
    if (!is_star && (strlen(resource) != len || memcmp(pattern, resource, len) != 0))
        return false;
    return strcmp(sub, "*") == 0 || strcmp(sub, subresource) == 0;
}

static bool match_resource(const struct matchrules_rule *rule, const char *resource, const char *subresource)
{
    for (size_t i = 0; i < rule->n_resources; i++) {
        if (match_pattern(rule->resources[i], resource, subresource))
            return true;
    }
    return false;
}

static bool match_rule(const struct matchrules_rule *rule, const struct requestmatch_endpoint *at,
                       const struct requestmatch_request *q)
{
    return match_scope(rule, at, q) && has_text_or_star(rule->operations, rule->n_operations, q->operation) &&
           has_text_or_star(rule->groups, rule->n_groups, at->group) &&
           has_text_or_star(rule->versions, rule->n_versions, at->version) &&
           match_resource(rule, at->resource, q->subresource) &&
           (rule->n_names == 0 || (q->name != NULL && has_text(rule->names, rule->n_names, q->name)));
}

/* The endpoint by which a rule names the request, the request's own before all others; NULL: none. */
static const struct requestmatch_endpoint *match_rules(const struct requestmatch *m,
                                                       const struct matchrules_rule *rules, size_t count,
                                                       const struct requestmatch_request *q)
{
    for (size_t i = 0; i < count; i++) {
        if (match_rule(&rules[i], &q->endpoint, q))
            return &q->endpoint;
    }
    for (size_t i = 0; !m->rules.is_exact && i < count; i++) {
        for (size_t j = 0; j < q->n_equivalents; j++) {
            if (match_rule(&rules[i], &q->equivalents[j], q))
                return &q->equivalents[j];
        }
    }
    return NULL;
}

enum requestmatch_answer requestmatch_ask(const struct requestmatch *m, const struct requestmatch_request *q,
                                          const struct requestmatch_endpoint **as, struct err *err)
{
    const struct requestmatch_endpoint *found = &q->endpoint;
    enum requestmatch_answer in_namespace = match_namespace(m, q, err);
    if (in_namespace == REQUESTMATCH_NO || !match_object(m, q) ||
        match_rules(m, m->rules.excluded, m->rules.n_excluded, q) != NULL)
        return REQUESTMATCH_NO;
    if (m->rules.n_rules != 0)
        found = match_rules(m, m->rules.rules, m->rules.n_rules, q);
    if (found == NULL)
        return REQUESTMATCH_NO;
    if (as != NULL)
        *as = found;
    return in_namespace;
}

/* The name may be any: rules are asked with the first name that they list, and excluding rules that list
 * names do not count. */
static const struct requestmatch_endpoint *may_match(const struct requestmatch *m,
                                                     const struct requestmatch_request *request)
{
    const struct requestmatch_endpoint *found = NULL;
    for (size_t i = 0; i < m->rules.n_rules; i++) {
        const struct matchrules_rule *rule = &m->rules.rules[i];
        struct requestmatch_request any = *request;
        any.name = rule->n_names == 0 ? NULL : rule->names[0];
        const struct requestmatch_endpoint *next = match_rules(m, rule, 1, &any);
        if (next == &any.endpoint) /* the copy's, which ends here */
            return &request->endpoint;
        found = found == NULL ? next : found;
    }
    return m->rules.n_rules == 0 ? &request->endpoint : found;
}

bool requestmatch_may(const struct requestmatch *m, const struct requestmatch_request *request,
                      const struct requestmatch_endpoint **as)
{
    struct requestmatch_request any = *request;
    any.name = NULL;
    if (match_rules(m, m->rules.excluded, m->rules.n_excluded, &any) != NULL)
        return false;
    *as = may_match(m, request);
    return *as != NULL;
}

/* ---- resources ---- */

bool requestmatch_is_exempt(const char *group, const char *resource)
{
    return types_full_is_exempt(group, resource, &(struct types_options){.for_webhooks = false});
}

bool requestmatch_is_exempt_from_webhooks(const char *group, const char *resource, int minor)
{
    return types_full_is_exempt(group, resource,
                                &(struct types_options){.for_webhooks = true, .minor = minor});
}

static struct requestmatch_endpoint *add_versions(struct requestmatch_endpoint *list, size_t *count,
                                                  const struct discovery_group *group,
                                                  const struct requestmatch_endpoint *endpoint,
                                                  const char *subresource)
{
    for (size_t i = 0; group != NULL && i < group->n_versions; i++) {
        const struct discovery_version *v = &group->versions[i];
        const struct discovery_resource *r = discovery_find_resource(v, endpoint->resource, subresource);
        bool is_itself =
            strcmp(group->name, endpoint->group) == 0 && strcmp(v->version, endpoint->version) == 0;
        if (r == NULL || is_itself)
            continue;
        list = mem_grow(list, *count, sizeof *list);
        list[(*count)++] = (struct requestmatch_endpoint){
            .group = group->name,
            .version = v->version,
            .resource = subresource[0] == '\0' ? r->name : endpoint->resource,
            .kind_group = r->group,
            .kind_version = r->version,
            .kind = r->kind,
        };
    }
    return list;
}

struct requestmatch_endpoint *requestmatch_equivalents(const struct discovery *discovery,
                                                       const struct requestmatch_endpoint *endpoint,
                                                       const char *subresource, size_t *count)
{
    const char *other = types_full_other_group(endpoint->group, endpoint->resource);
    struct requestmatch_endpoint *list = NULL;
    *count = 0;
    list = add_versions(list, count, discovery_find_group(discovery, endpoint->group), endpoint, subresource);
    if (other != NULL)
        list = add_versions(list, count, discovery_find_group(discovery, other), endpoint, subresource);
    return list;
}
