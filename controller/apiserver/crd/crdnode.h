/*
 * crdnode: the objections of an API server to one schema of a
 * CustomResourceDefinition, without the schemas below it. Pure.
 *
 * It objects to keywords that it does not support, to defaults in the wrong
 * place, and to lists and maps whose schema does not fit their
 * x-kubernetes-list-type or x-kubernetes-map-type.
 */
#ifndef CONTROLLER_APISERVER_CRD_CRDNODE_H
#define CONTROLLER_APISERVER_CRD_CRDNODE_H

#include <json-c/json.h>
#include <stdbool.h>

#include "controller/apiserver/crd/crdwork.h"
#include "controller/apiserver/validation/fielderrors.h"

struct crdnode_place {
    const char
        *no_defaults; /* why defaults are forbidden here: "in top-level metadata"; NULL: they are not */
    bool is_in_meta;  /* the schema is of kind, apiVersion or metadata of a resource, or lies inside it */
};

/* Checks the schema at `field`, which is copied into each error that is added to out. Messages are those of
 * the version out->minor. Returns false if the server cannot make a structural schema (a term of Kubernetes)
 * of it. */
bool crdnode_check(struct json_object *schema, const char *field, const struct crdnode_place *place,
                   struct crdwork *work, struct fielderrors *out);

#endif
