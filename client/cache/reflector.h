/*
 * reflector: keeps a store equal to a resource of the API server, by LIST and
 * WATCH, for as long as it runs. One loop; decisions are reflectorplan.h's, pure.
 *
 * It never gives up: every failure is logged, backed off and tried again, and
 * meanwhile the store keeps what was last read. has_synced turns true when the
 * first list is in the store, and stays true.
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
    store_on_change *on_change;    /* during the first list too: every object is new then */
    void (*on_synced)(void *user); /* once, after the first list's changes; may be NULL */
    void (*on_error)(void *user, const struct err *err); /* a list or watch failed; may be NULL */
    void *user;
};

/* Never calls back before it returned. */
struct reflector *reflector_start(struct api *api, const struct reflector_options *options);

/* No callback but on_closed (may be NULL) afterwards; the reflector and its store are freed then. */
void reflector_close(struct reflector *reflector, void (*on_closed)(void *user), void *user);

const struct store *reflector_store(const struct reflector *reflector);
bool reflector_has_synced(const struct reflector *reflector);

/* The failure that the reflector is backing off from, or NULL while all is well: a 403 here is
 * why a controller does not get ready. */
const struct err *reflector_error(const struct reflector *reflector);

/* How long ago the server last said something of the objects: a list that was complete, an event, a
 * bookmark, which a server sends about every minute. Since the start if it never did. Where this grows, what
 * the store has may be old, whatever reflector_error says: a watch may be opened and closed for ever. */
uint64_t reflector_silent_ms(const struct reflector *reflector);

#endif
