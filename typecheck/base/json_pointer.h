/*
 * json_pointer: the parts of a path in a JSON document, as the API server's JSON patches have it. Pure.
 *
 * gopkg.in/evanphx/json-patch.v4, patch.go: what stands before the first slash does not count, and an index
 * is what strconv.Atoi takes.
 *
 *     struct str rest = json_pointer_parts(STR("/metadata/labels/a~1b")), part;
 *     while (json_pointer_next(a, &rest, &part))
 *         ... metadata, labels, a/b ...
 */
#ifndef TYPECHECK_BASE_JSON_POINTER_H
#define TYPECHECK_BASE_JSON_POINTER_H

#include <stdbool.h>

#include "typecheck/base/str.h"

/* What is behind the first slash, which the path has. */
struct str json_pointer_parts(struct str path);

/* The next part, "~1" and "~0" decoded; *rest becomes what follows it. False after the last. */
bool json_pointer_next(struct arena *a, struct str *rest, struct str *part);

/* Whether the part may be a list's index: "-" is none. */
bool json_pointer_is_index(struct str part);

#endif
