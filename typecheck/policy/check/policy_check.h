/*
 * policy_check: the units of work of a policy's check. typecheck.c decides in which order they run.
 *
 * Each function is one unit. Most units work on one expression, the current
 * one. The units after policy_check_plan also work on one type, the current
 * one. A unit that reaches a cap is left by the arena's escape, at any point.
 */
#ifndef TYPECHECK_POLICY_CHECK_POLICY_CHECK_H
#define TYPECHECK_POLICY_CHECK_POLICY_CHECK_H

#include "typecheck/cel/checker/expression.h"
#include "typecheck/policy/abstract/eval_policy.h"
#include "typecheck/policy/abstract/names.h"
#include "typecheck/policy/author/advice/advice.h"
#include "typecheck/policy/check/claims.h"
#include "typecheck/policy/check/classes.h"
#include "typecheck/policy/check/kept.h"
#include "typecheck/policy/check/report.h"
#include "typecheck/policy/compile/root_variables.h"
#include "typecheck/typecheck_policy.h"
#include "typecheck/typecheck_result.h"

/* An expression, parsed. */
struct parsed {
    struct expression expression;
    struct issues *created;   /* the issues of the create-time check; NULL: it did not run yet */
    struct str syntax_issues; /* rendered; empty when it parsed */
    size_t syntax_shown;      /* how many of them */
    struct typecheck_issue first_issue;
    bool is_limited; /* a cap was reached */
};

/* The results of an expression for the current type. */
struct found {
    struct issues issues; /* the checker's */
    bool is_limited;
};

struct policy_check {
    struct arena arena;      /* all memory of the check; directly in it: what all types share */
    struct arena of_type;    /* part: for the current type */
    struct arena of_way;     /* part: for the current way */
    struct arena of_classes; /* part: for classes */
    struct arena scratch;    /* part: for the current unit */
    const struct env *env;
    const struct typecheck_policy *policy;
    struct typecheck_result result;
    struct report report;
    size_t expression, type; /* the current ones */

    struct parsed *parsed; /* by expression */
    size_t variable_count, mutation_count;
    struct eval_policy_plan plan;
    struct advice advice; /* if it is wanted */
    struct claims claims; /* in scope full, if the types are all that there are */
    struct names names;   /* with claims */
    struct classes classes;
    struct kept_run kept;
    bool is_open;    /* what strangers do is not known: no claim is certain */
    bool goes_again; /* there are new certain claims: all types are to be checked again */
    bool is_again;   /* this is not the first time: the certain claims of each type are reported, too */

    /* of the type */
    struct types *types;
    struct policy_variables *variables;
    struct root_variables roots;
    struct activation_subject subject;
    struct found *found;            /* by expression */
    struct eval_policy *evaluation; /* under way, or the last one */
    struct claims_evaluated evaluated;
    bool is_evaluated;
    struct reads reads;
    struct classes_type classified; /* for classes_find, which sets the next one */
    uint32_t class_start;
    struct classes_block *blocks; /* that were reported */
    size_t block_count, block_cap;
    size_t limits_before;  /* of the result, before the type */
    uint64_t steps_before; /* those of the check, before the type */
    bool is_classified;    /* its class is looked for */
    bool is_known; /* it has the class of another type, or an outcome that was kept, and all is done */
};

/* Returns true if the scope of the check is full, and false if it is upstream. */
bool policy_check_is_full(const struct policy_check *c);

/* Makes a type the current one; nothing is done for it yet. */
void policy_check_set_type(struct policy_check *c, size_t type);

/* Before all types: _begin once, then _parse for each expression. */
void policy_check_begin(struct policy_check *c);
void policy_check_parse(struct policy_check *c);
void policy_check_plan(struct policy_check *c);

/* Before the first type, each time that all types are checked. */
void policy_check_begin_classes(struct policy_check *c);

/* For each type: _begin_type once, and if then is_known is false, _variable for each variable (it may use
 * those before it), then _other for each other expression. */
void policy_check_begin_type(struct policy_check *c);
void policy_check_variable(struct policy_check *c);
void policy_check_other(struct policy_check *c);

/* Returns how many types are evaluated: those of the policy, and the one that stands for all others. */
size_t policy_check_type_count(const struct policy_check *c);
/* Returns true if the type at hand is that one. */
bool policy_check_is_stranger(const struct policy_check *c);

/* In scope full: _begin_evaluation once, then _evaluate until is_evaluated. */
void policy_check_begin_evaluation(struct policy_check *c);
void policy_check_evaluate(struct policy_check *c);

/* After the evaluation of a type: adds what it claims. */
void policy_check_add_claims(struct policy_check *c);
/* After all types: decides goes_again, for only now is it known which claims are certain. If it is so, what
 * was reported is taken back. */
void policy_check_settle_claims(struct policy_check *c);

/* Decides which issues of an expression are reported; called for each one. */
void policy_check_judge(struct policy_check *c);

/* Keeps the type as one that may stand for others, and its outcome, after that. */
void policy_check_keep_class(struct policy_check *c);
/* Each further type is checked by itself. */
void policy_check_end_classes(struct policy_check *c);

/* After all types: finds advice, if it is wanted. */
void policy_check_advise(struct policy_check *c);

/* Makes the warnings; nothing else is needed any more. */
void policy_check_finish(struct policy_check *c);

/* Adds to the result's limits. */
void policy_check_add_limit(struct policy_check *c, size_t of_expression, size_t of_type);
/* The current expression, for the current type or for all of them, reached a cap: nothing is reported about
 * it. */
void policy_check_limit_expression(struct policy_check *c, bool is_of_type);

#endif
