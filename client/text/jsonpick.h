/*
 * jsonpick: reads some members of a JSON text in one pass, without a tree. Pure.
 *
 * A value that was picked is a span of the text. The whole text must be JSON as
 * RFC 8259 defines it; a parser will accept every text that is accepted here. Use
 * this for large numbers of objects of which only the metadata is needed, and
 * jsonval.h for everything else.
 *
 *     struct jsonpick_pick picks[] = {{.path = {"metadata", "name"}}, ...};
 *     if (jsonpick_pick(bytes, len, picks, 2, &err) != 0) return -1;
 *     char *name = jsonpick_string(&picks[0].value);
 */
#ifndef CLIENT_TEXT_JSONPICK_H
#define CLIENT_TEXT_JSONPICK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/base/err.h"

enum { JSONPICK_PATH_MAX = 4 };

/* The text of one value, without white space around it. at is NULL for none. */
struct jsonpick {
    const char *at;
    size_t len;
};

/* Names of members, from the top; a NULL ends a shorter path. A key that is written with escapes
 * is not found. */
struct jsonpick_pick {
    const char *path[JSONPICK_PATH_MAX];
    struct jsonpick value; /* if a key occurs twice, the last value counts, as in parsers */
    size_t matched;        /* how far the walk is along the path */
};

/* Exactly one JSON text, white space around it. Errors: PROTOCOL, with the offset; LIMIT for a depth
 * over JSONVAL_DEPTH. */
int jsonpick_pick(const char *bytes, size_t len, struct jsonpick_pick *picks, size_t count,
                  struct err *err) MUST_CHECK;

/* The same, but it ends as soon as each pick has a value: if a key occurs twice, the first value counts, and
 * the rest is not read. Use it if only a member near the beginning is needed. */
int jsonpick_first(const char *bytes, size_t len, struct jsonpick_pick *picks, size_t count,
                   struct err *err) MUST_CHECK;

/* The same for a text that may be cut off anywhere: only values that are complete before its end are picked,
 * and none that stand after something malformed. */
void jsonpick_head(const char *bytes, size_t len, struct jsonpick_pick *picks, size_t count);

/* The value of a member of the text's object, with everything that follows it, since the text may be cut off
 * within the value. `at` is NULL if there is none. */
struct jsonpick jsonpick_rest(const char *bytes, size_t len, const char *member);

/* The string that was picked. The caller frees it; NULL if the value is not a string. */
char *jsonpick_string(const struct jsonpick *value);
/* The same, but "" if the value is not a string. The caller frees it. */
char *jsonpick_string_or_empty(const struct jsonpick *value);
bool jsonpick_is(const struct jsonpick *value, const char *string);
/* fallback if it is not an integer, or one of more than 18 bytes. */
int64_t jsonpick_int(const struct jsonpick *value, int64_t fallback);
/* Moves *element, which begins as {0}, to the next element of an array that was picked. Returns false if
 * there are no more. */
bool jsonpick_next(const struct jsonpick *array, struct jsonpick *element);

#endif
