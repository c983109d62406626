/*
 * yamlhints: hints for texts that YAML reads differently than their author probably meant. Pure.
 *
 *     hint = yamlhints_of_value(&place, &refusals->items[0]);
 */
#ifndef CMD_KUBECTL_VAPCHECK_INPUT_YAMLHINTS_H
#define CMD_KUBECTL_VAPCHECK_INPUT_YAMLHINTS_H

#include "client/text/yaml.h"
#include "cmd/kubectl-vapcheck/output/output.h"
#include "typecheck/text.h"

/* The text from the beginning of a line on, counted from 1; at the end, if it has no such line. */
struct str yamlhints_from_line(struct str text, size_t number);

/* The meaning of libyaml's message about a place, in plain words; the message itself if it is plain enough.
 * The caller frees it. advice: what to do about it, "quote it"; NULL if the meaning says it. */
char *yamlhints_translate(struct str text, struct yaml_place where, const char *message, const char **advice);

/* A hint for an error of the YAML parser at a place; NULL if there is none. */
const char *yamlhints_of_text(struct str text, struct yaml_place where, const char *message);

/* A hint for a refusal of a field's value; NULL if there is none. */
const char *yamlhints_of_value(const struct output_place *place, const struct fielderror *error);

#endif
