#include "client/http/http.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "client/http/tls.h"
#include "tests/unit/client/loopback.h"
#include "tests/unit/client/virtualclock.h"

struct fixture {
    uv_loop_t loop;
    struct loopback server;
    struct http *http;
    char url[64];
    uint64_t left_ms;
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

static uint64_t left_ms(void *user)
{
    const struct fixture *f = user;
    return f->left_ms;
}

static void open_fixture(struct fixture *f,
                         void (*on_request)(struct loopback_peer *, const char *, unsigned))
{
    struct err err;
    const struct http_options options = {
        .proxy_url = "", .user_agent = "test/1", .left_ms = left_ms, .user = f};
    f->left_ms = UINT64_MAX;
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

static void repeat(struct loopback_peer *peer, const char *request, unsigned number)
{
    (void)number;
    loopback_reply(peer, 200, "", request);
}

static void expect_repeated(struct fixture *f, const struct http_params *p, const char *first_line,
                            const char *header, const char *end)
{
    struct outcome o = {0};
    http_start(f->http, p, &handler, &o);
    run_until(f, &o.dones, 1);
    assert_int_equal(o.err.code, ERR_NONE);
    assert_memory_equal(o.body, first_line, strlen(first_line));
    assert_true((strstr(o.body, "X-A: b") != NULL) == (header != NULL));
    assert_true((strstr(o.body, "Content-Length") != NULL) == (*end != '\0'));
    assert_true((strstr(o.body, "Accept-Encoding: gzip") != NULL) == (*end == '\0'));
    assert_string_equal(strstr(o.body, "\r\n\r\n") + 4, end);
}

/* What one request says is not said by those behind it, which use what was made for it. */
static void test_requests_in_a_row(void **state)
{
    (void)state;
    struct fixture f;
    struct http_headers headers = {0};
    open_fixture(&f, repeat);
    http_headers_add(&headers, "X-A", "b");
    const struct http_params get = {.method = "GET", .url = f.url, .profile = HTTP_SHORT, .timeout_ms = 5000};
    struct http_params patch = get, put = get, new_one = get;
    patch.method = "PATCH";
    patch.headers = &headers;
    patch.body = "a longer body";
    patch.body_len = strlen(patch.body);
    put.method = "PUT";
    put.body = "short";
    put.body_len = strlen(put.body);
    new_one.new_connection = true;
    for (int i = 0; i < 2; i++) {
        expect_repeated(&f, &patch, "PATCH /x?y=1 ", "X-A", patch.body);
        expect_repeated(&f, &get, "GET /x?y=1 ", NULL, "");
        expect_repeated(&f, &put, "PUT /x?y=1 ", NULL, put.body);
        expect_repeated(&f, &patch, "PATCH /x?y=1 ", "X-A", patch.body);
        expect_repeated(&f, &new_one, "GET /x?y=1 ", NULL, "");
    }
    assert_int_equal(f.server.peers, 3); /* the new ones are not kept */
    http_headers_deinit(&headers);
    close_fixture(&f);
}

static void silence(struct loopback_peer *peer, const char *request, unsigned number)
{
    (void)peer;
    (void)request;
    (void)number;
}

/* Nor is its time limit theirs. */
static void test_a_limit_is_of_one_request(void **state)
{
    (void)state;
    struct fixture f;
    struct outcome o[3] = {{0}};
    open_fixture(&f, silence);
    get(&f, &o[0], 0, 20);
    run_until(&f, &o[0].dones, 1);
    get(&f, &o[1], 0, 3600000);
    get(&f, &o[2], 0, 40);
    run_until(&f, &o[2].dones, 1);
    assert_int_equal(o[2].err.code, ERR_TIMEOUT);
    assert_int_equal(o[1].dones, 0);
    close_fixture(&f);
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

static unsigned polls_to_fail;

/* As the kernel may: it watches no more than fs.epoll.max_user_watches. */
int uv_poll_init_socket(uv_loop_t *loop, uv_poll_t *poll, uv_os_sock_t fd)
{
    if (polls_to_fail == 0)
        return uv_poll_init(loop, poll, fd);
    polls_to_fail--;
    return UV_ENOSPC;
}

/* The requests of that moment fail, and no others. */
static void test_a_socket_that_cannot_be_watched(void **state)
{
    (void)state;
    struct fixture f;
    struct outcome o = {0}, next = {0};
    open_fixture(&f, hello);
    polls_to_fail = 1;
    get(&f, &o, 0, 1000);
    run_until(&f, &o.dones, 1);
    assert_int_equal(polls_to_fail, 0);
    assert_int_equal(o.err.code, ERR_NETWORK);
    assert_string_equal(o.err.msg, "connection closed: a socket cannot be watched");
    get(&f, &next, 0, 1000);
    run_until(&f, &next.dones, 1);
    assert_int_equal(next.err.code, ERR_NONE);
    assert_int_equal(next.status, 200);
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

static void start(struct fixture *f, struct outcome *o, const char *method, enum http_profile profile)
{
    const struct http_params p = {
        .method = method, .url = f->url, .profile = profile, .timeout_ms = 60000, .body = "", .cap_bytes = 0};
    o->f = f;
    o->request = http_start(f->http, &p, &handler, o);
}

static void test_nothing_begins_when_time_is_up(void **state)
{
    (void)state;
    static const char *const methods[] = {"GET", "PATCH", "PUT", "POST"};
    for (uint64_t left = 0; left < 2; left++) {
        struct fixture f;
        struct outcome o[4] = {0};
        open_fixture(&f, silence);
        for (int i = 0; i < 4; i++)
            start(&f, &o[i], methods[i], i == 0 ? HTTP_WATCH : HTTP_SHORT);
        f.left_ms = left; /* after it was queued, before curl has it */
        for (int i = 0; i < 4; i++) {
            run_until(&f, &o[i].dones, 1);
            assert_int_equal(o[i].err.code, ERR_CANCELED);
        }
        close_fixture(&f);
        assert_int_equal(f.server.peers, 0);
    }
}

static void test_time_runs_out_under_way(void **state)
{
    (void)state;
    for (int turns = 0; turns < 12; turns++) {
        struct fixture f;
        struct outcome running = {0}, queued = {0};
        open_fixture(&f, silence);
        start(&f, &running, "GET", HTTP_WATCH);
        for (int i = 0; i < turns; i++)
            uv_run(&f.loop, UV_RUN_NOWAIT);
        start(&f, &queued, "PATCH", HTTP_SHORT);
        f.left_ms = 0;
        run_until(&f, &queued.dones, 1);
        assert_int_equal(queued.err.code, ERR_CANCELED);
        /* the next thing that curl would do for the other ends it; at the latest when the peer goes */
        for (int i = 0; i < 10; i++)
            uv_run(&f.loop, UV_RUN_NOWAIT);
        loopback_close(&f.server);
        run_until(&f, &running.dones, 1);
        assert_true(running.err.code == ERR_NETWORK || running.err.code == ERR_CANCELED);
        assert_int_equal(queued.heads, 0);
        if (turns == 0) /* queued; within one turn curl connects and sends */
            assert_int_equal(f.server.requests, 0);
        http_close(f.http, NULL, NULL);
        uv_run(&f.loop, UV_RUN_DEFAULT);
        assert_int_equal(uv_loop_close(&f.loop), 0);
    }
}

static void test_a_write_takes_less_than_what_is_left(void **state)
{
    (void)state;
    struct fixture f;
    struct outcome patch = {0}, read = {0};
    open_fixture(&f, silence);
    f.left_ms = 100;
    start(&f, &read, "GET", HTTP_SHORT);
    start(&f, &patch, "PATCH", HTTP_SHORT);
    const uint64_t started_ms = uv_now(&f.loop);
    run_until(&f, &patch.dones, 1);
    assert_int_equal(patch.err.code, ERR_TIMEOUT);
    assert_true(uv_now(&f.loop) - started_ms < 2000);
    assert_int_equal(read.dones, 0);
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

/* A peer that accepts, and says nothing to a TLS hello: it is no complete request. */
static void test_a_handshake_that_does_not_end(void **state)
{
    (void)state;
    struct fixture f;
    struct outcome o = {0};
    struct tls *tls;
    struct err err;
    const struct tls_options options = {.insecure_skip_verify = true};
    open_fixture(&f, silence);
    http_close(f.http, NULL, NULL);
    assert_int_equal(tls_new(&options, &tls, &err), 0);
    assert_int_equal(http_new(&f.loop, &(struct http_options){.tls = tls, .proxy_url = ""}, &f.http, &err),
                     0);
    snprintf(f.url, sizeof f.url, "https://127.0.0.1:%d/", f.server.port);
    const uint64_t began_ms = virtualclock_now_ms();
    get(&f, &o, 0, 60000);
    run_until(&f, &o.dones, 1);
    assert_int_equal(o.err.code, ERR_TIMEOUT);
    assert_non_null(strstr(o.err.msg, "handshake"));
    assert_in_range(virtualclock_now_ms() - began_ms, 10000, 13000);
    assert_int_equal(f.server.requests, 0);
    close_fixture(&f);
    tls_free(tls);
}

/* One whose queue of connections is full does not even say no. */
static void test_a_connection_that_does_not_come_about(void **state)
{
    (void)state;
    struct fixture f;
    struct outcome o = {0};
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof address;
    const int full = socket(AF_INET, SOCK_STREAM, 0);
    int others[8];
    open_fixture(&f, hello);
    assert_int_equal(bind(full, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(full, 0), 0);
    assert_int_equal(getsockname(full, (struct sockaddr *)&address, &len), 0);
    for (size_t i = 0; i < 8; i++) {
        others[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
        (void)connect(others[i], (struct sockaddr *)&address, sizeof address);
    }
    snprintf(f.url, sizeof f.url, "http://127.0.0.1:%d/", ntohs(address.sin_port));
    const uint64_t began_ms = virtualclock_now_ms();
    const struct http_params p = {.method = "GET", .url = f.url, .profile = HTTP_WATCH};
    o.f = &f;
    http_start(f.http, &p, &handler, &o);
    run_until(&f, &o.dones, 1);
    assert_int_equal(o.err.code, ERR_TIMEOUT);
    assert_in_range(virtualclock_now_ms() - began_ms, 30000, 32000);
    for (size_t i = 0; i < 8; i++)
        close(others[i]);
    close(full);
    close_fixture(&f);
}

/* A name server that does not answer before it is told to, or the test has failed. curl asks in a thread. */
enum { RESOLVING_MAX_MS = 20000 };

static atomic_int resolving;
static atomic_bool is_answering;

int getaddrinfo(const char *host, const char *service, const struct addrinfo *hints, struct addrinfo **out)
{
    (void)host, (void)service, (void)hints, (void)out;
    atomic_fetch_add(&resolving, 1);
    for (int ms = 0; ms < RESOLVING_MAX_MS && !atomic_load(&is_answering); ms++)
        usleep(1000);
    atomic_fetch_sub(&resolving, 1);
    return EAI_AGAIN;
}

/* The loop has more to do than to wait for a name that nobody wants any more. */
static void test_a_name_that_is_not_resolved(void **state)
{
    (void)state;
    struct fixture f;
    struct outcome o = {0};
    open_fixture(&f, hello);
    snprintf(f.url, sizeof f.url, "http://slow.test:%d/", f.server.port);
    for (int i = 0; i < 2; i++) {
        atomic_store(&is_answering, false);
        get(&f, &o, 0, 5000);
        while (atomic_load(&resolving) == 0)
            uv_run(&f.loop, UV_RUN_NOWAIT);
        if (i == 0)
            run_until(&f, &o.dones, 1);
        else
            http_cancel(o.request);
        uv_run(&f.loop, UV_RUN_NOWAIT);
        assert_int_equal(atomic_load(&resolving), 1);
        atomic_store(&is_answering, true);
        while (atomic_load(&resolving) > 0)
            usleep(1000);
    }
    assert_int_equal(o.dones, 1);
    assert_int_equal(o.err.code, ERR_TIMEOUT);
    close_fixture(&f);
}

static void say_more(uv_timer_t *timer)
{
    struct fixture *f = timer->data;
    loopback_chunk(f->server.open[0], ".");
}

static void begin_to_answer(struct loopback_peer *peer, const char *request, unsigned number)
{
    (void)request;
    (void)number;
    loopback_begin_chunks(peer);
}

/* An hour with a byte every two minutes. */
static void test_a_watch_has_no_limit(void **state)
{
    (void)state;
    struct fixture f;
    struct outcome o = {.f = &f};
    uv_timer_t timer;
    open_fixture(&f, begin_to_answer);
    uv_timer_init(&f.loop, &timer);
    timer.data = &f;
    uv_timer_start(&timer, say_more, 120000, 120000);
    const struct http_params p = {.method = "GET", .url = f.url, .profile = HTTP_WATCH};
    o.request = http_start(f.http, &p, &handler, &o);
    while (strlen(o.body) < 30)
        uv_run(&f.loop, UV_RUN_ONCE);
    assert_int_equal(o.dones, 0);
    uv_close((uv_handle_t *)&timer, NULL);
    close_fixture(&f);
}

static int option_of(int fd, int level, int name)
{
    int value = -1;
    socklen_t len = sizeof value;
    assert_int_equal(getsockopt(fd, level, name, &value, &len), 0);
    return value;
}

/* The socket that is connected to the peer, by its address: curl's own is nobody else's to have. */
static int find_client_socket(const struct loopback_peer *peer)
{
    struct sockaddr_in theirs;
    int len = sizeof theirs;
    assert_int_equal(uv_tcp_getpeername(&peer->tcp, (struct sockaddr *)&theirs, &len), 0);
    for (int fd = 3; fd < 256; fd++) {
        struct sockaddr_in ours = {0};
        socklen_t ours_len = sizeof ours;
        if (getsockname(fd, (struct sockaddr *)&ours, &ours_len) == 0 && ours.sin_port == theirs.sin_port)
            return fd;
    }
    return -1;
}

static void test_tcp_notices_a_dead_peer(void **state)
{
    (void)state;
    struct fixture f;
    struct outcome o = {0};
    open_fixture(&f, silence);
    get(&f, &o, 0, 60000);
    while (f.server.requests < 1)
        uv_run(&f.loop, UV_RUN_ONCE);
    const int fd = find_client_socket(f.server.open[0]);
    assert_true(fd > 0);
    assert_int_equal(option_of(fd, SOL_SOCKET, SO_KEEPALIVE), 1);
    assert_int_equal(option_of(fd, IPPROTO_TCP, TCP_KEEPIDLE), 30);
    assert_int_equal(option_of(fd, IPPROTO_TCP, TCP_KEEPINTVL), 5);
    assert_int_equal(option_of(fd, IPPROTO_TCP, TCP_KEEPCNT), 3);
    assert_int_equal(option_of(fd, IPPROTO_TCP, TCP_USER_TIMEOUT), 45000);
    assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC); /* no program that we start has it */
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_request),
        cmocka_unit_test(test_connections_are_kept),
        cmocka_unit_test(test_a_new_connection_on_request),
        cmocka_unit_test(test_a_body_and_headers),
        cmocka_unit_test(test_requests_in_a_row),
        cmocka_unit_test(test_a_limit_is_of_one_request),
        cmocka_unit_test(test_timeout),
        cmocka_unit_test(test_refused_connection),
        cmocka_unit_test(test_no_url),
        cmocka_unit_test(test_the_cap),
        cmocka_unit_test(test_the_cap_of_the_head),
        cmocka_unit_test(test_a_refused_head),
        cmocka_unit_test(test_cancel_at_every_point),
        cmocka_unit_test(test_cancel_from_its_own_callback),
        cmocka_unit_test(test_every_cut_is_an_error),
        cmocka_unit_test(test_a_socket_that_cannot_be_watched),
        cmocka_unit_test(test_reset_fails_what_runs),
        cmocka_unit_test(test_nothing_begins_when_time_is_up),
        cmocka_unit_test(test_time_runs_out_under_way),
        cmocka_unit_test(test_a_write_takes_less_than_what_is_left),
        cmocka_unit_test(test_close_with_requests_under_way),
        cmocka_unit_test(test_a_handshake_that_does_not_end),
        cmocka_unit_test(test_a_connection_that_does_not_come_about),
        cmocka_unit_test(test_a_name_that_is_not_resolved),
        cmocka_unit_test(test_a_watch_has_no_limit),
        cmocka_unit_test(test_tcp_notices_a_dead_peer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
