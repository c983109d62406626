/*
 * policyindex: the policies and bindings of all files, by name. A binding is checked with its policy,
 * whichever files they are in.
 *
 *     struct policyindex index = {0};
 *     policyindex_add_policy(&index, json);     in the first pass
 *     policyindex_is_bound(&index, "my-policy") in the second
 *     policyindex_deinit(&index);
 */
#ifndef CMD_KUBECTL_VAPCHECK_INPUT_POLICYINDEX_H
#define CMD_KUBECTL_VAPCHECK_INPUT_POLICYINDEX_H

#include <json-c/json.h>
#include <stdbool.h>

struct policyindex {
    struct json_object *policies; /* by name, the first of each; NULL: none */
    struct json_object *bound;    /* the policy names of all bindings; NULL: there is no binding */
};

/* A policy is kept by a reference. */
void policyindex_add_policy(struct policyindex *index, struct json_object *policy);
void policyindex_add_binding(struct policyindex *index, struct json_object *binding);
void policyindex_deinit(struct policyindex *index);

/* The policy of that name, which is borrowed from the index; NULL if there is none. */
struct json_object *policyindex_policy(const struct policyindex *index, const char *name);
bool policyindex_has_bindings(const struct policyindex *index);
/* Returns true if a binding names the policy. */
bool policyindex_is_bound(const struct policyindex *index, const char *policy);
/* The policy whose name is probably meant; NULL if none is near. */
const char *policyindex_nearest(const struct policyindex *index, const char *name);

#endif
