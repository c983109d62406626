/*
 * plan: a checked expression, made ready to be evaluated often.
 *
 * It plans as cel-go's planner does, since the cost of a step depends on the
 * plan: selections and indexes become the qualifiers of one
 * attribute, conversions and collections of constants are constants, and
 * membership in a list of constants is looked up in a set.
 *
 *     struct plan plan;
 *     if (plan_make(a, env, &ast, &checked, &plan, &why) == PLAN_READY)
 *         ... run_evaluate(&plan, ...)     as often as wanted
 */
#ifndef TYPECHECK_CEL_INTERPRETER_PLAN_H
#define TYPECHECK_CEL_INTERPRETER_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"
#include "typecheck/cel/interpreter/step.h"

struct ast;
struct checked;
struct env;

struct plan {
    const struct env *env;
    struct step *root;
    size_t fold_count;
};

/* The id that an attribute has with its qualifiers. */
uint32_t plan_attribute_id(const struct attribute *attribute);

enum plan_outcome {
    PLAN_READY,
    PLAN_REFUSED, /* cel-go makes no program: *why is its message */
    PLAN_MISSING, /* it makes one; *why says what this evaluator lacks */
};

/* out: NULL where the plan is not to be run, which takes less work. *why lies in the arena, or is static. */
enum plan_outcome plan_make(struct arena *a, const struct env *env, const struct ast *ast,
                            const struct checked *checked, struct plan *out, struct str *why);

#endif
