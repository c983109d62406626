#include "client/cache/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <stdio.h>

#include "client/base/buf.h"
#include "client/base/mem.h"

static void assert_text(const struct store_object *object, const char *wanted)
{
    cleanup_mem char *text = store_text(object);
    assert_string_equal(text, wanted);
    assert_int_equal(object->len, strlen(wanted));
}

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
    assert_int_equal(store_put(s, text, strlen(text), NULL, &err), 0);
}

static void test_objects_are_kept_as_bytes(void **state)
{
    (void)state;
    struct err err;
    struct store *s = store_new(NULL, NULL);
    const char text[] =
        "{ \"metadata\":{\"name\":\"n\",\"namespace\":\"ns\",\"uid\":\"u\",\"resourceVersion\":\"x1\"} }";
    assert_int_equal(store_put(s, text, sizeof text - 1, NULL, &err), 0);
    const struct store_object *o = store_get(s, "ns/n");
    assert_text(o, text);
    assert_string_equal(o->uid, "u");
    assert_string_equal(o->resource_version, "x1");
    assert_int_equal(o->generation, 0);
    assert_null(store_get(s, "n"));
    assert_int_equal(store_bytes(s), o->packed_len);
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
        assert_int_equal(store_put(s, cases[i][0], strlen(cases[i][0]), NULL, &err), 0);
        assert_text(store_get(s, "n"), cases[i][1]);
        assert_int_equal(store_bytes(s), store_get(s, "n")->packed_len);
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
    assert_int_equal(store_delete(s, "{\"metadata\":{\"name\":\"a\"}}", 25, NULL, &err), 0);
    assert_int_equal(store_delete(s, "{\"metadata\":{\"name\":\"a\"}}", 25, NULL, &err), 0);
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
    assert_int_equal(store_put(s, "{}", 2, NULL, &err), -1);
    assert_int_equal(err.code, ERR_PROTOCOL);
    assert_int_equal(store_put(s, "{", 1, NULL, &err), -1);
    assert_int_equal(store_delete(s, "[]", 2, NULL, &err), -1);
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

/* A text of this many bytes in its spec, which deflating makes little shorter. */
static int put_large(struct store *s, const char *name, int version, size_t bytes, struct err *err)
{
    struct buf text;
    buf_init(&text, bytes + 512);
    buf_printf(&text,
               "{\"kind\":\"K\",\"metadata\":{\"name\":\"%s\",\"uid\":\"u\",\"resourceVersion\":\"%d\","
               "\"labels\":{\"a\":\"b\"}},\"status\":{\"x\":1},\"spec\":\"",
               name, version);
    uint32_t dice = 1;
    for (size_t i = 0; i < bytes; i++) {
        dice = dice * 1664525u + 1013904223u;
        buf_putc(&text, (char)('0' + (dice >> 24) % 10));
    }
    buf_puts(&text, "\"}");
    const int result = store_put(s, text.data, text.len, NULL, err);
    buf_deinit(&text);
    return result;
}

static const char stub[] =
    "{\"kind\":\"K\",\"metadata\":{\"name\":\"c\",\"uid\":\"u\",\"resourceVersion\":\"1\","
    "\"labels\":{\"a\":\"b\"}},\"status\":{\"x\":1}}";

static void test_large_objects_are_left_out_first(void **state)
{
    (void)state;
    struct err err;
    struct store_budget budget = {.cap_bytes = 1000000};
    struct store *s = store_new(NULL, NULL);
    store_set_budget(s, &budget);
    assert_int_equal(put_large(s, "a", 1, 500000, &err), 0);
    assert_int_equal(put_large(s, "b", 1, 200000, &err), 0);
    assert_int_equal(put_large(s, "c", 1, 200000, &err), 0); /* past 3/4 */
    assert_int_equal(store_get(s, "b")->left_out, STORE_WHOLE);
    assert_int_equal(store_get(s, "c")->left_out, STORE_NO_ROOM);
    assert_text(store_get(s, "c"), stub);
    assert_int_equal(store_get(s, "c")->len, sizeof stub - 1);
    assert_int_equal(put_large(s, "d", 1, 100000, &err), 0); /* a medium one, within 7/8 */
    assert_int_equal(put_large(s, "e", 1, 100000, &err), 0);
    assert_int_equal(store_get(s, "d")->left_out, STORE_WHOLE);
    assert_int_equal(store_get(s, "e")->left_out, STORE_NO_ROOM);
    assert_int_equal(put_large(s, "f", 1, 10000, &err), 0); /* a small one */
    assert_int_equal(store_get(s, "f")->left_out, STORE_WHOLE);
    assert_int_equal(store_left_out(s), 2);
    /* What is smaller than a stub would be is whole. */
    put(s, "g", "u", 1);
    assert_int_equal(store_get(s, "g")->left_out, STORE_WHOLE);
    store_free(s);
    assert_int_equal(budget.used_bytes, 0);
}

static void test_room_that_is_made(void **state)
{
    (void)state;
    struct err err;
    struct seen seen = {""};
    struct store_budget budget = {.cap_bytes = 1000000};
    struct store *s = store_new(on_change, &seen);
    store_set_budget(s, &budget);
    assert_int_equal(put_large(s, "a", 1, 600000, &err), 0);
    assert_int_equal(put_large(s, "a", 2, 700000, &err), 0); /* in its own place */
    assert_int_equal(store_get(s, "a")->left_out, STORE_WHOLE);
    assert_int_equal(put_large(s, "b", 1, 200000, &err), 0);
    assert_int_equal(store_get(s, "b")->left_out, STORE_NO_ROOM);
    assert_int_equal(put_large(s, "b", 1, 200000, &err), 0); /* no change */
    assert_int_equal(put_large(s, "a", 3, 1000, &err), 0);
    /* The same version, and there is room now. */
    assert_int_equal(put_large(s, "b", 1, 200000, &err), 0);
    assert_int_equal(store_get(s, "b")->left_out, STORE_WHOLE);
    assert_string_equal(seen.text, "+a -+a +b -+a -+b ");
    store_free(s);
}

/* Past a quarter more nothing is taken, and what is there stays. */
static void test_the_end_of_the_budget(void **state)
{
    (void)state;
    struct err err;
    struct store_budget budget = {.cap_bytes = 100000};
    struct store *s = store_new(NULL, NULL);
    char name[32];
    int count = 0;
    store_set_budget(s, &budget);
    do
        snprintf(name, sizeof name, "n%d", count++);
    while (put_large(s, name, 1, 2000, &err) == 0);
    assert_int_equal(err.code, ERR_LIMIT);
    assert_in_range(budget.used_bytes, 120000, 125000);
    assert_int_equal(store_count(s), count - 1);
    assert_int_equal(put_large(s, "n0", 2, 2000, &err), 0);
    store_free(s);
}

/* A list that arrives beside the store: what is known is not kept twice, what it replaces is not counted,
 * and in the end all is as if there had been no list beside. */
static void test_a_list_beside(void **state)
{
    (void)state;
    struct err err;
    struct seen seen = {""};
    struct store_budget budget = {.cap_bytes = 1000000};
    struct store *s = store_new(on_change, &seen);
    store_set_budget(s, &budget);
    assert_int_equal(put_large(s, "a", 1, 300000, &err), 0);
    assert_int_equal(put_large(s, "b", 1, 300000, &err), 0);
    assert_int_equal(put_large(s, "c", 1, 300000, &err), 0);
    assert_int_equal(store_get(s, "c")->left_out, STORE_NO_ROOM);
    const size_t used = budget.used_bytes;

    struct store *fresh = store_new_beside(s);
    assert_int_equal(put_large(fresh, "a", 1, 300000, &err), 0);
    assert_true(budget.used_bytes < used + 1000);
    assert_int_equal(put_large(fresh, "b", 2, 300000, &err), 0);
    assert_int_equal(store_get(fresh, "b")->left_out, STORE_WHOLE);
    assert_int_equal(put_large(fresh, "c", 1, 300000, &err), 0);
    assert_int_equal(store_get(fresh, "c")->left_out, STORE_NO_ROOM);
    /* Again and again, as a server might: nothing is credited twice. */
    for (int i = 3; i < 50; i++) {
        char gone[] = "{\"metadata\":{\"name\":\"b\"}}";
        assert_int_equal(store_delete(fresh, gone, sizeof gone - 1, NULL, &err), 0);
        assert_int_equal(put_large(fresh, "b", i, 300000, &err), 0);
    }
    assert_true(budget.used_bytes < used + 310000);
    seen.text[0] = '\0';
    store_replace(s, fresh);
    assert_string_equal(seen.text, "-+b ");
    assert_int_equal(budget.used_bytes, used + 2); /* "49" is longer than "1", in the text and beside it */
    assert_int_equal(store_get(s, "a")->len, store_get(s, "b")->len - 1);
    assert_int_equal(store_left_out(s), 1);

    fresh = store_new_beside(s);
    assert_int_equal(put_large(fresh, "c", 1, 300000, &err), 0);
    store_replace(s, fresh);
    assert_int_equal(store_count(s), 1);
    store_free(s);
    assert_int_equal(budget.used_bytes, 0);
}

/* Metadata that is larger than a stub may be. */
static void test_only_the_identity_is_kept(void **state)
{
    (void)state;
    struct err err;
    struct store_budget budget = {.cap_bytes = 100000};
    struct store *s = store_new(NULL, NULL);
    struct buf text;
    store_set_budget(s, &budget);
    buf_init(&text, 1 << 20);
    buf_puts(&text, "{\"metadata\":{\"name\":\"n\",\"namespace\":\"m\",\"uid\":\"u\",\"resourceVersion\":"
                    "\"1\",\"generation\":7,\"annotations\":{\"a\":\"");
    for (int i = 0; i < 100000; i++)
        buf_putc(&text, 'x');
    buf_puts(&text, "\"}}}");
    assert_int_equal(store_put(s, text.data, text.len, NULL, &err), 0);
    assert_int_equal(store_get(s, "m/n")->left_out, STORE_NO_ROOM);
    assert_text(store_get(s, "m/n"), "{\"metadata\":{\"name\":\"n\",\"namespace\":\"m\",\"uid\":\"u\","
                                     "\"resourceVersion\":\"1\",\"generation\":7}}");
    buf_deinit(&text);
    store_free(s);
}

static void test_an_object_that_is_too_long(void **state)
{
    static const char head[] =
        "{\"kind\":\"K\",\"metadata\":{\"name\":\"n\",\"namespace\":\"m\",\"uid\":\"u\","
        "\"resourceVersion\":\"7\",\"generation\":3,\"labels\":{\"a\":\"xxxxx";
    static const char nameless[] = "{\"metadata\":{\"labels\":{\"a\":\"xxx";
    struct seen seen = {""};
    struct store *s = store_new(on_change, &seen);
    struct jsonmeta meta;
    struct err err;
    (void)state;
    jsonmeta_read_head(&meta, head, sizeof head - 1);
    assert_int_equal(store_put_long(s, &meta, &err), 0);
    const struct store_object *o = store_get(s, "m/n");
    assert_int_equal(o->left_out, STORE_TOO_LONG);
    assert_int_equal(o->generation, 3);
    assert_text(o, "{\"metadata\":{\"name\":\"n\",\"namespace\":\"m\",\"uid\":\"u\","
                   "\"resourceVersion\":\"7\",\"generation\":3}}");
    assert_non_null(strstr(store_left_out_text(o->left_out), "too long"));
    assert_int_equal(store_left_out(s), 1);
    assert_int_equal(store_put_long(s, &meta, &err), 0); /* no change */
    assert_string_equal(seen.text, "+m/n ");
    jsonmeta_read_head(&meta, nameless, sizeof nameless - 1);
    assert_int_equal(store_put_long(s, &meta, &err), -1);
    assert_int_equal(err.code, ERR_PROTOCOL);
    jsonmeta_read_head(&meta, head, (size_t)(strstr(head, ",\"resourceVersion") - head));
    assert_int_equal(store_put_long(s, &meta, &err), -1);
    assert_int_equal(err.code, ERR_PROTOCOL);
    store_free(s);
}

/* The tree of a megabyte may take some hundred. */
static void test_an_object_of_too_many_parts(void **state)
{
    enum { MANY = 60 * 1000, FEW = 10 * 1000 };
    struct store *s = store_new(NULL, NULL);
    (void)state;
    for (int count = FEW; count <= MANY; count += MANY - FEW) {
        struct buf text;
        struct err err;
        buf_init(&text, 4 * 1024 * 1024);
        buf_puts(&text,
                 "{\"metadata\":{\"name\":\"n\",\"uid\":\"u\"},\"spec\":{\"policyName\":\"p\",\"list\":[");
        for (int i = 0; i < count; i++)
            buf_puts(&text, i > 0 ? ",{}" : "{}");
        buf_puts(&text, "]},\"status\":{\"x\":1}}");
        assert_int_equal(store_put(s, text.data, text.len, NULL, &err), 0);
        const struct store_object *o = store_get(s, "n");
        assert_int_equal(o->left_out, count == FEW ? STORE_WHOLE : STORE_TOO_MANY_PARTS);
        assert_true(o->tree_bytes < STORE_TREE_CAP_BYTES);
        buf_deinit(&text);
    }
    /* what a binding is about is known all the same */
    assert_text(store_get(s, "n"), "{\"metadata\":{\"name\":\"n\",\"uid\":\"u\"},\"spec\":{\"policyName\":"
                                   "\"p\"},\"status\":{\"x\":1}}");
    store_free(s);
}

/* What Go's JSON writes as six bytes is kept as one, in strings of any length; other escapes stay. */
static void test_escapes_of_go(void **state)
{
    enum { MANY = 3000 };
    static const char *const pairs[][2] = {
        {"\\u003c", "<"},           {"\\u003e", ">"},        {"\\u0026", "&"}, {"\\u003d", "\\u003d"},
        {"\\\\u003c", "\\\\u003c"}, {"\\\"", "\\\""},        {"a", "a"},       {"\\n", "\\n"},
        {"\\u0001", "\\u0001"},     {"\\\\\\u003c", "\\\\<"}};
    struct store *s = store_new(NULL, NULL);
    struct buf text, wanted;
    struct err err;
    uint64_t random = 1;
    (void)state;
    buf_init(&text, 1024 * 1024);
    buf_init(&wanted, 1024 * 1024);
    buf_puts(&text, "{\"metadata\":{\"name\":\"n\\u003c\"},\"spec\":\"");
    buf_puts(&wanted, "{\"metadata\":{\"name\":\"n<\"},\"spec\":\"");
    for (int i = 0; i < MANY; i++) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        const char *const *pair = pairs[(random >> 33) % (sizeof pairs / sizeof *pairs)];
        buf_puts(&text, pair[0]);
        buf_puts(&wanted, pair[1]);
    }
    for (int i = 0; i < 2 * MANY; i++) {
        buf_puts(&text, "\\u003c");
        buf_puts(&wanted, "<");
    }
    buf_puts(&text, "\"}");
    buf_puts(&wanted, "\"}");
    assert_int_equal(store_put(s, text.data, text.len, NULL, &err), 0);
    assert_text(store_get(s, "n<"), wanted.data);
    buf_deinit(&text);
    buf_deinit(&wanted);
    store_free(s);
}

/* Nobody reads so many. */
static void test_labels_without_an_end(void **state)
{
    enum { MANY = 90 * 1000 };
    struct store *s = store_new(NULL, NULL);
    struct buf text;
    struct err err;
    (void)state;
    buf_init(&text, 4 * 1024 * 1024);
    buf_puts(&text, "{\"metadata\":{\"annotations\":{\"a\":\"b\"},\"labels\":{");
    for (int i = 0; i < MANY; i++)
        buf_printf(&text, "%s\"l%d\":\"\"", i > 0 ? "," : "", i);
    buf_puts(&text, "},\"managedFields\":[{\"manager\":\"m\"}],\"name\":\"n\"},\"spec\":1}");
    assert_int_equal(store_put(s, text.data, text.len, NULL, &err), 0);
    assert_int_equal(store_get(s, "n")->left_out, STORE_WHOLE);
    assert_text(store_get(s, "n"), "{\"metadata\":{\"annotations\":{\"a\":\"b\"},\"labels\":{},"
                                   "\"managedFields\":[],\"name\":\"n\"},\"spec\":1}");
    buf_deinit(&text);
    store_free(s);
}

/* A text like the sample takes a small part of its length; a list beside has the same sample. */
static void test_texts_are_deflated(void **state)
{
    static const char sample[] =
        "{\"kind\":\"K\",\"metadata\":{\"name\":\"n\",\"uid\":\"u\"},\"spec\":{\"rules\":[{\"expression\":"
        "\"object.spec.replicas <= 5\",\"message\":\"at most five\"}]}}";
    static const char text[] =
        "{\"kind\":\"K\",\"metadata\":{\"name\":\"of\",\"uid\":\"u\"},\"spec\":{\"rules\":[{\"expression\":"
        "\"object.spec.replicas <= 6\",\"message\":\"at most six\"}]}}";
    struct err err;
    struct json_object *json;
    (void)state;
    struct store *s = store_new(NULL, NULL);
    store_set_sample(s, sample);
    struct store *fresh = store_new_beside(s);
    assert_int_equal(store_put(fresh, text, sizeof text - 1, NULL, &err), 0);
    store_replace(s, fresh);
    assert_text(store_get(s, "of"), text);
    assert_true(store_bytes(s) < sizeof text / 3);
    assert_int_equal(store_parse(store_get(s, "of"), &json, &err), 0);
    json_object_put(json);
    store_free(s);
}

/* Deflating a long text would hold the loop. */
static void test_long_texts_are_kept_as_they_are(void **state)
{
    struct err err;
    struct buf text;
    (void)state;
    struct store *s = store_new(NULL, NULL);
    buf_init(&text, 2 * STORE_PACKED_BYTES);
    buf_puts(&text, "{\"metadata\":{\"name\":\"n\"},\"spec\":\"");
    while (text.len < STORE_PACKED_BYTES)
        buf_putc(&text, 'x');
    buf_puts(&text, "\"}");
    assert_int_equal(store_put(s, text.data, text.len, NULL, &err), 0);
    assert_int_equal(store_bytes(s), text.len);
    assert_text(store_get(s, "n"), text.data);
    buf_deinit(&text);
    store_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_object_that_is_too_long),
        cmocka_unit_test(test_an_object_of_too_many_parts),
        cmocka_unit_test(test_escapes_of_go),
        cmocka_unit_test(test_labels_without_an_end),
        cmocka_unit_test(test_objects_are_kept_as_bytes),
        cmocka_unit_test(test_what_nobody_reads_is_left_out),
        cmocka_unit_test(test_changes),
        cmocka_unit_test(test_replace_reports_every_difference),
        cmocka_unit_test(test_it_grows),
        cmocka_unit_test(test_what_is_no_object),
        cmocka_unit_test(test_mute),
        cmocka_unit_test(test_large_objects_are_left_out_first),
        cmocka_unit_test(test_room_that_is_made),
        cmocka_unit_test(test_the_end_of_the_budget),
        cmocka_unit_test(test_a_list_beside),
        cmocka_unit_test(test_only_the_identity_is_kept),
        cmocka_unit_test(test_texts_are_deflated),
        cmocka_unit_test(test_long_texts_are_kept_as_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
