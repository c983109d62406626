#include "client/rest/listcut.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct seen {
    char text[512];
    size_t count;
};

static int on_item(void *user, const char *bytes, size_t len, bool is_cut, struct err *err)
{
    struct seen *seen = user;
    (void)err;
    strncat(seen->text, bytes, len);
    strncat(seen->text, is_cut ? "...|" : "|", 5);
    seen->count++;
    return 0;
}

static int ignore(void *user, const char *bytes, size_t len, bool is_cut, struct err *err)
{
    (void)user, (void)is_cut;
    (void)bytes;
    (void)len;
    (void)err;
    return 0;
}

static int refuse(void *user, const char *bytes, size_t len, bool is_cut, struct err *err)
{
    (void)user, (void)is_cut;
    (void)bytes;
    (void)len;
    return err_set(err, ERR_INVALID, "no");
}

static const char list[] =
    "{\"kind\":\"L\\\"ist\", \"other\":{\"items\":[9]},\"metadata\":{\"resourceVersion\":\"77\","
    "\"continue\":\"abc\"} , \"items\" : [ {\"a\":\"]}\"} ,{\"b\":[1,{}]},\n3,\"s\",null]}\n";
static const char expected[] = "{\"a\":\"]}\"}|{\"b\":[1,{}]}|3|\"s\"|null|";

static void test_every_split_gives_the_same_items(void **state)
{
    (void)state;
    const size_t len = sizeof list - 1;
    for (size_t step = 1; step <= len; step++) {
        struct listcut cut;
        struct seen seen = {0};
        struct err err = {0};
        listcut_init(&cut, 64);
        for (size_t at = 0; at < len; at += step)
            assert_int_equal(
                listcut_feed(&cut, list + at, step < len - at ? step : len - at, on_item, &seen, &err), 0);
        assert_int_equal(listcut_end(&cut, &err), 0);
        assert_string_equal(seen.text, expected);
        assert_string_equal(cut.resource_version, "77");
        assert_string_equal(cut.continue_token, "abc");
        listcut_deinit(&cut);
    }
}

static void test_every_truncation_is_an_error(void **state)
{
    (void)state;
    for (size_t n = 0; n + 2 < sizeof list; n++) {
        struct listcut cut;
        struct seen seen = {0};
        struct err err = {0};
        listcut_init(&cut, 64);
        assert_int_equal(listcut_feed(&cut, list, n, on_item, &seen, &err), 0);
        assert_int_equal(listcut_end(&cut, &err), -1);
        assert_int_equal(err.code, ERR_PROTOCOL);
        listcut_deinit(&cut);
    }
}

static int feed(const char *text, size_t cap, listcut_on_item *on, struct err *err)
{
    struct listcut cut;
    struct seen seen = {0};
    listcut_init(&cut, cap);
    int result = listcut_feed(&cut, text, strlen(text), on, &seen, err);
    if (result == 0)
        result = listcut_end(&cut, err);
    listcut_deinit(&cut);
    return result;
}

static void test_what_is_no_list(void **state)
{
    (void)state;
    static const char *const bad[] = {"[]",       "x",          "{]",    "{\"a\"}",        "{\"a\" 1}",
                                      "{\"a\":}", "{\"a\":1}}", "{1:2}", "{\"items\":[}]}"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct err err = {0};
        assert_int_equal(feed(bad[i], 64, on_item, &err), -1);
        assert_int_equal(err.code, ERR_PROTOCOL);
    }
}

/* Of an item that is too long the beginning is handed out, however it arrives, and the others are whole. */
static void test_an_item_that_is_too_long(void **state)
{
    (void)state;
    static const char text[] = "{\"skipped\":\"0123456789012345678901234567890\",\"items\":[\"1234567890\","
                               "\"12345678901\",{\"a\":\"]}\\\"1234\"},"
                               "[1,2,3,4,5,6,7] , 7],\"metadata\":{}}";
    const size_t len = sizeof text - 1;
    for (size_t step = 1; step <= len; step++) {
        struct listcut cut;
        struct seen seen = {0};
        struct err err = {0};
        listcut_init(&cut, 12);
        for (size_t at = 0; at < len; at += step)
            assert_int_equal(
                listcut_feed(&cut, text + at, step < len - at ? step : len - at, on_item, &seen, &err), 0);
        assert_int_equal(listcut_end(&cut, &err), 0);
        assert_string_equal(seen.text,
                            "\"1234567890\"|\"12345678901...|{\"a\":\"]}\\\"12...|[1,2,3,4,5,6...|7|");
        listcut_deinit(&cut);
    }
}

static void test_cap_of_what_belongs_to_the_list(void **state)
{
    (void)state;
    struct err err = {0};
    assert_int_equal(feed("{\"metadata\":{\"continue\":\"1\"},\"items\":[]}", 24, on_item, &err), 0);
    assert_int_equal(feed("{\"metadata\":{\"continue\":\"12345678901\"},\"items\":[]}", 24, on_item, &err),
                     -1);
    assert_int_equal(err.code, ERR_LIMIT);
    assert_int_equal(feed("{\"a key that is longer than the cap\":1,\"items\":[]}", 24, on_item, &err), -1);
    assert_int_equal(err.code, ERR_LIMIT);
}

static void test_a_refusal_stops(void **state)
{
    (void)state;
    struct err err = {0};
    assert_int_equal(feed("{\"items\":[1]}", 64, refuse, &err), -1);
    assert_string_equal(err.msg, "no");
}

static void test_items_null_and_empty(void **state)
{
    (void)state;
    struct err err = {0};
    assert_int_equal(feed("{\"items\":null}", 64, refuse, &err), 0);
    assert_int_equal(feed("{\"items\":[]}", 64, refuse, &err), 0);
}

static void feed_often(struct listcut *cut, const char *text, size_t times, enum err_code code)
{
    struct err err = {0};
    int result = 0;
    for (size_t i = 0; i < times && result == 0; i++)
        result = listcut_feed(cut, text, strlen(text), on_item, NULL, &err);
    assert_int_equal(err.code, code);
}

/* Items without an end are the taker's to count; all else is not to be endless. */
static void test_cap_of_what_is_no_item(void **state)
{
    static const char *const begins[] = {"{\"x\":\"", "{\"items\":[", "{\"metadata\":{}"};
    static const char *const endless[] = {"xxxxxxxx", "        ", ",       "};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct listcut cut;
        struct err err;
        listcut_init(&cut, 64);
        assert_int_equal(listcut_feed(&cut, begins[i], strlen(begins[i]), on_item, NULL, &err), 0);
        feed_often(&cut, endless[i], LISTCUT_BARREN_CAP_BYTES / 8 - 8, ERR_NONE);
        feed_often(&cut, endless[i], 16, ERR_LIMIT);
        listcut_deinit(&cut);
    }
    struct listcut cut;
    struct err err;
    struct seen seen = {0};
    listcut_init(&cut, 64);
    assert_int_equal(listcut_feed(&cut, "{\"items\":[", 10, ignore, &seen, &err), 0);
    for (int i = 0; i < 1000000; i++)
        assert_int_equal(listcut_feed(&cut, "1 , ", 4, ignore, &seen, &err), 0);
    listcut_deinit(&cut);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_split_gives_the_same_items),
        cmocka_unit_test(test_every_truncation_is_an_error),
        cmocka_unit_test(test_what_is_no_list),
        cmocka_unit_test(test_an_item_that_is_too_long),
        cmocka_unit_test(test_cap_of_what_belongs_to_the_list),
        cmocka_unit_test(test_a_refusal_stops),
        cmocka_unit_test(test_items_null_and_empty),
        cmocka_unit_test(test_cap_of_what_is_no_item),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
