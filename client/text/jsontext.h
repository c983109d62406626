/*
 * jsontext: picks members out of JSON text in one pass, without a tree. Pure.
 *
 * What is picked is a span of the text. The whole text is held to RFC 8259,
 * so what passes here a parser takes later. For the many objects of which
 * only the metadata is read; who needs more parses (jsonval.h).
 *
 *     struct jsontext_pick picks[] = {{.path = {"metadata", "name"}}, ...};
 *     if (jsontext_pick(bytes, len, picks, 2, &err) != 0) return -1;
 *     char *name = jsontext_string(&picks[0].value);
 */
#ifndef CLIENT_TEXT_JSONTEXT_H
#define CLIENT_TEXT_JSONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/base/err.h"

enum { JSONTEXT_PATH_MAX = 4 };

/* The text of one value, without white space around it. at is NULL for none. */
struct jsontext {
    const char *at;
    size_t len;
};

/* Names of members, from the top; a NULL ends a shorter path. A key that is written with escapes
 * is not found. */
struct jsontext_pick {
    const char *path[JSONTEXT_PATH_MAX];
    struct jsontext value; /* of equal keys the last, as parsers have it */
    size_t matched;        /* how far the walk is along the path */
};

/* Exactly one JSON text, white space around it. Errors: PROTOCOL, with the offset; LIMIT for a depth
 * over JSONVAL_DEPTH. */
int jsontext_pick(const char *bytes, size_t len, struct jsontext_pick *picks, size_t count,
                  struct err *err) MUST_CHECK;

/* Of a value that was picked. The caller frees the string; NULL if the value is none. */
char *jsontext_string(const struct jsontext *value);
/* The same, with "" for what is no string. */
char *jsontext_string_or_empty(const struct jsontext *value);
bool jsontext_is(const struct jsontext *value, const char *string);
/* fallback if it is no integer, or one of more than 18 bytes. */
int64_t jsontext_int(const struct jsontext *value, int64_t fallback);
/* The next element of an array that was picked; {0} as *element begins. False behind the last. */
bool jsontext_next(const struct jsontext *array, struct jsontext *element);

#endif
