/*
 * manual: the commands with their texts and examples, a table of static strings.
 * Together with the flags (options_table.h) it is the one source of --help, of the
 * completion of shells and of the man page.
 *
 *     manual_print_help(manual_find("check"), stdout);
 */
#ifndef CMD_KUBECTL_VAPCHECK_MANUAL_H
#define CMD_KUBECTL_VAPCHECK_MANUAL_H

#include <stddef.h>
#include <stdio.h>

struct manual_command;

/* The command with this index; NULL after the last. */
const struct manual_command *manual_at(size_t index);
const char *manual_name(const struct manual_command *command);
const char *manual_summary(const struct manual_command *command);
/* The words that its arguments can be, as in rows of flags: "bash, fish", OPTIONS_FILES; "": nothing
 * particular. */
const char *manual_words(const struct manual_command *command);

/* Returns the command with this name, or NULL if there is none. */
const struct manual_command *manual_find(const char *name);

/* The bit that stands for the command in rows of flags: OPTIONS_CHECK and so on (options_table.h). */
unsigned manual_bit(const struct manual_command *command);

/* Prints the list of commands. */
void manual_print_commands(FILE *out);
/* Prints the text of --help. */
void manual_print_help(const struct manual_command *command, FILE *out);
/* Prints the completion script for bash: `source <(kubectl-vapcheck completion bash)`. */
void manual_print_completion(FILE *out);
/* Prints the man page (roff, section 1). */
void manual_print_man(FILE *out);

#endif
