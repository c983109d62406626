/*
 * goquote: texts in quotes, as Go's strconv.Quote writes them.
 */
#ifndef TYPECHECK_RUN_GOQUOTE_H
#define TYPECHECK_RUN_GOQUOTE_H

#include <stdbool.h>

#include "typecheck/base/str.h"

/* Of UTF-8. False: there is a character beyond U+024F; whether Go prints it or escapes it is not known here.
 */
bool goquote_add(struct text *t, struct str s);

#endif
