/*
 * policy_run_request: a request as policies are asked about it (policy_run.h): its objects as JSON, and their
 * schemas.
 */
#ifndef TYPECHECK_POLICY_RUN_REQUEST_H
#define TYPECHECK_POLICY_RUN_REQUEST_H

#include "typecheck/base/str.h"

struct authorizations_authorizer; /* typecheck/values/authorizations.h */
struct policy_run_observer;       /* policy_run_observer.h */
struct schema;
struct schema_node;

/* The schema of a kind in its OpenAPI document; of custom resources, and before 1.37, it may be NULL. */
struct policy_run_type {
    const struct schema *doc;
    const struct schema_node *root; /* schema_find */
};

/* What objects and params are. */
enum policy_run_objects {
    POLICY_RUN_WRITTEN, /* as the API server writes them */
    POLICY_RUN_SENT,    /* as they were sent: by their schemas, they are completed (sent_object.h) */
    POLICY_RUN_LOOSE,   /* JSON, though no server may take it: it is evaluated as that of a custom resource */
};

/*
 * Values as JSON; empty: null. `request` is an AdmissionRequest, whose `resource` and `kind` are those that
 * the policy's rules match; `namespace_object` is the whole Namespace, which not all expressions see;
 * `expected` is what the mutations should make, to compare.
 */
struct policy_run_request {
    struct str object, old_object, params, request, namespace_object, expected;
    struct policy_run_type object_type, params_type;
    enum policy_run_objects objects;
    /* Who answers what `authorizer` is asked; NULL: nobody, and the question is what is missing. */
    const struct authorizations_authorizer *authorizer;
    const struct policy_run_observer *observer; /* NULL: nobody */
};

#endif
