#include "cmd/kubectl-vapcheck/related.h"

#include <string.h>

#include "client/jsonval.h"
#include "client/mem.h"
#include "typecheck/nearest.h"

static void add(struct json_object ***list, size_t *count, struct json_object *object)
{
    *list = mem_realloc(*list, *count + 1, sizeof(struct json_object *));
    (*list)[(*count)++] = json_object_get(object);
}

void related_add_policy(struct related *r, struct json_object *policy)
{
    add(&r->policies, &r->n_policies, policy);
}

void related_add_binding(struct related *r, struct json_object *binding)
{
    add(&r->bindings, &r->n_bindings, binding);
}

void related_deinit(struct related *r)
{
    for (size_t i = 0; i < r->n_policies; i++)
        json_object_put(r->policies[i]);
    for (size_t i = 0; i < r->n_bindings; i++)
        json_object_put(r->bindings[i]);
    mem_free(r->policies);
    mem_free(r->bindings);
}

static const char *name_of(struct json_object *object)
{
    return jsonval_string_or_empty(jsonval_get(object, "metadata"), "name");
}

struct json_object *related_policy(const struct related *r, const char *name)
{
    for (size_t i = 0; i < r->n_policies; i++) {
        if (strcmp(name_of(r->policies[i]), name) == 0)
            return r->policies[i];
    }
    return NULL;
}

bool related_is_bound(const struct related *r, const char *policy)
{
    for (size_t i = 0; i < r->n_bindings; i++) {
        const char *named = jsonval_string_or_empty(jsonval_get(r->bindings[i], "spec"), "policyName");
        if (strcmp(named, policy) == 0)
            return true;
    }
    return false;
}

const char *related_nearest(const struct related *r, const char *name)
{
    struct nearest n;
    nearest_init(&n, name);
    for (size_t i = 0; i < r->n_policies; i++)
        nearest_offer(&n, name_of(r->policies[i]));
    return n.best;
}
