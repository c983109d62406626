#include "controller/match/types_upstream.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/mem.h"
#include "controller/match/restmapper.h"

/* typechecking.go: maxTypesToCheck, of one rule. */
#define UPSTREAM_MAX_TYPES 10

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
    types_list_add(list, (struct types_target){.group = group,
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

static void add_unserved(struct types_list *list, const struct discovery *discovery, const char *resource)
{
    cleanup_mem char *what = mem_printf("%s of the rule's groups", resource);
    types_list_add_unserved(list, discovery, what);
}

/* Adds the types of a rule. Returns false when the limit of ten types ended the whole scan. */
static bool scan_rule(struct types_list *list, const struct matchrules_rule *rule,
                      const struct discovery *discovery)
{
    struct upstream u = {list, 0};
    size_t n_groups, n_versions, n_resources;
    const char **groups = sorted_without(rule->groups, rule->n_groups, "*", &n_groups);
    const char **versions = sorted_without(rule->versions, rule->n_versions, "*", &n_versions);
    const char **resources = sorted_without(rule->resources, rule->n_resources, "*/", &n_resources);
    bool has_wildcard = n_groups < rule->n_groups || n_versions < rule->n_versions;
    if (has_wildcard || n_resources < rule->n_resources)
        types_list_add_problem(list, TYPES_OUT_OF_SCOPE,
                               "wildcards and subresources are left out by --warnings-scope=upstream");
    size_t tuples = has_wildcard ? 0 : n_groups * n_versions * n_resources;
    bool *resolved = mem_array(n_resources + 1, sizeof *resolved);
    for (size_t i = 0; i < tuples && u.found < UPSTREAM_MAX_TYPES && !types_list_is_exhausted(list); i++) {
        size_t before = u.found;
        types_list_spend(list, restmapper_kinds_for(discovery, groups[i / (n_versions * n_resources)],
                                                    versions[i / n_resources % n_versions],
                                                    resources[i % n_resources], take_kind, &u));
        resolved[i % n_resources] |= u.found > before;
    }
    for (size_t i = 0; tuples > 0 && i < n_resources && u.found < UPSTREAM_MAX_TYPES; i++) {
        if (!resolved[i] && !types_list_is_exhausted(list))
            add_unserved(list, discovery, resources[i]);
    }
    mem_free(resolved);
    mem_free(groups);
    mem_free(versions);
    mem_free(resources);
    return u.found < UPSTREAM_MAX_TYPES;
}

void types_upstream_resolve(const struct matchrules_rule *rules, size_t n_rules,
                            const struct discovery *discovery, struct types_list *list)
{
    for (size_t i = 0; i < n_rules && !types_list_is_exhausted(list); i++) {
        if (!scan_rule(list, &rules[i], discovery)) {
            types_list_add_problem(list, TYPES_OUT_OF_SCOPE,
                                   "after ten types of a rule --warnings-scope=upstream looks no further");
            break;
        }
    }
    types_list_unify(list);
}
