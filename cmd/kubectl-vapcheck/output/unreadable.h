/*
 * unreadable: a file that cannot be read, or the place where it cannot, on stderr.
 *
 *     error[unreadable-file]: a tab: YAML wants spaces
 *       --> manifests/a.yaml:4:1
 *       |
 *     4 | <tab>spec:
 *       | ^
 */
#ifndef CMD_KUBECTL_VAPCHECK_OUTPUT_UNREADABLE_H
#define CMD_KUBECTL_VAPCHECK_OUTPUT_UNREADABLE_H

#include "client/text/yaml.h"
#include "cmd/kubectl-vapcheck/output/style.h"

struct unreadable {
    const char *file;
    struct yaml_place where; /* line 0: the whole file */
    const char *message;
    const char *line; /* of the place, with the bytes before and behind it; NULL: it is not known */
};

/* Prints to stderr, for people; style NULL: in one line, beside an output for programs. */
void unreadable_print(const struct unreadable *u, const struct style *style);

#endif
