#include "controller/match/typeset.h"

#include <string.h>

#include "client/base/groupversion.h"
#include "client/base/mem.h"
#include "controller/match/connect.h"
#include "typecheck/schema.h"

/* Most are one text, of the discovery. */
static bool is_text(const char *one, const char *two)
{
    return one == two || strcmp(one, two) == 0;
}

static bool has_source_of(const struct types_target *t, const struct types_target *other)
{
    return is_text(t->document_group, other->document_group) &&
           is_text(t->document_version, other->document_version) && is_text(t->group, other->group) &&
           is_text(t->version, other->version);
}

/* Neighbours mostly have the same source. */
static void find_sources(struct typeset *set)
{
    const struct types_target *targets = set->list.targets;
    set->sources = mem_array(set->list.n_targets + 1, sizeof *set->sources);
    for (size_t i = 0; i < set->list.n_targets; i++) {
        if (i == 0 || !has_source_of(&targets[i], &targets[i - 1]))
            set->sources[set->n_sources++] = i;
    }
}

void typeset_init(struct typeset *set, const struct matchrules *match, const struct discovery *discovery,
                  const struct types_options *options)
{
    *set = (struct typeset){0};
    types_resolve(match, discovery, options, &set->list);
    find_sources(set);
}

void typeset_deinit(struct typeset *set)
{
    types_list_deinit(&set->list);
    mem_free(set->sources);
    mem_free(set->checked);
    mem_free(set->types);
    mem_free(set->requests);
    mem_free(set->missing);
    *set = (struct typeset){0};
}

static struct policy_type find_in(const struct typeset_documents *d, const char *document_group,
                                  const char *document_version, const struct types_target *t,
                                  enum openapi_state *state)
{
    char path[1024];
    struct policy_type found = {
        .group = str_of(t->group), .version = str_of(t->version), .kind = str_of(t->kind)};
    *state = OPENAPI_ABSENT;
    if (groupversion_path(document_group, document_version, path, sizeof path) != 0)
        return found;
    found.doc = d->lookup(d->user, path, state);
    if (found.doc != NULL)
        found.node = schema_find(found.doc, found.group, found.version, found.kind);
    return found;
}

struct policy_type typeset_find_kind(const struct typeset_documents *documents,
                                     const struct types_target *target, enum openapi_state *state)
{
    return find_in(documents, target->document_group, target->document_version, target, state);
}

/* They are of the core group. */
static void find_connect_options(const struct typeset_documents *d, struct policy_type *found)
{
    if (d->connect == NULL || found->group.len != 0)
        return;
    if (*d->connect == NULL)
        *d->connect = connect_schemas();
    found->doc = *d->connect;
    if (found->doc != NULL)
        found->node = schema_find(found->doc, found->group, found->version, found->kind);
}

/* A subresource's kind stands in the resource's document first, then in that of its own group-version. */
static struct policy_type find_type(const struct typeset_documents *d, const struct types_target *t,
                                    enum openapi_state *state)
{
    enum openapi_state own_state;
    struct policy_type found = typeset_find_kind(d, t, state);
    if (found.node != NULL)
        return found;
    found = find_in(d, t->group, t->version, t, &own_state);
    if (own_state == OPENAPI_UNKNOWN || (own_state == OPENAPI_TOO_LARGE && *state != OPENAPI_UNKNOWN))
        *state = own_state;
    if (found.node == NULL)
        find_connect_options(d, &found);
    return found;
}

/* All requests of the targets, as the type checker takes them. */
static void collect_requests(struct typeset *set, unsigned never)
{
    const struct types_list *list = &set->list;
    set->requests = mem_array(list->n_requests + 1, sizeof *set->requests);
    for (size_t i = 0; i < list->n_requests; i++) {
        const struct types_request *r = &list->requests[i];
        set->requests[i] = (struct policy_request){.group = str_of(r->group),
                                                   .version = str_of(r->version),
                                                   .resource = str_of(r->resource),
                                                   .subresource = str_of(r->subresource),
                                                   .is_namespaced = r->is_namespaced,
                                                   .has_status = r->has_status,
                                                   .operations = r->operations & ~never};
    }
}

static void add_missing(struct typeset *set, const struct types_target *t, enum openapi_state state)
{
    const char *separator = t->group[0] == '\0' ? "" : "/";
    if (state == OPENAPI_UNKNOWN) {
        types_list_add_problem(&set->list, TYPES_CLUSTER_UNAVAILABLE,
                               "the schema of %s%s%s %s could not be read yet", t->group, separator,
                               t->version, t->kind);
        return;
    }
    if (state == OPENAPI_TOO_LARGE) {
        types_list_add_problem(&set->list, TYPES_LIMIT_REACHED,
                               "the schema of %s%s%s %s was not kept: its OpenAPI document is too large",
                               t->group, separator, t->version, t->kind);
        return;
    }
    set->missing[set->n_missing++] = t->document_group;
    types_list_add_problem(&set->list, TYPES_SCHEMA_NOT_FOUND,
                           "the cluster publishes no schema for %s%s%s %s", t->group, separator, t->version,
                           t->kind);
}

void typeset_find(struct typeset *set, const struct typeset_documents *documents, unsigned never)
{
    const size_t count = set->list.n_targets;
    if (set->is_found)
        return;
    set->is_found = true;
    collect_requests(set, never);
    set->types = mem_array(count + 1, sizeof *set->types);
    set->checked = mem_array(count + 1, sizeof *set->checked);
    set->missing = mem_array(count + 1, sizeof *set->missing);
    for (size_t i = 0; i < count; i++) {
        enum openapi_state state;
        const struct types_target *t = &set->list.targets[i];
        struct policy_type found = find_type(documents, t, &state);
        if (found.node == NULL) {
            add_missing(set, t, state);
            continue;
        }
        found.requests = set->requests + t->first_request;
        found.request_count = t->n_requests;
        if (documents->identities != NULL)
            found.identity = identities_number(documents->identities, &found);
        if (found.identity > set->most_identity)
            set->most_identity = found.identity;
        set->types[set->n_checked] = found;
        set->checked[set->n_checked++] = *t;
    }
}
