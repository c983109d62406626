/*
 * completion: the words that shells offer while a command line is typed, from the tables of commands and
 * flags.
 *
 * For kubectl and for the scripts of zsh and fish the program itself answers, as programs made with cobra do:
 * `kubectl-vapcheck __complete WORD...` completes the last word. It prints one candidate on each line, with a
 * tab and a description. Last it prints a colon and a number that says whether names of files are candidates,
 * too.
 *
 *     if (!completion_print(shell, stdout)) ...
 *     completion_answer(words, count, stdout);
 */
#ifndef CMD_KUBECTL_VAPCHECK_COMPLETION_H
#define CMD_KUBECTL_VAPCHECK_COMPLETION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Prints the script of a shell; for "kubectl" the program kubectl_complete-vapcheck. Returns false if there
 * is no such shell. */
bool completion_print(const char *shell, FILE *out);

/* words: those that are typed after the program's name; the last may be "". */
void completion_answer(char *const *words, size_t count, FILE *out);

#endif
