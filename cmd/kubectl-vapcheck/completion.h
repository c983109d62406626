/*
 * completion: what shells offer while a command line is typed, from the tables of commands and flags.
 *
 * For kubectl and for the scripts of zsh and fish the program itself answers, as programs made with cobra do:
 * `kubectl-vapcheck __complete WORD...` completes the last word, prints a candidate a line with what it is
 * behind a tab, and last a colon with a number that says whether names of files fit, too.
 *
 *     if (!completion_print(shell, stdout)) ...
 *     completion_answer(words, count, stdout);
 */
#ifndef CMD_KUBECTL_VAPCHECK_COMPLETION_H
#define CMD_KUBECTL_VAPCHECK_COMPLETION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* "bash, fish, kubectl, zsh" */
extern const char completion_shells[];

/* The script of a shell; of "kubectl": the program kubectl_complete-vapcheck. False: there is none. */
bool completion_print(const char *shell, FILE *out);

/* words: what is typed behind the program's name; the last may be "". */
void completion_answer(char *const *words, size_t count, FILE *out);

#endif
