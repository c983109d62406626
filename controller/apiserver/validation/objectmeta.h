/*
 * objectmeta: the objections of an API server to an object's metadata and to label
 * selectors, at create. Pure.
 *
 * (k8s.io/apimachinery/pkg/api/validation/objectmeta.go,
 * pkg/apis/meta/v1/validation) For cluster-scoped objects whose name must be a
 * DNS subdomain. Maps are checked in the file's order; the server's order is
 * random.
 */
#ifndef CONTROLLER_APISERVER_VALIDATION_OBJECTMETA_H
#define CONTROLLER_APISERVER_VALIDATION_OBJECTMETA_H

#include <json-c/json.h>

#include "controller/apiserver/validation/fielderrors.h"

/* The object's name. If the server generates it: its prefix with a suffix like the server's. The caller
 * frees it. */
char *objectmeta_name(struct json_object *metadata);

void objectmeta_check(struct json_object *metadata, struct fielderrors *errors);
/* The same for the rules that the types declare, which a server applies after all others of the object. */
void objectmeta_check_declared(struct json_object *metadata, struct fielderrors *errors);

/* `at` is the selector's field. NULL is fine. */
void objectmeta_check_selector(struct json_object *selector, const char *at, struct fielderrors *errors);

#endif
