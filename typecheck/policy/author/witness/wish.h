/*
 * wish: finds the sample of a node of an expression, and changes the samples of a probe as a wish about the
 * node wants it: that it has a value, that it is true, that it is false.
 *
 * The two need each other: the sample of a conditional depends on its condition, which is a wish. Wishes may
 * contradict each other, and a choice (choices.h) decides between several ways to fulfil one. Only evaluation
 * shows what was reached.
 */
#ifndef TYPECHECK_POLICY_AUTHOR_WITNESS_WISH_H
#define TYPECHECK_POLICY_AUTHOR_WITNESS_WISH_H

#include <stddef.h>

#include "typecheck/base/str.h"
#include "typecheck/cel/syntax/ast.h"
#include "typecheck/policy/author/witness/choices.h"
#include "typecheck/policy/author/witness/probe.h"
#include "typecheck/policy/compile/policy.h"

/* The policy: its expressions as syntax trees, and the texts that they contain. */
struct wish_policy {
    const struct policy_tree *expressions; /* a message follows its validation */
    size_t count;
    const struct str *texts; /* the string literals of all expressions, each once */
    size_t text_count;
};

/* A variable of a macro: a sample, or (NULL) the value of a node, with `scope` as its variables. */
struct wish_local {
    const struct wish_local *outer;
    struct str name;
    struct sample *sample;
    const struct node *node;
    const struct wish_local *scope;
};

/* The place where a wish is made. */
struct wish {
    struct arena *arena;
    struct probe *probe;
    const struct wish_policy *policy;
    struct choices *choices;
    const struct wish_local *locals;
    unsigned depth;
};

/* Says how deep wishes may be nested. A deeper wish is not tried. */
enum { WISH_DEPTH = 100 };

/* The expression of the policy's variable that the node reads; NULL if it reads none. */
const struct node *wish_variable(const struct wish *w, const struct node *n);
/* The value of a node that is a constant; NULL if it is none. A conversion of a constant counts as the
 * constant. */
const struct literal *wish_literal(const struct wish *w, const struct node *n);
/* The sample of a node, which is added if it is missing; NULL if there is none, and none can be added. */
struct sample *wish_resolve(struct wish *w, const struct node *n);

/* An item of a range, bound to the macro's variables; NULL if the range can have none. */
const struct wish_local *wish_bind(struct wish *w, const struct comprehension *c);
/* The same after the macro: its accumulator is bound to its result. */
const struct wish_local *wish_bind_result(struct wish *w, const struct comprehension *c);

/* Makes a condition true or false. */
void wish_be(struct wish *w, const struct node *n, bool truth);

#endif
