/*
 * crdschema: a CustomResourceDefinition's schema of one version, as an API
 * server publishes it. Pure: JSON in, JSON out.
 *
 * Keywords that the server drops are dropped, and its additions are made: the two
 * types of an int-or-string, and kind, apiVersion and metadata at the root and in
 * embedded resources, without their descriptions.
 *
 *     struct json_object *published = crdschema_publish(schema);
 *     json_object_put(published);
 */
#ifndef CONTROLLER_APISERVER_CRD_CRDSCHEMA_H
#define CONTROLLER_APISERVER_CRD_CRDSCHEMA_H

#include <json-c/json.h>

/* Documents refer to their components by this prefix and a name. */
#define CRDSCHEMA_REF         "#/components/schemas/"
#define CRDSCHEMA_OBJECT_META "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"
#define CRDSCHEMA_LIST_META   "io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta"

/* schema is openAPIV3Schema (borrowed; NULL where the version has none). The caller puts the answer. */
struct json_object *crdschema_publish(struct json_object *schema);
/* The same without descriptions, which are most of its text, and on which no type depends. */
struct json_object *crdschema_publish_types(struct json_object *schema);

/* {"allOf": [{"$ref": COMPONENT}]}: how a property refers to a component. The caller puts it. */
struct json_object *crdschema_ref(const char *component);

/* {"type": TYPE}. The caller puts it. */
struct json_object *crdschema_of_type(const char *type);

#endif
