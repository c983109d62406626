/*
 * reflector: keeps a store equal to a resource of the API server, by LIST and
 * WATCH, for as long as it runs. One loop. reflectorplan.h makes the decisions.
 *
 * It never stops trying: a failure is logged, and the request is repeated after a
 * backoff. Meanwhile the store keeps what was read last. reflector_has_synced is
 * true from the moment when the first list is in the store.
 *
 *     struct reflector_options o = {.name = "policies", .path = "/apis/.../validatingadmissionpolicies",
 *                                   .on_change = on_policy, .user = controller};
 *     struct reflector *r = reflector_start(api, &o);
 *     ...
 *     reflector_close(r, on_closed, controller);
 */
#ifndef CLIENT_CACHE_REFLECTOR_H
#define CLIENT_CACHE_REFLECTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "client/cache/store.h"
#include "client/rest/api.h"

struct reflector;

struct reflector_options {
    const char *name;              /* for the log; copied */
    const char *path;              /* of the collection; copied */
    bool metadata_only;            /* ask for PartialObjectMetadata */
    struct store_budget *budget;   /* of the store, shared with others; NULL: none; outlives the reflector */
    const char *sample;            /* of the objects' texts (store_set_sample); NULL: none */
    store_on_change *on_change;    /* during the first list too: every object is new then */
    void (*on_synced)(void *user); /* once, after the first list's changes; may be NULL */
    void (*on_error)(void *user, const struct err *err); /* a list or watch failed; may be NULL */
    void *user;
};

/* No callback comes before this returns. */
struct reflector *reflector_start(struct api *api, const struct reflector_options *options);

/* Afterwards the only callback is on_closed (which may be NULL); then the reflector and its store are
 * freed. */
void reflector_close(struct reflector *reflector, void (*on_closed)(void *user), void *user);

const struct store *reflector_store(const struct reflector *reflector);
bool reflector_has_synced(const struct reflector *reflector);

/* The last failure of a list or watch; NULL if none failed since the server accepted a watch. A list that
 * succeeds after a watch was refused changes nothing. With a 403 here a controller never becomes ready. */
const struct err *reflector_error(const struct reflector *reflector);

/* Returns how often an object came that could not be read or kept, not even its identity, and so was left
 * out. If an object is longer than API_FRAME_CAP_BYTES, its identity is kept (STORE_TOO_LONG), if that stands
 * near the beginning. */
uint64_t reflector_unreadable(const struct reflector *reflector);

/* Returns how long ago the server last sent something about the objects: a complete list, an event, or a
 * bookmark (a server sends one about every minute). If it never did: how long ago the reflector was started.
 * While this grows, the store may be outdated, even if reflector_error is NULL: a server can accept and end
 * watches for ever. */
uint64_t reflector_silent_ms(const struct reflector *reflector);

/* Returns how long no watch has worked: the age of the first failure since the last watch that worked. Lists
 * do not count. Returns 0 if the watch works. */
uint64_t reflector_failing_ms(const struct reflector *reflector);

#endif
