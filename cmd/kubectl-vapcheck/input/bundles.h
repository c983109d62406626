/*
 * bundles: the schemas of Kubernetes versions that are part of the program.
 *
 * Static; embed.cmake makes the array of manifests/schemas/vVERSION.gz when
 * the program is built. Each is what clusterdump_open_bytes reads.
 */
#ifndef CMD_KUBECTL_VAPCHECK_INPUT_BUNDLES_H
#define CMD_KUBECTL_VAPCHECK_INPUT_BUNDLES_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct bundle {
    const char *kube_version; /* "1.36" */
    const unsigned char *bytes;
    size_t len;
};

/* Oldest first. The default is the newest that is released (options_versions_default); later ones are
 * versions by their beta. */
extern const struct bundle bundles[];
extern const size_t bundles_count;

/* 36 of "1.36". */
static inline int bundle_minor(const struct bundle *bundle)
{
    return (int)strtol(bundle->kube_version + strlen("1."), NULL, 10);
}

#endif
