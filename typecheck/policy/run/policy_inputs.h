/*
 * policy_inputs: the values of a request that the expressions of a policy get from the API server.
 *
 * k8s.io/apiserver/pkg/admission/plugin/cel: activation.go and condition.go (CreateAdmissionRequest,
 * CreateNamespaceObject). From 1.37 on, objects of built-in kinds, the request and its namespace are typed
 * (typecheck/cel/interpreter/values/typed_value.h).
 */
#ifndef TYPECHECK_POLICY_RUN_POLICY_INPUTS_H
#define TYPECHECK_POLICY_RUN_POLICY_INPUTS_H

#include "typecheck/base/error_names.h"
#include "typecheck/cel/interpreter/run.h"
#include "typecheck/cel/schema/go_type.h"
#include "typecheck/policy/run/policy_run_request.h"

/* The stages of evaluation, which differ in their inputs. */
enum policy_inputs_stage {
    POLICY_INPUTS_OF_MATCH_CONDITIONS, /* no namespace; the resource that was requested */
    POLICY_INPUTS_OF_VALIDATIONS,      /* the exposed part of the namespace */
    POLICY_INPUTS_OF_ANNOTATIONS,      /* all of the namespace; no authorizer, though it is declared */
    POLICY_INPUTS_OF_MUTATIONS,        /* all of the namespace */
};

enum { POLICY_INPUTS = 7 };

/* The variables of one request, for one stage after another. */
struct policy_inputs {
    struct run_input inputs[POLICY_INPUTS];
    struct go_type object, params, request, namespace;
    enum policy_inputs_stage stage; /* the one that began last */
    struct str request_json, namespace_json;
    const struct value *request_read, *namespace_read; /* the same; NULL: no expression has needed it */
    const struct authorizer *authorizer;
};

/*
 * own: the schema of request_schema.h; NULL: the version has no typed values. has_plain_objects: objects of
 * built-in kinds are JSON nevertheless. Borrows everything, and must not be moved. If it returns false,
 * *missing says what the evaluator lacks.
 */
bool policy_inputs_init(struct policy_inputs *in, struct arena *a, const struct schema *own,
                        bool has_plain_objects, const struct policy_run_request *request,
                        struct str *missing);

/* To be called before the expressions of the stage are evaluated. */
void policy_inputs_begin(struct policy_inputs *in, enum policy_inputs_stage stage);

/* The API server's message about a patched object that it cannot decode, with its names. Empty: it can decode
 * the object, or *missing says why that is not known. */
struct str policy_inputs_refusal(struct arena *a, const struct policy_run_type *schema,
                                 const struct value *object, struct str *missing,
                                 const struct error_names **names);

/* Replaces the object, and completes it by its schema. Returns NULL where policy_inputs_init would return
 * false. */
const struct value *policy_inputs_change(struct policy_inputs *in, struct arena *a,
                                         const struct policy_run_type *schema, const struct value *object,
                                         struct str *missing);

#endif
