/*
 * regexp: a parser of RE2 patterns: whether Go's regexp package accepts one, and what it means.
 *
 * RE2 syntax as Go's regexp/syntax parses it (flags Perl), with the characters of that edition of Unicode.
 * The message is Go's: "missing closing ]: `[a`". match.h does the matching.
 */
#ifndef TYPECHECK_CEL_REGEXP_REGEXP_H
#define TYPECHECK_CEL_REGEXP_REGEXP_H

#include <stdbool.h>

#include "typecheck/base/str.h"
#include "typecheck/base/unicode.h"

struct arena;
struct regexp_program;

/* Returns true if the pattern is valid. Otherwise *message (in the arena) is Go's "error parsing regexp:
 * ...". */
bool regexp_valid(struct arena *a, struct str pattern, enum unicode_edition edition, struct str *message);

/* The pattern, ready to be matched, in the arena; NULL with *message as above. */
struct regexp_program *regexp_compile(struct arena *a, struct str pattern, enum unicode_edition edition,
                                      struct str *message);

#endif
