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
 *     const struct evaluate_result *r = evaluate(ts, env, &policy, &subject);
 *     for (size_t i = 0; i < r[k].count; i++) ... r[k].findings[i].message
 */
#ifndef TYPECHECK_EVALUATE_H
#define TYPECHECK_EVALUATE_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/ast.h"
#include "typecheck/env.h"
#include "typecheck/looks.h"
#include "typecheck/places.h"
#include "typecheck/typecheck.h"

struct evaluate_expression {
    enum typecheck_place place;
    struct str name;       /* of a variable */
    const struct ast *ast; /* NULL: it did not parse */
};

/* The same for every type. */
struct evaluate_policy {
    const struct evaluate_expression *expressions; /* a message follows its validation */
    size_t expression_count;
    struct looks looks; /* of all that are evaluated */
};

struct evaluate_subject {
    const struct typecheck_type *kind;
    const struct type *type;   /* of the object */
    const struct type *params; /* NULL: none are declared */
};

struct evaluate_result {
    const struct place_finding *findings; /* in the order of the tree */
    size_t count;
    bool is_used; /* a variable: something that is evaluated uses it */
};

/* One result an expression. All lies in the arena of `ts`. */
const struct evaluate_result *evaluate(struct types *ts, const struct env *env,
                                       const struct evaluate_policy *policy,
                                       const struct evaluate_subject *subject);

#endif
