/*
 * crd_run: the rules (x-kubernetes-validations) of a version of a CustomResourceDefinition, evaluated on a
 * custom resource as the API server does it when the resource is created or updated.
 *
 * k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/validation.go. Rules that read oldSelf are
 * evaluated if there is an old value at the same place: items of a list only if it is of the type map. A rule
 * without oldSelf that is false about an unchanged value gives a warning instead of an error. The API server
 * looks at the fields of an object in random order, here they keep theirs.
 *
 *     struct crd_run *run = crd_run_new(env, schema, json);
 *     crd_run_evaluate(run, &request, &result);
 *     for (size_t i = 0; i < result.error_count; i++) ...
 *     crd_run_result_deinit(&result);
 *     crd_run_free(run);
 */
#ifndef TYPECHECK_POLICY_CRDRULES_CRD_RUN_H
#define TYPECHECK_POLICY_CRDRULES_CRD_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/arena.h"
#include "typecheck/base/str.h"
#include "typecheck/cel/types/env.h"

struct schema;
struct schema_node;

/* The cost that all rules together may have for one object. */
#define CRD_RUN_COST 10000000

struct crd_run_request {
    struct str object, old_object; /* JSON; old_object empty: the object is created */
    /* The kind in a document that the API server publishes, for the defaults; NULL: none are set. */
    const struct schema *doc;
    const struct schema_node *root;
    bool has_status; /* the version has the subresource status, which other requests cannot change */
    int minor;       /* of the server: 1.minor */
};

struct crd_run_error {
    struct str rule; /* below the schema: "properties[spec].x-kubernetes-validations[0].rule"; empty: none */
    struct str text; /* as the server says it: "spec.size: Invalid value: 5: too large" */
    struct str detail;      /* "too large" */
    struct str missing_key; /* the rule failed because a value has no such key; empty: not for that */
    bool is_failure;        /* the rule failed; else it is false */
    bool is_warning;        /* about a value that did not change */
};

/* Says how often a rule was true, was false or failed. */
struct crd_run_count {
    struct str rule;
    size_t n_true, n_false, n_failed;
};

struct crd_run_result {
    struct str missing; /* the thing that this evaluator lacks; nothing else is known then. Empty: none */
    struct str blocked; /* an error against the schema, so that the server evaluates no rule; empty: none */
    struct crd_run_error *errors;
    size_t error_count;
    struct str message; /* all errors, as the server lists them after "is invalid: "; empty: there is none */
    uint64_t cost;
    struct arena arena;
};

/* Borrows the env until crd_run_free. schema: of schema_new_definition, which outlives it; json: the same
 * schema as JSON. NULL: there is no memory. */
struct crd_run;
struct crd_run *crd_run_new(const struct env *env, const struct schema *schema, struct str json);
void crd_run_free(struct crd_run *run);

/* The caller deinits the result. Also counts the results of each rule. */
void crd_run_evaluate(struct crd_run *run, const struct crd_run_request *request,
                      struct crd_run_result *result);
void crd_run_result_deinit(struct crd_run_result *result);

/* The counts of all evaluations so far, in the order of the schema. */
const struct crd_run_count *crd_run_counts(const struct crd_run *run, size_t *count);

#endif
