/*
 * compiler: compiles expressions that do not depend on each other at their places (cel_place.h), within a
 * budget for all of them. Pure; a public header. For those of a policy there is create_check.h.
 *
 *     struct compiler c;
 *     compiler_init(&c, &(struct cel_place_scope){.env = env}, max_steps);
 *     const struct cel_place_compiled *compiled = compiler_compile(&c, CEL_PLACE_CLAIM_RULE, text);
 *     if (compiled != NULL && !compiled->compiles) ... compiled->problem.text
 *     compiler_deinit(&c);
 */
#ifndef TYPECHECK_POLICY_COMPILE_COMPILER_H
#define TYPECHECK_POLICY_COMPILE_COMPILER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/arena.h"
#include "typecheck/base/str.h"
#include "typecheck/policy/compile/cel_place.h"
#include "typecheck/policy/compile/compile_problem.h"

struct compiler {
    struct arena arena; /* holds what was compiled; its steps are those that were spent */
    struct cel_place_scope scope;
    bool is_exhausted; /* a cap was reached: nothing more is compiled */
};

/* The scope needs no types; what it refers to outlives the compiler. */
void compiler_init(struct compiler *c, const struct cel_place_scope *scope, uint64_t max_steps);
void compiler_deinit(struct compiler *c);

/* Returns NULL if a cap was reached, now or before, and nothing is known about the text. */
const struct cel_place_compiled *compiler_compile(struct compiler *c, enum cel_place place, struct str text);

/* The cost of what this compiler compiled, with the bounds that the schema has now; UINT64_MAX: a cap was
 * reached. */
uint64_t compiler_cost(struct compiler *c, const struct cel_place_compiled *compiled);

#endif
