/*
 * jsonstring: reads the strings of JSON text, in whole runs of bytes. Pure.
 *
 *     at++; // the quote
 *     if (jsonstring_read(&at, end, false, &decoded, &content, &len)) ...
 */
#ifndef CLIENT_TEXT_JSONSTRING_H
#define CLIENT_TEXT_JSONSTRING_H

#include <stdbool.h>
#include <stddef.h>

#include "client/base/buf.h"

/*
 * Reads a string's content and moves *at from after its first quote to after its last one. The content is a
 * part of the text, or, if it has escapes, stands in *decoded until the next call. Returns false if the
 * string is malformed, has \u0000 or an escape of a surrogate, is longer than *decoded's cap, or, is_ascii,
 * holds other characters than ASCII.
 */
bool jsonstring_read(const char **at, const char *end, bool is_ascii, struct buf *decoded,
                     const char **content, size_t *len);

#endif
