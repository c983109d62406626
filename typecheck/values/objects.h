/*
 * objects: what the expressions of mutations make: `Object.spec{replicas: 1}` and `JSONPatch{op: 'add',
 * ...}`.
 *
 * k8s.io/apiserver/pkg/cel/mutation: dynamic/objects.go and jsonpatch.go. An object keeps the values that it
 * was given, and reading a field of it gives what Go writes of them: an object within it is then a map.
 */
#ifndef TYPECHECK_VALUES_OBJECTS_H
#define TYPECHECK_VALUES_OBJECTS_H

#include <stdbool.h>

#include "typecheck/values/value.h"

#define OBJECTS_LACKS                                                                                        \
    "vapcheck does not evaluate a field of an object that is no JSON, or a patch of such fields"

/* Takes the fields, by name. The value or the error; NULL: OBJECTS_LACKS. */
const struct value *objects_make(struct arena *a, struct str type, const struct value_map *fields);

/*
 * A field of what is an object to the type checker. is_presence: whether it is there is asked before.
 * NULL: it is not there. *is_lacking: OBJECTS_LACKS.
 */
const struct value *objects_field(struct arena *a, const struct value *v, struct str name, bool is_presence,
                                  bool *is_lacking);
/* A field of a JSON patch, likewise; without is_presence it is null. */
const struct value *objects_patch_field(struct arena *a, const struct value *v, const struct value *key,
                                        bool is_presence);
/* The field that the patch was given; NULL: none. */
const struct value *objects_patch_given(struct arena *a, const struct value *patch, struct str name);

/* What Go writes of a field: objects are maps, keys are strings. NULL: an error if it has one, else
 * OBJECTS_LACKS. */
const struct value *objects_plain(struct arena *a, const struct value *field, struct str *error);

#endif
