/*
 * saying: describes the mistakes of an expression, in words for people.
 *
 * The words are made from the subject of an issue, as data, and never from the server's message; if only that
 * message is known, it is used as it is.
 *
 *     no field 'replicas' in Deployment, StatefulSet (apps/v1)
 */
#ifndef CMD_KUBECTL_VAPCHECK_OUTPUT_SAYING_H
#define CMD_KUBECTL_VAPCHECK_OUTPUT_SAYING_H

#include <stdbool.h>
#include <stddef.h>

#include "controller/findings/check.h"

/* An issue, with its expression and the types that have it. */
struct saying {
    enum issue_code code;
    const char *message; /* the server's */
    const struct issue_packed *about;
    struct extent at;
    struct str expression; /* empty: it is not known */
    bool is_claim, is_unequal;
    const struct types_target *const *types;
    size_t n_types;
    size_t n_checked; /* types that the expression was checked for; it says which, if it is not true of all */
    bool has_all_types; /* all are named */
};

/* One line. The caller frees it. */
char *saying_of(const struct saying *s);
/* The consequence, in one line: "every request that gets here fails: no such key: replicas"; NULL if it is
 * not certain, or the first line says it. The caller frees it. */
char *saying_why(const struct saying *s);
#endif
