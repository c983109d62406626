/*
 * crd_fit: finds errors in a custom resource that keep the API server from evaluating its rules.
 *
 * k8s.io/apiextensions-apiserver/pkg/registry/customresource/strategy.go, hasBlockingErr: a field that is
 * missing, a value that is in no enum, and what is too long. Other errors of the schema are not looked for,
 * and neither is what stands in anyOf, oneOf and not.
 */
#ifndef TYPECHECK_POLICY_CRDRULES_CRD_FIT_H
#define TYPECHECK_POLICY_CRDRULES_CRD_FIT_H

#include "typecheck/cel/interpreter/values/value.h"

/* "spec.size is required"; empty: nothing. schema: its JSON. */
struct str crd_fit_problem(struct arena *a, const struct value *v, const struct value *schema);

#endif
