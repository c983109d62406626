/*
 * hints_search: searches for a correction of an expression that has one mistake or several.
 *
 * Each round tries what repair.h makes of the expression, and keeps the best
 * text: one that is accepted where the one before was refused, or about which
 * less is said. A change counts only if nothing is said at its place. If exactly
 * one text is the best in each round, the changes are a fix; else they are
 * suggestions, of which the first is taken.
 */
#ifndef CONTROLLER_HINTS_HINTS_SEARCH_H
#define CONTROLLER_HINTS_HINTS_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "controller/hints/hints_edits.h"
#include "typecheck/author.h"
#include "typecheck/compile.h"

/* Says how bad an expression is; the smaller the better. */
enum {
    HINTS_GOOD = 0,
    HINTS_REFUSED = 1000 * 1000,        /* it does not compile; the number of its issues is added */
    HINTS_SYNTAX = 2 * 1000 * 1000,     /* it does not even parse */
    HINTS_UNKNOWN = 1000 * 1000 * 1000, /* the trial did not end */
};

/* The result of trying a text as the expression. */
struct hints_trial {
    const struct repair *candidate; /* the changes that made the text, given by the search; NULL: none did */
    unsigned rank;
    bool is_constant; /* it is accepted, nothing is said of it, and it always has the same truth */
    struct repair_issue *issues;
    char **texts; /* by issue: where its texts lie */
    size_t n_issues;
};

/* Adds an issue, whose texts are copied. */
void hints_trial_add(struct hints_trial *trial, const struct repair_issue *issue);
/* Sets the rank, and adds the issues, of what the compiler says of the text. */
void hints_trial_refuse(struct hints_trial *trial, const struct compile_problem *problem, struct str text);

/* Returns true if the issue is at a place that the candidate changes: then nothing else that is said of the
 * text counts, and its trial may end as HINTS_UNKNOWN. */
bool hints_trial_is_lost(const struct repair *candidate, const struct repair_issue *issue);

struct hints_search {
    /* Tries the text in place of the expression, and subtracts the steps that it spends from *left. Returns
     * true if it has not ended after about `steps`: it continues when it is called again with the same
     * text. */
    bool (*try)(void *user, struct str text, uint64_t *left, uint64_t steps, struct hints_trial *trial);
    void *user;
    const struct env *env;
    struct repair_scope scope; /* without issues */
};

/* A correction of one mistake, which may stand at several places. */
struct hint_round {
    char *text;
    bool is_question; /* REPAIR_QUESTION, what may have been meant, and "?" */
};

/* A correction of one expression. */
struct hint {
    char *text;  /* "did you mean 'startsWith'?" */
    bool is_fix; /* the edits are proved, and nothing else is */
    struct hints_edits edits;
    struct hint_round *rounds; /* by round of the edits */
    size_t n_rounds;
    bool has_words; /* the text says something besides the edits */
    size_t n_sure;  /* rounds before the first that lets requests pass, which the author may not mean */
};

/* Begins a search, which pays from *left. Text, environment and scope must outlive it. */
struct hints_search_run *hints_search_start(const struct hints_search *search, struct str text,
                                            uint64_t *left);
/* Does about `steps` of work. Returns true if there is more to do. */
bool hints_search_step(struct hints_search_run *s, uint64_t steps);
/* Ends the search, and returns its hint, which the caller frees with hint_free; NULL if nothing helps. */
struct hint *hints_search_end(struct hints_search_run *s);
/* Stops a search, which may be NULL, and frees it. */
void hints_search_drop(struct hints_search_run *s);
/* Does all steps at once. */
struct hint *hints_search_whole(const struct hints_search *search, struct str text, uint64_t *left);
void hint_free(void *hint);

#endif
