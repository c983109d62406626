/*
 * witness: the smallest request that shows that a warning is true.
 *
 * It is made from the schema by a search: a request is changed until evaluation (policy_run.h) fails at the
 * place of the warning, or compares values there that are never equal. Then every part that is not needed is
 * removed. The search is deterministic and bounded: each issue has a limit of tries, and all issues of a
 * policy have a limit of work together.
 *
 *     struct witness *w = witness_new(env, &policy);
 *     uint64_t steps_left = WITNESS_STEPS;
 *     struct witness_found found;
 *     if (witness_find(w, expression, &issue, &steps_left, &found)) ... found.object, found.error
 *     witness_free(w);
 */
#ifndef TYPECHECK_POLICY_AUTHOR_WITNESS_WITNESS_H
#define TYPECHECK_POLICY_AUTHOR_WITNESS_WITNESS_H

#include "typecheck/typecheck.h"

/* Says how many requests of each operation are tried for one issue. After that many, the issue has no
 * witness. */
enum { WITNESS_MAX_TRIES = 400 };

/* The work for all issues of a policy, in steps of an arena: some half a second of CPU time. An evaluation
 * counts with its own steps and the memory that it fills. WITNESS_ANY_STEPS: with witness_find_any. */
#define WITNESS_STEPS     ((uint64_t)25 * 1000 * 1000)
#define WITNESS_ANY_STEPS ((uint64_t)20 * 1000 * 1000)

/* JSON; empty: null. */
struct witness_found {
    const struct policy_request *kind; /* the kind of request; NULL if nothing is known about it */
    enum policy_operation operation;
    struct str object, old_object, params, request, namespace_object;
    bool is_allowed;            /* the authorizer's answer to every question */
    bool is_without_conditions; /* the match conditions are not evaluated, since one always fails */
    struct str failure;         /* the failure at the place; empty: the comparison has the value `result` */
    bool ends_in_failure;       /* the failure's text is in `error` */
    struct str error;           /* the server's message about the expression */
    bool result;
    size_t tries;      /* how many requests were evaluated */
    bool is_limited;   /* the search ended because of the limit of work */
    struct str reason; /* why there is no witness */
};

struct witness;

/* Scope full. Borrows both until witness_free. Returns NULL if there is no memory. */
struct witness *witness_new(const struct env *env, const struct typecheck_policy *policy);
void witness_free(struct witness *witness);

/* Searches for a witness of an issue of the expression with that index in the policy. The work that it takes
 * is subtracted from *steps_left. If it returns false, found->reason says why there is none. All texts belong
 * to the witness, until the next call. */
bool witness_find(struct witness *witness, size_t expression, const struct typecheck_issue *issue,
                  uint64_t *steps_left, struct witness_found *found);
/* The same of a failure with the code of the issue, with less work: fewer tries, with all match conditions,
 * and nothing is removed from the request. */
bool witness_find_any(struct witness *witness, size_t expression, const struct typecheck_issue *issue,
                      uint64_t *steps_left, struct witness_found *found);

#endif
