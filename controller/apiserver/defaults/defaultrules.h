/*
 * defaultrules: applies the rows of typecheck/cel/schema/default_rows.def to an object.
 *
 *     struct defaultobject rules = {.arena = &arena, .minor = 37, .root = object, .now = now};
 *     defaultrules_apply(&rules, DEFAULT_ROWS_DECODED, &type);
 */
#ifndef CONTROLLER_APISERVER_DEFAULTS_DEFAULTRULES_H
#define CONTROLLER_APISERVER_DEFAULTS_DEFAULTRULES_H

#include <json-c/json.h>
#include <stdbool.h>

#include "controller/apiserver/defaults/defaultobject.h"
#include "typecheck/schema.h"

/* type: of the root. The object is changed. */
void defaultrules_apply(struct defaultobject *rules, enum default_rows_stage stage,
                        const struct go_type *type);

/* Returns true if all conditions of a row hold that do not depend on versions. */
bool defaultrules_hold(struct json_object *object, const char *when);

#endif
