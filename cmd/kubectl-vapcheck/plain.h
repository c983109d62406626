/*
 * plain: text of a file, made fit for a terminal. Pure.
 *
 * Whoever wrote the file must not move the cursor, recolour or rename the
 * window of whoever checks it: C0, DEL and C1 control characters become
 * visible ("\x1b"), as do bytes that are not UTF-8; only line feed stays.
 * Each format has its own way to say that.
 */
#ifndef CMD_KUBECTL_VAPCHECK_PLAIN_H
#define CMD_KUBECTL_VAPCHECK_PLAIN_H

#include <stdbool.h>

/* The caller frees it with mem_free. */
char *plain_text(const char *text);
/* The same in one line: a line feed becomes visible, too. */
char *plain_line(const char *text);
/* JSON text as json-c writes it: what it leaves of such characters in strings is escaped. */
char *plain_json(const char *json);
/* As an XML 1.0 attribute's value or text: a line feed is a reference. */
char *plain_xml(const char *text);
/* As the message of a GitHub workflow command, or as one of its properties. */
char *plain_github(const char *text, bool is_property);

#endif
