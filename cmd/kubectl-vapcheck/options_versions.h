/*
 * options_versions: versions of Kubernetes as flags name them: "1.36", "v1.36.2+k3s1", "1.30-1.37".
 */
#ifndef CMD_KUBECTL_VAPCHECK_OPTIONS_VERSIONS_H
#define CMD_KUBECTL_VAPCHECK_OPTIONS_VERSIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/base/err.h"
#include "cmd/kubectl-vapcheck/input/bundles.h"

/* Finds one version. If it returns NULL, err names those that exist. */
const struct bundle *options_versions_find(const char *text, struct err *err) MUST_CHECK;

/* "1.36", "1.30-1.37", "1.30,1.36-1.37": adds them to a set, in which each of bundles has a bit. */
int options_versions_read(const char *text, uint32_t *versions, struct err *err) MUST_CHECK;

/* The newest version that is released. */
const struct bundle *options_versions_default(void);

/* Returns true if the version, or one of the set, is not released. */
bool options_versions_is_beta(const struct bundle *bundle);
bool options_versions_has_beta(uint32_t versions);
#define OPTIONS_VERSIONS_BETA "Kubernetes 1.38 is a beta: what is said of it is by v1.38.0-beta.0"

/* The oldest version of a set that is not empty. */
const struct bundle *options_versions_oldest(uint32_t versions);
size_t options_versions_count(uint32_t versions);

#endif
