/*
 * context: what the files that evaluate abstractly share.
 *
 * walk.c goes over the tree (names, variables, logic, literals), qualifiers.c
 * knows fields, keys and indexes, calls.c what run time does with the
 * operands of a call, fold.c the comprehensions, narrowing.c what a condition
 * says about what it guards. All of them answer with an absval and tell
 * `places` where evaluation came and failed. Everything lies in the arena of
 * `ts`.
 */
#ifndef TYPECHECK_EVAL_CONTEXT_H
#define TYPECHECK_EVAL_CONTEXT_H

#include "typecheck/eval/absmap.h"
#include "typecheck/eval/activation.h"
#include "typecheck/eval/findings.h"
#include "typecheck/eval/narrowing.h"
#include "typecheck/types/env.h"
#include "typecheck/types/type.h"

struct eval_policy_expression;

/* A variable of the policy in the scenario at hand. */
struct composited {
    size_t expression;
    bool is_running, is_done, is_used;
    bool is_awaited;           /* it is evaluated by itself, before what needs it */
    struct composited *around; /* is_running: the one that uses it and is running, too; NULL */
    const struct absval *value;
    const struct site_note *notes; /* what fails in it, at each use */
    size_t note_count;
};

struct eval_context {
    struct arena *arena;            /* what is made lies there: one of the next two */
    struct arena *of_way, *scratch; /* as long as the scenario, or the expression, is at hand */
    struct types *ts;
    const struct env *env;
    const struct eval_policy_expression *expressions;
    size_t expression; /* at hand */
    const struct activation *scenario;
    bool is_match_condition;
    struct findings *places;
    const struct type *object_type;        /* of the object's root */
    const struct str *const *result_names; /* of mutations, by expression (patch.h); else NULL */
    struct composited *variables;
    size_t variable_count;
    uint32_t *variable_slots;      /* by the hash of the name: 1 + the index; 0: free */
    size_t variable_cap;           /* a power of two */
    struct composited *running;    /* the innermost variable that is being evaluated; NULL */
    const struct composited *unit; /* the variable that the unit at hand is of; NULL: it is of none */
    size_t variables_run;          /* how often any was evaluated */
    const struct binding *locals;
    const struct narrowing *facts;
    const struct narrowing *policy_facts; /* what holds in all of the policy: its match conditions */
    unsigned doubts;    /* >0: whether evaluation comes here is fixed, but not known to us */
    unsigned imagining; /* >0: evaluation came only past what always fails */
    unsigned depth;
};

/* walk.c */
const struct absval *walk_node(struct eval_context *e, const struct node *n);
/* Whether `n` is the policy's own `name` and no variable of a macro. */
bool walk_is_root(const struct eval_context *e, const struct node *n, struct str name);
/* variables.NAME where it is used; NULL: there is none. */
const struct absval *walk_variable(struct eval_context *e, struct str name);
/* Evaluates a variable: with nothing of what is known just where it is used. */
void walk_run_variable(struct eval_context *e, struct composited *v);
/* Makes variable_slots, in `a`. */
void walk_index_variables(struct eval_context *e, struct arena *a);
/* What nothing is known of. */
const struct absval *walk_unknown(struct eval_context *e);

/* qualifiers.c: a.b and has(a.b), a[b], a.?b and a[?b] */
const struct absval *qualifiers_select(struct eval_context *e, const struct node *n);
const struct absval *qualifiers_index(struct eval_context *e, const struct node *n);
const struct absval *qualifiers_optional(struct eval_context *e, const struct node *n);
/* Whether a key of that kind can be in the maps. */
bool qualifiers_has_key_kind(const struct absval *maps, const struct absval *key);
/* Whether maps can have such a key: ABS_ABSENT, ABS_MAYBE, ABS_PRESENT. */
enum absval_presence qualifiers_presence(struct eval_context *e, const struct absval *maps,
                                         const struct absval *key);

/* calls.c: a call that evaluates all of its arguments */
const struct absval *calls_call(struct eval_context *e, const struct node *n);

/* fold.c */
const struct absval *fold_comprehension(struct eval_context *e, const struct node *n);

/*
 * `n` always fails: the error is noted. An operand that fails in what is
 * around it is a place of its own, shown where `around` is.
 */
const struct absval *eval_context_fail(struct eval_context *e, const struct node *n, struct hint hint,
                                       const struct str *message, size_t parts);
const struct absval *eval_context_fail_operand(struct eval_context *e, const struct node *n,
                                               const struct node *around, const struct str *message,
                                               size_t parts);
/* A field of a structure. */
const struct absval *eval_context_fail_entry(struct eval_context *e, const struct entry *field,
                                             struct hint hint, const struct str *message, size_t parts);
/* `n` compares what can never be equal. */
void eval_context_note_unequal(struct eval_context *e, const struct node *n, struct hint hint,
                               const struct str *message, size_t parts);
/* Evaluation came there and may go on. */
void eval_context_pass(struct eval_context *e, const struct node *n);
void eval_context_pass_operand(struct eval_context *e, const struct node *n, const struct node *around);

/*
 * What is evaluated from here on, until eval_context_return, comes behind v: if
 * that always fails, by what was noted since `mark`, what follows is told only
 * if that is told, too.
 */
struct past {
    const struct site *behind;
    unsigned doubts;
};
struct past eval_context_go_past(struct eval_context *e, const struct absval *v, size_t mark);
void eval_context_return(struct eval_context *e, struct past past);

/* `v` as an operand of `around` that must be a bool: what is none of it fails there. */
const struct absval *eval_context_bool(struct eval_context *e, const struct node *n,
                                       const struct node *around, const struct absval *v);
/* && and || of two operands. */
const struct absval *eval_context_logic(struct eval_context *e, bool is_or, const struct absval *left,
                                        const struct absval *right);
bool eval_context_can_be(const struct absval *v, bool truth);
/* The type fixes it to what we do not know: what it guards by being `truth` is in doubt. */
bool eval_context_is_doubtful(const struct absval *v, bool truth);

/* v as what is made of `from`: it fails and is fixed with it. */
const struct absval *eval_context_derive(struct eval_context *e, const struct absval *v,
                                         const struct absval *from);

#endif
