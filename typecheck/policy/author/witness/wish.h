/*
 * wish: changes a request so that the evaluation of a policy may reach one of its nodes.
 *
 * It goes from the node up to the root. For each operator on this path it finds a condition under which
 * evaluation reaches the node: the other side of && must be true, the range of a macro must have an item, a
 * value that a guard compares with a constant must be that constant. Each such wish changes the samples of
 * the probe. Wishes may contradict each other, and a choice (choices.h) decides between several ways to
 * fulfil one. Only evaluation shows whether the node is reached.
 */
#ifndef TYPECHECK_POLICY_AUTHOR_WITNESS_WISH_H
#define TYPECHECK_POLICY_AUTHOR_WITNESS_WISH_H

#include "typecheck/cel/syntax/ast.h"
#include "typecheck/policy/author/witness/choices.h"
#include "typecheck/policy/author/witness/probe.h"
#include "typecheck/policy/author/witness/wish_policy.h"

/* A node of an expression; is_operand: it must have a value. */
struct wish_target {
    size_t expression;
    const struct node *node;
    bool is_operand;
};

void wish_reach(struct probe *probe, struct arena *a, const struct wish_policy *policy,
                const struct wish_target *target, struct choices *choices);

/* Lets the operand to which the wishes lead be a string, if it is an integer or a string: a choice of its
 * own, the last one, so that it is tried before others. */
void wish_another_kind(struct probe *probe, struct choices *choices);

#endif
