/*
 * given_fields: the optional fields of Kubernetes' own kinds that a policy finds in every object.
 *
 * The API server's code sets them where a client leaves them out (a Deployment's replicas), or refuses an
 * object without them (a container's image), before it asks a policy. The schema says neither.
 */
#ifndef TYPECHECK_CEL_SCHEMA_GIVEN_FIELDS_H
#define TYPECHECK_CEL_SCHEMA_GIVEN_FIELDS_H

#include <stdbool.h>

#include "typecheck/base/str.h"

/* component: the name of the Go type that has the field, io.k8s.api.apps.v1.DeploymentSpec. place: where the
 * object with the field stands, from the root, which has the name of its kind: Deployment.spec. minor: of the
 * server, 1.minor. */
bool given_fields_has(struct str component, struct str place, struct str field, int minor);

/* The same of fields for which the API server has a default value, whatever else the object has. */
bool given_fields_is_set(struct str component, struct str field, int minor);

#endif
