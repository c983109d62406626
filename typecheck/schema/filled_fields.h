/*
 * filled_fields: the optional fields of Kubernetes' own kinds that a policy finds in every object.
 *
 * The API server's code sets them where a client leaves them out (a Deployment's replicas), or refuses an
 * object without them (a container's image), before it asks a policy. The schema says neither.
 */
#ifndef TYPECHECK_SCHEMA_FILLED_FIELDS_H
#define TYPECHECK_SCHEMA_FILLED_FIELDS_H

#include <stdbool.h>

#include "typecheck/base/str.h"

/* go_type: the component's name, io.k8s.api.apps.v1.DeploymentSpec. place: where the object with the field
 * stands, from the root, which has the name of its kind: Deployment.spec. */
bool filled_fields_has(struct str go_type, struct str place, struct str field);

#endif
