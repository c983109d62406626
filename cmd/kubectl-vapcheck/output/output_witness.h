/*
 * output_witness: a request that shows that an issue of a warning is true: check --witness.
 */
#ifndef CMD_KUBECTL_VAPCHECK_OUTPUT_OUTPUT_WITNESS_H
#define CMD_KUBECTL_VAPCHECK_OUTPUT_OUTPUT_WITNESS_H

#include <stdbool.h>

struct check_issue; /* controller/findings/check.h */

/* Objects are JSON; NULL: null, or without influence on the result. */
struct output_witness {
    const struct check_issue *issue;
    const char *operation;
    char *resource; /* "UPDATE", "apps/v1 deployments/scale" */
    char *object, *old_object, *params, *request, *namespace_object;
    bool asks_authorizer, is_allowed; /* the expression asks the authorizer, and every answer is is_allowed */
    bool is_without_conditions;       /* the match conditions are not evaluated, since one always fails */
    char *failure;                    /* at the place; NULL: the comparison is `result` */
    bool ends_in_failure;             /* the failure's text is in `error` */
    char *error;                      /* the server's error for the expression; NULL: it does not fail */
    bool is_of_message;               /* of a messageExpression: the server uses another message instead */
    bool result;
    char *reason; /* why there is no witness; NULL: there is one */
};

#endif
