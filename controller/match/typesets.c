#include "controller/match/typesets.h"

#include "client/base/mem.h"
#include "typecheck/schema.h"

static void free_set(void *value)
{
    typeset_deinit(value);
    mem_free(value);
}

void typesets_deinit(struct typesets *sets)
{
    keymap_deinit(&sets->sets, free_set);
    schema_free(sets->connect);
    *sets = (struct typesets){.discovery = NULL};
}

static bool has_star(const char *const *names, size_t count)
{
    size_t i = 0;
    while (i < count && names[i][0] != '*')
        i++;
    return i < count;
}

/* Returns true if the rules are of those that match much. */
static bool have_star(const struct matchrules *match)
{
    bool have = false;
    for (size_t i = 0; i < match->n_rules; i++)
        have = have || has_star(match->rules[i].groups, match->rules[i].n_groups) ||
               has_star(match->rules[i].resources, match->rules[i].n_resources);
    return have;
}

/* All that a set depends on beside the discovery and the documents; NULL if the rules are too long. */
static char *make_key(const struct policyview *policy, const struct types_options *o)
{
    cleanup_mem char *rules = matchrules_key(&policy->match);
    return rules == NULL ? NULL
                         : mem_printf("%d %d %zu %d %d %d %s", policy->kind, o->scope, o->max_types,
                                      o->is_partial, o->for_webhooks, o->minor, rules);
}

struct typeset *typesets_get(struct typesets *sets, const struct policyview *policy,
                             const struct discovery *discovery, const struct types_options *options)
{
    if (sets->discovery == NULL)
        sets->discovery = discovery;
    const bool is_kept = sets->discovery == discovery && have_star(&policy->match);
    cleanup_mem char *key = is_kept ? make_key(policy, options) : NULL;
    if (key == NULL)
        return NULL;
    struct typeset *set = keymap_get(&sets->sets, key);
    if (set != NULL || sets->n_types >= TYPESETS_MAX)
        return set;
    set = mem_zalloc(sizeof *set);
    typeset_init(set, &policy->match, discovery, options);
    sets->n_types += set->list.n_targets;
    keymap_put(&sets->sets, key, set);
    return set;
}
