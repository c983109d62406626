/*
 * objects: the values that only mutations make: `Object.spec{replicas: 1}` and `JSONPatch{op: 'add', ...}`.
 *
 * k8s.io/apiserver/pkg/cel/mutation: dynamic/objects.go and jsonpatch.go. An object keeps the values that it
 * was given. A field is read in the form in which Go writes it as JSON: an object in it is then a map.
 */
#ifndef TYPECHECK_CEL_INTERPRETER_VALUES_OBJECTS_H
#define TYPECHECK_CEL_INTERPRETER_VALUES_OBJECTS_H

#include <stdbool.h>

#include "typecheck/cel/interpreter/values/value.h"
#include "typecheck/cel/types/celgo.h"

#define OBJECTS_LACKS                                                                                        \
    "vapcheck does not evaluate a field of an object that is no JSON, or a patch of such fields"

/* Makes a value from fields by name. Returns the value or the error; NULL if the result is not known
 * (OBJECTS_LACKS). */
const struct value *objects_make(struct arena *a, const struct celgo *celgo, struct str type,
                                 const struct value_map *fields);

/*
 * A field of a value that is an object to the type checker. is_presence: the caller only tests whether it is
 * there. Returns NULL if it is not there. Sets *is_lacking to true if that is not known (OBJECTS_LACKS).
 */
const struct value *objects_field(struct arena *a, const struct value *v, struct str name, bool is_presence,
                                  bool *is_lacking);
/* The same for a field of a JSON patch; if it is absent and is_presence is false, the result is null. */
const struct value *objects_patch_field(struct arena *a, const struct value *v, const struct value *key,
                                        bool is_presence);
/* The field that the patch was given; NULL if it was given none. */
const struct value *objects_patch_given(struct arena *a, const struct value *patch, struct str name);

/* The form of a field in which Go writes it: objects are maps, keys are strings. Returns NULL if it sets
 * *error, or, without an error, if the form is not known (OBJECTS_LACKS). */
const struct value *objects_plain(struct arena *a, const struct value *field, struct str *error);

#endif
