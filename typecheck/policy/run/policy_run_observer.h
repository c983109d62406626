/*
 * policy_run_observer: callbacks that see the evaluation of a policy, node by node.
 */
#ifndef TYPECHECK_POLICY_RUN_POLICY_RUN_OBSERVER_H
#define TYPECHECK_POLICY_RUN_POLICY_RUN_OBSERVER_H

#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/error_names.h"
#include "typecheck/base/str.h"
#include "typecheck/policy/compile/policy.h"

struct value; /* typecheck/cel/interpreter/values/value.h */

/* An expression of a policy: its place, and its index among those of this place. */
struct policy_run_at {
    enum policy_place place; /* a message has the index of its validation */
    size_t index;
};

/* The callbacks. Values lie in the result's arena. */
struct policy_run_observer {
    /* The value of a node of the expression's syntax tree. */
    void (*see)(void *user, struct policy_run_at at, uint32_t node, const struct value *value);
    /* The expression has ended. value: as in struct run_result; error: the server's message, empty: none. */
    void (*end)(void *user, struct policy_run_at at, const struct value *value, struct str error);
    /* The mutation has ended, and its value cannot be applied; names: of the error. */
    void (*unapplied)(void *user, struct policy_run_at at, struct str error, const struct error_names *names);
    void *user;
};

#endif
