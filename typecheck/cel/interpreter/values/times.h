/*
 * times: durations and timestamps, as in Go's time package and cel-go.
 */
#ifndef TYPECHECK_CEL_INTERPRETER_VALUES_TIMES_H
#define TYPECHECK_CEL_INTERPRETER_VALUES_TIMES_H

#include "typecheck/cel/interpreter/values/function.h"
#include "typecheck/cel/interpreter/values/value.h"

/* The text of a duration, "5400s"; of a timestamp, "2023-01-01T00:00:00.5+01:00", in its own zone. */
struct str times_duration_text(struct arena *a, int64_t nanoseconds);
struct str times_timestamp_text(struct arena *a, const struct value *timestamp);

/* A timestamp of seconds since 1970, or the error that it is out of range. */
const struct value *times_of_seconds(struct arena *a, int64_t seconds);
/* The value of a text that is a duration, or a timestamp; NULL if it is not. */
const struct value *times_read_duration(struct arena *a, struct str text);
const struct value *times_read_timestamp(struct arena *a, struct str text);
/* Returns true if a text is a time, but none of the years 1 to 9999 UTC. */
bool times_is_out_of_range(struct arena *a, struct str text);

/* The sum of a timestamp and a duration; the difference of two timestamps. */
const struct value *times_add(struct arena *a, const struct value *timestamp, int64_t nanoseconds);
const struct value *times_subtract(struct arena *a, const struct value *timestamp, int64_t nanoseconds);
const struct value *times_between(struct arena *a, const struct value *later, const struct value *earlier);

/* timestamp.getHours(zone), duration.getHours() and so on. */
const struct value *times_get(const struct invocation *c);
/* The same by the zones of features.def before has_newer_zones. */
const struct value *times_get_by_older_zones(const struct invocation *c);

#endif
