/*
 * clusterfields: the fields that an API server takes from the state of the cluster when it creates an
 * object. They are not known without the cluster.
 *
 *     char *text = clusterfields_name(object);      "spec.clusterIP, spec.clusterIPs"
 */
#ifndef CONTROLLER_APISERVER_DEFAULTS_CLUSTERFIELDS_H
#define CONTROLLER_APISERVER_DEFAULTS_CLUSTERFIELDS_H

#include <json-c/json.h>

/* Names the fields of the object that a server sets from the state of the cluster. The object must have what
 * a server sets without the cluster (defaults.h). Returns NULL if there are none. The caller frees the
 * text. */
char *clusterfields_name(struct json_object *object);

#endif
