/*
 * api: requests to one API server, on one loop, with its credentials.
 *
 * It adds to http what Kubernetes needs: the base URL, the User-Agent, tokens
 * (read again when they expire and after a 401), a metav1.Status as a struct err,
 * repeats where the server says so, lists cut into items, watches into events.
 * Every call returns a handle at once, and calls on_done exactly once later. The
 * handle is valid until on_done begins or api_cancel returns; after api_cancel
 * nothing more is called. err is NULL on success. A path is "/apis/...", and may
 * have a query. Arguments are copied before a function returns; only handlers
 * and api_get's unread must outlive the handle.
 *
 *     op->call = api_get(api, &(struct api_get){.path = "/version"}, on_version, op);
 */
#ifndef CLIENT_REST_API_H
#define CLIENT_REST_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "client/auth/config.h"
#include "client/base/buf.h"
#include "client/base/err.h"

struct api;
struct api_call;
struct watchevent;

enum {
    API_TIMEOUT_MS = 30000,
    API_LIST_TIMEOUT_MS = 60000,
    API_REPLY_CAP_BYTES = 16 * 1024 * 1024,
    API_WRITE_REPLY_CAP_BYTES =
        1024 * 1024, /* the answer to a write is the object, of any length: only so much of it is kept */
    /* The limit of one list item or one watch event. A server stores objects of up to 1.5 MiB (etcd's
     * default), and Go's JSON writes a byte as six ("<"): 9 MiB and some. */
    API_FRAME_CAP_BYTES = 16 * 1024 * 1024,
    API_RETRY_MAX = 10,
};

/* The limit of a list's text, which is never held: it is cut as it comes. It is more than etcd stores,
 * written as above. */
#define API_LIST_CAP_BYTES ((size_t)64 << 30)

/* One HTTP exchange, for rest_client_* metrics. status is 0 if there was no answer. */
struct api_exchange {
    const char *verb; /* GET, LIST, WATCH, PATCH, POST, PUT */
    const char *method;
    const char *host;
    int status;
    uint64_t duration_ms; /* of a watch: until it was accepted */
};

struct api_options {
    const char *program; /* "vapcheck-controller", for the User-Agent */
    /* A callback for each exchange; NULL if nobody observes. */
    void (*on_exchange)(void *user, const struct api_exchange *exchange);
    uint64_t (*left_ms)(void *user); /* see left_ms in struct http_options (http.h) */
    void *user;
};

struct api_reply {
    int status;
    const char *body; /* ends in a NUL; borrowed for the callback */
    size_t len;
    const char *etag; /* "" if none */
    struct buf *held; /* the buffer with the body: buf_take moves it out */
    bool is_cut;      /* with api_get's unread: the part to be kept is longer than cap_bytes, and this is its
                         beginning */
};

/* On failure reply is NULL. */
typedef void api_on_reply(void *user, const struct err *err, const struct api_reply *reply);

struct api_get {
    const char *path;
    const char *accept;        /* the media type that is asked for; NULL for application/json */
    const char *if_none_match; /* an ETag; then a reply with status 304 has no body */
    uint64_t timeout_ms;       /* 0: API_TIMEOUT_MS */
    size_t cap_bytes;          /* 0: API_REPLY_CAP_BYTES */
    const char *const
        *unread;   /* members to be left out as they arrive (jsoncut.h), static; NULL: the whole body. The cap
                      is then that of the kept part, and a longer one is cut off, not refused */
    bool no_retry; /* the caller has a deadline (the lease) */
    bool new_connection;
};

struct api_write {
    const char *path;
    const char *body; /* JSON */
    size_t len;
    const char *field_manager; /* may be NULL, but not for api_apply */
    bool force;                /* api_apply */
    bool metadata_only;        /* the answer as PartialObjectMetadata; api_apply */
    uint64_t timeout_ms;       /* 0: API_TIMEOUT_MS */
    bool new_connection;
};

struct api_list {
    const char *path;             /* of the collection, without a query */
    const char *resource_version; /* the version that the list must have; NULL if any is right */
    const char *continue_token;   /* the page, as the answer before named it; NULL for the first page */
    unsigned limit;               /* 0: none */
    bool metadata_only;           /* as PartialObjectMetadata */
};

/* A handler is static, or outlives the call. */
struct api_list_handler {
    /* One item's JSON text, borrowed; -1 ends the list with *err. is_cut: the item is longer than
     * API_FRAME_CAP_BYTES, and this is its beginning (gathered.h). */
    int (*on_item)(void *user, const char *bytes, size_t len, bool is_cut, struct err *err);
    /* continue_token is "" at the last page. On failure both are NULL. */
    void (*on_done)(void *user, const struct err *err, const char *resource_version,
                    const char *continue_token);
};

struct api_watch {
    const char *path;
    /* The version after which the watch begins; NULL if the server may choose. */
    const char *resource_version;
    unsigned timeout_s;
    bool metadata_only;
    bool send_initial_events; /* a streaming list */
};

struct api_watch_handler {
    /* The server accepted the watch. */
    void (*on_open)(void *user);
    /* One event, borrowed; an ERROR event comes here too. -1 ends the watch with *err. If an event is longer
     * than API_FRAME_CAP_BYTES, only its beginning is read (is_cut). */
    int (*on_event)(void *user, const struct watchevent *event, struct err *err);
    /* An event is left out: it is too long or too deep, and its beginning does not say what it is. */
    void (*on_unreadable)(void *user, const struct err *why);
    /* err is NULL at a clean end. */
    void (*on_done)(void *user, const struct err *err);
};

/* config is borrowed for the life of the api. Errors: of the credentials and the CA. */
int api_new(uv_loop_t *loop, const struct config *config, const struct api_options *options, struct api **out,
            struct err *err) MUST_CHECK;

/* Cancels every call without a callback, frees api, and calls on_closed (may be NULL). */
void api_close(struct api *api, void (*on_closed)(void *user), void *user);

struct api_call *api_get(struct api *api, const struct api_get *get, api_on_reply *on_done, void *user);
/* Server-side apply: PATCH with application/apply-patch+yaml; body is JSON, which is YAML. */
struct api_call *api_apply(struct api *api, const struct api_write *write, api_on_reply *on_done, void *user);
struct api_call *api_create(struct api *api, const struct api_write *write, api_on_reply *on_done,
                            void *user);
struct api_call *api_put(struct api *api, const struct api_write *write, api_on_reply *on_done, void *user);
struct api_call *api_list(struct api *api, const struct api_list *list,
                          const struct api_list_handler *handler, void *user);
struct api_call *api_watch(struct api *api, const struct api_watch *watch,
                           const struct api_watch_handler *handler, void *user);

void api_cancel(struct api_call *call); /* ends the call, which may be NULL */

/* When its last bytes arrived, as uv_now (before any, when it started); how many of its bytes are held. */
uint64_t api_last_byte_ms(const struct api_call *call);
size_t api_held_bytes(const struct api_call *call);

/* Closes every connection: calls under way end with ERR_NETWORK. */
void api_reset_connections(struct api *api, const char *why);
uv_loop_t *api_loop(const struct api *api);
const char *api_server(const struct api *api);

#endif
