/*
 * jsontree: the tree of a JSON text (json-c), for texts as API servers write them. Pure.
 *
 * json-c's own parser copies every text byte by byte, which is most of its time. This one takes whole runs
 * of bytes, and takes usual texts only: no fractions, no numbers of more than 18 digits, no surrogates, no
 * more than JSONTREE_DEPTH levels. All other texts, and malformed ones, are left to json-c's parser
 * (jsonval). If this parser takes a text, json-c's makes the same tree of it. jsontree_write is the way
 * back.
 *
 *     if (!jsontree_parse(bytes, len, &tree)) ... parse it with json-c ...
 */
#ifndef CLIENT_TEXT_JSONTREE_H
#define CLIENT_TEXT_JSONTREE_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

#include "client/base/buf.h"

enum { JSONTREE_DEPTH = 32 };

/* Parses exactly one object or array, with white space around it. Returns false if the text must be parsed by
 * json-c. The caller owns *out and puts it with json_object_put. */
bool jsontree_parse(const char *bytes, size_t len, struct json_object **out);

/* Appends the tree as JSON without white space, NULL as null. json-c's own writer copies byte by byte, and
 * keeps the text with the tree. Bytes that are not UTF-8 become U+FFFD, as Go writes them. */
void jsontree_write(struct buf *b, struct json_object *json);

/* Separates an element from the one before it, if there is one, in a list that the text has begun. */
void jsontree_begin_element(struct buf *b);
/* The same of a member, whose name is written. */
void jsontree_begin_member(struct buf *b, const char *name);

#endif
