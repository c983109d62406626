/*
 * context: the state of the evaluation that interpret, patch and eval_policy share.
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_CONTEXT_H
#define TYPECHECK_POLICY_ABSTRACT_CONTEXT_H

#include "typecheck/cel/types/env.h"
#include "typecheck/cel/types/type.h"
#include "typecheck/policy/abstract/activation.h"
#include "typecheck/policy/abstract/domain/absval.h"
#include "typecheck/policy/abstract/findings.h"
#include "typecheck/policy/abstract/narrowing.h"
#include "typecheck/policy/abstract/references.h"

/* A variable of the policy, in the activation at hand. */
struct variable_state {
    size_t expression;
    bool is_running, is_done, is_used;
    bool is_awaited;               /* it is evaluated alone, before the expression that needs it */
    struct variable_state *around; /* while is_running: the running variable that uses it; NULL: none */
    const struct absval *value;
    const struct site_note *notes; /* the failures in it, which are added at each use */
    size_t note_count;
};

/*
 * The guards of the place at which evaluation is. In
 *
 *     object.spec.x == null ? object.spec.y > 0 : object.spec.z > 0
 *
 * the first branch is evaluated with the knowledge that object.spec.x is null. If the condition always fails,
 * both branches are hypothetical and behind its site: failures in them are reported only together with it. A
 * scope is changed for a part of an expression, and then restored:
 *
 *     struct scope outer = e->scope;
 *     e->scope.hypothetical = true;
 *     ... interpret_node(e, part) ...
 *     e->scope = outer;
 */
struct scope {
    const struct narrowing *narrowing; /* the facts that follow from the guards */
    const struct binding *locals;      /* the variables of macros */
    const struct site *behind;         /* evaluation arrives here only after the failure of that site; NULL */
    bool unknown;      /* whether evaluation arrives here depends on the type: no failure is noted */
    bool hypothetical; /* evaluation arrives here only after something that always fails: nothing passes */
};

struct patch_operation;

/*
 * Nodes and expressions that are reported as mistakes (claims.h). Their values count as not known, so that
 * one mistake hides no other.
 */
struct eval_doubts {
    const bool *const *nodes; /* by expression and node id */
    const bool *expressions;  /* the whole of a validation or match condition */
};

struct eval_context {
    struct arena *arena;            /* for new values: one of the next two */
    struct arena *of_way, *scratch; /* as long as the activation, or the expression, is at hand */
    struct types *ts;
    const struct env *env;
    const struct policy_tree *expressions;
    const struct references *references; /* of all of them */
    const struct eval_doubts *doubts;    /* the doubts about the schema; NULL if there are none */
    size_t expression;                   /* at hand */
    struct activation *activation;
    bool is_match_condition;
    struct findings *findings;
    const struct policy_type *kind;        /* of the object */
    const struct type *object_type;        /* of the object's root */
    bool decodes_strictly;                 /* a patched object: its kind is built in */
    bool is_custom;                        /* the kind is a CustomResourceDefinition's */
    bool is_last_mutation;                 /* while one is evaluated: no other follows */
    const struct str *const *result_names; /* of mutations, by expression (patch.h); else NULL */
    struct patch_operation **operations;   /* of a JSON patch, by node id (patch_sequence.h); else NULL */
    struct variable_state *variables;
    size_t variable_count;
    uint32_t *variable_slots;          /* by the hash of the name: 1 + the index; 0: free */
    size_t variable_cap;               /* a power of two */
    struct variable_state *running;    /* the innermost variable that is being evaluated; NULL */
    const struct variable_state *unit; /* the variable that the present unit evaluates; NULL: none */
    size_t variables_run;              /* how often any was evaluated */
    struct scope scope;
    const struct node *decided; /* the first comparison that a narrowing decides, since this was NULL */
    bool is_decided_true;       /* what it is */
    const struct narrowing *policy_narrowing; /* known in the whole policy, from match conditions */
    unsigned depth;
};

/* The site of `n` itself; and of `n` as an operand of `around`, where it is shown. */
struct site eval_context_site(const struct eval_context *e, const struct node *n);
struct site eval_context_operand(const struct eval_context *e, const struct node *n,
                                 const struct node *around);
/* The site of a field of a structure. */
struct site eval_context_entry(const struct eval_context *e, const struct entry *field);

/* Notes a failure; returns &absval_error. eval_context_error: a failure with this text, without a hint; the
 * texts of `about` are not copied. */
const struct absval *eval_context_fail(struct eval_context *e, struct site site,
                                       const struct failure *failure);
const struct absval *eval_context_error(struct eval_context *e, struct site site, enum issue_code code,
                                        struct issue_about about, const struct str *message, size_t parts);
/* Notes that evaluation arrived there and may go on. */
void eval_context_pass(struct eval_context *e, struct site site);
/* Adds to `known` the facts that follow if the condition, a node of the expression at hand, has that
 * truth. */
const struct narrowing *eval_context_assume(struct eval_context *e, struct arena *a,
                                            const struct narrowing *known, const struct binding *locals,
                                            const struct node *condition, bool truth);
/* Returns true if what the node of the expression at hand says is in doubt. */
bool eval_context_is_doubted(const struct eval_context *e, const struct node *n);
/* The value of the node, or anything of its sort, if it is in doubt. */
const struct absval *eval_context_doubt(struct eval_context *e, const struct node *n, const struct absval *v);
/* Notes how the operation at `n` ended; returns its value. */
const struct absval *eval_context_end(struct eval_context *e, const struct node *n, struct transfer t);

/*
 * Sets the scope for the part that follows v: if v always fails (by a failure noted since `mark`), that part
 * is behind the failure.
 */
void eval_context_go_past(struct eval_context *e, const struct absval *v, size_t mark);

#endif
