/*
 * witnesses: the requests that show that warnings are true: check --witness.
 */
#ifndef CMD_KUBECTL_VAPCHECK_CHECK_WITNESSES_H
#define CMD_KUBECTL_VAPCHECK_CHECK_WITNESSES_H

#include "cmd/kubectl-vapcheck/input/schemas.h"
#include "cmd/kubectl-vapcheck/output/output.h"
#include "cmd/kubectl-vapcheck/output/output_witness.h"

struct witnesses {
    struct output_witness *items;
    size_t count;
};

/*
 * Finds a witness for each issue of each warning. check: a finished check of the policy; warnings: those of
 * its result. The witnesses borrow the check's result and belong to the list.
 */
void witnesses_find(struct witnesses *out, struct check *check, const struct policyview *policy,
                    struct schemas *schemas, struct output_warning *warnings);
/* The answer to the question if an advice is true. If the advice names a failure, a request must make the
 * expression end in it. */
enum witnesses_proof {
    WITNESSES_UNPROVED, /* no request was found, or the advice is not selected */
    WITNESSES_PROVED,
    WITNESSES_TOO_MUCH_WORK, /* the search reached a limit */
};
/* Proves advice of the check's result, one answer for each. In a chain of advice only the first that is true
 * is proved. examples, of the same length: the request on which it bites, in one line; NULL if there is none.
 * The caller frees the list, and the examples. */
enum witnesses_proof *witnesses_prove(struct check *check, struct schemas *schemas,
                                      const struct finding_set *selected, char **examples);
void witnesses_deinit(struct witnesses *list);

#endif
