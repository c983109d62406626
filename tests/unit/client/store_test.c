#include "client/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <stdio.h>
struct seen {
    char text[512];
};

static void on_change(void *user, const struct store_object *now, const struct store_object *before)
{
    struct seen *seen = user;
    const size_t len = strlen(seen->text);
    snprintf(seen->text + len, sizeof seen->text - len, "%s%s%s ", before ? "-" : "", now ? "+" : "",
             (now ? now : before)->key);
}

static void put(struct store *s, const char *name, const char *uid, int version)
{
    char text[256];
    struct err err;
    snprintf(text, sizeof text,
             "{\"metadata\":{\"name\":\"%s\",\"uid\":\"%s\",\"resourceVersion\":\"%d\",\"generation\":3}}",
             name, uid, version);
    assert_int_equal(store_put(s, text, strlen(text), &err), 0);
}

static void test_objects_are_kept_as_bytes(void **state)
{
    (void)state;
    struct err err;
    struct store *s = store_new(NULL, NULL);
    const char text[] =
        "{ \"metadata\":{\"name\":\"n\",\"namespace\":\"ns\",\"uid\":\"u\",\"resourceVersion\":\"x1\"} }";
    assert_int_equal(store_put(s, text, sizeof text - 1, &err), 0);
    const struct store_object *o = store_get(s, "ns/n");
    assert_string_equal(o->bytes, text);
    assert_int_equal(o->len, sizeof text - 1);
    assert_string_equal(o->uid, "u");
    assert_string_equal(o->resource_version, "x1");
    assert_int_equal(o->generation, 0);
    assert_null(store_get(s, "n"));
    assert_int_equal(store_bytes(s), sizeof text - 1);
    store_free(s);
}

static void test_what_nobody_reads_is_left_out(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"{\"metadata\":{\"name\":\"n\",\"managedFields\":[{\"manager\":\"a\",\"fieldsV1\":{\"f:spec\":{}}},"
         "{\"manager\":\"b\",\"fieldsV1\":{\"f:status\":{\"f:x\":{}}}} , {\"manager\":\"c\"},"
         "{\"manager\":\"d\",\"fieldsV1\":{\"f:status\":{}}}]},\"spec\":{\"f:status\":1}}",
         "{\"metadata\":{\"name\":\"n\",\"managedFields\":["
         "{\"manager\":\"b\",\"fieldsV1\":{\"f:status\":{\"f:x\":{}}}},"
         "{\"manager\":\"d\",\"fieldsV1\":{\"f:status\":{}}}]},\"spec\":{\"f:status\":1}}"},
        {"{\"metadata\":{\"annotations\":{\"kubectl.kubernetes.io/"
         "last-applied-configuration\":\"{\\\"a\\\":1}\\n\","
         "\"b\":\"c\"},\"managedFields\":[{\"manager\":\"a\"}],\"name\":\"n\"}}",
         "{\"metadata\":{\"annotations\":{\"kubectl.kubernetes.io/last-applied-configuration\":\"\","
         "\"b\":\"c\"},\"managedFields\":[],\"name\":\"n\"}}"},
        {"{\"metadata\":{\"managedFields\":null,\"annotations\":{\"kubectl.kubernetes.io/"
         "last-applied-configuration\":"
         "\"x\"},\"name\":\"n\"}}",
         "{\"metadata\":{\"managedFields\":[],\"annotations\":{\"kubectl.kubernetes.io/"
         "last-applied-configuration\":"
         "\"\"},\"name\":\"n\"}}"},
        {"{\"managedFields\":[1],\"metadata\":{\"name\":\"n\"}}",
         "{\"managedFields\":[1],\"metadata\":{\"name\":\"n\"}}"},
    };
    struct store *s = store_new(NULL, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct err err;
        assert_int_equal(store_put(s, cases[i][0], strlen(cases[i][0]), &err), 0);
        assert_string_equal(store_get(s, "n")->bytes, cases[i][1]);
        assert_int_equal(store_bytes(s), strlen(cases[i][1]));
    }
    store_free(s);
}

static void test_changes(void **state)
{
    (void)state;
    struct seen seen = {""};
    struct err err;
    struct store *s = store_new(on_change, &seen);
    put(s, "a", "1", 1);
    put(s, "a", "1", 1);
    put(s, "a", "1", 2);
    put(s, "a", "2", 2);
    assert_int_equal(store_get(s, "a")->generation, 3);
    assert_int_equal(store_delete(s, "{\"metadata\":{\"name\":\"a\"}}", 25, &err), 0);
    assert_int_equal(store_delete(s, "{\"metadata\":{\"name\":\"a\"}}", 25, &err), 0);
    assert_string_equal(seen.text, "+a -+a -+a -a ");
    assert_int_equal(store_count(s), 0);
    assert_int_equal(store_bytes(s), 0);
    store_free(s);
}

static void test_replace_reports_every_difference(void **state)
{
    (void)state;
    struct seen seen = {""};
    struct store *s = store_new(on_change, &seen);
    struct store *fresh = store_new(NULL, NULL);
    put(s, "gone", "1", 1);
    put(s, "same", "2", 1);
    put(s, "newer", "3", 1);
    seen.text[0] = '\0';
    put(fresh, "same", "2", 1);
    put(fresh, "newer", "3", 2);
    put(fresh, "born", "4", 1);
    store_replace(s, fresh);
    assert_int_equal(strlen(seen.text), strlen("-gone -+newer +born "));
    assert_non_null(strstr(seen.text, "-gone "));
    assert_non_null(strstr(seen.text, "-+newer "));
    assert_non_null(strstr(seen.text, "+born "));
    assert_int_equal(store_count(s), 3);
    store_free(s);
}

static void count(void *user, const struct store_object *object)
{
    (void)object;
    ++*(size_t *)user;
}

static void test_it_grows(void **state)
{
    (void)state;
    struct store *s = store_new(NULL, NULL);
    char name[16];
    size_t seen = 0;
    for (int i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "n%d", i);
        put(s, name, "u", i);
    }
    store_each(s, count, &seen);
    assert_int_equal(seen, 1000);
    assert_int_equal(store_count(s), 1000);
    assert_string_equal(store_get(s, "n777")->resource_version, "777");
    store_free(s);
}

static void test_what_is_no_object(void **state)
{
    (void)state;
    struct err err = {0};
    struct store *s = store_new(NULL, NULL);
    assert_int_equal(store_put(s, "{}", 2, &err), -1);
    assert_int_equal(err.code, ERR_PROTOCOL);
    assert_int_equal(store_put(s, "{", 1, &err), -1);
    assert_int_equal(store_delete(s, "[]", 2, &err), -1);
    assert_int_equal(store_count(s), 0);
    store_free(s);
}

static void test_mute(void **state)
{
    (void)state;
    struct seen seen = {""};
    struct store *s = store_new(on_change, &seen);
    store_mute(s);
    put(s, "a", "1", 1);
    assert_string_equal(seen.text, "");
    store_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_objects_are_kept_as_bytes),
        cmocka_unit_test(test_what_nobody_reads_is_left_out),
        cmocka_unit_test(test_changes),
        cmocka_unit_test(test_replace_reports_every_difference),
        cmocka_unit_test(test_it_grows),
        cmocka_unit_test(test_what_is_no_object),
        cmocka_unit_test(test_mute),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
