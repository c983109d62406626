/*
 * discovery_parse: what discovery.c needs beyond discovery.h of the parsing
 * half, discovery_parse.c. Pure.
 *
 * A discovery remembers the two documents it was made of and their ETags, so
 * that a conditional fetch of which one half is unchanged has that half.
 */
#ifndef CLIENT_DISCOVERY_DISCOVERY_PARSE_H
#define CLIENT_DISCOVERY_DISCOVERY_PARSE_H

#include <stdbool.h>
#include <stddef.h>

#include "client/discovery/discovery.h"

/* which: 0 is /api, 1 is /apis. Copied. */
void discovery_set_origin(struct discovery *discovery, size_t which, const char *bytes, size_t len,
                          const char *etag);
/* Borrowed; *etag is "" if there is none. */
void discovery_origin(const struct discovery *discovery, size_t which, const char **bytes, size_t *len,
                      const char **etag);

/* discovery_find_group, by an index. */
const struct discovery_group *discovery_indexed_group(const struct discovery *discovery, const char *group);

/* A version could not be read, and discovery_merge may know more of it. */
bool discovery_has_lost(const struct discovery *discovery);

/* An APIVersions or APIGroupList where an APIGroupDiscoveryList was asked for. */
bool discovery_is_legacy(const char *bytes, size_t len);

/* Calls on_path with the path of each group-version that an APIVersions or APIGroupList names.
 * Errors: PROTOCOL. */
int discovery_list_legacy(const char *bytes, size_t len, void (*on_path)(void *user, const char *path),
                          void *user, struct err *err) MUST_CHECK;

#endif
