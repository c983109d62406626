/*
 * authorizations: values of the types that build a question to the authorizer, and their functions:
 * authorizer.group('apps').resource('deployments').check('delete').allowed().
 *
 * k8s.io/apiserver/pkg/cel/library/authz.go.
 */
#ifndef TYPECHECK_CEL_INTERPRETER_VALUES_AUTHORIZATIONS_H
#define TYPECHECK_CEL_INTERPRETER_VALUES_AUTHORIZATIONS_H

#include "typecheck/cel/interpreter/values/authorizer.h"
#include "typecheck/cel/interpreter/values/function.h"

enum authorizations_type {
    AUTHORIZATIONS_AUTHORIZER,
    AUTHORIZATIONS_PATH_CHECK,
    AUTHORIZATIONS_GROUP_CHECK,
    AUTHORIZATIONS_RESOURCE_CHECK,
    AUTHORIZATIONS_DECISION,
};

/* VALUE_AUTHORIZATION: one of these types. */
struct authorization {
    enum authorizations_type type;
    const struct authorizer *authorizer; /* the answers of the authorizer; NULL if nothing is known */
    struct authorizer_question question; /* the part that is built so far */
    struct authorizer_answer answer;     /* of a DECISION */
};

/* The values of the variables `authorizer` and `authorizer.requestResource`. */
const struct value *authorizations_authorizer_value(struct arena *a, const struct authorizer *authorizer);
const struct value *authorizations_resource_value(struct arena *a, const struct authorizer *authorizer,
                                                  const struct authorizer_question *question);

function_call authorizations_path, authorizations_group, authorizations_service_account,
    authorizations_resource, authorizations_refine, authorizations_check, authorizations_allowed,
    authorizations_errored, authorizations_error, authorizations_reason;

#endif
