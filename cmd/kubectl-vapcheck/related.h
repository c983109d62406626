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

struct related {
    struct json_object *policies; /* by name, the first of each; NULL: none */
    struct json_object *bound;    /* the names that bindings have; NULL: no binding */
};

/* A policy is kept by a reference. */
void related_add_policy(struct related *r, struct json_object *policy);
void related_add_binding(struct related *r, struct json_object *binding);
void related_deinit(struct related *r);

/* The policy of that name; NULL if there is none. */
struct json_object *related_policy(const struct related *r, const char *name);
bool related_has_bindings(const struct related *r);
/* Whether a binding names the policy. */
bool related_is_bound(const struct related *r, const char *policy);
/* The policy whose name is probably meant; NULL if none is near. */
const char *related_nearest(const struct related *r, const char *name);

#endif
