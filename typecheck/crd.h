/*
 * crd: the rules of a CustomResourceDefinition: compiled, estimated, evaluated on a custom resource. A
 * public header.
 */
#ifndef TYPECHECK_CRD_H
#define TYPECHECK_CRD_H

#include "typecheck/policy/crdrules/crd_rule.h"
#include "typecheck/policy/crdrules/crd_run.h"

#endif
