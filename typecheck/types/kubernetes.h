/*
 * kubernetes: the differences between the releases of Kubernetes, as feature flags: the rows of features.def
 * that are about Kubernetes. Those about cel-go are in celgo.h.
 *
 *     if (kubernetes_in(server_minor).shows_json) ...
 */
#ifndef TYPECHECK_TYPES_KUBERNETES_H
#define TYPECHECK_TYPES_KUBERNETES_H

#include <stdbool.h>

struct kubernetes {
#define KUBERNETES_FLAG(name) bool name;
#define CEL_GO_FLAG(name)
#define FEATURE(name, of, first, last, reason) of##_FLAG(name)
#include "typecheck/types/features.def"
#undef KUBERNETES_FLAG
#undef CEL_GO_FLAG
};

/* The flags of Kubernetes 1.`minor`; 0: of the newest that is released. */
struct kubernetes kubernetes_in(int minor);

#endif
