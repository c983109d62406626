/*
 * print: the one way to stdout and stderr, beside the log's.
 *
 * What is printed of a server, a file or a flag goes through plain: a line
 * stays one line, and nothing of it reaches the terminal as a control. Texts of
 * our own, and texts that are escaped for their format's reader already, go
 * through print_raw; tests/lint/banned has the files that may call it.
 *
 *     print_line(stderr, "kubectl-vapcheck check: %s", err.msg);
 */
#ifndef CLIENT_BASE_PRINT_H
#define CLIENT_BASE_PRINT_H

#include <stdio.h>

/* One line, whatever its arguments hold, and its line feed. */
void print_line(FILE *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A part of one line. */
void print_part(FILE *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Several lines: line feeds stay. */
void print_text(FILE *out, const char *text);
/* As it is; returns how many bytes. */
int print_raw(FILE *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
