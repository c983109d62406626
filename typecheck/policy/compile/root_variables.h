/*
 * root_variables: the variables of a policy's expressions: object, oldObject, request, params ...
 *
 * One table says which places have each (k8s.io/apiserver/pkg/admission/plugin/cel/compile.go and
 * composition.go; for the type checker, plugin/policy/validating/typechecking.go).
 */
#ifndef TYPECHECK_POLICY_COMPILE_ROOT_VARIABLES_H
#define TYPECHECK_POLICY_COMPILE_ROOT_VARIABLES_H

#include <stddef.h>

#include "typecheck/cel/types/env.h"
#include "typecheck/policy/compile/policy.h"

struct type;
struct types;

enum { ROOT_VARIABLES = 8 };

/* The program that declares the variables. */
enum root_variables_user {
    ROOT_VARIABLES_AT_CREATE,     /* the compiler, when a policy is created */
    ROOT_VARIABLES_IN_TYPE_CHECK, /* upstream's type checker */
    ROOT_VARIABLES_AT_RUN_TIME,   /* evaluation */
    ROOT_VARIABLES_IN_TEMPLATE,   /* Gatekeeper, in a ConstraintTemplate */
};

struct root_variables {
    enum root_variables_user user;
    struct variable list[ROOT_VARIABLES]; /* type NULL: not declared */
};

/* params and variables: NULL if the policy has none. */
void root_variables_init(struct root_variables *r, enum root_variables_user user, struct types *ts,
                         const struct type *object, const struct type *params, const struct type *variables);

/* The variables of an expression in that place. Returns how many. */
size_t root_variables_of(const struct root_variables *r, enum policy_place place,
                         struct variable out[ROOT_VARIABLES]);

#endif
