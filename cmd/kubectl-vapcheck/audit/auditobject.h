/*
 * auditobject: an object that is audited, and where it is sent.
 */
#ifndef CMD_KUBECTL_VAPCHECK_AUDIT_AUDITOBJECT_H
#define CMD_KUBECTL_VAPCHECK_AUDIT_AUDITOBJECT_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

#include "cmd/kubectl-vapcheck/input/schemas.h"
#include "controller/apiserver/defaults/defaults.h"
#include "controller/apiserver/dispatch/requestmatch.h"

enum { AUDITOBJECT_CREATE = 1, AUDITOBJECT_UPDATE = 2 };

/* The endpoint to which objects of a resource are sent, and its equivalents. */
struct auditobject_route {
    struct requestmatch_endpoint endpoint;  /* of the request */
    struct requestmatch_endpoint stored_as; /* whose version the objects are in */
    struct requestmatch_endpoint *equivalents;
    size_t n_equivalents;
    bool is_namespaced, has_status;
    unsigned operations; /* which the server serves, a sum of those above */
};

struct auditobject {
    const struct auditobject_route *route;
    struct json_object *json; /* with apiVersion and kind; of a file as a server reads it (defaults_decode) */
    const char *file;         /* "": of a cluster */
    size_t line;
    bool is_again; /* other policies saw it in another version before */
};

/* Returns how the server of these schemas reads objects of the route. now: the time of the request. */
struct defaults_kind auditobject_kind(const struct auditobject_route *route, struct schemas *schemas,
                                      const char *now);

/* The namespace that the server takes an object to be in: "default" where it names none. */
const char *auditobject_namespace(const struct auditobject *object);

/* "Deployment web/frontend". The caller frees it. */
char *auditobject_title(const struct auditobject *object);

#endif
