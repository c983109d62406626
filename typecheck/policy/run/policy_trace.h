/*
 * policy_trace: records the values of the parts of a policy's expressions, and the branches that were never
 * evaluated.
 *
 * It observes the evaluations of one policy. After each evaluation, the parts of an expression that decide
 * its value can be read (selections, comparisons, calls), with their last values; in a loop, those of the
 * last turn. After all evaluations, the branches that none reached can be read: operands of && and ||, and
 * the two results of the conditional operator.
 *
 *     struct policy_trace *trace = policy_trace_new(run);
 *     request.observer = policy_trace_begin(trace);
 *     policy_run_evaluate(run, &request, &result);
 *     policy_trace_values(trace, at, &values);      // before policy_run_result_deinit
 *     policy_trace_values_deinit(&values);
 */
#ifndef TYPECHECK_POLICY_RUN_POLICY_TRACE_H
#define TYPECHECK_POLICY_RUN_POLICY_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/arena.h"
#include "typecheck/base/str.h"
#include "typecheck/policy/run/policy_run_observer.h"

struct policy_run;
struct policy_trace;

/* The limit for one expression. */
enum { POLICY_TRACE_VALUES = 16 };

/* A part of an expression. */
struct policy_trace_value {
    struct str part; /* its text in the expression */
    struct str text; /* the value as a literal of CEL, not cut; or the error */
    bool is_error;
};

struct policy_trace_values {
    struct policy_trace_value items[POLICY_TRACE_VALUES];
    size_t count, omitted; /* omitted: how many did not fit */
    struct arena arena;    /* holds the texts of values */
};

struct policy_trace_branch {
    struct policy_run_at at;
    struct str part;   /* its text in the expression */
    struct str before; /* the text before it */
};

struct policy_trace_branches {
    struct policy_trace_branch *items; /* branches that no request reached, in expressions that one reached */
    size_t count, cap, reached;        /* reached: the number of branches that were reached */
    struct arena arena;
};

/* Borrows the run, which must outlive it. Returns NULL if there is no memory. */
struct policy_trace *policy_trace_new(const struct policy_run *run);
void policy_trace_free(struct policy_trace *trace);

/* The observer of the next request; the values of the previous request are forgotten. */
const struct policy_run_observer *policy_trace_begin(struct policy_trace *trace);

/* The values of the last request, whose result must still exist, in the order of the tree, without the value
 * of the expression itself. The caller deinits them. */
void policy_trace_values(const struct policy_trace *trace, struct policy_run_at at,
                         struct policy_trace_values *out);
void policy_trace_values_deinit(struct policy_trace_values *values);

/* The unreached branches of all requests. The caller deinits them. */
void policy_trace_branches(const struct policy_trace *trace, struct policy_trace_branches *out);
void policy_trace_branches_deinit(struct policy_trace_branches *branches);

#endif
