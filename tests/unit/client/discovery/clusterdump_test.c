#include "client/discovery/clusterdump.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/base/file.h"
#include "client/base/mem.h"
#include "tests/unit/client/tempdir.h"

/* A bundle has them as they are. */
#define INDEX "{\"paths\":{}}"
#define DOCUMENT                                                                                             \
    "{\"openapi\":\"3.0.0\",\"info\":{\"title\":\"b\\nc\"},\"paths\":{},\"components\":{\"schemas\":{}}}"

static void write_all(const char *directory, bool is_reversed)
{
    static const char *const documents[][2] = {
        {"/version", "{\"major\":\"1\"}"}, {"/openapi/v3", INDEX}, {"/openapi/v3/apis/apps/v1", DOCUMENT}};
    struct err err;
    assert_int_equal(clusterdump_make(directory, &err), 0);
    for (size_t i = 0; i < 3; i++) {
        const char *const *d = documents[is_reversed ? 2 - i : i];
        if (clusterdump_write(directory, d[0], d[1], strlen(d[1]), &err) != 0)
            fail_msg("%s", err.msg);
    }
}

/* The bundle of such a directory, as it is made for the programs. */
static char *make_bundle(const char *name, bool is_reversed)
{
    cleanup_mem char *directory = tempdir_path(name);
    char *path = mem_printf("%s.gz", directory);
    cleanup_mem char *command = mem_printf("manifests/schemas/bundle %s %s", directory, path);
    write_all(directory, is_reversed);
    assert_int_equal(system(command), 0);
    return path;
}

static void check_all(const char *path)
{
    struct clusterdump *s;
    struct err err;
    const char *bytes;
    const char *again;
    size_t len;
    if (clusterdump_open(path, &s, &err) != 0)
        fail_msg("%s", err.msg);
    assert_int_equal(clusterdump_get(s, "/openapi/v3/apis/apps/v1", &bytes, &len, &err), 0);
    assert_int_equal(len, strlen(DOCUMENT));
    assert_string_equal(bytes, DOCUMENT);
    assert_int_equal(clusterdump_get(s, "/version", &again, &len, &err), 0);
    assert_int_equal(clusterdump_get(s, "/openapi/v3/apis/apps/v1", &again, &len, &err), 0);
    assert_ptr_equal(bytes, again);
    assert_int_equal(clusterdump_get(s, "/apis", &bytes, &len, &err), -1);
    assert_int_equal(err.code, ERR_NOT_FOUND);
    assert_int_equal(clusterdump_get(s, "/openapi/v3", &bytes, &len, &err), 0);
    assert_string_equal(bytes, INDEX);
    clusterdump_free(s);
}

static void test_a_directory(void **state)
{
    (void)state;
    cleanup_mem char *path = tempdir_path("new/dump");
    write_all(path, false);
    check_all(path);
}

static void test_a_bundle(void **state)
{
    (void)state;
    cleanup_mem char *path = make_bundle("bundle", false);
    check_all(path);
}

static void test_equal_content_gives_equal_bytes(void **state)
{
    (void)state;
    cleanup_mem char *a = make_bundle("a", false);
    cleanup_mem char *b = make_bundle("b", true);
    cleanup_mem char *bytes_a = NULL;
    cleanup_mem char *bytes_b = NULL;
    size_t len_a;
    size_t len_b;
    struct err err;
    assert_int_equal(file_read(a, 1 << 20, &bytes_a, &len_a, &err), 0);
    assert_int_equal(file_read(b, 1 << 20, &bytes_b, &len_b, &err), 0);
    assert_int_equal(len_a, len_b);
    assert_memory_equal(bytes_a, bytes_b, len_a);
}

/* The error of a document that is not there: all of the bundle is read for it. */
static enum err_code find_nothing(const char *bundle, size_t len)
{
    struct clusterdump *s;
    struct err err;
    const char *bytes;
    size_t n;
    if (clusterdump_open_bytes(bundle, len, &s, &err) != 0)
        return err.code;
    assert_int_equal(clusterdump_get(s, "/none", &bytes, &n, &err), -1);
    const enum err_code code = err.code;
    assert_int_equal(clusterdump_get(s, "/none", &bytes, &n, &err), -1);
    assert_int_equal(err.code, code);
    clusterdump_free(s);
    return code;
}

static void test_a_damaged_bundle(void **state)
{
    (void)state;
    cleanup_mem char *path = make_bundle("c", false);
    cleanup_mem char *bytes = NULL;
    size_t len;
    struct err err;
    struct clusterdump *s;
    assert_int_equal(file_read(path, 1 << 20, &bytes, &len, &err), 0);
    for (size_t n = 0; n < len; n++)
        assert_int_equal(find_nothing(bytes, n), ERR_INVALID);
    assert_int_equal(find_nothing(bytes, len), ERR_NOT_FOUND);
    for (size_t i = 10; i < len; i++) { /* behind gzip's head, of which nobody reads the time */
        bytes[i] = (char)(bytes[i] ^ 1);
        assert_int_equal(find_nothing(bytes, len), ERR_INVALID);
        bytes[i] = (char)(bytes[i] ^ 1);
    }
    assert_int_equal(clusterdump_open_bytes(bytes, len, &s, &err), 0);
    clusterdump_free(s);
    assert_int_equal(clusterdump_open_bytes("plain text", 10, &s, &err), -1);
    assert_int_equal(err.code, ERR_INVALID);
}

static void test_paths_stay_inside(void **state)
{
    (void)state;
    static const char *const bad[] = {"",    "/",    "version", "/../x", "/a/../b", "/a//b",
                                      "/a/", "/a b", "/a?b",    "/.",    "/a/.",    "/a\n"};
    cleanup_mem char *path = tempdir_path("d");
    struct clusterdump *s;
    struct err err;
    const char *bytes;
    size_t len;
    assert_int_equal(clusterdump_make(path, &err), 0);
    assert_int_equal(clusterdump_open(path, &s, &err), 0);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(clusterdump_write(path, bad[i], "{}", 2, &err), -1);
        assert_int_equal(err.code, ERR_INVALID);
        assert_int_equal(clusterdump_get(s, bad[i], &bytes, &len, &err), -1);
        assert_int_equal(err.code, ERR_NOT_FOUND);
    }
    assert_int_equal(clusterdump_write(path, "/openapi/v3/.well-known/x", "{}", 2, &err), 0);
    clusterdump_free(s);
}

static int write_one(const char *path, struct err *err)
{
    return clusterdump_make(path, err) == 0
               ? clusterdump_write(path, "/openapi/v3/apis/apps/v1", "{}", 2, err)
               : -1;
}

/* Whoever may put a link into the directory does not decide what is written elsewhere. */
static void test_links_are_not_followed(void **state)
{
    (void)state;
    static const struct {
        const char *link, *target;
    } rows[] = {{"openapi", "outside"},
                {"openapi/v3", "../outside"},
                {"openapi/v3/apis/apps", "nowhere"},
                {"openapi/v3/apis/apps/v1.json", "victim"},
                {"openapi/v3/apis/apps/v1.json.partial", "victim"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct err err = {0};
        cleanup_mem char *name = mem_printf("links%zu", i), *root = tempdir_path(name);
        cleanup_mem char *link = mem_printf("%s/%s", root, rows[i].link), *folder = file_directory(link);
        cleanup_mem char *make = mem_printf("mkdir -p %s %s/outside && : > %s/victim", folder, root, folder);
        assert_int_equal(system(make), 0);
        assert_int_equal(symlink(rows[i].target, link), 0);
        const bool is_partial = strstr(link, ".partial") != NULL;
        assert_int_equal(write_one(root, &err), is_partial ? 0 : -1);
        if (!is_partial) {
            assert_int_equal(err.code, ERR_INVALID);
            assert_non_null(strstr(err.msg, "a symbolic link"));
            assert_non_null(strstr(err.msg, rows[i].link));
        }
        cleanup_mem char *untouched = mem_printf("test ! -s %s/victim && rmdir %s/outside", folder, root);
        assert_int_equal(system(untouched), 0);
    }
}

/* DIR itself is what the user named: it may be a link. */
static void test_a_link_to_the_directory(void **state)
{
    (void)state;
    struct err err = {0};
    cleanup_mem char *real = tempdir_path("real"), *link = tempdir_path("to-real");
    cleanup_mem char *document = mem_printf("%s/openapi/v3/apis/apps/v1.json", real);
    assert_int_equal(mkdir(real, 0700), 0);
    assert_int_equal(symlink("real", link), 0);
    assert_int_equal(write_one(link, &err), 0);
    assert_true(file_exists(document));
}

static void test_nothing_there(void **state)
{
    (void)state;
    struct clusterdump *s;
    struct err err;
    assert_int_equal(clusterdump_open("/nonexistent/x", &s, &err), -1);
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
        cmocka_unit_test(test_links_are_not_followed),
        cmocka_unit_test(test_a_link_to_the_directory),
        cmocka_unit_test(test_nothing_there),
    };
    return cmocka_run_group_tests(tests, tempdir_make, tempdir_remove);
}
