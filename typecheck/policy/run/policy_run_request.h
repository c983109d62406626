/*
 * policy_run_request: a request for policy_run.h: its objects as JSON, and their schemas.
 */
#ifndef TYPECHECK_POLICY_RUN_POLICY_RUN_REQUEST_H
#define TYPECHECK_POLICY_RUN_POLICY_RUN_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "typecheck/base/str.h"

struct authorizer;          /* typecheck/cel/interpreter/values/authorizer.h */
struct policy_run_observer; /* policy_run_observer.h */
struct schema;
struct schema_node;

/* The schema of a kind in its OpenAPI document. It may be NULL for custom resources, and before 1.37. */
struct policy_run_type {
    const struct schema *doc;
    const struct schema_node *root; /* schema_find */
};

/* The form of objects and params. */
enum policy_run_objects {
    POLICY_RUN_WRITTEN, /* as the API server writes them */
    POLICY_RUN_SENT,    /* as a client sent them; they are completed by their schemas (sent_object.h) */
    POLICY_RUN_LOOSE,   /* any JSON, even if no server takes it; it is evaluated as a custom resource */
};

/* The part of a MutatingAdmissionPolicy that is evaluated. The server asks all mutating policies a second
 * time if one of them mutated the object. */
enum policy_run_pass {
    POLICY_RUN_BOTH_PASSES,     /* as if there were no other mutating policy */
    POLICY_RUN_ONE_PASS,        /* match conditions, and mutations */
    POLICY_RUN_CONDITIONS_PASS, /* the second one of a policy that is not invoked again: match conditions */
};

/*
 * Values as JSON; empty: null. `request` is an AdmissionRequest, whose `resource` and `kind` are those that
 * the policy's rules match; `namespace_object` is the whole Namespace, of which some expressions see only a
 * part; `expected` is the object that the mutations should make, to compare with.
 */
struct policy_run_request {
    struct str object, old_object, params, request, namespace_object, expected;
    struct policy_run_type object_type, params_type;
    enum policy_run_objects objects;
    enum policy_run_pass pass;
    /* Match conditions of another mutating policy asked for typed values before, so mutations find them. */
    bool is_typed_before;
    /* Answers the questions to `authorizer`; NULL: a question is reported as missing. */
    const struct authorizer *authorizer;
    const struct policy_run_observer *observer; /* the observer; NULL if nobody observes */
    /* Returns an object that a mutation made as the server reads it, as JSON; the text is valid until the
     * next call. NULL: the server reads the object as it is. */
    struct str (*read)(void *user, struct str object);
    void *read_user;
    uint64_t max_steps; /* of work, after which the evaluation ends as one that is missing something; 0: as
                           many as any evaluation may take */
};

#endif
