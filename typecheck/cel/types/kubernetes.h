/*
 * kubernetes: the differences between the releases of Kubernetes, as feature flags: the rows of features.def
 * that are about Kubernetes. Those about cel-go are in celgo.h.
 *
 *     if (kubernetes_in(server_minor).shows_json) ...
 */
#ifndef TYPECHECK_CEL_TYPES_KUBERNETES_H
#define TYPECHECK_CEL_TYPES_KUBERNETES_H

#include <limits.h>
#include <stdbool.h>

#define CEL_GO_FLAG(name, first, last)

struct kubernetes {
#define KUBERNETES_FLAG(name, first, last)     bool name;
#define FEATURE(name, of, first, last, reason) of##_FLAG(name, first, last)
#include "typecheck/cel/types/features.def"
#undef KUBERNETES_FLAG
};

/* The flags of Kubernetes 1.`minor`, or of the newest release if `minor` is 0. Only those that the caller
 * reads are computed. */
static inline struct kubernetes kubernetes_in(int minor)
{
    enum { FIRST = 0, NOW = INT_MAX };
    const int release = minor == 0 ? FEATURES_NEWEST_RELEASED_KUBERNETES : minor;
    return (struct kubernetes){
#define KUBERNETES_FLAG(name, first, last)     .name = release >= (first) && release <= (last),
#define FEATURE(name, of, first, last, reason) of##_FLAG(name, first, last)
#include "typecheck/cel/types/features.def"
#undef KUBERNETES_FLAG
    };
}

#undef CEL_GO_FLAG

#endif
