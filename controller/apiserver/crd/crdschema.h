/*
 * crdschema: a CustomResourceDefinition's schema of one version, as an API
 * server publishes it. Pure: JSON in, text out.
 *
 * Keywords that the server drops are dropped, and its additions are made: the two
 * types of an int-or-string, and kind, apiVersion and metadata at the root and in
 * embedded resources, without their descriptions.
 *
 *     buf_init(&text, cap);
 *     crdschema_write(&text, schema);
 */
#ifndef CONTROLLER_APISERVER_CRD_CRDSCHEMA_H
#define CONTROLLER_APISERVER_CRD_CRDSCHEMA_H

#include <json-c/json.h>

#include "client/base/buf.h"

/* Documents refer to their components by this prefix and a name. */
#define CRDSCHEMA_REF         "#/components/schemas/"
#define CRDSCHEMA_OBJECT_META "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"
#define CRDSCHEMA_LIST_META   "io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta"

/* Appends the schema as JSON, an object. schema is openAPIV3Schema; NULL where the version has none. */
void crdschema_write(struct buf *out, struct json_object *schema);
/* The same without descriptions, which are most of its text, and on which no type depends. */
void crdschema_write_types(struct buf *out, struct json_object *schema);

/* {"allOf": [{"$ref": COMPONENT}]}: how a property refers to a component. The caller puts it. */
struct json_object *crdschema_ref(const char *component);

/* {"type": TYPE}. The caller puts it. */
struct json_object *crdschema_of_type(const char *type);

#endif
