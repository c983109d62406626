/*
 * manual: the commands, their flags and examples: the one source of --help,
 * of reading the flags, of the shell's completion and of the man page.
 *
 *     const struct manual_command *c = manual_find("check");
 *     while ((flag = manual_next_flag(c, argc, argv)) != MANUAL_END)
 *         switch (flag) { case MANUAL_OUTPUT: format = optarg; ... }
 *
 * A table of static strings. Flags are read with getopt_long, whose optarg
 * and optind are the caller's to use.
 */
#ifndef CMD_KUBECTL_VAPCHECK_MANUAL_H
#define CMD_KUBECTL_VAPCHECK_MANUAL_H

#include <stdio.h>

enum manual_flag {
    MANUAL_END = -1,  /* no more flags */
    MANUAL_BAD = '?', /* stderr was told */
    MANUAL_FILENAME = 256,
    MANUAL_RECURSIVE,
    MANUAL_KUBE_VERSION,
    MANUAL_SCHEMAS,
    MANUAL_CLUSTER,
    MANUAL_KUBECONFIG,
    MANUAL_CONTEXT,
    MANUAL_OUTPUT,
    MANUAL_STATUS_OUTPUT,
    MANUAL_WATCH,
    MANUAL_SCOPE,
    MANUAL_MAX_TYPES,
    MANUAL_FAIL_ON,
    MANUAL_HELP,
};

struct manual_command;

/* NULL if there is none of that name. */
const struct manual_command *manual_find(const char *name);

/* The next flag of argv, whose argument is in optarg. */
enum manual_flag manual_next_flag(const struct manual_command *command, int argc, char **argv);

/* All of it in short: the commands. */
void manual_print_commands(FILE *out);
/* What --help prints. */
void manual_print_help(const struct manual_command *command, FILE *out);
/* For bash: `source <(kubectl-vapcheck completion bash)`. */
void manual_print_completion(FILE *out);
/* roff, section 1. */
void manual_print_man(FILE *out);

#endif
