/*
 * tempdir: a directory for the files of one test program, gone when it ends.
 *
 *     cleanup_mem char *path = tempdir_write("kubeconfig", text);
 *     ...
 *     return cmocka_run_group_tests(tests, tempdir_make, tempdir_remove);
 */
#ifndef TESTS_UNIT_CLIENT_TEMPDIR_H
#define TESTS_UNIT_CLIENT_TEMPDIR_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "client/base/mem.h"

static char tempdir[] = "/tmp/vapcheck-test-XXXXXX";

static inline int tempdir_make(void **state)
{
    (void)state;
    return mkdtemp(tempdir) ? 0 : -1;
}

static inline int tempdir_remove(void **state)
{
    (void)state;
    cleanup_mem char *command = mem_printf("rm -r %s", tempdir);
    return system(command);
}

/* Its path; the caller frees it. */
static inline char *tempdir_path(const char *name)
{
    return mem_printf("%s/%s", tempdir, name);
}

/* The file's path; the caller frees it. */
static inline char *tempdir_write(const char *name, const char *text)
{
    char *path = tempdir_path(name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    return path;
}

#endif
