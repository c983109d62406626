/*
 * paramobjects: whether a cluster has the parameters that a binding's paramRef names.
 *
 * A name in a namespace is read, what may be in several places is listed, one object at most. Blocking, as
 * remote is.
 *
 *     enum paramobjects found = paramobjects_find(remote, "v1", resource, ref, &err);
 */
#ifndef CMD_KUBECTL_VAPCHECK_INPUT_PARAMOBJECTS_H
#define CMD_KUBECTL_VAPCHECK_INPUT_PARAMOBJECTS_H

#include <json-c/json.h>

#include "client/discovery/discovery.h"
#include "cmd/kubectl-vapcheck/input/remote.h"

enum paramobjects {
    PARAMOBJECTS_THERE,
    PARAMOBJECTS_MISSING,
    PARAMOBJECTS_UNREADABLE, /* err says why; mostly a right is missing */
};

/* resource is the paramKind's, of group_version. */
enum paramobjects paramobjects_find(struct remote *remote, const char *group_version,
                                    const struct discovery_resource *resource, struct json_object *ref,
                                    struct err *err);

/* What paramRef asks for: "limits in namespace default". The caller frees it. */
char *paramobjects_describe(const struct discovery_resource *resource, struct json_object *ref);

#endif
