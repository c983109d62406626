/*
 * crdconditions: the findings of the check of a CustomResourceDefinition, as
 * conditions (conditions.h): RulesChecked and RulesValid. Pure.
 */
#ifndef CONTROLLER_APISERVER_CRD_CRDCONDITIONS_H
#define CONTROLLER_APISERVER_CRD_CRDCONDITIONS_H

#include "controller/apiserver/crd/crdrules.h"
#include "controller/findings/conditions.h"

/* The messages belong to out; the caller calls conditions_deinit. */
void crdconditions_init(struct conditions *out, const struct crdrules *found);
/* The same for a definition that could not be checked at all, and why: "it has too many fields". */
void crdconditions_init_unread(struct conditions *out, const char *why);

#endif
