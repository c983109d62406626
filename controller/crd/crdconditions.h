/*
 * crdconditions: what the check of a CustomResourceDefinition found, as
 * conditions (conditions.h): RulesChecked and RulesValid. Pure.
 */
#ifndef CONTROLLER_CRD_CRDCONDITIONS_H
#define CONTROLLER_CRD_CRDCONDITIONS_H

#include "controller/check/conditions.h"
#include "controller/crd/crdrules.h"

/* The messages belong to out; the caller calls conditions_deinit. */
void crdconditions_init(struct conditions *out, const struct crdrules *found);

#endif
