#include "client/base/platform.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static uint64_t read_clock_ms(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

#ifdef __APPLE__

/* If the thread that calls this is the only one that starts programs, none starts between the two calls and
 * inherits the socket. */
int platform_socket(int family, int type, int protocol)
{
    const int fd = socket(family, type, protocol);
    if (fd >= 0) {
        (void)fcntl(fd, F_SETFD, FD_CLOEXEC);
        (void)fcntl(fd, F_SETFL, O_NONBLOCK);
    }
    return fd;
}

void platform_limit_silence(int fd, unsigned timeout_ms)
{
    const unsigned timeout_s = (timeout_ms + 999) / 1000;
    (void)setsockopt(fd, IPPROTO_TCP, TCP_RXT_CONNDROPTIME, &timeout_s, sizeof timeout_s);
}

int platform_unnamed_file(const char *name)
{
    char path[] = "/tmp/vapcheck-XXXXXX";
    (void)name;
    const int fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        (void)unlink(path);
    return fd;
}

uint64_t platform_boottime_ms(void)
{
    return read_clock_ms(CLOCK_MONOTONIC); /* on macOS this clock goes on while the machine sleeps */
}

#else

int platform_socket(int family, int type, int protocol)
{
    return socket(family, type | SOCK_NONBLOCK | SOCK_CLOEXEC, protocol);
}

void platform_limit_silence(int fd, unsigned timeout_ms)
{
    (void)setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &timeout_ms, sizeof timeout_ms);
}

int platform_unnamed_file(const char *name)
{
    return memfd_create(name, MFD_CLOEXEC);
}

uint64_t platform_boottime_ms(void)
{
    return read_clock_ms(CLOCK_BOOTTIME);
}

#endif
