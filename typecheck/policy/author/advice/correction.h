/*
 * correction: an expression that asks for optional fields before it reads them.
 *
 *     struct str corrected = correction_make(a, text, reads, count, primary);
 */
#ifndef TYPECHECK_POLICY_AUTHOR_ADVICE_CORRECTION_H
#define TYPECHECK_POLICY_AUTHOR_ADVICE_CORRECTION_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/base/str.h"

struct arena;
struct node;

/* A field that an expression reads, and that may be missing. */
struct correction_read {
    struct str way; /* to what it is read from, as the expression writes it; empty: it has no plain way */
    struct str field;
    struct str atom; /* the smallest part of the text around it that is true or false; empty: there is none */
    bool is_denial;  /* the atom is to be true without the field */
    unsigned
        side; /* of `a.b == c.d` or `a.b != c.d`: the operand that reads it, 1 or 2; 0: of another atom */
    const struct node *group; /* the `||` or `&&` of which the atom is an operand; NULL: of none */
};

/* Returns true if a test for the field can be written; and the test: "has(a.b)" or "'b-c' in a". way: see
 * above. */
bool correction_can_test(struct str field);
struct str correction_test(struct arena *a, struct str way, struct str field);

/* The text with a test before each atom that reads such a field: `has(a.b) && a.b > 1`. Empty: the primary
 * read cannot be tested. */
struct str correction_make(struct arena *a, struct str text, const struct correction_read *reads,
                           size_t count, size_t primary);

/* The text with another one in the place of a part of it. */
struct str correction_replace(struct arena *a, struct str text, struct str part, struct str by);

/* "write ...". */
struct str correction_hint(struct arena *a, struct str corrected);

#endif
