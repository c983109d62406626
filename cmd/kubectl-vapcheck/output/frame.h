/*
 * frame: a line of a file as people see it, with its number, and a part of it underlined.
 *
 *        |
 *     16 |   - expression: object.replicas <= 5
 *        |                        ^^^^^^^^ fix: spec.replicas
 *
 * Tabs are spaces, hidden characters are spelled, and wide characters count twice. On a terminal the line is
 * cut to the terminal's width around the part.
 */
#ifndef CMD_KUBECTL_VAPCHECK_OUTPUT_FRAME_H
#define CMD_KUBECTL_VAPCHECK_OUTPUT_FRAME_H

#include <stdbool.h>
#include <stdio.h>

#include "client/text/yaml.h"
#include "cmd/kubectl-vapcheck/output/style.h"

struct frame {
    unsigned number; /* of the line */
    char *line;      /* without the white space at its end; of a very long one the surroundings of the part */
    size_t at, width;                 /* of the part, in columns of the line; width is 1 at least */
    bool is_cut_before, is_cut_after; /* the line goes on there */
};

/* end: the place behind the part, on any line, or `at` if that is not known. The frame has texts of its
 * own. */
void frame_init(struct frame *frame, struct yaml *yaml, struct yaml_place at, struct yaml_place end);
/* The same of a line that is not parsed; at counts from its first character. */
void frame_init_line(struct frame *frame, const char *line, struct yaml_place at);
void frame_deinit(struct frame *frame);
/* label: one line after the underline; NULL: none. has_seen: the line stands above, and is not printed again
 * if all of it fits. color: of the underline, with its label. Returns whether the whole line is seen. */
bool frame_print(const struct frame *frame, const char *label, bool has_seen, const char *color,
                 const struct style_sequences *style, FILE *out);
/* The columns of the line's number. */
int frame_margin(const struct frame *frame);
/* Returns true if the label stands after the underline within the width of the terminal, or of a usual
 * line. */
bool frame_fits(const struct frame *frame, const char *label, const struct style_sequences *style);

#endif
