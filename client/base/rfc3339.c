#include "client/base/rfc3339.h"

#include <time.h>

enum { US_PER_S = 1000000 };

/* Writes the last `digits` decimal digits of the number, and then the character. Returns the place after
 * both. */
static char *put(char *at, int number, int digits, char behind)
{
    for (int i = digits; i-- > 0; number /= 10)
        at[i] = (char)('0' + number % 10);
    at[digits] = behind;
    return at + digits + 1;
}

/* strftime and printf are not used, because each line of the log and each status has a time. */
void rfc3339_format(char out[RFC3339_BYTES], int64_t unix_us, enum rfc3339_fraction fraction)
{
    enum { FIRST_YEAR = 1900, MICROSECOND_DIGITS = 6 };
    const time_t seconds = (time_t)(unix_us / US_PER_S);
    struct tm tm;
    gmtime_r(&seconds, &tm);
    char *at = put(out, tm.tm_year + FIRST_YEAR, 4, '-');
    at = put(at, tm.tm_mon + 1, 2, '-');
    at = put(at, tm.tm_mday, 2, 'T');
    at = put(at, tm.tm_hour, 2, ':');
    at = put(at, tm.tm_min, 2, ':');
    at = put(at, tm.tm_sec, 2, fraction ? '.' : 'Z');
    if (fraction) {
        (void)put(at, (int)(unix_us % US_PER_S), MICROSECOND_DIGITS, 'Z');
        at += fraction; /* its value is the number of digits that stay */
        *at++ = 'Z';
    }
    *at = '\0';
}

void rfc3339_now(char out[RFC3339_BYTES], enum rfc3339_fraction fraction)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    rfc3339_format(out, (int64_t)now.tv_sec * US_PER_S + now.tv_nsec / 1000, fraction);
}
