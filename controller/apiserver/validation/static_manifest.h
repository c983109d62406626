/*
 * static_manifest: the objections of an API server to an object that it reads from its own files. Pure.
 *
 * Since 1.37 a kube-apiserver loads policies, bindings and webhook configurations from the directories that
 * `staticManifestsDir` of its admission configuration names (KEP-5793). Their names end in ".static.k8s.io",
 * and the API refuses such names in turn. The loader decodes and validates an object as the API does; then
 * come the rules here. (k8s.io/apiserver/pkg/admission/plugin/policy/manifest/loader,
 * .../webhook/manifest/loader)
 *
 *     if (refusals.count == 0) static_manifest_check(policy, &refusals);
 */
#ifndef CONTROLLER_APISERVER_VALIDATION_STATIC_MANIFEST_H
#define CONTROLLER_APISERVER_VALIDATION_STATIC_MANIFEST_H

#include <json-c/json.h>
#include <stdbool.h>

#include "controller/apiserver/validation/fielderrors.h"

#define STATIC_MANIFEST_SUFFIX ".static.k8s.io"

/* Returns true if a server of errors->minor reads such an object, of one of admission's kinds, from a
 * file. */
bool static_manifest_is(struct json_object *object, const struct fielderrors *errors);

/* The same by the metadata alone. */
bool static_manifest_has_name(struct json_object *metadata, const struct fielderrors *errors);

/* Returns true if the loader takes objects of this version, after decoding. If not, an error is added. */
bool static_manifest_takes_version(struct json_object *object, struct fielderrors *errors);

/* The rules of the loader, which follow validation. Must be called only if validation found nothing, since
 * the loader stops at the first object that is wrong. Does nothing for objects that come through the API. */
void static_manifest_check(struct json_object *object, struct fielderrors *errors);

/* The note for each such object, correct or not. */
extern const char static_manifest_note[];

#endif
