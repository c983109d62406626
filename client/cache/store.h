/*
 * store: the objects of one resource by key, as bytes. Pure: no I/O, no clock.
 *
 * The key is "namespace/name", or "name" without a namespace. An object is
 * its JSON text, which is deflated, and a few fields of its metadata. A parsed tree would take twenty
 * times the memory, so callers parse the text when they need more. Parts that no
 * caller reads are not kept: the entries of managedFields that own no part of the
 * status, kubectl's copy of the applied configuration, and labels that are longer
 * than STORE_LABELS_BYTES. A struct store_object is immutable; the store owns it, and
 * a pointer to it is good until control returns to the loop.
 *
 * Stores may share a budget. If an object does not fit, or its tree would be too large, only its metadata
 * and status are kept, and left_out says why: callers must report that they could not read the rest. A large
 * object may use less of the budget than a small one, so that a few large ones do not keep the others out.
 * When not even metadata and status fit, a put fails.
 *
 *     const struct store_object *o = store_get(reflector_store(r), "my-policy");
 *     if (o) store_parse(o, &tree, &err);
 */
#ifndef CLIENT_CACHE_STORE_H
#define CLIENT_CACHE_STORE_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/base/err.h"
#include "client/text/jsonmeta.h"

/* Says why the text of an object is not whole. */
enum store_left_out {
    STORE_WHOLE,          /* it is whole */
    STORE_NO_ROOM,        /* the budget is used up */
    STORE_TOO_LONG,       /* it could not be read */
    STORE_TOO_MANY_PARTS, /* its tree would be larger than STORE_TREE_CAP_BYTES */
};

struct store_object {
    const char *key;
    const char *uid;
    const char *resource_version; /* opaque: compared for equality only */
    int64_t generation;
    size_t len;        /* of its JSON text (store_text) */
    size_t tree_bytes; /* about what the tree of its text takes (jsonweight.h) */
    enum store_left_out left_out;
    const char *packed; /* the text, deflated if packed_len is less than len: for store_text */
    size_t packed_len;
    const char *sample; /* deflated.h */
};

struct store;

enum {
    STORE_BUDGET_BYTES = 64 * 1024 * 1024, /* for all stores of a process: a pod has 256 MiB */
    STORE_SMALL_BYTES = 16 * 1024,         /* an object up to this size may use all of the budget */
    STORE_MEDIUM_BYTES = 128 * 1024,       /* one up to this size may use 7/8 of it, and a larger one 3/4 */
    STORE_MEMBER_BYTES = 1024,      /* a member that is not larger is kept in an object that is left out */
    STORE_STUB_BYTES = 64 * 1024,   /* if its metadata and status are larger, only its identity is kept */
    STORE_LABELS_BYTES = 64 * 1024, /* labels that are longer are not kept */
    STORE_PACKED_BYTES = 64 * 1024, /* a longer text is not deflated: that would hold the loop too long */
    STORE_TREE_CAP_BYTES = 48 * 1024 * 1024, /* an object whose tree is larger is left out: this one takes
                                              * about 50 ms to parse, and a fifth of a pod's memory */
};

/* Embedded by the owner of the stores; outlives them. Objects that are left out, and a list that is arriving,
 * may use a quarter more than the budget. */
struct store_budget {
    size_t cap_bytes;
    size_t used_bytes;
};

/* One change. before is NULL for a new object, now for a deleted one; one
 * of them is always there, borrowed for the call. An object that was deleted and created again
 * between two reads has two different uids. */
typedef void store_on_change(void *user, const struct store_object *now, const struct store_object *before);

/* on_change may be NULL. The caller frees with store_free. No budget: all is kept. */
struct store *store_new(store_on_change *on_change, void *user);
/* The store must be empty. */
void store_set_budget(struct store *store, struct store_budget *budget);
/* A text that those of the objects are like, so that they take less memory (deflated.h); NULL: none. It is
 * borrowed for the life of the store, which must be empty. */
void store_set_sample(struct store *store, const char *sample);
/* A store for a list that is arriving and will replace the content of `store`, which must not change
 * meanwhile. Objects that `store` has already are not copied, and those that are replaced are not counted. It
 * must be freed or taken (store_replace) before `store` is freed. */
struct store *store_new_beside(const struct store *store);
void store_free(struct store *store);

/* "the object was not kept: ...": static; NULL for STORE_WHOLE. */
const char *store_left_out_text(enum store_left_out left_out);

/* Returns the object with this key, or NULL if the store does not have it. */
const struct store_object *store_get(const struct store *store, const char *key);

/* The JSON text of the object, without the parts named above, in which "<", ">" and "&" are not escaped; it
 * has `len` bytes, and a NUL behind them. The caller frees it (mem_free). */
char *store_text(const struct store_object *object);
/* The tree of that text; the caller frees it. Errors: those of jsonval_parse. */
int store_parse(const struct store_object *object, struct json_object **out, struct err *err) MUST_CHECK;

size_t store_count(const struct store *store);
/* Bytes that the texts take. */
size_t store_bytes(const struct store *store);
/* Returns how many objects are left out. */
size_t store_left_out(const struct store *store);

/* Calls visit for every object, in no order; visit must not change the store. */
void store_each(const struct store *store, void (*visit)(void *user, const struct store_object *object),
                void *user);

/* Called by the reflector. meta: the object's metadata, as it is picked out of the bytes; NULL: it is picked
 * here. Errors of both: PROTOCOL (no JSON, no name); of a put LIMIT (the budget's end). An object with the
 * same resourceVersion and uid is not a change. */
int store_put(struct store *store, const char *bytes, size_t len, const struct jsonmeta *meta,
              struct err *err) MUST_CHECK;
/* Puts an object of which only meta is known, since it is too long to be read. Errors: PROTOCOL (a name, uid
 * or version is missing), LIMIT. */
int store_put_long(struct store *store, const struct jsonmeta *meta, struct err *err) MUST_CHECK;
int store_delete(struct store *store, const char *bytes, size_t len, const struct jsonmeta *meta,
                 struct err *err) MUST_CHECK;

/* Makes this the content of store at once (takes and frees `fresh`) and reports every
 * difference, deletions included. */
void store_replace(struct store *store, struct store *fresh);

/* on_change is not called any more, not even for the rest of a replace that is running. */
void store_mute(struct store *store);

#endif
