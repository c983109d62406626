/*
 * advice: parts of a policy's expressions that are not certainly wrong, but probably not what the author
 * meant.
 *
 * It reads the syntax trees only: it evaluates nothing and knows no types.
 *
 *     struct advice advice;
 *     advice_init(&advice, arena, expressions, asts, count);
 *     advice_find(&advice);
 *     for (size_t i = 0; i < advice.count; i++) report(&advice.items[i]);
 */
#ifndef TYPECHECK_ADVICE_ADVICE_H
#define TYPECHECK_ADVICE_ADVICE_H

#include "typecheck/advice/advice_sort.h"
#include "typecheck/policy.h"
#include "typecheck/syntax/ast.h"

struct advice_item {
    enum advice_sort sort;
    size_t expression;
    uint32_t offset;
    struct str message;
};

struct advice {
    struct arena *arena;
    const struct policy_expression *expressions;
    const struct ast *const *asts; /* by expression; NULL: it could not be parsed */
    size_t expression_count;
    struct advice_item *items;
    size_t count, cap;
};

/* All is borrowed. */
void advice_init(struct advice *advice, struct arena *arena, const struct policy_expression *expressions,
                 const struct ast *const *asts, size_t expression_count);

/* Fills the list of items. */
void advice_find(struct advice *advice);

#endif
