/*
 * crdevaluation: evaluates the rules of a CustomResourceDefinition on its resources. Pure.
 *
 *     struct crdevaluation *e = crdevaluation_new(definition, env, minor);
 *     if (crdevaluation_run(e, "v1", &request, &result)) ...
 *     crd_run_result_deinit(&result);
 *     crdevaluation_free(e);
 */
#ifndef CONTROLLER_APISERVER_CRD_CRDEVALUATION_H
#define CONTROLLER_APISERVER_CRD_CRDEVALUATION_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

#include "typecheck/crd.h"

struct crdevaluation_version {
    const char *name; /* the definition's */
    char *field;      /* of its schema: "spec.versions[0].schema.openAPIV3Schema" */
    bool has_status;
    struct schema *schema;
    char *text;          /* of the schema, as JSON, which the run reads */
    struct crd_run *run; /* the compiled rules; NULL if there is no schema, or it is too large */
};

struct crdevaluation {
    struct json_object *json; /* the definition */
    int minor;
    struct crdevaluation_version *versions;
    size_t count;
};

/* The definition is one that the API server stores. env: of stored expressions, which is borrowed; minor: of
 * the server. Takes a reference to the definition. */
struct crdevaluation *crdevaluation_new(struct json_object *definition, const struct env *env, int minor);
/* The same of one version, by its index. The others have neither name nor rules. */
struct crdevaluation *crdevaluation_new_of(struct json_object *definition, size_t version,
                                           const struct env *env, int minor);
void crdevaluation_free(struct crdevaluation *evaluation);

/* Returns NULL if the definition has no such version. */
const struct crdevaluation_version *crdevaluation_find(const struct crdevaluation *evaluation,
                                                       const char *version);

/* Sets what the request does not say: has_status and minor. The caller deinits the result. */
void crdevaluation_run(const struct crdevaluation *evaluation, const struct crdevaluation_version *version,
                       const struct crd_run_request *request, struct crd_run_result *result);

#endif
