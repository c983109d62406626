/*
 * discovery_legacy: discovery from the documents of the older form, which a server without aggregated
 * discovery has: APIVersions, APIGroupList, and an APIResourceList for each group-version. Pure.
 */
#ifndef CLIENT_DISCOVERY_DISCOVERY_LEGACY_H
#define CLIENT_DISCOVERY_DISCOVERY_LEGACY_H

#include <stdbool.h>
#include <stddef.h>

#include "client/base/err.h"
#include "client/discovery/discovery.h"

enum {
    DISCOVERY_LEGACY_VERSIONS = 1000,  /* each is a document */
    DISCOVERY_LEGACY_RESOURCES = 2000, /* of one of these; with more the version is FAILED */
};

/* path is "/api", "/apis", "/api/v1", "/apis/apps/v1". bytes NULL: it could not be read (its version is
 * FAILED). */
struct discovery_legacy_document {
    const char *path;
    const char *bytes;
    size_t len;
};

/* Returns true if the server answered with an APIVersions or APIGroupList where an APIGroupDiscoveryList was
 * asked for. bytes may be NULL. */
bool discovery_legacy_is(const char *bytes, size_t len);

/* Calls on_path with the path of each group-version that an APIVersions or APIGroupList names.
 * Errors: PROTOCOL. */
int discovery_legacy_list(const char *bytes, size_t len, void (*on_path)(void *user, const char *path),
                          void *user, struct err *err) MUST_CHECK;

/* The documents are /api, /apis, and one for each group-version. The caller frees *out. Errors: PROTOCOL. */
int discovery_legacy_parse(const struct discovery_legacy_document *documents, size_t count,
                           struct discovery **out, struct err *err) MUST_CHECK;

#endif
