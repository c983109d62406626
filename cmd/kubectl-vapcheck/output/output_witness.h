/*
 * output_witness: a request that shows that an issue of a warning is true: check --witness.
 */
#ifndef CMD_KUBECTL_VAPCHECK_OUTPUT_OUTPUT_WITNESS_H
#define CMD_KUBECTL_VAPCHECK_OUTPUT_OUTPUT_WITNESS_H

#include <stdbool.h>

struct check_issue; /* controller/check/check.h */

/* Objects are JSON; NULL: null, or not of interest. */
struct output_witness {
    const struct check_issue *issue;
    const char *operation;
    char *resource; /* "UPDATE", "apps/v1 deployments/scale" */
    char *object, *old_object, *params, *request, *namespace_object;
    bool asks_authorizer, is_allowed; /* which answers that to everything */
    bool is_without_conditions;       /* the match conditions are left out: one always fails */
    char *failure;                    /* at the place; NULL: the comparison is `result` */
    char *error;                      /* the server's, of the expression; NULL: it does not fail */
    bool result;
    char *reason; /* why there is none; NULL: there is */
};

#endif
