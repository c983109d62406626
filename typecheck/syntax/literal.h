/*
 * literal: decodes number and string tokens to their values.
 *
 * The rules are those of Go's strconv and cel-go's unescape. The functions return
 * NULL and fill *out, or return the error ("invalid int literal"). Strings without
 * escapes are borrowed from the token's text, others lie in the arena.
 */
#ifndef TYPECHECK_SYNTAX_LITERAL_H
#define TYPECHECK_SYNTAX_LITERAL_H

#include <stdbool.h>

#include "typecheck/syntax/ast.h"

struct arena;

const char *literal_int(struct str token, bool is_negative, struct literal *out);
const char *literal_uint(struct str token, struct literal *out);
const char *literal_double(struct arena *a, struct str token, bool is_negative, struct literal *out);

/* `token` with its prefix and quotes. */
const char *literal_string(struct arena *a, struct str token, struct literal *out);
const char *literal_bytes(struct arena *a, struct str token, struct literal *out);

#endif
