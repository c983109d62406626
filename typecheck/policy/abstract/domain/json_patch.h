/*
 * json_patch: transfer functions of the operations of a JSON patch, on a document that is an abstract value.
 *
 * The API server applies the patch to the object's JSON, with a library that
 * differs from RFC 6902: in a map, add and replace set a key whether or not it
 * is there, and a missing key can be copied; a list takes "-1" and "+0" as
 * indexes. No operation creates the parents in its path. In a ConfigMap, which
 * has no field nope,
 *
 *     {op: 'add', path: '/nope/x', value: 'y'}      always fails
 *     {op: 'add', path: '/data/x', value: 'y'}      may: some objects have no data
 *     {op: 'remove', path: '/nope'}                 always fails
 *
 * gopkg.in/evanphx/json-patch.v4, patch.go; k8s.io/apiserver: pkg/admission/plugin/policy/mutating/patch.
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_DOMAIN_JSON_PATCH_H
#define TYPECHECK_POLICY_ABSTRACT_DOMAIN_JSON_PATCH_H

#include <stdbool.h>

#include "typecheck/policy/abstract/domain/transfer.h"

struct json_patch {
    struct arena *arena; /* for what the operations make */
    struct types *types;
    const struct absval *document;
    const struct absval *taken; /* what json_patch_remove and json_patch_get found */
};

/* Each returns NULL, and the document is changed by the operation; or it returns why the operation fails on
 * every document of the set, with messages that name the whole path. A path begins with a slash. */
const struct failure *json_patch_add(struct json_patch *p, struct str path, const struct absval *value);
const struct failure *json_patch_replace(struct json_patch *p, struct str path, const struct absval *value);
const struct failure *json_patch_remove(struct json_patch *p, struct str path);
/* Reads the value, for copy and test; a missing key of a map is not a failure. */
const struct failure *json_patch_get(struct json_patch *p, struct str path);

/* Checks that a map or a list can be at the path, for an operation somewhere in it. It does not change the
 * document. */
const struct failure *json_patch_enter(struct json_patch *p, struct str path);

/* The value as it becomes JSON: a value that JSON does not have becomes a string or anything. */
const struct absval *json_patch_value(const struct absval *v);

#endif
