/*
 * evaluate: what happens to a policy's expressions for one type, whatever the object.
 *
 * An abstract evaluation: expressions are evaluated over sets of values
 * (absval.h), once for each way in which the type comes to admission
 * (scenario.h). Each rule stands where it is implemented, with what run time
 * does there. A finding is a place that evaluation comes to and that then
 * always fails, or compares what can never be equal; where that is not
 * certain there is none.
 *
 *     struct evaluate *r = evaluate_new(ts, env, &policy, &subject, &of_way, &scratch);
 *     while (evaluate_step(r)) ...         // a unit of work: one expression in one way
 *     struct evaluate_result f = evaluate_result(r, k);
 *     for (size_t i = 0; i < f.count; i++) ... f.findings[i].message
 */
#ifndef TYPECHECK_EVAL_EVALUATE_H
#define TYPECHECK_EVAL_EVALUATE_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/base/arena.h"
#include "typecheck/eval/places.h"
#include "typecheck/eval/references.h"
#include "typecheck/syntax/ast.h"
#include "typecheck/typecheck.h"
#include "typecheck/types/env.h"

struct evaluate_expression {
    enum typecheck_place place;
    struct str name;       /* of a variable */
    const struct ast *ast; /* NULL: it did not parse */
};

/* The same for every type. */
struct evaluate_policy {
    const struct evaluate_expression *expressions; /* a message follows its validation */
    size_t expression_count;
    struct references looks; /* of all that are evaluated */
};

struct evaluate_subject {
    const struct typecheck_type *kind;
    const struct type *type;   /* of the object */
    const struct type *params; /* NULL: none are declared */
};

struct evaluate_result {
    const struct place_finding *findings; /* in the order of the tree */
    size_t count;
    bool is_used;             /* a variable: something that is evaluated uses it */
    enum arena_failure limit; /* ARENA_OK; else why it was not looked at to its end: there are no findings */
};

struct evaluate; /* under way */

/*
 * All lies in the arena of `ts`, but what is of one way or of one expression:
 * that has arenas of its own. All three are parts of one (arena.h).
 */
struct evaluate *evaluate_new(struct types *ts, const struct env *env, const struct evaluate_policy *policy,
                              const struct evaluate_subject *subject, struct arena *of_way,
                              struct arena *scratch);

/* Does a unit of work; false: there is none left. */
bool evaluate_step(struct evaluate *r);

/*
 * The unit that was under way ended by the arena's escape. What it evaluated
 * has a limit, or is evaluated again once the variables that it needs are.
 */
void evaluate_stop(struct evaluate *r, enum arena_failure why);

/* What is of no expression took too much: nothing is known. */
bool evaluate_is_limited(const struct evaluate *r);

/* Of the expression at index i, once evaluate_step answered false. The list lies in `a`. */
struct evaluate_result evaluate_result(struct evaluate *r, size_t i, struct arena *a);

#endif
