/*
 * flags_man: texts and flags of a program as a man page has them (man(7), roff).
 *
 *     print_raw(out, ".SH OPTIONS\n");
 *     flags_man_row(&row, row.help, out);
 */
#ifndef CMD_FLAGS_FLAGS_MAN_H
#define CMD_FLAGS_FLAGS_MAN_H

#include <stdio.h>

#include "cmd/flags/flags.h"

/* Prints text so that nothing in it is a command of roff, and each dash is a dash. */
void flags_man_text(const char *text, FILE *out);

/* Prints an entry for a flag: its letter, its name, its value, and the text below. */
void flags_man_row(const struct flags_row *row, const char *text, FILE *out);

#endif
