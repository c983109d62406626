/*
 * optiontable: a program's options as a table, which parses the command line
 * and the environment, and prints the help and its page of the manual. So what
 * is documented is what is done.
 *
 * A value comes from the flag, else from the environment variable (an empty
 * one is none), else from the default, each through the same parser.
 *
 *     if (optiontable_parse(&table, &options, argc, argv, &err) != 0) ...
 *     optiontable_print_help(&table, stdout);
 */
#ifndef CMD_VAPCHECK_CONTROLLER_OPTIONTABLE_H
#define CMD_VAPCHECK_CONTROLLER_OPTIONTABLE_H

#include <stddef.h>
#include <stdio.h>

#include "client/base/err.h"

struct optiontable_row;

/* source is how the user knows the option: "--context", "$VAPCHECK_CONTEXT"; text is borrowed for the
 * life of what is parsed into. Errors: INVALID, beginning with the source. */
typedef int optiontable_parser(void *options, const struct optiontable_row *row, const char *source,
                               const char *text, struct err *err);

struct optiontable_row {
    const char *name;  /* "context"; of one letter: "v" is -v */
    const char *value; /* "FILE"; NULL: a flag alone, parsed as "true"; "[BOOL]": may have =true, =false */
    const char *environment; /* NULL: none */
    const char *fallback;    /* the default; NULL: none */
    const char *shown;       /* what is said of the default where it is no value */
    const char *allowed;     /* "1 to 1000"; a parser of words may go by it: "text, json". NULL: any text */
    const char *help;        /* lower case, no full stop; NULL: not shown */
    optiontable_parser *parse;
    size_t offset; /* of what generic parsers set */
    long most;     /* of counts and durations in ms */
};

struct optiontable {
    const struct optiontable_row *rows;
    size_t count;
};

enum { OPTIONTABLE_ROWS_MAX = 64 };

int optiontable_parse(const struct optiontable *table, void *options, int argc, char **argv,
                      struct err *err) MUST_CHECK;

void optiontable_print_help(const struct optiontable *table, FILE *out);
/* As a table in Markdown. */
void optiontable_print_markdown(const struct optiontable *table, FILE *out);

/* The index of text among the row's allowed words; -1: none of them. */
int optiontable_word(const struct optiontable_row *row, const char *source, const char *text,
                     struct err *err);

/* Generic parsers, for a field at row->offset: const char *; the same, never ""; size_t from 1 to
 * row->most; uint64_t, a duration as Go writes it, in ms, up to row->most. */
optiontable_parser optiontable_text;
optiontable_parser optiontable_name;
optiontable_parser optiontable_count;
optiontable_parser optiontable_duration;

#endif
