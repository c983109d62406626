/*
 * goquote: texts in quotes, as Go's strconv.Quote writes them.
 */
#ifndef TYPECHECK_RUN_GOQUOTE_H
#define TYPECHECK_RUN_GOQUOTE_H

#include "typecheck/base/str.h"

void goquote_add(struct text *t, struct str s);

#endif
