/*
 * clusterfields: the fields that an API server takes from the state of the cluster when it creates an
 * object. They are not known without the cluster.
 *
 *     char *text = clusterfields_name(object);      "spec.clusterIP, spec.clusterIPs"
 */
#ifndef CONTROLLER_APISERVER_DEFAULTS_CLUSTERFIELDS_H
#define CONTROLLER_APISERVER_DEFAULTS_CLUSTERFIELDS_H

#include <json-c/json.h>

/* object: with what a server sets without the cluster (defaults.h). NULL: nothing. The caller frees it. */
char *clusterfields_name(struct json_object *object);

#endif
