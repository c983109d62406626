/*
 * celgo: the differences between the releases of cel-go, as feature flags: the rows of features.def that are
 * about cel-go.
 *
 * Every Kubernetes server is built with one release of cel-go. The meaning of an
 * expression depends on it, and on the compatibility level of functions (env.h).
 * Both are needed, because vendors put newer releases into older servers.
 *
 *     env = env_new(level, celgo_in(server_minor));
 */
#ifndef TYPECHECK_CEL_TYPES_CELGO_H
#define TYPECHECK_CEL_TYPES_CELGO_H

#include <stdbool.h>

#include "typecheck/base/unicode.h"

struct celgo {
    int release; /* N of 0.N */
#define KUBERNETES_FLAG(name)
#define CEL_GO_FLAG(name)                      bool name;
#define FEATURE(name, of, first, last, reason) of##_FLAG(name)
#include "typecheck/cel/types/features.def"
#undef KUBERNETES_FLAG
#undef CEL_GO_FLAG
};

/* The releases 0.N that are known. */
#define CELGO_OLDEST FEATURES_OLDEST_CEL_GO
#define CELGO_NEWEST FEATURES_NEWEST_CEL_GO

/* The flags of release 0.`release`. */
struct celgo celgo_of(int release);

/* The edition of Unicode of the Go with which servers of this release are built. */
enum unicode_edition celgo_unicode(const struct celgo *c);

/* The flags of the release in Kubernetes 1.`minor`; for an unknown minor those of the newest. */
struct celgo celgo_in(int minor);

#endif
