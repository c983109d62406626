/*
 * operand: turns an expression that is still being typed into one that can be checked. The part before the
 * cursor has the same type in both.
 *
 * The operand before the dot at the cursor is cut out, with the macros around it, which declare its
 * variables:
 *
 *     object.spec.replicas > 1 && object.spec.containers.all(c, c.image != '' && c.na
 *     object.spec.containers.all(c,c.OPERAND_FIELD)
 *
 * The wanted type is that of the operand from which OPERAND_FIELD is selected. So nothing else in the text
 * needs to be correct or complete.
 */
#ifndef TYPECHECK_POLICY_AUTHOR_ASSIST_OPERAND_H
#define TYPECHECK_POLICY_AUTHOR_ASSIST_OPERAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"

struct arena;

/* A field that nobody has: no identifier of CEL. */
#define OPERAND_FIELD "__vapcheck_operand__"

enum operand_place {
    OPERAND_NOWHERE,  /* for example within a literal: nothing is known about the place */
    OPERAND_PRIMARY,  /* a name that stands by itself: a variable, a function */
    OPERAND_SELECTED, /* a name after a dot */
};

struct operand {
    enum operand_place place;
    bool is_optional;         /* after `.?`: only fields fit */
    bool is_called;           /* a parenthesis follows the name */
    uint32_t from, to;        /* the name at the cursor, in the text; may be empty */
    struct str before;        /* SELECTED: the operand of the selection, as written in the text */
    struct str whole;         /* an expression that selects OPERAND_FIELD from the operand */
    struct str with_name;     /* the same with the real name instead; empty: there is none */
    const struct str *locals; /* variables of the macros around it, the innermost last */
    size_t local_count;
};

/* level: env.h's, which decides which macros exist. The arena holds the result and pays the steps. */
void operand_find(struct arena *a, int level, struct str text, uint32_t cursor, struct operand *out);

#endif
