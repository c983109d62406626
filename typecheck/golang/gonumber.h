/*
 * gonumber: numbers as Go's strconv and fmt print and read them.
 */
#ifndef TYPECHECK_GOLANG_GONUMBER_H
#define TYPECHECK_GOLANG_GONUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "typecheck/base/str.h"

struct arena;

/* The text of fmt's %g: the fewest digits that read back as the same number. */
struct str gonumber_double_text(struct arena *a, double value);
/* The text of strconv's 'f' with the fewest digits: never with an exponent. */
struct str gonumber_decimal_text(struct arena *a, double value);

/* strconv.ParseInt(text, 10, 64), ParseUint, ParseFloat(text, 64) and ParseBool: false for what they
 * refuse. */
bool gonumber_read_int(struct str text, int64_t *out);
bool gonumber_read_uint(struct str text, uint64_t *out);
bool gonumber_read_double(struct arena *a, struct str text, double *out);
bool gonumber_read_bool(struct str text, bool *out);

#endif
