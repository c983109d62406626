/*
 * groupversion: an API group and one of its versions: "apps/v1", or "v1" for the core group. Pure.
 */
#ifndef CLIENT_BASE_GROUPVERSION_H
#define CLIENT_BASE_GROUPVERSION_H

#include <stdbool.h>
#include <stddef.h>

struct groupversion {
    char *group;         /* "" is the core group */
    const char *version; /* borrowed: the end of the text */
    bool is_malformed;   /* the version has a slash */
};

#define cleanup_groupversion __attribute__((cleanup(groupversion_deinit)))

/* Splits text at its first slash. The caller deinits the result. */
struct groupversion groupversion_split(const char *text);
void groupversion_deinit(struct groupversion *gv);

/* "api/v1" or "apis/apps/v1" into out; returns 0, or -1 if it does not fit. */
int groupversion_path(const char *group, const char *version, char *out, size_t cap_bytes);

#endif
