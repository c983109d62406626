/*
 * yamlhints: what an author probably meant where YAML read something else. Pure.
 *
 *     hint = yamlhints_of_value(&place, "spec.validations[0].expression", message);
 */
#ifndef CMD_KUBECTL_VAPCHECK_HINTS_YAMLHINTS_H
#define CMD_KUBECTL_VAPCHECK_HINTS_YAMLHINTS_H

#include "client/text/yaml.h"
#include "cmd/kubectl-vapcheck/output/output.h"
#include "typecheck/base/str.h"

/* What would help against an error of the parser at that place; NULL: nobody knows. */
const char *yamlhints_of_text(struct str text, struct yaml_place where, const char *message);

/* What would help against a refusal of the field's value; NULL: nobody knows. */
const char *yamlhints_of_value(const struct output_place *place, const char *field, const char *message);

#endif
