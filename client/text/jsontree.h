/*
 * jsontree: the tree of a JSON text (json-c), for texts as API servers write them. Pure.
 *
 * json-c's own parser copies every text byte by byte, which is most of its time.
 * This one takes whole runs of bytes, and takes usual texts only: no fractions, no
 * numbers of more than 18 digits, no surrogates, no more than JSONTREE_DEPTH levels.
 * All other texts, and malformed ones, are left to json-c's parser (jsonval). For a
 * text that this parser takes, json-c's makes the same tree.
 *
 *     if (!jsontree_parse(bytes, len, &tree)) ... parse it with json-c ...
 */
#ifndef CLIENT_TEXT_JSONTREE_H
#define CLIENT_TEXT_JSONTREE_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

enum { JSONTREE_DEPTH = 32 };

/* Parses exactly one object or array, with white space around it. False: it is left to json-c. The caller
 * owns *out and puts it with json_object_put. */
bool jsontree_parse(const char *bytes, size_t len, struct json_object **out);

#endif
