/*
 * timestamp: reads the RFC 3339 texts and ranges that CEL's timestamp() takes.
 *
 * Text as Go's time.Parse reads RFC 3339, which is looser than the standard;
 * in the years 1 to 9999 UTC, as CEL demands.
 */
#ifndef TYPECHECK_CHECK_TIMESTAMP_H
#define TYPECHECK_CHECK_TIMESTAMP_H

#include <stdbool.h>
#include <stdint.h>

#include "typecheck/base/str.h"

struct timestamp {
    int64_t seconds; /* since 1970-01-01T00:00:00Z */
    int32_t nanoseconds, offset_seconds;
};

bool timestamp_read(struct str text, struct timestamp *out);
bool timestamp_valid(struct str text);

/* Seconds since 1970-01-01T00:00:00Z. */
bool timestamp_in_range(int64_t unix_seconds);

#endif
