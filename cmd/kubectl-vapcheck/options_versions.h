/*
 * options_versions: versions of Kubernetes as flags name them: "1.36", "v1.36.2+k3s1", "1.30-1.37".
 */
#ifndef CMD_KUBECTL_VAPCHECK_OPTIONS_VERSIONS_H
#define CMD_KUBECTL_VAPCHECK_OPTIONS_VERSIONS_H

#include "client/base/err.h"
#include "cmd/kubectl-vapcheck/input/bundles.h"

/* One version; NULL: err says which there are. options.h has the functions for several. */
const struct bundle *options_versions_find(const char *text, struct err *err) MUST_CHECK;

#endif
