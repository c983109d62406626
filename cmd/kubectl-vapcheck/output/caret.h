/*
 * caret: shows the place of an issue in the YAML file.
 *
 * An issue names line and column of its expression; in the file the
 * expression may be quoted, folded or indented.
 */
#ifndef CMD_KUBECTL_VAPCHECK_OUTPUT_CARET_H
#define CMD_KUBECTL_VAPCHECK_OUTPUT_CARET_H

#include <stdio.h>

#include "cmd/kubectl-vapcheck/output/output.h"

/* The place of an issue of the field's expression; that of the field if line or column is less than 1. Places
 * in a refusal count in the expression as the server compiles it, often without its outer white space. */
struct yaml_place caret_of_warning(const struct output_place *place, const char *field, int line, int column);
struct yaml_place caret_of_refusal(const struct output_place *place, const char *field, int line, int column);
/* The place of what the error says of its expression, or of its field. */
struct yaml_place caret_of_error(const struct output_place *place, const struct fielderror *error);

/* Prints the file's line with its number, and a caret below the place. */
void caret_print(const struct output_place *place, struct yaml_place where, FILE *out);
/* The same as a text, which the caller frees. */
char *caret_text(const struct output_place *place, struct yaml_place where);

#endif
