/*
 * parser: from the source text to the syntax tree.
 *
 * The grammar is cel-go's CEL.g4 (v0.27.0), the errors are those of ANTLR's
 * default error strategy on it, byte for byte. Macros are expanded here.
 * The C stack is bounded by the grammar's own depth limit.
 */
#ifndef TYPECHECK_SYNTAX_PARSER_H
#define TYPECHECK_SYNTAX_PARSER_H

#include <stdbool.h>

#include "typecheck/syntax/ast.h"
#include "typecheck/syntax/dialect.h"

struct arena;
struct issues;
struct source;

/*
 * Parses `s`. True and *out, in `a`, filled when there is no issue; false
 * with at least one added to `issues` otherwise (then nothing must be
 * checked: syntax errors silence the checker). A source of more than
 * SOURCE_MAX_CODE_POINTS gets the issue that says so. What only parsing
 * needs, and the issues' messages, lie in `scratch`.
 */
bool parser_run(struct arena *a, struct arena *scratch, const struct source *s, struct dialect dialect,
                struct issues *issues, struct ast *out);

#endif
