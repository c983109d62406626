/*
 * objectchange: the changes that a mutating policy makes in an object, in short for readers, and as a JSON
 * patch.
 *
 *     char *text = objectchange_text(before, after);     "metadata.labels.team: nothing becomes \"web\""
 *     struct json_object *patch = objectchange_patch(before, after);
 */
#ifndef CONTROLLER_APISERVER_DISPATCH_OBJECTCHANGE_H
#define CONTROLLER_APISERVER_DISPATCH_OBJECTCHANGE_H

#include <json-c/json.h>

/* The first changes, and how many more there are. The caller frees it. */
char *objectchange_text(struct json_object *before, struct json_object *after);

/* RFC 6902, all changes. The caller puts it. */
struct json_object *objectchange_patch(struct json_object *before, struct json_object *after);

#endif
