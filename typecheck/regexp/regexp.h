/*
 * regexp: a parser of RE2 patterns: whether Go's regexp package accepts one, and what it means.
 *
 * RE2 syntax as Go's regexp/syntax parses it (flags Perl). The message is Go's:
 * "missing closing ]: `[a`". What a pattern matches is match.h's.
 */
#ifndef TYPECHECK_REGEXP_REGEXP_H
#define TYPECHECK_REGEXP_REGEXP_H

#include <stdbool.h>

#include "typecheck/base/str.h"

struct arena;
struct regexp_program;

/* True when valid. Otherwise *message (in the arena) is "error parsing regexp: ..." as Go words it. */
bool regexp_valid(struct arena *a, struct str pattern, struct str *message);

/* The pattern, ready to be matched, in the arena; NULL with *message as above. */
struct regexp_program *regexp_compile(struct arena *a, struct str pattern, struct str *message);

#endif
