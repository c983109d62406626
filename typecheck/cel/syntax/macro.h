/*
 * macro: CEL's macros (has, all, map ...), calls that stand for a larger tree.
 *
 * One table lists them, with the first version of each, and how each is expanded.
 * New nodes have the place of the call's parenthesis, as in cel-go, so issues
 * about them are reported there.
 */
#ifndef TYPECHECK_CEL_SYNTAX_MACRO_H
#define TYPECHECK_CEL_SYNTAX_MACRO_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/cel/syntax/ast.h"

struct nodes;

struct macro_call {
    struct str function;
    uint32_t offset;     /* of its '(' */
    struct node *target; /* the receiver of the call; NULL in global style */
    struct node **args;
    size_t arg_count;
};

/*
 * The expanded tree of `call`, or NULL if it is not a macro in that compatibility level. Wrong arguments are
 * reported as issues. has_bind: whether cel.bind is a macro, which depends on the place of the expression.
 */
struct node *macro_expand(struct nodes *nodes, int level, bool has_bind, const struct macro_call *call);

/* The level of the newest macro in that level: levels for which it is the same have the same macros. */
int macro_newest_level(int level);

struct macro_name {
    struct str name;
    int level; /* the compatibility minor that introduced it; 0: every version has it */
    bool is_receiver;
    size_t arg_count;
};

/* The macros in the order of the table; a macro has one row for each number of arguments. False after the
 * last. */
bool macro_at(size_t index, struct macro_name *out);

#endif
