#include "client/base/file.h"

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

#include "client/base/mem.h"
#include "tests/unit/client/tempdir.h"

static void test_read(void **state)
{
    (void)state;
    cleanup_mem char *path = tempdir_write("f", "hello");
    cleanup_mem char *bytes = NULL;
    size_t len;
    struct err err;
    assert_true(file_exists(path));
    assert_int_equal(file_read(path, 5, &bytes, &len, &err), 0);
    assert_int_equal(len, 5);
    assert_string_equal(bytes, "hello");
}

static void test_failures(void **state)
{
    (void)state;
    cleanup_mem char *path = tempdir_write("f", "hello");
    char *bytes;
    struct err err;
    assert_int_equal(file_read(path, 4, &bytes, NULL, &err), -1);
    assert_int_equal(err.code, ERR_LIMIT);
    assert_int_equal(file_read("/nonexistent/f", 4, &bytes, NULL, &err), -1);
    assert_int_equal(err.code, ERR_NOT_FOUND);
    assert_non_null(strstr(err.msg, "/nonexistent/f"));
    assert_int_equal(file_read(tempdir, 4, &bytes, NULL, &err), -1);
    assert_int_equal(err.code, ERR_INVALID);
    assert_false(file_exists("/nonexistent/f"));
}

/* What is no file answers at once, whoever holds its other end, and however much it would give. */
static void test_what_is_no_file(void **state)
{
    (void)state;
    enum { LONGEST_S = 5 };
    cleanup_mem char *fifo = tempdir_path("fifo"), *link = tempdir_path("link");
    const char *const paths[] = {fifo, link, "/dev/zero", "/dev/null", "/dev/tty", tempdir};
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_int_equal(symlink(fifo, link), 0);
    alarm(LONGEST_S);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        char *bytes = NULL;
        struct err err = {0};
        assert_int_equal(file_read(paths[i], 100, &bytes, NULL, &err), -1);
        assert_int_equal(err.code, ERR_INVALID);
        assert_non_null(strstr(err.msg, paths[i]));
    }
    alarm(0);
}

static void test_names(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{"/a/b", "/a"}, {"/a", "/"}, {"a", "."}, {"a/b/c", "a/b"}};
    for (size_t i = 0; i < 4; i++) {
        cleanup_mem char *name = file_directory(cases[i][0]);
        assert_string_equal(name, cases[i][1]);
    }
    cleanup_mem char *absolute = file_resolve("/d", "/x/y");
    cleanup_mem char *relative = file_resolve("/d", "x/y");
    assert_string_equal(absolute, "/x/y");
    assert_string_equal(relative, "/d/x/y");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_what_is_no_file),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, tempdir_make, tempdir_remove);
}
