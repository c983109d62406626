/*
 * advice: what in a policy's expressions is no mistake for certain, and hardly meant.
 *
 * One pass over the trees. Nothing here is evaluated; what needs the types' schemas the checker has found out
 * before: advice_note takes what it says about each type.
 *
 *     struct advice advice;
 *     advice_init(&advice, arena, &policy, asts);
 *     for each type: for each expression: advice_note(&advice, i, &issues);
 *     advice_find(&advice);
 *     for (size_t i = 0; i < advice.count; i++) report(&advice.items[i]);
 */
#ifndef TYPECHECK_ADVICE_ADVICE_H
#define TYPECHECK_ADVICE_ADVICE_H

#include "typecheck/advice/advice_sort.h"
#include "typecheck/policy.h"
#include "typecheck/syntax/ast.h"
#include "typecheck/syntax/issue.h"

struct advice_item {
    enum advice_sort sort;
    size_t expression;
    uint32_t offset;
    struct str message;
};

/* A has() of an expression. */
struct advice_presence {
    const struct node *node;
    size_t expression;
    size_t absences; /* types that have no such field */
};

struct advice {
    struct arena *arena;
    const struct policy_expression *expressions;
    const struct ast *const *asts; /* by expression; NULL: it could not be parsed */
    size_t expression_count;
    size_t type_count;
    struct advice_presence *presences;
    size_t presence_count, presence_cap;
    struct advice_item *items;
    size_t count, cap;
};

/* The list of what is asked with has() is made here. All is borrowed. */
void advice_init(struct advice *advice, struct arena *arena, const struct policy_expression *expressions,
                 const struct ast *const *asts, size_t expression_count, size_t type_count);

/* What the checker says about the expression for one type. */
void advice_note(struct advice *advice, size_t expression, const struct issues *issues);

/* Fills the list of items. */
void advice_find(struct advice *advice);

#endif
