/*
 * ownerrefs: the objections of an API server to metadata.ownerReferences. Pure.
 *
 * (k8s.io/apimachinery/pkg/api/validation, ValidateOwnerReferences; dedupOwnerReferences of
 * k8s.io/apiserver/pkg/endpoints/handlers)
 */
#ifndef CONTROLLER_APISERVER_VALIDATION_OWNERREFS_H
#define CONTROLLER_APISERVER_VALIDATION_OWNERREFS_H

#include <json-c/json.h>
#include <stdbool.h>

#include "controller/apiserver/validation/fielderrors.h"

/* The references as the server decodes them, without those that repeat an earlier one: the server drops these
 * first, and warns. The caller puts the list. */
struct json_object *ownerrefs_without_repeats(struct json_object *references);

/* Returns true if the server decodes `given` as this element of its list; NULL is not an element. */
bool ownerrefs_is(struct json_object *decoded, struct json_object *given);

/* is_from_file: the object is not created through the API, and nothing is dropped. */
void ownerrefs_check(struct json_object *references, bool is_from_file, struct fielderrors *errors);
/* The same for the rules that the types declare, which a server applies after all others. */
void ownerrefs_check_declared(struct json_object *references, bool is_from_file, struct fielderrors *errors);

#endif
