#include "client/discovery/discovery_fetch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "client/discovery/discovery_parse.h"
#include "tests/unit/client/discovery/discoverytext.h"
#include "tests/unit/client/loopback.h"

struct fixture {
    uv_loop_t loop;
    struct loopback server;
    struct config config;
    struct api *api;
    char url[64];
    int dones;
    struct discovery *found;
    struct err err;
};

static void on_done(void *user, const struct err *err, struct discovery *found)
{
    struct fixture *f = user;
    f->dones++;
    err_copy(&f->err, err);
    f->found = found;
}

static void open_fixture(struct fixture *f,
                         void (*on_request)(struct loopback_peer *, const char *, unsigned))
{
    struct err err;
    memset(f, 0, sizeof *f);
    uv_loop_init(&f->loop);
    loopback_open(&f->server, &f->loop, on_request, f);
    snprintf(f->url, sizeof f->url, "http://127.0.0.1:%d", f->server.port);
    f->config.server = f->url;
    assert_int_equal(api_new(&f->loop, &f->config, &(struct api_options){.program = "test"}, &f->api, &err),
                     0);
}

static void fetch(struct fixture *f, const struct discovery *last)
{
    const int before = f->dones;
    f->found = NULL;
    discovery_fetch(f->api, last, on_done, f);
    while (f->dones == before)
        uv_run(&f->loop, UV_RUN_ONCE);
}

static void close_fixture(struct fixture *f)
{
    loopback_close(&f->server);
    api_close(f->api, NULL, NULL);
    uv_run(&f->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&f->loop), 0);
}

static bool asks_for(const char *request, const char *path)
{
    char line[128];
    snprintf(line, sizeof line, "GET %s HTTP/1.1\r\n", path);
    return strncmp(request, line, strlen(line)) == 0;
}

static void serve_aggregated(struct loopback_peer *peer, const char *request, unsigned number)
{
    assert_non_null(
        strstr(request, "Accept: application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"));
    const bool is_core = asks_for(request, "/api");
    if (strstr(request, is_core ? "If-None-Match: \"c1\"\r\n" : "If-None-Match: \"g1\"\r\n") &&
        (is_core || number < 4))
        loopback_reply(peer, 304, "", "");
    else if (is_core)
        loopback_reply(peer, 200, "ETag: \"c1\"\r\n", core);
    else
        loopback_reply(peer, 200, "ETag: \"g1\"\r\n", number < 4 ? apps : LIST(""));
}

static void test_fetch_and_fetch_again(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, serve_aggregated);
    fetch(&f, NULL);
    struct discovery *first = f.found;
    assert_int_equal(f.err.code, ERR_NONE);
    assert_int_equal(first->n_groups, 3);
    fetch(&f, first);
    assert_int_equal(f.err.code, ERR_NONE);
    assert_null(f.found);
    /* One half is unchanged, the other is empty now. */
    fetch(&f, first);
    assert_int_equal(f.found->n_groups, 1);
    assert_string_equal(f.found->groups[0].name, "");
    discovery_free(f.found);
    discovery_free(first);
    close_fixture(&f);
}

static void serve_legacy(struct loopback_peer *peer, const char *request, unsigned number)
{
    (void)number;
    for (size_t i = 0; i < 5; i++) {
        if (asks_for(request, legacy[i].path)) {
            loopback_reply(peer, legacy[i].bytes ? 200 : 503, "", legacy[i].bytes ? legacy[i].bytes : "down");
            return;
        }
    }
    fail_msg("%s", request);
}

static void test_fetch_from_an_old_server(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, serve_legacy);
    fetch(&f, NULL);
    assert_int_equal(f.err.code, ERR_NONE);
    assert_int_equal(f.found->n_groups, 2);
    assert_int_equal(discovery_find_version(f.found, "apps", "v1beta1")->state, DISCOVERY_FAILED);
    discovery_free(f.found);
    close_fixture(&f);
}

static void serve_failure(struct loopback_peer *peer, const char *request, unsigned number)
{
    (void)number;
    loopback_reply(peer, asks_for(request, "/api") ? 200 : 500, "",
                   asks_for(request, "/api") ? core : "broken");
}

static void test_a_failure_is_one(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, serve_failure);
    fetch(&f, NULL);
    assert_int_equal(f.err.code, ERR_UNAVAILABLE);
    assert_null(f.found);
    struct discovery_call *call = discovery_fetch(f.api, NULL, on_done, &f);
    uv_run(&f.loop, UV_RUN_NOWAIT);
    discovery_cancel(call);
    close_fixture(&f);
    assert_int_equal(f.dones, 1);
}

static char large[3 * 1024 * 1024];

static void serve_large(struct loopback_peer *peer, const char *request, unsigned number)
{
    (void)number;
    loopback_reply(peer, 200, "", asks_for(request, "/api") ? core : large);
}

static void count_turn(uv_check_t *check)
{
    unsigned *turns = check->data;
    (*turns)++;
}

/* The documents are in; they are read while others have their turns, or not at all. */
static void test_a_large_one_is_read_in_slices(void **state)
{
    enum { LEAST_TURNS = 10 };
    (void)state;
    struct fixture f;
    struct err err;
    uv_check_t check;
    unsigned turns = 0;
    size_t len = (size_t)snprintf(large, sizeof large, "{\"kind\":\"APIGroupDiscoveryList\",\"items\":[");
    for (int i = 0; len < sizeof large - 200; i++)
        len += (size_t)snprintf(large + len, sizeof large - len,
                                "%s{\"metadata\":{\"name\":\"g%d\"},\"versions\":[]}", i == 0 ? "" : ",", i);
    snprintf(large + len, sizeof large - len, "]}");
    open_fixture(&f, serve_large);
    struct discovery_reader *reader =
        discovery_reader_new(&(struct discovery_reader_text){.bytes = NULL},
                             &(struct discovery_reader_text){.bytes = large, .len = strlen(large)});
    unsigned steps = 1;
    while (discovery_reader_step(reader, DISCOVERY_SLICE_BYTES))
        steps++;
    assert_int_equal(discovery_reader_end(reader, &f.found, &err), 0);
    discovery_free(f.found);
    assert_true(steps > LEAST_TURNS);
    uv_check_init(&f.loop, &check);
    check.data = &turns;
    uv_check_start(&check, count_turn);
    fetch(&f, NULL);
    assert_int_equal(f.err.code, ERR_NONE);
    assert_true(turns > steps);
    discovery_free(f.found);
    /* long after both arrived, and long before the end */
    struct discovery_call *call = discovery_fetch(f.api, NULL, on_done, &f);
    for (unsigned last = turns; turns < last + steps / 2;)
        uv_run(&f.loop, UV_RUN_ONCE);
    assert_int_equal(f.dones, 1);
    discovery_cancel(call);
    uv_close((uv_handle_t *)&check, NULL);
    close_fixture(&f);
    assert_int_equal(f.dones, 1);
}

/* One definition may have categories without an end. */
static void serve_categories(struct loopback_peer *peer, const char *request, unsigned number)
{
    enum { PIECES = 400, PIECE_BYTES = 100 * 1000 };
    static char piece[PIECE_BYTES];
    (void)number;
    if (asks_for(request, "/api")) {
        loopback_reply(peer, 200, "", core);
        return;
    }
    memset(piece, 'x', sizeof piece);
    loopback_begin_chunks(peer);
    loopback_chunk(peer, "{\"kind\":\"APIGroupDiscoveryList\",\"items\":[{\"metadata\":{\"name\":\"g\"},"
                         "\"versions\":[{\"version\":"
                         "\"v1\",\"resources\":[{\"resource\":\"r\",\"categories\":[\"a\"");
    for (int i = 0; i < PIECES; i++) {
        loopback_chunk(peer, ",\"");
        loopback_chunk_bytes(peer, piece, sizeof piece);
        loopback_chunk(peer, "\"");
    }
    loopback_chunk(peer,
                   "],\"shortNames\":[\"s\"],\"responseKind\":{\"kind\":\"R\"},\"scope\":\"Namespaced\"}]}]},"
                   "{\"metadata\":{\"name\":\"h\"},\"versions\":[]}]}");
    loopback_end_chunks(peer);
}

static void test_what_nobody_reads_has_no_cap(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, serve_categories);
    fetch(&f, NULL);
    assert_int_equal(f.err.code, ERR_NONE);
    assert_true(discovery_is_whole(f.found));
    assert_string_equal(discovery_find_resource(discovery_find_version(f.found, "g", "v1"), "r", NULL)->kind,
                        "R");
    assert_non_null(discovery_find_group(f.found, "h"));
    discovery_free(f.found);
    close_fixture(&f);
}

/* Longer than anything is kept, or no JSON at all. */
static bool is_nonsense;

static void serve_too_much(struct loopback_peer *peer, const char *request, unsigned number)
{
    static char text[DISCOVERY_CAP_BYTES + 1000000];
    (void)number;
    if (asks_for(request, "/api")) {
        loopback_reply(peer, 200, "", core);
        return;
    }
    size_t len = (size_t)snprintf(text, sizeof text, "{\"kind\":\"APIGroupDiscoveryList\",\"items\":[");
    for (int i = 0; len < sizeof text - 200; i++)
        len += (size_t)snprintf(text + len, sizeof text - len,
                                "%s{\"metadata\":{\"name\":\"g%d\"},\"versions\":[]}", i == 0 ? "" : ",", i);
    loopback_reply(peer, 200, "ETag: \"e\"\r\n", is_nonsense ? "no JSON" : text);
}

/* What is known of it is used, and what was known before stays; it is asked for again, whole. */
static void test_a_document_that_is_too_large(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct fixture f;
        const char *bytes, *etag;
        size_t len;
        is_nonsense = i == 1;
        static const char before_text[] =
            "{\"kind\":\"APIGroupDiscoveryList\",\"items\":[{\"metadata\":{\"name\":\"zz\"},\"versions\":[{"
            "\"version\":\"v1\",\"resources\":[{\"resource\":\"r\"}]}]}]}";
        struct discovery *before;
        struct err err;
        assert_int_equal(discovery_parse(NULL, 0, before_text, sizeof before_text - 1, &before, &err), 0);
        open_fixture(&f, serve_too_much);
        fetch(&f, before);
        assert_int_equal(f.err.code, ERR_NONE);
        assert_false(discovery_is_whole(f.found));
        assert_non_null(
            strstr(f.found->partial, is_nonsense ? "/apis cannot be read" : "/apis has more than"));
        assert_int_equal(discovery_find_group(f.found, "g0") != NULL, !is_nonsense);
        assert_non_null(discovery_find_group(f.found, ""));
        assert_int_equal(discovery_find_version(f.found, "zz", "v1")->state, DISCOVERY_STALE);
        discovery_origin(f.found, DISCOVERY_GROUPS, &bytes, &len, &etag);
        assert_string_equal(etag, is_nonsense ? "\"e\"" : "");
        discovery_free(f.found);
        discovery_free(before);
        close_fixture(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_nobody_reads_has_no_cap),
        cmocka_unit_test(test_a_document_that_is_too_large),
        cmocka_unit_test(test_fetch_and_fetch_again),
        cmocka_unit_test(test_fetch_from_an_old_server),
        cmocka_unit_test(test_a_failure_is_one),
        cmocka_unit_test(test_a_large_one_is_read_in_slices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
