/*
 * objects: what the server stores, in memory, and the history that watches
 * read. A stored tree is never changed: a new version is a new tree. All but
 * new, free and stop is called with the lock held; borrowed trees are good
 * until it is released.
 */
#ifndef SUPPORT_OBJECTS_H
#define SUPPORT_OBJECTS_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

#include "tests/support/reply.h"

/* A kind that is stored; each is cluster-scoped. */
struct objects_kind {
    const char *group, *version, *resource, *kind;
};

enum { OBJECTS_POLICIES, OBJECTS_CRDS, OBJECTS_KINDS = 7 }; /* the others follow the two */
extern const struct objects_kind objects_kinds[OBJECTS_KINDS];

struct objects_event {
    uint64_t version;
    const struct objects_kind *kind;
    const char *type; /* "ADDED", "MODIFIED", "DELETED" */
    struct json_object *object;
};

enum { OBJECTS_HISTORY = 2000 }; /* events that are remembered */

struct objects;

struct objects *objects_new(void);
void objects_free(struct objects *objects);
void objects_lock(struct objects *objects);
void objects_unlock(struct objects *objects);

/* Returns the kind of the resource, or NULL if it is not stored here. */
const struct objects_kind *objects_kind(const char *group, const char *version, const char *resource);

/* The version of the newest change. */
uint64_t objects_version(const struct objects *objects);

/* Returns the object, or NULL if there is none. */
struct json_object *objects_get(const struct objects *objects, const struct objects_kind *kind,
                                const char *name);
/* All of a kind, or the one called name unless that is "", as created; the caller puts the array. */
struct json_object *objects_list(const struct objects *objects, const struct objects_kind *kind,
                                 const char *name);

/* Each answers a failure itself and returns -1. object (borrowed) gets what the server sets. */
int objects_create(struct objects *objects, const struct objects_kind *kind, struct json_object *object,
                   struct reply *reply);
int objects_replace(struct objects *objects, const struct objects_kind *kind, struct json_object *object,
                    struct reply *reply);
/* Returns the object as it was last, which the caller puts; NULL: answered. */
struct json_object *objects_delete(struct objects *objects, const struct objects_kind *kind, const char *name,
                                   struct reply *reply);
/* Stores the object, as it is, as the newest version of its name. */
void objects_put(struct objects *objects, const struct objects_kind *kind, const char *event,
                 struct json_object *object);

/* Answers 409 and returns -1 if the wanted metadata names another uid or
 * resourceVersion than the stored object has, which may be NULL. */
int objects_check(struct json_object *stored, struct json_object *wanted, struct reply *reply);

/* Returns true if every event after this version is remembered. */
bool objects_remember(const struct objects *objects, uint64_t version);

/* Forgets the history, and lets streams begin again after objects_stop. */
void objects_restart(struct objects *objects);

/* The first event of a kind (and name, unless "") behind a version that is remembered; NULL: none
 * yet. */
const struct objects_event *objects_next(const struct objects *objects, const struct objects_kind *kind,
                                         const char *name, uint64_t after);

/* Waits for a change, at most so long; false: the server stops. */
bool objects_wait(struct objects *objects, uint64_t timeout_ms);
void objects_stop(struct objects *objects);

/* Now, as RFC 3339; the caller puts it. */
struct json_object *objects_now(void);

#endif
