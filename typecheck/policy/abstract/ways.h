/*
 * ways: the kinds of request that can bring an object of a type, as far as a policy can distinguish them.
 *
 * A way is a request that the rules name, with one of its operations. If several
 * ways are the same in everything that the policy refers to, only one of them is
 * listed, since evaluation would find the same in each.
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_WAYS_H
#define TYPECHECK_POLICY_ABSTRACT_WAYS_H

#include <stddef.h>

#include "typecheck/policy/abstract/references.h"
#include "typecheck/policy/compile/policy.h"

struct way {
    const struct policy_request *request; /* the kind of request; NULL if nothing is known about it */
    enum policy_operation operation;
    bool is_created;   /* CREATE of the resource itself, and the policy reads fields that are absent there
                          (cleared.h) */
    bool is_validated; /* the API server validated the object, and what that means is known */
};

/* A kind of request: one that the rules name, with one of its operations. */
struct way_member {
    const struct policy_request *request;
    enum policy_operation operation;
    size_t way; /* the way that represents it */
};

struct reads;

struct ways {
    struct way *list;
    size_t count; /* at least one */
    struct way_member *members;
    size_t member_count;  /* 0: nothing is known about them */
    size_t request_count; /* of the kind */
    struct reads *reads;  /* where it is noted that a text names resources; NULL */
};

/* `references`: what the policy reads. `validated`: a sum of the operations after which an object of the
 * resource itself is_validated. The ways are in the order of the requests, and for each request in the order
 * of the enum of operations. The lists lie in the arena. */
void ways_init(struct ways *ways, struct arena *a, const struct policy_type *kind,
               const struct references *references, bool is_mutating, unsigned validated);

/* Describes the requests of the ways in `is_of` by what distinguishes them from the others: " on DELETE", "
 * for pods", " on UPDATE of pods/status". The text lies in `a`. */
struct str ways_text(const struct ways *ways, struct arena *a, const bool *is_of);

#endif
