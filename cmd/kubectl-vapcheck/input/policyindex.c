#include "cmd/kubectl-vapcheck/input/policyindex.h"

#include "client/text/jsonval.h"
#include "typecheck/text.h"

/* Of two things with one key the first counts. */
static void add(struct json_object **map, const char *key, struct json_object *value)
{
    if (*map == NULL)
        *map = json_object_new_object();
    if (!json_object_object_get_ex(*map, key, NULL))
        jsonval_set(*map, key, value);
    else
        json_object_put(value);
}

void policyindex_add_policy(struct policyindex *index, struct json_object *policy)
{
    add(&index->policies, jsonval_metadata(policy, "name"), json_object_get(policy));
}

void policyindex_add_binding(struct policyindex *index, struct json_object *binding)
{
    add(&index->bound, jsonval_string_or_empty(jsonval_get(binding, "spec"), "policyName"), NULL);
}

void policyindex_deinit(struct policyindex *index)
{
    json_object_put(index->policies);
    json_object_put(index->bound);
}

struct json_object *policyindex_policy(const struct policyindex *index, const char *name)
{
    return jsonval_get(index->policies, name);
}

bool policyindex_has_bindings(const struct policyindex *index)
{
    return index->bound != NULL;
}

bool policyindex_is_bound(const struct policyindex *index, const char *policy)
{
    return index->bound != NULL && json_object_object_get_ex(index->bound, policy, NULL);
}

const char *policyindex_nearest(const struct policyindex *index, const char *name)
{
    struct suggest n;
    suggest_init(&n, name);
    if (index->policies == NULL)
        return NULL;
    jsonval_each(index->policies, known, policy)
    {
        (void)policy;
        suggest_offer(&n, known);
    }
    return n.best;
}
