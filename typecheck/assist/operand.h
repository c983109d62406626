/*
 * operand: turns an expression that is still being typed into one that can be checked. What stands before the
 * cursor has the same type in both.
 *
 * What stands before the dot at the cursor is cut out with the macros around it, which declare its variables:
 *
 *     object.spec.replicas > 1 && object.spec.containers.all(c, c.image != '' && c.na
 *     object.spec.containers.all(c,c.OPERAND_FIELD)
 *
 * The type of what OPERAND_FIELD is selected from is the type wanted. So nothing else in the text needs to be
 * right, or even to be there.
 */
#ifndef TYPECHECK_ASSIST_OPERAND_H
#define TYPECHECK_ASSIST_OPERAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"

struct arena;

/* A field that nobody has: no identifier of CEL. */
#define OPERAND_FIELD "__vapcheck_operand__"

enum operand_place {
    OPERAND_NOWHERE,  /* within a literal, say: nothing is known of the place */
    OPERAND_PRIMARY,  /* a name that stands by itself: a variable, a function */
    OPERAND_SELECTED, /* a name behind a dot */
};

struct operand {
    enum operand_place place;
    bool is_optional;         /* behind `.?`: only fields fit */
    bool is_called;           /* a parenthesis follows the name */
    uint32_t from, to;        /* the name at the cursor, in the text; may be empty */
    struct str before;        /* SELECTED: what the name is selected from, as it stands in the text */
    struct str whole;         /* an expression whose OPERAND_FIELD is selected from it */
    struct str with_name;     /* the same with the name: from what the name means; empty: there is none */
    const struct str *locals; /* variables of the macros around it, the innermost last */
    size_t local_count;
};

/* level: env.h's, which says which macros there are. Lies in the arena, which pays. */
void operand_find(struct arena *a, int level, struct str text, uint32_t cursor, struct operand *out);

#endif
