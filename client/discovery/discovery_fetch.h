/*
 * discovery_fetch: discovery from a server, in whichever form it has it.
 *
 *     call = discovery_fetch(api, last, on_discovery, op);
 */
#ifndef CLIENT_DISCOVERY_DISCOVERY_FETCH_H
#define CLIENT_DISCOVERY_DISCOVERY_FETCH_H

#include "client/base/err.h"
#include "client/discovery/discovery.h"
#include "client/rest/api.h"

struct discovery_call;

/* discovery is the caller's, already merged over `last`; NULL with no err: unchanged since last. */
typedef void discovery_on_done(void *user, const struct err *err, struct discovery *discovery);

/* Reads both aggregated documents, conditionally (ETag) when last is given, and the older ones where the
 * server has no aggregated discovery. last (may be NULL) must outlive the call. on_done fires once,
 * later, unless canceled; the handle is valid until then. Errors: as api_get; PROTOCOL, LIMIT. */
struct discovery_call *discovery_fetch(struct api *api, const struct discovery *last,
                                       discovery_on_done *on_done, void *user);
void discovery_cancel(struct discovery_call *call);

#endif
