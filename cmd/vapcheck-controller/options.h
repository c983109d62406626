/*
 * options: the command line of vapcheck-controller.
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

#include "client/err.h"
#include "client/log.h"
#include "controller/controller.h"

struct options {
    const char *kubeconfig; /* NULL: as kubectl finds it, else in-cluster */
    const char *context;
    struct controller_options controller;
    struct labelselector *selector;
    enum log_level log_level;
    enum log_format log_format;
    bool is_help, is_version;
};

/* Strings are argv's. Errors: INVALID, naming the flag. To be deinited on success only. */
int options_parse(struct options *out, int argc, char **argv, struct err *err) MUST_CHECK;
void options_deinit(struct options *options);

void options_print_help(FILE *out);

#endif
