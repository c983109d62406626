/*
 * crdrules: the answer of an API server to the schemas and the
 * x-kubernetes-validations of a CustomResourceDefinition when it is created, in
 * its own words. Pure.
 *
 * It checks rules, messages, field paths and reasons of every version, the
 * estimated cost of the rules, and the schemas themselves
 * (k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation). Defaults are
 * not validated against their schema. If all versions have the same schema, the
 * server calls it "spec.validation.openAPIV3Schema".
 *
 *     struct crdrules found = {0};
 *     struct crdrules_run *run = crdrules_start(definition, env, &found);
 *     while (crdrules_step(run, steps)) ...            other work can be done here
 *     crdrules_end(run);
 *     crdrules_deinit(&found);
 */
#ifndef CONTROLLER_APISERVER_CRD_CRDRULES_H
#define CONTROLLER_APISERVER_CRD_CRDRULES_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "controller/apiserver/crd/crdcost.h"
#include "controller/apiserver/validation/fielderrors.h"
#include "typecheck/version.h"

struct crdrules {
    struct fielderrors refusals; /* hints: which bound to add */
    size_t n_rules;              /* in all versions */
    size_t n_unchecked;     /* those that were not checked, because a limit on work or memory was reached */
    struct crdcosts *costs; /* the caller's; gets what each rule costs; NULL: not wanted */
};

/* Returns true if the definition has any rule. */
bool crdrules_any(struct json_object *definition);

/* The limit for one definition, hints included. A definition that is not hostile needs a tenth of it. */
#define CRDRULES_MAX_STEPS ((uint64_t)25 * 1000 * 1000)

struct crdrules_run; /* one definition's check under way */

/* env: the one for new expressions. *out is empty, except that the version of its refusals and costs may be
 * set. Everything is borrowed until crdrules_end. */
struct crdrules_run *crdrules_start(struct json_object *definition, const struct env *env,
                                    struct crdrules *out);
/* Does about `steps` of work, measured as typecheck_step does; true if there is more to do. */
bool crdrules_step(struct crdrules_run *run, uint64_t steps);
/* Steps that were spent so far. */
uint64_t crdrules_steps(const struct crdrules_run *run);
/* *out is complete if crdrules_step returned false. */
void crdrules_end(struct crdrules_run *run);

/* All steps in one call. */
void crdrules_check(struct json_object *definition, const struct env *env, struct crdrules *out);
void crdrules_deinit(struct crdrules *found);

#endif
