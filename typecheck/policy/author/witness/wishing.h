/*
 * wishing: finds the sample of a node of an expression, and gives it a value; shared by wish.c and
 * wish_condition.c.
 */
#ifndef TYPECHECK_POLICY_AUTHOR_WITNESS_WISHING_H
#define TYPECHECK_POLICY_AUTHOR_WITNESS_WISHING_H

#include "typecheck/cel/syntax/ast.h"
#include "typecheck/policy/author/witness/choices.h"
#include "typecheck/policy/author/witness/probe.h"
#include "typecheck/policy/author/witness/wish_policy.h"

/* A variable of a macro: a sample, or (NULL) the value of a node, with `scope` as its variables. */
struct wish_local {
    const struct wish_local *outer;
    struct str name;
    struct sample *sample;
    const struct node *node;
    const struct wish_local *scope;
};

struct wishing {
    struct arena *arena;
    struct probe *probe;
    const struct wish_policy *policy;
    struct choices *choices;
    const struct wish_local *locals;
    unsigned depth;
};

/* How deep wishes may be nested. A deeper wish is not tried. */
enum { WISH_DEPTH = 100 };

/* NULL: there is none of that name. */
const struct wish_local *wishing_find_local(const struct wishing *w, struct str name);
/* The expression of the policy's variable that the node reads; NULL: it reads none. */
const struct node *wishing_variable(const struct wishing *w, const struct node *n);

/* The sample of a node, which is added if it is missing; NULL: there is none, and none can be added. */
struct sample *wishing_resolve(struct wishing *w, const struct node *n);
/* Adds or removes the field that a has() or an optional selection tests. */
void wishing_be_there(struct wishing *w, const struct node *n, bool is_there);
/* The value of a node that is a constant; NULL: it is none. A conversion of a constant counts as the
 * constant. */
const struct literal *wishing_literal(const struct wishing *w, const struct node *n);
/* The node if it is a list literal; NULL: it is not. */
const struct node *wishing_list(const struct wishing *w, const struct node *n);

/* An item of a range, bound to the macro's variables; NULL: the range can have none. */
const struct wish_local *wishing_bind(struct wishing *w, const struct comprehension *c);
/* The same after the macro: its accumulator is bound to its result. */
const struct wish_local *wishing_bind_result(struct wishing *w, const struct comprehension *c);

/* The predicate of a comprehension that is all() or exists(); NULL: it is neither. */
const struct node *wishing_predicate(const struct comprehension *c, bool *is_all);

/* Sets a value. False: it cannot have that value. */
bool wishing_set(struct wishing *w, struct sample *s, const struct literal *value);
/* Sets another value than that. */
bool wishing_set_other(struct wishing *w, struct sample *s, const struct literal *value);

/* Makes a condition true or false. */
void wishing_be(struct wishing *w, const struct node *n, bool truth);

#endif
