/*
 * caret: the place in the YAML that an issue is about.
 *
 * An issue names line and column of its expression; in the file the
 * expression may be quoted, folded or indented. The first issue of a text
 * counts: "... ERROR: <input>:1:7: undefined field 'replicas'".
 */
#ifndef CMD_KUBECTL_VAPCHECK_OUTPUT_CARET_H
#define CMD_KUBECTL_VAPCHECK_OUTPUT_CARET_H

#include <stdio.h>

#include "cmd/kubectl-vapcheck/output/output.h"

/* Where the text's first issue stands; the field's place if it has none. A refusal is about the
 * expression as the server compiles it, which may have lost white space. */
struct yaml_place caret_of_warning(const struct output_place *place, const char *field, const char *text);
struct yaml_place caret_of_refusal(const struct output_place *place, const char *field, const char *text);

/* The file's line with its number, and a caret below the place. */
void caret_print(const struct output_place *place, struct yaml_place where, FILE *out);
/* The same as a text, which the caller frees. */
char *caret_text(const struct output_place *place, struct yaml_place where);

#endif
