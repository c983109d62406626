/*
 * ways: the ways in which a type comes to admission, as far as a policy can tell them apart.
 *
 * Each is a request that the rules name and one of its operations. Of those
 * that are the same in all that the policy refers to only one is listed:
 * evaluation would find the same in each.
 */
#ifndef TYPECHECK_EVAL_WAYS_H
#define TYPECHECK_EVAL_WAYS_H

#include <stddef.h>

#include "typecheck/eval/references.h"
#include "typecheck/policy.h"

struct way {
    const struct policy_request *request; /* NULL: nothing is known of it */
    enum policy_operation operation;
};

struct ways {
    struct way *list;
    size_t count; /* at least one */
};

/* In the order of the requests, each with its operations in that of the enum. The list lies in the arena. */
void ways_init(struct ways *ways, struct arena *a, const struct policy_type *kind,
               const struct references *references);

#endif
