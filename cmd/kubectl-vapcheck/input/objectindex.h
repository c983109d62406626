/*
 * objectindex: finds two objects with the same kind and name. Objects in different directories may be for
 * different clusters, so they are not compared.
 *
 *     struct objectindex index = {0};
 *     objectindex_add(&index, file, line, json);               for each, in the first pass
 *     const char *other = objectindex_other(&index, file, line, json);
 *     objectindex_deinit(&index);
 */
#ifndef CMD_KUBECTL_VAPCHECK_INPUT_OBJECTINDEX_H
#define CMD_KUBECTL_VAPCHECK_INPUT_OBJECTINDEX_H

#include <json-c/json.h>
#include <stddef.h>

struct objectindex {
    struct json_object *places; /* "file:line" of the first, by directory, group, kind and name; NULL: none */
};

/* An object without a name is left out. */
void objectindex_add(struct objectindex *index, const char *file, size_t line, struct json_object *object);
/* "file:line" of the first object of this name, if that is another one; else NULL. */
const char *objectindex_other(const struct objectindex *index, const char *file, size_t line,
                              struct json_object *object);
void objectindex_deinit(struct objectindex *index);

#endif
