/*
 * typesets: the types of rules that many policies have, found once.
 *
 * Two hundred policies of `*` match the same thousands of types. A caller that checks many policies
 * against the same discovery and documents keeps their types here. Rules without `*` are not kept, and no
 * rules are kept once there are many.
 *
 *     struct typesets sets = {0};
 *     struct typeset *set = typesets_get(&sets, &policy->match, discovery, &options);
 *     ... NULL: make one ...
 *     typesets_deinit(&sets);
 */
#ifndef CONTROLLER_MATCH_TYPESETS_H
#define CONTROLLER_MATCH_TYPESETS_H

#include "client/base/keymap.h"
#include "controller/match/typeset.h"

/* All sets together have about this many types. */
enum { TYPESETS_MAX = 200 * 1000 };

/* All zero is empty. */
struct typesets {
    const struct discovery *discovery; /* of the first set, and of all others */
    struct keymap sets;                /* struct typeset, by what they are made of */
    struct schema *connect;            /* what CONNECT brings (typeset.h), once a set needs it */
    struct identities *identities;     /* of all types, borrowed; NULL: they have none */
    struct typecheck_answers *answers; /* of these identities, borrowed; NULL: there are none */
    size_t n_types;
};

/* After the checks that use them; before the discovery and the documents are freed. */
void typesets_deinit(struct typesets *sets);

/* The set of these rules for policies of the kind, which belongs to `sets`; NULL if it is not kept here. Each
 * set is to be found in the same documents (typeset_find). */
struct typeset *typesets_get(struct typesets *sets, const struct policyview *policy,
                             const struct discovery *discovery, const struct types_options *options);

#endif
