#include "controller/observe/process.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static void test_usage(void **state)
{
    (void)state;
    struct process_usage before, after;
    const size_t len = 64 * 1024 * 1024;
    process_read(&before);
    char *memory = malloc(len);
    assert_non_null(memory);
    memset(memory, 1, len);
    int fd = open("/dev/null", O_RDONLY);
    process_read(&after);
    close(fd);
    assert_true(after.resident_bytes - before.resident_bytes > (double)len * 0.9);
    assert_true(after.virtual_bytes - before.virtual_bytes > (double)len * 0.9);
    assert_int_equal(memory[len - 1], 1);
    free(memory);
    assert_true(after.open_fds == before.open_fds + 1);
    assert_true(before.open_fds >= 3);
    assert_true(after.start_time_seconds == before.start_time_seconds);
    double age = (double)time(NULL) - before.start_time_seconds;
    assert_true(age > -2 && age < 60);
}

static void test_cpu_time_grows(void **state)
{
    (void)state;
    struct process_usage usage;
    for (process_read(&usage); usage.cpu_seconds < 0.05;)
        process_read(&usage);
    assert_true(usage.cpu_seconds < 60);
}

static void test_limits(void **state)
{
    (void)state;
    struct process_usage usage;
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = 123;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    process_read(&usage);
    assert_true(usage.max_fds == 123);
    assert_int_equal(getrlimit(RLIMIT_AS, &limit), 0);
    assert_true(usage.virtual_max_bytes == (limit.rlim_cur == RLIM_INFINITY ? -1.0 : (double)limit.rlim_cur));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_usage),
        cmocka_unit_test(test_cpu_time_grows),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
