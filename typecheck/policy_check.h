/*
 * policy_check: the units of work of a policy's check. typecheck.c decides in which order they run.
 *
 * Each function is one unit. Most units work on one expression, the current
 * one. The units after policy_check_plan also work on one type, the current
 * one. A unit that reaches a cap is left by the arena's escape, at any point.
 */
#ifndef TYPECHECK_POLICY_CHECK_H
#define TYPECHECK_POLICY_CHECK_H

#include "typecheck/advice/advice.h"
#include "typecheck/check/expression.h"
#include "typecheck/eval/eval_policy.h"
#include "typecheck/report.h"
#include "typecheck/root_variables.h"
#include "typecheck/typecheck_policy.h"
#include "typecheck/typecheck_result.h"

/* An expression, parsed. */
struct parsed {
    struct expression expression;
    struct issues *created;   /* those of the API server when it creates the policy; NULL: not asked yet */
    struct str syntax_issues; /* rendered; empty when it parsed */
    struct typecheck_issue first_issue;
    bool is_limited; /* a cap was reached */
};

/* An expression against the type at hand. */
struct found {
    struct issues issues; /* the checker's */
    bool is_limited;
};

struct policy_check {
    struct arena arena;   /* the whole of the check's memory: here is what all types share */
    struct arena of_type; /* what is made for the type at hand */
    struct arena of_way;  /* and for the way in which it comes */
    struct arena scratch; /* and for the unit */
    const struct env *env;
    const struct typecheck_policy *policy;
    struct typecheck_result result;
    struct report report;
    size_t expression, type; /* the current ones */

    struct parsed *parsed; /* by expression */
    size_t variable_count;
    struct eval_policy_plan plan;
    struct advice advice; /* if it is wanted */

    /* of the type */
    struct types *types;
    struct policy_variables *variables;
    struct root_variables roots;
    struct activation_subject subject;
    struct found *found; /* by expression */
    struct eval_policy *evaluation;
    bool is_evaluated;
};

/* Scope full; else upstream's. */
bool policy_check_is_full(const struct policy_check *c);

/* Makes a type the current one; nothing is done for it yet. */
void policy_check_set_type(struct policy_check *c, size_t type);

/* Before all types; _parse for each expression. */
void policy_check_begin(struct policy_check *c);
void policy_check_parse(struct policy_check *c);
void policy_check_plan(struct policy_check *c);

/* For a type; _variable for each variable, each of which may use those before it, _other for each other
 * expression. */
void policy_check_begin_type(struct policy_check *c);
void policy_check_variable(struct policy_check *c);
void policy_check_other(struct policy_check *c);

/* Scope full: _evaluate again until is_evaluated. */
void policy_check_begin_evaluation(struct policy_check *c);
void policy_check_evaluate(struct policy_check *c);

/* For each expression: what of all that is reported. */
void policy_check_judge(struct policy_check *c);

/* Behind all types, if it is wanted. */
void policy_check_advise(struct policy_check *c);

/* Makes the warnings; nothing else is needed any more. */
void policy_check_finish(struct policy_check *c);

/* Adds to the result's limits. */
void policy_check_add_limit(struct policy_check *c, size_t of_expression, size_t of_type);
/* The current expression, for the current type or for all of them, reached a cap: nothing is reported about
 * it. */
void policy_check_limit_expression(struct policy_check *c, bool is_of_type);

#endif
