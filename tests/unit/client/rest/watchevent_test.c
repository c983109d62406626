#include "client/rest/watchevent.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int parse(const char *line, struct watchevent *event, struct err *err)
{
    memset(err, 0, sizeof *err);
    return watchevent_parse(line, strlen(line), event, err);
}

static void test_an_event_borrows_its_object(void **state)
{
    (void)state;
    struct watchevent event;
    struct err err;
    const char *line =
        "{\"type\":\"MODIFIED\",\"object\":{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"12\"}}}";
    assert_int_equal(parse(line, &event, &err), 0);
    assert_int_equal(event.type, WATCHEVENT_MODIFIED);
    assert_string_equal(event.resource_version, "12");
    assert_int_equal(event.object_len, strlen("{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"12\"}}"));
    assert_ptr_equal(event.object, strstr(line, "{\"metadata"));
    watchevent_deinit(&event);
}

static void test_bookmarks(void **state)
{
    (void)state;
    struct watchevent event;
    struct err err;
    assert_int_equal(
        parse("{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"9\"}}}", &event, &err),
        0);
    assert_false(event.is_initial_end);
    watchevent_deinit(&event);
    assert_int_equal(
        parse("{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"9\",\"annotations\":"
              "{\"k8s.io/initial-events-end\":\"true\"}}}}",
              &event, &err),
        0);
    assert_true(event.is_initial_end);
    watchevent_deinit(&event);
}

static void test_an_error_carries_the_status(void **state)
{
    (void)state;
    struct watchevent event;
    struct err err;
    assert_int_equal(
        parse("{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410,\"reason\":\"Expired\","
              "\"message\":\"too old resource version: 1 (5)\"}}",
              &event, &err),
        0);
    assert_int_equal(event.error.code, ERR_GONE);
    assert_string_equal(event.error.msg, "HTTP 410: too old resource version: 1 (5)");
    watchevent_deinit(&event);
}

static void test_what_is_no_event(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "x",
        "{}",
        "{\"type\":\"ADDED\"}",
        "{\"type\":\"ADDED\",\"object\":3}",
        "{\"type\":\"ADDED\",\"object\":{}}",
        "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"resourceVersion\":\"\"}}}",
        "{\"type\":\"SING\",\"object\":{\"metadata\":{\"resourceVersion\":\"1\"}}}"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct watchevent event;
        struct err err;
        assert_int_equal(parse(bad[i], &event, &err), -1);
        assert_int_equal(err.code, ERR_PROTOCOL);
    }
}

/* Of a line that is too long the beginning says what it is; the metadata may go on behind it. */
static void test_the_beginning_of_a_line(void **state)
{
    (void)state;
    static const char line[] =
        "{\"type\":\"MODIFIED\",\"object\":{\"kind\":\"K\",\"metadata\":{\"name\":\"n\","
        "\"namespace\":\"ns\",\"uid\":\"u\",\"resourceVersion\":\"7\",\"generation\":3,\"labels\":{\"a";
    const char *behind_version = strstr(line, ",\"generation\"");
    for (size_t len = 0; len < sizeof line; len++) {
        struct watchevent event;
        struct err err;
        const bool is_enough = line + len >= behind_version;
        assert_int_equal(watchevent_parse_head(line, len, &event, &err), is_enough ? 0 : -1);
        if (!is_enough) {
            assert_int_equal(err.code, ERR_PROTOCOL);
            continue;
        }
        assert_true(event.is_cut && event.object == NULL && event.type == WATCHEVENT_MODIFIED);
        assert_string_equal(event.resource_version, "7");
        assert_true(jsonpick_is(&event.meta.name, "n") && jsonpick_is(&event.meta.uid, "u"));
        watchevent_deinit(&event);
    }
    struct watchevent event;
    struct err err;
    static const char error[] =
        "{\"type\":\"ERROR\",\"object\":{\"code\":410,\"metadata\":{\"resourceVersion\":\"1\"}";
    assert_int_equal(watchevent_parse_head(error, sizeof error - 1, &event, &err), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_beginning_of_a_line),
        cmocka_unit_test(test_an_event_borrows_its_object),
        cmocka_unit_test(test_bookmarks),
        cmocka_unit_test(test_an_error_carries_the_status),
        cmocka_unit_test(test_what_is_no_event),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
