#include "client/cache/reflector.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/log.h"
#include "tests/unit/client/loopback.h"
#include "tests/unit/client/virtualclock.h"

struct fixture {
    uv_loop_t loop;
    struct loopback server;
    struct config config;
    struct api *api;
    struct reflector *r;
    char url[64];
    char seen[1024];
    int synced;
    int errors;
    struct loopback_peer *watcher;
    bool close_in_change;
    bool is_closed;
    unsigned streams; /* streaming lists, all refused */
    unsigned lists;
    unsigned probes;
    uint64_t probed_ms;
    size_t cut; /* where script_cut cuts */
    bool is_orderly;
    bool is_silent; /* probes are not answered */
    /* What a test's server does; number counts what is neither a stream nor a probe. */
    void (*script)(struct loopback_peer *peer, const char *request, unsigned number);
};

static void on_closed(void *user)
{
    struct fixture *f = user;
    f->is_closed = true;
}

static void on_change(void *user, const struct store_object *now, const struct store_object *before)
{
    struct fixture *f = user;
    const size_t len = strlen(f->seen);
    snprintf(f->seen + len, sizeof f->seen - len, "%s%s%s ", before ? "-" : "", now ? "+" : "",
             (now ? now : before)->key);
    if (f->close_in_change) {
        f->close_in_change = false;
        reflector_close(f->r, on_closed, f);
    }
}

static void on_synced(void *user)
{
    struct fixture *f = user;
    f->synced++;
}

static void on_error(void *user, const struct err *err)
{
    struct fixture *f = user;
    (void)err;
    f->errors++;
}

static void refuse_stream(struct loopback_peer *peer)
{
    loopback_reply(peer, 422, "",
                   "{\"kind\":\"Status\",\"code\":422,\"reason\":\"Invalid\",\"message\":"
                   "\"sendInitialEvents is forbidden for watch unless the WatchList feature is on\"}");
}

/* A server without streaming lists, as far as the scripts are concerned. */
static void on_request(struct loopback_peer *peer, const char *request, unsigned number)
{
    struct fixture *f = peer->server->user;
    if (strstr(request, "sendInitialEvents=true")) {
        f->streams++;
        refuse_stream(peer);
    } else if (strstr(request, "GET /version ")) {
        f->probes++;
        f->probed_ms = virtualclock_now_ms();
        f->script(peer, request, number);
    } else {
        if (!strstr(request, "watch=true") && !strstr(request, "continue="))
            f->lists++;
        f->script(peer, request, number - f->streams - f->probes);
    }
}

static void open_with(struct fixture *f, void (*serve)(struct loopback_peer *, const char *, unsigned))
{
    struct err err;
    const struct api_options options = {.program = "test"};
    log_set_level(LOG_LEVEL_ERROR);
    uv_loop_init(&f->loop);
    loopback_open(&f->server, &f->loop, serve, f);
    snprintf(f->url, sizeof f->url, "http://127.0.0.1:%d", f->server.port);
    f->config.server = f->url;
    assert_int_equal(api_new(&f->loop, &f->config, &options, &f->api, &err), 0);
    const struct reflector_options o = {.name = "things",
                                        .path = "/apis/g/v1/things",
                                        .on_change = on_change,
                                        .on_synced = on_synced,
                                        .on_error = on_error,
                                        .user = f};
    f->r = reflector_start(f->api, &o);
}

static void open_fixture(struct fixture *f, void (*script)(struct loopback_peer *, const char *, unsigned))
{
    memset(f, 0, sizeof *f);
    f->script = script;
    open_with(f, on_request);
}

static void close_fixture(struct fixture *f)
{
    if (!f->is_closed)
        reflector_close(f->r, on_closed, f);
    loopback_close(&f->server);
    api_close(f->api, NULL, NULL);
    uv_run(&f->loop, UV_RUN_DEFAULT);
    assert_true(f->is_closed);
    assert_int_equal(uv_loop_close(&f->loop), 0);
}

static void run_until_seen(struct fixture *f, const char *text)
{
    for (int i = 0; i < 2000 && !strstr(f->seen, text); i++)
        uv_run(&f->loop, UV_RUN_ONCE);
    if (!strstr(f->seen, text))
        fail_msg("%s", f->seen);
}

#define OBJECT(name, version)                                                                                \
    "{\"metadata\":{\"name\":\"" name "\",\"uid\":\"u\",\"resourceVersion\":\"" version "\"}}"
#define EVENT(type, object) "{\"type\":\"" type "\",\"object\":" object "}\n"

static void list_reply(struct loopback_peer *peer, const char *version, const char *items)
{
    char body[512];
    snprintf(body, sizeof body,
             "{\"kind\":\"List\",\"metadata\":{\"resourceVersion\":\"%s\"},\"items\":[%s]}", version, items);
    loopback_reply(peer, 200, "", body);
}

/* A list of a and b; a watch from there that changes all sorts of things; then it ends, and the
 * next watch must begin at the bookmark. */
static void script_plain(struct loopback_peer *peer, const char *request, unsigned number)
{
    struct fixture *f = peer->server->user;
    f->watcher = peer;
    if (number == 0) {
        assert_memory_equal(request, "GET /apis/g/v1/things?resourceVersion=0 ", 40);
        list_reply(peer, "10", OBJECT("a", "1") "," OBJECT("b", "2"));
    } else if (number == 1) {
        assert_non_null(
            strstr(request, "watch=true&allowWatchBookmarks=true&resourceVersion=10&timeoutSeconds="));
        loopback_begin_chunks(peer);
        loopback_chunk(peer, EVENT("ADDED", OBJECT("c", "11")) EVENT("MODIFIED", OBJECT("a", "12")));
        loopback_chunk(peer, EVENT("DELETED", OBJECT("b", "13")) EVENT("BOOKMARK", OBJECT("", "99")));
        loopback_end_chunks(peer);
    } else {
        assert_non_null(strstr(request, "resourceVersion=99&"));
        loopback_begin_chunks(peer);
        loopback_chunk(peer, EVENT("ADDED", OBJECT("d", "100")));
    }
}

static void test_list_and_watch(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, script_plain);
    assert_false(reflector_has_synced(f.r));
    run_until_seen(&f, "+d ");
    assert_true(reflector_has_synced(f.r));
    assert_int_equal(f.synced, 1);
    assert_int_equal(f.errors, 0);
    assert_non_null(strstr(f.seen, "+c -+a -b +d "));
    assert_int_equal(store_count(reflector_store(f.r)), 3);
    assert_int_equal(f.streams, 1);
    assert_int_equal(f.lists, 1);
    assert_null(reflector_error(f.r));
    close_fixture(&f);
}

/* 410 in the stream, then a list in pages without a version; b went meanwhile. */
static void script_gone(struct loopback_peer *peer, const char *request, unsigned number)
{
    switch (number) {
    case 0:
        list_reply(peer, "10", OBJECT("a", "1") "," OBJECT("b", "2"));
        return;
    case 1:
        loopback_begin_chunks(peer);
        loopback_chunk(peer, EVENT("ERROR", "{\"kind\":\"Status\",\"code\":410,\"reason\":\"Expired\"}"));
        return;
    case 2:
        assert_memory_equal(request, "GET /apis/g/v1/things?limit=500 ", 32);
        loopback_reply(peer, 200, "",
                       "{\"metadata\":{\"resourceVersion\":\"50\",\"continue\":\"t1\"},\"items\":[" OBJECT(
                           "a", "1") "]}");
        return;
    case 3:
        assert_memory_equal(request, "GET /apis/g/v1/things?limit=500&continue=t1 ", 44);
        list_reply(peer, "50", OBJECT("c", "40"));
        return;
    default:
        assert_non_null(strstr(request, "resourceVersion=50&"));
        loopback_begin_chunks(peer);
    }
}

static void test_gone_replaces_the_store_at_once(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, script_gone);
    run_until_seen(&f, "+c ");
    assert_non_null(strstr(f.seen, "-b +c "));
    assert_int_equal(store_count(reflector_store(f.r)), 2);
    assert_int_equal(f.synced, 1);
    assert_int_equal(f.streams, 1);
    assert_int_equal(f.lists, 2);
    close_fixture(&f);
}

static void script_forbidden(struct loopback_peer *peer, const char *request, unsigned number)
{
    (void)request;
    if (number == 0)
        loopback_reply(peer, 403, "", "{\"kind\":\"Status\",\"code\":403,\"message\":\"no\"}");
    else if (number == 1)
        list_reply(peer, "1", OBJECT("a", "1"));
    else
        loopback_begin_chunks(peer);
}

static void test_an_error_is_told_and_overcome(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, script_forbidden);
    while (f.errors == 0)
        uv_run(&f.loop, UV_RUN_ONCE);
    assert_int_equal(reflector_error(f.r)->code, ERR_FORBIDDEN);
    assert_false(reflector_has_synced(f.r));
    run_until_seen(&f, "+a ");
    while (reflector_error(f.r)) /* the watch is accepted */
        uv_run(&f.loop, UV_RUN_ONCE);
    close_fixture(&f);
}

/* A list; from then on nothing may be read any more. */
static void script_withdrawn(struct loopback_peer *peer, const char *request, unsigned number)
{
    (void)request;
    if (number == 0)
        list_reply(peer, "1", OBJECT("a", "1"));
    else
        loopback_reply(peer, 403, "", "{\"kind\":\"Status\",\"code\":403,\"message\":\"no\"}");
}

/* A list; a watch that is too old; a list that stays open behind an object that changed. */
static void script_half(struct loopback_peer *peer, const char *request, unsigned number)
{
    struct fixture *f = peer->server->user;
    (void)request;
    f->watcher = NULL;
    if (number == 0) {
        list_reply(peer, "1", OBJECT("a", "1"));
    } else if (number == 1) {
        loopback_begin_chunks(peer);
        loopback_chunk(peer, EVENT("ERROR", "{\"kind\":\"Status\",\"code\":410,\"reason\":\"Expired\"}"));
    } else {
        loopback_begin_chunks(peer);
        loopback_chunk(peer, "{\"items\":[" OBJECT("a", "2") ",");
        f->watcher = peer;
    }
}

static void test_close_within_a_list(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, script_half);
    run_until_seen(&f, "+a ");
    while (!f.watcher)
        uv_run(&f.loop, UV_RUN_ONCE);
    for (int i = 0; i < 20; i++)
        uv_run(&f.loop, UV_RUN_NOWAIT);
    close_fixture(&f);
}

static void run_for(struct fixture *f, uint64_t ms)
{
    for (const uint64_t begin = virtualclock_now_ms(); virtualclock_now_ms() - begin < ms;)
        uv_run(&f->loop, UV_RUN_ONCE);
}

static void test_a_right_that_is_withdrawn(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, script_withdrawn);
    run_until_seen(&f, "+a ");
    assert_true(reflector_silent_ms(f.r) < 1000);
    run_for(&f, 120000);
    assert_true(reflector_has_synced(f.r));
    assert_int_equal(reflector_error(f.r)->code, ERR_FORBIDDEN);
    assert_true(reflector_silent_ms(f.r) >= 110000);
    assert_true(reflector_failing_ms(f.r) >= 110000);
    close_fixture(&f);
}

/* Watches that are opened and bring nothing: no error says so. */
static void script_barren(struct loopback_peer *peer, const char *request, unsigned number)
{
    (void)request;
    if (number == 0) {
        list_reply(peer, "1", OBJECT("a", "1"));
        return;
    }
    loopback_begin_chunks(peer);
    loopback_end_chunks(peer);
}

static void test_watches_that_bring_nothing(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, script_barren);
    run_until_seen(&f, "+a ");
    run_for(&f, 120000);
    assert_true(reflector_silent_ms(f.r) >= 110000);
    close_fixture(&f);
}

/* Page after page, each leads to itself; each begins a list that is backed off from. */
static void script_endless(struct loopback_peer *peer, const char *request, unsigned number)
{
    (void)request;
    (void)number;
    loopback_reply(peer, 200, "",
                   "{\"metadata\":{\"resourceVersion\":\"1\",\"continue\":\"t\"},\"items\":[]}");
}

static void test_pages_that_lead_to_themselves(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, script_endless);
    run_for(&f, 120000);
    assert_false(reflector_has_synced(f.r));
    assert_int_equal(reflector_error(f.r)->code, ERR_PROTOCOL);
    assert_in_range(f.lists, 5, 12);
    close_fixture(&f);
}

static void test_close_at_every_point(void **state)
{
    (void)state;
    for (int turns = 0; turns < 25; turns++) {
        struct fixture f;
        open_fixture(&f, script_plain);
        for (int i = 0; i < turns; i++)
            uv_run(&f.loop, UV_RUN_NOWAIT);
        close_fixture(&f);
    }
}

static void test_close_from_a_change(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, script_plain);
    f.close_in_change = true;
    for (int i = 0; i < 200 && !f.is_closed; i++)
        uv_run(&f.loop, UV_RUN_ONCE);
    assert_true(f.is_closed);
    assert_int_equal(strlen(f.seen), 3);
    assert_int_equal(f.synced, 0);
    close_fixture(&f);
}

/* ---- a watch that is cut ---- */

#define CUT_FRAME EVENT("MODIFIED", OBJECT("caf\xc3\xa9", "11"))

/* The frame up to a byte, and the end of the connection or (orderly) of the answer; then, from the
 * same version, all of it, unless it was seen already. */
static void script_cut(struct loopback_peer *peer, const char *request, unsigned number)
{
    struct fixture *f = peer->server->user;
    const bool was_seen = f->cut == sizeof CUT_FRAME - 1;
    if (number == 0) {
        list_reply(peer, "10", OBJECT("a", "1"));
    } else if (number == 1) {
        char part[sizeof CUT_FRAME] = "";
        memcpy(part, CUT_FRAME, f->cut);
        loopback_begin_chunks(peer);
        if (f->cut > 0)
            loopback_chunk(peer, part);
        if (f->is_orderly)
            loopback_end_chunks(peer);
        else
            loopback_finish(peer);
    } else {
        assert_non_null(strstr(request, was_seen ? "&resourceVersion=11&" : "&resourceVersion=10&"));
        loopback_begin_chunks(peer);
        loopback_chunk(peer, was_seen ? EVENT("ADDED", OBJECT("b", "12"))
                                      : CUT_FRAME EVENT("ADDED", OBJECT("b", "12")));
    }
}

static void test_a_watch_cut_at_every_byte_loses_nothing(void **state)
{
    (void)state;
    for (size_t cut = 0; cut < 2 * sizeof CUT_FRAME; cut++) {
        struct fixture f = {.script = script_cut, .cut = cut / 2, .is_orderly = cut % 2};
        open_with(&f, on_request);
        run_until_seen(&f, "+b ");
        assert_string_equal(f.seen, "+a +caf\xc3\xa9 +b ");
        assert_int_equal(f.streams, 1);
        assert_int_equal(f.lists, 1);
        close_fixture(&f);
    }
}

/* ---- streaming lists ---- */

#define END(version)                                                                                         \
    EVENT("BOOKMARK", "{\"metadata\":{\"resourceVersion\":\"" version                                        \
                      "\",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}")

static void script_stream(struct loopback_peer *peer, const char *request, unsigned number)
{
    struct fixture *f = peer->server->user;
    f->watcher = peer;
    if (number == 0) {
        assert_non_null(strstr(request, "GET /apis/g/v1/things?watch=true&allowWatchBookmarks=true"
                                        "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
                                        "&timeoutSeconds="));
        loopback_begin_chunks(peer);
        loopback_chunk(peer, EVENT("ADDED", OBJECT("a", "7")) EVENT("ADDED", OBJECT("b", "3")));
    } else {
        assert_non_null(strstr(request, "?watch=true&allowWatchBookmarks=true&resourceVersion=12&timeout"));
        loopback_begin_chunks(peer);
        loopback_chunk(peer, EVENT("ADDED", OBJECT("d", "13")));
    }
}

static void turn(struct fixture *f, int turns)
{
    for (int i = 0; i < turns; i++)
        uv_run(&f->loop, UV_RUN_NOWAIT);
}

static void test_a_stream_shows_up_at_once_and_goes_on(void **state)
{
    (void)state;
    struct fixture f = {0};
    open_with(&f, script_stream);
    while (!f.watcher)
        uv_run(&f.loop, UV_RUN_ONCE);
    turn(&f, 20);
    assert_string_equal(f.seen, "");
    assert_false(reflector_has_synced(f.r));
    loopback_chunk(f.watcher, END("9"));
    run_until_seen(&f, "+b ");
    assert_true(reflector_has_synced(f.r));
    assert_int_equal(f.synced, 1);
    loopback_chunk(f.watcher, EVENT("ADDED", OBJECT("c", "12")));
    run_until_seen(&f, "+c ");
    assert_int_equal(f.server.requests, 1);
    loopback_end_chunks(f.watcher);
    run_until_seen(&f, "+d ");
    assert_int_equal(f.errors, 0);
    assert_int_equal(f.server.requests, 2); /* the stream, and a watch */
    close_fixture(&f);
}

/* Cut within the initial events, then whole: what was seen before the cut must not remain. */
static void script_cut_stream(struct loopback_peer *peer, const char *request, unsigned number)
{
    loopback_begin_chunks(peer);
    if (number == 0) {
        loopback_chunk(peer, EVENT("ADDED", OBJECT("ghost", "7")) "{\"type\":\"ADD");
        loopback_finish(peer);
    } else {
        assert_null(strstr(request, "resourceVersion="));
        loopback_chunk(peer, EVENT("ADDED", OBJECT("a", "8")) END("9"));
    }
}

static void test_a_stream_that_is_cut_begins_anew(void **state)
{
    (void)state;
    struct fixture f = {0};
    open_with(&f, script_cut_stream);
    run_until_seen(&f, "+a ");
    assert_string_equal(f.seen, "+a ");
    assert_int_equal(store_count(reflector_store(f.r)), 1);
    close_fixture(&f);
}

/* A server that does not know the parameter: it watches, but says nothing of an end. */
static void script_endless_stream(struct loopback_peer *peer, const char *request, unsigned number)
{
    struct fixture *f = peer->server->user;
    if (number == 0) {
        loopback_begin_chunks(peer);
        loopback_chunk(peer, EVENT("ADDED", OBJECT("a", "8")));
    } else if (number == 1) {
        f->probed_ms = virtualclock_now_ms();
        assert_memory_equal(request, "GET /apis/g/v1/things?resourceVersion=0 ", 40);
        list_reply(peer, "10", OBJECT("a", "8"));
    } else {
        loopback_begin_chunks(peer);
    }
}

static void test_a_stream_without_an_end_becomes_a_list(void **state)
{
    (void)state;
    struct fixture f = {0};
    const uint64_t began_ms = virtualclock_now_ms();
    open_with(&f, script_endless_stream);
    run_until_seen(&f, "+a ");
    assert_in_range(f.probed_ms - began_ms, 60000, 75000);
    assert_int_equal(f.errors, 0);
    close_fixture(&f);
}

/* ---- the silent peer ---- */

/* A watch without a byte; the probe is answered, or not. */
static void script_silent(struct loopback_peer *peer, const char *request, unsigned number)
{
    struct fixture *f = peer->server->user;
    if (strstr(request, "GET /version ")) {
        assert_ptr_not_equal(peer, f->watcher);
        if (f->is_silent)
            return;
        loopback_reply(peer, 403, "", "{}");
    } else if (number == 0) {
        list_reply(peer, "10", OBJECT("a", "1"));
    } else if (number == 1) {
        f->watcher = peer;
    } else {
        assert_non_null(strstr(request, "&resourceVersion=10&"));
        loopback_begin_chunks(peer);
        loopback_chunk(peer, EVENT("ADDED", OBJECT("b", "11")));
    }
}

static void test_a_silent_watch_is_probed_and_opened_anew(void **state)
{
    (void)state;
    struct fixture f;
    const uint64_t began_ms = virtualclock_now_ms();
    open_fixture(&f, script_silent);
    run_until_seen(&f, "+b ");
    assert_int_equal(f.probes, 1);
    assert_in_range(f.probed_ms - began_ms, 90000, 105000);
    assert_in_range(virtualclock_now_ms() - f.probed_ms, 0, 1000);
    assert_int_equal(f.errors, 0);
    assert_int_equal(f.streams, 1);
    close_fixture(&f);
}

static void test_a_peer_that_does_not_answer_a_probe_is_dead(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, script_silent);
    run_until_seen(&f, "+a ");
    f.is_silent = true;
    const unsigned before = f.server.peers;
    run_until_seen(&f, "+b ");
    assert_int_equal(f.probes, 1);
    assert_in_range(virtualclock_now_ms() - f.probed_ms, 10000, 13000);
    assert_int_equal(f.errors, 1);
    assert_int_equal(f.server.peers, before + 2); /* the probe's, and the one after all were closed */
    assert_int_equal(f.streams, 1);
    assert_int_equal(f.lists, 1);
    close_fixture(&f);
}

/* An object that is too long, with its name at the beginning, or behind. The caller frees it. */
static char *long_object(const char *name, bool is_name_first)
{
    const size_t len = API_FRAME_CAP_BYTES + 100;
    char *text = malloc(len + 200), *fill = malloc(len + 1);
    memset(fill, 'x', len);
    fill[len] = '\0';
    if (is_name_first)
        snprintf(text, len + 200,
                 "{\"metadata\":{\"name\":\"%s\",\"uid\":\"u\",\"resourceVersion\":\"3\",\"labels\":{\"a\":"
                 "\"%s\"}}}",
                 name, fill);
    else
        snprintf(text, len + 200,
                 "{\"metadata\":{\"labels\":{\"a\":\"%s\"},\"name\":\"%s\",\"uid\":\"u\",\"resourceVersion\":"
                 "\"3\"}}",
                 fill, name);
    free(fill);
    return text;
}

static void chunk_long(struct loopback_peer *peer, const char *begin, const char *name, bool is_name_first,
                       const char *end)
{
    char *text = long_object(name, is_name_first);
    if (*begin != '\0') /* an empty chunk is the end */
        loopback_chunk(peer, begin);
    loopback_chunk_bytes(peer, text, strlen(text));
    loopback_chunk(peer, end);
    free(text);
}

static void script_long(struct loopback_peer *peer, const char *request, unsigned number)
{
    (void)request;
    loopback_begin_chunks(peer);
    if (number == 0) {
        chunk_long(peer, "{\"metadata\":{\"resourceVersion\":\"5\"},\"items\":[", "long", true, ",");
        chunk_long(peer, "", "nobody", false, "," OBJECT("short", "4") "]}");
        loopback_end_chunks(peer);
        return;
    }
    chunk_long(peer, "{\"type\":\"ADDED\",\"object\":", "longer", true, "}\n");
    chunk_long(peer, "{\"type\":\"ADDED\",\"object\":", "nobody", false,
               "}\n" EVENT("ADDED", OBJECT("other", "8")));
    chunk_long(peer, "{\"type\":\"DELETED\",\"object\":", "long", true,
               "}\n" EVENT("ADDED", OBJECT("last", "9")));
}

/* One that is too long ends neither the list nor the watch. */
static void test_objects_that_are_too_long(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, script_long);
    run_until_seen(&f, "+last ");
    const struct store *s = reflector_store(f.r);
    assert_null(store_get(s, "long"));
    assert_int_equal(store_get(s, "longer")->left_out, STORE_TOO_LONG);
    assert_int_equal(store_get(s, "short")->left_out, STORE_WHOLE);
    assert_non_null(strstr(f.seen, "+long "));
    assert_non_null(strstr(f.seen, "-long "));
    assert_non_null(strstr(f.seen, "+other "));
    assert_int_equal(store_count(s), 4);
    assert_int_equal(reflector_unreadable(f.r), 2);
    assert_int_equal(f.errors, 0);
    assert_int_equal(f.lists, 1);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_objects_that_are_too_long),
        cmocka_unit_test(test_list_and_watch),
        cmocka_unit_test(test_gone_replaces_the_store_at_once),
        cmocka_unit_test(test_an_error_is_told_and_overcome),
        cmocka_unit_test(test_close_at_every_point),
        cmocka_unit_test(test_close_from_a_change),
        cmocka_unit_test(test_a_watch_cut_at_every_byte_loses_nothing),
        cmocka_unit_test(test_a_stream_shows_up_at_once_and_goes_on),
        cmocka_unit_test(test_a_stream_that_is_cut_begins_anew),
        cmocka_unit_test(test_a_stream_without_an_end_becomes_a_list),
        cmocka_unit_test(test_a_silent_watch_is_probed_and_opened_anew),
        cmocka_unit_test(test_a_peer_that_does_not_answer_a_probe_is_dead),
        cmocka_unit_test(test_a_right_that_is_withdrawn),
        cmocka_unit_test(test_watches_that_bring_nothing),
        cmocka_unit_test(test_pages_that_lead_to_themselves),
        cmocka_unit_test(test_close_within_a_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
