/*
 * openapi: the cluster's OpenAPI v3 documents by group-version. It keeps, for each
 * document, an object that the caller derives from the bytes, and the hash.
 *
 * It polls the index (apiindex.h says when, and which changes count). A document is
 * fetched only if openapi_require named it and its hash is new, a few at a time,
 * and derived in slices, one a turn of the loop: the loop has other work.
 * After a failed fetch the last good object stays. All objects together have a
 * limit: a document that finds no room is fetched again after OPENAPI_KEEP_MS.
 * Group-versions are named by the index's path: "api/v1", "apis/apps/v1".
 *
 *     openapi_require(o, paths, n, on_ready, op);   gather; then, in on_ready:
 *     schema = openapi_lookup(o, "apis/apps/v1", &state);
 */
#ifndef CLIENT_DISCOVERY_OPENAPI_H
#define CLIENT_DISCOVERY_OPENAPI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/base/err.h"
#include "client/discovery/openapi_state.h"
#include "client/rest/api.h"

struct openapi;
struct openapi_call;

enum {
    OPENAPI_DOCUMENT_CAP_BYTES = 16 * 1024 * 1024,
    OPENAPI_FETCHES = 2,        /* documents that are read at the same time, for the sake of memory; */
    OPENAPI_PATIENCE_MS = 2000, /* one whose answer has not begun after this is not counted, */
    OPENAPI_FETCHES_MAX = 6,    /* but no more than this many are under way */
    OPENAPI_KEPT_MAX_BYTES = 64 * 1024 * 1024, /* all objects together; those of a plain cluster hold 5 MB */
    OPENAPI_RETIRED_MAX = 4,                   /* old hashes of a document whose objects are kept */
    OPENAPI_KEEP_MS = 10 * 60 * 1000, /* how long an old hash's object, or one that nobody needs, is kept */
};

struct openapi_options {
    /* Derives an object from a document's bytes (borrowed until the end). step does a slice of the work, and
     * returns whether there is more. end frees the derivation, which is NULL where begin had no memory, and
     * returns the object, or NULL and sets err: after LIMIT and INVALID the document is not fetched again
     * before its hash changes. If end is called before the last step, err is NULL, and it returns NULL. */
    void *(*begin)(void *user, const char *bytes, size_t len);
    bool (*step)(void *derivation);
    void *(*end)(void *derivation, const char *path, struct err *err);
    void (*destroy)(void *user, void *derived);
    /* The bytes that an object holds, always the same. */
    size_t (*size)(void *user, const void *derived);
    /* The document of a group-version changed, appeared or vanished. Or: a document that was required and
     * could not be read then was read now, or is too large. May be NULL. */
    void (*on_change)(void *user, const char *path);
    /* Returns true if the path will be required again; called each time the index was read. May be NULL:
     * every object is kept. */
    bool (*is_needed)(void *user, const char *path);
    /* Called after each reading of the index, with an error if it failed. May be NULL. */
    void (*on_index)(void *user, const struct err *err);
    void *user;
};

/* Starts polling; no callback comes before this returns. api must outlive it. */
struct openapi *openapi_start(struct api *api, const struct openapi_options *options);

/* Destroys every derived object. Afterwards no callback comes but on_closed (may be NULL). */
void openapi_close(struct openapi *openapi, void (*on_closed)(void *user), void *user);

/* Something happened to this API group (a CRD or APIService event): from now on the index is
 * read often, until a hash of the group changes; that change needs no second reading. */
void openapi_trigger(struct openapi *openapi, const char *group);

/* Fetches the documents of these paths that are not there or not fresh, then calls on_done, once, later.
 * There is no error: openapi_lookup has the state of each path. */
struct openapi_call *openapi_require(struct openapi *openapi, const char *const *paths, size_t count,
                                     void (*on_done)(void *user), void *user);
/* Ends the call, which may be NULL. No callback comes after it returns. */
void openapi_cancel(struct openapi_call *call);

/* The derived object, good until control returns to the loop; NULL for ABSENT, UNKNOWN and TOO_LARGE.
 * state may be NULL. */
void *openapi_lookup(const struct openapi *openapi, const char *path, enum openapi_state *state);

/* Another number each time that some lookup may answer in another way. */
uint64_t openapi_revision(const struct openapi *openapi);

#endif
