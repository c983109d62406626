/*
 * openapi_state: what is known of a group-version's OpenAPI document.
 */
#ifndef CLIENT_DISCOVERY_OPENAPI_STATE_H
#define CLIENT_DISCOVERY_OPENAPI_STATE_H

/* FRESH: of the hash that the index has now. STALE: the last good one, a newer could not be
 * read. ABSENT: the cluster publishes none (confirmed). UNKNOWN: not read yet, or never readable.
 * TOO_LARGE: it passes a bound, its own or that of all objects, and there is no older one. */
enum openapi_state { OPENAPI_FRESH, OPENAPI_STALE, OPENAPI_ABSENT, OPENAPI_UNKNOWN, OPENAPI_TOO_LARGE };

#endif
