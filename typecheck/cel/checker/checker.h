/*
 * checker: type inference: finds a type for each node of an expression, as cel-go's checker does.
 *
 * The tree does not change. The results lie in arrays indexed by node id, for the
 * validators and for the abstract evaluation.
 */
#ifndef TYPECHECK_CEL_CHECKER_CHECKER_H
#define TYPECHECK_CEL_CHECKER_CHECKER_H

#include <stdbool.h>
#include <stdint.h>

#include "typecheck/cel/checker/checked.h"
#include "typecheck/cel/syntax/ast.h"
#include "typecheck/cel/types/env.h"
#include "typecheck/cel/types/type.h"

struct issues;

/*
 * Checks `ast` (of this env) with `variables` declared. `ts` is a table over
 * env_types(env); issues and results lie in its arena. True when no issue was
 * added, the AST validators (validators.h) included: as upstream, they run
 * only if the check found nothing.
 */
bool checker_run(struct types *ts, const struct env *env, const struct ast *ast,
                 const struct variable *variables, size_t variable_count, struct issues *issues,
                 struct checked *out);

#endif
