/*
 * regexp: a validator of RE2 patterns: whether Go's regexp package accepts one.
 *
 * RE2 syntax as Go's regexp/syntax parses it (flags Perl), validity only:
 * nothing is matched. The message is Go's: "missing closing ]: `[a`".
 */
#ifndef TYPECHECK_REGEXP_REGEXP_H
#define TYPECHECK_REGEXP_REGEXP_H

#include <stdbool.h>

#include "typecheck/base/str.h"

struct arena;

/* True when valid. Otherwise *message (in the arena) is "error parsing regexp: ..." as Go words it. */
bool regexp_valid(struct arena *a, struct str pattern, struct str *message);

#endif
