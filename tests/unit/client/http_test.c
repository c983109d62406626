#include "client/http.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/client/loopback.h"
struct fixture {
    uv_loop_t loop;
    struct loopback server;
    struct http *http;
    char url[64];
};

struct outcome {
    struct fixture *f;
    struct http_request *request;
    int heads;
    int dones;
    int status;
    int64_t retry_after_ms;
    char etag[32];
    char body[4096];
    struct err err;
    bool refuse_head;
    bool cancel_in_data;
    bool restart;
};

static int on_head(void *user, const struct http_head *head)
{
    struct outcome *o = user;
    o->heads++;
    o->status = head->status;
    o->retry_after_ms = head->retry_after_ms;
    snprintf(o->etag, sizeof o->etag, "%s", head->etag);
    return o->refuse_head ? -1 : 0;
}

static int on_data(void *user, const char *bytes, size_t len)
{
    struct outcome *o = user;
    strncat(o->body, bytes, len);
    if (o->cancel_in_data)
        http_cancel(o->request);
    return 0;
}

static void on_done(void *user, const struct err *err);

static const struct http_handler handler = {on_head, on_data, on_done};

static struct http_request *get(struct fixture *f, struct outcome *o, size_t cap_bytes, uint64_t timeout_ms)
{
    const struct http_params p = {.method = "GET",
                                  .url = f->url,
                                  .profile = HTTP_SHORT,
                                  .timeout_ms = timeout_ms,
                                  .cap_bytes = cap_bytes};
    o->f = f;
    o->request = http_start(f->http, &p, &handler, o);
    return o->request;
}

static void on_done(void *user, const struct err *err)
{
    struct outcome *o = user;
    o->dones++;
    err_copy(&o->err, err);
    if (o->restart) {
        o->restart = false;
        get(o->f, o, 0, 1000);
    }
}

static void open_fixture(struct fixture *f,
                         void (*on_request)(struct loopback_peer *, const char *, unsigned))
{
    struct err err;
    const struct http_options options = {.proxy_url = "", .user_agent = "test/1"};
    uv_loop_init(&f->loop);
    loopback_open(&f->server, &f->loop, on_request, f);
    snprintf(f->url, sizeof f->url, "http://127.0.0.1:%d/x?y=1", f->server.port);
    assert_int_equal(http_new(&f->loop, &options, &f->http, &err), 0);
}

static void close_fixture(struct fixture *f)
{
    loopback_close(&f->server);
    http_close(f->http, NULL, NULL);
    uv_run(&f->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&f->loop), 0);
}

static void run_until(struct fixture *f, const int *dones, int count)
{
    while (*dones < count)
        uv_run(&f->loop, UV_RUN_ONCE);
}

static void hello(struct loopback_peer *peer, const char *request, unsigned number)
{
    (void)number;
    assert_memory_equal(request, "GET /x?y=1 HTTP/1.1\r\n", 21);
    assert_non_null(strstr(request, "User-Agent: test/1\r\n"));
    assert_non_null(strstr(request, "Accept-Encoding: gzip\r\n"));
    loopback_reply(peer, 200, "ETag: \"e1\"\r\nRetry-After: 2\r\n", "hello");
}

static void test_a_request(void **state)
{
    (void)state;
    struct fixture f;
    struct outcome o = {0};
    open_fixture(&f, hello);
    get(&f, &o, 0, 5000);
    assert_int_equal(o.dones, 0);
    run_until(&f, &o.dones, 1);
    assert_int_equal(o.err.code, ERR_NONE);
    assert_int_equal(o.status, 200);
    assert_int_equal(o.heads, 1);
    assert_int_equal(o.retry_after_ms, 2000);
    assert_string_equal(o.etag, "\"e1\"");
    assert_string_equal(o.body, "hello");
    close_fixture(&f);
    assert_int_equal(o.dones, 1);
}

static void test_connections_are_kept(void **state)
{
    (void)state;
    struct fixture f;
    struct outcome o = {.restart = true};
    open_fixture(&f, hello);
    get(&f, &o, 0, 5000);
    run_until(&f, &o.dones, 2);
    assert_int_equal(f.server.peers, 1);
    assert_int_equal(http_connection_count(f.http), 1);
    close_fixture(&f);
}

static void test_a_new_connection_on_request(void **state)
{
    (void)state;
    struct fixture f;
    struct outcome o = {0};
    open_fixture(&f, hello);
    get(&f, &o, 0, 5000);
    run_until(&f, &o.dones, 1);
    const struct http_params p = {
        .method = "GET", .url = f.url, .profile = HTTP_SHORT, .timeout_ms = 5000, .new_connection = true};
    http_start(f.http, &p, &handler, &o);
    run_until(&f, &o.dones, 2);
    assert_int_equal(f.server.peers, 2);
    close_fixture(&f);
}

static void echo_body(struct loopback_peer *peer, const char *request, unsigned number)
{
    (void)number;
    assert_memory_equal(request, "PATCH /x?y=1 ", 13);
    assert_null(strstr(request, "Expect"));
    assert_non_null(strstr(request, "\r\nX-A: b\r\n"));
    assert_null(strstr(request, "X-Evil"));
    loopback_reply(peer, 422, "", strstr(request, "\r\n\r\n") + 4);
}

static void test_a_body_and_headers(void **state)
{
    (void)state;
    struct fixture f;
    struct outcome o = {0};
    struct http_headers headers = {0};
    open_fixture(&f, echo_body);
    http_headers_add(&headers, "X-A", "b");
    http_headers_add(&headers, "X-Evil", "a\r\nX-Injected: 1");
    const struct http_params p = {.method = "PATCH",
                                  .url = f.url,
                                  .headers = &headers,
                                  .body = "{\"a\":1}",
                                  .body_len = 7,
                                  .profile = HTTP_SHORT,
                                  .timeout_ms = 5000};
    http_start(f.http, &p, &handler, &o);
    http_headers_deinit(&headers);
    run_until(&f, &o.dones, 1);
    assert_int_equal(o.err.code, ERR_NONE);
    assert_int_equal(o.status, 422);
    assert_string_equal(o.body, "{\"a\":1}");
    close_fixture(&f);
}

static void silence(struct loopback_peer *peer, const char *request, unsigned number)
{
    (void)peer;
    (void)request;
    (void)number;
}

static void test_timeout(void **state)
{
    (void)state;
    struct fixture f;
    struct outcome o = {0};
    open_fixture(&f, silence);
    get(&f, &o, 0, 50);
    run_until(&f, &o.dones, 1);
    assert_int_equal(o.err.code, ERR_TIMEOUT);
    assert_int_equal(o.heads, 0);
    close_fixture(&f);
}

static void test_refused_connection(void **state)
{
    (void)state;
    struct fixture f;
    struct outcome o = {0};
    open_fixture(&f, hello);
    snprintf(f.url, sizeof f.url, "http://127.0.0.1:1/");
    get(&f, &o, 0, 5000);
    run_until(&f, &o.dones, 1);
    assert_int_equal(o.err.code, ERR_NETWORK);
    close_fixture(&f);
}

static void test_no_url(void **state)
{
    (void)state;
    struct fixture f;
    struct outcome o = {0};
    open_fixture(&f, hello);
    snprintf(f.url, sizeof f.url, "ftp://127.0.0.1/");
    get(&f, &o, 0, 5000);
    run_until(&f, &o.dones, 1);
    assert_int_equal(o.err.code, ERR_INVALID);
    close_fixture(&f);
}

static void test_the_cap(void **state)
{
    (void)state;
    struct fixture f;
    struct outcome o = {0};
    open_fixture(&f, hello);
    get(&f, &o, 5, 5000);
    run_until(&f, &o.dones, 1);
    assert_int_equal(o.err.code, ERR_NONE);
    get(&f, &o, 4, 5000);
    run_until(&f, &o.dones, 2);
    assert_int_equal(o.err.code, ERR_LIMIT);
    close_fixture(&f);
}

static void big_head(struct loopback_peer *peer, const char *request, unsigned number)
{
    (void)request;
    (void)number;
    loopback_send(peer, "HTTP/1.1 200 OK\r\n");
    for (int i = 0; i < 2000; i++)
        loopback_send(peer, "X-Filler: 0123456789012345678901234567890123456789\r\n");
    loopback_send(peer, "\r\n");
}

static void test_the_cap_of_the_head(void **state)
{
    (void)state;
    struct fixture f;
    struct outcome o = {0};
    open_fixture(&f, big_head);
    get(&f, &o, 0, 5000);
    run_until(&f, &o.dones, 1);
    assert_int_equal(o.err.code, ERR_LIMIT);
    close_fixture(&f);
}

static void test_a_refused_head(void **state)
{
    (void)state;
    struct fixture f;
    struct outcome o = {.refuse_head = true};
    open_fixture(&f, hello);
    get(&f, &o, 0, 5000);
    run_until(&f, &o.dones, 1);
    assert_int_equal(o.err.code, ERR_CANCELED);
    assert_string_equal(o.body, "");
    close_fixture(&f);
}

static void test_cancel_at_every_point(void **state)
{
    (void)state;
    for (int turns = 0; turns < 12; turns++) {
        struct fixture f;
        struct outcome o = {0};
        open_fixture(&f, silence);
        struct http_request *r = get(&f, &o, 0, 60000);
        for (int i = 0; i < turns; i++)
            uv_run(&f.loop, UV_RUN_NOWAIT);
        http_cancel(r);
        for (int i = 0; i < 3; i++)
            uv_run(&f.loop, UV_RUN_NOWAIT);
        close_fixture(&f);
        assert_int_equal(o.dones, 0);
    }
}

static void test_cancel_from_its_own_callback(void **state)
{
    (void)state;
    struct fixture f;
    struct outcome o = {.cancel_in_data = true};
    struct outcome other = {0};
    open_fixture(&f, hello);
    get(&f, &o, 0, 5000);
    get(&f, &other, 0, 5000);
    run_until(&f, &other.dones, 1);
    while (!*o.body)
        uv_run(&f.loop, UV_RUN_ONCE);
    close_fixture(&f);
    assert_int_equal(o.dones, 0);
}

static void cut_short(struct loopback_peer *peer, const char *request, unsigned number)
{
    static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
    (void)request;
    loopback_send_bytes(peer, answer, number);
    /* Closing behind the write: the bytes go out first. */
    uv_shutdown_t *shutdown = calloc(1, sizeof *shutdown);
    peer->server->user = shutdown;
    uv_shutdown(shutdown, (uv_stream_t *)&peer->tcp, NULL);
}

static void test_every_cut_is_an_error(void **state)
{
    (void)state;
    struct fixture f;
    struct outcome o = {0};
    open_fixture(&f, cut_short);
    const int whole = (int)strlen("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
    for (int i = 0; f.server.requests < (unsigned)whole; i++) {
        get(&f, &o, 0, 5000);
        run_until(&f, &o.dones, i + 1);
        for (int j = 0; j < 3; j++)
            uv_run(&f.loop, UV_RUN_NOWAIT);
        free(f.server.user);
        f.server.user = NULL;
        assert_true(o.err.code != ERR_NONE);
    }
    close_fixture(&f);
}

static void test_reset_fails_what_runs(void **state)
{
    (void)state;
    struct fixture f;
    struct outcome o = {0};
    struct outcome again = {0};
    open_fixture(&f, silence);
    get(&f, &o, 0, 60000);
    while (f.server.requests < 1)
        uv_run(&f.loop, UV_RUN_ONCE);
    http_reset(f.http, "it is silent");
    f.server.on_request = hello;
    get(&f, &again, 0, 5000);
    run_until(&f, &again.dones, 1);
    assert_int_equal(o.dones, 1);
    assert_int_equal(o.err.code, ERR_NETWORK);
    assert_non_null(strstr(o.err.msg, "it is silent"));
    assert_int_equal(again.err.code, ERR_NONE);
    assert_int_equal(f.server.peers, 2);
    close_fixture(&f);
}

static void test_close_with_requests_under_way(void **state)
{
    (void)state;
    for (int turns = 0; turns < 8; turns++) {
        struct fixture f;
        struct outcome o[3] = {0};
        open_fixture(&f, silence);
        for (int i = 0; i < 3; i++)
            get(&f, &o[i], 0, 60000);
        for (int i = 0; i < turns; i++)
            uv_run(&f.loop, UV_RUN_NOWAIT);
        close_fixture(&f);
        for (int i = 0; i < 3; i++)
            assert_int_equal(o[i].dones, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_request),
        cmocka_unit_test(test_connections_are_kept),
        cmocka_unit_test(test_a_new_connection_on_request),
        cmocka_unit_test(test_a_body_and_headers),
        cmocka_unit_test(test_timeout),
        cmocka_unit_test(test_refused_connection),
        cmocka_unit_test(test_no_url),
        cmocka_unit_test(test_the_cap),
        cmocka_unit_test(test_the_cap_of_the_head),
        cmocka_unit_test(test_a_refused_head),
        cmocka_unit_test(test_cancel_at_every_point),
        cmocka_unit_test(test_cancel_from_its_own_callback),
        cmocka_unit_test(test_every_cut_is_an_error),
        cmocka_unit_test(test_reset_fails_what_runs),
        cmocka_unit_test(test_close_with_requests_under_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
