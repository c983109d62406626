/*
 * advice_list: the advice found so far about a policy (advice.h), and what is known of its expressions.
 */
#ifndef TYPECHECK_ADVICE_ADVICE_LIST_H
#define TYPECHECK_ADVICE_ADVICE_LIST_H

#include "typecheck/advice/advice_sort.h"
#include "typecheck/policy.h"
#include "typecheck/syntax/ast.h"

struct advice_item {
    enum advice_sort sort;
    size_t expression;
    uint32_t node; /* its id; 0: the whole expression */
    uint32_t offset;
    struct str message;
    struct str failure; /* the error in which evaluation ends at the node; empty: none */
    size_t type;        /* for an object of that type, the first one */
    size_t previous;    /* 1 + the index of the previous item of the expression; 0: none */
};

struct advice {
    struct arena *arena;
    const struct policy_expression *expressions;
    const struct ast *const *asts; /* by expression; NULL: it could not be parsed */
    size_t expression_count;
    struct advice_guards *guards; /* guards.h */
    struct advice_item *items;
    size_t count, cap;
    size_t *last; /* by expression: 1 + the index of its last item; 0: none */
};

/* Adds an item; NULL: there is one at that place already. The caller sets the message. */
struct advice_item *advice_list_add(struct advice *advice, enum advice_sort sort, size_t expression,
                                    const struct node *at);

#endif
