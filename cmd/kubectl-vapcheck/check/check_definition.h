/*
 * check_definition: kubectl vapcheck check of CustomResourceDefinitions, and of
 * the CompositeResourceDefinitions from which Crossplane makes them.
 */
#ifndef CMD_KUBECTL_VAPCHECK_CHECK_CHECK_DEFINITION_H
#define CMD_KUBECTL_VAPCHECK_CHECK_CHECK_DEFINITION_H

#include "cmd/kubectl-vapcheck/check/checkrun.h"

/* Returns true if there is something to check: it has rules, or the server warns about it. */
bool check_definition_is_ours(const struct checkrun *run, const struct manifest_object *object);
/* Judges a CustomResourceDefinition of a large text (manifest.h), and checks it if it may be clean. user: a
 * struct checkrun. */
enum manifest_verdict check_definition_judge(void *user, const struct yaml_node *root, bool may_be_clean);
/* Adds the definition to those with which other objects are checked; other kinds are ignored. */
void check_definition_add(struct checkrun *run, const char *file, const struct manifest_object *object);
/* Checks and reports the definition; skips objects with nothing to check, and released ones. */
void check_definition(struct checkrun *run, const struct output_place *place,
                      const struct manifest_object *object);

#endif
