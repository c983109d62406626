/*
 * openapi_state: the states of a group-version's OpenAPI document.
 */
#ifndef CLIENT_DISCOVERY_OPENAPI_STATE_H
#define CLIENT_DISCOVERY_OPENAPI_STATE_H

/* FRESH: its hash is the one that the index has now. STALE: the last good document; a newer one could
 * not be read. ABSENT: the cluster publishes none (confirmed). UNKNOWN: not read yet, or never readable.
 * TOO_LARGE: it is above a limit, its own or that of all objects, and there is no older one. */
enum openapi_state { OPENAPI_FRESH, OPENAPI_STALE, OPENAPI_ABSENT, OPENAPI_UNKNOWN, OPENAPI_TOO_LARGE };

#endif
