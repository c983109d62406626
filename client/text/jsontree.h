/*
 * jsontree: the tree of a JSON text (json-c), for texts as API servers write them. Pure.
 *
 * json-c's own parser copies every text byte by byte, which is most of its time.
 * This one takes whole runs of bytes, and takes usual texts only: no fractions, no
 * numbers of more than 18 digits, no surrogates, no more than JSONTREE_DEPTH levels.
 * The rest, and all that is malformed, it leaves to json-c's parser (jsonval), which
 * makes the same tree of what this one takes.
 *
 *     if (!jsontree_parse(bytes, len, &tree)) ... parse it with json-c ...
 */
#ifndef CLIENT_TEXT_JSONTREE_H
#define CLIENT_TEXT_JSONTREE_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

enum { JSONTREE_DEPTH = 32 };

/* Of exactly one object or array, with white space around it. False: it is left to json-c. The caller owns
 * *out and puts it with json_object_put. */
bool jsontree_parse(const char *bytes, size_t len, struct json_object **out);

#endif
