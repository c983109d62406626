/*
 * zones: the time zones of the tz database, whose names getHours() and the like take. Pure.
 *
 * The API server asks Go's time.LoadLocation, which finds the database of its image, or the one that is part
 * of its program. Here it is a table (zones.def) of what two releases of Go contain, so that answers do not
 * depend on the machine. Both databases have the same names.
 */
#ifndef TYPECHECK_GOLANG_ZONES_H
#define TYPECHECK_GOLANG_ZONES_H

#include <stdbool.h>
#include <stdint.h>

#include "typecheck/base/str.h"

struct zone;

enum zones_database { ZONES_OLDER, ZONES_NEWER };

/* Returns NULL if the database has no zone of that name. */
const struct zone *zones_find(struct str name, enum zones_database database);

/* Returns true if a server says for certain that it has no such zone. False for other files that lie beside
 * the database, such as "zone.tab", for its folders, and for other spellings of a path. */
bool zones_is_unknown(struct str name);

/* Returns how many seconds east of UTC the zone is at a time: seconds since 1970-01-01T00:00:00Z, of the
 * years 1 to 9999. */
int32_t zones_offset(const struct zone *zone, int64_t seconds);

#endif
