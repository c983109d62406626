/*
 * literal: decodes number and string tokens to their values.
 *
 * The rules are those of Go's strconv and cel-go's unescape. The functions fill
 * *out, or say what is wrong. Strings without escapes are borrowed from the token's
 * text, others lie in the arena.
 */
#ifndef TYPECHECK_CEL_SYNTAX_LITERAL_H
#define TYPECHECK_CEL_SYNTAX_LITERAL_H

#include <stdbool.h>

#include "typecheck/cel/syntax/ast.h"

struct arena;

enum literal_failure {
    LITERAL_GOOD,
    LITERAL_BAD_INT,
    LITERAL_BAD_UINT,
    LITERAL_BAD_DOUBLE,
    LITERAL_BAD_ESCAPE,     /* a literal of bytes has an escape that only strings have: \u or \U */
    LITERAL_BAD_CODE_POINT, /* an escape in a string names no Unicode character */
};

enum literal_failure literal_int(struct str token, bool is_negative, struct literal *out);
enum literal_failure literal_uint(struct str token, struct literal *out);
enum literal_failure literal_double(struct arena *a, struct str token, bool is_negative, struct literal *out);

/* `token` with its prefix and quotes. */
enum literal_failure literal_string(struct arena *a, struct str token, struct literal *out);
enum literal_failure literal_bytes(struct arena *a, struct str token, struct literal *out);

#endif
