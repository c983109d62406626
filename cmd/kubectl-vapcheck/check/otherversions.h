/*
 * otherversions: finds claims of a check (claims.h) that are not true with another version of Kubernetes.
 *
 * A policy may be written for several versions: `has(object.spec.newField)` is always false where the field
 * is not known yet. Such a claim is a note. The versions are those that the program knows; where one does not
 * serve what the rules match, it says nothing. Their schemas are opened only for a claim of which they may
 * say otherwise: a misspelt field is in none of them.
 *
 *     struct otherversions o = {.crds = crds, .minor = schemas_minor(schemas)};
 *     otherversions_find(&o, policy, &types, result);
 *     const struct check_note *note = otherversions_note(&o, expression, issue);
 *     otherversions_deinit(&o);
 */
#ifndef CMD_KUBECTL_VAPCHECK_CHECK_OTHERVERSIONS_H
#define CMD_KUBECTL_VAPCHECK_CHECK_OTHERVERSIONS_H

#include "cmd/kubectl-vapcheck/input/schemas.h"
#include "controller/findings/check.h"

/* Says how many versions a program can know. */
enum { OTHERVERSIONS_MAX = 32 };

struct otherversions {
    const struct crds *crds;        /* that the cluster has besides */
    int minor;                      /* of the version that the check is for: it is no other one */
    bool (*is_stopped)(void *user); /* the answer is no longer needed; may be NULL */
    void *user;
    /* The bundles that are open, by index; NULL: not needed yet, or not readable. */
    struct schemas *schemas[OTHERVERSIONS_MAX];
    struct check_note *notes; /* of the last policy */
    size_t n_notes;
};

/* Finds the claims of the result that are notes. The result is that of a check of the policy with `types`. */
void otherversions_find(struct otherversions *o, const struct policyview *policy,
                        const struct types_options *types, const struct check_result *result);
/* Returns true if the issue of the expression is one of them. */
bool otherversions_has(const struct otherversions *o, size_t expression, const struct check_issue *issue);
void otherversions_deinit(struct otherversions *o);

#endif
