/*
 * paramref: the request that shows whether a cluster has the parameters that a binding names, and the meaning
 * of the answer. Pure: the caller sends the request.
 *
 * A parameter with a name and a namespace is read. Otherwise the request is a list of at most one object.
 *
 *     if (paramref_init(&ref, binding, store_get(policies, name), discovery)) {
 *         if (ref.path != NULL) answer = paramref_read(&ref, bytes, len, &err);      of GET ref.path
 *         paramref_add(&conditions, &ref, answer, err.msg);
 *         paramref_deinit(&ref);
 *     }
 */
#ifndef CONTROLLER_RECONCILE_PARAMREF_H
#define CONTROLLER_RECONCILE_PARAMREF_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

#include "client/base/err.h"
#include "client/cache/store.h"
#include "client/discovery/discovery.h"
#include "controller/findings/conditions.h"

struct paramref {
    char *path;         /* with a query; NULL: there is no need to ask */
    const char *accept; /* the header Accept, which asks for metadata only; static */
    char *resource; /* "configmaps", "limits.example.com"; NULL: the cluster does not serve the paramKind */
    char *what;     /* "ConfigMap limits in namespace default" */
    bool is_list;   /* a list is read, else the object itself */
    bool allows_none;
    bool is_nowhere; /* no object can have this name, or be in this namespace; path is NULL */
};

enum paramref_answer {
    PARAMREF_THERE,
    PARAMREF_MISSING,
    PARAMREF_UNREADABLE, /* usually a right is missing */
};

/* Returns false if the binding or the policy names no parameters, or the policy is unknown (it is NULL if
 * there is none); then there is nothing to deinit. */
bool paramref_init(struct paramref *out, struct json_object *binding, const struct store_object *policy,
                   const struct discovery *discovery);
void paramref_deinit(struct paramref *ref);

/* The meaning of the answer to the request, or of its error in *err. If that is UNREADABLE, *err says why. */
enum paramref_answer paramref_read(const struct paramref *ref, const char *bytes, size_t len,
                                   struct err *err);

/* Adds the condition ParamsFound. why: the reason for UNREADABLE. */
void paramref_add(struct conditions *out, const struct paramref *ref, enum paramref_answer answer,
                  const char *why);

#endif
