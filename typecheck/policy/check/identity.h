/*
 * identity: the size of tables of types by identity (struct policy_type).
 */
#ifndef TYPECHECK_POLICY_CHECK_IDENTITY_H
#define TYPECHECK_POLICY_CHECK_IDENTITY_H

#include <stddef.h>

/* Returns the length of a table for these identities, with room for types that come. */
static inline size_t identity_room(size_t most)
{
    return most + most / 4 + 16;
}

#endif
