/*
 * reach: changes a request so that the evaluation of a policy may reach one of its nodes.
 *
 * It goes from the root down to the node. For each operator on this path it finds a condition under which
 * evaluation reaches the node: the other side of && must be true, the range of a macro must have an item, a
 * value that a guard compares with a constant must be that constant. Each of these is a wish (wish.h).
 */
#ifndef TYPECHECK_POLICY_AUTHOR_WITNESS_REACH_H
#define TYPECHECK_POLICY_AUTHOR_WITNESS_REACH_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/cel/syntax/ast.h"
#include "typecheck/policy/author/witness/choices.h"
#include "typecheck/policy/author/witness/probe.h"
#include "typecheck/policy/author/witness/wish.h"

/* A node of an expression; is_operand: it must have a value. */
struct reach_target {
    size_t expression;
    const struct node *node;
    bool is_operand;
};

void reach_node(struct probe *probe, struct arena *a, const struct wish_policy *policy,
                const struct reach_target *target, struct choices *choices);

/* Lets the operand to which the wishes lead be a string, if it is an integer or a string: a choice of its
 * own, the last one, so that it is tried before others. */
void reach_another_kind(struct probe *probe, struct choices *choices);

#endif
