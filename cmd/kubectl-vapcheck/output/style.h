/*
 * style: the look of the output for people: the options --color, --quiet, --verbose, --all-types and
 * --statistics, and the abilities of the terminal.
 */
#ifndef CMD_KUBECTL_VAPCHECK_OUTPUT_STYLE_H
#define CMD_KUBECTL_VAPCHECK_OUTPUT_STYLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "controller/findings/finding.h"

enum style_color { STYLE_AUTO, STYLE_ALWAYS, STYLE_NEVER };

struct style {
    enum style_color color; /* STYLE_AUTO: on a terminal, unless the environment has NO_COLOR */
    bool is_quiet;          /* only the findings */
    bool is_verbose;        /* the server's own text, too */
    bool has_statistics;    /* how many findings each identifier has */
    bool has_all_types;     /* all types by name, and not the first ones */
};

/* The control sequences for a terminal; "" without colours. */
struct style_sequences {
    const char *bold, *red, *plain;
    const char *frame;                          /* the frame around a line of a file */
    const char *severities[FINDING_ADVICE + 1]; /* by enum finding_severity */
    bool has_links;                             /* OSC 8 */
    size_t width;                               /* columns of the terminal; 0: it is no terminal */
};

/* The control sequences for stdout or stderr. */
struct style_sequences style_sequences(const struct style *style, FILE *out);

#endif
