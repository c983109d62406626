/*
 * yaml_text: prepares a text as kubectl does before its YAML parser reads it. Pure.
 *
 * JSON has escapes that YAML does not have, and JSON objects may follow one another
 * without a separator. Each document may begin with a byte order mark, as in files
 * of Windows that were joined. Lines may end in CR CR LF.
 *
 *     len = yaml_text_prepare(text, len);
 *     for (size_t at = 0, end; at < len; at = end) {
 *         end = yaml_text_part(text, len, &at);
 *         parse(text + at, end - at);
 *     }
 */
#ifndef CLIENT_TEXT_YAML_TEXT_H
#define CLIENT_TEXT_YAML_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Returns true if nothing is to be rewritten, as in most texts. */
bool yaml_text_is_prepared(const char *text, size_t len);
/* Rewrites the text in place and ends it with a NUL; returns its new length. */
size_t yaml_text_prepare(char *text, size_t len);

/* The end of the part that begins at *at. *at moves over a byte order mark. */
size_t yaml_text_part(const char *text, size_t len, size_t *at);

#endif
