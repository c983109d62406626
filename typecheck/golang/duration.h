/*
 * duration: reads durations as Go's time.ParseDuration does.
 */
#ifndef TYPECHECK_GOLANG_DURATION_H
#define TYPECHECK_GOLANG_DURATION_H

#include <stdbool.h>
#include <stdint.h>

#include "typecheck/base/str.h"

/* Reads "1h30m", "-1.5s", "0": decimal numbers with units. The sum must fit an int64_t of nanoseconds. */
bool duration_read(struct str text, int64_t *nanoseconds);
bool duration_valid(struct str text);

#endif
