/*
 * k8slib: the functions of Kubernetes' own CEL libraries, and their types.
 *
 * Tables in the order in which the checker tries overloads. `since` is the
 * IntroducedVersion of k8s.io/apiserver/pkg/cel/environment/base.go.
 */
#ifndef TYPECHECK_TYPES_K8SLIB_H
#define TYPECHECK_TYPES_K8SLIB_H

#include "typecheck/types/decl.h"

extern const struct decl_type k8slib_types[];
extern const struct decl k8slib_decls[];
extern const struct decl k8slib_mutation_decls[]; /* only mutations have them */

#endif
