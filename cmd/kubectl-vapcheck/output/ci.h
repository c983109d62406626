/*
 * ci: a command of a GitHub workflow, which both check and test print.
 */
#ifndef CMD_KUBECTL_VAPCHECK_OUTPUT_CI_H
#define CMD_KUBECTL_VAPCHECK_OUTPUT_CI_H

#include "client/text/yaml.h"

/* Prints "::warning file=p.yaml,line=3,col=5,title=p%3A spec...::text"; line 0: no place. */
void ci_print_command(const char *level, const char *file, struct yaml_place at, const char *title,
                      const char *text);

#endif
