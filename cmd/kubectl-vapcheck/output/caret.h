/*
 * caret: shows the place of an issue in the YAML file.
 *
 * An issue names line and column of its expression; in the file the
 * expression may be quoted, folded or indented. The first issue of a text
 * counts: "... ERROR: <input>:1:7: undefined field 'replicas'".
 */
#ifndef CMD_KUBECTL_VAPCHECK_OUTPUT_CARET_H
#define CMD_KUBECTL_VAPCHECK_OUTPUT_CARET_H

#include <stdio.h>

#include "cmd/kubectl-vapcheck/output/output.h"

/* The place of the text's first issue; if it has none, the place of the field. Places in a refusal count in
 * the expression as the server compiles it, often without its outer white space. */
struct yaml_place caret_of_warning(const struct output_place *place, const char *field, const char *text);
struct yaml_place caret_of_refusal(const struct output_place *place, const char *field, const char *text);

/* Prints the file's line with its number, and a caret below the place. */
void caret_print(const struct output_place *place, struct yaml_place where, FILE *out);
/* The same as a text, which the caller frees. */
char *caret_text(const struct output_place *place, struct yaml_place where);

#endif
