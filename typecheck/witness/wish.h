/*
 * wish: changes a request so that the evaluation of a policy may reach one of its nodes.
 *
 * Goes from the node up to the root, and asks of each operator on the way what lets evaluation come down: the
 * other side of && is to be true, the range of a macro is to have an item, what a guard compares with a
 * constant is to be that constant. Each such wish changes the samples of the probe. Wishes may contradict
 * each other, and where there are several ways to fulfil one, a choice says which: whether the node is
 * reached only evaluation shows.
 */
#ifndef TYPECHECK_WITNESS_WISH_H
#define TYPECHECK_WITNESS_WISH_H

#include "typecheck/syntax/ast.h"
#include "typecheck/witness/choices.h"
#include "typecheck/witness/probe.h"
#include "typecheck/witness/wish_policy.h"

/* A node of an expression; is_operand: it is to have a value. */
struct wish_target {
    size_t expression;
    const struct node *node;
    bool is_operand;
};

void wish_reach(struct probe *probe, struct arena *a, const struct wish_policy *policy,
                const struct wish_target *target, struct choices *choices);

#endif
