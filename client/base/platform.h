/*
 * platform: the calls that differ between Linux and macOS. No other file of the client asks which system it
 * is for.
 *
 *     int fd = platform_socket(AF_INET, SOCK_STREAM, 0);
 */
#ifndef CLIENT_BASE_PLATFORM_H
#define CLIENT_BASE_PLATFORM_H

#include <stdint.h>

/* A socket that does not block, and that no program which we start inherits. -1: as errno says. */
int platform_socket(int family, int type, int protocol);

/* Makes a TCP connection fail when the peer has not answered for so long. (macOS counts in seconds.) */
void platform_limit_silence(int fd, unsigned timeout_ms);

/* An empty file without a name, which no program inherits; `name` is for debuggers. -1: as errno says. */
int platform_unnamed_file(const char *name);

/* A clock that goes on while the machine sleeps. */
uint64_t platform_boottime_ms(void);

#endif
