/*
 * repair_explain: says why an expression is refused, in words for its author, where no change is certain.
 */
#ifndef TYPECHECK_POLICY_AUTHOR_REPAIR_REPAIR_EXPLAIN_H
#define TYPECHECK_POLICY_AUTHOR_REPAIR_REPAIR_EXPLAIN_H

#include "typecheck/base/str.h"
#include "typecheck/policy/author/repair/repair_scope.h"

struct arena;

/* "RE2 has no look-ahead: ..."; empty: nothing is known. The text lies in the arena, which also pays. */
struct str repair_explain(struct arena *a, const struct repair_scope *scope, struct str text);

#endif
