/*
 * crdnode: what an API server objects to in one schema of a
 * CustomResourceDefinition, its children left aside, in its words. Pure.
 *
 * Keywords it does not support, defaults where there may be none, lists and
 * maps that do not fit their x-kubernetes-list-type and -map-type.
 */
#ifndef CONTROLLER_CRD_CRDNODE_H
#define CONTROLLER_CRD_CRDNODE_H

#include <json-c/json.h>
#include <stdbool.h>

#include "controller/crd/crdwork.h"
#include "controller/field/fielderrors.h"

struct crdnode_place {
    const char
        *no_defaults; /* why defaults are forbidden here: "in top-level metadata"; NULL: they are not */
    bool is_in_meta;  /* kind, apiVersion or metadata of a resource, and below */
};

/* Whether the server can go on to make a structural schema of it. words: whose version says how values are
 * shown. */
bool crdnode_check(struct json_object *schema, const char *field, const struct crdnode_place *place,
                   struct crdwork *work, const struct fielderrors *words, struct fielderrors *out);

#endif
