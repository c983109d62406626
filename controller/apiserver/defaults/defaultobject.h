/*
 * defaultobject: an object in which default values are set, and what they depend on.
 *
 *     struct defaultobject object = {.arena = &arena, .minor = 37, .root = json, .now = now, .uid = uid};
 *     struct json_object *labels = defaultobject_get(json, "metadata.labels");
 */
#ifndef CONTROLLER_APISERVER_DEFAULTS_DEFAULTOBJECT_H
#define CONTROLLER_APISERVER_DEFAULTS_DEFAULTOBJECT_H

#include <json-c/json.h>

#include "typecheck/text.h"

struct defaultobject {
    struct arena *arena; /* pays for each value of the object, and for each row of its type */
    int minor;           /* of the server: 1.minor */
    struct json_object *root;
    struct json_object *old; /* of an UPDATE; else NULL */
    const char *now;         /* RFC 3339 */
    const char *uid;         /* of the object */
};

/* Bytes of a path, of which longer ones are cut: they come from our tables. */
enum { DEFAULTOBJECT_PATH_BYTES = 128 };

/* Copies `text` up to its end or the byte `end`; returns what stands after it. */
const char *defaultobject_cut(const char *text, char end, char out[DEFAULTOBJECT_PATH_BYTES]);

/* The value at "a.b" below the object; NULL if there is none. */
struct json_object *defaultobject_get(struct json_object *object, const char *path);

#endif
