/*
 * crdrules: what an API server answers to the x-kubernetes-validations of a
 * CustomResourceDefinition when it is created, in its own words. Pure.
 *
 * Rules, messages, paths and reasons of every version, and what the rules can
 * cost (k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation).
 * Fields are the server's: of a schema that all versions share it speaks as
 * "spec.validation.openAPIV3Schema". Schemas that are wrong themselves are
 * refused as such; only their defaults are not tried on them.
 *
 *     struct crdrules found = {0};
 *     struct crdrules_run *run = crdrules_start(definition, env, &found);
 *     while (crdrules_step(run, steps)) ...            somebody else's turn
 *     crdrules_end(run);
 *     crdrules_deinit(&found);
 */
#ifndef CONTROLLER_CRD_CRDRULES_H
#define CONTROLLER_CRD_CRDRULES_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "controller/field/fielderrors.h"
#include "typecheck/types/env.h"

struct crdrules {
    struct fielderrors refusals; /* hints: which bound to add */
    size_t n_rules;              /* how many there are, in all versions */
    size_t n_unchecked;          /* of these: a bound on work or memory was reached */
};

/* Whether the definition has any rule. */
bool crdrules_any(struct json_object *definition);

/* Of one definition, hints included: what an API server takes and is not hostile needs a tenth. */
#define CRDRULES_MAX_STEPS ((uint64_t)25 * 1000 * 1000)

struct crdrules_run; /* one definition's check under way */

/* env: that of new expressions. *out is empty, but for the version of its refusals. All are borrowed until
 * the run is ended. */
struct crdrules_run *crdrules_start(struct json_object *definition, const struct env *env,
                                    struct crdrules *out);
/* Goes on with about `steps` of work, whose measure is typecheck_step's; true: there is more to do. */
bool crdrules_step(struct crdrules_run *run, uint64_t steps);
/* Spent so far. */
uint64_t crdrules_steps(const struct crdrules_run *run);
/* *out is whole if crdrules_step answered false. */
void crdrules_end(struct crdrules_run *run);

/* All in one go. */
void crdrules_check(struct json_object *definition, const struct env *env, struct crdrules *out);
void crdrules_deinit(struct crdrules *found);

#endif
