/*
 * advice_list: the advice found so far about a policy (advice.h), and what is known of its expressions.
 */
#ifndef TYPECHECK_POLICY_AUTHOR_ADVICE_ADVICE_LIST_H
#define TYPECHECK_POLICY_AUTHOR_ADVICE_ADVICE_LIST_H

#include "typecheck/base/issue_code.h"
#include "typecheck/cel/syntax/ast.h"
#include "typecheck/cel/syntax/extent.h"
#include "typecheck/policy/author/advice/advice_sort.h"
#include "typecheck/policy/author/advice/correction.h"
#include "typecheck/policy/compile/policy.h"

struct type;

struct advice_item {
    enum advice_sort sort;
    size_t expression;
    uint32_t node; /* its id; 0: the whole expression */
    struct extent at;
    struct str message;
    bool fails;                  /* a request makes the evaluation end in an error at the node */
    enum issue_code failure;     /* which one */
    bool is_operand;             /* of what takes the value of the node */
    size_t type;                 /* for an object of that type, the first one */
    struct str hint;             /* what to write instead; empty: it has none */
    struct str correction;       /* the corrected expression; empty: it is not known */
    struct correction_read read; /* of ADVICE_OPTIONAL_FIELD */
    uint32_t chain; /* the same for those of one chain of selections: one of them is enough. 0: it is alone */
    size_t previous; /* 1 + the index of the previous item of the expression; 0: none */
};

struct advice {
    struct arena *arena;
    const struct policy_expression *expressions;
    const struct ast *const *asts; /* by expression; NULL: it could not be parsed */
    size_t expression_count;
    struct advice_guards *guards; /* guards.h */
    struct advice_item *items;
    size_t count, cap;
    const struct type **variables; /* by expression: what a variable is for the type `variables_type` */
    size_t variables_type;
    size_t *last; /* by expression: 1 + the index of its last item; 0: none */
};

/* Adds an item; NULL if there is one at that place already. The caller sets the message. */
struct advice_item *advice_list_add(struct advice *advice, enum advice_sort sort, size_t expression,
                                    const struct node *at);

#endif
