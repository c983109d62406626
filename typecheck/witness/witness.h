/*
 * witness: the smallest request that shows that a warning is true.
 *
 * Made from the schema by search: a request is changed until evaluation (policy_run.h) fails at the place
 * that the warning is about, or compares there what is never equal; then all is taken off that is not needed
 * for that. The search is the same each time, and bounded.
 *
 *     struct witness *w = witness_new(env, &policy);
 *     struct witness_found found;
 *     if (witness_find(w, expression, &issue, &found)) ... found.object, found.error
 *     witness_free(w);
 */
#ifndef TYPECHECK_WITNESS_WITNESS_H
#define TYPECHECK_WITNESS_WITNESS_H

#include "typecheck/typecheck.h"

/* How many requests are tried for one issue. After that many, the issue has no witness. */
enum { WITNESS_MAX_TRIES = 400 };

/* JSON; empty: null. */
struct witness_found {
    const struct policy_request *kind; /* NULL: nothing is known of it */
    enum policy_operation operation;
    struct str object, old_object, params, request, namespace_object;
    bool is_allowed;            /* what the authorizer answers to whatever it is asked */
    bool is_without_conditions; /* one of the match conditions always fails: they are left out */
    struct str failure;         /* at the place; empty: the comparison is evaluated, to `result` */
    struct str error;           /* in which the expression ends, in the server's words */
    bool result;
    size_t tries;      /* how many requests were evaluated */
    struct str reason; /* why there is none */
};

struct witness;

/* Scope full. Borrows both until witness_free. NULL: there is no memory. */
struct witness *witness_new(const struct env *env, const struct typecheck_policy *policy);
void witness_free(struct witness *witness);

/* For an issue of an expression, an index into the policy's. False: found->reason says why there is none. All
 * texts belong to the witness, until the next call. */
bool witness_find(struct witness *witness, size_t expression, const struct typecheck_issue *issue,
                  struct witness_found *found);

#endif
