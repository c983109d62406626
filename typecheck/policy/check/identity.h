/*
 * identity: the size of tables of types by identity (struct policy_type).
 */
#ifndef TYPECHECK_POLICY_CHECK_IDENTITY_H
#define TYPECHECK_POLICY_CHECK_IDENTITY_H

#include <stddef.h>

#include "typecheck/typecheck_policy.h"

/* Returns the largest identity of the policy's types; 0 if no type has one. */
static inline size_t identity_most(const struct typecheck_policy *policy)
{
    size_t most = 0;
    for (size_t i = 0; i < policy->type_count; i++)
        most = policy->types[i].identity > most ? policy->types[i].identity : most;
    return most;
}

/* Returns the length of a table for these identities, with room for types that come. */
static inline size_t identity_room(size_t most)
{
    return most + most / 4 + 16;
}

#endif
