#include "client/discovery/openapi.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/queue.h>

#include "client/base/backoff.h"
#include "client/base/buf.h"
#include "client/base/keymap.h"
#include "client/base/log.h"
#include "client/base/mem.h"
#include "client/base/timer.h"
#include "client/discovery/apiindex.h"

static const struct backoff_params document_backoff = {
    .base_ms = 1000, .cap_ms = 60000, .jitter = 0.1, .reset_ms = 0};

/* An object whose hash is not the index' any more; it may come back (see apiindex.h). */
struct retired {
    char *hash;
    void *derived;
    uint64_t since_ms;
    STAILQ_ENTRY(retired) link;
};

/* A path that somebody required. */
struct slot {
    struct openapi *openapi;
    LIST_ENTRY(slot) link;
    char *path;
    char *hash; /* derived is of it, or of newer content that came before the index had it: */
    bool is_newer;
    void *derived;
    char *refused_hash; /* its document cannot be used: it is not fetched again */
    char *large_hash;   /* its document passed a bound */
    bool is_waiting;    /* for its turn to be fetched; in the queue */
    TAILQ_ENTRY(slot) waiting;
    struct api_call *call;
    uint64_t called_ms;
    char *call_hash;   /* of what is fetched or derived */
    char *text, *etag; /* the fetched document; NULL: nothing is to be derived */
    size_t text_len;
    TAILQ_ENTRY(slot) deriving;
    size_t n_required; /* by so many calls */
    bool is_owed;      /* a call ended without what the index has, or may have */
    struct backoff backoff;
    uint64_t retry_ms;                          /* 0: none is planned */
    STAILQ_HEAD(retired_list, retired) retired; /* the latest first */
    bool is_idle;                               /* nobody needs it, since */
    uint64_t idle_ms;
};

struct openapi_call {
    struct openapi *openapi;
    TAILQ_ENTRY(openapi_call) link;
    struct slot **slots;
    size_t n_slots;
    bool is_due; /* complete when the settling began */
    void (*on_done)(void *user);
    void *user;
};

struct openapi {
    struct api *api;
    struct openapi_options options;
    struct apiindex index;
    struct api_call *index_call;
    uv_timer_t poll;   /* the next reading of the index */
    uv_timer_t retry;  /* the next document that failed */
    uv_timer_t settle; /* calls that may be complete */
    uv_timer_t hurry;  /* a fetch that others wait for takes long */
    uv_idle_t derive;  /* a slice of the first document in: */
    TAILQ_HEAD(derive_queue, slot) deriving;
    void *derivation; /* what the user makes of the document, in slices; NULL before the first slice */
    LIST_HEAD(slot_list, slot) slots;
    struct keymap by_path; /* the same */
    TAILQ_HEAD(slot_queue, slot) waiting;
    TAILQ_HEAD(call_queue, openapi_call) calls;
    size_t kept_bytes; /* by all objects, the retired ones included */
    uint64_t revision; /* of the answers of openapi_lookup */
    bool is_full;      /* an object found no room: it was said */
    bool has_tried;    /* the index was read, or could not be */
    bool is_closing;
    unsigned open_handles;
    void (*on_closed)(void *user);
    void *on_closed_user;
};

static uint64_t now_ms(const struct openapi *o)
{
    return uv_now(api_loop(o->api));
}

/* ---- objects ---- */

static void destroy(struct openapi *o, void *derived)
{
    if (!derived)
        return;
    o->kept_bytes -= o->options.size(o->options.user, derived);
    o->options.destroy(o->options.user, derived);
}

static void drop_retired(struct slot *s, struct retired *r)
{
    STAILQ_REMOVE(&s->retired, r, retired, link);
    destroy(s->openapi, r->derived);
    mem_free(r->hash);
    mem_free(r);
}

/* A group whose definitions are installed one after the other has a new hash with each. */
static void drop_surplus(struct slot *s)
{
    struct retired *r = STAILQ_FIRST(&s->retired);
    for (int i = 0; r; i++) {
        struct retired *next = STAILQ_NEXT(r, link);
        if (i >= OPENAPI_RETIRED_MAX)
            drop_retired(s, r);
        r = next;
    }
}

/* Keeps the object for the case that its hash comes back. An object that may belong to a newer hash is
 * destroyed instead. */
static void retire(struct slot *s)
{
    if (!s->derived)
        return;
    s->openapi->revision++;
    if (s->is_newer) {
        destroy(s->openapi, s->derived);
        mem_free(s->hash);
        s->hash = NULL;
        s->derived = NULL;
        return;
    }
    struct retired *r = mem_zalloc(sizeof *r);
    *r = (struct retired){.hash = s->hash, .derived = s->derived, .since_ms = now_ms(s->openapi)};
    STAILQ_INSERT_HEAD(&s->retired, r, link);
    s->hash = NULL;
    s->derived = NULL;
    drop_surplus(s);
}

/* Destroys what was retired before `before_ms`. */
static void purge(struct slot *s, uint64_t before_ms)
{
    for (struct retired *r = STAILQ_FIRST(&s->retired), *next; r; r = next) {
        next = STAILQ_NEXT(r, link);
        if (r->since_ms < before_ms)
            drop_retired(s, r);
    }
}

/* Takes derived. */
static void set_derived(struct slot *s, const char *hash, bool is_newer, void *derived)
{
    retire(s);
    s->openapi->revision++;
    s->hash = mem_strdup(hash);
    s->is_newer = is_newer;
    s->derived = derived;
}

/* Returns true if an object of so many bytes may come into the slot; retired ones go for it. */
static bool has_room(const struct slot *s, size_t bytes)
{
    struct openapi *o = s->openapi;
    const size_t own = s->derived ? o->options.size(o->options.user, s->derived) : 0;
    for (struct slot *other = LIST_FIRST(&o->slots); other && o->kept_bytes + bytes > OPENAPI_KEPT_MAX_BYTES;
         other = LIST_NEXT(other, link))
        purge(other, UINT64_MAX);
    return o->kept_bytes - own + bytes <= OPENAPI_KEPT_MAX_BYTES;
}

static bool revive(struct slot *s, const char *hash)
{
    struct retired *r;
    STAILQ_FOREACH(r, &s->retired, link)
    {
        if (strcmp(r->hash, hash) != 0)
            continue;
        STAILQ_REMOVE(&s->retired, r, retired, link);
        set_derived(s, hash, false, r->derived);
        mem_free(r->hash);
        mem_free(r);
        return true;
    }
    return false;
}

/* Drops the fetched document, and the derivation from it that has begun. */
static void drop_text(struct slot *s)
{
    struct openapi *o = s->openapi;
    if (!s->text)
        return;
    if (o->derivation && TAILQ_FIRST(&o->deriving) == s) {
        (void)o->options.end(o->derivation, s->path, NULL);
        o->derivation = NULL;
    }
    TAILQ_REMOVE(&o->deriving, s, deriving);
    if (TAILQ_EMPTY(&o->deriving))
        uv_idle_stop(&o->derive);
    mem_free(s->text);
    mem_free(s->etag);
    s->text = s->etag = NULL;
}

static void free_slot(struct slot *s)
{
    LIST_REMOVE(s, link);
    s->openapi->revision++;
    keymap_remove(&s->openapi->by_path, s->path);
    if (s->is_waiting)
        TAILQ_REMOVE(&s->openapi->waiting, s, waiting);
    api_cancel(s->call);
    drop_text(s);
    purge(s, UINT64_MAX);
    destroy(s->openapi, s->derived);
    mem_free(s->path);
    mem_free(s->hash);
    mem_free(s->refused_hash);
    mem_free(s->large_hash);
    mem_free(s->call_hash);
    mem_free(s);
}

static struct slot *find_slot(const struct openapi *o, const char *path)
{
    return keymap_get(&o->by_path, path);
}

static struct slot *slot_for(struct openapi *o, const char *path)
{
    struct slot *s = find_slot(o, path);
    if (s)
        return s;
    s = mem_zalloc(sizeof *s);
    s->openapi = o;
    s->path = mem_strdup(path);
    STAILQ_INIT(&s->retired);
    backoff_init(&s->backoff, &document_backoff, backoff_seed());
    LIST_INSERT_HEAD(&o->slots, s, link);
    keymap_put(&o->by_path, path, s);
    return s;
}

/* ---- documents ---- */

static void on_document(void *user, const struct err *err, const struct api_reply *reply);
static void on_settle(uv_timer_t *timer);
static void on_retry(uv_timer_t *timer);

static void settle_later(struct openapi *o)
{
    timer_start(&o->settle, on_settle, 0, 0);
}

/* Returns true if the slot has what the index has in this entry. */
static bool is_fresh(const struct slot *s, const struct apiindex_entry *e)
{
    return s->derived && strcmp(s->hash, e->hash) == 0;
}

/* Returns true if the slot lacks what the index has, and may be fetched. */
static bool is_wanting(struct slot *s)
{
    const struct openapi *o = s->openapi;
    const struct apiindex_entry *e = apiindex_find(&o->index, s->path);
    if (!e || s->call || s->text || is_fresh(s, e) || revive(s, e->hash))
        return false;
    return !(s->refused_hash && strcmp(s->refused_hash, e->hash) == 0) && now_ms(o) >= s->retry_ms;
}

static void fetch(struct slot *s)
{
    struct openapi *o = s->openapi;
    const struct apiindex_entry *e = apiindex_find(&o->index, s->path);
    const struct api_get get = {.path = e->url, .cap_bytes = OPENAPI_DOCUMENT_CAP_BYTES};
    mem_free(s->call_hash);
    s->call_hash = mem_strdup(e->hash);
    s->retry_ms = 0;
    s->called_ms = now_ms(o);
    s->call = api_get(o->api, &get, on_document, s);
}

/* Returns true if another fetch may begin. A fetch that has brought nothing for long does not count, since
 * nobody waits for it; a fetched document counts until it is derived. */
static bool may_fetch(const struct openapi *o)
{
    size_t all = 0, counting = 0;
    const struct slot *s;
    LIST_FOREACH(s, &o->slots, link)
    {
        all += s->call || s->text;
        counting += s->text != NULL;
        if (s->call)
            counting += api_held_bytes(s->call) > 0 || now_ms(o) - s->called_ms < OPENAPI_PATIENCE_MS;
    }
    return all < OPENAPI_FETCHES_MAX && counting < OPENAPI_FETCHES;
}

static void on_hurry(uv_timer_t *timer);

/* Fetches the documents whose turn it is. */
static void fetch_next(struct openapi *o)
{
    struct slot *s;
    while ((s = TAILQ_FIRST(&o->waiting)) && !o->is_closing && may_fetch(o)) {
        TAILQ_REMOVE(&o->waiting, s, waiting);
        s->is_waiting = false;
        if (is_wanting(s))
            fetch(s);
        else
            settle_later(o);
    }
    if (s && !o->is_closing)
        timer_start(&o->hurry, on_hurry, OPENAPI_PATIENCE_MS, 0);
}

static void on_hurry(uv_timer_t *timer)
{
    fetch_next(timer->data);
}

/* Sees to it that the slot has what the index has, or that it is on its way. */
static void freshen(struct slot *s)
{
    struct openapi *o = s->openapi;
    if (o->is_closing)
        return;
    if (!apiindex_find(&o->index, s->path)) {
        if (o->index.has_read)
            retire(s);
        return;
    }
    if (s->is_waiting || !is_wanting(s))
        return;
    s->is_waiting = true;
    TAILQ_INSERT_TAIL(&o->waiting, s, waiting);
    fetch_next(o);
}

static void plan_retry(struct openapi *o)
{
    uint64_t due = UINT64_MAX;
    const struct slot *s;
    LIST_FOREACH(s, &o->slots, link)
    {
        if (s->retry_ms && s->retry_ms < due)
            due = s->retry_ms;
    }
    if (due == UINT64_MAX)
        return;
    timer_start(&o->retry, on_retry, due > now_ms(o) ? due - now_ms(o) : 0, 0);
}

static void on_retry(uv_timer_t *timer)
{
    struct openapi *o = timer->data;
    struct slot *s;
    LIST_FOREACH(s, &o->slots, link)
    {
        if (s->retry_ms && s->retry_ms <= now_ms(o)) {
            s->retry_ms = 0;
            freshen(s);
        }
    }
    plan_retry(o);
}

/* Reports what came after all. If all who asked still wait, nothing is reported: the end of their calls
 * answers them. */
static void report_late(struct slot *s)
{
    const struct openapi *o = s->openapi;
    const bool is_late = s->n_required == 0 || s->is_owed;
    s->is_owed = false;
    if (is_late && o->options.on_change)
        o->options.on_change(o->options.user, s->path);
}

/* The document that came, or began to come, passes a bound. */
static void mark_large(struct slot *s)
{
    if (s->large_hash && strcmp(s->large_hash, s->call_hash) == 0)
        return;
    s->openapi->revision++;
    mem_free(s->large_hash);
    s->large_hash = mem_strdup(s->call_hash);
    report_late(s);
}

/* Returns true if the index has another hash by now than the one that was fetched. */
static bool is_outdated(const struct slot *s)
{
    const struct apiindex_entry *e = apiindex_find(&s->openapi->index, s->path);
    return e && strcmp(e->hash, s->call_hash) != 0;
}

static void document_failed(struct slot *s, const struct err *err)
{
    struct openapi *o = s->openapi;
    log_warn(s->path, "OpenAPI document: %s%s", err->msg, s->derived ? "; the last good one is kept" : "");
    if (err->http_status == 0 && (err->code == ERR_LIMIT || err->code == ERR_INVALID)) {
        /* The same bytes give the same result, but a server's error about a request may pass. */
        mem_free(s->refused_hash);
        s->refused_hash = mem_strdup(s->call_hash);
        if (err->code == ERR_LIMIT)
            mark_large(s);
    } else if (!is_outdated(s)) {
        s->retry_ms = now_ms(o) + backoff_next(&s->backoff, now_ms(o));
        plan_retry(o);
    }
    /* A failure of the old document says nothing of the new one. */
    if (is_outdated(s))
        freshen(s);
}

/* There may be room later. Takes derived. */
static void refuse_for_room(struct slot *s, void *derived)
{
    struct openapi *o = s->openapi;
    o->options.destroy(o->options.user, derived);
    if (!o->is_full)
        log_warn(s->path, "OpenAPI document: no room for it: all documents together may have %d bytes",
                 OPENAPI_KEPT_MAX_BYTES);
    o->is_full = true;
    mark_large(s);
    if (is_outdated(s)) {
        freshen(s);
        return;
    }
    s->retry_ms = now_ms(o) + OPENAPI_KEEP_MS;
    plan_retry(o);
}

/*
 * Returns true if the ETag says that the answer is not of the hash that was asked for. kube-openapi's is the
 * hash (pkg/handler3/handler.go, which redirects to the new one); a proxy may add to it.
 */
static bool is_of_other_hash(const char *etag, const char *hash)
{
    return *etag != '\0' && strstr(etag, hash) == NULL;
}

/* Takes derived. */
static void accept_document(struct slot *s, const char *etag, void *derived)
{
    struct openapi *o = s->openapi;
    const size_t bytes = o->options.size(o->options.user, derived);
    if (!has_room(s, bytes)) {
        refuse_for_room(s, derived);
        return;
    }
    if (s->large_hash)
        o->is_full = false;
    mem_free(s->large_hash);
    s->large_hash = NULL;
    o->kept_bytes += bytes;
    set_derived(s, s->call_hash, is_of_other_hash(etag, s->call_hash), derived);
    if (o->kept_bytes > OPENAPI_KEPT_MAX_BYTES)
        purge(s, UINT64_MAX);
    backoff_reset(&s->backoff);
    /* The index may have moved on meanwhile. */
    freshen(s);
    report_late(s);
}

/* Frees the slots that nobody has needed for a while. */
static void drop_idle(struct openapi *o)
{
    for (struct slot *s = LIST_FIRST(&o->slots), *next; s; s = next) {
        next = LIST_NEXT(s, link);
        const bool is_idle =
            o->options.is_needed && s->n_required == 0 && !o->options.is_needed(o->options.user, s->path);
        if (is_idle && s->is_idle && now_ms(o) - s->idle_ms >= OPENAPI_KEEP_MS) {
            log_debug(s->path, "OpenAPI document: nobody needs it any more");
            free_slot(s);
            continue;
        }
        if (is_idle && !s->is_idle)
            s->idle_ms = now_ms(o);
        s->is_idle = is_idle;
    }
    fetch_next(o); /* one of them may have been under way */
}

/* A slice of the first document that was fetched; one after the other, for the sake of memory. */
static void on_derive(uv_idle_t *idle)
{
    struct openapi *o = idle->data;
    struct slot *s = TAILQ_FIRST(&o->deriving);
    struct err err = {0};
    if (!o->derivation)
        o->derivation = o->options.begin(o->options.user, s->text, s->text_len);
    if (o->derivation && o->options.step(o->derivation))
        return;
    void *derived = o->options.end(o->derivation, s->path, &err);
    cleanup_mem char *etag = s->etag;
    o->derivation = NULL;
    s->etag = NULL;
    drop_text(s);
    mem_trim(); /* the text, and all that was made on the way, is free */
    settle_later(o);
    if (derived)
        accept_document(s, etag, derived);
    else
        document_failed(s, &err);
    fetch_next(o);
}

static void on_document(void *user, const struct err *failure, const struct api_reply *reply)
{
    struct slot *s = user;
    struct openapi *o = s->openapi;
    s->call = NULL;
    if (failure) {
        settle_later(o);
        document_failed(s, failure);
        fetch_next(o);
        return;
    }
    log_debug(s->path, "OpenAPI document: %zu bytes", reply->len);
    s->etag = mem_strdup(reply->etag);
    s->text = buf_take(reply->held, &s->text_len);
    TAILQ_INSERT_TAIL(&o->deriving, s, deriving);
    uv_idle_start(&o->derive, on_derive);
}

/* ---- calls ---- */

static bool is_busy(const struct openapi *o, const struct openapi_call *c)
{
    if (!o->has_tried)
        return true;
    for (size_t i = 0; i < c->n_slots; i++) {
        const struct slot *s = c->slots[i];
        if (s->call || s->text || s->is_waiting)
            return true;
    }
    return false;
}

static void free_call(struct openapi_call *c)
{
    TAILQ_REMOVE(&c->openapi->calls, c, link);
    for (size_t i = 0; i < c->n_slots; i++)
        c->slots[i]->n_required--;
    mem_free(c->slots);
    mem_free(c);
}

/* Notes which documents the call ends without: others may get them before it asks again. */
static void owe_rest(const struct openapi_call *c)
{
    const struct apiindex *index = &c->openapi->index;
    for (size_t i = 0; i < c->n_slots; i++) {
        struct slot *s = c->slots[i];
        const struct apiindex_entry *e = apiindex_find(index, s->path);
        if (e ? !is_fresh(s, e) : !index->has_read)
            s->is_owed = true;
    }
}

/* Ends only the calls that are complete now: a callback may require more, which waits its turn. */
static void on_settle(uv_timer_t *timer)
{
    struct openapi *o = timer->data;
    struct openapi_call *c;
    TAILQ_FOREACH(c, &o->calls, link)
    c->is_due = !is_busy(o, c);
    for (c = TAILQ_FIRST(&o->calls); c && !o->is_closing;) {
        if (!c->is_due) {
            c = TAILQ_NEXT(c, link);
            continue;
        }
        void (*on_done)(void *) = c->on_done;
        void *user = c->user;
        owe_rest(c);
        free_call(c);
        on_done(user);
        c = TAILQ_FIRST(&o->calls); /* the callback may have changed the list */
    }
}

struct openapi_call *openapi_require(struct openapi *openapi, const char *const *paths, size_t count,
                                     void (*on_done)(void *user), void *user)
{
    struct openapi_call *c = mem_zalloc(sizeof *c);
    c->openapi = openapi;
    c->on_done = on_done;
    c->user = user;
    c->slots = mem_array(count, sizeof(struct slot *));
    for (; c->n_slots < count; c->n_slots++) {
        c->slots[c->n_slots] = slot_for(openapi, paths[c->n_slots]);
        c->slots[c->n_slots]->n_required++;
    }
    TAILQ_INSERT_TAIL(&openapi->calls, c, link);
    for (size_t i = 0; i < count; i++)
        freshen(c->slots[i]);
    settle_later(openapi);
    return c;
}

void openapi_cancel(struct openapi_call *call)
{
    if (call)
        free_call(call);
}

void *openapi_lookup(const struct openapi *openapi, const char *path, enum openapi_state *state)
{
    enum openapi_state ignored;
    const struct slot *s = find_slot(openapi, path);
    const struct apiindex_entry *e = apiindex_find(&openapi->index, path);
    if (!state)
        state = &ignored;
    *state = OPENAPI_UNKNOWN;
    if (!openapi->index.has_read)
        return NULL;
    if (!e) {
        *state = openapi->index.is_partial ? OPENAPI_TOO_LARGE : OPENAPI_ABSENT;
        return NULL;
    }
    if (!s || !s->derived) {
        if (s && s->large_hash && strcmp(s->large_hash, e->hash) == 0)
            *state = OPENAPI_TOO_LARGE;
        return NULL;
    }
    *state = is_fresh(s, e) ? OPENAPI_FRESH : OPENAPI_STALE;
    return s->derived;
}

uint64_t openapi_revision(const struct openapi *openapi)
{
    return openapi->revision;
}

/* ---- the index ---- */

static void on_poll(uv_timer_t *timer);

/* May be asked again and again: when a reading is due does not depend on that. */
static void poll_later(struct openapi *o)
{
    if (!o->is_closing && !o->index_call)
        timer_start(&o->poll, on_poll, apiindex_delay(&o->index, now_ms(o)), 0);
}

static void on_path_changed(void *user, const char *path)
{
    struct openapi *o = user;
    struct slot *s = find_slot(o, path);
    o->revision++;
    if (s) {
        s->retry_ms = 0; /* the new document did not fail */
        if (!apiindex_find(&o->index, path))
            retire(s);
    }
    log_debug(path, "OpenAPI document changed");
    if (o->options.on_change && !o->is_closing)
        o->options.on_change(o->options.user, path);
}

static void on_index(void *user, const struct err *failure, const struct api_reply *reply)
{
    struct openapi *o = user;
    struct err err;
    bool is_read = false;
    const bool is_first = !o->index.has_read, was_partial = o->index.is_partial;
    o->index_call = NULL;
    o->has_tried = true;
    if (failure) {
        err = *failure;
    } else {
        is_read = apiindex_read(&o->index, reply->body, reply->len, now_ms(o),
                                is_first ? NULL : on_path_changed, o, &err) == 0;
    }
    if (!is_read)
        log_warn("openapi", "the index: %s", err.msg);
    if (!is_read && err.code == ERR_LIMIT) {
        apiindex_on_limit(&o->index, now_ms(o));
        is_read = true; /* documents that the index is not known to have are LimitReached; all else goes on */
    } else if (!is_read) {
        apiindex_on_failure(&o->index, now_ms(o));
    } else if (o->index.is_partial) {
        log_warn("openapi", "the index names more than %d documents: the schemas of the others are not read",
                 APIINDEX_ENTRIES);
    }
    o->revision += is_first || was_partial != o->index.is_partial;
    struct slot *s;
    LIST_FOREACH(s, &o->slots, link)
    {
        if (now_ms(o) > OPENAPI_KEEP_MS)
            purge(s, now_ms(o) - OPENAPI_KEEP_MS);
        /* This fetches the documents that were required before the index was there. */
        if (is_first)
            freshen(s);
    }
    drop_idle(o);
    settle_later(o);
    poll_later(o);
    if (!o->is_closing && o->options.on_index)
        o->options.on_index(o->options.user, is_read ? NULL : &err);
}

static void on_poll(uv_timer_t *timer)
{
    struct openapi *o = timer->data;
    const struct api_get get = {.path = "/openapi/v3", .cap_bytes = APIINDEX_CAP_BYTES};
    if (o->index_call)
        return;
    apiindex_begin(&o->index, now_ms(o));
    o->index_call = api_get(o->api, &get, on_index, o);
}

void openapi_trigger(struct openapi *openapi, const char *group)
{
    apiindex_trigger(&openapi->index, group, now_ms(openapi));
    poll_later(openapi);
}

/* ---- life ---- */

struct openapi *openapi_start(struct api *api, const struct openapi_options *options)
{
    struct openapi *o = mem_zalloc(sizeof *o);
    uv_timer_t *const timers[] = {&o->poll, &o->retry, &o->settle, &o->hurry};
    LIST_INIT(&o->slots);
    TAILQ_INIT(&o->waiting);
    TAILQ_INIT(&o->calls);
    TAILQ_INIT(&o->deriving);
    o->api = api;
    o->options = *options;
    apiindex_init(&o->index, backoff_seed());
    for (size_t i = 0; i < 4; i++) {
        uv_timer_init(api_loop(api), timers[i]);
        timers[i]->data = o;
    }
    uv_idle_init(api_loop(api), &o->derive);
    o->derive.data = o;
    o->open_handles = 5;
    on_poll(&o->poll);
    return o;
}

static void on_handle_closed(uv_handle_t *handle)
{
    struct openapi *o = handle->data;
    if (--o->open_handles > 0)
        return;
    void (*on_closed)(void *) = o->on_closed;
    void *user = o->on_closed_user;
    while (!TAILQ_EMPTY(&o->calls))
        free_call(TAILQ_FIRST(&o->calls));
    while (!LIST_EMPTY(&o->slots))
        free_slot(LIST_FIRST(&o->slots));
    keymap_deinit(&o->by_path, NULL);
    apiindex_deinit(&o->index);
    mem_free(o);
    if (on_closed)
        on_closed(user);
}

void openapi_close(struct openapi *openapi, void (*on_closed)(void *user), void *user)
{
    struct openapi *o = openapi;
    o->is_closing = true;
    o->on_closed = on_closed;
    o->on_closed_user = user;
    api_cancel(o->index_call);
    o->index_call = NULL;
    struct slot *s;
    LIST_FOREACH(s, &o->slots, link)
    {
        api_cancel(s->call);
        s->call = NULL;
        drop_text(s);
    }
    uv_close((uv_handle_t *)&o->derive, on_handle_closed);
    uv_close((uv_handle_t *)&o->poll, on_handle_closed);
    uv_close((uv_handle_t *)&o->retry, on_handle_closed);
    uv_close((uv_handle_t *)&o->settle, on_handle_closed);
    uv_close((uv_handle_t *)&o->hurry, on_handle_closed);
}
