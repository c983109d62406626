/*
 * wishing: what wish.c and wish_condition.c share: it finds the sample that a node of an expression stands
 * for, and gives it a value.
 */
#ifndef TYPECHECK_WITNESS_WISHING_H
#define TYPECHECK_WITNESS_WISHING_H

#include "typecheck/syntax/ast.h"
#include "typecheck/witness/choices.h"
#include "typecheck/witness/probe.h"
#include "typecheck/witness/wish_policy.h"

/* A variable of a macro: a sample or, NULL, what a node is evaluated to where `scope` are the variables. */
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

/* How many wishes may lie within each other. A wish that lies deeper is not tried. */
enum { WISH_DEPTH = 100 };

/* NULL: there is none of that name. */
const struct wish_local *wishing_find_local(const struct wishing *w, struct str name);
/* The expression of the policy's variable that the node reads; NULL: it reads none. */
const struct node *wishing_variable(const struct wishing *w, const struct node *n);

/* What a node stands for, which is added if it is missing; NULL: no sample, or none can be added. */
struct sample *wishing_resolve(struct wishing *w, const struct node *n);
/* Makes that what a has() or an optional selection asks for is there, or is not. */
void wishing_be_there(struct wishing *w, const struct node *n, bool is_there);
/* The constant that a node is; NULL: none. A conversion of a constant counts as the constant. */
const struct literal *wishing_literal(const struct wishing *w, const struct node *n);
/* The list that is written out; NULL: none. */
const struct node *wishing_list(const struct wishing *w, const struct node *n);

/* An item of a range, bound to the macro's variables; NULL: the range can have none. */
const struct wish_local *wishing_bind(struct wishing *w, const struct comprehension *c);
/* The same behind the macro: what it collects is bound to its result. */
const struct wish_local *wishing_bind_result(struct wishing *w, const struct comprehension *c);

/* Whether the comprehension is all(), or exists(): what it asks of each item; else NULL. */
const struct node *wishing_predicate(const struct comprehension *c, bool *is_all);

/* False: it cannot have that value. */
bool wishing_set(struct wishing *w, struct sample *s, const struct literal *value);
/* Another value than that. */
bool wishing_set_other(struct wishing *w, struct sample *s, const struct literal *value);

/* Makes a condition true or false. */
void wishing_be(struct wishing *w, const struct node *n, bool truth);

#endif
