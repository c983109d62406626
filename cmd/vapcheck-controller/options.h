/*
 * options: the flags of vapcheck-controller, and the environment variables that can replace them.
 *
 *     struct options options;
 *     if (options_parse(&options, argc, argv, &err) != 0) ...
 *     if (options.is_help) options_print_help(stdout);
 *     options_deinit(&options);
 */
#ifndef CMD_VAPCHECK_CONTROLLER_OPTIONS_H
#define CMD_VAPCHECK_CONTROLLER_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "client/base/err.h"
#include "client/base/log.h"
#include "controller/controller.h"

struct options {
    const char *kubeconfig; /* the file; NULL for the one that kubectl finds, else the one in the cluster */
    const char *context;
    struct controller_options controller;
    struct labelselector *selector;
    enum options_election { OPTIONS_ELECTION_ON, OPTIONS_ELECTION_OFF, OPTIONS_ELECTION_IN_CLUSTER } election;
    enum log_level log_level;
    enum log_format log_format;
    bool is_help, is_help_markdown, is_help_man, is_version; /* to be printed instead of a run */
};

/* Strings are borrowed from argv and the environment. Errors: INVALID, which names the flag or the variable.
 * The caller deinits *out on success only. */
int options_parse(struct options *out, int argc, char **argv, struct err *err) MUST_CHECK;
/* Sets the options that depend on the configuration: whether there is an election, in which namespace, and
 * where the metrics are served. config is borrowed for the life of the options. */
void options_complete(struct options *options, const struct config *config);
void options_deinit(struct options *options);

void options_print_help(FILE *out);
/* The flags as a table for the manual. */
void options_print_markdown(FILE *out);
/* The man page (roff, section 8). */
void options_print_man(FILE *out);

#endif
