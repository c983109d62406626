#include "client/discovery/discovery_fetch.h"

#include <uv.h>

#include "client/base/mem.h"
#include "client/discovery/discovery_legacy.h"
#include "client/discovery/discovery_parse.h"

static const char *const paths[] = {[DISCOVERY_CORE] = "/api", [DISCOVERY_GROUPS] = "/apis"};

/* They may have any length, and nobody here reads them. */
static const char *const unread[] = {"categories", "shortNames", NULL};

/* AGGREGATED: both documents are asked for at once, and read in slices, one a turn of the loop. LEGACY: the
 * server answered in the old form; the group-versions that it listed are asked for, one after the other. */
enum fetch_state { FETCH_AGGREGATED, FETCH_LEGACY };

struct document {
    char *path;
    char *bytes; /* the answer's body; NULL if the server does not have it */
    size_t len;
    char *etag;
    bool is_cut;   /* only the beginning was kept */
    char *missing; /* why it is not whole; NULL: it is */
};

struct discovery_call {
    struct api *api;
    const struct discovery *last;
    discovery_on_done *on_done;
    void *user;
    enum fetch_state state;
    struct api_call *calls[DISCOVERY_HALVES];
    struct document *documents;
    size_t n_documents;
    size_t next; /* LEGACY: the document that is under way */
    size_t n_unchanged;
    size_t n_arrived;
    struct err failure;
    uv_idle_t idle;
    struct discovery_reader *reader; /* the reader of the document that is arriving; NULL if none is */
};

static void on_idle_closed(uv_handle_t *idle)
{
    mem_free(idle->data);
}

static void free_call(struct discovery_call *c)
{
    for (size_t i = 0; i < c->n_documents; i++) {
        mem_free(c->documents[i].path);
        mem_free(c->documents[i].bytes);
        mem_free(c->documents[i].etag);
        mem_free(c->documents[i].missing);
    }
    mem_free(c->documents);
    if (c->reader)
        (void)discovery_reader_end(c->reader, NULL, NULL);
    uv_close((uv_handle_t *)&c->idle, on_idle_closed);
}

void discovery_cancel(struct discovery_call *call)
{
    if (!call)
        return;
    for (enum discovery_half i = 0; i < DISCOVERY_HALVES; i++)
        api_cancel(call->calls[i]);
    free_call(call);
}

/* Takes found. The one way to on_done. */
static void finish(struct discovery_call *c, const struct err *err, struct discovery *found)
{
    discovery_on_done *on_done = c->on_done;
    void *user = c->user;
    struct err failure;
    err_copy(&failure, err);
    if (found && c->last && discovery_has_lost(found)) {
        struct discovery *merged = discovery_merge(found, c->last);
        discovery_free(found);
        found = merged;
    }
    free_call(c);
    on_done(user, err ? &failure : NULL, found);
}

static void add_document(struct discovery_call *c, const char *path)
{
    c->documents = mem_realloc(c->documents, c->n_documents + 1, sizeof *c->documents);
    c->documents[c->n_documents++] = (struct document){.path = mem_strdup(path)};
}

static void finish_legacy(struct discovery_call *c)
{
    struct discovery_legacy_document *list = mem_array(c->n_documents, sizeof *list);
    struct discovery *found;
    struct err err;
    for (size_t i = 0; i < c->n_documents; i++)
        list[i] = (struct discovery_legacy_document){c->documents[i].path, c->documents[i].bytes,
                                                     c->documents[i].len};
    const int result = discovery_legacy_parse(list, c->n_documents, &found, &err);
    mem_free(list);
    finish(c, result == 0 ? NULL : &err, found);
}

static void ask_next(struct discovery_call *c);

/* A group-version that cannot be read is FAILED, and the rest goes on. */
static void on_legacy(void *user, const struct err *err, const struct api_reply *reply)
{
    struct discovery_call *c = user;
    struct document *d = &c->documents[c->next++];
    c->calls[DISCOVERY_CORE] = NULL;
    if (!err && !reply->is_cut) {
        d->bytes = mem_strndup(reply->body, reply->len);
        d->len = reply->len;
    }
    ask_next(c);
}

static void ask_next(struct discovery_call *c)
{
    if (c->next == c->n_documents || c->next == DISCOVERY_LEGACY_VERSIONS + DISCOVERY_HALVES) {
        finish_legacy(c);
        return;
    }
    const struct api_get get = {
        .path = c->documents[c->next].path, .cap_bytes = DISCOVERY_CAP_BYTES, .unread = unread};
    c->calls[DISCOVERY_CORE] = api_get(c->api, &get, on_legacy, c);
}

static void on_listed(void *user, const char *path)
{
    add_document(user, path);
}

static void finish_aggregated(struct discovery_call *c)
{
    struct discovery_reader *reader = c->reader;
    struct discovery *found = NULL;
    struct err err;
    c->reader = NULL;
    if (discovery_reader_end(reader, &found, &err) != 0) {
        finish(c, &err, NULL);
        return;
    }
    for (enum discovery_half i = 0; i < DISCOVERY_HALVES; i++) {
        const struct document *d = &c->documents[i];
        if (!d->is_cut)
            discovery_set_origin(found, i, d->bytes, d->len, d->etag);
    }
    finish(c, NULL, found);
}

static void on_idle(uv_idle_t *idle)
{
    struct discovery_call *c = idle->data;
    if (!discovery_reader_step(c->reader, DISCOVERY_SLICE_BYTES))
        finish_aggregated(c);
}

static void read_aggregated(struct discovery_call *c)
{
    struct discovery_reader_text texts[DISCOVERY_HALVES];
    for (size_t i = 0; i < DISCOVERY_HALVES; i++) {
        const struct document *d = &c->documents[i];
        texts[i] = (struct discovery_reader_text){
            .bytes = d->bytes, .len = d->len, .is_cut = d->is_cut, .missing = d->missing, .path = paths[i]};
    }
    c->reader = discovery_reader_new(&texts[DISCOVERY_CORE], &texts[DISCOVERY_GROUPS]);
    uv_idle_start(&c->idle, on_idle);
}

static void on_both(struct discovery_call *c)
{
    struct err err;
    if (c->failure.code != ERR_NONE) {
        err = c->failure;
        finish(c, &err, NULL);
        return;
    }
    if (c->n_unchanged == DISCOVERY_HALVES) {
        finish(c, NULL, NULL);
        return;
    }
    bool is_legacy = false;
    for (enum discovery_half i = 0; i < DISCOVERY_HALVES; i++)
        is_legacy = is_legacy || discovery_legacy_is(c->documents[i].bytes, c->documents[i].len);
    if (!is_legacy) {
        read_aggregated(c);
        return;
    }
    c->state = FETCH_LEGACY;
    c->next = DISCOVERY_HALVES;
    for (enum discovery_half i = 0; i < DISCOVERY_HALVES; i++) {
        if (discovery_legacy_list(c->documents[i].bytes, c->documents[i].len, on_listed, c, &err) != 0) {
            finish(c, &err, NULL);
            return;
        }
    }
    ask_next(c);
}

static void on_document(struct discovery_call *c, enum discovery_half which, const struct err *err,
                        const struct api_reply *reply)
{
    struct document *d = &c->documents[which];
    c->calls[which] = NULL;
    if (err) {
        err_copy(&c->failure, err);
    } else if (reply->status == 304 && c->last) {
        const char *bytes;
        const char *etag;
        discovery_origin(c->last, which, &bytes, &d->len, &etag);
        d->bytes = mem_strndup(bytes, d->len);
        d->etag = mem_strdup(etag);
        c->n_unchanged++;
    } else {
        d->is_cut = reply->is_cut;
        d->bytes = buf_take(reply->held, &d->len);
        /* a document that is cut is read again in full: an answer 304 would not say that it is cut */
        d->etag = mem_strdup(reply->is_cut ? "" : reply->etag);
        if (reply->is_cut)
            d->missing = mem_printf("%s has more than %d bytes of groups", paths[which], DISCOVERY_CAP_BYTES);
    }
    if (++c->n_arrived == DISCOVERY_HALVES)
        on_both(c);
}

static void on_core(void *user, const struct err *err, const struct api_reply *reply)
{
    on_document(user, DISCOVERY_CORE, err, reply);
}

static void on_groups(void *user, const struct err *err, const struct api_reply *reply)
{
    on_document(user, DISCOVERY_GROUPS, err, reply);
}

struct discovery_call *discovery_fetch(struct api *api, const struct discovery *last,
                                       discovery_on_done *on_done, void *user)
{
    static api_on_reply *const handlers[DISCOVERY_HALVES] = {on_core, on_groups};
    struct discovery_call *c = mem_zalloc(sizeof *c);
    c->api = api;
    c->last = last;
    c->on_done = on_done;
    c->user = user;
    uv_idle_init(api_loop(api), &c->idle);
    c->idle.data = c;
    for (enum discovery_half i = 0; i < DISCOVERY_HALVES; i++) {
        const char *bytes;
        size_t len;
        const char *etag = NULL;
        add_document(c, paths[i]);
        if (last)
            discovery_origin(last, i, &bytes, &len, &etag);
        const struct api_get get = {
            .path = paths[i],
            .accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json",
            .if_none_match = etag,
            .cap_bytes = DISCOVERY_CAP_BYTES,
            .unread = unread,
        };
        c->calls[i] = api_get(api, &get, handlers[i], c);
    }
    return c;
}
