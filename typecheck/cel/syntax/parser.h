/*
 * parser: makes the syntax tree from the source text.
 *
 * The grammar is cel-go's CEL.g4 (v0.27.0). The errors are those of ANTLR's default
 * error strategy, byte for byte. Macros are expanded here.
 * The C stack is bounded by the grammar's own depth limit.
 */
#ifndef TYPECHECK_CEL_SYNTAX_PARSER_H
#define TYPECHECK_CEL_SYNTAX_PARSER_H

#include <stdbool.h>

#include "typecheck/cel/syntax/ast.h"
#include "typecheck/cel/syntax/dialect.h"

struct arena;
struct issues;
struct source;

/*
 * Parses `s`. Returns true if there is no issue; then *out, in `a`, is filled. Otherwise at least one issue
 * was added; then nothing must be checked, since syntax errors silence the checker. A source of more than
 * SOURCE_MAX_CODE_POINTS gets one issue that says so. Memory that only parsing needs, and the messages of
 * issues, lie in `scratch`.
 */
bool parser_run(struct arena *a, struct arena *scratch, const struct source *s, struct dialect dialect,
                struct issues *issues, struct ast *out);

#endif
