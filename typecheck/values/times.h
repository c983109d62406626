/*
 * times: durations and timestamps, as Go's time package and cel-go treat them.
 */
#ifndef TYPECHECK_VALUES_TIMES_H
#define TYPECHECK_VALUES_TIMES_H

#include "typecheck/values/function.h"
#include "typecheck/values/value.h"

/* "5400s"; "2023-01-01T00:00:00.5+01:00" in the zone where it is shown. */
struct str times_duration_text(struct arena *a, int64_t nanoseconds);
struct str times_timestamp_text(struct arena *a, const struct value *timestamp);

/* Seconds since 1970 are in the range that timestamps have, else an error. */
const struct value *times_of_seconds(struct arena *a, int64_t seconds);
/* The value of a duration's or a timestamp's text; NULL: it is none. */
const struct value *times_read_duration(struct arena *a, struct str text);
const struct value *times_read_timestamp(struct arena *a, struct str text);

/* A timestamp and a duration; two timestamps. */
const struct value *times_add(struct arena *a, const struct value *timestamp, int64_t nanoseconds);
const struct value *times_subtract(struct arena *a, const struct value *timestamp, int64_t nanoseconds);
const struct value *times_between(struct arena *a, const struct value *later, const struct value *earlier);

/* timestamp.getHours(zone), duration.getHours() and so on. */
const struct value *times_get(const struct invocation *c);

#endif
