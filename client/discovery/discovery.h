/*
 * discovery: the resources that a cluster serves, as an immutable value. Pure.
 *
 * Groups and versions are in the server's order, the preferred ones first; the
 * core group is called "". A version that could not be read is listed with its
 * state: unknown is not absent. discovery_parse and discovery_legacy make one from
 * documents, discovery_fetch from a server. The controller decides which kinds a
 * rule means (client-go's RESTMapper).
 */
#ifndef CLIENT_DISCOVERY_DISCOVERY_H
#define CLIENT_DISCOVERY_DISCOVERY_H

#include <stdbool.h>
#include <stddef.h>

/* CURRENT: as the server has it. STALE: the aggregator's or our last good answer, perhaps
 * outdated. FAILED: never read, resources is empty. */
enum discovery_state { DISCOVERY_CURRENT, DISCOVERY_STALE, DISCOVERY_FAILED };

/* The two documents that it is made of. */
enum discovery_half { DISCOVERY_CORE, DISCOVERY_GROUPS, DISCOVERY_HALVES };

struct discovery_resource {
    const char *name;     /* "deployments"; for a subresource only the last part, "scale" */
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
    const char *partial; /* why a part of the served resources is not known: a resource that is not here may
                            be served all the same; NULL: all is known */
    bool is_old; /* the server may serve more by now, which could not be read: set and cleared by its owner */
    struct discovery_private *private;
};

/* A copy of newer, in which each version that newer could not read (not CURRENT, no resources) has the
 * resources that older had, and is STALE. If newer is partial, groups that only older had are there, too, and
 * STALE. Borrows both; older may be NULL. */
struct discovery *discovery_merge(const struct discovery *newer, const struct discovery *older);

void discovery_free(struct discovery *discovery);

/* Each of these returns what has this name, or NULL if there is none. It belongs to the discovery.
 * subresource may be NULL or "". */
const struct discovery_group *discovery_find_group(const struct discovery *discovery, const char *group);
const struct discovery_version *discovery_find_version(const struct discovery *discovery, const char *group,
                                                       const char *version);
/* The resource whose objects are of the kind; NULL if there is none, or no version. */
const struct discovery_resource *discovery_find_kind(const struct discovery_version *version,
                                                     const char *kind);
const struct discovery_resource *discovery_find_resource(const struct discovery_version *version,
                                                         const char *resource, const char *subresource);
bool discovery_has_verb(const struct discovery_resource *resource, const char *verb);
bool discovery_has_status(const struct discovery_resource *resource); /* as a subresource */
bool discovery_equal(const struct discovery *a, const struct discovery *b);

/* Returns true if a version could not be read, or more. discovery_merge may then find its resources in an
 * older discovery. */
bool discovery_has_lost(const struct discovery *discovery);

/* ---- making one: discovery_new, then arrays and strings, then discovery_finish ---- */

struct discovery *discovery_new(void);
/* Zeroed; freed with the discovery. */
void *discovery_array(struct discovery *discovery, size_t count, size_t element_bytes);
/* Copies, freed with the discovery; NULL becomes "". */
const char *discovery_text(struct discovery *discovery, const char *text, size_t len);
const char *discovery_string(struct discovery *discovery, const char *text);
/* Returns true if what is not here is not served. */
static inline bool discovery_is_whole(const struct discovery *discovery)
{
    return discovery->partial == NULL && !discovery->is_old;
}

/* Says that it is partial; the first reason is kept. */
void discovery_set_partial(struct discovery *discovery, const char *why);
/* groups is an array of the discovery's. */
void discovery_finish(struct discovery *discovery, const struct discovery_group *groups, size_t n_groups);

/* The document that a half was read from, and its ETag, so that the next reading can be conditional. Set
 * copies; the others borrow, "" if there is none. */
void discovery_set_origin(struct discovery *discovery, enum discovery_half half, const char *bytes,
                          size_t len, const char *etag);
void discovery_origin(const struct discovery *discovery, enum discovery_half half, const char **bytes,
                      size_t *len, const char **etag);

#endif
