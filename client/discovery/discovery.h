/*
 * discovery: what resources a cluster serves, as an immutable value.
 *
 * Built by pure functions from the two aggregated documents (/api and /apis,
 * v2), or from the older ones where a server has no aggregated discovery.
 * Groups and versions are in the server's order (its preference); the core
 * group is first and called "". A version that could not be read is listed
 * with its state: unknown is not absent. How a rule is resolved to kinds
 * (client-go's RESTMapper) is the controller's matter.
 *
 *     discovery_fetch(api, last, on_discovery, op);            from a server
 *     discovery_parse(api_json, n1, apis_json, n2, &d, &err);  from a dump
 */
#ifndef CLIENT_DISCOVERY_DISCOVERY_H
#define CLIENT_DISCOVERY_DISCOVERY_H

#include <stdbool.h>
#include <stddef.h>

#include "client/base/err.h"
#include "client/rest/api.h"

/* CURRENT: as the server has it. STALE: the aggregator's or our last good answer, perhaps
 * outdated. FAILED: never read, resources is empty. */
enum discovery_state { DISCOVERY_CURRENT, DISCOVERY_STALE, DISCOVERY_FAILED };

enum {
    DISCOVERY_CAP_BYTES = 3 * 1024 * 1024, /* of one document: some 6,000 kinds */
    DISCOVERY_LEGACY_VERSIONS = 1000,      /* each is a document of the older form */
    DISCOVERY_LEGACY_RESOURCES = 2000,     /* of one of these; more, and the version is FAILED */
};

struct discovery_resource {
    const char *name;     /* "deployments"; of a subresource only its part: "scale" */
    const char *singular; /* "" for a subresource */
    const char *group;    /* of the kind; an empty one in the document means the resource's */
    const char *version;
    const char *kind; /* "" if the server names none */
    bool is_namespaced;
    const char *const *verbs;
    size_t n_verbs;
    const char *const *short_names;
    size_t n_short_names;
    const struct discovery_resource *subresources;
    size_t n_subresources;
};

struct discovery_version {
    const char *version;
    enum discovery_state state;
    const struct discovery_resource *resources;
    size_t n_resources;
};

struct discovery_group {
    const char *name;              /* "" is the core group */
    const char *preferred_version; /* "" if it has no version */
    const struct discovery_version *versions;
    size_t n_versions;
};

struct discovery {
    const struct discovery_group *groups;
    size_t n_groups;
    struct discovery_private *private;
};

/* A document of the older form: path is "/api", "/apis", "/api/v1", "/apis/apps/v1".
 * bytes NULL: it could not be read (its version is FAILED). */
struct discovery_document {
    const char *path;
    const char *bytes;
    size_t len;
};

/* From the aggregated documents; either may be NULL. The caller frees *out with discovery_free.
 * Errors: PROTOCOL (no JSON, another kind), LIMIT. */
int discovery_parse(const char *core, size_t core_len, const char *groups, size_t groups_len,
                    struct discovery **out, struct err *err) MUST_CHECK;

/* From the older documents: /api, /apis, then one a group-version. */
int discovery_parse_legacy(const struct discovery_document *documents, size_t count, struct discovery **out,
                           struct err *err) MUST_CHECK;

/* newer, where a version that is not CURRENT and empty takes the resources that older had (then
 * it is STALE, as is a group that newer could not read). Borrows both; older may be NULL. */
struct discovery *discovery_merge(const struct discovery *newer, const struct discovery *older);

void discovery_free(struct discovery *discovery);

/* NULL if there is none. subresource may be NULL or "". */
const struct discovery_group *discovery_find_group(const struct discovery *discovery, const char *group);
const struct discovery_version *discovery_find_version(const struct discovery *discovery, const char *group,
                                                       const char *version);
const struct discovery_resource *discovery_find_resource(const struct discovery_version *version,
                                                         const char *resource, const char *subresource);
bool discovery_has_verb(const struct discovery_resource *resource, const char *verb);
bool discovery_equal(const struct discovery *a, const struct discovery *b);

struct discovery_call;

/* discovery is the caller's, already merged over `last`; NULL with no err: unchanged since last. */
typedef void discovery_on_done(void *user, const struct err *err, struct discovery *discovery);

/* Reads both documents, conditionally (ETag) when last is given, and the older ones where the
 * server has no aggregated discovery. last (may be NULL) must outlive the call. on_done fires once,
 * later, unless canceled; the handle is valid until then. */
struct discovery_call *discovery_fetch(struct api *api, const struct discovery *last,
                                       discovery_on_done *on_done, void *user);
void discovery_cancel(struct discovery_call *call);

#endif
