/*
 * plain: text of a file, made fit for a terminal. Pure.
 *
 * Whoever wrote the file must not move the cursor, recolour or rename the
 * window of whoever checks it: C0, DEL and C1 control characters become
 * visible ("\x1b"), as do bytes that are not UTF-8; only line feed stays.
 */
#ifndef CMD_KUBECTL_VAPCHECK_PLAIN_H
#define CMD_KUBECTL_VAPCHECK_PLAIN_H

/* The caller frees it with mem_free. */
char *plain_text(const char *text);
/* The same in one line: a line feed becomes visible, too. */
char *plain_line(const char *text);

#endif
