/*
 * options: the flags of kubectl vapcheck's commands, in one table.
 *
 *     struct options o;
 *     int answer = options_read("check", argc, argv, &o);
 *     ... options_deinit(&o);
 */
#ifndef CMD_KUBECTL_VAPCHECK_OPTIONS_H
#define CMD_KUBECTL_VAPCHECK_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "client/auth/config.h"
#include "cmd/flags/flags.h"
#include "cmd/kubectl-vapcheck/input/bundles.h"
#include "cmd/kubectl-vapcheck/output/output.h"
#include "controller/check/types.h"

/* The commands of a row; a command of none of these has only --help. */
enum { OPTIONS_CHECK = 1, OPTIONS_STATUS = 2, OPTIONS_DUMP = 4, OPTIONS_OTHERS = 8 };

enum options_fail_on { OPTIONS_FAIL_ON_WARNING, OPTIONS_FAIL_ON_UNCHECKED, OPTIONS_FAIL_ON_NEVER };
enum options_form { OPTIONS_FORM_TABLE, OPTIONS_FORM_WIDE, OPTIONS_FORM_JSON, OPTIONS_FORM_YAML };

struct options {
    struct config_source cluster;
    /* check */
    const char **files; /* as given, with -f or without; the strings are argv's */
    size_t n_files;
    bool is_recursive;
    const char *schemas;         /* NULL: the bundle's */
    const struct bundle *bundle; /* of --kube-version, or the newest */
    bool is_live;                /* --cluster */
    output_make *make_output;
    enum options_fail_on fail_on;
    struct types_options types;
    /* status */
    enum options_form form;
    bool is_watch;
    /* status, dump */
    char **names; /* what is no flag */
    size_t n_names;

    bool is_help;
};

/* Values that completion knows, in a row's `allowed`. */
#define OPTIONS_FILES       "@file"
#define OPTIONS_DIRECTORIES "@directory"

/* All rows; which of them a command has flags_has says. */
extern const struct flags_table options_table;

/* Returns 0 to go on, 1 when --help was served, -1 for bad flags, reported on stderr.
 * The caller ends with options_deinit, whatever the answer. */
int options_read(const char *command, int argc, char **argv, struct options *out);
void options_deinit(struct options *options);

#endif
