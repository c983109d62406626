/*
 * timestamp: reads the RFC 3339 texts and ranges that CEL's timestamp() takes.
 *
 * It reads text as Go's time.Parse does, which accepts more than RFC 3339. CEL
 * allows the years 1 to 9999 UTC.
 */
#ifndef TYPECHECK_GOLANG_TIMESTAMP_H
#define TYPECHECK_GOLANG_TIMESTAMP_H

#include <stdbool.h>
#include <stdint.h>

#include "typecheck/base/str.h"

struct timestamp {
    int64_t seconds; /* since 1970-01-01T00:00:00Z */
    int32_t nanoseconds, offset_seconds;
};

/* Reads a time as RFC 3339 has it. A time that is not in CEL's range gives false, with its seconds in
 * `out`. Other texts change no seconds. */
bool timestamp_read(struct str text, struct timestamp *out);
bool timestamp_valid(struct str text);

/* Days from 1970-01-01 in the Gregorian calendar. */
int64_t timestamp_days(int year, int month, int day);

/* Returns true if a time, in seconds since 1970-01-01T00:00:00Z, is in CEL's range. */
bool timestamp_in_range(int64_t unix_seconds);

#endif
