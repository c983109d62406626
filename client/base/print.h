/*
 * print: writes to stdout and stderr. Beside the log, nothing else does.
 *
 * print_line and its kin make texts from a server, a file or a flag safe, by
 * plain.h and cicommand.h: a line stays one line, no control character reaches the
 * terminal, and no line is a command of a CI system. print_raw is for our own
 * texts, and for texts that are escaped for their output format already;
 * tests/lint/banned lists the files that may call it.
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
/* Prints the text unchanged; returns how many bytes. */
int print_raw(FILE *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The same of a text that may be long. */
int print_raw_text(FILE *out, const char *text, size_t len);
/* Prints an escape sequence unchanged; "" where the terminal has none. */
void print_sequence(FILE *out, const char *sequence);

#endif
