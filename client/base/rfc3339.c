#include "client/base/rfc3339.h"

#include <stdio.h>
#include <time.h>

enum { US_PER_S = 1000000 };

void rfc3339_format(char out[RFC3339_BYTES], int64_t unix_us, enum rfc3339_fraction fraction)
{
    const time_t seconds = (time_t)(unix_us / US_PER_S);
    char digits[16];
    struct tm tm;
    gmtime_r(&seconds, &tm);
    size_t n = strftime(out, RFC3339_BYTES, "%Y-%m-%dT%H:%M:%S", &tm);
    (void)snprintf(digits, sizeof digits, "%06d", (int)(unix_us % US_PER_S));
    (void)snprintf(out + n, RFC3339_BYTES - n, fraction ? ".%.*sZ" : "%.*sZ", (int)fraction, digits);
}

void rfc3339_now(char out[RFC3339_BYTES], enum rfc3339_fraction fraction)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    rfc3339_format(out, (int64_t)now.tv_sec * US_PER_S + now.tv_nsec / 1000, fraction);
}
