/*
 * watch: observes whether the evaluation of a policy fails at one node, compares values there that are never
 * equal, or has a result there.
 *
 * An error is one value on its whole path to the root, so it arose at the first node that has it. An error
 * counts if the expression ends in it. An error of a variable counts if an expression that uses the variable
 * ends in it.
 *
 *     struct policy_run_observer observer = watch_begin(&w);
 *     request.observer = &observer;
 *     policy_run_evaluate(run, &request, &result);
 *     if (watch_answer(&w) == WATCH_SEEN) ...
 */
#ifndef TYPECHECK_POLICY_AUTHOR_WITNESS_WATCH_H
#define TYPECHECK_POLICY_AUTHOR_WITNESS_WATCH_H

#include "typecheck/cel/syntax/ast.h"
#include "typecheck/policy/run/policy_run.h"
#include "typecheck/policy/run/policy_run_observer.h"

struct arena;

enum { WATCH_ERRORS = 64 };

/* The event that a run must show at the node. */
enum watch_sort {
    WATCH_FAILURE,
    WATCH_UNEQUAL, /* a comparison of two values that are never equal, or a failure */
    WATCH_RESULT,  /* the node, or the first above it that has a bool as its value, is evaluated */
};

struct watch {
    struct policy_run_at at;
    const struct node *node; /* the node that is watched; NULL for any */
    enum watch_sort sort;
    struct str name; /* what an error of a mutation that cannot be applied must be about, set after
                        watch_init and borrowed; empty: any error counts */
    bool *is_site;   /* by node id: an error that arises there belongs to the node */
    size_t site_count;
    /* of the run */
    struct {
        const struct value *error;
        bool is_of_site;
    } errors[WATCH_ERRORS]; /* the last errors */
    size_t error_count;
    bool has_arisen;   /* there was such an error */
    bool has_failed;   /* the expression ended in one, or a mutation could not be applied */
    bool has_reached;  /* the node was evaluated */
    bool has_null;     /* an operand of the node is null, which says nothing of its type */
    bool has_compared; /* to `result`, without a null */
    bool result;
    struct str failure;   /* the text of the first such error */
    bool ends_in_failure; /* the expression ended in an error with that text, which `error` has, too */
    enum issue_code code; /* of that error; of a mutation that could not be applied: ISSUE_WRONG_MUTATION */
    struct str error;     /* the error in which the expression, or one that uses it, ended */
};

/* is_operand: the operation that takes the value of the node fails. */
void watch_init(struct watch *w, struct arena *a, struct policy_run_at at, const struct ast *ast,
                const struct node *node, bool is_operand, enum watch_sort sort);
enum watch_answer {
    WATCH_NOTHING,
    WATCH_ANOTHER, /* it fails there, but ends in another error */
    WATCH_SEEN,
};

/* Begins one run. */
struct policy_run_observer watch_begin(struct watch *w);
enum watch_answer watch_answer(const struct watch *w);

#endif
