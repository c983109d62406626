/* Bodies that come as gzip: how http_test.c's requests are answered by a server that compresses. */
#include "client/http/http_request.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "client/http/http.h"
#include "tests/support/gzipped.h"
#include "tests/unit/client/loopback.h"

enum { BOMB_BYTES = 32 * 1024 * 1024, SPLITS = 80 };

/* What the server sends: one gzip stream, in two chunks. */
struct script {
    char *bytes;
    size_t len, split;
    bool is_endless; /* the chunks do not end */
};

struct fixture {
    uv_loop_t loop;
    struct loopback server;
    struct http *http;
    struct script script;
    char url[64];
};

struct outcome {
    struct fixture *f;
    struct http_request *request;
    char text[256];
    size_t bytes;
    size_t most_in_a_turn, in_this_turn;
    uint64_t turn_ms;
    size_t turns;
    size_t cancel_after;
    int dones;
    struct err err;
};

static int on_data(void *user, const char *bytes, size_t len)
{
    struct outcome *o = user;
    const size_t room = sizeof o->text - 1 - strlen(o->text);
    strncat(o->text, bytes, len < room ? len : room);
    o->bytes += len;
    o->in_this_turn += len;
    if (o->in_this_turn > o->most_in_a_turn)
        o->most_in_a_turn = o->in_this_turn;
    if (o->cancel_after && o->bytes > o->cancel_after)
        http_cancel(o->request);
    return 0;
}

static void on_done(void *user, const struct err *err)
{
    struct outcome *o = user;
    o->dones++;
    err_copy(&o->err, err);
}

static const struct http_handler handler = {.on_data = on_data, .on_done = on_done};

static void answer(struct loopback_peer *peer, const char *request, unsigned number)
{
    const struct script *s = &((struct fixture *)peer->server->user)->script;
    (void)number;
    if (strstr(request, "/plain")) {
        loopback_reply(peer, 200, "", "plain");
        return;
    }
    assert_non_null(strstr(request, "\r\nAccept-Encoding: gzip\r\n"));
    loopback_begin_gzip(peer);
    if (s->split)
        loopback_chunk_bytes(peer, s->bytes, s->split);
    if (s->len > s->split)
        loopback_chunk_bytes(peer, s->bytes + s->split, s->len - s->split);
    if (!s->is_endless)
        loopback_end_chunks(peer);
}

static void open_fixture(struct fixture *f,
                         void (*on_request)(struct loopback_peer *, const char *, unsigned),
                         bool disable_compression)
{
    struct err err;
    const struct http_options options = {
        .proxy_url = "", .user_agent = "test/1", .disable_compression = disable_compression};
    *f = (struct fixture){0};
    uv_loop_init(&f->loop);
    loopback_open(&f->server, &f->loop, on_request, f);
    snprintf(f->url, sizeof f->url, "http://127.0.0.1:%d/gzip", f->server.port);
    assert_int_equal(http_new(&f->loop, &options, &f->http, &err), 0);
}

static void close_fixture(struct fixture *f)
{
    loopback_close(&f->server);
    http_close(f->http, NULL, NULL);
    uv_run(&f->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&f->loop), 0);
    free(f->script.bytes);
}

static void get(struct fixture *f, struct outcome *o, const char *url, size_t cap_bytes)
{
    const struct http_params p = {
        .method = "GET", .url = url, .profile = HTTP_SHORT, .timeout_ms = 60000, .cap_bytes = cap_bytes};
    o->f = f;
    o->request = http_start(f->http, &p, &handler, o);
}

static void turn(struct fixture *f, struct outcome *o)
{
    o->in_this_turn = 0;
    o->turns++;
    uv_run(&f->loop, UV_RUN_ONCE);
}

static void run(struct fixture *f, struct outcome *o)
{
    while (o->dones == 0)
        turn(f, o);
}

static void add_member(struct script *s, const char *bytes, size_t len)
{
    size_t more;
    char *one = gzipped(bytes, len, &more);
    s->bytes = realloc(s->bytes, s->len + more);
    memcpy(s->bytes + s->len, one, more);
    s->len += more;
    free(one);
}

static void add_bomb(struct script *s)
{
    char *spaces = malloc(BOMB_BYTES);
    memset(spaces, ' ', BOMB_BYTES);
    add_member(s, spaces, BOMB_BYTES);
    free(spaces);
}

/* A member a flush, cut into two chunks at every byte. */
static void test_members(void **state)
{
    size_t len = SPLITS;
    (void)state;
    for (size_t split = 0; split < len; split++) {
        struct fixture f;
        struct outcome o = {0};
        open_fixture(&f, answer, false);
        add_member(&f.script, "one\n", 4);
        add_member(&f.script, "two\n", 4);
        add_member(&f.script, "three\n", 6);
        len = f.script.len;
        f.script.split = split;
        get(&f, &o, f.url, 0);
        run(&f, &o);
        assert_int_equal(o.err.code, ERR_NONE);
        assert_string_equal(o.text, "one\ntwo\nthree\n");
        close_fixture(&f);
    }
}

/* What a member holds is there before the next one comes. */
static void test_nothing_waits_for_the_next_member(void **state)
{
    struct fixture f;
    struct outcome o = {0};
    (void)state;
    open_fixture(&f, answer, false);
    add_member(&f.script, "one\n", 4);
    f.script.is_endless = true;
    get(&f, &o, f.url, 0);
    while (o.bytes < 4)
        turn(&f, &o);
    assert_string_equal(o.text, "one\n");
    assert_int_equal(o.dones, 0);
    close_fixture(&f);
}

static void test_no_member_at_all(void **state)
{
    struct fixture f;
    struct outcome o = {0};
    (void)state;
    open_fixture(&f, answer, false);
    get(&f, &o, f.url, 0);
    run(&f, &o);
    assert_int_equal(o.err.code, ERR_NONE);
    assert_int_equal(o.bytes, 0);
    close_fixture(&f);
}

/* While a body of BOMB_BYTES is on its way to `o`, another request is answered; then the body comes to its
 * end. */
static void expect_others_are_served(struct fixture *f, struct outcome *o)
{
    struct outcome other = {0};
    char url[64];
    while (o->bytes == 0)
        turn(f, o);
    snprintf(url, sizeof url, "http://127.0.0.1:%d/plain", f->server.port);
    get(f, &other, url, 0);
    while (other.dones == 0)
        turn(f, o);
    assert_int_equal(other.err.code, ERR_NONE);
    assert_true(o->bytes < BOMB_BYTES / 2);
    run(f, o);
    assert_int_equal(o->err.code, ERR_NONE);
    assert_int_equal(o->bytes, BOMB_BYTES);
}

/* Each turn of the loop does its share, and others are served meanwhile. */
static void test_a_bomb_is_inflated_in_turns(void **state)
{
    struct fixture f;
    struct outcome o = {0};
    (void)state;
    open_fixture(&f, answer, false);
    add_bomb(&f.script);
    get(&f, &o, f.url, 0);
    expect_others_are_served(&f, &o);
    assert_true(o.most_in_a_turn <= 2 * (HTTP_TURN_WORK + GUNZIP_BLOCK_BYTES));
    close_fixture(&f);
}

static void answer_long(struct loopback_peer *peer, const char *request, unsigned number)
{
    if (strstr(request, "/plain")) {
        answer(peer, request, number);
        return;
    }
    char *text = malloc(BOMB_BYTES);
    memset(text, 'x', BOMB_BYTES);
    loopback_begin_chunks(peer);
    loopback_chunk_bytes(peer, text, BOMB_BYTES);
    loopback_end_chunks(peer);
    free(text);
}

/* However fast it arrives: each turn hands out a share of it, and others are served meanwhile. */
static void test_a_long_body_is_handed_out_in_turns(void **state)
{
    struct fixture f;
    struct outcome o = {0};
    (void)state;
    open_fixture(&f, answer_long, false);
    get(&f, &o, f.url, 0);
    expect_others_are_served(&f, &o);
    assert_true(o.turns >= BOMB_BYTES / (3 * HTTP_TURN_WORK));
    assert_true(o.most_in_a_turn <= 3 * HTTP_TURN_WORK);
    close_fixture(&f);
}

static void test_a_bomb_meets_the_cap(void **state)
{
    struct fixture f;
    struct outcome o = {0};
    (void)state;
    open_fixture(&f, answer, false);
    add_bomb(&f.script);
    get(&f, &o, f.url, 1 << 20);
    run(&f, &o);
    assert_int_equal(o.err.code, ERR_LIMIT);
    assert_true(o.bytes <= 1 << 20);
    close_fixture(&f);
}

static void test_the_end_of_a_bomb(void **state)
{
    (void)state;
    for (int how = 0; how < 4; how++) {
        struct fixture f;
        struct outcome o = {.cancel_after = how == 0 ? HTTP_TURN_WORK / 2 : 0};
        open_fixture(&f, answer, false);
        add_bomb(&f.script);
        get(&f, &o, f.url, 0);
        while (o.bytes == 0)
            turn(&f, &o);
        if (how == 1)
            http_cancel(o.request);
        if (how == 2)
            http_reset(f.http, "for the test");
        for (int i = 0; i < 5; i++)
            uv_run(&f.loop, UV_RUN_NOWAIT);
        assert_true(how == 3 || o.bytes < 4 * HTTP_TURN_WORK);
        assert_int_equal(o.dones, how == 2);
        assert_int_equal(o.err.code, how == 2 ? ERR_NETWORK : ERR_NONE);
        close_fixture(&f); /* 3: in the middle */
    }
}

static void test_what_ends_early(void **state)
{
    size_t len = SPLITS;
    (void)state;
    for (size_t cut = 1; cut < len; cut++) {
        struct fixture f;
        struct outcome o = {0};
        open_fixture(&f, answer, false);
        add_member(&f.script, "one\n", 4);
        len = f.script.len;
        f.script.len = cut;
        get(&f, &o, f.url, 0);
        run(&f, &o);
        assert_int_equal(o.err.code, ERR_NETWORK);
        close_fixture(&f);
    }
}

static void test_what_is_no_gzip(void **state)
{
    struct fixture f;
    struct outcome o = {0};
    (void)state;
    open_fixture(&f, answer, false);
    add_member(&f.script, "one\n", 4);
    add_member(&f.script, "two\n", 4);
    f.script.bytes[f.script.len / 2] ^= 0x55;
    get(&f, &o, f.url, 0);
    run(&f, &o);
    assert_int_equal(o.err.code, ERR_PROTOCOL);
    assert_non_null(strstr(o.err.msg, "gzip"));
    close_fixture(&f);
}

static void answer_strangely(struct loopback_peer *peer, const char *request, unsigned number)
{
    (void)request;
    (void)number;
    loopback_reply(peer, 200, "Content-Encoding: br\r\n", "????");
}

static void test_an_unknown_encoding(void **state)
{
    struct fixture f;
    struct outcome o = {0};
    (void)state;
    open_fixture(&f, answer_strangely, false);
    get(&f, &o, f.url, 0);
    run(&f, &o);
    assert_int_equal(o.err.code, ERR_PROTOCOL);
    assert_non_null(strstr(o.err.msg, "br"));
    assert_int_equal(o.bytes, 0);
    close_fixture(&f);
}

static void answer_plainly(struct loopback_peer *peer, const char *request, unsigned number)
{
    (void)number;
    assert_null(strstr(request, "Accept-Encoding"));
    loopback_reply(peer, 200, "", "plain");
}

static void test_compression_may_be_disabled(void **state)
{
    struct fixture f;
    struct outcome o = {0};
    (void)state;
    open_fixture(&f, answer_plainly, true);
    get(&f, &o, f.url, 0);
    run(&f, &o);
    assert_int_equal(o.err.code, ERR_NONE);
    assert_string_equal(o.text, "plain");
    close_fixture(&f);
}

static void test_a_watch_asks_for_no_compression(void **state)
{
    struct fixture f;
    struct outcome o = {.f = &f};
    (void)state;
    open_fixture(&f, answer_plainly, false);
    const struct http_params p = {.method = "GET", .url = f.url, .profile = HTTP_WATCH};
    o.request = http_start(f.http, &p, &handler, &o);
    run(&f, &o);
    assert_int_equal(o.err.code, ERR_NONE);
    assert_string_equal(o.text, "plain");
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_members),
        cmocka_unit_test(test_nothing_waits_for_the_next_member),
        cmocka_unit_test(test_no_member_at_all),
        cmocka_unit_test(test_a_bomb_is_inflated_in_turns),
        cmocka_unit_test(test_a_long_body_is_handed_out_in_turns),
        cmocka_unit_test(test_a_bomb_meets_the_cap),
        cmocka_unit_test(test_the_end_of_a_bomb),
        cmocka_unit_test(test_what_ends_early),
        cmocka_unit_test(test_what_is_no_gzip),
        cmocka_unit_test(test_an_unknown_encoding),
        cmocka_unit_test(test_compression_may_be_disabled),
        cmocka_unit_test(test_a_watch_asks_for_no_compression),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
