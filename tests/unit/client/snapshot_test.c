#include "client/snapshot.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/file.h"
#include "client/mem.h"
#include "tests/unit/client/tempdir.h"

static void write_all(const char *path, enum snapshot_form form, bool is_reversed)
{
    static const char *const documents[][2] = {{"/version", "{\"major\":\"1\"}"},
                                               {"/openapi/v3", "{}"},
                                               {"/openapi/v3/apis/apps/v1", "{\"a\":\"b\\nc\"}"}};
    struct snapshot_writer *w;
    struct err err;
    assert_int_equal(snapshot_writer_open(path, form, &w, &err), 0);
    for (size_t i = 0; i < 3; i++) {
        const char *const *d = documents[is_reversed ? 2 - i : i];
        if (snapshot_writer_add(w, d[0], d[1], strlen(d[1]), &err) != 0)
            fail_msg("%s", err.msg);
    }
    assert_int_equal(snapshot_writer_finish(w, &err), 0);
}

static void check_all(const char *path)
{
    struct snapshot *s;
    struct err err;
    const char *bytes;
    const char *again;
    size_t len;
    if (snapshot_open(path, &s, &err) != 0)
        fail_msg("%s", err.msg);
    assert_int_equal(snapshot_get(s, "/openapi/v3/apis/apps/v1", &bytes, &len, &err), 0);
    assert_int_equal(len, 12);
    assert_string_equal(bytes, "{\"a\":\"b\\nc\"}");
    assert_int_equal(snapshot_get(s, "/version", &again, &len, &err), 0);
    assert_int_equal(snapshot_get(s, "/openapi/v3/apis/apps/v1", &again, &len, &err), 0);
    assert_ptr_equal(bytes, again);
    assert_int_equal(snapshot_get(s, "/apis", &bytes, &len, &err), -1);
    assert_int_equal(err.code, ERR_NOT_FOUND);
    assert_int_equal(snapshot_get(s, "/openapi/v3", &bytes, &len, &err), 0);
    assert_string_equal(bytes, "{}");
    snapshot_free(s);
}

static void test_a_directory(void **state)
{
    (void)state;
    cleanup_mem char *path = tempdir_path("new/dump");
    write_all(path, SNAPSHOT_DIRECTORY, false);
    check_all(path);
}

static void test_a_bundle(void **state)
{
    (void)state;
    cleanup_mem char *path = tempdir_path("bundle.gz");
    write_all(path, SNAPSHOT_BUNDLE, false);
    check_all(path);
}

static void test_equal_content_gives_equal_bytes(void **state)
{
    (void)state;
    cleanup_mem char *a = tempdir_path("a.gz");
    cleanup_mem char *b = tempdir_path("b.gz");
    cleanup_mem char *bytes_a = NULL;
    cleanup_mem char *bytes_b = NULL;
    size_t len_a;
    size_t len_b;
    struct err err;
    write_all(a, SNAPSHOT_BUNDLE, false);
    write_all(b, SNAPSHOT_BUNDLE, true);
    assert_int_equal(file_read(a, 1 << 20, &bytes_a, &len_a, &err), 0);
    assert_int_equal(file_read(b, 1 << 20, &bytes_b, &len_b, &err), 0);
    assert_int_equal(len_a, len_b);
    assert_memory_equal(bytes_a, bytes_b, len_a);
}

static void test_a_damaged_bundle(void **state)
{
    (void)state;
    cleanup_mem char *path = tempdir_path("c.gz");
    cleanup_mem char *bytes = NULL;
    size_t len;
    struct err err;
    struct snapshot *s;
    write_all(path, SNAPSHOT_BUNDLE, false);
    assert_int_equal(file_read(path, 1 << 20, &bytes, &len, &err), 0);
    for (size_t n = 0; n < len; n++) {
        assert_int_equal(snapshot_open_bytes(bytes, n, &s, &err), -1);
        assert_null(s);
    }
    assert_int_equal(snapshot_open_bytes(bytes, len, &s, &err), 0);
    snapshot_free(s);
    assert_int_equal(snapshot_open_bytes("plain text", 10, &s, &err), -1);
    assert_int_equal(err.code, ERR_INVALID);
}

static void test_paths_stay_inside(void **state)
{
    (void)state;
    static const char *const bad[] = {"",    "/",    "version", "/../x", "/a/../b", "/a//b",
                                      "/a/", "/a b", "/a?b",    "/.",    "/a/.",    "/a\n"};
    cleanup_mem char *path = tempdir_path("d");
    struct snapshot_writer *w;
    struct snapshot *s;
    struct err err;
    const char *bytes;
    size_t len;
    assert_int_equal(snapshot_writer_open(path, SNAPSHOT_DIRECTORY, &w, &err), 0);
    assert_int_equal(snapshot_open(path, &s, &err), 0);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(snapshot_writer_add(w, bad[i], "{}", 2, &err), -1);
        assert_int_equal(err.code, ERR_INVALID);
        assert_int_equal(snapshot_get(s, bad[i], &bytes, &len, &err), -1);
        assert_int_equal(err.code, ERR_NOT_FOUND);
    }
    assert_int_equal(snapshot_writer_add(w, "/openapi/v3/.well-known/x", "{}", 2, &err), 0);
    snapshot_writer_abandon(w);
    snapshot_free(s);
}

static void test_nothing_there(void **state)
{
    (void)state;
    struct snapshot *s;
    struct err err;
    assert_int_equal(snapshot_open("/nonexistent/x", &s, &err), -1);
    assert_int_equal(err.code, ERR_NOT_FOUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_directory),
        cmocka_unit_test(test_a_bundle),
        cmocka_unit_test(test_equal_content_gives_equal_bytes),
        cmocka_unit_test(test_a_damaged_bundle),
        cmocka_unit_test(test_paths_stay_inside),
        cmocka_unit_test(test_nothing_there),
    };
    return cmocka_run_group_tests(tests, tempdir_make, tempdir_remove);
}
