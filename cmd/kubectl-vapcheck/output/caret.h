/*
 * caret: finds the place of an issue in the YAML file.
 *
 * An issue names a part of its expression; in the file the expression may be
 * quoted, folded or indented.
 */
#ifndef CMD_KUBECTL_VAPCHECK_OUTPUT_CARET_H
#define CMD_KUBECTL_VAPCHECK_OUTPUT_CARET_H

#include "cmd/kubectl-vapcheck/output/output.h"

/* A part of the file. */
struct extent;

struct caret_span {
    struct yaml_place at, end; /* its start; the place after it, on any line, or `at` if that is not known */
};

/* An issue of the field's expression; the field if the issue has no place. Places in a refusal count in the
 * expression as the server compiles it, often without its outer white space. */
struct caret_span caret_of_warning(const struct output_place *place, const char *field,
                                   const struct extent *issue);
/* The expression as the server compiles it, in which it counts; borrowed. */
struct str caret_expression(const struct output_place *place, const char *field);
struct caret_span caret_of_refusal(const struct output_place *place, const char *field,
                                   const struct extent *issue);
/* The part of its expression that the error is about, or its field. */
struct caret_span caret_of_error(const struct output_place *place, const struct fielderror *error);

#endif
