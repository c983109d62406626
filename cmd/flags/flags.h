/*
 * flags: the flags of a program as one table. The table reads the command line,
 * and the text of --help is made from it, so that both always agree.
 *
 * A value comes from the flag, else from the environment variable (unless it is
 * empty), else from the default. The row's parser reads it.
 *
 *     static const struct flags_row rows[] = {
 *         {.name = "context", .value = "NAME", .help = "the kubeconfig's context",
 *          .parse = flags_text, .offset = offsetof(struct options, context)}, ...
 *     };
 *     if (flags_read(&table, &options, argc, argv, &err) != 0) ...
 *     while (optind < argc) take(argv[optind++]);
 */
#ifndef CMD_FLAGS_FLAGS_H
#define CMD_FLAGS_FLAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "client/base/err.h"

struct flags_row;

/* source is how the user knows the flag: "--context", "$VAPCHECK_CONTEXT". text is borrowed for the life of
 * what it is parsed into. Returns 0 to go on, 1 to read no further, -1 for a wrong value: err is set
 * (INVALID, beginning with the source), or left to the table's on_refused. */
typedef int flags_parser(void *options, const struct flags_row *row, const char *source, const char *text,
                         struct err *err);

struct flags_row {
    const char *name;  /* "filename": --filename; NULL: the letter alone */
    const char *value; /* "FILE"; NULL: a flag alone, parsed as "true"; "[BOOL]": may have =true, =false */
    const char *environment; /* the variable that can replace the flag; NULL if there is none */
    const char *fallback;    /* the default; NULL: none */
    const char *shown;       /* the help's words for a default that is no value */
    const char *allowed;     /* "1 to 1000"; of flags_choice its words: "text, json". NULL: any text */
    const char *help;        /* lower case, no full stop; NULL: not shown */
    flags_parser *parse;
    size_t offset;     /* of what generic parsers set */
    long most;         /* of counts and durations in ms */
    unsigned commands; /* the commands that have the flag, a bit each; 0: all */
    char letter;       /* 'f': -f; '\0': none */
};

enum { FLAGS_ROWS_MAX = 64 };

enum flags_fault { FLAGS_UNKNOWN, FLAGS_UNKNOWN_LETTER, FLAGS_LACKS_VALUE, FLAGS_HAS_VALUE };

struct flags_table {
    const struct flags_row *rows;
    size_t count;
    unsigned command; /* whose rows are meant; 0: all */
    /* Both set err, in the program's own words: for an argument that the table does not allow (getopt's
     * optopt is the letter), and for a value that is not allowed. */
    void (*on_fault)(const struct flags_table *table, enum flags_fault fault, const char *argument,
                     struct err *err);
    void (*on_refused)(const struct flags_row *row, const char *source, const char *text, struct err *err);
};

/* Reads the command line. Returns 0 at the end of the flags (getopt's optind is at what follows them), 1 if a
 * parser ended the reading, -1 for an error. */
int flags_read(const struct flags_table *table, void *options, int argc, char **argv,
               struct err *err) MUST_CHECK;

/* Returns true if the table's command has the row. */
bool flags_has(const struct flags_table *table, const struct flags_row *row);

/* Prints the words of text, wrapped. The line is already at `column`; further lines begin at `indent`. */
void flags_print_wrapped(FILE *out, int column, int indent, const char *text);

/* The end of a message: " (did you mean --select?)" if the argument is nearly a flag of the table's command;
 * else "". The caller frees it. */
char *flags_near_flag(const struct flags_table *table, const char *argument);
/* The same for a value that is nearly one of the row's allowed words. */
char *flags_near_word(const struct flags_row *row, const char *text);

/* The index of text among the row's allowed words; -1: none of them. */
int flags_word(const struct flags_row *row, const char *text);

/* Generic parsers, for a field at row->offset: const char *; the same, never ""; bool, true; an enum, the
 * index of an allowed word; size_t from 1 to row->most; uint64_t, a duration as Go writes it, in ms, up to
 * row->most. */
flags_parser flags_text;
flags_parser flags_name;
flags_parser flags_true;
flags_parser flags_choice;
flags_parser flags_count;
flags_parser flags_duration;

#endif
