/*
 * goquote: texts in quotes, as Go's strconv.Quote and fmt's %q write them.
 */
#ifndef TYPECHECK_GOLANG_GOQUOTE_H
#define TYPECHECK_GOLANG_GOQUOTE_H

#include "typecheck/base/str.h"

void goquote_add(struct text *t, struct str s);

enum { GOQUOTE_CHARACTER_BYTES = sizeof "\\U0010ffff" };

/* Writes the first character of `rest`, which is not empty, as it is written between quotes, and a NUL;
 * returns how many bytes of `rest` it has. */
size_t goquote_character(struct str rest, char out[GOQUOTE_CHARACTER_BYTES]);

#endif
