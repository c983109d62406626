#include "client/base/platform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static void test_a_socket_is_ours_and_does_not_block(void **state)
{
    (void)state;
    unsigned silence_ms = 0;
    socklen_t len = sizeof silence_ms;
    const int fd = platform_socket(AF_INET, SOCK_STREAM, 0);
    assert_true(fd >= 0);
    assert_true((fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
    assert_true((fcntl(fd, F_GETFL) & O_NONBLOCK) != 0);
    platform_limit_silence(fd, 45000);
    assert_int_equal(getsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &silence_ms, &len), 0);
    assert_int_equal(silence_ms, 45000);
    close(fd);
    assert_int_equal(platform_socket(-1, SOCK_STREAM, 0), -1);
}

static void test_a_file_without_a_name(void **state)
{
    (void)state;
    struct stat about;
    char text[8] = "";
    const int fd = platform_unnamed_file("output");
    assert_true(fd >= 0);
    assert_true((fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
    assert_int_equal(write(fd, "abc", 3), 3);
    assert_int_equal(pread(fd, text, sizeof text, 0), 3);
    assert_string_equal(text, "abc");
    assert_int_equal(fstat(fd, &about), 0);
    assert_int_equal(about.st_nlink, 0);
    close(fd);
}

static void test_the_clock_that_counts_sleep(void **state)
{
    (void)state;
    struct timespec awake;
    const uint64_t first_ms = platform_boottime_ms();
    clock_gettime(CLOCK_MONOTONIC, &awake);
    assert_true(platform_boottime_ms() >= first_ms);
    assert_true(platform_boottime_ms() >= (uint64_t)awake.tv_sec * 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_socket_is_ours_and_does_not_block),
        cmocka_unit_test(test_a_file_without_a_name),
        cmocka_unit_test(test_the_clock_that_counts_sleep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
