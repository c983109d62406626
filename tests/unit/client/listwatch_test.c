#include "client/listwatch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct err failure(enum err_code code)
{
    struct err err;
    err_set(&err, code, "x");
    return err;
}

static struct listwatch_action list_ok(struct listwatch *lw, const char *version)
{
    return listwatch_on_list_done(lw, NULL, version, "", 0);
}

static void test_the_first_list_takes_what_the_cache_has(void **state)
{
    (void)state;
    struct listwatch lw;
    listwatch_init(&lw, 1);
    struct listwatch_action a = listwatch_start(&lw);
    assert_int_equal(a.verb, LISTWATCH_LIST);
    assert_int_equal(a.delay_ms, 0);
    assert_true(a.is_first_page);
    assert_string_equal(a.resource_version, "0");
    assert_int_equal(a.limit, 0);
    a = list_ok(&lw, "7");
    assert_int_equal(a.verb, LISTWATCH_WATCH);
    assert_int_equal(a.delay_ms, 0);
    assert_string_equal(a.resource_version, "7");
    assert_in_range(a.timeout_s, 300, 600);
    listwatch_deinit(&lw);
}

static void test_watch_timeouts_are_spread(void **state)
{
    (void)state;
    struct listwatch lw;
    unsigned low = 600;
    unsigned high = 300;
    listwatch_init(&lw, 5);
    for (int i = 0; i < 100; i++) {
        const unsigned t = list_ok(&lw, "1").timeout_s;
        low = t < low ? t : low;
        high = t > high ? t : high;
    }
    assert_in_range(low, 300, 330);
    assert_in_range(high, 570, 600);
    listwatch_deinit(&lw);
}

static void test_a_clean_end_watches_from_the_last_event(void **state)
{
    (void)state;
    struct listwatch lw;
    listwatch_init(&lw, 1);
    list_ok(&lw, "7");
    listwatch_on_watch_start(&lw, 1000);
    listwatch_on_event(&lw, "9");
    const struct listwatch_action a = listwatch_on_watch_done(&lw, NULL, 1001);
    assert_int_equal(a.verb, LISTWATCH_WATCH);
    assert_int_equal(a.delay_ms, 0);
    assert_string_equal(a.resource_version, "9");
    listwatch_deinit(&lw);
}

static void test_a_watch_that_ends_at_once_is_backed_off_from(void **state)
{
    (void)state;
    struct listwatch lw;
    listwatch_init(&lw, 1);
    list_ok(&lw, "7");
    listwatch_on_watch_start(&lw, 1000);
    struct listwatch_action a = listwatch_on_watch_done(&lw, NULL, 1999);
    assert_int_equal(a.verb, LISTWATCH_WATCH);
    assert_in_range(a.delay_ms, 800, 1600);
    listwatch_on_watch_start(&lw, 3000);
    a = listwatch_on_watch_done(&lw, NULL, 4000);
    assert_int_equal(a.delay_ms, 0);
    listwatch_deinit(&lw);
}

static void test_gone_lists_without_a_version(void **state)
{
    (void)state;
    struct listwatch lw;
    const struct err gone = failure(ERR_GONE);
    listwatch_init(&lw, 1);
    list_ok(&lw, "7");
    listwatch_on_watch_start(&lw, 0);
    struct listwatch_action a = listwatch_on_watch_done(&lw, &gone, 5000);
    assert_int_equal(a.verb, LISTWATCH_LIST);
    assert_in_range(a.delay_ms, 800, 1600);
    assert_null(a.resource_version);
    assert_int_equal(a.limit, LISTWATCH_PAGE_LIMIT);
    a = list_ok(&lw, "20");
    assert_string_equal(a.resource_version, "20");
    /* The next list asks for what is known again. */
    const struct err broken = failure(ERR_PROTOCOL);
    a = listwatch_on_watch_done(&lw, &broken, 9000);
    assert_string_equal(a.resource_version, "20");
    assert_int_equal(a.limit, 0);
    listwatch_deinit(&lw);
}

static void test_gone_at_a_list_tries_once_at_once(void **state)
{
    (void)state;
    struct listwatch lw;
    const struct err gone = failure(ERR_GONE);
    listwatch_init(&lw, 1);
    listwatch_start(&lw);
    struct listwatch_action a = listwatch_on_list_done(&lw, &gone, NULL, NULL, 0);
    assert_int_equal(a.delay_ms, 0);
    assert_null(a.resource_version);
    a = listwatch_on_list_done(&lw, &gone, NULL, NULL, 0);
    assert_in_range(a.delay_ms, 800, 1600);
    listwatch_deinit(&lw);
}

static void test_pages(void **state)
{
    (void)state;
    struct listwatch lw;
    const struct err gone = failure(ERR_GONE);
    listwatch_init(&lw, 1);
    listwatch_start(&lw);
    (void)listwatch_on_list_done(&lw, &gone, NULL, NULL, 0);
    struct listwatch_action a = listwatch_on_list_done(&lw, NULL, "5", "next", 0);
    assert_int_equal(a.verb, LISTWATCH_LIST);
    assert_false(a.is_first_page);
    assert_string_equal(a.continue_token, "next");
    assert_null(a.resource_version);
    assert_int_equal(a.limit, LISTWATCH_PAGE_LIMIT);
    /* The token expired: one whole list, from the beginning. */
    a = listwatch_on_list_done(&lw, &gone, NULL, NULL, 0);
    assert_true(a.is_first_page);
    assert_null(a.continue_token);
    assert_int_equal(a.limit, 0);
    assert_int_equal(a.delay_ms, 0);
    a = list_ok(&lw, "9");
    assert_int_equal(a.verb, LISTWATCH_WATCH);
    listwatch_deinit(&lw);
}

static void test_refusals_of_a_watch_do_not_list(void **state)
{
    (void)state;
    static const enum err_code codes[] = {ERR_NETWORK, ERR_THROTTLED, ERR_TIMEOUT};
    for (size_t i = 0; i < 3; i++) {
        struct listwatch lw;
        const struct err err = failure(codes[i]);
        listwatch_init(&lw, 1);
        list_ok(&lw, "7");
        listwatch_on_watch_start(&lw, 0);
        const struct listwatch_action a = listwatch_on_watch_done(&lw, &err, 60000);
        assert_int_equal(a.verb, LISTWATCH_WATCH);
        assert_in_range(a.delay_ms, 800, 1600);
        assert_string_equal(a.resource_version, "7");
        listwatch_deinit(&lw);
    }
}

static void test_a_wish_of_the_server_counts(void **state)
{
    (void)state;
    struct listwatch lw;
    struct err err = failure(ERR_THROTTLED);
    err.retry_after_ms = 9000;
    listwatch_init(&lw, 1);
    list_ok(&lw, "7");
    assert_int_equal(listwatch_on_watch_done(&lw, &err, 60000).delay_ms, 9000);
    listwatch_deinit(&lw);
}

static void test_5xx_are_retried_for_a_while(void **state)
{
    (void)state;
    struct listwatch lw;
    const struct err err = failure(ERR_UNAVAILABLE);
    listwatch_init(&lw, 1);
    list_ok(&lw, "7");
    assert_int_equal(listwatch_on_watch_done(&lw, &err, 1000).verb, LISTWATCH_WATCH);
    assert_int_equal(listwatch_on_watch_done(&lw, &err, 30000).verb, LISTWATCH_WATCH);
    assert_int_equal(listwatch_on_watch_done(&lw, &err, 31000).verb, LISTWATCH_LIST);
    listwatch_deinit(&lw);
}

static void test_failing_lists_back_off_and_recover(void **state)
{
    (void)state;
    struct listwatch lw;
    const struct err err = failure(ERR_FORBIDDEN);
    uint64_t now = 0;
    uint64_t most = 0;
    listwatch_init(&lw, 3);
    listwatch_start(&lw);
    for (int i = 0; i < 12; i++) {
        const struct listwatch_action a = listwatch_on_list_done(&lw, &err, NULL, NULL, now);
        assert_int_equal(a.verb, LISTWATCH_LIST);
        assert_string_equal(a.resource_version, "0");
        most = a.delay_ms;
        now += most;
    }
    assert_in_range(most, 30000, 60000);
    assert_in_range(listwatch_on_list_done(&lw, &err, NULL, NULL, now + 120000).delay_ms, 800, 1600);
    listwatch_deinit(&lw);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_first_list_takes_what_the_cache_has),
        cmocka_unit_test(test_watch_timeouts_are_spread),
        cmocka_unit_test(test_a_clean_end_watches_from_the_last_event),
        cmocka_unit_test(test_a_watch_that_ends_at_once_is_backed_off_from),
        cmocka_unit_test(test_gone_lists_without_a_version),
        cmocka_unit_test(test_gone_at_a_list_tries_once_at_once),
        cmocka_unit_test(test_pages),
        cmocka_unit_test(test_refusals_of_a_watch_do_not_list),
        cmocka_unit_test(test_a_wish_of_the_server_counts),
        cmocka_unit_test(test_5xx_are_retried_for_a_while),
        cmocka_unit_test(test_failing_lists_back_off_and_recover),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
