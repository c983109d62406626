/*
 * atoms: the parts of an expression that are true or false, and the ways to values, as the expression writes
 * them.
 *
 *     look(root, (struct atoms_atom){root, false});
 *     for each child: look(child, atoms_of_child(n, child, atom));
 */
#ifndef TYPECHECK_POLICY_AUTHOR_ADVICE_ATOMS_H
#define TYPECHECK_POLICY_AUTHOR_ADVICE_ATOMS_H

#include <stdbool.h>

#include "typecheck/cel/syntax/ast.h"
#include "typecheck/cel/syntax/extent.h"

struct arena;

struct atoms_atom {
    const struct node *node; /* NULL: it is not written in the text */
    bool is_denial;          /* it is true of nothing: a negation, all(), or a comparison that is so */
    bool is_form;            /* it says what a value must be, if there is one */
    bool is_question;        /* it is negated, or decides between other parts: what it says is not demanded */
    const struct node *group; /* the outermost of the `||`, or of the `&&`, whose operand it is; NULL: none */
};

static inline struct atoms_atom atoms_none(void)
{
    return (struct atoms_atom){.node = NULL};
}

/* Whether the comprehension is that of all(). */
bool atoms_is_all(const struct comprehension *c);

/* An expression that is true or false. */
struct atoms_atom atoms_of_root(const struct node *root);

/* The place of the items of a macro, in which there is no atom so far. */
struct atoms_atom atoms_of_items(struct atoms_atom of_macro);

/* The smallest atom around a child of a node, of which `atom` is the smallest. */
struct atoms_atom atoms_of_child(const struct node *n, const struct node *child, struct atoms_atom atom);

/* A macro exists_one(). In `l.all(i, l.exists_one(j, j.a == i.a))` an item that lacks the field is the same
 * as no other one: the macro is not to be asked about it. */
struct atoms_count {
    const struct node *macro; /* NULL: it is another one */
    struct str variable;
};

struct atoms_count atoms_count_of(const struct node *macro);

/* Of `a.b == c.d`, and of `!=`: the operand that a node on the way to it belongs to, 1 or 2; 0: the atom is
 * no such comparison. In an exists_one(), the innermost macro around the node, *atom becomes the macro for
 * what is compared with its variable. */
unsigned atoms_side(const struct atoms_count *count, struct atoms_atom *atom, const struct node *n);

/* The text of an atom; empty: it has none. */
struct str atoms_text(const struct extents *x, struct atoms_atom atom);

/* The way to a value: "object.spec"; empty: it is no plain one. */
struct str atoms_way(struct arena *a, const struct node *n);

#endif
