/*
 * options: the flags of kubectl vapcheck check.
 *
 *     struct options o;
 *     int answer = options_read(argc, argv, &o);
 *     ... options_deinit(&o);
 */
#ifndef CMD_KUBECTL_VAPCHECK_OPTIONS_H
#define CMD_KUBECTL_VAPCHECK_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "client/auth/config.h"
#include "cmd/kubectl-vapcheck/input/bundles.h"
#include "cmd/kubectl-vapcheck/output/output.h"
#include "controller/check/types.h"

enum options_fail_on { OPTIONS_FAIL_ON_WARNING, OPTIONS_FAIL_ON_UNCHECKED, OPTIONS_FAIL_ON_NEVER };

struct options {
    const char **files; /* as given, with -f or without; the strings are argv's */
    size_t n_files;
    bool is_recursive;
    const char *schemas;         /* NULL: the bundle's */
    const struct bundle *bundle; /* of --kube-version, or the newest */
    bool is_live;                /* --cluster */
    struct config_source cluster;
    output_make *make_output;
    enum options_fail_on fail_on;
    struct types_options types;
};

/* Returns 0 to go on, 1 when --help was served, -1 for bad flags, which stderr was told of.
 * The caller ends with options_deinit, whatever the answer. */
int options_read(int argc, char **argv, struct options *out);
void options_deinit(struct options *options);

#endif
