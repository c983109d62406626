/*
 * check_definition: kubectl vapcheck check of CustomResourceDefinitions, and of
 * the CompositeResourceDefinitions that Crossplane makes some of.
 */
#ifndef CMD_KUBECTL_VAPCHECK_CHECK_CHECK_DEFINITION_H
#define CMD_KUBECTL_VAPCHECK_CHECK_CHECK_DEFINITION_H

#include "cmd/kubectl-vapcheck/check/checkrun.h"

/* Whether there is anything to say about it: it has rules, or the server warns of it. */
bool check_definition_is_ours(const struct checkrun *run, const struct manifest_object *object);
/* What other objects are checked with; nothing of other kinds. */
void check_definition_add(struct checkrun *run, const char *file, const struct manifest_object *object);
/* Reports it; skips what is not ours, or was released. */
void check_definition(struct checkrun *run, const struct output_place *place,
                      const struct manifest_object *object);

#endif
