/*
 * text: texts, arenas and lists, and what Go makes of texts: what callers of the checker need to speak with
 * it. A public header.
 */
#ifndef TYPECHECK_TEXT_H
#define TYPECHECK_TEXT_H

#include "typecheck/base/arena.h"
#include "typecheck/base/sort.h"
#include "typecheck/base/str.h"
#include "typecheck/base/suggest.h"
#include "typecheck/base/unicode.h"
#include "typecheck/base/words.h"
#include "typecheck/golang/goquote.h"
#include "typecheck/golang/gourl.h"

#endif
