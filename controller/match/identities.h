/*
 * identities: a small number for each type that differs from all others in what a check can read of it.
 *
 * When a definition changes, the types of a policy of `*` are listed again, and documents are read again; the
 * numbers say which of the types are still what they were (typecheck_kept). A type is its names, its requests
 * and the digest of its schema. Pure.
 *
 *     struct identities identities = {0};
 *     type.identity = identities_number(&identities, &type);
 *     identities_deinit(&identities);
 */
#ifndef CONTROLLER_MATCH_IDENTITIES_H
#define CONTROLLER_MATCH_IDENTITIES_H

#include <stdint.h>

#include "client/base/keymap.h"
#include "typecheck/typecheck.h"

/* All zero is empty. */
struct identities {
    struct keymap numbers; /* of digests; the value is the number */
};

void identities_deinit(struct identities *identities);

/* Returns the number of the type, a new one if it was not seen before; 0 if the digest of its schema is not
 * known. */
uint32_t identities_number(struct identities *identities, const struct policy_type *type);

#endif
