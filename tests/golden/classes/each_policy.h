/*
 * each_policy: reads what a program compares: schemas, definitions that are added to them, and policies.
 *
 *     struct each_policy files;
 *     each_policy_open(&files, argc, argv, "kept");
 *     each_policy_take(&files, compare_policy, user);   // each ValidatingAdmissionPolicy of the files
 *     each_policy_close(&files);
 *
 * The program ends with status 2 where something cannot be read.
 */
#ifndef GOLDEN_EACH_POLICY_H
#define GOLDEN_EACH_POLICY_H

#include <json-c/json.h>

#include "cmd/kubectl-vapcheck/input/schemas.h"

struct each_policy {
    struct schemas *schemas;
    struct crds *crds;
    const char *path; /* of the file at hand */
    char **policies;
    int policy_count;
    void (*take)(void *user, struct json_object *policy);
    void *user;
};

/* The arguments are SCHEMAS DEFINITIONS POLICIES..., of a program of this name. */
void each_policy_open(struct each_policy *files, int argc, char **argv, const char *program);
/* Calls `take` with each policy that has a spec. */
void each_policy_take(struct each_policy *files, void (*take)(void *user, struct json_object *policy),
                      void *user);
void each_policy_close(struct each_policy *files);

/* The policy then matches all resources and their subresources; operations: a JSON list. */
void each_policy_match_all(struct json_object *policy, const char *operations);

#endif
