/*
 * hints_search: searches for a correction of an expression that has one mistake or several.
 *
 * A trial says how bad an expression is. The search ends with the first
 * expression that is good. Else it continues from the best expression so far.
 */
#ifndef CMD_KUBECTL_VAPCHECK_HINTS_HINTS_SEARCH_H
#define CMD_KUBECTL_VAPCHECK_HINTS_HINTS_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/compile_problem.h"
#include "typecheck/repair/repair.h"

/* How bad an expression is; the smaller the better. */
enum {
    HINTS_GOOD = 0,
    HINTS_REFUSED = 1000 * 1000,        /* it does not compile; the number of its issues is added */
    HINTS_SYNTAX = 2 * 1000 * 1000,     /* it does not even parse */
    HINTS_UNKNOWN = 1000 * 1000 * 1000, /* the trial did not end */
};

struct hints_search {
    /* How bad the text is in place of the expression. Subtracts the steps that it spends from *left. */
    unsigned (*try)(void *user, struct str text, uint64_t *left);
    /* Whether the last trial, of a text that is accepted but not good, said something of a byte of the text
     * from start to before end. NULL: only a good text counts. */
    bool (*is_said_at)(void *user, size_t start, size_t end);
    void *user;
    const struct env *env;
    struct repair_scope scope;
};

/* The hint; NULL if none is certain. The caller frees it. A text that is accepted after a name in it was
 * replaced counts as well, if the messages about it are about other places. */
char *hints_search_run(const struct hints_search *s, struct str text, uint64_t *left);

/* How bad the text is if the compiler says this of it. For a text that does not parse: how much of it follows
 * the first issue. */
unsigned hints_search_rank(const struct compile_problem *problem, struct str text);

#endif
