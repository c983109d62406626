/*
 * warp: a library to preload (LD_PRELOAD), under which a program's time runs faster, its wall clock
 * jumps, and its names resolve as the test says. So the program is tested with its own constants,
 * unchanged, in a fraction of their time.
 *
 *   WARP_FACTOR   how many seconds of the program's one real second is (default 1)
 *   WARP_CONTROL  a file of two 64-bit numbers, mapped: milliseconds that are added to the wall
 *                 clock; not 0: no name resolves
 *
 * Clocks, the event loop's waits and TCP's keepalive are warped; of names, those that end in .test
 * are the loopback. CPU clocks stay. A program's children are not warped.
 */
#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

struct control {
    _Atomic int64_t wall_offset_ms;
    _Atomic int64_t has_no_names;
};

static int64_t factor = 1;
static struct control nothing;
static struct control *control = &nothing;
static int64_t began_ns[CLOCK_BOOTTIME + 1];

static int64_t real_ns(clockid_t clock)
{
    struct timespec now;
    syscall(SYS_clock_gettime, clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

__attribute__((constructor)) static void start(void)
{
    const char *number = getenv("WARP_FACTOR");
    const char *path = getenv("WARP_CONTROL");
    if (number)
        factor = strtol(number, NULL, 10);
    for (clockid_t clock = 0; clock <= CLOCK_BOOTTIME; clock++)
        began_ns[clock] = real_ns(clock);
    const int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (fd >= 0) {
        control = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        close(fd);
    }
    unsetenv("LD_PRELOAD");
}

static int64_t warped_ns(clockid_t clock)
{
    const int64_t now_ns = real_ns(clock);
    if (clock < 0 || clock > CLOCK_BOOTTIME || clock == CLOCK_PROCESS_CPUTIME_ID ||
        clock == CLOCK_THREAD_CPUTIME_ID)
        return now_ns;
    const int64_t ns = began_ns[clock] + (now_ns - began_ns[clock]) * factor;
    const bool is_wall = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
    return is_wall ? ns + atomic_load(&control->wall_offset_ms) * 1000000 : ns;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    const int64_t ns = warped_ns(clock);
    now->tv_sec = (time_t)(ns / 1000000000);
    now->tv_nsec = (long)(ns % 1000000000);
    return 0;
}

time_t time(time_t *out)
{
    const time_t now = (time_t)(warped_ns(CLOCK_REALTIME) / 1000000000);
    if (out)
        *out = now;
    return now;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    const int64_t ns = warped_ns(CLOCK_REALTIME);
    (void)zone;
    now->tv_sec = (time_t)(ns / 1000000000);
    now->tv_usec = (suseconds_t)(ns % 1000000000 / 1000);
    return 0;
}

/* Rounded up: a wait that ends too early would be spinning. */
int epoll_pwait(int fd, struct epoll_event *events, int max, int timeout_ms, const sigset_t *mask)
{
    const int real_ms = timeout_ms > 0 ? (int)((timeout_ms + factor - 1) / factor) : timeout_ms;
    return (int)syscall(SYS_epoll_pwait, fd, events, max, real_ms, mask, _NSIG / 8);
}

int epoll_wait(int fd, struct epoll_event *events, int max, int timeout_ms)
{
    return epoll_pwait(fd, events, max, timeout_ms, NULL);
}

static bool is_time(int name)
{
    return name == TCP_KEEPIDLE || name == TCP_KEEPINTVL || name == TCP_USER_TIMEOUT;
}

int setsockopt(int fd, int level, int name, const void *value, socklen_t len)
{
    int number;
    if (level == IPPROTO_TCP && is_time(name) && len == sizeof number) {
        memcpy(&number, value, sizeof number);
        number = (int)((number + factor - 1) / factor);
        value = &number;
    }
    return (int)syscall(SYS_setsockopt, fd, level, name, value, len);
}

int getaddrinfo(const char *restrict name, const char *restrict service,
                const struct addrinfo *restrict hints, struct addrinfo **restrict out)
{
    int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **) = NULL;
    void *found = dlsym(RTLD_NEXT, "getaddrinfo");
    const size_t len = name ? strlen(name) : 0;
    memcpy(&real, &found, sizeof real);
    if (atomic_load(&control->has_no_names))
        return EAI_AGAIN;
    const bool is_ours = len > 5 && strcmp(name + len - 5, ".test") == 0;
    return real(is_ours ? "127.0.0.1" : name, service, hints, out);
}
