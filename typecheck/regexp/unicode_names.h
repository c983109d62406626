/*
 * unicode_names: the classes that \p{...} may name in a regular expression.
 *
 * Categories, scripts and category aliases that Go 1.26's regexp accepts.
 * Names only: what is in a class does not matter to validity.
 */
#ifndef TYPECHECK_REGEXP_UNICODE_NAMES_H
#define TYPECHECK_REGEXP_UNICODE_NAMES_H

#include <stdbool.h>

#include "typecheck/base/str.h"

/* Case, '_', '-' and ' ' are ignored: "Greek", "greek", "Lower-case letter". */
bool unicode_names_has(struct str name);

#endif
