/*
 * cel_place: the places that carry CEL, and what an API server wants of an expression in each. A public
 * header.
 *
 * One table (cel_place.c) has a row for each place: the variables that are declared there, the types that the
 * result may have, the words of a refusal, the environment, and the cost that is too much. The places of a
 * policy come first; then the rules of a CustomResourceDefinition, the files that configure an API server,
 * and the selectors of devices.
 *
 *     struct cel_place_compiled compiled;
 *     if (!cel_place_compile(CEL_PLACE_CLAIM_RULE, &(struct cel_place_scope){.env = env, .types = types}, a,
 * text, &compiled))
 *         ... compiled.problem.text
 */
#ifndef TYPECHECK_POLICY_COMPILE_CEL_PLACE_H
#define TYPECHECK_POLICY_COMPILE_CEL_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"
#include "typecheck/cel/types/env.h"
#include "typecheck/policy/compile/compile_problem.h"
#include "typecheck/policy/compile/policy.h"
#include "typecheck/policy/compile/root_variables.h"

struct arena;
struct checked;
struct crd_type;
struct expression;
struct expression_cache;
struct plan;
struct types;

/* Before the first of these are the places of a policy, which have the values of enum policy_place. */
enum cel_place {
    CEL_PLACE_RULE = POLICY_PLACES, /* of a CustomResourceDefinition: x-kubernetes-validations */
    CEL_PLACE_RULE_MESSAGE,         /* its messageExpression */
    CEL_PLACE_CLAIM_RULE,           /* of an AuthenticationConfiguration: a condition on the claims */
    CEL_PLACE_CLAIM_MAPPING,        /* of the same: what is made of the claims */
    CEL_PLACE_USER_RULE,            /* of the same: a condition on the user */
    CEL_PLACE_ACCESS_REVIEW,        /* of an AuthorizationConfiguration: a match condition */
    CEL_PLACE_SELECTOR,             /* of a DeviceClass or a ResourceClaim */
};

enum { CEL_PLACE_VARIABLES = ROOT_VARIABLES }; /* no place has more */

/* The scope from which a place makes its variables; a place reads the members that it needs. */
struct cel_place_scope {
    const struct env *env; /* of stored expressions for configuration files, of new ones for all others */
    struct types *types;
    struct expression_cache *cache;     /* of what was parsed before; NULL: none */
    const struct root_variables *roots; /* of a policy */
    const struct crd_type *self;        /* of a rule: the schema at its place */
    bool has_optional_old_self;         /* of a rule: oldSelf is optional(T) */
    int minor;                          /* of a selector: the server's */
    bool keeps_plans;                   /* the expressions are to be evaluated */
};

/* An expression, compiled at its place. */
struct cel_place_compiled {
    enum cel_place place;
    bool compiles;
    struct compile_problem problem; /* if it does not compile */
    const struct expression *expression;
    const struct checked *checked; /* if it has no issues */
    const struct plan *plan;       /* of what compiles, where plans are kept */
    struct str lack; /* the thing that is not evaluated here, so that there is no plan; empty: there is one */
    uint64_t cost;   /* of what compiles, where a cost can be too much: the most that one evaluation takes */
    bool uses_old_self; /* of a rule */
    bool uses_email,
        uses_email_verified; /* of what compiles: it selects claims.email, claims.email_verified */
};

/* Declares the variables of the place. Returns how many. */
size_t cel_place_declare(enum cel_place place, const struct cel_place_scope *scope,
                         struct variable out[CEL_PLACE_VARIABLES]);
/* The environment of the place, of the same kin as this one. */
const struct env *cel_place_env(enum cel_place place, const struct env *env);
/* The server refuses an expression that can cost more; 0 if it does not estimate the cost. */
uint64_t cel_place_cost_limit(enum cel_place place);

/* Returns whether it compiles. The result lies in the arena or in the cache, and refers to the text. */
bool cel_place_compile(enum cel_place place, const struct cel_place_scope *scope, struct arena *a,
                       struct str text, struct cel_place_compiled *out);
/* The cost again, with the bounds that the schema has now. */
uint64_t cel_place_cost(const struct cel_place_compiled *compiled, const struct cel_place_scope *scope,
                        struct arena *a);

#endif
