#include "cmd/kubectl-vapcheck/related.h"

#include "client/text/jsonval.h"
#include "typecheck/base/suggest.h"

static const char *name_of(struct json_object *object)
{
    return jsonval_string_or_empty(jsonval_get(object, "metadata"), "name");
}

/* Of two things with one key the first counts. */
static void add(struct json_object **map, const char *key, struct json_object *value)
{
    if (*map == NULL)
        *map = json_object_new_object();
    if (!json_object_object_get_ex(*map, key, NULL))
        json_object_object_add(*map, key, value);
    else
        json_object_put(value);
}

void related_add_policy(struct related *r, struct json_object *policy)
{
    add(&r->policies, name_of(policy), json_object_get(policy));
}

void related_add_binding(struct related *r, struct json_object *binding)
{
    add(&r->bound, jsonval_string_or_empty(jsonval_get(binding, "spec"), "policyName"), NULL);
}

void related_deinit(struct related *r)
{
    json_object_put(r->policies);
    json_object_put(r->bound);
}

struct json_object *related_policy(const struct related *r, const char *name)
{
    return jsonval_get(r->policies, name);
}

bool related_has_bindings(const struct related *r)
{
    return r->bound != NULL;
}

bool related_is_bound(const struct related *r, const char *policy)
{
    return r->bound != NULL && json_object_object_get_ex(r->bound, policy, NULL);
}

const char *related_nearest(const struct related *r, const char *name)
{
    struct suggest n;
    suggest_init(&n, name);
    if (r->policies == NULL)
        return NULL;
    json_object_object_foreach(r->policies, known, policy)
    {
        (void)policy;
        suggest_offer(&n, known);
    }
    return n.best;
}
