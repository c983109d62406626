#include "controller/observe/serve.h"

#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

/* The server, and blocking clients of it on the same thread: whoever waits turns the loop. */
static uv_loop_t loop;
static struct serve *server;
static unsigned calls, closed;

static void on_hello(void *user, const struct serve_request *request, struct serve_reply *reply)
{
    assert_ptr_equal(user, &loop);
    assert_string_equal(serve_rest(request), "");
    calls++;
    buf_puts(&reply->body, "hello\n");
}

static void on_tree(void *user, const struct serve_request *request, struct serve_reply *reply)
{
    (void)user;
    reply->status = 500;
    buf_printf(&reply->body, "rest=%s verbose=%d exclude=%d,%d", serve_rest(request),
               serve_has(request, "verbose", NULL), serve_has(request, "exclude", "a"),
               serve_has(request, "exclude", "b c"));
}

static void on_long(void *user, const struct serve_request *request, struct serve_reply *reply)
{
    (void)user, (void)request;
    for (int i = 0; i < 1000; i++)
        buf_printf(&reply->body, "%0100d", i);
}

static void on_large(void *user, const struct serve_request *request, struct serve_reply *reply)
{
    static const char piece[SERVE_TURN_PEER_BYTES];
    (void)user, (void)request;
    calls++;
    buf_append(&reply->body, piece, sizeof piece);
}

/* More than the sockets' buffers hold. */
static void on_huge(void *user, const struct serve_request *request, struct serve_reply *reply)
{
    static const char piece[1024 * 1024];
    (void)user, (void)request;
    for (int i = 0; i < 6; i++)
        buf_append(&reply->body, piece, sizeof piece);
}

static const struct serve_route routes[] = {{"/hello", false, on_hello},
                                            {"/tree", true, on_tree},
                                            {"/long", false, on_long},
                                            {"/large", false, on_large},
                                            {"/huge", false, on_huge}};

static void on_closed(void *user)
{
    assert_ptr_equal(user, &loop);
    closed++;
}

static void begin(const char *address, size_t cap_bytes)
{
    struct err err = {0};
    const struct serve_options options = {.address = address,
                                          .routes = routes,
                                          .n_routes = sizeof routes / sizeof *routes,
                                          .body_cap_bytes = cap_bytes,
                                          .user = &loop};
    uv_loop_init(&loop);
    calls = closed = 0;
    assert_int_equal(serve_start(&loop, &options, &server, &err), 0);
}

static void end(void)
{
    serve_close(server, on_closed, &loop);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(closed, 1);
    assert_int_equal(uv_loop_close(&loop), 0);
}

/* From 127.0.0.n. */
static int dial_from(unsigned n)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sockaddr_in from = {.sin_family = AF_INET, .sin_addr.s_addr = htonl((127U << 24) + n)};
    to.sin_port = htons((uint16_t)strtol(strrchr(serve_address(server), ':') + 1, NULL, 10));
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&from, sizeof from), 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
    return fd;
}

static int dial(void)
{
    return dial_from(1);
}

/* What comes until `enough` is there or the server hangs up, for at most two seconds. */
static const char *receive(int fd, const char *enough)
{
    static char text[256 * 1024];
    size_t len = 0;
    text[0] = '\0';
    for (int i = 0; i < 2000; i++) {
        uv_run(&loop, UV_RUN_NOWAIT);
        ssize_t n = recv(fd, text + len, sizeof text - 1 - len, MSG_DONTWAIT);
        if (n == 0)
            return text;
        if (n > 0) {
            text[len += (size_t)n] = '\0';
            if (enough != NULL && strstr(text, enough) != NULL)
                return text;
        } else {
            usleep(1000);
        }
    }
    return text;
}

static const char *ask(const char *request)
{
    int fd = dial();
    assert_int_equal(send(fd, request, strlen(request), MSG_NOSIGNAL), strlen(request));
    const char *text = receive(fd, NULL);
    close(fd);
    return text;
}

#define REST " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"

static void expect(const char *request, const char *first_line, const char *end_of_text)
{
    const char *text = ask(request);
    assert_memory_equal(text, first_line, strlen(first_line));
    assert_true(strlen(text) > strlen(end_of_text));
    assert_string_equal(text + strlen(text) - strlen(end_of_text), end_of_text);
}

static void test_answers(void **state)
{
    (void)state;
    static const struct {
        const char *request, *first_line, *end;
    } rows[] = {
        {"GET /hello" REST, "HTTP/1.1 200 OK\r\n", "\r\n\r\nhello\n"},
        {"HEAD /hello" REST, "HTTP/1.1 200 OK\r\n", "\r\n\r\n"},
        {"GET /hello?x=1" REST, "HTTP/1.1 200 OK\r\n", "\r\n\r\nhello\n"},
        {"GET /hello/" REST, "HTTP/1.1 404 Not Found\r\n", "\r\n\r\n404 page not found\n"},
        {"GET /hell" REST, "HTTP/1.1 404 Not Found\r\n", "\r\n\r\n404 page not found\n"},
        {"GET /" REST, "HTTP/1.1 404 Not Found\r\n", "\r\n\r\n404 page not found\n"},
        {"GET /../hello" REST, "HTTP/1.1 404 Not Found\r\n", "\r\n\r\n404 page not found\n"},
        {"POST /hello" REST, "HTTP/1.1 405 Method Not Allowed\r\n", "\r\n\r\n405 method not allowed\n"},
        {"DELETE /hello" REST, "HTTP/1.1 405 Method Not Allowed\r\n", "\r\n\r\n405 method not allowed\n"},
        {"POST /nowhere" REST, "HTTP/1.1 404 Not Found\r\n", "\r\n\r\n404 page not found\n"},
        {"GET /tree" REST, "HTTP/1.1 500 ", "rest= verbose=0 exclude=0,0"},
        {"GET /tree/a%20b/c?verbose" REST, "HTTP/1.1 500 ", "rest=a b/c verbose=1 exclude=0,0"},
        {"GET /tree/?verbose=true&exclude=z&exclude=b+c" REST, "HTTP/1.1 500 ",
         "rest= verbose=1 exclude=0,1"},
        {"GET /trees" REST, "HTTP/1.1 404 Not Found\r\n", "\r\n\r\n404 page not found\n"},
        {"GET /long" REST, "HTTP/1.1 500 ", "\r\n\r\n500 the answer is too long\n"},
        {"POST /hello HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nabcde", "HTTP/1.1 413 ",
         "\r\n\r\n413 no request here has a body\n"},
        {"GET /hello HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n", "HTTP/1.1 413 ",
         "\r\n\r\n413 no request here has a body\n"},
        {"GET /hello HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", "HTTP/1.1 413 ",
         "\r\n\r\n413 no request here has a body\n"},
    };
    begin("127.0.0.1:0", 10 * 1000);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        expect(rows[i].request, rows[i].first_line, rows[i].end);
    assert_int_equal(calls, 3);
    assert_non_null(strstr(ask("PUT /hello" REST), "\r\nAllow: GET, HEAD\r\n"));
    const char *text = ask("HEAD /hello" REST);
    assert_non_null(strstr(text, "\r\nContent-Length: 6\r\n"));
    assert_non_null(strstr(text, "\r\nContent-Type: text/plain; charset=utf-8\r\n"));
    assert_non_null(strstr(text, "\r\nCache-Control: no-store\r\n"));
    end();
}

static void test_a_long_answer_arrives_whole(void **state)
{
    (void)state;
    begin("127.0.0.1:0", 200 * 1000);
    const char *text = ask("GET /long" REST);
    assert_int_equal(strlen(strstr(text, "\r\n\r\n") + 4), 100 * 1000);
    end();
}

static void test_a_connection_is_used_again(void **state)
{
    (void)state;
    static const char request[] = "GET /hello HTTP/1.1\r\nHost: x\r\n\r\n";
    begin("127.0.0.1:0", 1000);
    int fd = dial();
    for (unsigned i = 1; i <= 3; i++) {
        assert_int_equal(send(fd, request, sizeof request - 1, 0), sizeof request - 1);
        assert_non_null(strstr(receive(fd, "hello\n"), "200 OK"));
        assert_int_equal(calls, i);
    }
    /* open at the end: it is closed then */
    end();
    char c;
    assert_int_equal(recv(fd, &c, 1, 0), 0);
    close(fd);
}

/* What has arrived when the end begins is answered. */
static void test_the_end_is_graceful(void **state)
{
    (void)state;
    static const char request[] = "GET /hello" REST;
    char text[512] = "";
    begin("127.0.0.1:0", 1000);
    int fd = dial();
    for (int i = 0; i < 20; i++)
        uv_run(&loop, UV_RUN_NOWAIT);
    assert_int_equal(send(fd, request, sizeof request - 1, 0), sizeof request - 1);
    usleep(20 * 1000);
    end();
    assert_true(recv(fd, text, sizeof text - 1, MSG_WAITALL) > 0);
    assert_non_null(strstr(text, "hello\n"));
    close(fd);
}

/* A start that fails has said that it never calls back. */
static void test_nobody_was_let_in_before_the_end(void **state)
{
    (void)state;
    static const char request[] = "GET /hello" REST;
    begin("127.0.0.1:0", 1000);
    int fd = dial();
    assert_int_equal(send(fd, request, sizeof request - 1, 0), sizeof request - 1);
    usleep(20 * 1000);
    end();
    assert_int_equal(calls, 0);
    close(fd);
}

static void test_garbage_and_long_headers(void **state)
{
    (void)state;
    static char request[3 * SERVE_REQUEST_BYTES];
    begin("127.0.0.1:0", 1000);
    assert_null(strstr(ask("\x16\x03\x01\x02garbage\r\n\r\n"), "hello"));
    snprintf(request, sizeof request, "GET /hello HTTP/1.1\r\nHost: x\r\nA: %0*d\r\n\r\n",
             2 * SERVE_REQUEST_BYTES, 1);
    const char *text = ask(request);
    assert_true(strstr(text, " 431 ") != NULL || strstr(text, " 400 ") != NULL ||
                strstr(text, " 413 ") != NULL);
    snprintf(request, sizeof request, "GET /hello?%0*d HTTP/1.1\r\nHost: x\r\n\r\n", 2 * SERVE_REQUEST_BYTES,
             1);
    assert_non_null(strstr(ask(request), " 414 "));
    assert_int_equal(calls, 0);
    expect("GET /hello" REST, "HTTP/1.1 200 OK\r\n", "hello\n");
    end();
}

static void turn(void)
{
    for (int i = 0; i < 100; i++)
        uv_run(&loop, UV_RUN_NOWAIT);
}

/* Nothing can be read, and nobody hung up. */
static bool is_held(int fd)
{
    char c;
    return recv(fd, &c, 1, MSG_DONTWAIT | MSG_PEEK) == -1;
}

static size_t count_held(const int *fds, size_t count)
{
    size_t held = 0;
    for (size_t i = 0; i < count; i++)
        held += is_held(fds[i]);
    return held;
}

static void close_all(const int *fds, size_t count)
{
    for (size_t i = 0; i < count; i++)
        close(fds[i]);
}

/* One host's newcomer takes the place of its own oldest connection, and of nobody else's. */
static void test_a_host_has_so_many(void **state)
{
    (void)state;
    int fds[SERVE_CONNECTIONS_PER_PEER];
    begin("127.0.0.1:0", 1000);
    const int other = dial_from(2);
    turn();
    for (size_t i = 0; i < SERVE_CONNECTIONS_PER_PEER; i++) {
        fds[i] = dial();
        turn();
    }
    assert_int_equal(count_held(fds, SERVE_CONNECTIONS_PER_PEER), SERVE_CONNECTIONS_PER_PEER);
    expect("GET /hello" REST, "HTTP/1.1 200 OK\r\n", "hello\n");
    assert_false(is_held(fds[0]));
    assert_int_equal(count_held(fds, SERVE_CONNECTIONS_PER_PEER), SERVE_CONNECTIONS_PER_PEER - 1);
    assert_true(is_held(other));
    close_all(fds, SERVE_CONNECTIONS_PER_PEER);
    close(other);
    end();
}

/* However many hosts hold however many connections: all but so many are hung up on, the oldest first, and
 * each newcomer is answered. */
static void test_connections_are_bounded(void **state)
{
    (void)state;
    enum { HOSTS = 8, COUNT = HOSTS * SERVE_CONNECTIONS_PER_PEER };
    int fds[COUNT];
    begin("127.0.0.1:0", 1000);
    for (size_t i = 0; i < COUNT; i++) {
        fds[i] = dial_from((unsigned)(10 + i % HOSTS));
        turn();
    }
    assert_int_equal(count_held(fds, COUNT - SERVE_CONNECTIONS_MAX), 0);
    assert_int_equal(count_held(fds, COUNT), SERVE_CONNECTIONS_MAX);
    for (size_t i = 0; i < 3; i++)
        expect("GET /hello" REST, "HTTP/1.1 200 OK\r\n", "hello\n");
    assert_int_equal(count_held(fds, COUNT), SERVE_CONNECTIONS_MAX - 1);
    close_all(fds, COUNT);
    end();
}

/* A single connection whose request is still to come outlives any number of newcomers of busier hosts. */
static void test_a_single_connection_stays(void **state)
{
    (void)state;
    enum { HOSTS = 8, COUNT = HOSTS * SERVE_CONNECTIONS_PER_PEER };
    int fds[COUNT];
    begin("127.0.0.1:0", 1000);
    const int single = dial_from(2);
    turn();
    for (size_t i = 0; i < COUNT; i++) {
        fds[i] = dial_from((unsigned)(10 + i % HOSTS));
        turn();
    }
    assert_true(is_held(single));
    assert_int_equal(count_held(fds, COUNT), SERVE_CONNECTIONS_MAX - 1);
    close_all(fds, COUNT);
    close(single);
    end();
}

/* All at once, before the loop turns. */
static void test_a_crowd(void **state)
{
    (void)state;
    enum { HOSTS = 20, COUNT = HOSTS * SERVE_CONNECTIONS_PER_PEER };
    int fds[COUNT];
    begin("127.0.0.1:0", 1000);
    for (size_t i = 0; i < COUNT; i++)
        fds[i] = dial_from((unsigned)(10 + i % HOSTS));
    expect("GET /hello" REST, "HTTP/1.1 200 OK\r\n", "hello\n");
    assert_true(count_held(fds, COUNT) <= SERVE_CONNECTIONS_MAX);
    close_all(fds, COUNT);
    end();
}

/* So many requests at once. */
static void pipeline(int fd, const char *path, int count)
{
    char request[100];
    const int len = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", path);
    for (int i = 0; i < count; i++)
        assert_int_equal(send(fd, request, (size_t)len, MSG_NOSIGNAL), len);
}

/* What can be read now, away. */
static void drain(const int *fds, size_t count)
{
    static char text[256 * 1024];
    for (size_t i = 0; i < count; i++)
        while (recv(fds[i], text, sizeof text, MSG_DONTWAIT) > 0)
            continue;
}

/* Each turn answers some of them, and between any two turns the loop polls. */
static void test_a_turn_answers_so_many_requests(void **state)
{
    (void)state;
    enum { COUNT = 200 };
    begin("127.0.0.1:0", 1000);
    const int fd = dial();
    turn();
    pipeline(fd, "/hello", COUNT);
    usleep(20 * 1000);
    unsigned turns = 0;
    while (calls < COUNT && turns < 10 * COUNT) {
        const unsigned before = calls;
        uv_run(&loop, UV_RUN_ONCE);
        assert_true(calls - before <= SERVE_TURN_PEER_REQUESTS);
        drain(&fd, 1);
        turns++;
    }
    assert_int_equal(calls, COUNT);
    assert_true(turns >= COUNT / SERVE_TURN_PEER_REQUESTS);
    close(fd);
    end();
}

/* Everybody asks for more than a turn may answer, again and again; still a turn answers no more, and another
 * one's probe comes in its turn. */
static void test_a_turn_answers_so_many_bytes(void **state)
{
    (void)state;
    enum { HOSTS = 3, COUNT = HOSTS * SERVE_CONNECTIONS_PER_PEER, EACH = 20, SOME = 8 };
    int fds[COUNT];
    begin("127.0.0.1:0", 2 * SERVE_TURN_PEER_BYTES);
    for (size_t i = 0; i < COUNT; i++) {
        fds[i] = dial_from((unsigned)(10 + i % HOSTS));
        turn();
        pipeline(fds[i], "/large", EACH);
    }
    usleep(20 * 1000);
    const int other = dial_from(2);
    unsigned turns = 0;
    char text[100] = "";
    bool is_asked = false;
    while (recv(other, text, sizeof text - 1, MSG_DONTWAIT) <= 0 && ++turns < 10 * COUNT) {
        const unsigned before = calls;
        uv_run(&loop, UV_RUN_ONCE);
        assert_true(calls - before <= SERVE_TURN_BYTES / SERVE_TURN_PEER_BYTES + SERVE_TURN_WAITERS);
        drain(fds, COUNT);
        if (calls >= COUNT && !is_asked) {
            pipeline(other, "/hello", 1);
            is_asked = true;
            turns = 0;
        }
    }
    assert_memory_equal(text, "HTTP/1.1 200 OK\r\n", 17);
    assert_true(turns <= COUNT / SERVE_TURN_WAITERS + SOME);
    close_all(fds, COUNT);
    close(other);
    end();
}

/* Those that wait are answered before the end, and nobody waits for those that go on asking. */
static void test_the_end_while_some_wait(void **state)
{
    (void)state;
    enum { COUNT = 2 * SERVE_CONNECTIONS_PER_PEER, EACH = 20 };
    int fds[COUNT];
    begin("127.0.0.1:0", 2 * SERVE_TURN_PEER_BYTES);
    for (size_t i = 0; i < COUNT; i++) {
        fds[i] = dial_from((unsigned)(10 + i % 2));
        turn();
    }
    for (size_t i = 0; i < COUNT; i++)
        pipeline(fds[i], "/large", EACH);
    usleep(20 * 1000);
    uv_run(&loop, UV_RUN_ONCE);
    assert_true(calls > 0 && calls < COUNT);
    end();
    assert_true(calls >= COUNT && calls < COUNT * EACH);
    close_all(fds, COUNT);
}

static int ask_and_not_read(const char *request)
{
    const int fd = dial(), small = 4096;
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    assert_int_equal(send(fd, request, strlen(request), 0), strlen(request));
    return fd;
}

/* A client that reads an answer is not disturbed by clients that ask nothing; one that does not read is
 * hung up on. */
static void test_an_answer_under_way(void **state)
{
    (void)state;
    enum { COUNT = 2 * SERVE_CONNECTIONS_PER_PEER };
    static const char request[] = "GET /huge" REST;
    int fds[COUNT];
    begin("127.0.0.1:0", 64 * 1024 * 1024);
    const int reader = ask_and_not_read(request);
    for (size_t i = 0; i < COUNT; i++) {
        fds[i] = dial();
        turn();
    }
    assert_int_equal(count_held(fds, COUNT), SERVE_CONNECTIONS_PER_PEER - 1);
    assert_memory_equal(receive(reader, "\r\n\r\n"), "HTTP/1.1 200 OK\r\n", 17);
    assert_true(is_held(reader) || recv(reader, fds, sizeof *fds, MSG_DONTWAIT | MSG_PEEK) > 0);
    close_all(fds, COUNT);
    close(reader);
    end();
}

/* All places are taken by those that have asked and do not read: a probe of another host is answered. */
static void test_a_probe_among_those_that_do_not_read(void **state)
{
    (void)state;
    enum { HOSTS = 8, COUNT = HOSTS * SERVE_CONNECTIONS_PER_PEER };
    int fds[COUNT];
    begin("127.0.0.1:0", 64 * 1024 * 1024);
    for (size_t i = 0; i < COUNT; i++) {
        fds[i] = dial_from((unsigned)(10 + i % HOSTS));
        pipeline(fds[i], "/huge", 2);
        turn();
    }
    for (unsigned i = 0; i < 3; i++) {
        const int probe = dial_from(2);
        pipeline(probe, "/hello", 1);
        assert_memory_equal(receive(probe, "hello\n"), "HTTP/1.1 200 OK\r\n", 17);
        close(probe);
    }
    close_all(fds, COUNT);
    end();
}

static void test_answers_that_nobody_reads(void **state)
{
    (void)state;
    static const char request[] = "GET /huge HTTP/1.1\r\nHost: x\r\n\r\n";
    int fds[SERVE_CONNECTIONS_PER_PEER];
    begin("127.0.0.1:0", 64 * 1024 * 1024);
    for (size_t i = 0; i < SERVE_CONNECTIONS_PER_PEER; i++) {
        fds[i] = ask_and_not_read(request);
        turn();
    }
    usleep(SERVE_ANSWER_LEAST_MS * 1000);
    turn();
    expect("GET /hello" REST, "HTTP/1.1 200 OK\r\n", "hello\n");
    close_all(fds, SERVE_CONNECTIONS_PER_PEER);
    end();
}

static void test_addresses(void **state)
{
    (void)state;
    static const struct {
        const char *address, *problem;
    } rows[] = {
        {"0", NULL},
        {":8080", NULL},
        {":0", NULL},
        {"127.0.0.1:65535", NULL},
        {"[::1]:8080", NULL},
        {"[::]:8080", NULL},
        {"", "'' is not an address such as :8080, 127.0.0.1:8080 or [::1]:8080"},
        {"8080", "'8080' is not an address such as :8080, 127.0.0.1:8080 or [::1]:8080"},
        {"::1:8080", "'::1:8080' is not an address such as :8080, 127.0.0.1:8080 or [::1]:8080"},
        {":", "':': the port is not a number from 0 to 65535"},
        {":65536", "':65536': the port is not a number from 0 to 65535"},
        {":-1", "':-1': the port is not a number from 0 to 65535"},
        {":http", "':http': the port is not a number from 0 to 65535"},
        {":80 ", "':80 ': the port is not a number from 0 to 65535"},
        {"localhost:80", "'localhost:80': the host is not an IP address"},
        {"[::1:80", "'[::1:80' is not an address such as :8080, 127.0.0.1:8080 or [::1]:8080"},
        {"999.0.0.1:80", "'999.0.0.1:80': the host is not an IP address"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct err err = {0};
        assert_int_equal(serve_check_address(rows[i].address, &err), rows[i].problem == NULL ? 0 : -1);
        assert_string_equal(err.msg, rows[i].problem == NULL ? "" : rows[i].problem);
    }
    assert_true(serve_is_off("0"));
    assert_false(serve_is_off(":0"));
}

static void test_an_address_that_is_taken(void **state)
{
    (void)state;
    struct err err = {0};
    struct serve *second;
    char wanted[200];
    begin("127.0.0.1:0", 1000);
    snprintf(wanted, sizeof wanted, "cannot listen on %s: Address already in use", serve_address(server));
    const struct serve_options options = {.address = serve_address(server), .routes = routes, .n_routes = 3};
    assert_int_equal(serve_start(&loop, &options, &second, &err), -1);
    assert_null(second);
    assert_string_equal(err.msg, wanted);
    end();
}

/* Without a host it is every address, of IPv4 in any case. */
static void test_every_address(void **state)
{
    (void)state;
    begin(":0", 1000);
    expect("GET /hello" REST, "HTTP/1.1 200 OK\r\n", "hello\n");
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),
        cmocka_unit_test(test_a_long_answer_arrives_whole),
        cmocka_unit_test(test_a_connection_is_used_again),
        cmocka_unit_test(test_the_end_is_graceful),
        cmocka_unit_test(test_nobody_was_let_in_before_the_end),
        cmocka_unit_test(test_garbage_and_long_headers),
        cmocka_unit_test(test_a_host_has_so_many),
        cmocka_unit_test(test_connections_are_bounded),
        cmocka_unit_test(test_a_single_connection_stays),
        cmocka_unit_test(test_a_crowd),
        cmocka_unit_test(test_a_turn_answers_so_many_requests),
        cmocka_unit_test(test_a_turn_answers_so_many_bytes),
        cmocka_unit_test(test_the_end_while_some_wait),
        cmocka_unit_test(test_an_answer_under_way),
        cmocka_unit_test(test_a_probe_among_those_that_do_not_read),
        cmocka_unit_test(test_answers_that_nobody_reads),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_an_address_that_is_taken),
        cmocka_unit_test(test_every_address),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
