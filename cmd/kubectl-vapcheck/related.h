/*
 * related: the policies and bindings of all files, by name: what is checked
 * together wherever it stands.
 *
 *     struct related r = {0};
 *     related_add_policy(&r, json);     in the first pass
 *     related_is_bound(&r, "my-policy") in the second
 *     related_deinit(&r);
 */
#ifndef CMD_KUBECTL_VAPCHECK_RELATED_H
#define CMD_KUBECTL_VAPCHECK_RELATED_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

struct related {
    struct json_object **policies, **bindings; /* references */
    size_t n_policies, n_bindings;
};

/* Each takes a reference. */
void related_add_policy(struct related *r, struct json_object *policy);
void related_add_binding(struct related *r, struct json_object *binding);
void related_deinit(struct related *r);

/* The policy of that name; NULL if there is none. */
struct json_object *related_policy(const struct related *r, const char *name);
/* Whether a binding names the policy. */
bool related_is_bound(const struct related *r, const char *policy);
/* The policy whose name is probably meant; NULL if none is near. */
const char *related_nearest(const struct related *r, const char *name);

#endif
