/*
 * typeset: the types that rules match, with their schemas and the requests that
 * bring them, in the form that the type checker takes.
 *
 * There are two steps, because documents must be read between them:
 * typeset_init resolves the rules, typeset_find looks for each type's schema.
 * Types without one become problems of the list. No I/O, no clock; the rules,
 * the discovery and, after typeset_find, the documents must outlive it.
 *
 *     typeset_init(&set, &policy->match, discovery, &options);
 *     ... read the documents of set.list.targets ...
 *     typeset_find(&set, &documents);
 *     policy.types = set.types;
 *     typeset_deinit(&set);
 */
#ifndef CONTROLLER_MATCH_TYPESET_H
#define CONTROLLER_MATCH_TYPESET_H

#include <stdbool.h>
#include <stddef.h>

#include "client/discovery/openapi_state.h"
#include "controller/match/identities.h"
#include "controller/match/types.h"
#include "typecheck/typecheck.h"

/* The document of a path such as "apis/apps/v1": a `struct schema`, or NULL; *state says why. */
typedef const struct schema *typeset_lookup(void *user, const char *path, enum openapi_state *state);

/* The source of schemas. */
struct typeset_documents {
    typeset_lookup *lookup;
    void *user;
    struct schema **connect; /* the schema of CONNECT's objects, which no cluster publishes: made when a type
                                needs it; the caller frees it; NULL: they have no schema */
    struct identities *identities; /* the numbers that alike types share; NULL if types have none */
};

struct typeset {
    struct types_list list;
    size_t *sources; /* indices of targets; the schema of any other one has its source where the one of the
                        target before it has */
    size_t n_sources;
    /* after typeset_find: */
    bool is_found;
    struct types_target *checked; /* those with a schema, in the order of the list */
    size_t n_checked;
    struct policy_type *types; /* the same, for the type checker */
    uint32_t most_identity;    /* the largest identity of these; 0: none has one */
    struct policy_request *requests;
    const char **missing; /* groups of kinds that are served and have no schema; may repeat */
    size_t n_missing;
};

void typeset_init(struct typeset *set, const struct matchrules *match, const struct discovery *discovery,
                  const struct types_options *options);
void typeset_deinit(struct typeset *set);

/* Finds the schemas; a second call does nothing. `never`: operations (enum policy_operation) that do not
 * reach the policy. */
void typeset_find(struct typeset *set, const struct typeset_documents *documents, unsigned never);

/* Finds one kind in the document of a group-version; node is NULL if there is no schema. *state is UNKNOWN if
 * the document could not be read, TOO_LARGE if it is above a limit. */
struct policy_type typeset_find_kind(const struct typeset_documents *documents,
                                     const struct types_target *target, enum openapi_state *state);

#endif
