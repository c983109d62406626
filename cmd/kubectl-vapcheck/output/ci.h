/*
 * ci: what both check and test write in the formats of CI servers: a case of JUnit XML, and a command of a
 * GitHub workflow.
 */
#ifndef CMD_KUBECTL_VAPCHECK_OUTPUT_CI_H
#define CMD_KUBECTL_VAPCHECK_OUTPUT_CI_H

#include "client/base/buf.h"
#include "client/text/yaml.h"

struct ci_case {
    const char *class, *name;
    const char *element; /* failure, error, skipped or system-out; NULL: the case passed */
    const char *message; /* NULL: it has none */
    const char *text;
};

/* Appends a testcase. */
void ci_put_case(struct buf *cases, const struct ci_case *c);

/* Prints "::warning file=p.yaml,line=3,col=5,title=p%3A spec...::text"; line 0: no place. */
void ci_print_command(const char *level, const char *file, struct yaml_place at, const char *title,
                      const char *text);

#endif
