/*
 * paramref: which request shows whether a cluster has the parameters that a binding names, and what the
 * answer means for the binding. Pure: the request is the caller's.
 *
 * A name in a namespace is read, what may be in several places is listed, one object at most.
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
#include "controller/check/conditions.h"

struct paramref {
    char *path;         /* with a query; NULL: the cluster does not serve the policy's paramKind */
    const char *accept; /* the header Accept: the metadata alone, where the server can; static */
    char *resource;     /* "configmaps", "limits.example.com"; NULL with the path */
    char *what;         /* "ConfigMap limits in namespace default" */
    bool is_list;       /* else the object itself is asked for */
    bool allows_none;
};

enum paramref_answer {
    PARAMREF_THERE,
    PARAMREF_MISSING,
    PARAMREF_UNREADABLE, /* mostly a right is missing */
};

/* False where the binding or the policy names no parameters, or nothing is known of the policy (NULL: there
 * is none); then there is nothing to deinit. */
bool paramref_init(struct paramref *out, struct json_object *binding, const struct store_object *policy,
                   const struct discovery *discovery);
void paramref_deinit(struct paramref *ref);

/* Of the answer to the request, or of the request's error. In the end *err says why it is UNREADABLE. */
enum paramref_answer paramref_read(const struct paramref *ref, const char *bytes, size_t len,
                                   struct err *err);

/* The condition ParamsFound. why: of UNREADABLE. */
void paramref_add(struct conditions *out, const struct paramref *ref, enum paramref_answer answer,
                  const char *why);

#endif
