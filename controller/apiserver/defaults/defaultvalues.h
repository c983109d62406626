/*
 * defaultvalues: the functions that default_rows.def names, for values that depend on more than one field.
 */
#ifndef CONTROLLER_APISERVER_DEFAULTS_DEFAULTVALUES_H
#define CONTROLLER_APISERVER_DEFAULTS_DEFAULTVALUES_H

#include <json-c/json.h>

struct defaultobject;

/* The value of the field that the object lacks, which the caller takes. Returns NULL if the field is not set;
 * the function may have changed other fields of the object. */
struct json_object *defaultvalues_make(const struct defaultobject *rules, const char *function,
                                       struct json_object *object);

#endif
