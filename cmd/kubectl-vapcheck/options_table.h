/*
 * options_table: all flags of kubectl vapcheck's commands, in one table: how each is read, and its text in
 * --help, in the completion of shells and in the man page.
 */
#ifndef CMD_KUBECTL_VAPCHECK_OPTIONS_TABLE_H
#define CMD_KUBECTL_VAPCHECK_OPTIONS_TABLE_H

#include "cmd/flags/flags.h"

/* The commands of a row; a command of none of these has only --help. */
enum {
    OPTIONS_CHECK = 1,
    OPTIONS_STATUS = 2,
    OPTIONS_DUMP = 4,
    OPTIONS_OTHERS = 8,
    OPTIONS_UPGRADE = 16,
    OPTIONS_EXPLAIN = 32,
    OPTIONS_CRD = 64,
    OPTIONS_LSP = 128,
    OPTIONS_TEST = 256,
    OPTIONS_AUDIT = 512,
    OPTIONS_INIT = 1024
};

/* Values that completion knows, in a row's `allowed`. */
#define OPTIONS_FILES       "@file"
#define OPTIONS_DIRECTORIES "@directory"
#define OPTIONS_FINDINGS    "@finding"
#define OPTIONS_VERSIONS    "@version"

/* All rows; flags_has says which rows a command has. */
extern const struct flags_table options_table;

/* Visits the words that are allowed as a flag's value, if they are a known list. Files and directories are
 * not visited. */
void options_table_visit_values(const struct flags_row *row, void (*visit)(void *user, const char *word),
                                void *user);

struct options;
/* Sets the option that the text of --fail-on names. Errors: INVALID, it names none. */
int options_table_read_fail_on(struct options *options, const char *text, struct err *err) MUST_CHECK;

#endif
