#include "client/discovery/apiindex.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <stdio.h>

#include "client/base/buf.h"

#define ENTRY(path, url) "\"" path "\":{\"serverRelativeURL\":\"/openapi/v3/" path "?hash=" url "\"}"

struct seen {
    char text[256];
};

static void on_change(void *user, const char *path)
{
    struct seen *seen = user;
    strncat(seen->text, path, 64);
    strncat(seen->text, " ", 2);
}

static void read_at(struct apiindex *x, const char *entries, uint64_t now_ms, struct seen *seen)
{
    char text[1024];
    struct err err;
    snprintf(text, sizeof text, "{\"paths\":{%s}}", entries);
    seen->text[0] = '\0';
    apiindex_begin(x, now_ms);
    if (apiindex_read(x, text, strlen(text), now_ms, on_change, seen, &err) != 0)
        fail_msg("%s", err.msg);
}

static const char *hash(const struct apiindex *x, const char *path)
{
    const struct apiindex_entry *e = apiindex_find(x, path);
    return e ? e->hash : NULL;
}

static void test_the_first_reading_counts_at_once(void **state)
{
    (void)state;
    struct apiindex x;
    struct seen seen;
    apiindex_init(&x, 1);
    read_at(&x,
            ENTRY("apis/apps/v1", "A") "," ENTRY("api/v1", "B") ",\"odd\":{\"serverRelativeURL\":\"/plain\"}",
            0, &seen);
    assert_string_equal(hash(&x, "apis/apps/v1"), "A");
    assert_string_equal(hash(&x, "api/v1"), "B");
    assert_string_equal(hash(&x, "odd"), "/plain");
    assert_string_equal(apiindex_find(&x, "api/v1")->url, "/openapi/v3/api/v1?hash=B");
    assert_null(hash(&x, "apis/batch/v1"));
    apiindex_deinit(&x);
}

static void test_a_change_needs_two_readings(void **state)
{
    (void)state;
    struct apiindex x;
    struct seen seen;
    apiindex_init(&x, 1);
    read_at(&x, ENTRY("api/v1", "A"), 0, &seen);
    read_at(&x, ENTRY("api/v1", "B"), 60000, &seen);
    assert_string_equal(seen.text, "");
    assert_string_equal(hash(&x, "api/v1"), "A");
    assert_int_equal(apiindex_delay(&x, 60000), POLLED_CONFIRM_MS);
    read_at(&x, ENTRY("api/v1", "B"), 64999, &seen);
    assert_string_equal(seen.text, "");
    read_at(&x, ENTRY("api/v1", "B"), 65000, &seen);
    assert_string_equal(seen.text, "api/v1 ");
    assert_string_equal(hash(&x, "api/v1"), "B");
    apiindex_deinit(&x);
}

static void test_two_servers_in_turn_change_nothing(void **state)
{
    (void)state;
    struct apiindex x;
    struct seen seen;
    apiindex_init(&x, 1);
    read_at(&x, ENTRY("api/v1", "A"), 0, &seen);
    for (uint64_t i = 1; i < 20; i++) {
        read_at(&x, i % 2 ? ENTRY("api/v1", "B") : ENTRY("api/v1", "A"), i * 6000, &seen);
        assert_string_equal(seen.text, "");
    }
    assert_string_equal(hash(&x, "api/v1"), "A");
    apiindex_deinit(&x);
}

static void test_a_vanished_path_is_confirmed(void **state)
{
    (void)state;
    struct apiindex x;
    struct seen seen;
    apiindex_init(&x, 1);
    read_at(&x, ENTRY("api/v1", "A") "," ENTRY("apis/g/v1", "C"), 0, &seen);
    apiindex_trigger(&x, "g", 1);
    read_at(&x, ENTRY("api/v1", "A"), 1000, &seen);
    assert_string_equal(hash(&x, "apis/g/v1"), "C");
    read_at(&x, ENTRY("api/v1", "A") "," ENTRY("apis/g/v1", "C"), 2000, &seen);
    read_at(&x, ENTRY("api/v1", "A"), 7000, &seen);
    assert_string_equal(hash(&x, "apis/g/v1"), "C");
    read_at(&x, ENTRY("api/v1", "A"), 12000, &seen);
    assert_string_equal(seen.text, "apis/g/v1 ");
    assert_null(hash(&x, "apis/g/v1"));
    apiindex_deinit(&x);
}

static void test_a_new_path_is_confirmed_or_triggered(void **state)
{
    (void)state;
    struct apiindex x;
    struct seen seen;
    apiindex_init(&x, 1);
    read_at(&x, ENTRY("api/v1", "A"), 0, &seen);
    read_at(&x, ENTRY("api/v1", "A") "," ENTRY("apis/g/v1", "C"), 1000, &seen);
    assert_null(hash(&x, "apis/g/v1"));
    read_at(&x, ENTRY("api/v1", "A"), 2000, &seen);
    read_at(&x, ENTRY("api/v1", "A") "," ENTRY("apis/g/v1", "C"), 7000, &seen);
    assert_string_equal(seen.text, "");
    apiindex_trigger(&x, "g", 8000);
    read_at(&x, ENTRY("api/v1", "A") "," ENTRY("apis/g/v1", "C"), 8250, &seen);
    assert_string_equal(seen.text, "apis/g/v1 ");
    assert_string_equal(hash(&x, "apis/g/v1"), "C");
    apiindex_deinit(&x);
}

static void test_a_trigger_reads_often_until_it_is_answered(void **state)
{
    (void)state;
    struct apiindex x;
    struct seen seen;
    apiindex_init(&x, 1);
    assert_int_equal(apiindex_delay(&x, 0), 0);
    read_at(&x, ENTRY("api/v1", "A"), 1000, &seen);
    assert_in_range(apiindex_delay(&x, 1000), 54000, 66000);
    apiindex_trigger(&x, "g", 1000);
    apiindex_trigger(&x, "", 1000);
    assert_int_equal(apiindex_delay(&x, 1000), 250);
    read_at(&x, ENTRY("api/v1", "B"), 1250, &seen);
    assert_string_equal(seen.text, "api/v1 ");
    assert_int_equal(apiindex_delay(&x, 1250), 250);
    read_at(&x, ENTRY("api/v1", "B") "," ENTRY("apis/g/v1", "B"), 1500, &seen);
    assert_string_equal(seen.text, "apis/g/v1 ");
    assert_in_range(apiindex_delay(&x, 1500), 54000, 66000);
    apiindex_begin(&x, 2000);
    assert_true(apiindex_delay(&x, 2000) == UINT64_MAX);
    apiindex_on_failure(&x, 2000);
    assert_int_equal(apiindex_delay(&x, 2000), 1000);
    apiindex_deinit(&x);
}

/* As many entries as may be, in any order: neither taking them in nor the next reading takes their square. */
static void test_many_entries(void **state)
{
    (void)state;
    struct apiindex x;
    struct err err;
    struct buf text;
    apiindex_init(&x, 1);
    for (int reading = 0; reading < 2; reading++) {
        buf_init(&text, APIINDEX_CAP_BYTES);
        buf_puts(&text, "{\"paths\":{");
        for (unsigned i = 0; i < APIINDEX_ENTRIES; i++)
            buf_printf(&text, "%s\"apis/g%u/v1\":{\"serverRelativeURL\":\"/o/g%u?hash=%d\"}", i ? "," : "",
                       i * 7919 % APIINDEX_ENTRIES, i * 7919 % APIINDEX_ENTRIES, reading);
        buf_puts(&text, "}}");
        assert_false(text.is_full);
        for (unsigned i = 0; reading == 1 && i < 1000; i++) {
            char group[16];
            snprintf(group, sizeof group, "g%u", i);
            apiindex_trigger(&x, group, 1000);
        }
        apiindex_begin(&x, 1000);
        assert_int_equal(apiindex_read(&x, text.data, text.len, 1000, NULL, NULL, &err), 0);
        buf_deinit(&text);
    }
    assert_int_equal(x.n_entries, APIINDEX_ENTRIES);
    assert_string_equal(hash(&x, "apis/g999/v1"), "1");
    assert_string_equal(hash(&x, "apis/g1000/v1"), "0");
    assert_string_equal(hash(&x, "apis/g19999/v1"), "0");
    apiindex_deinit(&x);
}

static void test_what_is_no_index(void **state)
{
    (void)state;
    struct apiindex x;
    struct err err = {0};
    struct seen seen;
    apiindex_init(&x, 1);
    assert_int_equal(apiindex_read(&x, "{}", 2, 0, NULL, NULL, &err), -1);
    assert_int_equal(err.code, ERR_PROTOCOL);
    assert_int_equal(apiindex_read(&x, "x", 1, 0, NULL, NULL, &err), -1);
    assert_false(x.has_read);
    read_at(
        &x,
        "\"a\":{\"serverRelativeURL\":\"http://evil/\"},\"b\":{\"serverRelativeURL\":\"//evil/\"},\"c\":{}",
        0, &seen);
    assert_int_equal(x.n_entries, 0);
    apiindex_deinit(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_first_reading_counts_at_once),
        cmocka_unit_test(test_a_change_needs_two_readings),
        cmocka_unit_test(test_two_servers_in_turn_change_nothing),
        cmocka_unit_test(test_a_vanished_path_is_confirmed),
        cmocka_unit_test(test_a_new_path_is_confirmed_or_triggered),
        cmocka_unit_test(test_a_trigger_reads_often_until_it_is_answered),
        cmocka_unit_test(test_many_entries),
        cmocka_unit_test(test_what_is_no_index),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
