/*
 * defaults: the object that an API server makes of one that a client sends, before its policies see it. Pure.
 *
 * A server reads an object by the Go types of its kind: it drops fields that it does not know and fills in
 * those that have a default value (default_rows.def). Its own admission plugins add more. Mutating policies
 * and webhooks see the result. After them the strategy of the resource sets fields that only the server may
 * set, and clears the status. Validating policies see that result. An object of a CustomResourceDefinition
 * is read by the definition's schema.
 *
 *     struct defaults_kind kind = {.type = type, .minor = 37, .is_namespaced = true, .has_status = true};
 *     struct json_object *sent = defaults_decode(&kind, object, &problem);     // an oldObject ends here
 *     struct json_object *admitted = defaults_admit(&kind, sent, true);              // for mutating policies
 *     struct json_object *created = defaults_create(&kind, admitted);          // for validating policies
 *
 * Values that a server takes from the state of the cluster are not set; clusterfields.h names them.
 */
#ifndef CONTROLLER_APISERVER_DEFAULTS_DEFAULTS_H
#define CONTROLLER_APISERVER_DEFAULTS_DEFAULTS_H

#include <json-c/json.h>
#include <stdbool.h>

#include "typecheck/decision.h"

/* The uid in place of the one that a server makes up. */
#define DEFAULTS_UID "00000000-0000-4000-8000-000000000000"

struct defaults_kind {
    struct policy_run_type
        type;  /* root NULL: the schema of the kind is not known, and nothing is set by it */
    int minor; /* of the server: 1.minor */
    bool is_namespaced, has_status;
    const char *namespace; /* of the request, for an object that names none; NULL: none */
    const char *now;       /* the time of the request, RFC 3339 */
    /* The metadata of the object as it is stored, if known: its uid and creationTimestamp take the place of
     * those that the server makes up. NULL: not known. */
    struct json_object *metadata;
};

/* A new object for each of the following, which the caller puts; the given one is not changed. */

/*
 * The object as the server reads it: whenever an object comes in or goes out, and once more after each patch
 * of a mutating policy. If problem is not NULL, *problem names a value that no server reads ("spec.replicas
 * is a string, and must be an integer") and that is left as it is; NULL if there is none. The caller frees
 * it.
 */
struct json_object *defaults_decode(const struct defaults_kind *kind, struct json_object *object,
                                    char **problem);

/* The request to create (is_new) or update an object that was decoded, as mutating policies see it. */
struct json_object *defaults_admit(const struct defaults_kind *kind, struct json_object *object, bool is_new);

/* The object that the server makes of it when the mutating policies are done. */
struct json_object *defaults_create(const struct defaults_kind *kind, struct json_object *object);

/* The same of an UPDATE of old, which was decoded as well; subresource "": of the resource itself. */
struct json_object *defaults_update(const struct defaults_kind *kind, struct json_object *object,
                                    struct json_object *old, const char *subresource);

/* The object that is stored if this one, which was decoded, was created before: the fields that a server
 * sets are set, unless they are there. */
struct json_object *defaults_stored(const struct defaults_kind *kind, struct json_object *object);

#endif
