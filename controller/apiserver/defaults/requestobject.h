/*
 * requestobject: the object that the API server makes of one that a client sends, before it asks the
 * validating policies. Pure.
 *
 * (registry/rest BeforeCreate and BeforeUpdate; the strategies of the resources; the defaults of v1) Default
 * values of the schema are not set here, nor those that only the server's code sets, such as a Deployment's
 * replicas.
 *
 *     struct json_object *made = requestobject_copy(object);
 *     requestobject_decode(made);
 *     requestobject_create(made, has_status);
 *     json_object_put(made);
 */
#ifndef CONTROLLER_APISERVER_DEFAULTS_REQUESTOBJECT_H
#define CONTROLLER_APISERVER_DEFAULTS_REQUESTOBJECT_H

#include <json-c/json.h>
#include <stdbool.h>

/* A copy whose metadata is its own; the rest is shared, and is not to be changed. The caller puts it. */
struct json_object *requestobject_copy(struct json_object *object);

/* The name that the server makes of a generateName, with letters and digits that are always the same. Returns
 * NULL if the object has a name, or has no generateName. The caller frees it. */
char *requestobject_name(struct json_object *object);

/* The Namespace of that name, as the server has it in its cache: with the label with its name, spec and
 * status, and without apiVersion and kind. from: the known part of it, or NULL. The caller puts it. */
struct json_object *requestobject_namespace(const char *name, struct json_object *from);

/* The `copy` of the functions below is made by requestobject_copy, or an object of the caller's own. */

/* Changes the copy as the server does when it reads an object: the stringData of a Secret becomes data, and
 * a Namespace gets the label kubernetes.io/metadata.name with its name, whatever the label was. A Namespace
 * without a name gets none. */
void requestobject_decode(struct json_object *copy);

/* Changes the copy for a CREATE: a resource with a subresource for the status begins without a status. */
void requestobject_create(struct json_object *copy, bool has_status);

/* Changes the copy for an UPDATE of old: the times of creation and deletion are old's, and so are uid,
 * resourceVersion and deletionGracePeriodSeconds unless the copy has its own. A request for the subresource
 * status changes nothing but status and metadata, and one for the resource changes all but the status. */
void requestobject_update(struct json_object *copy, struct json_object *old, const char *subresource,
                          bool has_status);

#endif
