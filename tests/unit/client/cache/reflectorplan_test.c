#include "client/cache/reflectorplan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct err failure(enum err_code code)
{
    struct err err;
    err_set(&err, code, "x");
    return err;
}

/* Of a server that has no streaming lists. */
static void init_plain(struct reflectorplan *plan, uint64_t seed)
{
    reflectorplan_init(plan, seed);
    plan->cannot_stream = true;
}

static struct reflectorplan_action list_ok(struct reflectorplan *plan, const char *version)
{
    return reflectorplan_on_list_done(plan, NULL, version, "", 0);
}

static void test_the_first_list_takes_what_the_cache_has(void **state)
{
    (void)state;
    struct reflectorplan plan;
    init_plain(&plan, 1);
    struct reflectorplan_action a = reflectorplan_start(&plan);
    assert_int_equal(a.verb, REFLECTORPLAN_LIST);
    assert_int_equal(a.delay_ms, 0);
    assert_true(a.is_first_page);
    assert_string_equal(a.resource_version, "0");
    assert_int_equal(a.limit, 0);
    a = list_ok(&plan, "7");
    assert_int_equal(a.verb, REFLECTORPLAN_WATCH);
    assert_int_equal(a.delay_ms, 0);
    assert_string_equal(a.resource_version, "7");
    assert_in_range(a.timeout_s, 300, 600);
    reflectorplan_deinit(&plan);
}

static void test_watch_timeouts_are_spread(void **state)
{
    (void)state;
    struct reflectorplan plan;
    unsigned low = 600;
    unsigned high = 300;
    init_plain(&plan, 5);
    for (int i = 0; i < 100; i++) {
        const unsigned t = list_ok(&plan, "1").timeout_s;
        low = t < low ? t : low;
        high = t > high ? t : high;
    }
    assert_in_range(low, 300, 330);
    assert_in_range(high, 570, 600);
    reflectorplan_deinit(&plan);
}

static void test_a_clean_end_watches_from_the_last_event(void **state)
{
    (void)state;
    struct reflectorplan plan;
    init_plain(&plan, 1);
    list_ok(&plan, "7");
    reflectorplan_on_watch_start(&plan, false, 1000);
    assert_false(reflectorplan_on_event(&plan, "9", false, 0));
    const struct reflectorplan_action a = reflectorplan_on_watch_done(&plan, NULL, 1001);
    assert_int_equal(a.verb, REFLECTORPLAN_WATCH);
    assert_int_equal(a.delay_ms, 0);
    assert_string_equal(a.resource_version, "9");
    reflectorplan_deinit(&plan);
}

static void test_a_watch_that_ends_at_once_is_backed_off_from(void **state)
{
    (void)state;
    struct reflectorplan plan;
    init_plain(&plan, 1);
    list_ok(&plan, "7");
    reflectorplan_on_watch_start(&plan, false, 1000);
    struct reflectorplan_action a = reflectorplan_on_watch_done(&plan, NULL, 1999);
    assert_int_equal(a.verb, REFLECTORPLAN_WATCH);
    assert_in_range(a.delay_ms, 800, 1600);
    reflectorplan_on_watch_start(&plan, false, 3000);
    a = reflectorplan_on_watch_done(&plan, NULL, 4000);
    assert_int_equal(a.delay_ms, 0);
    reflectorplan_deinit(&plan);
}

/* A server that says the same again and again, and ends: that is no progress. */
static void test_a_watch_that_repeats_itself_is_backed_off_from(void **state)
{
    (void)state;
    struct reflectorplan plan;
    init_plain(&plan, 1);
    list_ok(&plan, "7");
    reflectorplan_on_watch_start(&plan, false, 1000);
    assert_false(reflectorplan_on_event(&plan, "8", false, 0));
    assert_int_equal(reflectorplan_on_watch_done(&plan, NULL, 1001).delay_ms, 0);
    reflectorplan_on_watch_start(&plan, false, 1002);
    assert_false(reflectorplan_on_event(&plan, "8", false, 0));
    const struct reflectorplan_action a = reflectorplan_on_watch_done(&plan, NULL, 1003);
    assert_int_equal(a.verb, REFLECTORPLAN_WATCH);
    assert_in_range(a.delay_ms, 800, 1600);
    reflectorplan_deinit(&plan);
}

static void test_gone_lists_without_a_version(void **state)
{
    (void)state;
    struct reflectorplan plan;
    const struct err gone = failure(ERR_GONE);
    init_plain(&plan, 1);
    list_ok(&plan, "7");
    reflectorplan_on_watch_start(&plan, false, 0);
    struct reflectorplan_action a = reflectorplan_on_watch_done(&plan, &gone, 5000);
    assert_int_equal(a.verb, REFLECTORPLAN_LIST);
    assert_int_equal(a.delay_ms, 0);
    assert_null(a.resource_version);
    assert_int_equal(a.limit, REFLECTORPLAN_PAGE_LIMIT);
    a = list_ok(&plan, "20");
    assert_string_equal(a.resource_version, "20");
    /* The next list asks for what is known again. */
    const struct err broken = failure(ERR_PROTOCOL);
    a = reflectorplan_on_watch_done(&plan, &broken, 9000);
    assert_string_equal(a.resource_version, "20");
    assert_int_equal(a.limit, 0);
    reflectorplan_deinit(&plan);
}

/* A server that has just started forgets once; one that forgets all the time must not be listed all the time.
 */
static void test_gone_again_and_again_is_backed_off_from(void **state)
{
    (void)state;
    struct reflectorplan plan;
    const struct err gone = failure(ERR_GONE);
    init_plain(&plan, 1);
    list_ok(&plan, "7");
    assert_int_equal(reflectorplan_on_watch_done(&plan, &gone, 5000).delay_ms, 0);
    list_ok(&plan, "8");
    const struct reflectorplan_action a =
        reflectorplan_on_watch_done(&plan, &gone, 5000 + REFLECTORPLAN_GONE_MS - 1);
    assert_int_equal(a.verb, REFLECTORPLAN_LIST);
    assert_null(a.resource_version);
    assert_in_range(a.delay_ms, 800, 1600);
    list_ok(&plan, "9");
    assert_int_equal(reflectorplan_on_watch_done(&plan, &gone, 5000 + REFLECTORPLAN_GONE_MS).delay_ms, 0);
    reflectorplan_deinit(&plan);
}

/* As by an API server that is restarted: only what is refused afterwards is backed off from. */
static void test_a_watch_that_is_lost_is_opened_anew(void **state)
{
    (void)state;
    struct reflectorplan plan;
    const struct err lost = failure(ERR_NETWORK);
    init_plain(&plan, 1);
    list_ok(&plan, "7");
    reflectorplan_on_watch_start(&plan, false, 1000);
    reflectorplan_on_watch_open(&plan, 1000);
    struct reflectorplan_action a = reflectorplan_on_watch_done(&plan, &lost, 2000);
    assert_int_equal(a.verb, REFLECTORPLAN_WATCH);
    assert_int_equal(a.delay_ms, 0);
    assert_string_equal(a.resource_version, "7");
    reflectorplan_on_watch_start(&plan, false, 2000);
    assert_in_range(reflectorplan_on_watch_done(&plan, &lost, 4000).delay_ms, 800, 1600);
    /* Accepted, and lost at once. */
    reflectorplan_on_watch_start(&plan, false, 6000);
    reflectorplan_on_watch_open(&plan, 6000);
    a = reflectorplan_on_watch_done(&plan, &lost, 6999);
    assert_int_equal(a.verb, REFLECTORPLAN_WATCH);
    assert_in_range(a.delay_ms, 1600, 3200);
    reflectorplan_deinit(&plan);
}

/* One watch is accepted at this time, and ends so much later. */
static void watch_for(struct reflectorplan *plan, uint64_t at_ms, uint64_t ms, const struct err *err)
{
    reflectorplan_on_watch_start(plan, false, at_ms);
    reflectorplan_on_watch_open(plan, at_ms);
    (void)reflectorplan_on_watch_done(plan, err, at_ms + ms);
}

/* The first failure counts, whatever is listed after it, until a watch works. */
static void test_how_long_no_watch_has_worked(void **state)
{
    (void)state;
    const enum err_code codes[] = {ERR_FORBIDDEN, ERR_UNAVAILABLE, ERR_NETWORK, ERR_THROTTLED, ERR_GONE};
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        struct reflectorplan plan;
        const struct err refused = failure(codes[i]);
        init_plain(&plan, 1);
        list_ok(&plan, "7");
        watch_for(&plan, 1000, 1000, NULL);
        assert_int_equal(reflectorplan_failing_ms(&plan, 2000), 0);
        for (uint64_t at_ms = 3000; at_ms < 90000; at_ms += 3000) {
            reflectorplan_on_watch_start(&plan, false, at_ms);
            (void)reflectorplan_on_watch_done(&plan, &refused, at_ms);
            list_ok(&plan, "8");
            assert_int_equal(reflectorplan_failing_ms(&plan, at_ms + 2000), at_ms + 2000 - 3000);
        }
        reflectorplan_on_watch_start(&plan, false, 90000);
        reflectorplan_on_watch_open(&plan, 90000);
        assert_int_equal(reflectorplan_failing_ms(&plan, 90999), 87999);
        assert_int_equal(reflectorplan_failing_ms(&plan, 91000), 0);
        (void)reflectorplan_on_watch_done(&plan, NULL, 91000);
        assert_int_equal(reflectorplan_failing_ms(&plan, 99000), 0);
        reflectorplan_deinit(&plan);
    }
}

/* Accepted and ended at once, again and again, is a failure, too; news ends it. */
static void test_watches_that_end_at_once_have_failed(void **state)
{
    (void)state;
    struct reflectorplan plan;
    init_plain(&plan, 1);
    list_ok(&plan, "7");
    for (uint64_t at_ms = 1000; at_ms < 60000; at_ms += 2000) {
        watch_for(&plan, at_ms, REFLECTORPLAN_SHORT_WATCH_MS - 1, NULL);
        assert_int_equal(reflectorplan_failing_ms(&plan, at_ms + 1500), at_ms + 1500 - 1999);
    }
    reflectorplan_on_watch_start(&plan, false, 60000);
    reflectorplan_on_watch_open(&plan, 60000);
    assert_false(reflectorplan_on_event(&plan, "7", false, 60000));
    assert_int_equal(reflectorplan_failing_ms(&plan, 60001), 58002);
    assert_false(reflectorplan_on_event(&plan, "8", false, 60001));
    assert_int_equal(reflectorplan_failing_ms(&plan, 60001), 0);
    reflectorplan_deinit(&plan);
}

/* The initial events are a list: the watch has to work after them. */
static void test_a_stream_that_ends_with_its_list_has_failed(void **state)
{
    (void)state;
    struct reflectorplan plan;
    const struct err refused = failure(ERR_UNAVAILABLE);
    reflectorplan_init(&plan, 1);
    reflectorplan_start(&plan);
    reflectorplan_on_watch_start(&plan, true, 1000);
    reflectorplan_on_watch_open(&plan, 1000);
    assert_true(reflectorplan_on_event(&plan, "9", true, 5000));
    (void)reflectorplan_on_watch_done(&plan, &refused, 5001);
    assert_int_equal(reflectorplan_failing_ms(&plan, 6001), 1000);
    reflectorplan_on_watch_start(&plan, true, 40000);
    reflectorplan_on_watch_open(&plan, 40000);
    assert_true(reflectorplan_on_event(&plan, "9", true, 45000));
    assert_int_equal(reflectorplan_failing_ms(&plan, 45500), 40499);
    assert_int_equal(reflectorplan_failing_ms(&plan, 46000), 0);
    reflectorplan_deinit(&plan);
}

static void test_gone_at_a_list_tries_once_at_once(void **state)
{
    (void)state;
    struct reflectorplan plan;
    const struct err gone = failure(ERR_GONE);
    init_plain(&plan, 1);
    reflectorplan_start(&plan);
    struct reflectorplan_action a = reflectorplan_on_list_done(&plan, &gone, NULL, NULL, 0);
    assert_int_equal(a.delay_ms, 0);
    assert_null(a.resource_version);
    a = reflectorplan_on_list_done(&plan, &gone, NULL, NULL, 0);
    assert_in_range(a.delay_ms, 800, 1600);
    reflectorplan_deinit(&plan);
}

static void test_pages(void **state)
{
    (void)state;
    struct reflectorplan plan;
    const struct err gone = failure(ERR_GONE);
    init_plain(&plan, 1);
    reflectorplan_start(&plan);
    (void)reflectorplan_on_list_done(&plan, &gone, NULL, NULL, 0);
    struct reflectorplan_action a = reflectorplan_on_list_done(&plan, NULL, "5", "next", 0);
    assert_int_equal(a.verb, REFLECTORPLAN_LIST);
    assert_false(a.is_first_page);
    assert_string_equal(a.continue_token, "next");
    assert_null(a.resource_version);
    assert_int_equal(a.limit, REFLECTORPLAN_PAGE_LIMIT);
    /* The token expired: one whole list, from the beginning. */
    a = reflectorplan_on_list_done(&plan, &gone, NULL, NULL, 0);
    assert_true(a.is_first_page);
    assert_null(a.continue_token);
    assert_int_equal(a.limit, 0);
    assert_int_equal(a.delay_ms, 0);
    a = list_ok(&plan, "9");
    assert_int_equal(a.verb, REFLECTORPLAN_WATCH);
    reflectorplan_deinit(&plan);
}

static void test_refusals_of_a_watch_do_not_list(void **state)
{
    (void)state;
    static const enum err_code codes[] = {ERR_NETWORK, ERR_THROTTLED, ERR_TIMEOUT};
    for (size_t i = 0; i < 3; i++) {
        struct reflectorplan plan;
        const struct err err = failure(codes[i]);
        init_plain(&plan, 1);
        list_ok(&plan, "7");
        reflectorplan_on_watch_start(&plan, false, 0);
        const struct reflectorplan_action a = reflectorplan_on_watch_done(&plan, &err, 60000);
        assert_int_equal(a.verb, REFLECTORPLAN_WATCH);
        assert_in_range(a.delay_ms, 800, 1600);
        assert_string_equal(a.resource_version, "7");
        reflectorplan_deinit(&plan);
    }
}

static void test_a_wish_of_the_server_counts(void **state)
{
    (void)state;
    struct reflectorplan plan;
    struct err err = failure(ERR_THROTTLED);
    err.retry_after_ms = 9000;
    init_plain(&plan, 1);
    list_ok(&plan, "7");
    assert_int_equal(reflectorplan_on_watch_done(&plan, &err, 60000).delay_ms, 9000);
    reflectorplan_deinit(&plan);
}

static void test_5xx_are_retried_for_a_while(void **state)
{
    (void)state;
    struct reflectorplan plan;
    const struct err err = failure(ERR_UNAVAILABLE);
    init_plain(&plan, 1);
    list_ok(&plan, "7");
    assert_int_equal(reflectorplan_on_watch_done(&plan, &err, 1000).verb, REFLECTORPLAN_WATCH);
    assert_int_equal(reflectorplan_on_watch_done(&plan, &err, 30000).verb, REFLECTORPLAN_WATCH);
    assert_int_equal(reflectorplan_on_watch_done(&plan, &err, 31000).verb, REFLECTORPLAN_LIST);
    reflectorplan_deinit(&plan);
}

static void test_failing_lists_back_off_and_recover(void **state)
{
    (void)state;
    struct reflectorplan plan;
    const struct err err = failure(ERR_FORBIDDEN);
    uint64_t now = 0;
    uint64_t most = 0;
    init_plain(&plan, 3);
    reflectorplan_start(&plan);
    for (int i = 0; i < 12; i++) {
        const struct reflectorplan_action a = reflectorplan_on_list_done(&plan, &err, NULL, NULL, now);
        assert_int_equal(a.verb, REFLECTORPLAN_LIST);
        assert_string_equal(a.resource_version, "0");
        most = a.delay_ms;
        now += most;
    }
    assert_in_range(most, 30000, 60000);
    assert_in_range(reflectorplan_on_list_done(&plan, &err, NULL, NULL, now + 120000).delay_ms, 800, 1600);
    reflectorplan_deinit(&plan);
}

static struct reflectorplan_action stream_fails(struct reflectorplan *plan, enum err_code code)
{
    const struct err err = failure(code);
    reflectorplan_on_watch_start(plan, true, 1000);
    return reflectorplan_on_watch_done(plan, &err, 2000);
}

static void test_a_stream_is_complete_at_its_bookmark(void **state)
{
    (void)state;
    struct reflectorplan plan;
    reflectorplan_init(&plan, 1);
    struct reflectorplan_action a = reflectorplan_start(&plan);
    assert_int_equal(a.verb, REFLECTORPLAN_STREAM);
    assert_true(a.is_first_page);
    assert_null(a.resource_version);
    assert_int_equal(a.limit, 0);
    assert_in_range(a.timeout_s, 300, 600);
    reflectorplan_on_watch_start(&plan, true, 1000);
    assert_false(reflectorplan_on_event(&plan, "9", false, 0));
    assert_false(reflectorplan_on_event(&plan, "3", false, 0));
    assert_true(reflectorplan_on_event(&plan, "12", true, 0));
    assert_false(reflectorplan_on_event(&plan, "13", false, 0));
    a = reflectorplan_on_watch_done(&plan, NULL, 400000);
    assert_int_equal(a.verb, REFLECTORPLAN_WATCH);
    assert_string_equal(a.resource_version, "13");
    /* The next list is a stream again, and never older than what was seen. */
    const struct err broken = failure(ERR_PROTOCOL);
    a = reflectorplan_on_watch_done(&plan, &broken, 500000);
    assert_int_equal(a.verb, REFLECTORPLAN_STREAM);
    assert_string_equal(a.resource_version, "13");
    a = stream_fails(&plan, ERR_GONE);
    assert_int_equal(a.verb, REFLECTORPLAN_STREAM);
    assert_null(a.resource_version);
    assert_int_equal(a.delay_ms, 0);
    reflectorplan_deinit(&plan);
}

/* What was seen of it must not count: the versions of initial events are in no order. */
static void test_a_stream_that_is_lost_begins_anew(void **state)
{
    (void)state;
    static const enum err_code codes[] = {ERR_NETWORK, ERR_THROTTLED, ERR_TIMEOUT, ERR_TLS};
    for (size_t i = 0; i < 4; i++) {
        struct reflectorplan plan;
        reflectorplan_init(&plan, 1);
        (void)reflectorplan_start(&plan);
        reflectorplan_on_watch_start(&plan, true, 1000);
        assert_false(reflectorplan_on_event(&plan, "9", false, 0));
        const struct err err = failure(codes[i]);
        const struct reflectorplan_action a = reflectorplan_on_watch_done(&plan, &err, 2000);
        assert_int_equal(a.verb, REFLECTORPLAN_STREAM);
        assert_in_range(a.delay_ms, 800, 1600);
        assert_null(a.resource_version);
        reflectorplan_deinit(&plan);
    }
}

static void test_a_clean_end_of_a_stream_is_no_list(void **state)
{
    (void)state;
    struct reflectorplan plan;
    reflectorplan_init(&plan, 1);
    reflectorplan_on_watch_start(&plan, true, 1000);
    assert_false(reflectorplan_on_event(&plan, "9", false, 0));
    const struct reflectorplan_action a = reflectorplan_on_watch_done(&plan, NULL, 400000);
    assert_int_equal(a.verb, REFLECTORPLAN_LIST);
    assert_int_equal(a.delay_ms, 0);
    assert_string_equal(a.resource_version, "0");
    reflectorplan_deinit(&plan);
}

static void test_a_server_without_streams_is_asked_once(void **state)
{
    (void)state;
    static const enum err_code codes[] = {ERR_INVALID, ERR_NOT_FOUND};
    for (size_t i = 0; i < 2; i++) {
        struct reflectorplan plan;
        const struct err broken = failure(ERR_PROTOCOL);
        reflectorplan_init(&plan, 1);
        struct reflectorplan_action a = stream_fails(&plan, codes[i]);
        assert_int_equal(a.verb, REFLECTORPLAN_LIST);
        assert_int_equal(a.delay_ms, 0);
        assert_string_equal(a.resource_version, "0");
        assert_int_equal(list_ok(&plan, "5").verb, REFLECTORPLAN_WATCH);
        reflectorplan_on_watch_start(&plan, false, 5000);
        a = reflectorplan_on_watch_done(&plan, &broken, 9000);
        assert_int_equal(a.verb, REFLECTORPLAN_LIST);
        assert_string_equal(a.resource_version, "5");
        reflectorplan_deinit(&plan);
    }
}

static void test_other_refusals_fall_back_until_a_list_succeeds(void **state)
{
    (void)state;
    static const enum err_code codes[] = {ERR_UNAUTHORIZED, ERR_FORBIDDEN, ERR_UNAVAILABLE, ERR_PROTOCOL,
                                          ERR_LIMIT};
    for (size_t i = 0; i < 5; i++) {
        struct reflectorplan plan;
        const struct err err = failure(codes[i]);
        reflectorplan_init(&plan, 1);
        struct reflectorplan_action a = stream_fails(&plan, codes[i]);
        assert_int_equal(a.verb, REFLECTORPLAN_LIST);
        assert_int_equal(a.delay_ms, 0);
        a = reflectorplan_on_list_done(&plan, &err, NULL, NULL, 3000);
        assert_int_equal(a.verb, REFLECTORPLAN_LIST);
        assert_in_range(a.delay_ms, 800, 1600);
        assert_int_equal(list_ok(&plan, "5").verb, REFLECTORPLAN_WATCH);
        reflectorplan_on_watch_start(&plan, false, 5000);
        const struct err broken = failure(ERR_PROTOCOL);
        a = reflectorplan_on_watch_done(&plan, &broken, 9000);
        assert_int_equal(a.verb, REFLECTORPLAN_STREAM);
        reflectorplan_deinit(&plan);
    }
}

/* As one that does not know the parameter: the events come, their end never does. */
static void test_a_stream_that_does_not_end_is_a_list(void **state)
{
    (void)state;
    struct reflectorplan plan;
    const struct err err = failure(ERR_TIMEOUT);
    reflectorplan_init(&plan, 1);
    reflectorplan_on_watch_start(&plan, true, 1000);
    assert_false(reflectorplan_is_too_slow(&plan, 1000 + REFLECTORPLAN_STREAM_MS - 1));
    assert_true(reflectorplan_is_too_slow(&plan, 1000 + REFLECTORPLAN_STREAM_MS));
    const struct reflectorplan_action a =
        reflectorplan_on_watch_done(&plan, &err, 1000 + REFLECTORPLAN_STREAM_MS);
    assert_int_equal(a.verb, REFLECTORPLAN_LIST);
    assert_int_equal(a.delay_ms, 0);
    /* A watch may be as slow as it likes. */
    (void)list_ok(&plan, "5");
    reflectorplan_on_watch_start(&plan, false, 70000);
    assert_false(reflectorplan_is_too_slow(&plan, 700000));
    reflectorplan_deinit(&plan);
}

static void test_pages_without_an_end(void **state)
{
    (void)state;
    struct reflectorplan plan;
    struct err err = {0};
    char token[16] = "t0";
    unsigned pages = 0;
    init_plain(&plan, 1);
    reflectorplan_start(&plan);
    while (reflectorplan_check_page(&plan, token, &err) == 0) {
        const struct reflectorplan_action a = reflectorplan_on_list_done(&plan, NULL, "1", token, 0);
        assert_string_equal(a.continue_token, token);
        snprintf(token, sizeof token, "t%u", ++pages);
    }
    assert_int_equal(err.code, ERR_LIMIT);
    assert_int_equal(pages, REFLECTORPLAN_PAGES_MAX - 1);
    struct reflectorplan_action a = reflectorplan_on_list_done(&plan, &err, NULL, NULL, 0);
    assert_int_equal(a.verb, REFLECTORPLAN_LIST);
    assert_true(a.is_first_page);
    assert_in_range(a.delay_ms, 800, 1600);
    /* The next one counts from its own beginning; a page that leads to itself is the end at once. */
    assert_int_equal(reflectorplan_check_page(&plan, "t", &err), 0);
    reflectorplan_on_list_done(&plan, NULL, "1", "t", 0);
    assert_int_equal(reflectorplan_check_page(&plan, "t", &err), -1);
    assert_int_equal(err.code, ERR_PROTOCOL);
    reflectorplan_deinit(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_first_list_takes_what_the_cache_has),
        cmocka_unit_test(test_watch_timeouts_are_spread),
        cmocka_unit_test(test_a_clean_end_watches_from_the_last_event),
        cmocka_unit_test(test_a_watch_that_ends_at_once_is_backed_off_from),
        cmocka_unit_test(test_a_watch_that_repeats_itself_is_backed_off_from),
        cmocka_unit_test(test_gone_lists_without_a_version),
        cmocka_unit_test(test_gone_again_and_again_is_backed_off_from),
        cmocka_unit_test(test_a_watch_that_is_lost_is_opened_anew),
        cmocka_unit_test(test_how_long_no_watch_has_worked),
        cmocka_unit_test(test_watches_that_end_at_once_have_failed),
        cmocka_unit_test(test_a_stream_that_ends_with_its_list_has_failed),
        cmocka_unit_test(test_gone_at_a_list_tries_once_at_once),
        cmocka_unit_test(test_pages),
        cmocka_unit_test(test_refusals_of_a_watch_do_not_list),
        cmocka_unit_test(test_a_wish_of_the_server_counts),
        cmocka_unit_test(test_5xx_are_retried_for_a_while),
        cmocka_unit_test(test_failing_lists_back_off_and_recover),
        cmocka_unit_test(test_a_stream_is_complete_at_its_bookmark),
        cmocka_unit_test(test_a_stream_that_is_lost_begins_anew),
        cmocka_unit_test(test_a_clean_end_of_a_stream_is_no_list),
        cmocka_unit_test(test_a_server_without_streams_is_asked_once),
        cmocka_unit_test(test_other_refusals_fall_back_until_a_list_succeeds),
        cmocka_unit_test(test_a_stream_that_does_not_end_is_a_list),
        cmocka_unit_test(test_pages_without_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
