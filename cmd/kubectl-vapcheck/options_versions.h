/*
 * options_versions: versions of Kubernetes as flags name them: "1.36", "v1.36.2+k3s1", "1.30-1.37".
 */
#ifndef CMD_KUBECTL_VAPCHECK_OPTIONS_VERSIONS_H
#define CMD_KUBECTL_VAPCHECK_OPTIONS_VERSIONS_H

#include <stddef.h>
#include <stdint.h>

#include "client/base/err.h"
#include "cmd/kubectl-vapcheck/input/bundles.h"

/* Finds one version; NULL: err names those that exist. */
const struct bundle *options_versions_find(const char *text, struct err *err) MUST_CHECK;

/* "1.36", "1.30-1.37", "1.30,1.36-1.37": adds them to a set, in which each of bundles has a bit. */
int options_versions_read(const char *text, uint32_t *versions, struct err *err) MUST_CHECK;

/* The oldest version of a set that is not empty. */
const struct bundle *options_versions_oldest(uint32_t versions);
size_t options_versions_count(uint32_t versions);

#endif
