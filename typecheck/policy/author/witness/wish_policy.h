/*
 * wish_policy: the policy, in the form that the search for a witness uses: its expressions as syntax trees,
 * and the texts that they contain.
 */
#ifndef TYPECHECK_POLICY_AUTHOR_WITNESS_WISH_POLICY_H
#define TYPECHECK_POLICY_AUTHOR_WITNESS_WISH_POLICY_H

#include <stddef.h>

#include "typecheck/base/str.h"
#include "typecheck/policy/compile/policy.h"

struct wish_policy {
    const struct policy_tree *expressions; /* a message follows its validation */
    size_t count;
    const struct str *texts; /* the string literals of all expressions, each once */
    size_t text_count;
};

#endif
