/*
 * managedfields: what an API server objects to in the metadata.managedFields of an object that it reads from
 * a file. Pure.
 *
 * Of an object that is created through the API it reads no more than whether they can be decoded: what cannot
 * be used is replaced. (k8s.io/apimachinery/pkg/apis/meta/v1/validation, ValidateManagedFields)
 */
#ifndef CONTROLLER_ADMISSION_MANAGEDFIELDS_H
#define CONTROLLER_ADMISSION_MANAGEDFIELDS_H

#include <json-c/json.h>

#include "controller/field/fielderrors.h"

void managedfields_check(struct json_object *entries, struct fielderrors *errors);

#endif
