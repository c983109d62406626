/*
 * managedfields: the objections of an API server to the metadata.managedFields of an object that it reads
 * from a file. Pure.
 *
 * For an object that is created through the API it only checks that they can be decoded; it replaces those
 * that it cannot use. (k8s.io/apimachinery/pkg/apis/meta/v1/validation, ValidateManagedFields)
 */
#ifndef CONTROLLER_APISERVER_VALIDATION_MANAGEDFIELDS_H
#define CONTROLLER_APISERVER_VALIDATION_MANAGEDFIELDS_H

#include <json-c/json.h>

#include "controller/apiserver/validation/fielderrors.h"

void managedfields_check(struct json_object *entries, struct fielderrors *errors);
/* The same for the rules that the types declare, which a server applies after all others. */
void managedfields_check_declared(struct json_object *entries, struct fielderrors *errors);

#endif
