/*
 * policy_run_observer: callbacks that see the evaluation of a policy, node by node.
 */
#ifndef TYPECHECK_POLICY_RUN_OBSERVER_H
#define TYPECHECK_POLICY_RUN_OBSERVER_H

#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"
#include "typecheck/policy.h"

struct value; /* typecheck/values/value.h */

/* Which expression of a policy: the one with that index of those in such places. */
struct policy_run_at {
    enum policy_place place; /* a message has the index of its validation */
    size_t index;
};

/* Who watches an evaluation. Values lie in the result's arena. */
struct policy_run_observer {
    /* What a node of the expression's syntax tree was evaluated to. */
    void (*see)(void *user, struct policy_run_at at, uint32_t node, const struct value *value);
    /* The expression ended. value: as in struct run_result; error: in the server's words, empty: none. Of a
     * mutation that is then not applied once more: with the value, and the error. */
    void (*end)(void *user, struct policy_run_at at, const struct value *value, struct str error);
    void *user;
};

#endif
