/*
 * plain: makes texts that others wrote safe for terminals, logs and output formats. Pure.
 *
 * The author of a policy, the name of a file or the answer of a server must not move the cursor, recolour
 * the terminal, rename its window, reverse the direction of a line or hide a letter. Therefore control
 * characters (C0, DEL, C1), marks of direction, invisible characters (zero width, fillers, tags) and bytes
 * that are not UTF-8 become visible: "\x1b", "\u202e". In JSON, XML and GitHub's commands, a part of a line
 * that a CI system reads as a command (cicommand.h) becomes visible, too. The log, the messages of both
 * programs and every output format use these functions; each format has its own spelling.
 *
 *     cleanup_mem char *name = plain_line(policy->name);
 */
#ifndef CLIENT_BASE_PLAIN_H
#define CLIENT_BASE_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* TEXT: "\x1b", "\u202e", "\U000e0041", which a double-quoted YAML scalar reads as well.
 * JSON: "\u001b", "\u202e", a surrogate pair. */
enum plain_form { PLAIN_TEXT, PLAIN_JSON };

enum { PLAIN_SPELLED_BYTES = 13 }; /* the longest, a surrogate pair, and a NUL */

/* Returns true if the character must not be printed as it is. A line feed is such a character. */
bool plain_is_hidden(uint32_t code);
/* Returns true if the text has such a character, or a byte that is not UTF-8. */
bool plain_has_hidden(const char *text);

/* Writes how the character is shown; returns the length. */
size_t plain_spell(uint32_t code, enum plain_form form, char out[PLAIN_SPELLED_BYTES]);

/* Several lines: line feeds stay. Here and below: the caller frees it with mem_free. */
char *plain_text(const char *text);
/* One line: a line feed becomes visible, too. */
char *plain_line(const char *text);
/* JSON text as json-c writes it, in which json-c left some hidden characters: they are escaped. NULL: there
 * are none, and the text, which can have tens of megabytes, may be printed as it is. */
char *plain_json(const char *json);
/* The text as the value of an XML 1.0 attribute, or as XML text: a line feed is a reference. */
char *plain_xml(const char *text);
/* The text as the message of a GitHub workflow command, or as one of its properties. */
char *plain_github(const char *text, bool is_property);
/* The text of a SARIF message, where "[words](target)" would be a link. The caller still makes it a JSON
 * string. */
char *plain_sarif(const char *text);

/* Returns how many bytes from here on are printable ASCII that no format escapes: neither a quotation mark
 * nor a backslash is among them. */
size_t plain_run(const char *text, size_t len);

#endif
