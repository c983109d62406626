/*
 * macro: CEL's macros (has, all, map ...), calls that stand for a larger tree.
 *
 * One table says which there are, from which version on, and how each is
 * expanded. New nodes take the place of the call's parenthesis, as in
 * cel-go, so that is where issues about them are reported.
 */
#ifndef TYPECHECK_SYNTAX_MACRO_H
#define TYPECHECK_SYNTAX_MACRO_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/syntax/ast.h"

struct nodes;

struct macro_call {
    struct str function;
    uint32_t offset;     /* of its '(' */
    struct node *target; /* NULL unless receiver style */
    struct node **args;
    size_t arg_count;
};

/*
 * The tree that `call` stands for, or NULL if it is no macro in that
 * compatibility level. Arguments that do not fit are reported. has_bind: whether cel.bind is one, which
 * depends on where the expression stands.
 */
struct node *macro_expand(struct nodes *nodes, int level, bool has_bind, const struct macro_call *call);

struct macro_name {
    struct str name;
    int level; /* the compatibility minor that introduced it; 0: they all have it */
    bool is_receiver;
    size_t arg_count;
};

/* The macros in the order of the table; one that takes several numbers of arguments stands there for each.
 * False behind the last. */
bool macro_at(size_t index, struct macro_name *out);

#endif
