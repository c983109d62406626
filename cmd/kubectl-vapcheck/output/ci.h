/*
 * ci: a command of a GitHub workflow, which check, test and audit print.
 */
#ifndef CMD_KUBECTL_VAPCHECK_OUTPUT_CI_H
#define CMD_KUBECTL_VAPCHECK_OUTPUT_CI_H

#include "client/text/yaml.h"
#include "controller/findings/finding.h"

enum ci_level { CI_ERROR, CI_WARNING, CI_NOTICE, CI_LEVELS };

enum ci_level ci_level_of(enum finding_severity severity);
/* "error" */
const char *ci_level_name(enum ci_level level);

/* Prints "::warning file=p.yaml,line=3,endLine=3,col=5,endColumn=9,title=p%3A spec...::text"; file "": none;
 * line 0: no place; end: the place after it, or the same place if that is not known. */
void ci_print_command(const char *level, const char *file, struct yaml_place at, struct yaml_place end,
                      const char *title, const char *text);

#endif
