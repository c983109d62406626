#include "controller/observe/endpoints.h"

#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "controller/observe/loopwatch.h"
#include "controller/observe/metricfamilies.h"

/* The clock that turns are measured with: the real one, and what the test adds. */
static uint64_t added_ns;

uint64_t uv_hrtime(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000ULL + (uint64_t)now.tv_nsec + added_ns;
}

static uv_loop_t loop;
static struct endpoints *monitor;
static unsigned closed;
static bool is_good;
static char address[32];

static void on_scrape(void *user, struct metrics *metrics)
{
    assert_ptr_equal(user, &loop);
    metrics_set(metrics, METRICFAMILIES_SCHEMA_AGE, NULL, 42);
}

static void on_health(void *user, struct health *health)
{
    assert_ptr_equal(user, &loop);
    health_add(health, "lease", true, is_good, "not renewed");
    health_add(health, "stores", false, is_good, "not listed");
}

static void on_closed(void *user)
{
    assert_ptr_equal(user, &loop);
    closed++;
}

/* A port that was free a moment ago. */
static void find_address(void)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof a;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof a), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&a, &len), 0);
    close(fd);
    snprintf(address, sizeof address, "127.0.0.1:%d", ntohs(a.sin_port));
}

static void begin(void)
{
    struct err err = {0};
    uv_loop_init(&loop);
    is_good = true;
    closed = 0;
    find_address();
    assert_int_equal(endpoints_start(&loop,
                                     &(struct endpoints_options){.metrics_address = address,
                                                                 .on_scrape = on_scrape,
                                                                 .on_health = on_health,
                                                                 .user = &loop},
                                     &monitor, &err),
                     0);
}

static void end(void)
{
    endpoints_close(monitor, on_closed, &loop);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(closed, 1);
    assert_int_equal(uv_loop_close(&loop), 0);
}

static const char *ask(const char *path)
{
    static char text[512 * 1024];
    char request[256];
    size_t len = 0;
    ssize_t n = -1;
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    a.sin_port = htons((uint16_t)strtol(strchr(address, ':') + 1, NULL, 10));
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&a, sizeof a), 0);
    snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", path);
    assert_int_equal(send(fd, request, strlen(request), 0), strlen(request));
    for (int i = 0; i < 5000 && n != 0; i++) {
        uv_run(&loop, UV_RUN_NOWAIT);
        n = recv(fd, text + len, sizeof text - 1 - len, MSG_DONTWAIT);
        if (n > 0)
            len += (size_t)n;
        else
            usleep(1000);
    }
    close(fd);
    text[len] = '\0';
    return text;
}

static void expect(const char *path, const char *status, const char *body)
{
    const char *text = ask(path);
    assert_memory_equal(text, status, strlen(status));
    assert_string_equal(strstr(text, "\r\n\r\n") + 4, body);
}

#define OK     "HTTP/1.1 200 OK\r\n"
#define FAILED "HTTP/1.1 500 Internal Server Error\r\n"

static void test_health(void **state)
{
    (void)state;
    begin();
    expect("/livez", OK, "ok");
    expect("/healthz?verbose", OK, "[+]ping ok\n[+]loop ok\n[+]lease ok\nhealthz check passed\n");
    expect("/readyz?verbose&exclude=loop", OK,
           "[+]ping ok\n[+]loop excluded: ok\n[+]lease ok\n[+]stores ok\nreadyz check passed\n");
    expect("/readyz/stores", OK, "ok");
    expect("/readyz/store", "HTTP/1.1 404 Not Found\r\n", "404 page not found\n");
    is_good = false;
    expect("/livez", FAILED, "[+]ping ok\n[+]loop ok\n[-]lease failed: not renewed\nlivez check failed\n");
    expect("/readyz?exclude=stores&exclude=lease", OK, "ok");
    end();
}

/* The second of two ends before anybody asks. */
static void on_long_turn(uv_timer_t *timer)
{
    added_ns += (LOOPWATCH_LONG_MS + 1000) * 1000000ULL;
    if (timer->data == NULL)
        uv_close((uv_handle_t *)timer, NULL);
    timer->data = NULL;
}

/* The newest check callback runs first, so ahead of the watch's: a long poll, not a long turn. */
static void on_rested(uv_check_t *check)
{
    added_ns += (LOOPWATCH_WELL_MS + 1) * 1000000ULL;
    uv_close((uv_handle_t *)check, NULL);
}

static void have_long_turns(uv_timer_t *timer, bool are_two)
{
    uv_timer_init(&loop, timer);
    timer->data = are_two ? timer : NULL;
    uv_timer_start(timer, on_long_turn, 0, 1);
}

/* A loop that answers, but only between turns that are too long, is not well; one that was slow once is. */
static void test_the_loop_was_stuck(void **state)
{
    (void)state;
    uv_timer_t timer;
    begin();
    have_long_turns(&timer, false);
    expect("/livez", OK, "ok");
    have_long_turns(&timer, true);
    while (uv_is_active((uv_handle_t *)&timer))
        uv_run(&loop, UV_RUN_ONCE);
    const char *text = ask("/livez");
    assert_memory_equal(text, FAILED, strlen(FAILED));
    assert_non_null(strstr(
        text,
        "[-]loop failed: one turn of the event loop, or several in a row, took too long: the last one 110"));
    assert_non_null(strstr(ask("/readyz"), "[-]loop failed"));
    uv_check_t check;
    uv_check_init(&loop, &check);
    uv_check_start(&check, on_rested);
    expect("/livez", OK, "ok");
    end();
}

static void test_metrics(void **state)
{
    (void)state;
    begin();
    metrics_add(endpoints_metrics(monitor), METRICFAMILIES_EVENTS, METRICS_LABELS("sent"), 3);
    const char *text = ask("/metrics");
    assert_memory_equal(text, OK, strlen(OK));
    assert_non_null(strstr(text, "\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"));
    assert_non_null(strstr(text, "\nvapcheck_schema_age_seconds 42\n"));
    assert_non_null(strstr(text, "\nvapcheck_events_total{result=\"sent\"} 3\n"));
    assert_null(strstr(text, "\nprocess_resident_memory_bytes 0\n"));
    assert_null(strstr(text, "\nvapcheck_loop_turn_duration_seconds_count 0\n"));
    end();
}

static void test_addresses_that_are_none(void **state)
{
    (void)state;
    struct err err = {0};
    uv_loop_init(&loop);
    const struct endpoints_options wrong = {.metrics_address = "127.0.0.1:0", .health_address = "nowhere"};
    assert_int_equal(endpoints_start(&loop, &wrong, &monitor, &err), -1);
    assert_null(monitor);
    assert_non_null(strstr(err.msg, "'nowhere' is not an address"));
    uv_run(&loop, UV_RUN_DEFAULT); /* what had begun closes */
    const struct endpoints_options off = {.metrics_address = "0", .user = &loop};
    assert_int_equal(endpoints_start(&loop, &off, &monitor, &err), 0);
    closed = 0;
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_health),
        cmocka_unit_test(test_the_loop_was_stuck),
        cmocka_unit_test(test_metrics),
        cmocka_unit_test(test_addresses_that_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
