/*
 * ways: the kinds of request that can bring an object of a type, as far as a policy can distinguish them.
 *
 * A way is a request that the rules name, with one of its operations. If several
 * ways are the same in everything that the policy refers to, only one of them is
 * listed, since evaluation would find the same in each.
 */
#ifndef TYPECHECK_EVAL_WAYS_H
#define TYPECHECK_EVAL_WAYS_H

#include <stddef.h>

#include "typecheck/eval/references.h"
#include "typecheck/policy.h"

struct way {
    const struct policy_request *request; /* NULL: nothing is known of it */
    enum policy_operation operation;
    bool is_created; /* the resource itself, and the policy reads what only that lacks (cleared.h) */
};

/* A kind of request: one that the rules name, with one of its operations. */
struct way_member {
    const struct policy_request *request;
    enum policy_operation operation;
    size_t way; /* that stands for it */
};

struct ways {
    struct way *list;
    size_t count; /* at least one */
    struct way_member *members;
    size_t member_count; /* 0: nothing is known of them */
};

/* `references` says what the policy refers to. In the order of the requests, each with its operations in that
 * of the enum. The lists lie in the arena. */
void ways_init(struct ways *ways, struct arena *a, const struct policy_type *kind,
               const struct references *references, bool is_mutating);

/* What the requests of the ways that `is_of` marks have and the others have not: " on DELETE", " for pods",
 * " on UPDATE of pods/status". In `a`. */
struct str ways_text(const struct ways *ways, struct arena *a, const bool *is_of);

#endif
