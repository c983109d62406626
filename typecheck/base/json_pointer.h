/*
 * json_pointer: reads the parts of a path in a JSON document, as the API server's JSON patches do. Pure.
 *
 * gopkg.in/evanphx/json-patch.v4, patch.go: text before the first slash is ignored, and an index is a text
 * that strconv.Atoi takes.
 *
 *     struct str rest = json_pointer_parts(STR("/metadata/labels/a~1b")), part;
 *     while (json_pointer_next(a, &rest, &part))
 *         ... metadata, labels, a/b ...
 */
#ifndef TYPECHECK_BASE_JSON_POINTER_H
#define TYPECHECK_BASE_JSON_POINTER_H

#include <stdbool.h>

#include "typecheck/base/str.h"

/* The part of the path after its first slash, which it must have. */
struct str json_pointer_parts(struct str path);

/* The next part, "~1" and "~0" decoded; *rest becomes what follows it. False after the last. */
bool json_pointer_next(struct arena *a, struct str *rest, struct str *part);

/* Returns true if the part may be a list's index. "-" is not an index. */
bool json_pointer_is_index(struct str part);

#endif
