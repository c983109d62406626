/*
 * advicetrial: evaluates the rules of a CustomResourceDefinition on resources as the API server does, and
 * pays for it from the work that one definition may cost. Pure.
 *
 * The rules are compiled, and the version is published, when they are first needed.
 *
 *     struct advicetrial trial = {.definition = definition, .env = env, .minor = 37, .left = MAX_STEPS};
 *     if (advicetrial_can_run(&trial))
 *         advicetrial_run(&trial, trial.evaluation, resource, NULL, &result);
 *     advicetrial_deinit(&trial);
 */
#ifndef CONTROLLER_APISERVER_CRDADVICE_ADVICETRIAL_H
#define CONTROLLER_APISERVER_CRDADVICE_ADVICETRIAL_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "controller/apiserver/crd/crdevaluation.h"
#include "controller/apiserver/crdadvice/adviceplace.h"

struct advicetrial {
    struct json_object *definition; /* borrowed, as env is */
    const struct env *env;
    int minor;
    size_t version; /* the index of the version that is looked at */
    uint64_t left;  /* the steps that may still be spent */

    size_t evaluated_version; /* the version with the rules of `evaluation`, counted from 1; 0: none */
    struct crdevaluation *evaluation; /* of that version */
    size_t published_version; /* the version that was read as it is published, counted from 1; 0: none */
    struct schema *published; /* that version, with the default values; NULL: it could not be read */
    const struct schema_node *published_root;
    uint64_t copy_steps; /* the steps to compile a definition with a corrected rule; 0: not known so far */
};

/* The version that is looked at, with its rules compiled. */
const struct crdevaluation_version *advicetrial_version(struct advicetrial *trial);

/* This is true when the rules of the version are evaluated: its schema is not too large. */
bool advicetrial_can_run(struct advicetrial *trial);

/* Evaluates the version's rules, as `evaluation` has them, on a resource that takes the place of an old one;
 * old: NULL: it is created. The caller deinits the result. */
void advicetrial_run(struct advicetrial *trial, const struct crdevaluation *evaluation,
                     struct json_object *resource, struct json_object *old, struct crd_run_result *result);

/* The rules of the version, with another text of the rule at this index of the place. The caller frees it. */
struct crdevaluation *advicetrial_correct(struct advicetrial *trial, const struct adviceplace *place,
                                          size_t index, struct str text);

void advicetrial_deinit(struct advicetrial *trial);

#endif
