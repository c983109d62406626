/*
 * style: the options --color and --quiet of the output for people.
 */
#ifndef CMD_KUBECTL_VAPCHECK_OUTPUT_STYLE_H
#define CMD_KUBECTL_VAPCHECK_OUTPUT_STYLE_H

#include <stdbool.h>

enum style_color { STYLE_AUTO, STYLE_ALWAYS, STYLE_NEVER };

struct style {
    enum style_color color; /* STYLE_AUTO: on a terminal, unless the environment has NO_COLOR */
    bool is_quiet;          /* only the findings */
};

/* The control sequences for a terminal; "" without colours. */
struct style_sequences {
    const char *bold, *red, *plain;
};

/* The control sequences for stdout. */
struct style_sequences style_sequences(const struct style *style);

#endif
