/*
 * paramindex: the objects of all files that may be parameters, by kind, name and namespace, and which of them
 * the bindings name.
 *
 *     struct paramindex index = {0};
 *     paramindex_add(&index, json);                    for each object, in the first pass
 *     paramindex_add_binding(&index, json);            for each binding
 *     if (paramindex_find(&index, &wanted, &meant)) ...      in the second
 *     paramindex_deinit(&index);
 */
#ifndef CMD_KUBECTL_VAPCHECK_INPUT_PARAMINDEX_H
#define CMD_KUBECTL_VAPCHECK_INPUT_PARAMINDEX_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

#include "client/base/keymap.h"

struct paramindex {
    struct json_object *kinds; /* by "group\nkind", name and namespace ("": none is written); NULL: none */
    struct keymap named;       /* "namespace\nname" of each paramRef */
    size_t compared;           /* names, so far */
};

/* An object without a name is left out. */
void paramindex_add(struct paramindex *index, struct json_object *object);
void paramindex_add_binding(struct paramindex *index, struct json_object *binding);
void paramindex_deinit(struct paramindex *index);

/* The object that a paramRef names; borrowed. */
struct paramindex_ref {
    const char *api_version, *kind; /* those of the paramKind */
    const char *name, *namespace;
};

/* The object that was probably meant by a paramRef whose object is in no file: one of the same name in
 * another namespace, else one of nearly the same name in the same namespace. An object that another binding
 * names is not meant, and an object without a namespace in its file may be in any. Returns false if there is
 * none. */
bool paramindex_find(struct paramindex *index, const struct paramindex_ref *wanted,
                     struct paramindex_ref *out);

#endif
