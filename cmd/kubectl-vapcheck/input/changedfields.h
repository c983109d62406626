/*
 * changedfields: the names of fields that a kind has in one of the bundled versions (bundles.h), and not in
 * another.
 *
 * Static; embed.cmake makes the array of manifests/schemas/changed-fields, which manifests/generate makes of
 * the bundles. A field of any other name is in all versions of a kind, or in none.
 */
#ifndef CMD_KUBECTL_VAPCHECK_INPUT_CHANGEDFIELDS_H
#define CMD_KUBECTL_VAPCHECK_INPUT_CHANGEDFIELDS_H

#include <stddef.h>

/* The only row: each name is behind a line feed or at the beginning, and has a line feed behind it. */
struct changedfields_row {
    const char *file;
    const unsigned char *bytes;
    size_t len;
};

extern const struct changedfields_row changedfields[];
extern const size_t changedfields_count;

#endif
