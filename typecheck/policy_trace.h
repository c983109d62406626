/*
 * policy_trace: what the parts of a policy's expressions were evaluated to, and which of them never were.
 *
 * It watches the evaluations of one policy. After each, the parts of an expression that decide its value can
 * be read: selections, comparisons, calls, with the values that they had last; of a loop, in its last turn.
 * After all of them, the branches that no evaluation reached: operands of && and ||, and of the conditional
 * operator the two results.
 *
 *     struct policy_trace *trace = policy_trace_new(run);
 *     request.observer = policy_trace_begin(trace);
 *     policy_run_evaluate(run, &request, &result);
 *     policy_trace_values(trace, at, &values);      // before policy_run_result_deinit
 *     policy_trace_values_deinit(&values);
 */
#ifndef TYPECHECK_POLICY_TRACE_H
#define TYPECHECK_POLICY_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/arena.h"
#include "typecheck/base/str.h"
#include "typecheck/policy_run_observer.h"

struct policy_run;
struct policy_trace;

/* Of one expression. */
enum { POLICY_TRACE_VALUES = 16 };

/* A part of an expression. */
struct policy_trace_value {
    struct str part; /* of the expression's text */
    struct str text; /* the value as a literal of CEL, however long; or the error */
    bool is_error;
};

struct policy_trace_values {
    struct policy_trace_value items[POLICY_TRACE_VALUES];
    size_t count, omitted; /* omitted: more than fit */
    struct arena arena;    /* holds the texts of values */
};

struct policy_trace_branch {
    struct policy_run_at at;
    struct str part;   /* of the expression's text */
    struct str before; /* the text before it */
};

struct policy_trace_branches {
    struct policy_trace_branch *items; /* those that no request reached, and whose expression one did */
    size_t count, cap, reached;        /* reached: how many others there are */
    struct arena arena;
};

/* Borrows the run, which must outlive it. NULL: there is no memory. */
struct policy_trace *policy_trace_new(const struct policy_run *run);
void policy_trace_free(struct policy_trace *trace);

/* The observer of the next request; what the one before it was evaluated to is forgotten. */
const struct policy_run_observer *policy_trace_begin(struct policy_trace *trace);

/* Of the last request, whose result is still there. In the order of the tree; the expression itself is not
 * among them. The values are the caller's, to deinit. */
void policy_trace_values(const struct policy_trace *trace, struct policy_run_at at,
                         struct policy_trace_values *out);
void policy_trace_values_deinit(struct policy_trace_values *values);

/* Of all requests. The caller's, to deinit. */
void policy_trace_branches(const struct policy_trace *trace, struct policy_trace_branches *out);
void policy_trace_branches_deinit(struct policy_trace_branches *branches);

#endif
