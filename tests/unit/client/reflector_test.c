#include "client/reflector.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/log.h"
#include "tests/unit/client/loopback.h"
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

static void open_fixture(struct fixture *f,
                         void (*on_request)(struct loopback_peer *, const char *, unsigned))
{
    struct err err;
    const struct api_options options = {.program = "test"};
    memset(f, 0, sizeof *f);
    log_set_level(LOG_LEVEL_ERROR);
    uv_loop_init(&f->loop);
    loopback_open(&f->server, &f->loop, on_request, f);
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
    assert_int_equal(reflector_list_count(f.r), 1);
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
    assert_int_equal(reflector_list_count(f.r), 2);
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
    assert_null(reflector_error(f.r));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list_and_watch),
        cmocka_unit_test(test_gone_replaces_the_store_at_once),
        cmocka_unit_test(test_an_error_is_told_and_overcome),
        cmocka_unit_test(test_close_at_every_point),
        cmocka_unit_test(test_close_from_a_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
