/*
 * atoms: finds the atom around a node of an expression: the smallest part that is true or false.
 *
 * In `a.b > 1 && a.c` the atom around `a.b` is `a.b > 1`. The advice corrects a read of an optional field by
 * a test before its atom: `has(a.b) && a.b > 1`. A walk from the root passes the atom of each node to its
 * children. In the names here, a way is a path of fields as the expression writes it, `object.spec`; it is
 * not the way of typecheck/README.md.
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
    const struct node *node; /* the part around; NULL if none is known to be true or false */
    bool is_denial;   /* it is true if the field has no value: !x, all(), x != 'a'. Its correction is `!has(x)
                         || ...` */
    bool is_form;     /* it says how a value must look if there is one: x > 1, x.matches('...'), x in ['a'] */
    bool is_question; /* it is inside a negation or the condition of `? :`, so the policy does not demand that
                         it is true */
    const struct node *group; /* the outermost of the `||`, or of the `&&`, whose operand it is; NULL: none */
};

static inline struct atoms_atom atoms_none(void)
{
    return (struct atoms_atom){.node = NULL};
}

/* Returns true if the comprehension is that of all(). */
bool atoms_is_all(const struct comprehension *c);

/* The atom of a whole expression that is true or false. */
struct atoms_atom atoms_of_root(const struct node *root);

/* The atom with which a walk enters the body of a macro such as all(), of which no part is known yet. */
struct atoms_atom atoms_of_items(struct atoms_atom of_macro);

/* The atom around a child of the node n. atom: the one around n. */
struct atoms_atom atoms_of_child(const struct node *n, const struct node *child, struct atoms_atom atom);

/* A macro exists_one(), and its variable. In `l.all(i, l.exists_one(j, j.a == i.a))` an item i that lacks the
 * field equals no item, so the macro would be false. The test for i.a must stand before the whole macro. */
struct atoms_count {
    const struct node *macro; /* the macro around; NULL if the innermost one is another */
    struct str variable;
};

struct atoms_count atoms_count_of(const struct node *macro);

/* The operand of the atom `a.b == c.d` or `a.b != c.d` in which n lies: 1 or 2. Returns 0 if the atom is no
 * such comparison, or it compares the variable of the exists_one() in *count with something else. In the
 * latter case, for a node of that other operand, *atom becomes the whole macro. */
unsigned atoms_side(const struct atoms_count *count, struct atoms_atom *atom, const struct node *n);

/* The text of an atom, a part of the text of *x; empty: the atom has no node. */
struct str atoms_text(const struct extents *x, struct atoms_atom atom);

/* The path that n stands for, "object.spec", in the arena; empty: n is not a name with fields, or has too
 * many. */
struct str atoms_way(struct arena *a, const struct node *n);

#endif
